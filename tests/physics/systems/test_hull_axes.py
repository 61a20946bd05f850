"""A vessel whose principal axes lie off the axes of its hull: what rights it levels the hull."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from physics import Scenario, simulate
from physics.core.rotation import Array, matrix
from physics.systems.world import World

KEEL, HIGH = [(-6, -2), (5, -1.5), (6, 0), (5, 1.5), (-6, 2)], (0.0, 2.0)


@pytest.fixture
def wedge(tmp_path: Path) -> Path:
    """Points of a hull that is deeper at the stern: its principal axes pitch by some degrees."""
    points = [(x, y, z * (1.0 - 0.12 * (x + 6) / 6)) for z in HIGH for x, y in KEEL]
    np.savetxt(tmp_path / "wedge.pts", points)
    return tmp_path / "wedge.pts"


def vessel(file: Path, **changes: object) -> Scenario:
    values = {
        "kind": "vessel",
        "duration": 4.0,
        "step": 0.002,
        "record_every": 10,
        "schemes": ("verlet-exact",),
        "body": {"shape": "hull", "file": str(file), "mass": 2e4},
        "vessel": {"metacentric_height": {"transverse": 0.8, "longitudinal": 6.0}},
    }
    return Scenario(**(values | changes))


def test_a_hull_that_lies_level_stays_so(wedge: Path) -> None:
    world = World.of(vessel(wedge))
    assert math.degrees(2 * math.asin(np.linalg.norm(world.body.axes[1:]))) > 0.5
    run = simulate(vessel(wedge))["verlet-exact"]
    assert np.abs(run.orientation[:, 1:]).max() < 1e-12
    assert np.abs(run.angular_velocity).max() < 1e-12


def test_a_hull_moves_as_its_tensor_of_inertia_and_its_own_axes_say(wedge: Path) -> None:
    """Against an integration in the axes of the file, which knows no principal axes."""
    start, spin = (math.cos(0.1), math.sin(0.1), 0.0, 0.0), (0.02, 0.1, -0.05)
    scenario = vessel(wedge, initial={"orientation": start, "angular_velocity": spin})
    world, run = World.of(scenario), simulate(scenario)["verlet-exact"]
    axes = matrix(world.body.axes)
    tensor = axes @ np.diag(world.body.inertia) @ axes.T
    stiff = 9.81 * world.body.mass * np.array([6.0, 0.8, 0.0])

    def rate(_: float, y: Array) -> Array:
        q, w = y[:4], y[4:]
        up = matrix(q / np.linalg.norm(q))[2]
        turn = np.cross(up, stiff * up) - np.cross(w, tensor @ w)
        quaternion = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.concatenate([quaternion, np.linalg.solve(tensor, turn)])

    found = solve_ivp(rate, (0.0, 4.0), [*start, *spin], t_eval=run.time, rtol=1e-10, atol=1e-12).y
    assert run.orientation == pytest.approx(found[:4].T, abs=2e-5)  # order 2, step 0.002
    assert run.angular_velocity == pytest.approx(found[4:].T, abs=1e-4)
    total = run.kinetic_energy + run.potential_energy
    assert np.ptp(total) < 1e-4 * np.ptp(run.potential_energy)


@pytest.mark.parametrize("damping", [(0.0, 0.0, 0.0), (100.0, 100.0, 100.0)])
def test_damping_about_other_axes_than_those_of_the_file_is_told(wedge: Path, damping: tuple) -> None:
    scenario = vessel(wedge).changed(**{"vessel.damping": damping})
    told = [note for note in World.of(scenario).notes if "principal axes" in note]
    assert len(told) == any(damping)
