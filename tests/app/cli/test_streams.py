"""Standard streams that are closed, full, or read by nobody: no traceback, and a status that says what happened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.system import processes
from tests.app.commanding import cuboid_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell")


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which polhode stands for the program."""
    program = f'polhode() {{ "{sys.executable}" -P -m app "$@"; }}; '
    return subprocess.run(
        ["bash", "-c", program + line], env=processes.environment() | more, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", ["--version", "--help", "schemes", "run --help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_is_gone_is_no_fault(words: str, unbuffered: str) -> None:
    done = shell(f"polhode {words} | true; exit ${{PIPESTATUS[0]}}", PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize("words", ["--version", "schemes --json"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_device_is_told_in_one_line(words: str, unbuffered: str) -> None:
    done = shell(f"polhode {words} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_sentence_that_nobody_hears_keeps_its_status() -> None:
    assert shell("polhode run none.toml -o out.npz 2> /dev/full").returncode == 2
    assert shell("polhode --wrong 2> /dev/full").returncode == 2
    assert shell("polhode --wrong 2>&-").returncode == 2


def test_streams_that_are_closed_lead_nowhere(tmp_path: Path) -> None:
    path = cuboid_file(tmp_path)
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        done = shell(f"polhode run {path} -o {tmp_path}/out.npz {closed}")
        assert (done.returncode, done.stderr) == (0, ""), closed
        assert (tmp_path / "out.npz").read_bytes()[:2] == b"PK"  # and nothing was printed into it
        (tmp_path / "out.npz").unlink()
