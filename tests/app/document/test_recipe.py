"""The recipe in what polhode exports: it is read back, gives the same frames again, and harms nobody."""

from __future__ import annotations

import math
import os
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import assets
from app.document.export_kinds import OPENED
from app.document.open import TRAJECTORIES, saved_for, scenario_for
from app.document.recipe import FIRST, recipe
from app.document.session import SessionView
from app.document.toml_writer import toml_text
from app.system import ffmpeg
from physics import ScenarioError, load_scenario, parse_scenario
from tests import small
from tests.app.commanding import CUBOID, complaint, cuboid_file, polhode

FILM = ["--size", "160x90", "--fps", "12", "--speed", "0.5", "--theme", "light", "--orbit", "30", "--plots", "under"]
FILM += ["--camera", "follow", "--layout", "overlay", "--no-captions", "--duration", "0.2", "--scheme", "exact"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recipe")


@pytest.mark.picture
@pytest.mark.parametrize("ending", [".mp4", ".webm", ".mov", ".mkv", ".gif", ".apng"])
def test_a_film_is_made_again_from_itself_and_is_the_same(folder: Path, ending: str) -> None:
    first, again = folder / f"first{ending}", folder / f"again{ending}"
    assert polhode("video", cuboid_file(folder), "-o", first, *FILM) == (0, "", "")
    assert polhode("video", first, "-o", again) == (0, "", "")
    assert first.read_bytes() == again.read_bytes()  # frames, and the recipe itself
    scenario = scenario_for(again)
    assert (scenario.schemes, scenario.duration) == (("exact",), 0.2)
    assert (scenario.view.camera, scenario.view.layout) == ("follow", "overlay")
    assert (scenario.export.size, scenario.export.fps, scenario.export.speed) == ((160, 90), 12.0, 0.5)
    assert (scenario.export.theme, scenario.export.orbit, scenario.export.captions) == ("light", 30.0, False)


def corners(folder: Path, count: int) -> Path:
    """A rock beside one zone of so many corners."""
    turns = (math.tau * i / count for i in range(count))
    zone = {"polygon": [[15 + 9 * math.cos(turn), 9 * math.sin(turn)] for turn in turns], "preset": "soft"}
    file = folder / "zone.toml"
    file.write_text(toml_text(small.rock(duration=0.02, soil={"preset": "hard", "zone": [zone]}).portable()))
    return file


@pytest.mark.picture
@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_a_zone_of_4000_corners_goes_into_a_film_and_opens_again(tmp_path: Path, ending: str) -> None:
    film = tmp_path / f"film{ending}"
    assert polhode("video", corners(tmp_path, 4000), "-o", film, "--size", "160x90", "--fps", "50") == (0, "", "")
    assert film.stat().st_size > 150_000
    assert scenario_for(film).soil == load_scenario(tmp_path / "zone.toml").soil


def test_a_recipe_that_could_not_be_read_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    scenario = load_scenario(corners(tmp_path, 4000)).changed(note="words " * 150_000)
    with pytest.raises(ScenarioError, match="expected a scenario of at most 1000000 bytes with all its defaults"):
        recipe(scenario)


@pytest.mark.picture
@pytest.mark.parametrize(
    "name", ["-y.mp4", "a:b.mp4", "pipe:1.webm", "http:x.webm", "%03d.mp4", "concat:a|b.apng", "-i.gif", "c:%d.gif"]
)
@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_no_name_of_a_film_is_an_option_or_a_protocol(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["video", cuboid_file(tmp_path), f"--output={name}", *FILM, "--plots", "none"]
    assert polhode(*command) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "cuboid.toml"])
    assert scenario_for(tmp_path / name).schemes == ("exact",)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be chosen")
@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_the_bytes_of_a_film_do_not_depend_on_the_number_of_processors(tmp_path: Path, ending: str) -> None:
    frames = np.random.default_rng(1).integers(0, 255, (5, 128, 64, 3), np.uint8)
    processors = os.sched_getaffinity(0)
    try:
        for chosen in (processors, {min(processors)}):
            os.sched_setaffinity(0, chosen)
            with ffmpeg.film(tmp_path / f"{len(chosen)}", ending, (64, 128), 25.0, "title", "recipe") as send:
                for frame in frames:
                    send(frame)
    finally:
        os.sched_setaffinity(0, processors)
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_a_file_opens_in_the_window_as_it_was_looked_at(folder: Path) -> None:
    wanted = {"layout": "overlay", "camera": "follow", "viewpoint": {"position": (9.0, 0.0, 1.0), "focus": (0, 0, 0)}}
    note = _note(recipe(load_scenario(cuboid_file(folder)).changed(view=wanted)))
    Image.new("RGB", (4, 4)).save(folder / "seen.png", pnginfo=note)
    look = saved_for(folder / "seen.png").look
    assert (look.layout, look.camera) == ("overlay", "follow")
    assert look.viewpoint.position == (9.0, 0.0, 1.0)
    assert saved_for(cuboid_file(folder)).look == SessionView()


