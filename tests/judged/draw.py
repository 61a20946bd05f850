"""Random scenarios by seed: what the tables of a file may say of bodies, joints, motors, springs, torques and toys."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import tomlkit

Tables = dict[str, Any]
SHARES = {  # of 50 seeds in a row
    "free": 10,
    "rotors": 4,
    "top": 5,
    "vessel": 3,
    "tree": 7,
    "motor": 8,
    "wheels": 4,
    "loop": 3,
    "springs": 2,
    "toy": 4,
}
SCHEMES = {
    "free": "verlet-exact kahan-li-6 suzuki-4 rkmk-4 rk4-unit dop853 implicit explicit",
    "untorqued": "exact magnus-4 lgvi bullet mujoco-euler no-squish implicit explicit rk4",
    "top": "verlet-exact rkn-4 kahan-li-6 quat-em lgvi rk4-unit bullet mujoco-euler dop853",
    "vessel": "verlet-exact kahan-li-6 quat-em rk4-unit lie-midpoint bullet mujoco-euler",
    "steered": "verlet-exact kahan-li-6 suzuki-4 rkmk-4 rk4-unit dop853 implicit explicit",
    "joints": "cayley-em moser-veselov yoshida-4 dop853 rk4-unit lie-alpha quat-em verlet-exact mujoco-euler ode xpbd",
    "table": "implicit exact quat-em explicit bullet",
}
FACTORS = 1.0, 0.25, 0.5, 3.0, 8.0  # of the scenario's step: those of lanes
ACTING = "stiffness", "rest", "damping", "torque", "motor"  # keys of a joint on whose coordinates something acts
STARTS = "angle", "rate", "travel", "speed", "angles", "rates"


@dataclass(frozen=True)
class Case:
    """A scenario as the tables of its file, and the texts of files beside it."""

    seed: int
    kind: str
    tables: Tables
    files: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the scenario and what it names to a folder of its own; return its path."""
        folder = folder / f"{self.kind}-{self.seed}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).write_text(text)
        path = folder / "scenario.toml"
        path.write_text(tomlkit.dumps(self.tables))
        return path


def kind_of(seed: int) -> str:
    """The kind that a seed stands for: every 50 in a row have all, each spread over them."""
    places = sorted(((n + 0.5) / share, kind) for kind, share in SHARES.items() for n in range(share))
    return places[seed % len(places)][1]


def case_of(seed: int) -> Case:
    """The scenario of a seed."""
    kind, files = kind_of(seed), dict[str, str]()
    return Case(seed, kind, MAKERS[kind](Die(f"{kind} {seed}"), files), files)


def normal(q: list[float]) -> list[float]:
    """A quaternion of length 1."""
    return [x / math.hypot(*q) for x in q]


def across(a: list[float]) -> list[float]:
    """A direction perpendicular to another."""
    return [a[1], -a[0], 0.0] if abs(a[0]) + abs(a[1]) > 0.1 else [0.0, a[2], -a[1]]


def short(x: Any) -> Any:
    """Numbers of six digits, so that files can be read."""
    return [short(one) for one in x] if isinstance(x, list) else float(f"{x:.6g}")


class Die(Random):
    """Random numbers of few digits."""

    def number(self, low: float, high: float) -> float:
        return float(f"{self.uniform(low, high):.4g}")

    def log(self, low: float, high: float) -> float:
        return float(f"{math.exp(self.uniform(math.log(low), math.log(high))):.3g}")

    def vector(self, size: float, number: int = 3) -> list[float]:
        return [self.number(-size, size) for _ in range(number)]

    def near(self, point: list[float], size: float) -> list[float]:
        return [float(f"{x + self.uniform(-size, size):.4g}") for x in point]

    def quaternion(self) -> list[float]:
        return normal([self.gauss(0.0, 1.0) for _ in range(4)])

    def direction(self) -> list[float]:
        found = self.vector(1.0)
        return found if math.hypot(*found) > 0.3 else [0.0, 1.0, 0.0]

    def likely(self, share: float) -> bool:
        return self.random() < share


