"""Bodies coupled by joints: their motion in blocks, and what their joints do in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics.core.rotation import Array
from physics.core.step_count import whole_steps
from physics.core.trajectory import Event
from physics.joints.mechanism import motion_of, row_size, start_state
from physics.schemes.loop import unsolved
from physics.schemes.scheme import Scheme
from physics.systems.joints.scenario import JointsScenario
from physics.systems.joints.world import JointsBlock, JointsWorld, build
from physics.systems.system import System


def stream(world: JointsWorld, scheme: Scheme, rows: int) -> Iterator[JointsBlock]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone."""
    scenario, size = world.scenario, row_size(world.mechanism)
    h, every, begin = scenario.step, scenario.record_every, world.time
    total, march = whole_steps(scenario.duration - begin, h), scheme.joints
    assert march is not None, f"{scheme.name} does not serve joints"
    q, w = world.to_principal(world.orientation, world.angular_velocity)
    state = start_state(world.mechanism, world.position, q, world.velocity, w, world.coordinates, begin)
    yield _block(world, np.full(1, begin), state[None, :size].copy(), 0)
    done = 0
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done  # the last state is stored even when it falls between
        out = np.empty((max(n, 1), size))
        good, residual = march(world.mechanism, h, stride, state, out)
        times = begin + h * (done + stride * np.arange(1, good + 1))
        done += stride * good
        ended: tuple[Event, ...] = ()
        if good < len(out):
            ended = (unsolved(scheme.name, begin + h * (done + stride), residual, scheme.remedy),)
        elif done == total:
            ended = (Event("end", begin + h * done, f"{scheme.name}: the run ends at {begin + h * done:g} s"),)
        yield _block(world, times, out[:good], stride * good, ended)
        if good < len(out):
            return


def _block(world: JointsWorld, time: Array, out: Array, steps: int, events: tuple[Event, ...] = ()) -> JointsBlock:
    found = motion_of(world.mechanism, out)
    orientation, angular_velocity = world.from_principal(found.q, found.w)
    return JointsBlock(
        time=time,
        position=found.r,
        orientation=orientation,
        velocity=found.v,
        angular_velocity=angular_velocity,
        contact=np.zeros(len(time)),
        coordinates=found.coordinates,
        events=events,
        steps=steps,
    )


ROW = System(
    kind="joints",
    scenario=JointsScenario,
    build=build,
    stream=stream,
    compiling=20.0,
)
