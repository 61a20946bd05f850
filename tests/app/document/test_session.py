"""Saved sessions: a file and a text hold all of it, and wrong ones are told in one sentence."""

from __future__ import annotations

import os
import random
import shutil
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

import assets
from app.document import autosave
from app.document.session import (
    SavedSession,
    SessionView,
    from_text,
    from_toml,
    load_session,
    save_session,
    to_text,
    to_toml,
)
from physics import Scenario, ScenarioError, World, load_scenario
from physics.scenario.file_references import with_names
from physics.simulation.schedule import Schedule
from tests import small
from tests.faults.damage import damage

BUNDLED = sorted((Path(assets.__file__).parent / "scenarios").glob("*.toml"))


def cuboid(**changes) -> Scenario:
    return small.cuboid(**({"title": "Würfel"} | changes))


BESIDE = {"position": (3.0, -4.0, 2.0), "focus": (0.0, 0.0, 0.5)}


def branched() -> SavedSession:
    schedule = Schedule((cuboid(),)).edited(cuboid(step=0.02), 0.5)
    schedule = schedule.edited(schedule.scenario.changed(**{"body.mass": 3.0}), 1.25)
    return SavedSession(
        schedule, SessionView(time=1.5, speed=0.1, loop="ping-pong", first=0.5, compare=True, viewpoint=BESIDE)
    )


def test_a_file_holds_edits_playhead_and_view(tmp_path) -> None:
    saved = branched()
    save_session(tmp_path / "one.polhode.toml", saved)
    found = load_session(tmp_path / "one.polhode.toml")
    assert found.schedule.times == (0.0, 0.5, 1.25)
    assert [s.to_plain() for s in found.schedule.scenarios] == [s.to_plain() for s in saved.schedule.scenarios]
    assert found.look.model_dump(exclude={"version"}) == saved.look.model_dump(exclude={"version"})


def located(scenario) -> dict:
    """Its plain values, names of files as whole paths of files that are there."""
    return with_names(scenario.to_plain(), lambda name: str(scenario.path(name).resolve(strict=True)))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_scenario_survives_file_and_text(path, tmp_path) -> None:
    scenario = load_scenario(path)
    text = to_text(SavedSession(Schedule((scenario,))))
    assert len(text) < 1500
    for found in (from_text(text), from_toml(to_toml(SavedSession(Schedule((scenario,)))), tmp_path / "x.toml")):
        again = found.schedule.scenario
        assert located(again) == located(scenario) | {"schemes": list(scenario.schemes)}


def test_a_text_may_be_broken_into_lines() -> None:
    text = to_text(branched())
    lines = "\n ".join(text[i : i + 60] for i in range(0, len(text), 60))
    assert from_text(lines).schedule.times == (0.0, 0.5, 1.25)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "polhode1:"),
        ("hello", "polhode1:"),
        ("polhode9:AAAA", "later version"),
        ("polhode1:", "damaged"),
        ("polhode1:ÄÖ", "damaged"),
        (to_text(branched())[:-9], "damaged"),
        (to_text(branched())[:40] + "A" + to_text(branched())[41:], "damaged"),
    ],
    ids=["empty", "words", "later", "nothing", "letters", "cut", "changed"],
)
def test_a_wrong_text_is_one_sentence(text, words) -> None:
    with pytest.raises(ScenarioError, match=words) as error:
        from_text(text)
    assert "\n" not in str(error.value)


