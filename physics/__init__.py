"""Rigid-body dynamics without a window: schemes, systems, scenarios, trajectories.

>>> import physics
>>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0, 0, 10]})
>>> runs = physics.simulate(scenario)
>>> runs["implicit"].angular_velocity.shape
(101, 3)
"""

import scipy  # noqa: F401 - before threads load parts of it: two that begin it at once fail

from physics.core.errors import PhysicsError, ScenarioError
from physics.core.potential import moment, torque, vertical
from physics.core.rotation import cross, dot, exp_half, normalised, product, rotate
from physics.core.trajectory import Trajectory
from physics.io.data_frames import to_pandas, to_xarray
from physics.scenario.scenario import Scenario
from physics.scenario.scenario_file import load_scenario, parse_scenario
from physics.schemes import SCHEMES
from physics.schemes.own_scheme import scheme_from_file
from physics.simulation.integrate import Motion, integrate
from physics.simulation.reference import Reference, ReferenceTrajectory, reference
from physics.simulation.schedule import Runs, simulate
from physics.systems.free.rotating_world import AttachedWorld, FreeWorld
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World

__all__ = [
    "SCHEMES",
    "AttachedWorld",
    "FreeWorld",
    "Motion",
    "PhysicsError",
    "Reference",
    "ReferenceTrajectory",
    "RockfallWorld",
    "Runs",
    "Scenario",
    "ScenarioError",
    "Trajectory",
    "World",
    "cross",
    "dot",
    "exp_half",
    "integrate",
    "load_scenario",
    "moment",
    "normalised",
    "parse_scenario",
    "product",
    "reference",
    "rotate",
    "scheme_from_file",
    "simulate",
    "to_pandas",
    "to_xarray",
    "torque",
    "vertical",
]
