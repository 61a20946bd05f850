"""Verdicts: how far lanes are off the true motion and since when, in sentences and as a table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from app.playback.run import Lane
from app.system.language import tr
from app.system.sentences import translated
from physics.analysis import comparison
from physics.analysis.comparison import Departure, compare_lane
from physics.schemes.scheme import Scheme
from physics.simulation.reference import LEAVES

RIGHT, LEFT = LEAVES[:2]  # [deg] off the true motion, up to which a lane is right, and beyond which it has left it
FINEST = 0.01  # [deg] to which a true motion is known
ROUNDING = 1e-12  # relative changes below are those of rounding
NOTHING = "–"


def departure(lane: Lane) -> Departure | None:
    """The departure of a lane; None where no true motion is known, or none yet."""
    return None if lane.truth is None else comparison.departure(lane.world, lane.trajectory, lane.truth)


def verdict(lane: Lane) -> str:
    """Comparison of a lane with the true motion, in one sentence; "" while that is not known."""
    truth, found, title = lane.truth, departure(lane), name_of(lane.scheme)
    if truth is None:
        return ""
    if found is None:
        return tr("{title}: no true motion is known.").format(title=title)
    if truth.source == "exact" and lane.scheme.order is None and found.largest < FINEST:
        return tr("{title} is the true motion.").format(title=title)
    at, off = found.left[LEFT], off_in_words(found.last, found.axis)
    failed = any(event.failed for event in lane.trajectory.events)
    if failed and at is None:
        return tr("{title} has no solution after {at}.").format(title=title, at=seconds_in_words(found.until))
    values = {"title": title, "off": off, "most": degrees_in_words(max(found.largest, FINEST))}
    if at is not None:
        sentence = (
            tr("{title} leaves the true motion at {at} and is {off} off {end}.")
            if found.last > LEFT
            else tr("{title} leaves the true motion at {at} and is up to {most} off.")
        )
        return sentence.format(
            **values, at=seconds_in_words(at), end=tr("at the end") if _ends(lane, found) else _at(found.until)
        )
    if (at := found.left[RIGHT]) is not None:
        sentence = tr("{title} is more than 1° off the true motion at {at}, and {most} at most.")
        return sentence.format(**values, at=seconds_in_words(at))
    sentence = (
        tr("{title} stays within {most} of the true motion up to {until}.")
        if found.until < lane.trajectory.time[-1]
        else tr("{title} stays within {most} of the true motion.")
    )
    return sentence.format(**values, until=seconds_in_words(found.until))


def _ends(lane: Lane, found: Departure) -> bool:
    """True if the truth is known up to the end of the scenario, and the lane goes on so long."""
    return math.isclose(found.until, lane.world.scenario.duration, rel_tol=1e-6)


def _at(time: float) -> str:
    return tr("at {time}", "of a motion").format(time=seconds_in_words(time))


def notes(lanes: Iterable[Lane]) -> list[str]:
    """Why no true motion is known, or none after a time, a sentence for each reason that lanes have."""
    found = []
    for lane in lanes:
        truth = lane.truth
        if truth is None or not truth.reason:
            continue
        reason = _sentence(truth.reason)
        if not truth.stretches:
            found.append(tr("No true motion is known. {reason}").format(reason=reason))
            continue
        until = seconds_in_words(truth.valid_until)
        if lane.world.terrain is not None:
            reason = tr("Contact makes the motion sensitive; see an ensemble.")
        found.append(tr("No true motion is known after {until}. {reason}").format(until=until, reason=reason))
    return list(dict.fromkeys(found))


def verdicts(lanes: Sequence[Lane]) -> list[str]:
    """The sentences on lanes, and then why no true motion is known where that is so."""
    return [*filter(None, map(verdict, lanes)), *notes(lanes)]


HEADINGS = (
    "scheme",
    "1° off at",
    "10° off at",
    "90° off at",
    "off at the end",
    "place",
    "energy",
    "angular momentum",
    "computing a second",
)


def verdict_table(lanes: Iterable[Lane]) -> list[tuple[str, ...]]:
    """Cells of each lane under HEADINGS; "–" where nothing is known, or the motion itself changes a quantity."""
    return [_cells(lane) for lane in lanes if lane.truth is not None]


def _cells(lane: Lane) -> tuple[str, ...]:
    assert lane.truth is not None
    found, beside = departure(lane), compare_lane(lane.world, lane.trajectory, lane.truth)
    times = [None if found is None else found.left[limit] for limit in LEAVES]
    off = place = NOTHING
    if found is not None:
        end = "" if _ends(lane, found) else " " + _at(found.until)
        off = off_in_words(found.last, found.axis) + end
        place = f"{found.metres:.2g} m" if found.metres > 0.0 else NOTHING
    return (
        f"{lane.scheme.letter}  {lane.scheme.title}",
        *(NOTHING if at is None else seconds_in_words(at) for at in times),
        off,
        place,
        _share(beside.energy.end) if beside.lossless else NOTHING,
        NOTHING if beside.momentum is None else _share(beside.momentum.end).lstrip("+"),
        NOTHING if beside.cost is None else f"{1e3 * beside.cost:.3g} ms",
    )


def _share(change: float) -> str:
    """A relative change for people; those of rounding alone are none."""
    return "0" if abs(change) < ROUNDING else f"{100.0 * change:+.2g} %"


def _sentence(text: str) -> str:
    text = translated(text)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def name_of(scheme: Scheme) -> str:
    """The title of a scheme without words in brackets: "Explicit", "ABA (8, 4)"."""
    return re.sub(r" \([^)\d]*\)", "", scheme.title)


def seconds_in_words(time: float) -> str:
    """A time for people: "2.3 s"."""
    return f"{time:.1f} s" if time >= 1.0 else f"{time:.2g} s"


def off_in_words(angle: float, axis: float | None) -> str:
    """An angle off the truth for people: "0.46°", beyond 1° with that of the axis of a symmetric body [deg]."""
    words = degrees_in_words(angle)
    if axis is None or angle <= RIGHT:
        return words
    return tr("{angle} (axis {axis})").format(angle=words, axis=degrees_in_words(axis))


def degrees_in_words(angle: float) -> str:
    """An angle [deg] for people: "0.46°", "3.4°", "134°"."""
    return f"{angle:.2f}°" if angle < 0.995 else f"{angle:.1f}°" if angle < 9.95 else f"{angle:.0f}°"