def scenario(die: Die, kind: str, duration: float, step: float, number: int = 3) -> Tables:
    """The first keys of a scenario: a duration that the steps of all lanes divide, and some lanes."""
    steps, step = max(24, round(duration / step / 24) * 24), float(f"{step:.2g}")
    lanes = []
    for name in die.sample(SCHEMES[kind].split(), number):
        factors = die.sample(FACTORS, die.choice([1, 2]))
        lanes += [name if factor == 1.0 else f"{name}@{step * factor:.6g}" for factor in factors]
    kind = {"untorqued": "free", "steered": "vessel"}.get(kind, kind)
    found = {"kind": kind, "duration": round(steps * step, 9), "step": step}
    return found | {"schemes": lanes}


# ---- a body alone -----------------------------------------------------------------------------------------


def free(die: Die, files: dict[str, str], rotors: bool = False) -> Tables:
    """A free body, with what may act on one."""
    size, rate, wanted = die.log(0.01, 100.0), die.log(0.2, 6.0), ["rotors"] * rotors
    if not rotors or die.likely(0.5):
        acting = ["pulse", "late", "constant", "rows", "gradient", "internal"] + ["spring"] * (not rotors)
        wanted += die.sample(acting, die.choice([0, 1, 1, 1, 2]))
    kind = "free" if wanted else "untorqued"
    tables = scenario(die, kind, min(die.number(8.0, 40.0) / rate, 40.0), die.log(0.02, 0.2) / rate)
    duration, step = tables["duration"], tables["step"]
    a, b, c = (size * die.log(0.05, 1.0) for _ in range(3))
    moments = short([b + c, a + c, a + b] if die.likely(0.7) else [a + c, a + c, 2.0 * a])
    tables["body"] = {"shape": "inertia", "inertia": moments, "mass": 1.0}
    start: Tables = {"orientation": die.quaternion(), "angular_velocity": die.vector(rate)}
    start |= {"velocity": die.vector(1.0)} if die.likely(0.2) else {}
    for _ in range(rotors * die.choice([1, 1, 2])):
        inertia = short(min(moments) * die.number(0.02, 0.2))
        rotor = {"axis": die.direction(), "inertia": inertia, "speed": short(die.number(-20.0, 20.0) * rate)}
        motor = die.choice([{}, {"torque": 0.0}, {"torque": short(die.number(-1.0, 1.0) * inertia * rate**2)}])
        tables.setdefault("rotor", []).append(rotor | motor)
    for what in wanted:
        rows: list[tuple[float, float]] = []
        if what in ("pulse", "late"):
            width = step * die.log(0.1, 4.0)
            at = duration * (die.number(0.1, 0.6) if what == "pulse" else die.number(0.7, 0.95))
            at, push = round(at / step) * step + die.choice([0.0, 0.37 * step]), 0.4 * size * rate / width
            rows = [(0.0, 0.0), (at, 0.0), (at + 0.3 * width, push), (at + 0.7 * width, push), (at + width, 0.0)]
            rows = rows if what == "pulse" else [(0.0, 0.0), (at, 0.0), (at + width, 0.3 * size * rate**2)]
        elif what == "rows":
            rows = [(0.1 * n * duration, 0.3 * size * rate**2 * die.uniform(-1.0, 1.0)) for n in range(11)]
        elif what == "gradient":
            direction = die.direction()
            orbit = {"rate": short(die.number(0.1, 0.6) * rate), "direction": direction}
            tables["gravity_gradient"] = orbit | {"normal": across(direction)}
        elif what == "internal":
            tables["damping"] = {"internal": short(0.05 * min(moments) / rate * die.random())}
        elif what == "spring":
            start |= {"orientation": normal([1.0, *die.vector(0.1)]), "angular_velocity": die.vector(0.3 * rate)}
            tables["spring"] = {"axis": die.direction(), "stiffness": short(die.number(0.2, 1.0) * size * rate**2)}
            tables["spring"] |= {"damping": short(die.number(0.01, 0.2) * size * rate)} if die.likely(0.5) else {}
        table: Tables = {"axes": die.choice(["space", "body"])}
        if what == "constant":
            tables.setdefault("torque", []).append(table | {"value": short(die.vector(0.1 * size * rate**2))})
        elif rows:
            way = die.vector(1.0)
            lines = [f"{t:.9g}," + ",".join(f"{x * push:.6g}" for x in way) for t, push in rows]
            files[f"{what}.csv"] = "\n".join(["time,x,y,z", *lines]) + "\n"
            tables.setdefault("torque", []).append(table | {"file": f"{what}.csv"})
    if kind == "free" and die.likely(0.3):
        tables.setdefault("damping", {})["quadratic"] = short([0.05 * die.random() * moment for moment in moments])
    return tables | {"initial": start}


