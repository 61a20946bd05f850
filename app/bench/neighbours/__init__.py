"""Engines that can drop a convex rock on a grid of heights: a file and a row each. None is asked for by the package."""

from __future__ import annotations

import importlib
import importlib.util
from typing import NamedTuple, Protocol

from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld

FRICTION, GRAVITY, STEP = 0.8, 9.81, 0.002  # [1], [m/s²], [s]


class Scene(Protocol):
    """A rock above its ground; places are relative to ``middle_of`` the terrain."""

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        """Put the rock there [m], [1], [m/s]; its angular velocity in its own axes [rad/s]."""

    def step(self, steps: int) -> None:
        """Go on by steps of STEP."""

    def state(self) -> tuple[Array, Array, Array]:
        """Position [m], velocity [m/s], angular velocity in the rock's own axes [rad/s]."""


class Neighbour(NamedTuple):
    """An engine.

    package : its name in Python and in pip; restitution : whether it takes a coefficient
    """

    name: str
    package: str
    restitution: bool


NEIGHBOURS = (
    Neighbour("MuJoCo", "mujoco", False),  # its contacts are springs with dampers
    Neighbour("Bullet", "pybullet", True),
    Neighbour("Rapier", "rapier3d", True),
)


def installed() -> list[Neighbour]:
    """Those that are installed."""
    return [one for one in NEIGHBOURS if importlib.util.find_spec(one.package)]


def scene(neighbour: Neighbour, world: RockfallWorld, restitution: float = 0.0) -> Scene:
    """The rock and the ground of a world in an engine."""
    made: Scene = importlib.import_module(f"{__name__}.in_{neighbour.package}").scene(world, restitution)
    return made


def middle_of(world: RockfallWorld) -> tuple[float, float, float]:
    """x and y of the middle of the terrain, and its lowest height [m]."""
    x0, x1, y0, y1 = world.terrain.extent
    return (x0 + x1) / 2, (y0 + y1) / 2, float(world.terrain.heights.min())
