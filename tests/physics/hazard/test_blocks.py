"""Blocks: a table is an ensemble, a row a rock; what rows leave out is as the scenario says; bad rows are told."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assets
import physics
from physics.hazard.cluster import packed, rocks_of, unpacked
from physics.hazard.ensemble import Ensemble
from physics.hazard.rock_record import unbundled
from physics.systems.world import World
from tests import small

POINTS = "".join(f"{x} {y} {z}\n" for x in (0, 1) for y in (0, 3) for z in (0, 2))
TABLE = """\
id; mass [kg]; L1 [m]; L2 [m]; L3 [m]; shape; file; x; y; z; height; vx; vy; vz; qw; qx; qy; qz; wx; wy; wz
A1; 780; 0,93; 0,93; 0,47; eota; ; 2; 0; ; 1,5; 1; 0; -0,5; ; ; ; ; ; ;
A2; 1200; 1,2; 0,9; 0,6; ; scans/box.pts; 3; 1,5; 40; ; ; ; ; 0,6; 0,8; 0; 0; 0; 0; 3
A3; ; 0,8; 0,7; 0,5; ; ; 2,5; -1; ; ; ; ; ; ; ; ; ; ; ;
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "box.pts").write_text(POINTS)
    (tmp_path / "blocks.csv").write_text(TABLE)
    return tmp_path


def scenario(folder, **changes):
    return small.rock(
        **{
            "duration": 30.0,
            "schemes": ["implicit"],
            "body": {"blocks": "blocks.csv", "shape": "random", "density": 2600.0},
            "terrain": {"profile": "ramp", "drop": 30.0},
            "release": {},
            "initial": {"orientation": "random", "velocity": [0.5, 0.0, 0.0]},
            "ensemble": {"seed": 4, "shapes": "each"},
            "folder": str(folder),
        }
        | changes
    )


def test_a_row_is_a_rock(folder):
    world = World.of(scenario(folder))
    assert world.rocks == 3
    assert world.notes == ()
    first, second, third, again = (world.with_rock(rock) for rock in range(4))
    assert first.body.mass == 780.0
    np.testing.assert_allclose(first.body.extents, [0.93, 0.93, 0.47])
    assert len(first.body.vertices) == 24  # of an EOTA block
    np.testing.assert_array_equal(first.velocity, [1.0, 0.0, -0.5])
    np.testing.assert_allclose(first.position, [2.0, 0.0, world.terrain.height(2.0, 0.0) + 1.5])
    assert second.body.mass == 1200.0
    np.testing.assert_allclose(second.body.extents, [0.6, 1.2, 0.9])  # the longest along the longest of the scan
    np.testing.assert_array_equal(second.position, [3.0, 1.5, 40.0])
    np.testing.assert_allclose(second.orientation, [0.6, 0.8, 0.0, 0.0])
    np.testing.assert_array_equal(second.angular_velocity, [0.0, 0.0, 3.0])
    np.testing.assert_array_equal(second.velocity, [0.5, 0.0, 0.0])  # that of the scenario
    assert third.body.mass / third.body.volume == pytest.approx(2600.0)
    assert third.position[2] == world.terrain.height(2.5, -1.0) + 1.0
    np.testing.assert_array_equal(again.position[:2], first.position[:2])
    assert not np.array_equal(again.orientation, first.orientation)  # it is drawn, by the number of the rock


def test_remarks_in_a_table_of_blocks_are_passed_over(folder):
    plain = World.of(scenario(folder))
    lines = TABLE.splitlines()
    (folder / "blocks.csv").write_text("\n".join(["# measured in May", lines[0], lines[1], "// doubtful:", *lines[2:]]))
    remarked = World.of(scenario(folder))
    assert remarked.rocks == 3
    for rock in range(3):
        np.testing.assert_array_equal(remarked.with_rock(rock).position, plain.with_rock(rock).position)


def test_a_block_falls_alone_on_a_cluster_and_in_the_ensemble_alike(folder, tmp_path_factory):
    asked = scenario(folder)
    ensemble = Ensemble(World.of(asked))
    assert list(ensemble.march(2)) == [1, 2, 3]
    rows = ensemble.results["implicit"].rows.read()
    alone = physics.simulate(asked.changed(**{"ensemble.rock": 1}))["implicit"]
    assert [rows[1].x, rows[1].y, rows[1].z] == alone.position[-1].tolist()
    program = ensemble.identity["version"], ensemble.identity["elementary_functions"]
    bundle, _ = rocks_of(packed(asked), "blocks", program, 0, 3)  # its folder is gone when the rocks fall
    np.testing.assert_array_equal(np.concatenate([record.row for record in unbundled(bundle)]), rows)
    there = unpacked(packed(asked), tmp_path_factory.mktemp("worker"))
    assert World.of(there).body.mass == 780.0


