"""Soil presets: the categories of the literature, and how they mix with keys that the file gives itself."""

from __future__ import annotations

import pytest

import physics
from physics.terrain.soil import SOILS
from tests import small

LAWS = ("mu_min", "mu_max", "beta", "kappa", "restitution", "drag")


def rock(**soil):
    return small.rock(duration=2.0, step=0.002, terrain={"profile": "ramp"}, soil=soil)


def values(scenario):
    return tuple(getattr(scenario.soil, key) for key in LAWS)


@pytest.mark.parametrize("name", SOILS)
def test_a_preset_gives_its_values_and_says_where_they_come_from(name):
    soil = SOILS[name]
    assert values(rock(preset=name)) == (soil.mu_min, soil.mu_max, soil.beta, soil.kappa, 0.0, soil.drag)
    assert soil.label == "literature, approximate"
    assert "2016" in soil.source or "2019" in soil.source
    assert soil.ground


def test_hard_is_the_set_of_lu_and_others_and_the_default_friction():
    assert values(rock(preset="hard")) == (0.55, 2.0, 185.0, 3.0, 0.0, 0.4)
    assert values(rock(preset="hard"))[:5] == values(rock())[:5]
    assert rock().soil.drag == 0.0


def test_keys_that_are_given_win_over_the_preset():
    soil = rock(preset="soft", kappa=7.0, drag=0.0).soil
    assert (soil.kappa, soil.drag) == (7.0, 0.0)
    assert (soil.mu_min, soil.beta) == (0.25, 100.0)


def test_a_changed_preset_leaves_nothing_of_the_former_one_and_a_file_keeps_its_name() -> None:
    scenario = rock(preset="soft", kappa=7.0)
    changed = scenario.changed(**{"soil.preset": "snow"})
    assert values(changed) == (0.10, 0.35, 150.0, 7.0, 0.0, 0.7)
    assert values(scenario.changed(**{"soil.preset": None})) == (0.55, 2.0, 185.0, 7.0, 0.0, 0.0)
    assert scenario.to_plain()["soil"] == {"preset": "soft", "kappa": 7.0}
    assert physics.Scenario(**scenario.to_plain()) == scenario


def test_the_same_values_give_the_same_run_by_name_and_by_hand():
    runs = [physics.simulate(rock(**soil))["implicit"] for soil in ({"preset": "medium"}, SOILS["medium"].laws())]
    assert runs[0].position.tobytes() == runs[1].position.tobytes()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hrad", "soil.preset: 'hrad' is not a soil; did you mean 'hard'?"),
        ("Extra Soft", "did you mean 'extra-soft'?"),
        ("lava lamp", "'lava lamp' is not a soil; expected one of extra-soft, soft, medium-soft"),
        ("x" * 500, "is not a soil"),
        (3, "soil.preset: expected text, got 3"),
    ],
)
def test_an_unknown_preset_is_refused_with_the_nearest_name(name, sentence):
    with pytest.raises(physics.ScenarioError) as error:
        rock(preset=name)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_a_key_that_contradicts_the_preset_is_refused():
    with pytest.raises(physics.ScenarioError, match=r"soil\.mu_max: expected at least mu_min = 0.5, got 0.35"):
        rock(preset="snow", mu_min=0.5)
