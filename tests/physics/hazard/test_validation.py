"""Computed run-outs beside measured ones: distances, bands, what chance makes of them, and the rule of reach."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import physics
from physics.hazard.ensemble import Ensemble
from physics.hazard.fit import MeasuredRuns
from physics.hazard.fit_results import report
from physics.hazard.results_folder import summarised
from physics.hazard.validation import (
    REACH_ANGLE,
    Validator,
    checked,
    compared,
    distribution,
    first_places,
    measured_of,
    ranks_of_runs,
    reach_runouts,
    releases,
    resampled,
    validate,
)
from physics.systems.world import World

RAMP = {
    "kind": "rockfall",
    "duration": 20.0,
    "step": 0.01,
    "schemes": ["implicit"],
    "body": {"shape": "cuboid", "size": (1.0, 1.0, 1.0), "mass": 1000.0},
    "initial": {"orientation": "random"},
    "terrain": {"profile": "ramp", "angle": 40.0, "drop": 155.0},
    "ensemble": {"rocks": 3},
}


def test_a_shifted_sample_lies_as_far_away_as_it_was_shifted():
    measured = np.linspace(50.0, 150.0, 41)
    found = compared(measured, measured + 12.0)
    assert found.wasserstein == pytest.approx(12.0)
    assert found.computed.mean == pytest.approx(distribution(measured).mean + 12.0)
    assert found.computed.std == pytest.approx(float(measured.std(ddof=1)))


def test_kolmogorov_and_smirnov_tell_samples_apart_as_the_limit_of_theirs_does():
    from scipy.stats import kstwobign  # here: it takes long to load

    rng = np.random.default_rng(1)
    one, two = rng.normal(100.0, 20.0, 400), rng.normal(100.0, 20.0, 400)
    same, other = compared(one, two), compared(one, two + 10.0)
    assert same.p_value > 0.05 > 1e-4 > other.p_value
    merged = np.sort(np.concatenate([one, two]))
    largest = max(abs((one <= x).mean() - (two <= x).mean()) for x in merged)
    assert same.ks == pytest.approx(largest)
    assert same.p_value == pytest.approx(kstwobign.sf(largest * math.sqrt(200.0)), abs=0.05)


def test_few_values_lie_as_far_from_themselves_as_drawing_them_again_makes_them():
    from scipy.stats import wasserstein_distance  # here: it takes long to load

    measured = np.random.default_rng(3).normal(100.0, 20.0, 18)
    found = resampled(measured, seed=5)
    again = np.random.default_rng(5).integers(0, 18, (1000, 18))
    apart = [wasserstein_distance(measured, measured[row]) for row in again]
    assert found.median == pytest.approx(float(np.median(apart)))
    assert found.q95 == pytest.approx(float(np.quantile(apart, 0.95)))
    many = np.random.default_rng(3).normal(100.0, 20.0, 1800)
    assert resampled(many).median < 0.2 * found.median  # as 1 / sqrt(n)


def test_the_rule_ends_where_the_line_of_sight_meets_the_plain():
    world = World.of(physics.Scenario(**RAMP))
    (found,) = reach_runouts(world, np.array([[1.0, 0.0]]))
    fallen = world.terrain.height(1.0, 0.0) - world.terrain.heights.min()
    expected = fallen / math.tan(math.radians(REACH_ANGLE))
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_rule_stays_where_all_of_the_slope_is_gentler():
    """Heights from one formula: those of two differ by rounding, and no place is seen from itself."""
    world = World.of(physics.Scenario(**RAMP | {"terrain": {"profile": "ramp", "angle": 20.0, "drop": 155.0}}))
    places = np.column_stack([np.linspace(1.1, 300.3, 40), np.linspace(-3.3, 3.1, 40)])
    np.testing.assert_array_equal(reach_runouts(world, places), 0.0)


def observed(folder, text):
    (folder / "stops.csv").write_text(text)
    return physics.Scenario(
        **RAMP, release={"line": [[1.0, -2.0], [1.0, 2.0]]}, observed={"stops": "stops.csv"}, folder=str(folder)
    )


def test_an_ensemble_is_compared_with_what_was_measured(tmp_path):
    from scipy.stats import wasserstein_distance  # here: it takes long to load

    world = World.of(observed(tmp_path, "x,y,release_x,release_y\n201,0,1,0\n301,0,1,0\n"))
    ensemble = Ensemble(world)
    list(ensemble.march(1))
    found = validate(world, measured_of(world, world.observed.stops), ensemble.results)
    assert found.measured.distribution.mean == 250.0
    rows = ensemble.results["implicit"].rows.read()
    one = found.schemes["implicit"]
    assert one.computed.mean == pytest.approx(rows["runout"].mean())
    assert one.wasserstein == pytest.approx(wasserstein_distance([200.0, 300.0], rows["runout"]))
    assert one.censored == pytest.approx((~found.rested["implicit"]).mean())
    assert found.facts()["schemes"]["implicit"]["ks"] == one.ks


def test_runs_are_ranked_among_rocks_from_their_own_place(tmp_path):
    """Rocks of the first place stop nearer than its run, rocks of the second beyond theirs."""
    world = World.of(observed(tmp_path, "x,y,release_x,release_y\n101,0,1,0\n101,0,1,0\n"))
    measured = measured_of(world, world.observed.stops)
    assert not measured.paired
    rocks, rested = np.arange(40), np.ones(40, bool)
    runouts = np.where(rocks % 2 == 0, 50.0, 150.0) + rocks
    own = ranks_of_runs(replace(measured, paired=True), rocks, runouts, rested).values
    assert own[0] > 20 / 21 > 1 / 21 > own[1]
    together = ranks_of_runs(measured, rocks, runouts, rested).values
    assert together == pytest.approx([20.5 / 41] * 2, abs=0.5 / 41)
    assert ranks_of_runs(replace(measured, paired=True), rocks[:1], runouts[:1], rested[:1]).values[1] > 0.5
    (tmp_path / "starts.csv").write_text("x,y\n1,0\n1,0\n")
    there = World.of(world.scenario.changed(release={"file": "starts.csv"}, ensemble={"rocks": 4}))
    assert measured_of(there, there.observed.stops).paired


def test_stops_without_a_run_out_need_rocks_that_start_at_one_place(tmp_path):
    world = World.of(observed(tmp_path, "x,y\n201,0\n301,0\n"))
    with pytest.raises(physics.ScenarioError, match=r"stops\.csv: line 1: expected a column runout, or release_x"):
        measured_of(world, world.observed.stops)
    scenario = world.scenario.changed(release={"position": (1.0, 0.0)})
    placed = World.of(scenario)
    assert measured_of(placed, placed.observed.stops).runouts == pytest.approx([200.0, 300.0])
    alone = World.of(observed(tmp_path, "x,y,runout\n201,0,200\n"))
    with pytest.raises(physics.ScenarioError, match=r"stops\.csv: one stop; expected two or more"):
        measured_of(alone, alone.observed.stops)


def test_results_tell_the_comparison_and_it_is_read_again(tmp_path):
    world = World.of(observed(tmp_path, "x,y,release_x,release_y\n201,0,1,0\n301,0,1,0\n"))
    ensemble = Ensemble(world)
    list(ensemble.march(1))
    told = json.loads(json.dumps(summarised(ensemble)))["validation"]["implicit"]
    again = checked(told)
    assert again["measured"] == told["measured"]
    assert again["computed"]["wasserstein"] == told["computed"]["wasserstein"]
    assert again["computed"]["computed"]["percentiles"][100] == ensemble.results["implicit"].rows.column("runout").max()
    assert again["computed"]["ranks"]["counts"] == told["computed"]["ranks"]["counts"]
    told["measured"]["percentiles"][3] = "far"
    with pytest.raises(ValueError, match="far"):
        checked(told)


def test_an_ensemble_is_not_hindered_by_stops_that_tell_no_run_out(tmp_path):
    world = World.of(observed(tmp_path, "x,y\n201,0\n301,0\n"))
    ensemble = Ensemble(world)
    list(ensemble.march(1))
    told = summarised(ensemble)["validation"]["implicit"]
    assert "expected a column runout" in checked(told)["fault"]
    bare = World.of(world.scenario.changed(observed={}))
    assert Validator(bare).facts("implicit", ensemble.results["implicit"]) == {}


def test_releases_off_the_map_are_told_and_no_rule_is_followed_from_them(tmp_path):
    world = World.of(observed(tmp_path, "x,y,release_x,release_y\n201,0,-900,0\n301,0,1,0\n"))
    assert "1 of 2 releases in stops.csv lie off the map" in world.notes
    stops = world.observed.stops
    assert releases(world, stops).tolist() == [[1.0, 0.0]]
    assert measured_of(world, stops).rule.computed.rocks == 1
    far = replace(stops, releases=stops.releases - 1e6)
    np.testing.assert_array_equal(releases(world, far), first_places(world, 2))
    unknown = replace(stops, releases=np.full((2, 2), np.nan))
    np.testing.assert_array_equal(releases(world, unknown), first_places(world, 2))


def test_the_rule_of_a_fit_is_followed_from_the_release_of_each_of_many_runs(tmp_path):
    """Two blocks are let go above and on the plain: each run is compared with the rule from its own place."""
    starts = [1.0] * 300 + [280.0] * 300
    text = "".join(f"{'ab'[x > 1.0]},{x + 150},0,{x},0\n" for x in starts)
    world = World.of(observed(tmp_path, "block,x,y,release_x,release_y\n" + text))
    stops, n = world.observed.stops, len(starts)
    runs = MeasuredRuns(stops.runouts, stops.blocks, True, np.zeros(n, bool))
    above, plain = reach_runouts(world, np.array([(1.0, 0.0), (280.0, 0.0)]))
    found = report(world, stops, SimpleNamespace(runs=runs), None).rule["fitted"]
    assert found.score == pytest.approx(0.5 * (abs(above - 150.0) + abs(plain - 150.0)))
    assert abs(above - plain) > 100.0
