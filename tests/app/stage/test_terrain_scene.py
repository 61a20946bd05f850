"""Maps lie on their own cells, colours mean what their bars say, and the camera stays where one wants it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import pyvista as pv
import rasterio

from app.playback.run import Run
from app.stage import Stage
from app.stage.bodies.trails import Path as PathOf
from app.stage.camera.rig import HALF
from app.stage.ground import layers as terrain_layers
from app.stage.ground.marks import QUANTITIES, BarrierActor, StemActor, StemMarks, ZoneActor
from app.stage.overlays.contact_marks import ContactMarks
from app.stage.overlays.insets import CloseUp
from app.stage.overlays.overlays import Overlays
from app.stage.text.colour_map import Bar, colour_table
from app.stage.text.labels import projected
from physics import SCHEMES, ScenarioError
from physics.analysis.contact_points import touch
from physics.core.rotation import apply, matrix
from physics.scenario.camera_modes import CAMERA_MODES
from physics.terrain.terrain import Terrain
from tests.app.staging import FALL, example, finished, picture, stage_of
from tests.small import cuboid

pytestmark = [pytest.mark.picture, pytest.mark.usefixtures("brief_search")]

BARE = ("rocks",)  # overlays that hide nothing of the ground


def show_paths(stage: Stage, given, colour: str = "energy", rested=None) -> None:
    """Paths of many rocks by scheme, and no map; None: no paths either."""
    land = stage.land
    land.show_results(None if given is None else land.path_geometry(given, colour, rested or {}), None)
    stage.show(stage.time)


def show_map(stage: Stage, title: str, unit: str, maps) -> None:
    """Maps by scheme, and no paths; None: no map either."""
    stage.land.show_results(None, None if maps is None else stage.land.painted(title, unit, maps))
    stage.show(stage.time)


@pytest.fixture
def stage(fall: Run, plotter: pv.Plotter) -> Stage:
    return stage_of(fall, plotter, layout="overlay", overlays=BARE)


def node(stage: Stage, j: int, i: int) -> np.ndarray:
    """A node of the terrain in the coordinates of the stage."""
    terrain = stage.land.ground.terrain
    x, y = terrain.origin[0] + i * terrain.cell[0], terrain.origin[1] + j * terrain.cell[1]
    return np.array([x, y, terrain.heights[j, i]])


def paths(stage: Stage, rocks: int = 30, points: int = 40) -> SimpleNamespace:
    """Straight lines down the ramp, side by side, one a rock, numbered from 100."""
    x0, _, y0, y1 = stage.describe().world.terrain.extent
    x = np.tile(np.linspace(5.0, 40.0, points), rocks)
    y = np.repeat((y1 - y0) / 2 + np.linspace(-6.0, 6.0, rocks), points)
    z = stage.describe().world.terrain.heights_at(x + x0, y + y0) + 0.5
    values = np.random.default_rng(2).uniform(0.0, 10.0, (rocks * points, 4))
    return SimpleNamespace(
        rock=100 + np.arange(rocks),
        offsets=points * np.arange(rocks + 1),
        points=np.stack([x, y, z], axis=1).astype(np.float32),
        values=values.astype(np.float32),
    )


# ---- tiles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("camera", ["top", "front", "side"])
def test_axis_cameras_show_all_of_a_map_that_the_way_spans(plotter: pv.Plotter, camera: str) -> None:
    run = finished(example("rock-ramp", schemes=("implicit",)))
    stage = stage_of(run, plotter, camera=camera)
    x0, x1, y0, y1 = stage.land.ground.terrain.extent
    corners = [(x, y, stage.land.ground.terrain.height(x, y)) for x in (x0, x1) for y in (y0, y1)]
    pixels, _ = projected(plotter.renderers[0], np.array(corners))
    assert (pixels > 0).all()
    assert (pixels < (320, 200)).all()
    assert np.ptp(pixels, axis=0).max() > 0.3 * 200


def test_the_camera_along_the_slope_sees_the_way_over_the_edge_of_a_wall(plotter: pv.Plotter) -> None:
    scenario = example("rock-alpine", schemes=("implicit",), duration=20.0)
    stage = stage_of(finished(scenario), plotter, camera="slope", overlays=())
    eye, _ = stage.describe().rig.eye(0)
    way = stage.describe().tracks[0].positions(np.linspace(0.0, 20.0, 60))
    assert stage.land.hidden(eye, way).mean() < 0.15


def test_the_camera_that_rides_keeps_the_rock_in_sight_down_a_wall(plotter: pv.Plotter) -> None:
    scenario = example("rock-alpine", duration=10.0)
    stage = stage_of(finished(scenario), plotter, camera="ride", overlays=())
    for time in np.linspace(0.5, 9.5, 10):
        stage.show(float(time))
        for view, track in enumerate(stage.describe().tracks):
            (u, v), _ = (part[0] for part in projected(plotter.renderers[view], track.pose(time).place[None]))
            assert 0.1 * 160 < u < 0.9 * 160
            assert 0.1 * 200 < v < 0.9 * 200


def test_from_above_one_sees_a_map_without_perspective_and_with_north_up(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter, camera="top")
    stage.show(0.0)
    renderer, (x0, x1, y0, y1) = plotter.renderers[1], stage.land.ground.terrain.extent
    x, y = (x0 + x1) / 2 + 5.0, (y0 + y1) / 2 - 3.0
    points = np.array([(x, y, 0.0), (x, y, 40.0), (x + 4.0, y, 0.0), (x, y + 4.0, 30.0)])
    (foot, top, east, north), _ = projected(renderer, points)
    np.testing.assert_allclose(top, foot, atol=0.01)
    pixels = (east - foot)[0]
    np.testing.assert_allclose(east - foot, (pixels, 0.0), atol=0.01)
    np.testing.assert_allclose(north - foot, (0.0, pixels), atol=0.01)
    assert pixels > 1.0
    per_pixel = 2 * HALF * stage.viewpoint.distance / min(renderer.GetSize())  # as the bar of the compass has it
    assert pixels * per_pixel == pytest.approx(4.0, rel=1e-6)
    above, aside = stage.viewpoint, []
    for parallel in (0.0, 0.4, 0.99):  # on the way there what is at the focus keeps its size
        stage.look(replace(above, parallel=parallel))
        ends = above.focus + np.array([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 0.0, 40.0)])
        (start, end, higher), _ = projected(renderer, ends)
        assert (end - start)[0] * per_pixel == pytest.approx(4.0, rel=1e-3)
        aside.append((higher - end)[0])
    assert aside[0] > 5 * aside[1] > 25 * aside[2] > 0.0
    assert picture(stage, plotter, 0.0).std() > 5


# ---- what is laid over the ground ----------------------------------------------------------------------


def test_a_map_colours_its_own_cell_and_no_other(stage: Stage, plotter: pv.Plotter) -> None:
    stage.set_camera("top")
    bare = picture(stage, plotter, 0.0)
    ny, nx = stage.land.ground.terrain.heights.shape
    j, i = ny // 2, int(30.0 / stage.land.ground.terrain.cell[0])
    values = np.zeros((ny, nx))
    show_map(stage, "energy", "J", {"implicit": values})
    before = picture(stage, plotter, 0.0)
    values[j, i] = 5.0
    show_map(stage, "energy", "J", {"implicit": values})
    after = picture(stage, plotter, 0.0)
    rows, columns = np.nonzero(np.abs(after - before).max(axis=2) > 24)
    pixel, _ = projected(plotter.renderers[0], node(stage, j, i)[None])
    wide = projected(plotter.renderers[0], np.array([node(stage, j, i), node(stage, j, i + 1)]))[0][:, 0]
    reach = max(2.0, 1.6 * abs(wide[1] - wide[0]))
    assert len(rows)
    assert np.abs(columns - pixel[0, 0]).max() <= reach
    assert np.abs(after.shape[0] - 1 - rows - pixel[0, 1]).max() <= reach
    show_map(stage, "energy", "J", None)
    np.testing.assert_array_equal(picture(stage, plotter, 0.0), bare)


def test_slope_and_aspect_of_a_plane_are_those_of_the_plane() -> None:
    x = np.tile(np.arange(30.0), (20, 1))
    plane = Terrain(100.0 - x * np.tan(np.radians(30.0)), (0.0, 0.0), (1.0, 1.0))
    slope, aspect = terrain_layers.ground("slope", plane), terrain_layers.ground("aspect", plane)
    half = colour_table("cividis")[int(256 * 30 / 60)]
    assert np.abs(slope.picture[..., :3].astype(int) - half).max() <= 2
    assert [text for _, text in aspect.bar.labels()] == list("NESWN")
    east = colour_table("twilight")[int(256 * 90 / 360)]
    assert np.abs(aspect.picture[..., :3].astype(int) - east).max() <= 3
    assert terrain_layers.ground("natural", plane) is None


def written(path: Path, bands: np.ndarray, west: float, north: float, cell: float, **how) -> Path:
    count, height, width = bands.shape
    how = {"crs": "EPSG:2056", "transform": rasterio.Affine(cell, 0, west, 0, -cell, north)} | how
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a file that tells no place, as one of the tests wants it
        with rasterio.open(
            path, "w", driver="GTiff", width=width, height=height, count=count, dtype=bands.dtype, **how
        ) as file:
            file.write(bands)
    return path


HERE = Terrain(np.zeros((41, 61)), (2600000.0, 1200000.0), (5.0, 5.0), "EPSG:2056")


def test_a_draped_photo_lies_where_its_file_says(tmp_path: Path) -> None:
    bands = np.zeros((3, 50, 80), np.uint8)
    bands[0, 10:12, 20:22] = 255  # 20 m from the west, 10 m from the north of a photo of 1 m
    file = written(tmp_path / "photo.tif", bands, 2600100.0, 1200150.0, 1.0)
    drape = terrain_layers.draped(file, HERE)
    h, w = drape.picture.shape[:2]
    j, i = np.nonzero((drape.picture[..., 0] > 200) & (drape.picture[..., 3] > 0))
    assert i.mean() / (w - 1) * 300 == pytest.approx(121.0, abs=0.4)
    assert j.mean() / (h - 1) * 200 == pytest.approx(139.0, abs=0.4)
    seen = drape.picture[..., 3] > 0
    assert seen.mean() == pytest.approx(50 * 80 / (300 * 200), rel=0.05)


def test_a_photo_in_another_system_is_projected(tmp_path: Path) -> None:
    bands = np.full((3, 400, 400), 200, np.uint8)
    file = written(tmp_path / "wide.tif", bands, 810000.0, 5955000.0, 100.0, crs="EPSG:3857")
    drape = terrain_layers.draped(file, HERE)
    assert (drape.picture[..., 3] > 0).all()
    assert np.abs(drape.picture[..., :3].astype(int) - 200).max() <= 1


def test_a_single_band_gets_colours_and_a_bar(tmp_path: Path) -> None:
    values = np.linspace(3.0, 8.0, 60 * 40, dtype=np.float32).reshape(1, 40, 60)
    values[0, 0, 0] = -9999.0
    file = written(tmp_path / "depth.tif", values, 2600000.0, 1200200.0, 5.0, nodata=-9999.0)
    drape = terrain_layers.draped(file, HERE)
    assert (drape.bar.title, round(drape.bar.low), round(drape.bar.high)) == ("depth", 3, 8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"west": 2700000.0}, "does not cover"),
        ({"bands": 2}, "expected 1, 3 or 4 bands, found 2"),
        ({"crs": None, "transform": None}, "has no coordinates"),
    ],
)
def test_a_drape_that_does_not_fit_is_named(tmp_path: Path, change: dict, message: str) -> None:
    bands = np.zeros((change.pop("bands", 3), 40, 60), np.uint8)
    file = written(tmp_path / "photo.tif", bands, change.pop("west", 2600000.0), 1200200.0, 5.0, **change)
    with pytest.raises(ScenarioError, match=message) as caught:
        terrain_layers.draped(file, HERE)
    assert caught.value.field == "view.drape"


def test_a_damaged_or_missing_drape_is_a_fault_of_the_stage(plotter: pv.Plotter, tmp_path: Path) -> None:
    (tmp_path / "broken.tif").write_bytes(b"II*\0 nothing")
    for name, words in (("broken.tif", "not a readable picture"), ("none.tif", "no such file")):
        run = finished(FALL.changed(duration=0.1, **{"view.drape": str(tmp_path / name)}))
        stage = stage_of(run, plotter)
        assert words in str(stage.fault)
        stage.close()


def test_exaggeration_moves_everything_in_the_picture_alike(plotter: pv.Plotter) -> None:
    run = finished(FALL.changed(duration=1.0, **{"view.exaggeration": 2.0}))
    stage = stage_of(run, plotter, camera="front", layout="overlay")
    renderer = plotter.renderers[0]
    stage.show(0.5)
    centre = stage.viewpoint.focus / (1.0, 1.0, 2.0)
    ends = np.array([[0.0, 0.0, -5.0], [0.0, 0.0, 5.0], [-10.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    pixels, _ = projected(renderer, centre + ends)
    high, wide = pixels[1, 1] - pixels[0, 1], pixels[3, 0] - pixels[2, 0]
    assert high / wide == pytest.approx(1.0, rel=0.02)  # 10 m up as long as 20 m across
    assert any(
        "heights drawn 2 times larger" in piece.text
        for piece in stage.describe().captions.legend([stage.describe().tracks[0].pose(0.5)], stage.overlays, 0.0)
    )
    eye, _ = stage.describe().rig.eye(0)
    assert stage.land.ground.above(eye[None])[0] > 0


# ---- zones ---------------------------------------------------------------------------------------------


def test_zones_lie_on_the_ground_and_their_names_are_clear_of_heights(plotter: pv.Plotter) -> None:
    west, east = ([[a, -5.0], [b, -5.0], [b, 5.0], [a, 5.0]] for a, b in ((-12.0, 4.0), (1.0, 10.0)))
    off = [[-15.0, -130.0], [15.0, -130.0], [15.0, -80.0], [-15.0, -80.0]]  # the map ends at y = -100
    zones = [{"polygon": west, "preset": "medium-hard"}, {"polygon": east, "mu_min": 0.3}]
    forest = {"zone": [{"polygon": east, "preset": "dense"}, {"polygon": off, "preset": "open"}]}
    run = finished(FALL.changed(duration=0.5, soil={"zone": zones}, forest=forest))
    stage = stage_of(run, plotter, camera="top", layout="overlay", overlays=("grid", "zones"))
    stage.show(0.0)
    (actor,) = (part for _, part in stage.describe().parts if isinstance(part, ZoneActor))
    ground = stage.land.ground.terrain
    assert actor.names == ["Medium hard", "μ 0.3", "Dense", "Open"]
    assert actor.kinds == ["soil", "forest"]
    assert actor.places[0, 0] + stage.describe().shift[0] < 1.0  # where the later zone does not cover it
    points = np.concatenate([pv.wrap(one.mapper.GetInput()).points for one in actor.actors]).astype(float)
    np.testing.assert_allclose(ground.heights_at(points[:, 0], points[:, 1]), points[:, 2], atol=1e-3)
    assert points[:, 1].min() >= ground.extent[2] - 1e-3  # nothing lies off the map
    (pane,) = stage.land.panes
    assert len(pane.names.boxes) == 3  # also of the soil and the forest that have the same area
    for box in pane.tags.boxes:
        away, room = np.abs(pane.names.boxes[:, :2] - box[:2]), (pane.names.boxes[:, 2:] + box[2:]) / 2
        assert (away > room).any(axis=1).all()


def test_stems_stand_on_the_ground_and_those_that_were_met_are_marked(plotter: pv.Plotter, tmp_path: Path) -> None:
    x, y = FALL.release.position or (0.0, 0.0)
    (tmp_path / "trees.csv").write_text(f"x,y,dbh,height\n{x + 3.0},{y},60,12\n{x + 3.0},{y + 40.0},30,9\n")
    net = {"line": [[x + 40.0, y - 9.0], [x + 40.0, y + 9.0]], "height": 2.0}
    fences = [net, net | {"capacity": 50.0, "name": "net"}]
    forest = {"trees": "trees.csv"}
    run = finished(FALL.changed(duration=3.0, folder=str(tmp_path), forest=forest, barrier=fences))
    stage = stage_of(run, plotter, camera="top", layout="overlay", overlays=("zones", "barriers"))
    stage.show(0.0)
    parts = [part for _, part in stage.describe().parts]
    (stems,) = (part for part in parts if isinstance(part, StemActor))
    points = pv.wrap(stems.actors[0].mapper.GetInput()).points.astype(float)
    ground = stage.land.ground.terrain
    foot, top = points.reshape(2, 2, -1, 3).mean(axis=2).transpose(1, 0, 2)
    np.testing.assert_allclose(ground.heights_at(*foot[:, :2].T), foot[:, 2] + 0.5, atol=1e-3)
    np.testing.assert_allclose(top[:, 2] - foot[:, 2] - 0.5, [12.0, 9.0], atol=1e-3)
    marks = next(part for part in parts if isinstance(part, StemMarks))
    assert not any(prop.GetVisibility() for prop in marks.props)
    stage.show(3.0)
    assert marks.props[0].GetVisibility()
    shown = pv.wrap(marks.actors[0].mapper.GetInput()).points
    np.testing.assert_allclose(shown[0, :2], foot[0, :2], atol=1e-3)
    (fence,) = (part for part in parts if isinstance(part, BarrierActor))
    meshes = [pv.wrap(one.mapper.GetInput()) for one in fence.actors]
    assert [mesh.point_data["rgba"][0, 3] for mesh in meshes if "rgba" in mesh.point_data] == [120, 255]


# ---- ensembles -----------------------------------------------------------------------------------------


def test_paths_are_drawn_where_they_are_in_the_colours_of_their_values(stage: Stage) -> None:
    given = paths(stage)
    for name, (column, title, _) in QUANTITIES.items():
        show_paths(stage, {"implicit": given}, name)
        (rocks,) = (pane.rocks for pane in stage.land.panes)
        assert rocks.bar.title == title
        drawn = np.array(rocks.lines.point_data["rgba"])
        np.testing.assert_array_equal(drawn, rocks.bar.rgba(given.values[:, column]))
    x, y = stage.describe().world.terrain.origin
    np.testing.assert_allclose(
        np.array(rocks.lines.points) + stage.describe().shift, given.points + np.array([x, y, 0.0]), atol=1e-2
    )
    assert rocks.lines.n_lines == 30


def test_each_pane_draws_the_rocks_of_its_own_scheme_on_one_scale(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter, overlays=BARE)
    given = {"explicit": paths(stage, rocks=5), "implicit": paths(stage, rocks=9), "exact": paths(stage, rocks=2)}
    given["explicit"].values *= 0.1
    del given["exact"]
    show_paths(stage, given)
    left, right = (pane.rocks for pane in stage.land.panes)
    assert (len(left.rock), len(right.rock)) == (5, 9)
    assert left.bar == right.bar
    np.testing.assert_array_equal(
        np.array(left.lines.point_data["rgba"]), left.bar.rgba(given["explicit"].values[:, 0])
    )
    assert right.bar.high > 5.0  # of the larger ones
    assert [stage.land.summary(view, track.scheme) for view, track in enumerate(stage.describe().tracks)] == [
        "5 whole paths",
        "9 whole paths",
    ]
    show_paths(stage, {"implicit": given["implicit"]})
    assert (len(left.rock), len(right.rock)) == (0, 9)
    assert stage.land.summary(0, SCHEMES["explicit"]) == "no results of many rocks"
    stage.set_layout("overlay")
    assert [len(pane.rocks.rock) for pane in stage.land.panes] == [9]
    show_paths(stage, given)
    for scheme, rocks in (("implicit", 9), ("explicit", 5), ("exact", 5)):
        stage.land.prefer(scheme)
        (pane,) = stage.land.panes
        assert (len(pane.rocks.rock), pane.whose.name) == (rocks, "implicit" if rocks == 9 else "explicit")
    show_paths(stage, None)
    assert stage.land.summary(0, SCHEMES["explicit"]) == stage.land.summary(0, SCHEMES["implicit"]) == ""


def test_each_pane_has_the_map_of_its_own_scheme(fall: Run, plotter: pv.Plotter) -> None:
    """What is drawn of it: test_export_layers."""
    stage = stage_of(fall, plotter, overlays=BARE, camera="top")
    values = np.zeros(stage.land.ground.terrain.heights.shape)
    values[5:-5, 20:30] = 5.0
    for maps in (None, {"explicit": values}, {"implicit": values}, {"explicit": values, "implicit": values}):
        show_map(stage, "energy", "J", maps)
        shown = [name if maps is not None and name in maps else "" for name in ("explicit", "implicit")]
        assert [stage.land.ground.map_in(view) for view in (0, 1)] == ["energy" if name else "" for name in shown]
    show_map(stage, "energy", "J", {"explicit": values, "implicit": 10.0 * values})
    assert (stage.land.ground.bars[-1].high, stage.land.ground.bars[-1].more) == (50.0, False)
    peak = values.copy()
    peak[10, 25] = 70.0
    show_map(stage, "energy", "J", {"explicit": peak, "implicit": values})
    assert stage.land.ground.bars[-1].high < 70.0
    assert stage.land.ground.bars[-1].more  # the bar ends in a point: there are values beyond
    stage.set_layout("overlay")
    stage.set_layout("side-by-side")
    assert [stage.land.ground.map_in(view) for view in (0, 1)] == ["energy", "energy"]


def test_the_rock_under_the_pointer_is_found(stage: Stage, plotter: pv.Plotter) -> None:
    given = paths(stage, rocks=8)
    show_paths(stage, {"implicit": given})
    stage.set_camera("top")
    stage.show(0.0)
    origin = np.array([*stage.land.ground.terrain.origin, 0.0])
    for k in range(8):
        middle = given.points[k * 40 + 20] + origin
        (u, v), _ = (part[0] for part in projected(plotter.renderers[0], middle[None]))
        assert stage.land.pick(u + 2, 199 - v) == 100 + k
    seen, _ = projected(plotter.renderers[0], given.points + origin)
    places = np.array([(u, v) for u in range(1, 159, 4) for v in range(1, 199, 4)])
    apart = np.linalg.norm(places[:, None] - seen[None], axis=2).min(axis=1)
    u, v = places[np.argmax(apart)]
    assert apart.max() > 1.5 * 8.0 * stage.describe().unit  # farther than a pointer reaches
    assert stage.land.pick(int(u), 199 - int(v)) is None
    stage.land.choose(103)
    np.testing.assert_allclose(
        np.array(stage.land.panes[0].rocks.chosen.points)[:, :2], (given.points + origin)[120:160, :2]
    )


def test_beside_many_rocks_the_clock_is_that_of_one(stage: Stage) -> None:
    def clock() -> str:
        return "".join(piece.text for piece in stage.describe().captions.clock(1.5))

    assert clock() == "t = 1.50 s"
    show_paths(stage, {"implicit": paths(stage, rocks=4)})
    assert clock() == "rock 0 at t = 1.50 s"
    assert [stage.land.summary(0, SCHEMES[name]) for name in ("explicit", "implicit")] == ["", "4 whole paths"]
    stage.set_overlay("rocks", False)
    assert clock() == "t = 1.50 s"
    stage.set_overlay("rocks", True)
    show_paths(stage, None)
    assert clock() == "t = 1.50 s"


def test_only_rocks_that_rest_have_a_deposit(stage: Stage) -> None:
    given = paths(stage, rocks=4)
    show_paths(stage, {"implicit": given}, rested={"implicit": np.array([True, False, True, False])})
    rocks = stage.land.panes[0].rocks
    assert (rocks.starts.n_points, rocks.ends.n_points) == (4, 2)
    origin = np.array([*stage.land.ground.terrain.origin, 0.0])
    np.testing.assert_allclose(np.array(rocks.ends.points)[1], given.points[119] + origin, atol=1e-3)


# ---- colours and their bar -----------------------------------------------------------------------------


def test_the_path_of_a_rock_has_the_colours_of_its_speed(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter)
    stage.colour = "speed"
    stage.set_overlay("colours", True)
    stage.show(4.0)
    bar = stage.describe().colours.bar
    assert bar.high == max(np.linalg.norm(lane.trajectory.velocity, axis=1).max() for lane in fall.lanes)
    for (_, scene), lane in zip(stage.describe().scenes, fall.lanes, strict=True):
        (path,) = [part for part in scene.parts if isinstance(part, PathOf)]
        speed = np.linalg.norm(lane.trajectory.velocity[-1])
        np.testing.assert_array_equal(path.colours[-1], bar.rgba(np.array(speed)))
        assert len(np.unique(path.colours, axis=0)) > 50


@pytest.mark.parametrize(
    ("bar", "heading", "texts"),
    [
        (Bar("speed", "m/s", 0.0, 31.0, "viridis"), "speed [m/s]", ["0", "10", "20", "30"]),
        (Bar("energy", "J", 0.0, 5200.0, "viridis"), "energy [kJ]", ["0", "2", "4"]),
        (Bar("reach", "1", 0.0, 0.23, "cividis"), "reach", ["0", "0.1", "0.2"]),
    ],
)
def test_bars_tell_round_numbers_and_their_unit(bar: Bar, heading: str, texts: list[str]) -> None:
    assert bar.heading == heading
    assert [text for _, text in bar.labels()] == texts
    assert all(bar.low <= value <= bar.high for value, _ in bar.labels())


def test_unknown_values_are_transparent_and_those_beyond_take_the_last_colour() -> None:
    bar = Bar("x", "", 1.0, 3.0, "viridis")
    colours = bar.rgba(np.array([np.nan, -9.0, 1.0, 3.0, 99.0]))
    assert colours[:, 3].tolist() == [0, 255, 255, 255, 255]
    np.testing.assert_array_equal(colours[1], colours[2])
    np.testing.assert_array_equal(colours[3, :3], colour_table("viridis")[255])
    np.testing.assert_array_equal(colours[3], colours[4])


# ---- cameras -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", CAMERA_MODES)
def test_every_camera_is_above_ground_and_sees_the_rock(fall: Run, plotter: pv.Plotter, mode: str) -> None:
    stage = stage_of(fall, plotter, camera=mode)
    for time in (0.0, 1.7, 4.0):
        stage.show(time)
        for view in range(2):
            eye, _ = stage.describe().rig.eye(view)
            assert stage.land.ground.above(eye[None])[0] > 0.0
            place = stage.describe().tracks[view].pose(time).position
            pixel, depth = projected(plotter.renderers[view], place[None])
            assert abs(depth[0]) < 1
            assert (pixel[0] > 0).all()
            assert (pixel[0] < plotter.renderers[view].GetSize()).all()


def test_the_user_cannot_put_the_camera_below_ground(stage: Stage, plotter: pv.Plotter) -> None:
    camera = plotter.renderers[0].camera
    for height in (50.0, -20.0, -400.0):
        camera.SetPosition(0.0, 0.0, height)
        eye, _ = stage.describe().rig.eye(0)
        assert stage.land.ground.above(eye[None])[0] > 0.0


def test_riding_keeps_the_users_turn_and_goes_with_the_body(plotter: pv.Plotter) -> None:
    spin = cuboid(schemes=["exact"], initial={"angular_velocity": [0.1, 0.2, 3.0]})
    stage = stage_of(finished(spin), plotter, camera="ride")
    plotter.renderers[0].camera.Azimuth(20.0)
    seen = []
    for time in (0.0, 0.4, 1.3):
        stage.show(time)
        eye, _ = stage.describe().rig.eye(0)
        seen.append(stage.describe().tracks[0].pose(time).rotation.T @ eye)
    np.testing.assert_allclose(seen[1:], [seen[0], seen[0]], atol=1e-9)


def test_keyframes_arrive_in_time_and_depend_on_time_alone(plotter: pv.Plotter) -> None:
    cameras = (
        {"time": 0.0, "mode": "fit"},
        {"time": 2.0, "seconds": 1.0, "mode": "follow"},
        {"time": 3.5, "position": [50.0, -80.0, 300.0], "focus": [40.0, 0.0, 125.0]},
    )
    run = finished(FALL.changed(**{"view.cameras": cameras}))
    stage = stage_of(run, plotter)
    keyframes = stage.keyframes()
    shown = {}
    for time in (3.5, 0.0, 1.0, 1.5, 2.0, 4.0, 1.5):
        stage.show_keyframe(keyframes, time)
        eye = stage.describe().rig.eye(0)
        np.testing.assert_allclose(shown.setdefault(time, eye), eye, atol=1e-6)
    np.testing.assert_allclose(shown[0.0], shown[1.0])  # still there: the move takes one second
    assert np.linalg.norm(shown[1.5][0] - shown[1.0][0]) > 1.0
    np.testing.assert_allclose(shown[4.0][0] + stage.describe().shift, (50.0, -80.0, 300.0), atol=1e-6)
    np.testing.assert_allclose(shown[3.5], shown[4.0])


@pytest.mark.parametrize(
    ("cameras", "words"),
    [
        (({"time": 0.0},), "expected either mode or position"),
        (({"time": 1.0, "mode": "fit"}, {"time": 1.0, "mode": "top"}), "rising times"),
        (({"time": 0.0, "position": [0, 0, 0]},), "focus"),
        (({"time": 0.0, "mode": "sideways"},), "mode"),
    ],
)
def test_wrong_keyframes_are_named(cameras: tuple, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        FALL.changed(**{"view.cameras": cameras})


def test_contacts_stand_on_the_vertices_that_touch(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter, camera="follow", layout="overlay")
    stage.set_overlay("contacts", True)
    assert isinstance(stage.describe().extras, Overlays)
    run = fall.lanes[0].trajectory
    touching = [touch(fall.world, run.at(float(time))).touching.any() for time in run.time]
    hit = int(np.argmax(touching))
    air = int(np.flatnonzero(run.contact == 0)[5])
    (_, contacts), *_ = [entry for entry in stage.describe().extras.parts if isinstance(entry[1], ContactMarks)]
    stage.show(float(run.time[hit]))
    first = contacts.rocks[0]
    shown = [dot for dot in first.dots if dot.GetVisibility()]
    assert shown
    for dot in shown:
        foot = dot.user_matrix[:3, 3]
        assert abs(foot[2] - stage.land.ground.terrain.height(foot[0], foot[1])) < 0.1
    stage.show(float(run.time[air]))
    assert not any(dot.GetVisibility() for dot in first.dots)


def test_cameras_that_are_not_linked_turn_alone_and_an_orbit_keeps_distance_and_height(
    fall: Run, plotter: pv.Plotter
) -> None:
    stage = stage_of(fall, plotter)
    before = stage.viewpoint
    stage.orbit(90.0)
    after = stage.viewpoint
    x, y, z = before.position - before.focus
    np.testing.assert_allclose(after.position - after.focus, (-y, x, z), atol=1e-9 * before.distance)
    stage.orbit(0.0)
    np.testing.assert_allclose(stage.viewpoint.position, before.position, atol=1e-9 * before.distance)
    other = stage.describe().rig.eye(1)
    stage.link_cameras(False)
    plotter.renderers[0].camera.Azimuth(30.0)
    stage.show(1.0)
    np.testing.assert_allclose(stage.describe().rig.eye(1), other)
    assert np.linalg.norm(stage.describe().rig.eye(0)[0] - other[0]) > 1.0
    stage.link_cameras(True)
    np.testing.assert_allclose(stage.describe().rig.eye(1), stage.describe().rig.eye(0))


def test_a_close_up_shows_how_the_rock_turns(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter)
    stage.set_overlay("close-up", True)
    parts = [part for _, part in stage.describe().extras.parts if isinstance(part, CloseUp)]
    for time in (0.5, 1.5):
        stage.show(time)
        stage.render()
        lane, rock, arrow = fall.lanes[0], parts[0].rocks[0], parts[0].arrows[0]
        state = lane.trajectory.at(time)
        seen = rock.user_matrix[:3, :3] * lane.world.body.radius
        assert seen == pytest.approx(matrix(state.orientation), abs=1e-6)
        rate = apply(state.orientation, state.angular_velocity)
        assert arrow.actor.user_matrix[:3, 0] == pytest.approx(rate / np.linalg.norm(rate), abs=1e-6)
