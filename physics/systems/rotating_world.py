"""Rotating worlds: those in which nothing but the rotation of a body is integrated, free or attached to a point."""

from __future__ import annotations

from dataclasses import dataclass

from physics.core.rotation import Array
from physics.systems.world import World


@dataclass(frozen=True, kw_only=True)
class RotatingWorld(World):
    """A body whose rotation is integrated; the motion of its centre of mass follows.

    Attributes
    ----------
    field : (12,) potential and damping that act on the rotation, see physics.core.potential
    """

    field: Array


@dataclass(frozen=True, kw_only=True)
class FreeWorld(RotatingWorld):
    """A body that nothing turns; its centre of mass flies on a parabola. Its field is zero."""


@dataclass(frozen=True, kw_only=True)
class AttachedWorld(RotatingWorld):
    """A body that only turns, about a point that stays at the origin.

    Attributes
    ----------
    arm : (3,) from this point to the centre of mass, in body axes [m]; zero where they are the same
    """

    arm: Array
