"""Processes that draw the frames of a film: each every n-th one, so that all are ready in the order of the film.

No frame depends on those before, so a film is the same whatever the number of processes.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from app.export.offscreen_stage import studio
from app.playback.headline import Headline
from app.playback.run import Lane
from app.system import language, processes
from physics import PhysicsError, World
from physics.core.cancellation import undone_by
from physics.core.wording import N_

# of a scheme: drawing needs none
FUNCTIONS = ("start", "march", "torques", "code")


@contextmanager
def frames(
    world: World,
    lanes: Sequence[Lane],
    times: Sequence[float],
    count: int,
    *,
    transparent: bool,
    headline: Headline | None,
) -> Iterator[Iterator[np.ndarray]]:
    """Pictures (height, width, 3 or 4) of some times [s], drawn one after the other as they are taken.

    count : of processes that draw; with 1 it is this one
    transparent, headline : see ``studio``
    """
    if count == 1:
        with studio(world, lanes, transparent=transparent, headline=headline) as take:
            yield map(take, times)
        return
    plain: dict[str, Any] = dict.fromkeys(FUNCTIONS)
    drawn = [
        replace(lane, scheme=replace(lane.scheme, marches=dict.fromkeys(lane.scheme.marches), **plain))
        for lane in lanes
    ]
    order = pickle.dumps((language.used(), world, drawn, times, transparent, headline))
    with ExitStack() as stack:
        started = [stack.enter_context(_process(str(number), str(count))) for number in range(count)]
        for process in started:
            assert process.stdin is not None
            with suppress(BrokenPipeError), process.stdin as file:  # if it has ended, taking a frame says so
                file.write(order)
        yield (_received(started[number % count]) for number in range(len(times)))


@contextmanager
def _process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for its order; killed at the end of the block."""
    process = subprocess.Popen(
        processes.python("-m", "app.export.frame_processes", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=processes.environment(),
        **processes.apart(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with undone_by(process.kill):
            yield process
    finally:
        process.kill()
        process.stdout.close()
        with suppress(OSError):  # what is left in the pipe's buffer has nowhere to go
            process.stdin.close()
        process.wait()


def _received(process: subprocess.Popen[bytes]) -> np.ndarray:
    """The next frame of a process; raises what went wrong there."""
    assert process.stdout is not None
    try:
        answer = pickle.load(process.stdout)
    except (EOFError, pickle.UnpicklingError):
        raise PhysicsError(
            N_("a process that draws frames ended early, with status {process}", process.wait())
        ) from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, np.ndarray)
    return answer


def main() -> None:
    """Draw every n-th frame from a number on, both of which are arguments, until the other end closes."""
    number, count = map(int, sys.argv[1:])
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else may be printed among the frames
    processes.keep_caches_together()
    processes.ignore_settings_here()
    code, world, lanes, times, transparent, headline = pickle.load(sys.stdin.buffer)
    language.use(code)
    with suppress(BrokenPipeError):
        try:
            with studio(world, lanes, transparent=transparent, headline=headline) as take:
                for time in times[number::count]:
                    pickle.dump(take(time), answers)
                    answers.flush()
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - raised where the frame is taken
            pickle.dump(error, answers)
            answers.flush()


if __name__ == "__main__":
    main()
