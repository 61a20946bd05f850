"""Long runs at a size for every day (longer: python -m tests.soak)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_hostile_files_of_every_kind_are_refused_within_limits() -> None:
    words = [sys.executable, "-m", "tests.soak", "--hostile", "76", "--seed", "7"]  # 2 of each reader
    done = subprocess.run(words, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counted = {kind: int(n) for n, kind in re.findall(r"(\d+) (\w+)", done.stdout.partition(":")[2])}
    assert sum(counted.values()) == 76
    assert counted["sentence"] > 20


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        (lambda _: [np.ones(1 << 29)], "crash"),
        (lambda _: os._exit(3), "died"),
        (lambda _: [np.array(os.write(2, b"ERROR 1\n"))], "words beside"),
    ],
    ids=["memory", "end", "words"],
)
def test_a_reader_that_does_harm_is_caught(harm, kind, monkeypatch) -> None:
    from tests.fuzz.readers import READERS, Reader
    from tests.soak import hostile

    mine = os.getpid()  # which reads a good file once
    read = Reader(".txt", lambda path: [] if os.getpid() == mine else harm(path), lambda: [b"a text of some length"])
    monkeypatch.setitem(READERS, "harmful", read)
    attack = hostile.attacked(2, 1, ["harmful"])
    assert attack.kinds == {kind: 2}


@pytest.mark.picture
@pytest.mark.parametrize("kept", [False, True])
def test_scenes_open_and_close_without_leaving_anything(qapp, kept) -> None:
    from tests.soak.windows import SCENES, rounds

    scenes = [path for path in SCENES if path.stem in ("cuboid-major", "top-steady", "rock-ramp")]
    with closing(rounds(5, shorter=0.2, scenes=scenes, kept=kept)) as held:
        first, second, third = islice(held, 3)
        assert third.objects == second.objects
        assert kept or second.objects == first.objects  # a window that stays may hold what its first scene brought
        assert third.threads == second.threads == first.threads
        lost = third.used - second.used
        if lost >= 2.0:  # perhaps made once, and late on a busy machine: what is lost is lost in each round
            lost = min(lost, next(held).used - third.used)
    assert third.memory - second.memory < 30.0
    assert lost < 2.0  # of three scenes, 0.2 in the mean: see LOST of tests.soak


@pytest.mark.picture
def test_minutes_of_simulated_time_play_without_growth(qapp) -> None:
    from tests.soak.windows import played

    reached, looks, before, after = played(simulated=400.0, speed=100.0)
    assert reached == pytest.approx(400.0)
    assert looks > 10  # the playhead goes 25 s at once at most, however busy the machine is
    assert after.memory - before.memory < 100.0
    assert after.threads <= before.threads


@pytest.mark.picture
def test_a_random_user_finds_nothing_wrong(qapp, no_collector, tmp_path, monkeypatch) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from app.window.main_window import MainWindow
    from app.window.panel.scheme_list import LaneRow
    from tests.soak.clicking import clicked
    from tests.soak.hand import Hand, click

    def deed_at_a_menu(hand: Hand) -> None:
        """Once the panel is there, press a button whose menu waits in a loop of its own; from then on do as ever."""
        rows = [
            row for row in qapp.allWidgets() if isinstance(row, LaneRow) and not row.button.visibleRegion().isEmpty()
        ]
        for shown in (one for one in qapp.allWidgets() if not rows and isinstance(one, MainWindow)):
            shown.actions_by_id["panel"].setChecked(True)  # it is folded at first
        if not rows or QApplication.activeModalWidget() or QApplication.activePopupWidget():
            deed(hand)
            return
        monkeypatch.setattr(Hand, "deed", deed)
        button, window = rows[0].button, rows[0].window()
        rows[0].menu.aboutToShow.connect(lambda: menus.append("shown"))
        hand._scroll_to(window, button)
        click(window, Qt.MouseButton.LeftButton, button.mapTo(window, button.rect().center()))
        menus.append("closed")

    menus: list[str] = []
    deed = Hand.deed
    monkeypatch.setattr(Hand, "deed", deed_at_a_menu)
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    clicking = clicked(tmp_path, seed=1, deeds=60)
    assert not clicking.watch.faults, [*clicking.watch.deeds, *clicking.watch.faults]
    assert clicking.done == 60
    assert clicking.audits > 0
    assert menus == ["shown", "closed"]


@pytest.mark.picture
def test_a_random_user_sees_what_goes_wrong(qapp, no_collector, tmp_path, monkeypatch) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QLabel, QWidget

    from tests.soak.watch import Watch

    def fail() -> None:
        raise OSError

    with Watch() as watch:
        wide = QWidget()
        wide.resize(9000, 20)
        label = QLabel("OSError: no such file", wide)
        label.setProperty("role", "error")
        wide.show()
        QTimer.singleShot(0, fail)
        for _ in range(3):
            qapp.processEvents()
        watch.look()
        wide.close()
    told = "".join(watch.faults)
    assert "raise OSError" in told
    assert "does not fit a screen" in told
    assert "said to a user: 'OSError: no such file'" in told
