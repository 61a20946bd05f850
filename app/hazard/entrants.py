"""Sites that come with the benchmark of entries, and the entries of this program and of the ruler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import assets
from app.document.open import scenario_for
from app.hazard.figures import field_sites
from app.system.own_words import title_of
from physics.core.errors import naming
from physics.hazard.entries import BenchmarkEntry, BenchmarkSite, Computed, Contacts, Slope
from physics.hazard.rock_record import fall_line
from physics.hazard.rock_rows import RESTED
from physics.hazard.validation import reach_runouts
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld

POLHODE, PRESET, RULER = "polhode", "polhode-preset", "ruler"  # names of entries
ROCKS = 20  # of each run
DATA = assets.SCENARIOS.parent / "field"  # of the sites
CONTACTS = DATA / "chant-sura" / "chant-sura-2019.csv"
Shown = Callable[[int, int], None]


def own_sites() -> tuple[BenchmarkSite, ...]:
    """The sites whose data come with the program: 62 runs that no choice of laws has seen, the other 18, contacts."""
    chosen = field_sites.tschamut()
    tables = {
        "body.blocks": "../field/tschamut/other-blocks.csv",
        "observed.stops": "../field/tschamut/other-stops.csv",
    }
    return (
        slope(of_rocks(chosen.changed(**tables)), "tschamut"),
        slope(chosen, "tschamut-18"),
        Contacts.read(CONTACTS),
    )


def slope(scenario: RockfallScenario, name: str) -> Slope:
    """The site of a scenario; ScenarioError where it has no measured stops, or its rocks do not start there."""
    return Slope.of(RockfallWorld.of(scenario), name, title_of(scenario) or name)


def site_of(file: Path) -> BenchmarkSite:
    """A site of the user, named as its file: the scenario of a slope, or a table of contacts."""
    if file.suffix.lower() == ".csv":
        return Contacts.read(file)
    with naming(file):
        return slope(of_rocks(scenario_for(file)), file.stem)


RECOMMENDED: Mapping[str, Any] = {"laws": "recommended"}


def computed_by_polhode(site: BenchmarkSite, laws: Mapping[str, Any], rocks: int, shown: Shown) -> Computed:
    """Rocks for each run of a site, with keys of ``[soil]`` beside its preset; none: the preset alone."""
    if isinstance(site, Contacts):
        return _touched(site, laws, rocks, shown)
    assert isinstance(site, Slope)
    keys = {"soil.laws": None} | {f"soil.{key}": value for key, value in laws.items()}
    return fallen(site, of_rocks(site.world.scenario.changed(**keys)), rocks, shown)


def fallen(site: Slope, scenario: RockfallScenario, rocks: int, shown: Shown) -> Computed:
    """Rocks for each run of a slope, as the scenario lets them fall."""
    runs = len(site.runs)
    rows = field_sites.fallen(RockfallWorld.of(scenario.changed(**{"ensemble.rocks": rocks * runs})), shown)
    numbers = {name: np.asarray(rows[name], float) for name in ("x", "y", "z")}
    numbers |= {
        "rock": np.asarray(rows["rock"] // runs, float),
        "energy": np.asarray(rows["max_kinetic_energy"], float),
        "rested": np.isin(rows["stop_reason"], RESTED).astype(float),
    }
    return Computed(np.asarray(rows["rock"] % runs, np.int64), numbers)


def _touched(site: Contacts, laws: Mapping[str, Any], rocks: int, shown: Shown) -> Computed:
    """Attitudes for each contact; energy of translation after it, and deflection."""
    found = []
    for run, preset in enumerate(site.soils):
        start = {name: float(values[run]) for name, values in site.starts.items()}
        body = {"shape": "eota", "size": [start[name] for name in ("L1", "L2", "L3")], "mass": start["mass"]}
        falls = field_sites.contact(
            {"preset": preset} | dict(laws), body, start["speed"], start["into"], start["slope"]
        )
        after = field_sites.attitudes(falls, rocks)
        found.append(np.column_stack([0.5 * start["mass"] * after[:, 0] ** 2, after[:, 2]]))
        shown(run + 1, len(site.runs))
    energy, deflection = np.concatenate(found).T
    rock = np.tile(np.arange(rocks, dtype=float), len(site.runs))
    numbers = {"rock": rock, "energy": energy, "deflection": deflection}
    return Computed(np.repeat(np.arange(len(site.runs)), rocks), numbers)


def ruled(site: Slope) -> Computed:
    """One stop for each run, straight down the fall line of its release, by the rule of ``reach_runouts``."""
    releases = site.releases
    lines = [fall_line(replace(site.world, position=np.array([*place, 0.0]))) for place in releases]
    x, y = (releases + reach_runouts(site.world, releases)[:, None] * np.array(lines)).T
    return Computed(np.arange(len(site.runs)), {"x": x, "y": y})


def entries_of(
    own: Sequence[BenchmarkSite], given: Sequence[BenchmarkSite], rocks: int, shown: Shown
) -> tuple[BenchmarkEntry, ...]:
    """Entries of this program and of the ruler, at the sites that come with it and at those of the user.

    Slopes of the user keep their laws; all other sites have the recommended ones, and the presets alone.
    """
    kept = [site for site in given if isinstance(site, Slope)]
    free = [*own, *(site for site in given if not isinstance(site, Slope))]
    found = {site.name: computed_by_polhode(site, RECOMMENDED, rocks, shown) for site in free}
    found |= {site.name: fallen(site, site.world.scenario, rocks, shown) for site in kept}
    alone = {site.name: computed_by_polhode(site, {}, rocks, shown) for site in free}
    slopes = (site for site in (*own, *kept) if isinstance(site, Slope))
    return (
        BenchmarkEntry(POLHODE, found),
        BenchmarkEntry(PRESET, alone),
        BenchmarkEntry(RULER, {site.name: ruled(site) for site in slopes}),
    )
