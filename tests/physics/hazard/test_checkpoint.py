"""Checkpoints: an ensemble that goes on ends with the same numbers; what is damaged or another's is not taken."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sys
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

import physics
from physics.ensembles import identity as ensemble_identity
from physics.ensembles.identity import check_done, identity
from physics.hazard.checkpoint import CheckpointWriter, begun
from physics.hazard.ensemble import Ensemble
from physics.hazard.results_folder import save_results
from physics.scenario.fingerprints import check_unchanged
from physics.systems.world import World
from tests.faults.damage import damage
from tests.physics.falling import ROCKS, SCHEMES, ran, scenario
from tests.small import write_map

BARRIER = {"line": [[30.0, -60.0], [30.0, 60.0]], "height": 2.0}
ROAD = {"points": [[20.0, -60.0], [25.0, 0.0], [20.0, 60.0]], "name": "road"}
CLASSES = [{"volume": 0.2, "frequency": 0.5}, {"volume": [0.5, 1.0], "return_period": 50}]
STUDY = {"barrier": [BARRIER], "line": [ROAD], "scenario_class": CLASSES, "forest": {"stems": 1500}}


@pytest.fixture(scope="module")
def fenced():
    return World.of(scenario(**STUDY))


@pytest.fixture(scope="module")
def whole(fenced, tmp_path_factory):
    """The folder of an ensemble that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    ensemble = Ensemble(fenced)
    list(ensemble.march(1))
    save_results(folder, ensemble, paths=True)
    return folder


def marched(keeper, ensemble, until, every=1):
    """Let the ensemble of a keeper go on until so many rocks are done, with checkpoints on the way."""
    march = ensemble.march(1)
    for done in march:
        if done % every == 0:
            keeper.save()
        if done >= until:
            break
    march.close()


def stopped(world, path, until, every=1):
    """The folder that a process leaves when it is killed at that rock."""
    ensemble = Ensemble(world)
    keeper = CheckpointWriter(path, ensemble, resume=False)
    marched(keeper, ensemble, until, every)
    return keeper.folder


def interrupted(world, path, every):
    ensemble = Ensemble(world)
    with CheckpointWriter(path, ensemble, resume=False) as keeper:
        marched(keeper, ensemble, 3, every)
        raise KeyboardInterrupt


def finished(world, path):
    ensemble = Ensemble(world)
    with CheckpointWriter(path, ensemble, resume=True) as keeper:
        resumed = keeper.kept, keeper.damaged
        marched(keeper, ensemble, ROCKS)
        save_results(path, ensemble, paths=True)
    return resumed


