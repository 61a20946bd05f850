"""Films begin with a title and end with what was shown; their events are chapters."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from app.document.recipe import scenario_of
from app.export.film_times import chapters_of
from app.export.video import end_card, stills, title_card, write_video
from app.playback.run import Lane
from app.stage.text.cards import Card
from app.system.ffmpeg import Chapter, ffmpeg, film
from physics import ScenarioError, World
from physics.io.trajectory_writers import polhode_version
from tests.app.commanding import polhode
from tests.app.staging import finished
from tests.small import cuboid

LOOK = {"size": (160, 90), "fps": 10.0, "title_card": 1.6, "end_card": 2.0, "authors": "A. Author"}


@pytest.fixture(scope="module")
def flipping() -> tuple[World, Sequence[Lane]]:
    """Two lanes of a cuboid about its intermediate axis, which turns over several times."""
    run = finished(
        cuboid(
            title="Flips",
            note="Look at the faces.",
            source="Euler 1758",
            duration=10.0,
            schemes=("implicit", "exact@0.02"),
            initial={"angular_velocity": (0.01, 10.0, 0.01)},
            export=LOOK,
        )
    )
    assert run.world is not None
    return run.world, run.lanes


def exported(run: tuple[World, Sequence[Lane]], **export: object) -> tuple[World, Sequence[Lane]]:
    world, lanes = run
    return replace(world, scenario=world.scenario.changed(export=LOOK | export)), lanes


def words(card: Card) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in card.lines)


def test_the_cards_tell_what_is_shown_and_how_it_is_made_again(flipping) -> None:
    world, lanes = flipping
    first = words(title_card(world.scenario, lanes))
    for told in ("Flips", "Look at the faces.", "A. Author", *(lane.scheme.title for lane in lanes)):
        assert told in first
    last = words(end_card(world.scenario.changed(**{"export.speed": 0.5, "export.first": 2.0}), lanes))
    steps = "step 0.01 s, Leine et al. 2021", "step 0.02 s, Gustafsson 2010"
    for told in ("2 to 10 s, 2 times slower", *steps, "Euler 1758", polhode_version(), "polhode video FILE"):
        assert told in last


@pytest.mark.parametrize("size", [(640, 360), (1920, 1080), (720, 1280)])
def test_a_card_uses_the_width_of_the_picture(flipping, size) -> None:
    world, lanes = exported(flipping, size=size)
    note = "A sentence that is a good deal longer than a line of any of these pictures has room for. " * 2
    for picture in stills(replace(world, scenario=world.scenario.changed(note=note, source=note)), lanes):
        written = np.flatnonzero(np.ptp(picture[..., 2].astype(int), axis=0) > 120)
        assert written.max() > 0.8 * size[0]
        assert size[0] - 1 - written.max() >= 0.05 * size[0]


def test_a_film_has_its_cards_the_same_motion_and_a_recipe_that_asks_for_both(flipping, tmp_path: Path) -> None:
    for name, look in (("cards", {}), ("plain", {"title_card": 0.0, "end_card": 0.0})):
        seen: list[tuple[int, int]] = []
        run = exported(flipping, first=1.0, last=1.4, **look)
        write_video(*run, tmp_path / name, progress=lambda done, total, seen=seen: seen.append((done, total)))
        assert seen[-1] == ((40, 40) if name == "cards" else (4, 4))
    pictures = [np.asarray(Image.open(tmp_path / "cards" / f"frame-{n:05}.png")) for n in range(17, 21)]
    for n, picture in enumerate(pictures, 1):
        np.testing.assert_array_equal(picture, np.asarray(Image.open(tmp_path / "plain" / f"frame-{n:05}.png")))
    export = scenario_of(tmp_path / "cards" / "frame-00001.png").export
    assert (export.title_card, export.end_card, export.authors) == (1.6, 2.0, "A. Author")


def test_flips_are_chapters_and_what_happens_at_once_is_one(flipping) -> None:
    world, lanes = exported(flipping, speed=0.5, first=1.0)
    chapters = chapters_of(world.scenario, lanes, 16 + 180 + 20)
    assert [chapters[0].name, chapters[-1].name] == ["Flips", "What was shown"]
    assert (chapters[0].start, chapters[-1].start, chapters[-1].end) == pytest.approx((0.0, 19.6, 21.6))
    assert all(one.end == other.start for one, other in itertools.pairwise(chapters))
    flips = [chapter for chapter in chapters if "flip at" in chapter.name]
    assert 2 <= len(flips) == len(chapters) - 2  # both lanes flip then: one chapter
    for chapter in flips:
        at = float(re.findall(r"at ([\d.]+) s", chapter.name)[0])
        assert chapter.start == pytest.approx(1.6 + (at - 1.0) / 0.5, abs=0.02)
    quiet, lanes = exported(flipping, last=0.2, end_card=0.0)
    assert chapters_of(quiet.scenario, lanes, 18) == ()


def listed(path: Path) -> list[tuple[str, str, str]]:
    """Start, end and name of the chapters of a film, as ffmpeg tells them."""
    done = subprocess.run([*ffmpeg(), "-i", path, "-f", "ffmetadata", "-"], capture_output=True, check=True, text=True)
    return re.findall(r"START=(\d+)\nEND=(\d+)\ntitle=(.*)", done.stdout)


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_players_find_the_chapters_of_a_film_whatever_their_names(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film{ending}"
    names = "a title; #1 = \\", "second\\"
    chapters = [Chapter(0.0, 0.3, names[0]), Chapter(0.3, 0.6, names[1])]
    with film(path, ending, (16, 16), 10.0, "ends with \\", "recipe", chapters) as send:
        for _ in range(6):
            send(np.zeros((16, 16, 3), np.uint8))
    found = listed(path)
    assert [re.sub(r"\\(.)", r"\1", name).strip() for _, _, name in found] == list(names)
    (_, first_end, _), (start, end, _) = found
    assert first_end == start
    assert int(start) / int(end) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("ending", "frames", "names"), [(".mp4", 4, ["a", "b"]), (".mkv", 4, ["a", "b"]), (".mp4", 2, [])]
)
def test_chapters_end_with_a_film_that_is_interrupted(
    tmp_path: Path, ending: str, frames: int, names: list[str]
) -> None:
    path = tmp_path / f"film{ending}"
    chapters = [Chapter(0.0, 0.3, "a"), Chapter(0.3, 0.6, "b"), Chapter(0.6, 1.2, "c")]
    with film(path, ending, (16, 16), 10.0, "a title", "a recipe", chapters) as send:
        for _ in range(frames):
            send(np.zeros((16, 16, 3), np.uint8))
    found = listed(path)
    assert [name for _, _, name in found] == names
    if found:
        (start, end, _) = found[-1]
        assert int(end) / int(start) == pytest.approx(4 / 3)
    assert imageio_ffmpeg.count_frames_and_secs(path)[0] == frames
    assert b"a recipe" in path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


def test_wrong_cards_are_refused_by_name(flipping, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"export\.title_card: .*60"):
        flipping[0].scenario.changed(**{"export.title_card": 61.0})
    said = polhode("video", "x.toml", "-o", tmp_path / "a.mp4", "--end-card", "-1")
    assert "--end-card: expected a number from 0 to 60" in said.err
