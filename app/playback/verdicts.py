"""Verdicts: how far lanes are off the true motion and since when, in sentences and as a table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from app.playback.run import Lane
from app.system.language import capitalised, listed, tr, translated
from physics.analysis import comparison
from physics.analysis.comparison import Departure, compare_lane
from physics.core.separation import LEAVES, NEAR, RIGHT, Verdict, verdict_of
from physics.schemes.lane import in_words
from physics.schemes.scheme import Scheme

AHEAD = 0.5  # share of the departure of the next lane at which one that is off is the closest by far
FINEST = 0.01  # [deg] to which a true motion is known
ROUNDING = 1e-12  # relative changes, and distances beside a length, below are those of rounding
SMALLEST = 5e-5  # [m] that ``length_in_words`` says is not 0
NOTHING = "–"
STANDINGS: tuple[Verdict, ...] = ("right", "near", "off")
MARKS = {"right": "✓", "near": "≈", "off": "✗", "unknown": "?", "over": "–"}  # over: has no solution any more


def departure(lane: Lane, time: float | None = None) -> Departure | None:
    """The departure of a lane up to a time [s], or up to the scenario's end; None where none is known, or none yet."""
    if lane.off is None:
        return None
    return comparison.departure(lane.trajectory, lane.off, lane.world.scenario.duration if time is None else time)


def mark_at(lane: Lane, time: float | None = None) -> Verdict:
    """The verdict on a lane at a time [s], or at the scenario's end."""
    found = departure(lane, time)
    return "unknown" if found is None else found.mark


def sign_of(mark: Verdict, failed: bool) -> str:
    """Key in MARKS of the mark of a lane; failed : it has no solution any more."""
    return "over" if failed and mark == "unknown" else mark


def marks_in_words(*, own: bool = False) -> str:
    """Meanings of the marks; own : each lane is compared with a true motion of its own."""
    if own:
        return tr("✓ right <1°, ≈ near <10°, ✗ off its own truth")
    return tr("✓ right <1°, ≈ near <10°, ✗ off the truth")


def known_of(found: Iterable[Departure | None]) -> bool:
    """True if the true motions of all lanes are known as far as the lanes are compared."""
    return all(one is not None and one.known for one in found)


def compared(lanes: Iterable[tuple[Scheme, Departure | None]]) -> list[tuple[Scheme, Departure]]:
    """The lanes that are compared with each other, nearest to their true motion first.

    Not one that is the true motion by its making, nor one that has no solution any more, nor a record that is over.
    """
    there = [(row, one) for row, one in lanes if one is not None and not row.exact]
    known = [(row, one) for row, one in there if not one.failed and not (row.order is None and one.ended)]
    return sorted(known, key=lambda lane: lane[1].departure)


def closest(known: Sequence[tuple[Scheme, Departure]]) -> Sequence[tuple[Scheme, Departure]]:
    """Those of lanes that are compared which are the closest; where all are off, one that is so by far, if any.

    () where all are alike.
    """
    if len(known) < 2:
        return ()
    (_, least), (_, following), *_ = known
    if least.verdict == "off":
        return known[:1] if least.departure <= AHEAD * following.departure else ()
    first = [lane for lane in known if lane[1].departure <= max(least.departure, FINEST)]
    return first if len(first) < len(known) else ()


def nearness(one: Departure, lanes: Sequence[tuple[Scheme, Departure | None]]) -> str:
    """Word on a lane: near its true motion, or the closest of those that are compared, as ``ranking`` names it.

    "" of one that is right or unknown, or off and not by far the closest.
    """
    if one.mark not in ("near", "off"):
        return ""
    if known_of(found for _, found in lanes) and one in (found for _, found in closest(compared(lanes))):
        return tr("closest", "of a lane")
    return tr("near", "of a lane") if one.mark == "near" else ""


