"""Variants: lanes of one scenario that start otherwise, or that other laws act on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assets
from physics import Scenario, ScenarioError, World, load_scenario, simulate
from physics.analysis.convergence import motions_of, study
from physics.analysis.ranking import candidates, ranked
from physics.io import trajectory_readers
from physics.io.trajectory_readers import load_scenario_of
from physics.io.trajectory_writers import save
from physics.simulation.schedule import Schedule
from tests import small

FAST = {"initial": {"angular_velocity": (1e-3, 20.0, 1e-3)}}


def both(**changes) -> Scenario:
    """A cuboid that turns as fast as usual, and twice as fast."""
    changes = {"schemes": ("implicit", "implicit:fast"), "variants": {"fast": FAST}} | changes
    return small.cuboid(**({"duration": 0.5} | changes))


def test_a_lane_of_a_variant_is_a_scenario_of_its_own() -> None:
    runs = simulate(both(schemes=["implicit", "implicit:fast", "implicit:fast@0.005"]))
    alone = simulate(small.cuboid(duration=0.5, schemes=["implicit", "implicit@0.005"], **FAST))
    small.same_run(runs["implicit:fast"], alone["implicit"])
    small.same_run(runs["implicit:fast@0.005"], alone["implicit@0.005"])
    small.same_run(runs["implicit"], simulate(small.cuboid(duration=0.5, schemes=["implicit"]))["implicit"])


def test_laws_differ_too_and_edits_at_later_times_reach_all_lanes() -> None:
    vessel = load_scenario(assets.SCENARIOS / "vessel-damped.toml").changed(
        schemes=["verlet-exact", "verlet-exact:free"],
        duration=0.5,
        variants={"free": {"vessel": {"damping": (0.0, 0.0, 0.0)}}},
        edit=({"time": 0.25, "gravity": {"g": 5.0}},),
    )
    runs = simulate(vessel)
    alone = simulate(vessel.changed(variants={}, schemes=["verlet-exact"], **{"vessel.damping": (0.0, 0.0, 0.0)}))
    small.same_run(runs["verlet-exact:free"], alone["verlet-exact"])
    assert runs["verlet-exact"].total_energy[-1] < runs["verlet-exact:free"].total_energy[-1]


def test_a_scheme_need_not_serve_what_acts_on_the_lanes_of_others() -> None:
    """The closed form is that of free bodies alone."""
    pushed = {"pushed": {"torque": [{"value": [0.0, 0.0, 1.0]}]}}
    free, driven = (
        small.cuboid(duration=0.1, schemes=["exact"]),
        {"duration": 0.1, "torque": pushed["pushed"]["torque"]},
    )
    two = small.cuboid(duration=0.1, schemes=["exact", "rk4:pushed"], variants=pushed)
    runs = simulate(two)
    small.same_run(runs["exact"], simulate(free)["exact"])
    small.same_run(runs["exact"], simulate(two.changed(schemes=["exact"]))["exact"])  # and no lane of the variant
    small.same_run(runs["rk4:pushed"], simulate(small.cuboid(schemes=["rk4"], **driven))["rk4"])
    still = {"still": {"torque": []}}
    runs = simulate(small.cuboid(schemes=["exact:still", "rk4"], variants=still, **driven))
    small.same_run(runs["exact:still"], simulate(free)["exact"])
    for schemes, variants in ((["exact:pushed"], pushed), (["exact"], still)):
        with pytest.raises(ScenarioError, match="exact"):
            small.cuboid(schemes=schemes, variants=variants, **(driven if variants is still else {"duration": 0.1}))


def test_each_lane_has_its_own_world() -> None:
    world = World.of(both(schemes=["implicit", "implicit:fast@0.005"]))
    fast = world.of_lane("implicit:fast@0.005")
    assert (fast.angular_velocity[1], fast.scenario.step, fast.scenario.variant) == (20.0, 0.005, "fast")
    assert fast.of_lane("implicit:fast@0.005").angular_velocity[1] == 20.0
    assert world.of_lane("implicit") is world
    moved = world.starting(simulate(both())["implicit"].at(0.1))
    with pytest.raises(KeyError):  # what was given another start has none of a variant
        moved.of_lane("implicit:fast")
    with pytest.raises(ScenarioError):
        fast.of_lane("implicit")


def test_a_variant_without_keys_is_the_scenario_under_a_name() -> None:
    scenario = both(schemes=["implicit", "implicit:usual"], variants={"usual": {}})
    runs = simulate(scenario)
    small.same_run(runs["implicit"], runs["implicit:usual"])


def test_a_file_may_give_the_lane_as_a_table() -> None:
    given = [{"scheme": "implicit", "variant": "fast"}, {"scheme": "implicit", "variant": "fast", "step": 0.005}]
    assert both(schemes=given).schemes == ("implicit:fast", "implicit:fast@0.005")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schemes": ["implicit:slow"]}, "schemes: there is no variant 'slow'; expected one of fast"),
        ({"schemes": ["implicit:fast"], "variants": {}}, r"expected a table \[variants.fast\]"),
        ({"schemes": ["implicit:"]}, "expected the name of a variant behind the :"),
        ({"schemes": ["implicit:fast", "implicit:fast"]}, "expected each scheme once, or with another step or variant"),
        ({"variants": {"fast": {"body": {"mass": 2.0}}}}, "variants.fast.body.mass: expected one of damping"),
        ({"variants": {"fast": {"duration": 2.0}}}, "variants.fast.duration: expected one of damping"),
        ({"variants": {"fast": {"view": {"layout": "overlay"}}}}, "variants.fast.view.layout: expected one of"),
        ({"variants": {"fast": {"initial": {"angular": 1.0}}}}, "variants.fast.initial.angular: unknown key"),
        ({"variants": {"fast": {"initial": {"velocity": 1.0}}}}, "variants.fast.initial.velocity: expected"),
        ({"variants": {"fast": {"initial": 1.0}}}, "variants.fast.initial: expected a table"),
        ({"variants": {"x" * 25: {}}}, "variants: expected a name of at most 24"),
    ],
)
def test_what_no_variant_can_have_is_refused_in_one_sentence(changes: dict, words: str) -> None:
    with pytest.raises(ScenarioError, match=words) as told:
        both(**changes)
    assert "\n" not in str(told.value)


def test_what_is_drawn_is_the_same_for_all_lanes() -> None:
    hoop = load_scenario(assets.SCENARIOS / "table-hoop.toml")
    with pytest.raises(ScenarioError, match=r"variants.fast.table.tilt: expected none: it is drawn"):
        hoop.changed(**{"variants.fast.table.tilt": 0.1})
    with pytest.raises(ScenarioError, match=r"variants.fast.initial.position: the body starts .* below the table"):
        World.of(hoop.changed(**{"variants.fast.initial.position": (0.0, 0.0, 0.1)}))
    ship = load_scenario(assets.SCENARIOS / "ship-capsize.toml")
    with pytest.raises(ScenarioError, match=r"variants.above.wave.height: expected one of control, damping, initial"):
        ship.changed(**{"variants.above.wave.height": 1.0})
    with pytest.raises(ScenarioError, match="variants: not a table of kind 'rockfall'"):
        small.rock(variants={"wet": {"soil": {"mu_min": 0.2}}})
    with pytest.raises(ScenarioError, match="schemes: expected no variant 'wet': kind 'rockfall' has none"):
        small.rock(schemes=["implicit:wet"])


def test_files_tell_the_variant_and_open_again(tmp_path: Path) -> None:
    scenario = both()
    runs = simulate(scenario)
    for ending in (".npz", ".csv"):
        save(tmp_path / f"run{ending}", runs, scenario)
        found = trajectory_readers.load(tmp_path / f"run{ending}")
        assert list(found) == ["implicit", "implicit:fast"]
        small.same_run(found["implicit:fast"], runs["implicit:fast"])
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        told = json.loads(str(file["meta"]))["schemes"]
    assert "variant" not in told["implicit"]
    assert told["implicit:fast"]["variant"] == "fast"
    small.same_run(simulate(load_scenario_of(tmp_path / "run.npz"))["implicit:fast"], runs["implicit:fast"])


def test_an_edit_of_a_variant_begins_anew_and_others_keep_it() -> None:
    scenario = both()
    schedule = Schedule.of(scenario)
    later = schedule.edited(scenario.changed(step=0.005), at=0.2)
    assert later.times == (0.0, 0.2)
    assert later.scenario.variants == later.whole.variants == scenario.variants
    faster = scenario.changed(**{"variants.fast.initial.angular_velocity": (0.0, 30.0, 0.0)})
    assert schedule.edited(faster, at=0.2).times == (0.0,)


def test_order_and_ranking_are_of_one_motion() -> None:
    scenario = both(schemes=["implicit:fast", "implicit:fast@0.005", "explicit"])
    assert motions_of(scenario) == ("implicit:fast", "explicit")
    fast = both(schemes=["implicit:fast"])
    alone = list(study(small.cuboid(duration=0.5, schemes=["implicit"], **FAST)))
    assert [(p.step, p.error) for p in study(fast)] == [(p.step, p.error) for p in alone]
    assert candidates(scenario)[:2] == ["implicit:fast", "explicit:fast"]
    (rank,) = ranked(scenario, ["implicit:fast"])
    (usual,) = ranked(scenario, ["implicit"])
    assert rank.error > 2.0 * usual.error
    with pytest.raises(ScenarioError, match="--scheme: expected schemes of one variant, whose motion is measured"):
        ranked(scenario, ["implicit", "implicit:fast"])


def test_the_barge_capsizes_above_its_threshold_alone() -> None:
    """Events are told to the step, however few states are stored."""
    runs = simulate(load_scenario(assets.SCENARIOS / "ship-capsize.toml").changed(duration=6.0, record_every=400))
    times = {name: {event.kind: event.time for event in run.events} for name, run in runs.items()}
    assert times["rkn-4:above"]["capsize"] == pytest.approx(5.23)
    assert "capsize" not in times["rkn-4:below"]
