"""The headline: the sentence that belongs to each time of a motion, of window, films, pages and pictures alike.

It says what the scene is until something differs, then what the flags of the timeline say, and at last who was right.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.playback.markers import AGAIN, DATA, FLAGS, TOGETHER, Marker, crosses, departures, happens, markers_of
from app.playback.run import Lane, current, end_of
from app.playback.verdicts import (
    departure,
    known_of,
    mark_at,
    name_of,
    notes,
    ranking,
    seconds_in_words,
    verdict,
)
from app.system.language import capitalised, tr
from app.system.own_words import title_of
from physics import Scenario
from physics.core.separation import NEAR, RIGHT, separation
from physics.simulation.schedule import Schedule

LETTERS = 15.0  # letters of a sentence that are read in a second
READ = 2.0, 5.0  # [s] for which a sentence of a film is shown at least and, where another one waits, at most
BRIEF = 1.0  # [s] of a film for which a sentence must be true to be shown
STAYS = 0.1  # share of a motion for which an event is spoken of, before the last flag is again
SHORT = 0.03  # share of a motion within which a lane that stands otherwise again does so often, if
OFTEN = 2  # it turns back so many times without a longer stay
SINGLE = 0.1  # share of a motion within which lanes do at one time what each of them does once
LONGEST = 120  # letters of sentences that are shown together


@dataclass(frozen=True)
class Headline:
    """Sentences by the times from which they are shown.

    Attributes
    ----------
    title : of the scene
    said : (time [s], sentence), rising; the first one is shown before its time too
    until : times [s] from which some of the sentences said are no longer true
    off : sentences that a lane is off, which win over all others
    end : time [s] at which lanes are compared with each other; None: at the end of the scenario
    paces : (time [s], simulated seconds in a second of a film from then on), rising; (): shown at no pace
    larger : factor by which letters are larger than usual
    flip : times [s] between which an inset shows why the body flips; None: at none
    """

    title: str
    said: tuple[tuple[float, str], ...]
    paces: tuple[tuple[float, float], ...] = ()
    larger: float = 1.0
    flip: tuple[float, float] | None = None
    until: Mapping[tuple[float, str], float] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    end: float | None = None

    def at(self, time: float) -> str:
        """The sentence at a time [s]."""
        return self.said[max(bisect_right(self.said, (time + 1e-9, "\U0010ffff")) - 1, 0)][1]

    def pace(self, time: float) -> float:
        """Simulated seconds in a second of the film at a time [s]; 1 where none is shown."""
        found = [pace for at, pace in self.paces if at <= time + 1e-9]
        return found[-1] if found else 1.0

    def shown(self, at: Callable[[float], float], back: Callable[[float], float]) -> Headline:
        """The headline of a film, in which each sentence stays as long as it takes to read, and while it is true.

        None is shown before it happens, and none later where there is room beside those that are read; one that would
        be true for less than BRIEF is left out, and so is one for which there is no room beside that a lane is off,
        which is said at once. Where none is true any more, the title is shown.

        at : film time [s] of a simulated one; back : simulated time of a film time
        """
        end = self.said[-1][0] if self.end is None else self.end
        events, last = list(self.said), self.said[-1]
        latest = at(end) - (0.0 if last[0] == end else BRIEF)
        closes = at(last[0]) >= latest  # such as who was right; else it is as the others
        events = events[:-1] if closes else events
        ends = {one: at(time) for one, time in self.until.items() if time <= end}
        waiting = [(at(one[0]), one[1], ends.get(one, math.inf)) for one in events]
        found, shown = list[tuple[float, str]](), dict[str, tuple[float, float]]()  # sentences: end, and time when read
        start = -math.inf
        while True:
            over = min((end for end, _ in shown.values()), default=math.inf)
            reads = {text: read for text, (_, read) in shown.items()}
            fresh = self.off - {*shown}
            held = BRIEF if found and {*shown} != {self.title} else 0.0  # a title alone gives way at once
            soon = [max(since, start + held) for since, text, _ in waiting if found and text in fresh]
            start = max(start, min([over, *soon[:1], *(self._free(reads, *one[:2]) for one in waiting[:1])]))
            if start == math.inf:
                break
            now = start + 1e-9
            still = {text: end for text, (end, _) in shown.items() if end > now}
            due = {text: end for text, end in still.items() if start < shown[text][1]}  # what is still true of it stays
            due.pop(self.title, None)
            due |= {text: end for since, text, end in waiting if since <= now}
            due = {text: end for text, end in due.items() if end >= start + BRIEF}
            late = set[str]()
            while len(due) > 1 and len(" ".join(due)) > LONGEST:
                others = [text for text in due if text not in self.off]
                if 0 < len(others) < len(due):
                    due.pop(others[0])
                else:
                    late.add(due.popitem()[0])  # it waits
            waiting = [one for one in waiting if one[0] > now or one[1] in late]
            if start == over:
                due = due or still or {self.title: math.inf}
            if not due:
                continue
            due = {text: due[text] for text in (*shown, *due) if text in due}  # what is shown already keeps its place
            text = " ".join(due)
            read = start + min(max(len(text) / LETTERS, READ[0]), READ[1])
            if not found or found[-1][1] != text:
                found.append((start, text))
            shown = {text: (end, shown[text][1] if text in still else read) for text, end in due.items()}
        timed = [events[0][:1] + found[0][1:]] if found else []
        timed += [(back(at), text) for at, text in found[1:] if at < latest]
        untrue = ends.get(last, math.inf) < at(end)
        if not untrue and (closes or not any(last[1] in text for _, text in timed)):  # it waited for too long
            timed = [*([one for one in timed if one[0] < last[0]] or timed[:1]), last]
        return replace(self, said=tuple(timed) if timed[-1][0] > timed[0][0] else tuple(timed[:1]))

    def _free(self, reads: Mapping[str, float], since: float, text: str) -> float:
        """The film time from which there is room for a sentence beside those that are not read until later.

        reads : when what is shown is read; since : film time from which the sentence is true
        """
        for start in sorted({since, *(read for read in reads.values() if read > since)}):
            unread = [one for one, read in reads.items() if read > start]
            if not unread or (self.title not in unread and len(" ".join([*unread, text])) <= LONGEST):
                break
        return start


def headline_of(scenario: Scenario, lanes: Sequence[Lane], until: float = math.inf, *, judged: bool = True) -> Headline:
    """The headline of a motion that is computed, up to a time [s]; judged: it ends with who was right."""
    lanes = current(lanes)
    marks = [*markers_of(lanes, Schedule.of(scenario).times[1:]), *departures(lanes)]
    return headline(scenario, lanes, marks, until, judged=judged)


def headline(
    scenario: Scenario,
    lanes: Sequence[Lane],
    marks: Iterable[Marker],
    until: float = math.inf,
    *,
    judged: bool = True,
) -> Headline:
    """The headline of a motion with these markers on its timeline, as far as it is known."""
    title, marks = title_of(scenario) or tr("Untitled"), list(marks)
    found, standings = [(0.0, title), *_events(lanes, marks)], dict[tuple[float, str], float]()
    off = set[tuple[float, str]]()
    for lane in lanes:
        own = _stands(lane)
        standings |= {one: over for one, (over, _) in own.items()}
        off |= {one for one, (_, is_off) in own.items() if is_off}
        if lane.truth is not None and lane.truth.stretches:
            standings |= dict.fromkeys(((lane.truth.valid_until, text) for text in notes([lane])), math.inf)
        else:
            found += [(0.0, text) for text in notes([lane])]
    parts = _parting(lanes)
    standings |= dict.fromkeys(parts, math.inf)
    found += standings
    end = min(end_of(lanes), until) if lanes else 0.0
    finished = end > 0.0 and all(lane.recording.finished for lane in lanes)
    timed = sorted((one for one in dict.fromkeys(found) if one[0] <= end), key=lambda one: one[0])
    said, standings = _told(timed, standings, off, end)
    before = said[-1][1] if len(said) > 1 else ""
    if judged and finished and (text := _outcome(lanes, end, before, own=bool(parts))):
        said = [*(one for one in said if one[0] < end), (end, text)]
    texts = frozenset(text for _, text in off)
    return Headline(title, tuple(said), until=standings, off=texts, end=end if finished else None)


def _told(
    said: Sequence[tuple[float, str]],
    until: Mapping[tuple[float, str], float],
    off: Iterable[tuple[float, str]],
    end: float,
) -> tuple[list[tuple[float, str]], dict[tuple[float, str], float]]:
    """Sentences with those that come back STAYS after another one, and until when those that end are true.

    That a lane is off wins: nothing else hides it for longer, and nothing again before it has stood as long.
    """

    def true(some: Iterable[tuple[float, str]], since: float, time: float) -> tuple[float, str] | None:
        """The last of some sentences up to one time that is true at another."""
        return max((one for one in some if one[0] <= since and until[one] > time), default=None)

    told, free = list[tuple[float, str]](), 0.0
    for one in said:
        if one not in off and true(off, one[0], one[0]):
            if one[0] < free:
                continue
            free = one[0] + 2.0 * STAYS * end
        told.append(one)
    found, standing = dict[tuple[float, str], float](), None
    for one, (following, _) in pairwise([*told, (end, "")]):
        back = min(one[0] + STAYS * end, until.get(one, math.inf))
        standing = one if one in until else standing
        best = true(off, one[0], back) or standing
        if best and best != one and one not in off and min(following, until[best]) > back:
            found[back, best[1]] = until[best]
    return sorted([*told, *found], key=lambda one: one[0]), {**until, **found}


def _stands(lane: Lane) -> dict[tuple[float, str], tuple[float, bool]]:
    """Sentences on how a lane stands to its true motion by the times [s] from which it does: until when, and if off.

    Where it goes there and back often, one sentence says that; a lane that is off when the truth ends stays so. After
    an edit from which it is compared anew nothing holds of what was said before.
    """
    left, off, truth, times = departure(lane), lane.off, lane.truth, lane.trajectory.time
    if left is None or off is None or truth is None:
        return {}
    ends = [event.time for event in lane.trajectory.events if event.failed]
    ends += [] if left.known else [truth.valid_until]
    last = math.inf if left.mark == "off" else min(ends, default=math.inf)
    found = dict[tuple[float, str], tuple[float, bool]]()
    for begin, end in pairwise([*np.unique(off.begins).tolist(), len(times)]):
        known = begin + np.flatnonzero(off.levels[begin:end] >= 0)
        found |= _stands_at(lane, known, off.levels[known], last if end == len(times) else float(times[end - 1]))
    return found


def _stands_at(
    lane: Lane, known: NDArray[np.intp], levels: NDArray[np.intp], until: float
) -> dict[tuple[float, str], tuple[float, bool]]:
    """The same of some rows (n,) with their levels (n,), as ``Separation`` has them; until [s]: when the last ends."""
    times, rows = lane.trajectory.time, np.flatnonzero(np.diff(levels, prepend=0))
    at, ways = times[known[rows]], np.diff(levels[rows], prepend=0)
    passes = np.diff(levels[rows] == 2, prepend=False)  # where NEAR is passed, this way or that
    over = np.append(at[1:], until)
    found, row = dict[tuple[float, str], tuple[float, bool]](), 0
    while row < len(rows):
        last = row
        while last + 1 < len(rows) and at[last + 1] - at[last] < SHORT * times[-1]:
            last += 1
        often = np.count_nonzero(np.diff(np.sign(ways[row : last + 1]))) >= OFTEN
        beyond = np.count_nonzero(passes[row : last + 1]) > OFTEN
        level = 1 + beyond if often else int(levels[rows[row]]) + (ways[row] < 0)
        way: Literal["out", "back", "often"] = "often" if often else "back" if ways[row] < 0 else "out"
        text, following = crosses(lane, (RIGHT, NEAR)[level - 1], at[row], way), last if often else row + 1
        found[float(at[row]), _closed(text)] = float(over[following - 1]), level == 2 and way != "back"
        row = following
    return found


def _parting(lanes: Sequence[Lane]) -> list[tuple[float, str]]:
    """Sentences on variants that truly move otherwise than the scenario as it is, with the times [s] from which.

    Where no lane is of the scenario as it is, from that of the first lane. Also after a lane has ended.
    """
    known = [(lane, lane.truth) for lane in lanes if lane.truth is not None and lane.truth.stretches]
    if not known:
        return []
    first, true = next((one for one in known if not one[0].world.scenario.variant), known[0])
    world, found = first.world, dict[str, tuple[float, str]]()
    times = max((lane.trajectory.time for lane in lanes), key=lambda one: float(one[-1]))
    if true.anew:  # from an edit on the truth of each lane goes on from its own state, which errors part too
        times = times[times <= true.stretches[0].end]
    for lane, other in known:
        variant = lane.world.scenario.variant
        if variant in (world.scenario.variant, *found):
            continue
        states = true.states(times)[:2], other.states(times)[:2]
        beyond = separation(*states, world.length, world.axles, world.symmetry_axis).departure > NEAR
        if beyond.any():
            at = float(times[int(beyond.argmax())])
            text = tr("Variant {variant} truly moves otherwise from {at}.")
            found[variant] = at, text.format(variant=variant, at=seconds_in_words(at))
    return [*found.values()]


def _outcome(lanes: Sequence[Lane], end: float, before: str, *, own: bool) -> str:
    """The last sentence of a headline; "" where there is nothing to say.

    before : the last of what happened, which is said too where all are right; own : whether lanes have their own truths
    """
    right = all(mark_at(lane, end) == "right" for lane in lanes)
    if own and right:
        return tr("All are right, each by its own truth.")
    text = outcome_sentence(lanes, end, own=own)
    both = f"{before} {text}"
    return both if right and before and text and len(both) <= LONGEST else text


def outcome_sentence(lanes: Sequence[Lane], time: float, *, own: bool = False) -> str:
    """Sentence on who was right up to a time [s], or how rocks and toys ended; "" where there is nothing to say.

    own : whether lanes have truths of their own
    """
    found = [(lane.scheme, departure(lane, time)) for lane in lanes]
    if not known_of(one for _, one in found):
        ended = _rests(lanes, time) if lanes[0].world.terrain is None else _run_outs(lanes)
        truths = [lane.truth for lane in lanes if lane.truth is not None and lane.truth.stretches]
        if ended and len(truths) == len(lanes):
            until = seconds_in_words(min(one.valid_until for one in truths))
            ended = tr("no truth after {until}; {ended}").format(until=until, ended=ended)
        return f"{capitalised(ended)}." if ended else ""
    text = ranking(lanes, time) or verdict(lanes[0], time, brief=True)
    return f"{text} {tr('Each lane has its own truth.')}" if own and text else text


def _run_outs(lanes: Sequence[Lane]) -> str:
    """Words for how far from the release rocks ended."""
    far = ", ".join(f"{name_of(lane.scheme)} {_run_out(lane):.0f} m" for lane in lanes)
    return tr("run-out: {lanes}").format(lanes=far)


def _rests(lanes: Sequence[Lane], time: float) -> str:
    """Words for the time when all lanes came to rest; "" where one moves at a time [s]."""
    found = []
    for lane in lanes:
        at = next((event.time for event in lane.trajectory.events if event.kind == "rest" and event.time <= time), None)
        if at is None:
            return ""
        found.append(tr("{title} after {time}").format(title=name_of(lane.scheme), time=seconds_in_words(at)))
    return tr("at rest: {lanes}").format(lanes=", ".join(found))


def _run_out(lane: Lane) -> float:
    """Horizontal distance [m] of the last place from the release."""
    places = lane.trajectory.position[:, :2]
    return float(np.linalg.norm(places[-1] - places[0]))


def _events(lanes: Sequence[Lane], marks: Iterable[Marker]) -> list[tuple[float, str]]:
    """Events in words, with their times [s]."""
    found = list[tuple[float, str]]()
    for kind, some in groupby(sorted(marks, key=lambda mark: (mark.kind, mark.time)), key=lambda mark: mark.kind):
        if kind in TOGETHER:
            found += _together(lanes, kind, list(some))
        elif kind == "impact":
            firsts = {mark.lane: mark for mark in reversed(list(some))}
            found += _together(lanes, kind, sorted(firsts.values(), key=lambda mark: mark.time))
        elif kind not in (*DATA, *FLAGS.values()):
            found += [(mark.time, _closed(mark.text)) for mark in some]
    return found


def _together(lanes: Sequence[Lane], kind: str, marks: Sequence[Marker]) -> list[tuple[float, str]]:
    """Sentences on events of a kind: which lanes do it at nearly one time, and which do not.

    Nearly: within half of the shortest time between two of one lane.
    """
    titles = list(dict.fromkeys(name_of(lane.scheme) for lane in lanes))
    times = {name: [mark.time for mark in marks if mark.lane == name] for name in titles}
    apart = min((b - a for some in times.values() for a, b in pairwise(some)), default=SINGLE * end_of(lanes))
    found, left = list[tuple[float, str]](), list(marks)
    off = {name_of(lane.scheme): _off_from(lane) for lane in lanes}
    while left:
        now = [mark for mark in left if mark.time - left[0].time <= apart / 2]
        left = left[len(now) :]
        if min(off.values()) < max(off.values()) and all(mark.time > off[mark.lane] for mark in now):
            continue  # what lanes do that are off already says nothing while others are right
        text = happens(kind, now[0].time)
        if len(titles) > 1:
            does = [name for name in titles if any(mark.lane == name for mark in now)]
            others = [name for name in titles if name not in does and (kind in AGAIN or not times[name])]
            parts = tr("{event}: {lanes}; not {others}") if others else tr("{event}: {lanes}")
            text = parts.format(event=text, lanes=", ".join(does), others=", ".join(others))
        found.append((now[-1].time, _closed(text)))
    return found


def _off_from(lane: Lane) -> float:
    """Time [s] from which a lane is off the true motion for good; infinity where it is not."""
    found = departure(lane)
    since = None if found is None else found.passages[NEAR].since
    return math.inf if since is None else since


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def names(text: str, lanes: Sequence[tuple[str, str]]) -> list[tuple[str, str | None]]:
    """A sentence cut at the names of lanes: pieces, and the colour of those that are a name.

    lanes : (name, colour) of each
    """
    colours = dict(lanes)
    if not colours:
        return [(text, None)]
    words = "|".join(re.escape(one) for one in sorted(colours, key=len, reverse=True))
    return [(piece, colours.get(piece)) for piece in re.split(rf"(?<!\w)({words})(?!\w)", text) if piece]
