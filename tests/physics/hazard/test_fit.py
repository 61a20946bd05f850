"""Fits: parameters of a twin are found again, runs that are held out do not matter, and sensitivities are the known."""

import math
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.analysis import sobol
from physics.contact.moreau import REST
from physics.hazard.ensemble import Ensemble
from physics.hazard.fit import FallingRocks, Fit, MeasuredRuns, runs_of, split
from physics.hazard.fit_parameters import Bounds, changed, fingerprints, fit_note, parameters_of
from physics.hazard.fit_results import fitted_scenario, report
from physics.hazard.posterior import errors_of, posterior, predicted, ranks_among
from physics.hazard.validation import measured_of, validate
from physics.systems.rockfall.law_sets import ERROR
from physics.systems.world import World

RUNS = 6
TRUTH = 0.7  # [1/s] drag of the twin, which slides to the foot and out: its run-out falls evenly with it

SLOPE = {
    "kind": "rockfall",
    "duration": 20.0,
    "step": 0.01,
    "schemes": ["implicit"],
    "body": {"shape": "cuboid", "size": (1.0, 0.8, 0.6), "density": 2700.0},
    "initial": {"orientation": "random"},
    "terrain": {"profile": "ramp", "angle": 35.0, "drop": 8.0},
    "soil": {"mu_min": 0.35, "mu_max": 0.55, "drag": 0.2},
    "release": {"file": "release.csv"},
    "ensemble": {"rocks": RUNS, "seed": 3},
    "observed": {"stops": "stops.csv"},
}


