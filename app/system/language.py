"""The language of the program: English in the code, other languages in gettext's catalogues.

``tr("Save session")`` is the text in the current language, so it is called where a text is shown and never at import.
Texts with values are templates: ``tr("Saved: {path}").format(path=path)``. Rows of registries stay English, and are
translated where they are shown: ``tr(row.text)``. Errors, events and notes of physics are ``physics.core.wording``:
``translated(error)``. ``assets/make/catalogues.py`` collects them all for the catalogues.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Literal

from assets import LOCALE

Code = Literal["en", "de", "fr", "it"]
LANGUAGES: dict[Code, str] = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}  # each in itself
DOMAIN = "polhode"

_catalogue = gettext.NullTranslations()
_code: Code = "en"


def use(language: Code) -> None:
    """Use a language from now on, by its code; English if its catalogue is missing."""
    global _code
    _code = language
    set_catalogue(gettext.translation(DOMAIN, LOCALE, [language], fallback=True))


@contextmanager
def speaking(language: Code) -> Iterator[None]:
    """Context with another language: tables in files are English."""
    before = used()
    use(language)
    try:
        yield
    finally:
        use(before)


def used() -> Code:
    """The code of the current language, for child processes."""
    return _code


def speaks_english() -> bool:
    """True if texts are shown as they are in the code."""
    return type(_catalogue) is gettext.NullTranslations


def set_catalogue(catalogue: gettext.NullTranslations) -> None:
    """Take texts from a catalogue."""
    global _catalogue
    _catalogue = catalogue


def tr(text: str, context: str = "") -> str:
    """A text in the current language; the text itself if it has no translation.

    context : the meaning, where one English word has several ("Speed" of a body, of playing)
    """
    if not text:  # a catalogue translates "" to its header
        return ""
    return _catalogue.pgettext(context, text) if context else _catalogue.gettext(text)


def in_all_languages(text: str) -> set[str]:
    """A text in each language."""
    return {gettext.translation(DOMAIN, LOCALE, [code], fallback=True).gettext(text) for code in LANGUAGES}


def translated(what: Exception | str) -> str:
    """An error, or a text of physics, in the current language; what has no template stays as it is."""
    if speaks_english():
        return str(what)
    from physics.core.wording import Wording  # here: the command line is parsed before physics is loaded

    text = str(what)
    if not isinstance(text, Wording):
        return text
    values = {name: translated(one) if isinstance(one, Wording) else one for name, one in text.values.items()}
    return tr(text.template).format(**values)


def listed(texts: Iterable[str]) -> str:
    """Texts after each other, with the sign between them that the current language takes: "a; b", "a ; b"."""
    from physics.core.wording import joined

    return translated(joined("; ", [*texts]))


def readable(word: str) -> str:
    """A word of scenario files as people read it: "Medium hard"."""
    return word.replace("-", " ").capitalize()


def capitalised(text: str) -> str:
    """A text as a sentence begins: its first letter is large, the others stay."""
    return text[:1].upper() + text[1:]


def plural(one: str, many: str, number: int) -> str:
    """The template for one thing or for several, in the current language."""
    return _catalogue.ngettext(one, many, number)


def language_in(words: Sequence[str]) -> Code | None:
    """The code after ``--language`` in a command line, known before parsing, whose errors are in that language."""
    text = next((text for name, text in pairwise(words) if name == "--language"), "")
    text = text or next((word.partition("=")[2] for word in words if word.startswith("--language=")), "")
    return next((code for code in LANGUAGES if code == text), None)


def first_known(preferred: Iterable[str]) -> Code:
    """The code of the first known language, of names such as "de_AT.UTF-8" or "fr-CH"; English if none is known."""
    names = (name.replace("_", "-").partition("-")[0].lower() for name in preferred)
    return next((code for name in names for code in LANGUAGES if code == name), "en")
