"""Numbers of a lane: the current values in its caption, chosen by the kind of scenario, see app.kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from app.stage.text.caption_text import Standing
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr, translated
from physics import Trajectory, World
from physics.core.separation import NEAR, RIGHT
from physics.systems import torque_free

WRONG = 1e-3  # smallest relative error that is marked
ERROR = "<1e-13"  # text as wide as any relative error below ten


class CaptionNumber(NamedTuple):
    """A number of a caption.

    Attributes
    ----------
    name, text : name and value; no text: neither is seen, and their room stays
    widest : widest text of the value
    wrong : marked as an error
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False


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
        text = "" if truth is None else _unknown(truth.valid_until)
        return Standing("unknown", text, text)
    if truth.source == "exact" and track.scheme.exact and whole.largest < FINEST:
        return Standing("right", tr("truth"), "")
    final = track.departure(last)
    word = "" if final is None else nearness(final, [(one.scheme, one.departure(last)) for one in lanes])
    at = at_in_words(whole.until) if whole.ended or (not whole.known and whole.verdict == "off") else ""
    nearer = max(word, nearness(final, ()), key=len) if final is not None and word else ""
    room = " ".join(filter(None, (max("188°", "0.88°", size_in_words(whole), key=len), at, nearer)))
    if whole.failed or whole.mark == "unknown":
        room = max(room, _unknown(truth.valid_until, track.end if whole.failed else None), key=len)
    if found.mark == "unknown":
        text = _unknown(truth.valid_until, track.end if found.failed else None)
        return Standing("unknown", text, room, found.failed)
    if final is not None and word:
        others = [(one.scheme, one.departure(time)) for one in lanes]
        word = nearness(found, others) if found.mark == final.mark else ""
    at = at_in_words(found.until) if found.ended or not found.known else ""
    return Standing(found.mark, " ".join(filter(None, (size_in_words(found), word, at))), room, found.failed)


def _unknown(until: float, failed: float | None = None) -> str:
    """Words that no true motion is known, or since when [s]; failed : time since which a lane has no solution."""
    if failed is not None:
        return tr("no solution after {time}").format(time=seconds_in_words(failed))
    return tr("no truth after {time}").format(time=seconds_in_words(until)) if until > 0.0 else tr("no truth known")


def in_detail(track: LaneTrack, time: float) -> str:
    """Words on how far the last stored state is off the true motion, and since when; "" where that is not known.

    Of bodies that move with the distance from the true place. A lane that came back says when it had left.
    """
    if time > track.end and not track.finished:
        return tr("computed to {time}").format(time=seconds_in_words(track.end))
    truth, found = track.truth, track.departure(time)
    if truth is None:
        return tr("truth follows")
    if not truth.stretches:
        return tr("no truth: {reason}").format(reason=translated(truth.reason))
    if found is None or found.mark == "unknown":
        return ""
    off = off_in_words(found) + (f", {length_in_words(found.metres)}" if _travels(track.run, track.world) else "")
    if found.ended or not found.known:
        off = f"{off} {at_in_words(found.until)}"
    left, since, _ = found.passages[RIGHT if found.passages[NEAR].left is None else NEAR]
    if left is None:
        return off
    when = tr("left at {time}") if since is None else tr("since {time}")
    return f"{off}  {when.format(time=seconds_in_words(left if since is None else since))}"


def _travels(run: Trajectory, world: World) -> bool:
    """True if the forces on a body depend on its attitude, and it has left its place."""
    bound = world.arm is not None or torque_free(world.scenario)
    return not bound and bool((run.position[0] != run.position[-1]).any())


def runs_of(numbers: Iterable[CaptionNumber], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    runs: list[TextRun] = []
    for number in numbers:
        name, text, widest = f"{number.name} ", f"{number.text}    ", f"{number.widest or number.text}    "
        if number.name:
            runs.append(TextRun(name if number.text else "", look.dim, 12.5, room=name))
        colour, weight = (look.alarm, "SemiBold") if number.wrong else (look.ink, "Medium")
        runs.append(TextRun(text if number.text else "", colour, 12.5, weight, room=widest))
    return tuple(runs)