@pytest.mark.picture
def test_an_orbit_beside_keyframes_is_refused_and_a_camera_takes_their_place(tmp_path: Path) -> None:
    scenario = tmp_path / "cameras.toml"
    scenario.write_text(CUBOID + '[[view.cameras]]\ntime = 0.0\nmode = "top"\n')
    said = polhode("image", scenario, "-o", tmp_path / "a.png", "--size", "160x90", "--camera", "sideways")
    assert (said.status, "--camera" in said.err, "ride" in said.err) == (2, True, True)
    said = polhode("video", scenario, "-o", tmp_path / "a.mp4", "--size", "160x90", "--orbit", "20")
    assert said.status == 2
    assert "--orbit: expected 0 where view.cameras" in said.err
    assert polhode("image", scenario, "-o", tmp_path / "a.png", "--size", "160x90", "--camera", "ride").status == 0
    assert scenario_for(tmp_path / "a.png").view.cameras == ()
    assert scenario_for(tmp_path / "a.png").view.camera == "ride"


def test_a_recipe_of_a_recipe_is_the_same() -> None:
    text = recipe(load_scenario(assets.examples()["poinsot"]))  # whose view names overlays, and no layout
    assert recipe(parse_scenario(text, "again.toml")) == text


def test_an_option_wins_over_the_recipe(folder: Path) -> None:
    film = folder / "film.png"
    Image.new("RGB", (4, 4)).save(film, pnginfo=_note(recipe(load_scenario(cuboid_file(folder)))))
    assert polhode("run", film, "-o", folder / "out.npz", "--scheme", "exact", "--quiet").status == 0
    assert scenario_for(folder / "out.npz").schemes == ("exact",)


def test_a_recipe_finds_the_files_that_its_scenario_names_from_anywhere(folder: Path) -> None:
    (folder / "rocks").mkdir(exist_ok=True)
    hull = CUBOID.replace('shape = "cuboid"\nsize = [3.0, 2.0, 1.0]', 'shape = "hull"\nfile = "rock.pts"')
    (folder / "rocks" / "hull.toml").write_text(hull)
    text = recipe(load_scenario(folder / "rocks" / "hull.toml"))
    Image.new("RGB", (4, 4)).save(folder / "hull.png", pnginfo=_note(text))
    assert scenario_for(folder / "hull.png").body.file == str((folder / "rocks" / "rock.pts").absolute())


# ---- files that are something else --------------------------------------------------------------------


@pytest.mark.parametrize("ending", [*OPENED, *TRAJECTORIES])
@pytest.mark.parametrize("content", [b"", b"something else entirely", bytes(range(256)) * 40])
def test_a_file_that_polhode_did_not_make_is_told_in_one_line(tmp_path: Path, ending: str, content: bytes) -> None:
    path = tmp_path / f"foreign{ending}"
    path.write_bytes(content)
    assert path.name in complaint("run", path, "-o", tmp_path / "out.npz")


def test_a_foreign_picture_carries_no_recipe(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "holiday.png", pnginfo=_note("A fine day"))
    with pytest.raises(ScenarioError, match="contains no recipe"):
        scenario_for(tmp_path / "holiday.png")


def test_a_recipe_that_was_tampered_with_is_a_wrong_scenario(tmp_path: Path) -> None:
    for number, text in enumerate(("kind = 7", "x = [[[", "folder = '/etc'\nkind = 'free'")):
        path = tmp_path / f"{number}.png"
        Image.new("RGB", (4, 4)).save(path, pnginfo=_note(f"{FIRST} 1\n{text}\n"))
        with pytest.raises(ScenarioError, match=path.name):
            scenario_for(path)


def test_a_picture_that_claims_a_huge_size_is_not_decoded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    Image.new("RGB", (4, 4)).save(path, pnginfo=_note(f"{FIRST} 1\n{CUBOID}"))
    data = bytearray(path.read_bytes())
    data[16:24] = (2**31 - 1).to_bytes(4) * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    path.write_bytes(data)
    with pytest.raises(ScenarioError, match="contains no recipe"):
        scenario_for(path)


def test_a_trajectory_that_claims_huge_notes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        header = b"{'descr': '<U999999999', 'fortran_order': False, 'shape': (), }"
        archive.writestr("meta.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ScenarioError, match="not a trajectory"):
        scenario_for(path)


def _note(text: str) -> PngInfo:
    note = PngInfo()
    note.add_itxt("Comment", text)
    return note
