"""Captions of a film: what to look for, when lanes leave the true motion, the verdict; or a scenario's own texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.document.recipe import span
from app.export.film_times import Timeline, cut
from app.playback.markers import FLAGS
from app.playback.run import Lane
from app.playback.verdicts import LEFT, departure, notes, seconds_in_words, verdict
from app.system.language import tr
from app.system.sentences import translated
from physics import Scenario, ScenarioError
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
    """Something to be said from a film time [s] on: that a lane is so many degrees off, or another sentence."""

    at: float
    sentence: Sentence
    time: float = 0.0  # [s] simulated
    degrees: float | None = None


def captions_of(scenario: Scenario, lanes: Sequence[Lane], timeline: Timeline) -> tuple[Caption, ...]:
    """The captions of a film, in their order; none is shown while another one is.

    Raises ScenarioError where one of the scenario's own is outside the film.
    """
    chosen = scenario.film.captions
    if chosen == "none":
        return ()
    last, end = span(scenario, lanes)[1], timeline.length + scenario.film.pause
    if isinstance(chosen, str):
        judged = Caption(max(0.0, min(timeline.length, end - READ)), end, _verdict(cut(lanes, last)))
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
    found = [_Event(0.0, Sentence(text)) for text in [first_sentence(translated(scenario.note))] if text]
    unknown = dict[str, float]()  # simulated times [s] from which no true motion is known, by what is said then
    for lane in lanes:
        leaves = departure(lane)
        for degrees, time in leaves.left.items() if leaves is not None else ():
            if degrees in FLAGS and time is not None and first <= time < last:
                found.append(_Event(timeline.at(time), Sentence("", lane.scheme), time, degrees))
        until = first if leaves is None or lane.truth is None else lane.truth.valid_until
        for text in notes([lane]):
            unknown[text] = min(until, unknown.get(text, until))
    found += [_Event(timeline.at(until), Sentence(text)) for text, until in unknown.items() if until < last]
    return sorted(found, key=lambda event: event.at)


def _in_turn(events: list[_Event], until: float) -> list[Caption]:
    """Captions of events, each shown as long as it takes to read, before a film time [s].

    An event that happens while a caption is shown has to wait; all that wait at its end are the next caption.
    """
    found, free = list[Caption](), 0.0
    while events and (start := max(free, events[0].at)) <= until - BRIEF:
        due = [event for event in events if event.at <= start]
        about = list(dict.fromkeys(event.sentence for event in due))[:MOST]
        said = [event for event in due if event.sentence in about]
        sentences = tuple(_sentence([event for event in said if event.sentence == one]) for one in about)
        free = start + _reading(sentences)
        found.append(Caption(start, min(free, until), sentences))
        events = [event for event in events if event not in said]
    return found


def _sentence(events: Sequence[_Event]) -> Sentence:
    """The sentence of events that have one; in words how far a lane is off."""
    times = {event.degrees: seconds_in_words(event.time) for event in events}
    scheme = events[0].sentence.scheme
    if scheme is None:
        return events[0].sentence
    if LEFT not in times:
        text = tr("{title} is 1° off the true motion at {at}.").format(title=scheme.title, at=times[1.0])
    elif 1.0 not in times:
        text = tr("{title} leaves the true motion at {at}: it is 10° off.").format(title=scheme.title, at=times[LEFT])
    else:
        text = tr("{title} is 1° off the true motion at {at}, and 10° at {later}.")
        text = text.format(title=scheme.title, at=times[1.0], later=times[LEFT])
    return Sentence(text, scheme)


def _verdict(lanes: Sequence[Lane]) -> tuple[Sentence, ...]:
    """A sentence a lane; of more than MOST lanes, which of them stay with the true motion and which leave it."""
    if len(lanes) <= MOST:
        found = [Sentence(text, lane.scheme) for lane in lanes if (text := verdict(lane))]
        return (*found, *(Sentence(text) for text in notes(lanes)))[:MOST]
    stay, leave = list[str](), list[str]()
    for lane in lanes:
        if (left := departure(lane)) is None:
            continue
        at = left.left[LEFT]
        if at is None:
            stay.append(lane.scheme.title)
        else:
            leave.append(tr("{title} at {at}").format(title=lane.scheme.title, at=seconds_in_words(at)))
    words = ((tr("Within 10° of the true motion: {lanes}."), stay), (tr("Leave the true motion: {lanes}."), leave))
    found = [Sentence(text.format(lanes="; ".join(titles))) for text, titles in words if titles]
    return (*found, *(Sentence(text) for text in notes(lanes)))[:MOST]


def _reading(sentences: Sequence[Sentence]) -> float:
    """Time [s] that it takes to read some sentences."""
    return max(READ, sum(len(one.text) for one in sentences) / LETTERS)