def top(die: Die, files: dict[str, str]) -> Tables:
    """A body under gravity on a point of its axis; sometimes without symmetry."""
    mass, distance = die.log(0.05, 5.0), die.log(0.03, 0.5)
    wide = mass * distance**2 * die.number(1.1, 2.0)
    moments = [wide, wide * (1.0 if die.likely(0.6) else die.number(0.8, 1.2)), wide * die.number(0.25, 1.2)]
    swing = math.sqrt(mass * 9.81 * distance / wide)
    spin = swing * die.choice([0.0, die.number(0.5, 3.0), die.number(3.0, 12.0)])
    rate = max(spin, swing)
    tables = scenario(die, "top", min(die.number(10.0, 60.0) / rate, 8.0 / swing), die.log(0.02, 0.2) / rate)
    tables |= {"body": {"mass": mass, "inertia": short(moments)}, "top": {"distance": distance}}
    rates = short([*die.vector(0.3 * swing, 2), spin])
    return tables | {"initial": {"orientation": die.quaternion(), "angular_velocity": rates}}


def vessel(die: Die, files: dict[str, str]) -> Tables:
    """A ship that turns about its centre of mass."""
    mass, length = die.log(1e2, 1e7), die.log(1.0, 100.0)
    moments = [
        mass * length**2 * x for x in (die.number(0.015, 0.03), die.number(0.06, 0.065), die.number(0.065, 0.073))
    ]
    high = {"transverse": short(length * die.number(0.005, 0.03)), "longitudinal": short(length * die.number(0.3, 1.2))}
    slow = math.sqrt(mass * 9.81 * high["transverse"] / moments[0])
    steered = die.likely(0.5)
    tables = scenario(die, "steered" if steered else "vessel", 12.0 / slow, die.log(0.02, 0.1) / slow)
    tables["body"] = {"shape": "inertia", "mass": mass, "inertia": short(moments)}
    damping = short([0.1 * slow * x * die.choice([0.0, die.random()]) for x in moments])
    tables["vessel"] = {"metacentric_height": high, "damping": damping}
    start = {"orientation": normal([1.0, *die.vector(0.3)]), "angular_velocity": short(die.vector(0.5 * slow))}
    return tables | {"initial": start} | (helm(die, moments[2], slow, length) if steered else {})


def helm(die: Die, moment: float, rate: float, length: float) -> Tables:
    """What steers a vessel: a controller, mostly with a bound that is met, wind, current and a heeling moment."""
    stiff = moment * (rate * die.number(0.3, 1.0)) ** 2
    steering = {"heading": die.number(-2.5, 2.5), "proportional": short(stiff)}
    steering["derivative"] = short(die.number(0.2, 2.0) * moment * rate)
    steering |= {"limit": short(stiff * die.number(0.05, 0.8))} if die.likely(0.7) else {}
    found: Tables = {"steering": steering}
    for name, density in (("wind", 1.225), ("current", 1025.0)):
        if die.likely(0.6):
            speed = die.log(0.2, 2.0) * (10.0 if name == "wind" else 1.0)
            area = 0.2 * stiff * die.random() / (0.5 * density * speed**2 * 0.1 * length)
            flow = {"speed": speed, "direction": die.number(-3.0, 3.0), "area": short(max(area, 1e-6))}
            found[name] = flow | {"length": length}
    push = 0.05 * moment * rate**2
    return found | ({"torque": [{"axes": "body", "value": short(die.vector(push))}]} if die.likely(0.3) else {})


