"""The driver of all marches: what is stored of a motion, in blocks, and how it ends."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from physics.core.rotation import Array
from physics.core.step_count import whole_steps
from physics.core.trajectory import Block, Event
from physics.core.wording import N_
from physics.schemes.loop import unsolved
from physics.schemes.own_process import SchemeFault
from physics.schemes.scheme import Scheme
from physics.systems.world import World

AT_ONCE = 4096  # steps that are watched, or sought for the one without a solution, at once: their states take memory


class StoredStretch(NamedTuple):
    """Stored states of one block: ``rows``, every ``stride`` steps, after ``done`` steps; last: there are no more."""

    done: int
    stride: int
    rows: int
    last: bool


def stretches(world: World, rows: int, every: int | None = None) -> Iterator[StoredStretch]:
    """The stretches of a world's duration, of at most so many rows; the last state is always stored.

    every : steps between two rows; None: as the scenario says
    """
    every = every or world.scenario.record_every
    total, done = whole_steps(world.scenario.duration - world.time, world.scenario.step), 0
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done
        reached = done + stride * max(n, 1)
        yield StoredStretch(done, stride, max(n, 1), reached == total)
        done = reached


@dataclass(frozen=True)
class Course:
    """Parts that a world gives the driver under a scheme.

    Attributes
    ----------
    first : (width,) the stored row of the initial state
    start : the state of the loop at the start, made when the first step is due: its kernels are compiled then
    march : ``march(h, every, state, out) -> rows done, residual``, every-th state into each row of out; fewer rows than
        out has mean that a step had no solution
    block : of times (n,) [s], rows (n, width), the steps since the block before, and events
    torques : torques evaluated by a scheme that counts them, of the last state; None: none acts
    turn : words on how far a step turns what is in a row; ""
    watch : events in the states of all steps, stored or not: times (m,) [s], rows (m, width); None: none are looked for
    """

    first: Array
    start: Callable[[], Array]
    march: Callable[[float, int, Array, Array], tuple[int, float]]
    block: Callable[[Array, Array, int, tuple[Event, ...]], Block]
    torques: Callable[[Array], float] | None = None
    turn: Callable[[Array], str] = lambda row: ""
    watch: Callable[[Array, Array], tuple[Event, ...]] | None = None


def stream(course: Course, world: World, scheme: Scheme, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone.

    The last state is that at the last full step before the scenario's duration, or before a step without a solution,
    which is sought where only some states are stored.
    """
    h, begin, row = world.scenario.step, world.time, course.first
    watch = course.watch or (lambda times, rows: ())
    yield course.block(np.full(1, begin), course.first[None], 0, watch(np.full(1, begin), course.first[None]))
    state = course.start()
    if course.watch is not None:  # a block has about as many steps as it else has rows
        rows = max(1, rows // world.scenario.record_every)
    for done, stride, n, over in stretches(world, rows):
        each, at_once = (stride, n) if course.watch is None else (1, AT_ONCE)
        before, solved, last = state.copy(), 0, row[None]  # steps, and what is known of the last of them
        kept, seen, residual, fault = list[Array](), list[Event](), 0.0, ""
        for found, outcome in _marched(course, h, each, state, n * stride // each, at_once):
            residual, fault = outcome
            seen += watch(np.asarray(begin + h * (done + solved + each * np.arange(1, len(found) + 1))), found)
            kept.append(found[-(solved + 1) % stride // each :: stride // each].copy())
            solved, last = solved + len(found) * each, found if len(found) else last
        out = np.concatenate(kept)
        if each > 1 and solved < n * stride and not fault:  # which of the steps to the next row had no solution
            state[:] = before
            last, more = _further(course, h, each, state, out)
            solved += more
        failed, numbers = solved < n * stride, stride * np.arange(1, solved // stride + 1)
        out = out[: len(numbers)]
        if failed and solved % stride:  # the last state is always stored
            out, numbers = np.concatenate([out, last[-1:]]), np.append(numbers, solved)
        row = out[-1] if len(out) else row
        ended: tuple[Event, ...] = ()
        if failed:
            at = begin + h * (done + solved + (each if fault else 1))
            ended = (unsolved(scheme.name, at, residual, scheme.remedy, course.turn(row)),)
            if fault:
                ended = (
                    Event("failed-solve", at, N_("{name}: ends before {at:g} s: {fault}", scheme.name, at, fault)),
                )
        elif over:
            end = begin + h * (done + stride * n)
            ended = (Event("end", end, N_("{name}: the run ends at {last:g} s", scheme.name, end)),)
        yield course.block(np.asarray(begin + h * (done + numbers)), out, solved, (*seen, *ended))
        if failed:
            return


def _marched(
    course: Course, h: float, each: int, state: Array, count: int, at_once: int
) -> Iterator[tuple[Array, tuple[float, str]]]:
    """States (up to at_once, width) ``each`` steps of h [s] apart, ``count`` in all, or until one is not solved.

    With the last residual, and why the code of a scheme failed, "" where it did not.
    """
    while count:
        some, fault = np.empty((min(at_once, count), len(course.first))), ""
        try:
            good, residual = course.march(h, each, state, some)
        except SchemeFault as error:
            good, residual, fault = error.rows, 0.0, str(error)
        yield some[:good], (residual, fault)
        if good < len(some):
            return
        count -= good


def _further(course: Course, h: float, stride: int, state: Array, stored: Array) -> tuple[Array, int]:
    """The last state (1 or more, width) after ``stored`` ones that is solved, (0, width): none is; and how many are.

    state : of the march before the stored rows, ``stride`` steps of h [s] apart, which it takes again
    """
    if len(stored):
        course.march(h, stride, state, stored)
    last, solved = np.empty((0, len(course.first))), 0
    for found, _ in _marched(course, h, 1, state, stride - 1, AT_ONCE):  # where all of these are, the next is not
        last, solved = found if len(found) else last, solved + len(found)
    return last, solved


class End(NamedTuple):
    """The end of a march.

    attitude (4,), of several bodies (b, 4): not finite where a step had no solution. seconds: that the steps took.
    torques: how many they evaluated, once at each attitude; NaN where no torque acts, or iterations of no constant
    number evaluate it.
    """

    attitude: Array
    seconds: float
    torques: float


def end(course: Course, world: World, scheme: Scheme, count: int) -> End:
    """The end of the scenario's duration in ``count`` steps; a scheme that cannot take the scenario has no solution."""
    until, attitude = world.scenario.duration, np.full_like(world.orientation, np.nan)
    if world.scenario.unfit(scheme.name):
        return End(attitude, math.nan, math.nan)
    state, out, clock = course.start(), np.empty((1, len(course.first))), clock_for(scheme)
    began = clock()
    good, _ = course.march((until - world.time) / count, count, state, out)
    seconds = clock() - began
    if good:
        attitude = course.block(np.full(1, until), out, count, ()).orientation[0]
    torques = math.nan
    if course.torques is not None:
        torques = scheme.torques * count if isinstance(scheme.torques, int) else course.torques(state)
    return End(attitude, seconds, torques)


def clock_for(scheme: Scheme) -> Callable[[], float]:
    """The clock [s] of what a scheme computes in this thread, which stands still while the thread waits for others.

    A window that draws keeps it waiting for milliseconds. Windows counts such time in ticks that are longer than runs,
    and the code of a user's scheme runs in another process: there it is the clock on the wall.
    """
    exact = time.get_clock_info("thread_time").resolution < 1e-6
    return time.thread_time if exact and scheme.code is None else time.perf_counter