def test_a_text_that_unpacks_to_much_is_one_sentence() -> None:
    bomb = zlib.compress(b" " * 300_000_000) + b"1234"  # half a second, so not while tests are collected
    test_a_wrong_text_is_one_sentence("polhode1:" + urlsafe_b64encode(bomb).decode(), "damaged")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ("[[edit]]\ntime = 9.0\nstep = 0.1", "edit 1.time"),
        ("[[edit]]\nstep = 0.1", "edit 1.time"),
        ("[[edit]]\ntime = 1.0\ncolour = 'red'", "edit 1.colour"),
        ("[[edit]]\ntime = 1.0\nstep = -1.0", "edit 1.step"),
        ("[[edit]]\ntime = 1.0", "edit 1"),
        ("[edit]\ntime = 1.0", "edit"),
        ("[session]\ntime = -1.0", "session.time"),
        ("[session]\nloop = 'maybe'", "session.loop"),
        ("[session]\nhat = 1", "session.hat"),
        ("[[session]]\ntime = 1.0", "session"),
    ],
)
def test_a_wrong_session_names_file_and_field(tmp_path, more, field) -> None:
    path = tmp_path / "wrong.toml"
    plain = to_toml(SavedSession(Schedule((cuboid(),)))).split("[session]")[0]
    path.write_text(f"{plain}\n{more}\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as error:
        load_session(path)
    assert error.value.file == path
    assert error.value.field == field


def test_an_unknown_key_of_a_session_is_told_with_the_nearest_known_one() -> None:
    text = to_toml(SavedSession(Schedule((cuboid(),))))
    with pytest.raises(ScenarioError, match=r"session.tiem: unknown key; did you mean 'time'\?"):
        from_toml(text.replace("[session]\ntime", "[session]\ntiem"))


def test_files_outside_the_program_are_no_bundled_files() -> None:
    scenario = next(path for path in BUNDLED if path.stem == "rock-alpine")
    text = to_toml(SavedSession(Schedule((load_scenario(scenario),))))
    with pytest.raises(ScenarioError, match="does not come with"):
        from_toml(text.replace("polhode:terrain", "polhode:../../../etc"))


def left_by_another(folder, number) -> None:
    """Make the autosaved sessions of this process those of one that is gone."""
    autosave._held.pop(folder / f"{os.getpid()}.lock").release()  # as the system does when a process ends
    for file in folder.glob(f"{os.getpid()}.*"):
        file.rename(file.with_name(file.name.replace(str(os.getpid()), str(number))))


def test_a_number_that_another_process_has_now_and_a_clock_set_back_hide_nothing(tmp_path) -> None:
    autosave.keep(SavedSession(branched().schedule), tmp_path)
    autosave.keep(branched(), tmp_path)
    left_by_another(tmp_path, 1)  # a number that always lives
    os.utime(tmp_path / "1.polhode.toml", (1e9, 1e9))
    found = autosave.recover(tmp_path)
    assert found is not None
    assert found.look.time == 1.5
    assert list(tmp_path.iterdir()) == []


def test_whatever_is_damaged_no_other_session_is_found(tmp_path) -> None:
    rng, last = random.Random(8), branched().schedule.edited(branched().schedule.scenario.changed(step=0.002), 1.5)
    for case in range(40):
        autosave.keep(branched(), tmp_path)
        autosave.keep(SavedSession(last), tmp_path)
        left_by_another(tmp_path, 999999999)
        damaged = rng.choice(["999999999.polhode.toml", "999999999.before.polhode.toml"])
        how = damage(tmp_path / damaged, rng)
        found = autosave.recover(tmp_path)
        assert found is not None, (case, how)
        wanted = last if "before" in damaged else branched().schedule
        assert found.schedule.times == wanted.times, (case, how)
        assert found.schedule.scenario.to_plain() == wanted.scenario.to_plain(), (case, how)


def test_where_all_that_is_left_is_damaged_it_is_said_once(tmp_path) -> None:
    autosave.keep(branched(), tmp_path)
    left_by_another(tmp_path, 999999999)
    last = tmp_path / "999999999.polhode.toml"
    last.write_text(last.read_text().replace("step = 0.01", "step = 0.02"))
    with pytest.raises(ScenarioError, match=r"damaged-999999999\.polhode\.toml: the session .* is damaged"):
        autosave.recover(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["damaged-999999999.polhode.toml"]
    assert autosave.recover(tmp_path) is None


def test_what_a_process_left_is_found_once_and_a_living_one_is_left_alone(tmp_path) -> None:
    assert autosave.recover(tmp_path) is None
    autosave.keep(branched(), tmp_path)
    assert autosave.recover(tmp_path) is None  # this process is alive
    autosave.keep(SavedSession(branched().schedule), tmp_path)
    left_by_another(tmp_path, 999999999)
    (tmp_path / "999999998.polhode.toml").write_text("kind = 'damaged", encoding="utf-8")
    found = autosave.recover(tmp_path)
    assert found is not None
    assert found.schedule.times == (0.0, 0.5, 1.25)
    assert list(tmp_path.iterdir()) == []
    autosave.keep(branched(), tmp_path)
    autosave.forget(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_of_two_windows_that_are_lost_at_once_each_session_comes_back(tmp_path) -> None:
    autosave.keep(branched(), tmp_path)
    left_by_another(tmp_path, 999999998)
    os.utime(tmp_path / "999999998.polhode.toml", (1e9, 1e9))
    autosave.keep(
        SavedSession(branched().schedule.edited(branched().schedule.scenario.changed(step=0.002), 1.5)), tmp_path
    )
    left_by_another(tmp_path, 999999999)
    found = [autosave.recover(tmp_path) for _ in range(3)]
    assert [saved and saved.schedule.times for saved in found] == [(0.0, 0.5, 1.25, 1.5), (0.0, 0.5, 1.25), None]
    assert list(tmp_path.iterdir()) == []


LAND = "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 10\n" + "9 6 3 0\n" * 4
RING = [[0, 0], [40, 0], [40, 20], [0, 20], [0, 0]]
SOILS = small.features(({"soil": "medium-hard"}, {"type": "Polygon", "coordinates": [RING]}))
POINTS = "".join(f"{x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))


def beside(folder: Path, **where: str) -> Scenario:
    """A rock of a body file on a map with a file of zones, all three in a folder or below it."""
    (folder / "data").mkdir(parents=True)
    names = {"map": "land.asc", "body": "data/rock.pts", "zones": "data/soils.geojson"} | where
    for name, text in zip(names.values(), (LAND, POINTS, SOILS), strict=True):
        (folder / name).write_text(text)
    return small.rock(
        terrain={"file": str(folder / names["map"])},
        body={"shape": "hull", "file": str(folder / names["body"]), "mass": 780.0},
        soil={"zones": str(folder / names["zones"])},
        release={"position": (12.0, 12.0)},
        ensemble={"seed": 1},
    )


def test_a_session_beside_its_files_names_them_from_there_and_the_folder_may_be_moved(tmp_path: Path) -> None:
    scenario = beside(tmp_path / "here")
    (tmp_path / "here" / "out").mkdir()
    saved = SavedSession(Schedule((scenario,)), SessionView(results=str(tmp_path / "here" / "out")))
    save_session(tmp_path / "here" / "mine.polhode.toml", saved)
    text = (tmp_path / "here" / "mine.polhode.toml").read_text()
    assert str(tmp_path) not in text
    (tmp_path / "here").rename(tmp_path / "there")
    found = load_session(tmp_path / "there" / "mine.polhode.toml")
    world = World.of(found.schedule.scenario)
    assert world.terrain is not None
    assert {name: tmp_path / "there" / name for name in world.files} == {
        name: found.schedule.scenario.path(name) for name in ("land.asc", "data/rock.pts", "data/soils.geojson")
    }
    assert found.look.results == str(tmp_path / "there" / "out")


def test_a_session_elsewhere_names_files_by_their_whole_path_and_still_opens(tmp_path: Path) -> None:
    scenario = beside(tmp_path / "here")
    for folder in (tmp_path / "other", tmp_path / "here" / "data"):
        folder.mkdir(exist_ok=True)
        save_session(folder / "mine.polhode.toml", SavedSession(Schedule((scenario,))))
        found = load_session(folder / "mine.polhode.toml").schedule.scenario
        assert found.terrain is not None
        assert found.terrain.file == str(tmp_path / "here" / "land.asc")
    assert found.body.file == "rock.pts"  # which lies in the folder of the last one
    again = from_text(to_text(SavedSession(Schedule((found,))))).schedule.scenario  # a text lies nowhere
    assert again.body.file == str(tmp_path / "here" / "data" / "rock.pts")
    (tmp_path / "old.polhode.toml").write_text(
        to_toml(SavedSession(Schedule((scenario,)), SessionView(results=str(tmp_path))))
    )
    assert str(tmp_path / "here" / "land.asc") in (tmp_path / "old.polhode.toml").read_text()
    found = load_session(tmp_path / "old.polhode.toml")
    assert World.of(found.schedule.scenario).terrain is not None
    assert found.look.results == str(tmp_path)


def test_a_scenario_of_another_checkout_opens_with_its_own_files(tmp_path: Path) -> None:
    for name in ("scenarios/ship-tanker.toml", "hulls/tanker.ply"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(assets.SCENARIOS.parent / name, tmp_path / name)
    saved = load_session(tmp_path / "scenarios" / "ship-tanker.toml")
    (file,) = {name for name in World.of(saved.schedule.scenario).files if name.endswith("tanker.ply")}
    assert (tmp_path / "scenarios" / file).resolve() == tmp_path.resolve() / "hulls" / "tanker.ply"
