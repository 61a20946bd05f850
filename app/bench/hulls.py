"""How long hydrostatics and motion of a hull take, beside a C program of its integrals where a compiler is found."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from app.bench.c_program import compiled, pointer
from app.bench.comparison import Say, compared, milliseconds, told
from physics import Scenario
from physics.core.rotation import Array
from physics.hydrostatics.flotation import attitude
from physics.hydrostatics.hull import Hull, loaded
from physics.hydrostatics.hull_shapes import wigley
from physics.hydrostatics.immersion import immersed
from physics.hydrostatics.righting_levers import curve, rest_of
from physics.schemes import SCHEMES
from physics.systems.ship.system import stream
from physics.systems.ship.world import ShipWorld

SOURCE = Path(__file__).with_name("hulls.c")
PANELS = (48, 24)  # 4942 triangles
ROUNDS, CALLS = 15, 100
LIMIT = 1.5  # wanted: one evaluation over that of C
STEP = 0.02  # [s] of the motion of a ship
_SEA = {"spectrum": "jonswap", "significant_height": 2.0, "peak_period": 8.0, "direction": 1.57, "components": 30}
WATERS: dict[str, dict[str, object]] = {
    "calm water": {},
    "a regular wave": {"wave": {"height": 2.0, "period": 8.0, "direction": 1.57}},
    "30 waves": {"wave": _SEA},
}
HEIGHT = 0.0  # of the centre of gravity above the water [m]


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure one evaluation, a curve of righting levers, and a second of motion; ``say`` gets a line for each."""
    hull = wigley((100.0, 10.0, 6.25), PANELS)
    turned = attitude(0.3, 0.01)
    library = compiled(SOURCE)
    ours: Callable[[], object] = lambda: immersed(hull.points, hull.triangles, turned, HEIGHT)  # noqa: E731
    ours()  # compile
    if library is None:
        time = min(milliseconds(ours) for _ in range(CALLS))
        say(f"{1e3 * time:.0f} us an evaluation; no C compiler was found: nothing to compare with")
        return []
    theirs, sums = _in_c(library, hull, turned)
    theirs()
    if not np.allclose(tuple(immersed(hull.points, hull.triangles, turned, HEIGHT)), sums, rtol=1e-9, atol=1e-6):
        raise RuntimeError("the C program does not find the same volume")
    count = len(hull.triangles)
    rounds = [(_microseconds(ours), _microseconds(theirs)) for _ in range(ROUNDS)]
    found = [compared(f"{count} triangles, once", "C", *_columns(rounds), unit="us", limit=LIMIT)]
    load = loaded(hull, 1025.0 * 2700.0, (0.5, 0.0, -1.0))
    rest_of(load)  # compile
    levers: Callable[[], object] = lambda: list(curve(load, np.radians(np.arange(0.0, 91.0, 5.0))))  # noqa: E731
    times = [(milliseconds(levers), 1e-3 * _microseconds(theirs)) for _ in range(ROUNDS)]
    found.append(compared("19 righting levers, free trim", "one evaluation in C", *_columns(times)))
    with tempfile.TemporaryDirectory() as place:
        for name, more in WATERS.items():
            moving = _second_of_motion(hull, more, Path(place))
            moving()  # compile
            seconds = [(milliseconds(moving), 1e3) for _ in range(ROUNDS)]
            found.append(compared(f"1 s of motion in {name}", "real time", *_columns(seconds), limit=0.05))
    return told(say, found)


def _second_of_motion(hull: Hull, more: dict[str, object], folder: Path) -> Callable[[], object]:
    """A call that moves a hull for a second in steps of 0.02 s, one force each."""
    file = folder / "hull.obj"
    corners = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in hull.points.tolist())
    file.write_text(corners + "".join(f"f {a} {b} {c}\n" for a, b, c in (hull.triangles + 1).tolist()))
    table = {
        "file": str(file),
        "mass": 2.8e6,
        "centre_of_gravity": (0.0, 0.0, -0.5),
        "radii_of_gyration": (3.5, 25, 25),
    }
    scenario = Scenario(kind="ship", duration=1.0, step=STEP, schemes=("verlet-exact",), hull=table, **more)
    world, row = ShipWorld.of(scenario), SCHEMES["verlet-exact"]
    return lambda: list(stream(world, row, round(1.0 / STEP)))


def _columns(rounds: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [ours for ours, _ in rounds], [theirs for _, theirs in rounds]


def _microseconds(call: Callable[[], object]) -> float:
    """Of one of many calls."""

    def many() -> None:
        for _ in range(CALLS):
            call()

    return 1e3 * milliseconds(many) / CALLS


def _in_c(library: ctypes.CDLL, hull: Hull, turned: Array) -> tuple[Callable[[], object], Array]:
    """A call of the C program, and where it leaves the integrals."""
    triangles = hull.triangles.astype(np.int64)
    room, sums, rotation = np.empty_like(hull.points), np.empty(10), np.ascontiguousarray(turned)
    counts = ctypes.c_long(len(hull.points)), ctypes.c_long(len(triangles))

    def call() -> None:
        library.immersed(
            pointer(hull.points), counts[0], pointer(triangles), counts[1], pointer(rotation),
            ctypes.c_double(HEIGHT), pointer(room), pointer(sums),
        )  # fmt: skip

    return call, sums
