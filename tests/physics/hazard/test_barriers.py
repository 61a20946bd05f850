"""Barriers and the spread on the slope against counting on the trajectories."""

from __future__ import annotations

import csv
from collections import defaultdict

import numpy as np
import pytest

import physics
from physics.hazard.barriers import BarrierSegments, BarrierStatistics, segments_of
from physics.hazard.results_folder import save_results, summarised
from physics.hazard.statistics import QUANTILES, QUANTITIES
from physics.systems.world import World
from tests.physics.falling import ROCKS, SCHEMES, quantities, ran, scenario

# across the slope, bent in its middle; on the flat, lower than rocks that jump; where no rock comes
LINES = [
    {"line": [[30.0, -60.0], [35.0, 0.0], [30.0, 60.0]], "height": 2.0, "name": "net, upper"},
    {"line": [[60.0, 50.0], [60.0, -50.0]], "height": 1.0},
    {"line": [[1.0, 40.0], [5.0, 40.0]], "height": 3.0},
]


@pytest.fixture(scope="module")
def fenced():
    return ran(World.of(scenario(barrier=LINES)))


def crossings_by_hand(world, path, line):
    """What the barrier sees of one path: place along the line and the quantities, at each crossing."""
    found, along = [], 0.0
    xy, values = path.position[:, :2], np.column_stack(list(quantities(world, path).values()))
    for a, b in zip(np.array(line)[:-1], np.array(line)[1:], strict=True):
        length = np.linalg.norm(b - a)
        e = (b - a) / length
        side = (xy - a) @ np.array([-e[1], e[0]])
        for i in np.flatnonzero((side[:-1] < 0) != (side[1:] < 0)):
            share = side[i] / (side[i] - side[i + 1])
            place = (xy[i] + share * (xy[i + 1] - xy[i]) - a) @ e
            if 0 <= place < length:
                found.append((i, along + place, *(values[i] + share * (values[i + 1] - values[i]))))
        along += length
    return [row[1:] for row in sorted(found)]


def test_barriers_count_what_crosses_them(fenced, trajectories, ramp):
    for name in SCHEMES:
        summary = fenced.results[name].barriers.summary()
        assert [b["name"] for b in summary] == ["net, upper", "barrier 2", "barrier 3"]
        for barrier, line in zip(summary, LINES, strict=True):
            each = [crossings_by_hand(ramp, trajectories[name, rock], line["line"]) for rock in range(ROCKS)]
            crossed = [rows for rows in each if rows]
            assert barrier["rocks"] == len(crossed)
            assert barrier["crossings"] == sum(map(len, each)) == sum(barrier["places"])
            assert barrier["share_crossing"] == len(crossed) / ROCKS
            lower = sum(rows[0][4] < line["height"] for rows in crossed)
            assert barrier["share_stopped"] == pytest.approx(lower / max(len(crossed), 1))
            if not crossed:
                continue
            rows = np.array([row for rows in crossed for row in rows])
            places = np.histogram(rows[:, 0], 50, (0.0, barrier["length"]))[0]
            assert barrier["places"] == places.tolist()
            for k, quantity in enumerate(QUANTITIES, start=1):
                assert barrier[quantity]["mean"] == pytest.approx(rows[:, k].mean(), rel=1e-3)
                assert barrier[quantity]["max"] == pytest.approx(rows[:, k].max(), rel=1e-3)
                for key, share in QUANTILES.items():
                    expected = np.quantile(rows[:, k], share, method="inverted_cdf")
                    assert barrier[quantity][key] == pytest.approx(expected, rel=0.012)
    assert 0 < fenced.results["explicit"].barriers.stopped[0] < ROCKS


def test_histograms_hold_all_crossings(fenced):
    barriers = fenced.results["implicit"].barriers
    for quantity in QUANTITIES:
        found = barriers.summary()[0]["histograms"][quantity]
        assert (len(found["edges"]), len(found["crossings"])) == (31, 30)
        assert sum(found["crossings"]) == barriers.summary()[0]["crossings"]
        assert (found["edges"][0], found["edges"][-1]) == (0.0, barriers.summary()[0][quantity]["max"])


