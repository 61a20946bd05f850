"""Work and precision: the error of schemes at the end of a motion, with ever smaller steps, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import Array, angle_between
from physics.core.step_count import whole_steps
from physics.scenario.scenario import Scenario
from physics.schemes import SCHEMES, by_family, serving
from physics.schemes.families import ADVICE
from physics.schemes.lane import lane_of, named
from physics.systems import system_of
from physics.systems.system import End
from physics.systems.world import World

MOST = 10  # schemes where none are chosen: more lines are crowded
HALVINGS = 10
REPEATS, ENOUGH = 30, 0.03  # a run is timed so often again at most, while all took less than this [s]


@dataclass(frozen=True)
class Points:
    """One scheme: steps (n,) [s], attitude errors (n,) [rad] at the end, computing times (n,) [s].

    torques (n,): how many were evaluated; NaN, see ``End``.
    """

    scheme: str
    steps: Array
    errors: Array
    times: Array
    torques: Array


def motions_of(scenario: Scenario) -> tuple[str, ...]:
    """The lanes of a scenario with its own step: each scheme and variant once, whatever steps its lanes have."""
    return tuple(dict.fromkeys(lane.motion for lane in scenario.lanes))


def of_first(scenario: Scenario, schemes: Iterable[str]) -> list[str]:
    """Lanes of schemes that all move as the first lane of a scenario does, if it is one of a variant."""
    return [named(scheme, scenario.lanes[0].variant) for scheme in schemes]


def world_of(scenario: Scenario, names: Sequence[str]) -> World:
    """The world of lanes that are one motion: all of one variant, or as the scenario is; ScenarioError where not."""
    lanes = [lane_of(name, scenario.served, "--scheme") for name in names]
    for lane in lanes:
        if lane.step is not None:
            raise ScenarioError("--scheme", f"it takes many steps; expected {lane.motion}, got '{lane.name}'")
    variants = dict.fromkeys(lane.variant for lane in lanes)
    if len(variants) > 1:
        told = " and ".join(name or "none" for name in variants)
        raise ScenarioError("--scheme", f"expected schemes of one variant, whose motion is measured, got {told}")
    variant = next(iter(variants), "")
    return World.of(scenario.of_variant(variant) if variant else scenario)


def able(kind: str) -> list[str]:
    """The schemes that serve a kind and have an order."""
    return [name for name in serving(kind) if SCHEMES[name].order is not None]


def selection(kind: str) -> list[str]:
    """The schemes that are drawn where none are chosen: all of a kind, or MOST of them.

    The user's own, of each family in turn those that one is advised to choose, then one for each of its other orders.
    """
    known = able(kind)
    if len(known) <= MOST:
        return known
    families = {family: [scheme.name for scheme in schemes] for family, schemes in by_family(kind).items()}
    advised = [[name for name in ADVICE[family].choices if name in known] for family in families]
    found = [name for name in families.get("own", []) if name in known]
    found += [name for turn in zip_longest(*advised) for name in turn if name is not None]
    seen = {(SCHEMES[name].family, SCHEMES[name].order) for name in found}
    for name in known:
        if (order := (SCHEMES[name].family, SCHEMES[name].order)) not in seen:
            seen.add(order)
            found.append(name)
    return sorted(found[:MOST], key=known.index)


def measured(scenario: Scenario, names: list[str]) -> list[Points]:
    """Every scheme from the scenario's step (an eighth of the duration at most), halved again and again."""
    world = world_of(scenario, names)
    first = max(8, whole_steps(scenario.duration, scenario.step))
    truth = truth_of(world, first)
    return [_points(world, name, first, truth) for name in names]


def truth_of(world: World, first: int) -> Array:
    """The attitude at the end: exact for a free body, else by a splitting scheme extrapolated from tiny steps."""
    if system_of(world.scenario).torque_free:
        return ended(world, "exact", 1).attitude
    counts = (max(4096, 16 * first) * 2**i for i in range(3))
    coarse, middle, fine = (ended(world, "verlet-exact", count).attitude for count in counts)
    middle, fine = middle * np.sign(middle @ coarse), fine * np.sign(fine @ coarse)
    # Richardson: the symmetric scheme's error has even powers of the step only
    once, twice = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    best = (16 * twice - once) / 15
    return np.asarray(best / np.linalg.norm(best))


def _points(world: World, name: str, first: int, truth: Array) -> Points:
    ended(world, name, 1)  # compile
    rows = []
    for count in (first * 2**i for i in range(HALVINGS)):
        end = ended(world, name, count)
        if np.isfinite(end.attitude).all():
            error = max(float(angle_between(end.attitude, truth)), 1e-17)
            seconds = fastest(world, name, count, end.seconds)
            rows.append((world.scenario.duration / count, error, seconds, end.torques))
    return Points(name, *np.array(rows).reshape(-1, 4).T)


def ended(world: World, name: str, count: int) -> End:
    """The scenario's duration in ``count`` steps; the seconds of the first run are those of compiling too."""
    end = system_of(world.scenario).end
    if end is None:
        raise PhysicsError("impacts make the motion chaotic: no order can be seen in it")
    return end(world, lane_of(name).scheme, count)


def uncounted(names: Iterable[str]) -> str:
    """Which schemes have no place over the number of torques, and why, in a sentence; "" where all have one."""
    found = [scheme for scheme in (lane_of(name).scheme for name in names) if scheme.torques is None]
    solving = [scheme.name for scheme in found if scheme.code is None]
    silent = [scheme.name for scheme in found if scheme.code is not None]
    told = [f"{', '.join(solving)} (evaluated in iterations, of any number)"] if solving else []
    told += [f"{', '.join(silent)} (no TORQUES in the file)"] if silent else []
    return f"Not over torques: {'; '.join(told)}." if told else ""


def fastest(world: World, name: str, count: int, seconds: float) -> float:
    """The computing time [s] of steps that took ``seconds`` once: the shortest of some runs where they are brief."""
    taken = [seconds]
    while len(taken) <= REPEATS and sum(taken) < ENOUGH:
        taken.append(ended(world, name, count).seconds)
    return min(taken)
