"""Soils and forests that vary over the map: kinds at nodes, parameters between them, rocks that cross."""

from __future__ import annotations

import math
from itertools import cycle

import numpy as np
import pytest

import physics
from physics.systems.rockfall.ground_cover import lay
from physics.terrain.soil import soil_below, trees_around
from physics.terrain.terrain import Terrain
from tests.small import of_each_family, write_map

FEW = of_each_family("rockfall")  # where the rotation does not matter
EOTA = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
BLOCK = {"shape": "cuboid", "size": [2.0, 2.0, 0.5], "mass": 1000.0}
SCAR = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}
WEST, EAST = ([[x, -1], [x + 20.5, -1], [x + 20.5, 41], [x, 41]] for x in (-1, 19.5))
PLANE = Terrain(np.zeros((41, 41)))


def scenario(schemes=("implicit",), body=BLOCK, **tables):
    return physics.Scenario(
        kind="rockfall",
        duration=tables.pop("duration", 5.0),
        step=tables.pop("step", 0.002),
        schemes=list(schemes),
        body=body,
        terrain=tables.pop("terrain", {"profile": "ramp"}),
        **tables,
    )


LAWS = ("mu_min", "mu_max", "beta", "kappa", "restitution", "drag", "scar_depth", "scar_drag", "scar_layer")


def soil_of(cover, x, y, mass=1000.0):
    law = soil_below(cover.soil_laws(mass, 1.0), 1.0, 1.0, (x, y, 0.0))._asdict()
    return np.array([law[name] for name in LAWS])


def constant(mu):
    return {"mu_min": mu, "mu_max": mu, "beta": 1.0, "kappa": 1.0, "drag": 0.0, "restitution": 0.0}


def test_parameters_are_those_of_the_nodes_and_bilinear_between_them():
    zone = {"polygon": EAST, "preset": "snow", "rigid": True}
    cover = lay(scenario(soil={"preset": "soft", "scar": SCAR, "zone": [zone]}), PLANE)
    assert cover.soil_map.dtype == np.uint8
    np.testing.assert_array_equal(cover.soil_map, (np.arange(41) >= 20).astype(int) * np.ones((41, 1)))
    soft, snow = soil_of(cover, 3.0, 7.0), soil_of(cover, 33.0, 7.0)
    np.testing.assert_allclose(soft[:6], [0.25, 2.0, 100.0, 1.25, 0.0, 0.8])
    np.testing.assert_allclose(snow, [0.1, 0.35, 150.0, 2.0, 0.0, 0.7, 0.0, 0.0, 0.0])
    assert soft[6] > 0 < soft[7]
    for x in (19.0, 19.25, 19.9, 20.0):
        np.testing.assert_allclose(soil_of(cover, x, 11.3), soft + (x - 19.0) * (snow - soft), rtol=1e-12)
    corner = lay(
        scenario(soil={"zone": [{"polygon": [[-1, -1], [9.5, -1], [9.5, 9.5], [-1, 9.5]], "mu_min": 1.55}]}), PLANE
    )
    assert soil_of(corner, 9.25, 9.5)[0] == pytest.approx(0.55 + 0.75 * 0.5)


def test_a_zone_takes_the_rest_from_the_table_and_friction_and_drag_from_its_preset():
    base = {"mu_min": 0.4, "mu_max": 0.9, "kappa": 7.0, "scar": SCAR}
    zones = [{"polygon": WEST, "mu_max": 0.5}, {"polygon": EAST, "preset": "extra-hard", "rigid": True}]
    cover = lay(scenario(soil=base | {"zone": zones}), PLANE)
    west, east = (cover.soils[cover.soil_map[5, i]] for i in (5, 35))
    assert (west.mu_min, west.mu_max, west.kappa, west.scar.modulus) == (0.4, 0.5, 7.0, 15e6)
    assert (east.mu_min, east.mu_max, east.kappa, east.scar) == (0.8, 2.0, 4.0, None)
    ended = "mu_min, mu_max, kappa of [soil] not in zones and pieces with a preset that has its own, or cannot use it"
    assert cover.notes == (ended,)


