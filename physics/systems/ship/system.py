"""A ship: a hull that floats by its own mesh and moves with six degrees of freedom, in calm water and in waves."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from physics.core.rotation import Array, matrix, multiply, yaw_pitch_roll
from physics.core.trajectory import Block, Event, Trajectory
from physics.core.wording import N_
from physics.scenario.scenario import Scenario
from physics.schemes.dormand_prince import MOTION, Equations
from physics.schemes.scheme import Scheme
from physics.schemes.ship_march import AFLOAT, BEGIN, COLUMNS, EVALUATIONS, GIMBAL, STATE_SIZE, march_truth
from physics.seakeeping.ship_motion import SIZE
from physics.seakeeping.waves import elevation
from physics.systems.driver import Course
from physics.systems.ship.scenario import ShipScenario
from physics.systems.ship.world import ShipWorld, build
from physics.systems.system import Derived, System

TRIANGLES = 200.0  # whose pressure in calm water takes about as long as the rest of a step
CAPSIZE, SUNK = "capsize", "sunk"  # the kinds of events
CAPSIZED = 90.0  # heel [degrees] at which the deck is upright


def course(world: ShipWorld, scheme: Scheme) -> Course:
    """The march of a ship; a torque is an integral over the hull.

    Capsizing and sinking are recorded as events; the motion continues.
    """
    state = _start(world)
    return Course(
        first=state[:COLUMNS].copy(),
        start=lambda: state,
        march=partial(scheme.solver(AFLOAT), world.model),
        block=partial(_block, world),
        torques=lambda state: state[EVALUATIONS] or math.nan,
        watch=_Watch(world, scheme.name).seen,
    )


def equations(world: ShipWorld) -> Equations:
    """The equations of motion, with those of a gyro's gimbal."""
    model, span = world.model, world.scenario.duration - world.time
    size = math.sqrt(float(model.moments.max()) / model.mass)

    def motion(times: Array, rows: Array) -> tuple[Array, Array, Array, Array]:
        orientation, angular_velocity = world.body.from_principal(rows[:, 3:7], rows[:, 10:13])
        return rows[:, :3], orientation, rows[:, 7:10], angular_velocity

    return Equations(
        march=march_truth,
        model=model,
        room=np.empty(0),
        start=_start(world)[:SIZE],
        groups=np.array([*MOTION, (GIMBAL, 1), (GIMBAL + 1, 1)]),
        sizes=np.array([-size, 1.0, size / span, 1.0 / span, -1.0, 1.0 / span]),
        attitudes=np.array([MOTION[1][0]]),
        motion=motion,
    )


def _start(world: ShipWorld) -> Array:
    """The state of the loops at the start."""
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    state = np.zeros(STATE_SIZE)
    state[:COLUMNS] = np.concatenate([world.position, q, world.velocity, w])
    state[BEGIN] = world.time
    return state


def _block(world: ShipWorld, time: Array, out: Array, steps: int = 0, events: tuple[Event, ...] = ()) -> Block:
    orientation, angular_velocity = world.body.from_principal(out[:, 3:7], out[:, 10:])
    return Block(
        time=time,
        position=out[:, :3],
        orientation=orientation,
        velocity=out[:, 7:10],
        angular_velocity=angular_velocity,
        contact=np.zeros(len(time)),
        events=events,
        steps=steps,
    )


def _effort(world: ShipWorld) -> float:
    """The time of a step over that of one of a box in calm water."""
    waves = len(world.waves.amplitude)
    return 1.0 + len(world.model.triangles) / TRIANGLES * (5.0 + waves / 6.0 if waves else 1.0)


class _Watch:
    """Looks for the first step after which the ship has capsized, and for that after which it is under water."""

    def __init__(self, world: ShipWorld, scheme: str) -> None:
        self._world, self._scheme, self._reported = world, scheme, set[str]()
        self._over = _over(world.orientation[None])  # where it starts so, it does not capsize

    def seen(self, time: Array, rows: Array) -> tuple[Event, ...]:
        """Events in the states after some steps, at times (n,) [s]."""
        block = _block(self._world, time, rows)
        over = np.r_[self._over, _over(block.orientation)]
        self._over = over[-1:]
        return (
            *self._first(CAPSIZE, block.time, over[1:] & ~over[:-1], N_("capsizes: its heel passes 90°")),
            *self._first(SUNK, block.time, self._under(block), N_("is wholly under water")),
        )

    def _under(self, block: Block) -> np.ndarray:
        """True if no point of the hull is above the water and its waves, (n,)."""
        world, (x, y, z) = self._world, block.position.T
        under: np.ndarray = z < elevation(world.waves, x, y, block.time)  # the centre of gravity lies within the hull
        for i in np.flatnonzero(under):
            turn = matrix(multiply(block.orientation[i], world.body.axes))
            points = world.model.vertices @ turn.T + block.position[i]
            top = points[np.argmax(points[:, 2])]  # mostly it is dry, and the others need no look
            under[i] = all(
                (part[:, 2] < elevation(world.waves, part[:, 0], part[:, 1], block.time[i])).all()
                for part in (top[None], points)
            )
        return under

    def _first(self, kind: str, time: Array, holds: np.ndarray, text: str) -> tuple[Event, ...]:
        if kind in self._reported or not holds.any():
            return ()
        self._reported.add(kind)
        at = float(time[np.argmax(holds)])
        return (Event(kind, at, N_("{scheme}: at {at:.4g} s the ship {text}", self._scheme, at, text)),)


def _over(orientation: Array) -> np.ndarray:
    """True if the deck is beyond upright, (n,)."""
    return np.abs(yaw_pitch_roll(orientation)[:, 2]) > CAPSIZED


def _derive(run: Trajectory, _: Scenario) -> dict[str, Array]:
    _, trim, heel = np.radians(yaw_pitch_roll(run.orientation)).T
    return {"heel": heel, "trim": trim}


ROW = System(
    kind="ship",
    equations=equations,
    effort=_effort,
    scenario=ShipScenario,
    build=build,
    course=course,
    torque=True,
    derived={
        "heel": Derived("rad"),
        "trim": Derived("rad"),
    },
    derive=_derive,
    once=frozenset({CAPSIZE, SUNK}),
    compiling=14.0,
)
