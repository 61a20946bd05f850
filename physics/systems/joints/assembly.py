"""Assembly: the mechanism of a scenario and the state in which it starts.

Joints lead from the ground, then from the first body of those that float, to all bodies: each joint in the file's order
that has one end there already. Poses and velocities of this tree follow from the angles and travels that the scenario
gives. The other joints close loops: what is not given is found by Newton's method, from the drawing, with the least
change of all angles and travels, then likewise all rates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, multiply, rotation_vector, unit_of
from physics.core.wording import N_, joined
from physics.joints import mechanism as parts
from physics.joints import rows
from physics.joints.joint_types import ALONG, JOINT_TYPES, NAMES, TURN_SECOND
from physics.joints.mechanism import CONSTRAINTS, GROUND, TYPES, Joint, Mechanism, Spring
from physics.systems.joints import parts_config as tables
from physics.systems.joints.parts_config import JointConfig, MotorConfig
from physics.systems.joints.scenario import JointsScenario
from physics.systems.metacentric import righting

CUT = 1e-9  # singular values below this share of the largest one count as zero
CLOSED = 1e-9  # share of the mechanism's size, or of the fastest rate: what is left open counts as nothing
ITERATIONS, FARTHEST = 50, 0.5  # of Newton's method, and the largest change in one [rad], [m]
STEPS, NARROW = 64, 1e-4  # in which angles and travels are given where that leads farther; the least share of a step
ASIDE = 1e-3  # [rad], [m]: how far from the start another pose is looked at, to see whether the rank is the same
MOST_FAR = 1e50  # [m] from the origin, and of a joint from its bodies
PARALLEL = 1e-4  # [deg] between axes that count as parallel
DENSE = 2000  # rows of the largest system whose forces are looked at one by one


class OpenLoop(ScenarioError):
    """A loop that cannot be closed with what the scenario gives.

    Attributes
    ----------
    name, gap : of the joint, and how far it is open, in words
    ends : (2, 3) its point on the first and on the second body, where it is open least [m]
    limbs : (n, 2, 3) lines from the centres of mass of bodies to their joints there [m]
    """

    name, gap = "", ""
    ends: Array = np.zeros((2, 3))
    limbs: Array = np.zeros((0, 2, 3))


class MechanismStart(NamedTuple):
    """A mechanism at its start.

    Attributes
    ----------
    mechanism : as compiled code takes it
    r, v : (b, 3) places [m] and velocities [m/s] of the centres of mass; q : (b, 4) attitudes of the principal axes;
        w : (b, 3) angular velocities in principal axes [rad/s]
    coordinates : (j, 3) angles and travels
    rank : number of independent constraints, motors not counted
    unique : (j,) whether the motion says what force a joint has
    notes : what was found, one sentence each
    """

    mechanism: Mechanism
    r: Array
    q: Array
    v: Array
    w: Array
    coordinates: Array
    rank: int
    unique: np.ndarray
    notes: tuple[str, ...]


def start_of(scenario: JointsScenario, bodies: Sequence[Body]) -> MechanismStart:
    """The mechanism of a scenario with these bodies, and its start.

    Raises ScenarioError, naming the joint, where a loop cannot be closed, rates contradict each other, or motors do.
    """
    return _Assembly(scenario, bodies).start()


class _Freedom(NamedTuple):
    """A coordinate of a joint, with what the scenario gives of it."""

    joint: int
    number: int
    value: float | None
    rate: float | None
    driven: bool


class _Closure(NamedTuple):
    """Joints that close loops.

    gaps (k,) : of their constraints, lengths in sizes of the mechanism; rates (k, f) : of these by the freedoms of the
    tree; counted (n, f) : of their own coordinates
    """

    gaps: Array
    rates: Array
    counted: Array


class _Assembly:
    """The tree of a scenario's joints, its loops, and the coordinates of both."""

    def __init__(self, scenario: JointsScenario, bodies: Sequence[Body]) -> None:
        joints = scenario.joints
        self._drawn, self._names = scenario.bodies, list(joints)
        self._fields, self._joints = [field for field, _ in joints.values()], [joint for _, joint in joints.values()]
        number = {one.name: i for i, one in enumerate(self._drawn)} | {tables.GROUND: GROUND}
        self._ends = [(number[a], number[b]) for a, b in (joint.between for joint in self._joints)]
        self._place = np.array([one.position for one in self._drawn], float)
        self._attitude = np.array([one.orientation for one in self._drawn], float)
        self._principal = multiply(self._attitude, np.array([body.axes for body in bodies]))
        made = [_made(joint, *ends) for joint, ends in zip(self._joints, self._ends, strict=True)]
        springs = [
            Spring(number[first], number[second], one.from_, one.to, one.stiffness, one.damping, one.rest)
            for one in scenario.spring
            for first, second in [one.between]
        ]
        self._mechanism = parts.from_drawing(
            [body.mass for body in bodies],
            [body.inertia for body in bodies],
            self._place,
            self._principal,
            made,
            springs,
            scenario.pull,
            [
                np.zeros(6) if one.restoring is None else righting(one.restoring, body, scenario.g)
                for one, body in zip(self._drawn, bodies, strict=True)
            ],
        )
        self._check_lengths(scenario)
        self._kinds = [one.kind for one in made]
        self._triads = [parts.triads(one.kind, one.axis, one.axis2)[0] for one in made]
        self._balls = [_ball(joint) for joint in self._joints]
        self._size = float(np.abs(self._mechanism.joints.arms).max(initial=0.0)) or 1.0
        self._tree, self._closing = _walk(len(bodies), self._ends)
        for j in self._closing:
            if self._joints[j].type == "ball" and self._joints[j].orientation is not None:
                text = N_("expected none: '{j}' closes a loop, which gives it", self._names[j])
                raise ScenarioError(f"{self._fields[j]}.orientation", text)
        self._free = [one for j in self._tree for one in self._freedoms(j)]
        self._bound = [one for j in self._closing for one in self._freedoms(j)]
        self._coordinates = np.zeros((len(self._joints), 3))
        for one in (*self._free, *self._bound):
            self._coordinates[one.joint, one.number] = one.value or 0.0

    def _check_lengths(self, scenario: JointsScenario) -> None:
        """ScenarioError where something lies so far away that squares of its distance are no numbers."""
        m, springs = self._mechanism, [f"spring.{i}" for i in range(len(scenario.spring))]
        lengths = [(f"{one.field}.position", place) for one, place in zip(self._drawn, self._place, strict=True)]
        lengths += zip((f"{field}.at" for field in self._fields), m.joints.arms, strict=True)
        lengths += zip(springs, m.springs.points, strict=True)
        for field, points in lengths:
            if not np.abs(points).max() < MOST_FAR:
                raise ScenarioError(
                    field, N_("lies too far from its bodies or the origin; expected less than {most_far:g} m", MOST_FAR)
                )

    def _freedoms(self, j: int, turns: Array | None = None) -> list[_Freedom]:
        """The coordinates of a joint; those of a ball joint are turns about the axes of its triad.

        turns : (b + 1, 4) of all bodies from the drawing, where loops have turned them
        """
        joint, motors, found = self._joints[j], self._mechanism.joints[j].motor, []
        for c in range(6 - int(CONSTRAINTS[self._kinds[j]])):
            value, rate = _given(joint, c)
            if joint.type == "planar" and c < 2 and joint.velocity is not None:
                rate = float(self._triads[j][1 + c] @ joint.velocity)
            if joint.type == "ball" and joint.angular_velocity is not None:
                first, second = self._ends[j]
                turn = self._balls[j] if turns is None else multiply(conjugate(turns[first]), turns[second])
                turn = turn if second == GROUND else multiply(turn, self._attitude[second])
                rate = float(self._triads[j][c] @ apply(turn, joint.angular_velocity))
            if motors[c] != parts.NO_MOTOR:
                at, rate, _ = rows.target(self._mechanism, 0.0, j, c)
                value = value if motors[c] == parts.RATE else at
            found.append(_Freedom(j, c, value, rate, bool(motors[c] != parts.NO_MOTOR)))
        return found

    def start(self) -> MechanismStart:
        """The mechanism and its start."""
        rank = sum(int(CONSTRAINTS[kind]) for kind in self._kinds)
        rates = np.array([one.rate or 0.0 for one in self._free])
        unique, notes = np.ones(len(self._joints), bool), list[str]()
        if self._closing:
            self._close()
            turns, _ = self._moves()
            self._free, self._bound = (
                [one for j in joints for one in self._freedoms(j, turns)] for joints in (self._tree, self._closing)
            )
            closure = self._closure()
            rates = self._rates(closure)
            self._check_motors(closure)
            notes += self._found(closure, rates)
            redundant = len(closure.rates) - _rank(closure.rates)
            if redundant:
                unique = self._unique(redundant)
                notes.append(
                    N_(
                        "{rank} constraints, {independent} independent: forces of these joints are not unique: {names}",
                        rank,
                        rank - redundant,
                        ", ".join(name for name, one in zip(self._names, unique, strict=True) if not one),
                    )
                )
            rank -= redundant
            if self._rank_aside(closure) > len(closure.rates) - redundant:
                notes.append(
                    N_(
                        "the mechanism starts in a singular position, where it has more freedoms than beside it: "
                        "which way it goes from there depends on rounding"
                    )
                )
        stuck = self._stuck(rank - 6 * len(self._drawn) + len(self._free))
        notes += [stuck] if stuck else []
        mechanism = self._mechanism
        for one in (*self._free, *self._bound):
            if mechanism.joints[one.joint].motor[one.number] == parts.RATE:
                mechanism.joints[one.joint].motors[one.number, 0] = self._coordinates[one.joint, one.number]
        pose = self._pose()
        velocity = self._velocities(rates[None], pose, self._root_twists(pose))[0, :-1]
        return MechanismStart(
            mechanism,
            pose.bodies.r[:-1],
            pose.bodies.q[:-1],
            velocity[:, :3],
            velocity[:, 3:],
            self._coordinates,
            rank,
            unique,
            tuple(notes),
        )

    # ---- poses and velocities of the tree ------------------------------------------------------------------

    def _turn(self, j: int) -> Array:
        """The turn (4,) of the second body of a joint against the first, from the drawing."""
        kind, (u, x, _), c = self._kinds[j], self._triads[j], self._coordinates[j]
        if kind == parts.BALL:
            return self._balls[j]
        if kind == parts.UNIVERSAL:
            return multiply(unit_of(c[0] * u), unit_of(c[1] * x))
        turns = TYPES[kind].turns
        return unit_of(c[turns[0]] * u if turns else 0.0 * u)

    def _axes(self, j: int) -> list[tuple[Array, Array]]:
        """Axes of turning and of travel of each coordinate of a joint, in the drawing of the first body."""
        triad, none, found = self._triads[j], np.zeros(3), []
        for one in TYPES[self._kinds[j]].coordinates:
            axis = triad[one.row[1]]
            if one.row[0] == TURN_SECOND:  # of the second triad, which the first coordinate tilts
                axis = apply(unit_of(self._coordinates[j, 0] * triad[0]), triad[1])
            found.append((axis, none) if one.turns else (none, axis))
        return found

    def _moves(self) -> tuple[Array, Array]:
        """Turns (b + 1, 4) and shifts (b + 1, 3) of bodies and ground from the drawing: x = turn X + shift."""
        turns, shifts = np.zeros((len(self._drawn) + 1, 4)), np.zeros((len(self._drawn) + 1, 3))
        turns[:, 0] = 1.0
        for j, outwards in self._tree.items():
            (first, second), at, turn = self._ends[j], np.array(self._joints[j].at), self._turn(j)
            shift = at - apply(turn, at)
            for x, (_, axis) in zip(self._coordinates[j], self._axes(j), strict=False):
                shift = shift + x * axis
            if outwards:
                turns[second] = multiply(turns[first], turn)
                shifts[second] = shifts[first] + apply(turns[first], shift)
            else:
                turns[first] = multiply(turns[second], conjugate(turn))
                shifts[first] = shifts[second] - apply(turns[first], shift)
        return turns, shifts

    def _pose(self) -> rows.MechanismPose:
        """The pose of the tree, not placed yet."""
        pose, (turns, shifts) = rows.new_pose(self._mechanism), self._moves()
        pose.bodies.q[:-1] = multiply(turns[:-1], self._principal)
        pose.bodies.r[:-1] = shifts[:-1] + apply(turns[:-1], self._place)
        pose.joints.coordinates = self._coordinates
        return pose

    def _root_twists(self, pose: rows.MechanismPose) -> Array:
        """Twists (b + 1, 6) of the floating bodies that have a velocity of their own, see ``_velocities``."""
        found = np.zeros((len(self._drawn) + 1, 6))
        for i, one in enumerate(self._drawn):
            found[i, :3] = apply(self._attitude[i], one.angular_velocity or (0.0, 0.0, 0.0))
            found[i, 3:] = np.array(one.velocity or (0.0, 0.0, 0.0)) - np.cross(found[i, :3], pose.bodies.r[i])
        return found

    def _velocities(self, rates: Array, pose: rows.MechanismPose, roots: Array | float = 0.0) -> Array:
        """Velocities (m, b + 1, 6) as in physics.joints, by rates (m, f) of the freedoms of the tree.

        roots : (b + 1, 6) twists, the angular velocity and the velocity of what is at the origin, inertial
        """
        twists = np.zeros((len(rates), len(self._drawn) + 1, 6)) + roots
        turns, shifts = self._moves()
        number = 0
        for j, outwards in self._tree.items():
            first, second = self._ends[j]
            new, old, sign = (second, first, 1.0) if outwards else (first, second, -1.0)
            twists[:, new] = twists[:, old]
            point = shifts[second] + apply(turns[second], self._joints[j].at)
            for turning, travel in self._axes(j):
                spin = apply(turns[first], turning)
                twist = np.concatenate([spin, apply(turns[first], travel) - np.cross(spin, point)])
                twists[:, new] += sign * rates[:, number, None] * twist
                number += 1
        spins = twists[..., :3]
        linear = twists[..., 3:] + np.cross(spins, pose.bodies.r)
        return np.concatenate([linear, apply(conjugate(pose.bodies.q), spins)], axis=-1)

    # ---- loops ---------------------------------------------------------------------------------------------

    def _closure(self) -> _Closure:
        """The loops at the coordinates of the tree; those of the joints that close them are counted."""
        mechanism, pose, j = self._mechanism, self._pose(), len(self._joints)
        rows.place(mechanism, pose)
        rows.count(mechanism, pose)
        gaps, jacobian = np.zeros((j, 6)), np.zeros((j, 6, 2, 6))
        rows.gaps(mechanism, 0.0, pose, gaps)
        rows.jacobian(mechanism, pose, jacobian)
        self._coordinates[self._closing] = pose.joints.coordinates[self._closing]
        chosen = [(n, row) for n in self._closing for row in range(CONSTRAINTS[self._kinds[n]])]
        scale = np.array([1.0 / self._size if self._is_length(n, row) else 1.0 for n, row in chosen])
        rates, counted = np.zeros((len(chosen), len(self._free))), np.zeros((len(self._bound), len(self._free)))
        each, own = np.zeros((j, 6)), np.zeros((j, 3))
        for i, velocity in enumerate(self._velocities(np.eye(len(self._free)), pose)):
            rows.row_rates(mechanism, jacobian, velocity, each)
            rows.coordinate_rates(mechanism, pose, velocity, own)
            rates[:, i] = [each[place] for place in chosen]
            counted[:, i] = [own[one.joint, one.number] for one in self._bound]
        return _Closure(scale * np.array([gaps[place] for place in chosen]), scale[:, None] * rates, counted)

    def _is_length(self, j: int, row: int) -> bool:
        return bool(parts.ROW_KINDS[self._kinds[j], row] == ALONG)

    def _close(self) -> None:
        """Give the tree and the loops the values that the scenario has, and find the others, from the drawing on.

        In one go, and where that leads far, step by step. Raises ScenarioError where the loops cannot be closed.
        """
        free = [i for i, one in enumerate(self._free) if one.value is None]
        held = [one for one in self._bound if one.value is not None]
        for steps in (1, STEPS):
            reached = self._reached(free, held, steps)
            if reached == 1.0:
                return
        last = self._coordinates.copy()
        self._closed(free, held, 1.0)
        gaps = np.abs(self._closure().gaps)
        pose = self._pose()
        whole = [(n, row) for n in self._closing for row in range(CONSTRAINTS[self._kinds[n]])]
        j, row = whole[int(gaps.argmax())]
        gap = f"{gaps.max() * self._size:.3g} m" if self._is_length(j, row) else f"{gaps.max():.3g} rad"
        if gaps.max() < CLOSED and held:  # but its own angle is another one, or that of another way to assemble it
            off = [abs(last[one.joint, one.number] - (one.value or 0.0)) for one in held]
            one = held[int(np.argmax(off))]
            j, left = one.joint, float(max(off))
            gap = (
                N_("{left:.3g} m of its travel", left)
                if self._unit(one) == "m"
                else N_("{left:.3g} rad of its angle", left)
            )
        given = [one for one in (*self._free, *self._bound) if one.value and self._kinds[one.joint] != parts.BALL]
        closes = [f"{self._names[one.joint]} {last[one.joint, one.number]:.3g} {self._unit(one)}" for one in given]
        text = N_("'{j}' cannot close its loop with what is given: the gap is {gap}", self._names[j], gap)
        at = ", ".join(closes) or N_("{reached:.0%} of what is given", reached)
        error = OpenLoop(self._fields[j], N_("{text}; from the drawing on, it closes up to {at}", text, at))
        error.name, error.gap = self._names[j], gap
        error.ends, error.limbs = self._seen(pose, j)
        raise error

    def _seen(self, pose: rows.MechanismPose, j: int) -> tuple[Array, Array]:
        """The two points of a joint and the limbs of all bodies in a pose, see ``OpenLoop``."""
        rows.place(self._mechanism, pose)
        centres, levers = pose.bodies.r, pose.joints.levers
        points = np.array(
            [[centres[end] + levers[n, side] for side, end in enumerate(ends)] for n, ends in enumerate(self._ends)]
        )
        limbs = [
            (centres[end], points[n, side])
            for n, ends in enumerate(self._ends)
            for side, end in enumerate(ends)
            if end != GROUND
        ]
        return points[j], np.array(limbs)

    def _unit(self, one: _Freedom) -> str:
        """Unit of a coordinate."""
        kind = self._kinds[one.joint]
        return "rad" if TYPES[kind].coordinates[one.number].turns else "m"

    def _reached(self, free: Sequence[int], held: Sequence[_Freedom], steps: int) -> float:
        """Share of the given values to which the loops close from the drawing on, in equal steps, then in halved ones.

        The mechanism is left there.
        """
        self._coordinates[:], self._balls = 0.0, [np.array([1.0, 0.0, 0.0, 0.0]) for _ in self._balls]
        share, step = 0.0, 1.0 / steps
        while share < 1.0 and step > NARROW:
            kept = self._coordinates.copy(), list(self._balls)
            further = min(share + step, 1.0)
            if self._closed(free, held, further):
                share = further
                continue
            self._coordinates[:], self._balls = kept
            step *= 0.5 if steps > 1 else 0.0
        return share

    def _closed(self, free: Sequence[int], held: Sequence[_Freedom], share: float) -> bool:
        """Change free coordinates of the tree until the loops are closed, with a share of all values that are given.

        False where that does not succeed, or leads far at once. held : coordinates of loops that have values
        """
        for one in self._free:
            if one.value is not None and self._kinds[one.joint] == parts.BALL:
                self._balls[one.joint] = unit_of(share * rotation_vector(_ball(self._joints[one.joint])))
            elif one.value is not None:
                self._coordinates[one.joint, one.number] = share * one.value
        return self._newton(free, held, share)

    def _newton(self, free: Sequence[int], held: Sequence[_Freedom] = (), share: float = 1.0) -> bool:
        """Close the loops as ``_closed`` does, without change of what is given of the tree."""
        near, index = True, [self._bound.index(one) for one in held]
        for _ in range(ITERATIONS):
            closure = self._closure()
            off = [self._coordinates[one.joint, one.number] - share * (one.value or 0.0) for one in held]
            gaps = np.concatenate([closure.gaps, off])
            change = _least(np.concatenate([closure.rates, closure.counted[index]])[:, free], -gaps)
            largest = float(np.abs(change).max(initial=0.0))
            for i, x in zip(free, change * min(1.0, FARTHEST / max(largest, FARTHEST)), strict=True):
                self._move(self._free[i], float(x))
            near = near and largest < FARTHEST
            if largest < 1e-10:  # whose square is what is left
                break
        return near and bool(np.abs(gaps).max(initial=0.0) <= CLOSED)

    def _move(self, one: _Freedom, x: float) -> None:
        """Change a coordinate of the tree."""
        if self._kinds[one.joint] == parts.BALL:
            turn = unit_of(x * self._triads[one.joint][one.number])
            self._balls[one.joint] = multiply(turn, self._balls[one.joint])
        else:
            self._coordinates[one.joint, one.number] += x

    def _rates(self, closure: _Closure) -> Array:
        """The rates (f,) of the tree: those that are given, and the least others."""
        given = [one for one in self._bound if one.rate is not None]
        bound = closure.counted[[i for i, one in enumerate(self._bound) if one.rate is not None]]
        whole = np.concatenate([closure.rates, bound])
        rates = np.array([one.rate or 0.0 for one in self._free])
        wanted = np.concatenate([np.zeros(len(closure.rates)), [one.rate or 0.0 for one in given]]) - whole @ rates
        free = [i for i, one in enumerate(self._free) if one.rate is None]
        rates[free] = _least(whole[:, free], wanted)
        left = wanted - whole[:, free] @ rates[free]
        fastest = max(np.abs(rates).max(initial=0.0), max((abs(one.rate or 0.0) for one in given), default=0.0))
        if np.abs(left).max() > CLOSED * fastest:
            last = max((one for one in (*self._free, *self._bound) if one.rate), key=lambda one: one.joint).joint
            if stuck := self._stuck(_rank(closure.rates)):
                raise ScenarioError(
                    self._fields[last], N_("{stuck}; expected no rate of '{last}'", stuck, self._names[last])
                )
            text = N_("the rates of '{last}' and of other joints of its loop contradict each other", self._names[last])
            raise ScenarioError(
                self._fields[last], N_("{text}: {left:.3g} rad/s are left; expected fewer", text, np.abs(left).max())
            )
        return rates

    def _stuck(self, closed: int) -> str:
        """Fault where no freedom is left, else ""; closed : number of the tree's freedoms that loops take."""
        if len(self._tree) < len(self._drawn) or len(self._free) > closed:
            return ""
        rows = sum(int(CONSTRAINTS[kind]) for kind in self._kinds)
        text = N_("no freedom is left, it cannot move: {rows} constraints of {drawn}", rows, 6 * len(self._drawn))
        axes = {j: self._triads[j][0] for j, kind in enumerate(self._kinds) if len(TYPES[kind].turns) == 1}
        for j, axis in axes.items():
            others = [other for k, other in axes.items() if k != j]
            if len(others) > 1 and all(_apart(other, others[0]) < PARALLEL for other in others):
                off = _apart(axis, others[0])
                if off > PARALLEL:
                    return N_(
                        "{text}; the axis of '{j}' is {off:.3g} degrees off the others'", text, self._names[j], off
                    )
        return text

    def _check_motors(self, closure: _Closure) -> None:
        """ScenarioError for motors that drive a freedom that the mechanism does not have, or one twice."""
        driven = [i for i, one in enumerate(self._bound) if one.driven]
        whole = np.concatenate([closure.rates, closure.counted[driven]])
        left = [i for i, one in enumerate(self._free) if not one.driven]
        motors = [one for one in (*self._free, *self._bound) if one.driven]
        if motors and _rank(whole[:, left]) < _rank(closure.rates) + len(driven):
            last = max(motors, key=lambda one: one.joint).joint
            text = N_(
                "'{last}' drives what another motor drives, or what cannot move; expected no motor here",
                self._names[last],
            )
            raise ScenarioError(f"{self._fields[last]}.motor", text)

    def _found(self, closure: _Closure, rates: Array) -> list[str]:
        """A sentence on what the loops gave."""
        found = []
        own = [*rates, *(closure.counted @ rates)]
        for one, rate in zip((*self._free, *self._bound), own, strict=True):
            x, kind = float(self._coordinates[one.joint, one.number]), self._kinds[one.joint]
            if kind == parts.BALL:
                continue
            unit = self._unit(one)
            at = f"{x:.4g} {unit}" if one.value is None and abs(x) > 1e-9 else ""
            fast = f"{rate:.4g} {unit}/s" if one.rate is None and abs(rate) > 1e-9 else ""
            if at or fast:
                values = joined(" and ", [text for text in (at, fast) if text])
                found.append(N_("{name} {values}", self._names[one.joint], values))
        return [N_("found by closing loops: {values}", joined(", ", found))] if found else []

    def _unique(self, redundant: int) -> np.ndarray:
        """Mask (j,) of the joints whose force the motion determines."""
        mechanism, pose, j = self._mechanism, self._pose(), len(self._joints)
        b = len(self._drawn)
        chosen = [(n, row) for n in range(j) for row in range(CONSTRAINTS[self._kinds[n]])]
        if len(chosen) > DENSE:
            return np.zeros(j, bool)
        rows.place(mechanism, pose)
        jacobian = np.zeros((j, 6, 2, 6))
        rows.jacobian(mechanism, pose, jacobian)
        whole = np.zeros((len(chosen), b + 1, 6))
        for i, (n, row) in enumerate(chosen):
            for side, body in enumerate(self._ends[n]):
                whole[i, body] = jacobian[n, row, side]
        flat = whole[:, :b].reshape(len(chosen), -1)
        flat /= np.linalg.norm(flat, axis=1, keepdims=True)
        idle = np.linalg.svd(flat)[0][:, -redundant:]  # multipliers that do nothing
        unique = np.ones(j, bool)
        unique[[n for (n, _), x in zip(chosen, np.abs(idle).max(axis=1), strict=True) if x > 1e-6]] = False
        return unique

    def _rank_aside(self, closure: _Closure) -> int:
        """Rank of the loops in a pose beside this one, which is kept."""
        kept, balls = self._coordinates.copy(), list(self._balls)
        _, sizes, ways = np.linalg.svd(closure.rates)
        ways = ways[int((sizes > CUT * sizes.max(initial=0.0)).sum()) :]
        if not len(ways):
            return 0
        way = np.random.default_rng(1).standard_normal(len(ways)) @ ways
        for one, x in zip(self._free, ASIDE * way / np.abs(way).max(), strict=True):
            self._move(one, float(x))
        rank = _rank(self._closure().rates, 1e-6) if self._newton(range(len(self._free))) else 0
        self._coordinates[:], self._balls = kept, balls
        return rank


