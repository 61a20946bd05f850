"""Descriptions of the keys of scenario files: what they say of bounds and choices is what is enforced."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from physics.scenario.described import Key, fields_in, in_words, key_of, keys_in
from physics.systems import SYSTEMS


def every_key(model: type[BaseModel], place: str = "") -> Iterator[tuple[Any, Key]]:
    """All keys in a table and in the tables of it, each with the type of its values."""
    for key in keys_in(model, place):
        field = fields_in(model)[key.name.removeprefix(place)]
        yield Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation, key
        for table in key.tables:
            yield from every_key(table, f"{key.name}.")


KEYS = {f"{kind}: {key.name}": (kept, key) for kind, row in SYSTEMS.items() for kept, key in every_key(row.scenario)}


def takes(kept: Any, value: Any) -> bool:
    """True if a key takes a value, or several of it where it has several."""
    for one in (value, *((value,) * count for count in (1, 2, 3, 4, 6))):
        with suppress(ValidationError):
            TypeAdapter(kept).validate_python(one)
            return True
    return False


@pytest.mark.parametrize("kind", SYSTEMS)
def test_bounds_that_are_described_are_those_that_are_enforced(kind: str) -> None:
    for name, (kept, key) in KEYS.items():
        if name.startswith(f"{kind}: ") and key.limits.template:
            check_bounds(kept, key)


def check_bounds(kept: Any, key: Key) -> None:
    """A key takes numbers on and within its bounds, and none beyond."""
    above, least, below, most = key.limits
    kind = int if key.whole else float
    for bound, beyond, taken in ((above, -1, False), (least, -1, True), (below, 1, False), (most, 1, True)):
        if bound is not None:
            assert takes(kept, kind(bound)) == taken, key.name
            assert not takes(kept, kind(bound + beyond * max(1.0, abs(bound)))), key.name


def test_words_that_are_described_are_those_that_are_taken() -> None:
    worded = {name: one for name, one in KEYS.items() if one[1].choices}
    assert len(worded) > 50
    for kept, key in worded.values():
        assert all(takes(kept, word) for word in key.choices), key.name
        assert not takes(kept, "none of these"), key.name


def test_a_key_says_its_unit_its_parts_and_what_it_is_when_left_out() -> None:
    moment, depth, spin = (
        key_of(SYSTEMS[kind].scenario, name)
        for kind, name in (("free", "body.inertia"), ("ship", "water.depth"), ("top", "initial.spin"))
    )
    assert (moment.unit, moment.length, moment.parts[3:]) == ("kg m²", 3, ("xy", "xz", "yz"))
    assert (depth.limits.above, depth.default, depth.label) == (0.0, math.inf, "Depth")
    assert (spin.choices, spin.numeric, spin.empty) == (
        ("steady",),
        True,
        "that at which it precesses without nutating",
    )
    with pytest.raises(KeyError):
        key_of(SYSTEMS["free"].scenario, "body.colour")


def test_bounds_read_as_a_sentence_does() -> None:
    said = {
        name: key.limits.words(key.limits.template)
        for name in ("body.mass", "soil.ramp", "forest.dbh", "ensemble.seed", "hazard.energy_factor")
        for key in [key_of(SYSTEMS["rockfall"].scenario, name)]
    }
    assert said == {
        "body.mass": "above 0",
        "soil.ramp": "0 or more, below 60",
        "forest.dbh": "1 to 300",
        "ensemble.seed": "0 or more",
        "hazard.energy_factor": "1 or more",
    }


def test_a_key_that_acts_beside_another_names_a_key_of_its_table_and_words_of_it() -> None:
    beside = {name: key.only for name, (_, key) in KEYS.items() if key.only is not None}
    assert len(beside) > 100
    for name, (other, words) in beside.items():
        chosen = KEYS[f"{name.partition(':')[0]}: {other}"][1]
        assert words == (None,) or set(words) <= set(chosen.choices), name
    wave = {key: in_words(beside[f"ship: wave.{key}"]) for key in ("height", "peak_period", "gamma")}
    assert wave == {
        "height": "only without wave.spectrum",
        "peak_period": "only with wave.spectrum",
        "gamma": "only with wave.spectrum jonswap",
    }