def verdict(lane: Lane, time: float | None = None, *, brief: bool = False) -> str:
    """Comparison of a lane with the true motion up to a time [s], or up to the scenario's end, in one sentence.

    "" while that is not known. brief : without what else is off, and when it first was
    """
    truth, title = lane.truth, name_of(lane.scheme)
    if truth is None:
        return ""
    if (found := departure(lane, time)) is None:
        return tr("{title}: no true motion is known.").format(title=title)
    if truth.source == "exact" and lane.scheme.exact and found.largest < FINEST:
        return tr("{title} is the true motion.").format(title=title)
    near, right = found.passages[NEAR], found.passages[RIGHT]
    now = found.known and not found.ended
    if near.since is not None:
        text, passed = _left(now, again=near.since != near.left and not brief), near
    elif near.back is not None:
        text, passed = _came_back(now), near
    elif right.since is not None:
        text, passed = _drifted(now, again=right.since != right.left and not brief), right
    elif right.back is not None:
        text, passed = _drifted_back(now), right
    else:
        text, passed = _stayed(now, found.known), right
    left, since, back = ("" if at is None else seconds_in_words(at) for at in passed)
    most, phase = degrees_in_words(max(found.largest, FINEST)), _phase(found)
    values = {"left": left, "since": since, "back": back, "until": seconds_in_words(found.until)}
    beside = f" ({phase})" if phase and not brief else ""
    off = tr("{angle} off").format(angle=size_in_words(found)) if brief else off_in_words(found)
    if verdict_of(found.departure) == "near":
        off = tr("near it, {off}").format(off=off)
    sentence = text.format(title=title, off=off, most=most, beside=beside, **values)
    if found.begun is not None:
        sentence = tr("Since the edit at {time}: {sentence}").format(time=_edit(lane, found), sentence=sentence)
    if not found.failed:
        return sentence
    return f"{sentence} {tr('It has no solution after that.') if found.known else _over(lane)}"


def _edit(lane: Lane, found: Departure) -> str:
    """The time of the last edit before a departure, as it was asked for: it acts from the last full step on."""
    asked = lane.world.earlier[int(lane.trajectory.stretch(found.until)) - 1].scenario.duration
    return f"{asked:.4g} s"


def _over(lane: Lane) -> str:
    """Sentence on a lane that has no solution any more."""
    until = seconds_in_words(float(lane.trajectory.time[-1]))
    return tr("{title} has no solution after {until}.").format(title=name_of(lane.scheme), until=until)


def _left(now: bool, again: bool) -> str:
    if now:
        if again:
            return tr("{title} leaves the true motion at {left}, again at {since}, and is {off}.")
        return tr("{title} leaves the true motion at {since} and is {off}.")
    if again:
        return tr("{title} left the true motion at {left}, again at {since}, and was {off} at {until}.")
    return tr("{title} left the true motion at {since} and was {off} at {until}.")


def _came_back(now: bool) -> str:
    if now:
        return tr("{title} left the true motion at {left}, came back at {back}, and is {off}.")
    return tr("{title} left the true motion at {left}, came back at {back}, and was {off} at {until}.")


def _drifted(now: bool, again: bool) -> str:
    if now:
        if again:
            return tr("{title} drifts from the true motion at {left}, again at {since}, and is {off}.")
        return tr("{title} drifts from the true motion at {since} and is {off}.")
    if again:
        return tr("{title} drifted from the true motion at {left}, again at {since}, and was {off} at {until}.")
    return tr("{title} drifted from the true motion at {since} and was {off} at {until}.")


def _drifted_back(now: bool) -> str:
    if now:
        return tr("{title} drifted from the true motion at {left}, came back at {back}, and is {off}.")
    return tr("{title} drifted from the true motion at {left}, came back at {back}, and was {off} at {until}.")


def _stayed(now: bool, known: bool) -> str:
    if now:
        return tr("{title} stays within {most} of the true motion{beside}.")
    if not known:  # its end is no stored state, and is told on its own
        return tr("{title} stayed within {most} of the true motion as far as that is known{beside}.")
    return tr("{title} stayed within {most} of the true motion up to {until}{beside}.")


def notes(lanes: Iterable[Lane]) -> list[str]:
    """Reason why no true motion is known, or none after a time, a sentence for each reason that lanes have."""
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
            reason = tr("Contact makes the motion sensitive; compare many rocks by distribution.")
        found.append(tr("No true motion is known after {until}. {reason}").format(until=until, reason=reason))
    return list(dict.fromkeys(found))


