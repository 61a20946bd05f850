"""Numbers of a lane: the current values in its caption, chosen by the kind of scenario, see app.kinds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.playback.verdicts import off_in_words
from app.stage.lane_track import LaneTrack
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.system.sentences import translated
from physics import Trajectory, World
from physics.simulation.reference import Reference
from physics.systems import torque_free

WRONG = 1e-3  # smallest relative error that is marked
RIGHT, OFF = 1.0, 10.0  # [deg] off the true motion, up to which a lane is right, and beyond which it is marked
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
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False
    named: bool = True
    seen: bool = True


Caption = Callable[[Trajectory, World, float], Iterable[Number]]  # by the run, the world and a time [s]


def no_numbers(run: Trajectory, world: World, time: float) -> tuple[Number, ...]:
    """Caption without numbers."""
    return ()


def off_truth(track: LaneTrack, time: float) -> Number:
    """Angle of the last stored state off the true motion, behind a sign: ✓ up to 1°, ≈ up to 10°, ✗ beyond, – unknown.

    Bodies that move have their distance from the true place too.
    """
    if track.truth is None or (off := track.off(time)) is None:
        return Number("", f"– {tr('truth follows')}", named=False)
    degrees, metres, axis = off
    travels, unknown = _travels(track.run, track.world), f"– {_unknown(track.truth)}"
    widest = _angle_off(*((0.88, None) if axis is None else (188.0, 0.88))) + (", 0.88 mm" if travels else "")
    room = max(f"✗ {widest}", unknown if track.truth.reason else "", key=len)  # a card must not grow in a film
    if math.isnan(degrees):
        return Number("", unknown, room, named=False)
    mark = "✓" if degrees <= RIGHT else "≈" if degrees <= OFF else "✗"
    text = _angle_off(degrees, axis) + (f", {length_text(metres)}" if travels else "")
    return Number("", f"{mark} {text}", room, wrong=degrees > OFF, named=False)


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


def _unknown(truth: Reference) -> str:
    """Why the true motion is not known, in words."""
    if not truth.stretches:
        return tr("no truth: {reason}").format(reason=translated(truth.reason))
    return tr("no truth known after {time:.3g} s").format(time=truth.valid_until)


def runs_of(numbers: Iterable[Number], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    runs: list[TextRun] = []
    for number in numbers:
        name, text, widest = f"{number.name} ", f"{number.text}    ", f"{number.widest or number.text}    "
        weight = "SemiBold" if number.wrong or not number.named else "Medium"
        colour = look.alarm if number.wrong else look.ink
        if number.name:
            runs.append(TextRun(name if number.named and number.seen else "", look.dim, 12.5, room=name))
        runs.append(TextRun(text if number.seen else "", colour, 12.5, weight, room=widest))
    return tuple(runs)
