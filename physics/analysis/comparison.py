"""Comparison of the lanes of a run with the true motion: since when, by how much, and at what cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.analysis.invariants import energy_error, spin_error, vertical_spin_error
from physics.core.rotation import Array
from physics.core.trajectory import Trajectory
from physics.schemes.lane import lane_of
from physics.simulation.reference import ANGLE, LEAVES, Reference, references
from physics.simulation.schedule import Runs, Schedule
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
    """The departure of a run from the truth.

    Attributes
    ----------
    left : time [s] of the first state that is more than each of LEAVES [deg] off; None: none is
    largest, last : [deg] off at most, and at the last state with a truth
    axis : [deg] of it, of the axis about which the body is symmetric; the rest is the phase of the rotation about it;
        None: there is no such axis
    metres : [m] off there
    until : [s] the time of that state
    """

    left: Mapping[float, float | None]
    largest: float
    last: float
    axis: float | None
    metres: float
    until: float


def departure(world: World, run: Trajectory, truth: Reference) -> Departure | None:
    """The departure of a lane, see compare_lane; None where no state of it has a truth."""
    degrees = truth.degrees_off(run) if run.degrees_off is None else run.degrees_off
    known = np.flatnonzero(np.isfinite(degrees))
    if not len(known):
        return None
    left = {limit: next(iter(run.time[degrees > limit].tolist()), None) for limit in LEAVES}
    last, symmetric = int(known[-1]), world.symmetry_axis
    row = run.rows(slice(last, last + 1))
    axis = None if symmetric is None else float(truth.axis_degrees_off(row, symmetric)[0])
    metres = float(truth.metres_off(row)[0])
    return Departure(left, float(np.nanmax(degrees)), float(degrees[last]), axis, metres, float(run.time[last]))


@dataclass(frozen=True)
class LaneComparison:
    """A lane of a run beside the true motion.

    Attributes
    ----------
    lane : its name
    source, step, reason : of the truth, see Reference
    valid_until : [s] up to which the truth is known; None where there is none, and ``reason`` says why
    left : for 1, 10 and 90 degrees the time [s] of the first state that is farther off; None where none is, up to
        ``valid_until`` or the lane's end
    end, failed : [s] its last state, and whether it ends there because a step had no solution
    compared_at : [s] the last state that can be compared with the truth; None without a truth
    degrees_off, metres_off : there, of the attitude and of the centre of mass; None without a truth
    axis_degrees_off : there, of the axis about which the body is symmetric; None without one
    energy : change of the total energy, as a share of that at the start (``Origin.energy_scale``)
    lossless : whether nothing but the scheme changes the energy
    conserved : the angular momentum that the motion keeps: "spin", its vector; "vertical spin"; "": none
    momentum : change of it, as a share of the size at the start; None where none is kept
    cost : [s] of computing for each second of motion, compiling not counted; None for what was measured
    """

    lane: str
    source: str
    step: float | None
    reason: str
    valid_until: float | None
    left: Mapping[float, float | None]
    end: float
    failed: bool
    compared_at: float | None
    degrees_off: float | None
    metres_off: float | None
    axis_degrees_off: float | None
    energy: Change
    lossless: bool
    conserved: str
    momentum: Change | None
    cost: float | None

    def facts(self) -> dict[str, Any]:
        """Its line for JSON: seconds, degrees, metres and shares, None where there is none."""
        truth = {"scheme": self.source, "valid_until": self.valid_until, "agreement": math.degrees(ANGLE)}
        return {
            "time_to": {f"{degrees:g}": time for degrees, time in self.left.items()},
            "error_end": self.degrees_off,
            "position_error_end": self.metres_off,
            "axis_error_end": self.axis_degrees_off,
            "compared_at": self.compared_at,
            "end": self.end,
            "failed": self.failed,
            "energy_change": self.energy.end,
            "largest_energy_change": self.energy.largest,
            "lossless": self.lossless,
            "conserved": self.conserved or None,
            "momentum_change": None if self.momentum is None else self.momentum.end,
            "largest_momentum_change": None if self.momentum is None else self.momentum.largest,
            "cost": self.cost,
            "reference": None if self.valid_until is None else truth,
            "reason": self.reason or None,
        }


def compare(runs: Runs) -> tuple[LaneComparison, ...]:
    """Each lane of runs (see ``physics.simulate``) beside the true motion of its world, in their order.

    The truths are computed here, which may take some seconds.
    """
    world = Schedule.of(runs.scenario).worlds()[-1] if runs.world is None else runs.world
    truths = dict(references((world,), runs))
    return tuple(compare_lane(world.of_lane(name), run, truths[name]) for name, run in runs.items())


def compare_lane(world: World, run: Trajectory, truth: Reference) -> LaneComparison:
    """A lane beside its truth; world: the last one of the lane (see ``World.of_lane``)."""
    off = departure(world, run, truth)
    conserved, error = _conserved(world)
    covered = float(run.time[-1] - run.time[0])
    return LaneComparison(
        lane=run.scheme,
        source=truth.source,
        step=truth.step,
        reason=truth.reason,
        valid_until=None if off is None else truth.valid_until,
        left=dict.fromkeys(LEAVES) if off is None else off.left,
        end=float(run.time[-1]),
        failed=any(event.failed for event in run.events),
        compared_at=None if off is None else off.until,
        degrees_off=None if off is None else off.last,
        metres_off=None if off is None else off.metres,
        axis_degrees_off=None if off is None else off.axis,
        energy=_change(energy_error(run)),
        lossless=all(one.lossless for one in (world, *world.earlier)),
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


def _change(error: Array) -> Change:
    """Of the errors (n,) of a run."""
    return Change(float(error[-1]), float(error[np.abs(error).argmax()]))
