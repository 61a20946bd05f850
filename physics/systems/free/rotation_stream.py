"""A body that turns: free, with its centre of mass on the exact parabola; or about a fixed point (top, vessel)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from physics.bodies.body import Body
from physics.core.rotation import Array, apply
from physics.core.trajectory import Block, Event
from physics.core.wording import N_
from physics.schemes import driven_march
from physics.schemes.dormand_prince import Equations
from physics.schemes.driven_body import DrivenBody
from physics.schemes.driven_march import DRIVEN, started
from physics.schemes.loop import MANY, marched
from physics.schemes.runge_kutta import march_truth
from physics.schemes.scheme import Scheme
from physics.systems.driver import Course, stretches
from physics.systems.free.rotating_world import AttachedWorld, FreeWorld, RotatingWorld


def course(world: RotatingWorld, scheme: Scheme) -> Course:
    """The march of a body that turns; its centre of mass flies, or the arm from the fixed point carries it."""
    body, acting = _body(world)
    q, w = body.to_principal(world.orientation, world.angular_velocity)
    if acting is None:
        J = np.ascontiguousarray(world.moments)
        start: Callable[[], Array] = partial(scheme.start, J, q, w)
        march: Callable[..., Any] = partial(scheme.march, J, world.field)
    else:
        start, march = partial(started, acting, q, w, world.time), partial(scheme.solver(DRIVEN), acting)

    def turn(row: Array) -> str:
        h, speed = world.scenario.step, math.hypot(*row[4:].tolist())
        return N_(" (a step of {h:g} s turns the body by {speed:.3g} rad)", h, h * speed)

    counted = scheme.torques if callable(scheme.torques) else lambda state: math.nan
    acts = isinstance(world, AttachedWorld) or world.scenario.acted
    first, block = np.concatenate([q, w]), partial(_block, world, body)
    return Course(first, start, march, block, counted if acts else None, turn)


def _body(world: RotatingWorld) -> tuple[Body, DrivenBody | None]:
    """The body with the principal axes of the loop, and with what acts on it, if anything does."""
    acting = world.acting
    return world.body if acting is None else replace(world.body, axes=acting.axes), acting


def equations(world: RotatingWorld) -> Equations:
    """The equations of motion: of a free body by its angular momentum, of one about a point by its angular velocity."""
    body, acting = _body(world)
    q, w = body.to_principal(world.orientation, world.angular_velocity)
    span = world.scenario.duration - world.time
    if acting is None:
        model: Any = (tuple(world.moments.tolist()), tuple(world.field.tolist()))
        march, start, size = march_truth, np.concatenate([q, w]), 1.0 / span
    else:
        model, march, start = acting, driven_march.march_truth, started(acting, q, w, world.time)[:7]
        size = float(acting.moments.max()) / span

    def motion(times: Array, rows: Array) -> tuple[Array, Array, Array, Array]:
        w = rows[:, 4:]
        if acting is not None:
            row = np.maximum(np.searchsorted(acting.rotor_times, times, side="right") - 1, 0)
            h, n = acting.rotors[row].swapaxes(0, 1)
            w = (w - h - (times - acting.rotor_times[row])[:, None] * n) / acting.moments
        found = _block(world, body, times, np.concatenate([rows[:, :4], w], axis=1), 0)
        return found.position, found.orientation, found.velocity, found.angular_velocity

    return Equations(
        march=march,
        model=model,
        room=np.empty(0),
        start=start,
        groups=np.array([(0, 4), (4, 3)]),
        sizes=np.array([1.0, size]),
        attitudes=np.array([0]),
        motion=motion,
    )


def stream_many(world: FreeWorld, scheme: Scheme, starts: Array, rows: int) -> Iterator[tuple[Array, Array]]:
    """Times (r,) [s] and states (r, n, 7) in principal axes of bodies like that of a world, from their starts (n, 7).

    At most so many rows at once, the first the starts alone; times are those of ``stream``. A body is NaN from where it
    has no solution on. The scheme is one that marches many.
    """
    h, march, states = world.scenario.step, scheme.solver(MANY), starts
    yield np.full(1, world.time), starts[None]
    for done, stride, n, _ in stretches(world, rows):
        found = marched(march, world.moments, h, stride, states, n)
        states = found[-1]
        yield np.asarray(world.time + h * (done + stride * np.arange(1, n + 1))), found


def flight(world: RotatingWorld, time: Array) -> tuple[Array, Array]:
    """Position (n, 3) [m] and velocity (n, 3) [m/s] of a free centre of mass at times (n,) [s]: a parabola."""
    fall, t = np.array([0.0, 0.0, -world.scenario.g]), time[:, None] - world.time
    return world.position + t * world.velocity + 0.5 * t * t * fall, world.velocity + t * fall


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def _block(
    world: RotatingWorld, body: Body, time: np.ndarray, out: np.ndarray, steps: int, events: tuple[Event, ...] = ()
) -> Block:
    orientation, angular_velocity = body.from_principal(out[:, :4], out[:, 4:])
    if isinstance(world, AttachedWorld):
        position = apply(orientation, world.arm)
        velocity = apply(orientation, np.cross(angular_velocity, world.arm))
    else:
        position, velocity = flight(world, time)
    return Block(
        time=time,
        position=position,
        orientation=orientation,
        velocity=velocity,
        angular_velocity=angular_velocity,
        contact=np.zeros(len(time)),
        events=events,
        steps=steps,
    )
