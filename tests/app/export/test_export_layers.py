"""Pictures with the results of an ensemble: paths or a map lie on the terrain, and the recipe names them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import shapely
import tomlkit
from PIL import Image

from app.document.open import scenario_for
from app.hazard.layers import read_deposits, read_map, read_paths
from physics import World, load_scenario
from physics.hazard.statistics import QUANTITIES
from physics.io.vector_files import features, write_geojson
from tests.app.commanding import ROCK, complaint, polhode

pytestmark = pytest.mark.picture
RAMP = f"""\
kind = "rockfall"
duration = 8.0
step = 0.005
schemes = ["implicit"]
{ROCK}[terrain]
profile = "ramp"
drop = 12.0
width = 30.0
[release]
position = [1.0, 0.0]
[ensemble]
rocks = 6
"""
BOTH = ["--scheme", "explicit", "--scheme", "implicit"]
SMALL = ["--size", "320x180", "--no-captions", "--quiet"]


@pytest.fixture(scope="module")
def ramp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scenario, with the results of its ensemble beside it in ``out``."""
    file = tmp_path_factory.mktemp("layers") / "ramp.toml"
    file.write_text(RAMP)
    assert polhode("ensemble", file, "-o", file.with_name("out"), "--paths", "--quiet").status == 0
    return file


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture).astype(int)


def test_paths_and_maps_are_read_as_they_were_computed(ramp: Path) -> None:
    world = World.of(load_scenario(ramp))
    assert world.terrain is not None
    paths = read_paths(ramp.with_name("out") / "paths.geojson", "implicit", world.terrain)
    assert paths.rock.tolist() == list(range(6))
    np.testing.assert_allclose(paths.points[0, :2], [1.0, 0.0] - np.array(world.terrain.origin), atol=0.01)
    assert paths.values.shape == (paths.offsets[-1], len(QUANTITIES))
    title, unit, values = read_map(ramp.with_name("out") / "maps/implicit/kinetic_energy_max.tif", world.terrain)
    assert (title, unit) == ("kinetic energy, largest", "J")
    assert np.nanmax(values) >= 0.999 * paths.values[:, 0].max()
    j, i = np.floor(paths.points[:, 1::-1] / world.terrain.cell[::-1] + 0.5).astype(int).T
    assert np.isfinite(values[j, i]).all()  # wherever a path leads, the map tells something


@pytest.mark.parametrize("layout", [{"indent": 2}, {"separators": (",", ":")}, {"sort_keys": True}, None])
def test_paths_and_rests_that_a_gis_has_saved_again_are_read_alike(ramp: Path, tmp_path: Path, layout) -> None:
    own, world = tmp_path / "own", World.of(load_scenario(ramp))
    own.mkdir()
    shutil.copy(ramp.with_name("out") / "paths.geojson", own)
    rests = [(shapely.Point(8.0, -0.5, 1.25), {"scheme": name, "rock": 3}) for name in ("explicit", "implicit")]
    write_geojson(own / "deposits.geojson", features(rests), None, "")
    assert world.terrain is not None
    for name in ("paths.geojson", "deposits.geojson"):
        if layout is None:
            import pyogrio.raw  # here: it takes long to load

            meta, table = pyogrio.raw.read_arrow(own / name)
            known = {"crs": meta["crs"], "geometry_type": meta["geometry_type"], "geometry_name": "wkb_geometry"}
            pyogrio.raw.write_arrow(table, tmp_path / name, driver="GeoJSON", **known)
        else:
            (tmp_path / name).write_text(json.dumps(json.loads((own / name).read_text()), **layout))
    first, again = (read_paths(folder / "paths.geojson", "implicit", world.terrain) for folder in (own, tmp_path))
    for column in ("rock", "offsets", "points", "values"):
        np.testing.assert_array_equal(getattr(first, column), getattr(again, column))
    found = [read_deposits(folder / "deposits.geojson", "implicit") for folder in (own, tmp_path)]
    np.testing.assert_array_equal(*found)
    assert len(found[0])


def test_a_picture_shows_paths_or_a_map_and_is_made_again_from_itself(ramp: Path, tmp_path: Path) -> None:
    wanted = {
        "plain": [],
        "paths": ["--ensemble", ramp.with_name("out")],
        "slow": ["--ensemble", ramp.with_name("out"), "--colour", "rotation"],
        "map": ["--ensemble", ramp.with_name("out"), "--map", "velocity_q95"],
    }
    for name, words in wanted.items():
        assert polhode("image", ramp, "-o", tmp_path / f"{name}.png", *SMALL, *words) == (0, "", "")
    pictures = {name: pixels(tmp_path / f"{name}.png") for name in wanted}
    for name in ("paths", "slow", "map"):
        changed = np.abs(pictures[name] - pictures["plain"]).max(axis=2)
        assert (changed > 25).sum() > 50
        assert changed[:60, :120].max() <= 1  # the sky
    assert np.abs(pictures["paths"] - pictures["slow"]).max() > 25
    assert scenario_for(tmp_path / "map.png").export.map == "velocity_q95"
    assert polhode("image", tmp_path / "paths.png", "-o", tmp_path / "again.png", "--quiet").status == 0
    assert (tmp_path / "paths.png").read_bytes() == (tmp_path / "again.png").read_bytes()