@pytest.fixture(scope="module")
def slope(tmp_path_factory):
    """A scenario on whose slope rocks on ground of another drag were measured, one from each place."""
    folder = tmp_path_factory.mktemp("twin")
    places = [(1.0, y) for y in range(-10, 2 * RUNS - 10, 2)]
    (folder / "release.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in places))
    scenario = physics.Scenario(**(SLOPE | {"observed": {}}), folder=str(folder))
    twin = Ensemble(World.of(scenario.changed(**{"soil.drag": TRUTH})))
    list(twin.march(1))
    rows = twin.results["implicit"].rows.read()
    lines = [
        f"{'ab'[i % 2]},{row['x']:.3f},{row['y']:.3f},{x},{y}"
        for i, (row, (x, y)) in enumerate(zip(rows, places, strict=True))
    ]
    (folder / "stops.csv").write_text("block,x,y,release_x,release_y\n" + "\n".join(lines) + "\n")
    return physics.Scenario(**SLOPE, folder=str(folder))


def fit_of(scenario, bounds, runs=None, share=0.5, budget=60):
    world = World.of(scenario)
    parameters = parameters_of(scenario, bounds)
    runs = runs or runs_of(world, world.observed.stops, share, scenario.seed)
    return Fit(scenario, parameters, runs, FallingRocks(scenario, 1), budget)


DRAG = Bounds("soil.drag", 0.1, 2.0)
MU = Bounds("soil.mu_min", 0.2, 0.5)


@pytest.fixture(scope="module")
def fitted(slope):
    search = fit_of(slope, [DRAG])
    search.search()
    return search, search.outcome()


def test_the_drag_of_a_twin_is_found_again_and_runs_held_out_change_no_trial(slope, fitted) -> None:
    search, outcome = fitted
    assert search.runs.paired
    assert outcome.best.values[0] == pytest.approx(TRUTH, abs=0.04)  # of bounds 1.9 apart, in some 60 trials
    assert outcome.best.score.score < 0.05 * outcome.trials[0].score.score
    assert outcome.fitted["held_out"].score < 0.2 * outcome.start["held_out"].score
    assert {trial.stage for trial in outcome.trials} == {"start", "alone", "search"}
    assert len(outcome.trials) <= search.budget
    runs = search.runs
    elsewhere = np.where(runs.held_out, 500.0, runs.runouts)
    runs = MeasuredRuns(elsewhere, runs.blocks, runs.paired, runs.held_out)
    again = fit_of(slope, [DRAG], runs)
    again.search()
    assert tuple(again.trials) == outcome.trials
    assert again.outcome().fitted["held_out"].score > 200.0


def test_the_fitted_scenario_says_on_which_runs_it_was_fitted(slope, fitted):
    world = World.of(slope)
    stops = world.observed.stops
    assert fit_note(slope, stops) == ""
    made = fitted_scenario(report(world, stops, *fitted))
    assert made.soil.drag == fitted[1].best.values[0]
    assert made.note.startswith("Fitted on 3 of 6 measured runs of stops.csv, not a prediction: soil.drag = ")
    assert len(made.fitted.runs) == len(made.fitted.held_out) == 3
    assert set(made.fitted.runs) | set(made.fitted.held_out) == set(fingerprints(stops))
    fitted_world = World.of(made)
    says = measured_of(fitted_world, stops).fitted
    assert says == "Fitted on 3 of these 6 runs, not a prediction: soil.drag; 3 of these were held out"
    assert fit_note(made.changed(**{"soil.drag": 0.3}), stops).endswith("; changed since: soil.drag")
    other = made.changed(fitted=made.fitted.model_dump() | {"runs": ["00"], "held_out": []})
    assert fit_note(other, stops) == "Fitted on other runs (stops.csv), not a prediction: soil.drag"


# ---- posterior ----------------------------------------------------------------------------------------


def test_the_posterior_of_a_twin_holds_its_truth_within_a_part_of_the_bounds_and_its_runs(slope):
    search = fit_of(slope, [DRAG])
    found = posterior(search, 20, np.array([TRUTH]))
    low, high = np.quantile(found.values[:, 0], (0.05, 0.95))
    assert low <= TRUTH <= high
    assert high - low < 0.5 * 0.9 * (DRAG.high - DRAG.low)
    assert DRAG.low <= found.values.min()
    assert found.values.max() <= DRAG.high
    inside = {
        law: np.sum([[band.inside for band in found.ranks[part][law].coverage] for part in search.runs.parts], axis=0)
        for law in ("start", "posterior")
    }
    assert inside["start"].tolist() == [0, 0, 0]  # its rocks go on far beyond
    assert 3 <= inside["posterior"][2] <= RUNS
    assert (np.diff(inside["posterior"]) >= 0).all()
    assert found.errors is None  # of three runs no width is known
    assert found.sentence("held_out").endswith(
        "in the bands of 50 %, 80 %, 90 % of the rocks, with 20 sets of the posterior."
    )
    with pytest.raises(physics.ScenarioError, match=r"--draws: expected 0, or at least 20, got 3"):
        posterior(search, 3, np.array([TRUTH]))


def test_a_bias_of_all_runs_is_taken_off_where_the_model_has_its_error(slope):
    """Rocks at the start go far beyond all runs, by about as much: four runs tell it, and the two others are held."""
    search = fit_of(slope, [DRAG], share=0.3)
    runs, n = search.runs, len(search.runs)
    fitted, everyone = ~runs.held_out, np.ones(n, bool)
    assert fitted.sum() == 4
    found = [search.fall({DRAG.field: 0.2}, runs.rocks(everyone, range(i * n, i * n + n))) for i in range(20)]
    runouts, rested = (np.array(each) for each in zip(*found, strict=True))
    assert ranks_among(search, runs.held_out, runouts, rested).mean < 0.05
    errors = errors_of(search, runouts)
    assert np.median(errors[:, 0]) == pytest.approx((runs.runouts - runouts.mean(axis=0))[fitted].mean(), rel=0.2)
    told = predicted(search, runouts, errors)
    assert 0.2 < ranks_among(search, runs.held_out, told, rested).mean < 0.8
    far = replace(runs, runouts=np.where(runs.held_out, 500.0, runs.runouts))
    np.testing.assert_array_equal(errors_of(fit_of(slope, [DRAG], far), runouts), errors)  # held out: not looked at
    together = fit_of(slope, [DRAG], replace(runs, paired=False))
    middle = np.median(predicted(together, runouts, np.tile([5.0, 0.0, 0.0], (20, 1))))
    assert middle == pytest.approx(np.mean(runouts) + 5.0)


def rows_of(scenario, workers):
    ensemble = Ensemble(World.of(scenario))
    list(ensemble.march(workers))
    return ensemble.results["implicit"].rows.read()


def test_validate_adds_the_error_of_the_model_and_no_rock_falls_otherwise(slope, tmp_path):
    (tmp_path / "sets.csv").write_text(f"soil.drag,{','.join(ERROR)}\n0.7,-3,0,0\n0.7,-3,0,0\n")
    (tmp_path / "plain.csv").write_text("soil.drag\n0.7\n0.7\n")
    told = []
    for name in ("sets.csv", "plain.csv"):
        world = World.of(slope.changed(**{"ensemble.posterior": str(tmp_path / name), "ensemble.rocks": 3 * RUNS}))
        ensemble = Ensemble(world)
        list(ensemble.march(1))
        told.append(validate(world, measured_of(world, world.observed.stops), ensemble.results))
    with_error, plain = told
    assert with_error.schemes == plain.schemes
    assert plain.with_error == {}
    values = plain.values["implicit"].reshape(3, RUNS)
    middle = values.mean(axis=0) - 3.0  # of each run's own rocks: nothing is left of their scatter
    found = with_error.with_error["implicit"].computed
    assert (found.mean, found.rocks) == (pytest.approx(middle.mean()), 3 * RUNS)
    assert found.quantiles["q05"] == pytest.approx(np.quantile(np.tile(middle, 3), 0.05))
    assert with_error.facts()["schemes"]["implicit"]["with_error"]["ranks"]["counts"] != []


def test_each_rock_takes_one_set_of_a_posterior_whoever_computes_it(slope, tmp_path):
    drags = 0.1, 0.3, 0.9
    (tmp_path / "sets.csv").write_text("soil.drag\n" + "".join(f"{drag}\n" for drag in drags))
    drawn = slope.changed(**{"ensemble.posterior": str(tmp_path / "sets.csv"), "ensemble.rocks": 12})
    rows = rows_of(drawn, 1)
    assert rows.tobytes() == rows_of(drawn, 2).tobytes()
    alone = [rows_of(slope.changed(**{"soil.drag": drag, "ensemble.rocks": 12}), 2)["runout"] for drag in drags]
    taken = np.argmin(np.abs(np.array(alone) - rows["runout"]), axis=0)
    assert np.array(alone)[taken, np.arange(12)] == pytest.approx(rows["runout"], abs=1e-9)
    assert len(set(taken.tolist())) > 1
    run = physics.simulate(drawn.changed(**{"ensemble.rock": 5}))["implicit"]
    assert np.hypot(*(run.position[-1] - run.position[0])[:2]) == pytest.approx(rows["runout"][5], abs=1e-9)
    with pytest.raises(physics.ScenarioError, match=r"ensemble\.posterior: expected none where laws are fitted"):
        FallingRocks(drawn, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("soil.drag\n", "no sets of laws; expected a line of fields"),
        ("soil.drag\n" + "0.2\n" * 1001, "more than 1000 sets of laws"),
        ("soil.darg\n0.2\n", r"line 1, column soil\.darg: unknown field; did you mean 'drag'"),
        ("soil.drag,soil.drag\n0.2,0.3\n", r"line 1, column soil\.drag: expected fields of soil or forest, .* once"),
        ("body.mass\n3\n", r"line 1, column body\.mass: expected fields of soil or forest"),
        ("soil.drag\n0.2\nmuch\n", r"line 3, column soil\.drag: expected a number, got 'much'"),
        ("soil.drag,soil.mu_min\n0.2\n", "line 2: expected 2 numbers, got 1"),
        ("soil.drag,error.bias\n0.2,1\n", r"line 1: expected error\.bias, error\.scale, error\.spread, all of them"),
        (f"soil.drag,{','.join(ERROR)}\n0.2,1,-1,0\n", r"line 2, column error\.scale: expected 0 or more, got -1"),
        (f"soil.drag,{','.join(ERROR)}\n0.2,far,1,0\n", r"line 2, column error\.bias: expected a number, got 'far'"),
        ("soil.mu_min\n0.4\n0.6\n", r"line 3, soil\.mu_max: expected at least mu_min = 0\.6, got 0\.55"),
    ],
)
def test_a_table_of_sets_that_is_none_is_refused_by_file_and_field(slope, tmp_path, text, told):
    (tmp_path / "sets.csv").write_text(text)
    with pytest.raises(physics.ScenarioError, match=rf"sets\.csv: {told}"):
        World.of(slope.changed(**{"ensemble.posterior": str(tmp_path / "sets.csv")}))


