"""Variants: what the motion of some lanes has other than the scenario's: its start, and what acts on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from physics.core.errors import ScenarioError
from physics.schemes.lane import is_variant

Variants = Mapping[str, Mapping[str, Any]]  # name -> tables with the keys that it changes


def fields(tables: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Tables of tables as fields with dotted names: ``{"initial": {"heel": 0.1}}`` is ``{"initial.heel": 0.1}``."""
    found: dict[str, Any] = {}
    for key, value in tables.items():
        found |= fields(value, f"{place}{key}.") if isinstance(value, Mapping) else {f"{place}{key}": value}
    return found


def check_variants(variants: Variants, kind: str, tables: Collection[str], fixed: Collection[str]) -> None:
    """ScenarioError for a variant of no name, or with what no lane may have of its own.

    tables : which a variant may change; fixed : fields of these that all lanes share, because they are drawn
    """
    if variants and not tables:
        raise ScenarioError("variants", f"not a table of kind '{kind}', whose lanes share start and ground")
    for name, changes in variants.items():
        if not is_variant(name):
            expected = "expected a name of at most 24 letters, digits, - and _"
            raise ScenarioError("variants", f"{expected}, got '{name:.40}'")
        for field in fields(changes):
            if field.partition(".")[0] not in tables:
                allowed = f"expected one of {', '.join(sorted(tables))}: all lanes share what moves, and on what"
                raise ScenarioError(f"variants.{name}.{field:.80}", allowed)
            if field in fixed:
                raise ScenarioError(f"variants.{name}.{field}", "expected none: it is drawn, and all lanes share it")
