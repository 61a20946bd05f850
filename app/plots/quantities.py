"""Quantities: what the plots draw, for each kind of scenario a row of charts, each a function of a trajectory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from physics import Trajectory, World
from physics.analysis import invariants
from physics.analysis.euler_angles import nutation, yaw_pitch_roll
from physics.analysis.lyapunov import since
from physics.core.rotation import Array
from physics.core.trajectory import COLUMNS
from physics.simulation.exact_motion import angle_between, exact_motion
from physics.systems.rockfall_world import RockfallWorld

TINY = 1e-16  # the rounding of doubles; smaller errors are drawn there
MOST_ROWS = 6000  # of a trajectory that are drawn


@dataclass(frozen=True)
class Quantity:
    """A quantity of a run, and how a chart draws it.

    Attributes
    ----------
    title, unit : for people
    values : of the trajectory's rows, (n,)
    log : whether the axis is logarithmic
    over_distance : over the horizontal distance from the release [m] rather than over time [s]
    group : charts of one group share their range
    """

    title: str
    unit: str
    values: Callable[[Trajectory, World], Array]
    log: bool = False
    over_distance: bool = False
    group: str = ""


def energy_error(run: Trajectory, _: World) -> Array:
    """Size of the energy error of the rows (n,), never below rounding."""
    return np.maximum(np.abs(invariants.energy_error(run)), TINY)


def spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the spin vector of the rows (n,), never below rounding."""
    return np.maximum(invariants.spin_error(run), TINY)


