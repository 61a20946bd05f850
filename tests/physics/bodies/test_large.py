"""Files that are large for what they hold: they take memory by their size, not by their words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from app.system import processes
from physics.bodies.mesh_io import read_mesh

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux tells how much memory is taken")
EACH, SPARSE = 30.0, 1.0  # bytes of addresses for each byte of a file: the hungriest, faces, takes 27 of any length
MAP = "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n"

FILES = {  # name of a file -> what it begins with, what it is filled with, up to which size, a word of the answer
    "words.obj": (b"", b"a\n", 8_000_000, "at least 4 points"),
    "points.obj": (b"", b"v 0 0 0\n", 5_000_000, ""),
    "faces.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", b"f 1 2 3\n", 5_000_000, ""),
    "long.obj": (b"f ", b"1 ", 63_000_000, "line 1: longer than"),
    "points.pts": (b"", b"0 0 0\n", 5_000_000, ""),
    "solid.stl": (b"solid\n", b"a\n", 63_000_000, "cut short"),
    "sparse.xyz": (b"1 2 3\n2 2 3\n", b"", 2_000_000_000, "line"),
    "sparse.asc": (MAP.encode(), b"", 2_000_000_000, "line 6: expected text, got a NUL byte"),
    "words.asc": (MAP.encode() + b"9 8 7 6 ", b"a", 30_000_000, "line 6: expected heights"),
}
READ = """
import resource, sys
from physics import ScenarioError
from physics.bodies.mesh_io import read_mesh
from physics.terrain.dem import read_terrain
from pathlib import Path
path = Path(sys.argv[1])
pages = int(Path("/proc/self/statm").read_text().split()[0])  # those of the libraries
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + int(sys.argv[2]),) * 2)
try:
    (read_terrain if path.suffix in (".xyz", ".asc") else read_mesh)(path)
except ScenarioError as error:
    print(error)
"""


@pytest.mark.parametrize("name", FILES)
def test_a_long_file_takes_memory_by_its_size(name: str, tmp_path: Path) -> None:
    head, filling, size, word = FILES[name]
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(head)
        if filling:
            file.write(filling * ((size - len(head)) // len(filling)))
        else:
            file.truncate(size)
    done = subprocess.run(
        processes.python("-c", READ, str(path), str(round((EACH if filling else SPARSE) * size))),
        env=processes.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert word in done.stdout
    assert done.stdout.count("\n") == (1 if word else 0)


def test_points_and_faces_stand_in_any_lines(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_bytes(b"# a\r\nv 0 0 0 1\r\n\r\nv 1 0 0\r\nv 0 1 0\r\nv 0 0 1\r\nf 1/1 -2/7/8 3 -1\r\n")
    mesh = read_mesh(tmp_path / "a.obj")
    np.testing.assert_array_equal(mesh.points, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(mesh.triangles, [[0, 2, 2], [0, 2, 3]])
