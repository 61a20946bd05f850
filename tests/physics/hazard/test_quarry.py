"""The quarry of the examples: three meshes with y up, 89 blocks by a table, zones; one scenario, without a script."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assets
from assets.make import quarry
from physics import World, load_scenario
from physics.bodies.mesh_io import read_mesh
from physics.hazard.ensemble import Ensemble

SCENARIO = load_scenario(assets.SCENARIOS / "rock-quarry.toml")


@pytest.fixture(scope="module")
def world():
    return World.of(SCENARIO)


def test_the_files_are_those_that_the_script_writes(tmp_path, monkeypatch):
    known = {path.name: path for path in quarry.HERE.iterdir()}
    monkeypatch.setattr(quarry, "HERE", tmp_path)
    quarry.write()
    assert {path.name for path in tmp_path.iterdir()} == known.keys()
    for name in ("face.stl", "bench.stl", "floor.stl", "scan-a.ply", "scan-b.xyz"):
        np.testing.assert_allclose(read_mesh(tmp_path / name).points, read_mesh(known[name]).points, atol=1e-3)
    assert (tmp_path / "blocks.csv").read_text() == known["blocks.csv"].read_text()
    assert json.loads((tmp_path / "zones.geojson").read_text()) == json.loads(known["zones.geojson"].read_text())


def test_each_row_is_a_rock_where_the_table_puts_it(world):
    rows = [line.split(";") for line in (quarry.HERE / "blocks.csv").read_text().splitlines()[1:]]
    assert world.rocks == len(rows) == 89
    for rock in (0, 1, 40, 41, 88):
        _, mass, *lengths, file, x, y, z, vx, _, vz = rows[rock]
        one = world.with_rock(rock)
        assert one.body.mass == float(mass)
        np.testing.assert_allclose(np.sort(one.body.extents), np.sort(np.array(lengths, float)))
        np.testing.assert_allclose(one.position, [float(x), -float(z), float(y)])
        np.testing.assert_allclose(one.velocity, [float(vx), -float(vz), 0.0])
        assert len(one.body.vertices) == (24 if not file else {"scan-a.ply": 426, "scan-b.xyz": 304}[file])
        corners = one.position[2] + one.body.radius
        assert corners > world.terrain.height(*one.position[:2])


def test_the_ground_is_that_of_the_pieces_with_their_soils(world):
    x, y = np.random.default_rng(2).uniform([-9.0, -24.0], [114.0, 24.0], (200, 2)).T
    exact = quarry.height(x, -y)
    assert np.abs(world.terrain.heights_at(x, y) - exact).max() < 0.6  # triangles of 2.5 m cut the ribs
    kinds, soils = world.cover.soil_map, [soil.preset for soil in world.cover.soils]
    (x0, y0), (dx, dy) = world.terrain.origin, world.terrain.cell
    found = {
        (x, y): soils[kinds[round((y - y0) / dy), round((x - x0) / dx)]]
        for x, y in ((10.0, 0.0), (45.0, 0.0), (80.0, 0.0), (30.0, -8.0))
    }
    assert list(found.values()) == ["extra-hard", "medium-hard", "hard", "medium-soft"]
    assert all(soil.scar.modulus == 5e6 for soil in world.cover.soils)


def test_its_blocks_fall_and_energy_never_rises():
    few = SCENARIO.changed(**{"schemes": ("implicit",), "step": 0.004, "ensemble.rocks": 6})
    ensemble = Ensemble(World.of(few))
    list(ensemble.march(2))
    found = ensemble.results["implicit"]
    assert found.reasons == {"rest": 6}
    assert found.largest_relative_gain <= 1e-9
    assert found.barriers.summary()[0]["share_crossing"] == 1.0
