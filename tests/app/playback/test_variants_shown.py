"""Lanes of variants: on the stage, in charts and files, in the panel, in sessions."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from app.document.session import load_session
from app.document.toml_writer import toml_text
from app.kinds.step_words import step_words
from app.playback.lane_looks import lane_schemes
from app.playback.run import Run, comparable, faded
from app.plots.files import write_plots
from app.window.panel.scheme_list import variant_words
from physics import Scenario, World, parse_scenario
from physics.io import trajectory_readers
from tests.app.commanding import polhode
from tests.app.staging import finished, stage_of
from tests.app.windowing import cuboid, edited, show

FAST = {"initial": {"angular_velocity": (1e-3, 20.0, 1e-3)}}


def both(**changes) -> Scenario:
    """A cuboid that turns as fast as usual, and twice as fast."""
    return cuboid(**({"schemes": ("implicit", "implicit:fast"), "variants": {"fast": FAST}, "duration": 1.0} | changes))


@pytest.fixture(scope="module")
def run() -> Run:
    """Both, to their end."""
    return finished(both(export={"charts": ("Attitude error", "ωy")}))


def test_a_file_is_read_as_it_was_written() -> None:
    text = toml_text(both(variants={"fast": FAST, "usual": {}}).to_plain())
    scenario = parse_scenario(text, "a.toml")
    assert toml_text(scenario.to_plain()) == text
    assert scenario.of_lane("implicit:fast").initial.angular_velocity == (1e-3, 20.0, 1e-3)
    dotted = text.replace("[variants.fast.initial]\nangular_velocity", "[variants.fast]\ninitial.angular_velocity")
    assert dotted != text
    assert parse_scenario(dotted, "a.toml").to_plain() == scenario.to_plain()


def test_lanes_of_variants_look_different() -> None:
    usual, fast = lane_schemes(["implicit:usual", "implicit:fast"])
    assert (usual.letter, fast.letter) == ("I₂", "I₃")
    assert fast.title == "Implicit (energy-momentum), fast"
    assert usual.colour != fast.colour
    assert usual.dash != fast.dash


def test_the_command_line_takes_and_names_variants(tmp_path: Path) -> None:
    file = tmp_path / "both.toml"
    file.write_text(toml_text(both().to_plain()))
    words = ["--scheme", "implicit:fast", "--scheme", "explicit:fast@0.005"]
    done = polhode("run", file, "-o", tmp_path / "out.npz", *words)
    assert [line.rpartition(": ")[0] for line in done.out.splitlines()] == ["implicit:fast", "explicit:fast@0.005"]
    found = trajectory_readers.load(tmp_path / "out.npz")
    assert found["explicit:fast@0.005"].angular_velocity[0, 1] == 20.0
    done = polhode("run", file, "-o", tmp_path / "no.npz", "--scheme", "implicit:slow")
    assert (done.status, done.err) == (
        2,
        f"polhode: {file}: --scheme: there is no variant 'slow'; expected one of fast\n",
    )


# ---- charts, stage, films -----------------------------------------------------------------------------


def test_a_chart_measures_each_lane_from_its_own_start(run: Run, tmp_path: Path) -> None:
    write_plots(run.world, run.lanes, tmp_path / "curves.csv")
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        rows = [(name, *map(float, numbers)) for name, *numbers in list(csv.reader(file))[1:]]
    for name, rate in (("implicit", 10.0), ("implicit:fast", 20.0)):
        own = np.array([row[1:] for row in rows if row[0] == name])
        assert own[0, 2] == rate
        assert own[:, 1].max() < 60.0  # [deg] from the exact motion of the same start, which goes on at its own rate
    (truth, own_truth), lane = (one.truth for one in run.lanes), run.lanes[1]
    assert own_truth.degrees_off(lane.trajectory).max() < 60.0
    assert truth.degrees_off(lane.trajectory).max() > 170.0


def test_the_stage_sees_each_lane_in_its_world(run: Run, plotter) -> None:
    stage = stage_of(run, plotter)
    usual, fast = (track.world for track in stage.describe().tracks)
    assert (usual.angular_velocity[1], fast.angular_velocity[1]) == (10.0, 20.0)
    shared = stage_of(run, plotter, layout="overlay", overlays=("labels", "poinsot"))
    shared.show(0.5)
    assert [len(extra.tracks) for _, extra in shared.describe().extras.parts] == [1]  # of the first start alone
    assert any("poinsot: Implicit (energy-momentum) alone" in str(told) for told in shared.describe().extras.signs())


def test_lanes_that_are_compared_with_keep_their_world(run: Run) -> None:
    slower = finished(
        both(variants={"other": {"initial": {"angular_velocity": (0.0, 5.0, 0.0)}}}, schemes=["implicit:other"])
    )
    assert comparable(slower, run)
    assert [lane.world.angular_velocity[1] for lane in faded(run.lanes)] == [10.0, 20.0]


# ---- the panel ----------------------------------------------------------------------------------------


def test_the_advice_is_told_for_each_start() -> None:
    assert step_words(World.of(both())) == "62.8 steps a turn. 31.4 steps a turn in fast."
    alike = World.of(both(variants={"fast": {"gravity": {"g": 1.0}}}))
    assert step_words(alike) == "62.8 steps a turn."
    assert variant_words("fast", both().variants) == "Variant fast: initial.angular_velocity = (0.001, 20, 0.001)."
    assert variant_words("usual", {"usual": {}}) == "Variant usual: as the fields say."


@pytest.mark.picture
def test_a_scheme_is_added_as_a_variant_and_edits_keep_variants(qtbot, window, tmp_path: Path) -> None:
    def rates() -> list[float]:
        return [lane.trajectory.angular_velocity[0, 1] for lane in window.session.run.lanes]

    show(qtbot, window, both(schemes=("implicit",)))
    row = window.panel.schemes.rows["implicit"]
    row.menu.aboutToShow.emit()
    (add,) = [action for action in row.menu.actions() if action.text() == "Add as variant fast"]
    edited(qtbot, window, add.trigger)
    assert rates() == [10.0, 20.0]
    assert window.panel.schemes.rows["implicit:fast"].button.text() == "fast"
    edited(qtbot, window, lambda: window.panel.put({"initial.angular_velocity": (0.001, 12.0, 0.001)}))
    assert rates() == [12.0, 20.0]
    edited(qtbot, window, lambda: window.panel.put({"body.mass": 2.0}))
    assert [lane.world.body.mass for lane in window.session.run.lanes] == [2.0, 2.0]
    assert window.session.run.scenario.variants == both().variants
    window.files.path = tmp_path / "a.polhode.toml"
    assert window.files.save()
    saved = load_session(tmp_path / "a.polhode.toml").schedule.scenario
    assert saved.schemes == ("implicit", "implicit:fast")
    assert saved.to_plain()["variants"] == both().to_plain()["variants"]
    edited(qtbot, window, lambda: window.panel.schemes.toggle("implicit:fast"))
    assert "implicit:fast" not in window.panel.schemes.rows
