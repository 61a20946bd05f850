"""Fuzzy search: how well a text answers a query, word by word; weaker likenesses count less.

Letters that stand anywhere in a text are no likeness: "movie" is not in "Remove scheme".
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.window.guides.synonyms import IDLE, SPELLINGS

EQUAL, BEGINS = 4.0, 3.0  # a word of the title, or its beginning; of the kind a little less
KIND = 0.9
SINGULAR = 0.95  # score of a title's word in the singular, where the plural is typed
OTHER, OTHER_BEGINS = 3.2, 2.0  # of the synonyms: a whole one is better than the beginning of a word of the title
INSIDE, HINTED, IN_TEXT = 1.6, 1.2, 0.4  # within a word of the title; of the hint; of the text
TITLED = 1.0  # more where all words are the title
INITIALS = 1.0  # letters that run through the beginnings of the title's words
LIKE = 0.8  # likeness of a misspelt word and the right one, see difflib
SHORTEST = 3  # letters of a word that is looked for in synonyms' beginnings, within words, in hints and texts


@dataclass(frozen=True)
class Text:
    """Searchable texts, each a tuple of plain words.

    Attributes
    ----------
    title, kind : what it is called, and what kind of thing it is
    also : synonyms
    hint : what it does
    body : all that it says
    removes : the verbs, if it takes something away, by one of which alone it is found
    """

    title: tuple[str, ...]
    kind: tuple[str, ...] = ()
    also: frozenset[str] = frozenset()
    hint: tuple[str, ...] = ()
    body: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text: lower case, without accents, of British spelling."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return tuple(SPELLINGS.get(word, word) for word in re.findall(r"[^\W_]+", plain))


def score(query: str, text: Text) -> float | None:
    """Score of a text for a query, higher is better; None if a word of the query is not in it."""
    wanted = words(query)
    found = _score(wanted, text)
    if found is not None and wanted == text.title:
        found += TITLED
    asked = tuple(word for word in wanted if word not in IDLE)
    if found is None and asked and asked != wanted:
        found = _score(asked, text)
    return found


def nearest(query: str, texts: Iterable[Text]) -> str | None:
    """The query with each unknown word replaced by the likest one of titles and synonyms; None where there is none."""
    known = sorted({word for text in texts if not text.removes for word in (*text.title, *text.also) if len(word) > 3})
    mended = [
        word if word in known or word in IDLE else next(iter(difflib.get_close_matches(word, known, 1, LIKE)), None)
        for word in words(query)
    ]
    return " ".join(filter(None, mended)) if mended and None not in mended else None


def _score(wanted: Sequence[str], text: Text) -> float | None:
    if not wanted:
        return None
    rates = [_rate(word, text) for word in wanted]
    whole = [rate for rate in rates if rate is not None]
    if len(whole) < len(rates):
        if text.removes or len(wanted) > 1 or not _runs("".join(wanted), text.title):
            return None
        whole = [INITIALS]
    if text.removes and not any(len(word) >= SHORTEST and _begin(word, text.removes) for word in wanted):
        return None
    return sum(whole) / len(whole) - 0.01 * sum(map(len, text.title))


def _begin(word: str, others: tuple[str, ...] | frozenset[str]) -> bool:
    """True if one of others begins with a word: sought in a line of them all, as each key that is typed asks them."""
    return f" {word}" in _line(others)


@lru_cache(maxsize=16384)
def _line(several: tuple[str, ...] | frozenset[str]) -> str:
    return "".join(f" {word}" for word in several)


def _rate(word: str, text: Text) -> float | None:
    """Score of one word: the best of all similarities."""
    forms = (word, word[:-1]) if len(word) > SHORTEST and word.endswith("s") else (word,)
    for found, rate in ((text.title, 1.0), (text.kind, KIND)):
        if any(form in found for form in forms):
            return EQUAL * rate * (1.0 if word in found else SINGULAR)
    if any(form in text.also or form in text.removes for form in forms):
        return OTHER
    for found, rate in ((text.title, 1.0), (text.kind, KIND)):
        if _begin(forms[-1], found):
            return BEGINS * rate
    if len(word) < SHORTEST or text.removes:
        return None
    if _begin(word, text.also):
        return OTHER_BEGINS
    if any(word in other for other in text.title):
        return INSIDE
    if _begin(word, text.hint):
        return HINTED
    return IN_TEXT if _begin(forms[-1], text.body) else None


def _runs(letters: str, title: Sequence[str]) -> bool:
    """True if letters are beginnings of words of a title in their order: "pop" of "Play or pause"."""
    if not letters:
        return True
    for i, word in enumerate(title):
        for length in range(1, min(len(letters), len(word)) + 1):
            if not word.startswith(letters[:length]):
                break
            if _runs(letters[length:], title[i + 1 :]):
                return True
    return False
