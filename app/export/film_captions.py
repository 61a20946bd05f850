"""Captions of a film: what to look for, when lanes leave the true motion, the verdict; or a scenario's own texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.document.recipe import span
from app.export.film_times import Timeline
from app.playback.run import Lane
from app.playback.verdicts import departure, name_of, notes, seconds_in_words, verdict
from app.system.language import tr
from app.system.own_words import note_of
from physics import Scenario, ScenarioError
from physics.core.separation import NEAR, RIGHT
from physics.schemes.scheme import Scheme

READ = 4.0  # [s] of film for which a caption is shown at least
LETTERS = 15.0  # of a caption that are read in a second
BRIEF = 2.0  # [s] of film: a caption that could be shown for less is left out
MOST = 3  # lines of a caption


@dataclass(frozen=True)
class Sentence:
    """A line of a caption, with the lane that it is about; None: all of them."""

    text: str
    scheme: Scheme | None = None


@dataclass(frozen=True)
class Caption:
    """Sentences that are shown between two film times [s], which count from the first frame of the motion."""

    start: float
    end: float
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class _Event:
    """Something to be said from a film time [s] on: that a lane passes a bound, or another sentence.

    yields : it makes room for the next one as soon as that happens
    """

    at: float
    sentence: Sentence
    time: float = 0.0  # [s] simulated
    bound: float | None = None
    yields: bool = False


def captions_of(scenario: Scenario, lanes: Sequence[Lane], timeline: Timeline) -> tuple[Caption, ...]:
    """The captions of a film, in their order; none is shown while another one is.

    Raises ScenarioError where one of the scenario's own is outside the film.
    """
    chosen = scenario.film.captions
    if chosen == "none":
        return ()
    last, end = span(scenario, lanes)[1], timeline.length + scenario.film.pause
    if isinstance(chosen, str):
        held = (len(timeline.times(scenario.export.fps)) - 1) / scenario.export.fps  # the last state, which it is about
        judged = Caption(held, end, _verdict(lanes, last))
        return (*_in_turn(_events(scenario, lanes, timeline), judged.start), judged)
    check_captions(scenario, last)
    starts = [timeline.at(caption.time) for caption in chosen]
    found = []
    for caption, start, following in zip(chosen, starts, [*starts[1:], end], strict=True):
        said = (Sentence(caption.text),)
        found.append(Caption(start, min(start + _reading(said), following), said))
    return tuple(found)


def check_captions(scenario: Scenario, last: float) -> None:
    """ScenarioError for a caption of the scenario's own that is outside a film which ends at a time [s]."""
    first, captions = scenario.export.first, scenario.film.captions
    for number, caption in enumerate(() if isinstance(captions, str) else captions):
        if not first <= caption.time < last:
            expected = f"expected a time in the film, from {first:g} to less than {last:.4g} s"
            raise ScenarioError(f"film.captions.{number}.time", f"{expected}, got {caption.time:g}")


def first_sentence(note: str) -> str:
    """The first sentence of a note."""
    return re.split(r"(?<=[.!?])\s+(?=[^\W\d_a-z])", note.strip(), maxsplit=1)[0]


def _events(scenario: Scenario, lanes: Sequence[Lane], timeline: Timeline) -> list[_Event]:
    """Captions in the course of a film, in its order."""
    first, last = span(scenario, lanes)
    note = first_sentence(note_of(scenario))
    found = [_Event(0.0, Sentence(note), yields=True)] if note else []
    unknown = dict[str, float]()  # simulated times [s] from which no true motion is known, by what is said then
    for lane in lanes:
        leaves = departure(lane, last)
        for bound, passed in leaves.passages.items() if leaves is not None else ():
            for time in dict.fromkeys((passed.left, passed.since)):
                if time is not None and first <= time < last:
                    found.append(_Event(timeline.at(time), Sentence("", lane.scheme), time, bound))
        until = first if leaves is None or lane.truth is None else lane.truth.valid_until
        for text in notes([lane]):
            unknown[text] = min(until, unknown.get(text, until))
    found += [_Event(timeline.at(until), Sentence(text)) for text, until in unknown.items() if until < last]
    return sorted(found, key=lambda event: event.at)


def _in_turn(events: list[_Event], until: float) -> list[Caption]:
    """Captions of events, each shown as long as it takes to read, before a film time [s].

    An event that happens while a caption is shown has to wait, unless that one yields; all that wait at its end are the
    next caption.
    """
    found, free = list[Caption](), 0.0
    while events and (start := max(free, events[0].at)) <= until - BRIEF:
        due = [event for event in events if event.at <= start]
        about = list(dict.fromkeys(event.sentence for event in due))[:MOST]
        said = [event for event in due if event.sentence in about]
        sentences = tuple(_sentence([event for event in said if event.sentence == one]) for one in about)
        free = start + _reading(sentences)
        events = [event for event in events if event not in said]
        if events and all(event.yields for event in said):
            free = min(free, max(start + BRIEF, events[0].at))
        found.append(Caption(start, min(free, until), sentences))
    return found


def _sentence(events: Sequence[_Event]) -> Sentence:
    """The sentence of events that have one; in words that a lane drifts from the true motion, or leaves it."""
    times = {event.bound: seconds_in_words(event.time) for event in events}
    scheme = events[0].sentence.scheme
    if scheme is None:
        return events[0].sentence
    title = name_of(scheme)
    if NEAR not in times:
        text = tr("{title} drifts from the true motion at {at}.").format(title=title, at=times[RIGHT])
    elif RIGHT not in times:
        text = tr("{title} leaves the true motion at {at}.").format(title=title, at=times[NEAR])
    else:
        text = tr("{title} drifts from the true motion at {at}, and leaves it at {later}.")
        text = text.format(title=title, at=times[RIGHT], later=times[NEAR])
    return Sentence(text, scheme)


def _verdict(lanes: Sequence[Lane], last: float) -> tuple[Sentence, ...]:
    """A sentence a lane on its motion up to a time [s]; of more than MOST lanes, which stay and which leave."""
    if len(lanes) <= MOST:
        found = [Sentence(text, lane.scheme) for lane in lanes if (text := verdict(lane, last))]
        return (*found, *(Sentence(text) for text in notes(lanes)))[:MOST]
    stay, leave = list[str](), list[str]()
    for lane in lanes:
        if (left := departure(lane, last)) is None:
            continue
        if (at := left.passages[NEAR].since) is None:
            stay.append(name_of(lane.scheme))
        else:
            leave.append(tr("{title} at {at}").format(title=name_of(lane.scheme), at=seconds_in_words(at)))
    words = ((tr("Within 10° of the true motion: {lanes}."), stay), (tr("Leave the true motion: {lanes}."), leave))
    found = [Sentence(text.format(lanes="; ".join(titles))) for text, titles in words if titles]
    return (*found, *(Sentence(text) for text in notes(lanes)))[:MOST]


def _reading(sentences: Sequence[Sentence]) -> float:
    """Time [s] that it takes to read some sentences."""
    return max(READ, sum(len(one.text) for one in sentences) / LETTERS)
