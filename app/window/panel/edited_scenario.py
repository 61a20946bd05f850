"""The edited scenario: the one that the values of the panel's fields make of another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.kinds.field import Field, frozen
from physics import Scenario


def edited(base: Scenario, values: Mapping[Field, Any], hidden: Iterable[Field], schemes: tuple[str, ...]) -> Scenario:
    """A scenario with the values of fields in place of its own; ScenarioError when they are wrong.

    Only what differs from what the panel shows of ``base`` is changed; what is left empty (None) is left out, and what
    the panel has no field for stays. hidden: fields that mean nothing with what is chosen, and are left out.
    """
    before = frozen(base.to_plain())
    after = frozen(before)
    changes = {field: value for field, value in values.items() if value != field.shown(base)}
    for field, value in {**dict.fromkeys(hidden), **changes}.items():
        if not field.implied:
            empty = field.empty if field in values else None
            _put(after, field.key.split("."), empty if value is None else value)
    tables = {key: after.get(key, base.unnamed(key)) for key in (*before, *after) if before.get(key) != after.get(key)}
    if set(schemes) != set(base.schemes):
        tables["schemes"] = schemes
    return base.changed(**tables)


def _put(place: dict[str, Any], key: list[str], value: Any) -> None:
    """Give a key in tables of a table a value; None takes it away, and a table that is left empty with it."""
    first, *others = key
    if others:
        inner = place.setdefault(first, {})
        _put(inner, others, value)
        if not inner:
            del place[first]
    elif value is None:
        place.pop(first, None)
    else:
        place[first] = value
