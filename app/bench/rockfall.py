"""Simulated seconds of a falling rock per second of processor time, beside the engines that are installed.

The same rock (the 780 kg EOTA221, 24 vertices), the same ground (cells of 2 m, from one grid) and the same step. All
run from release until the rock rests or leaves the map, or for a minute; engines, which have no friction that grows
with slip, with Coulomb's friction alone. They take turns, so that a machine that slows down slows all.

Beside the speed, the error of energy: that of the rotation in free flight, and the largest rise of the total within
a step while the rock falls, with a restitution where the engine takes one.

And the rock on bumps below the cells, and an ellipsoid of this size and mass: as a smooth body, and as the polyhedron
of 162 vertices that is drawn for it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

import physics
from app.bench import neighbours
from app.bench.comparison import Say
from app.bench.neighbours import GRAVITY, STEP, Scene
from physics.core.rotation import Array
from physics.schemes import serving
from physics.schemes.loop import AT_CONTACTS, AT_Q, AT_R, AT_V, AT_W
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.world import RockfallWorld

ROCKS, LONGEST_FALL, STILL = 8, 60.0, 0.3  # rocks a turn, [s], [m/s]
FLIGHT, SPIN, RESTITUTION = 10.0, (1.0, 6.0, 2.0), 0.5  # [s], [rad/s], [1]: for the errors of energy
SCAR = {"modulus": 25e6, "coefficient": 0.5, "density": 1700.0}  # [N/m²], C_s, [kg/m³]
BLOCK = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
ROUND = ("smooth", "faceted")  # an ellipsoid, and its polyhedron
BUMPS = {"bumps": 0.3}  # [m], a metre apart
OF_OTHERS = ("explicit", "implicit")  # on bumps, and of round bodies


@dataclass
class RockSpeed:
    """Median and spread over the turns: simulated seconds over seconds; ns a step; ratio to MuJoCo in the same turn."""

    scheme: str
    soil: str  # or which body falls, see ROUND
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    rate: float = 0.0
    nanoseconds: float = 0.0
    ratio_to_mujoco: float | None = None
    ratio_to_explicit: float | None = None  # time a step


def run(say: Say = lambda text: None) -> dict[str, list[dict[str, object]]]:
    """Measure every scheme that serves rockfall, on rigid and compactable ground; ``say`` gets a line for each."""
    smooth = ramp(body=BLOCK | {"shape": "ellipsoid"})
    faceted = replace(smooth.body, surface=None)
    worlds = {"rigid": ramp(), "scars": ramp(soil={"scar": SCAR})}
    found = [RockSpeed(name, soil) for soil in worlds for name in serving("rockfall")]
    bodies = (smooth, replace(smooth, body=faceted, pattern=faceted))
    others = {"bumps": ramp(soil=BUMPS), **dict(zip(ROUND, bodies, strict=True))}
    found += [RockSpeed(name, other) for other in others for name in OF_OTHERS]
    worlds |= others
    around = {soil: rockfall.surroundings(world) for soil, world in worlds.items()}
    for measured in found:
        _fall(worlds[measured.soil], around[measured.soil], measured.scheme, 0)  # compile
    engines = {one.name: partial(_engine_fall, one.scene(ramp(), 0.0), ramp()) for one in neighbours.installed()}
    theirs: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(5):
        rocks = range(turn * ROCKS, (turn + 1) * ROCKS)
        for name, fall in engines.items():
            theirs[name].append(_rate(fall, rocks))
        for measured in found:
            rate = _rate(partial(_fall, worlds[measured.soil], around[measured.soil], measured.scheme), rocks)
            measured.rates.append(rate)
            compares = "MuJoCo" in theirs and measured.soil not in ROUND
            measured.ratios += [rate / theirs["MuJoCo"][-1]] if compares else []
    return {"rates": _rates(found, theirs, say), "energy": _energies(theirs, say)}


def _rates(found: list[RockSpeed], theirs: dict[str, list[float]], say: Say) -> list[dict[str, object]]:
    say(f"{'':24}{'rock seconds a second':>27}{'':11}{'time over':>10}{'rate over':>10}")
    say(f"{'scheme':16}{'soil':8}{'median':>11}{'least':>8}{'most':>8}{'ns a step':>11}{'explicit':>10}{'MuJoCo':>10}")
    for measured in found:
        first = next(m for m in found if m.soil == measured.soil)
        measured.rate = statistics.median(measured.rates)
        measured.nanoseconds = 1e9 * STEP / measured.rate
        slower = [own / one for own, one in zip(first.rates, measured.rates, strict=True)]
        measured.ratio_to_explicit = statistics.median(slower)
        measured.ratio_to_mujoco = statistics.median(measured.ratios) if measured.ratios else None
        ratio = f"{measured.ratio_to_mujoco:10.1f}" if measured.ratio_to_mujoco else ""
        line = f"{measured.scheme:16}{measured.soil:8}{measured.rate:11.0f}{min(measured.rates):8.0f}"
        say(f"{line}{max(measured.rates):8.0f}{measured.nanoseconds:11.0f}{measured.ratio_to_explicit:10.2f}{ratio}")
    rows: list[dict[str, object]] = [asdict(measured) for measured in found]
    for name, rates in theirs.items():
        rate = statistics.median(rates)
        line = f"{name:16}{'rigid':8}{rate:11.0f}{min(rates):8.0f}{max(rates):8.0f}{1e9 * STEP / rate:11.0f}{'':10}"
        own = [b / a for a, b in zip(theirs["MuJoCo"], rates, strict=True)] if "MuJoCo" in theirs else []
        say(line + (f"{statistics.median(own):10.1f}" if own else ""))
        rows.append({"scheme": name, "soil": "rigid", "rates": rates, "rate": rate})
    for one in neighbours.NEIGHBOURS:
        if one.name not in theirs:
            say(f"{one.name} is not installed (pip install {one.package}): nothing to compare with")
    return rows


def _rate(fall: Callable[[int], int], rocks: range) -> float:
    """Simulated seconds over seconds of processor time; ``fall`` runs a rock and returns its steps."""
    began = time.process_time()
    steps = sum(fall(rock) for rock in rocks)
    return steps * STEP / (time.process_time() - began)


def ramp(**more: object) -> RockfallWorld:
    """The rock on a ramp of 45°, let go in a random attitude; more: what else its scenario says."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=LONGEST_FALL,
        step=STEP,
        schemes=["implicit"],
        initial={"orientation": "random", "velocity": [1.0, 0.0, -0.84]},
        terrain={"profile": "ramp"},
        release={"position": [1, 0]},
        **{"body": BLOCK} | more,
    )
    return RockfallWorld.of(scenario)


