"""Stability of a ship of kind ``ship``: righting levers over heel in calm water, and those of a motion.

Held at a heel, and free to rise and to trim, a ship has the energy m g (zG - zB). With a roll rate p it can pass the
barrier of that energy only where I p² / 2 is at least what is missing: the separatrix of the phase plane of heel and
roll rate. Necessary always; sufficient only where all of the energy stays in the roll, as heave takes a part.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from physics.core.errors import PhysicsError
from physics.core.rotation import Array, ahead, matrix, upwards
from physics.core.trajectory import Trajectory
from physics.hydrostatics.flotation import FloatingPose, hydrostatics
from physics.hydrostatics.hull import Hull, LoadedHull
from physics.hydrostatics.immersion import integrals_below
from physics.hydrostatics.natural_periods import period
from physics.hydrostatics.righting_levers import LEAST_LEVER, crossed, curve, held
from physics.seakeeping.ship_model import shortest
from physics.systems.ship.world import ShipWorld

SAMPLES = 2000  # states of a run in waves whose levers are each computed: one takes up to 5 ms
PARTS = 20  # of the shortest period, in longer runs: between levers that far apart a spline errs by 1 percent at most
GROWN, GROWTH = 4, 1.5  # cycles of a roll after the first that grow, and by what factor in all
LEAST = math.sin(math.radians(2.0))  # smallest amplitude of roll that counts as parametric
APART = 0.15  # difference of waves in a cycle from two
STEP = 2  # [degrees] between two heels of the curve


@dataclass(frozen=True)
class LeverCurve:
    """The righting levers of a loaded hull, to both sides.

    Attributes
    ----------
    heels : (n,) [rad], ascending, at most from -180 to 180 degrees; fewer where no trim balances the hull
    levers : (n,) GZ [m], above 0 where it rights a heel to starboard
    energies : (n,) zG - zB [m], the energy over the weight
    rest : the number of the heel that is nearest to where it floats by itself
    ends : heel [rad] and energy over the weight [m] where the lever vanishes, to port and to starboard; upside down
        does not count
    """

    heels: Array
    levers: Array
    energies: Array
    rest: int
    ends: tuple[tuple[float, float] | None, tuple[float, float] | None]

    @property
    def vanishing(self) -> tuple[float | None, float | None]:
        """The heels to port and to starboard [rad] beyond which it is not righted; None where there is none."""
        port, starboard = self.ends
        return (None if port is None else port[0]), (None if starboard is None else starboard[0])

    @property
    def barrier(self) -> float | None:
        """The energy over the weight [m] from which it can capsize: that of the lower vanishing angle."""
        return min((end[1] for end in self.ends if end is not None), default=None)


def lever_curve(world: ShipWorld) -> LeverCurve | None:
    """The curve of a ship's hull, in calm water and free to trim; it takes 0.3 s for 10 000 triangles, once.

    None where no trim balances the hull upright.
    """
    load = world.load
    hull, centre = load.hull, tuple(map(float, load.centre_of_gravity))
    return _curve(hull.points.tobytes(), hull.triangles.tobytes(), load.mass, centre, load.density, world.rest.heel)


@lru_cache(maxsize=8)
def _curve(
    points: bytes, triangles: bytes, mass: float, centre: tuple[float, ...], density: float, rest: float
) -> LeverCurve | None:
    hull = Hull(np.frombuffer(points).reshape(-1, 3), np.frombuffer(triangles, np.int64).reshape(-1, 3), "hull")
    load = LoadedHull(hull, mass, np.array(centre), density)
    sides: list[list[FloatingPose]] = []
    for side in (-1, 1):
        reached: list[FloatingPose] = []
        with suppress(PhysicsError):  # it rears up: the curve ends there
            reached.extend(curve(load, np.radians(side * np.arange(0, 181, STEP))))
        sides.append(reached)
    port, starboard = sides
    if not starboard:
        return None
    found = [*port[:0:-1], *starboard]
    heels = np.array([pose.heel for pose in found])
    near = int(np.argmin(np.abs(heels - rest)))
    levers, energies = np.array([p.lever for p in found]), np.array([p.energy for p in found])
    return LeverCurve(heels, levers, energies, near, (_end(load, port, -1), _end(load, starboard, 1)))


def _end(load: LoadedHull, poses: list[FloatingPose], side: int) -> tuple[float, float] | None:
    """Heel [rad] and energy over the weight [m] where the lever comes down to 0; poses: at growing heels to a side."""

    def at(heel: float) -> FloatingPose:
        return held(load, heel, None, here)

    righted = False  # by more than rounding, which upright may have either sign
    for here, there in pairwise(poses[:-1]):
        righted = righted or side * here.lever > LEAST_LEVER * load.size
        if righted and side * there.lever <= 0.0:
            pose = at(crossed(lambda heel: at(heel).lever, here.heel, there.heel))
            return pose.heel, pose.energy
    return None


def separatrix(world: ShipWorld) -> tuple[Array, Array] | None:
    """Heels (n,) [rad] and the roll rates (n,) [rad/s], above 0, that just reach the barrier; None without one."""
    found = lever_curve(world)
    if found is None or (barrier := found.barrier) is None:
        return None
    (low, begin), (high, end) = (
        edge or (float(found.heels[i]), float(found.energies[i])) for edge, i in zip(found.ends, (0, -1), strict=True)
    )
    within = (found.heels > low) & (found.heels < high)
    heels = np.r_[low, found.heels[within], high]
    missing = np.maximum(barrier - np.r_[begin, found.energies[within], end], 0.0)
    return heels, np.sqrt(2.0 * world.body.mass * world.scenario.g * missing / roll_inertia(world))


def roll_inertia(world: ShipWorld) -> float:
    """About the ship's own x axis [kg m²], with the water that moves with it."""
    frame = matrix(world.body.axes)
    return float(frame[0] ** 2 @ world.moments + world.model.added[3])


