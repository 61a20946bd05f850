"""The readers that are fuzzed: by name, the ending of their files, good files to begin with, and how to read one."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import random
import shutil
import struct
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import shapely
import tomlkit
from PIL import Image

import physics
from app.cli.overrides import scenario_from
from app.cli.parser import parse
from app.document.recipe import add_note, recipe, scenario_of
from app.document.session import SavedSession, from_text, load_session, to_text, to_toml
from app.document.settings import Settings, load_settings
from app.export.checks import check_looks
from app.export.png import write_png
from app.export.video import ENDINGS
from app.stage.bodies.model_look import look_of_body
from app.stage.bodies.model_skin import skin_of_piece
from app.stage.ground.layers import draped
from app.system.ffmpeg import film
from physics.bodies import shapes
from physics.bodies.body import Origin
from physics.bodies.mesh_io import read_mesh
from physics.core.errors import ScenarioError
from physics.core.trajectory import COLUMNS
from physics.hazard import entries
from physics.io import trajectory_readers, trajectory_writers
from physics.measured.motion import free_flights
from physics.schemes.driven_march import UNDER_TORQUE
from physics.simulation.schedule import Schedule, record_schedule, recording, stream
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.rockfall import observations
from physics.systems.rockfall.ground_config import ForestConfig
from physics.systems.rockfall.ground_cover import lay
from physics.systems.rockfall.map_lines import fences_of
from physics.systems.rockfall.release import source_of
from physics.systems.rockfall.scenario import BarrierConfig, ReleaseConfig
from physics.systems.rockfall.trees import read_trees
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World
from physics.terrain import crs, units
from physics.terrain.dem import read_terrain
from physics.terrain.profiles import ramp
from physics.terrain.terrain import Terrain
from physics.terrain.zones import read_zones
from tests import models
from tests.fuzz import folders
from tests.fuzz.mutation import mutated
from tests.fuzz.parameters import ROUND, SCENARIOS, SPUN, scattered, served

Arrays = Iterable[np.ndarray]
CORPUS = Path(__file__).parents[1] / "corpus"
GOOD = Path(__file__).with_name("good")  # files of other programs' formats; the program makes those of its own


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
        if scenario.kind == "free":
            for name in served(UNDER_TORQUE):
                list(_run(physics.Scenario(**scenario.to_plain() | SPUN | {"schemes": (name,), "variants": {}})))
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


def _terrain(path: Path) -> Arrays:
    terrain = read_terrain(path)
    return [terrain.heights, np.array(terrain.origin), np.array(terrain.cell), np.array(terrain.extent)]


def _mesh(path: Path) -> Iterator[np.ndarray]:
    given = read_mesh(path)
    yield given.points
    body = (
        shapes.hull(given.points, 1.0, None, 26) if path.suffix in (".pts", ".xyz") else shapes.mesh(given, 1.0, None)
    )
    yield from (body.vertices, body.inertia, np.array([body.mass, body.radius]))


def _model(path: Path) -> Iterator[np.ndarray]:
    body = shapes.mesh(read_mesh(path), 1.0, None)
    yield from (body.vertices, body.inertia)
    origin = Origin(path, (), np.eye(4)[:3])
    for skin in map(skin_of_piece, look_of_body(replace(body, origins=(origin,))).pieces):
        yield from (np.asarray(skin.mesh.points), np.array([skin.specular, skin.power]))


def _model_seeds(suffix: str) -> list[bytes]:
    made = models.hammer()
    if suffix == ".glb":
        return [made.glb()]
    made.glb()
    made.json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(made.data).decode()
    return [json.dumps(made.json).encode()]


@cache
def _ramp() -> physics.World:
    return World.of(_scenarios()[3])


def _points(path: Path) -> Arrays:
    terrain = _ramp().terrain
    assert terrain is not None
    source = source_of(ReleaseConfig(file=path.name), terrain, path.parent)
    places = [source.place(rock, np.random.default_rng(rock)) for rock in range(3)]
    heights = [z for rock in range(3) if (z := source.altitude(rock)) is not None]
    return [source.corner, source.a, source.b, np.array(places), np.array(heights)]


def _blocks(path: Path) -> Iterator[np.ndarray]:
    table = _rock({}) | {"body": {"blocks": path.name}, "folder": str(path.parent)}
    world = World.of(physics.Scenario(**table))
    assert isinstance(world, RockfallWorld)
    for rock in range(2):
        one = world.with_rock(rock)
        yield from (one.position, one.orientation, one.velocity, one.angular_velocity, one.body.vertices)


def _zones(path: Path) -> Iterator[np.ndarray]:
    terrain = _ramp().terrain
    assert terrain is not None
    if path.suffix == ".shp" and not path.with_suffix(".shx").exists():  # what a shapefile has beside it
        for suffix in (".shx", ".dbf", ".prj"):
            shutil.copyfile(GOOD / "zones" / f"1{suffix}", path.with_suffix(suffix))
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
    if suffix == ".glb":  # its first chunk, which is all that is read
        told = json.dumps({"asset": {"version": "2.0", "extras": {"recipe": text}}}).encode()
        return [struct.pack("<4sIIII", b"glTF", 2, 20 + len(told), len(told), 0x4E4F534A) + told]
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


def _system(path: Path) -> list[np.ndarray]:
    """What a .prj beside a map tells."""
    told = units.declared_beside(path.with_suffix(".asc")).text
    if told is not None:
        crs.name(told)
    return []


def _fences(path: Path) -> Iterator[np.ndarray]:
    """The barriers of a file of lines."""
    found, _ = fences_of([BarrierConfig(file=path.name)], MAP, path.parent)
    for fence in found:
        yield from (fence.line, np.array(fence.height))


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


def _entry(path: Path) -> Iterator[np.ndarray]:
    """The energies of an entry at a site of two contacts."""
    measured = entries.Computed(np.arange(2), {"energy": np.array([5e4, 9e4])})
    site = entries.Contacts("contacts", "Contacts", ("a", "b"), ("", ""), measured, ("hard", "hard"), {})
    for computed in entries.read_entry(path, [site]).sites.values():
        yield computed.numbers["energy"]


def _entry_seeds(ending: str) -> list[bytes]:
    if ending == ".csv":
        return [b"site,run,rock,energy,rested\ncontacts,a,0,5e4,1\ncontacts,a,1,6e4,0\ncontacts,b,0,8e4,\n"]
    return [b'[\n{"site": "contacts", "run": "a", "energy": 5e4},\n{"site": "contacts", "run": "b", "energy": 1}\n]']


# ---- measured motion ---------------------------------------------------------------------------------


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


def _drape(path: Path) -> Iterator[np.ndarray]:
    """A picture over the ramp."""
    covering = draped(path, ramp())
    yield covering.picture
    if covering.bar is not None:
        yield np.array([covering.bar.low, covering.bar.high])


# ---- all ---------------------------------------------------------------------------------------------


def _good(what: str, suffix: str) -> list[bytes]:
    """The good files that are kept of a reader."""
    return [path.read_bytes() for path in sorted((GOOD / what).glob(f"*{suffix}"))]


def _kept(what: str, suffix: str, read: Callable[[Path], Arrays], every: int = 1) -> Reader:
    """A reader of files of which good ones are kept."""
    return Reader(suffix, read, partial(_good, what, suffix), every)


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
    "terrain-points": _kept("irregular", ".xyz", _terrain),
    "points": _kept("points", ".csv", _points),
    "blocks": _kept("blocks", ".csv", _blocks),
    "zones-geojson": _kept("zones", ".geojson", _zones),
    "zones-gpkg": _kept("zones", ".gpkg", _zones, 4),
    "zones-shp": _kept("zones", ".shp", _zones),
    "system": _kept("system", ".prj", _system),
    "motion-csv": _kept("motion", ".csv", _lane),
    "motion-npz": _kept("motion", ".npz", _lane),
    "fences": _kept("fences", ".geojson", _fences),
    "trees": _kept("trees", ".csv", _stems),
    "observed": _kept("observed", ".csv", _observed),
    "results-summary": _part("lines", "summary.json"),
    "results-csv": _part("lines", "rocks.csv"),
    "results-parquet": _part("columns", "rocks.parquet"),
    "results-map": _part("lines", "maps/implicit/kinetic_energy_q95.tif"),
    "results-paths": Reader(
        ".geojson", lambda path: folders.shown(path, "paths.geojson"), lambda: folders.seeds("lines", "paths.geojson")
    ),
    "counts": Reader(".npz", folders.counts, lambda: folders.seeds("lines", "counts.npz"), 4),
    "checkpoint": Reader(".npz", folders.checkpoint, folders.checkpoint_seeds, 4),
    "drape": _kept("drape", ".tif", _drape, 4),
    "options": Reader(".txt", _options, _option_seeds),
    "settings": Reader(".toml", _settings, _setting_seeds),
    "parameters": Reader(".toml", _scenario, _scenario_seeds, mutate=scattered),
    **_several("terrain", "asc tif xyz las laz", _terrain, partial(_good, "terrain")),
    **_several("terrain", "stl obj ply", _terrain, partial(_good, "mesh")),
    **_several("entry", "csv json", _entry, _entry_seeds),
    **_several("body", "stl obj ply pts xyz", _mesh, partial(_good, "mesh")),
    **_several("model", "glb gltf", _model, _model_seeds),
    **_several("trajectory", "npz csv parquet", _trajectory, _trajectory_seeds),
    **_several("recipe", "png gif html apng glb", _recipe, _picture_seeds),
    **_several("recipe", "mp4 webm mov mkv", _recipe, _picture_seeds, 20),
}
