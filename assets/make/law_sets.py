"""Table of the help with all sets of laws that were tried, the choice among them, and their scores where none was made.

``python -m assets.make.law_sets [AUTHUME]`` computes it again and rewrites it; AUTHUME is a copy of
github.com/richefeu/AuthumeQuarryRockfalls_Data-in-Brief, whose columns stay as they are without one.

A set is chosen by the 18 runs of Tschamut and the contacts of Chant Sura 2020 alone: by the mean of their scores, each
over that of the preset alone. All other sites are reported only.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import physics
from app.hazard import entrants
from app.hazard.figures import field_sites
from assets.make.help_tables import PAGES, row_of, table_of
from physics.hazard.entries import ALL, BenchmarkSite, Computed, Slope, scores
from physics.hazard.validation import compared, measured_of
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld

PAGE, HEADING = "trust", "Sets of laws that were tried"
BASE = "preset alone"
BUMPS: Mapping[str, Any] = {"bump_length": 0.5}
SETS: Mapping[str, Mapping[str, Any]] = {
    BASE: {},
    "scar of the preset": {"ground": "compactable"},
    "roughness 0.05 m": {"roughness": 0.05},
    "ramp 20°, restitution 0.33": {"ramp": 20.0, "restitution": 0.33, "restitution_speed": 9.144},
    "recommended": entrants.RECOMMENDED,
    "recommended, bumps 0.2 m": {**entrants.RECOMMENDED, **BUMPS, "bumps": 0.2},
    "recommended, bumps 0.5 m": {**entrants.RECOMMENDED, **BUMPS, "bumps": 0.5},
}
RULER = "reach 27.5°"
TRAINED = ("tschamut-18", "Chant Sura 2020")  # names of columns that choose, in their order
PARTS = ("P1", "P2")
ROCKS, SEED = 20, 1  # of each run; Authume has 384 in all
MEASURED = Path("EXP_endpoints"), Path("Drop_conditions"), Path("Geometries/STL")
SOILS = {"Blue": "medium", "Gray": "extra-hard", "Red": "hard"}  # by their description: vegetated, hard, rocky


def chosen(trained: Mapping[str, Sequence[float]]) -> str:
    """The set of the lowest mean score, each over that of BASE, at some sites; set -> scores by site."""
    base = np.array(trained[BASE])
    return min(trained, key=lambda name: float((np.array(trained[name]) / base).mean()))


def left_out(trained: Mapping[str, Sequence[float]], site: int) -> str:
    """The set chosen without a site."""
    return chosen({name: [one for i, one in enumerate(of) if i != site] for name, of in trained.items()})


# ---- scores -------------------------------------------------------------------------------------------


def at_contacts(laws: Mapping[str, Any]) -> float:
    """Mean difference from the means of Chant Sura 2020, each over these."""
    found = field_sites.single_contacts({"preset": "hard"} | dict(laws)).mean(axis=0)
    return float(np.abs(found / np.array(field_sites.CHANT_SURA) - 1.0).mean())


def at_site(site: BenchmarkSite, laws: Mapping[str, Any]) -> tuple[str, ...]:
    """Cells of a set at a site that comes with the program, see ``scored``."""
    return scored(site, entrants.computed_by_polhode(site, laws, ROCKS, lambda *_: None))


def scored(site: BenchmarkSite, computed: Computed) -> tuple[str, ...]:
    """W1, CRPS, mean rank and runs in the 80 % band of the first quantity of a site; energies in kJ."""
    quantity, found = next(iter(scores(site, computed).items()))
    one = found[ALL]
    factor = 1e-3 if quantity == "energy" else 1.0
    cells = (f"{factor * one.wasserstein:.1f}", f"{factor * one.crps:.1f}")
    return (*cells, *(("", "") if one.ranks is None else (f"{one.ranks.mean:.2f}", f"{one.ranks.coverage[1].inside}")))


def authume(data: Path, part: str, folder: Path) -> RockfallScenario:
    """The quarry of Authume: blocks in their own boxes from the middle of the places of release, soils as described."""
    ends, drops, meshes = (data / each for each in MEASURED)
    starts = np.loadtxt(drops / f"positions_{part}.xyz")  # x, y up, z to the south
    runs = np.loadtxt(ends / f"Endpoints_{part}.txt")  # x, y, z, mass, three lengths
    x, y, z = starts.mean(axis=0).tolist()
    blocks, stops = folder / f"blocks_{part}.csv", folder / f"stops_{part}.csv"
    with blocks.open("w") as one, stops.open("w") as two:
        first, second = csv.writer(one), csv.writer(two)
        first.writerow(["mass", "L1", "L2", "L3", "x", "y", "z"])
        second.writerow(["x", "y", "release_x", "release_y"])
        for row in runs.tolist():
            first.writerow([*row[3:7], x, y, z])
            second.writerow([row[0], -row[2], x, -z])
    pieces = [{"file": str(meshes / f"DTM_{name}_zone.stl"), "soil": soil} for name, soil in SOILS.items()]
    scenario = physics.Scenario(
        kind="rockfall",
        duration=60.0,
        step=0.002,
        schemes=["implicit"],
        body={"blocks": str(blocks), "density": 2650.0, "shape": "random", "angularity": "sub-rounded"},
        initial={"orientation": "random"},
        terrain={"up": "y", "resolution": 0.5, "piece": pieces},
        soil={"preset": "medium"},
        ensemble={"rocks": 384, "seed": SEED},
        observed={"stops": str(stops)},
    )
    return of_rocks(scenario)


def at_authume(scenario: RockfallScenario, laws: Mapping[str, Any] | None) -> str:
    """W1 [m] of a set there; None: of the ruler."""
    world = RockfallWorld.of(scenario.changed(**{f"soil.{key}": value for key, value in (laws or {}).items()}))
    stops = world.observed.stops
    assert stops is not None
    measured = measured_of(world, stops)
    if laws is None:
        return f"{measured.rule.wasserstein:.1f}"
    runouts = np.asarray(field_sites.fallen(world, lambda *_: None)["runout"], float)
    return f"{compared(measured.runouts, runouts).wasserstein:.1f}"


# ---- the table ----------------------------------------------------------------------------------------


def rows(data: Path | None, told: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Rows of the table; ``told``: those of the page by their first cell, for what is not computed again."""
    other, own, contacts = entrants.own_sites()
    found = []
    for name, laws in SETS.items():
        at_18, at_62, at_six = (at_site(site, laws) for site in (own, other, contacts))
        near = f"{at_contacts(laws):.3f}"
        found.append([name, ", ".join(at_18), near, ", ".join(at_62), ", ".join(at_six[:3])])
        print(found[-1], file=sys.stderr, flush=True)
    slopes = [scored(site, entrants.ruled(site)) for site in (own, other) if isinstance(site, Slope)]
    found.append([RULER, ", ".join(slopes[0][:2]), "", ", ".join(slopes[1][:2]), ""])
    if data is None:
        return [[*row, *told[row[0]][5:]] for row in found]
    with TemporaryDirectory() as folder:
        for part in PARTS:
            scenario = authume(data, part, Path(folder))
            for row in found:
                row.append(at_authume(scenario, SETS.get(row[0])))
                print(row[0], part, row[-1], file=sys.stderr, flush=True)
    return found


def trained(table: Sequence[Sequence[str]]) -> dict[str, list[float]]:
    """Numbers that choose, in rows of the table: CRPS of the 18 runs of Tschamut, and the difference at Chant Sura."""
    return {row[0]: [float(row[1].split(",")[1]), float(row[2])] for row in table if row[0] in SETS}


def rewritten(page: str, told: Sequence[Sequence[str]], made: Sequence[Sequence[str]]) -> str:
    """Text of a page with other rows in place of those that it tells."""
    for row, other in zip(told, made, strict=True):
        before, after = row_of(row), row_of(other)
        if page.count(before) != 1:
            raise ValueError(f"expected this row once: {before}")
        page = page.replace(before, after)
    return page


def main() -> None:
    """Rewrite the table of the help."""
    page, told = PAGES / f"{PAGE}.md", table_of(PAGE, HEADING)
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    made = rows(data, {row[0]: row for row in told})
    page.write_text(rewritten(page.read_text(encoding="utf-8"), told, made), encoding="utf-8")
    numbers = trained(made)
    print("chosen:", chosen(numbers))
    for site, name in enumerate(TRAINED):
        print(f"without {name}:", left_out(numbers, site))


if __name__ == "__main__":
    main()
