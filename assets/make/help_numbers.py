"""Numbers in help pages and notes of scenarios that come from runs.

``python -m assets.make.help_numbers`` runs them again and rewrites what differs from the printed digits. A test
compares those that are ``remade``: of rows that one function makes of different values, it takes some.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import physics
from app.figures import betsch, gustafsson
from app.hazard import entrants
from app.hazard.figures import entries as entry_scores
from app.hazard.figures import field_sites, leine_tables
from app.hazard.figures.rock_ensembles import CHANT_SURA, RAMP, SCHEMES, rock_ensemble
from app.kinds import KINDS
from assets.make.help_tables import row_of, table_of
from physics.analysis import toy_motion
from physics.analysis.invariants import vertical_spin_error
from physics.core.arithmetic import elementary_functions
from physics.core.processors import processors
from physics.core.rotation import Array, apply, conjugate, nutation
from physics.hazard.ensemble import Ensemble
from physics.hazard.entries import read_entry
from physics.hazard.fit import FallingRocks, Fit, runs_of
from physics.hazard.fit_parameters import Bounds, parameters_of
from physics.hazard.lane_distributions import WIDE, beside, reference_lanes, values_of
from physics.hazard.posterior import draws, ranked, with_its_error
from physics.hazard.ranks import ranks_of
from physics.hazard.validation import compared
from physics.hydrostatics.righting_levers import righting
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.ship.world import ShipWorld
from physics.terrain.soil import SOILS

ASSETS = Path(__file__).parents[1]
UP = np.array([0.0, 0.0, 1.0])
_NUMBER = r"([-−]?\d+(?:\.\d+)?(?:e[-+]?\d+| · 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
# Rocks are chaotic: digits are those of this arithmetic (see physics.core.arithmetic), elsewhere means differ by chance
ARITHMETIC, BY_CHANCE = "978ea0bd97ac90cf", 0.06


@dataclass(frozen=True)
class Passage:
    """A passage of a file below assets, with {} for each number, and the function that runs the program for them.

    ``{*}`` is a number that another passage has. ``by_chance``: by how much, relative, numbers of chaotic rocks may
    differ on another arithmetic; ``spreads``: those of ``{} ± {}`` are means and spreads of rocks, and a mean may
    differ by the spread at most. ``remade``: by the test too, not by ``python -m assets.make.help_numbers`` alone.
    """

    file: str
    passage: str
    found: Callable[[], tuple[float, ...]]
    by_chance: float = 0.0
    spreads: bool = False
    remade: bool = True

    def match(self, text: str) -> re.Match[str]:
        """Match of the passage, with any blanks between its words; ValueError unless exactly once."""
        parts = (_pattern(part) for part in re.split(r"(\{\*?\})", self.passage))
        found = list(re.finditer("".join(parts), text))
        if len(found) != 1:
            raise ValueError(f"{self.file}: expected the passage once, found {len(found)} times: {self.passage}")
        return found[0]


def _pattern(part: str) -> str:
    if part in ("{}", "{*}"):
        return _NUMBER if part == "{}" else _NUMBER.replace("(", "(?:", 1)
    return r"\s+".join(map(re.escape, re.split(r"\s+", part)))


def printed(value: float, like: str) -> str:
    """A number in the form and with the digits of another one: 3.6 · 10⁻⁷, 4.6e-2, −1.25."""
    mantissa = re.split(r"e| · ", like)[0]
    digits = len(mantissa.partition(".")[2])
    if mantissa == like:
        told = f"{value:.{digits}f}"
    else:
        first, _, power = f"{value:.{digits}e}".partition("e")
        told = f"{first}e{int(power)}" if "e" in like else f"{first} · 10{str(int(power)).translate(_RAISED)}"
    return told.replace("-", "−", 1) if "−" in like and told.startswith("-") else told


def value_of(told: str) -> float:
    """The number in a text."""
    return float(told.translate(_LOWERED).replace(" · 10", "e"))


def agree(value: float, told: str, within: float = 0.0) -> bool:
    """True if a text has the number to its last digit, within half a unit of it; or ``within``."""
    unit = 10.0 ** -len(re.split(r"e| · ", told)[0].partition(".")[2])
    if re.search("e| · ", told):
        unit *= 10.0 ** float(re.split("e| · 10", told.translate(_LOWERED))[1])
    return abs(value - value_of(told)) <= max(0.51 * unit, within)


def differences(row: Passage, found: Sequence[float]) -> list[tuple[str, str]]:
    """Numbers of a passage as they are told and as they were found, where these differ."""
    told = row.match((ASSETS / row.file).read_text(encoding="utf-8")).groups()
    by_chance = row.by_chance if elementary_functions() != ARITHMETIC else 0.0
    within = [by_chance if math.isinf(by_chance) else by_chance * abs(value) for value in found]
    for k, between in enumerate(row.passage.split("{}")[1:-1]):
        if row.spreads and between == " ± ":
            within[k] = min(within[k], value_of(told[k + 1]))
    rows = zip(told, found, within, strict=True)
    return [(one, printed(value, one)) for one, value, far in rows if not agree(value, one, far)]


# ---- runs ---------------------------------------------------------------------------------------------


@cache
def run_of(name: str, scheme: str, step: float = 0.0, duration: float = 0.0) -> physics.Trajectory:
    """A scenario of the collection under one scheme; at another step, with every step recorded, or for another time."""
    scenario = _scenario(name).changed(schemes=(scheme,))
    if step:
        scenario = scenario.changed(step=step, record_every=1)
    return physics.simulate(scenario.changed(duration=duration) if duration else scenario)[scheme]


def _scenario(name: str) -> physics.Scenario:
    return physics.load_scenario(ASSETS / "scenarios" / f"{name}.toml")


def zeros(time: Array, values: Array) -> Array:
    """The times [s] at which values (n,) change their sign, between samples on a straight line."""
    i = np.flatnonzero(np.diff(np.sign(values)))
    return time[i] + (time[i + 1] - time[i]) * values[i] / (values[i] - values[i + 1])


def energy_error(run: physics.Trajectory) -> float:
    """The largest, over the energy at the start."""
    return float(np.abs(run.total_energy / run.total_energy[0] - 1.0).max())


def heights(scheme: str) -> Array:
    """Heights of the centre of mass of the steady top [mm]."""
    return 1e3 * run_of("top-steady", scheme).position[:, 2]


def of_top(scheme: str) -> tuple[float, float]:
    """Errors of the paper's top after a second of 800 steps: centre of mass, attitude."""
    steps, centre, attitude = betsch.top_errors(scheme)
    (i,) = np.flatnonzero(np.isclose(steps, 1 / 800))
    return float(centre[i]), float(attitude[i])


