"""Times of a film: its frames, and its events as chapters that players list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.document.recipe import span, title
from app.playback.markers import markers_of
from app.playback.run import Lane
from app.system.ffmpeg import Chapter
from app.system.language import tr
from physics import Scenario
from physics.simulation.schedule import Schedule

FASTEST_GIF = 50  # frames a second: browsers slow down faster ones
APART = (
    1.0  # [s] of film between two chapters at least: events of several lanes at nearly the same time are one chapter
)


def card_frames(fps: float, *seconds: float) -> int:
    """Number of frames of cards, each shown for some seconds."""
    return sum(round(each * fps) for each in seconds)


def frame_times(duration: float, fps: float, speed: float) -> np.ndarray:
    """Simulated times (n,) [s] of the frames of a run of that duration [s]."""
    return np.arange(max(1, round(duration / speed * fps))) * (speed / fps)


def chapters_of(scenario: Scenario, lanes: Sequence[Lane], frames: int) -> tuple[Chapter, ...]:
    """The chapters of a film of so many frames, the first with its title; () where nothing happens in it."""
    export = scenario.export
    first, last = span(scenario, lanes)
    opening, closing = (card_frames(export.fps, each) / export.fps for each in (export.title_card, export.end_card))
    end = frames / export.fps
    begun = [(0.0, title(scenario))]
    for event in markers_of(lanes, Schedule.of(scenario).times[1:]):
        at = opening + (event.time - first) / export.speed
        if first <= event.time <= last and at >= begun[-1][0] + APART and at < end - closing:
            begun.append((at, event.text))
    if closing:
        begun.append((end - closing, tr("What was shown")))
    ends = [*(at for at, _ in begun[1:]), end]
    return tuple(Chapter(at, to, name) for (at, name), to in zip(begun, ends, strict=True)) if len(begun) > 1 else ()