def test_the_files_that_a_table_names_are_those_of_its_ensemble(folder):
    before = Ensemble(World.of(scenario(folder))).identity
    (folder / "scans" / "box.pts").write_text(POINTS.replace("3", "4"))
    assert Ensemble(World.of(scenario(folder))).identity["files"] != before["files"]


def test_places_may_be_those_of_the_scenario(folder):
    (folder / "blocks.csv").write_text("mass,L1,L2,L3,height\n500,0.9,0.7,0.5,\n600,0.9,0.7,0.5,2.5\n")
    line = [[2.0, -10.0], [2.0, 10.0]]
    world = World.of(scenario(folder, release={"line": line, "height": 0.8}))
    for rock, height in enumerate((0.8, 2.5)):
        x, y, z = world.with_rock(rock).position
        assert -10.0 < y < 10.0
        assert z == world.terrain.height(x, y) + height


def test_keys_that_all_rows_replace_are_told(folder):
    (folder / "blocks.csv").write_text("mass,L1,L2,L3,vx,vy,vz\n500,0.9,0.7,0.5,1,0,0\n")
    world = World.of(scenario(folder, release={"velocity": [1.0, 0.0, 0.0]}, initial={}, ensemble={"shapes": "one"}))
    assert world.notes == tuple(
        f"{field} changes nothing: each rock of blocks.csv has its own"
        for field in ("body.density", "release.velocity")
    )
    (folder / "blocks.csv").write_text("mass,L1,L2,L3,shape\n0.5,0.9,0.7,0.5,eota\n")
    (doubt, each) = World.of(scenario(folder, body={"blocks": "blocks.csv"})).notes
    assert doubt.startswith("blocks.csv: line 2: 0.5 kg in a box of 0.315 m³ are 1.59 kg/m³")
    assert each == "ensemble.shapes changes nothing: no rock of blocks.csv has the shape 'random'"


