"""Ensembles: the same numbers however they are computed, and statistics and maps against counting by hand."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
import rasterio

import physics
from physics import maps, results
from physics.ensemble import Ensemble
from physics.maps import Maps
from physics.sampling import world_of_rock
from physics.simulate import record, recording
from physics.statistics import QUANTILES, QUANTITIES
from physics.world import World

ROCKS = 20
SCHEMES = ("explicit", "implicit")


def scenario(**changes):
    return physics.Scenario(
        **{
            "kind": "rockfall",
            "duration": 120.0,
            "step": 0.002,
            "schemes": SCHEMES,
            "body": {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0},
            "terrain": {"profile": "ramp", "drop": 40.0},
            "initial": {"orientation": "random"},
            "release": {"position": [1.0, 0.0]},
            "ensemble": {"rocks": ROCKS, "seed": 4},
        }
        | changes
    )


def ran(world, workers=1):
    ensemble = Ensemble(world)
    assert list(ensemble.march(workers)) == list(range(1, ensemble.rocks + 1))
    return ensemble


@pytest.fixture(scope="module")
def world():
    return World.of(scenario())


@pytest.fixture(scope="module")
def done(world):
    return ran(world)


@pytest.fixture(scope="module")
def paths(world):
    """The trajectory of each rock, every step of it: (scheme, rock) -> Trajectory."""
    found = {}
    for rock in range(ROCKS):
        for name in SCHEMES:
            into = recording(world_of_rock(world, rock), name)
            for _ in record(world_of_rock(world, rock), name, into, rows=8192):
                pass
            found[name, rock] = into.trajectory()
    return found


def quantities(world, path):
    ground = world.terrain.heights_at(path.position[:, 0], path.position[:, 1])
    return {
        "kinetic_energy": path.kinetic_energy,
        "velocity": np.linalg.norm(path.velocity, axis=1),
        "rotation": np.linalg.norm(path.angular_velocity, axis=1),
        "jump_height": path.position[:, 2] - ground,
    }


def without_times(summary):
    return {key: value for key, value in summary.items() if key not in ("wall_seconds", "cpu_seconds", "workers")}


def test_two_workers_give_the_same_numbers(world, done, tmp_path):
    other = ran(world, workers=2)
    assert without_times(results.summarised(other)) == without_times(results.summarised(done))
    for name in SCHEMES:
        assert other.results[name].rows == done.results[name].rows
        for (what, _, a), (_, _, b) in zip(
            done.results[name].maps.layers(), other.results[name].maps.layers(), strict=True
        ):
            np.testing.assert_array_equal(a, b, err_msg=what)


def test_an_ensemble_that_was_stopped_goes_on(world, done):
    ensemble = Ensemble(world)
    first = ensemble.march(2)
    while next(first) < 5:
        pass
    first.close()
    assert ensemble.done == 5
    assert list(ensemble.march(2)) == list(range(6, ROCKS + 1))
    assert all(ensemble.results[name].rows == done.results[name].rows for name in SCHEMES)


def test_a_rock_run_alone_is_its_row(world, done, paths):
    for name in SCHEMES:
        for rock in (0, 7):
            row, path = done.results[name].rows[rock], paths[name, rock]
            assert [row.x, row.y, row.z] == path.position[-1].tolist()
            assert row.steps == path.steps == len(path) - 1
            assert row.stop_reason == path.events[-1].kind
            assert row.duration == path.time[-1]
            for quantity, values in quantities(world, path).items():
                assert getattr(row, f"max_{quantity}") == pytest.approx(values.max(), rel=1e-12)


def test_a_run_shows_rock_0_and_each_other_is_turned_differently(world):
    np.testing.assert_array_equal(world_of_rock(world, 0).orientation, world.orientation)
    turned = np.array([world_of_rock(world, rock).orientation for rock in range(2000)])
    assert len(np.unique(turned, axis=0)) == 2000
    np.testing.assert_array_equal(turned[5], world_of_rock(world, 5).orientation)
    # uniform on rotations: the components have mean 0 and mean square 1/4
    assert np.abs(turned.mean(axis=0)).max() < 0.05
    assert np.abs((turned**2).mean(axis=0) - 0.25).max() < 0.03
    other = replace(world, scenario=world.scenario.changed(**{"ensemble.seed": 5}))
    assert not np.array_equal(turned[5], world_of_rock(other, 5).orientation)


@pytest.mark.parametrize("weighting", ["distance", "time"])
def test_statistics_agree_with_counting_all_steps(world, done, paths, weighting):
    summary = results.summarised(done)["schemes"]
    for name in SCHEMES:
        own = [paths[name, rock] for rock in range(ROCKS)]
        if weighting == "distance":
            weights = np.concatenate([np.linalg.norm(np.diff(p.position, axis=0), axis=1) for p in own])
        else:
            weights = np.concatenate([np.diff(p.time) for p in own])
        found = summary[name] if weighting == "distance" else summary[name]["by_time"]
        for quantity in QUANTITIES:
            values = np.concatenate([quantities(world, p)[quantity][1:] for p in own])
            mean = np.average(values, weights=weights)
            std = np.sqrt(np.average((values - mean) ** 2, weights=weights))
            assert found[quantity]["mean"] == pytest.approx(mean, rel=1e-9)
            assert found[quantity]["std"] == pytest.approx(std, rel=1e-6)
            order = np.argsort(values)
            above = np.cumsum(weights[order])
            for key, share in QUANTILES.items():
                expected = values[order][np.searchsorted(above, share * above[-1])]
                assert found[quantity][key] == pytest.approx(expected, rel=0.011), (quantity, key)


def test_maps_agree_with_counting_by_hand(world, done, paths):
    terrain = world.terrain
    nx = terrain.heights.shape[1]
    for name in SCHEMES:
        peaks = {}
        for rock in range(ROCKS):
            path = paths[name, rock]
            i = np.floor((path.position[:, 0] - terrain.origin[0]) / terrain.cell[0] + 0.5).astype(int)
            j = np.floor((path.position[:, 1] - terrain.origin[1]) / terrain.cell[1] + 0.5).astype(int)
            cells, values = j * nx + i, quantities(world, path)["kinetic_energy"]
            for cell in np.unique(cells):
                peaks.setdefault(int(cell), []).append(values[cells == cell].max())
        layers = {what: values for what, _, values in done.results[name].maps.layers()}
        assert {int(c): int(n) for c, n in enumerate(layers["passages"]) if n} == {c: len(v) for c, v in peaks.items()}
        np.testing.assert_array_equal(layers["reach_probability"], layers["passages"] / ROCKS)
        assert layers["deposits"].sum() == sum(r.stop_reason == "rest" for r in done.results[name].rows)
        for cell, values in peaks.items():
            assert layers["kinetic_energy_mean"][cell] == pytest.approx(np.mean(values), rel=1e-9)
            assert layers["kinetic_energy_max"][cell] == pytest.approx(max(values), rel=1e-9)
            for key, share in QUANTILES.items():
                expected = np.quantile(values, share, method="inverted_cdf")
                assert layers[f"kinetic_energy_{key}"][cell] == pytest.approx(expected, rel=0.026), key
        assert np.isnan(layers["velocity_mean"][layers["passages"] == 0]).all()


def test_a_map_that_is_sorted_often_counts_the_same(monkeypatch):
    generator = np.random.default_rng(1)
    rocks = [(np.sort(generator.choice(50, 20, replace=False)), generator.lognormal(size=(20, 4))) for _ in range(40)]
    often, once = Maps(50), Maps(50)
    for waiting, found in ((1, often), (10**9, once)):
        monkeypatch.setattr(maps, "_PENDING", waiting)
        for cells, peaks in rocks:
            found.add(cells, peaks, int(cells[-1]))
    for (what, _, a), (_, _, b) in zip(often.layers(), once.layers(), strict=True):
        np.testing.assert_array_equal(a, b, err_msg=what)


def test_energy_never_rises_over_50_rocks():
    ensemble = ran(World.of(scenario(ensemble={"rocks": 50, "seed": 1})), workers=2)
    for found in ensemble.results.values():
        assert {row.stop_reason for row in found.rows} == {"rest"}
        assert max(row.energy_gain / row.max_kinetic_energy for row in found.rows) <= 1e-9


def test_the_folder_holds_what_the_contract_says(world, done, tmp_path):
    terrain = replace(world.terrain, crs="EPSG:2056")
    done.world, before = replace(world, terrain=terrain), done.world
    results.save_results(tmp_path / "out", done)
    done.world = before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "deposits.geojson",
        "maps",
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
        "max_velocity [m/s],max_rotation [rad/s],max_jump_height [m],energy_gain [J]"
    )
    assert [row[:2] for row in rows] == [[name, str(rock)] for rock in range(ROCKS) for name in SCHEMES]
    assert float(rows[0][5]) == done.results["explicit"].rows[0].x
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
            x, y = done.results[scheme].rows[0].x, done.results[scheme].rows[0].y
            assert file.shape == terrain.heights.shape
            values = file.read(1)
            assert values[file.index(x, y)] > 0.0
            assert values.min() == file.nodata
            # the centre of a cell is the terrain's node
            assert file.xy(file.height - 1, 0) == pytest.approx(terrain.origin)


def test_wrong_ensembles_are_refused(tmp_path):
    free = physics.Scenario(
        kind="free", duration=1.0, step=0.1, schemes=["explicit"], body={"size": [3, 2, 1], "mass": 1.0}
    )
    with pytest.raises(physics.ScenarioError, match="expects 'rockfall', got 'free'"):
        Ensemble(World.of(free))
    with pytest.raises(physics.ScenarioError, match="all rocks would be the same"):
        Ensemble(World.of(scenario(initial={})))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(physics.ScenarioError, match="not empty"):
        results.check_results(tmp_path / "full")
    with pytest.raises(physics.ScenarioError, match="it is a file"):
        results.check_results(tmp_path / "full" / "file")
