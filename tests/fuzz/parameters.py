"""Scenarios: a good one of every kind, and others made by chance, of the whole range of doubles."""

from __future__ import annotations

import math
import random
import struct
import tomllib
from typing import Any

from app.document.toml_writer import toml_text
from physics.schemes import serving
from physics.schemes.driven_march import UNDER_TORQUE

SCENARIOS = {
    "free": """kind = "free"\ntitle = "Cuboid"\nduration = 0.05\nstep = 0.01
schemes = ["explicit", "implicit", "exact:fast@0.005"]\n[body]\nshape = "cuboid"\nsize = [3.0, 2.0, 1.0]\nmass = 1.0
[initial]\norientation = [1, 0, 0, 0]\nangular_velocity = [1e-3, 1e-3, 10.0]\n[view]\nlayout = "overlay"
[variants.fast]\ninitial.angular_velocity = [1e-3, 1e-3, 20.0]\n""",
    "top": """kind = "top"\nduration = 0.05\nstep = 0.01\nschemes = ["quat-em", "verlet-exact"]
[body]\nshape = "cone"\nheight = 0.1\nradius = 0.05\ndensity = 2700.0
[initial]\nnutation = 0.4\nprecession = 10.0\nspin = "steady"\n[gravity]\ng = 9.81\n""",
    "vessel": """kind = "vessel"\nduration = 0.5\nstep = 0.1\nschemes = ["verlet-magnus-2"]
[body]\nmass = 1e7\ninertia = [1e9, 2e10, 2e10]\n[initial]\nangular_velocity = [0.02, 0.01, 0.0]
[vessel]\nmetacentric_height = {transverse = 1.0, longitudinal = 100.0}\ndamping = [1e7, 1e7, 1e7]\n""",
    "rockfall": """kind = "rockfall"\nduration = 0.1\nstep = 0.01\nschemes = ["implicit"]
[body]\nshape = "random"\nsize = [0.9, 0.9, 0.5]\nmass = 700.0\nseed = 3
[terrain]\nprofile = "ramp"\nangle = 40.0\ndrop = 20.0\nwidth = 40.0
[soil]\nmu_min = 0.4\nmu_max = 2.0\nbeta = 185.0\nkappa = 3.0\n[forest]\ndrag = 10.0\nheight = 20.0
[release]\nline = [[1.0, -3.0], [2.0, 3.0]]\nheight = 2.0\n[ensemble]\nrocks = 4\nseed = 1
[[barrier]]\nline = [[10.0, -10.0], [10.0, 10.0]]\nheight = 2.0\n[stop]\nenergy = 0.05\nfor = 1.0\n""",
    "table": """kind = "table"\nduration = 0.05\nstep = 0.001\nschemes = ["implicit"]
[body]\nshape = "disk"\nradius = 0.05\nthickness = 0.01\nrim = 0.002\nmass = 0.2
[table]\nmu = 0.3\nspin_radius = 1e-3\nrolling_arm = 1e-4\ncontour = 1e-3\nrestitution = 0.5\ntilt = 0.1
[initial]\norientation = [0.8, 0.6, 0.0, 0.0]\nangular_velocity = [0.0, 10.0, 3.0]\nposition = [0.0, 0.0, 0.06]
[stop]\nenergy = 1e-9\nfor = 0.05\n[view]\ncamera = "follow"\n""",
    "ship": """kind = "ship"\nduration = 0.2\nstep = 0.1\nschemes = ["verlet-exact"]
[hull]\nshape = "box"\nsize = [20.0, 8.0, 4.0]\nmass = 328000.0\ncentre_of_gravity = [0.0, 0.0, 2.5]
radii_of_gyration = [2.8, 5.5, 5.8]\n[water]\ndepth = 30.0
[wave]\nspectrum = "jonswap"\nsignificant_height = 1.0\npeak_period = 6.0\ncomponents = 3\nseed = 2
[wind]\nlever = 0.05\ngust = 1.5\ngust_at = 0.1\n[damping]\nlinear = [0.0, 0.0, 1e4, 1e5, 0.0, 0.0]
[control]\nkind = "fins"\nproportional = 1e6\nlimit = 1e5\n[initial]\nheel = 0.1\nheave = 0.2\n""",
    "joints": """kind = "joints"\nduration = 0.05\nstep = 0.01\nschemes = ["cayley-em"]
[[body]]\nname = "upper"\nshape = "cuboid"\nsize = [0.1, 0.1, 1.0]\nmass = 1.0\nposition = [0.0, 0.0, -0.5]
[[body]]\nname = "lower"\nshape = "cuboid"\nsize = [0.2, 0.05, 1.0]\nmass = 0.8\nposition = [0.0, 0.0, -1.5]
[[joint]]\ntype = "ball"\nbetween = ["ground", "upper"]\nat = [0.0, 0.0, 0.0]\nangular_velocity = [0.5, 0.0, 3.0]
[[joint]]\ntype = "hinge"\nbetween = ["upper", "lower"]\nat = [0.0, 0.0, -1.0]\naxis = [0.0, 1.0, 0.0]\nrate = 2.0\n""",
}
ROUND = "ellipsoid"  # the shape of a rock that touches otherwise
SPUN = {"torque": [{"axes": "body", "value": [0.0, 0.0, 0.1]}]}
ACTING = ("torque", "rotor", "spring", "gravity_gradient", "steering")  # tables of what drives a body
_FEW = {
    UNDER_TORQUE: ("explicit", "implicit", "verlet-exact", "rk4", "dop853"),
    "joints": ("cayley-em", "moser-veselov", "mujoco-euler"),
    "ship": ("verlet-exact", "rkn-4", "implicit", "rk4", "dop853"),
    "table": ("explicit", "implicit"),
}
_ODD = (0.0, -0.0, 1.0, -1.0, 1e-308, 5e-324, 1.7e308, -1.7e308, 1e16, 1e-16, 1e154, 1e-154, math.nan, math.inf)
_TURN, _MOVE = {"angular_velocity": [0.1, 8.0, 0.2]}, {"angular_velocity": [0.1, 8.0, 0.2], "velocity": [1.0, 2.0, 3.0]}
_G = {"gravity": {"g": 9.81}}
_TWO = ("upper", "lower")
_TIE: dict[str, Any] = {"between": ["ground", "upper"], "at": [0.0, 0.0, 0.0]}
_ALONG, _ACROSS = {"axis": [0.0, 1.0, 0.0]}, {"axis2": [1.0, 0.0, 0.0]}
_SOFT = {"stiffness": [5.0, 2.0], "rest": [0.1, 0.0], "damping": [0.2, 0.1]}
_LAID = {"mass": 0.5, "inertia": [2e-3, 3e-3, 3e-3], "offset": [0.0, 0.01, -0.02]}
_LAWS = {"rolling": 0.2, "ramp": 20.0, "roughness": 0.1, "restitution_speed": 9.0, "restitution": 0.1, "drag": 0.4}
_SIZE = {"size": [3.0, 2.0, 1.0], "mass": 1.0}
OTHERWISE: dict[str, list[dict[str, Any]]] = {  # tables of each kind that may take the place of others; None: of none
    "free": [
        {"body": {"mass": 1.0, "inertia": [2.0, 3.0, 4.0]}},
        {"body": {"mass": 1.0, "inertia": [2.0, 3.0, 4.0, 0.1, -0.2, 0.3]}},
        {"initial": _MOVE | {"position": [0.0, 0.0, 10.0]}, **_G},
        SPUN,
        {"rotor": [{"axis": [0.0, 1.0, 0.0], "inertia": 0.1, "speed": 25.0}]},
        {
            "rotor": [{"axis": [0.6, 0.8, 0.0], "inertia": 0.1, "speed": 5.0, "torque": 0.1}],
            "damping": {"internal": 0.02},
        },
        {"spring": {"axis": [0.0, 0.0, 1.0], "stiffness": 0.5, "damping": 0.02}},
        {"damping": {"quadratic": [0.1, 0.2, 0.3]}},
        {"gravity_gradient": {"rate": 1e-3, "direction": [0.0, 0.0, -1.0], "normal": [0.0, 1.0, 0.0]}},
    ],
    "joints": [
        {"body": [{"name": n, "mass": 1.0, "inertia": [1.0, 1e-6, 1.0], "position": [0.0, 0.0, -0.5]} for n in _TWO]},
        {"joint": [{"type": "slider", "between": ["ground", "upper"], "at": [0.0, 0.0, 0.0], "axis": [1.0, 0.0, 0.0]}]},
        {"body": [{"name": n, "mass": 1.0, "inertia": [2.0, 3.0, 4.0, 0.1, -0.2, 0.3]} for n in _TWO], "joint": None},
        *({"joint": [{"type": name, **_TIE}]} for name in ("ball", "fixed")),
        {
            "joint": [{"type": "planar", **_TIE, **_ALONG}]
        },  # redundant ones, and springs, want loops of their own: 10 s each
        {"joint": [{"type": "universal", **_TIE, **_ALONG, **_ACROSS, **_SOFT}]},
        {"joint": [{"type": "cylindrical", **_TIE, **_ALONG, **_SOFT}]},
        {
            "joint": [
                {"type": "cylindrical", **_TIE, **_ALONG, "motor": [{"sine": [0.0, 0.1, 2.0, 0.0]}, {"rate": 1.0}]}
            ]
        },
        {"joint": [{"type": "hinge", **_TIE, **_ALONG, "motor": [{"path": [[0.0, 0.0], [0.03, 0.1], [1.0, 0.2]]}]}]},
    ],
    "top": [
        {"body": {"mass": 1.0, "inertia": [0.2, 0.2, 0.1]}, "top": {"distance": 0.3}},
        {"initial": _TURN},
        {"initial": {"nutation": 0.4, "precession": 10.0, "spin": 50.0}},
    ],
    "vessel": [
        {
            "steering": {"heading": 0.5, "proportional": 1e8, "derivative": 1e9, "limit": 1e7},
            "wind": {"speed": 20.0, "direction": 1.0, "area": 500.0},
            "current": {"speed": 1.0, "direction": 2.0, "area": 500.0, "length": 100.0},
        },
        {"torque": [{"axes": "space", "value": [1e6, 0.0, 1e6]}]},
    ],
    "table": [
        *({"body": {"shape": shape, "radius": 0.1, "mass": 0.5}} for shape in ("sphere", "tippe-top")),
        {"body": {"shape": "hoop", "radius": 0.1, "thickness": 0.02, **_LAID}},
        *({"body": {"shape": shape, "size": [0.1, 0.1, 0.15], **_LAID}} for shape in ("ellipsoid", "egg")),
        {"body": {"shape": "cylinder", "size": [0.1, 0.1, 0.15], "rim": 0.01, "mass": 0.5}},
        {"table": {"tilt": 0.1, "rolling_arm": 1e-3, "contour": 1e-2, "viscous": 0.3, "restitution": 0.5}},
        {"initial": _MOVE | {"orientation": [0.6, -0.8, 0.0, 0.0]}, **_G},
        {"initial": _TURN},  # it rolls
    ],
    "ship": [
        *({"hull": {"shape": shape, "size": [20.0, 8.0, 4.0], "mass": 1.5e5}} for shape in ("prism", "cylinder")),
        {"initial": _MOVE | {"heel": 0.2, "trim": 0.02, "heave": 0.1}, **_G},
        {"wave": {"height": 1.0, "period": 5.0, "direction": 1.0}},
        {"damping": {"quadratic": [1e4] * 6, "ratio": [0.1] * 3}, "wave": None},
        {"control": {"kind": "gyro", "spin": 4e5, "inertia": 2e4}},
        {"control": None, "wind": None},
    ],
    "rockfall": [
        *({"body": {"shape": shape, **_SIZE}} for shape in ("cuboid", ROUND, "eota")),
        {"initial": _MOVE, "release": {"position": [1.0, 0.0], "height": 1.0}, **_G},
        {"soil": {"scar": {"modulus": 1e5, "coefficient": 0.5, "density": 1500.0}}},
        {"soil": _LAWS},
        {"forest": {"stems": 900.0, "dbh": 30.0, "dbh_deviation": 5.0, "seed": 2}},
        {"forest": {"drag": 10.0, "height": 20.0, "rotational_drag": [3.0, 2.0, 1.0, 0.1, 0.2, 0.3]}},
        {"barrier": [{"line": [[10.0, -10.0], [10.0, 10.0]], "height": 2.0, "capacity": 100.0}]},
        {"line": [{"points": [[12.0, -10.0], [14.0, 0.0], [12.0, 10.0]], "name": "road"}]},
    ],
}


