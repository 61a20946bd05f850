"""Wrong input: exit status 2 and one line that names the file and the field, never a traceback."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from physics.io import trajectory_readers
from physics.schemes import serving
from physics.schemes.free_motion import free_motion
from tests.app.commanding import CUBOID, complaint, cuboid_file, polhode, refused

ROCK = """\
kind = "rockfall"
duration = 0.5
step = 0.01
[body]
shape = "eota"
size = [0.9, 0.9, 0.5]
mass = 700.0
[terrain]
file = "map.asc"
"""
HEADER = "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n"
HEIGHTS = "9 8 7 6\n9 8 7 6\n9 8 7 6\n"


@pytest.fixture
def cuboid(tmp_path: Path) -> Path:
    return cuboid_file(tmp_path)


# ---- wrong input: status 2 and one line ---------------------------------------------------------------

SCENARIOS = {  # name -> (text, a word of the answer)
    "empty": ("", "empty"),
    "not TOML": ("kind == free", "line 1"),
    "unknown key": (CUBOID.replace("mass = 1.0", "mas = 1.0"), "'mass'"),
    "impossible inertia": (CUBOID.replace("mass = 1.0", "mass = 1.0\ninertia = [1.0, 1.0, 9.0]"), "inertia"),
    "too many states of all schemes": (  # no scheme alone has too many
        CUBOID.replace("step = 0.01", "step = 1.2e-7").replace('["explicit", "implicit"]', str(list(serving("free")))),
        "record_every: expected at most 40000000 stored states of all schemes",
    ),
    "terrain missing": (ROCK.replace("map.asc", "nowhere.asc"), "nowhere.asc"),
    "the ramp's angle beside a file": (
        ROCK + "angle = 30.0\n",
        "terrain.angle: applies to the profile ramp; profile is missing",
    ),
    "a cone's height": (
        CUBOID.replace("mass = 1.0", "mass = 1.0\nheight = 2.0"),
        "body.height: not a key of the shape",
    ),
    "a key without zones": (ROCK + '[soil]\nsoil_key = "ground"\n', "soil.soil_key: needs zones, which is missing"),
    "trees without drag": (ROCK + "[forest]\nheight = 20.0\n", "forest.height: needs the drag of the forest"),
    "two velocities": (
        ROCK + "[initial]\nvelocity = [1.0, 0.0, 0.0]\n[release]\nvelocity = [1.0, 0.0, 0.0]\n",
        "release.velocity: expected one velocity; initial.velocity is given too",
    ),
    "hull missing": (CUBOID.replace('"cuboid"', '"hull"\nfile = "none.pts"'), "none.pts"),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_wrong_scenario_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    text, word = SCENARIOS[name]
    said = refused(text, tmp_path)
    assert word in said
    assert "scenario.toml" in said or "none.pts" in said or "nowhere.asc" in said


TERRAINS = {
    "empty": ("", "empty"),
    "text for heights": (HEADER + HEIGHTS.replace("8", "high", 1), "line 7"),
    "text for the header": ("hello, world\n", "ncols"),
}


@pytest.mark.parametrize("name", TERRAINS)
@pytest.mark.parametrize("command", ["run", "window"])
def test_a_wrong_terrain_is_told_in_one_line(tmp_path: Path, name: str, command: str) -> None:
    text, word = TERRAINS[name]
    path = tmp_path / "map.asc"
    path.write_text(text)
    said = complaint("run", path, "-o", tmp_path / "out.npz") if command == "run" else complaint(path)
    assert "map.asc" in said
    assert word in said


def test_files_that_are_something_else(tmp_path: Path) -> None:
    junk = bytes(range(256)) * 20
    for name in ("junk.toml", "junk.asc", "junk.tif", "junk.xyz", "junk"):
        (tmp_path / name).write_bytes(junk)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "folder.tif").mkdir()
    names = ["junk.toml", "junk.asc", "junk.tif", "junk.xyz", "junk", "folder.toml", "folder.tif"]
    names += ["missing.toml", "missing.asc", "missing.tif", "missing.xyz", "."]
    for name in names:
        for words in (["run", tmp_path / name, "-o", tmp_path / "out.npz"], [tmp_path / name]):
            said = complaint(*words)
            assert name in said or tmp_path.name in said


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["--step", "0"], "--step"),
        (["--step", "-1"], "--step"),
        (["--step", "nan"], "--step"),
        (["--step", "1.0"], "--step"),
        (["--duration", "nan"], "--duration"),
        (["--duration", "inf"], "--duration"),
        (["--duration", "long"], "--duration"),
        (["--duration", "0.001"], "step"),
        (["--scheme", "euler"], ", ".join(serving("free")[:8])),
        (["--scheme", "exact", "--scheme", "exact"], "--scheme"),
        (["--progress", "loud"], "--progress"),
        (["--size", "10x10"], "--size"),
        (["--rock", "1"], "--rock: applies to rockfall"),
        (["surplus"], "surplus"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(cuboid: Path, words: list[str], word: str) -> None:
    assert word in complaint("run", cuboid, "-o", cuboid.with_name("out.npz"), *words)
    assert not cuboid.with_name("out.npz").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        ["run", "a.toml"],
        ["video"],
        ["image", "-o", "x.png"],
        ["schemes", "x"],
        ["--nothing"],
        ["a", "b"],
        ["vidoe", "a.toml", "-o", "x.mp4"],
        ["lectur"],
    ],
)
def test_an_incomplete_command_is_told_in_one_line(words: list[str]) -> None:
    complaint(*words)


@pytest.mark.parametrize(
    ("command", "words", "word"),
    [
        ("video", ["--size", "10x10"], "--size"),
        ("video", ["--size", "wide"], "--size"),
        ("video", ["--size", "99999x100"], "--size"),
        ("video", ["--fps", "0"], "--fps"),
        ("video", ["--fps", "1000"], "--fps"),
        ("video", ["--speed", "0"], "--speed"),
        ("video", ["--layout", "pile"], "side-by-side"),
        ("video", ["--camera", "shaky"], "follow"),
        ("video", ["--theme", "pink"], "light"),
        ("video", ["--transparent"], "--transparent"),
        ("video", ["--map", "reach"], "--map"),
        ("video", ["--ensemble", "."], "--ensemble: applies to rockfall"),
        ("video", ["--speed", "1e-9"], "--speed"),
        ("video", ["-o", "film.gif", "--fps", "60"], "--fps"),
        ("plot", ["-o", "plots.eps"], "plots.eps"),
        ("scene", ["-o", "scene.gltf"], "scene.gltf"),
        ("batch", ["-o", "series"], "batch: expected a table"),
        ("lecture", ["-o", "films", "--theme", "pink"], "--theme"),
        ("lecture", ["-o", "films", "--as", ".avi"], "--as"),
        ("video", ["-o", "film.avi"], "film.avi"),
        ("image", ["--time", "-1"], "--time"),
        ("image", ["--time", "99"], "--time"),
        ("image", ["-o", "still.bmp"], "still.bmp"),
    ],
)
def test_a_wrong_look_is_told_in_one_line(cuboid: Path, command: str, words: list[str], word: str) -> None:
    output = cuboid.with_name("out.png" if command == "image" else "out.mp4")
    assert word in complaint(command, *([] if command == "lecture" else [cuboid]), "-o", output, *words)
    assert list(cuboid.parent.iterdir()) == [cuboid]


@pytest.mark.parametrize("name", ["out.txt", "out", "nowhere/out.npz", "."])
def test_an_output_that_cannot_be_is_told_before_the_run(cuboid: Path, name: str) -> None:
    complaint("run", cuboid, "-o", cuboid.parent / name)


def test_a_solve_that_fails_is_told_and_what_was_reached_is_kept(tmp_path: Path) -> None:
    (tmp_path / "fast.toml").write_text(CUBOID.replace("[1e-3, 1e-3, 10.0]", "[1e9, 2e12, 3e9]"))
    done = polhode("run", tmp_path / "fast.toml", "-o", tmp_path / "out.npz", "--scheme", "implicit", "--step", "0.1")
    assert done.status == 1
    assert done.is_told_in_one_line, done.err
    assert "smaller step" in done.err
    assert trajectory_readers.load(tmp_path / "out.npz")["implicit"].events[-1].kind == "failed-solve"


def test_an_unforeseen_error_is_one_line_too(cuboid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr("app.cli.compute.save", broken)
    done = polhode("run", cuboid, "-o", cuboid.with_name("out.npz"))
    assert done == (1, "", "polhode: the run failed: RuntimeError: first second\n")


# ---- output that would be input -----------------------------------------------------------------------


def test_what_a_command_reads_is_not_written_over(tmp_path: Path) -> None:
    time = 0.01 * np.arange(60)  # of a free flight: what is none is searched for long
    moments, upright, start = (np.array(each) for each in ([0.45, 0.75, 1.0], [1.0, 0.0, 0.0, 0.0], [1.5, 14.0, 4.0]))
    _, rates = free_motion(moments, upright, start, time)
    samples = "".join(f"{t:.2f},{x:.3f},{y:.3f},{z:.3f}\n" for t, (x, y, z) in zip(time, rates, strict=True))
    points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.1 0.1 0.1\n"
    rock = ROCK.replace('shape = "eota"\nsize = [0.9, 0.9, 0.5]', 'shape = "hull"\nfile = "rock.pts"')
    texts = {"log.csv": f"t,wx,wy,wz\n{samples}", "rock.pts": points, "rock.toml": rock, "map.asc": HEADER + HEIGHTS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "linked.csv").symlink_to(tmp_path / "log.csv")
    log = tmp_path / "log.csv"
    for words in (("run", log, "-o", log), ("plot", log, "-o", log), ("run", log, "-o", tmp_path / "linked.csv")):
        assert "log.csv: --output: would write over '" in complaint(*words)
    (tmp_path / "table.txt").write_text(texts["log.csv"])
    assert "would write over 'table.txt'" in complaint("report", tmp_path / "table.txt", "-o", tmp_path / "table.txt")
    ship, sheet = tmp_path / "ship.toml", tmp_path / "sheet.csv"
    (tmp_path / "alias.csv").symlink_to(sheet)
    told = complaint("hydrostatics", ship, "-o", sheet, "--sheet", tmp_path / "alias.csv")
    assert "sheet.csv: --output: expected another name than that of --sheet" in told
    scheme = tmp_path / "mine.py"
    scheme.write_text("")
    told = complaint("scene", log, "-o", tmp_path / "mine.glb", "--blender", "--scheme-file", scheme)
    assert "would write over 'mine.py', which is read" in told
    assert "expected a name that ends in .glb, got none" in complaint("scene", log, "-o", ".", "--blender")
    (tmp_path / "stops.csv").write_text("x,y\n5,2\n")
    (tmp_path / "site.toml").write_text(f'{ROCK}[observed]\nstops = "stops.csv"\n')
    told = complaint("benchmark", "field", tmp_path / "site.toml", "-o", tmp_path / "stops.csv")
    assert "--output: would write over 'stops.csv', which is read" in told
    told = complaint("run", tmp_path / "rock.toml", "-o", tmp_path / "rock.rts")  # with its points beside it
    assert "rock.toml: --output: would write over 'rock.pts', which is read; expected another name" in told
    results = tmp_path / "results"
    results.mkdir()
    (results / "rocks.csv").touch()
    (tmp_path / "seen.toml").write_text(f'{rock}[export]\nresults = "results"\n')
    assert "would write over 'rocks.csv'" in complaint("run", tmp_path / "seen.toml", "-o", results / "rocks.csv")
    assert {name: (tmp_path / name).read_text() for name in texts} == texts


def test_a_result_without_a_name_is_refused_where_it_may_be_left_out_too() -> None:
    box = ("hydrostatics", "box", "--size", "1,1,1", "--mass", "100", "--cog", "0,0,0")
    for words in ((*box, "--sheet", ""), ("live", "udp://:0", "-o", ""), ("benchmark", "entries", "--data", "")):
        assert f"{words[-2].replace('-o', '--output')}: expected a name, got none" in complaint(*words)
