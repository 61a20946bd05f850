"""The report card of a scheme: what it keeps, its order and reach, found by marching it, whatever its row claims.

Two bodies are enough: one that tumbles freely, or in the air, and a top. Classes and thresholds are explained, with
their numbers, in assets/help/report-card.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np

from physics.analysis.air_trial import AirTrial, tried_in_air
from physics.analysis.order import Order, distance, orders_of
from physics.core.cancellation import check_wanted
from physics.core.potential import FREE, SIZE, potential
from physics.core.rotation import Array, apply, conjugate, exp_half, multiply
from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme
from physics.systems import SYSTEMS
from physics.systems.driver import clock_for

_BLOCK = 2000  # steps between two checks for cancellation


@dataclass(frozen=True)
class TrialMotion:
    """A body, what turns it, and its start.

    moments (3,) [kg m²], field (12,) as in physics.core.potential, attitude (4,) unit quaternion, velocity (3,) [rad/s]
    in the body.
    """

    moments: Array
    field: Array
    attitude: Array
    velocity: Array

    @property
    def speed(self) -> float:
        """Angular speed at the start [rad/s]."""
        return float(np.linalg.norm(self.velocity))

    def start(self, scheme: Scheme) -> Array:
        """The state of a scheme at the start."""
        return scheme.start(self.moments, self.attitude, self.velocity)

    def march(self, scheme: Scheme, h: float, steps: int, every: int = 1) -> Array:
        """Attitudes and velocities (steps // every, 7) after every so many steps of h [s].

        Fewer rows where a step has no solution, or leads to numbers that are not finite.
        """
        state, out = self.start(scheme), np.empty((steps // every, 7))
        size, done = max(1, _BLOCK // every), 0
        while done < len(out):
            check_wanted()
            block = out[done : done + size]
            good = onward(scheme, self, h, every, state, block)
            done += good
            if good < len(block):
                break
        return out[:done]

    def energy(self, states: Array) -> Array:
        """Kinetic and potential energy (n,) [J] of states (n, 7)."""
        kinetic = 0.5 * (self.moments * states[:, 4:] ** 2).sum(axis=1)
        return np.asarray(kinetic + potential(self.field, states[:, :4]))

    def spin(self, states: Array) -> Array:
        """The angular momentum in space (n, 3) [kg m²/s] of states (n, 7)."""
        return np.asarray(apply(states[:, :4], self.moments * states[:, 4:]))


def onward(scheme: Scheme, motion: TrialMotion, h: float, every: int, state: Array, out: Array) -> int:
    """March on into rows of ``out``; how many were reached. A function of a user's may also end in an overflow."""
    out[:] = np.nan
    try:
        rows, _ = scheme.march(motion.moments, motion.field, h, every, state, out)
    except ArithmeticError:
        rows = len(out)
    whole = np.isfinite(out[:rows]).all(axis=1)
    return rows if whole.all() else int(np.argmin(whole))


def _weight(torque: float) -> Array:
    """The field of a weight on the body's z axis; torque: m g l [N m]."""
    return np.array([0.0, 0.0, torque, *np.zeros(SIZE - 3)])


# what is kept, unit length, reach, cost; not from the identity, at which zxz angles are locked
TUMBLING = TrialMotion(
    np.array([0.6, 0.8, 1.0]), FREE, np.array([0.8, 0.4, -0.4, 0.2]), np.array([1.8, 0.4, -0.9]) / [0.6, 0.8, 1.0]
)
# order: moments farther apart, for on the body above orders 8 and 10 leave nothing but rounding
SWIFT = TrialMotion(np.array([0.45, 0.6, 1.0]), FREE, np.array([1.0, 0.0, 0.0, 0.0]), np.array([3.0, 2.0, 0.9]))
# one step: a start without any symmetry
_TURNED = np.array([0.5, 0.5, -0.5, 0.5])
TURNED = TrialMotion(SWIFT.moments, FREE, _TURNED, SWIFT.velocity)
HEAVY = TrialMotion(SWIFT.moments, _weight(1.3), _TURNED, SWIFT.velocity)

# another frame and other axes: a start that is at no lock of Euler angles, nor near one in the turned frames
SKEWED = TrialMotion(SWIFT.moments, FREE, TUMBLING.attitude, SWIFT.velocity)
WEIGHED = TrialMotion(SWIFT.moments, HEAVY.field, TUMBLING.attitude, SWIFT.velocity)

# the cone of Betsch & Siebert (2009), section 5.2: height 0.1 m, radius 0.05 m, 2700 kg/m³, about its tip
_MASS = 2700.0 * math.pi * 0.05**2 * 0.1 / 3.0
_ACROSS = _MASS * 0.6 * (0.05**2 / 4.0 + 0.1**2)
# so slow that it falls half over: the torque of a fast one leaves high orders nothing but rounding
TOP = TrialMotion(
    np.array([_ACROSS, _ACROSS, 0.3 * _MASS * 0.05**2]),
    _weight(_MASS * 9.81 * 0.075),
    np.array([math.cos(math.pi / 6.0), math.sin(math.pi / 6.0), 0.0, 0.0]),  # tilted by 60 degrees
    np.array([0.0, 0.0, 20.0]),
)


# ---- order -----------------------------------------------------------------------------------------


_SPANS = {id(SWIFT): 2.0, id(TOP): 1.0}  # [s] of the comparison: 1 and 3 turns


def observed_orders(scheme: Scheme, motion: TrialMotion) -> tuple[Order, Order]:
    """The orders of attitude and of velocity, on SWIFT or TOP."""
    span = _SPANS[id(motion)]
    return orders_of(
        scheme, lambda count: motion.march(scheme, span / count, count, count // 4), _truth(motion), motion.speed
    )


def _truth(motion: TrialMotion) -> Array:
    """The states (4, 7) after each quarter of the span."""
    return _top() if motion is TOP else SWIFT.march(SCHEMES["exact"], _SPANS[id(SWIFT)] / 4.0, 4)


@cache
def _top() -> Array:
    """True states of TOP, by the composition that errs least on tops; with so many steps the last is right to 2e-14."""
    return TOP.march(SCHEMES["rkn-6-14"], _SPANS[id(TOP)] / 2000.0, 2000, 500)


# ---- single steps ----------------------------------------------------------------------------------


_SMALL = 2e-4  # share of differences of fourth order: their own error is 1e-15, that of rounding 1e-12


def reversal(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """Distance of a step of h [s] and one of -h from the start: attitude, and velocity over its size; inf: no solution.

    The step back begins with what the scheme remembers of the step, or anew; the nearer end counts. For some remember
    what is no part of attitude and velocity, and others how many steps they have done.
    """
    there, back = np.empty((1, 7)), np.empty((1, 7))
    state = motion.start(scheme)
    if onward(scheme, motion, h, 1, state, there) == 0:
        return math.inf
    anew = scheme.start(motion.moments, there[0, :4].copy(), there[0, 4:].copy())
    missed = []
    for begun in (state, anew):
        if onward(scheme, motion, -h, 1, begun, back):
            turn = np.abs(back[0, :4] - motion.attitude).max()
            missed.append(max(turn, np.abs(back[0, 4:] - motion.velocity).max() / motion.speed))
    return float(min(missed, default=math.inf))


def symplectic_defect(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """The largest entry of D^T Ω' D - Ω for the derivative D of a step of h [s]; inf where it has no solution.

    In the rotation vector of the attitude and the angular momentum in the body over the size of its start.
    """
    momentum = motion.moments * motion.velocity
    size = float(np.linalg.norm(momentum))

    def stepped(attitude: Array, m: Array) -> Array:
        out = np.empty((1, 7))
        state = scheme.start(motion.moments, attitude, size * m / motion.moments)
        if onward(scheme, motion, h, 1, state, out) == 0:
            out[:] = math.nan
        return np.concatenate([out[0, :4], motion.moments * out[0, 4:] / size])

    m = momentum / size
    end = stepped(motion.attitude, m)
    if not np.isfinite(end).all():
        return math.inf

    def moved(change: Array) -> Array:
        """End from a changed start, less that of the unchanged one (6,)."""
        found = stepped(multiply(motion.attitude, exp_half(tuple(change[:3]))), m + change[3:])
        turned = multiply(conjugate(end[:4]), found[:4])
        length = float(np.linalg.norm(turned[1:]))
        angle = 2.0 * math.atan2(length, abs(turned[0]))
        axis = turned[1:] * math.copysign(1.0, turned[0]) / length if length > 0.0 else np.zeros(3)
        return np.concatenate([angle * axis, found[4:] - end[4:]])

    columns = [
        (8.0 * (moved(_SMALL * e) - moved(-_SMALL * e)) - (moved(2.0 * _SMALL * e) - moved(-2.0 * _SMALL * e)))
        / (12.0 * _SMALL)
        for e in np.eye(6)
    ]
    D = np.array(columns).T
    defect = float(np.abs(D.T @ _form(end[4:]) @ D - _form(m)).max())
    return defect if math.isfinite(defect) else math.inf


def _form(m: Array) -> Array:
    """The canonical form (6, 6) in the body: (ξ1, μ1), (ξ2, μ2) -> μ2.ξ1 - μ1.ξ2 + m.(ξ1 x ξ2)."""
    form = np.zeros((6, 6))
    form[:3, 3:], form[3:, :3] = np.eye(3), -np.eye(3)
    form[:3, :3] = [[0.0, m[2], -m[1]], [-m[2], 0.0, m[0]], [m[1], -m[0], 0.0]]
    return form


# turns of the frame in space; under gravity about the vertical
_FRAMES = tuple(
    np.array(q) / np.linalg.norm(q) for q in ((1.0, 2.0, 3.0, 4.0), (3.0, -1.0, 1.0, 2.0), (2.0, 1.0, -3.0, 1.0))
)
_ABOUT_VERTICAL = tuple(np.array([math.cos(angle), 0.0, 0.0, math.sin(angle)]) for angle in (0.4, 1.3, 2.5))
# turns of the body's frame that rename its principal axes: a cyclic one, and a quarter turn about each axis
_HALF = math.sqrt(0.5)
_RENAMED = tuple(
    map(np.array, ((0.5, 0.5, 0.5, 0.5), (_HALF, _HALF, 0, 0), (_HALF, 0, _HALF, 0), (_HALF, 0, 0, _HALF)))
)
_FEW = 3  # steps: what a scheme remembers takes part


def frame_error(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """Largest distance of steps of h [s] in a turned frame from the turned steps; inf: no solution.

    Of attitude, and of velocity over its size at the start. In the field of a weight the frame is turned about the
    vertical. Betsch & Siebert (2009), section 6: schemes in quaternions and directors are equivariant by design.
    """
    found = motion.march(scheme, h, _FEW)
    attitudes, velocities = found[:, :4], found[:, 4:]
    frames = _FRAMES if not motion.field.any() else _ABOUT_VERTICAL
    turned = [replace(motion, attitude=multiply(turn, motion.attitude)) for turn in frames]
    expected = [(multiply(turn, attitudes), velocities) for turn in frames]
    return _largest([_missed(scheme, one, h, *there) for one, there in zip(turned, expected, strict=True)])


def axes_error(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """Largest distance of steps of h [s] with renamed principal axes of the body from the renamed steps; inf: none.

    Of attitude, and of velocity over its size at the start.
    """
    found = motion.march(scheme, h, _FEW)
    errors = []
    for turn in _RENAMED:
        back, field = conjugate(turn), motion.field.copy()
        field[:3] = apply(turn, field[:3])
        moments = np.abs(apply(turn, motion.moments))
        renamed = TrialMotion(moments, field, multiply(motion.attitude, back), apply(turn, motion.velocity))
        errors.append(_missed(scheme, renamed, h, multiply(found[:, :4], back), apply(turn, found[:, 4:])))
    return _largest(errors)


def _missed(scheme: Scheme, motion: TrialMotion, h: float, attitudes: Array, velocities: Array) -> float:
    """Largest distance of steps from attitudes (n, 4) and velocities (n, 3); inf where some have no solution."""
    found = motion.march(scheme, h, _FEW)
    if len(found) < _FEW or len(attitudes) < _FEW:
        return math.inf
    unit = attitudes / np.linalg.norm(attitudes, axis=1, keepdims=True)
    return max(distance(found, np.column_stack([unit, velocities]), motion.speed))


Behaviour = Literal["kept", "bounded", "drifts", "dissipates", "unsolved"]


# ---- the card --------------------------------------------------------------------------------------


STEPS = 20_000
TURNS = (0.08, 0.5)  # step times speed [rad]; what is kept at the first one is looked at again at the second one
KEPT = 1e-11  # largest relative change by rounding
GROWTH = 1.3  # ratio of the second half over the first one, from which on a change drifts
CREEP = 0.05  # share of its swing by which the mean of a change moves from half to half, from which on it drifts
LARGE = 1e-2  # a change above it that does not come back is a loss or a gain
BACK = 0.2  # share of the largest change: what comes back so far in the second half comes back
LOST = 0.5  # a change above it bounds nothing
UNIT = 1e-12  # largest departure of the quaternion's length from 1
REVERSED = 1e-13  # largest miss of a step and a step back
SYMPLECTIC = 1e-10  # largest defect
EQUIVARIANT = 1e-12  # largest error in a turned frame, and with renamed axes
MOVED = (0.5, 1.5)  # step times speed [rad] of such steps: at smaller ones high orders hide
ONE_STEP = (0.16, 0.5, 3.0)  # step times speed [rad] of one step; the last one for the form alone
REACHES = 0.1 * 1.12 ** np.arange(49)  # step times speed [rad], up to 23
TRIED = 150  # steps at each of them
REPEATS, TIMED = 5, 2000  # clocked runs, and their steps


@dataclass(frozen=True)
class KeptQuantity:
    """Course of a quantity that the motion keeps: largest relative changes in both halves of STEPS steps.

    turn : step times speed [rad] of the steps; infinite changes: the motion ended in numbers that are not finite
    """

    behaviour: Behaviour
    first: float
    second: float
    turn: float

    @property
    def largest(self) -> float:
        """The largest relative change."""
        return max(self.first, self.second)


@dataclass(frozen=True)
class ReportCard:
    """Findings of a report card.

    Attributes
    ----------
    scheme : its name
    order_attitude, order_velocity : on the free body; on the top where no free body is served
    torque_order_attitude, torque_order_velocity : on the top; None where it is not served
    energy, spin_norm, spin : of the free body: kinetic energy, size and vector of the spin in space
    energy_under_torque, vertical_spin : of the top; None where it is not served
    unit_error : largest departure of the quaternion's length from 1, on all motions, as far as they are solved
    reversal_error : largest miss of a step and a step back
    symplectic_defect : the largest one, see physics.analysis.report_card
    frame_error, axes_error : largest error in a turned frame, and with renamed principal axes of the body
    air : of a body that the air slows; None where none is served
    reach : largest step times speed [rad] up to which every step was solved on the free body; None: all that were tried
    cost : nanoseconds a step, here and now
    """

    scheme: str
    order_attitude: Order
    order_velocity: Order
    torque_order_attitude: Order | None
    torque_order_velocity: Order | None
    energy: KeptQuantity
    spin_norm: KeptQuantity
    spin: KeptQuantity
    energy_under_torque: KeptQuantity | None
    vertical_spin: KeptQuantity | None
    unit_error: float
    reversal_error: float
    symplectic_defect: float
    frame_error: float
    axes_error: float
    air: AirTrial | None
    reach: float | None
    cost: float

    @property
    def keeps_unit_length(self) -> bool:
        """True if the quaternion stays a unit quaternion to rounding."""
        return self.unit_error <= UNIT

    @property
    def reversible(self) -> bool:
        """True if a step back undoes a step."""
        return self.reversal_error <= REVERSED

    @property
    def symplectic(self) -> bool:
        """True if the step is a symplectic map."""
        return self.symplectic_defect <= SYMPLECTIC

    @property
    def frame_equivariant(self) -> bool:
        """True if a step in a turned frame is the turned step."""
        return self.frame_error <= EQUIVARIANT

    @property
    def axes_equivariant(self) -> bool:
        """True if a step of a body with renamed principal axes is the renamed step."""
        return self.axes_error <= EQUIVARIANT


@np.errstate(all="ignore")  # what diverges overflows
def check(scheme: Scheme, progress: Callable[[float], None] = lambda share: None) -> ReportCard:
    """The report card of a scheme; ``progress`` gets the share that is done, 0 to 1.

    Everything is tried on a free body, also with schemes that serve only bodies under torque: their march works without
    one. The top is tried with schemes that serve a kind under torque. Ends with GivenUp where
    physics.core.cancellation says so.
    """
    free = any(SYSTEMS[kind].torque_free for kind in scheme.kinds)
    bound = any(SYSTEMS[kind].torque and SYSTEMS[kind].rotation_alone for kind in scheme.kinds)
    progress(0.0)
    (energy, spin_norm, spin, _), stretched = _courses(scheme, TUMBLING)
    progress(0.3)
    total: KeptQuantity | None = None
    vertical: KeptQuantity | None = None
    if bound:
        (total, _, _, vertical), more = _courses(scheme, TOP)
        stretched = max(stretched, more)
    progress(0.6)
    orders = observed_orders(scheme, SWIFT) if free or not bound else None
    torque_orders = observed_orders(scheme, TOP) if bound else None
    attitude, velocity = orders or torque_orders or (Order("unclear"), Order("unclear"))
    progress(0.8)
    starts = (TURNED, HEAVY) if bound else (TURNED,)
    missed = _largest([reversal(scheme, one, turn / one.speed) for one in starts for turn in ONE_STEP[:2]])
    defect = _largest([symplectic_defect(scheme, one, turn / one.speed) for one in starts for turn in ONE_STEP])
    bodies = (SKEWED, WEIGHED) if bound else (SKEWED,)
    frame = _largest([frame_error(scheme, one, turn / one.speed) for one in bodies for turn in MOVED])
    axes = _largest([axes_error(scheme, one, turn / one.speed) for one in bodies for turn in MOVED])
    air = tried_in_air(scheme, SWIFT.moments)
    progress(0.9)
    reach = _reach(scheme)
    cost = _cost(scheme, TUMBLING if free or not bound else TOP)
    progress(1.0)
    return ReportCard(
        scheme.name,
        attitude,
        velocity,
        torque_orders[0] if torque_orders else None,
        torque_orders[1] if torque_orders else None,
        energy,
        spin_norm,
        spin,
        total,
        vertical,
        stretched,
        missed,
        defect,
        frame,
        axes,
        air,
        reach,
        cost,
    )


def _courses(
    scheme: Scheme, motion: TrialMotion
) -> tuple[tuple[KeptQuantity, KeptQuantity, KeptQuantity, KeptQuantity], float]:
    """Energy, size of the spin, spin and its vertical part; and the largest error of the unit length."""
    fine = _marched(scheme, motion, TURNS[0])
    found = [course_of(change, TURNS[0], signed=k != 2) for k, change in enumerate(fine[:4])]
    unit = float(np.abs(fine[4]).max()) if fine.shape[1] else math.inf
    if not scheme.adaptive:  # it would take the same small steps
        coarse = _marched(scheme, motion, TURNS[1])
        if coarse.shape[1] == STEPS:
            unit = max(unit, float(np.abs(coarse[4]).max()))
            for k, course in enumerate(found):
                again = course_of(coarse[k], TURNS[1], signed=k != 2)
                if course.behaviour == "kept" or (course.behaviour == "bounded" and k != 2 and _creeps(coarse[k])):
                    found[k] = again
    return (found[0], found[1], found[2], found[3]), unit


def _marched(scheme: Scheme, motion: TrialMotion, turn: float) -> Array:
    """Relative changes (4, n) of energy, size of the spin, spin, vertical spin, and of the unit length (5th row)."""
    states = motion.march(scheme, turn / motion.speed, STEPS)
    start = np.concatenate([motion.attitude, motion.velocity])[None]
    energy, first = motion.energy(states), motion.energy(start)[0]
    spin, began = motion.spin(states), motion.spin(start)[0]
    size = np.linalg.norm(began)
    return np.stack(
        [
            energy / first - 1.0,
            np.linalg.norm(spin, axis=1) / size - 1.0,
            np.linalg.norm(spin - began, axis=1) / size,
            (spin[:, 2] - began[2]) / size,
            np.linalg.norm(states[:, :4], axis=1) - 1.0,
        ]
    )


def course_of(change: Array, turn: float, signed: bool) -> KeptQuantity:
    """The class of relative changes (n,); fewer than STEPS: the motion ended before. signed: whether they have a sign.

    A change that is large and stays away from 0 is a loss or a gain, though its halves may be alike: dissipation ends
    where there is nothing more to lose. One that swings drifts where its mean does, see CREEP.
    """
    size = np.abs(change)
    if len(change) < STEPS:
        ran_away = bool(len(change)) and not size[-10:].max() < 1.0
        return KeptQuantity("drifts" if ran_away else "unsolved", math.inf, math.inf, turn)
    first, second = float(size[: STEPS // 2].max()), float(size[STEPS // 2 :].max())
    largest = max(first, second)
    stays = largest > LARGE and float(size[STEPS // 2 :].min()) > BACK * largest
    behaviour: Behaviour
    if largest <= KEPT:
        behaviour = "kept"
    elif stays and signed and float(change.max()) <= LARGE * largest:
        behaviour = "dissipates"
    elif stays or largest > LOST or not second <= GROWTH * first or (signed and _creeps(change)):
        behaviour = "drifts"
    else:
        behaviour = "bounded"
    return KeptQuantity(behaviour, first, second, turn)


def _creeps(change: Array) -> bool:
    """True if a change (STEPS,) that swings moves on below its swings, as numerical damping lets it."""
    halves = change.reshape(2, -1)
    first, second = halves @ np.hanning(halves.shape[1]) * 2.0 / halves.shape[1]  # means without ends that cut a swing
    return bool(abs(second - first) > CREEP * np.ptp(halves, axis=1).max())


def _largest(errors: list[float]) -> float:
    """Largest error of the steps that have a solution; inf if none has one."""
    return max((error for error in errors if math.isfinite(error)), default=math.inf)


def _reach(scheme: Scheme) -> float | None:
    """See ReportCard."""
    reached = 0.0
    for turn in REACHES:
        if len(TUMBLING.march(scheme, turn / TUMBLING.speed, TRIED)) < TRIED:
            return reached
        reached = float(turn)
    return None


def _cost(scheme: Scheme, motion: TrialMotion) -> float:
    """Nanoseconds a step, the best of some runs of which only the last state is stored.

    The exact solution evaluates only what is stored: there it is every state.
    """
    h, best, clock = TURNS[0] / motion.speed, math.inf, clock_for(scheme)
    every = 1 if scheme.order is None else TIMED
    for _ in range(REPEATS):
        began = clock()
        motion.march(scheme, h, TIMED, every)
        best = min(best, clock() - began)
    return best / TIMED * 1e9
