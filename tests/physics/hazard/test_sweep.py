"""Strips that rocks sweep: what maps and lines of interest count does not hang on the cells of the grid."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.hazard.barriers import BarrierSegments
from physics.hazard.design import Rocks, design_rows, exceeded, quantile
from physics.hazard.merge import gather
from physics.hazard.results_folder import save_results
from physics.hazard.study import Study
from physics.hazard.sweep import SweepRoom, width_of
from physics.systems.rockfall.scenario import HazardConfig
from physics.systems.world import World
from physics.terrain.terrain import Terrain
from tests.physics.falling import ran, scenario
from tests.small import swept

WIDTH = 1.3
ROAD = {"name": "road", "points": [[100.0, -60.0], [100.0, 60.0]]}


def path(bends: int) -> tuple[np.ndarray, np.ndarray]:
    """A path (n, 2) of 60 m that winds, places 0.11 m apart, and values (n, 4) along it."""
    along = np.arange(550)
    towards = 0.3 + 0.8 * np.sin(along * bends / 550.0)
    places = 20.0 + 0.11 * np.cumsum(np.stack([np.cos(towards), np.sin(towards)], axis=1), axis=0)
    return places, 50.0 + np.cumsum(np.random.default_rng(bends).normal(size=(550, 4)), axis=0)


def grid(cell: float) -> Terrain:
    """Ground of 100 m by 100 m."""
    nodes = round(100.0 / cell) + 1
    return Terrain(np.zeros((nodes, nodes)), cell=(cell, cell))


def touched(cell: float, bends: int, side: float = 10.0) -> dict[tuple[float, float], np.ndarray]:
    """Place of a node [m] -> the maxima of the path while it touches the square around it."""
    ground, (places, values) = grid(cell), path(bends)
    room = SweepRoom(ground.heights.size)
    for _ in range(2):  # the room is empty again after each rock
        cells, most = room.swept(places, values, (side / 2, WIDTH / 2), ground.heights.shape, ground.cell)
    rows, columns = np.divmod(cells, ground.heights.shape[1])
    return dict(zip(zip((cell * rows).tolist(), (cell * columns).tolist(), strict=True), most, strict=True))


@pytest.mark.parametrize("bends", [0, 3, 40])
@pytest.mark.parametrize("side", [1.0, 10.0])
def test_a_square_is_touched_where_the_path_comes_within_half_a_width(bends, side):
    places, values = path(bends)
    by_hand = swept(places, values, WIDTH, grid(1.0), side)
    found = touched(1.0, bends, side)
    assert found.keys() == by_hand.keys()
    for node, most in by_hand.items():
        np.testing.assert_array_equal(found[node], most)


@pytest.mark.parametrize("cell", [0.5, 2.0, 5.0])
def test_nodes_of_two_grids_have_the_same_numbers(cell):
    one, other = touched(1.0, 5), touched(cell, 5)
    common = [node for node in one if all(x % cell == 0.0 for x in node)]
    assert len(common) >= 20
    for node in common:
        np.testing.assert_array_equal(one[node], other[node])
    assert len(other) * cell**2 == pytest.approx(len(one), rel=0.1)  # the area


def test_the_width_is_that_of_a_ball():
    assert width_of(4.0 / 3.0 * np.pi) == pytest.approx(2.0)


def test_values_by_weight():
    values, weights = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.5, 0.3, 0.15, 0.05])
    assert [quantile(values, weights, share) for share in (0.5, 0.9, 0.95, 0.99)] == [1.0, 3.0, 3.0, 4.0]
    assert [exceeded(values, weights, least) for least in (0.05, 0.1, 0.2, 0.5, 1.0, 1.1)] == [4, 3, 3, 2, 1, None]
    assert quantile(values[:0], weights[:0], 0.9) is None


@pytest.mark.parametrize("length", [1.0, 5.0])
def test_a_metre_of_a_line_is_touched_by_the_rocks_whose_strips_meet_it(length):
    study = Study(("block",), np.array([0.5]), (30.0,), np.inf, (30e3, 300e3))
    lines = BarrierSegments(("road",), np.array([np.nan]), np.array([length]), np.zeros((0, 6)))
    n, reach = 4000, 0.5 * WIDTH
    where, no = np.linspace(-reach, length + reach, n), np.zeros(n, bool)
    one, each = np.ones(n, int), np.full(n, 0.5 / n)
    rocks = Rocks(one, each, np.full(n, WIDTH), np.ones((n, 4)), one, no, no, no)
    row = design_rows(0, lines, rocks, study, HazardConfig(), np.array([n]))[-1]
    starts = np.linspace(0.0, length - 1.0, 101)[:, None]
    touched = (where >= starts - reach) & (where <= starts + 1.0 + reach)
    assert row["frequency_metre"] == pytest.approx((each * touched).sum(axis=1).mean(), rel=1e-3)
    assert row["frequency_metre"] <= row["frequency"] * (1.0 + 1e-12)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_line_of_interest_needs_no_barrier_and_changes_no_rock(tmp_path):
    bare, lined = (ran(World.of(scenario(schemes=["implicit"], line=lines))) for lines in ((), (ROAD,)))
    rows, again = (one.results["implicit"].rows.read() for one in (bare, lined))
    assert rows.tobytes() == again.tobytes()
    save_results(tmp_path / "out", lined, counts=True)
    assert not (tmp_path / "out" / "barriers.csv").exists()
    (row,) = table(tmp_path / "out" / "lines.csv")
    assert (row["line"], row["class"]) == ("road", "all")
    crossings = table(tmp_path / "out" / "crossings.csv")
    assert {(one["barrier"], one["line"]) for one in crossings} == {("", "road")}
    rocks = {one["rock"] for one in crossings}
    assert float(row["reach"]) == len(rocks) / lined.rocks > 0.5
    assert float(row["energy_max [J]"]) == max(float(one["kinetic_energy [J]"]) for one in crossings)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())["schemes"]["implicit"]
    assert summary["lines"][0]["name"] == "road"
    more = scenario(schemes=["implicit"], line=(ROAD,), ensemble={"rocks": 3, "seed": 8})
    save_results(tmp_path / "more", ran(World.of(more)), counts=True)
    gather([tmp_path / "out", tmp_path / "more"], tmp_path / "whole")
    (whole,) = table(tmp_path / "whole" / "lines.csv")
    (other,) = table(tmp_path / "more" / "lines.csv")
    assert int(whole["rocks"]) == int(row["rocks"]) + int(other["rocks"])


def test_half_a_width_beside_its_end_a_rock_still_touches_a_line():
    whole = ran(World.of(scenario(schemes=["implicit"], line=(ROAD,)))).results["implicit"].crossings.read()
    y, width = float(whole[0].y), width_of(float(whole[0].volume))
    short = [
        {"name": f"{share:g}", "points": [[100.0, y + share * width / 2], [100.0, y + 40.0]]} for share in (0.9, 1.1)
    ]
    found = ran(World.of(scenario(schemes=["implicit"], line=short))).results["implicit"].crossings.read()
    own = found[found["rock"] == whole[0].rock]
    assert own["barrier"].tolist() == [0]
    assert own["along"].tolist() == [0.0]


def test_what_held_a_rock_is_why_it_stopped():
    wall = {"line": [[60.0, -60.0], [60.0, 60.0]], "height": 50.0, "capacity": 1e6}
    found = ran(World.of(scenario(schemes=["implicit"], barrier=(wall,)))).results["implicit"]
    assert dict(found.reasons) == {"barrier": len(found.rows)}
    layers = {name: values for name, _, values in found.maps.layers()}
    assert layers["deposits"].sum() == len(found.rows)


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ({"line": [{"name": "road"}]}, "line.0.points: missing; expected the points of a line, or a file"),
        ({"line": [ROAD | {"file": "a.geojson"}]}, "line.0.file: expected either points or file"),
        ({"line": [ROAD | {"name": "=1+1<script>"}]}, "line.0.name: expected a name that begins with a letter"),
        ({"line": [ROAD | {"name": "@SUM"}]}, "line.0.name: expected a name that begins with a letter"),
        ({"hazard": {"cell": 0.1}}, "hazard.cell: expected a number of at least 0.5"),
        ({"hazard": {"design": "q97"}}, "hazard.design: expected one of q90, q95, q99, 30a, 100a, 300a, got 'q97'"),
        ({"hazard": {"design": "100a"}}, r"hazard.design: needs \[\[scenario_class\]\]"),
    ],
)
def test_wrong_lines_are_refused(tables, why):
    with pytest.raises(physics.ScenarioError, match=why):
        scenario(**tables)


def test_names_in_files_are_as_those_in_scenarios(tmp_path):
    line = {"type": "LineString", "coordinates": ROAD["points"]}
    feature = {"type": "Feature", "geometry": line, "properties": {"name": "=HYPERLINK(1)"}}
    (tmp_path / "a.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    for tables in ({"line": [{"file": "a.geojson"}]}, {"barrier": [{"file": "a.geojson", "height": 2.0}]}):
        with pytest.raises(physics.ScenarioError, match=r"a.geojson: feature 1.name: expected a name that begins"):
            World.of(scenario(folder=str(tmp_path), **tables))
