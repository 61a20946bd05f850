"""Files of RAMMS hold what is known of their layout, and zero elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from physics import Scenario, ScenarioError, World, simulate
from physics.bodies.mesh_io import read_mesh
from physics.io import ramms
from tests import small


def rock(**changes) -> Scenario:
    return small.rock(**({"duration": 1.0, "schemes": ("implicit",)} | changes))


def test_a_rts_holds_the_mass_and_26_numbers_a_state_and_lies_beside_the_rock_s_vertices(tmp_path) -> None:
    scenario = rock()
    world, run = World.of(scenario), simulate(scenario)["implicit"]
    ramms.save_ramms(tmp_path / "rock.rts", run, world)
    numbers = np.fromfile(tmp_path / "rock.rts", "<f8")
    header, table = numbers[:4], numbers[4:].reshape(-1, 26)
    assert header.tolist() == [world.body.mass, 0.0, 0.0, 0.0]
    np.testing.assert_array_equal(table[:, 0], run.time)
    np.testing.assert_array_equal(table[:, 1:4], run.position)
    np.testing.assert_array_equal(table[:, 4:8], run.orientation)
    np.testing.assert_array_equal(table[:, 8:11], run.velocity)
    np.testing.assert_array_equal(table[:, 15], run.kinetic_energy)
    jump = table[:, 3] - table[:, 18]
    assert jump[0] == pytest.approx(1.0)
    assert (jump > 0).all()
    unread = np.setdiff1d(np.arange(26), [*range(11), 15, 18])
    assert not table[:, unread].any()
    np.testing.assert_array_equal(read_mesh(tmp_path / "rock.pts").points, world.body.vertices)


@pytest.mark.parametrize(
    ("scenario", "field"),
    [
        (rock(schemes=("explicit", "implicit")), "schemes"),
        (Scenario(kind="free", duration=1.0, step=0.1, body={"size": (1.0, 1.0, 1.0), "mass": 1.0}), "kind"),
    ],
)
def test_what_a_rts_cannot_hold_is_refused(tmp_path, scenario: Scenario, field: str) -> None:
    with pytest.raises(ScenarioError) as told:
        ramms.check_ramms(tmp_path / "rock.rts", scenario)
    assert told.value.field == field
