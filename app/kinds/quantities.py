"""Quantities of charts and captions as functions of a trajectory, and those that several kinds share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.kinds.decades import Decades, Mark, power, spacing
from app.system.language import tr
from physics import Trajectory, World
from physics.analysis import invariants
from physics.analysis.stability import since
from physics.core.rotation import Array, yaw_pitch_roll
from physics.systems.rockfall.world import RockfallWorld

if TYPE_CHECKING:
    from app.stage.scenes.lane_numbers import Caption, CaptionNumber

MINUS = "−"  # sign as wide as a plus
ROUNDING = 8 * float(np.finfo(float).eps)  # share of the size of a quantity below which a part of it is 0
SMALL = 1e-6  # a value that is not below this is no rounding
PARTS = 30, 45, 90, 180  # [deg] between two numbers along an axis of angles
SAMPLE = 200  # rows of a run whose largest value is the size of a quantity


def without_rounding(values: ArrayLike, size: float) -> tuple[float, ...]:
    """Numbers (n,) with 0 in place of those within rounding of the size of the quantity that they are parts of."""
    return tuple(0.0 if abs(value) <= ROUNDING * size else float(value) for value in np.asarray(values, float))


@dataclass(frozen=True)
class Abscissa:
    """Abscissa of a chart other than time.

    Attributes
    ----------
    title, unit : as charts show them
    values : of the trajectory's rows, (n,)
    from_zero : starts at 0 and only grows
    cyclic : see Quantity
    """

    title: str
    unit: str
    values: Callable[[Trajectory, World], Array]
    from_zero: bool = False
    cyclic: bool = False


@dataclass(frozen=True)
class Background:
    """Fixed background of a chart, behind the curves.

    Attributes
    ----------
    curves : (n, 2) each, in the units of the chart; the first is the one under which an area may be filled, from the
        last edit on
    limits : abscissas of thin lines
    beyond : abscissas of strong lines
    foot : abscissa from which the area under the first curve is filled up to the current point; None: not filled
    name : of the curves in tables, where schemes name the others
    before : time [s] of each edit, with the background before it
    """

    curves: tuple[Array, ...] = ()
    limits: tuple[float, ...] = ()
    beyond: tuple[float, ...] = ()
    foot: float | None = None
    name: str = ""
    before: tuple[tuple[float, Background], ...] = ()

    def filled(self, to: float, time: float) -> Array:
        """Points (n, 2) of the curve of a time [s] from the foot to an abscissa; empty without a foot."""
        for edit, part in self.before:
            if time <= edit:
                return part.filled(to, time)
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
    """A quantity of a run, drawn by charts and written by captions.

    Attributes
    ----------
    title, unit : as charts show them
    values : of the trajectory's rows, (n,)
    log : logarithmic axis, of an error the decades of its scale
    over : abscissa; None: time [s]
    group : charts of one group share their range
    background : fixed background, shared by all lanes; may take a moment to compute
    trail : [s] of the curve before the playhead that are drawn stronger; 0: none
    mean : a value is a mean since the row before
    counted : an angle that is counted on from row to row, from the first one
    error : decades of an error, and the band in which none is smaller than another
    true : an error against the true motion: NaN where none is known; its linear axis begins at 0
    fits : decides in which worlds it is meaningful; None: in all
    cyclic : an angle that jumps from 180 to -180 degrees
    share : a relative error, written in per cent or as a power of ten
    form : format of captions, with the unit
    whole : size (n,) of what the values are components of; None: of their own
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
    counted: bool = False
    error: Decades | None = None
    true: bool = False
    fits: Callable[[World], bool] | None = None
    cyclic: bool = False
    share: bool = False
    form: str = "{:.3g}"
    whole: Callable[[Trajectory, World], Array] | None = None

    @property
    def decades(self) -> Decades | None:
        """Scale of the axis of an error; None: linear, or no error."""
        return self.error if self.log else None

    @property
    def angular(self) -> bool:
        """True for an angle in degrees."""
        return self.unit.partition(" ")[0] == "°"

    @property
    def numbered(self) -> str:
        """Unit behind each number along an axis: that of angles."""
        return "°" if self.angular and not self.log else ""

    def scaled(self, logarithmic: bool) -> Quantity:
        """The quantity; an error against the true motion on a scale of choice."""
        return replace(self, log=logarithmic) if self.true else self

    def behind(self, world: World) -> Background:
        """Background of a world, with what was behind before its edits."""
        if self.background is None:
            return NOTHING
        last = self.background(world)
        before = tuple((one.scenario.duration, self.background(one)) for one in world.earlier)
        others = [part for _, part in before]
        curves = {curve.tobytes(): curve for part in (last, *others) for curve in part.curves}
        beyond = dict.fromkeys(x for part in (last, *others) for x in part.beyond)
        return replace(last, curves=(*curves.values(),), beyond=(*beyond,), before=before)

    def of_rows(self, run: Trajectory, world: World, rows: NDArray[np.intp]) -> Array:
        """Values (m,) of some rows (m,) of a run."""
        whole = self.mean or self.counted
        return self.values(run, world)[rows] if whole else self.values(run.rows(rows), world)

    def at(self, run: Trajectory, world: World, row: int) -> float:
        """Value of one row of a run."""
        first = 0 if self.counted else max(row - 1, 0) if self.mean else row  # the first row has the mean of the second
        values = self.values(run.rows(slice(first, row + 1 + self.mean)), world)
        return float(self.plain(values[row - first : row - first + 1], run, world)[0])

    def plain(self, values: Array, run: Trajectory, world: World) -> Array:
        """Values (n,) of a run as they are written: with 0 in place of what is rounding alone; 0 has no sign."""
        small = np.abs(values) < SMALL
        if self.log or self.error is not None or not (small & (values != 0.0)).any():
            return values + 0.0
        return np.where(small, without_rounding(values, self.size(run, world)), values)

    def size(self, run: Trajectory, world: World) -> float:
        """The size that rounding is relative to: half a turn of an angle, else the largest value of a run."""
        if self.unit == "°":
            return 180.0
        rows = np.unique(np.linspace(0, len(run) - 1, SAMPLE).astype(int))
        values = self.of_rows(run, world, rows) if self.whole is None else self.whole(run.rows(rows), world)
        return float(np.nanmax(np.abs(values), initial=0.0))

    def heights(self, values: Array) -> Array:
        """Heights (n,) of values (n,) in a chart: decades of an error, exponents of ten on a logarithmic axis."""
        if not self.log:
            return values
        return np.log10(values) if self.error is None else self.error.heights(values)

    def numbers(self, low: float, high: float, apart: float) -> list[Mark] | None:
        """Numbers along an axis between two heights, at least so far apart; None: as any axis has them."""
        if self.decades is not None:
            return self.decades.numbers(high, apart)
        if not self.log:
            return parts_of_turn(low, high, apart) if self.angular else None
        exponents = range(math.ceil(low), math.floor(high) + 1)
        return [(float(one), power(one)) for one in exponents if one % spacing(apart) == 0]

    @property
    def signed(self) -> bool:
        """True for an error whose gain and loss differ."""
        return self.error is not None and self.error.signed

    def word(self, value: float) -> str:
        """Text of a value that has no number; "" where it has one."""
        return "" if self.error is None else self.error.word(value)

    def text(self, value: float) -> str:
        """A value as captions write it."""
        if word := self.word(value):
            return word
        if self.share:
            return share(value, signed=self.signed)
        text = self.form.format(value)
        return text.replace("-", MINUS if any(digit in text for digit in "123456789") else "", 1)


