"""Lanes of a user's own scheme: by the option and by the menu, and by nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QDialog, QPushButton

import assets
from app.document.export_kinds import IMAGE
from app.document.open import few_lanes, saved_for, scenario_for
from app.document.session import from_text, to_text
from app.window.exports.queue import ExportState
from physics import SCHEMES, Scenario, ScenarioError
from physics.io import trajectory_readers
from tests.app.commanding import cuboid_file, polhode
from tests.app.windowing import cuboid, edited, settle, show, wait

EXAMPLE = Path(assets.__file__).parent / "schemes" / "own_rk4.py"
LEFT_OUT = (
    "own-rk4 is left out: the file own_rk4.py of a user's own scheme is never opened by a scenario; add it with "
    "--scheme-file own_rk4.py or Schemes > From a file…"
)
pytestmark = pytest.mark.usefixtures("own_schemes")
OWN = ["--scheme-file", EXAMPLE, "--scheme", "own-rk4"]


def forget() -> None:
    """Forget the file that was added, as another process would."""
    SCHEMES.pop("own-rk4")


# ---- the option ---------------------------------------------------------------------------------------


def test_the_option_makes_a_scheme_available_and_files_open_without_it(tmp_path: Path) -> None:
    file, out = cuboid_file(tmp_path), tmp_path / "out.npz"
    done = polhode("run", file, "-o", out, *OWN, "--scheme", "implicit", "--scheme", "own-rk4@0.005")
    assert (done.status, done.err) == (0, "")
    assert list(trajectory_readers.load(out)) == ["own-rk4", "implicit", "own-rk4@0.005"]
    with np.load(out, allow_pickle=False) as archive:
        told = json.loads(str(archive["meta"]))
    assert told["schemes"]["own-rk4"]["file"] == "own_rk4.py"
    assert len(told["schemes"]["own-rk4"]["sha256"]) == 64
    assert told["scenario"]["scheme_files"] == {"own-rk4": "own_rk4.py"}
    forget()
    assert list(trajectory_readers.load(out)) == ["own-rk4", "implicit", "own-rk4@0.005"]  # its numbers are there
    done = polhode("run", out, "-o", tmp_path / "again.npz")
    assert done.status == 0
    assert done.err == f"polhode: note: {LEFT_OUT}\n"
    assert list(trajectory_readers.load(tmp_path / "again.npz")) == ["implicit"]
    again = polhode("run", out, "-o", tmp_path / "more.npz", "--scheme-file", EXAMPLE)
    assert (again.status, again.err) == (0, "")
    assert list(trajectory_readers.load(tmp_path / "more.npz")) == ["own-rk4", "implicit", "own-rk4@0.005"]


@pytest.mark.picture
def test_pictures_and_figures_show_it(tmp_path: Path) -> None:
    file, picture = cuboid_file(tmp_path), tmp_path / "out.png"
    assert polhode("image", file, "-o", picture, *OWN, "--size", "320x200").status == 0
    assert scenario_for(picture).schemes == ("own-rk4",)
    assert polhode("figure", "order", *OWN, "-o", tmp_path / "order.png") == (0, "", "")
    forget()
    left = scenario_for(picture)  # none but its own was named: those of the kind
    assert left.schemes == ("explicit", "implicit")
    assert left.missing == (LEFT_OUT,)


def test_it_is_ranked(tmp_path: Path) -> None:
    done = polhode("rank", cuboid_file(tmp_path), *OWN[:2], "--json")
    assert {"own-rk4", "implicit"} < {rank["scheme"] for rank in json.loads(done.out)}
    done = polhode("rank", cuboid_file(tmp_path), *OWN[2:], "--scheme", "rk4", "--json")  # it is in the table
    assert (done.status, done.err) == (0, "")
    mine, theirs = sorted(json.loads(done.out), key=lambda rank: rank["scheme"])
    assert (mine["scheme"], theirs["scheme"]) == ("own-rk4", "rk4")
    assert (mine["error"], mine["step"]) == (theirs["error"], theirs["step"])


def test_one_that_fails_leaves_the_others_their_ranks(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def step(J, field, h, q, w):\n    return q, w, 0.0 if h < 0.005 else w[9]\n")
    asked = ["rank", cuboid_file(tmp_path), "--scheme-file", wrong, "--scheme", "wrong", "--scheme", "implicit"]
    done = polhode(*asked)
    assert done.status == 0
    assert [line.split()[0] for line in done.out.splitlines()[1:3]] == ["implicit", "wrong"]
    assert done.out.endswith("wrong failed: wrong.py: line 2: IndexError: tuple index out of range.\n")
    again = [word for word in asked if word not in ("--scheme-file", wrong)]  # it is in the table
    told = json.loads(polhode(*again, "--json").out)
    assert [rank["fault"] for rank in told] == [None, "wrong.py: line 2: IndexError: tuple index out of range"]


def test_what_is_wrong_is_told_in_one_line(tmp_path: Path) -> None:
    file, wrong = cuboid_file(tmp_path), tmp_path / "wrong.py"
    wrong.write_text("def step(J, field, h, q, w)\n")
    done = polhode("run", file, "-o", tmp_path / "out.npz", "--scheme-file", wrong, "--scheme", "wrong")
    assert (done.status, done.err) == (2, f"polhode: {wrong}: line 1: SyntaxError: expected ':'\n")
    wrong.write_text("def step(J, field, h, q, w):\n    return q, w, 0.0 if h < 0.005 else w[9]\n")
    done = polhode("run", file, "-o", tmp_path / "out.npz", "--scheme-file", wrong, "--scheme", "wrong")
    assert done.status == 1
    note, failed = done.err.splitlines()
    assert note.startswith("polhode: note: Your own scheme, from wrong.py; runs as Python, many times slower, as numba")
    assert "\\x1b" not in note
    assert failed == "polhode: wrong: ends before 0.01 s: wrong.py: line 2: IndexError: tuple index out of range"
    done = polhode("run", file, "-o", tmp_path / "out.npz", "--scheme", "mine")
    assert done.status == 2
    assert done.err.endswith("or your own with --scheme-file\n")
    done = polhode("ensemble", file, "-o", tmp_path / "out", "--scheme-file", EXAMPLE, "--scheme-file", EXAMPLE)
    assert done.status == 2
    assert "NAME: 'own-rk4' is that of" in done.err


def test_no_file_that_names_code_runs_it(tmp_path: Path) -> None:
    trap, mark = tmp_path / "trap.py", tmp_path / "ran"
    trap.write_text(f"open({str(mark)!r}, 'w').close()\n{EXAMPLE.read_text()}")
    file = cuboid_file(tmp_path)
    text = file.read_text().replace('schemes = ["explicit", "implicit"]', 'schemes = ["own-rk4", "trap", "implicit"]')
    file.write_text(f'{text}[scheme_files]\nown-rk4 = "trap.py"\ntrap = "trap.py"\n')
    assert scenario_for(file).schemes == ("implicit",)
    saved, told = few_lanes(saved_for(file))
    assert ["is left out" in sentence for sentence in told] == [True, True]
    assert from_text(to_text(saved)).schedule.scenario.schemes == ("implicit",)
    assert polhode("run", file, "-o", tmp_path / "out.npz").status == 0
    for opened in (scenario_for, saved_for):
        with pytest.raises(ScenarioError, match=r"cannot open '\.py'"):
            opened(trap)
    assert not mark.exists()
    file.write_text(text)  # a name alone is a mistake, as ever
    with pytest.raises(ScenarioError, match="'own-rk4' is not a scheme for kind 'free'"):
        scenario_for(file)


# ---- the menu -----------------------------------------------------------------------------------------


def added(qtbot, window, path: Path) -> None:
    """Name a file, and say yes."""
    window.own_schemes.ask(path)
    (question,) = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    (run,) = [button for button in question.findChildren(QPushButton) if button.text() == "Run the code"]
    assert not run.isDefault()
    run.click()
    wait(qtbot, lambda: not window.own_schemes.busy)


def lanes(window) -> list[str]:
    return [lane.scheme.name for lane in window.session.run.lanes]


@pytest.mark.picture
def test_a_file_becomes_a_lane_and_is_read_again_as_it_changes(qtbot, window, tmp_path: Path) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    window.session.clock.playing = False  # each file takes seconds, in which nothing need be drawn
    mine = tmp_path / "mine.py"
    shutil.copy(EXAMPLE, mine)
    added(qtbot, window, mine)
    wait(qtbot, lambda: lanes(window) == ["implicit", "own-rk4"])
    settle(qtbot, window)
    row = window.panel.schemes.rows["own-rk4"]
    assert (row.check.text(), row.check.isChecked()) == ("My Runge-Kutta 4", True)
    assert row.check.toolTip().startswith("Your own scheme, from mine.py; compiled.")

    run = window.session.run
    mine.write_text(EXAMPLE.read_text() + "\n    return (\n")
    wait(qtbot, lambda: window.message.isVisible())
    assert (
        window.message.text.text() == f"{mine}: line 29: SyntaxError: '(' was never closed; own-rk4 continues unchanged"
    )
    assert window.session.run is run

    steps = len(window.session.history.steps)
    mine.write_text(EXAMPLE.read_text().replace("My Runge-Kutta 4", "Mine").replace("h / 6.0", "h / 7.0"))
    wait(qtbot, lambda: window.session.run is not run)
    settle(qtbot, window)
    assert row.check.text() == "Mine"
    assert [lane.scheme.title for lane in window.session.run.lanes] == ["Implicit (energy-momentum)", "Mine"]
    assert len(window.session.history.steps) == steps
    change = window.session.run.lanes[1].trajectory.angular_velocity - run.lanes[1].trajectory.angular_velocity
    assert np.abs(change).max() > 1e-3

    export = window.exports.add(window.shown_session.scenario(), tmp_path / "film.png", IMAGE)
    wait(qtbot, lambda: export.over)
    assert export.state is ExportState.DONE, export.word
    assert scenario_for(tmp_path / "film.png").schemes == ("implicit", "own-rk4")


@pytest.mark.picture
def test_a_wrong_file_leaves_the_window_as_it_was(qtbot, window, tmp_path: Path) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",), duration=0.5))
    window.session.clock.playing = False
    run, wrong = window.session.run, tmp_path / "wrong.py"
    wrong.write_text("step = 3")
    added(qtbot, window, wrong)
    assert window.message.text.text() == f"{wrong}: expected a function step(J, field, h, q, w)"
    assert window.session.run is run
    wrong.write_text(f"KINDS = 'top', 'vessel'\n{EXAMPLE.read_text()}")
    added(qtbot, window, wrong)
    assert "serves top and vessel; it is there when such a scenario is opened" in window.message.text.text()
    assert lanes(window) == ["implicit"]


@pytest.mark.picture
def test_a_session_with_such_a_lane_opens_without_it_and_says_so(qtbot, window, tmp_path: Path) -> None:
    file = tmp_path / "own.polhode.toml"
    file.write_text(
        'kind = "free"\nduration = 1.0\nstep = 0.01\nschemes = ["implicit", "own-rk4"]\n[scheme_files]\n'
        'own-rk4 = "own_rk4.py"\n[body]\nshape = "cuboid"\nsize = [3, 2, 1]\nmass = 1\n'
    )
    edited(qtbot, window, lambda: window.files.open(file))
    assert lanes(window) == ["implicit"]
    assert window.message.text.text().lower() == LEFT_OUT.lower()
    assert isinstance(window.session.run.scenario, Scenario)


@pytest.mark.parametrize("given", [["implicit", ["own"]], [{"scheme": ["own"]}], [7], "own", {"own": 1}])
def test_nonsense_beside_files_of_schemes_is_told_as_ever(given: object) -> None:
    with pytest.raises(ScenarioError, match="schemes"):
        cuboid(schemes=given, scheme_files={"own": "own.py"})
    with pytest.raises(ScenarioError, match="scheme_files"):
        cuboid(scheme_files={"own": 7})
