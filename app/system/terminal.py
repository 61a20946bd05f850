"""Texts for a terminal: one line of printable characters of limited length, whatever a file or a name contains."""

from __future__ import annotations

LONGEST_WORD, MAX_LETTERS = 400, 1200  # characters; paths are shorter


def one_line(text: object) -> str:
    """A text on one line with escape codes spelled out: a terminal would obey them.

    The middle of words and lines that are too long is left out.
    """
    words = (_shortened(word, LONGEST_WORD) for word in str(text).split())
    spelled = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(words))
    return _shortened("".join(spelled), MAX_LETTERS)


def aligned(lines: list[list[str]]) -> list[str]:
    """Lines of text with their words in columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]


def _shortened(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"