def test_the_scar_of_the_table_acts_under_a_preset_which_names_none_and_that_is_told():
    other = SCAR | {"modulus": 5e6}
    zones = [{"polygon": WEST, "preset": "snow"}, {"polygon": EAST, "preset": "extra-hard", "scar": other}]
    cover = lay(scenario(soil={"mu_min": 0.4, "scar": SCAR, "zone": zones}), PLANE)
    west, east = (cover.soils[cover.soil_map[5, i]] for i in (5, 35))
    assert (west.mu_min, west.scar.modulus) == (0.1, SCAR["modulus"])
    assert east.scar.modulus == 5e6
    assert cover.notes == (
        "scar of [soil] also in zones and pieces with a preset, which gives friction and drag alone",
        "rigid = true keeps the scar of [soil] out of a zone or a piece",
        "mu_min of [soil] not in zones and pieces with a preset that has its own, or cannot use it",
    )
    with pytest.raises(physics.ScenarioError, match=r"soil\.zone\.0\.scar: expected none beside rigid"):
        scenario(soil={"zone": [zones[1] | {"rigid": True}]})


def written(folder, grids: dict[str, list[str]]) -> dict[str, str]:
    """The names of files of grids: cells 20 m wide, rows from the north, from 0.5 m west and south of the map."""
    for key, rows in grids.items():
        write_map(folder / f"{key}.asc", np.array([row.split() for row in rows], float), 20.0, (-0.5, -0.5))
    return {key: f"{key}.asc" for key in grids}


def gridded(folder, grids: dict[str, list[str]], **soil):
    """A scenario with grids of its soil."""
    return scenario(soil={"mu_min": 0.7, "zone": [SNOW]} | written(folder, grids) | soil, folder=str(folder))


SNOW = {"polygon": [[30, 30], [39, 30], [39, 39], [30, 39]], "preset": "snow"}


def test_soil_types_of_a_grid_lie_below_zones(tmp_path):
    cover = lay(gridded(tmp_path, {"types": ["6 0", "-9999 3"]}), PLANE)
    kinds = [cover.soils[cover.soil_map[y, x]] for x, y in ((5, 5), (25, 5), (5, 25), (25, 25), (35, 35), (40, 40))]
    assert [kind.preset for kind in kinds] == [None, "medium-hard", "extra-hard", "extra-soft", "snow", None]
    assert [kind.mu_min for kind in kinds] == [0.7, 0.4, 0.8, 0.2, 0.1, 0.7]
    assert (cover.soil_map[:20, 20] == cover.soil_map[5, 25]).all()  # of the cell around a node


def test_roughness_is_the_weighted_mean_of_its_grids_beside_types(tmp_path):
    rows = {"rg70": ["0.1 0", "0.5 -9999"], "rg20": ["0.2 0", "1.0 0.3"], "rg10": ["0.4 0", "2.0 0.3"]}
    for more, presets in ({}, [None] * 4), ({"types": ["6 -9999", "4 3"]}, ["extra-hard", None, "hard", "medium-hard"]):
        cover = lay(gridded(tmp_path, rows | more, roughness=0.01), PLANE)
        kinds = [cover.soils[cover.soil_map[y, x]] for x, y in ((5, 25), (25, 25), (5, 5), (25, 5))]
        assert [kind.roughness for kind in kinds] == pytest.approx([0.15, 0.0, 0.75, 0.01], abs=1e-12)
        assert [kind.preset for kind in kinds] == presets


