"""Runs of chosen schemes and kinds, each as a digest of its bytes: a program for processes with caches of their own.

``python -m tests.physics.kernel_digests [--alone] NAME ...`` prints one JSON object of name -> digest; a name is
SCHEME/CASE. ``--alone`` gives each name a process of its own, forked when only what all have in common is compiled.

To compile all of them alone takes 220 s of processor time, and other tests run the same kernels. So a session that
holds the test of them compiles them first, and where they were not compiled before, the other tests load these.
"""

from __future__ import annotations

import gc
import hashlib
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import physics
from app.system.scratch_folders import taken
from physics.core import kernel_cache
from physics.schemes import SCHEMES
from physics.schemes.loop import MANY, marched
from physics.schemes.rows import splittings
from tests.small import cuboid, rock, top, write_map

ROOT = Path(__file__).parents[2]
BAND = [[10.0, -50.0], [18.0, -50.0], [18.0, 50.0], [10.0, 50.0]]
SCAR = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}
RAMP = {"profile": "ramp", "drop": 12.0, "width": 30.0}
VESSEL = {
    "kind": "vessel",
    "duration": 5.0,
    "step": 0.05,
    "body": {"shape": "inertia", "mass": 1.0, "inertia": [1.0, 2.0, 3.0]},
    "vessel": {"metacentric_height": {"transverse": 0.1, "longitudinal": 0.3}, "damping": [0.01, 0.02, 0.0]},
    "initial": {"angular_velocity": [0.1, 0.2, 0.3]},
}
SHIP = {
    "kind": "ship",
    "duration": 1.0,
    "step": 0.05,
    "hull": {
        "shape": "box",
        "size": [20.0, 8.0, 4.0],
        "mass": 328000.0,
        "centre_of_gravity": [0.0, 0.0, 2.5],
        "radii_of_gyration": [2.8, 5.5, 5.8],
    },
    "initial": {"heel": 0.3, "angular_velocity": [0.1, 0.05, 0.2]},
}
TABLE = {
    "kind": "table",
    "duration": 0.2,
    "step": 0.001,
    "body": {"shape": "disk", "radius": 0.1, "mass": 1.0},
    "initial": {"orientation": [0.8, 0.6, 0.0, 0.0], "angular_velocity": [0.5, 3.0, -12.0]},
}
JOINTS = {
    "kind": "joints",
    "duration": 0.5,
    "step": 0.01,
    "body": [{"name": "rod", "shape": "cuboid", "size": [0.1, 0.2, 1.0], "mass": 1.0, "position": [0.0, 0.0, -0.5]}],
    "joint": [
        {"type": "ball", "between": ["ground", "rod"], "at": [0.0, 0.0, 0.0], "angular_velocity": [0.5, 1.0, 3.0]}
    ],
}
WAVES = {"wave": {"spectrum": "jonswap", "significant_height": 1.0, "peak_period": 6.0, "components": 3}}
TABLES = {"vessel": VESSEL, "ship": SHIP, "waves": SHIP | WAVES, "table": TABLE, "joints": JOINTS, "truth": JOINTS}
ROCKFALL = {  # every option that changes what the loop takes, or which of its laws act
    "plain": {},
    "soils": {"soil": {"preset": "soft", "zone": [{"polygon": BAND, "preset": "hard"}]}},
    "scar": {"soil": {"preset": "soft", "scar": SCAR}},
    "restitution": {"soil": {"preset": "hard", "restitution": 0.3, "drag": 0.5}},
    "laws": {"soil": {"preset": "hard", "ground": "compactable", "rolling": 0.1, "ramp": 20.0, "roughness": 0.05}},
    "forest": {"forest": {"drag": 250.0, "height": 10.0}},
    "forests": {"forest": {"zone": [{"polygon": BAND, "drag": 400.0, "height": 15.0}]}},
    "hull": {"body": {"shape": "cuboid", "size": [0.8, 0.7, 0.5], "mass": 500.0}},
    "smooth": {"body": {"shape": "ellipsoid", "size": [0.9, 0.8, 0.5], "mass": 500.0}},
    "holes": {"terrain": {"file": "holes.asc", "nodata": "cut"}},
}


def names() -> list[str]:
    """Every kernel of every scheme; rockfall's options under one scheme, as they meet all alike.

    Those of rocks stand first: they take longest. One kernel of a scheme serves all kinds in which a body only turns,
    but for verlet-exact, which has two, and which stands for the compositions: they share them. Of mechanisms there
    are the two whose loops nothing but a closure tells apart, and those that the first tests of several processes want,
    as they do the true motion of one, and a ship in waves: a loop takes 5 to 8 s to compile.
    """
    same = {row.name for row in (*splittings.COMPOSITIONS, splittings.PROCESSED)}
    own = {name: scheme for name, scheme in SCHEMES.items() if name not in same}
    plain = []
    for name, scheme in own.items():
        turning = ("free",) if scheme.family != "papers" and "free" in scheme.alone else scheme.alone[-1:]
        turning = ("top", "vessel") if name == "verlet-exact" else turning
        plain += [f"{name}/{kind}" for kind in (*turning, "ship") if kind in scheme.kinds]
    rocks = [f"{name}/plain" for name, scheme in SCHEMES.items() if "rockfall" in scheme.kinds]
    return [
        *rocks,
        *plain,
        "implicit/table",
        "exact/table",
        *(f"{name}/joints" for name in ("bullet", "ode", "cayley-em", "mujoco-euler", "moser-veselov", "verlet-exact")),
        "cayley-em/truth",
        "verlet-exact/waves",
        *(f"{name}/many" for name, scheme in SCHEMES.items() if MANY in scheme.marches),
        *(f"implicit/{option}" for option in ROCKFALL if option != "plain"),
    ]


