"""Quantities: what charts draw and captions tell, functions of a trajectory; those of several kinds stand here.

Each has one definition, and one way in which it is told: whoever shows a number asks here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.system.language import tr
from physics import Trajectory, World
from physics.analysis import invariants
from physics.analysis.stability import since
from physics.core.euler_angles import yaw_pitch_roll
from physics.core.rotation import Array
from physics.simulation.exact_motion import degrees_between, exact_motion
from physics.systems.rockfall.world import RockfallWorld

if TYPE_CHECKING:
    from app.stage.scenes.lane_numbers import Caption, Number

TINY = 1e-16  # the rounding of doubles; smaller errors are drawn there
MINUS = "−"  # as wide as a plus


@dataclass(frozen=True)
class Abscissa:
    """What a quantity is drawn over, other than time.

    Attributes
    ----------
    title, unit : for people
    values : of the trajectory's rows, (n,)
    from_zero : whether it begins at 0 and only grows
    cyclic : as of a Quantity
    """

    title: str
    unit: str
    values: Callable[[Trajectory, World], Array]
    from_zero: bool = False
    cyclic: bool = False


@dataclass(frozen=True)
class Background:
    """What stands still behind the curves of a chart.

    Attributes
    ----------
    curves : (n, 2) each, in the units of the chart; the first is the one under which an area may be filled
    limits : abscissas that a thin line marks
    beyond : abscissas that a strong line marks
    foot : the abscissa from which the area under the first curve is filled to the running point; None: none is
    """

    curves: tuple[Array, ...] = ()
    limits: tuple[float, ...] = ()
    beyond: tuple[float, ...] = ()
    foot: float | None = None

    def filled(self, to: float) -> Array:
        """Points (n, 2) of the first curve from the foot to an abscissa; none without a foot."""
        if self.foot is None or not self.curves:
            return np.empty((0, 2))
        x, y = self.curves[0].T
        low, high = sorted((self.foot, float(np.clip(to, x[0], x[-1]))))
        inner = x[(x > low) & (x < high)]
        along = np.concatenate([[low], inner, [high]])
        return np.column_stack([along, np.interp(along, x, y)])


NOTHING = Background()


@dataclass(frozen=True)
class Quantity:
    """A quantity of a run, how a chart draws it, and how a caption tells it.

    Attributes
    ----------
    title, unit : for people
    values : of the trajectory's rows, (n,)
    log : whether the axis is logarithmic
    over : what it is drawn over; None: time [s]
    group : charts of one group share their range
    background : what stands still behind the curves, of what all lanes share; it may take a moment
    trail : [s] of the curve before the playhead that stand out; 0: the curve is drawn alike
    mean : whether a value is a mean since the row before its own
    lossless : whether it tells something only where no law gives or takes energy
    cyclic : whether it is an angle that goes on at -180 degrees where it passes 180
    share : whether it is an error over its scale, which is told in per cent or as a power of ten
    form : the format in which a caption tells it, with its unit
    """

    title: str
    unit: str
    values: Callable[[Trajectory, World], Array]
    log: bool = False
    over: Abscissa | None = None
    group: str = ""
    background: Callable[[World], Background] | None = None
    trail: float = 0.0
    mean: bool = False
    lossless: bool = False
    cyclic: bool = False
    share: bool = False
    form: str = "{:.3g}"

    def behind(self, world: World) -> Background:
        """What stands still behind the curves."""
        return NOTHING if self.background is None else self.background(world)

    def of_rows(self, run: Trajectory, world: World, rows: NDArray[np.intp]) -> Array:
        """Its values (m,) of some rows (m,) of a run."""
        return self.values(run, world)[rows] if self.mean else self.values(run.rows(rows), world)

    def at(self, run: Trajectory, world: World, row: int) -> float:
        """Its value of one row of a run."""
        first = max(row - 1, 0) if self.mean else row  # of the first row such a mean is that of the second
        return float(self.values(run.rows(slice(first, row + 1 + self.mean)), world)[row - first])

    def told(self, value: float) -> str:
        """A value as captions tell it."""
        if self.share:
            return share(value)
        text = self.form.format(value)
        return text.replace("-", MINUS if any(digit in text for digit in "123456789") else "", 1)


def share(error: float) -> str:
    """An error over its scale: in per cent when one sees it, as a power of ten when one does not."""
    if error >= 1e-3:
        return f"{100 * error:.1f} %" if error < 0.9995 else f"{100 * error:.0f} %"
    if error <= TINY:
        return "0"
    digit, power = f"{error:.0e}".split("e")
    return f"{digit}e{int(power)}"


@dataclass(frozen=True)
class Reading:
    """What a caption tells of: the last stored state of a run up to a time [s]."""

    run: Trajectory
    world: World
    time: float

    def number(self, name: str, quantity: Quantity, widest: str = "") -> Number:
        """A quantity under a name, with the widest text that it may have; an error that one sees is marked."""
        from app.stage.scenes.lane_numbers import ERROR, WRONG, Number  # here, as kinds are needed before the stage

        value = quantity.at(self.run, self.world, self.run.index(self.time))
        widest = ERROR if quantity.share else widest
        return Number(name, quantity.told(value), widest, wrong=quantity.share and value > WRONG)

    def energy(self) -> tuple[Number, ...]:
        """The error of the energy, where no law gives or takes any."""
        return (self.number(tr("energy error"), ENERGY_ERROR),) if self.world.lossless else ()


def caption(numbers: Callable[[Reading], tuple[Number, ...]]) -> Caption:
    """Numbers of a reading as the stage asks for them."""
    return lambda run, world, time: numbers(Reading(run, world, time))


def by_stretches(values: Callable[[Trajectory, World], Array]) -> Callable[[Trajectory, World], Array]:
    """The same of a run with edits: each row in the world in which it was computed."""

    def found(run: Trajectory, world: World) -> Array:
        if not world.earlier:
            return values(run, world)
        parts, all_values = run.stretches, np.empty(len(run))
        for k, one in enumerate((*world.earlier, world)):
            if (here := parts == k).any():
                part = replace(run.rows(here), origins=run.origins[k : k + 1])
                all_values[here] = values(part, one)
        return all_values

    return found


def _begun(run: Trajectory, world: World) -> World:
    """The world with the start of its stretch of a run."""
    return world if run.start.time == world.time else world.starting(run.start)


def energy_error(run: Trajectory, _: World) -> Array:
    """Size of the energy error of the rows (n,), never below rounding."""
    return np.maximum(np.abs(invariants.energy_error(run)), TINY)


def spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the spin vector of the rows (n,), never below rounding."""
    return np.maximum(invariants.spin_error(run), TINY)


