"""Ensembles: the same numbers however they are computed, and statistics and maps against counting by hand."""

from __future__ import annotations

import copy
import csv
import json
import math
from dataclasses import replace
from threading import Event, Thread

import numpy as np
import pytest
import rasterio

import physics
from physics.hazard import maps, results_folder, rock_rows
from physics.hazard.ensemble import Ensemble
from physics.hazard.maps import Maps
from physics.hazard.rock_record import fall_line, off_fall_line
from physics.hazard.rock_rows import REASONS, ROW, RockTable
from physics.hazard.statistics import QUANTILES, QUANTITIES, QUANTITY_ROWS, Quantities
from physics.systems.world import World
from physics.terrain.terrain import Terrain
from tests.physics.falling import ROCKS, SCHEMES, quantities, ran, scenario
from tests.small import cuboid, swept


def without_times(summary):
    return {key: value for key, value in summary.items() if key not in ("wall_seconds", "cpu_seconds", "workers")}


def test_kernels_and_rows_have_the_same_quantities_in_the_same_order():
    assert Quantities._fields == tuple(QUANTITY_ROWS)


def test_two_workers_give_the_same_numbers(ramp, done, tmp_path):
    other = ran(ramp, workers=2)
    assert without_times(results_folder.summarised(other)) == without_times(results_folder.summarised(done))
    for name in SCHEMES:
        np.testing.assert_array_equal(other.results[name].rows.read(), done.results[name].rows.read())
        for (what, _, a), (_, _, b) in zip(
            done.results[name].maps.layers(), other.results[name].maps.layers(), strict=True
        ):
            np.testing.assert_array_equal(a, b, err_msg=what)


def test_an_ensemble_that_was_stopped_goes_on(ramp, done):
    ensemble = Ensemble(ramp)
    first = ensemble.march(2)
    while next(first) < 5:
        pass
    first.close()
    assert ensemble.done == 5
    known = [(done, np.isfinite(ensemble.time_left)) for done in ensemble.march(2)]
    assert known == [(done, done > 7) for done in range(6, ROCKS + 1)]  # one rock of each worker is no measure
    for name in SCHEMES:
        np.testing.assert_array_equal(ensemble.results[name].rows.read(), done.results[name].rows.read())


def test_a_window_reads_while_the_rocks_fall(ramp, done):
    ensemble, seen = Ensemble(ramp), []
    assert ensemble.time_left == np.inf

    def fall():
        for rocks in ensemble.march(2):
            if rocks == 12:
                reached.set()
                ensemble.pause()

    reached = Event()
    thread = Thread(target=fall)
    thread.start()
    while not reached.is_set():
        seen.append(ensemble.snapshot())
    thread.join()
    assert ensemble.paused
    assert ensemble.done == 12
    assert 0.0 < ensemble.time_left < np.inf
    seen.append(ensemble.snapshot())
    list(ensemble.march(1))
    assert len(seen[-1]["explicit"].rows) == 12
    for found in seen:  # each of them is whole: the rocks that were done, with every scheme and in every part
        rocks = len(found["explicit"].rows)
        for name in SCHEMES:
            then, now = found[name], done.results[name]
            assert then.rows.read().tobytes() == now.rows.read(0, rocks).tobytes()
            assert then.reasons.total() == then.maps.rocks == then.barriers.rocks == len(then.paths) == rocks
            np.testing.assert_array_equal(then.paths.points, now.paths.points[: now.paths.offsets[rocks]])
            if rocks:
                reach = {what: values for what, _, values in then.maps.layers()}["reach_probability"]
                assert reach.max() == 1.0
    for name in SCHEMES:
        np.testing.assert_array_equal(ensemble.results[name].rows.read(), done.results[name].rows.read())


def test_rows_that_are_many_go_to_a_file(monkeypatch):
    monkeypatch.setattr(rock_rows, "_IN_MEMORY", 50 * ROW.itemsize)
    found, each = RockTable(), np.zeros(1, ROW)
    for rock in range(200):
        if rock == 20:
            earlier = copy.copy(found)
        each["rock"] = rock
        found.append(each)
    assert found.read().rock.tolist() == found.column("rock").tolist() == list(range(200))
    assert found.read(60, 63).rock.tolist() == [60, 61, 62]
    assert earlier.read().rock.tolist() == list(range(20))


def test_a_rock_run_alone_is_its_row(ramp, done, trajectories):
    for name in SCHEMES:
        for rock in (0, 7):
            row, path = done.results[name].rows.read()[rock], trajectories[name, rock]
            assert [row.x, row.y, row.z] == path.position[-1].tolist()
            assert row.steps == path.steps == len(path) - 1
            assert REASONS[row.stop_reason] == path.events[-1].kind
            assert row.duration == path.time[-1]
            for quantity, values in quantities(ramp, path).items():
                assert getattr(row, f"max_{quantity}") == pytest.approx(values.max(), rel=1e-12)


