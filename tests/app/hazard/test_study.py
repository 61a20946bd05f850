"""A study: one scenario and one command from heights to maps by return period, recomputed from rows and paths."""

from __future__ import annotations

import csv
import json
import re
import textwrap
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pypdf import PdfReader
from scipy.stats import binomtest

import physics
from app.document.help_pages import PAGES
from app.hazard.layers import study_maps, title_of
from app.hazard.study_report import save_with_study
from physics.hazard.barriers import energy_level
from physics.hazard.ensemble import Ensemble
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.world import World
from tests.app.commanding import complaint, polhode
from tests.small import swept, write_slope

CELL, NODES, WEST, SOUTH = 2.0, 60, 2_700_000.0, 1_200_000.0
YEARLY = {1: 0.5, 2: 1.0 / 20.0, 3: 1.0 / 100.0}  # starts of each class
PERIODS, HEIGHT = (30.0, 100.0, 300.0), 1.2
LOWER = {"net": 80.0, "dam": 58.0, "road": 40.0}  # [m] the lines of barriers, and the line of interest, are level
ROAD = 45.0, 65.0  # [m] so far east is it
IMPLICIT = "Implicit (energy-momentum)"
LEVELS = [100e3, 250e3, 500e3, 1e6, 1.5e6, 2e6, 3e6, 4.5e6, np.inf]  # [J] maximum energy levels of ETAG 027, 0 to 8
SCENARIO = f"""
kind = "rockfall"
title = "A study"
duration = 40.0
step = 0.004
schemes = ["implicit"]
body = {{shape = "eota", size = [1.0, 0.9, 0.6], density = 2700.0}}
initial = {{orientation = "random"}}
terrain = {{file = "slope.tif"}}
release = {{line = [[{WEST + 40}, {SOUTH + 112}], [{WEST + 70}, {SOUTH + 112}]], height = "clear"}}
ensemble = {{rocks = 36, seed = 3}}
export = {{scale = 2500}}
hazard = {{height = {HEIGHT}, energy_factor = 1.25, height_factor = 1.1}}
scenario_class = [
  {{name = "stone", volume = 0.02, frequency = 0.5, share = 0.4}},
  {{volume = [0.2, 0.5], return_period = 20, share = 0.35}},
  {{volume = {{distribution = "power", min = 1.0, max = 4.0, exponent = 1.0}}, return_period = 100, share = 0.25}},
]
barrier = [
  {{name = "net", line = [[{WEST}, {SOUTH + 80}], [{WEST + 118}, {SOUTH + 80}]], height = 2.0}},
  {{name = "dam", line = [[{WEST}, {SOUTH + 58}], [{WEST + 118}, {SOUTH + 58}]], height = 1.0}},
]
line = [{{name = "road", points = [[{WEST + ROAD[0]}, {SOUTH + 40}], [{WEST + ROAD[1]}, {SOUTH + 40}]]}}]
"""


