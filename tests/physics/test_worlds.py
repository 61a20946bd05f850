"""Worlds: each system has a class of its own."""

from __future__ import annotations

from dataclasses import fields

import pytest

from assets import SCENARIOS
from physics import ScenarioError, World, load_scenario
from physics.core.trajectory import State
from physics.systems.free.rotating_world import AttachedWorld, FreeWorld, RotatingWorld
from physics.systems.rockfall.world import RockfallWorld

FILES = {
    "cuboid-major": FreeWorld,
    "top-steady": AttachedWorld,
    "vessel-damped": AttachedWorld,
    "rock-ramp": RockfallWorld,
}


@pytest.mark.parametrize(("file", "kind"), FILES.items())
def test_a_world_is_of_the_class_of_its_system_and_stays_so(file, kind):
    world = World.of(load_scenario(SCENARIOS / f"{file}.toml"))
    later = world.starting(State(0.5, world.position, world.orientation, world.velocity, world.angular_velocity))
    assert type(world) is type(later) is kind
    assert later.time == 0.5
    assert (world.terrain is None) == (kind is not RockfallWorld)
    assert (world.arm is None) == (kind is not AttachedWorld)
    given = {"source", "terrain", "arm", "acting"}  # no source where the scenario says where the rock starts
    assert not [field.name for field in fields(world) if getattr(world, field.name) is None and field.name not in given]


@pytest.mark.parametrize(
    ("kind", "file"),
    [(RockfallWorld, "cuboid-major"), (RotatingWorld, "rock-ramp"), (AttachedWorld, "cuboid-major")],
)
def test_a_world_of_another_class_is_refused(kind, file):
    scenario = load_scenario(SCENARIOS / f"{file}.toml")
    wrong = f"kind: expected one with {kind.__name__} as its world, got '{scenario.kind}'"
    with pytest.raises(ScenarioError, match=wrong):
        kind.of(scenario)
