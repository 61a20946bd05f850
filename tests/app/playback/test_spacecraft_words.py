"""What the panel says of a spacecraft beside theory, and the charts that show it."""

from __future__ import annotations

import numpy as np
import pytest

from app.kinds import kind_of
from app.kinds.free import MORE
from physics import World, simulate
from tests.app.staging import example


def words(name: str, **changes) -> str:
    world = World.of(example(name, **changes))
    return kind_of(world.scenario).facts(world)


def test_librations_are_told_in_orbits() -> None:
    said = words("body-boom")
    assert said.endswith(
        "By theory small librations take 0.587 orbits in pitch, 0.506 in roll and yaw. "
        "An orbit takes 101 min, and the run 2 orbits."
    )
    assert "turn" in said


def test_nutation_grows_about_the_minor_axis_and_falls_about_the_major_one() -> None:
    assert "a small nutation grows by a factor of e in 6.53 s, and ends in a flat spin." in words("body-explorer")
    body = {"shape": "inertia", "inertia": [1.0, 1.0, 1.6], "mass": 1.0}
    falls = words("body-explorer", body=body, initial={"angular_velocity": [0.1, 0.0, 12.5]})
    assert "a small nutation falls by a factor of e in 0.444 s." in falls  # A³ C/(kappa (C - A) L²)
    assert "theory" not in words("body-dual-spin")  # the rotor counts too
    assert "theory" not in words("cuboid-intermediate")


def test_charts_show_turns_an_orbit_and_the_nutation_angle() -> None:
    charts = {one.unit + one.title: one for one in MORE}
    boom = example("body-boom", schemes=["verlet-exact"])
    run, world = simulate(boom)["verlet-exact"], World.of(boom)
    turns = charts["turns an orbitRotation"]
    assert turns.fits is not None
    assert turns.fits(world)
    assert turns.values(run, world)[0] == pytest.approx(1.0)
    slow = example("body-explorer", schemes=["verlet-exact"], duration=2.0)
    run, world = simulate(slow)["verlet-exact"], World.of(slow)
    assert not turns.fits(world)
    angle = charts["°Nutation angle"].values(run, world)
    start = np.degrees(np.arctan2(world.body.inertia[0] * 0.02, world.body.inertia[2] * 78.54))
    assert angle[0] == pytest.approx(start, rel=1e-9)
    assert angle[-1] > angle[0]