def slope(folder: Path) -> Path:
    """A map that levels out, and the scenario of a study on it."""
    write_slope(folder / "slope.tif", CELL, NODES, WEST, SOUTH)
    (folder / "study.toml").write_text(SCENARIO, encoding="utf-8")
    return folder / "study.toml"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    """The folder of the study, with the results in ``out``."""
    file = slope(tmp_path_factory.mktemp("study"))
    done = polhode("ensemble", file, "-o", file.with_name("out"), "--workers", "2", "--counts", "--quiet")
    assert done == (0, "", "")
    return file.parent


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [{key.split(" ")[0]: value for key, value in row.items()} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def weights(study) -> dict[int, float]:
    """The weight of each rock: starts of its class in a year, over the rocks of the class in rocks.csv."""
    kinds = {int(row["rock"]): int(row["class"]) for row in table(study / "out" / "rocks.csv")}
    rocks = Counter(kinds.values())
    return {rock: YEARLY[kind] / rocks[kind] for rock, kind in kinds.items()}


@pytest.fixture(scope="module")
def paths(study):
    """Rock -> its trajectory with every step, run alone."""
    scenario = physics.load_scenario(study / "study.toml")
    return {rock: physics.simulate(scenario.changed(**{"ensemble.rock": rock}))["implicit"] for rock in range(36)}


def load(study: Path) -> RockfallScenario:
    return of_rocks(physics.load_scenario(study / "study.toml"))


def raster(study: Path, name: str) -> np.ndarray:
    """Values (ny, nx) of a map, row 0 the southernmost; NaN where there is none."""
    with rasterio.open(study / "out" / "maps" / "implicit" / f"{name}.tif") as file:
        assert file.descriptions == (name,)
        values = file.read(1)[::-1].astype(float)
        return np.where(values == file.nodata, np.nan, values)


def above_ground(study: Path, path) -> np.ndarray:
    terrain = World.of(physics.load_scenario(study / "study.toml")).terrain
    return path.position[:, 2] - terrain.heights_at(path.position[:, 0], path.position[:, 1])


def test_a_rock_weighs_as_much_of_its_class_as_the_others(study, weights):
    rows = table(study / "out" / "rocks.csv")
    volumes = {1: (0.02, 0.02), 2: (0.2, 0.5), 3: (1.0, 4.0)}
    for row in rows:
        low, high = volumes[int(row["class"])]
        assert low * (1 - 1e-9) <= float(row["volume"]) <= high * (1 + 1e-9)
        assert float(row["mass"]) == pytest.approx(2700.0 * float(row["volume"]))
        assert float(row["weight"]) == pytest.approx(weights[int(row["rock"])], rel=1e-12)
    assert sum(weights.values()) == pytest.approx(sum(YEARLY.values()))


@pytest.fixture(scope="module")
def widths(study) -> dict[int, float]:
    """The width of each rock [m]: the diameter of a ball of its volume."""
    return {int(row["rock"]): np.cbrt(6.0 / np.pi * float(row["volume"])) for row in table(study / "out" / "rocks.csv")}


def test_maps_are_those_of_the_rocks_counted_by_hand(study, weights, paths, widths):
    passing: dict[tuple[int, int], dict[int, np.ndarray]] = {}
    terrain = World.of(physics.load_scenario(study / "study.toml")).terrain
    for rock, path in paths.items():
        values = np.stack([path.kinetic_energy, above_ground(study, path)], axis=1)
        for cell, most in swept(path.position[:, :2] - (WEST, SOUTH), values, widths[rock], terrain).items():
            passing.setdefault(cell, {})[rock] = most
    names = ("frequency", "frequency_30kJ", "frequency_300kJ", f"frequency_{HEIGHT:g}m")
    found = {name: raster(study, name) for name in names}
    assert {cell for cell in np.ndindex(NODES, NODES) if found["frequency"][cell] > 0.0} == passing.keys()
    for cell, rocks in passing.items():
        each = np.array([weights[rock] for rock in rocks])
        energy, height = np.array(list(rocks.values())).T
        for name, counts in zip(names, (energy > 0, energy > 30e3, energy > 300e3, height > HEIGHT), strict=True):
            assert found[name][cell] == pytest.approx(each[counts].sum(), rel=1e-6), (name, cell)
    seen = set()
    for period in PERIODS:
        intensity, exceeded = raster(study, f"intensity_{period:g}a"), raster(study, f"energy_{period:g}a")
        for cell, rocks in passing.items():
            order = sorted(((energy, weights[rock]) for rock, (energy, _) in rocks.items()), reverse=True)
            often = np.cumsum([weight for _, weight in order])
            reached = np.flatnonzero(often * period >= 1.0 - 1e-6)
            if not len(reached):
                assert intensity[cell] == 0
                assert np.isnan(exceeded[cell])
                continue
            energy = order[reached[0]][0]  # exceeded, or reached, once in the period
            assert exceeded[cell] == pytest.approx(energy, rel=0.026)
            assert intensity[cell] == 1 + (energy > 30e3) + (energy > 300e3)
            seen.add(int(intensity[cell]))
        assert np.isnan(intensity).sum() == NODES**2 - len(passing)
    assert seen == {1, 2, 3}


@pytest.mark.parametrize("name", LOWER)
def test_crossings_are_those_of_the_paths(study, paths, widths, name):
    rows = [row for row in table(study / "out" / "crossings.csv") if name in (row["barrier"], row["line"])]
    check_crossings(rows, crossings_of(study, paths, widths, name))


@pytest.mark.parametrize("name", LOWER)
def test_lines_and_barriers_are_those_of_the_crossings(study, weights, name):
    own = [row for row in table(study / "out" / "crossings.csv") if name in (row["barrier"], row["line"])]
    kinds = {int(row["rock"]): row["class"] for row in table(study / "out" / "rocks.csv")}
    kind = "line" if name == "road" else "barrier"
    found = {row["class"]: row for row in table(study / "out" / f"{kind}s.csv") if row[kind] == name}
    assert list(found) == ["1", "2", "3", "all"]
    for key, row in found.items():
        rocks = sorted({int(one["rock"]) for one in own if key in (one["class"], "all")})
        weight, whole = np.array([weights[rock] for rock in rocks]), [r for r in kinds if key in (kinds[r], "all")]
        assert int(row["rocks"]) == len(rocks)
        assert float(row["reach"]) == pytest.approx(weight.sum() / sum(weights[rock] for rock in whole), rel=1e-6)
        assert float(row["frequency"]) == pytest.approx(weight.sum(), rel=1e-6)
        if key == "all":
            assert row["reach_low"] == row["reach_high"] == ""
        else:
            known = binomtest(len(rocks), len(whole)).proportion_ci(0.95, "exact")
            assert [float(row["reach_low"]), float(row["reach_high"])] == pytest.approx([known.low, known.high])
        for column, what in (("kinetic_energy", "energy"), ("jump_height", "height")):
            most = np.array([max(float(one[column]) for one in own if int(one["rock"]) == rock) for rock in rocks])
            for share in (0.90, 0.95, 0.99) if rocks else ():
                value = np.quantile(most, share, method="inverted_cdf", weights=weight)
                assert float(row[f"{what}_q{100 * share:.0f}"]) == pytest.approx(value, rel=1e-6)
            order = np.argsort(-most)
            for period in PERIODS:
                reached = most[order][np.cumsum(weight[order]) * period >= 1.0 - 1e-6]
                given = row[f"{what}_{period:g}a"]
                assert given == "" if not len(reached) else float(given) == pytest.approx(reached[0], rel=1e-6)
            if what == "energy":
                for limit in (30, 300):
                    above = weight[most > 1e3 * limit].sum()
                    assert float(row[f"frequency_{limit}kJ"]) == pytest.approx(above, rel=1e-6)


@pytest.mark.parametrize("name", ["net", "dam"])
def test_a_barrier_is_designed_for_the_class_with_most_energy(study, name):
    found = {row["class"]: row for row in table(study / "out" / "barriers.csv") if row["barrier"] == name}
    for row in found.values():
        design, level = float(row["E_design"]), int(row["energy_level"])
        assert LEVELS[level] >= design > (LEVELS[level - 1] if level else 0.0)
    for key in "123":
        assert found[key]["design"] == "energy_q95"
        assert float(found[key]["E_design"]) == pytest.approx(1.25 * float(found[key]["energy_q95"]))
        assert float(found[key]["h_design"]) == pytest.approx(1.1 * float(found[key]["height_q95"]))
    assert found["all"]["design"] == "energy_q95 of class 3"
    assert found["all"]["E_design"] == found["3"]["E_design"]
    assert float(found["all"]["energy_q95"]) < float(found["3"]["energy_q95"])


def test_the_help_recomputes_design_values_from_crossings(study, capsys):
    page = (PAGES / "studies.md").read_text(encoding="utf-8").split("from `crossings.csv` alone:\n\n")[1]
    script = textwrap.dedent(page.split("\n\n##")[0]).replace("DIR", str(study / "out"))
    exec(compile(script, "studies.md", "exec"), {})
    numbers = [float(word) for word in re.findall(r"\d+\.\d*(?:e\+\d+)?", capsys.readouterr().out)]
    rows = [row for row in table(study / "out" / "lines.csv") if row["line"] == "road"]
    keys = ["energy_q90", "energy_q95", "energy_q99", *(f"energy_{period:g}a" for period in PERIODS)]
    given = [float(row[key]) for row in rows for key in keys if row[key]]
    assert numbers == pytest.approx(given, rel=1e-6)


@pytest.mark.parametrize(("energy", "level"), [(0.0, 0), (100e3, 0), (100.1e3, 1), (2000e3, 5), (4500e3, 7), (9e6, 8)])
def test_a_kit_of_nets_has_the_least_energy_level_that_is_enough(energy, level):
    assert energy_level(energy) == level


def crossings_of(study, paths, widths, name) -> list[tuple[float, ...]]:
    """Rock, time, place, energy, speed and height where each path crosses a level line."""
    expected = []
    for rock, path in paths.items():
        y = path.position[:, 1] - SOUTH - LOWER[name]
        low, high = np.array(ROAD if name == "road" else (-np.inf, np.inf)) + WEST
        for i in np.flatnonzero((y[:-1] < 0) != (y[1:] < 0)):
            share = y[i] / (y[i] - y[i + 1])
            speed, height = np.linalg.norm(path.velocity, axis=1), above_ground(study, path)
            ends = zip(path.time, path.position[:, 0], path.kinetic_energy, speed, height, strict=True)
            first, last = (np.array(row) for row in list(ends)[i : i + 2])
            there = first + share * (last - first)
            if low - widths[rock] / 2 < there[1] < high + widths[rock] / 2:  # half its width beside an end
                expected.append((rock, *there))
    return expected


def check_crossings(rows, expected):
    """Rows of crossings.csv against what they ought to be."""
    found = [
        (int(row["rock"]), *(float(row[k]) for k in ("time", "x", "kinetic_energy", "velocity", "jump_height")))
        for row in rows
    ]
    assert len(found) > 10
    np.testing.assert_allclose(np.array(found), np.array(expected), rtol=1e-6, atol=1e-6)
    for row in rows:
        own = {key: float(value) for key, value in row.items() if key not in ("scheme", "barrier", "line")}
        assert own["y"] == pytest.approx(SOUTH + LOWER[row["barrier"] or row["line"]])
        west, long = (0.0, 118.0) if row["barrier"] else (ROAD[0], ROAD[1] - ROAD[0])
        assert own["along"] == pytest.approx(min(max(own["x"] - WEST - west, 0.0), long))
        assert own["translational_energy"] == pytest.approx(0.5 * own["mass"] * own["velocity"] ** 2)
        total = own["translational_energy"] + own["rotational_energy"]
        assert total == pytest.approx(own["kinetic_energy"])


def test_a_paused_study_that_lacks_a_class_is_not_saved(study, tmp_path):
    ensemble = Ensemble(World.of(load(study)))
    next(march := ensemble.march(1))
    march.close()
    with pytest.raises(physics.PhysicsError, match="none of the 1 rocks so far is of 'stone', and all frequencies"):
        save_with_study(tmp_path / "out", ensemble)
    assert not (tmp_path / "out").exists()


def test_plans_and_a_report_lie_beside_the_maps(study):
    plans = (study / "out" / "plans" / "implicit.pdf").read_bytes()
    assert plans.startswith(b"%PDF")
    assert plans.count(b"/Type /Page ") == len(study_maps(load(study)))
    report = (study / "out" / "report.md").read_text(encoding="utf-8")
    assert "| stone | 0.02 | 0.5 | 2 |" in report
    assert "| Elevation model | slope.tif, cells of 2 m |" in report
    assert f"| Integration | {IMPLICIT}; steps of 0.004 s |" in report
    assert "| Soil | mu_min = 0.55, mu_max = 2, beta = 185, kappa = 3 |" in report
    assert "- Orientations are random." in report
    for barrier in table(study / "out" / "barriers.csv"):
        assert f"{float(barrier['E_design']) / 1e3:.4g}" in report
    assert "| E q95 of class 3 |" in report
    areas = [line.split("|")[1:5] for line in report.splitlines() if re.match(r"\| (30|100|300) \|", line)]
    assert len(areas) == len(PERIODS)
    for period, *classes in areas:
        intensity = raster(study, f"intensity_{float(period):g}a")
        assert [float(area) for area in classes] == [CELL**2 * (intensity == k).sum() for k in (1, 2, 3)]


def test_the_report_for_a_client_has_the_plans_and_ends_with_the_check_of_a_second_person(study):
    pages = [page.extract_text() for page in PdfReader(study / "out" / "report.pdf").pages]
    plans = [title_of(name).lower() for name in study_maps(load(study))]
    assert {"net", "dam", "road", "stone"} <= set(pages[-len(plans) - 2].split())  # curves at barriers and lines
    shown = [next(i for i, text in enumerate(pages) if name in text.lower()) for name in plans]
    assert shown == [*range(shown[0], shown[0] + len(plans))]
    whole, last = "".join(pages).split(), pages[-1]
    for word in (study / "out" / "report.md").read_text(encoding="utf-8").replace("*", " ").split():
        assert word in whole or set(word) <= set("|-#_"), word
    summary = json.loads((study / "out" / "summary.json").read_text(encoding="utf-8"))
    assert "; statistics over all rocks are conditional on release" in summary["note"]
    digest = summary["files"]["slope.tif"]
    for word in ("Check by a second person", "slope.tif", digest, "seed 3", "0.1.0"):
        assert word in last


def test_rocks_that_do_not_rest_are_in_the_report_by_class(study):
    rows, report = table(study / "out" / "rocks.csv"), (study / "out" / "report.md").read_text(encoding="utf-8")
    own = [row["stop_reason"] for row in rows if row["class"] == "1"]
    ends = " | ".join(f"{own.count(reason) / len(own):.1%}" for reason in ("rest", "left-map"))
    assert f"| stone | {len(own)} | {ends} |" in report


def test_the_bytes_are_the_same_on_any_number_of_workers(study, tmp_path):
    done = polhode("ensemble", study / "study.toml", "-o", tmp_path / "out", "--workers", "4", "--counts", "--quiet")
    assert done == (0, "", "")
    files = [path.relative_to(study / "out") for path in (study / "out").rglob("*") if path.is_file()]
    assert len(files) > 40
    for file in files:
        if file.name not in ("summary.json", "counts.npz"):  # which know how long it took
            assert (study / "out" / file).read_bytes() == (tmp_path / "out" / file).read_bytes(), file


def test_austrian_classes_meet_at_100_kJ(study, tmp_path):
    text = SCENARIO.replace("hazard = {", 'hazard = {intensity = "oerok", return_periods = [100], ')
    ground = 'soil = {preset = "hard", mu_min = 0.6}\nforest = {preset = "open", drag = 2.0}\n'
    text = text.replace('schemes = ["implicit"]', 'schemes = ["implicit@0.005"]')
    text = text.replace('orientation = "random"', "orientation = [1.0, 0.0, 0.0, 0.0]").replace(
        "body =", f"{ground}body ="
    )
    file = study / "oerok.toml"
    file.write_text(text, encoding="utf-8")
    assert polhode("ensemble", file, "-o", tmp_path / "out", "--quiet") == (0, "", "")
    names = {path.stem for path in (tmp_path / "out" / "maps" / "implicit@0.005").glob("frequency*")}
    assert names == {"frequency", "frequency_100kJ", f"frequency_{HEIGHT:g}m"}
    often, strong, classes = (
        read(tmp_path / "out", name, "implicit@0.005") for name in ("frequency", "frequency_100kJ", "intensity_100a")
    )
    reached = (often >= 0.01 * (1 - 1e-5)) + 2.0 * (strong >= 0.01 * (1 - 1e-5))
    np.testing.assert_array_equal(classes[often > 0.0], reached[often > 0.0])
    assert {0, 1, 3} >= set(np.unique(classes[often > 0.0])) >= {1, 3}
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Classes of intensity meet at 100 kJ: Austrian hazard maps" in report
    assert "| Soil | Hard, mu_min = 0.6 |\n| Forest | Open, drag = 2 |" in report  # not the presets alone
    assert f"| Integration | {IMPLICIT}, h = 5 ms; steps of 0.005 s |" in report  # not those of the scenario
    plans = PdfReader(tmp_path / "out" / "plans" / "implicit@0.005.pdf").pages[0].extract_text()
    assert f"{IMPLICIT}, h = 5 ms" in plans
    assert "- All rocks start with the same orientation." in report
    assert "100a: what is exceeded once in 100 years" in report


def test_classes_that_were_run_apart_are_gathered(study, tmp_path):
    text = slope(tmp_path).read_text(encoding="utf-8").replace("rocks = 36, seed = 3", "rocks = 4, seed = 5")
    for i, frequency in ((1, "frequency = 0.25"), (2, "return_period = 50")):
        one = f"scenario_class = [{{volume = {i}.0, {frequency}}}]"
        head, _, rest = text.partition("scenario_class = [\n")
        (tmp_path / f"part{i}.toml").write_text(head + one + rest.partition("\n]")[2], encoding="utf-8")
        words = ["-o", tmp_path / f"part{i}", "--counts", "--quiet"]
        assert polhode("ensemble", tmp_path / f"part{i}.toml", *words) == (0, "", "")
    whole, again = tmp_path / "whole", tmp_path / "again"
    assert polhode("gather", tmp_path / "part1", tmp_path / "part2", "-o", whole, "--counts").status == 0
    rows = table(whole / "rocks.csv")
    assert [(row["rock"], row["class"]) for row in rows] == [(str(rock), str(1 + rock // 4)) for rock in range(8)]
    assert [float(row["weight"]) for row in rows] == [0.25 / 4] * 4 + [0.02 / 4] * 4
    crossings = table(whole / "crossings.csv")
    assert {(row["class"], row["volume"]) for row in crossings} == {("1", rows[0]["volume"]), ("2", rows[4]["volume"])}
    for name in ("frequency", "frequency_300kJ"):
        parts = [read(tmp_path / f"part{i}", name) for i in (1, 2)]
        np.testing.assert_allclose(read(whole, name), sum(parts), rtol=1e-6)
    report = (whole / "report.md").read_text(encoding="utf-8")
    assert "| class 1 | 1 | 0.25 | 4 | 4 |\n| class 2 | 2 | 0.02 | 50 | 4 |" in report
    assert "| road | class 2 |" in report
    # together with others, and without the terrain, which may be on another machine
    (tmp_path / "slope.tif").unlink()
    done = polhode("gather", whole, study / "out", "-o", again)
    assert done.status == 0
    assert re.fullmatch(r"polhode: no plans and no report: .*slope\.tif: .*\n", done.err)
    assert [row["class"] for row in table(again / "lines.csv")] == ["1", "2", "3", "4", "5", "all"]
    assert not (again / "plans").exists()


def test_one_part_is_gathered_with_the_same_tables_report_and_plans(study, tmp_path):
    assert polhode("gather", study / "out", "-o", tmp_path / "out", "--counts").status == 0
    files = {path.relative_to(study / "out") for path in (study / "out").rglob("*") if path.is_file()}
    assert {Path(name) for name in ("report.md", "report.pdf", "plans/implicit.pdf", "lines.csv")} < files
    for file in files:
        if file.name in ("summary.json", "counts.npz") or file.suffix == ".pdf":  # which know of the parts
            assert (tmp_path / "out" / file).stat().st_size > 1000
            continue
        assert (study / "out" / file).read_bytes() == (tmp_path / "out" / file).read_bytes(), file


def read(folder: Path, name: str, lane: str = "implicit") -> np.ndarray:
    with rasterio.open(folder / "maps" / lane / f"{name}.tif") as file:
        return file.read(1).astype(float)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("return_period = 20", "return_period = 20, frequency = 1", "scenario_class.1.return_period: expected either"),
        ("frequency = 0.5, ", "", "scenario_class.0.frequency: missing; expected starts in a year, or return_period"),
        ("[0.2, 0.5]", "[0.5, 0.2]", "scenario_class.1.volume: expected a range from less to more, got [0.5, 0.2]"),
        ("share = 0.35", "share = 0.3", "scenario_class.0.share: expected shares that add up to 1, got 0.95"),
        (", share = 0.35", "", "scenario_class.1.share: missing; expected in all or none"),
        ("seed = 3", "seed = 3, mass = {distribution = 'uniform', min = 1, max = 2}", "ensemble.mass: expected none"),
        ("rocks = 36", "rocks = 1", "ensemble.rocks: none of 1 is of scenario_class.0; expected more rocks"),
        ("scenario_class", "# ", "hazard.height: needs [[scenario_class]], which says how often rocks start"),
    ],
)
def test_wrong_classes_are_refused_in_one_sentence(tmp_path, old, new, why):
    file = slope(tmp_path)
    text = file.read_text(encoding="utf-8")
    if old == "scenario_class":
        head, _, rest = text.partition("scenario_class")
        text = head + rest.partition("\n]\n")[2]
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert f"study.toml: {why}" in complaint("ensemble", file, "-o", tmp_path / "out")
