"""The gate: keys, texts and numbers that libraries stumble over are refused in one sentence, wherever they come in."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from app.document.recipe import scenario_of
from physics import Scenario, ScenarioError, load_scenario
from physics.scenario.batch import combinations
from tests.app.commanding import CUBOID, ROCK, complaint, polhode, refused

LONG = "1" + "0" * 400
RAMP = f'kind = "rockfall"\nduration = 0.02\nstep = 0.01\n{ROCK}[terrain]\nprofile = "ramp"\n[ensemble]\n'
SIZES = "distribution = 'uniform', min = 1e290, max = 1e300"

TEXTS = {  # name -> (text, a word of the answer)
    "a bracket in a key": (f'"a[b" = 1\n{CUBOID}', "'a[b'"),
    "a bracket in a key of a table": (CUBOID.replace("mass = 1.0", 'mass = 1.0\n"a[b" = 1'), "body.'a[b'"),
    "self": (f"self = 1\n{CUBOID}", "self: unknown key"),
    "400 digits": (f"record_every = {LONG}\n{CUBOID}", "record_every: expected a number of at most 19 digits"),
    "400 digits of a mass": (CUBOID.replace("mass = 1.0", f"mass = {LONG}"), "body.mass"),
    "a long mass in hexadecimal": (CUBOID.replace("mass = 1.0", f"mass = 0x{'f' * 9000}"), "body.mass"),
    "no volume": (f"{RAMP}volume = {{{SIZES}}}\n", "ensemble.volume.min"),
    "too many steps": (
        f"record_every = {2**60}\n" + CUBOID.replace("step = 0.01", "step = 1e-18"),
        "at most 1e+15 steps",
    ),
    "a very small step": (CUBOID.replace("step = 0.01", f"step = 1e-300\nrecord_every = {10**299}"), "record_every"),
    "a title of two lines": (f'title = "a\\nb"\n{CUBOID}', "title: expected one line"),
    "NUL": (f'title = "a\\u0000b"\n{CUBOID}', r"'a\x00b'"),
    "an order to the terminal": (f'note = "a\\u001b[31mb"\n{CUBOID}', "note: expected text without control characters"),
    "NUL in a coordinate system": (RAMP.replace("[terrain]", '[terrain]\ncrs = "EPSG:1\\u0000"'), "terrain.crs"),
    "very deep lists": (f"note = {'[' * 60}{']' * 60}\n{CUBOID}", "too deep"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_no_scenario_holds_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    text, word = TEXTS[name]
    said = refused(text, tmp_path)
    assert word in said
    assert "scenario.toml" in said


LISTS = {  # [batch] -> a word of the answer
    '"step.x" = [1]': "batch.step.x: unknown key",
    '"schemes.x" = [1]': "batch.schemes.x: unknown key",
    'self = ["x"]': "batch.self",
    'folder = ["/etc"]': "batch.folder",
    'title = ["a\\nb"]': "batch.title",
    f"step = [{LONG}]": "batch.step",
}


@pytest.mark.parametrize("line", LISTS)
def test_what_no_batch_holds_is_told_in_one_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(f"{CUBOID}[batch]\n{line}\n")
    assert LISTS[line] in complaint("batch", path, "--as", ".npz", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_titles_notes_and_files_of_a_batch_that_are_right_are_read(tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text(f'{CUBOID}[batch]\ntitle = ["one", "two"]\n')
    made = combinations(load_scenario(tmp_path / "scenario.toml"))
    assert [(name, scenario.title) for name, scenario in made] == [("title one", "one"), ("title two", "two")]
    path = tmp_path / "scenario.toml"
    path.write_text(f'title = "Стійкість – 40°\u00a0✓"\nnote = "one\\n\\ttwo"\n{CUBOID}', encoding="utf-8")
    assert load_scenario(path).note == "one\n\ttwo"
    (tmp_path / "scenario.toml").write_text(
        CUBOID.replace("[body]", '[body]\nfile = "a.obj"').replace('"cuboid"', '"mesh"')
        + '[batch.body]\nfile = ["a.obj", "below/b.obj"]\n'
    )
    found = [scenario.body.file for _, scenario in combinations(load_scenario(tmp_path / "scenario.toml"))]
    assert found == ["a.obj", "below/b.obj"]


@pytest.mark.parametrize("cell", ["1e-300", "1e-20", "1e160", "1e300"])
def test_cells_that_no_map_has_are_told_in_one_line(cell: str, tmp_path: Path) -> None:
    head = f"ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize {cell}\nNODATA_value -9999\n"
    (tmp_path / "map.asc").write_text(head + "9 8 7 6\n" * 3)
    assert "cell size" in complaint("run", tmp_path / "map.asc", "-o", tmp_path / "out.npz")


@pytest.mark.parametrize("title", [r"$\frac{1}{$", "{{scripts}}", "{{model}} $x$ \\1 <b>"])
def test_any_title_can_be_drawn_and_exported(title: str, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(f"title = '{title}'\n{CUBOID}")
    for output in ("charts.png", "charts.svg", "page.html"):
        done = polhode("plot" if "charts" in output else "scene", path, "-o", tmp_path / output)
        assert done.status == 0, done
        if not output.endswith(".svg"):
            assert scenario_of(tmp_path / output).title == title
    assert title.split()[0] in (tmp_path / "charts.svg").read_text(encoding="utf-8")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    plain = CUBOID.replace("kind", 'title = "plain"\nkind', 1)
    path.write_text(plain)
    assert polhode("scene", path, "-o", tmp_path / "plain.html").status == 0
    others = (tmp_path / "plain.html").read_text(encoding="utf-8")
    scripts = re.compile(r"<script>.*?</script>", re.DOTALL)
    assert scripts.findall(page) == scripts.findall(others)


@pytest.mark.skipif(os.name != "posix", reason="names are UTF-8")
@pytest.mark.parametrize("name", [b"map\xff.asc", b"folder\xff/map.asc"])
def test_names_that_are_not_utf_8_are_told(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 9\n" + "9 8 7 6\n" * 3)
    assert "is not UTF-8" in complaint("run", path, "-o", tmp_path / "out.parquet", "--duration", "0.01")


def test_the_gate_is_that_of_python_too() -> None:
    body = {"size": (3.0, 2.0, 1.0), "mass": 1.0}
    for wrong in ({"title": "a\nb"}, {"self": 1}, {"record_every": 10**400}, {"title": "\udcff"}):
        with pytest.raises(ScenarioError):
            Scenario(kind="free", duration=1.0, step=0.01, body=body, **wrong)


OUTSIDE = {  # lists of a batch that lead out of the folder of the scenario -> the field that is told
    '[batch.body]\nfile = ["stone.obj", "../secret.obj"]': "batch.body.file",
    '[batch]\n"body.file" = ["../secret.obj"]': "batch.body.file",
    '[batch]\nbody = [{shape = "mesh", file = "../secret.obj", mass = 1.0}]': "batch.body.file",
    '[batch]\n"view.drape" = ["//server/share/map.tif"]': "batch.view.drape",
    '[batch]\nfolder = ["/etc"]': "batch.folder",
    '[batch]\n"folder" = [".."]\n[batch.body]\nfile = ["secret.obj"]': "batch.folder",
}


@pytest.mark.parametrize("table", OUTSIDE)
def test_a_batch_names_no_files_that_its_scenario_may_not(table: str, tmp_path: Path) -> None:
    stone = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    folder = tmp_path / "given"
    folder.mkdir()
    for place in (tmp_path / "secret.obj", folder / "stone.obj"):
        place.write_text(stone)
    free = CUBOID.replace('shape = "cuboid"\nsize = [3.0, 2.0, 1.0]', 'shape = "mesh"\nfile = "stone.obj"')
    (folder / "scenario.toml").write_text(f"{free}{table}\n")
    assert OUTSIDE[table] in complaint("batch", folder / "scenario.toml", "--as", ".npz", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()