def _walk(b: int, ends: Sequence[tuple[int, int]]) -> tuple[dict[int, bool], list[int]]:
    """The joints of the tree, each with whether it leads from its first body, and those that close loops."""
    tree, left, reached = dict[int, bool](), dict.fromkeys(range(len(ends))), {GROUND}
    for root in (GROUND, *range(b)):
        reached.add(root)
        before = -1
        while len(tree) > before:
            before = len(tree)
            for j in list(left):
                first, second = ends[j]
                if (first in reached) != (second in reached):
                    tree[j] = first in reached
                    reached |= {first, second}
                    del left[j]
    return tree, list(left)


def _given(joint: JointConfig, c: int) -> tuple[float | None, float | None]:
    """Value and rate of a coordinate of a joint, as far as its table has them; a ball's orientation is no change."""
    if joint.type == "ball":
        return None if joint.orientation is None else 0.0, None
    one = JOINT_TYPES[joint.type].coordinates[c]
    given = (getattr(joint, key) if key else None for key in (one.value, one.rate))
    value, rate = (each[c] if isinstance(each, tuple) else each for each in given)
    return value, rate


def _made(joint: JointConfig, first: int, second: int) -> Joint:
    """A joint as the mechanism takes it."""
    torques = iter(joint.torque or ())
    loads = [next(torques, None) if one.turns else joint.force for one in JOINT_TYPES[joint.type].coordinates]
    return Joint(
        NAMES.index(joint.type),
        first,
        second,
        joint.at,
        joint.axis or (0.0, 0.0, 1.0),
        joint.axis2 or (1.0, 0.0, 0.0),
        joint.stiffness or (),
        joint.rest or (),
        joint.damping or (),
        [load or 0.0 for load in loads],
        [_motor(motor, _given(joint, c)[0] or 0.0) for c, motor in enumerate(joint.motor)],
    )


def _motor(motor: MotorConfig, value: float) -> tuple[object, ...]:
    """A motor as the mechanism takes it; value: of its coordinate at the start."""
    if motor.rate is not None:
        return parts.RATE, motor.rate, value
    return (parts.PATH, motor.knots) if motor.path is not None else (parts.SINE, *(motor.sine or ()))


def _ball(joint: JointConfig) -> Array:
    """The turn of a ball joint at the start, a unit quaternion."""
    given = np.array(joint.orientation or (1.0, 0.0, 0.0, 0.0))
    return given / float(np.linalg.norm(given))


def _apart(one: Array, other: Array) -> float:
    """Angle [deg] between two axes, whichever way they point."""
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(one, other))), abs(float(one @ other))))


def _least(matrix: Array, wanted: Array) -> Array:
    """The smallest x for which matrix x is nearest to what is wanted."""
    return np.asarray(np.linalg.lstsq(matrix, wanted, rcond=CUT)[0]) if matrix.size else np.zeros(matrix.shape[1])


def _rank(matrix: Array, cut: float = CUT) -> int:
    """Number of independent rows of a matrix."""
    sizes = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(1)
    return int((sizes > cut * max(float(sizes.max(initial=0.0)), 1e-300)).sum())
