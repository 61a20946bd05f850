"""The typeface of a page: the letters of Inter that it needs, inside it."""

from __future__ import annotations

import base64
import io
import string

from app.theme import FONTS

WEIGHTS = {400: "Regular", 600: "SemiBold"}


def rules(text: str) -> str:
    """Style rules that bring the letters of a text, and those of ASCII."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    made = []
    for weight, name in WEIGHTS.items():
        options = subset.Options(flavor="woff", layout_features=["kern", "tnum"], hinting=False)
        font = TTFont(FONTS[name], recalcTimestamp=False)  # the same letters, the same bytes
        cutter = subset.Subsetter(options)
        cutter.populate(text=text + string.printable)
        cutter.subset(font)
        font.flavor = "woff"
        file = io.BytesIO()
        font.save(file)
        source = f"url(data:font/woff;base64,{base64.b64encode(file.getvalue()).decode()})"
        made.append(f'@font-face {{ font-family: Inter; font-weight: {weight}; src: {source} format("woff"); }}')
    return "\n".join(made)