def digest(name: str) -> str:
    """SHA-256 of all numbers of a short run."""
    scheme, case = name.split("/")
    if case == "many":
        return _of_many(scheme)
    given = _scenario(scheme, case)
    run = physics.reference(given) if case == "truth" else physics.simulate(given)[scheme]
    arrays = (run.time, run.position, run.orientation, run.velocity, run.angular_velocity)
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()


def _of_many(scheme: str) -> str:
    """SHA-256 of some bodies that were marched together."""
    march, states = SCHEMES[scheme].solver(MANY), np.tile([1.0, 0.0, 0.0, 0.0, 1.0, 8.0, 2.0], (3, 1))
    assert march is not None
    states[:, 6] = 1.0, 2.0, 3.0
    return hashlib.sha256(marched(march, np.array([0.4, 0.7, 1.0]), 0.01, 1, states, 50).tobytes()).hexdigest()


def _scenario(scheme: str, case: str) -> physics.Scenario:
    if case == "free":
        return cuboid(duration=0.5, schemes=(scheme,))
    if case == "top":
        return top(duration=0.5, step=0.002, schemes=(scheme,))
    if case in TABLES:
        return physics.Scenario(**TABLES[case], schemes=[scheme])
    options = dict(ROCKFALL[case])
    if case == "holes":
        options["terrain"] = {**options["terrain"], "file": str(_terrain_with_holes())}
    return rock(duration=4.0, schemes=(scheme,), **options)


def _terrain_with_holes() -> Path:
    heights = 12.0 - 0.4 * np.arange(30.0) * np.ones((30, 1))
    heights[20:24, 5:9] = -9999.0
    file = Path(tempfile.mkdtemp()) / "holes.asc"
    write_map(file, heights, corner=(0.0, -15.0))
    return file


def digests_alone(runs: list[str]) -> dict[str, str]:
    """Each run in a process of its own; as many at a time as there are processors, for two that do this at once.

    The first run of each kind goes before, in the process that the others are forked from: what schemes have in common
    is compiled once. So does the first of each family of three or more: what its schemes have in common (the constants
    of an elliptic curve) is half of what they compile. All count the functions that they compile from the same number
    on: where the numbers alone told functions apart, each process would give other functions the names that the others
    give.
    """
    first = {name.split("/")[1]: name for name in reversed(runs)}
    common = [first[kind] for kind in ("free", "top", "vessel", "ship", "table", "joints", "plain") if kind in first]
    families: dict[str, list[str]] = {}
    for name in runs:
        families.setdefault(re.sub(r"-\d+", "", name), []).append(name)
    common += [members[0] for members in families.values() if len(members) > 2 and members[0] not in common]
    gc.disable()  # compiling leaves little behind, and who collects looks at all that this process has loaded
    found = {name: digest(name) for name in common}
    rest = [name for name in runs if name not in found]
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with multiprocessing.get_context(method).Pool(max(1, (os.cpu_count() or 1) // 2), maxtasksperchild=1) as pool:
        return found | dict(zip(rest, pool.map(digest, rest, chunksize=1), strict=True))


def digests(cache: Path, *runs: str, root: Path = ROOT, **environment: str) -> dict[str, str]:
    """Digests of runs in a process of its own, with this cache of kernels."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.physics.kernel_digests", *runs],
        cwd=root,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def compiled_alone(folder: Path) -> tuple[Path, dict[str, str]]:
    """A cache that was cold and in which all was compiled alone, and the digests: once below a folder.

    The processes of a session share the folder: the first one that comes compiles, the others wait.
    """
    cache, found = folder / "cache", folder / "digests.json"
    while (lock := taken(folder / "lock")) is None:
        time.sleep(0.2)
    try:
        if not found.exists():
            kinds = ("/top", "/vessel", "/ship", "/table", "/joints", "/truth")
            torque = [name for name in names() if name.endswith(kinds)]
            others = [name for name in names() if name not in torque]  # as long, in processor time
            with ThreadPoolExecutor() as halves:
                told = halves.map(lambda half: digests(cache, "--alone", *half), (torque, others))
            found.write_text(json.dumps({name: digest for half in told for name, digest in half.items()}))
            _keep(cache)
    finally:
        lock.release()
    return cache, json.loads(found.read_text())


def _keep(cache: Path) -> None:
    """Copy kernels to where this user's are kept, but for those that are there."""
    kept = kernel_cache.open_folder()
    compiled = cache / "polhode" / "kernels" / kernel_cache.sources_digest()
    for file in compiled.rglob("*.nbc") if kept is not None else ():
        place = kept / file.relative_to(compiled)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, part := place.with_suffix(".copy"))
            part.replace(place)


if __name__ == "__main__":
    given = sys.argv[1:]
    alone = given[:1] == ["--alone"]
    json.dump(digests_alone(given[1:]) if alone else {name: digest(name) for name in given}, sys.stdout)
