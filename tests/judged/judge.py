"""The program's verdict on a scenario, beside that of integrations made outside it.

Where the outside knows the motion, what ``polhode compare --json`` says of a lane has to agree with it: the leading
angle at the end, the times at which it passes 1, 10 and 90 degrees, and the verdict (right, near, off).
"""

from __future__ import annotations

import contextlib
import io
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.__main__ import main as polhode
from physics import Trajectory, load_scenario, simulate
from tests.judged.bodies import toy, turning, unit
from tests.judged.draw import Case
from tests.judged.mechanisms import assembled, bodies_and_joints, frames, mechanism
from tests.judged.rotations import Array, degrees_between, matrix

OUTSIDE = {"free": turning, "top": turning, "vessel": turning, "joints": mechanism, "table": toy}
TOLERANCES = 1e-12, 1e-10  # of two integrations, whose difference bounds the error
SURE = 2e-5  # [deg] of it at most
EXACT = 0.01  # [deg] to which the program promises a leading angle
CLOSE = 1e-4  # [deg] to which it should find it
LIMITS = (1.0, 10.0, 90.0)  # [deg]
CLEAR = 1.1  # factor of a bound from which a departure is clearly on one side: lengths are not compared closely


@dataclass(frozen=True)
class Finding:
    """A lane: its verdict by the outside, "" where that does not know it; what was said; the error; the faults."""

    lane: str
    right: str
    said: str
    error: float  # [deg] of the leading angle that was said
    faults: tuple[str, ...]


class Truth:
    """The motion by two integrations outside the program, up to where they part."""

    def __init__(self, tables: dict[str, Any], folder: Path, times: Array) -> None:
        one, until = OUTSIDE[tables["kind"]](tables, folder, TOLERANCES[0])
        other, end = OUTSIDE[tables["kind"]](tables, folder, TOLERANCES[1])
        self.times, self.known = np.empty(0), 0
        if min(until, end) == 0.0:
            return
        times = times[times <= min(until, end) * (1.0 + 1e-12)]
        self.times, (self.places, self.attitudes) = times, one(times)
        apart = degrees_between(self.attitudes, other(times)[1]).max(axis=1)
        parted = np.flatnonzero(apart > SURE)
        self.known = len(times) if not len(parted) else int(parted[0])

    def at(self, times: Array) -> tuple[Array, Array, int]:
        """Places and attitudes at the first of some times [s], as many as are known."""
        if not self.known:
            return np.empty((0, 1, 3)), np.empty((0, 1, 4)), 0
        number = int(np.searchsorted(times, self.times[self.known - 1], side="right"))
        rows = np.searchsorted(self.times, times[:number])
        return self.places[rows], self.attitudes[rows], number


def axles(tables: dict[str, Any]) -> list[Array | None]:
    """Axle of each body in body axes if its phase does not lead, as that of a wheel free on one that can turn."""
    if tables["kind"] != "joints":
        return [None]
    bodies, joints = bodies_and_joints(tables)
    acted = ("stiffness", "damping", "torque", "motor")
    found: list[Array | None] = []
    for body in bodies:
        name, z = body["name"], matrix(np.array(body.get("orientation", [1, 0, 0, 0]), float))[:, 2]
        mine = [one for one in joints if name in one["between"]]
        round_ = body.get("shape") in ("cylinder", "ellipsoid") and body["size"][0] == body["size"][1]
        held = any(name in spring["between"] for spring in tables.get("spring", ()))
        wheel = round_ and not held and bool(mine)
        for one in mine:
            arm = np.array(one.get("at", [0, 0, 0]), float) - np.array(body["position"], float)
            along = one["type"] == "hinge" and np.linalg.norm(np.cross(unit(one["axis"]), z)) < 1e-9
            wheel &= along and bool(np.linalg.norm(np.cross(arm, z)) < 1e-9) and not any(key in one for key in acted)
        partners = {other for one in mine for other in one["between"]} - {name}
        for one in joints:  # on a carrier that turns about the same direction alone, the axle stays
            if wheel and "ground" in one["between"] and set(one["between"]) & partners and one["type"] == "hinge":
                wheel = bool(np.linalg.norm(np.cross(unit(one["axis"]), z)) > 1e-9)
        found.append(np.array([0.0, 0.0, 1.0]) if wheel and "ground" not in partners else None)
    return found


def leading(run: Trajectory, truth: Truth, about: list[Array | None]) -> tuple[Array, Array, int]:
    """Leading angles (n,) [deg] and distances (n,) [m] of the first n states of a run, as many as are known."""
    places, attitudes, number = truth.at(run.time)
    if not number:
        return np.empty(0), np.empty(0), 0
    shape = (number, len(about))
    mine = run.orientation[:number].reshape(*shape, 4)
    turned = degrees_between(mine, attitudes)
    for body, axle in enumerate(about):
        if axle is not None:
            one, other = (np.array([matrix(q) @ axle for q in of[:, body]]) for of in (mine, attitudes))
            turned[:, body] = np.degrees(2.0 * np.arcsin(np.minimum(0.5 * np.linalg.norm(one - other, axis=1), 1.0)))
    far = np.linalg.norm(run.position[:number].reshape(*shape, 3) - places, axis=2)
    return turned.max(axis=1), far.max(axis=1), number