def vertical_spin_error(run: Trajectory, _: World) -> Array:
    """Size of the error of the vertical spin of the rows (n,), never below rounding."""
    return np.maximum(np.abs(invariants.vertical_spin_error(run)), TINY)


def turned(i: int) -> Callable[[Trajectory, World], Array]:
    """Yaw (0), pitch (1) or roll (2) of the rows (n,) [deg]; yaw and roll from -180 to 180."""
    return lambda run, _: yaw_pitch_roll(run.orientation)[:, i]


def distance(run: Trajectory, _: World) -> Array:
    """Horizontal distance (n,) [m] from the release."""
    return np.asarray(np.linalg.norm(run.position[:, :2] - run.start.position[:2], axis=1))


DISTANCE = Abscissa("Distance", "m", distance, from_zero=True)


@by_stretches
def height_above_ground(run: Trajectory, world: World) -> Array:
    """Of the centre of mass, plumb (n,) [m]."""
    assert isinstance(world, RockfallWorld)
    x, y, z = run.position.T
    return np.asarray(z - world.terrain.heights_at(x, y))


def norm(column: str) -> Callable[[Trajectory, World], Array]:
    """The size of a vector column of a trajectory, of the rows (n,)."""
    return lambda run, _: np.asarray(np.linalg.norm(getattr(run, column), axis=1))


def part(column: str, i: int) -> Callable[[Trajectory, World], Array]:
    """Component i of a vector column of a trajectory, of the rows (n,)."""
    return lambda run, _: np.asarray(getattr(run, column)[:, i])


@by_stretches
def attitude_error(run: Trajectory, world: World) -> Array:
    """Angle (n,) [deg] between the attitude and the exact one from the same start, never below rounding."""
    return np.maximum(degrees_between(run.orientation, exact_motion(_begun(run, world), run.time)[0]), 1e-12)


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


@by_stretches
def departure(run: Trajectory, world: World) -> Array:
    """|d| (20): how far the axis of the spin has gone in the body (n,), 0 to 2."""
    world = _begun(run, world)
    turned, _ = _since_the_start(run, world)
    return np.asarray(np.linalg.norm(invariants.axis_difference(turned, _axis(world)[0]), axis=1))


@by_stretches
def rate_departure(run: Trajectory, world: World) -> Array:
    """|α| (24): how far the angular velocity is from the steady rotation (n,) [rad/s]."""
    world = _begun(run, world)
    axis, rate = _axis(world)
    _, w = _since_the_start(run, world)
    return np.asarray(np.linalg.norm(invariants.rate_difference(w, rate, axis), axis=1))


@by_stretches
def lyapunov(run: Trajectory, world: World) -> Array:
    """|V| of (35) or (38) about the axis of the start (n,) [kg² m⁴/s²], never below 1e-30."""
    world = _begun(run, world)
    axis, rate = _axis(world)
    turned, w = _since_the_start(run, world)
    return np.maximum(np.abs(invariants.lyapunov(world.body.inertia, turned, w, rate, axis)), 1e-30)


ENERGY_ERROR = Quantity("Energy error", "of E₀ above rest", energy_error, log=True, lossless=True, share=True)
OMEGA = tuple(Quantity(f"ω{x}", "rad/s", part("angular_velocity", i), group="omega") for i, x in enumerate("xyz"))
SPIN = tuple(Quantity(f"L{x}", "kg m²/s", part("spin", i), group="spin") for i, x in enumerate("xyz"))
QUATERNION = tuple(Quantity(f"Quaternion q{i}", "1", part("orientation", i), group="quaternion") for i in range(4))
ENERGIES = (
    Quantity("Kinetic energy", "J", lambda run, _: run.kinetic_energy),
    Quantity("Potential energy", "J", lambda run, _: run.potential_energy),
    Quantity("Total energy", "J", lambda run, _: run.total_energy),
)
ORTHOGONALITY = Quantity("Orthogonality error", "|RᵀR − I|", unit_error, log=True)
PLACE = tuple(Quantity(f"Position {x}", "m", part("position", i)) for i, x in enumerate("xyz"))