def test_grids_are_bumps_where_their_length_is_given(tmp_path):
    rows = {"rg70": ["0.1 0", "0.5 -9999"], "rg10": ["0.4 0", "2.0 0.3"]}
    cover = lay(gridded(tmp_path, rows, bump_length=0.5), PLANE)
    kinds = [cover.soils[cover.soil_map[y, x]] for x, y in ((5, 25), (25, 25), (5, 5), (25, 5))]
    assert [kind.bumps for kind in kinds] == pytest.approx([0.11, 0.0, 0.55, 0.0], abs=1e-12)
    assert {kind.roughness for kind in kinds} == {0.0}
    with pytest.raises(physics.ScenarioError, match=r"rg70\.asc: expected roughness of 0 to 10 m, got 12"):
        lay(gridded(tmp_path, {"rg70": ["0 0", "0 12"]}, bump_length=0.5), PLANE)


def test_a_grid_of_roughness_that_is_not_given_counts_as_0(tmp_path):
    cover = lay(gridded(tmp_path, {"rg20": ["1 1", "1 1"]}, preset="hard", laws="recommended"), PLANE)
    assert cover.soils[cover.soil_map[5, 5]].roughness == 0.2


@pytest.mark.parametrize(
    ("key", "row", "why"),
    [
        ("types", "8 3", "expected soil types 0 to 7, got 8"),
        ("types", "2.5 3", "expected soil types 0 to 7, got 2.5"),
        ("rg70", "-0.1 0.2", "expected roughness of 0 to 100 m, got -0.1"),
        ("rg10", "0.1 120", "expected roughness of 0 to 100 m, got 120"),
    ],
)
def test_a_wrong_value_of_a_grid_is_one_sentence(tmp_path, key, row, why):
    with pytest.raises(physics.ScenarioError, match=rf"{key}.asc: {why}"):
        lay(gridded(tmp_path, {key: ["0 0", row]}), PLANE)


def test_a_grid_of_roughness_off_the_map_or_with_too_many_values_is_refused(tmp_path):
    rough = gridded(tmp_path, {"rg70": ["0 0.1", "0.2 0.3"]})
    away = (tmp_path / "rg70.asc").read_text().replace("xllcorner -0.5", "xllcorner 500")
    (tmp_path / "rg70.asc").write_text(away, encoding="utf-8")
    with pytest.raises(physics.ScenarioError, match=r"rg70\.asc: no roughness on the map"):
        lay(rough, PLANE)
    many = "ncols 41\nnrows 31\nxllcorner 0\nyllcorner 0\ncellsize 1\n" + " ".join(f"{0.01 * n}" for n in range(1271))
    (tmp_path / "rg70.asc").write_text(many, encoding="utf-8")
    with pytest.raises(physics.ScenarioError, match=r"soil\.rg70: more than 256 kinds that differ"):
        lay(rough, PLANE)


def grown(folder, grids: dict[str, list[str]], **forest):
    """The stems of a forest with grids: x, y, radius [m] and ratio of the fracture energy."""
    rows = lay(scenario(forest=forest | written(folder, grids), folder=str(folder)), PLANE).stems[0]
    return rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 5] / (38.7 * (200.0 * rows[:, 2]) ** 2.31)


def test_grids_of_a_forest_say_how_many_trees_how_thick_and_which(tmp_path):
    grids = {"nrtrees": ["8000 0", "-9999 4000"], "dbhmean": ["20 0", "-9999 50"], "dbhstd": ["0 0", "0 5"]}
    grids["conif_percent"] = ["100 0", "-9999 25"]
    found = grown(tmp_path, grids, stems=2000.0, dbh=30.0, species="fir")
    x, y, radius, ratio = (column[(found[0] < 39.5) & (found[1] < 39.5)] for column in found)  # where the grids end
    nw, ne, sw, se = (((x > 19.5) == east) & ((y > 19.5) == north) for north in (True, False) for east in (False, True))
    for here, expected in (nw, 0.8 * 19.5 * 20.0), (ne, 0.0), (sw, 0.2 * 19.5**2), (se, 0.4 * 20.0 * 19.5):
        assert np.count_nonzero(here) == pytest.approx(expected, abs=5.0 * math.sqrt(expected))
    assert np.unique(radius[nw]).tolist() == [0.1]
    assert np.unique(radius[sw]).tolist() == [0.15]
    assert radius[se].mean() == pytest.approx(0.25, abs=5.0 * 0.025 / math.sqrt(np.count_nonzero(se)))
    assert radius[se].std() == pytest.approx(0.025, rel=0.3)
    np.testing.assert_allclose(ratio[nw], 0.93)
    np.testing.assert_allclose(ratio[sw], 1.0)
    conifers = np.isclose(ratio[se], 0.93)
    np.testing.assert_allclose(ratio[se][~conifers], 1.59)
    assert conifers.mean() == pytest.approx(0.25, abs=5.0 * math.sqrt(0.25 * 0.75 / len(conifers)))


