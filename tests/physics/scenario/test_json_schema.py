"""The JSON schema of scenario files: examples satisfy it, and what is wrong in a file does not."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from assets import SCENARIOS
from physics.scenario.json_schema import scenario_schema
from physics.systems import SYSTEMS

fastjsonschema = pytest.importorskip("fastjsonschema")
SCHEMA = scenario_schema()
FREE = {
    "kind": "free",
    "duration": 1.0,
    "step": 0.01,
    "body": {"size": [3, 2, 1], "mass": 1},
    "rotor": {"axis": [0, 0, 1], "inertia": 0.1},
}


@pytest.fixture(scope="module")
def check() -> Callable[[Any], object]:
    """Raises JsonSchemaException for what does not satisfy it."""
    compiled: Callable[[Any], object] = fastjsonschema.compile(SCHEMA, use_default=False)
    return compiled


@pytest.mark.parametrize("file", sorted(SCENARIOS.glob("*.toml")), ids=lambda file: file.stem)
def test_every_example_satisfies_it(file: Any, check: Callable[[Any], object]) -> None:
    check(tomllib.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "comet"},
        {"step": -0.1},
        {"step": "fast"},
        {"steps": 0.1},
        {"hull": {"file": "hull.stl"}},
        {"body": {"size": [3, 2], "mass": 1}},
        {"body": {"size": [3, 2, 1], "mas": 1}},
        {"body": {"shape": "cube", "size": [3, 2, 1], "mass": 1}},
        {"torque": {"axes": "moon", "value": [0, 0, 1]}},
        {"view": {"camera": "drone"}},
        {"export": {"fps": 1000}},
        {"schemes": []},
    ],
    ids=str,
)
def test_what_no_scenario_may_hold_is_refused(wrong: dict[str, Any], check: Callable[[Any], object]) -> None:
    check(FREE)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check(FREE | wrong)


def test_an_editor_finds_what_a_key_means_its_unit_and_its_default() -> None:
    tables = SCHEMA["$defs"]
    of_kind = {table["properties"]["kind"]["const"]: table for table in tables.values() if table_of_kind(table)}
    assert of_kind.keys() == SYSTEMS.keys()
    assert of_kind["free"]["properties"]["schemes"]["default"] == ["explicit", "implicit"]
    soil = tables["SoilConfig"]["properties"]["ramp"]
    assert soil["description"].startswith("Ramp [°]: by which pressed soil turns an impact")
    assert (soil["minimum"], soil["exclusiveMaximum"], soil["default"]) == (0, 60, 0.0)


def table_of_kind(table: dict[str, Any]) -> bool:
    """True for the scenario of a kind."""
    return "schemes" in table["properties"]


def test_it_is_strict_json_without_infinities() -> None:
    assert json.loads(json.dumps(SCHEMA, allow_nan=False)) == SCHEMA


def test_every_key_is_explained() -> None:
    unsaid = [
        f"{name}.{key}"
        for name, table in SCHEMA["$defs"].items()
        for key, value in table["properties"].items()
        if not ({"description", "const"} & value.keys() or "$ref" in json.dumps(value))
    ]
    assert unsaid == []
