"""Files that lie in the current folder are neither run nor read: by a command, an ensemble of the window, an export."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tomlkit

from app.ensemble.process import EnsembleProcess
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


@pytest.fixture
def traps(tmp_path) -> Path:
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


def polhode(words, folder, **environment):
    done = subprocess.run(
        [POLHODE, *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.picture
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_runs_nothing_that_lies_in_the_current_folder(words, traps, tmp_path):
    said = polhode(words, traps)
    assert "matplotlib" not in said
    assert "numba" not in said
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_settings_of_libraries_in_the_current_folder_do_not_count(traps, tmp_path):
    for name in ("traps", "plain"):
        (tmp_path / name).mkdir(exist_ok=True)
        polhode(["figure", "gustafsson-table-3", "-o", "table.svg"], tmp_path / name)
        polhode(["figure", "gustafsson-fig-1", "-o", "figure.svg"], tmp_path / name)
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

    from app.window.exports.queue import Export, State

    monkeypatch.chdir(traps)
    owner = QObject()
    export = Export(cuboid(duration=0.5), traps / "out.png", "image", owner)
    with qtbot.waitSignal(export.ended, timeout=120_000):
        export.start()
    assert export.state is State.DONE, export.word
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