@pytest.mark.parametrize("weighting", ["distance", "time"])
def test_statistics_agree_with_counting_all_steps(ramp, done, trajectories, weighting):
    summary = results_folder.summarised(done)["schemes"]
    for name in SCHEMES:
        own = [trajectories[name, rock] for rock in range(ROCKS)]
        if weighting == "distance":
            weights = np.concatenate([np.linalg.norm(np.diff(p.position, axis=0), axis=1) for p in own])
        else:
            weights = np.concatenate([np.diff(p.time) for p in own])
        found = summary[name] if weighting == "distance" else summary[name]["by_time"]
        for quantity in QUANTITIES:
            values = np.concatenate([quantities(ramp, p)[quantity][1:] for p in own])
            mean = np.average(values, weights=weights)
            std = np.sqrt(np.average((values - mean) ** 2, weights=weights))
            assert found[quantity]["mean"] == pytest.approx(mean, rel=1e-9)
            assert found[quantity]["std"] == pytest.approx(std, rel=1e-6)
            order = np.argsort(values)
            above = np.cumsum(weights[order])
            for key, share in QUANTILES.items():
                expected = values[order][np.searchsorted(above, share * above[-1])]
                assert found[quantity][key] == pytest.approx(expected, rel=0.011), (quantity, key)


def test_maps_agree_with_counting_by_hand(ramp, done, trajectories):
    terrain = ramp.terrain
    nx = terrain.heights.shape[1]
    for name in SCHEMES:
        peaks = {}
        for rock in range(ROCKS):
            path = trajectories[name, rock]
            energy = quantities(ramp, path)["kinetic_energy"][:, None]
            width = np.cbrt(6.0 / np.pi * ramp.with_rock(rock).body.volume)
            for (j, i), (most,) in swept(path.position[:, :2] - terrain.origin, energy, width, terrain).items():
                peaks.setdefault(j * nx + i, []).append(most)
        layers = {what: values for what, _, values in done.results[name].maps.layers()}
        assert {int(c): int(n) for c, n in enumerate(layers["passages"]) if n} == {c: len(v) for c, v in peaks.items()}
        np.testing.assert_array_equal(layers["reach_probability"], (layers["passages"] / ROCKS).astype(np.float32))
        assert layers["deposits"].sum() == done.results[name].reasons["rest"]
        for cell, values in peaks.items():
            assert layers["kinetic_energy_mean"][cell] == pytest.approx(np.mean(values), rel=1e-6)
            assert layers["kinetic_energy_max"][cell] == pytest.approx(max(values), rel=1e-6)
            for key, share in QUANTILES.items():
                fewest = {"median": 2, "q90": 10, "q95": 20, "q99": 100}[key]
                expected = np.quantile(values, share, method="inverted_cdf") if len(values) >= fewest else np.nan
                assert layers[f"kinetic_energy_{key}"][cell] == pytest.approx(expected, rel=0.026, nan_ok=True), key
        assert np.isnan(layers["velocity_mean"][layers["passages"] == 0]).all()


@pytest.mark.parametrize(("statistic", "fewest"), [("median", 2), ("q90", 10), ("q95", 20), ("q99", 100)])
def test_a_quantile_needs_rocks_enough_that_it_is_not_the_largest_value(tmp_path, statistic, fewest):
    """One rock more passes cell 1 than cell 0; the files hold NODATA there, and the largest value in its own map."""
    grid, values = Terrain(np.zeros((2, 2))), np.linspace(10.0, 20.0, fewest)
    found = Maps(4)
    for n, value in enumerate(values):
        cells = np.array([0, 1] if n else [1])
        found.add(cells, np.full((len(cells), 4), value), cells[:0])
    layers = {name: layer for name, _, layer in found.layers()}
    assert np.isnan(layers[f"velocity_{statistic}"][0])
    assert layers[f"velocity_{statistic}"][1] == pytest.approx(values[-2], rel=0.026)
    assert layers["velocity_max"].tolist()[:2] == [20.0, 20.0]
    maps.write(found, grid, tmp_path / "maps", "implicit")
    with rasterio.open(tmp_path / "maps" / f"velocity_{statistic}.tif") as file:
        south = file.read(1)[-1]
        assert south[0] == file.nodata == -9999.0
        assert south[1] == layers[f"velocity_{statistic}"][1]
        assert file.tags()["fewest_rocks"] == str(fewest)


def test_a_map_that_is_sorted_often_counts_the_same(monkeypatch):
    generator = np.random.default_rng(1)
    rocks = [(np.sort(generator.choice(50, 20, replace=False)), generator.lognormal(size=(20, 4))) for _ in range(40)]
    often, once = Maps(50), Maps(50)
    for waiting, found in ((1, often), (10**9, once)):
        monkeypatch.setattr(maps, "_PENDING", waiting)
        for cells, peaks in rocks:
            found.add(cells, peaks, cells[-1:])
    for (what, _, a), (_, _, b) in zip(often.layers(), once.layers(), strict=True):
        np.testing.assert_array_equal(a, b, err_msg=what)