def served(kind: str) -> tuple[str, ...]:
    """The schemes that are fuzzed of a kind, or UNDER_TORQUE: few where each takes seconds to compile."""
    return _FEW.get(kind) or serving(kind)


def scattered(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    """A scenario of the same kind, under one scheme, with other tables and other numbers, up to half of all."""
    table = tomllib.loads(data.decode())
    kind, wild = table["kind"], rng.randrange(12)
    table.pop("variants", None)
    for other in OTHERWISE[kind]:
        if rng.random() < 0.4:
            table |= {
                key: table.get(key, {}) | value if key in ("hull", "soil") else value for key, value in other.items()
            }
    table = {key: _scattered(value, wild, rng) for key, value in table.items() if value is not None}
    table["duration"] = table["step"] * rng.randint(1, 40)
    is_round = kind == "rockfall" and table["body"]["shape"] == ROUND  # alone: each scheme takes 12 s to compile
    schemes = served(UNDER_TORQUE if any(key in table for key in ACTING) else kind)
    table["schemes"] = ["implicit" if is_round else rng.choice(schemes)]
    return toml_text(table).encode()


def _scattered(value: Any, wild: int, rng: random.Random) -> Any:
    """A value with some of its numbers changed: usual ones by a factor of up to a million, odd ones, any double."""
    if isinstance(value, dict):
        return {key: one if key == "orientation" else _scattered(one, wild, rng) for key, one in value.items()}
    if isinstance(value, list):
        return [_scattered(one, wild, rng) for one in value]
    if not isinstance(value, float) or rng.randrange(24) >= wild:
        return value
    fate = rng.randrange(12)
    if fate < 4:
        return value * 10.0 ** rng.randint(-6, 6)
    if fate < 6:
        return rng.choice(_ODD)
    any_double = float(struct.unpack("<d", rng.randbytes(8))[0])
    return any_double if fate < 7 else abs(any_double)
