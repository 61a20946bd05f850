"""What the plots draw: for each kind of scenario a row of charts, each a function of a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from physics import Trajectory, World, invariants
from physics.angles import nutation, yaw_pitch_roll
from physics.rotation import Array
from physics.trajectory import COLUMNS

TINY = 1e-16  # the rounding of doubles; smaller errors are drawn there
MOST_ROWS = 6000  # of a trajectory that are drawn


@dataclass(frozen=True)
class Series:
    """One chart.

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


def _component(i: int) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: run.angular_velocity[:, i]


def energy_error(run: Trajectory, _: World) -> Array:
    """Size of the energy error of the rows (n,), never below rounding."""
    return np.maximum(np.abs(invariants.energy_error(run)), TINY)


def spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the spin vector of the rows (n,), never below rounding."""
    return np.maximum(invariants.spin_error(run), TINY)


def vertical_spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the vertical spin of the rows (n,), over the spin at the start, never below rounding."""
    norm = float(np.linalg.norm(run.spin[0])) or 1.0
    return np.maximum(np.abs(run.spin[:, 2] - run.spin[0, 2]) / norm, TINY)


def _turned(i: int) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: yaw_pitch_roll(run.orientation)[:, i]


def distance(run: Trajectory, _: World) -> Array:
    """Horizontal distance (n,) [m] from the release."""
    return np.asarray(np.linalg.norm(run.position[:, :2] - run.position[0, :2], axis=1))


def height_above_ground(run: Trajectory, world: World) -> Array:
    """Of the centre of mass, plumb (n,) [m]."""
    assert world.terrain is not None
    x, y, z = run.position.T
    return z - world.terrain.heights_at(x, y)


def _norm(column: str) -> Callable[[Trajectory, World], Array]:
    return lambda run, _: np.asarray(np.linalg.norm(getattr(run, column), axis=1))


CHARTS: dict[str, tuple[Series, ...]] = {
    "free": (
        Series("ωx", "rad/s", _component(0), group="omega"),
        Series("ωy", "rad/s", _component(1), group="omega"),
        Series("ωz", "rad/s", _component(2), group="omega"),
        Series("Energy error", "|E − E₀| / E₀", energy_error, log=True),
        Series("Spin error", "|L − L₀| / L₀", spin_error, log=True),
    ),
    "top": (
        Series("Nutation", "°", lambda run, _: nutation(run.orientation)),
        Series("Height of the centre of mass", "m", lambda run, _: run.position[:, 2]),
        Series("Energy error", "|E − E₀| / T₀", energy_error, log=True),
        Series("Vertical spin error", "|ΔL₃| / |L₀|", vertical_spin_error, log=True),
    ),
    "vessel": (
        Series("Roll", "°", _turned(2)),
        Series("Pitch", "°", _turned(1)),
        Series("Yaw", "°", _turned(0)),
        Series("Energy", "J", lambda run, _: run.total_energy),
    ),
    "rockfall": (
        Series("Altitude", "m", lambda run, _: run.position[:, 2], over_distance=True),
        Series("Speed", "m/s", _norm("velocity")),
        Series("Rotation", "rad/s", _norm("angular_velocity")),
        Series("Height above ground", "m", height_above_ground),
    ),
}


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