def test_each_pane_of_a_picture_shows_the_results_of_its_own_scheme(ramp: Path, tmp_path: Path) -> None:
    both = [*SMALL, *BOTH, "--time", "0"]
    for name, words in {
        "plain": [],
        "paths": ["--ensemble", ramp.with_name("out")],
        "map": ["--ensemble", ramp.with_name("out"), "--map", "velocity_q95"],
    }.items():
        assert polhode("image", ramp, "-o", tmp_path / f"{name}.png", *both, *words) == (0, "", "")
    plain, *others = (np.split(pixels(tmp_path / f"{name}.png"), 2, axis=1) for name in ("plain", "paths", "map"))
    for picture in others:
        np.testing.assert_array_equal(picture[0], plain[0])  # there are no results of it
        assert (np.abs(picture[1] - plain[1]).max(axis=2) > 25).sum() > 50
    assert polhode("image", tmp_path / "map.png", "-o", tmp_path / "again.png", "--quiet").status == 0
    assert (tmp_path / "map.png").read_bytes() == (tmp_path / "again.png").read_bytes()


def test_a_picture_of_results_says_what_was_edited_since(ramp: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.toml"
    edited.write_text(f"{ramp.read_text()}[[barrier]]\nline = [[9.0, -9.0], [9.0, 9.0]]\nheight = 2.0\n")
    words = ["--ensemble", ramp.with_name("out"), "--size", "640x360", "--duration", "0.1"]
    told = polhode("image", edited, "-o", tmp_path / "edited.png", *words).err
    assert "polhode: note: out: the results are of other values of barrier" in told
    sloped = tmp_path / "sloped.toml"
    sloped.write_text(ramp.read_text().replace("width = 30.0", "width = 32.0"))
    assert "are of another terrain than the scenario's" in complaint("image", sloped, "-o", tmp_path / "no.png", *words)


def test_lanes_that_share_a_view_show_the_scheme_that_is_asked_for(ramp: Path, tmp_path: Path) -> None:
    assert polhode("ensemble", ramp, "-o", tmp_path / "two", "--paths", "--quiet", *BOTH).status == 0
    told = tomlkit.parse(ramp.read_text())
    told["schemes"] = ["explicit", "implicit"]
    told["view"] = {"layout": "overlay"}
    pictures = []
    for whose in ("explicit", "implicit", "exact"):
        told["export"] = {"results": str(tmp_path / "two"), "whose": whose, "time": 0.0}
        (tmp_path / f"{whose}.toml").write_text(tomlkit.dumps(told))
        said = polhode("image", tmp_path / f"{whose}.toml", "-o", tmp_path / f"{whose}.png", *SMALL)
        if whose == "exact":
            assert (said.status, said.is_told_in_one_line) == (2, True)
            assert "export.whose: expected one of the scenario's schemes, explicit, implicit" in said.err
        else:
            assert said == (0, "", "")
            pictures.append(pixels(tmp_path / f"{whose}.png"))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 25).sum() > 50


def test_what_is_not_there_is_told_in_one_line(ramp: Path, tmp_path: Path) -> None:
    results, empty = ramp.with_name("out"), tmp_path / "empty"
    empty.mkdir()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "summary.json").write_text("{}")
    (broken / "deposits.geojson").write_text("")
    (broken / "paths.geojson").write_text('{"type": "Feature", "properties": {"scheme": "implicit"}}\n')
    for words, sentence in (
        (["--map", "passages"], "--map: expected together with"),
        (["--ensemble", empty], "--ensemble: expected a folder that polhode ensemble has written"),
        (["--ensemble", results, "--map", "depth"], "--map: there is no 'depth'; found deposits, jump_height_max"),
        (["--ensemble", results, "--scheme", "explicit", "--map", "passages"], "found no map of explicit"),
        (["--ensemble", results, "--scheme", "explicit"], "holds no paths of explicit"),
        (["--ensemble", results, "--scheme", "explicit", "--scheme", "exact"], "no paths of explicit or exact"),
        (["--ensemble", broken], "expected a file as polhode ensemble writes it"),
    ):
        assert sentence in complaint("image", ramp, "-o", tmp_path / "no.png", *SMALL, "--duration", "0.1", *words)
    assert not (tmp_path / "no.png").exists()