# ---- rocks --------------------------------------------------------------------------------------------


def test_rocks_stop_where_those_of_an_ensemble_do_whatever_was_changed_before(slope):
    with FallingRocks(slope, 2) as falling:
        falling.stops(slope, np.arange(6))  # how they start is known from here on
        for values in ({"soil.drag": 0.5}, {"soil.drag": 0.5, "release.height": 2.0}):
            scenario = slope.changed(**values)
            ensemble = Ensemble(World.of(scenario))
            list(ensemble.march(1))
            rows = ensemble.results["implicit"].rows
            runouts, rested = falling.stops(scenario, np.array([5, 2]))
            assert runouts == pytest.approx(rows.column("runout")[[5, 2]], abs=1e-9)
            assert rested.tolist() == (rows.column("stop_reason")[[5, 2]] == REST).tolist()


def test_rocks_start_clear_of_the_bumps_of_each_trial(slope):
    smooth = slope.changed(**{"release.height": "clear"})
    bumpy = smooth.changed(**{"soil.bumps": 0.5})
    with FallingRocks(smooth, 1) as before, FallingRocks(bumpy, 1) as alone:
        before.stops(smooth, np.arange(2))
        for found, wanted in zip(before.stops(bumpy, np.arange(2)), alone.stops(bumpy, np.arange(2)), strict=True):
            np.testing.assert_array_equal(found, wanted)