def turned_round() -> float:
    """Time at which a body with moments 2, 1, 2 that starts about its third axis turns about it the other way."""
    start = {"angular_velocity": [1e-3, 1e-3, 10.001]}
    body = {"inertia": [2.0, 1.0, 2.0], "mass": 1.0}
    scenario = physics.Scenario(kind="free", duration=7e3, step=1.0, schemes=["exact"], body=body, initial=start)
    run = physics.simulate(scenario)["exact"]
    return float(run.time[np.argmin(run.angular_velocity[:, 2])])


def returns() -> float:
    """The time after which the momentum of the free vessel comes back."""
    run = run_of("vessel-free", "verlet-exact", 0.001, 12.0)
    away = np.linalg.norm(run.angular_velocity - run.angular_velocity[0], axis=1)
    return float(run.time[5000 + np.argmin(away[5000:])])


def tilts(scheme: str, step: float = 0.0) -> tuple[float, float]:
    """The least and the largest tilt of the disk that rolls in a circle [rad]."""
    run = run_of("table-disk", scheme, step)
    tilt = toy_motion.tilt(run, physics.World.of(_scenario("table-disk")))
    return float(tilt.min()), float(tilt.max())


def axis_error(scheme: str, step: float) -> float:
    """Error of the disk's axis, seen from the body, after a second; against 20 000 steps."""
    ends = [run_of("table-disk", *how, 1.0).orientation[-1] for how in ((scheme, step), ("exact", 5e-5))]
    seen = [apply(conjugate(q), UP) for q in ends]
    return float(np.linalg.norm(seen[0] - seen[1]))


def turns_over(scheme: str, step: float) -> float:
    """Time at which the tippe top passes 90 degrees."""
    run = run_of("table-tippe-top", scheme, step, 2.0)
    return float(zeros(run.time, apply(run.orientation, UP)[:, 2])[0])


def jellett_error(scheme: str) -> float:
    """The largest of the tippe top with friction at a point."""
    top = _scenario("table-tippe-top")
    table = {key: value for key, value in top.table.model_dump(exclude_unset=True).items() if key != "spin_radius"}
    scenario = top.changed(table=table, schemes=(scheme,), step=0.001, record_every=1, duration=2.5)
    integral = toy_motion.jellett(physics.simulate(scenario)[scheme], physics.World.of(scenario))
    return float(np.abs(integral / integral[0] - 1.0).max())


