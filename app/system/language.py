"""The language of what users read: English stands in the code, gettext's catalogues hold the other languages.

``tr("Save session")`` is the text in the language in use, so it is called where a text is shown and never at import.
What holds values is a template: ``tr("Saved: {path}").format(path=path)``. The rows of tables stay English, and are
translated where they are shown: ``tr(row.text)``. ``assets/make/catalogues.py`` collects both for the catalogues.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Literal

from assets import LOCALE

Code = Literal["en", "de", "fr", "it"]
LANGUAGES: dict[Code, str] = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}  # in own words
DOMAIN = "polhode"

_catalogue = gettext.NullTranslations()
_code: Code = "en"


def use(language: Code) -> None:
    """Show everything in a language from now on, by its code; English where its catalogue is missing."""
    global _code
    _code = language
    set_catalogue(gettext.translation(DOMAIN, LOCALE, [language], fallback=True))


@contextmanager
def speaking(language: Code) -> Iterator[None]:
    """Show everything in a language for a while: tables in files are English."""
    before = used()
    use(language)
    try:
        yield
    finally:
        use(before)


def used() -> Code:
    """The code of the language in use, for processes that are started."""
    return _code


def speaks_english() -> bool:
    """Whether texts are shown as they stand in the code."""
    return type(_catalogue) is gettext.NullTranslations


def set_catalogue(catalogue: gettext.NullTranslations) -> None:
    """Take texts from a catalogue."""
    global _catalogue
    _catalogue = catalogue


def tr(text: str, context: str = "") -> str:
    """A text in the language in use; itself where the catalogue has it not.

    context : what it is said of, where one English word has several meanings ("Speed" of a body, of playing)
    """
    if not text:  # the catalogue's own head
        return ""
    return _catalogue.pgettext(context, text) if context else _catalogue.gettext(text)


def plural(one: str, many: str, number: int) -> str:
    """The template for one thing or for another number of them, in the language in use."""
    return _catalogue.ngettext(one, many, number)


def asked_for(words: Sequence[str]) -> Code | None:
    """The code that a command line names behind ``--language``, before it is read: what is wrong with it is told so."""
    text = next((text for name, text in pairwise(words) if name == "--language"), "")
    text = text or next((word.partition("=")[2] for word in words if word.startswith("--language=")), "")
    return next((code for code in LANGUAGES if code == text), None)


def first_known(preferred: Iterable[str]) -> Code:
    """The code of the first language that there is, of names such as "de_AT.UTF-8" or "fr-CH"; English if none is."""
    names = (name.replace("_", "-").partition("-")[0].lower() for name in preferred)
    return next((code for name in names for code in LANGUAGES if code == name), "en")