def length_of(tables: dict[str, Any]) -> float:
    """Largest extent of a body, or of a mechanism with its joints at the start, along an axis of space [m]."""
    if tables["kind"] in ("free", "vessel"):
        return math.inf  # their places are not in doubt
    if tables["kind"] == "top":
        axial, mass = tables["body"]["inertia"][2], tables["body"]["mass"]  # drawn as the cone that has this moment
        return float(max(4.0 / 3.0 * tables["top"]["distance"], 2.0 * math.sqrt(axial / (0.3 * mass))))
    if tables["kind"] == "table":
        body = tables["body"]
        return float(max(body["size"]) if "size" in body else 2.0 * body["radius"])
    parts, state, _ = assembled(tables)
    bodies = bodies_and_joints(tables)[0]
    r, R, _, _ = frames(parts, state)
    spans = []
    for body, place, turn in zip(bodies, r, R, strict=False):
        a, b, c = (0.5 * x * side for x, side in zip(body["size"], turn.T, strict=True))
        half = {"cuboid": np.abs([a, b, c]).sum(axis=0), "ellipsoid": np.sqrt(a * a + b * b + c * c)}
        half["cylinder"] = np.sqrt(a * a + b * b) + np.abs(c)
        spans += [place - half[body["shape"]], place + half[body["shape"]]]
    for ends, levers in zip(zip(parts.first, parts.second, strict=True), parts.levers, strict=True):
        spans += [r[i] + R[i] @ lever for i, lever in zip(ends, levers, strict=True) if i < len(bodies)]
    return float(np.ptp(spans, axis=0).max())


def category(degrees: float, share: float) -> str:
    """Right, near or off; "" near a bound."""
    departure = max(degrees, 100.0 * share)
    for bound, name in ((1.0, "right"), (10.0, "near")):
        if departure < bound / CLEAR:
            return name
        if departure < bound * CLEAR:
            return ""
    return "off"


def said_of(path: Path) -> dict[str, Any]:
    """The JSON of ``polhode compare``."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()) as errors:
        polhode(["compare", str(path), "--json"])
    if not printed.getvalue():
        raise ValueError(errors.getvalue().strip())
    return dict(json.loads(printed.getvalue()))


def verdict_of(facts: dict[str, Any]) -> str:
    """What was said of a lane."""
    if "verdict" in facts:
        return str(facts["verdict"])
    degrees, whole = facts["error_end"], facts["compared_at"] == facts["end"]
    if degrees is None:
        return "unknown"
    found = "right" if degrees <= 1.0 else "near" if degrees <= 10.0 else "off"
    return found if whole or found == "off" else "unknown"


def judged(case: Case, folder: Path) -> list[Finding]:
    """All lanes of a case."""
    path = case.write(folder)
    folder = path.parent
    runs = simulate(load_scenario(path))
    times = np.unique(np.concatenate([run.time for run in runs.values()]))
    truth = Truth(case.tables, folder, times)
    said = said_of(path)["lanes"]
    about, length = axles(case.tables), length_of(case.tables)
    return [finding(name, run, truth, about, length, said[name]) for name, run in runs.items()]


def finding(
    name: str, run: Trajectory, truth: Truth, about: list[Array | None], length: float, facts: dict[str, Any]
) -> Finding:
    """What is wrong about what was said of a lane."""
    degrees, metres, number = leading(run, truth, about)
    said, right, error, faults = verdict_of(facts), "", 0.0, []
    if number == len(run):
        share = metres[-1] / length
        right = category(float(degrees[-1]), share)
        if said != "unknown" and right and said != right:
            faults.append(
                f"is {right} ({degrees[-1]:.6g} deg, {metres[-1]:.6g} m), said {said} ({facts['error_end']:.6g})"
            )
    if facts["error_end"] is None or not number:
        return Finding(name, right, said, 0.0, tuple(faults))
    last = int(np.searchsorted(run.time, facts["compared_at"] * (1.0 - 1e-9)))
    if last < number:
        error = abs(float(degrees[last]) - facts["error_end"])
        if error > EXACT:
            faults.append(f"{degrees[last]:.7g} deg at {run.time[last]:.6g} s, said {facts['error_end']:.7g}")
    upto = min(number, last + 1)
    for limit in LIMITS:
        said_at = facts["time_to"][f"{limit:g}"]
        heard = math.inf if said_at is None or said_at > run.time[upto - 1] * (1.0 + 1e-9) else said_at
        early, late = (first_beyond(run.time, degrees[:upto], limit + margin) for margin in (-EXACT, EXACT))
        if not early * (1.0 - 1e-9) <= heard <= late * (1.0 + 1e-9):
            faults.append(f"passes {limit:g} deg at {late:.6g} s, said {said_at}")
    return Finding(name, right, said, error, tuple(faults))


def first_beyond(time: Array, degrees: Array, limit: float) -> float:
    """The first time [s] at which an angle is beyond a limit; infinite without one."""
    beyond = np.flatnonzero(degrees > limit)
    return float(time[beyond[0]]) if len(beyond) else math.inf
