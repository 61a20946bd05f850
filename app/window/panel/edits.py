"""Edits: the scenario that values of fields make of another one, and what follows from the unit of a mesh."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from app.kinds.field import Field, alone, frozen
from app.kinds.kind import names_measures, rounded
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
        if field.form == "column":
            table, *key = field.key.split(".")
            for place, one in zip(after[table], value or (None,) * len(after[table]), strict=True):
                _put(place, key, one)
        elif field.writes is not None:
            field.writes(after, value)
        elif not field.implied:
            empty = field.stands if field in values else None
            _put(after, field.key.split("."), empty if value is None else value)
    tables = {key: after.get(key, base.unnamed(key)) for key in (*before, *after) if before.get(key) != after.get(key)}
    if set(schemes) != set(base.schemes):
        tables["schemes"] = schemes
    made = base.changed(**tables)
    return made.changed(note="") if _TOLD & tables.keys() and names_measures(base.note) else made


_TOLD = {"body", "hull", "water", "damping", "initial", "terrain"}  # of which the note of an opened file tells
# what follows from the unit of a mesh -> its power, for water waves and rolling as in Froude's law
_OF_SCALE: dict[str, dict[str, Any]] = {
    "hull": {
        "hull.mass": 3.0,
        "hull.draught": 1.0,
        "hull.centre_of_gravity": 1.0,
        "hull.radii_of_gyration": 1.0,
        "hull.inertia": 5.0,
        "hull.added_mass": np.repeat((3.0, 5.0), 3),
        "stability.draughts": 1.0,
        "stability.displacements": 3.0,
        "stability.openings": 1.0,
        "stability.windage_area": 2.0,
        "stability.windage_lever": 1.0,
        "stability.deck_edge": 1.0,
        "stability.bilge_keels": 2.0,
        "stability.tanks": np.array((1.0, 1.0, 0.0)),
        "initial.heave": 1.0,
        "initial.position": 1.0,
        "step": 0.5,
    },
    "body": {"body.mass": 3.0, "body.inertia": 5.0},
}


def following(table: str, was: float, now: float, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values that follow from the unit of a mesh, by their keys, when it changes.

    table : of the mesh, "hull" or "body"; was, now : its unit [m]; values : of all fields, None: empty
    """
    found = {
        key: np.asarray(values[key], float) * (now / was) ** power
        for key, power in _OF_SCALE[table].items()
        if values.get(key) is not None
    }
    if "step" in found:  # a duration of as many steps
        found["step"] = np.asarray(rounded(float(found["step"]), 4))
        found["duration"] = found["step"] * values["duration"] / values["step"]
    plain = {key: [_plain(one) for one in np.atleast_1d(value)] for key, value in found.items()}
    return {key: tuple(value) if isinstance(values[key], tuple) else value[0] for key, value in plain.items()}


def _plain(value: Any) -> Any:
    """A number, or the numbers of a row, without rounding noise."""
    return tuple(map(_plain, value)) if np.ndim(value) else rounded(float(value), 12)


def _put(place: dict[str, Any], key: list[str], value: Any) -> None:
    """Give a key in tables of a table a value; None takes it away, and a table that is left empty with it."""
    first, *others = key
    if others and others[0].isdigit():
        _put(place[first][int(others[0])], others[1:], value)
    elif others:
        inner = alone(place.setdefault(first, {}))
        _put(inner, others, value)
        if not inner:
            del place[first]
    elif value is None:
        place.pop(first, None)
    else:
        place[first] = value
