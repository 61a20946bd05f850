"""The markers of a run on the timeline: impacts, flips, rest, failed solves, edits, and where lanes leave the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.playback.run import Lane, Run
from app.playback.verdicts import departure, name_of, seconds_in_words
from app.system.language import capitalised, tr, translated
from physics import Trajectory, World
from physics.analysis import steering, toy_motion
from physics.analysis.comparison import Departure
from physics.analysis.flips import has_intermediate
from physics.analysis.ship_stability import parametric_roll
from physics.bodies.body import Body
from physics.core.rotation import Array, apply, conjugate
from physics.core.separation import NEAR, RIGHT
from physics.measured.motion import DRIFT, MISSING, SATURATION
from physics.schemes.lane import lane_of
from physics.systems import torque_free
from physics.systems.ship.system import CAPSIZE
from physics.systems.ship.world import ShipWorld
from physics.systems.toys.world import ToyWorld

FLIGHT = 0.15  # [s] without contact before a contact counts as an impact
DATA = (SATURATION, MISSING, DRIFT)  # marks of what was measured
MARKED = ("rest", "left-map", "failed-solve", *DATA)  # the kinds of events that are marked
TOGETHER = (
    "flip",
    "heels-over",
    "turns-over",
    "turns-back",
    "parametric",
    "meets-course",
    "on-course",
    "at-bound",
)  # events of several lanes that one sentence tells
AGAIN = ("flip", "turns-back")  # events that a lane repeats
FLAGS = {RIGHT: "drifts", NEAR: "leaves"}  # bounds of the departure at which a lane gets a flag, and the flag's kind
TENTH = 0.1  # share of the largest value below which values have no sign
OVER = 0.5  # cosine of a toy's tilt: one that rolls and rocks within 30 degrees of its side is not upside down
MAX_IMPACTS = 40  # impacts of a lane that are marked: those with the largest change of velocity


@dataclass(frozen=True)
class Marker:
    """An event at a time [s]: kind, colour, letter and name of its lane ("" for all lanes), one sentence."""

    time: float
    kind: str
    colour: str
    text: str
    letter: str = ""
    lane: str = ""


def markers(run: Run) -> tuple[Marker, ...]:
    """All events of a run, in their order."""
    return () if run.world is None else markers_of(run.lanes, run.schedule.times[1:])


def markers_of(lanes: Sequence[Lane], edits: Sequence[float]) -> tuple[Marker, ...]:
    """The events of some lanes and the edits at some times [s], in their order."""
    found = [Marker(at, "edit", "", tr("Edit at {at:.4g} s").format(at=at)) for at in edits]
    for lane in lanes:
        found += _of_lane(lane)
    return tuple(sorted(found, key=lambda marker: marker.time))


def departures(lanes: Sequence[Lane]) -> tuple[Marker, ...]:
    """Markers at which lanes leave the true motion, in their order; none for a lane whose true motion is not known.

    Of each bound the times that a sentence on the whole motion names, or on that up to an edit: at first, and for good
    where that is later.
    """
    found = []
    for lane in lanes:
        row = lane.scheme
        for left in _up_to_edits(lane):
            for bound, passed in {} if left is None else left.passages.items():
                for at in dict.fromkeys((passed.left, passed.since)):
                    if at is not None:
                        text = crosses(lane, bound, at)
                        found.append(Marker(at, FLAGS[bound], row.colour, text, row.letter, name_of(row)))
    return tuple(sorted(found, key=lambda marker: marker.time))


def _up_to_edits(lane: Lane) -> list[Departure | None]:
    """The departures of a lane up to each edit after which it is compared anew, and up to its end."""
    begins = [0] if lane.off is None else np.unique(lane.off.begins).tolist()
    return [*(departure(lane, float(lane.trajectory.time[row - 1])) for row in begins[1:]), departure(lane)]


def crosses(lane: Lane, bound: float, time: float, way: Literal["out", "back", "often"] = "out") -> str:
    """Words on a lane that is beyond RIGHT or NEAR from a time [s] on, or within it again, or now so and now so."""
    words = {
        (RIGHT, "out"): tr("{title} drifts from the true motion at {at}"),
        (RIGHT, "back"): tr("{title} comes back to the true motion at {at}"),
        (RIGHT, "often"): tr("{title} drifts from the true motion again and again from {at}"),
        (NEAR, "out"): tr("{title} leaves the true motion at {at}"),
        (NEAR, "back"): tr("{title} comes back near the true motion at {at}"),
        (NEAR, "often"): tr("{title} leaves the true motion again and again from {at}"),
    }
    return words[bound, way].format(title=name_of(lane.scheme), at=seconds_in_words(time))


def _of_lane(lane: Lane) -> list[Marker]:
    run, scheme, world = lane.trajectory, lane.scheme, lane.world
    title = name_of(scheme)
    found = [
        Marker(event.time, event.kind, scheme.colour, told_of(lane, event.text), lane=title)
        for event in run.events
        if event.kind in MARKED
    ]
    if world.terrain is not None:
        words = tr("{title}: impact at {at}, {change:.3g} m/s")
        found += [
            Marker(
                at,
                "impact",
                scheme.colour,
                words.format(title=title, at=seconds_in_words(at, 3), change=change),
                lane=title,
            )
            for at, change in impacts(run, world.scenario.g)
        ]
    elif torque_free(world.scenario):
        words = tr("{title}: flip at {at}")
        found += [
            Marker(at, "flip", scheme.colour, words.format(title=title, at=seconds_in_words(at, 3)), lane=title)
            for at in flips(run, world)
        ]
    for kind, times in _turns(run, world).items():
        for at in times.tolist():
            text = f"{title}: {happens(kind, at)}"
            found.append(Marker(at, kind, scheme.colour, text, lane=title))
    return found


def happens(kind: str, time: float) -> str:
    """Name of one of TOGETHER, or of a first impact, with its time [s]: "Flip at 4.3 s"."""
    words = {
        "flip": tr("Flip at {at}"),
        "impact": tr("First impact at {at}"),
        "heels-over": tr("Past 90° of heel at {at}"),
        "turns-over": tr("Upside down at {at}"),
        "turns-back": tr("Spin reverses at {at}"),
        "parametric": tr("Parametric roll from {at}: one roll in two waves that it meets, and growing"),
        "meets-course": tr("Meets its course at {at}, and swings on"),
        "on-course": tr("Within 1° of its course from {at} on"),
        "at-bound": tr("The controller meets its bound at {at}"),
    }
    return words[kind].format(at=seconds_in_words(time))


def _turns(run: Trajectory, world: World) -> dict[str, Array]:
    """Times (n,) [s] of events that a kind has of its own, by their kinds."""
    if isinstance(world, ToyWorld):
        up, about = np.cos(toy_motion.tilt(run, world)), toy_motion.spin_about_normal(run, world)
        back = np.concatenate([_falls(run.time, sense * about) for sense in (1.0, -1.0)])
        return {"turns-over": _falls(run.time, up * np.sign(up[0]), OVER)[:1], "turns-back": np.sort(back)}
    if isinstance(world, ShipWorld):
        over = np.array([event.time for event in run.events if event.kind == CAPSIZE])
        return {"heels-over": over, "parametric": parametric_roll(run, world)}
    if steering.controlled(world):
        return _under_controller(run, world)
    return {}


def _under_controller(run: Trajectory, world: World) -> dict[str, Array]:
    """Times (n,) [s] at which a vessel meets its course, is on it to the end, and its controller meets the bound.

    Of each stretch between edits the first; a vessel that is on its course from where it first meets it, met no other.
    """
    near = steering.on_course(run, world)
    stays, comes, bound = (np.zeros(len(run), bool) for _ in range(3))
    begins = _begins(near), _begins(steering.at_bound(run, world))
    for part in np.unique(run.stretches):
        rows = np.flatnonzero(run.stretches == part)
        last = rows[~near[rows]].max(initial=rows[0] - 1) + 1  # the row after the last one off the course
        for first, found in zip(begins, (comes, bound), strict=True):
            found[rows[first[rows]][:1]] = True
        stays[rows[(rows == last) & begins[0][rows]]] = True
    return {
        kind: run.time[found]
        for kind, found in (("meets-course", comes & ~stays), ("on-course", stays), ("at-bound", bound))
    }


def _begins(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """True in the rows (n,) from which on something holds that did not hold in the row before."""
    return np.asarray(holds & ~np.r_[True, holds[:-1]])


def _falls(time: Array, values: Array, least: float = 0.0) -> Array:
    """Times (n,) [s] at which values (m,) that were beyond a tenth of their largest pass 0 and fall below by as much.

    Not of values that are small from the start. least : what counts in place of the tenth where it is more
    """
    least = max(least, TENTH * float(np.abs(values).max(initial=0.0)))
    if least == 0.0 or abs(float(values[0])) < least:
        return np.zeros(0)
    sides = np.flatnonzero(np.abs(values) > least)
    down = np.flatnonzero(np.diff(np.sign(values[sides])) < 0)
    return np.array([_passes(time[k:], values[k:]) for k in sides[down]])


def _passes(time: Array, values: Array) -> float:
    """The first time [s] at which values (n,) at times (n,) pass 0: between two of them, so that few tell the same."""
    from scipy.interpolate import KroghInterpolator
    from scipy.optimize import brentq

    k = int(np.argmax(values * np.sign(values[0]) < 0.0))
    near = slice(max(k - 2, 0), k + 2)
    begin = float(time[k - 1])
    curve = KroghInterpolator(time[near] - begin, values[near])
    return begin + float(brentq(curve, 0.0, time[k] - begin, xtol=1e-9 * float(time[k] - begin)))


def told_of(lane: Lane, text: str) -> str:
    """Text of a lane's event in the language in use, which names the lane by its title."""
    text = translated(text)
    for name in (lane.scheme.name, lane_of(lane.scheme.name).scheme.name):
        if text.startswith(f"{name}: "):
            text = name_of(lane.scheme) + text[len(name) :]
            break
    return capitalised(text)


