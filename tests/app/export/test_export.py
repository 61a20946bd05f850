"""Pictures and videos: right size, number and length; something to see that moves; whole or not at all."""

from __future__ import annotations

import importlib
import re
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from app.cli.parser import COMMANDS
from app.document.export_kinds import FORMATS
from app.export.offscreen_stage import studio, write_image
from app.export.video import check_video, write_video
from app.playback.run import Lane
from app.system import ffmpeg
from physics import SCHEMES, PhysicsError, Scenario, ScenarioError, World
from tests import small
from tests.app.staging import finished

pytestmark = pytest.mark.picture
SIZE = (160, 90)
Run = tuple[World, Sequence[Lane]]


def computed(scenario: Scenario) -> Run:
    run = finished(scenario)
    assert run.world is not None
    return run.world, run.lanes


@pytest.fixture(scope="module")
def cuboid() -> Run:
    """Half a second of a cuboid that tumbles."""
    return computed(small.cuboid(title="Cuboid", duration=0.5, initial={"angular_velocity": (1.0, 5.0, 2.0)}))


@pytest.fixture(scope="module")
def rock() -> Run:
    """The first moments of a rock on the ramp."""
    return computed(small.rock(duration=0.4, step=0.01, terrain={"profile": "ramp", "drop": 40.0, "width": 60.0}))


def shown(run: Run, **export: object) -> Run:
    """A run with another export table."""
    world, lanes = run
    return replace(world, scenario=world.scenario.changed(export=export)), lanes


def decoded(path: Path) -> tuple[str, np.ndarray]:
    """What ffmpeg tells about a video, and its frames (n, height, width, 3)."""
    raw = ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-i", str(path), *raw]
    done = subprocess.run(command, capture_output=True, check=True)
    told = done.stderr.decode()
    size = re.search(r" (\d+)x(\d+)[, ]", told)
    assert size
    width, height = map(int, size.groups())
    return told, np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)


def pixels(path: Path) -> np.ndarray:
    """A picture (height, width, 3)."""
    with Image.open(path) as picture:
        return np.asarray(picture)


