"""Times of a film: its frames, where it is slower, and its events as chapters that players list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from app.document.recipe import span, title
from app.playback.markers import FLAGS, departures, markers_of
from app.playback.run import Lane
from app.system.ffmpeg import Chapter
from app.system.language import tr
from physics import Scenario, ScenarioError
from physics.core.wording import N_
from physics.simulation.schedule import Schedule

FASTEST_GIF = 50  # frames a second: browsers slow down faster ones
APART = 1.0  # [s] of film between two chapters at least: events of several lanes at nearly one time are one chapter
LEFT_APART = 0.1  # [s] the same, before chapters that say how far off a lane is: no such moment shall be missing
FEW = 8  # flips and impacts that are chapters
AROUND = 0.5  # [s] of a film at its usual speed, before and after an event that is shown slower
PART = 1.0 / 3.0  # largest share of a film that is slower
SLOWED = 4.0  # [s] of a film at its usual speed that are shown slower, at most
FLIP = 2.0  # [s] of a film before and after its first flip
ROUNDS = 8  # rounds in which the pace and the parts that are slower, each of which gives the other, are found


def card_frames(fps: float, *seconds: float) -> int:
    """Number of frames of cards, each shown for some seconds."""
    return sum(round(each * fps) for each in seconds)


def motion_frames(scenario: Scenario) -> int:
    """Number of frames that a film of a wanted length has for the motion.

    Raises ScenarioError where the cards and the last picture, which is held, leave none.
    """
    export = scenario.export
    assert export.length is not None
    still = card_frames(export.fps, scenario.film.pause, export.title_card, export.end_card)
    left = round(export.length * export.fps) - still
    if left < 1:
        expected = N_("expected more than the {still:.3g} s of cards and of the last picture", still / export.fps)
        if not still:
            expected = N_("expected at least a frame, {least:.2g} s", 1.0 / export.fps)
        raise ScenarioError("export.length", N_("{expected}, got {length:g}", expected, export.length))
    return left


def frame_times(duration: float, fps: float, speed: float) -> np.ndarray:
    """Simulated times (n,) [s] of the frames of a run of that duration [s]."""
    return np.arange(max(1, round(duration / speed * fps))) * (speed / fps)


@dataclass(frozen=True)
class Timeline:
    """The simulated times that a film of a motion shows, which is slower around some of them.

    Attributes
    ----------
    bounds : (n + 1,) simulated times [s] between which the pace is constant, rising
    paces : (n,) simulated seconds in a second of film
    usual : the pace that most of the film has
    """

    bounds: tuple[float, ...]
    paces: tuple[float, ...]
    usual: float

    @property
    def _ends(self) -> np.ndarray:
        """Film times (n + 1,) [s] of the bounds."""
        return np.concatenate([[0.0], np.cumsum(np.diff(self.bounds) / self.paces)])

    @property
    def length(self) -> float:
        """Length of the film [s]."""
        return float(self._ends[-1])

    def lasting(self, seconds: float) -> Timeline:
        """The same parts of the motion in a film of another length [s]: all paces are multiplied."""
        factor = self.length / seconds
        return Timeline(self.bounds, tuple(factor * pace for pace in self.paces), factor * self.usual)

    def times(self, fps: float) -> np.ndarray:
        """Simulated times (n,) [s] of the frames; the last one shows the last state."""
        if len(self.paces) == 1:
            found = self.bounds[0] + frame_times(self.bounds[1] - self.bounds[0], fps, self.usual)
        else:
            found = np.interp(np.arange(max(1, round(self.length * fps))) / fps, self._ends, self.bounds)
        found[-1] = self.bounds[-1]
        return found

    def at(self, time: float) -> float:
        """Film time [s] at which a simulated time [s] is shown; the first or the last one for one outside."""
        return float(np.interp(time, self.bounds, self._ends))

    def time(self, film: float) -> float:
        """Simulated time [s] that is shown at a film time [s]."""
        return float(np.interp(film, self._ends, self.bounds))

    def slows(self, film: float) -> bool:
        """True if the motion is slower than usual at a film time [s]."""
        piece = int(np.searchsorted(self._ends[1:-1], film, side="right"))
        return film < self.length and self.paces[piece] < self.usual


def timeline_of(scenario: Scenario, lanes: Sequence[Lane]) -> Timeline:
    """The timeline of a film of some lanes: slower by ``film.slow`` around their flips and first impacts.

    Flips and impacts that are near each other are one stretch; those beyond SLOWED or PART of the film keep
    the usual speed. Of a film of a wanted length this is the speed that makes it as long.
    """
    (first, last), export, slow = span(scenario, lanes), scenario.export, scenario.film.slow
    moments = list(_moments(lanes)) if slow < 1.0 else []
    if export.length is None:
        return _timeline(first, last, moments, export.speed, slow)
    seconds = motion_frames(scenario) / export.fps
    found = Timeline((first, last), ((last - first) / seconds,), (last - first) / seconds)
    for _ in range(ROUNDS if moments else 0):
        found = _timeline(first, last, moments, found.usual, slow).lasting(seconds)
    return found


def _timeline(first: float, last: float, moments: Iterable[float], speed: float, slow: float) -> Timeline:
    """A timeline from a first to a last time [s] that is slower around some moments."""
    left = min(SLOWED * speed, (last - first) / (1.0 + (1.0 / PART - 1.0) / slow))
    bounds, paces = [first], list[float]()
    for begin, end in _stretches(moments, AROUND * speed, first, last):
        if bounds == [first]:
            end = min(end, begin + left)  # one stretch at least
        if end - begin > left + 1e-9 * speed:
            break
        if begin > bounds[-1]:
            bounds.append(begin)
            paces.append(speed)
        bounds.append(end)
        paces.append(slow * speed)
        left -= end - begin
    if last > bounds[-1] or not paces:
        bounds.append(last)
        paces.append(speed)
    return Timeline(tuple(bounds), tuple(paces), speed)


def _moments(lanes: Sequence[Lane]) -> Iterable[float]:
    """Times [s] of the flips and the first impact of each lane."""
    for lane in lanes:
        events = markers_of([lane], ())
        yield from (event.time for event in events if event.kind == "flip")
        yield from [event.time for event in events if event.kind == "impact"][:1]


def first_flip(lanes: Sequence[Lane], timeline: Timeline) -> tuple[float, float] | None:
    """Times [s] from and to which a film shows why the body flips: FLIP of film before its first flip, and after."""
    first, last = timeline.bounds[0], timeline.bounds[-1]
    flips = (event.time for event in markers_of(lanes, ()) if event.kind == "flip" and first <= event.time < last)
    if (moment := min(flips, default=None)) is None:
        return None
    at = timeline.at(moment)
    return timeline.time(at - FLIP), timeline.time(at + FLIP)


def _stretches(moments: Iterable[float], around: float, first: float, last: float) -> list[tuple[float, float]]:
    """Begin and end [s] of the parts of a motion around some moments, in their order, joined where they meet."""
    found: list[tuple[float, float]] = []
    for moment in sorted(at for at in moments if first <= at < last):
        begin, end = max(moment - around, first), min(moment + around, last)
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], end
        else:
            found.append((begin, end))
    return found


def chapters_of(scenario: Scenario, lanes: Sequence[Lane], frames: int) -> tuple[Chapter, ...]:
    """The chapters of a film of so many frames, the first with its title; () where nothing happens in it.

    They are where lanes leave the true motion, what happens, of flips and impacts FEW, the verdict and the end card.
    """
    export = scenario.export
    first, last = span(scenario, lanes)
    timeline = timeline_of(scenario, lanes)
    opening, closing = (card_frames(export.fps, each) / export.fps for each in (export.title_card, export.end_card))
    end = frames / export.fps
    held = card_frames(export.fps, scenario.film.pause) / export.fps
    begun = {0.0: title(scenario)}
    if scenario.film.captions == "auto" and held:
        begun[end - closing - held] = tr("Verdict")
    if closing:
        begun[end - closing] = tr("What was shown")
    events = markers_of(lanes, Schedule.of(scenario).times[1:])
    few = [event for event in events if event.kind in ("flip", "impact")][:FEW]
    main = [event for event in events if event.kind not in ("flip", "impact")]
    for event in (*departures(lanes), *main, *few):
        at, apart = opening + timeline.at(event.time), LEFT_APART if event.kind in FLAGS.values() else APART
        if first <= event.time <= last and at < end - closing and all(abs(at - other) >= apart for other in begun):
            begun[at] = event.text
    starts = sorted(begun)
    ends = [*starts[1:], end]
    return tuple(Chapter(at, to, begun[at]) for at, to in zip(starts, ends, strict=True)) if len(begun) > 1 else ()
