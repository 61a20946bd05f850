"""Verdicts: how far lanes are off the true motion and since when, in sentences and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from app.playback.run import Lane
from app.system.language import tr
from app.system.sentences import told
from physics.simulation.reference import LEAVES

LEFT = 10.0  # [deg] beyond which a lane has left the true motion
FINEST = 0.01  # [deg] to which a true motion is known


@dataclass(frozen=True)
class Departure:
    """How a lane leaves the true motion.

    Attributes
    ----------
    left : [s] of the first state that is more than each of LEAVES [deg] off; None: none is
    largest, last : [deg] off at most, and at the last state with a truth
    metres : [m] off there
    until : [s] of that state
    """

    left: dict[float, float | None]
    largest: float
    last: float
    metres: float
    until: float


def departure(lane: Lane) -> Departure | None:
    """The departure of a lane; None where no true motion is known, or none yet."""
    truth = lane.truth
    if truth is None or not truth.stretches:
        return None
    run = lane.trajectory
    degrees, metres = truth.degrees_off(run), truth.metres_off(run)
    known = np.flatnonzero(np.isfinite(degrees))
    if not len(known):
        return None
    left = {limit: next(iter(run.time[degrees > limit].tolist()), None) for limit in LEAVES}
    last = known[-1]
    return Departure(left, float(np.nanmax(degrees)), float(degrees[last]), float(metres[last]), float(run.time[last]))


def verdict(lane: Lane) -> str:
    """How a lane compares with the true motion, in one sentence; "" while that is not known."""
    truth, found, title = lane.truth, departure(lane), lane.scheme.title
    if truth is None:
        return ""
    if found is None:
        return tr("{title}: no true motion is known.").format(title=title)
    if truth.source == "exact" and lane.scheme.order is None and found.largest < FINEST:
        return tr("{title} is the true motion.").format(title=title)
    at, off = found.left[LEFT], degrees_in_words(found.last)
    values = {"title": title, "off": off, "most": degrees_in_words(max(found.largest, FINEST))}
    if at is not None:
        sentence = (
            tr("{title} leaves the true motion at {at} and is {off} off {end}.")
            if found.last > LEFT
            else tr("{title} leaves the true motion at {at} and is up to {most} off.")
        )
        return sentence.format(**values, at=seconds_in_words(at), end=_end(lane, found))
    if (at := found.left[1.0]) is not None:
        sentence = tr("{title} is 1° off the true motion at {at}, and {most} at most.")
        return sentence.format(**values, at=seconds_in_words(at))
    return tr("{title} stays within {most} of the true motion.").format(**values)


def _end(lane: Lane, found: Departure) -> str:
    """The time of the last state with a truth, in words."""
    at_end = math.isclose(found.until, lane.world.scenario.duration, rel_tol=1e-6)
    return tr("at the end") if at_end else tr("at {time}", "of a motion").format(time=seconds_in_words(found.until))


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


def _sentence(text: str) -> str:
    text = told(text)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def seconds_in_words(time: float) -> str:
    """A time for people: "2.3 s"."""
    return f"{time:.1f} s" if time >= 1.0 else f"{time:.2g} s"


def degrees_in_words(angle: float) -> str:
    """An angle [deg] for people: "0.68°", "134°"."""
    return f"{angle:.0f}°" if angle >= 10.0 else f"{angle:.2g}°"