def rests(scheme: str) -> float:
    """Time at which Euler's disk rests under contour friction."""
    return float(run_of("table-euler-disk", f"{scheme}:contour").events[-1].time)


def heel_of(lane: str) -> tuple[Array, Array]:
    """Times, and the heel [degrees] of the barge that nearly capsizes, or does."""
    (heel,) = (quantity for quantity in KINDS["ship"].choices if quantity.title == "Heel")
    run = run_of("ship-capsize", lane)
    return run.time, heel.values(run, physics.World.of(_scenario("ship-capsize")))


def vanishing(name: str) -> float:
    """The heel beyond which nothing rights a ship [degrees]."""
    world = physics.World.of(_scenario(name))
    assert isinstance(world, ShipWorld)
    angle = righting(world.load, world.rest).vanishing
    assert angle is not None
    return math.degrees(angle)


def means(ground: str, scar: tuple[float, float] | None = None) -> tuple[float, ...]:
    """Means of 1000 rocks, explicit and implicit, in the unit of the paper, quantity by quantity.

    scar: see rock_ensembles.rock_ensemble.
    """
    both = [rock_ensemble(ground, scheme, 1000, scar=scar) for scheme in SCHEMES]
    return tuple(one.mean(quantity) / leine_tables.SHOWN[quantity][2] for quantity in PAPERS_ROWS for one in both)


def of_soil(preset: str) -> tuple[float, ...]:
    """Mean run-out, energy line, largest speed and correlation with mass of rocks on the alpine slope, of two seeds.

    On its file: when it is generated, its last digits are those of numpy for the processor.
    """
    slope = {"file": str(ASSETS / "terrain" / "alpine.tif")}
    scenarios = (field_sites.alpine(preset, 60, seed).changed(terrain=slope) for seed in (1, 2))
    found = [field_sites.falls(field_sites.worlds_of(one)[0], lambda *_: None) for one in scenarios]
    return tuple(numbers[0] for pair in zip(*found, strict=True) for numbers in pair)


def at_tschamut() -> tuple[float, ...]:
    """Numbers of the site in the table of ``polhode benchmark field``, row by row."""
    worlds = field_sites.worlds_of(field_sites.tschamut())
    stops = worlds[0].observed.stops
    assert stops is not None
    site = field_sites.site(worlds, field_sites.measured_at(worlds[0], stops), lambda *_: None)
    return tuple(number for row in site.rows() for cell in row[3:] for number in cell)


def scattered(*strengths: float) -> tuple[float, ...]:
    """Spread [m] of run-outs within a run of Tschamut by scatter of impacts."""
    return tuple(_spread({"soil.scatter": strength}) for strength in strengths)


def scattered_by_rock() -> tuple[float, ...]:
    """Spread [m] of run-outs within a run of Tschamut by factors of each rock."""
    factors = np.random.default_rng(5).standard_normal((1000, 2))
    laws = np.minimum([14.0, 0.42] * np.exp(0.6 * factors - 0.18), [59.0, 1.0])
    with TemporaryDirectory() as folder:
        sets = Path(folder) / "posterior.csv"
        rows = "".join(f"{ramp:.4f},{restitution:.4f}\n" for ramp, restitution in laws.tolist())
        sets.write_text("soil.ramp,soil.restitution\n" + rows, encoding="utf-8")
        return (_spread({"soil.scatter": 0.0, "ensemble.posterior": str(sets)}),)


def _spread(keys: dict[str, Any]) -> float:
    rocks = {"soil.laws": "recommended", "ensemble.rocks": 720, "ensemble.seed": 0}
    runs = np.reshape(fallen(field_sites.tschamut().changed(**rocks, **keys))["runout"], (-1, 18))
    return float(np.sqrt(runs.var(axis=0, ddof=1).mean()))


def by_distribution() -> tuple[float, ...]:
    """Mean run-out of 200 rocks on the ramp, what it is off, its band, W1 and chance [m]: explicit, implicit."""
    ramp = of_rocks(physics.load_scenario(ASSETS / "scenarios" / "rock-ramp.toml").changed(**{"ensemble.rocks": 200}))
    reference, _ = reference_lanes(ramp)
    ensemble = Ensemble(RockfallWorld.of(ramp.changed(schemes=(*ramp.schemes, reference))))
    deque(ensemble.march(), maxlen=0)
    values = {name: values_of(results) for name, results in ensemble.results.items()}
    found = [beside(name, ensemble.results, values, reference).differences["runout"] for name in ramp.schemes]
    return tuple(
        number for one in found for number in (one.mean, one.shift, one.shift_error, one.wasserstein, one.by_chance)
    )


