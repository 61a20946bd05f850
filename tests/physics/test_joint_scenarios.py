"""Scenarios of kind ``joints``: the start of mechanisms, what is found by loops, what is refused.

Cases and their states: joints.json, from a computation apart from this program.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import physics
from physics.core.rotation import Array
from physics.core.trajectory import STATE, Block
from physics.scenario.scenario_file import parse_scenario
from physics.systems.joints.world import JointsWorld

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "joints.json").read_text())["cases"]
HEAD = 'duration = 1.0\nstep = 0.01\nschemes = ["moser-veselov"]\n'


def world_of(text: str) -> JointsWorld:
    return JointsWorld.of(parse_scenario(HEAD + text, "mechanism.toml"))


def states_of(world: JointsWorld, state: dict[str, Any]) -> dict[str, Array]:
    """The columns of a state of a case, in the order of a world's bodies."""
    rows = np.array([state["bodies"][name] for name in world.body_names], float)
    return dict(zip(STATE, np.split(rows, [3, 7, 10], axis=1), strict=True))


def start_of(world: JointsWorld) -> Block:
    return Block(np.zeros(1), *(getattr(world, name)[None] for name in STATE), contact=np.zeros(1))


@pytest.mark.parametrize("case", CASES)
def test_start_is_that_of_the_reference(case: str) -> None:
    first, world = CASES[case]["states"][0], world_of(CASES[case]["scenario"])
    assert set(world.body_names) == set(first["bodies"])
    for name, expected in states_of(world, first).items():
        found = getattr(world, name)
        if name == "orientation":
            expected = expected * np.where(np.sum(found * expected, axis=1) < 0.0, -1.0, 1.0)[:, None]
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13, err_msg=name)
    measured = world.measures(start_of(world))
    assert measured["kinetic_energy"][0] == pytest.approx(first["kinetic"], rel=1e-13, abs=1e-13)
    assert measured["potential_energy"][0] == pytest.approx(first["potential"], rel=1e-13, abs=1e-13)
    spin = np.array(first["spin"], float)
    if world.keeps_spin:  # which is about the common centre of mass
        mass = world.mechanism.mass
        spin = spin - np.cross(mass @ world.position / mass.sum(), mass @ world.velocity)
    np.testing.assert_allclose(measured["spin"][0], spin, rtol=1e-13, atol=1e-13)


RANKS = {  # constraints, independent ones; joints.md: three of a plane loop of hinges are redundant, one of Bricard's
    "four-bar": (20, 17),
    "bricard": (30, 29),
    "double-four-bar": (35, 29),
    "governor": (52, 46),
    "hooke": (14, 11),
    "flyball-iftomm": (20, 20),
}


@pytest.mark.parametrize("case", RANKS)
def test_redundant_constraints_are_reported(case: str) -> None:
    world, (whole, rank) = world_of(CASES[case]["scenario"]), RANKS[case]
    assert world.rank == rank
    told = [note for note in world.notes if note.startswith(f"{whole} constraints, {rank} independent")]
    assert bool(told) == (rank < whole) == (not world.unique.all())
    if case == "governor":  # its shaft and its balls hang on single joints
        assert next(iter(world.scenario.joints)) not in told[0].split(": ")[-1].split(", ")


def test_singular_start_is_reported() -> None:
    """A parallelogram with all bars in one line: it may fold into a cross."""
    bars = {"a": (0.5, 1.0), "b": (1.5, 1.0), "c": (1.5, 1.0)}
    text = 'kind = "joints"\n'
    for name, (x, length) in bars.items():
        text += f'[[body]]\nname = "{name}"\nsize = [{length}, 0.1, 0.1]\nmass = 1.0\nposition = [{x}, 0, 0]\n'
    for pair, x in ((("ground", "a"), 0.0), (("a", "b"), 1.0), (("b", "c"), 2.0), (("ground", "c"), 1.0)):
        text += f"[[joint]]\ntype = 'hinge'\nbetween = {list(pair)}\nat = [{x}, 0, 0]\naxis = [0, 1, 0]\n"
    assert any("singular" in note for note in world_of(text).notes)
    assert not any("singular" in note for note in world_of(CASES["four-bar"]["scenario"]).notes)


def test_loop_is_closed_for_a_given_angle() -> None:
    """A crank of 0.3, a coupler and a rocker of 0.6: the places of their ends follow from the crank's angle."""
    text = CASES["four-bar"]["scenario"].replace("rate = 2.0", "rate = 2.0\nangle = 0.7")
    world = world_of(text)
    assert world.coordinates[0, 0] == 0.7
    motion = zip(world.position, world.orientation, world.velocity, world.angular_velocity, strict=True)
    pieces = dict(zip(world.body_names, motion, strict=True))

    def end(name: str, along: tuple[float, float, float]) -> tuple[Array, Array]:
        """Place and velocity of a point of a body."""
        r, q, v, w = pieces[name]
        arm = physics.core.rotation.apply(q, np.array(along))
        return r + arm, v + np.cross(physics.core.rotation.apply(q, w), arm)

    half = float(np.hypot(0.8, 0.3)) / 2.0
    for (one, at), (other, there) in (
        (("crank", (0.0, 0.0, 0.15)), ("coupler", (-half, 0.0, 0.0))),
        (("coupler", (half, 0.0, 0.0)), ("rocker", (0.0, 0.0, 0.3))),
    ):
        for found, expected in zip(end(one, at), end(other, there), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-12)
    assert any(note.startswith("found by closing loops: A ") for note in world.notes)