def test_a_grid_of_one_number_grows_a_forest_as_dense_as_its_table(tmp_path):
    counts = [len(grown(tmp_path, {"nrtrees": ["5000 5000"] * 2}, seed=seed)[0]) for seed in range(20)]
    assert np.mean(counts) == pytest.approx(800.0, abs=5.0 * math.sqrt(800.0 / 20))


def test_a_zone_has_the_trees_of_the_grid_unless_it_gives_stems(tmp_path):
    zone = {"polygon": EAST, "drag": 300.0, "height": 20.0}
    for own, wooded in ({}, True), ({"stems": 0.0}, False):
        x, *_ = grown(tmp_path, {"nrtrees": ["8000 8000"] * 2}, stems=50.0, zone=[zone | own])
        assert np.count_nonzero(x < 19.5) > 500
        assert (np.count_nonzero(x > 19.5) > 500) == wooded


@pytest.mark.parametrize(
    ("key", "row", "why"),
    [
        ("nrtrees", "-1 0", "expected values of 0 to 8999, got -1"),
        ("nrtrees", "12000 0", "expected values of 0 to 8999, got 12000"),
        ("dbhmean", "20 301", "expected values of 0 to 300, got 301"),
        ("conif_percent", "20 101", "expected values of 0 to 100, got 101"),
    ],
)
def test_a_wrong_value_of_a_grid_of_a_forest_is_one_sentence(tmp_path, key, row, why):
    with pytest.raises(physics.ScenarioError, match=rf"{key}.asc: {why}"):
        grown(tmp_path, {"nrtrees": ["9 9", "9 9"], key: ["9 9", row]})


def test_more_wood_than_ground_is_refused_in_grids_and_tables_too(tmp_path):
    with pytest.raises(physics.ScenarioError, match=r"nrtrees\.asc: 8999 a hectare with a dbh of 141 cm cover 140.5%"):
        grown(tmp_path, {"nrtrees": ["0 8999"] * 2, "dbhmean": ["10 141"] * 2})
    rows = "".join(f"{x},{y},250\n" for x in range(1, 20, 3) for y in range(1, 20, 3))  # 25 cm, in millimetres
    (tmp_path / "trees.csv").write_text("x,y,dbh\n" + rows, encoding="utf-8")
    with pytest.raises(physics.ScenarioError, match=r"trees\.csv: around \(10, 10\): 1225 a hectare .* cover 60.1%"):
        lay(scenario(forest={"trees": "trees.csv"}, folder=str(tmp_path)), PLANE)


def test_grids_of_a_forest_off_the_map_or_without_trees_are_refused(tmp_path):
    with pytest.raises(physics.ScenarioError, match=r"forest\.dbhmean: needs nrtrees"):
        grown(tmp_path, {"dbhmean": ["9 9"]}, stems=100.0)
    write_map(tmp_path / "nrtrees.asc", np.ones((2, 2)), 20.0, (500.0, 0.0))
    with pytest.raises(physics.ScenarioError, match=r"nrtrees\.asc: the grid lies off the map; expected x"):
        lay(scenario(forest={"nrtrees": "nrtrees.asc"}, folder=str(tmp_path)), PLANE)


