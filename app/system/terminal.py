"""Texts for a terminal: one line of printable letters, and not without end, whatever a file or a name holds."""

from __future__ import annotations

LONGEST_WORD, LONGEST = 400, 1200  # letters that are shown; paths are shorter


def one_line(text: object) -> str:
    """A text as one line, in which an escape code is spelled out: it would else recolour, retitle or type.

    Of a word or a line that is too long the middle is left out.
    """
    words = (_shortened(word, LONGEST_WORD) for word in str(text).split())
    return _shortened(
        "".join(letter if letter.isprintable() else _spelled(letter) for letter in " ".join(words)), LONGEST
    )


def _spelled(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def _shortened(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"
