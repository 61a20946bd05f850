"""Nothing listens on a network, nor speaks to it, unless asked."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from tests.app.commanding import polhode
from tests.faults.processes import ROCKS


@pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")
@pytest.mark.picture
def test_nothing_listens_while_rocks_fall_and_a_picture_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    class Watched(socket.socket):
        def __init__(self, *how: object, **more: object) -> None:
            made.append(how)
            super().__init__(*how, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "socket", Watched)
    (tmp_path / "rocks.toml").write_text(ROCKS.format(rocks=3))
    assert polhode("ensemble", tmp_path / "rocks.toml", "-o", tmp_path / "out", "--quiet").status == 0
    words = ["--size", "160x90", "--duration", "0.1"]
    assert polhode("image", tmp_path / "rocks.toml", "-o", tmp_path / "out.png", *words).status == 0
    assert made == []