def test_a_forest_in_a_polygon_and_a_clearing_in_a_forest():
    wood = lay(scenario(forest={"zone": [{"polygon": EAST, "drag": 500.0, "height": 30.0}]}), PLANE)
    forest = wood.forest_laws(1000.0, float(PLANE.heights.max()))
    assert forest[1] == 30.0
    for place, nu in [
        ((30, 5, 29.9), 0.5),
        ((30, 5, 30.1), 0),
        ((5, 5, 1), 0),
        ((19.5, 5, 14), 0.25),
        ((19.5, 5, 16), 0),
    ]:
        assert trees_around(*forest, PLANE.heights, 1.0, 1.0, place)[0] == pytest.approx(nu)
    table = {
        "drag": 500.0,
        "height": 30.0,
        "rotational_drag": [1.0, 2.0, 3.0],
        "zone": [{"polygon": EAST, "drag": 0.0}],
    }
    clearing = lay(scenario(forest=table), PLANE).forest_laws(1000.0, float(PLANE.heights.max()))
    assert trees_around(*clearing, PLANE.heights, 1.0, 1.0, (5, 5, 1)) == (0.5, (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    assert trees_around(*clearing, PLANE.heights, 1.0, 1.0, (35, 5, 1)) == (0.0, (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("scheme", FEW)
def test_a_block_brakes_with_the_friction_below_it(scheme, tmp_path):
    """The plane gives v' = -μ1 g, between the nodes at the border -(μ1 + (μ2 - μ1)(x - x1)/dx) g, and then -μ2 g."""
    g, first, second = 9.81, 0.1, 0.4
    path = tmp_path / "flat.asc"
    path.write_text("ncols 61\nnrows 41\nxllcenter 0\nyllcenter 0\ncellsize 1\n" + ("0 " * 61 + "\n") * 41)
    found = physics.simulate(
        scenario(
            [scheme],
            duration=6.0,
            terrain={"file": str(path)},
            soil=constant(first)
            | {"zone": [{"polygon": [[30.5, -1], [70, -1], [70, 50], [30.5, 50]], **constant(second)}]},
            initial={"velocity": [10, 0, 0]},
            release={"position": [20, 20], "height": 0.25},
        )
    )[scheme]
    x, v = found.position[:, 0], found.velocity[:, 0]
    mean_x, a = 0.5 * (x[1:] + x[:-1]), np.diff(v) / 0.002
    moving = (v[1:] > 0.2) & (found.time[1:] > 0.1)
    mu = np.interp(mean_x, [30.0, 31.0], [first, second])
    np.testing.assert_allclose(a[moving], -g * mu[moving], rtol=2e-3)
    assert moving[mean_x < 30].any()
    assert moving[mean_x > 31].any()
    # v² = v0² - 2 g ∫ μ dx: where it stops
    gone = 10.0 * first + 0.5 * (first + second)
    end = 31.0 + (10.0**2 / (2 * g) - gone) / second
    assert x[-1] == pytest.approx(end, abs=0.03)
    assert found.events[-1].kind == "rest"


@pytest.mark.parametrize("scheme", FEW)
def test_a_zone_that_a_rock_never_meets_changes_no_byte(scheme):
    laws = {"preset": "hard", "scar": SCAR}
    aside = {"zone": [{"polygon": [[-30, -110], [700, -110], [700, -80], [-30, -80]], "preset": "snow"}]}
    wood = {"zone": [{"polygon": aside["zone"][0]["polygon"], "drag": 500.0, "height": 9.0, "rotational_drag": 90.0}]}
    runs = [
        physics.simulate(
            scenario(
                [scheme],
                body=EOTA,
                duration=20.0,
                soil=laws | soil,
                forest=forest,
                initial={"orientation": "random", "velocity": [3, 0, 0]},
                release={"position": [1, 0]},
            )
        )[scheme]
        for soil, forest in (({}, {}), (aside, wood))
    ]
    assert runs[0].position.tobytes() == runs[1].position.tobytes()
    assert np.ptp(runs[0].position[:, 0]) > 5.0


@pytest.mark.parametrize("terrain", ["ramp", "alpine"])
@pytest.mark.parametrize("scheme", FEW)
def test_energy_never_rises_across_soils_and_forests(scheme, terrain):
    trees = {"drag": 300.0, "height": 20.0, "rotational_drag": 60.0}
    soils = cycle([{"preset": "snow"}, {"scar": SCAR}, {"mu_min": 0.3}, {"scar": SCAR}])
    strips = [[[x, -500], [x + 5, -500], [x + 5, 1500], [x, 1500]] for x in range(0, 400, 5)]
    found = physics.simulate(
        scenario(
            [scheme],
            body=EOTA,
            duration=60.0,
            terrain={"profile": terrain},
            soil={"preset": "medium", "zone": [{"polygon": p} | s for p, s in zip(strips, soils, strict=False)]},
            forest={"zone": [{"polygon": p} | trees for p in strips[::3]]},
            initial={"orientation": "random", "velocity": [3, 0, 0]},
            ensemble={"seed": 5},
            **({"release": {"position": [1, 0]}} if terrain == "ramp" else {}),
        )
    )[scheme]
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert np.ptp(found.position[:, 0]) > 20.0


def zone(polygon=EAST, **laws):
    return {"zone": [{"polygon": polygon, **laws}]}


WRONG = {
    "unknown key": (zone(mu_mim=1.0), r"mu_mim: unknown key; did you mean 'mu_min'"),
    "unknown soil": (zone(preset="snwo"), r"preset: 'snwo' is not a soil; did you mean 'snow'"),
    "no polygon": ({"zone": [{"preset": "snow"}]}, r"polygon: missing"),
    "a line": (zone([[0, 0], [1, 1]], preset="snow"), r"polygon: expected at least 3 values, got 2"),
    "no area": (zone([[0, 0], [1, 1], [2, 2]], preset="snow"), r"polygon: the polygon has no area"),
    "off the map": (zone([[90, 90], [99, 90], [90, 99]], preset="snow"), r"polygon: lies off the map; expected x 0 to"),
    "order": ({"mu_min": 0.5, "mu_max": 0.6, **zone(mu_max=0.4)}, r"mu_max: expected at least mu_min = 0\.5"),
    "nan": (zone([[0, 0], [math.nan, 1], [2, 2]], preset="snow"), r"polygon\.1\.0: expected a finite"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_zones_are_one_sentence(name):
    soil, sentence = WRONG[name]
    with pytest.raises(physics.ScenarioError, match=r"soil\.zone\.0\." + sentence) as error:
        lay(scenario(soil=soil), PLANE)
    assert "\n" not in str(error.value)


def test_a_forest_zone_without_height_is_refused():
    with pytest.raises(physics.ScenarioError, match=r"forest\.zone\.0\.height: missing"):
        lay(scenario(forest={"zone": [{"polygon": EAST, "drag": 100.0}]}), PLANE)


def test_more_kinds_than_a_map_tells_apart_are_refused():
    zones = [{"polygon": EAST, "kappa": 10.0 + n} for n in range(256)]
    with pytest.raises(physics.ScenarioError, match=r"soil\.zone\.255: more than 256 kinds that differ"):
        lay(scenario(soil={"zone": zones}), PLANE)


def test_overlaps_and_crossed_polygons_are_repaired_and_told():
    band, bow = [[15, 0], [25, 0], [25, 40.5], [15, 40.5]], [[0, 0], [10, 10], [10, 0], [0, 10]]
    zones = [{"polygon": p, "preset": name} for p, name in ((EAST, "snow"), (band, "hard"), (bow, "soft"))]
    cover = lay(scenario(soil={"zone": zones}), PLANE)
    presets = np.array([soil.preset for soil in cover.soils])[cover.soil_map]
    assert (presets[5, 22], presets[5, 30], presets[5, 2], presets[8, 5]) == ("hard", "snow", "soft", None)
    assert any("crosses itself was repaired" in note for note in cover.notes)
    assert any("overlap on" in note and "the later wins" in note for note in cover.notes)
