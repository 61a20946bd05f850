"""The generated terrains: exact where they promise it, alpine where they do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assets.make import generate
from assets.make.hull_lines import feeder
from physics.bodies.shapes import polyhedron
from physics.hydrostatics.flotation import equilibrium
from physics.hydrostatics.hull import loaded, read_hull
from physics.terrain import terrain as ground
from physics.terrain.dem import read_terrain
from physics.terrain.profiles import alpine, chant_sura, ramp


@pytest.mark.parametrize(("angle", "drop", "width"), [(40.0, 155.0, 200.0), (30.0, 20.0, 50.0), (70.0, 100.0, 80.0)])
def test_ramp_has_its_angle_drop_and_width(angle: float, drop: float, width: float) -> None:
    terrain = ramp(angle, drop, width)
    middle = drop / math.tan(math.radians(angle)) / 2
    assert math.degrees(math.acos(terrain.normal(middle, 0.0)[2])) == pytest.approx(angle, abs=1e-9)
    assert terrain.normal(middle, 0.0)[0] > 0  # descends towards +x
    assert terrain.heights.max() == drop
    assert terrain.height(terrain.extent[1], 0.0) == terrain.heights.min() == 0.0
    assert terrain.extent[2:] == (-width / 2, width / 2)


@pytest.fixture(scope="module")
def slope_of_alpine() -> np.ndarray:
    return np.degrees(alpine().slope())


def test_alpine_is_the_same_every_time() -> None:
    np.random.seed(1)  # noqa: NPY002 (a global state that must not matter)
    assert np.array_equal(alpine().heights, alpine().heights)
    assert not np.array_equal(alpine().heights, alpine(seed=14).heights)


def test_alpine_is_steep_at_the_top_and_gentle_at_the_bottom(slope_of_alpine: np.ndarray) -> None:
    heights = alpine().heights
    assert np.isfinite(heights).all()
    assert 1450 < heights.min() < 1500 < 1850 < heights.max() < 2000
    assert 45 < np.median(slope_of_alpine[:, 88:118]) < 70  # the wall
    assert 31 < np.median(slope_of_alpine[:, 150:220]) < 38  # the scree
    assert np.median(slope_of_alpine[:, 320:450]) < 8  # the meadow


def test_alpine_keeps_a_fall_line_on_the_map() -> None:
    terrain = alpine()
    x0, x1, y0, y1 = terrain.extent
    for start in np.linspace(y0 + 100, y1 - 100, 13):
        place, direction = np.array([230.0, start]), np.array([1.0, 0.0])
        for _ in range(400):  # 2 m each, turning into the slope as a rolling rock does
            direction = direction + 0.5 * terrain.normal(*place)[:2]
            direction /= np.linalg.norm(direction)
            place = place + 2.0 * direction
            if place[0] > 700:
                break
        assert x0 < place[0] < x1
        assert y0 < place[1] < y1
        assert place[0] > 700


def test_the_chant_sura_like_slope_has_the_published_profile_and_says_that_it_is_a_likeness() -> None:
    made, again = chant_sura(), chant_sura()
    assert made.heights.tobytes() == again.heights.tobytes()
    for x, z in [(0, 2380), (50, 2335), (100, 2297), (150, 2270), (200, 2252), (250, 2243), (310, 2232)]:
        assert made.height(x, 0.0) == pytest.approx(z, abs=0.5)
    steep = ground.slope(made.heights, made.cell)
    band = steep[:, 75:95].max(axis=1)  # 35 to 55 m along the fall line
    assert (band > 60.0).all()
    assert max(made.cell) <= 2.0
    assert "likeness, not the site" in made.name
    assert "likeness" in (chant_sura.__doc__ or "")


def test_bundled_alpine_is_the_generated_one() -> None:
    bundled, made = read_terrain(generate.FOLDER / "alpine.tif"), generate.alpine_on_the_map()
    np.testing.assert_allclose(bundled.heights, made.heights, rtol=0, atol=1e-3)
    assert (bundled.origin, bundled.cell, bundled.crs, bundled.notes) == (made.origin, made.cell, "EPSG:2056", ())


def test_bundled_ramp_is_the_generated_one() -> None:
    bundled, made = read_terrain(generate.FOLDER / "ramp.asc"), ramp()
    np.testing.assert_allclose(bundled.heights, made.heights, rtol=0, atol=0.00501)
    assert (bundled.origin, bundled.cell) == (made.origin, made.cell)


def test_generating_again_gives_the_same_bytes(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_of = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        monkeypatch.setattr(generate, "FOLDER", folder)
        monkeypatch.setattr(generate, "HULLS", folder)
        generate.main()
        bytes_of.append([(folder / name).read_bytes() for name in ("alpine.tif", "ramp.asc", "feeder.ply")])
    assert bytes_of[0] == bytes_of[1]


def test_bundled_ship_is_the_generated_one_and_floats_upright() -> None:
    hull, made = read_hull(generate.HULLS / "feeder.ply"), feeder()
    assert len(hull.triangles) == len(made.triangles)
    assert hull.volume == pytest.approx(polyhedron(made.points, made.triangles)[0], rel=1e-6)
    rest = equilibrium(loaded(hull, 9.2558e6, (0.0, 0.0, 8.2)))
    assert (rest.heel, rest.trim, rest.draught) == (
        pytest.approx(0.0, abs=1e-6),
        pytest.approx(0.0, abs=1e-6),
        pytest.approx(6.5, abs=1e-3),
    )
