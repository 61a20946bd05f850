"""Comparison of the lanes of a run with the true motion: since when, by how much, and at what cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.analysis.invariants import energy_error, spin_error, vertical_spin_error
from physics.core.rotation import Array
from physics.core.separation import LEAVES, NEAR, RIGHT, Passage, Separation, Verdict, verdict_of
from physics.core.trajectory import Trajectory
from physics.schemes.lane import lane_of
from physics.simulation.reference import ROUNDING, Reference, references
from physics.simulation.schedule import Runs, Schedule
from physics.simulation.search import ANGLE
from physics.systems import system_of
from physics.systems.world import World


@dataclass(frozen=True)
class Change:
    """The relative change of a quantity over a run, since its start or the last edit.

    end : at the last state; largest : the one with the largest size. Both keep their sign, where it has one.
    """

    end: float
    largest: float


@dataclass(frozen=True)
class Departure:
    """The departure of a run from the truth up to a time.

    Attributes
    ----------
    left : time [s] of the first state since ``begun`` whose leading angle is more than each of LEAVES [deg]; None: none
    passages : of the bounds RIGHT and NEAR, likewise
    largest : the largest leading angle since then [deg]
    last : that of the last state with a truth; body : whose angle it is, "" of a single body
    axle : whether it is the angle of that body's axle
    axis : of it, that of the axis about which a single body is symmetric [deg]; None without one
    phase : the largest angle there about an axle, which does not lead [deg]; None without such a body
    turned : the body that has it
    metres : [m] off there, of several bodies the largest; place : the body that has it, "" of a single one
    share : of it, in hundredths of the length of the body or mechanism
    until : [s] the time of that state
    known : whether the truth is known up to the time, or up to the end of the run
    ended : whether the run ends before the time
    failed : whether it ends there because a step had no solution
    begun : [s] since when it counts: the last edit from which the true motion goes on as the run does; None: the start
    """

    left: Mapping[float, float | None]
    passages: Mapping[float, Passage]
    largest: float
    last: float
    body: str
    axle: bool
    axis: float | None
    phase: float | None
    turned: str
    metres: float
    place: str
    share: float
    until: float
    known: bool
    ended: bool
    failed: bool
    begun: float | None = None

    @property
    def departure(self) -> float:
        """Value that the bounds RIGHT and NEAR are for: the larger of ``last`` and ``share``."""
        return max(self.last, self.share)

    @property
    def verdict(self) -> Verdict:
        """Verdict on the last state with a truth; where the truth ends before the run, only what was off stays so."""
        found = verdict_of(self.departure)
        return found if self.known or found == "off" else "unknown"

    @property
    def mark(self) -> Verdict:
        """Verdict at the time: where the run has no solution any more, only what was off stays so."""
        return "unknown" if self.failed and self.verdict != "off" else self.verdict


def departure(run: Trajectory, off: Separation, time: float) -> Departure | None:
    """The departure of a run up to a time [s]; None where no state until then has a truth.

    off : of its rows, see ``Reference.separation``
    """
    beyond = bool(time > run.time[-1] * (1.0 + ROUNDING))
    failed = beyond and any(event.failed for event in run.events)
    ended = failed or (beyond and not _all_steps(run, time))
    row = run.index(time * (1.0 + ROUNDING))  # rounding may put the last state after it
    last = int(off.last_known[row])
    if last < 0:
        return None
    here = off.rows(slice(last, last + 1))
    names = run.bodies or ("",)
    body = int(here.body[0])
    return Departure(
        left={limit: _time(run, row) for limit, row in off.leaves(last).items()},
        passages={bound: Passage(*(_time(run, x) for x in off.passage(bound, last))) for bound in (RIGHT, NEAR)},
        largest=float(off.largest[last]),
        last=float(here.degrees[0]),
        body=names[body],
        axle=bool(here.axled) and here.axled[body],
        axis=None if here.axis is None or np.isnan(here.axis[0]) else float(here.axis[0]),
        phase=None if here.phase is None else float(here.phase[0]),
        turned="" if here.turned is None else names[int(here.turned[0])],
        metres=float(here.metres[0]),
        place=names[int(here.place[0])],
        share=float((100.0 * here.metres / here.length)[0]),
        until=float(run.time[last]),
        known=last == row,
        ended=ended,
        failed=failed,
        begun=run.origin(last).state.time if off.begins[last] else None,
    )


def _all_steps(run: Trajectory, time: float) -> bool:
    """True if a run ends less than a step before a time [s]: a duration may be no multiple of the step."""
    return len(run) > 1 and bool(time - run.time[-1] < (1.0 - ROUNDING) * (run.time[-1] - run.time[-2]))


def _time(run: Trajectory, row: float | None) -> float | None:
    """Time of a row [s]."""
    return None if row is None else float(run.time[int(row)])


@dataclass(frozen=True)
class MotionComparison:
    """A lane of a run beside the true motion.

    Attributes
    ----------
    lane : its name
    source, step, reason : of the truth, see Reference
    valid_until : [s] up to which the truth is known; None where there is none, and ``reason`` says why
    end, failed : [s] its last state, and whether it ends there because a step had no solution
    departure : at the end of the scenario; None without a truth
    energy : change of the total energy, as a share of that at the start (``Origin.energy_scale``); None where that is 0
    lossless : whether nothing but the scheme changes the energy
    conserved : the angular momentum that the motion keeps: "spin", its vector; "vertical spin"; "": none
    momentum : change of it, as a share of the size at the start; None where none is kept, or that is 0
    cost : [s] of computing for each second of motion, compiling not counted; None for what was measured
    """

    lane: str
    source: str
    step: float | None
    reason: str
    valid_until: float | None
    departure: Departure | None
    end: float
    failed: bool
    energy: Change | None
    lossless: bool
    conserved: str
    momentum: Change | None
    cost: float | None

    @property
    def degrees_off(self) -> float | None:
        """The leading angle at the last state that can be compared with the truth [deg]; None without a truth."""
        return None if self.departure is None else self.departure.last

    @property
    def metres_off(self) -> float | None:
        """The largest distance of a centre of mass there [m]; None without a truth."""
        return None if self.departure is None else self.departure.metres

    def facts(self) -> dict[str, Any]:
        """Its line for JSON: seconds, degrees, metres and shares, None where there is none."""
        off, truth = self.departure, {"scheme": self.source, "valid_until": self.valid_until}
        left = dict.fromkeys(LEAVES) if off is None else off.left
        return {
            "time_to": {f"{degrees:g}": time for degrees, time in left.items()},
            "error_end": self.degrees_off,
            "error_of": None if off is None else off.body or None,
            "axle_leads": off is not None and off.axle,
            "phase_error_end": None if off is None else off.phase,
            "phase_error_of": None if off is None else off.turned or None,
            "position_error_end": self.metres_off,
            "position_error_of": None if off is None else off.place or None,
            "axis_error_end": None if off is None else off.axis,
            "compared_since": None if off is None else off.begun or 0.0,
            "compared_at": None if off is None else off.until,
            "verdict": "unknown" if off is None else off.verdict,
            "end": self.end,
            "failed": self.failed,
            "energy_change": None if self.energy is None else self.energy.end,
            "largest_energy_change": None if self.energy is None else self.energy.largest,
            "lossless": self.lossless,
            "conserved": self.conserved or None,
            "momentum_change": None if self.momentum is None else self.momentum.end,
            "largest_momentum_change": None if self.momentum is None else self.momentum.largest,
            "cost": self.cost,
            "reference": None if self.valid_until is None else truth | {"agreement": math.degrees(ANGLE)},
            "reason": self.reason or None,
        }


def compare(runs: Runs) -> tuple[MotionComparison, ...]:
    """Each lane of runs (see ``physics.simulate``) beside the true motion of its world, in their order.

    The truths are computed here, which may take some seconds.
    """
    world = Schedule.of(runs.scenario).worlds()[-1] if runs.world is None else runs.world
    truths = dict(references((world,), runs))
    return tuple(compare_lane(world.of_lane(name), run, truths[name]) for name, run in runs.items())


def compare_lane(world: World, run: Trajectory, truth: Reference) -> MotionComparison:
    """A lane beside its truth; world: the last one of the lane (see ``World.of_lane``)."""
    off = departure(run, truth.separation(run) if run.off is None else run.off, world.scenario.duration)
    conserved, error = _conserved(world)
    covered = float(run.time[-1] - run.time[0])
    return MotionComparison(
        lane=run.scheme,
        source=truth.source,
        step=truth.step,
        reason=truth.reason,
        valid_until=None if off is None else truth.valid_until,
        departure=off,
        end=float(run.time[-1]),
        failed=any(event.failed for event in run.events),
        energy=_change(energy_error(run)),
        lossless=all(one.lossless for one in (world, *world.earlier)) and world.losing_from(run) == math.inf,
        conserved=conserved,
        momentum=None if error is None else _change(error(run)),
        cost=run.wall_time / covered if covered > 0.0 and lane_of(run.scheme).scheme.kinds else None,
    )


def _conserved(world: World) -> tuple[str, Callable[[Trajectory], Array] | None]:
    """The angular momentum that a motion keeps, and its error."""
    row = system_of(world.scenario)
    if world.keeps_spin:
        return "spin", spin_error
    if row.rotation_alone and not world.scenario.acted and all(one.lossless for one in (world, *world.earlier)):
        return "vertical spin", vertical_spin_error  # gravity and buoyancy act along the vertical
    return "", None


def _change(error: Array) -> Change | None:
    """Change in the errors (n,) of a run; None where the last one is a share of nothing."""
    if np.isnan(error[-1]):
        return None
    return Change(float(error[-1]), float(error[np.nanargmax(np.abs(error))]))
