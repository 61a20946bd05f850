"""Scenarios made of bytes: every number of every kind over the whole range of doubles."""

from __future__ import annotations

import math
import struct
from typing import Any

from physics.scenario.scenario import Scenario
from physics.schemes import serving

_KINDS = ("free", "top", "vessel", "rockfall", "table", "ship", "table", "rockfall")
_ODD = (0.0, -0.0, 1.0, -1.0, 1e-308, 5e-324, 1.7e308, -1.7e308, 1e16, 1e-16, 1e154, 1e-154, math.nan, math.inf)


ROUND = "ellipsoid"  # the shape of a rock that touches otherwise
_FEW = {"ship": ("verlet-exact", "rkn-4", "implicit", "rk4", "dop853"), "table": ("explicit", "implicit")}


def served(kind: str) -> tuple[str, ...]:
    """The schemes that are fuzzed: of ships and tables few, as each takes seconds to compile."""
    return _FEW.get(kind) or serving(kind)


class _Choices:
    """Choices that bytes make; at their end, the first ones."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0
        self._wild = self.below(12)  # of 24 numbers: how many are unusual

    def take(self, n: int) -> bytes:
        found = self._data[self._place : self._place + n]
        self._place += n
        return found + bytes(n - len(found))

    def below(self, n: int) -> int:
        return int.from_bytes(self.take(2), "little") % n

    def number(self, usual: float) -> float:
        """The usual number, a multiple of it by up to a million, an odd one, or any double."""
        if self.below(24) >= self._wild:
            return usual
        fate = self.below(12)
        if fate < 4:
            return usual * 10.0 ** (self.below(13) - 6)
        if fate < 6:
            return _ODD[self.below(len(_ODD))]
        any_double = float(struct.unpack("<d", self.take(8))[0])
        return any_double if fate < 7 else abs(any_double)

    def numbers(self, *usual: float) -> list[float]:
        return [self.number(value) for value in usual]


def scenario_from(data: bytes) -> Scenario:
    """The scenario that bytes choose; ScenarioError, as from a file, where it is none."""
    choose = _Choices(data)
    kind = _KINDS[choose.below(8)]
    step = choose.number(0.01)
    values: dict[str, Any] = {
        "kind": kind,
        "step": step,
        "duration": step * (1 + choose.below(40)),
        "schemes": [served(kind)[choose.below(len(served(kind)))]],
        "initial": {"angular_velocity": choose.numbers(0.1, 8.0, 0.2)},
    }
    if kind != "ship":
        values["body"] = {"size": choose.numbers(3.0, 2.0, 1.0), "mass": choose.number(1.0)}
    if kind in ("free", "rockfall", "table"):
        values["initial"]["velocity"] = choose.numbers(1.0, 2.0, 3.0)
        values["gravity"] = {"g": choose.number(9.81)}
    if kind == "free":
        values["initial"]["position"] = choose.numbers(0.0, 0.0, 10.0)
    globals()[f"_{kind}"](values, choose)
    return Scenario(**values)


def _free(values: dict[str, Any], choose: _Choices) -> None:
    if choose.below(2):
        values["body"] = {"mass": choose.number(1.0), "inertia": choose.numbers(2.0, 3.0, 4.0)}


def _top(values: dict[str, Any], choose: _Choices) -> None:
    if choose.below(2):
        values["body"] = {
            "shape": "cone",
            "height": choose.number(0.1),
            "radius": choose.number(0.05),
            "density": choose.number(2700.0),
        }
    else:
        values["body"] = {"mass": choose.number(1.0), "inertia": choose.numbers(0.2, 0.2, 0.1)}
        values["top"] = {"distance": choose.number(0.3)}
    if choose.below(2):
        values["initial"] = {
            "nutation": choose.number(0.4),
            "precession": choose.number(10.0),
            "spin": "steady" if choose.below(2) else choose.number(50.0),
        }


def _vessel(values: dict[str, Any], choose: _Choices) -> None:
    values["body"] = {"mass": choose.number(1e7), "inertia": choose.numbers(1e9, 2e10, 2e10)}
    heights = {"transverse": choose.number(1.0), "longitudinal": choose.number(100.0)}
    values["vessel"] = {"metacentric_height": heights, "damping": choose.numbers(1e7, 1e7, 1e7)}


def _table(values: dict[str, Any], choose: _Choices) -> None:
    shape = ("sphere", "tippe-top", "disk", "hoop", "ellipsoid", "egg", "cylinder")[choose.below(7)]
    body: dict[str, Any] = {"shape": shape, "mass": choose.number(0.5)}
    if shape in ("ellipsoid", "egg", "cylinder"):
        body["size"] = choose.numbers(0.1, 0.1, 0.15)
    else:
        body["radius"] = choose.number(0.1)
    if shape in ("disk", "hoop"):
        body["thickness"] = choose.number(0.02)
    if shape in ("disk", "hoop", "cylinder") and choose.below(2):
        body["rim"] = choose.number(0.01)
    if choose.below(2):
        body |= {"inertia": choose.numbers(2e-3, 3e-3, 3e-3), "offset": choose.numbers(0.0, 0.01, -0.02)}
    table = {"tilt": choose.number(0.1), "rolling_arm": choose.number(1e-3), "contour": choose.number(1e-2)}
    if choose.below(3):
        table |= {"mu": choose.number(0.3), "spin_radius": choose.number(1e-3)}
    else:
        table["viscous"] = choose.number(0.3)
    table["restitution"] = choose.number(0.5)
    turn = 0.01 * choose.below(628)
    values["initial"]["orientation"] = (math.cos(turn / 2.0), math.sin(turn / 2.0), 0.0, 0.0)
    if choose.below(2):
        values["initial"]["position"] = choose.numbers(0.1, 0.1, 0.4)
    if choose.below(3) == 0:
        del values["initial"]["velocity"]  # it rolls
    values |= {"body": body, "table": table, "stop": {"energy": choose.number(1e-10), "for": choose.number(0.1)}}


def _ship(values: dict[str, Any], choose: _Choices) -> None:
    values["hull"] = {
        "shape": ("box", "prism", "cylinder")[choose.below(3)],
        "size": choose.numbers(20.0, 8.0, 4.0),
        "mass": choose.number(1.5e5),
        "centre_of_gravity": choose.numbers(0.0, 0.0, 1.0),
        "radii_of_gyration": choose.numbers(2.8, 5.5, 5.8),
    }
    values["initial"] |= {"heel": choose.number(0.2), "trim": choose.number(0.02), "heave": choose.number(0.1)}
    values["initial"]["velocity"] = choose.numbers(1.0, 0.5, 0.1)
    values["water"] = {"density": choose.number(1025.0), "depth": choose.number(30.0)}
    values["gravity"] = {"g": choose.number(9.81)}
    values["damping"] = {name: choose.numbers(*[1e4] * 6) for name in ("linear", "quadratic")}
    values["damping"]["ratio"] = choose.numbers(0.1, 0.1, 0.1)
    if choose.below(2):
        values["wave"] = {"height": choose.number(1.0), "period": choose.number(5.0), "direction": choose.number(1.0)}
    if choose.below(2):
        values["wind"] = {"lever": choose.number(0.1), "gust": choose.number(1.5), "gust_at": choose.number(0.1)}
    if choose.below(2):
        values["control"] = {"kind": "fins", "proportional": choose.number(1e6), "limit": choose.number(1e5)}
    elif choose.below(2):
        values["control"] = {"kind": "gyro", "spin": choose.number(4e5), "inertia": choose.number(2e4)}


def _rockfall(values: dict[str, Any], choose: _Choices) -> None:
    values["body"]["shape"] = ("cuboid", "ellipsoid", "random", "eota")[choose.below(4)]
    if values["body"]["shape"] == ROUND:
        values["schemes"] = ["implicit"]  # alone: each takes 12 s to compile
    values["terrain"] = {
        "profile": "ramp",
        "angle": choose.number(40.0),
        "drop": choose.number(20.0),
        "width": choose.number(40.0),
    }
    values["release"] = {"position": choose.numbers(1.0, 0.0), "height": choose.number(1.0)}
    keys = {"mu_min": 0.4, "mu_max": 2.0, "beta": 185.0, "kappa": 3.0, "restitution": 0.1, "drag": 0.4}
    values["soil"] = {key: choose.number(usual) for key, usual in keys.items()}
    if choose.below(2):
        scar = {"modulus": 1e5, "coefficient": 0.5, "density": 1500.0}
        values["soil"]["scar"] = {key: choose.number(usual) for key, usual in scar.items()}
    if choose.below(2):
        laws = {"rolling": 0.2, "ramp": 20.0, "roughness": 0.1, "restitution_speed": 9.0}
        values["soil"] |= {key: choose.number(usual) for key, usual in laws.items()}
    values["forest"] = {"drag": choose.number(10.0), "height": choose.number(20.0)}
    values["stop"] = {"energy": choose.number(0.05), "for": choose.number(1.0)}
