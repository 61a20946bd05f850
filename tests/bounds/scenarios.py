"""Random scenarios of every kind, short, in which each list that may be empty is empty, full, or neither.

Of every kind seed 0 has all lists empty and seed 1 all full: joints, springs, torques, rotors, waves, zones, trees,
barriers, classes of rocks, rows of a table of blocks. What does not go together is refused: of random choices a part.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import assets
from physics import Scenario, load_scenario
from tests.small import write_map

Tables = dict[str, Any]
BAND = [[10.0, -50.0], [18.0, -50.0], [18.0, 50.0], [10.0, 50.0]]
SCAR = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}


class Chance:
    """Choices of one scenario, and files that it needs."""

    def __init__(self, kind: str, seed: int, folder: Path) -> None:
        self._seed, self._rng, self._folder = seed, np.random.default_rng([seed, *kind.encode()]), folder

    def count(self, most: int) -> int:
        """Length of a list."""
        return most * self._seed if self._seed < 2 else int(self._rng.integers(most + 1))

    def tables(self, most: int, make: Callable[[], Tables]) -> list[Tables]:
        """A list of tables."""
        return [make() for _ in range(self.count(most))]

    def maybe(self, **table: Any) -> Tables:
        """These keys, or none."""
        return table if self.count(1) else {}

    def one(self, *choices: Any) -> Any:
        """One of some values."""
        return choices[int(self._rng.integers(len(choices)))]

    def number(self, low: float, high: float) -> float:
        """A number between two."""
        return float(self._rng.uniform(low, high))

    def vector(self, size: float = 1.0) -> list[float]:
        """Three numbers of both signs."""
        return (size * self._rng.standard_normal(3)).tolist()

    def file(self, name: str, *lines: str) -> str:
        """A text file with at least one line."""
        path = self._folder / name
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    def map(self, name: str, heights: np.ndarray, **place: Any) -> str:
        """An ESRI ASCII grid."""
        write_map(self._folder / name, heights, **place)
        return str(self._folder / name)


def _free(x: Chance) -> Tables:
    def torque() -> Tables:
        rows = [f"{t},{t},1,{-t}" for t in range(x.one(1, 4))]
        given = {"value": x.vector()} if x.one(True, False) else {"file": x.file("torque.csv", "time,x,y,z", *rows)}
        return {"axes": x.one("space", "body"), **given}

    def rotor() -> Tables:
        return {"axis": x.vector(), "inertia": 0.01, "speed": x.number(-50.0, 50.0), **x.maybe(torque=x.one(0.0, 0.1))}

    moments = x.one([1.0, 2.0, 2.5], [1.0, 1.0, 1.5], [2.0, 2.0, 2.0])
    return {
        "step": 0.01,
        "body": {"mass": 1.0, "inertia": moments},
        "initial": {"angular_velocity": x.vector(x.one(0.0, 3.0))},
        **x.maybe(torque=x.tables(3, torque)),
        **x.maybe(rotor=x.tables(3, rotor)),
        **x.maybe(spring={"stiffness": x.number(0.1, 5.0), "damping": x.one(0.0, 0.1)}),
        **x.maybe(gravity_gradient={"rate": 0.5}),
        **x.maybe(damping=x.one({"internal": 0.01}, {"quadratic": [0.1, 0.0, 0.3]})),
    }


def _top(x: Chance) -> Tables:
    body = x.one(
        {"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700.0},
        {"mass": 1.0, "inertia": x.one([0.2, 0.2, 0.1], [0.3, 0.2, 0.1])},
    )
    return {
        "step": 0.002,
        "body": body,
        **({} if "shape" in body else {"top": {"distance": 0.3}}),
        "initial": x.one({"nutation": 0.4, "precession": 10.0, "spin": 50.0}, {"angular_velocity": x.vector(8.0)}),
    }


def _vessel(x: Chance) -> Tables:
    return {
        "step": 0.05,
        "body": {"mass": 1.0, "inertia": [1.0, 2.0, 2.5]},
        "vessel": {"metacentric_height": {"transverse": 0.1, "longitudinal": 0.3}, **x.maybe(damping=[0.01, 0.02, 0])},
        "initial": {"angular_velocity": x.vector(0.3)},
    }


def _ship(x: Chance) -> Tables:
    loads = {"mass": 328000.0, "centre_of_gravity": [0.0, 0.0, x.number(1.5, 3.0)]}
    sea = x.one(
        {"height": 1.0, "period": 5.0, "direction": 1.0},
        {"spectrum": x.one("jonswap", "pierson-moskowitz"), "significant_height": 1.0, "peak_period": 6.0},
    )
    control = x.one(
        {"kind": "fins", "proportional": 1e6, **x.maybe(limit=1e5)}, {"kind": "gyro", "spin": 4e5, "inertia": 2e4}
    )
    corners = [f"v {a} {b} {c}" for a in (-10.0, 10.0) for b in (-4.0, 4.0) for c in (0.0, 6.0)]
    sides = "1243", "5687", "1562", "3487", "1375", "2684"
    box = x.file("box.obj", *corners, *(f"f {' '.join(side)}" for side in sides))
    hull = x.one({"shape": x.one("box", "prism", "cylinder", "wigley"), "size": [20.0, 8.0, 6.0]}, {"file": box})
    return {
        "step": 0.05,
        "hull": {
            **hull,
            "radii_of_gyration": [2.8, 5.5, x.one(5.5, 5.8)],
            **loads,
            **x.maybe(added_mass=[1e4, 1e5, 2e5, 1e5, 1e6, 1e6]),
        },
        "initial": {"heel": x.number(-0.4, 0.4), "angular_velocity": x.vector(0.1)},
        **x.maybe(water={"depth": 30.0}),
        **x.maybe(wave=sea | ({"components": x.one(1, 7)} if "spectrum" in sea else {})),
        **x.maybe(wind={"lever": 0.05, "gust": 1.5, "gust_at": 0.1}),
        **x.maybe(damping={"linear": [0.0, 0.0, 1e4, 1e5, 0.0, 0.0], "quadratic": [1e4] * 6, "ratio": [0.1] * 3}),
        **x.maybe(control=control),
    }


def _table(x: Chance) -> Tables:
    laid = {"mass": 0.5, "inertia": [2e-3, 3e-3, 3e-3], "offset": [0.0, 0.01, -0.02]}
    body = x.one(
        {"shape": "disk", "radius": 0.05, "thickness": 0.01, "rim": 0.002, "mass": 0.2},
        {"shape": x.one("sphere", "tippe-top"), "radius": 0.1, "mass": 0.5},
        {"shape": "hoop", "radius": 0.1, "thickness": 0.02, **laid},
        {"shape": x.one("ellipsoid", "egg"), "size": [0.1, 0.1, 0.15], **laid},
        {"shape": "cylinder", "size": [0.1, 0.1, 0.15], "rim": 0.01, "mass": 0.5},
    )
    friction = x.one({"mu": 0.0}, {"viscous": 0.3}, {"mu": 0.3, "spin_radius": 1e-3}, {"mu": 2000.0})
    return {
        "step": 0.001,
        "body": body,
        "table": {
            "tilt": x.one(0.0, 0.1),
            "rolling_arm": x.one(0.0, 1e-3),
            "contour": x.one(0.0, 1e-2),
            "restitution": x.one(0.0, 0.5),
            **friction,
        },
        "initial": {
            "orientation": x.one([0.8, 0.6, 0.0, 0.0], [0.6, 0.0, -0.8, 0.0]),
            "angular_velocity": x.vector(8.0),
        },
        **x.maybe(ensemble={"runs": 3, "spread": {"spin": 0.01}}),
    }


def _joints(x: Chance) -> Tables:
    number = x.one(1, 2, 3, 5)
    names = [f"b{i}" for i in range(number)]
    held = x.count(number + 2)  # joints: more than there are bodies close loops, in which motors may contradict
    bodies = [
        {"name": name, "size": [0.1, 0.2, 0.3], "mass": x.number(0.5, 2.0), "position": [0.5 * i, 0.0, 0.0]}
        for i, name in enumerate(names)
    ]

    def joint(number: int) -> Tables:
        second = names[number % len(names)]
        before = names[number - 1] if 0 < number < len(names) else "ground"
        between = x.one(["ground", second], [second, "ground"], [before, second], [before, second])
        kind = x.one("ball", "hinge", "universal", "slider", "cylindrical", "planar", "fixed")
        pair = {"universal": 2, "cylindrical": 2}.get(kind, 1)
        made: Tables = {"type": kind, "between": between, "at": [0.5 * number - 0.2, 0.0, 0.1]}
        if kind not in ("ball", "fixed"):
            made |= {"axis": x.one([0.0, 1.0, 0.0], [0.0, 0.0, 1.0])}
        if kind == "universal":
            made |= {"axis2": [1.0, 0.0, 0.0]}
        if kind in ("hinge", "universal", "slider", "cylindrical"):
            made |= x.maybe(stiffness=[5.0] * pair, rest=[0.1] * pair)
            made |= x.maybe(damping=[0.2] * pair)
            made |= x.maybe(force=0.1) if kind in ("slider", "cylindrical") else x.maybe(torque=[0.1] * pair)
            drive = x.one({"rate": 1.0}, {"sine": [0.0, 0.1, 2.0, 0.0]}, {"path": [[0, 0], [0.03, 0.1], [1, 0.2]]})
            made |= {} if held > len(names) else x.maybe(motor=[drive] * pair)
        return made | (x.maybe(damping=0.1) if kind == "ball" else {})

    def spring() -> Tables:
        first, second = x.one(("ground", names[0]), (names[-1], names[0]), (names[0], "ground"))
        second = "ground" if first == second else second
        acts = x.one({"stiffness": 20.0}, {"damping": 0.5}, {"stiffness": 20.0, "damping": 0.5, "rest": 0.1})
        return {"between": [first, second], "from": [0.0, 0.0, 1.0], "to": x.vector(0.3), **acts}

    return {
        "step": 0.01,
        "gravity": {"g": x.one(0.0, 9.81)},
        "body": bodies,
        "joint": [joint(i) for i in range(held)],
        "spring": x.tables(3, spring),
    }


def _rockfall(x: Chance) -> Tables:
    slope = 12.0 - 0.4 * np.arange(30.0) * np.ones((30, 1))
    slope[20:24, 5:9] = -9999.0
    ground = x.one(
        {"profile": "ramp", "drop": 12.0, "width": 30.0},
        {"file": x.map("slope.asc", slope, corner=(0.0, -15.0)), "nodata": x.one("fill", "cut")},
    )
    blocks = [f"r{i},{300 + i},0.9,0.8,0.5,1,{i}" for i in range(4)]
    body = x.one(
        {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0},
        {"shape": "cuboid", "size": [0.8, 0.7, 0.5], "mass": 500.0},
        {"shape": "random", "size": [0.9, 0.8, 0.5], "mass": 500.0, "seed": 3},
        {"shape": x.one("ellipsoid", "sphere"), "size": [0.9, 0.8, 0.5], "mass": 500.0},
        {"shape": "cuboid", "blocks": x.file("blocks.csv", "name,mass [kg],L1 [m],L2 [m],L3 [m],x [m],y [m]", *blocks)},
    )
    if body.get("shape") == "sphere":
        body = {"shape": "sphere", "radius": 0.4, "mass": 500.0}
    laws = {"rolling": 0.2, "ramp": 20.0, "roughness": 0.1, "restitution": 0.1, "drag": 0.4}
    trees = [f"{3.0 + 2 * i},{i - 3.0},{20 + 5 * i}" for i in range(1 + x.count(7))]
    soil = x.one({"preset": x.one("soft", "hard")}, laws | x.maybe(restitution_speed=9.0, drag_time=0.1, scatter=0.2))
    lines = [[10.0, -20.0], [10.0, 20.0]], [[6.0, -20.0], [8.0, 0.0], [6.0, 20.0]]

    def zone() -> Tables:
        return {"polygon": BAND, **x.one({"preset": "hard"}, {"preset": "soft", "scar": SCAR})}

    def barrier() -> Tables:
        return {"line": x.one(*lines), "height": 2.0, **x.maybe(capacity=100.0)}

    woods = x.maybe(drag=250.0, height=10.0) | x.maybe(trees=x.file("trees.csv", "x [m],y [m],dbh [cm]", *trees))
    drawn = {"rocks": 1 + x.count(5), "seed": 1}
    start: Tables = {"height": x.one(1.0, "clear")}
    if "blocks" not in body:
        start |= x.one({"position": [1.0, 0.0]}, {"line": [[1.0, -3.0], [2.0, 3.0]]}, {"slope_above": 10.0})
        drawn |= x.maybe(shapes="each") if body["shape"] == "random" else {}
    return {
        "step": 0.005,
        "body": body,
        "terrain": ground,
        "soil": soil | x.maybe(zone=x.tables(2, zone)) | x.maybe(scar=SCAR),
        "forest": woods | x.maybe(zone=[{"polygon": BAND, "drag": 400.0, "height": 15.0}] * x.count(2)),
        "barrier": x.tables(3, barrier),
        "release": start,
        "ensemble": drawn,
        "initial": {"angular_velocity": x.vector(3.0)},
        **({} if "blocks" in body else x.maybe(scenario_class=[{"volume": 0.2, "frequency": 1.0}] * x.count(2))),
    }


KINDS: dict[str, Callable[[Chance], Tables]] = {
    "free": _free,
    "top": _top,
    "vessel": _vessel,
    "ship": _ship,
    "table": _table,
    "joints": _joints,
    "rockfall": _rockfall,
}
STEPS = {"rockfall": 600}  # a rock has to fall; of all others


EXAMPLES = sorted(assets.SCENARIOS.glob("*.toml"))


def scenario(kind: str, scheme: str, seed: int, folder: Path) -> Scenario:
    """The scenario of a seed for one scheme, "examples" of a file; ScenarioError where choices do not go together."""
    if kind == "examples":
        example = load_scenario(EXAMPLES[seed % len(EXAMPLES)])
        return example.changed(schemes=[scheme], duration=STEPS.get(example.kind, 12) * example.step)
    x = Chance(kind, seed, folder)
    tables = KINDS[kind](x)
    return Scenario(kind=kind, schemes=[scheme], duration=STEPS.get(kind, 12) * tables["step"], **tables)