def on_the_ramp(change: dict[str, Any]) -> tuple[float, float]:
    """Mean run-out of 200 rocks on the ramp and half its band of 95 % [m], with something changed."""
    ramp = physics.load_scenario(ASSETS / "scenarios" / "rock-ramp.toml")
    runouts = fallen(ramp.changed(**({"schemes": ("implicit",), "ensemble.rocks": 200} | change)))["runout"]
    return float(runouts.mean()), WIDE * float(runouts.std(ddof=1)) / math.sqrt(len(runouts))


def _scar(modulus: float, coefficient: float) -> dict[str, Any]:
    return {"soil.scar": {"modulus": modulus, "coefficient": coefficient, "density": 1700.0}}


def _friction(preset: str) -> dict[str, Any]:
    return {f"soil.{key}": getattr(SOILS[preset], key) for key in ("mu_min", "beta", "kappa")}


def fallen(scenario: physics.Scenario) -> Any:
    """Rows of the rocks of a scenario, of numbers that numpy takes."""
    return field_sites.fallen(RockfallWorld.of(of_rocks(scenario)), lambda *_: None)


def _bumps(height: float) -> dict[str, float]:
    """Keys of soil of bumps half a metre long, of a height [m]."""
    return {"bumps": height, "bump_length": 0.5} if height else {}


def bumpy_tschamut(height: float) -> tuple[float, ...]:
    """Mean and spread of run-outs at Tschamut and their W1 [m] with bumps, with the recommended laws."""
    keys = {"soil.laws": "recommended"} | {f"soil.{key}": value for key, value in _bumps(height).items()}
    world = RockfallWorld.of(of_rocks(field_sites.tschamut().changed(**keys)))
    assert world.observed.stops is not None
    measured, _ = field_sites.measured_at(world, world.observed.stops)
    runouts = np.asarray(field_sites.fallen(world, lambda *_: None)["runout"], float)
    one = compared(measured.runouts, runouts)
    return one.computed.mean, one.computed.std, one.wasserstein


def bumpy_contacts() -> tuple[float, ...]:
    """Mean speed, share of energy and deflection after contacts as at Chant Sura, by the height of bumps."""
    hard = {"preset": "hard", "laws": "recommended"}
    return tuple(
        float(mean)
        for height in (0.0, 0.3, 0.5)
        for mean in field_sites.single_contacts(hard | _bumps(height)).mean(axis=0)[:3]
    )


def bumpy_plane(height: float) -> tuple[float, ...]:
    """Mean of the largest speeds [m/s] and run-out [m] of 60 rocks on a plane of 38° with bumps."""
    rows = on_plane(60, 1, **{f"soil.{key}": value for key, value in _bumps(height).items()})
    return float(rows["max_velocity"].mean()), float(rows["runout"].mean())


def on_plane(rocks: int, seed: int, **keys: Any) -> Any:
    """Rows of rocks on a plane of 38°, 200 m high, of ``hard``."""
    table = {"profile": "ramp", "angle": 38.0, "drop": 200.0, "width": 200.0}
    start = {"line": [[5.0, -40.0], [5.0, 40.0]], "height": "clear"}
    return fallen(field_sites.alpine("hard", rocks, seed).changed(terrain=table, release=start, step=0.002, **keys))


def wheels(height: float) -> tuple[float, ...]:
    """Mean angles [deg] by which 300 cubes, and wheels, stop beside the line of fall, with bumps."""
    cube, wheel = [0.7408] * 3, [0.93, 0.93, 0.47]  # of one volume
    found = list[float]()
    for size in (cube, wheel):
        keys: dict[str, Any] = {f"soil.{key}": value for key, value in _bumps(height).items()}
        keys |= {"soil.laws": "recommended", "body": {"shape": "eota", "size": size, "mass": 780.0}}
        rows = on_plane(300, 4, ensemble={"rocks": 300, "seed": 4}, **keys)
        aside = np.arctan2(rows["y"] - rows["release_y"], rows["x"] - rows["release_x"])
        found.append(float(np.degrees(np.abs(aside)).mean()))
    return tuple(found)


