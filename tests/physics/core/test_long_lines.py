"""Files of text with one very long line: each reader takes it, or refuses it in a sentence, in linear time.

Of headings it went with the square of their length: of some of these lines minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from physics import ScenarioError, load_scenario
from physics.bodies.mesh_io import read_mesh
from physics.core.text_tables import read_columns, read_records
from physics.hazard.entries import Contacts
from physics.hydrostatics.hull import read_hull
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import measured_motion
from physics.measured.rockable import particle_of
from physics.scenario.common_config import BodyConfig
from physics.systems.rockfall.blocks import read_blocks
from physics.systems.rockfall.observations import read_passages, read_stops, read_tracks
from physics.terrain.dem import read_terrain
from physics.terrain.zones import read_shapes

Reader = Callable[[Path], object]
LONG = 60_000  # letters
FILLED_WITH = ("_", " ", "9.", ",", "1;", "1 ", "(", '"', "a/", "],[", "é")
ROWS = "1 2 3\n4 5 6\n"
TABLES = (
    "{X}",
    "a,{X},b\n1,2,3\n4,5,6\n",
    "t,wx,wy,wz\n1,2,3,{X}\n2,3,4,5\n",
    "#{X}\nt,x,y\n1,2,3\n",
    "1 2 3\n{X}\n4 5 6\n",
)
GRID = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
SOLID = "solid {X}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 {X}\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n"
HEADER = "ply\nformat ascii 1.0\ncomment {X}\nelement vertex {X}\nend_header\n{X}\n"
FEATURE = '{"type": "Feature", "properties": {"a": "{X}"}, "geometry": {"type": "{X}", "coordinates": [{X}]}}'
KEYS = 'kind = "free"\n[body]\nsize = [{X}]\n'


def measured(path: Path) -> object:
    return measured_motion(MeasuredConfig(file=path.name), path.parent)


def torques(path: Path) -> object:
    return read_columns(path, "torques", needed=("time", "x", "y", "z"))


def blocks(path: Path) -> object:
    return read_blocks(path, 0, BodyConfig(size=(1.0, 1.0, 1.0), mass=1.0), str(path.parent), "z")


def run_of_rockable(path: Path) -> object:
    return particle_of(path, None)


def contacts(path: Path) -> object:
    return Contacts.read(path)


def records(path: Path) -> object:
    return read_records(path, "stops", 10)


READERS: dict[str, tuple[tuple[Reader, ...], tuple[str, ...]]] = {
    "a.csv": ((measured, torques, blocks, read_stops, read_tracks, read_passages, contacts), TABLES),
    "a.json": ((records,), ("{X}", '[{"site": "{X}", "{X}": 1}]', '[{"site": {X}}]')),
    "a.tsv": ((measured,), TABLES),
    "a.pts": ((read_hull, read_mesh), TABLES),
    "a.xyz": ((read_terrain, read_mesh), TABLES),
    "a.asc": ((read_terrain,), ("{X}", GRID + "1 {X}\n3 4\n", "{X}\n" + GRID)),
    "a.obj": ((read_mesh, read_hull, read_terrain), ("{X}", "#{X}\nv 0 0 {X}\nv 1 0 0\nv 0 1 0\nf 1 2 {X}\n")),
    "a.stl": ((read_mesh,), ("{X}", SOLID)),
    "a.ply": ((read_mesh,), ("{X}", HEADER)),
    "a.geojson": ((read_shapes,), ("{X}", FEATURE)),
    "a.toml": ((load_scenario,), ("{X}", "{X} = 3\n", KEYS, 'kind = "{X}"\n')),
    "conf0": ((run_of_rockable,), ("{X}", "Rockable 20-02-2017\n{X}\nParticles 1\n{X}\n")),
}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        pytest.param(name, read, id=f"{read.__name__}-{name}")
        for name, (readers, _) in READERS.items()
        for read in readers
    ],
)
def test_a_very_long_line_is_read_or_refused(tmp_path: Path, name: str, read: Reader) -> None:
    path = tmp_path / name
    for text in READERS[name][1]:
        for letters in FILLED_WITH:
            path.write_text(text.replace("{X}", letters * (LONG // len(letters))), encoding="utf-8")
            try:
                read(path)
            except ScenarioError as error:
                assert 0 < len(str(error)) < 1000 + len(str(path)), (text[:20], letters)  # noqa: PT017
