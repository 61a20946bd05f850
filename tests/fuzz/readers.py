"""The readers that are fuzzed: by name, the ending of their files, good files to begin with, and how to read one."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
import shapely
import tomlkit
from PIL import Image
from pyvista import PolyData
from rasterio.crs import CRS
from rasterio.enums import WktVersion

import physics
from app.cli.overrides import scenario_from
from app.cli.parser import parse
from app.document.recipe import add_note, recipe, scenario_of
from app.document.session import SavedSession, from_text, load_session, to_text, to_toml
from app.document.settings import Settings, load_settings
from app.export.checks import check_looks
from app.export.png import write_png
from app.export.video import ENDINGS
from app.stage.ground.layers import draped
from app.system.ffmpeg import film
from physics.bodies import shapes
from physics.bodies.mesh_io import read_mesh
from physics.core.errors import ScenarioError
from physics.core.trajectory import COLUMNS
from physics.io import trajectory_readers, trajectory_writers
from physics.measured.motion import free_flights
from physics.simulation.schedule import Schedule, record_schedule, recording, stream
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.rockfall import observations
from physics.systems.rockfall.ground_config import ForestConfig
from physics.systems.rockfall.ground_cover import lay
from physics.systems.rockfall.release import source_of
from physics.systems.rockfall.scenario import BarrierConfig, ReleaseConfig
from physics.systems.rockfall.trees import read_trees
from physics.systems.rockfall.world import RockfallWorld, fences_of
from physics.systems.world import World
from physics.terrain import crs
from physics.terrain.dem import read_terrain
from physics.terrain.profiles import ramp
from physics.terrain.terrain import Terrain
from physics.terrain.zones import read_zones
from tests.fuzz import folders
from tests.fuzz.mutation import mutated
from tests.fuzz.parameters import ROUND, SCENARIOS, scattered, served

Arrays = Iterable[np.ndarray]
CORPUS = Path(__file__).parents[1] / "corpus"


@dataclass(frozen=True)
class Reader:
    """A reader of files that end in ``suffix``; seeds: good files, by name."""

    suffix: str
    read: Callable[[Path], Arrays]
    make: Callable[[], list[bytes]]
    every: int = 1  # rounds between two cases: more where one is slow
    mutate: Callable[[bytes, list[bytes], random.Random], bytes] = mutated  # another file, from one and all good ones

    @cache  # noqa: B019 - as many as there are readers, which live as long as the program
    def seeds(self) -> list[bytes]:
        return self.make()


# ---- scenarios ----------------------------------------------------------------------------------------


@cache
def _compiled() -> None:
    """Compile the kernels now, not while a case is timed."""
    for scenario in _scenarios():
        for name in served(scenario.kind):
            list(_run(scenario.changed(schemes=(name,))))
        if scenario.kind == "rockfall":
            body = {"shape": ROUND, "size": (1.0, 0.8, 0.6), "mass": 1.0}
            list(_run(scenario.changed(schemes=("implicit",), body=body)))


def _scenario_seeds() -> list[bytes]:
    _compiled()
    return [text.encode() for text in SCENARIOS.values()]


def _scenarios() -> list[physics.Scenario]:
    return [physics.Scenario(**tomllib.loads(text)) for text in SCENARIOS.values()]


def _saved() -> list[SavedSession]:
    free, *rest = _scenarios()
    edited = Schedule((free,)).edited(free.changed(**{"body.mass": 2.0}), 0.02)
    return [SavedSession(edited), *(SavedSession(Schedule((scenario,))) for scenario in rest)]


def _scenario(path: Path) -> Arrays:
    scenario = physics.load_scenario(path)
    return _run(scenario)


def _session(path: Path) -> Arrays:
    saved = load_session(path)
    to_text(saved)
    return [np.array([saved.look.time, saved.look.speed or 0.0, *saved.schedule.times])]


def _text(path: Path) -> Arrays:
    saved = from_text(path.read_text(encoding="utf-8", errors="replace"))
    assert from_text(to_text(saved)) == saved
    return [np.array(saved.schedule.times)]


def _run(scenario: physics.Scenario) -> Iterator[np.ndarray]:
    """A few steps of a scenario; longer ones only begin."""
    if scenario.record_every > 50:
        scenario = scenario.changed(record_every=50)
    world = World.of(scenario)
    for name in scenario.schemes:
        into = recording(world, name)
        for _, _ in zip(range(3), record_schedule([world], name, into, rows=4), strict=False):
            pass
        run = into.trajectory()
        yield from (np.asarray(getattr(run, column)) for column in COLUMNS)


# ---- terrain, bodies, places --------------------------------------------------------------------------


def _heights() -> np.ndarray:
    x, y = np.meshgrid(np.arange(6.0), np.arange(5.0))
    return 1800.0 - 0.8 * x + 0.1 * y * x


def _asc_seeds() -> list[bytes]:
    head = "ncols 6\nnrows 5\nxllcorner 700000\nyllcorner 200000\ncellsize 2\nNODATA_value -9999\n"
    rows = "\n".join(" ".join(f"{z:.2f}" for z in row) for row in _heights())
    return [
        (head + rows + "\n").encode(),
        (head.replace("corner", "center") + rows.replace("1800.00", "-9999")).encode(),
    ]


def _raster(bands: np.ndarray, place: tuple[float, ...], palette: bool = False, **options: Any) -> bytes:
    """A GeoTIFF of bands (n, rows, columns)."""
    count, height, width = bands.shape
    grid = {"count": count, "height": height, "width": width, "dtype": bands.dtype, "crs": "EPSG:2056"}
    with rasterio.MemoryFile() as memory:
        with memory.open(driver="GTiff", transform=rasterio.Affine(*place), **grid, **options) as file:
            file.write(bands)
            if palette:
                file.write_colormap(1, {i: (i, 255 - i, 7, 255) for i in range(256)})
        return bytes(memory.read())


def _tif_seeds() -> list[bytes]:
    bands, place = _heights().astype(np.float32)[None], (2.0, 0.0, 7e5, 0.0, -2.0, 2e5)
    tiled = {"compress": "deflate", "tiled": True, "blockxsize": 16, "blockysize": 16}
    return [_raster(bands, place, nodata=-9999.0), _raster(bands, place, nodata=-9999.0, **tiled)]


def _xyz_seeds() -> list[bytes]:
    z = _heights()
    rows = [f"{2 * i} {2 * j} {z[j, i]:.2f}" for j in range(5) for i in range(6)]
    return ["\n".join(rows).encode(), ("x,y,z\n" + "\n".join(row.replace(" ", ",") for row in rows)).encode()]


def _irregular_seeds() -> list[bytes]:
    x, y = np.random.default_rng(1).random((2, 30)) * 20.0
    rows = [f"{a:.3f},{b:.3f},{50.0 - a:.2f}" for a, b in zip(x, y, strict=True)]
    return ["\n".join(rows).encode(), "\n".join(["x y z", *(row.replace(",", " ") for row in rows)]).encode()]


def _cloud_seeds(suffix: str) -> list[bytes]:
    import laspy

    x, y = np.random.default_rng(2).random((2, 60)) * 20.0
    seeds = []
    for version, form in (("1.2", 1), ("1.4", 6)):
        data = laspy.LasData(laspy.LasHeader(point_format=form, version=version))
        data.x, data.y, data.z = x, y, 50.0 - x
        data.classification = 2 + (x > 15.0)
        file = io.BytesIO()
        data.write(file, do_compress=suffix == ".laz")
        seeds.append(file.getvalue())
    return seeds


def _terrain(path: Path) -> Arrays:
    terrain = read_terrain(path)
    return [terrain.heights, np.array(terrain.origin), np.array(terrain.cell), np.array(terrain.extent)]


_CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])


def _mesh_seeds(suffix: str) -> list[bytes]:
    body = shapes.hull(_CORNERS, 1.0, None)
    points, faces = np.asarray(body.vertices), np.asarray(body.faces)
    if suffix in (".pts", ".xyz"):
        rows = ["{:g} {:g} {:g}".format(*p) for p in points]
        return [
            "\n".join(rows).encode(),
            ("x;y;z;i\n" + "\n".join(row.replace(" ", ";") + ";7" for row in rows)).encode(),
        ]
    if suffix == ".obj":
        v = "\n".join("v {:g} {:g} {:g}".format(*p) for p in points)
        return [(v + "\n" + "\n".join("f {}/1 {} {}".format(*(1 + f)) for f in faces)).encode()]
    mesh, seeds = PolyData.from_regular_faces(points, faces), []
    with tempfile.TemporaryDirectory() as folder:
        for binary in (False, True):
            mesh.save(path := Path(folder, f"rock{suffix}"), binary=binary)
            seeds.append(path.read_bytes())
    return seeds


def _mesh(path: Path) -> Iterator[np.ndarray]:
    given = read_mesh(path)
    yield given.points
    body = (
        shapes.hull(given.points, 1.0, None, 26) if path.suffix in (".pts", ".xyz") else shapes.mesh(given, 1.0, None)
    )
    yield from (body.vertices, body.inertia, np.array([body.mass, body.radius]))


@cache
def _ramp() -> physics.World:
    return World.of(_scenarios()[3])


def _point_seeds() -> list[bytes]:
    heights = b"id,x,y,z\n1,1.0,2.0,200.0\n2,3.0,-4.0,155.5\n"
    return [b"x [m],y [m],name\n1.0,2.0,a\n3.0,-4.0,b\n", b"1.0,2.0\n3.0,-4.0\n", heights]


def _points(path: Path) -> Arrays:
    terrain = _ramp().terrain
    assert terrain is not None
    source = source_of(ReleaseConfig(file=path.name), terrain, path.parent)
    places = [source.place(rock, np.random.default_rng(rock)) for rock in range(3)]
    heights = [z for rock in range(3) if (z := source.altitude(rock)) is not None]
    return [source.corner, source.a, source.b, np.array(places), np.array(heights)]


def _block_seeds() -> list[bytes]:
    rows = b"2;780;0,9;0,8;0,5;eota;2;0;;1,5;1;0;0\n3;900;1;1;0,5;random;3;1;;;;;\n"
    whole = b"id,density,L1 [m],L2,L3,shape,x,y,z,qw,qx,qy,qz\n1,2700,1,1,1,ellipsoid,2,1,30,0.6,0.8,0,0\n"
    return [b"id;mass [kg];L1;L2;L3;shape;x;y;z;height;vx;vy;vz\n" + rows, whole]


def _blocks(path: Path) -> Iterator[np.ndarray]:
    table = _rock({}) | {"body": {"blocks": path.name}, "folder": str(path.parent)}
    world = World.of(physics.Scenario(**table))
    assert isinstance(world, RockfallWorld)
    for rock in range(2):
        one = world.with_rock(rock)
        yield from (one.position, one.orientation, one.velocity, one.angular_velocity, one.body.vertices)


_SQUARE = shapely.box(0.0, -5.0, 10.0, 5.0)


def _features(*told: tuple[dict[str, object], shapely.Geometry]) -> list[bytes]:
    """A GeoJSON file of shapes with properties."""
    shapes_ = [(facts, json.loads(shapely.to_geojson(shape))) for facts, shape in told]
    features = [{"type": "Feature", "properties": facts, "geometry": shape} for facts, shape in shapes_]
    return [json.dumps({"type": "FeatureCollection", "features": features}).encode()]


def _geojson_seeds() -> list[bytes]:
    bow = shapely.Polygon([(0, 0), (9, 9), (9, 0), (0, 9)])
    return _features(({"soil": "hard"}, shapely.box(5.0, -5.0, 15.0, 5.0)), ({"soil": "hard"}, bow))


@cache
def _layer(suffix: str, driver: str) -> dict[str, bytes]:
    """A square, in the files that a format has for it, by ending."""
    import pyogrio.raw

    with tempfile.TemporaryDirectory() as folder:
        shape, soil = np.array([shapely.to_wkb(_SQUARE)], object), np.array(["hard"], object)
        kind = {"geometry_type": "Polygon", "crs": "EPSG:2056", "driver": driver}
        pyogrio.raw.write(Path(folder, f"zones{suffix}"), shape, field_data=[soil], fields=["soil"], **kind)
        return {path.suffix: path.read_bytes() for path in Path(folder).iterdir()}


def _zones(path: Path) -> Iterator[np.ndarray]:
    terrain = _ramp().terrain
    assert terrain is not None
    if path.suffix == ".shp" and not path.with_suffix(".shx").exists():  # what a shapefile has beside it
        for suffix in (".shx", ".dbf", ".prj"):
            path.with_suffix(suffix).write_bytes(_layer(".shp", "ESRI Shapefile")[suffix])
    zones = read_zones(path, replace(terrain, crs="EPSG:2056") if path.suffix != ".geojson" else terrain)
    for zone in zones.zones:
        yield shapely.get_coordinates(zone.polygon)
    lay(physics.Scenario(**_rock({"zones": str(path)})), terrain)


def _rock(soil: dict[str, object]) -> dict[str, object]:
    return {
        "kind": "rockfall",
        "duration": 1.0,
        "step": 0.01,
        "body": {"size": (1.0, 1.0, 1.0), "mass": 1.0},
        "terrain": {"profile": "ramp"},
        "soil": soil,
    }


# ---- trajectories and recipes -------------------------------------------------------------------------


@cache
def _runs() -> dict[str, physics.Trajectory]:
    return physics.simulate(_scenarios()[0])


def _trajectory_seeds(suffix: str) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        trajectory_writers.save(Path(folder, f"a{suffix}"), _runs(), _scenarios()[0])
        return [Path(folder, f"a{suffix}").read_bytes()]


def _trajectory(path: Path) -> Iterator[np.ndarray]:
    for run in trajectory_readers.load(path).values():
        yield from (np.asarray(getattr(run, column)) for column in COLUMNS)
    if path.suffix != ".csv":
        trajectory_readers.load_scenario_of(path)


def _picture_seeds(suffix: str) -> list[bytes]:
    text = recipe(_scenarios()[0])
    if suffix == ".html":
        return [b'<html><script>{"recipe": ' + json.dumps(text).encode() + b"}</script></html>"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"picture{suffix}")
        if suffix == ".png":
            write_png(path, np.zeros((8, 8, 3), np.uint8), "picture", text)
        elif suffix in ENDINGS and suffix != ".gif":
            with film(path, suffix, (16, 16), 10.0, "film", text) as sink:
                for _ in range(2):
                    sink(np.zeros((16, 16, 3), np.uint8))
        else:
            Image.new("RGB", (8, 8)).save(path)
        if suffix in (".gif", ".apng"):
            add_note(path, suffix, text)
        return [path.read_bytes()]


def _recipe(path: Path) -> Arrays:
    scenario = scenario_of(path)
    return [np.array([scenario.duration, scenario.step])]


# ---- maps --------------------------------------------------------------------------------------------

MAP = Terrain(np.zeros((21, 31)), cell=(2.0, 2.0))


def _system_seeds() -> list[bytes]:
    """A coordinate system in all its forms."""
    system = CRS.from_epsg(31287)
    versions = (WktVersion.WKT1_ESRI, WktVersion.WKT1_GDAL, WktVersion.WKT2_2019)
    texts = ["EPSG:31287", "urn:ogc:def:crs:EPSG::31287", *(system.to_wkt(version=version) for version in versions)]
    return [text.encode() for text in texts]


def _system(path: Path) -> list[np.ndarray]:
    """What a .prj beside a map tells."""
    told = crs.declared_beside(path.with_suffix(".asc"))
    if told is not None:
        crs.name(told)
    return []


def _fence_seeds() -> list[bytes]:
    """Two lines with a name and a height."""
    lines = shapely.MultiLineString([[[9.0, 1.0], [9.0, 9.0]], [[12.0, 1.0], [15.0, 9.0]]])
    line = shapely.LineString([[5.0, 1.0, 0.0], [6.0, 9.0, 3.0]])
    whole = _features(({"name": "upper", "height": 3.0}, line), ({"height": 2}, lines))
    return [data.replace(b"[5.0, 1.0, 0.0]", b"[5.0, 1.0]") for data in whole]  # heights at some corners


def _fences(path: Path) -> Iterator[np.ndarray]:
    """The barriers of a file of lines."""
    found, _ = fences_of([BarrierConfig(file=path.name)], MAP, path.parent)
    for fence in found:
        yield from (fence.line, np.array(fence.height))


def _observed_seeds() -> list[bytes]:
    """Stops, tracks and passages."""
    return [
        b"name,x [m],y [m],runout [m]\na,10,12,40.5\nb,11,13,\n",
        b"x,y,release_x,release_y,z\n10,12,0,0,3\n11,13,,,4\n",
        b"track,x,y,z\na,1,2,3\na,2,3,\nb,1,1,1\nb,4,4,4\n",
        b"screen,x,y,velocity [m/s],height [m]\nroad,1,2,12.5,0.7\nroad,2,3,,1\n",
    ]


def _tree_seeds() -> list[bytes]:
    """Trees with heights and species, and without."""
    return [b"x [m],y [m],dbh [cm],height [m],species\n1,2,40,20,fir\n2,1,30,,\n", b"x,y,dbh\n1,1,25\n"]


def _stems(path: Path) -> Iterator[np.ndarray]:
    """The stems of a table of trees."""
    yield read_trees(path, ForestConfig(), MAP)[0]


def _observed(path: Path) -> Iterator[np.ndarray]:
    """What was measured, by the columns that the file has."""
    head = path.read_bytes()[:200].lower()
    if b"track" in head:
        yield from (one.points[:, :2] for one in observations.read_tracks(path))
    elif b"screen" in head:
        yield observations.read_passages(path).places
    else:
        yield observations.read_stops(path).places


# ---- measured motion ---------------------------------------------------------------------------------

_TIME = np.arange(24) * 0.01
_RATES = np.column_stack([np.cos(9.0 * _TIME), np.sin(7.0 * _TIME), 3.0 + 0.0 * _TIME])


def _table(head: str, separator: str, *columns: np.ndarray) -> bytes:
    rows = [separator.join(f"{v:.4f}" for v in row) for row in np.column_stack(columns).tolist()]
    return "\n".join([head, *rows]).encode()


def _texts() -> list[bytes]:
    """Good files of text."""
    phone = _table('"Time (s)";"Gyroscope x (rad/s)";"Gyroscope y (rad/s)";"Gyroscope z (rad/s)"', ";", _TIME, _RATES)
    heads = "t_ms\tgx\tgy\tgz\tax\tay\taz"
    logger = _table(heads, "\t", 1000.0 * _TIME, 50.0 * _RATES, 0.1 * _RATES)
    quaternions = np.column_stack([np.cos(_TIME), np.sin(_TIME), 0.0 * _TIME, 0.0 * _TIME])
    return [phone.replace(b".", b","), logger, _table("t qw qx qy qz", " ", _TIME, quaternions)]


def _archives() -> list[bytes]:
    """A good .npz."""
    file = io.BytesIO()
    np.savez(file, time=_TIME, gyro=_RATES)
    return [file.getvalue()]


def _lane(path: Path) -> Iterator[np.ndarray]:
    """The states of the lane that a file becomes beside a cuboid."""
    cuboid = {"size": (3.0, 2.0, 1.0), "mass": 1.0}
    measured = ({"file": path.name},)
    scenario = physics.Scenario(
        kind="free", duration=0.2, step=0.1, body=cuboid, measured=measured, folder=str(path.parent)
    )
    world = FreeWorld.of(scenario)
    ((name, motion),) = world.measured.items()
    yield np.array(free_flights(motion))
    for block in stream(world, name, 8):
        yield from (block.time, block.orientation, block.angular_velocity)


# ---- options ------------------------------------------------------------------------------------------

_FILE = 'kind = "free"\nduration = 0.05\nstep = 0.01\n[body]\nsize = [3.0, 2.0, 1.0]\nmass = 1.0\n'
_LINES = [
    "run S -o a.npz --scheme explicit --scheme exact --step 0.01 --duration 1 --rock 0 --quiet --progress none",
    "video S -o a.mp4 --fps 30 --speed 0.1 --size 64x48 --theme dark --layout overlay --camera fit --orbit 10",
    "image S -o a.png --time 0.5 --plots under --no-captions --occlusion --transparent --compare --colour speed",
    "plot S -o a.svg --size 640x480 --theme light",
    "plan S -o a.pdf --scale 1:5000 --paper a3 --ensemble out --map reach_probability --whose implicit",
    "scene S -o a.html --speed 2 --camera ride",
    "ensemble S -o out --rocks 100 --seed 3 --workers 2 --parquet --paths --counts --resume",
    "lecture S -o out",
    "batch S -o out",
    "gather a b -o c --parquet",
    "figure leine-ramp -o a.png --rocks 10",
    "bench kernels --json",
    "schemes --json",
    "S",
]


def _option_seeds() -> list[bytes]:
    """Command lines, a word a line."""
    return [line.replace(" ", "\n").encode() for line in _LINES]


def _options(path: Path) -> Iterator[np.ndarray]:
    """Words of a command line, and what they make of a scenario."""
    words = [word for word in path.read_bytes().decode(errors="replace").split("\n") if "\0" not in word]
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            arguments = parse(words)
    except SystemExit as end:
        if end.code:
            raise ScenarioError("", told.getvalue().removesuffix("\n")) from None
        return
    if hasattr(arguments, "scenario"):
        arguments.scenario = path.with_name("scenario.toml")
        arguments.scenario.write_text(_FILE)
        scenario = scenario_from(arguments)
        check_looks(scenario)
        yield np.array([scenario.duration, scenario.step, scenario.export.fps, scenario.export.speed])


# ---- settings -----------------------------------------------------------------------------------------


def _setting_seeds() -> list[bytes]:
    """What a window keeps."""
    kept = Settings(theme="dark", geometry="AdnQyw==", overlays={"axes": True}, charts={"free": ["Energy"]})
    kept.remember("/tmp/a.toml")
    return [tomlkit.dumps(kept.model_dump()).encode()]


def _settings(path: Path) -> Iterator[np.ndarray]:
    """Settings are read whatever they are: a window opens without them."""
    kept = load_settings(path)
    kept.remember(path)
    yield np.array([len(kept.recent)])


# ---- pictures on the terrain --------------------------------------------------------------------------


def _drape_seeds() -> list[bytes]:
    """Colours, a palette, and numbers."""
    (x0, _, _, y1), rng = ramp().extent, np.random.default_rng(1)
    place = (60.0, 0.0, x0, 0.0, -25.0, y1)
    kinds = ((3, "uint8"), (1, "uint8"), (1, "float32"), (4, "uint16"))
    return [
        _raster(rng.integers(0, 200, (n, 9, 12)).astype(kind), place, (n, kind) == (1, "uint8")) for n, kind in kinds
    ]


def _drape(path: Path) -> Iterator[np.ndarray]:
    """A picture over the ramp."""
    covering = draped(path, ramp())
    yield covering.picture
    if covering.bar is not None:
        yield np.array([covering.bar.low, covering.bar.high])


# ---- all ---------------------------------------------------------------------------------------------


def _part(kind: str, name: str) -> Reader:
    """A file of a folder of results."""
    suffix = Path(name).suffix
    return Reader(suffix, lambda path: folders.results(path, kind, name), lambda: folders.seeds(kind, name), 2)


def _several(
    what: str, endings: str, read: Callable[[Path], Arrays], make: Callable[[str], list[bytes]], every: int = 1
) -> dict[str, Reader]:
    """A reader for each ending of what one function reads."""
    return {f"{what}-{one}": Reader(f".{one}", read, partial(make, f".{one}"), every) for one in endings.split()}


READERS = {
    "scenario": Reader(".toml", _scenario, _scenario_seeds),
    "session": Reader(".polhode.toml", _session, lambda: [to_toml(saved).encode() for saved in _saved()]),
    "text": Reader(".txt", _text, lambda: [to_text(saved).encode() for saved in _saved()]),
    "terrain-asc": Reader(".asc", _terrain, _asc_seeds),
    "terrain-tif": Reader(".tif", _terrain, _tif_seeds),
    "terrain-xyz": Reader(".xyz", _terrain, _xyz_seeds),
    "terrain-points": Reader(".xyz", _terrain, _irregular_seeds),
    "points": Reader(".csv", _points, _point_seeds),
    "blocks": Reader(".csv", _blocks, _block_seeds),
    "zones-geojson": Reader(".geojson", _zones, _geojson_seeds),
    "zones-gpkg": Reader(".gpkg", _zones, lambda: [_layer(".gpkg", "GPKG")[".gpkg"]], 4),
    "zones-shp": Reader(".shp", _zones, lambda: [_layer(".shp", "ESRI Shapefile")[".shp"]]),
    "system": Reader(".prj", _system, _system_seeds),
    "motion-csv": Reader(".csv", _lane, _texts),
    "motion-npz": Reader(".npz", _lane, _archives),
    "fences": Reader(".geojson", _fences, _fence_seeds),
    "trees": Reader(".csv", _stems, _tree_seeds),
    "observed": Reader(".csv", _observed, _observed_seeds),
    "results-summary": _part("lines", "summary.json"),
    "results-csv": _part("lines", "rocks.csv"),
    "results-parquet": _part("columns", "rocks.parquet"),
    "results-map": _part("lines", "maps/implicit/kinetic_energy_q95.tif"),
    "results-paths": Reader(
        ".geojson", lambda path: folders.shown(path, "paths.geojson"), lambda: folders.seeds("lines", "paths.geojson")
    ),
    "counts": Reader(".npz", folders.counts, lambda: folders.seeds("lines", "counts.npz"), 4),
    "checkpoint": Reader(".npz", folders.checkpoint, folders.checkpoint_seeds, 4),
    "drape": Reader(".tif", _drape, _drape_seeds, 4),
    "options": Reader(".txt", _options, _option_seeds),
    "settings": Reader(".toml", _settings, _setting_seeds),
    "parameters": Reader(".toml", _scenario, _scenario_seeds, mutate=scattered),
    **_several("terrain", "las laz", _terrain, _cloud_seeds),
    **_several("terrain", "stl obj ply", _terrain, _mesh_seeds),
    **_several("body", "stl obj ply pts xyz", _mesh, _mesh_seeds),
    **_several("trajectory", "npz csv parquet", _trajectory, _trajectory_seeds),
    **_several("recipe", "png gif html apng", _recipe, _picture_seeds),
    **_several("recipe", "mp4 webm mov mkv", _recipe, _picture_seeds, 20),
}