# ---- mechanisms -------------------------------------------------------------------------------------------


def block(die: Die, name: str, position: list[float], reach: float = 0.5) -> Tables:
    """A body of some shape at a place of the drawing."""
    size, shape = [short(reach * die.log(0.15, 1.0)) for _ in range(3)], die.choice(["cuboid", "ellipsoid", "cylinder"])
    size = [size[0], size[0], size[2]] if shape == "cylinder" else size
    found = {"name": name, "shape": shape, "size": size, "mass": die.log(0.3, 3.0), "position": position}
    return found | ({"orientation": die.quaternion()} if die.likely(0.3) else {})


def joint(die: Die, first: str, second: str, at: list[float], lossy: bool) -> Tables:
    """A joint of some type with its start, and with springs and dampers."""
    kind = die.choice(["ball", "hinge", "hinge", "universal", "slider", "cylindrical", "fixed"])
    found: Tables = {"type": kind, "between": [first, second], "at": at}
    if kind == "ball":
        found |= {"orientation": die.quaternion(), "angular_velocity": die.vector(3.0)}
    elif kind != "fixed":
        found["axis"] = die.direction()
    if kind == "hinge":
        found |= {"angle": die.number(-1.5, 1.5), "rate": die.number(-3.0, 3.0)}
        found |= {"torque": die.number(-1.0, 1.0)} if die.likely(0.15) else {}
    elif kind == "universal":
        found |= {"axis2": across(found["axis"]), "angles": die.vector(0.8, 2), "rates": die.vector(2.0, 2)}
    elif kind in ("slider", "cylindrical"):
        found |= {"travel": die.number(-0.2, 0.2), "speed": die.number(-0.5, 0.5)}
        found |= {"angle": die.number(-1.0, 1.0), "rate": die.number(-2.0, 2.0)} if kind == "cylindrical" else {}
    number = 2 if kind in ("universal", "cylindrical") else 1
    if kind in ("slider", "cylindrical") or (kind in ("hinge", "universal") and die.likely(0.3)):
        travels = kind in ("slider", "cylindrical")
        found["stiffness"] = [die.log(40.0, 300.0) if travels and n == 0 else die.log(2.0, 60.0) for n in range(number)]
        found |= {"rest": die.vector(0.3, number)} if die.likely(0.4) else {}
    if lossy and kind != "fixed" and die.likely(0.5):
        found["damping"] = [die.log(0.02, 1.0) for _ in range(number)]
    return found


def point_spring(die: Die, tables: Tables, lossy: bool) -> None:
    """Add a spring between points of two bodies, or of one and the ground."""
    first, second = die.sample([{"name": "ground", "position": [0.0, 0.0, 1.5]}, *tables["body"]], 2)
    ends = {"from": die.near(first["position"], 0.1), "to": die.near(second["position"], 0.1)}
    spring = {"between": [first["name"], second["name"]], **ends, "stiffness": die.log(2.0, 40.0)}
    spring |= {"rest": die.number(0.1, 0.8)} | ({"damping": die.log(0.05, 1.0)} if lossy else {})
    tables.setdefault("spring", []).append(spring)


