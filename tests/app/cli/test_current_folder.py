"""Files that lie in the current folder are neither run nor read: by a command, an ensemble of the window, an export."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import tomlkit

from app.document.export_kinds import IMAGE
from app.hazard.process import EnsembleProcess
from app.system import processes
from tests.small import cuboid, rock

POLHODE = Path(sys.executable).with_name("polhode")
MODULES = ("numpy", "physics", "app", "numba", "sitecustomize", "usercustomize", "json", "tomllib", "matplotlib")
COMMANDS = [
    ["run", "cuboid.toml", "-o", "out.npz"],
    ["image", "cuboid.toml", "-o", "out.png", "--size", "320x180"],
    ["video", "cuboid.toml", "-o", "out.mp4", "--size", "160x90", "--duration", "0.2"],
    ["scene", "cuboid.toml", "-o", "out.html"],
    ["plot", "cuboid.toml", "-o", "out.svg"],
    ["figure", "gustafsson-table-3", "-o", "table.png"],
    ["ensemble", "rock.toml", "-o", "out", "--rocks", "2"],
    ["schemes", "--json"],
    ["bench", "--help"],
]
FIGURES = [["figure", "gustafsson-table-3", "-o", "table.svg"], ["figure", "gustafsson-fig-1", "-o", "figure.svg"]]
# All commands in one process, as each start takes seconds. Like ``polhode`` it is a script that lies elsewhere. What a
# command finds in memory it does not look for: so the places where it would look are told too.
ONE_AFTER_THE_OTHER = """
import json, os, sys
from pathlib import Path
from app.__main__ import main
place, ran = Path(sys.argv[1]), Path(sys.argv[2])
for number, words in enumerate(json.loads(sys.argv[3])):
    os.dup2(os.open(place / f"{number}.err", os.O_WRONLY | os.O_CREAT), 2)
    sys.argv = ["polhode", *words]
    status, here = main(), [path for path in sys.path if not path or Path(path).resolve() == Path.cwd()]
    (place / f"{number}.json").write_text(json.dumps([status, ran.read_text() if ran.exists() else "", here]))
"""


class Done(NamedTuple):
    """What a command ended with and said; modules of the folder that had run by then; places here to look for some."""

    status: int
    said: str
    ran: str
    here: list[str]


def trapped(tmp_path: Path) -> Path:
    """A folder with two scenarios, and files that leave a word in ``ran`` where they are run."""
    folder = tmp_path / "traps"
    folder.mkdir()
    word = f"open({str(tmp_path / 'ran')!r}, 'a').write(__name__ + '\\n')\n"
    for name in MODULES:
        (folder / f"{name}.py").write_text(word)
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(word)
    (folder / "matplotlibrc").write_text("text.usetex: True\nlines.linewidth: 40\nno such key\n")
    (folder / ".numba_config.yaml").write_text("disable_jit: 1\ncache_dir: here\n")
    for name, scenario in {
        "cuboid": cuboid(duration=0.5),
        "rock": rock(duration=1.0, initial={"orientation": "random"}),
    }.items():
        (folder / f"{name}.toml").write_text(tomlkit.dumps(scenario.to_plain()))
    return folder


def one_after_the_other(commands: list[list[str]], folder: Path, tmp_path: Path) -> list[Done]:
    """Commands in one process that stands in a folder."""
    place = tmp_path / f"of {folder.name}"
    place.mkdir()
    script = place / "all.py"
    script.write_text(ONE_AFTER_THE_OTHER)
    words = [sys.executable, script, place, tmp_path / "ran", json.dumps(commands)]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads((place / f"{n}.json").read_text()) for n in range(len(commands))]
    said = [(place / f"{n}.err").read_text() for n in range(len(commands))]
    return [Done(status, text, ran, here) for (status, ran, here), text in zip(answers, said, strict=True)]


@pytest.fixture
def traps(tmp_path) -> Path:
    return trapped(tmp_path)


@pytest.fixture(scope="module")
def among_traps(tmp_path_factory) -> tuple[Path, list[Done]]:
    """The folder in which all commands were run, and what came of each."""
    tmp_path = tmp_path_factory.mktemp("among-traps")
    folder = trapped(tmp_path)
    return folder, one_after_the_other([*COMMANDS, *FIGURES], folder, tmp_path)


def test_the_program_runs_nothing_that_lies_in_the_current_folder(traps, tmp_path):
    done = subprocess.run([POLHODE, *COMMANDS[0]], cwd=traps, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


@pytest.mark.picture
@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=[words[0] for words in COMMANDS])
def test_a_command_runs_nothing_that_lies_in_the_current_folder(number, among_traps):
    done = among_traps[1][number]
    assert done.status == 0, done.said
    assert "matplotlib" not in done.said
    assert "numba" not in done.said
    assert (done.ran, done.here) == ("", [])


def test_settings_of_libraries_in_the_current_folder_do_not_count(among_traps, tmp_path):
    traps, done = among_traps
    (tmp_path / "plain").mkdir()
    alone = one_after_the_other(FIGURES, tmp_path / "plain", tmp_path)
    assert [it.status for it in (*done[-2:], *alone)] == [0] * 4
    for file in ("table.svg", "figure.svg"):
        assert (traps / file).read_bytes() == (tmp_path / "plain" / file).read_bytes()


def test_an_ensemble_of_the_window_runs_nothing_that_lies_in_the_current_folder(traps, tmp_path, monkeypatch):
    monkeypatch.chdir(traps)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", str(processes.ROOT)]))
    child = EnsembleProcess()
    scenario = rock(duration=1.0, ensemble={"rocks": 2})
    child.order("begin", scenario={"schemes": list(scenario.schemes)} | scenario.to_plain(), folder="", kept=None)
    child.order("march", workers=1)
    told = []
    for message in child.messages():
        told.append(message.what)
        if told[-1] == "marched":
            child.end()
    assert child.wait() == 0
    assert "marched" in told
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


@pytest.mark.picture
def test_an_export_of_the_window_runs_nothing_that_lies_in_the_current_folder(qtbot, traps, tmp_path, monkeypatch):
    from PySide6.QtCore import QObject

    from app.window.exports.queue import Export, ExportState

    monkeypatch.chdir(traps)
    owner = QObject()
    export = Export(cuboid(duration=0.5), traps / "out.png", IMAGE, owner)
    with qtbot.waitSignal(export.ended, timeout=900_000):
        export.start()
    assert export.state is ExportState.DONE, export.word
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