def roll_rate(run: Trajectory) -> Array:
    """About the ship's own x axis (n,) [rad/s]."""
    return run.angular_velocity[:, 0]


def parametric_roll(run: Trajectory, world: ShipWorld) -> Array:
    """Times (n,) [s] from which the roll is seen to grow at half the frequency at which one wave meets the ship.

    GROWN cycles in turn each take two waves and are larger than the one before, by GROWTH in all, above LEAST.
    France et al. (2003), Marine Technology 40, 1-19: parametric resonance of the first kind. At most one time in each
    stretch between edits, by the regular wave there.
    """
    worlds = (one for one in (*world.earlier, world) if isinstance(one, ShipWorld))
    found = (_parametric_roll(run.rows(run.stretches == k), one) for k, one in enumerate(worlds))
    return np.array([time for time in found if time is not None])


def _parametric_roll(run: Trajectory, world: ShipWorld) -> float | None:
    """The time [s] in a stretch without edits, or None."""
    waves = world.waves
    if len(waves.frequency) != 1 or waves.is_calm:
        return None
    side = upwards(run.orientation)[:, 1]  # sine of the angle between the ship's y axis and the level
    up = np.flatnonzero((side[:-1] < 0.0) & (side[1:] >= 0.0))
    if len(up) < GROWN + 1:
        return None
    share = -side[up] / (side[up + 1] - side[up])
    along = run.position[:, :2] @ [math.cos(waves.direction[0]), math.sin(waves.direction[0])]
    met = (waves.frequency[0] * run.time - waves.wavenumber[0] * along) / (2.0 * math.pi)
    counts = np.diff(met[up] + share * (met[up + 1] - met[up]))
    sizes = np.maximum.reduceat(np.abs(side), up)[:-1]
    halved = np.abs(counts - 2.0) < APART
    for last in range(GROWN, len(sizes)):
        part = sizes[last - GROWN : last + 1]
        grows = (np.diff(part) > 0.0).all() and part[-1] > max(GROWTH * part[0], LEAST)
        if grows and halved[last - GROWN : last + 1].all():
            row = up[last + 1]
            return float(run.time[row] + share[last + 1] * (run.time[row + 1] - run.time[row]))
    return None


def levers(run: Trajectory, world: ShipWorld) -> Array:
    """The righting moment about the level axis ahead over the weight, N4 / (m g), of the states of a run (n,) [m].

    Above 0 it rights a heel to starboard. At equilibrium with the weight it is GZ. In waves it is that of the waves; of
    runs of more than SAMPLES states, between some of them it is interpolated.
    """
    if not world.waves.is_calm and len(run):
        if len(run) <= SAMPLES:
            return np.array([_lever(run, world, i) for i in range(len(run))])
        from scipy.interpolate import CubicSpline  # here: it takes long to load, and a window waits for it

        shortest_wave = np.argmin(np.abs(world.waves.wavenumber - shortest(world.waves)))
        period = min(2.0 * math.pi / world.waves.frequency[shortest_wave], roll_period(world) or math.inf)
        rows = np.union1d(np.unique(np.floor(PARTS / period * run.time), return_index=True)[1], len(run) - 1)
        known = np.array([_lever(run, world, int(i)) for i in rows])
        if not np.isfinite(known).all():  # of a scheme that has lost all bounds
            return np.asarray(np.interp(run.time, run.time[rows], known))
        return np.asarray(CubicSpline(run.time[rows], known)(run.time))
    model, vertices, triangles = world.model, world.load.vertices, world.load.hull.triangles
    found = np.empty(len(run))
    for i, turn in enumerate(matrix(run.orientation) if len(run) else ()):
        t = integrals_below(vertices, triangles, np.ascontiguousarray(turn), run.position[i, 2])
        forward = ahead(turn)
        found[i] = forward[1] * t[1] - forward[0] * t[2]
    return found * model.density / model.mass


def _lever(run: Trajectory, world: ShipWorld, i: int) -> float:
    """Righting lever of one state in waves, see ``levers``."""
    _, moment = world.water(float(run.time[i]), run.position[i], run.orientation[i])
    return -float(ahead(matrix(run.orientation[i])) @ moment) / (world.body.mass * world.scenario.g)


def metacentric_height(world: ShipWorld) -> float:
    """GM [m] where it floats at rest."""
    return hydrostatics(world.rest).gm_transverse


def roll_period(world: ShipWorld) -> float | None:
    """Period of small rolls about where it floats at rest [s]; None if it is not righted there."""
    found = period(roll_inertia(world), world.body.mass * world.scenario.g * metacentric_height(world))
    return None if math.isnan(found) else found
