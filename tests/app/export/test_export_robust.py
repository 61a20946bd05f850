"""Films frame by frame with an independent decoder; and what goes wrong leaves one sentence and no half file."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import psutil
import pytest
from PIL import Image
from test_export import computed

import assets
from app.export.video import write_video
from physics import PhysicsError, ScenarioError, load_scenario
from physics.core.processors import processors
from tests.app.commanding import complaint, cuboid_file, polhode
from tests.faults.processes import Running, started

pytestmark = pytest.mark.picture
ADDRESSES = {"RLIMIT_AS": 4_000_000_000}
SMALL = ["--size", "160x90", "--fps", "20"]


def told(running: Running) -> tuple[int, str]:
    """Exit status, and the one line that says why."""
    _, text = running.communicate()
    assert "Traceback" not in text
    assert text.count("\n") == 1, text
    return running.returncode, text


def test_another_decoder_finds_even_times_true_colours_and_the_clock_of_each_frame(tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    words = ["--size", "640x360", "--fps", "10", "--speed", "0.5", "--scheme", "exact"]
    for name in ("frames", "film.mp4"):
        assert polhode("video", cuboid_file(tmp_path), "-o", tmp_path / name, *words) == (0, "", "")
    drawn = [np.asarray(Image.open(path)).astype(int) for path in sorted((tmp_path / "frames").iterdir())]
    with av.open(str(tmp_path / "film.mp4")) as film:
        stream = film.streams.video[0]
        rate, length = float(stream.average_rate), float(stream.duration * stream.time_base)
        frames = list(film.decode(stream))
    assert (len(frames), rate, length) == (10, 10.0, 1.0)
    np.testing.assert_allclose([float(frame.pts * frame.time_base) for frame in frames], np.arange(10) / 10, atol=1e-4)
    assert {(int(frame.colorspace), int(frame.color_range)) for frame in frames} == {(1, 1)}  # BT.709, as HD wants it
    seen = [frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray().astype(int) for frame in frames]
    assert max(np.abs(a - b).mean() for a, b in zip(seen, drawn, strict=True)) < 3.0
    places = np.abs(np.diff(drawn, axis=0)).max(axis=(0, 3))[:40, -100:] > 100  # where digits change
    assert places.sum() > 20
    clocks, wanted = ([frame[:40, -100:][places] for frame in frames] for frames in (seen, drawn))
    apart = np.array([[np.abs(a - b).mean() for b in wanted] for a in clocks])
    assert apart.argmin(axis=1).tolist() == list(range(10))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_encoder_that_is_killed_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    world, lanes = computed(load_scenario(cuboid_file(tmp_path)).changed(export={"size": (160, 90)}))

    def kill(done: int, total: int) -> None:
        for number in _encoders(tmp_path) if done == 3 else ():
            os.kill(number, signal.SIGKILL)

    with pytest.raises(PhysicsError, match=r"film\.mp4: cannot be written: ffmpeg ended early"):
        write_video(world, lanes, tmp_path / "film.mp4", progress=kill)
    assert [path.name for path in tmp_path.iterdir()] == ["cuboid.toml"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of processes")
@pytest.mark.parametrize("name", ["film.mp4", "still.png", "states.npz"])
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    scenario = cuboid_file(tmp_path)
    command, words = {".mp4": ("video", SMALL), ".png": ("image", SMALL[:2]), ".npz": ("run", [])}[Path(name).suffix]
    status, text = told(started(command, scenario, "-o", tmp_path / name, *words, limits={"RLIMIT_FSIZE": 4096}))
    assert status == 1
    assert f"{name}: cannot be written" in text
    assert list(tmp_path.iterdir()) == [scenario]


def test_without_ffmpeg_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = cuboid_file(tmp_path)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    done = polhode("video", scenario, "-o", tmp_path / "film.mp4", *SMALL)
    assert done.status == 1
    assert done.is_told_in_one_line, done.err
    assert "imageio-ffmpeg" in done.err
    assert list(tmp_path.iterdir()) == [scenario]


@pytest.mark.parametrize(("ending", "numbers"), [(".mp4", (1, 3)), (".gif", (1, 2))])
def test_a_film_is_the_same_for_any_number_of_processes(ending: str, numbers: Sequence[int], tmp_path: Path) -> None:
    look = {"size": (160, 90), "fps": 40.0, "title_card": 0.1, "end_card": 0.1}
    world, lanes = computed(load_scenario(cuboid_file(tmp_path)).changed(export=look))
    films = set()
    for processes in numbers:
        film = tmp_path / f"{processes}{ending}"
        write_video(world, lanes, film, processes=processes)
        films.add(film.read_bytes())
    assert len(films) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_process_that_is_killed_as_it_draws_is_reported_and_leaves_nothing(tmp_path: Path) -> None:
    look = {"size": (160, 90), "fps": 40.0}
    world, lanes = computed(load_scenario(cuboid_file(tmp_path)).changed(export=look))

    def kill(done: int, total: int) -> None:
        for process in _drawing(psutil.Process())[:1] if done == 3 else ():
            process.kill()

    with pytest.raises(PhysicsError, match="a process that draws frames ended early, with status -9"):
        write_video(world, lanes, tmp_path / "film.mp4", progress=kill, processes=2)
    assert [path.name for path in tmp_path.iterdir()] == ["cuboid.toml"]
    assert not _drawing(psutil.Process())


def test_an_error_of_a_process_that_draws_is_raised(tmp_path: Path) -> None:
    rock = load_scenario(assets.SCENARIOS / "rock-ramp.toml").changed(duration=0.1, export={"size": (160, 90)})
    world, lanes = computed(rock.changed(**{"view.drape": str(tmp_path / "none.tif")}))
    with pytest.raises(ScenarioError, match=r"none\.tif.*no such file") as caught:
        write_video(world, lanes, tmp_path / "film.mp4", processes=2)
    assert caught.value.field == "view.drape"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_is_encoded_under_another_name(tmp_path: Path) -> None:
    words = ["--duration", "60", "--size", "160x90", "--progress", "lines"]
    running = started("video", cuboid_file(tmp_path), "-o", tmp_path / "film.mp4", *words)
    while not running.stderr.readline().startswith("progress 20 "):
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, told = running.communicate()
    assert running.returncode == 130
    kept = tmp_path / "film-interrupted.mp4"
    done, total = map(int, re.findall(r"film-interrupted\.mp4 holds (\d+) of (\d+) frames", told)[0])
    assert 20 <= done < total == 1800
    assert imageio_ffmpeg.count_frames_and_secs(kept)[0] == done
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cuboid.toml", kept.name]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_process_that_is_ended_leaves_no_file_of_the_final_name(tmp_path: Path, number: int, status: int) -> None:
    scenario = cuboid_file(tmp_path)
    words = ["--duration", "60", "--size", "320x180", "--progress", "lines"]  # long enough for several processes
    running = started("video", scenario, "-o", tmp_path / "film.mp4", *words)
    while not running.stderr.readline().startswith("progress 2 "):
        assert running.poll() is None
    drawing = _drawing(psutil.Process(running.pid))
    assert len(drawing) == (processors() if processors() > 1 else 0)
    running.send_signal(number)
    running.communicate()
    assert running.returncode == status
    _, alive = psutil.wait_procs(drawing, timeout=60.0)
    assert not alive
    while _encoders(tmp_path):  # ffmpeg does not outlive its master
        time.sleep(0.1)
    assert not (tmp_path / "film.mp4").exists()
    if number == signal.SIGTERM:
        assert list(tmp_path.iterdir()) == [scenario]


def _drawing(process: psutil.Process) -> list[psutil.Process]:
    """The processes that draw frames for another one."""
    return [child for child in process.children() if "app.export.frame_processes" in child.cmdline()]


def _encoders(folder: Path) -> list[int]:
    """The processes that encode into the folder."""
    found = [(process.pid, " ".join(process.info["cmdline"] or ())) for process in psutil.process_iter(["cmdline"])]
    return [number for number, command in found if "ffmpeg" in command and str(folder) in command]


@pytest.mark.skipif(sys.platform != "linux", reason="no limit of addresses")
@pytest.mark.parametrize("words", [("image", "out.png"), ("video", "out.mp4"), ("video", "frames")])
def test_a_picture_that_does_not_fit_a_limit_of_memory_is_told_and_leaves_nothing(
    words: tuple[str, str], tmp_path: Path
) -> None:
    scenario, folder = cuboid_file(tmp_path), tmp_path / "made"
    folder.mkdir()
    large = started(words[0], scenario, "-o", folder / words[1], "--size", "8192x8192", limits=ADDRESSES)
    status, text = told(large)
    assert status == 1
    assert "a picture of 8192 x 8192 pixels takes" in text
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "size", "more"),
    [
        ("cuboid-intermediate", "16x16", ()),
        ("cuboid-intermediate", "300x2000", ("--plots", "under")),  # five charts beside one another
        ("rock-quarry", "96x64", ()),  # an inset larger than its viewport
        ("rock-quarry", "16x700", ("--layout", "overlay")),
        ("table-disk", "16x97", ()),
    ],
)
def test_a_picture_of_any_size_is_drawn(name: str, size: str, more: tuple[str, ...], tmp_path: Path) -> None:
    scenario = assets.SCENARIOS / f"{name}.toml"
    done = polhode(
        "image", scenario, "-o", tmp_path / "out.png", "--duration", "0.05", "--size", size, *more, "--quiet"
    )
    assert (done.status, done.err) == (0, "")
    with Image.open(tmp_path / "out.png") as picture:
        assert f"{picture.width}x{picture.height}" == size


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("[initial]", "[initial]\nposition = [1e40, 0.0, 0.0]", "initial: the body is up to 1e+40 m from the origin"),
        ("[3.0, 2.0, 1.0]", "[3e30, 2e30, 1e30]", "body: a body with a radius of 1.87e+30 m cannot be drawn"),
    ],
)
@pytest.mark.parametrize("words", [("image", "out.png"), ("scene", "out.glb")])
def test_what_numbers_of_a_drawing_cannot_hold_is_one_sentence(
    words: tuple[str, str], one: str, other: str, told: str, tmp_path: Path
) -> None:
    scenario = cuboid_file(tmp_path)
    scenario.write_text(scenario.read_text().replace(one, other))
    assert told in complaint(words[0], scenario, "-o", tmp_path / words[1])
    assert list(tmp_path.iterdir()) == [scenario]
