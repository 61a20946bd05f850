"""Numbers of a lane: the current values in its caption, chosen by the kind of scenario, see app.kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.playback.verdicts import (
    FINEST,
    at_in_words,
    length_in_words,
    nearness,
    off_in_words,
    seconds_in_words,
    size_in_words,
)
from app.stage.lane_track import LaneTrack
from app.stage.text.caption_text import Standing, mark_of
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr, translated
from physics import Trajectory, World
from physics.analysis.comparison import Departure
from physics.core.separation import NEAR, RIGHT, Verdict
from physics.systems import torque_free

WRONG = 1e-3  # smallest relative error that is marked
ERROR = "<1e-13"  # text as wide as any relative error below ten


class CaptionNumber(NamedTuple):
    """A number of a caption.

    Attributes
    ----------
    name, text : name and value
    widest : widest text of the value
    wrong : marked as an error
    named : name is visible
    seen : visible at all; the room stays
    gap : spaces behind it
    mark : verdict that stands before it as a mark
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False
    named: bool = True
    seen: bool = True
    gap: int = 4
    mark: Verdict | None = None


Caption = Callable[[Trajectory, World, float], Iterable[CaptionNumber]]  # by the run, the world and a time [s]


def no_numbers(run: Trajectory, world: World, time: float) -> tuple[CaptionNumber, ...]:
    """Caption without numbers."""
    return ()


def standing(track: LaneTrack, time: float, lanes: Sequence[LaneTrack] = (), last: float | None = None) -> Standing:
    """Standing of the last stored state to the true motion, in as few words as there are.

    A lane that is near at the last time, or off and the closest by far, says so, also before.

    lanes : all of the picture, of which it may be the closest; last : the last time that is shown [s]; None: the
        scenario's end
    """
    truth, found, whole = track.truth, track.departure(time), track.departure()
    if time > track.end and not track.finished:
        text = seconds_in_words(track.end)
        return Standing("unknown", text, text)
    if truth is None or found is None or whole is None:
        text = "" if truth is None else _untold(truth.valid_until)
        return Standing("unknown", text, text)
    if truth.source == "exact" and track.scheme.exact and whole.largest < FINEST:
        return Standing("right", tr("truth"), "")
    room = max("188°", "0.88°", size_in_words(whole), key=len)
    if whole.failed or (not whole.known and whole.verdict == "off"):
        room = max(room + " " + at_in_words(whole.until), _unsolved(whole) if whole.failed else "", key=len)
    if not whole.failed and whole.mark == "unknown":
        room = max(room, _untold(truth.valid_until), key=len)
    final = track.departure(last)
    word = "" if final is None else nearness(final, [(one.scheme, one.departure(last)) for one in lanes])
    if final is not None and word:
        room = f"{room} {max(word, nearness(final, ()), key=len)}"
    if found.mark == "unknown":
        text = _unsolved(found) if found.failed else _untold(truth.valid_until)
        return Standing("unknown", text, room, found.failed)
    if final is not None and word:
        others = [(one.scheme, one.departure(time)) for one in lanes]
        word = nearness(found, others) if found.mark == final.mark else ""
    at = at_in_words(found.until) if found.failed or not found.known else ""
    return Standing(found.mark, " ".join(filter(None, (size_in_words(found), word, at))), room, found.failed)


def _untold(until: float) -> str:
    """Words that no true motion is known, or since when [s]."""
    return tr("no truth after {time}").format(time=seconds_in_words(until)) if until > 0.0 else tr("no truth known")


def _unsolved(found: Departure) -> str:
    return tr("no solution after {time}").format(time=seconds_in_words(found.until))


