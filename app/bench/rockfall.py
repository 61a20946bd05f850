"""Simulated seconds of a falling rock per second of processor time, beside MuJoCo where that is installed.

The same rock (the 780 kg EOTA221, 24 vertices), the same ground (cells of 2 m, from one grid) and the same step. Both
run from release until the rock rests or leaves the map, or for a minute; MuJoCo, which has no friction that grows with
slip, with Coulomb's friction alone. They take turns, so that a machine that slows down slows both.

And an ellipsoid of this size and mass: as a smooth body, and as the polyhedron of 162 vertices that is drawn for it.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import numpy as np

import physics
from app.bench.comparison import Say
from physics.core.rotation import Array
from physics.schemes import serving
from physics.systems import rockfall
from physics.systems.rockfall_world import RockfallWorld

ROCKS, STEP, LONGEST, STILL = 8, 0.002, 60.0, 0.3  # rocks a turn, [s], [s], [m/s]
FRICTION = 0.8
BLOCK = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
ROUND = ("smooth", "faceted")  # an ellipsoid, and its polyhedron
OF_ROUND = ("explicit", "implicit")


@dataclass
class Measured:
    """Median and spread over the turns: simulated seconds over seconds; ns a step; ratio to MuJoCo in the same turn."""

    scheme: str
    soil: str  # or which body falls, see ROUND
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    rate: float = 0.0
    nanoseconds: float = 0.0
    ratio_to_mujoco: float | None = None
    ratio_to_explicit: float | None = None  # time a step


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scheme that serves rockfall, on rigid and compactable ground; ``say`` gets a line for each."""
    scar = {"modulus": 10e6, "coefficient": 0.1, "density": 1700.0}
    smooth = ramp(body=BLOCK | {"shape": "ellipsoid"})
    faceted = replace(smooth.body, surface=None)
    worlds = {"rigid": ramp(), "scars": ramp(soil={"scar": scar})}
    found = [Measured(name, soil) for soil in worlds for name in serving("rockfall")]
    worlds |= dict(zip(ROUND, (smooth, replace(smooth, body=faceted, pattern=faceted)), strict=True))
    found += [Measured(name, body) for body in ROUND for name in OF_ROUND]
    foreign = _mujoco(worlds["rigid"]) if importlib.util.find_spec("mujoco") else None
    for measured in found:
        _fall(worlds[measured.soil], measured.scheme, 0)  # compile
    theirs: list[float] = []
    for turn in range(5):
        rocks = range(turn * ROCKS, (turn + 1) * ROCKS)
        if foreign is not None:
            theirs.append(_rate(foreign, rocks))
        for measured in found:
            world, name = worlds[measured.soil], measured.scheme
            rate = _rate(partial(_fall, world, name), rocks)
            measured.rates.append(rate)
            measured.ratios += [rate / theirs[-1]] if theirs and measured.soil not in ROUND else []
    return _told(found, theirs, say)


def _told(found: list[Measured], theirs: list[float], say: Say) -> list[dict[str, object]]:
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
    if not theirs:
        say("MuJoCo is not installed (pip install mujoco): nothing to compare with")
        return rows
    rate = statistics.median(theirs)
    say(f"{'MuJoCo':16}{'rigid':8}{rate:11.0f}{min(theirs):8.0f}{max(theirs):8.0f}{1e9 * STEP / rate:11.0f}")
    return [*rows, {"scheme": "MuJoCo implicitfast", "soil": "rigid", "rates": theirs, "rate": rate}]


def _rate(fall: Callable[[int], int], rocks: range) -> float:
    """Simulated seconds over seconds of processor time; ``fall`` runs a rock and returns its steps."""
    began = time.process_time()
    steps = sum(fall(rock) for rock in rocks)
    return steps * STEP / (time.process_time() - began)


def ramp(**more: object) -> RockfallWorld:
    """The rock on a ramp of 45°, let go in a random attitude; more: what else its scenario says."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=LONGEST,
        step=STEP,
        schemes=["implicit"],
        initial={"orientation": "random", "velocity": [1.0, 0.0, -0.84]},
        terrain={"profile": "ramp"},
        release={"position": [1, 0]},
        **{"body": BLOCK} | more,
    )
    return RockfallWorld.of(scenario)


def _fall(world: RockfallWorld, scheme: str, rock: int) -> int:
    around = rockfall.surroundings(world)
    run = rockfall.marching(world.with_rock(rock), physics.SCHEMES[scheme], 512, 50, around)
    return sum(steps for _, _, steps, _ in run)


# ---- MuJoCo --------------------------------------------------------------------------------------------


def _mujoco(world: RockfallWorld) -> Callable[[int], int]:
    """A function that runs a rock in MuJoCo and returns its steps."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(_model(world))
    terrain = world.terrain
    low, high = float(terrain.heights.min()), float(terrain.heights.max())
    model.hfield_data[:] = ((terrain.heights - low) / (high - low)).ravel()
    data = mujoco.MjData(model)
    x0, x1, y0, y1 = terrain.extent
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2, low])

    def fall(rock: int) -> int:
        start = world.with_rock(rock)
        mujoco.mj_resetData(model, data)
        data.qpos[:3], data.qpos[3:] = start.position - middle, start.orientation
        data.qvel[:3] = start.velocity
        steps, still = 0, 0
        while steps < LONGEST / STEP and still < 10 and _inside(data.qpos[:3] + middle, terrain.extent):
            mujoco.mj_step(model, data, 50)
            steps += 50
            still = still + 1 if np.linalg.norm(data.qvel[:3]) < STILL else 0
        return steps

    return fall


def _inside(place: Array, extent: tuple[float, float, float, float]) -> bool:
    return bool(extent[0] < place[0] < extent[1] and extent[2] < place[1] < extent[3])


def _model(world: RockfallWorld) -> str:
    """The scene as MuJoCo reads it."""
    terrain, body = world.terrain, world.body
    (ny, nx), (x0, x1, y0, y1) = terrain.heights.shape, terrain.extent
    relief = float(np.ptp(terrain.heights))
    corners = " ".join(f"{value:.9g}" for value in body.vertices.ravel())
    return f"""<mujoco>
      <option timestep="{STEP}" integrator="implicitfast" gravity="0 0 -9.81"/>
      <asset>
        <mesh name="rock" vertex="{corners}"/>
        <hfield name="ground" nrow="{ny}" ncol="{nx}" size="{(x1 - x0) / 2} {(y1 - y0) / 2} {relief} 1"/>
      </asset>
      <worldbody>
        <geom type="hfield" hfield="ground" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        <body>
          <freejoint/>
          <geom type="mesh" mesh="rock" mass="{body.mass}" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        </body>
      </worldbody>
    </mujoco>"""
