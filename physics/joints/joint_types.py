"""Joint types: a row each, with its constraints, its coordinates and the keys of its table in scenario files.

How a type is drawn is a row of ``app.stage.bodies.joint_parts``.
"""

from __future__ import annotations

from typing import NamedTuple

ALONG, ACROSS, TURN_FIRST, TURN_SECOND = range(4)  # what a row measures, see physics.joints.mechanism
U, X, Y = range(3)  # axes of a triad
Row = tuple[int, int, int]  # what it measures; axis of the first triad (of the second for TURN_SECOND), of the second

POINT: tuple[Row, ...] = ((ALONG, U, 0), (ALONG, X, 0), (ALONG, Y, 0))
_TILT: tuple[Row, ...] = ((ACROSS, X, U), (ACROSS, Y, U))
_ANGLE: Row = (TURN_FIRST, U, 0)


class Coordinate(NamedTuple):
    """Coordinate of a joint: its row, its name in files, and the keys of its value and rate; "" where it has none."""

    row: Row
    name: str = ""
    value: str = ""
    rate: str = ""

    @property
    def turns(self) -> bool:
        """True for an angle, False for a travel."""
        return self.row[0] != ALONG


class JointType(NamedTuple):
    """Coupling of two bodies by a joint; constraints and coordinates are six rows together.

    Attributes
    ----------
    constraints : its rows that stay 0
    coordinates : its freedoms
    keys : of its table, beside those of the coordinates
    values : the fewest and the most values of stiffness, rest and damping
    """

    constraints: tuple[Row, ...]
    coordinates: tuple[Coordinate, ...] = ()
    keys: tuple[str, ...] = ()
    values: tuple[int, int] = (1, 1)

    @property
    def serving(self) -> frozenset[str]:
        """Keys that mean something for the type."""
        return frozenset(self.keys).union(*((one.value, one.rate) for one in self.coordinates))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its coordinates in files; a ball joint has none."""
        return tuple(one.name for one in self.coordinates if one.name)

    @property
    def turns(self) -> tuple[int, ...]:
        """Numbers of the coordinates that are named angles."""
        return tuple(number for number, one in enumerate(self.coordinates) if one.name and one.turns)

    @property
    def travels(self) -> tuple[int, ...]:
        """Numbers of the coordinates that are travels along the axis."""
        return tuple(number for number, one in enumerate(self.coordinates) if one.row == _ALONG_AXIS.row)

    @property
    def glides(self) -> bool:
        """True if the bodies move across the axis."""
        return any(not one.turns and one.row != _ALONG_AXIS.row for one in self.coordinates)

    @property
    def axles(self) -> tuple[int, ...]:
        """Sides, 0 for the first and 1 for the second body, on which the joint has an axis."""
        return tuple(side for side, key in enumerate(("axis", "axis2")) if key in self.keys)


_ANGULAR = Coordinate(_ANGLE, "angle", "angle", "rate")
_ALONG_AXIS = Coordinate((ALONG, U, 0), "travel", "travel", "speed")
_SPRING = ("stiffness", "rest", "damping")

JOINT_TYPES = {
    "ball": JointType(  # its coordinates have rates alone, along the first triad: they carry damping, no angle
        POINT,
        (Coordinate(_ANGLE), Coordinate((TURN_FIRST, X, 0)), Coordinate((TURN_FIRST, Y, 0))),
        ("orientation", "angular_velocity", "damping"),
    ),
    "hinge": JointType((*POINT, *_TILT), (_ANGULAR,), ("axis", *_SPRING, "torque", "motor")),
    "universal": JointType(
        (*POINT, (ACROSS, U, U)),
        (
            Coordinate(_ANGLE, "angle-1", "angles", "rates"),
            Coordinate((TURN_SECOND, U, 0), "angle-2", "angles", "rates"),
        ),
        ("axis", "axis2", *_SPRING, "torque", "motor"),
        (2, 2),
    ),
    "slider": JointType((*POINT[1:], *_TILT, (ACROSS, X, Y)), (_ALONG_AXIS,), ("axis", *_SPRING, "force", "motor")),
    "cylindrical": JointType(
        (*POINT[1:], *_TILT),
        (_ALONG_AXIS, _ANGULAR),
        ("axis", *_SPRING, "torque", "force", "motor"),
        (1, 2),
    ),
    "planar": JointType(
        (POINT[0], *_TILT),
        (Coordinate((ALONG, X, 0), "travel-1"), Coordinate((ALONG, Y, 0), "travel-2"), _ANGULAR),
        ("axis", "velocity"),
    ),
    "fixed": JointType((*POINT, *_TILT, (ACROSS, X, Y))),
}
NAMES = tuple(JOINT_TYPES)


def types_with(key: str) -> tuple[str, ...]:
    """The types for which a key of a joint's table means something, () for one of all types."""
    return tuple(name for name, one in JOINT_TYPES.items() if key in one.serving)