def test_a_barrier_does_not_change_the_rocks(fenced, done):
    for name in SCHEMES:
        np.testing.assert_array_equal(fenced.results[name].rows.read(), done.results[name].rows.read())


def test_the_first_crossing_decides_what_is_stopped():
    barriers = BarrierStatistics(BarrierSegments(("net",), np.array([2.0]), np.array([10.0]), np.zeros((1, 6))))
    low, high = [0, 5.0, 1.0, 1.0, 1.0, 1.5], [0, 5.0, 1.0, 1.0, 1.0, 2.5]
    for crossings in ([low, high], [high, low], [high], []):
        barriers.add(np.array(crossings, float).reshape(-1, 6))
    assert (barriers.rocks, barriers.crossed[0], barriers.stopped[0]) == (4, 3, 1)
    assert barriers.summary()[0]["crossings"] == 5


def test_barriers_stand_in_a_table(fenced, tmp_path):
    save_results(tmp_path / "out", fenced)
    with (tmp_path / "out" / "barriers.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["scheme"], row["barrier"]) for row in rows] == [
        (name, barrier) for name in SCHEMES for barrier in ("net, upper", "barrier 2", "barrier 3")
    ]
    summary = summarised(fenced)["schemes"]["explicit"]["barriers"][0]
    assert [row["class"] for row in rows] == ["all"] * len(rows)
    assert float(rows[0]["height_q95 [m]"]) == pytest.approx(summary["jump_height"]["q95"], rel=0.05)
    assert float(rows[0]["energy_max [J]"]) == summary["kinetic_energy"]["max"]
    assert float(rows[0]["height [m]"]) == 2.0
    assert int(rows[0]["crossings"]) == summary["crossings"]


def test_wrong_barriers_are_refused():
    for line, why in (
        ([[0.0, 5000.0], [10.0, 5000.0]], "barrier.0.line: lies off the map; expected x"),
        ([[1.0, 1.0], [1.0, 1.0]], "barrier.0.line: expected points that differ"),
    ):
        with pytest.raises(physics.ScenarioError, match=why):
            segments_of(World.of(scenario(barrier=[{"line": line, "height": 2.0}])))
    for table, why in (
        ({"line": [[0.0, 1.0]], "height": 2.0}, "barrier.0.line: expected at least 2"),
        ({"line": [[0.0, 1.0], [2.0, 3.0]]}, "barrier.0.height: missing"),
        ({"line": [[0.0, 1.0], [2.0, 3.0]], "height": 2.0, "hight": 2.0}, "did you mean 'height'"),
    ):
        with pytest.raises(physics.ScenarioError, match=why):
            scenario(barrier=[table])


def test_the_spread_on_the_slope_is_that_of_the_trajectories(ramp, done, trajectories):
    # the ramp falls to the east: the fall line is the x axis through the release
    for name in SCHEMES:
        offsets = defaultdict(list)
        for rock in range(ROCKS):
            x, y = trajectories[name, rock].position[:, 0] - 1.0, trajectories[name, rock].position[:, 1]
            for station in range(10, int(x.max()) + 1, 10):
                i = np.argmax(x >= station)
                offsets[station].append(y[i - 1] + (station - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1]))
        stations = summarised(done)["schemes"][name]["lateral_by_distance"]
        assert [s["distance"] for s in stations] == sorted(offsets)
        for station in stations:
            expected = np.array(offsets[station["distance"]])
            assert station["rocks"] == len(expected)
            assert station["mean"] == pytest.approx(expected.mean(), rel=1e-6, abs=1e-9)
            assert station["std"] == pytest.approx(expected.std(), rel=1e-6, abs=1e-9)
            quantile = np.quantile(np.abs(expected), 0.95, method="inverted_cdf")
            assert station["q95"] == pytest.approx(quantile, rel=0.051)