def verdicts(lanes: Sequence[Lane], time: float | None = None) -> list[str]:
    """The sentences on lanes, and then why no true motion is known where that is so."""
    return [*filter(None, (verdict(lane, time) for lane in lanes)), *notes(lanes)]


def ranking(lanes: Sequence[Lane], time: float | None = None) -> str:
    """Sentence on which lanes are right, near and off, and on the closest where none is right; "" for one lane.

    At the last time at which those that are compared are known. One that has no solution any more is only named; where
    another is not known there, nothing is said of all.
    """
    found = [(lane.scheme, departure(lane, time)) for lane in lanes]
    until = min((one.until for _, one in compared(found) if one.ended or not one.known), default=None)
    if until is not None:
        found = [(lane.scheme, departure(lane, until)) for lane in lanes]
    if len(found) < 2:
        return ""
    ended = [_over(lane) for lane, (_, one) in zip(lanes, found, strict=True) if one is not None and one.failed]
    when = [] if until is None else [at_in_words(until)]
    edits = [_edit(lane, one) for lane, (_, one) in zip(lanes, found, strict=True) if one is not None and one.begun]
    when += [tr("since the edit at {time}").format(time=time) for time in edits[:1]]
    ranked, beside = listed(_ranked(found)), f" ({', '.join(when)})" if when else ""
    return " ".join([*([f"{capitalised(ranked)}{beside}."] if ranked else []), *ended])


def _ranked(found: Sequence[tuple[Scheme, Departure | None]]) -> list[str]:
    """Parts of the ranking of lanes: the nearest first, and those last that are the true motion by their making."""
    known = compared(found)
    true = [(row, one) for row, one in found if one is not None and row.exact and one.known and not one.ended]
    judged, failed = known + true, [one for _, one in found if one is not None and one.failed]
    told = len(judged) + len(failed) == len(found)  # of each lane how it stands
    all_go_on = told and not failed
    right, near, off = ([lane for lane in judged if verdict_of(lane[1].departure) == one] for one in STANDINGS)
    first = [] if known[:1] == right[:1] else closest(known)
    if not (near or off) and all_go_on:
        return [tr("All are right")]
    parts = [tr("Right: {lanes}").format(lanes=_titles(right))] if right else []
    all_off = all_go_on and not near and all(lane in off for lane in known)
    if all_off and not right and not first:
        times = sorted((one.passages[NEAR].since or 0.0, name_of(row)) for row, one in off)
        left = listed(tr("from {time} {title}").format(title=name, time=seconds_in_words(at)) for at, name in times)
        return [tr("All are off: {lanes}").format(lanes=left)]
    if all_off and first:
        parts.append(tr("all others are off") if right else tr("All are off"))
    elif told and not right:
        parts.append(tr("None is right"))
    if first:
        size = size_in_words(first[0][1])
        parts.append(tr("closest: {lanes}, {off}").format(lanes=_titles(first), off=size))
    if near := [lane for lane in near if lane not in first]:
        parts.append(tr("near: {lanes}").format(lanes=_titles(near)))
    if off and not (all_off and first):
        off = [lane for lane in off if lane not in first]
        since = max(one.passages[NEAR].since or 0.0 for _, one in off)
        parts.append(tr("off from {since}: {lanes}").format(since=seconds_in_words(since), lanes=_titles(off)))
    return parts


def _titles(lanes: Iterable[tuple[Scheme, Departure]]) -> str:
    return ", ".join(name_of(row) for row, _ in lanes)


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
    beside = compare_lane(lane.world, lane.trajectory, lane.truth)
    found = beside.departure
    times = [None if found is None else found.left[limit] for limit in LEAVES]
    off = place = NOTHING
    if found is not None:
        end = "" if found.known and not found.ended else " " + at_in_words(found.until)
        off = f"{MARKS[sign_of(found.mark, found.failed)]} {off_in_words(found)}{end}"
        if found.metres > 0.0:
            world = lane.world  # of a body that a point holds no distance counts, yet the arm has a length
            length = world.length if world.arm is None else math.hypot(*world.arm)
            place = "0" if found.metres < ROUNDING * length else f"{found.metres:.2g} m"
    return (
        f"{lane.scheme.letter}  {lane.scheme.title}",
        *(NOTHING if at is None else seconds_in_words(at) for at in times),
        off,
        place,
        _share(beside.energy.end) if beside.lossless and beside.energy is not None else NOTHING,
        NOTHING if beside.momentum is None else _share(beside.momentum.end).lstrip("+"),
        NOTHING if beside.cost is None else f"{1e3 * beside.cost:.3g} ms",
    )


