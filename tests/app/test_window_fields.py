"""The fields of the panel: shapes, moments, soils, forests, degrees; what is left empty is left out."""

from __future__ import annotations

import math

import pytest
from windowing import cuboid, rock, settle, show, wait

pytestmark = pytest.mark.picture


def write(qtbot, window, key: str, *texts: str) -> None:
    for number, text in zip(window.panel.entries[key].numbers, texts, strict=False):
        number.selectAll()
        qtbot.keyClicks(number, text)


def choose(window, key: str, word: str) -> None:
    box = window.panel.entries[key].box
    box.setCurrentIndex(box.findData(word))
    box.activated.emit(box.currentIndex())


def edited(qtbot, window, action) -> None:
    before = window.session.run
    action()
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)


@pytest.mark.parametrize("scenario", [cuboid(), rock(), cuboid(body={"inertia": (2.0, 3.0, 4.0), "mass": 1.0})])
def test_a_panel_that_nobody_touched_is_the_scenario(qtbot, window, scenario) -> None:
    show(qtbot, window, scenario)
    assert window.panel.scenario().to_plain() == scenario.to_plain()


def test_another_shape(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    edited(qtbot, window, lambda: choose(window, "body.shape", "ellipsoid"))
    assert window.session.run.scenario.body.shape == "ellipsoid"
    assert window.session.run.world.body.inertia == pytest.approx([0.25, 0.5, 0.65])


def test_principal_moments_in_place_of_a_shape(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    choose(window, "body.shape", "inertia")
    wait(qtbot, lambda: "missing" in window.panel.entries["body.inertia"].error.text().lower())
    edited(qtbot, window, lambda: write(qtbot, window, "body.inertia", "2", "3", "4"))
    assert window.session.run.world.moments == pytest.approx([2.0, 3.0, 4.0])
    assert window.session.run.scenario.body.size is None
    choose(window, "body.shape", "cuboid")
    write(qtbot, window, "body.inertia", "2", "3", "9")
    wait(qtbot, lambda: bool(window.panel.entries["body.inertia"].error.text()))


def test_a_soil_brings_its_values_and_numbers_win_over_them(qtbot, window) -> None:
    show(qtbot, window, rock(soil={"mu_min": 0.4, "mu_max": 1.0}))
    names = window.panel.entries["soil.preset"].field.choices[1:]
    edited(qtbot, window, lambda: choose(window, "soil.preset", names[0]))
    soil = window.session.run.scenario.soil
    assert soil.preset == names[0]
    number = window.panel.entries["soil.mu_max"].numbers[0]
    assert number.text() == ""
    assert float(number.placeholderText()) == pytest.approx(soil.mu_max, rel=1e-3)
    edited(qtbot, window, lambda: write(qtbot, window, "soil.mu_max", "3"))
    assert window.session.run.scenario.soil.mu_max == 3.0
    assert window.session.run.scenario.soil.mu_min == soil.mu_min


def test_a_forest_needs_its_height(qtbot, window) -> None:
    show(qtbot, window, rock())
    write(qtbot, window, "forest.drag", "500")
    wait(qtbot, lambda: "expects its height" in window.panel.entries["forest.height"].error.text())
    edited(qtbot, window, lambda: write(qtbot, window, "forest.height", "12"))
    assert (window.session.run.scenario.forest.drag, window.session.run.scenario.forest.height) == (500.0, 12.0)


def test_a_scar_is_all_or_nothing(qtbot, window) -> None:
    show(qtbot, window, rock())
    write(qtbot, window, "soil.scar.modulus", "1e7")
    wait(qtbot, lambda: bool(window.panel.entries["soil.scar.coefficient"].error.text()))
    write(qtbot, window, "soil.scar.coefficient", "1")
    edited(qtbot, window, lambda: write(qtbot, window, "soil.scar.density", "1700"))
    assert window.session.run.scenario.soil.scar.modulus == 1e7


def test_degrees_change_what_is_shown_and_not_what_is_meant(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    run, entry = window.session.run, window.panel.entries["initial.angular_velocity"]
    window.actions_by_id["degrees"].setChecked(True)
    assert float(entry.numbers[1].text()) == pytest.approx(math.degrees(10.0), rel=1e-4)
    assert "°/s" in entry.numbers[1].accessibleName()
    assert window.panel.scenario() == run.scenario
    edited(qtbot, window, lambda: write(qtbot, window, "initial.angular_velocity", "0", "180", "0"))
    assert window.session.run.scenario.initial.angular_velocity == pytest.approx((0.0, math.pi, 0.0))
    window.actions_by_id["degrees"].setChecked(False)
    assert float(entry.numbers[1].text()) == pytest.approx(math.pi, rel=1e-4)


def test_the_step_is_advised(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    assert "62.8 steps a turn" in window.panel.advice.text()
    assert "intermediate" in window.panel.advice.text()
    assert "(59)" in window.panel.advice.text()


def test_every_field_says_what_it_is(qtbot, window) -> None:
    show(qtbot, window, rock())
    assert all(entry.toolTip() for entry in window.panel.entries.values())
