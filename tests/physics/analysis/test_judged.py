"""Verdicts on random scenarios against integrations made outside the program; and these against published states.

``python -m tests.judged`` judges all 500; here is a part that is always the same.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from physics import load_scenario, reference, simulate
from physics.analysis.comparison import compare
from tests.judged.bodies import toy
from tests.judged.draw import SHARES, case_of, kind_of
from tests.judged.engine import end_of
from tests.judged.judge import CLOSE, EXACT, Truth, axles, finding, judged, length_of, said_of
from tests.judged.mechanisms import mechanism
from tests.judged.rotations import degrees_between
from tests.physics.mechanisms import CASES
from tests.physics.on_table import CASES as TOYS

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, 18, 20, 21, 23, 26, 32, 33, 44, 151, 237)
PUBLISHED = ("compound-pendulum", "double-pendulum-spatial", "gimbals", "explorer", "four-bar", "hooke", "wheels")


@pytest.mark.parametrize("name", PUBLISHED)
def test_outside_mechanisms_meet_published_states(name: str) -> None:
    tables = tomllib.loads(CASES[name]["scenario"])
    state = next(one for one in CASES[name]["states"] if float(one["t"]) > 0.0)
    tables["duration"] = float(state["t"])
    states, until = mechanism(tables, Path(), 1e-12)
    places, attitudes = states(np.array([until]))
    assert until == tables["duration"]
    for place, attitude, body in zip(places[0], attitudes[0], state["bodies"].values(), strict=True):
        np.testing.assert_allclose(place, body[:3], atol=1e-8)
        assert degrees_between(attitude, np.array(body[3:7], float)) < 1e-6


@pytest.mark.parametrize(
    "name", ["tippe-top-contensou", "tippe-top-viscous", "disk-thin-rolling", "spheroid-frictionless"]
)
def test_outside_toys_meet_published_states(name: str) -> None:
    case, state = TOYS[name], TOYS[name]["states"][1]
    body = {"shape": "ellipsoid", "mass": case["body"]["mass"], "inertia": case["body"]["inertia"]}
    body["offset"] = [-x for x in case["body"].get("centre_from_S", (0.0, 0.0, 0.0))]
    if "half_thickness" in case["body"]:
        body |= {"shape": "disk", "radius": case["body"]["radius"], "thickness": 2.0 * case["body"]["half_thickness"]}
    else:
        body["size"] = [2.0 * a for a in case["body"].get("semi_axes", [case["body"].get("radius")] * 3)]
    friction = case["friction"] or {"kind": "stick"}
    laws = {"stick": {"mu": 1000.0}, "none": {"mu": 0.0}, "viscous": {"viscous": friction.get("c")}}
    laws["contensou"] = {"mu": friction.get("mu"), "spin_radius": friction.get("spin_radius")}
    start = {"orientation": case["q0"], "angular_velocity": case["w0"]}
    start |= {} if friction["kind"] == "stick" else {"velocity": [0.0, 0.0, 0.0]}
    tables = {"body": body, "table": laws[friction["kind"]], "initial": start, "duration": state["t"]}
    states, until = toy(tables, Path(), 1e-12)
    assert until == state["t"]
    assert degrees_between(states(np.array([until]))[1][0, 0], np.array(state["q"])) < 1e-5


@pytest.mark.parametrize("seed", [17, 25, 38, 52])
def test_outside_trees_agree_with_an_engine_of_fourth_order(seed: int) -> None:
    pytest.importorskip("mujoco")
    tables = case_of(seed).tables
    states, until = mechanism(tables, Path(), 1e-12)
    places, attitudes = states(np.array([until]))
    there, turned = end_of(tables)
    np.testing.assert_allclose(places[0], there, atol=1e-8)
    assert degrees_between(attitudes[0], turned).max() < 1e-6


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"{kind_of(seed)}-{seed}")
def test_no_verdict_is_wrong(seed: int, tmp_path: Path) -> None:
    found = judged(case_of(seed), tmp_path)
    assert [(one.lane, one.faults) for one in found if one.faults] == []
    assert [one.lane for one in found if one.right and one.said == "unknown"] == []


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_reference_comparison_and_command_say_the_same(seed: int, tmp_path: Path) -> None:
    case = case_of(seed)
    path = case.write(tmp_path)
    scenario = load_scenario(path)
    runs, said = simulate(scenario), said_of(path)["lanes"]
    for one in compare(runs):
        facts = one.facts()
        assert {key: facts[key] for key in facts.keys() - {"cost"}} == {
            key: said[one.lane][key] for key in facts.keys() - {"cost"}
        }
    found = reference(scenario)
    truth = Truth(case.tables, path.parent, found.time)
    _, attitudes, number = truth.at(found.time)
    turned = degrees_between(found.orientation[:number].reshape(attitudes.shape), attitudes)
    assert number == len(found)
    assert turned.max() < EXACT


def test_the_part_has_all_kinds() -> None:
    assert {kind_of(seed) for seed in SEEDS} == set(SHARES)


def test_a_wrong_verdict_is_found(tmp_path: Path) -> None:
    case = case_of(3)
    path = case.write(tmp_path)
    name, run = next(iter(simulate(load_scenario(path)).items()))
    truth, facts = Truth(case.tables, path.parent, run.time), said_of(path)["lanes"][name]

    def faults(**changes: object) -> int:
        return len(finding(name, run, truth, axles(case.tables), length_of(case.tables), facts | changes).faults)

    assert faults() == 0
    assert faults(error_end=facts["error_end"] + 0.1) == 1
    assert faults(verdict="off") == 1
    assert faults(time_to={"1": 0.5 * run.time[-1], "10": None, "90": None}) == 1
    turned = replace(run, orientation=run.orientation[::-1])
    assert finding(name, turned, truth, axles(case.tables), length_of(case.tables), facts).error > CLOSE
