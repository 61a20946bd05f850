"""Fuzzy search: letters in their order, wherever they stand; those that begin words count most."""

from __future__ import annotations

import unicodedata


def score(query: str, text: str) -> float | None:
    """How well a text answers a query, higher is better; None when letters of the query are missing in it."""
    text = _plain(text)
    total = 0.0
    for word in _plain(query).split():
        found = _word(word, text)
        if found is None:
            return None
        total += found
    return total - 0.01 * len(text)


def _plain(text: str) -> str:
    """Lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))


def _word(word: str, text: str) -> float | None:
    whole = text.find(word)
    if whole >= 0:
        return 3.0 * len(word) + (4.0 if _begins(text, whole) else 0.0)
    total, at, last = 0.0, -1, -2
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        total += 1.0 if at == last + 1 else (0.6 if _begins(text, at) else 0.0)
        last = at
    return total


def _begins(text: str, at: int) -> bool:
    """Whether a word begins there."""
    return at == 0 or not text[at - 1].isalnum()