def off_truth(track: LaneTrack, time: float) -> tuple[CaptionNumber, ...]:
    """Distance of the last stored state from the true motion, behind a mark: ✓ right, ≈ near, ✗ off, ? unknown.

    A lane that is not computed as far as the time says how far it is.
    Bodies that move have their distance from the true place too. The second number of a lane that leaves the true
    motion, or drifts from it, says since when, or when it did so before it came back.
    """
    if time > track.end and not track.finished:
        return (_unknown(tr("computed to {time}").format(time=seconds_in_words(track.end))),)
    truth, found, whole = track.truth, track.departure(time), track.departure()
    if truth is None:
        return (_unknown(tr("truth follows")),)
    if not truth.stretches:
        return (_unknown(tr("no truth: {reason}").format(reason=translated(truth.reason))),)
    ends = tr("no truth known"), tr("after {time}").format(time=seconds_in_words(truth.valid_until))
    if found is None or whole is None:
        return (_unknown(" ".join(ends)),)
    travels = _travels(track.run, track.world)
    since = tr("since {time}"), tr("left at {time}")
    first, second = [_widest(track, whole) + (", 0.88 mm" if travels else "")], [""]
    if whole.passages[RIGHT].left is not None:
        longest = max(seconds_in_words(track.end), "0.088 s", key=len)
        second += [one.format(time=longest) for one in since]
    if whole.failed:
        first = [f"{first[0]} {at_in_words(whole.until)}", _unsolved(whole)]
    if truth.reason:
        first, second = [*first, ends[0]], [*second, ends[1]]
        if not whole.known and whole.verdict == "off":
            first[0] = " ".join((first[0], at_in_words(whole.until)))
    rooms = max(first, key=len), max(second, key=len)  # a card must not grow in a film
    mark = found.mark
    if mark == "unknown" and found.failed:
        texts = _unsolved(found), ""
    elif mark == "unknown":
        texts = ends
        if len(both := " ".join(texts)) <= len(rooms[0]):
            texts = both, ""
    else:
        off = off_in_words(found) + (f", {length_in_words(found.metres)}" if travels else "")
        near, right = found.passages[NEAR], found.passages[RIGHT]
        passed = near if near.left is not None else right
        if found.failed or not found.known:
            off = " ".join((off, at_in_words(found.until)))
        at = passed.left if passed.since is None else passed.since
        label = since[passed.since is None]
        texts = off, "" if at is None else label.format(time=seconds_in_words(at))
    number = CaptionNumber("", texts[0], rooms[0], mark == "off", named=False, mark=mark)
    if not rooms[1]:
        return (number,)
    return number._replace(gap=2), CaptionNumber("", texts[1], rooms[1], mark == "off", named=False)


def _widest(track: LaneTrack, found: Departure) -> str:
    """The widest text that says how far a lane is off in the course of a motion."""
    longest = max(track.whole.body_names, key=len, default="")
    axled = any(axle is not None for axle in track.whole.axles)
    wide = 0.88 if found.axis is None else 188.0  # an axis is named beyond 1 degree only
    return off_in_words(
        replace(
            found,
            last=wide,
            body=longest,
            axle=axled,
            axis=None if found.axis is None else 0.88,
            phase=None if found.phase is None else 0.88,
        )
    )


def _unknown(why: str) -> CaptionNumber:
    return CaptionNumber("", why, named=False, mark="unknown")


def _travels(run: Trajectory, world: World) -> bool:
    """True if the forces on a body depend on its attitude, and it has left its place."""
    bound = world.arm is not None or torque_free(world.scenario)
    return not bound and bool((run.position[0] != run.position[-1]).any())


def runs_of(numbers: Iterable[CaptionNumber], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    runs: list[TextRun] = []
    for number in numbers:
        gap = " " * number.gap
        name, text, widest = f"{number.name} ", number.text + gap, (number.widest or number.text) + gap
        weight = "SemiBold" if number.wrong or not number.named else "Medium"
        colour = look.alarm if number.wrong else look.ink
        if number.mark is not None:
            runs.append(mark_of(number.mark, look, 12.5))
        if number.name:
            runs.append(TextRun(name if number.named and number.seen else "", look.dim, 12.5, room=name))
        runs.append(TextRun(text if number.seen else "", colour, 12.5, weight, room=widest))
    return tuple(runs)
