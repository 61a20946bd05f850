"""Numbers of a lane: the current values in its caption, chosen by the kind of scenario, see app.kinds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.playback.verdicts import LEFT, RIGHT, off_in_words, seconds_in_words
from app.stage.lane_track import LaneTrack
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.system.sentences import translated
from physics import Trajectory, World
from physics.systems import torque_free

WRONG = 1e-3  # smallest relative error that is marked
ERROR = "<1e-13"  # as wide as any relative error below ten


class Number(NamedTuple):
    """A number of a caption.

    Attributes
    ----------
    name, text : name and value
    widest : widest text of the value
    wrong : marked as an error
    named : name is visible
    seen : visible at all; the room stays
    gap : spaces behind it
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False
    named: bool = True
    seen: bool = True
    gap: int = 4


Caption = Callable[[Trajectory, World, float], Iterable[Number]]  # by the run, the world and a time [s]


def no_numbers(run: Trajectory, world: World, time: float) -> tuple[Number, ...]:
    """Caption without numbers."""
    return ()


def off_truth(track: LaneTrack, time: float) -> tuple[Number, ...]:
    """Angle of the last stored state off the true motion, behind a sign: ✓ up to 1°, ≈ up to 10°, ✗ more, ? unknown.

    A lane that is not computed as far as the time says how far it is.
    Bodies that move have their distance from the true place too. The second number of a lane that leaves the true
    motion says since when: first more than 10° off, or before that 1°.
    """
    if time > track.end and not track.finished:
        return (_unknown(tr("computed to {time}").format(time=seconds_in_words(track.end))),)
    truth, off = track.truth, track.off(time)
    if truth is None or off is None:
        return (_unknown(tr("truth follows")),)
    if not truth.stretches:
        return (_unknown(tr("no truth: {reason}").format(reason=translated(truth.reason))),)
    degrees, metres, axis = off
    travels, left = _travels(track.run, track.world), next((at for at in track.leaves if at <= time), None)
    widest = _angle_off(*((0.88, None) if axis is None else (188.0, 0.88))) + (", 0.88 mm" if travels else "")
    ends = tr("no truth known"), tr("after {time}").format(time=seconds_in_words(truth.valid_until))
    since = tr("since {time}"), tr("left at {time}")
    later = [one.format(time=seconds_in_words(at)) for one in since for at in track.leaves]
    first, second = [f"✗ {widest}"], ["", *later]
    if truth.reason:
        first, second = [*first, f"? {ends[0]}"], [*second, ends[1]]
    rooms = max(first, key=len), max(second, key=len)  # a card must not grow in a film
    wrong = degrees > LEFT
    if math.isnan(degrees):
        texts = f"? {ends[0]}", ends[1]
        if len(whole := " ".join(texts)) <= len(rooms[0]):
            texts = whole, ""
    else:
        mark = "✓" if degrees <= RIGHT else "≈" if degrees <= LEFT else "✗"
        text = _angle_off(degrees, axis) + (f", {length_text(metres)}" if travels else "")
        at = "" if left is None else since[degrees <= RIGHT].format(time=seconds_in_words(left))
        texts = f"{mark} {text}", at
    found = Number("", texts[0], rooms[0], wrong, named=False)
    if not rooms[1]:
        return (found,)
    return found._replace(gap=2), Number("", texts[1], rooms[1], wrong, named=False)


def _unknown(why: str) -> Number:
    return Number("", f"? {why}", named=False)


def _angle_off(degrees: float, axis: float | None) -> str:
    return tr("{angle} off").format(angle=off_in_words(degrees, axis))


def _travels(run: Trajectory, world: World) -> bool:
    """True if the forces on a body depend on its attitude, and it has left its place."""
    bound = world.arm is not None or torque_free(world.scenario)
    return not bound and bool((run.position[0] != run.position[-1]).any())


def length_text(metres: float) -> str:
    """A distance [m] in three digits at most: in millimetres below 0.1 m."""
    if metres < 0.0995:
        return f"{1e3 * metres:.1f} mm" if metres < 9.95e-3 else f"{1e3 * metres:.0f} mm"
    return f"{metres:.2f} m" if metres < 9.995 else f"{metres:.0f} m"


def runs_of(numbers: Iterable[Number], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    runs: list[TextRun] = []
    for number in numbers:
        gap = " " * number.gap
        name, text, widest = f"{number.name} ", number.text + gap, (number.widest or number.text) + gap
        weight = "SemiBold" if number.wrong or not number.named else "Medium"
        colour = look.alarm if number.wrong else look.ink
        if number.name:
            runs.append(TextRun(name if number.named and number.seen else "", look.dim, 12.5, room=name))
        runs.append(TextRun(text if number.seen else "", colour, 12.5, weight, room=widest))
    return tuple(runs)
