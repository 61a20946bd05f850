"""Gathering: parts of a map that were computed apart, against what each of them holds."""

from __future__ import annotations

import csv
import json
import sqlite3
from functools import reduce

import numpy as np
import pytest
import rasterio
import shapely

import physics
from physics.hazard.merge import gather
from physics.hazard.results_folder import save_results
from physics.hazard.statistics import QUANTITIES
from physics.io.vector_files import features, write_geojson
from physics.systems.world import World
from tests.physics.falling import ran, scenario
from tests.small import write_slope

CELL, NODES, WEST, SOUTH = 2.0, 60, 2_700_000.0, 1_200_000.0
WINDOWS = ((0, 0, 70, 118), (40, 0, 118, 118), (40, 20, 118, 118))  # [m] from the first node, they overlap
EVERYTHING = ("passages", "deposits", *(f"{name}_{key}" for name in QUANTITIES for key in ("mean", "q95", "max")))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Three parts of a slope that levels out, each with a few rocks, on one map."""
    root = tmp_path_factory.mktemp("parts")
    write_slope(root / "slope.tif", CELL, NODES, WEST, SOUTH)
    boxes = [(0, 0, 10, 10), (0, 0, 118, 118), (90, 90, 118, 118)]  # the first is seen by one part alone
    soils = [shapely.box(WEST + x0, SOUTH + y0, WEST + x1, SOUTH + y1) for x0, y0, x1, y1 in boxes]
    shapes = [(shape, {"soil": name}) for shape, name in zip(soils, ("snow", "hard", "soft"), strict=True)]
    write_geojson(root / "soils.geojson", features(shapes), "EPSG:2056", "")
    (root / "stops.csv").write_text("x,y,runout\n2700055,1200040,60\n2700055,1200050,50\n")
    for i in range(3):
        save_results(root / f"part{i}", part(root, i), counts=True)
    gather([root / f"part{i}" for i in range(3)], root / "whole", counts=True)
    return root


def part(root, i, **changes):
    x0, y0, x1, y1 = WINDOWS[i]
    tables = {
        "schemes": ("implicit",),
        "terrain": {"file": str(root / "slope.tif"), "window": (WEST + x0, SOUTH + y0, WEST + x1, SOUTH + y1)},
        "release": {"position": (WEST + 55.0, SOUTH + 100.0)},
        "soil": {"zones": str(root / "soils.geojson")},
        "ensemble": {"rocks": 3 + i, "seed": i},
        "observed": {"stops": str(root / "stops.csv")},
    }
    return ran(World.of(scenario(**tables | changes)))


def rows_of(folder):
    with (folder / "rocks.csv").open() as file:
        return list(csv.DictReader(file))


def layer(folder, name):
    with rasterio.open(folder / "maps" / "implicit" / f"{name}.tif") as file:
        return file.read(1, masked=True).filled(np.nan), file.bounds


def test_each_cell_counts_the_rocks_of_all_parts(folders):
    whole, bounds = layer(folders / "whole", "passages")
    assert whole.shape == (NODES, NODES)
    expected = np.zeros_like(whole)
    largest = np.full_like(whole, -np.inf)
    for i in range(3):
        passed, own = layer(folders / f"part{i}", "passages")
        top, left = round((bounds.top - own.top) / CELL), round((own.left - bounds.left) / CELL)
        here = np.s_[top : top + passed.shape[0], left : left + passed.shape[1]]
        expected[here] += passed
        largest[here] = np.fmax(largest[here], layer(folders / f"part{i}", "velocity_max")[0])
    np.testing.assert_array_equal(whole, expected)
    np.testing.assert_array_equal(layer(folders / "whole", "velocity_max")[0][expected > 0], largest[expected > 0])
    reach, _ = layer(folders / "whole", "reach_probability")
    np.testing.assert_array_equal(reach, (whole / 12).astype(np.float32))


def test_rows_follow_each_other_and_sums_add(folders):
    parts = [json.loads((folders / f"part{i}" / "summary.json").read_text()) for i in range(3)]
    whole = json.loads((folders / "whole" / "summary.json").read_text())
    assert (whole["rocks"], whole["seed"], whole["parts"]) == (12, [0, 1, 2], ["part0", "part1", "part2"])
    assert whole["steps"] == sum(part["steps"] for part in parts)
    rows = rows_of(folders / "whole")
    assert [int(row["rock"]) for row in rows] == list(range(12))
    of_parts = [row["runout [m]"] for i in range(3) for row in rows_of(folders / f"part{i}")]
    assert [row["runout [m]"] for row in rows] == of_parts
    assert "validation" in parts[0]
    assert "validation" not in whole  # each part compared its own rocks alone
    found = whole["schemes"]["implicit"]
    own = [part["schemes"]["implicit"] for part in parts]
    assert found["velocity"]["max"] == max(part["velocity"]["max"] for part in own)
    assert sum(found["stop_reasons"].values()) == 12
    least, most = (pick(part["velocity"]["median"] for part in own) for pick in (min, max))
    assert least <= found["velocity"]["median"] <= most
    assert found["lateral_by_distance"][0]["rocks"] == 12


def test_soils_and_releases_of_all_parts_are_in_the_whole_each_once_and_in_their_order(folders):
    def soils(folder):
        found = json.loads((folders / folder / "soil.geojson").read_text())["features"]
        return [(one["properties"]["order"], one["properties"]["soil"]) for one in found]

    assert soils("part1") == [(2, "hard"), (3, "soft")]
    assert soils("whole") == [(1, "snow"), (2, "hard"), (3, "soft")]
    releases = json.loads((folders / "whole" / "release.geojson").read_text())["features"]
    assert [one["geometry"]["coordinates"] for one in releases] == [[WEST + 55.0, SOUTH + 100.0]]
    with sqlite3.connect(folders / "whole" / "results.gpkg") as file:
        assert file.execute("SELECT soil FROM soil").fetchall() == [("snow",), ("hard",), ("soft",)]
    file.close()


def test_a_tree_ends_where_a_row_does(folders, tmp_path):
    gather([folders / "part0", folders / "part1"], tmp_path / "two", counts=True)
    gather([tmp_path / "two", folders / "part2"], tmp_path / "three")
    assert (tmp_path / "three" / "rocks.csv").read_bytes() == (folders / "whole" / "rocks.csv").read_bytes()
    for name in EVERYTHING:
        np.testing.assert_array_equal(layer(tmp_path / "three", name)[0], layer(folders / "whole", name)[0], name)


def test_the_rocks_of_a_part_are_counted_once(folders, tmp_path):
    with pytest.raises(
        physics.ScenarioError, match=r"ensemble\.seed: release, first rock and seed are those of .*part0"
    ):
        gather([folders / "part0", folders / "part1", folders / "part0"], tmp_path / "out")
    with pytest.raises(
        physics.ScenarioError, match=r"ensemble\.seed: release, first rock and seed are those of .*whole"
    ):
        gather([folders / "whole", folders / "part1"], tmp_path / "out")  # also of one that was merged before
    same = part(folders, 1, ensemble={"rocks": 3, "seed": 0})  # the rocks of part0 in another window
    save_results(tmp_path / "same", same, counts=True)
    with pytest.raises(physics.ScenarioError, match=r"first rock and seed are those of .*part0, and"):
        gather([folders / "part0", tmp_path / "same"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_parts_that_do_not_belong_together_are_refused(folders, tmp_path):
    other = part(folders, 0, step=0.004)
    save_results(tmp_path / "other", other, counts=True)
    with pytest.raises(physics.ScenarioError, match=r"other: step: differs from that in .*part0; expected parts of"):
        gather([folders / "part0", tmp_path / "other"], tmp_path / "out")
    save_results(tmp_path / "none", other)
    with pytest.raises(physics.ScenarioError, match=r"holds no counts\.npz; expected a folder of"):
        gather([tmp_path / "none"], tmp_path / "out")
    (tmp_path / "other" / "counts.npz").write_bytes(b"PK damaged")
    np.savez(tmp_path / "none" / "counts.npz", facts=np.array("{}"))  # of something else
    for name in ("other", "none"):
        with pytest.raises(physics.ScenarioError, match=f"{name}.counts.npz: is damaged; expected the counts"):
            gather([tmp_path / name], tmp_path / "out")
    assert not (tmp_path / "out").exists()


LARGE = [100_000, 100_000]  # of which a map took 90 s and 2.9 GB
WRONG_FACTS = {  # what facts tell of something else, by the names of their tables
    "schemes elsewhere": {"facts.scenario.schemes": ["../../elsewhere"]},
    "an endless map": {"grid.shape": [10**9, 10**9]},
    "a map larger than is read": {"grid.shape": LARGE},
    "a map larger than its parts": {"grid.shape": LARGE, "facts.parts": ["a", "b"], "facts.seed": [1, [2, 3]]},
    "coarse steps without a sound one": {"facts.coarse_steps": {"implicit": {"rocks": 3, "looked_at": 3}}},
    "coarse steps of no scheme": {"facts.coarse_steps": {"nobody's": {"rocks": 0, "looked_at": 3}}},
    "coarse steps in words": {"facts.coarse_steps": {"implicit": {"rocks": "some", "looked_at": 3}}},
    "a step in words": {"facts.scenario.step": "small"},
}
WRONG_ARRAYS = {  # numbers that lead out of their arrays, or are none: an array, a place in it, a value
    "strip off the map": ("maps/strip", -1, 10**6),
    "number off the store": ("maps/number", 0, 10**6),
    "bin off the store": ("maps/keys", -1, 2**32 - 1),
    "histogram below zero": ("statistics/bins", (0, 0, 7), -1e300),
    "not a number": ("maps/sums", (0, 0), np.nan),
    "a reason of its own": ("rows", "stop_reason", 77),
    "farther than a number squares": ("rows", "runout", 1e200),
}


@pytest.mark.parametrize("name", WRONG_FACTS)
def test_counts_that_tell_of_something_else_are_refused(folders, tmp_path, name):
    def damage(facts, arrays):
        for key, value in WRONG_FACTS[name].items():
            *tables, last = key.split(".")
            reduce(dict.__getitem__, tables, facts)[last] = value

    refused(folders, tmp_path, damage)


@pytest.mark.parametrize("name", [*WRONG_ARRAYS, "other rows"])
def test_counts_that_lead_out_of_their_arrays_are_refused(folders, tmp_path, name):
    def damage(facts, arrays):
        if name == "other rows":
            arrays["implicit/rows"] = np.zeros(3)
        else:
            array, place, value = WRONG_ARRAYS[name]
            arrays[f"implicit/{array}"][place] = value

    refused(folders, tmp_path, damage)


def refused(folders, tmp_path, damage):
    with np.load(folders / "part0" / "counts.npz") as data:
        arrays = {name: data[name] for name in data.files}
    facts = json.loads(str(arrays["facts"]))
    damage(facts, arrays)
    (tmp_path / "part").mkdir()
    np.savez(tmp_path / "part" / "counts.npz", **arrays | {"facts": np.array(json.dumps(facts))})
    with pytest.raises(physics.ScenarioError, match=r"part.counts\.npz: is damaged; expected the counts"):
        gather([tmp_path / "part"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