def files(folder):
    """The bytes of all files but the summary, which holds times, and the summary without them."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    summary = json.loads(found.pop("summary.json"))
    times = ("wall_seconds", "cpu_seconds")
    return found, {key: value for key, value in summary.items() if key not in times}


def test_an_ensemble_goes_on_from_its_checkpoint_with_the_same_bytes(fenced, whole, tmp_path):
    path = tmp_path / "out"
    part = stopped(fenced, path, 9, every=4)
    assert part == tmp_path / "out.part"
    assert len(list(part.glob("rocks-*.npz"))) == 2
    assert not path.exists()
    assert finished(fenced, path) == (8, 0)
    assert files(path) == files(whole)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def flipped(part):
    _, newer = sorted(part.glob("rocks-*.npz"))
    data = bytearray(newer.read_bytes())
    data[len(data) // 2] ^= 1
    newer.write_bytes(data)


def shortened(part):
    rows = part / f"rows-{SCHEMES[1]}.bin"
    rows.write_bytes(rows.read_bytes()[:-20])  # the last of the ninth rock are lost, those of the sixth are there


def all_lost(part):
    for checkpoint in part.glob("rocks-*.npz"):
        checkpoint.write_bytes(b"PK")


@pytest.mark.parametrize(("harm", "resumed"), [(flipped, (6, 1)), (shortened, (6, 1)), (all_lost, (0, 2))])
def test_what_is_damaged_is_passed_over(fenced, whole, tmp_path, harm, resumed):
    harm(stopped(fenced, tmp_path / "out", 10, every=3))
    assert finished(fenced, tmp_path / "out") == resumed
    assert files(tmp_path / "out") == files(whole)


def test_whatever_is_damaged_no_rock_is_another_one(fenced, tmp_path):
    path, rng = tmp_path / "out", random.Random(8)
    part = stopped(fenced, path, 10, every=3)
    shutil.copytree(part, tmp_path / "kept")
    wanted = ran(fenced)
    for case in range(30):
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(tmp_path / "kept", part)
        how = damage(rng.choice(sorted(part.iterdir())), rng)
        found = Ensemble(fenced)
        kept = CheckpointWriter(path, found, resume=True).kept
        assert kept in (0, 6, 9), (case, how)
        for name in SCHEMES:
            rows = found.results[name].rows.read()
            np.testing.assert_array_equal(rows, wanted.results[name].rows.read()[:kept], err_msg=f"{case} {how}")
            assert found.results[name].steps == rows["steps"].sum()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of processes")
def test_a_full_disk_leaves_the_checkpoint_before(fenced, whole, tmp_path):
    import resource

    ensemble = Ensemble(fenced)
    keeper = CheckpointWriter(tmp_path / "out", ensemble, resume=False)
    marched(keeper, ensemble, 6, every=6)
    before = sorted(path.name for path in keeper.folder.iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(physics.PhysicsError, match=r"out\.part: cannot be written: File too large"):
            keeper.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(path.name for path in keeper.folder.iterdir()) == before
    assert finished(fenced, tmp_path / "out") == (6, 0)
    assert files(tmp_path / "out") == files(whole)


@pytest.mark.parametrize("lost", ["*", "rows-*"])
def test_what_is_removed_meanwhile_is_written_anew(fenced, whole, tmp_path, lost):
    path = tmp_path / "out"
    ensemble = Ensemble(fenced)
    keeper = CheckpointWriter(path, ensemble, resume=False)
    marched(keeper, ensemble, 4, every=2)
    for file in keeper.folder.glob(lost):
        file.unlink()
    if lost == "*":
        keeper.folder.rmdir()
    marched(keeper, ensemble, 9, every=2)
    assert begun(keeper.folder).to_plain() == fenced.scenario.to_plain()
    assert finished(fenced, path) == (8, 0)
    assert files(path) == files(whole)


def test_resuming_where_nothing_was_begun_begins(fenced, whole, tmp_path):
    assert finished(fenced, tmp_path / "out") == (0, 0)
    assert files(tmp_path / "out") == files(whole)


def test_another_ensemble_is_not_resumed(fenced, tmp_path, monkeypatch):
    stopped(fenced, tmp_path / "out", 2)
    for changes, why in (
        ({"ensemble": {"rocks": 7, "seed": 4}}, "ensemble.rocks = 20, now it is 7"),
        ({"step": 0.004}, r"begun with step = 0.002, now it is 0.004"),
        ({"barrier": []}, "barrier = "),
        ({"line": []}, "line = "),
        ({"schemes": ["implicit"]}, "schemes = "),
    ):
        with pytest.raises(physics.ScenarioError, match=rf"out.part: cannot continue: .*{why}"):
            CheckpointWriter(tmp_path / "out", Ensemble(World.of(scenario(**STUDY | changes))), resume=True)
    with pytest.raises(
        physics.ScenarioError, match="contains an unfinished ensemble; continue with --resume, or remove it"
    ):
        CheckpointWriter(tmp_path / "out", Ensemble(fenced), resume=False)
    monkeypatch.setattr("physics.ensembles.identity.polhode_version", lambda: "0.0.1")
    with pytest.raises(physics.ScenarioError, match=r"begun with version = .*, now it is '0\.0\.1'"):
        CheckpointWriter(tmp_path / "out", Ensemble(fenced), resume=True)


def test_a_file_that_has_changed_is_named(tmp_path):
    x = np.mgrid[0:50, 0:50][1]
    write_map(tmp_path / "slope.asc", 2.0 * (50 - x), 2.0)

    def world():
        return World.of(
            scenario(terrain={"file": "slope.asc"}, folder=str(tmp_path), release={"position": [20.0, 50.0]})
        )

    stopped(world(), tmp_path / "out", 2)
    under_way = Ensemble(world())
    (tmp_path / "slope.asc").write_text((tmp_path / "slope.asc").read_text().replace("42.0", "43.0"))
    assert under_way.identity["files"] != identity(under_way.world.scenario)["files"]  # those that were read
    with pytest.raises(physics.ScenarioError, match=r"slope\.asc: has changed since it was read"):
        check_unchanged(under_way.world.scenario, under_way.identity["files"])
    with pytest.raises(physics.ScenarioError, match=r"the file slope\.asc has changed since it was begun"):
        CheckpointWriter(tmp_path / "out", Ensemble(world()), resume=True)


def test_an_interrupted_ensemble_keeps_what_took_long(fenced, tmp_path):
    for saved, left in ((False, []), (True, ["out.part"])):
        with pytest.raises(KeyboardInterrupt):
            interrupted(fenced, tmp_path / "out", 2 if saved else 100)
        assert sorted(p.name for p in tmp_path.iterdir()) == left
    assert CheckpointWriter(tmp_path / "out", Ensemble(fenced), resume=True).kept == 3


def test_a_folder_of_the_user_is_neither_removed_nor_written_to(ramp, tmp_path):
    own = tmp_path / "out.part"
    own.mkdir()
    (own / "thesis.txt").write_text("years of work")
    with pytest.raises(physics.ScenarioError, match=r"out\.part: holds 'thesis.txt', which is not of an ensemble"):
        CheckpointWriter(tmp_path / "out", Ensemble(ramp), resume=False)
    assert [file.name for file in own.iterdir()] == ["thesis.txt"]


def test_files_that_somebody_lays_beside_checkpoints_stay(ramp, tmp_path):
    with CheckpointWriter(tmp_path / "out", ran(ramp), resume=False) as keeper:
        keeper.save()
        (tmp_path / "out.part" / "notes.txt").write_text("why I started this")
    assert [file.name for file in (tmp_path / "out.part").iterdir()] == ["notes.txt"]


def test_an_ensemble_of_a_machine_with_other_last_digits_does_not_go_on_here(ramp, tmp_path, monkeypatch):
    monkeypatch.setattr(ensemble_identity, "elementary_functions", lambda: "0" * 16)
    elsewhere = ran(ramp)
    with suppress(KeyboardInterrupt), CheckpointWriter(tmp_path / "out", elsewhere, resume=False) as keeper:
        keeper.save()
        raise KeyboardInterrupt
    monkeypatch.undo()
    with pytest.raises(physics.ScenarioError, match=r"out\.part: cannot continue: it was begun on a machine whose sin"):
        CheckpointWriter(tmp_path / "out", Ensemble(ramp), resume=True)
    save_results(tmp_path / "done", elsewhere)
    with pytest.raises(physics.ScenarioError, match=r"done: cannot continue: it was begun on a machine whose sin"):
        check_done(tmp_path / "done" / "summary.json", Ensemble(ramp).identity)


@pytest.mark.skipif(sys.platform == "win32", reason="links to devices")
def test_a_part_that_somebody_replaced_takes_no_more_than_the_ensemble_can_have_written(fenced, tmp_path):
    """Names may tell of rocks that there are not, links lead to devices, archives claim what they do not hold."""
    path = tmp_path / "out"
    part = stopped(fenced, path, 10, every=3)
    _, newer = sorted(part.glob("rocks-*.npz"))
    newer.rename(newer.with_name(newer.name.replace("000000000009", "000010000000")))
    (part / f"rows-{SCHEMES[1]}.bin").rename(tmp_path / "rows")
    (part / f"rows-{SCHEMES[1]}.bin").symlink_to("/dev/zero")
    packed = part / "rocks-000000000008-.npz"
    np.savez_compressed(packed, facts=np.zeros(10_000_000, np.uint8))  # 10 MB in 10 kB
    packed.rename(part / f"rocks-000000000008-{hashlib.blake2b(packed.read_bytes(), digest_size=16).hexdigest()}.npz")
    (part / "rocks-000000000007-0.npz").symlink_to("/dev/zero")
    tracemalloc.start()
    try:
        keeper = CheckpointWriter(path, Ensemble(fenced), resume=True)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (keeper.kept, keeper.damaged) == (0, 4)
    assert most < 300e6  # the rows alone would be 2 GB
