"""An ensemble in a process of its own: the same numbers as here, and nothing left of it when either end dies."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from app.document import autosave
from app.hazard import process
from app.hazard import process as recovery
from app.hazard.live import LiveEnsemble
from app.hazard.process import EnsembleProcess
from app.hazard.source import Query
from app.hazard.window.shown_results import how_far
from physics import PhysicsError, World
from physics.hazard.ensemble import Ensemble
from physics.hazard.results_folder import save_results
from tests import small

ROCKS = 30
RAMP = small.rock(
    schemes=("explicit", "implicit"), initial={"orientation": "random"}, ensemble={"rocks": ROCKS, "seed": 3}
)


@pytest.fixture(scope="module")
def here() -> Ensemble:
    """The rocks as they fall in this process."""
    ensemble = Ensemble(World.of(RAMP))
    for _ in ensemble.march(1):
        pass
    return ensemble


@pytest.fixture(scope="module")
def apart():
    """The rocks as they fall in another one, paused once."""
    live_ensemble = LiveEnsemble(RAMP, EnsembleProcess())
    live_ensemble.march(2)
    until(lambda: live_ensemble.done > 0)
    live_ensemble.pause()
    until(lambda: not live_ensemble.marching)
    live_ensemble.march(1)
    until(lambda: not live_ensemble.marching)
    assert (live_ensemble.done, live_ensemble.error) == (ROCKS, None)
    yield live_ensemble
    live_ensemble.close()
    assert not live_ensemble.alive


def until(condition) -> None:
    while not condition():
        time.sleep(0.005)


def children() -> set[psutil.Process]:
    return set(psutil.Process().children())


def test_each_row_has_the_same_bits(here, apart) -> None:
    for number in range(ROCKS):
        rows = apart.row(number)
        assert list(rows) == ["explicit", "implicit"]
        for name, row in rows.items():
            assert row.tobytes() == here.results[name].rows.read(number, number + 1)[0].tobytes()
    assert apart.row(ROCKS) == apart.row(-1) == {}


def test_what_fails_in_the_child_is_told_and_nobody_waits(apart) -> None:
    with pytest.raises(PhysicsError, match="the rock cannot be shown: TypeError"):
        apart.row("first")
    assert apart.row(0)


@pytest.mark.parametrize("schemes", [("implicit",), ("explicit", "implicit")])
def test_what_is_seen_is_what_there_is_of_each_scheme(here, apart, schemes) -> None:
    wanted = Query((*schemes, "exact"), "kinetic_energy", "max")  # of the last one there is nothing
    apart.want(wanted)
    until(lambda: apart.seen is not None and apart.seen.wanted == wanted and apart.seen.done == ROCKS)
    seen = apart.seen
    assert tuple(seen.left) == schemes
    assert seen.unit == "J"
    for scheme, left in seen.left.items():
        found = here.results[scheme]
        for name in ("rock", "offsets", "points", "values"):
            assert np.array_equal(getattr(left.paths, name), getattr(found.paths, name))
        assert left.rested.sum() == found.reasons["rest"]
        assert seen.summaries[scheme].measures["runout"]["max"] == found.rows.column("runout").max()
        whole = {name: values for name, _, values in found.maps.layers()}["kinetic_energy_max"]
        assert np.array_equal(left.values, whole, equal_nan=True)


def test_the_folder_has_the_same_bytes(here, apart, tmp_path: Path) -> None:
    apart.save(tmp_path / "apart")
    until(lambda: not apart.saving)
    assert (apart.saved, apart.error) == (tmp_path / "apart", None)
    save_results(tmp_path / "here", here, paths=True)
    names = sorted(str(path.relative_to(tmp_path / "here")) for path in (tmp_path / "here").rglob("*.*"))
    assert "paths.geojson" in names
    for name in names:
        if name != "summary.json":  # which tells how long it took
            assert (tmp_path / "apart" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name
    own, other = (json.loads((tmp_path / name / "summary.json").read_text()) for name in ("apart", "here"))
    assert own["schemes"] == other["schemes"]
    assert own["scenario"] == other["scenario"]
    apart.save(tmp_path / "apart")  # the folder is there now
    until(lambda: not apart.saving)
    assert "not empty" in apart.error


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("print('rocks')", "sent an unknown message"),
        ("print('[3]')", "sent an unknown message"),
        ("""print('["seen", {}, [["map", "<f8", [1000000000000000]]]]')""", "sent an unknown message"),
        ("""print('["progress", {}, []]')""", "sent an unknown message"),
        ("import os, time; os.close(1); time.sleep(600)", "stopped responding"),
        ("import os, time; os.close(0); time.sleep(600)", "stopped responding"),
        ("raise SystemExit(3)", "exited (status 3)"),
    ],
)
def test_a_child_that_makes_no_sense_is_ended_and_told(monkeypatch, program: str, words: str) -> None:
    monkeypatch.setattr(process, "PROGRAM", ("-c", program))
    monkeypatch.setattr(process, "GRACE", 0.5)
    live_ensemble = LiveEnsemble(RAMP, EnsembleProcess())
    until(lambda: not live_ensemble.child.alive or "close" in program)
    while not live_ensemble.lost:
        live_ensemble.pause()  # an order, which nobody hears
        time.sleep(0.05)
    assert live_ensemble.error == f"the process of the ensemble {words}; its rocks are lost: run it again"
    assert not live_ensemble.child.alive
    live_ensemble.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_child_that_is_stopped_goes_on_later_and_can_be_given_up(here) -> None:
    live_ensemble = LiveEnsemble(RAMP.changed(**{"ensemble.rocks": 100_000}), EnsembleProcess())
    live_ensemble.march(1)
    until(lambda: live_ensemble.done > 0)
    os.kill(live_ensemble.child.number, signal.SIGSTOP)
    live_ensemble.pause()
    time.sleep(0.1)
    assert live_ensemble.marching
    os.kill(live_ensemble.child.number, signal.SIGCONT)
    until(lambda: not live_ensemble.marching)
    assert live_ensemble.row(0)["explicit"].tobytes() == here.results["explicit"].rows.read(0, 1)[0].tobytes()
    os.kill(live_ensemble.child.number, signal.SIGSTOP)
    live_ensemble.want(Query(("implicit",)))  # which is not answered
    live_ensemble.close()
    assert not live_ensemble.alive


def test_rocks_that_cannot_be_kept_fall_all_the_same_and_that_is_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path)
    kept = recovery.new()
    (tmp_path / f"{kept.name}.part").write_text("no folder")
    live_ensemble = LiveEnsemble(RAMP, EnsembleProcess(), kept)
    live_ensemble.march(1)
    until(lambda: live_ensemble.complete and not live_ensemble.marching)
    assert live_ensemble.kept == 0
    assert live_ensemble.unkept.endswith(f"{kept.name}.part: cannot be written: File exists")
    assert how_far(live_ensemble, None)[1].startswith(f"{ROCKS} rocks. Not kept: ")
    live_ensemble.close()
