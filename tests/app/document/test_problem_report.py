"""A report of a problem: what it tells, what it leaves out, and that nothing is written before it is saved."""

from __future__ import annotations

import sys
import threading
from collections import deque
from pathlib import Path

import pytest

from app.document.problem_report import report, without_folders
from app.document.session import SavedSession, SessionView, from_toml
from app.document.settings import Settings
from app.system import errors as error_log
from app.system.errors import in_words
from app.system.processes import ROOT
from physics import PhysicsError
from physics.io.trajectory_writers import polhode_version
from physics.simulation.schedule import Schedule
from tests.app.commanding import complaint, polhode
from tests.small import cuboid, rock


@pytest.fixture
def log(monkeypatch) -> None:
    """An empty log of errors, and no hook that outlives the test."""
    monkeypatch.setattr(error_log, "_entries", deque(maxlen=error_log.MAX_ENTRIES))
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)


def saved(scenario, **look) -> SavedSession:
    return SavedSession(Schedule.of(scenario), SessionView(**look))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{ROOT}/app/stage/stage.py: line 3", "app/stage/stage.py: line 3"),
        ('File "/opt/my tools/lib/python3.11/site-packages/vtk/x.py", line 1', 'File "vtk/x.py", line 1'),
        (f"{Path.home()}/Clients/ACME/rock.stl: no such file", "rock.stl: no such file"),
        ('file = "/data/Secret Project/scan 1.ply"', 'file = "scan 1.ply"'),
        ('file = "D:/Secret Project/scan.ply"', 'file = "scan.ply"'),
        (r"C:\Users\anna\rock.toml: body.mass", "rock.toml: body.mass"),
        ("~/theses/a.toml and /mnt/b/c.tif", "a.toml and c.tif"),
        ("in m/s, [rad/s], N m/rad, 1/2, T₀ / 2", "in m/s, [rad/s], N m/rad, 1/2, T₀ / 2"),
        ("https://doi.org/10.1002/nme.2586", "https://doi.org/10.1002/nme.2586"),
        ('file = "polhode:field/tschamut/stops.csv"', 'file = "polhode:field/tschamut/stops.csv"'),
    ],
)
def test_files_keep_their_names_and_lose_their_folders(text, left):
    assert without_folders(text) == left


def test_a_report_tells_program_packages_settings_errors_and_scenario(log, tmp_path):
    error_log.note("the run failed")
    error_log.note("the run failed")
    settings = Settings(theme="dark", recent=[str(tmp_path / "secret.toml")], geometry="SECRET")
    of_rock = rock(terrain={"file": str(tmp_path / "folder of mine" / "map.tif")})
    told = report(saved(of_rock, results=str(tmp_path / "results")), settings, ["OpenGL 9"], error_log.noted())
    assert f"polhode {polhode_version()}" in told
    assert "elementary_functions: " in told
    assert "\nnumba " in told
    assert "OpenGL 9" in told
    assert 'theme = "dark"' in told
    assert "names of recent files are left out: 1" in told
    assert told.count("the run failed") == 1
    assert 'file = "map.tif"' in told
    assert 'results = "results"' in told
    for private in (str(tmp_path), "folder of mine", "secret", "SECRET", str(Path.home()) + "/"):
        assert private not in told


def test_the_scenario_of_a_report_opens_again():
    scenario = cuboid(title="A cuboid", note="at 10 rad/s, see https://doi.org/10.1002/nme.2586")
    told = report(saved(scenario), None, (), ())
    again = from_toml(told.partition("## Scenario\n\n")[2])
    assert again.schedule.scenario.to_plain() == scenario.to_plain() | {"schemes": list(scenario.schemes)}


def test_errors_that_nobody_expected_are_kept_with_where_they_were(log):
    def fail() -> None:
        raise ZeroDivisionError("of a test")

    for error in (PhysicsError("a sentence for people"), KeyError("what")):
        in_words(error, "the run failed")
    error_log.listen()
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    key, thread_error, uncaught = error_log.noted()
    assert "KeyError: 'what'" in key
    for entry in (thread_error, uncaught):
        assert "Traceback" in entry
        assert "ZeroDivisionError: of a test" in entry
        assert "test_problem_report.py" in entry


def test_the_command_writes_it(tmp_path):
    (tmp_path / "a.toml").write_text('kind = "free"\n')
    complaint("report", tmp_path / "a.toml", "-o", tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()
    done = polhode("report", "-o", tmp_path / "out.txt")
    assert (done.status, done.out, done.err) == (0, "", "")
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert "## Packages" in text
    assert "OpenGL" in text
    assert text.endswith("## Scenario\n\nnone\n")


@pytest.mark.picture
def test_the_window_shows_it_and_saves_what_stands_there(qtbot, window, tmp_path, log, monkeypatch):
    from app.window.guides import problem_report

    window.workspace.message.say("a map is missing")
    window.actions_by_id["report-problem"].trigger()
    (dialog,) = window.findChildren(problem_report.ProblemReport)
    text = dialog.text.toPlainText()
    assert "A map is missing".lower() in text.lower()
    assert not list(tmp_path.iterdir())
    dialog.text.setPlainText(text.replace("and what I expected:", "and what I expected: a map"))
    monkeypatch.setattr(problem_report, "save_dialog", lambda *_: tmp_path / "no folder" / "a.txt")
    dialog.save_button.click()
    assert "a.txt" in dialog.outcome.text()
    monkeypatch.setattr(problem_report, "save_dialog", lambda *_: tmp_path / "a.txt")
    dialog.save_button.click()
    assert dialog.outcome.text() == "Saved as a.txt"
    assert "expected: a map" in (tmp_path / "a.txt").read_text(encoding="utf-8")