# ---- runs ---------------------------------------------------------------------------------------------


def test_a_share_of_each_block_is_held_out_and_equal_runs_stay_together():
    runs = np.column_stack([np.arange(40.0), np.arange(40.0)])
    runs[3] = runs[1]
    blocks = ("a", "b") * 20
    for seed in range(6):
        held = split(runs, blocks, 0.25, seed)
        assert abs(held.sum() - 10) <= 1
        assert abs(held[::2].sum() - 5) <= 1
        assert held[1] == held[3]
    assert (split(runs, blocks, 0.25, 7) == split(runs, blocks, 0.25, 7)).all()
    assert len({tuple(split(runs, blocks, 0.25, seed)) for seed in range(6)}) > 1


def test_the_score_is_the_distance_within_blocks_in_the_mean_over_runs():
    from scipy.stats import wasserstein_distance  # here: it takes long to load

    runouts = np.array([10.0, 20.0, 100.0, 110.0, 120.0])
    runs = MeasuredRuns(runouts, ("a", "a", "b", "b", "b"), True, np.zeros(5, bool))
    everyone = np.ones(5, bool)
    rocks = runs.rocks(everyone, range(10))
    of_rocks = np.concatenate([runouts[[2, 3, 4, 0, 1]]] * 2)  # right as a whole, with the blocks mixed up
    found = runs.score(everyone, rocks, of_rocks, np.ones(10, bool))
    assert found.wasserstein == pytest.approx(0.0)
    a, b = of_rocks[[0, 1, 5, 6]], of_rocks[[2, 3, 4, 7, 8, 9]]
    apart = wasserstein_distance(runouts[:2], a), wasserstein_distance(runouts[2:], b)
    assert found.score == pytest.approx((2 * apart[0] + 3 * apart[1]) / 5)
    assert runs.rocks(np.array([True, False, False, False, True]), range(10)).tolist() == [0, 4, 5, 9]
    alone = MeasuredRuns(runouts, runs.blocks, False, np.zeros(5, bool))
    assert alone.score(everyone, rocks, of_rocks, np.ones(10, bool)).score == pytest.approx(0.0)


# ---- sensitivities ------------------------------------------------------------------------------------