HEAD = "mass,L1,L2,L3,shape,file,x,y,z\n"
GOOD = "500,0.9,0.7,0.5,eota,,2,0,\n"
WRONG = {
    "mass,L1,L2,L3,weight\n1,1,1,1,1\n": "line 1: the column 'weight' is unknown; expected mass, ",
    "mass [t],L1,L2,L3\n1,1,1,1\n": "line 1, mass: expected kg, got 't'",
    "mass,mass,L1,L2,L3\n1,1,1,1,1\n": "line 1: expected one column 'mass'",
    "500,0.9,0.7,0.5\n": "line 1: the column '500' is unknown",
    HEAD: "no blocks; expected a row of each",
    "": "the file is empty; expected blocks",
    HEAD + GOOD + "heavy,0.9,0.7,0.5,eota,,2,0,\n": r"line 3, mass: expected a number \[kg\], got 'heavy'",
    HEAD + "500,0.9,inf,0.5,eota,,2,0,\n": r"line 2, L2: expected a number \[m\], got 'inf'",
    HEAD + "-5,0.9,0.7,0.5,eota,,2,0,\n": "line 2, mass: expected a number above 0, got -5.0",
    HEAD + "500,0.9,,0.5,eota,,2,0,\n": "line 2, L2: missing beside L1, L2, L3",
    HEAD + "500,,,,eota,,2,0,\n": "line 2, L1, L2, L3: missing; the shape 'eota' expects it",
    HEAD + "500,0.9,0,0.5,eota,,2,0,\n": "line 2, L1, L2, L3: expected a number above 0, got 0.0",
    HEAD + "500,0.9,0.7,0.5,potato,,2,0,\n": "line 2, shape: expected one of cuboid, .*, got 'potato'",
    HEAD + "500,0.9,0.7,0.5,disk,,2,0,\n": "line 2, shape: expected one of cuboid, .*, got 'disk'",
    HEAD + "500,0.9,0.7,0.5,cuboid,a.stl,2,0,\n": "line 2, file: not a key of the shape 'cuboid'",
    HEAD + "500,0.9,0.7,0.5,,none.stl,2,0,\n": "line 2, file: .*none.stl: no such file; expected a body",
    HEAD + "500,0.9,0.7,0.5,,../a.stl,2,0,\n": "line 2, file: '../a.stl' leads elsewhere; expected a file in the fol",
    HEAD + "500,0.9,0.7,0.5,,,2,0,\n": r"line 2, shape: missing; expected a column shape or file, or \[body\] shape",
    HEAD + GOOD + "500,0.9,0.7,0.5,eota,,,,\n": "line 3, x: missing; expected a place in each row, or in none",
    HEAD + "500,0.9,0.7,0.5,eota,,2,,\n": "line 2, y: missing beside x, y, z",
    HEAD + "500,0.9,0.7,0.5,eota,,2000,0,\n": r"line 2, x: \(2000, 0\) lies off the map; expected x -20 to",
    HEAD + "500,0.9,0.7,0.5,eota,,2,0,-7\n": r"line 2, z: -7 m at \(2, 0\); expected that of the centre of mass, above",
    HEAD + GOOD.strip() + ",9\n": "line 2: expected at most 9 values, got 10",
    "mass,density,L1,L2,L3,shape\n1,2,1,1,1,eota\n": "line 2: expected mass or density, got both",
    "mass,L1,L2,L3,shape,x,y,z,height\n1,1,1,1,eota,2,0,40,1\n": "line 2, height: expected none beside z",
    "mass,L1,L2,L3,shape,qw,qx,qy,qz\n1,1,1,1,eota,2,0,0,0\n": "line 2, qw: expected a unit quaternion",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_table_is_told_by_line_and_column(folder, text):
    (folder / "blocks.csv").write_text(text)
    with pytest.raises(physics.ScenarioError, match=f"blocks.csv: {WRONG[text]}"):
        World.of(
            scenario(
                folder,
                body={"blocks": "blocks.csv", "density": 2600.0} if "density" not in text else {"blocks": "blocks.csv"},
            )
        )


BESIDE = {
    "release.line": {"release": {"line": [[2.0, -1.0], [2.0, 1.0]]}},
    "initial.position": {"initial": {"position": [2.0, 0.0, 40.0]}},
    "ensemble.mass": {"ensemble": {"mass": {"distribution": "uniform", "min": 1.0, "max": 2.0}}},
    "body.inertia": {"body": {"blocks": "blocks.csv", "inertia": [1.0, 1.0, 1.0]}},
}


@pytest.mark.parametrize("field", BESIDE)
def test_what_a_table_leaves_no_room_for_is_refused(folder, field):
    with pytest.raises(physics.ScenarioError, match=f"{field}: expected none"):
        World.of(scenario(folder, **BESIDE[field]))


def test_a_scenario_with_blocks_is_saved_and_read_again(folder):
    plain = json.loads(json.dumps(scenario(folder).to_plain()))
    assert physics.Scenario(**plain, folder=str(folder)) == scenario(folder)


def test_the_runs_of_tschamut_are_blocks_with_their_own_place_and_velocity():
    asked = physics.load_scenario(assets.SCENARIOS / "rock-tschamut.toml")
    body = {"blocks": "../field/tschamut/blocks.csv", "shape": "random"}
    world = World.of(asked.changed(body=body, release={"height": 0.35}, ensemble={"seed": 1, "shapes": "each"}))
    assert world.rocks == 18
    plate = world.with_rock(0)  # run v020
    assert plate.body.mass == 40.0
    np.testing.assert_allclose(plate.body.extents, [0.46, 0.3, 0.2])
    np.testing.assert_allclose(plate.position[:2], [30.602, 235.28])
    np.testing.assert_allclose(plate.velocity, [-1.267, -0.229, 0.27])
    assert not any("blocks.csv" in note for note in world.notes)


def test_the_heights_of_tschamut_belong_to_the_places_at_which_they_were_interpolated():
    """The places are multiples of 5 m from (-35, 85); the first number of the file is that of the north-western one."""
    terrain = World.of(physics.load_scenario(assets.SCENARIOS / "rock-tschamut.toml")).terrain
    assert terrain.origin == (-35.0, 85.0)
    assert terrain.height(-35.0, 310.0) == pytest.approx(125.494105)
    assert terrain.height(-30.0, 310.0) == pytest.approx(124.126867)