def parts_of_turn(low: float, high: float, apart: float) -> list[Mark] | None:
    """Numbers along an axis of angles [deg]; None: of angles so small or so large that any axis has better ones."""
    step = next((part for part in PARTS if part >= apart), None)
    if step is None or high - low < PARTS[-2]:
        return None
    angles = range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)
    return [(float(angle), f"{angle}°".replace("-", MINUS)) for angle in angles]


def share(error: float, *, signed: bool = False) -> str:
    """A relative error in words: in per cent from 0.1 % on, else as a power of ten; signed: a gain has a plus."""
    size, sign = abs(error), MINUS if error < 0.0 else "+" if signed else ""
    if size >= 1e-3:
        return f"{sign}{100 * size:.1f} %" if size < 0.9995 else f"{sign}{100 * size:.0f} %"
    digit, power = f"{size:.0e}".split("e")
    return f"{sign}{digit}e{int(power)}"


@dataclass(frozen=True)
class Reading:
    """The last stored state of a run up to a time [s], as captions read it."""

    run: Trajectory
    world: World
    time: float

    def number(self, name: str, quantity: Quantity, widest: str = "") -> CaptionNumber:
        """A quantity under a name, with its widest text; a visible error is marked."""
        from app.stage.scenes.lane_numbers import ERROR, WRONG, CaptionNumber  # here: kinds load before the stage

        value = quantity.at(self.run, self.world, self.run.index(self.time))
        if quantity.share:
            widest = f"+{ERROR}" if quantity.signed else ERROR
        return CaptionNumber(name, quantity.text(value), widest, wrong=quantity.share and abs(value) > WRONG)

    def energy(self) -> tuple[CaptionNumber, ...]:
        """The energy error, where no law gives or takes energy."""
        return (self.number(tr("energy error"), ENERGY_ERROR),) if lossless(self.world) else ()


def caption(numbers: Callable[[Reading], tuple[CaptionNumber, ...]]) -> Caption:
    """Function of a reading as a caption of the stage."""
    return lambda run, world, time: numbers(Reading(run, world, time))


def by_stretches(values: Callable[[Trajectory, World], Array]) -> Callable[[Trajectory, World], Array]:
    """Values of a run with edits: each row in the world in which it was computed."""

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