def at_in_words(time: float) -> str:
    """Time at which a motion was in a state, for people: "at 2.3 s"."""
    return tr("at {time}", "of a motion").format(time=seconds_in_words(time))


def _share(change: float) -> str:
    """A relative change for people; those of rounding alone are none."""
    return "0" if abs(change) < ROUNDING else f"{100.0 * change:+.2g} %"


def _sentence(text: str) -> str:
    text = translated(text)
    return capitalised(text) + ("" if text.endswith(".") else ".")


def name_of(scheme: Scheme) -> str:
    """The name of a lane in sentences, whose lists have commas: "Explicit", "ABA (8, 4)", "Magnus (order 2)"."""
    family, more = name_parts(scheme)
    return f"{family} ({more})" if more else family


def name_parts(scheme: Scheme) -> tuple[str, str]:
    """The family of a lane and what tells it from others of that: ("Magnus", "order 2"), ("ABA (8, 4)", "")."""
    family, *more = re.split(r", (?![^(]*\))", re.sub(r" \([^)\d]*\)", "", scheme.title))
    return family, ", ".join(more)


def seconds_in_words(time: float, digits: int = 2) -> str:
    """A time for people: "2.3 s", "0.023 s", "23 µs"; so many digits below a second, and one less behind its point."""
    if time >= 1.0:
        return f"{time:.{digits - 1}f} s"
    return in_words(float(f"{time:.{digits}g}")) if 0.0 < time < 1e-3 else f"{time:.{digits}g} s"


def off_in_words(found: Departure) -> str:
    """Words for a lane's separation: "0.46° off", "24° off (platform)", "0.03° off (phase of rotor 97°)".

    Beyond 1° with the axis of a symmetric body, and with phases that do not lead. Where the distance decides, it leads.
    """
    name = found.body if _by_angle(found) else found.place
    if name and _by_angle(found) and found.axle:
        name = tr("axle of {body}").format(body=name)
    axis = (
        ""
        if found.axis is None or found.last <= RIGHT
        else tr("axis {angle}").format(angle=degrees_in_words(found.axis))
    )
    beside = listed(filter(None, (name, axis, _phase(found))))
    off = tr("{angle} off").format(angle=size_in_words(found))
    return f"{off} ({beside})" if beside else off


def _by_angle(found: Departure) -> bool:
    """True if the angle alone decides the verdict, and not the distance."""
    return verdict_of(found.last) == verdict_of(found.departure)


def size_in_words(found: Departure) -> str:
    """The angle off the truth, or the distance where that decides, however small a mechanism is."""
    if _by_angle(found):
        return degrees_in_words(found.last)
    return length_in_words(found.metres) if found.metres >= SMALLEST else f"{1e3 * found.metres:.1g} mm"


def _phase(found: Departure) -> str:
    """The largest phase that does not lead, for people, with its body; "" up to 1°."""
    if found.phase is None or found.phase <= RIGHT:
        return ""
    return tr("phase of {body} {angle}").format(body=found.turned, angle=degrees_in_words(found.phase))


def length_in_words(metres: float) -> str:
    """A distance [m] in three digits at most: in millimetres below 0.1 m."""
    if metres < 0.0995:
        return f"{1e3 * metres:.1f} mm" if metres < 9.95e-3 else f"{1e3 * metres:.0f} mm"
    return f"{metres:.2f} m" if metres < 9.995 else f"{metres:.0f} m"


def degrees_in_words(angle: float) -> str:
    """An angle [deg] for people: "0.46°", "3.4°", "134°"."""
    return f"{angle:.2f}°" if angle < 0.995 else f"{angle:.1f}°" if angle < 9.95 else f"{angle:.0f}°"
