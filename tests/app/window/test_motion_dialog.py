"""The dialog of a measured motion: what it guesses, what one may choose instead, and what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.theme import THEMES
from app.window.motion_dialog import MotionDialog
from assets.make import synthetic_toss
from tests.app.windowing import wait

THEME = next(iter(THEMES.values()))


@pytest.fixture
def toss(tmp_path):
    path = tmp_path / "toss.csv"
    synthetic_toss.write(path)
    return path


def test_it_shows_what_it_guesses_and_hands_out_what_is_chosen(qtbot, toss):
    dialog = MotionDialog(toss, THEME)
    qtbot.addWidget(dialog)
    assert dialog.found.text().startswith("350 samples at 100 Hz")
    assert "1 free flight, the longest" in dialog.found.text()
    begin, end = dialog.region.getRegion()
    assert 1.3 < begin < end < 2.8
    assert len(dialog.curves[0].getData()[0]) == 350
    dialog.axes.setText("y, -x, z")
    dialog.region.setRegion((1.5, 2.5))
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.open_button.click()
    (table,) = chosen.args
    assert table.axes == ("y", "-x", "z")
    assert (table.begin, table.end) == (1.5, 2.5)
    assert table.angular_velocity[0] == "Gyroscope x (rad/s)"


def test_what_nothing_in_the_file_says_is_named_and_stays_a_guess_until_it_is_chosen(qtbot, tmp_path):
    rows = "\n".join(f"{0.01 * i},{i % 3},{i % 5},{i % 7}" for i in range(30))
    (tmp_path / "plain.csv").write_text(f"t,wx,wy,wz\n{rows}\n")
    dialog = MotionDialog(tmp_path / "plain.csv", THEME)
    qtbot.addWidget(dialog)
    assert 'Guessed, as no heading gives it: time_unit = "s", rate_unit = "rad/s".' in dialog.found.text()
    assert dialog.table().rate_unit is None
    dialog.rate_unit.setCurrentIndex(dialog.rate_unit.findData("deg/s"))
    dialog.look()
    assert dialog.table().rate_unit == "deg/s"
    assert "rate_unit" not in dialog.found.text()


def test_a_unit_that_nothing_tells_is_asked_for(qtbot, tmp_path):
    rows = "\n".join(f"{i},0.1,0.2,{0.01 * i}" for i in range(30))
    (tmp_path / "slow.csv").write_text(f"t,wx,wy,wz\n{rows}\n")
    dialog = MotionDialog(tmp_path / "slow.csv", THEME)
    qtbot.addWidget(dialog)
    dialog.look()
    assert "may be in s or ms" in dialog.wrong.text()
    assert not dialog.open_button.isEnabled()
    dialog.time_unit.setCurrentIndex(dialog.time_unit.findData("s"))
    dialog.look()
    assert (dialog.wrong.text(), dialog.open_button.isEnabled()) == ("", True)
    assert (dialog.table().time, dialog.table().time_unit) == ("t", "s")


@pytest.fixture
def rates(tmp_path):
    """The same toss, without an accelerometer, as a phone in German writes it."""
    rows = "\n".join(";".join(f"{v:.4f}".replace(".", ",") for v in row[:4]) for row in synthetic_toss.samples())
    head = ";".join(["Zeit (s)", *(f"Winkelgeschwindigkeit {axis} (rad/s)" for axis in "xyz")])
    (tmp_path / "wurf.csv").write_text(f"{head}\n{rows}\n", encoding="utf-8")
    return tmp_path / "wurf.csv"


def searched(qtbot, path) -> MotionDialog:
    """The dialog of a file after its search for the body."""
    dialog = MotionDialog(path, THEME)
    qtbot.addWidget(dialog)
    dialog.show()
    wait(qtbot, lambda: "Looking" not in dialog.body.text())
    return dialog


def test_the_flight_is_marked_and_its_body_bias_and_residual_are_shown(qtbot, rates):
    dialog = searched(qtbot, rates)
    thrown = synthetic_toss.REST + synthetic_toss.THROW
    assert dialog.region.getRegion() == pytest.approx((thrown, thrown + synthetic_toss.FLIGHT), abs=0.1)
    text = dialog.body.text()
    ratios = [float(word) for word in re.findall(r"(\d\.?\d*)(?: ±|;)", text)[:3]]
    np.testing.assert_allclose(ratios, synthetic_toss.MOMENTS, atol=0.01)
    assert "bias of the gyroscope" in text
    assert "rad/s are left" in text
    assert "no accelerometer shows it" in text
    dialog.region.setRegion((thrown + 0.2, thrown + 1.2))
    wait(qtbot, lambda: "Free flight from 1.5 to 2.5 s" in dialog.body.text())
    assert dialog.body.text().startswith("It flipped ")
    assert dialog.flight.isChecked()
    assert dialog.region.getRegion() == pytest.approx((thrown + 0.2, thrown + 1.2))


def test_that_no_free_motion_fits_is_said_with_what_is_left(qtbot, tmp_path):
    time = np.arange(0.0, 4.0, 0.01)
    waved = np.column_stack([time, 3.0 * np.sin(5.0 * time), 4.0 * np.cos(7.0 * time), 2.0 * np.sin(11.0 * time)])
    np.savetxt(tmp_path / "hand.csv", waved, delimiter=",", header="t,gx,gy,gz", comments="")
    dialog = searched(qtbot, tmp_path / "hand.csv")
    assert re.fullmatch(r"No free motion fits from 0 to 3\.99 s: \d\.\d+ rad/s are left\.", dialog.body.text())
    assert dialog.region.getRegion() == pytest.approx((0.0, 3.99))
    assert 'Guessed, as no heading gives it: time_unit = "s", rate_unit = "rad/s".' in dialog.found.text()


def test_what_has_no_sense_is_told_and_cannot_be_opened(qtbot, toss):
    dialog = MotionDialog(toss, THEME)
    qtbot.addWidget(dialog)
    dialog.axes.setText("y, x, z")
    dialog.look()
    assert "mirror image" in dialog.wrong.text()
    assert not dialog.open_button.isEnabled()
    dialog.axes.setText("x, y, z")
    dialog.rates[0].setCurrentIndex(dialog.rates[0].findData("none"))
    dialog.look()
    assert dialog.open_button.isEnabled(), "the other columns are guessed again"


def test_headings_that_say_nothing_are_asked_for(qtbot, tmp_path):
    rows = "\n".join(f"{0.01 * i},{i % 3},{i % 5},{i % 7}" for i in range(30))
    (tmp_path / "odd.csv").write_text(f"a,b,c,d\n{rows}\n")
    dialog = MotionDialog(tmp_path / "odd.csv", THEME)
    qtbot.addWidget(dialog)
    assert not dialog.open_button.isEnabled()
    assert "No columns of rates" in dialog.wrong.text()
    for box, name in zip((*dialog.time, *dialog.rates), "abcd", strict=True):
        box.setCurrentIndex(box.findData(name))
    dialog.look()
    assert dialog.open_button.isEnabled()


def test_a_run_of_rockable_asks_for_the_particle_and_knows_the_axes_of_its_rates(qtbot, tmp_path):
    for number in range(30):
        numbers = f"0 0 {number} 0 0 0 0 0 -9.81 1 0 0 0 0 0 {number} 0 0 0"
        rows = f"Stone 0 0 1 {numbers}\nRock 0 0 1 {numbers}\n"
        head = f"Rockable 21-08-2022\nt {0.01 * number}\ngravity 0 0 -9.81\n"
        (tmp_path / f"conf{number}").write_text(f"{head}Particles 2\n{rows}")
    dialog = MotionDialog(tmp_path / "conf0", THEME)
    qtbot.addWidget(dialog)
    assert dialog.particle.text() == "0"
    assert dialog.found.text().startswith("30 samples at 100 Hz")
    assert dialog.table().rate_frame == "space"
    dialog.particle.setText("Rock")
    assert dialog.table().particle == "Rock"
    dialog.particle.setText("7")
    dialog.look()
    assert "xpected a particle from 0 to 1, got 7" in dialog.wrong.text()
