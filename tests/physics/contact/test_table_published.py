"""Bodies on a table against end states of two independent integrators, to the error of their step, of second order."""

from __future__ import annotations

import numpy as np
import pytest

from physics.analysis import toy_motion as table_motion
from tests.physics import on_table as given

# time [s], step [s], and bounds of the errors of the normal in the body and of the angular velocity [rad/s]: those of
# the midpoint rule with contact in its middle at the same step, or less. It errs in turn by 2.8e-5, 5.8e-5, 8.8e-5,
# 5.3e-4, 3.2e-3, 7.1e-3, 2.9e-3, 6.1e-3 and by 4.2e-4, 4.2e-3, 6.2e-3, 0.017, 0.50, 0.88, 0.384, 0.38.
CASES = {
    "disk-thin-rolling": (1.0, 2e-3, 2.8e-5, 4.2e-4),
    "rattleback-reversing": (0.5, 5e-4, 5.8e-5, 1.1e-3),
    "eccentric-sphere-noslip": (3.0, 2e-3, 7e-5, 1.1e-3),
    "spheroid-frictionless": (2.0, 1e-3, 2.1e-4, 7e-3),
    "tippe-top-contensou": (0.5, 1e-3, 3.2e-3, 0.5),
    "tippe-top-coulomb": (1.0, 5e-4, 6.5e-3, 0.8),
    "tippe-top-viscous": (4.0, 1e-3, 2.6e-3, 0.384),
    "egg-coulomb": (1.0, 5e-4, 3e-3, 0.19),
}
NO_LOSS = ("disk-thin-rolling", "rattleback-reversing", "eccentric-sphere-noslip", "spheroid-frictionless")


@pytest.mark.parametrize("name", CASES)
def test_end_states_are_reached_with_second_order(name):
    time, step, of_normal, of_rate = CASES[name]
    found = []
    for h in (step, step / 2, step / 4):
        world, run = given.published(name, time, h)
        u, w, energy = given.errors(name, world, run)
        found.append((u, w))
        # energy is exact without slip, and never rises; the body stays on the table
        assert given.rise(run) < 2e-15
        assert abs(world.gap(run.position, run.orientation)).max() < 5e-9
        if name in NO_LOSS:
            assert abs(energy) < 1e-13
    assert found[0][0] < of_normal
    assert found[0][1] < of_rate
    orders = np.log2(np.array(found[0]) / found[2]) / 2.0
    assert orders == pytest.approx(2.0, abs=0.12)


@pytest.mark.parametrize("name", ["disk-thin-rolling", "tippe-top-contensou"])
def test_the_explicit_rotation_is_of_first_order_here(name):
    time, step, of_normal, _ = CASES[name]
    found = []
    for h in (step, step / 2):
        world, run = given.published(name, time, h, "explicit")
        found.append(given.errors(name, world, run)[0])
        assert given.rise(run) < 2e-15
    assert found[1] > 10.0 * of_normal
    assert found[0] / found[1] == pytest.approx(2.0, abs=0.5)


@pytest.mark.parametrize(
    ("table", "bound"), [({"mu": 0.2}, 1e-6), ({"viscous": 0.3}, 1e-12), ({"mu": 0.2, "regularisation": 0.01}, 1e-12)]
)
def test_friction_at_a_point_keeps_jelletts_integral(table, bound):
    body = {"shape": "tippe-top", "radius": 0.02, "mass": 0.02, "offset": (0.0, 0.0, -0.006)}
    body["inertia"] = given.CASES["tippe-top-coulomb"]["body"]["inertia"]
    initial = {"orientation": given.about((1, 0, 0), 0.1), "angular_velocity": (0, 0, 155.0), "velocity": (0, 0, 0)}
    losses = []
    for h in (1e-3, 2.5e-4):
        world, run = given.run(body, table, initial, 2.5, h)
        values = table_motion.jellett(run, world)
        assert values[0] == pytest.approx(6.894441319558017e-06, rel=1e-14)
        losses.append(np.abs(values / values[0] - 1.0).max())
        assert given.rise(run) < 2e-15
        assert given.lowest(world, run) > -1e-7
    assert losses[0] < bound
    if bound == 1e-6:  # while the top rolls, it errs with the step
        assert losses[0] / losses[1] > 3.0
        assert np.degrees(given.tilt(world, run)).max() < 15.0  # it sticks, rolls, and never turns over
        assert run.total_energy[-1] / run.total_energy[0] == pytest.approx(0.9915, abs=2e-4)


def test_drilling_friction_changes_jelletts_integral():
    world, run = given.published("tippe-top-contensou", 0.5, 5e-4)
    values = table_motion.jellett(run, world)
    assert values[-1] / values[0] - 1.0 == pytest.approx(-0.0035, abs=1e-4)