def flips(run: Trajectory, world: World) -> Array:
    """Times (n,) [s] at which a body about its intermediate axis turns over.

    There the component of the angular velocity along that axis changes its sign; a sign counts once the component has
    reached half of its largest value, of the motion since the body was last edited, so far or at last. None where the
    axis is not the one that the body turns about, nor of a body with two equal moments: it has no such axis, and its
    rates swing however steadily it turns.
    """
    found = [np.zeros(0)]
    parts = run.stretches if len(run) else np.zeros(0, int)  # of a lane that failed before its first state
    worlds = enumerate((*world.earlier, world)[: int(parts.max(initial=-1)) + 1])
    for _, alike in groupby(worlds, lambda one: (one[1].body.inertia.tobytes(), one[1].body.axes.tobytes())):
        (number, one), *more = alike
        first, last = np.searchsorted(parts, [number, number + len(more) + 1])
        found.append(_flips(run.rows(slice(max(first - 1, 0), last)), one.body))  # from the state that was edited
    return np.concatenate(found)


def _flips(run: Trajectory, body: Body) -> Array:
    """Flips of a motion of one body."""
    moments = body.inertia
    if not has_intermediate(moments) or not len(run):
        return np.zeros(0)
    w = apply(conjugate(body.axes), run.angular_velocity)
    about = w[:, int(np.argsort(moments)[1])]
    size = np.abs(about)
    largest, fastest = (np.maximum.accumulate(one) for one in (size, np.linalg.norm(w, axis=1)))
    counts = (size > 0.5 * largest) & (largest >= 0.5 * fastest)  # so far: what a scheme gains later undoes no flip
    if largest[-1] >= 0.5 * fastest[-1]:
        counts |= size > 0.5 * largest[-1]
    sides = np.flatnonzero(counts)
    turned = np.flatnonzero(np.diff(np.sign(about[sides])))
    return np.array([_passes(run.time[sides[k] :], about[sides[k] :]) for k in turned])


def impacts(run: Trajectory, gravity: float) -> list[tuple[float, float]]:
    """Times [s] at which a rock hits the ground after a flight, with the change of its velocity there [m/s].

    Of the stored states after it. gravity : [m/s²], whose share of the change between two states does not count
    """
    touching = run.contact > 0
    starts = np.flatnonzero(touching[1:] & ~touching[:-1]) + 1
    last = np.maximum.accumulate(np.where(touching, np.arange(len(run)), 0))
    starts = np.array([i for i in starts if run.time[i] - run.time[last[i - 1]] > FLIGHT], int)
    change = run.velocity[starts] - run.velocity[starts - 1]
    change[:, 2] += gravity * (run.time[starts] - run.time[starts - 1])
    change = np.linalg.norm(change, axis=1)
    chosen = np.sort(np.argsort(change)[::-1][:MAX_IMPACTS])
    return [(float(run.time[starts[k]]), float(change[k])) for k in chosen]