def tree(die: Die, files: dict[str, str], number: int = 0, floats: float = 0.2) -> Tables:
    """Bodies that hang on the ground, or float, and on each other."""
    tables = scenario(die, "joints", die.number(0.8, 2.5), die.choice([0.005, 0.01, 0.01, 0.02]))
    lossy, floating, at = die.likely(0.4), die.likely(floats), [0.0, 0.0, 0.0]
    tables["gravity"] = {"g": 0.0} if floating or die.likely(0.1) else {"vector": die.near([0.0, 0.0, -9.0], 0.9)}
    bodies, joints = list[Tables](), list[Tables]()
    for n in range(number or die.choice([1, 2, 2, 3, 3, 4])):
        before = die.choice(bodies) if n else {"name": "ground", "position": at}
        at = die.near(before["position"], 0.3) if n else at
        bodies.append(block(die, f"body-{n + 1}", die.near(at, 0.5)))
        if n == 0 and floating:
            bodies[0] |= {"velocity": die.vector(1.0), "angular_velocity": die.vector(3.0)}
        else:
            joints.append(joint(die, before["name"], bodies[-1]["name"], at, lossy))
    tables |= {"body": bodies} | ({"joint": joints} if joints else {})
    if die.likely(0.3):
        point_spring(die, tables, lossy)
    if not number and die.likely(0.2):  # a chain hangs on the last body
        link = {"from": bodies[-1]["name"], "at": bodies[-1]["position"], "direction": die.direction(), "links": 2}
        kind = die.choice([{"type": "ball"}, {"type": "hinge", "axis": die.direction(), "rate": die.number(-2.0, 2.0)}])
        tables["chain"] = [link | kind | {"length": 0.3, "shape": "cuboid", "size": [0.3, 0.05, 0.1], "mass": 0.3}]
    return tables


def drive(die: Die, duration: float, step: float, size: float) -> Tables:
    """A motor: a path with a stroke of a fraction of a step, a late switch, a steady turn, rates, rests; or another."""
    kind = die.choice(["stroke", "stroke", "late", "rows", "rates", "steady", "rest", "rate", "sine", "there and back"])
    at = round(duration * die.number(0.15, 0.6) / step) * step + die.choice([0.0, 0.41 * step])
    width, late = step * die.log(0.3, 5.0), duration * die.number(0.75, 0.93)
    if kind == "rate":
        return {"rate": die.number(-6.0, 6.0) * size}
    if kind == "sine":
        return {"sine": [0.1 * size, die.number(0.2, 1.0) * size, die.log(0.3, 6.0), die.number(0.0, 6.0)]}
    rows = {
        "stroke": [[0.0, 0.0], [at, 0.0], [at + width, size], [at + 2.0 * width, 0.0], [duration + 1.0, 0.0]],
        "late": [[0.0, 0.0], [late, 0.0], [late + width, size], [duration + 1.0, size]],
        "there and back": [[0.0, 0.0], [0.4 * duration, size], [0.6 * duration, size], [0.7 * duration, 0.0]],
        "rows": [[0.1 * n * duration, die.number(-size, size)] for n in range(11)],
        "rates": [[0.25 * n * duration, die.number(-size, size), die.number(-2.0, 2.0)] for n in range(5)],
        "steady": [[0.05 * n * duration, 0.15 * n * size] for n in range(21)],
        "rest": [[0.2 * n * duration, die.number(-size, size)] for n in range(6)],
    }[kind]
    return {"path": [[float(f"{x:.9g}") for x in row] for row in rows]} | (
        {"between": "rest"} if kind == "rest" else {}
    )


def motor(die: Die, files: dict[str, str]) -> Tables:
    """A tree of which motors drive a coordinate or two."""
    tables = tree(die, files, die.choice([1, 2, 2, 3]), 0.0)
    joints = tables["joint"]
    if joints[0]["type"] in ("ball", "fixed", "cylindrical"):
        joints[0] = {"type": "hinge", "between": joints[0]["between"], "at": [0.0, 0.0, 0.0], "axis": die.direction()}
    chosen = [one for one in joints if one["type"] in ("hinge", "slider", "universal")]
    for one in chosen[: die.choice([1, 1, 2])]:
        for key in (*ACTING, *STARTS):
            one.pop(key, None)
        size = {"hinge": 1.5, "universal": 0.6, "slider": 0.15}[one["type"]]
        number = 2 if one["type"] == "universal" else 1
        one["motor"] = [drive(die, tables["duration"], tables["step"], size) for _ in range(number)]
    return tables


