"""Variants in words: what the panel says of lanes that do not move as its fields say."""

from __future__ import annotations

from typing import Any

from app.system.language import tr
from physics.scenario.scenario import Variants, fields


def variant_words(name: str, variants: Variants) -> str:
    """What a variant has other than the scenario."""
    told = ", ".join(f"{field} = {_text(value)}" for field, value in fields(variants.get(name, {})).items())
    return (
        tr("Variant {name}: {told}.").format(name=name, told=told)
        if told
        else tr("Variant {name}: as the fields say.").format(name=name)
    )


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_text, value))})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