def test_sensitivities_of_ishigamis_function_are_the_known_and_none_of_what_does_not_act():
    """Ishigami & Homma (1990): a = 7, b = 0.1; indices in closed form."""
    points = sobol.design(4, 2048, seed=1)
    x = (2.0 * points - 1.0) * math.pi
    found = sobol.indices(np.sin(x[..., 0]) + 7.0 * np.sin(x[..., 1]) ** 2 + 0.1 * x[..., 2] ** 4 * np.sin(x[..., 0]))
    assert found.first == pytest.approx([0.3139, 0.4424, 0.0, 0.0], abs=0.03)
    assert found.total == pytest.approx([0.5576, 0.4424, 0.2437, 0.0], abs=0.03)
    assert found.total[3] == 0.0
    assert found.total_bounds[3].tolist() == [0.0, 0.0]
    low, high = found.first_bounds.T
    assert (low <= found.first).all()
    assert (found.first <= high).all()


# ---- parameters ---------------------------------------------------------------------------------------


def test_whole_numbers_and_tables_in_tables_can_be_free(slope):
    scar = {"modulus": 5e6, "coefficient": 1.5, "density": 1700.0, "layer": 0.4}
    soft = slope.changed(**{"soil.scar": scar})
    (modulus,) = parameters_of(soft, [Bounds("soil.scar.modulus", 1e6, 1e7, True)])
    assert changed(soft, {modulus.field: 2e6}).soil.scar.model_dump() == scar | {"modulus": 2e6}
    rough = slope.changed(body={"shape": "random", "size": (1.0, 1.0, 1.0), "mass": 2000.0})
    (corners,) = parameters_of(rough, [Bounds("body.points", 8.0, 60.0)])
    assert (corners.at(0.49), corners.whole, corners.start) == (33, True, 24)
    assert parameters_of(slope, [Bounds("stop.for", 0.5, 2.0)])[0].start == 1.0


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ([Bounds("soil.mu_mni", 0.1, 0.2)], "soil.mu_mni: unknown field; did you mean 'mu_min'?"),
        ([Bounds("soil.scar.modulus", 1e6, 1e7)], "soil.scar.modulus: the scenario has no such table"),
        ([Bounds("title", 0.0, 1.0)], "title: expected a field that is a number, the scenario has ''"),
        ([Bounds("forest.height", 1.0, 2.0)], "the scenario has none to start from"),
        ([Bounds("ensemble.seed", 0.0, 9.0)], "ensemble.seed draws the rocks and is not fitted"),
        ([MU, MU], "expected each field once, got soil.mu_min twice"),
        ([Bounds("soil.mu_min", 0.2, 3.0)], "soil.mu_min = 3: soil.mu_max: expected at least mu_min = 3, got 0.55"),
        ([Bounds("record_every", 1.0, 2.5)], "record_every: expected whole numbers as bounds"),
        ([Bounds("soil.restitution", 0.0, 1.5)], "soil.restitution = 1.5: soil.restitution: .*1.5"),
    ],
)
def test_what_cannot_be_fitted_is_refused_by_name(slope, bounds, told):
    with pytest.raises(physics.ScenarioError, match=f"--free: .*{told.replace('?', '.')}"):
        parameters_of(slope, bounds)


def test_a_field_that_does_not_act_is_refused_and_so_are_too_few_runs_rocks_and_trials(slope):
    search = fit_of(slope, [Bounds("view.exaggeration", 1.0, 2.0)])
    with pytest.raises(
        physics.ScenarioError, match=r"view\.exaggeration does not act on the rocks: 1 and 2 give the same"
    ):
        search.search()
    with pytest.raises(physics.ScenarioError, match=r"--trials: expected at least 27 for 1 fields, got 26"):
        fit_of(slope, [MU], budget=26)
    with pytest.raises(physics.ScenarioError, match=r"--rocks: expected at least 6, one for each measured run"):
        fit_of(slope.changed(**{"ensemble.rocks": 5}), [MU])
    with pytest.raises(
        physics.ScenarioError, match=r"--holdout: 6 stops of which 1 would be held out; expected two or more"
    ):
        fit_of(slope, [MU], share=0.1)
    with pytest.raises(physics.ScenarioError, match=r"schemes: expected one scheme, got explicit, implicit"):
        FallingRocks(slope.changed(schemes=("explicit", "implicit")), 1)
