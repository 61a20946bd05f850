"""Unfinished ensembles: one window has one at a time, the next one finds it, and they do not pile up."""

from __future__ import annotations

import os

import pytest

from app.document import autosave
from app.hazard import process as recovery
from physics import World
from physics.hazard.checkpoint import CheckpointWriter
from physics.hazard.ensemble import Ensemble
from tests import small

RAMP = small.rock(schemes=("implicit",), initial={"orientation": "random"}, ensemble={"rocks": 2})


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Nobody's own folder."""
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path / "unfinished")
    return tmp_path / "unfinished"


@pytest.fixture(scope="module")
def ensemble():
    """One rock of two is done."""
    ensemble = Ensemble(World.of(RAMP))
    next(ensemble.march(1))
    return ensemble


def begin(ensemble: Ensemble) -> recovery.UnfinishedEnsemble:
    one = recovery.new()
    assert one is not None
    CheckpointWriter(one.path, ensemble, resume=False).save()
    return one


def test_what_a_window_has_no_other_one_gets_until_it_is_gone(place, ensemble) -> None:
    one = begin(ensemble)
    assert recovery.found(one.name) is None
    one.leave()  # as the system does when a process ends
    again = recovery.found(one.name)
    assert again is not None
    assert again.scenario is not None
    assert again.scenario.to_plain() == RAMP.to_plain()
    again.remove()
    assert list(place.iterdir()) == []
    assert recovery.found(one.name) is None
    assert list(place.iterdir()) == []


def test_all_stay_and_are_listed_until_they_are_discarded_and_those_in_which_nothing_is_kept_go(
    place, ensemble
) -> None:
    ones = [begin(ensemble) for _ in range(8)]
    empty, shown = recovery.new(), begin(ensemble)
    for age, one in enumerate(ones):
        for path in one.kept:
            os.utime(path, (1e9 + age, 1e9 + age))
        one.leave()
    empty.leave()
    begin(ensemble).remove()
    names = [one.name for one in ones]
    assert {path.name.split(".")[0] for path in place.iterdir()} == {*names, shown.name}
    left = recovery.left()
    assert [(one.name, one.done, one.time) for one in left] == [(names[i], 1, 1e9 + i) for i in reversed(range(8))]
    assert left[0].scenario.to_plain() == RAMP.to_plain()
    recovery.discard(names[3])
    recovery.discard(shown.name)  # a window has it
    assert [one.name for one in recovery.left()] == [name for name in reversed(names) if name != names[3]]
    assert shown.kept


def test_where_nothing_can_be_written_there_is_none(place) -> None:
    place.write_text("no folder")
    assert recovery.new() is None
    assert recovery.found("rocks-0123abcd") is None