def size(error: Callable[[Trajectory], Array]) -> Callable[[Trajectory, World], Array]:
    """Size of an error of the rows (n,)."""
    return lambda run, _: np.abs(error(run))


def turned(i: int) -> Callable[[Trajectory, World], Array]:
    """Yaw (0), pitch (1) or roll (2) of the rows (n,) [deg]; yaw and roll from -180 to 180."""
    return lambda run, _: yaw_pitch_roll(run.orientation)[:, i]


def distance(run: Trajectory, _: World) -> Array:
    """Horizontal distance (n,) [m] from the release."""
    return np.asarray(np.linalg.norm(run.position[:, :2] - run.start.position[:2], axis=1))


DISTANCE = Abscissa("Distance", "m", distance, from_zero=True)


@by_stretches
def height_above_ground(run: Trajectory, world: World) -> Array:
    """Vertical height (n,) [m] of the centre of mass above the ground."""
    assert isinstance(world, RockfallWorld)
    x, y, z = run.position.T
    return np.asarray(z - world.terrain.heights_at(x, y))


def norm(column: str) -> Callable[[Trajectory, World], Array]:
    """The size of a vector column of a trajectory, of the rows (n,)."""
    return lambda run, _: np.asarray(np.linalg.norm(getattr(run, column), axis=1))


def part(column: str, i: int) -> Callable[[Trajectory, World], Array]:
    """Component i of a vector column of a trajectory, of the rows (n,)."""
    return lambda run, _: np.asarray(getattr(run, column)[:, i])


def attitude_error(floor: float, band: str) -> Quantity:
    """Angle of the attitude off the true motion [deg], which is the number that marks and captions tell.

    floor, band : of its scale, see Decades
    """

    def off(run: Trajectory, _: World) -> Array:
        return np.full(len(run), np.nan) if run.off is None else run.off.degrees

    return Quantity("Attitude error", "° off", off, error=Decades(floor, 180.0, band=band), true=True)


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
    """|d| (20): displacement of the axis of rotation in the body (n,), 0 to 2."""
    world = _begun(run, world)
    turned, _ = _since_the_start(run, world)
    return np.asarray(np.linalg.norm(invariants.axis_difference(turned, _axis(world)[0]), axis=1))


@by_stretches
def rate_departure(run: Trajectory, world: World) -> Array:
    """|α| (24): difference of the angular velocity from the steady rotation (n,) [rad/s]."""
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


def angle(a: Array, b: Array) -> Array:
    """Angle (n,) [deg] between vectors (n, 3); one of them may be a single vector (3,)."""
    return np.asarray(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.sum(a * b, axis=1))))


def lossless(world: World) -> bool:
    """True if no law gives or takes energy, before the edits of a run and after."""
    return all(one.lossless for one in (*world.earlier, world))


def _metres_off(run: Trajectory, _: World) -> Array:
    """Distance (n,) [m] of the centre of mass off the true motion, of several bodies the largest."""
    return np.full(len(run), np.nan) if run.off is None else run.off.metres


EXACT_ATTITUDE_ERROR = attitude_error(1e-11, "rounding")  # 1.7e-13 rad
ATTITUDE_ERROR = attitude_error(0.01, "unsure")  # two solutions that serve as the truth agree to this
PLACE_ERROR = Quantity("Position error", "m off", _metres_off, error=Decades(1e-5, band="unsure"), true=True)
relative_error = partial(Quantity, log=True, error=Decades(), share=True)
ENERGY_ERROR = relative_error(
    "Energy error",
    "of E₀ above rest",
    lambda run, _: invariants.energy_error(run),
    error=Decades(signed=True),
    fits=lossless,
)
OMEGA = tuple(
    Quantity(f"ω{x}", "rad/s", part("angular_velocity", i), group="omega", whole=norm("angular_velocity"))
    for i, x in enumerate("xyz")
)
SPIN = tuple(
    Quantity(f"L{x}", "kg m²/s", part("spin", i), group="spin", whole=norm("spin")) for i, x in enumerate("xyz")
)
QUATERNION = tuple(
    Quantity(f"Quaternion q{i}", "1", part("orientation", i), group="quaternion", whole=norm("orientation"))
    for i in range(4)
)
ENERGIES = (
    Quantity("Kinetic energy", "J", lambda run, _: run.kinetic_energy),
    Quantity("Potential energy", "J", lambda run, _: run.potential_energy),
    Quantity("Total energy", "J", lambda run, _: run.total_energy),
)
ORTHOGONALITY = Quantity(  # error of the rotation matrix of the quaternion
    "Orthogonality error", "|RᵀR − I|", size(lambda run: 2.0 * invariants.unit_error(run)), log=True, error=Decades()
)
PLACE = tuple(Quantity(f"Position {x}", "m", part("position", i), whole=norm("position")) for i, x in enumerate("xyz"))