def past_the_trees() -> tuple[float, ...]:
    """Share of 100 rocks past 140 m of forest, of those that got there, by volume: on smooth ground, and on rough.

    No rock of the smallest gets there on rough ground.
    """
    stand = {"stems": 290.0, "dbh": 31.0, "dbh_deviation": 10.0}
    far, near = ((200.0, -300.0), (200.0, 300.0)), ((60.0, 300.0), (60.0, -300.0))
    found: list[float] = []
    for volume in (0.05, 0.5, 5.0):
        side = 1.2 * volume ** (1 / 3)
        size = (1.05 * side, side, 0.95 * side)
        for roughness in (0.0, 0.3) if volume > 0.05 else (0.0,):
            scenario = physics.Scenario(
                kind="rockfall",
                duration=200.0,
                step=0.005,
                schemes=("implicit",),
                body={"shape": "random", "size": size, "mass": 2700.0 * volume, "points": 24},
                initial={"orientation": "random"},
                terrain={"profile": "ramp", "angle": 38.0, "drop": 172.0, "width": 600.0},
                soil={"preset": "medium", "roughness": roughness},
                forest={"zone": ({"polygon": (*far, *near)} | stand,)},
                release={"line": ((1.0, -50.0), (1.0, 50.0)), "height": "clear"},
                ensemble={"rocks": 100, "seed": 1},
            )
            x = fallen(scenario)["x"]
            found.append(float((x > far[0][0]).sum() / (x > near[0][0]).sum()))
    return tuple(found)


class _Once(FallingRocks):
    """Threads that let no rock fall twice with the same soil: both halves of the runs are ranked among the same."""

    def __init__(self, scenario: RockfallScenario, workers: int) -> None:
        super().__init__(scenario, workers)
        self._found: dict[tuple[str, bytes], tuple[Array, NDArray[np.bool_]]] = {}

    def stops(self, scenario: RockfallScenario, rocks: NDArray[np.int64]) -> tuple[Array, NDArray[np.bool_]]:
        """Run-outs of rocks and whether they came to rest, as before."""
        key = repr(scenario.soil), rocks.tobytes()
        if key not in self._found:
            self._found[key] = super().stops(scenario, rocks)
        return self._found[key]


def covered(laws: str) -> tuple[float, ...]:
    """Numbers of runs of Tschamut in the bands of rocks, and mean rank, laws and error from the other half.

    Of the recommended laws ("start"), or of the posterior; as computed, then with the model's error.
    """
    scenario = of_rocks(field_sites.tschamut().changed(**{"soil.laws": "recommended", "ensemble.seed": 1}))
    world = RockfallWorld.of(scenario)
    stops = world.observed.stops
    assert stops is not None
    runs = runs_of(world, stops, 0.5, seed=1)
    parameters, found = parameters_of(scenario, FREE), []
    start = np.array([one.start for one in parameters])
    with _Once(scenario, processors()) as falling:
        for held_out in (runs.held_out, ~runs.held_out):
            fit = Fit(scenario, parameters, replace(runs, held_out=held_out), falling, 1000)
            sets = np.tile(start, (40, 1)) if laws == "start" else draws(fit, 40)[0]
            ranks = ranked(fit, laws, sets)[1]["held_out"]
            found.append([ranks[name] for name in (laws, with_its_error(laws))])
    numbers = list[float]()
    for halves in zip(*found, strict=True):
        both = ranks_of(np.concatenate([one.values for one in halves]))
        numbers += [*(float(band.inside) for band in both.coverage), both.mean]
    return tuple(numbers)


def entered(*names: str) -> tuple[float, ...]:
    """Numbers of sites in the table of ``polhode benchmark entries``, with the example of an entry, row by row."""
    sites = entrants.own_sites()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lumped_mass.csv"
        subprocess.run([sys.executable, str(ASSETS / "field" / "lumped_mass.py"), str(path)], check=True)
        theirs = read_entry(path, sites)
    chosen = [site for site in sites if site.name in names]
    entries = (*entrants.entries_of(chosen, (), entrants.ROCKS, lambda *_: None), theirs)
    made = entry_scores.table(chosen, entry_scores.scored(chosen, entries))
    return tuple(float(number) for row in made.rows for cell in row[3:] for number in re.findall(_NUMBER, cell))


def _entries(*names: str) -> str:
    """The rows of sites in the table of entries of the help, without their numbers."""
    rows = (row for row in table_of("benchmark", "Entries") if row[0] in names)
    return " ".join(row_of((*row[:3], *(re.sub(_NUMBER, "{}", cell) for cell in row[3:]))) for row in rows)


# ---- passages -----------------------------------------------------------------------------------------

