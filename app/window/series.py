"""What the plots draw: for each kind of scenario a row of charts, each a function of a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from physics import Trajectory, World
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
    """|E - E0| / |E0| of the rows (n,)."""
    energy = run.total_energy
    return np.maximum(np.abs(energy - energy[0]) / max(abs(float(energy[0])), 1e-300), TINY)


def spin_error(run: Trajectory, _: World) -> Array:
    """|L - L0| / |L0| of the rows (n,), vectors in space."""
    norm = float(np.linalg.norm(run.spin[0]))
    return np.maximum(np.linalg.norm(run.spin - run.spin[0], axis=1) / max(norm, 1e-300), TINY)


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