def test_the_folder_holds_what_the_contract_says(ramp, done, tmp_path):
    terrain = replace(ramp.terrain, crs="EPSG:2056")
    done.world, before = replace(ramp, terrain=terrain), done.world
    results_folder.save_results(tmp_path / "out", done)
    done.world = before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "deposits.geojson",
        "maps",
        "release.geojson",
        "results.gpkg",
        "rocks.csv",
        "summary.json",
    ]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert {"rocks", "steps", "wall_seconds", "cpu_seconds", "workers", "seed", "version", "scenario"} <= set(summary)
    assert "conditional on release" in summary["note"]
    statistics = {"mean", "std", *QUANTILES, "max"}
    for found in summary["schemes"].values():
        for quantity in (*QUANTITIES, "runout", "lateral"):
            assert set(found[quantity]) == statistics
        assert found["weighted_by"] == "distance"
        assert set(found["by_time"]) == set(QUANTITIES)
        assert sum(found["stop_reasons"].values()) == ROCKS
    with (tmp_path / "out" / "rocks.csv").open() as file:
        header, *rows = csv.reader(file)
    assert ",".join(header) == (
        "scheme,rock,duration [s],steps,stop_reason,x [m],y [m],z [m],runout [m],lateral [m],max_kinetic_energy [J],"
        "max_velocity [m/s],max_rotation [rad/s],max_jump_height [m],energy_gain [J],"
        "off_fall_line [m],mass [kg],volume [m3],release_x [m],release_y [m]"
    )
    assert [row[:2] for row in rows] == [[name, str(rock)] for rock in range(ROCKS) for name in SCHEMES]
    assert float(rows[0][5]) == done.results["explicit"].rows.read()[0].x
    for row in rows:
        one = done.world.with_rock(int(row[1]))
        start = one.position[:2].tolist()
        assert [float(word) for word in row[-4:]] == [one.body.mass, one.body.volume, *start]
        assert float(row[8]) == pytest.approx(math.dist(start, [float(row[5]), float(row[6])]))
        assert float(row[-5]) == pytest.approx(float(row[9]), abs=1e-6)  # on a plane both lines are one
    deposits = json.loads((tmp_path / "out" / "deposits.geojson").read_text())
    assert deposits["crs"]["properties"]["name"] == "urn:ogc:def:crs:EPSG::2056"
    assert len(deposits["features"]) == sum(f["stop_reasons"].get("rest", 0) for f in summary["schemes"].values())
    check_maps(tmp_path / "out" / "maps", terrain, done)


def check_maps(folder, terrain, done):
    names = [f"{quantity}_{key}" for quantity in QUANTITIES for key in ("mean", *QUANTILES, "max")]
    for scheme in SCHEMES:
        files = sorted(p.name for p in (folder / scheme).iterdir())
        assert files == sorted(f"{name}.tif" for name in [*names, "passages", "reach_probability", "deposits"])
        with rasterio.open(folder / scheme / "velocity_max.tif") as file:
            assert file.crs.to_epsg() == 2056
            assert file.dtypes == ("float32",)
            assert file.profile["compress"] == "deflate"
            assert "conditional on release" in file.tags()["note"]
            assert (file.descriptions, file.units) == (("velocity_max",), ("m/s",))
            x, y = done.results[scheme].rows.read()[0][["x", "y"]]
            assert file.shape == terrain.heights.shape
            values = file.read(1)
            assert values[file.index(x, y)] > 0.0
            assert values.min() == file.nodata
            # the centre of a cell is the terrain's node
            assert file.xy(file.height - 1, 0) == pytest.approx(terrain.origin)


def test_wrong_ensembles_are_refused():
    with pytest.raises(physics.ScenarioError, match="expects 'rockfall', got 'free'"):
        Ensemble(World.of(cuboid()))
    with pytest.raises(physics.ScenarioError, match="all rocks would be the same"):
        Ensemble(World.of(scenario(initial={})))


@pytest.mark.parametrize("place", [(50.0, 50.0), (0.0, 50.0), (100.0, 99.0), (0.0, 0.0)])
def test_the_fall_line_of_a_plane_is_the_same_at_the_edge_of_the_map(ramp, place):
    heights = -np.add.outer(0.5 * np.arange(101.0), 0.5 * np.arange(101.0))
    found = fall_line(replace(ramp, terrain=Terrain(heights), position=np.array([*place, 0.0])))
    np.testing.assert_allclose(found, math.sqrt(0.5), rtol=1e-12)


@pytest.mark.parametrize("along", [10.0, 60.0, 95.0])
def test_the_fall_line_bends_with_the_slope(along):
    """The fall line on -(x² + 2 y²)/200 is y = y0 (x/x0)², and straight down is off it."""
    cell, start = 1.0, (5.0, 4.0)
    x, y = np.meshgrid(np.arange(0.0, 101.0), np.arange(0.0, 201.0))
    heights = -(x * x + 2.0 * y * y) / 200.0
    on = np.array([start[0] + along / 8.0, start[1] * ((start[0] + along / 8.0) / start[0]) ** 2])
    tangent = np.array([1.0, 2.0 * on[1] / on[0]])
    normal = np.array([-tangent[1], tangent[0]]) / np.hypot(*tangent)
    for aside in (0.0, 1.5, -1.5):
        found = off_fall_line(heights, (cell, cell), np.array(start), on + aside * normal)
        assert found == pytest.approx(abs(aside), abs=0.35)
