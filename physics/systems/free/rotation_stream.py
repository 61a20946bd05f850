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
from physics.core.step_count import whole_steps
from physics.core.trajectory import Block, Event
from physics.schemes import driven_march
from physics.schemes.dormand_prince import Equations
from physics.schemes.driven_march import started
from physics.schemes.loop import marched, unsolved
from physics.schemes.own_process import SchemeFault
from physics.schemes.runge_kutta import march_truth
from physics.schemes.scheme import Scheme
from physics.systems.free.rotating_world import AttachedWorld, FreeWorld, RotatingWorld
from physics.systems.system import End, clock_for


def stream(world: RotatingWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone.

    The last state is that at the last full step before the scenario's duration.
    """
    scenario = world.scenario
    h, every = scenario.step, scenario.record_every
    total, begin = whole_steps(scenario.duration - world.time, h), world.time
    body, begun, march = _marching(world, scheme)
    q, w = body.to_principal(world.orientation, world.angular_velocity)
    yield _block(world, body, np.full(1, begin), np.concatenate([q, w])[None], 0)
    state, done = begun(), 0  # here: a kernel that the initial state does not need
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done  # the last state is stored even when it falls between
        out = np.empty((max(n, 1), 7))
        fault = ""
        try:
            good, residual = march(h, stride, state, out)
        except SchemeFault as error:
            good, residual, fault = error.rows, 0.0, str(error)
        times = begin + h * (done + stride * np.arange(1, good + 1))
        if good < len(out):
            speed = math.hypot(*(out[good - 1, 4:] if good else w))
            turn = f" (a step of {h:g} s turns the body by {h * speed:.3g} rad)"
            at = begin + h * (done + stride * (good + 1))
            failed = unsolved(scheme.name, at, residual, scheme.remedy, turn)
            if fault:
                failed = Event("failed-solve", at, f"{scheme.name}: ends before {at:g} s: {fault}")
            yield _block(world, body, times, out[:good], good * stride, (failed,))
            return
        done += stride * good
        last = begin + h * done
        ended = (Event("end", last, f"{scheme.name}: the run ends at {last:g} s"),) if done == total else ()
        yield _block(world, body, times, out, stride * good, ended)


def _marching(world: RotatingWorld, scheme: Scheme) -> tuple[Body, Callable[[], Array], Callable[..., Any]]:
    """The body with the principal axes of the loop, what makes its first state, and loop(h, every, state, out)."""
    acting = world.acting if isinstance(world, FreeWorld) else None
    body = world.body if acting is None else replace(world.body, axes=acting.axes)
    begun = body.to_principal(world.orientation, world.angular_velocity)
    if acting is None:
        J = np.ascontiguousarray(world.moments)
        return body, partial(scheme.start, J, *begun), partial(scheme.march, J, world.field)
    assert scheme.driven is not None  # the scenario refuses others
    return body, partial(started, acting, *begun, world.time), partial(scheme.driven, acting)


def equations(world: RotatingWorld) -> Equations:
    """The equations of motion: of a free body by its angular momentum, of one about a point by its angular velocity."""
    acting = world.acting if isinstance(world, FreeWorld) else None
    body = world.body if acting is None else replace(world.body, axes=acting.axes)
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
            w = (w - acting.rotors[0] - times[:, None] * acting.rotors[1]) / acting.moments
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
    assert scheme.march_many is not None
    scenario = world.scenario
    h, every, begin = scenario.step, scenario.record_every, world.time
    total, done, states = whole_steps(scenario.duration - begin, h), 0, starts
    yield np.full(1, begin), starts[None]
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done
        found = marched(scheme.march_many, world.moments, h, stride, states, max(n, 1))
        states = found[-1]
        yield np.asarray(begin + h * (done + stride * np.arange(1, len(found) + 1))), found
        done += stride * len(found)


def end(world: RotatingWorld, scheme: Scheme, count: int) -> End:
    """The attitude after the scenario's duration in ``count`` steps."""
    out, step = np.full((1, 7), np.nan), world.scenario.duration / count
    body, begun, march = _marching(world, scheme)
    state = begun()
    clock = clock_for(scheme)
    began = clock()
    good, _ = march(step, count, state, out)
    seconds = clock() - began
    attitude, _ = body.from_principal(out[:, :4], out[:, 4:])
    torques = scheme.torques(state) if callable(scheme.torques) else (scheme.torques or math.nan) * count
    acts = isinstance(world, AttachedWorld) or world.scenario.acted
    return End(attitude[0] if good else np.full(4, np.nan), seconds, torques if acts else math.nan)


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