def _fall(world: RockfallWorld, around: rockfall.Surroundings, scheme: str, rock: int) -> int:
    run = rockfall.marching(world.with_rock(rock), physics.SCHEMES[scheme], 512, 50, around)
    return sum(steps for _, _, steps, _ in run)


def _engine_fall(scene: Scene, world: RockfallWorld, rock: int) -> int:
    """Drop a rock in an engine; return its number of steps."""
    middle, steps, still = _begun(scene, world.with_rock(rock)), 0, 0
    position, extent = scene.state()[0] + middle, world.terrain.extent
    while steps < LONGEST_FALL / STEP and still < 10 and _inside(position, extent):
        scene.step(50)
        steps += 50
        place, velocity, _ = scene.state()
        position, still = place + middle, still + 1 if np.linalg.norm(velocity) < STILL else 0
    return steps


def _begun(scene: Scene, start: RockfallWorld) -> Array:
    """Put the rock of a world at its start; return the middle of the terrain."""
    middle = np.array(neighbours.middle_of(start))
    scene.begin(start.position - middle, start.orientation, start.velocity, start.angular_velocity)
    return middle


def _inside(place: Array, extent: tuple[float, float, float, float]) -> bool:
    return bool(extent[0] < place[0] < extent[1] and extent[2] < place[1] < extent[3])


# ---- energy --------------------------------------------------------------------------------------------


def _energies(theirs: Iterable[str], say: Say) -> list[dict[str, object]]:
    """Errors of energy of schemes and engines; ``say`` gets a line for each."""
    falling = ramp(soil={"restitution": RESTITUTION})
    start = falling.with_rock(0)
    high = replace(start, position=start.position + np.array([0.0, 0.0, 2000.0]), angular_velocity=np.array(SPIN))
    rows: list[dict[str, object]] = []
    say("")
    say(f"{'':16}{'energy of rotation':>20}{'largest rise of the total':>27}")
    say(f"{'':16}{f'after {FLIGHT:g} s of flight':>20}{'in a step, of the kinetic':>27}")
    measured = [
        (name, _flown(_rows(high, name)), _rise(_rows(start, name)), "") for name in ("implicit", "explicit", "exact")
    ]
    for one in neighbours.installed():
        if one.name in theirs:
            flight = _flown(_engine_rows(one.scene(high, 0.0), high, FLIGHT))
            fall = _engine_rows(one.scene(start, RESTITUTION), start, LONGEST_FALL)
            measured.append((one.name, flight, _rise(fall), "" if one.restitution else "  without restitution"))
    for name, flight, rise, note in measured:
        say(f"{name:16}{flight:20.1e}{rise:27.1e}{note}")
        rows.append({"scheme": name, "flight": flight, "rise": rise, "restitution": RESTITUTION if not note else None})
    return rows


class _Energy(NamedTuple):
    """Energies of each step [J]: of the rotation, kinetic, and total."""

    rotation: Array
    kinetic: Array
    total: Array


def _flown(energy: _Energy) -> float:
    """The relative error of the energy of the rotation at the end of a flight."""
    last = min(len(energy.rotation) - 1, round(FLIGHT / STEP))
    return float(energy.rotation[last] / energy.rotation[0] - 1.0)


def _rise(energy: _Energy) -> float:
    """The largest rise of the total energy within a step, over the kinetic energy before it, while the rock is fast."""
    fast = energy.kinetic[:-1] > 0.01 * energy.kinetic.max()
    return float((np.diff(energy.total) / energy.kinetic[:-1])[fast].max())


def _rows(world: RockfallWorld, scheme: str) -> _Energy:
    rows = np.concatenate([out for out, *_ in rockfall.marching(world, physics.SCHEMES[scheme], 4096, 1)])
    return _energy(
        world,
        rows[:, AT_R:AT_Q],
        rows[:, AT_V:AT_W],
        0.5 * (world.body.inertia * rows[:, AT_W:AT_CONTACTS] ** 2).sum(axis=1),
    )


def _engine_rows(scene: Scene, world: RockfallWorld, duration: float) -> _Energy:
    middle, states = _begun(scene, world), [scene.state()]
    while len(states) < duration / STEP and _inside(states[-1][0] + middle, world.terrain.extent):
        scene.step(1)
        states.append(scene.state())
    position, velocity, w = (np.array([state[k] for state in states]) for k in range(3))
    return _energy(world, position, velocity, 0.5 * (w * world.body.spin(w)).sum(axis=1))


def _energy(world: RockfallWorld, position: Array, velocity: Array, rotation: Array) -> _Energy:
    kinetic = rotation + 0.5 * world.body.mass * (velocity**2).sum(axis=1)
    return _Energy(rotation, kinetic, kinetic + world.body.mass * GRAVITY * position[:, 2])
