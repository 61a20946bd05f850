"""Lanes of one scheme with several steps: on the command line, in pictures, in the panel."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog, QLineEdit

from app.document.session import load_session
from app.hazard.saved import SavedEnsemble
from app.hazard.window.tables import letters
from app.kinds.step_words import step_words
from app.theme import THEMES
from physics import World, load_scenario
from physics.io import trajectory_readers
from tests.app.commanding import cuboid_file, polhode
from tests.app.windowing import cuboid, edited, rock, show, wait
from tests.faults.processes import ROCKS


def test_the_command_line_names_lanes(tmp_path: Path) -> None:
    cuboid, words = cuboid_file(tmp_path), ["--scheme", "implicit@0.005", "--scheme", "implicit"]
    done = polhode("run", cuboid, "-o", tmp_path / "out.npz", *words)
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["implicit@0.005", "implicit"]
    runs = trajectory_readers.load(tmp_path / "out.npz")
    assert (len(runs["implicit@0.005"]), len(runs["implicit"])) == (101, 51)
    done = polhode("run", cuboid, "-o", tmp_path / "no.npz", "--scheme", "implicit@7")
    assert done.status == 2
    assert done.err == f"polhode: {cuboid}: --scheme: implicit@7: expected at most the duration of 0.5 s, got 7\n"
    done = polhode("figure", "order", "--scheme", "implicit@0.1", "-o", tmp_path / "no.png")
    assert (done.status, done.err) == (2, "polhode: --scheme: it takes many steps; expected implicit, got "
    "'implicit@0.1'\n")  # fmt: skip


@pytest.mark.picture
def test_pictures_and_curves_tell_the_step(tmp_path: Path) -> None:
    cuboid, words = cuboid_file(tmp_path), ["--scheme", "implicit", "--scheme", "implicit@0.005"]
    assert polhode("plot", cuboid, "-o", tmp_path / "out.csv", *words).status == 0
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        lanes = [row[0] for row in csv.reader(file)][1:]
    assert (lanes.count("implicit"), lanes.count("implicit@0.005")) == (51, 101)
    assert polhode("image", cuboid, "-o", tmp_path / "out.png", *words, "--size", "320x200").status == 0
    assert load_scenario_of_picture(tmp_path / "out.png") == ("implicit", "implicit@0.005")
    assert polhode("plot", cuboid, "-o", tmp_path / "out.svg", *words).status == 0
    assert "implicit@0.005" in (tmp_path / "out.svg").read_text(encoding="utf-8")


def load_scenario_of_picture(path: Path) -> tuple[str, ...]:
    from app.document.open import scenario_for

    return scenario_for(path).schemes


def test_an_ensemble_keeps_lanes_apart(tmp_path: Path) -> None:
    rocks = tmp_path / "rocks.toml"
    rocks.write_text(ROCKS.format(rocks=2))
    words = ["--scheme", "implicit", "--scheme", "implicit@0.05", "--paths", "--counts"]
    done = polhode("ensemble", rocks, "-o", tmp_path / "out", *words)
    assert done.status == 0
    assert "implicit@0.05: 2 rocks" in done.out
    assert (tmp_path / "out" / "maps" / "implicit@0.05" / "reach_probability.tif").is_file()
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert list(summary["schemes"]) == ["implicit", "implicit@0.05"]
    assert summary["schemes"]["implicit"]["steps"] > summary["schemes"]["implicit@0.05"]["steps"]
    scenario = load_scenario(rocks).changed(schemes=["implicit", "implicit@0.05"])
    saved = SavedEnsemble(tmp_path / "out", scenario)
    row = saved.row(1)
    saved.close()
    assert set(row) == {"implicit", "implicit@0.05"}
    assert row["implicit"]["steps"] > row["implicit@0.05"]["steps"]
    assert polhode("gather", tmp_path / "out", "-o", tmp_path / "whole").status == 0
    first, second = letters(row, THEMES["dark"])
    assert (">I<" in first, ">I₂<" in second) == (True, True)


def test_the_step_advice_is_told_for_each_step() -> None:
    world = World.of(cuboid(schemes=["implicit", "explicit@0.005"]))
    words = step_words(world)
    assert words.startswith("62.8 steps a turn. 126 steps of 5 ms a turn. About the intermediate axis")
    assert "under the explicit scheme with h = 5 ms, by (59)" in words
    assert step_words(World.of(cuboid(schemes=["implicit"]))) == "62.8 steps a turn."
    rod = World.of(cuboid(schemes=["explicit"], body={"shape": "inertia", "inertia": (2.0, 2.0, 1.0), "mass": 1.0}))
    assert step_words(rod) == "62.8 steps a turn."  # of two equal moments none is the intermediate one


# ---- the panel ----------------------------------------------------------------------------------------


def lanes(window) -> list[str]:
    return [lane.scheme.name for lane in window.session.run.lanes]


def menu(window, name: str) -> dict:
    row = window.panel.schemes.rows[name]
    row.menu.aboutToShow.emit()
    return {action.text(): action for action in row.menu.actions()}


@pytest.mark.picture
def test_a_scheme_is_added_again_with_half_the_step_and_taken_away(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    edited(qtbot, window, menu(window, "implicit")["Add with half the step, 5 ms"].trigger)
    assert lanes(window) == ["implicit", "implicit@0.005"]
    assert len(window.session.run.lanes[1].trajectory) == 401
    names = list(window.panel.schemes.rows)
    assert names.index("implicit@0.005") == names.index("implicit") + 1
    edited(qtbot, window, menu(window, "implicit@0.005")["Add with half the step, 2.5 ms"].trigger)
    assert lanes(window) == ["implicit", "implicit@0.005", "implicit@0.0025"]
    edited(qtbot, window, menu(window, "implicit@0.005")["Remove"].trigger)
    assert lanes(window) == ["implicit", "implicit@0.0025"]
    edited(qtbot, window, window.session.undo)
    assert list(window.panel.schemes.chosen()) == ["implicit", "implicit@0.005", "implicit@0.0025"]
    edited(qtbot, window, window.session.undo)
    edited(qtbot, window, window.session.undo)
    assert "implicit@0.005" not in window.panel.schemes.rows


@pytest.mark.picture
@pytest.mark.parametrize(
    ("text", "words"),
    [("x", "a step [s] above 0"), ("-1", "a step [s] above 0"), ("0.01@2", "above 0"), ("5", "at most the duration")],
)
def test_a_wrong_step_is_explained_and_the_run_stays(qtbot, window, text: str, words: str) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    run = window.session.run
    window.panel.schemes.rows["implicit"].ask()
    dialog = window.findChild(QInputDialog)
    dialog.findChild(QLineEdit).setText(text)
    dialog.accept()
    wait(qtbot, lambda: words in window.panel.schemes.error.text())
    assert window.session.run is run


@pytest.mark.picture
def test_a_lane_that_is_there_is_not_added_again(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit", "implicit@0.005")))
    window.panel.schemes.add_lane("implicit@5e-3")
    assert "is there already" in window.panel.schemes.error.text()
    assert list(window.panel.schemes.chosen()) == ["implicit", "implicit@0.005"]


@pytest.mark.picture
def test_a_session_keeps_lanes_and_the_palette_finds_them(qtbot, window, tmp_path: Path) -> None:
    show(qtbot, window, rock(schemes=("implicit", "implicit@0.0025"), duration=1.0))
    window.files.path = tmp_path / "a.polhode.toml"
    assert window.files.save()
    assert load_session(tmp_path / "a.polhode.toml").seen.schemes == ("implicit", "implicit@0.0025")
    found = [(entry.kind, entry.hint) for entry in window.guides.entries()]
    assert ("Remove scheme", "implicit@0.0025") in found
    assert ("", "Implicit (energy-momentum), 1.25 ms") in found