def wheels(die: Die, files: dict[str, str]) -> Tables:
    """A platform, afloat or on a joint, with wheels that turn freely, by a torque, or as a motor drives them."""
    tables = scenario(die, "joints", die.number(3.0, 8.0), die.choice([0.01, 0.02]))
    tables["gravity"] = {"g": 0.0} if die.likely(0.7) else {"g": 9.81}
    platform, joints = block(die, "platform", [0.0, 0.0, 0.0], 1.0) | {"mass": 4.0}, list[Tables]()
    hung, ground = die.choice(["afloat", "afloat", "ball", "hinge"]), {"between": ["ground", "platform"]}
    if hung == "afloat":
        platform["angular_velocity"] = die.vector(1.5)
    elif hung == "ball":
        at = [0.0, 0.0, die.choice([0.0, 0.3])]
        joints.append(ground | {"type": "ball", "at": at, "angular_velocity": die.vector(1.5)})
    else:
        joints.append(ground | {"type": "hinge", "axis": [0.0, 0.0, 1.0], "rate": 1.0})
    tables["body"] = [platform]
    ways = [([0.0, 0.0, 1.0], [1.0, 0, 0, 0]), ([0.0, 1.0, 0.0], [1.0, -1, 0, 0]), ([1.0, 0.0, 0.0], [1.0, 0, 1, 0])]
    for n, (axis, lie) in enumerate(ways[: die.choice([1, 1, 2, 3])]):
        at, d = die.vector(0.4) if die.likely(0.5) else [0.0, 0.0, 0.0], die.number(0.2, 0.6)
        wheel = {"name": f"wheel-{n + 1}", "shape": "cylinder", "size": [d, d, 0.05], "mass": die.number(0.5, 2.0)}
        tables["body"].append(wheel | {"position": at, "orientation": normal(lie)})
        axle = {"type": "hinge", "between": ["platform", wheel["name"]], "at": at, "axis": axis}
        turned = {"rate": die.number(-40.0, 40.0)}
        driven = {"motor": drive(die, tables["duration"], tables["step"], 20.0)}
        joints.append(axle | die.choice([turned, turned, turned | {"torque": die.number(-0.5, 0.5)}, driven]))
    return tables | {"joint": joints}


def loop(die: Die, files: dict[str, str]) -> Tables:
    """A four-bar or a slider-crank; or bars on ball joints that hang on the ground at both ends."""
    tables = scenario(die, "joints", die.number(0.8, 2.0), die.choice([0.005, 0.01]))
    crank, span, kind = die.number(0.1, 0.2), die.number(0.5, 0.7), die.choice(["four-bar", "slider-crank", "ring"])
    corners = {
        "four-bar": [[0.0] * 3, [0.0, 0.0, crank], [span, 0.0, die.number(0.3, 0.5)], [span, 0.0, 0.0]],
        "slider-crank": [[0.0] * 3, [0.0, 0.0, crank], [span, 0.0, 0.0]],
        "ring": [[0.0] * 3, [0.3, 0.1, -0.2], [0.6, -0.1, -0.3], [0.9, 0.0, 0.0]],
    }[kind]
    bodies = list[Tables]()
    for n, (one, other) in enumerate(pairwise(corners)):
        along = [b - a for a, b in zip(one, other, strict=True)]
        turn = normal([math.hypot(*along) + along[0], 0.0, -along[2], along[1]])  # takes x to this direction
        bar = {"name": f"bar-{n + 1}", "shape": "cuboid", "size": [math.hypot(*along), 0.03, 0.04]}
        middle = [0.5 * (a + b) for a, b in zip(one, other, strict=True)]
        bodies.append(bar | {"mass": die.log(0.2, 1.0), "position": middle, "orientation": turn})
    names = ["ground", *(one["name"] for one in bodies), "piston" if kind == "slider-crank" else "ground"]
    what = {"type": "ball"} if kind == "ring" else {"type": "hinge", "axis": [0.0, 1.0, 0.0]}
    joints = [what | {"between": list(ends), "at": at} for ends, at in zip(pairwise(names), corners, strict=True)]
    if kind == "slider-crank":
        piston = {"name": "piston", "shape": "cuboid", "size": [0.1, 0.1, 0.1], "mass": 0.5, "position": corners[2]}
        rail = {"type": "slider", "between": ["ground", "piston"], "at": corners[2], "axis": [1.0, 0.0, 0.0]}
        bodies.append(piston)
        joints.insert(2, rail)
    if kind != "ring":
        path = {"path": [[0.0, 0.0], [0.5 * tables["duration"], 3.0], [tables["duration"], 4.0]]}
        motors = {"motor": path}, {"motor": {"rate": die.number(4.0, 12.0)}}
        joints[0] |= die.choice(motors) if die.likely(0.3) else {"rate": die.number(6.0, 14.0)}
        joints[1] |= {"damping": 0.01} if die.likely(0.3) else {}
    return tables | {"body": bodies, "joint": joints}


