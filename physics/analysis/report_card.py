"""The report card of a scheme: what it keeps, its order and reach, found by marching it, whatever its row claims.

Two bodies are enough: one that tumbles freely, and a top (see physics.analysis.trial_motions). Classes and thresholds
are explained, with their numbers, in assets/help/report-card.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from physics.analysis.observed_order import Order, observed_orders
from physics.analysis.one_step_defects import reversal, symplectic_defect
from physics.analysis.trial_motions import HEAVY, SWIFT, TOP, TUMBLING, TURNED, TrialMotion
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme
from physics.systems import SYSTEMS
from physics.systems.system import clock_for

Behaviour = Literal["kept", "bounded", "drifts", "dissipates", "unsolved"]

STEPS = 20_000
TURNS = (0.08, 0.5)  # step times speed [rad]; what is kept at the first one is looked at again at the second one
KEPT = 1e-11  # largest relative change by rounding
GROWTH = 1.3  # of the second half over the first one, from which on a change drifts
LARGE = 1e-2  # a change above it that does not come back is a loss or a gain
BACK = 0.2  # of the largest change: what comes back so far in the second half comes back
LOST = 0.5  # a change above it bounds nothing
UNIT = 1e-12  # largest departure of the quaternion's length from 1
REVERSED = 1e-13  # largest miss of a step and a step back
SYMPLECTIC = 1e-10  # largest defect
ONE_STEP = (0.16, 0.5, 3.0)  # step times speed [rad] of one step; the last one for the form alone
REACHES = 0.1 * 1.12 ** np.arange(49)  # step times speed [rad], up to 23
TRIED = 150  # steps at each of them
REPEATS, TIMED = 5, 2000  # clocked runs, and their steps


@dataclass(frozen=True)
class Course:
    """How a quantity that the motion keeps goes: largest relative changes in both halves of STEPS steps.

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
    """What was found.

    Attributes
    ----------
    scheme : its name
    order_attitude, order_velocity : on the free body; on the top where no free body is served
    torque_order_attitude, torque_order_velocity : on the top; None where it is not served
    energy, spin_norm, spin : of the free body: kinetic energy, size and vector of the spin in space
    energy_under_torque, vertical_spin : of the top; None where it is not served
    unit_error : largest departure of the quaternion's length from 1, on all motions, as far as they are solved
    reversal_error : largest miss of a step and a step back
    symplectic_defect : the largest one, see physics.analysis.one_step_defects
    reach : largest step times speed [rad] up to which every step was solved on the free body; None: all that were tried
    cost : nanoseconds a step, here and now
    """

    scheme: str
    order_attitude: Order
    order_velocity: Order
    torque_order_attitude: Order | None
    torque_order_velocity: Order | None
    energy: Course
    spin_norm: Course
    spin: Course
    energy_under_torque: Course | None
    vertical_spin: Course | None
    unit_error: float
    reversal_error: float
    symplectic_defect: float
    reach: float | None
    cost: float

    @property
    def keeps_unit_length(self) -> bool:
        """Whether the quaternion stays a unit quaternion to rounding."""
        return self.unit_error <= UNIT

    @property
    def reversible(self) -> bool:
        """Whether a step back undoes a step."""
        return self.reversal_error <= REVERSED

    @property
    def symplectic(self) -> bool:
        """Whether the step is a symplectic map."""
        return self.symplectic_defect <= SYMPLECTIC


def check(scheme: Scheme, progress: Callable[[float], None] = lambda share: None) -> ReportCard:
    """The report card of a scheme; ``progress`` gets the share that is done, 0 to 1.

    Everything is asked of a free body, also of schemes that serve only bodies under torque: their march works without
    one. The top is asked of schemes that serve a kind under torque. Ends with GivenUp where
    physics.core.cancellation says so.
    """
    with np.errstate(all="ignore"):  # what diverges overflows
        return _checked(scheme, progress)


def _checked(scheme: Scheme, progress: Callable[[float], None]) -> ReportCard:
    free = any(SYSTEMS[kind].torque_free for kind in scheme.kinds)
    bound = any(SYSTEMS[kind].torque and SYSTEMS[kind].rotation_alone for kind in scheme.kinds)
    progress(0.0)
    (energy, spin_norm, spin, _), stretched = _courses(scheme, TUMBLING)
    progress(0.3)
    total: Course | None = None
    vertical: Course | None = None
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
        reach,
        cost,
    )


def _courses(scheme: Scheme, motion: TrialMotion) -> tuple[tuple[Course, Course, Course, Course], float]:
    """Energy, size of the spin, spin and its vertical part; and the largest error of the unit length."""
    fine = _marched(scheme, motion, TURNS[0])
    found = [course_of(change, TURNS[0], signed=k != 2) for k, change in enumerate(fine[:4])]
    unit = float(np.abs(fine[4]).max()) if fine.shape[1] else math.inf
    if not scheme.adaptive:  # it would take the same small steps
        coarse = _marched(scheme, motion, TURNS[1])
        if coarse.shape[1] == STEPS:
            unit = max(unit, float(np.abs(coarse[4]).max()))
            for k, course in enumerate(found):
                if course.behaviour == "kept":
                    found[k] = course_of(coarse[k], TURNS[1], signed=k != 2)
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


def course_of(change: Array, turn: float, signed: bool) -> Course:
    """The class of relative changes (n,); fewer than STEPS: the motion ended before. signed: whether they have a sign.

    A change that is large and stays away from 0 is a loss or a gain, though its halves may be alike: dissipation ends
    where there is nothing more to lose.
    """
    size = np.abs(change)
    if len(change) < STEPS:
        ran_away = bool(len(change)) and not size[-10:].max() < 1.0
        return Course("drifts" if ran_away else "unsolved", math.inf, math.inf, turn)
    first, second = float(size[: STEPS // 2].max()), float(size[STEPS // 2 :].max())
    largest = max(first, second)
    stays = largest > LARGE and float(size[STEPS // 2 :].min()) > BACK * largest
    behaviour: Behaviour
    if largest <= KEPT:
        behaviour = "kept"
    elif stays and signed and float(change.max()) <= LARGE * largest:
        behaviour = "dissipates"
    elif stays or largest > LOST or not second <= GROWTH * first:
        behaviour = "drifts"
    else:
        behaviour = "bounded"
    return Course(behaviour, first, second, turn)


def _largest(errors: list[float]) -> float:
    """Of the steps that have a solution; inf where none has one."""
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