ALL = ("explicit", "implicit", "exact")
FREE = Bounds("soil.ramp", 5.0, 25.0), Bounds("soil.restitution", 0.1, 0.7), Bounds("soil.scatter", 0.0, 1.0)
# The test of ``polhode benchmark field`` compares these with what it prints
SITES = (
    Passage(
        "help/trust.md",
        "| Tschamut 2014 | run-out [m] | {} ± {} | {} ± {} | {} ± {} | {} ± {} | "
        "| Tschamut 2014 | W1 [m] | {} | {} | {} | {} | | Tschamut 2014 | correlation with mass | {} | {} | {} | |",
        at_tschamut,
        by_chance=math.inf,  # of 360 rocks, and of 18
        spreads=True,
        remade=False,
    ),
    Passage(
        "help/trust.md",
        "| Contacts as at Chant Sura | speed after it [m/s] | {} | {} | {} | | "
        "| Contacts as at Chant Sura | energy of translation after it, share | {} | {} | {} | | "
        "| Contacts as at Chant Sura | deflection [°] | {} | {} | {} | | "
        "| Contacts as at Chant Sura | angular velocity after it [rad/s] | {} | {} | {} | |",
        lambda: tuple(number for row in field_sites.contacts() for cell in row[3:6] for number in cell),
        by_chance=BY_CHANCE,
        remade=False,
    ),
)
PAPERS_ROWS = {
    "kinetic_energy": ("kinetic energy", "kJ"),
    "velocity": ("velocity", "m/s"),
    "rotation": ("rotation", "rot/s"),
    "jump_height": ("jump height", "m"),
}