def shows_something_that_moves(frames: Sequence[np.ndarray]) -> bool:
    """No frame is blank, and frames differ."""
    middle = frames[len(frames) // 2].astype(int)
    return all(frame.std() > 3 for frame in frames) and np.abs(frames[0].astype(int) - middle).max() > 60


@pytest.mark.parametrize("ending", [".mp4", ".webm", ".mov", ".mkv", ".gif", ".apng"])
def test_a_video_has_its_size_frames_and_length(cuboid: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film{ending}"
    seen: list[tuple[int, int]] = []
    write_video(*shown(cuboid, size=SIZE, fps=20), path, progress=lambda done, total: seen.append((done, total)))
    told, frames = decoded(path)
    assert frames.shape == (10, 90, 160, 3)
    assert "Duration: 00:00:00.5" in told or ending == ".apng"  # which tells none before its end
    assert " 20 fps" in told
    assert shows_something_that_moves(frames)
    assert seen == [(n, 10) for n in range(1, 11)]
    assert list(tmp_path.iterdir()) == [path]


def test_slow_motion_lasts_longer_and_odd_sizes_gain_a_pixel_and_no_border(cuboid: Run, tmp_path: Path) -> None:
    write_video(*shown(cuboid, size=SIZE, fps=10, speed=0.5), tmp_path / "slow.mp4")
    told, frames = decoded(tmp_path / "slow.mp4")
    assert len(frames) == 10
    assert "Duration: 00:00:01.00" in told
    write_video(*shown(cuboid, size=(161, 91), fps=4, theme="light"), tmp_path / "odd.mp4")
    _, frames = decoded(tmp_path / "odd.mp4")
    assert frames.shape == (2, 92, 162, 3)
    edge = frames[0].astype(int)
    assert np.abs(edge[:, -1] - edge[:, -2]).max() < 60  # a black border would be 200 away from the light sky
    assert np.abs(edge[-1] - edge[-2]).max() < 60


def test_a_folder_gets_numbered_pictures(cuboid: Run, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    write_video(*shown(cuboid, size=SIZE, fps=8), folder)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"frame-{n:05}.png" for n in range(1, 5)]
    pictures = [pixels(folder / name) for name in names]
    assert {picture.shape for picture in pictures} == {(90, 160, 3)}
    assert shows_something_that_moves(pictures)
    assert list(tmp_path.iterdir()) == [folder]


def test_charts_stand_beside_or_under_the_view_and_their_cursor_moves(cuboid: Run, tmp_path: Path) -> None:
    for plots, part in (("under", np.s_[-104:]), ("beside", np.s_[:, -190:])):
        pictures = []
        for time in (0.1, 0.4):
            path = tmp_path / f"{plots}{time}.png"
            write_image(*shown(cuboid, time=time, size=(640, 360), plots=plots), path)
            pictures.append(pixels(path).astype(int))
        changed = np.abs(pictures[0] - pictures[1]).max(axis=2)[part] > 60
        assert pictures[0].shape == (360, 640, 3)
        assert 50 < changed.sum() < 0.1 * changed.size


def test_captions_are_burnt_in_or_not(cuboid: Run, tmp_path: Path) -> None:
    for name, captions in (("with", True), ("without", False)):
        write_image(*shown(cuboid, size=(640, 360), captions=captions), tmp_path / f"{name}.png")
    top_left = [pixels(tmp_path / f"{name}.png")[8:60, 8:200].astype(int) for name in ("with", "without")]
    assert top_left[0].max() > 200  # the title's letters
    assert np.abs(np.diff(top_left[1], axis=1)).max() < 40


def test_a_transparent_picture_has_no_sky(cuboid: Run, tmp_path: Path) -> None:
    write_image(*shown(cuboid, size=SIZE, transparent=True, captions=False), tmp_path / "clear.png")
    opacity = pixels(tmp_path / "clear.png")[..., 3]
    assert opacity[:5].max() == 0
    assert opacity.max() == 255


def test_a_fine_picture_is_the_usual_one_at_twice_the_size_reduced_and_a_draft_has_hard_edges(
    cuboid: Run, tmp_path: Path
) -> None:
    for quality, factor in (("draft", 1), ("usual", 1), ("fine", 1), ("usual", 2)):
        look = {"size": (factor * 320, factor * 180), "captions": False, "quality": quality}
        write_image(*shown(cuboid, **look), tmp_path / f"{quality}-{factor}.png")
    twice = Image.open(tmp_path / "usual-2.png").reduce(2)
    np.testing.assert_array_equal(pixels(tmp_path / "fine-1.png"), np.asarray(twice))
    colours = [len(np.unique(pixels(tmp_path / f"{name}-1.png").reshape(-1, 3), axis=0)) for name in ("draft", "usual")]
    assert colours[0] < 0.8 * colours[1]  # between body and sky there are none


def test_a_film_of_a_part_has_the_frames_of_that_part(cuboid: Run, tmp_path: Path) -> None:
    look = {"size": SIZE, "fps": 20.0, "theme": "light"}
    write_video(*shown(cuboid, **look), tmp_path / "whole")
    write_video(*shown(cuboid, **look, first=0.2, last=0.4), tmp_path / "part")
    whole, part = (sorted((tmp_path / name).iterdir()) for name in ("whole", "part"))
    assert (len(whole), len(part)) == (10, 4)
    for one, other in zip(part, [*whole[4:7], whole[8]], strict=True):  # the last one shows the end of the part
        np.testing.assert_array_equal(np.asarray(Image.open(one)), np.asarray(Image.open(other)))
    with pytest.raises(ScenarioError, match=r"0\.5"):
        write_video(*shown(cuboid, **look, first=0.5), tmp_path / "none")


# Rec. ITU-R BT.709-6, colours of 100 % at 8 bits; Y', C'B and C'R
@pytest.mark.parametrize("ending", [".mp4", ".webm"])
@pytest.mark.parametrize(
    ("colour", "standard"),
    [
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
        ((255, 0, 0), (63, 102, 240)),
        ((0, 255, 0), (173, 42, 26)),
        ((0, 0, 255), (32, 240, 118)),
    ],
)
def test_colours_of_a_film_are_those_of_the_standard(
    colour: tuple[int, int, int], standard: tuple[int, int, int], ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"film{ending}"
    with ffmpeg.film(path, ending, (64, 36), 10.0, "", "") as sink:
        sink(np.full((36, 64, 3), colour, np.uint8))
    raw = [*ffmpeg.ffmpeg(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    planes = np.frombuffer(subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8)
    for plane, value in zip(np.split(planes, [64 * 36, 64 * 36 * 5 // 4]), standard, strict=True):
        assert np.abs(plane.astype(int) - value).max() <= 1


@pytest.mark.parametrize("case", ["rock", "inset", "fine", "transparent"])
def test_a_picture_does_not_depend_on_those_before(cuboid: Run, rock: Run, case: str) -> None:
    look = {"quality": "fine"} if case == "fine" else {}
    world, lanes = shown(rock if case == "rock" else cuboid, size=(320, 180), **look)
    if case == "inset":
        overlays = ["poinsot", "vectors", "trails", "labels"]
        world = replace(world, scenario=world.scenario.changed(view={"overlays": overlays}))
    with studio(world, lanes, transparent=case == "transparent") as take:
        pictures = [take(time) for time in (0.1, 0.12, 0.3, 0.32)]
    with studio(world, lanes, transparent=case == "transparent") as take:
        alone = take(0.32)
    assert (pictures[2] != pictures[3]).any()
    np.testing.assert_array_equal(pictures[3], alone)


def test_an_orbit_turns_the_view_with_the_film_and_keeps_the_distance(cuboid: Run, tmp_path: Path) -> None:
    for speed in (0.25, 0.5):  # half and a quarter of a turn until 0.5 s
        write_image(*shown(cuboid, size=SIZE, time=0.5, orbit=90.0, speed=speed), tmp_path / f"{speed}.png")
    write_image(*shown(cuboid, size=SIZE, time=0.5), tmp_path / "still.png")
    pictures = [pixels(tmp_path / name).astype(int) for name in ("still.png", "0.25.png", "0.5.png")]
    assert all(np.abs(one - other).mean() > 1 for one in pictures for other in pictures if one is not other)


def test_keyframes_move_the_camera_of_a_film(cuboid: Run, tmp_path: Path) -> None:
    cameras = [{"time": 0.0, "mode": "front"}, {"time": 0.4, "mode": "top", "seconds": 0.2}]
    world, lanes = shown(cuboid, size=SIZE, fps=10, captions=False)
    moved = replace(world, scenario=world.scenario.changed(view={"cameras": cameras}))
    write_video(moved, lanes, tmp_path / "moved")
    for name in ("front", "top"):
        still = replace(world, scenario=world.scenario.changed(view={"camera": name}))
        write_video(still, lanes, tmp_path / name)
    film, front, top = (
        [pixels(path).astype(int) for path in sorted((tmp_path / name).iterdir())] for name in ("moved", "front", "top")
    )
    apart = [[np.abs(a - b).mean() for a, b in zip(film, other, strict=True)] for other in (front, top)]
    assert max(apart[0][:3]) < 0.5 < min(apart[1][:3])  # the front until the move begins
    assert min(apart[0][3], apart[1][3]) > 0.5  # on the way
    assert apart[1][4] < 0.5 < apart[0][4]  # arrived


def test_a_picture_has_its_size_and_its_recipe(cuboid: Run, tmp_path: Path) -> None:
    path = tmp_path / "still.png"
    run = shown(cuboid, time=0.3, size=(200, 120))
    write_image(*run, path)
    with Image.open(path) as picture:
        notes = picture.info
    assert pixels(path).shape == (120, 200, 3)
    assert pixels(path).std() > 3
    assert notes["Title"] == "Cuboid"
    recipe = notes["Comment"]
    assert SCHEMES["implicit"].reference in recipe
    again = Scenario(**tomllib.loads(recipe))
    assert again.export == run[0].scenario.export
    assert again.changed(view={}, export={}) == cuboid[0].scenario.changed(view={}, export={})
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("ending", "decoder"), [(".mov", "prores"), (".webm", "libvpx-vp9"), (".apng", "apng")])
def test_a_transparent_film_keeps_colours_and_opacity(ending: str, decoder: str, tmp_path: Path) -> None:
    frame = np.zeros((36, 64, 4), np.uint8)
    frame[:, 16:32] = (200, 60, 20, 128)
    frame[:, 32:] = (20, 60, 200, 255)
    path = tmp_path / f"film{ending}"
    with ffmpeg.film(path, ending, (64, 36), 10.0, "", "", clear=True) as sink:
        for _ in range(3):
            sink(frame)
    raw = [*ffmpeg.ffmpeg(), "-c:v", decoder, "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
    found = np.frombuffer(subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8)
    found = found.reshape(3, 36, 64, 4).astype(int)
    for part in (slice(2, 14), slice(18, 30), slice(34, 62)):  # between the edges, where compression mixes
        assert np.abs(found[:, :, part, 3] - frame[:, part, 3]).max() <= 2
    for part in (slice(18, 30), slice(34, 62)):
        assert np.abs(found[:, :, part, :3] - frame[:, part, :3]).max() <= 8


def test_a_film_without_sky_is_transparent_where_nothing_is(cuboid: Run, tmp_path: Path) -> None:
    write_video(*shown(cuboid, size=SIZE, fps=4, transparent=True, captions=False), tmp_path / "film.mov")
    raw = [*ffmpeg.ffmpeg(), "-i", str(tmp_path / "film.mov"), "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
    found = np.frombuffer(subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8)
    opacity = found.reshape(-1, SIZE[1], SIZE[0], 4)[..., 3]
    assert opacity[:, :5].max() <= 2
    assert opacity.reshape(len(opacity), -1).max(axis=1).min() > 250
    with pytest.raises(
        ScenarioError, match=r"export\.transparent: needs \.webm, \.mov, \.apng, or the name of a folder"
    ):
        write_video(*shown(cuboid, size=SIZE, fps=4, transparent=True), tmp_path / "film.mp4")


# ---- what goes wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("name", ["film.mp4", "film.webm", "film.gif", "frames"])
def test_an_interrupted_export_leaves_nothing(
    cuboid: Run, tmp_path: Path, name: str, error: type[BaseException]
) -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise error

    with pytest.raises(error):
        write_video(*shown(cuboid, size=SIZE, fps=20), tmp_path / name, progress=stop)
    assert not list(tmp_path.iterdir())


def test_a_failure_of_ffmpeg_is_told_in_its_words(cuboid: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ffmpeg.ENCODINGS[".mp4"]._replace(codec="-c:v nothing -f mp4")
    monkeypatch.setitem(ffmpeg.ENCODINGS, ".mp4", broken)
    with pytest.raises(PhysicsError, match=r"film\.mp4: cannot be written: .*Encoder not found"):
        write_video(*shown(cuboid, size=SIZE, fps=20), tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "fps", "word"),
    [
        ("film.avi", 30, r"\.mp4"),
        ("film.gif", 60, "export.fps"),
        ("nowhere/film.mp4", 30, "no folder"),
        ("nowhere/frames", 30, "no folder"),
        ("full", 30, "not empty"),
        ("file", 30, "new folder"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused(
    cuboid: Run, tmp_path: Path, name: str, fps: float, word: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    (tmp_path / "file").touch()
    with pytest.raises(ScenarioError, match=word):
        check_video(tmp_path / name, cuboid[0].scenario.changed(export={"fps": fps}))


def test_the_commands_and_functions_that_formats_name_are_there():
    for writer in {id(one.writer): one.writer for one in FORMATS}.values():
        for named in filter(None, (writer.write, writer.check, writer.check_file, writer.draw, writer.trial)):
            assert callable(getattr(importlib.import_module(named.module), named.name))
        command = COMMANDS[writer.command]
        assert callable(getattr(importlib.import_module(command.module), command.function or writer.command))
