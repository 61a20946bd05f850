"""Files of RAMMS::ROCKFALL: a trajectory (.rts) and the points of its rock (.pts).

The layout of a .rts is known only as far as the readers of others use it (github.com/joelborner/RAMMS-to-IFC, MIT):
little-endian doubles; 4 for the rock, of which the first is its mass [kg]; then 26 a stored state: time [s],
position (3) [m], unit quaternion (4) scalar first, velocity (3) [m/s], at 15 the kinetic energy [J] and at 18 the
height of the terrain below the rock [m]. Values that no program is known to read are zero.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.trajectory import Trajectory
from physics.core.wording import N_
from physics.io.trajectory_writers import check_output, replacing
from physics.scenario.scenario import Scenario
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.rockfall.world import RockfallWorld

ENDING, POINTS = ".rts", ".pts"
_HEADER, _ROW = 4, 26
_TIME, _POSITION, _ORIENTATION, _VELOCITY = 0, slice(1, 4), slice(4, 8), slice(8, 11)
_ENERGY, _GROUND = 15, 18


def check_ramms(path: str | Path, scenario: Scenario) -> Path:
    """The path, if a .rts of that scenario can be written there; else ScenarioError."""
    path = check_output(path, (ENDING,))
    if not isinstance(scenario, RockfallScenario):
        raise ScenarioError(
            "kind", N_("a .rts holds a rock's fall; expected 'rockfall', got '{kind}'", scenario.kind), path
        )
    if len(scenario.schemes) > 1:
        raise ScenarioError("schemes", N_("a .rts holds one run; expected one scheme"), path)
    return path


def save_ramms(path: str | Path, run: Trajectory, world: RockfallWorld) -> None:
    """Write a run to a .rts file, and the rock's vertices to the .pts file of the same name beside it."""
    path = check_ramms(path, world.scenario)
    header = np.zeros(_HEADER, "<f8")
    header[0] = world.body.mass
    with replacing(path.with_suffix(POINTS)) as part:
        part.write_text(points_text(world.body), encoding="ascii", newline="\n")
    with replacing(path) as part:
        part.write_bytes(header.tobytes() + rows(run, world).tobytes())


def rows(run: Trajectory, world: RockfallWorld) -> Array:
    """The stored states as a .rts holds them (n, 26)."""
    table = np.zeros((len(run), _ROW), "<f8")
    table[:, _TIME], table[:, _POSITION], table[:, _ORIENTATION] = run.time, run.position, run.orientation
    table[:, _VELOCITY], table[:, _ENERGY] = run.velocity, run.kinetic_energy
    table[:, _GROUND] = world.terrain.heights_at(run.position[:, 0], run.position[:, 1])
    return table


def points_text(body: Body) -> str:
    """The vertices of a body relative to its centre of mass in body axes [m], a line each."""
    return "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in body.vertices.tolist())