def _rows() -> Iterator[Passage]:
    yield Passage("help/papers.md", "until, after {} s, it points the other way", lambda: (turned_round(),))
    grounds = (RAMP, None), (RAMP, leine_tables.FITTED), (CHANT_SURA, None)
    for i, ground in enumerate(grounds):
        rows, marks = [], ["{*} / {*}"] * len(grounds)
        marks[i] = "{} / {}"
        for quantity, (name, unit) in PAPERS_ROWS.items():
            digits = {"kJ": 0, "m/s": 1}.get(unit, 2)
            ramp, likeness = (
                " / ".join(f"{mean:.{digits}f}" for mean, _ in printed[quantity])
                for printed in (leine_tables.PRINTED_2, leine_tables.PRINTED_3)
            )
            rows.append(f"| {name} [{unit}] | {marks[0]} | {marks[1]} | {ramp} | {marks[2]} | {likeness} |")
        found = partial(means, *ground)
        yield Passage("help/papers.md", " ".join(rows), found, by_chance=BY_CHANCE, remade=i == 0)
    for scheme in betsch.COMPARED:
        yield Passage("help/papers.md", f"| `{scheme}` | {{}} | {{}} |", lambda scheme=scheme: of_top(scheme))
    for soil in ("extra-soft", "soft", "medium", "hard", "extra-hard"):
        yield Passage(
            "help/soil-laws.md",
            f"| {soil} | {{}}, {{}} m | {{}}°, {{}}° | {{}}, {{}} m/s | {{}}, {{}} |",
            partial(of_soil, soil),
            by_chance=math.inf,  # largest speeds and correlations are those of single rocks
            remade=soil in ("soft", "hard"),
        )
    yield from SITES
    yield Passage(
        "help/ensembles.md",
        "| explicit | {} | {} ± {} | {} | {} | yes | | implicit | {} | {} ± {} | {} | {} | no |",
        by_distribution,
        by_chance=math.inf,  # differences of means of chaotic rocks
    )
    changes: tuple[tuple[str, dict[str, Any], bool], ...] = (
        ("nothing: implicit, 2 ms", {}, True),
        ("other rocks: seed 2", {"ensemble.seed": 2}, False),
        ("step: implicit, 4 ms", {"schemes": ("implicit@0.004",)}, True),
        ("step: explicit, 0.5 ms", {"schemes": ("explicit@0.0005",)}, False),
        ("scheme: explicit, 2 ms", {"schemes": ("explicit",)}, True),
        ("soil: scar of the first impact", _scar(25e6, 4.0), True),  # Lu et al. 2019, impacts 1, 2 and 4
        ("soil: scar of the second impact", _scar(15e6, 1.5), False),
        ("soil: scar of the fourth impact", _scar(10e6, 0.5), False),
        ("soil: friction of medium-hard", _friction("medium-hard"), True),
        ("soil: friction of extra-hard", _friction("extra-hard"), False),
    )
    for name, change, remade in changes:
        found = partial(on_the_ramp, change)
        yield Passage("help/ensembles.md", f"| {name} | {{}} ± {{}} |", found, by_chance=BY_CHANCE, remade=remade)
    trust, few = "help/trust.md", math.inf  # rocks: 360, 60, and 300 whose errors are given
    bumps = {
        0.0: "alone, at Tschamut: {} ± {} m, W1 {} without bumps",
        0.1: "without bumps; {} ± {}, {} with 0.1 m",
        0.2: "with 0.1 m; {} ± {}, {} with 0.2 m",
        0.3: "with 0.2 m; {} ± {}, {} with 0.3 m",
        0.5: "with 0.3 m; {} ± {}, {} with 0.5 m.",
    }
    for height, passage in bumps.items():
        yield Passage(trust, passage, partial(bumpy_tschamut, height), by_chance=few, remade=height == 0.2)
    for height, words in {0.0: "without bumps", 0.3: "with 0.3 m", 0.5: "with 0.5 m", 1.0: "with 1 m"}.items():
        passage = f"{{}} m/s and {{}} m {words}"
        yield Passage(trust, passage, partial(bumpy_plane, height), by_chance=few, remade=height == 0.3)
    for height, words in {0.0: "without bumps", 0.2: "with 0.2 m", 0.4: "with 0.4 m"}.items():
        passage = f"{{}}° and {{}}° {words}"
        yield Passage(trust, passage, partial(wheels, height), by_chance=few, remade=height == 0.2)
    yield Passage(
        "help/trust.md",
        "speed {} m/s, share of energy {}, deflection {}° without bumps, {} m/s, {}, {}° with 0.3 m, "
        "{} m/s, {}, {}° with 0.5 m",
        bumpy_contacts,
        by_chance=BY_CHANCE,
    )
    yield Passage(
        "help/ground.md",
        "| 0.05 | {} | none gets there | | 0.5 | {} | {} | | 5 | {} | {} |",
        past_the_trees,
        by_chance=math.inf,  # counts of rocks
    )
    for laws, name in {"start": "the recommended laws", "posterior": "40 sets of the posterior"}.items():
        yield Passage(
            "help/fit.md",
            f"| {name} | {{}} | {{}} | {{}} | {{}} | | the same, with the model's error | {{}} | {{}} | {{}} | {{}} |",
            partial(covered, laws),
            by_chance=math.inf,  # counts of a few runs
            remade=laws == "start",
        )
    yield Passage(
        "help/soil-laws.md",
        "{*} m without scatter, {} m with 0.6 and {*} m with 1.0",
        partial(scattered, 0.6),
        by_chance=BY_CHANCE,
    )
    yield Passage(
        "help/soil-laws.md",
        "is {} m without scatter, {*} m with 0.6 and {} m with 1.0",
        partial(scattered, 0.0, 1.0),
        by_chance=BY_CHANCE,
        remade=False,
    )
    yield Passage(
        "help/soil-laws.md",
        "factors drawn once for each rock, by a [posterior](fit.md) of 1000 sets, give {} m with 0.6",
        scattered_by_rock,
        by_chance=BY_CHANCE,
        remade=False,
    )
    sites = {row[0]: row[0] == "tschamut" for row in table_of("benchmark", "Entries")}  # whether it takes long
    for long in (True, False):
        names = [name for name, one in sites.items() if one == long]
        found = partial(entered, *names)  # counts of a few runs
        yield Passage("help/benchmark.md", _entries(*names), found, by_chance=math.inf, spreads=True, remade=not long)
    yield Passage("help/papers.md", "It rests at a yaw of {}°", lambda: (gustafsson.resting_yaw(),))
    yield Passage("help/papers.md", "the momentum of the free vessel comes back every {} s", lambda: (returns(),))

    yield Passage("help/quat-em.md", "sinks to {} mm and rises again", lambda: (heights("quat-em").min(),))
    yield Passage(
        "help/quat-vi.md",
        "the energy error swings up to {}, and the centre of mass rises from 37.5 to {} mm",
        lambda: (energy_error(run_of("top-steady", "quat-vi")), heights("quat-vi").max()),
    )
    yield Passage(
        "help/algo-c1.md",
        "at 143 steps a second the energy errs by {}, at 1000 steps by {}.",
        lambda: tuple(energy_error(betsch.top("algo-c1", 1 / n)) for n in (143, 1000)),
    )
    yield Passage(
        "help/algo-c1.md",
        "the centre of mass sinks to {} mm, a little more than with `quat-em`; the energy error swings up to {}.",
        lambda: (heights("algo-c1").min(), energy_error(run_of("top-steady", "algo-c1"))),
    )

    def flips() -> tuple[float, ...]:
        run = run_of("cuboid-intermediate", "algo-c1")
        return tuple(zeros(run.time, run.angular_velocity[:, 1]).tolist())

    yield Passage("help/algo-c1.md", "it flips at {}, {}, {} and {} s", flips)

    def gains(scheme: str) -> Array:
        energy = run_of("cuboid-intermediate", scheme).total_energy
        return np.abs(energy / energy[0] - 1.0)

    yield Passage("help/rk4.md", "the energy falls, by {} in 20 s", lambda: (gains("rk4")[-1],))
    yield Passage("help/cf.md", "an energy that is off by {} at most", lambda: (gains("cf-4").max(),))
    yield Passage("help/rkmk.md", "The energy is off by {} at most", lambda: (gains("rkmk-4").max(),))
    yield Passage(
        "help/verlet.md",
        "rises by {} mm, and its vertical angular momentum errs by {} of the whole",
        lambda: (
            np.ptp(heights("verlet-magnus-2")),
            np.abs(vertical_spin_error(run_of("top-steady", "verlet-magnus-2"))).max(),
        ),
    )
    yield Passage(
        "help/euler-angles.md",
        "the nutation goes from 60° up to {}°",
        lambda: (nutation(run_of("top-steady", "euler-zxz-rk4").orientation).max(),),
    )

    def over(found: Callable[..., float], *more: float) -> Callable[[], tuple[float, ...]]:
        return lambda: tuple(found(scheme, *more) for scheme in ALL)

    def nods() -> tuple[float, ...]:
        explicit, implicit, exact = (np.degrees(tilts(scheme, 0.002)).tolist() for scheme in ALL)
        return (*exact, *explicit, *implicit, *exact)

    table = "help/table.md"
    yield Passage(table, "disk, 2 ms, 10 s: tilt (true: {}°-{}°) {}-{} {}-{} {}-{}", nods)
    yield Passage(table, "error of the axis, 2 ms {} {} {}", over(axis_error, 0.002))
    yield Passage(table, "1 ms {} {} {} tippe top", over(axis_error, 0.001))
    yield Passage(table, "passes 90° after {} s {} s {} s", over(turns_over, 0.001))
    yield Passage(table, "0.25 ms {} s {} s {} s", over(turns_over, 0.00025))
    yield Passage(table, "Jellett, friction at a point, 1 ms, 2.5 s {} {} {}", over(jellett_error))
    yield Passage(table, "Euler's disk rests, contour friction {} s {} s {} s", over(rests))

    def apart() -> tuple[float]:
        run = run_of("t-handle", "exact")
        return (float(np.diff(zeros(run.time, run.angular_velocity[:, 1])).mean()),)

    yield Passage("scenarios/t-handle.toml", "flips every {} s", apart)

    def wanders(scheme: str) -> float:
        z = apply(run_of("envisat", scheme).orientation, np.array([0.0, 0.0, 1.0]))
        return float(np.degrees(np.arccos((z @ z[0]).min())))

    yield Passage("scenarios/envisat.toml", "the z axis wanders by {}°", lambda: (wanders("implicit"),))
    yield Passage("scenarios/envisat.toml", "lets it go on to {}°", lambda: (wanders("explicit"),))
    yield Passage("scenarios/vessel-free.toml", "the momentum comes back every {} s", lambda: (returns(),))
    yield Passage("scenarios/vessel-damped.toml", "rests turned by {} degrees", lambda: (gustafsson.resting_yaw(),))
    yield Passage(
        "scenarios/table-disk.toml", "Its tilt goes up and down between {} and {} rad", lambda: tilts("implicit")
    )
    yield Passage("scenarios/ship-tanker.toml", "levers vanishes at {} degrees", lambda: (vanishing("ship-tanker"),))
    yield Passage(
        "scenarios/ship-capsize.toml", "the vanishing angle of {} degrees", lambda: (vanishing("ship-capsize"),)
    )
    yield Passage(
        "scenarios/ship-capsize.toml", "it comes back from {} degrees", lambda: (heel_of("rkn-4:below")[1].max(),)
    )

    def capsizes() -> tuple[float]:
        time, heel = heel_of("rkn-4:above")
        return (float(zeros(time, heel - 90.0)[0]),)

    yield Passage("scenarios/ship-capsize.toml", "its heel passes 90 degrees after {} s", capsizes)


PASSAGES = tuple(_rows())


def main() -> None:
    """Rewrite the numbers that differ, and print them."""
    for row in PASSAGES:
        path = ASSETS / row.file
        text = path.read_text(encoding="utf-8")
        match = row.match(text)
        for i, value in reversed(list(enumerate(row.found(), start=1))):
            if not agree(value, match[i]):
                print(f"{row.file}: {match[i]} -> {printed(value, match[i])} in: {row.passage}")
                text = text[: match.start(i)] + printed(value, match[i]) + text[match.end(i) :]
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
