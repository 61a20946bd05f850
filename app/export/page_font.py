"""The typeface of a page: the letters of Inter that it needs, inside it."""

from __future__ import annotations

import base64
import io
import string
from functools import lru_cache

from app.theme import FONTS

WEIGHTS = {400: "Regular", 600: "SemiBold"}


def rules(text: str) -> str:
    """Style rules that bring the letters of a text, and those of ASCII."""
    return _rules("".join(sorted({*text, *string.printable})))


@lru_cache(maxsize=4)  # it takes half a second, and most pages of a folder want the same letters
def _rules(letters: str) -> str:
    from fontTools import subset
    from fontTools.ttLib import TTFont

    made = []
    for weight, name in WEIGHTS.items():
        options = subset.Options(flavor="woff", layout_features=["kern", "tnum"], hinting=False)
        cutter = subset.Subsetter(options)
        cutter.populate(text=letters)
        file = io.BytesIO()
        with TTFont(FONTS[name], recalcTimestamp=False, lazy=True) as font:  # the same letters, the same bytes
            cutter.subset(font)
            font.flavor = "woff"
            font.save(file)
        source = f"url(data:font/woff;base64,{base64.b64encode(file.getvalue()).decode()})"
        made.append(f'@font-face {{ font-family: Inter; font-weight: {weight}; src: {source} format("woff"); }}')
    return "\n".join(made)