def vertical_spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the vertical spin of the rows (n,), over the spin at the start, never below rounding."""
    norm = float(np.linalg.norm(run.spin[0])) or 1.0
    return np.asarray(np.maximum(np.abs(run.spin[:, 2] - run.spin[0, 2]) / norm, TINY))


def _turned(i: int) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: yaw_pitch_roll(run.orientation)[:, i]


def distance(run: Trajectory, _: World) -> Array:
    """Horizontal distance (n,) [m] from the release."""
    return np.asarray(np.linalg.norm(run.position[:, :2] - run.position[0, :2], axis=1))


def height_above_ground(run: Trajectory, world: World) -> Array:
    """Of the centre of mass, plumb (n,) [m]."""
    assert isinstance(world, RockfallWorld)
    x, y, z = run.position.T
    return np.asarray(z - world.terrain.heights_at(x, y))


def _norm(column: str) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: np.asarray(np.linalg.norm(getattr(run, column), axis=1))


def _part(column: str, i: int) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: np.asarray(getattr(run, column)[:, i])


def attitude_error(run: Trajectory, world: World) -> Array:
    """Angle (n,) [deg] between the attitude and the exact one from the same start, never below rounding."""
    return np.maximum(angle_between(run.orientation, exact_motion(world, run.time)[0]), 1e-12)


def unit_error(run: Trajectory, _: World) -> Array:
    """How far the rotation matrix is from orthogonal: |R^T R - I| of the matrix of the quaternion (n,)."""
    return np.maximum(2.0 * np.abs(invariants.unit_error(run)), TINY)


def _axis(world: World) -> tuple[int, float]:
    """The principal axis nearest to the angular velocity at the start, and the rate about it [rad/s]."""
    _, w = world.body.to_principal(world.orientation, world.angular_velocity)
    axis = int(np.argmax(np.abs(w)))
    return axis, float(w[axis]) or 1.0


def _since_the_start(run: Trajectory, world: World) -> tuple[Array, Array]:
    """Attitudes (n, 4) of the principal axes in the frame of the first one, and ω (n, 3) [rad/s] in them."""
    q, w = world.body.to_principal(run.orientation, run.angular_velocity)
    first, _ = world.body.to_principal(world.orientation, world.angular_velocity)
    return since(first, q), w


def departure(run: Trajectory, world: World) -> Array:
    """|d| (20): how far the axis of the spin has gone in the body (n,), 0 to 2."""
    turned, _ = _since_the_start(run, world)
    return np.asarray(np.linalg.norm(invariants.axis_difference(turned, _axis(world)[0]), axis=1))


def rate_departure(run: Trajectory, world: World) -> Array:
    """|α| (24): how far the angular velocity is from the steady rotation (n,) [rad/s]."""
    axis, rate = _axis(world)
    _, w = _since_the_start(run, world)
    return np.asarray(np.linalg.norm(invariants.rate_difference(w, rate, axis), axis=1))


def lyapunov(run: Trajectory, world: World) -> Array:
    """|V| of (35) or (38) about the axis of the start (n,) [kg² m⁴/s²], never below 1e-30."""
    axis, rate = _axis(world)
    turned, w = _since_the_start(run, world)
    return np.maximum(np.abs(invariants.lyapunov(world.body.inertia, turned, w, rate, axis)), 1e-30)


_OMEGA = tuple(Quantity(f"ω{x}", "rad/s", _part("angular_velocity", i), group="omega") for i, x in enumerate("xyz"))
_SPIN = tuple(Quantity(f"L{x}", "kg m²/s", _part("spin", i), group="spin") for i, x in enumerate("xyz"))
_QUATERNION = tuple(Quantity(f"Quaternion q{i}", "1", _part("orientation", i), group="quaternion") for i in range(4))
_ENERGIES = (
    Quantity("Kinetic energy", "J", lambda run, _: run.kinetic_energy),
    Quantity("Potential energy", "J", lambda run, _: run.potential_energy),
    Quantity("Total energy", "J", lambda run, _: run.total_energy),
)
_ORTHOGONALITY = Quantity("Orthogonality error", "|RᵀR − I|", unit_error, log=True)
_PLACE = tuple(Quantity(f"Position {x}", "m", _part("position", i)) for i, x in enumerate("xyz"))

CHARTS: dict[str, tuple[Quantity, ...]] = {  # what is drawn until one chooses
    "free": (
        *_OMEGA,
        Quantity("Energy error", "|E − E₀| / E₀", energy_error, log=True),
        Quantity("Spin error", "|L − L₀| / L₀", spin_error, log=True),
    ),
    "top": (
        Quantity("Nutation", "°", lambda run, _: nutation(run.orientation)),
        Quantity("Height of the centre of mass", "m", lambda run, _: run.position[:, 2]),
        Quantity("Energy error", "|E − E₀| / T₀", energy_error, log=True),
        Quantity("Vertical spin error", "|ΔL₃| / |L₀|", vertical_spin_error, log=True),
    ),
    "vessel": (
        Quantity("Roll", "°", _turned(2)),
        Quantity("Pitch", "°", _turned(1)),
        Quantity("Yaw", "°", _turned(0)),
        Quantity("Energy", "J", lambda run, _: run.total_energy),
    ),
    "rockfall": (
        Quantity("Altitude", "m", lambda run, _: run.position[:, 2], over_distance=True),
        Quantity("Speed", "m/s", _norm("velocity")),
        Quantity("Rotation", "rad/s", _norm("angular_velocity")),
        Quantity("Height above ground", "m", height_above_ground),
    ),
}


MORE: dict[str, tuple[Quantity, ...]] = {  # what one can choose besides
    "free": (
        Quantity("Attitude error", "° off exact", attitude_error, log=True),
        Quantity("Departure |d|", "1", departure),
        Quantity("Departure |α|", "rad/s", rate_departure),
        Quantity("Lyapunov function", "|V|, kg² m⁴/s²", lyapunov, log=True),
        _ORTHOGONALITY,
        *_QUATERNION,
        *_SPIN,
        *_ENERGIES,
    ),
    "top": (*_OMEGA, *_QUATERNION, *_SPIN, *_ENERGIES, _ORTHOGONALITY),
    "vessel": (
        *_OMEGA,
        *_QUATERNION,
        *_SPIN,
        _ENERGIES[0],
        _ENERGIES[1],
        Quantity("Energy error", "|E − E₀| / T₀", energy_error, log=True),
        _ORTHOGONALITY,
    ),
    "rockfall": (
        *_ENERGIES,
        *_OMEGA,
        *_PLACE,
        *_QUATERNION,
        *_SPIN,
        Quantity("Touching vertices", "1", lambda run, _: run.contact),
        Quantity("Distance", "m", distance),
        _ORTHOGONALITY,
    ),
}


def choices(kind: str) -> tuple[Quantity, ...]:
    """All charts that a kind of scenario can have."""
    return CHARTS[kind] + MORE[kind]


def chosen(kind: str, titles: Sequence[str]) -> tuple[Quantity, ...]:
    """The charts of these titles in their order, or those that are drawn until one chooses."""
    return tuple(quantity for quantity in choices(kind) if quantity.title in titles) or CHARTS[kind]


def nice_range(low: float, high: float, log: bool) -> tuple[float, float]:
    """A range that holds low to high and moves in steps, so that a growing curve seldom moves the axis.

    For a logarithmic axis all four numbers are exponents of ten.
    """
    if log:
        return float(np.floor(low / 2) * 2), float(max(np.ceil(high / 2) * 2, np.floor(low / 2) * 2 + 4))
    span = max(high - low, 1e-2, 0.02 * max(abs(high), abs(low)))
    step = 10.0 ** np.floor(np.log10(span)) / 2
    bottom, top = np.floor(low / step - 0.05) * step, np.ceil(high / step + 0.05) * step
    return (0.0 if low >= 0 > bottom else float(bottom)), float(top)


def rows(run: Trajectory, index: np.ndarray) -> Trajectory:
    """Some rows of a run, by their numbers."""
    return replace(run, **{name: getattr(run, name)[index] for name in COLUMNS})


def drawn(run: Trajectory) -> Trajectory:
    """The rows of a run that are drawn: evenly thinned, with the first and the last."""
    every = max(1, len(run) // MOST_ROWS)
    return rows(run, np.unique(np.r_[np.arange(0, len(run), every), len(run) - 1]))
