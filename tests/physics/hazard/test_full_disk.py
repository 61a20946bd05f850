"""A disk that is full at every moment of writing results, as a real one: a small tmpfs."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.core import kernel_cache
from physics.hazard.checkpoint import CheckpointWriter, folder_of
from physics.hazard.results_folder import save_results
from tests.physics.falling import ran

mountable = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="a tmpfs is mounted, by root on Linux only"
)


@pytest.fixture
def disk(tmp_path):
    """``disk(kilobytes)`` gives a folder on an empty disk of that size."""
    place = tmp_path / "disk"
    place.mkdir()

    def sized(kilobytes: int) -> Path:
        subprocess.run(["umount", place], capture_output=True, check=False)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place], check=False)
        if done.returncode:
            pytest.skip("nothing can be mounted here")
        return place

    yield sized
    subprocess.run(["umount", place], capture_output=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    """Everything that a function of the scenario is."""
    files = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    files.pop("summary.json")
    return files


@mountable
def test_results_are_whole_or_not_at_all_on_a_disk_that_fills_at_any_moment(ramp, disk, tmp_path):
    done = ran(ramp)
    save_results(tmp_path / "whole", done, paths=True, counts=True)
    whole = contents(tmp_path / "whole")
    blocks = sum(-(-len(data) // 4096) * 4 for data in whole.values())  # KB of a tmpfs
    failed, succeeded = 0, 0
    for kilobytes in np.linspace(8, blocks + 60, 40).astype(int):
        place = disk(int(kilobytes)) / "results"
        with suppress(physics.PhysicsError):
            save_results(place, done, paths=True, counts=True)
        if place.exists():
            succeeded += 1
            assert contents(place) == whole
        else:
            failed += 1
            assert list(place.parent.iterdir()) == []
    assert failed > 20
    assert succeeded >= 1


@mountable
def test_the_checkpoint_stays_until_the_results_are_on_the_disk(ramp, disk, tmp_path):
    """Results that do not fit leave the rocks, and more room ends the same, as with `polhode ensemble`."""
    done = ran(ramp)
    with CheckpointWriter(tmp_path / "measured", done, resume=False) as keeper:
        keeper.save()
        size = sum(file.stat().st_size for file in keeper.folder.iterdir()) // 1024
    place = disk(2 * size + 200) / "results"

    def write() -> None:
        with CheckpointWriter(place, done, resume=False) as keeper:
            keeper.save()
            save_results(place, done, counts=True)

    with pytest.raises(physics.PhysicsError):
        write()
    assert [file.suffix for file in sorted(folder_of(place).iterdir())].count(".npz") >= 1
    assert not place.exists()
    subprocess.run(["mount", "-o", "remount,size=100m", place.parent], check=True)
    again = type(done)(ramp)
    with CheckpointWriter(place, again, resume=True) as keeper:
        assert keeper.kept == done.done
        save_results(place, again)
    assert not folder_of(place).exists()
    save_results(tmp_path / "whole", done)
    assert contents(place) == contents(tmp_path / "whole")


def test_a_map_that_is_not_on_the_disk_as_it_was_written_is_told(ramp, tmp_path, monkeypatch):
    done = ran(ramp)
    write = Path.write_bytes

    def losing(path, data):
        return write(path, bytes(data)[:-200] if path.name == "passages.tif" else data)

    monkeypatch.setattr(Path, "write_bytes", losing)
    with pytest.raises(physics.PhysicsError, match="is the disk full"):
        save_results(tmp_path / "results", done)
    assert list(tmp_path.iterdir()) == []


@mountable
def test_kernels_are_kept_elsewhere_than_on_a_full_disk(disk, tmp_path, monkeypatch):
    home, other = disk(64) / "kernels", tmp_path / "other"
    monkeypatch.setattr(kernel_cache, "_bases", lambda: [home, other])
    folder = kernel_cache.open_folder()
    assert folder is not None
    assert folder.parent == other  # else each start would compile them anew
