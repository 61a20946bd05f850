"""Folders for a while: gone with the process that made them, or removed by the next window where it was killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app.system.scratch_folders import ScratchFolder, tidy

MAKES = (
    "import sys; from app.system.scratch_folders import ScratchFolder; "
    "one = ScratchFolder(); print(one.path, flush=True); sys.stdin.read()"
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder in which the system keeps such folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def made() -> tuple[subprocess.Popen[str], Path]:
    child = subprocess.Popen([sys.executable, "-c", MAKES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    return child, Path(child.stdout.readline().strip())


def test_a_process_that_ends_leaves_nothing(place: Path) -> None:
    child, folder = made()
    assert folder.is_dir()
    child.communicate("")
    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR is of POSIX")
def test_what_a_killed_process_leaves_is_removed_and_nothing_else(place: Path) -> None:
    own, (child, killed), (other, living) = ScratchFolder(), made(), made()
    (place / "polhode-mine").mkdir()  # of somebody
    (place / "polhode-mine" / "letter.txt").touch()
    (place / "polhode-link").symlink_to(place / "polhode-mine")
    child.kill()
    child.communicate()
    assert killed.is_dir()
    tidy()
    kept = {own.path.name, living.name, "polhode-mine", "polhode-link"}
    assert {path.name for path in place.iterdir()} == kept
    own.remove()
    other.communicate("")
    assert {path.name for path in place.iterdir()} == {"polhode-mine", "polhode-link"}
    assert os.listdir(place / "polhode-mine") == ["letter.txt"]
