"""The sea in the panel: calm water, one regular wave or a spectrum are chosen, edited, refused in words, and kept."""

from __future__ import annotations

import pytest
from test_window_fields import choose, edited, write

from app.document.session import load_session
from physics import Scenario
from tests.app.windowing import settle, show, wait

pytestmark = pytest.mark.picture

BARGE = {"shape": "box", "size": (20.0, 8.0, 4.0), "mass": 3.28e5, "centre_of_gravity": (0.0, 0.0, 2.5)}
SEA = {"spectrum": "jonswap", "significant_height": 1.0, "peak_period": 6.0, "components": 5, "seed": 3}


def barge(**changes) -> Scenario:
    """A barge for two seconds in calm water."""
    hull = BARGE | {"radii_of_gyration": (3.0, 6.0, 6.0)}
    return Scenario(kind="ship", duration=2.0, step=0.1, schemes=("verlet-exact",), hull=hull, **changes)


def said(window, key: str) -> str:
    return str(window.panel.entries[key].error.text())


def test_a_sea_is_chosen_undone_and_kept_by_a_session(qtbot, window, tmp_path) -> None:
    show(qtbot, window, barge())
    entries, session = window.panel.entries, window.session
    session.reset()
    assert all(entry.isHidden() for key, entry in entries.items() if key.startswith("wave.") and key != "wave.given")
    edited(qtbot, window, lambda: choose(window, "wave.given", "regular"))
    write(qtbot, window, "wave.height", "9")
    write(qtbot, window, "wave.height", "0.8")
    edited(qtbot, window, lambda: write(qtbot, window, "wave.period", "5"))
    assert session.run.scenario.to_plain()["wave"] == {"height": 0.8, "period": 5.0, "stretching": "wheeler"}
    assert session.run.world.waves.amplitude.tolist() == [0.4]
    write(qtbot, window, "wave.height", "9")
    wait(qtbot, lambda: "breaks" in said(window, "wave.height"))
    write(qtbot, window, "wave.height", "0.8")
    write(qtbot, window, "water.depth", "1")
    wait(qtbot, lambda: "on the ground" in said(window, "water.depth"))
    edited(qtbot, window, lambda: write(qtbot, window, "water.depth", "10"))
    assert session.run.world.waves.depth == 10.0

    choose(window, "wave.given", "irregular")
    write(qtbot, window, "wave.significant_height", "1")
    edited(qtbot, window, lambda: write(qtbot, window, "wave.peak_period", "6"))
    wave = session.run.scenario.wave
    assert (wave.spectrum, wave.significant_height, wave.peak_period, wave.height) == ("jonswap", 1.0, 6.0, None)
    assert not entries["wave.gamma"].isHidden()
    edited(qtbot, window, lambda: choose(window, "wave.spectrum", "pierson-moskowitz"))
    assert entries["wave.gamma"].isHidden()
    chosen = session.run.scenario
    edited(qtbot, window, session.undo)
    assert session.run.scenario.wave.spectrum == "jonswap"
    edited(qtbot, window, session.redo)
    assert session.run.scenario == chosen
    window.files.path = tmp_path / "sea.polhode.toml"
    window.files.save()
    (kept,) = load_session(window.files.path).schedule.scenarios
    assert kept.to_plain() == chosen.to_plain()


def test_a_sea_calms_and_wind_and_fins_stop_at_the_playhead(qtbot, window) -> None:
    given = {"wave": SEA, "wind": {"lever": 0.01}, "control": {"kind": "fins", "derivative": 1e5}}
    show(qtbot, window, barge(**given))
    window.session.clock.playing = False
    window.session.seek(1.0)
    for key in ("wave.given", "wind.given", "control.kind"):
        edited(qtbot, window, lambda key=key: choose(window, key, ""))
    settle(qtbot, window)
    whole = window.session.run.schedule.whole
    assert [edit["time"] for edit in whole.edit] == [1.0]
    assert {key: whole.edit[0][key] for key in given} == {key: {} for key in given}
    last = window.session.run.scenario
    assert (last.wave, last.wind, last.control) == (None, None, None)