def springs(die: Die, files: dict[str, str]) -> Tables:
    """Bodies that float or hang, and springs between points of them."""
    tables, lossy = tree(die, files, die.choice([2, 3]), 0.3), die.likely(0.5)
    if die.likely(0.5):
        tables.pop("joint", None)
        for body in tables["body"]:
            body |= {"velocity": die.vector(0.5), "angular_velocity": die.vector(2.0)}
    for _ in range(die.choice([1, 2])):
        point_spring(die, tables, lossy)
    return tables


# ---- toys -------------------------------------------------------------------------------------------------


def toy(die: Die, files: dict[str, str]) -> Tables:
    """A tippe top, a disk, an egg or a stone that rolls or slides on a table."""
    kind, mass, R = (
        die.choice(["tippe-top", "disk", "ellipsoid", "egg", "sphere"]),
        die.log(0.02, 1.0),
        die.log(0.02, 0.2),
    )
    pace, tilt = math.sqrt(9.81 / R), die.number(0.1, 1.2)
    body: Tables = {"shape": kind, "mass": mass}
    contact = {"mu": 1000.0}, {"mu": 0.2, "spin_radius": short(0.02 * R)}, {"viscous": 0.5}, {"mu": 0.0}
    table = die.choice(contact[: 3 if kind == "disk" else 4]) | ({"tilt": 0.05} if die.likely(0.15) else {})
    if kind in ("tippe-top", "sphere"):
        body |= {"radius": R, "inertia": short([mass * R * R * x for x in (0.39, 0.39, 0.4)])}
        body |= {"offset": [0.0, 0.0, short(-R * die.number(0.1, 0.3))]}
        spin = [0.0, 0.0, die.number(2.0, 6.0)]
    elif kind == "disk":
        thick, tilt = short(R * die.number(0.1, 0.4)), die.number(0.8, 1.4)
        body |= {"radius": R, "thickness": thick, "rim": die.choice([0.0, 0.5]) * thick}
        body |= {"inertia": short([mass * R * R * x for x in (0.26, 0.26, 0.5)])}
        spin = [die.number(-0.3, 0.3), die.number(-0.5, 0.5), die.number(0.8, 1.6)]
    else:
        size = [2.0 * R * x for x in ((1.0, 1.0, 1.4) if kind == "egg" else (1.0, 0.8, 0.6))]
        body |= {
            "size": short(size),
            "inertia": short([0.05 * mass * (sum(y * y for y in size) - x * x) for x in size]),
        }
        spin = die.vector(2.0)
    spin = short([x * pace for x in spin])
    tables = scenario(die, "table", die.number(6.0, 20.0) / math.hypot(*spin), die.log(0.01, 0.1) / math.hypot(*spin))
    start = {"orientation": [math.cos(0.5 * tilt), math.sin(0.5 * tilt), 0.0, 0.0], "angular_velocity": spin}
    start |= {} if table.get("mu") == 1000.0 else {"velocity": [0.0, 0.0, 0.0]}
    return tables | {"body": body, "table": table, "initial": start}


MAKERS = {
    "free": free,
    "rotors": lambda die, files: free(die, files, rotors=True),
    "top": top,
    "vessel": vessel,
    "tree": tree,
    "motor": motor,
    "wheels": wheels,
    "loop": loop,
    "springs": springs,
    "toy": toy,
}
