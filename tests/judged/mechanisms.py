"""Mechanisms outside the program: all bodies apart, joints by multipliers on the level of accelerations (index 1).

Each body has its place, attitude, velocity and angular velocity in space, and each joint its counted angles. Joints
are rows G a = c, and where rows depend on each other the multipliers of least norm are taken: they move nothing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from scipy.interpolate import PchipInterpolator

from tests.judged.bodies import shape_moments, unit
from tests.judged.rotations import Array, about, cross, dot, integrated, matrix, times

BALL, HINGE, UNIVERSAL, SLIDER, CYLINDRICAL, FIXED = range(6)
TYPES = ["ball", "hinge", "universal", "slider", "cylindrical", "fixed"]
STEADY, PATH, SINE = range(1, 4)
NONE = [0, 0]
ACROSS = np.array(  # by type: how many, and which, directions of the first and the second body stay perpendicular
    [
        [[0, 0], NONE, NONE, NONE],
        [[2, 0], [1, 0], [2, 0], NONE],
        [[1, 0], [0, 0], NONE, NONE],
        [[3, 0], [1, 0], [2, 0], [1, 2]],
        [[2, 0], [1, 0], [2, 0], NONE],
        [[3, 0], [1, 0], [2, 0], [1, 2]],
    ]
)
DEPENDENT = 1e-9  # share of the largest singular value below which rows depend on each other
CLOSING = 20.0  # [1/s] at which gaps close that errors have opened (Baumgarte)


class Parts(NamedTuple):
    """Numbers of a mechanism of b bodies, a last one for the ground, j joints and s springs.

    mass (b,), moments (b + 1, 3); of joints: kind, first, second (j,), levers (j, 2, 3) and triads (j, 2, 3, 3) in the
    axes of both bodies, stiffness, rest, damping, load (j, 2), motor (j, 2) and its numbers (j, 2, 4), a path's the
    first row and the number of rows in paths (n, 3); of springs: first, second (s,), ends (s, 2, 3), laws (s, 3)
    """

    mass: Array
    moments: Array
    gravity: Array
    kind: Array
    first: Array
    second: Array
    levers: Array
    triads: Array
    stiffness: Array
    rest: Array
    damping: Array
    load: Array
    motor: Array
    numbers: Array
    paths: Array
    pulled: Array
    ends: Array
    laws: Array
    dependent: bool


@njit(cache=True)
def driven(x: Parts, j: int, c: int, t: float) -> Array:
    """Value, rate and acceleration that a motor gives its coordinate."""
    kind, n = x.motor[j, c], x.numbers[j, c]
    if kind == STEADY:
        return np.array([n[0] + n[1] * t, n[1], 0.0])
    if kind == SINE:
        w = 2.0 * math.pi * n[2]
        s, k = math.sin(w * t + n[3]), math.cos(w * t + n[3])
        return np.array([n[0] + n[1] * s, n[1] * w * k, -n[1] * w * w * s])
    rows = x.paths[int(n[0]) : int(n[0]) + int(n[1])]
    k = int(np.searchsorted(rows[:, 0], t, side="right")) - 1
    if k < 0 or k == len(rows) - 1:
        row = rows[max(k, 0)]
        return np.array([row[1] + row[2] * (t - row[0]), row[2], 0.0])
    h = rows[k + 1, 0] - rows[k, 0]
    s = (t - rows[k, 0]) / h
    # the quintic by its values, rates and no accelerations at both ends
    a = rows[k, 1], rows[k, 2] * h, rows[k + 1, 1], rows[k + 1, 2] * h
    s2, s3, s4, s5 = s * s, s**3, s**4, s**5
    value = a[0] * (1 - 10 * s3 + 15 * s4 - 6 * s5) + a[1] * (s - 6 * s3 + 8 * s4 - 3 * s5)
    value += a[2] * (10 * s3 - 15 * s4 + 6 * s5) + a[3] * (-4 * s3 + 7 * s4 - 3 * s5)
    rate = (a[2] - a[0]) * (30 * s2 - 60 * s3 + 30 * s4)
    rate += a[1] * (1 - 18 * s2 + 32 * s3 - 15 * s4) + a[3] * (-12 * s2 + 28 * s3 - 15 * s4)
    bent = (a[2] - a[0]) * (60 * s - 180 * s2 + 120 * s3)
    bent += a[1] * (-36 * s + 96 * s2 - 60 * s3) + a[3] * (-24 * s + 84 * s2 - 60 * s3)
    return np.array([value, rate / h, bent / (h * h)])


@njit(cache=True)
def frames(x: Parts, y: Array) -> tuple[Array, Array, Array, Array]:
    """Places, rotation matrices, velocities and angular velocities of all bodies and the ground."""
    b = len(x.mass)
    r, R, v, w = np.zeros((b + 1, 3)), np.zeros((b + 1, 3, 3)), np.zeros((b + 1, 3)), np.zeros((b + 1, 3))
    for i in range(b):
        r[i], R[i] = y[13 * i : 13 * i + 3], matrix(y[13 * i + 3 : 13 * i + 7])
        v[i], w[i] = y[13 * i + 7 : 13 * i + 10], y[13 * i + 10 : 13 * i + 13]
    R[b] = np.eye(3)
    return r, R, v, w


@njit(cache=True)
def rows_of(
    x: Parts, t: float, r: Array, R: Array, v: Array, w: Array, angles: Array
) -> tuple[Array, Array, Array, Array]:
    """Rows G (n, 6 b) of all joints, right sides of G a and of G u, and what is open."""
    b, count = len(x.mass), 0
    G, c = np.zeros((6 * len(x.kind) + 1, 6 * (b + 1))), np.zeros(6 * len(x.kind) + 1)
    speed, gap = np.zeros(len(c)), np.zeros(len(c))
    for j in range(len(x.kind)):
        kind, i, k = x.kind[j], x.first[j], x.second[j]
        la, lb = R[i] @ x.levers[j, 0], R[k] @ x.levers[j, 1]
        D = r[k] + lb - r[i] - la
        dD = v[k] + cross(w[k], lb) - v[i] - cross(w[i], la)
        bent = cross(w[k], cross(w[k], lb)) - cross(w[i], cross(w[i], la))
        turned = w[k] - w[i]
        A, B = np.zeros((3, 3)), np.zeros((3, 3))
        for n in range(3):
            A[n], B[n] = R[i] @ x.triads[j, 0, n], R[k] @ x.triads[j, 1, n]
        # e.(p_k - p_i) along e, which the first body carries; along three of space where all of it is 0
        for n in range(3):
            if kind in (SLIDER, CYLINDRICAL):
                driven_row = n == 0 and x.motor[j, 0] > 0
                if n == 0 and not driven_row:
                    continue
                e = A[n]
                de = cross(w[i], e)
                G[count, 6 * i : 6 * i + 3] -= e
                G[count, 6 * i + 3 : 6 * i + 6] += cross(e, D) - cross(la, e)
                G[count, 6 * k : 6 * k + 3] += e
                G[count, 6 * k + 3 : 6 * k + 6] += cross(lb, e)
                c[count] = -(dot(cross(w[i], de), D) + 2.0 * dot(de, dD) + dot(e, bent))
                gap[count] = dot(e, D)
                if driven_row:
                    wanted = driven(x, j, 0, t)
                    gap[count] -= wanted[0]
                    speed[count] = wanted[1]
                    c[count] += wanted[2]
            else:
                e = np.zeros(3)
                e[n] = 1.0
                G[count, 6 * i : 6 * i + 3] -= e
                G[count, 6 * i + 3 : 6 * i + 6] -= cross(la, e)
                G[count, 6 * k : 6 * k + 3] += e
                G[count, 6 * k + 3 : 6 * k + 6] += cross(lb, e)
                c[count] = -bent[n]
                gap[count] = D[n]
            count += 1
        for n in range(int(ACROSS[kind, 0, 0])):
            e, f = A[ACROSS[kind, 1 + n, 0]], B[ACROSS[kind, 1 + n, 1]]
            G[count, 6 * i + 3 : 6 * i + 6] += cross(e, f)
            G[count, 6 * k + 3 : 6 * k + 6] -= cross(e, f)
            c[count] = dot(turned, cross(cross(w[i], e), f) + cross(e, cross(w[k], f)))
            gap[count] = dot(e, f)
            count += 1
        # motors of angles
        for m in range(2):
            turns = (kind == HINGE and m == 0) or kind == UNIVERSAL or (kind == CYLINDRICAL and m == 1)
            if turns and x.motor[j, m] > 0:
                wanted = driven(x, j, m, t)
                e, by = (B[0], w[k]) if kind == UNIVERSAL and m == 1 else (A[0], w[i])
                G[count, 6 * i + 3 : 6 * i + 6] -= e
                G[count, 6 * k + 3 : 6 * k + 6] += e
                c[count] = wanted[2] - dot(cross(by, e), turned)
                speed[count] = wanted[1]
                gap[count] = angles[2 * j + m] - wanted[0]
                count += 1
    return np.ascontiguousarray(G[:count, : 6 * b]), c[:count], speed[:count], gap[:count]


@njit(cache=True)
def mechanism_rates(t: float, y: Array, x: Parts) -> Array:
    """Rates of change of all bodies, 13 numbers each, and of the angles of all joints, 2 each."""
    b, out = len(x.mass), np.zeros(len(y))
    r, R, v, w = frames(x, y)
    load, inverse = np.zeros((b + 1, 6)), np.zeros((6 * b, 6 * b))
    for i in range(b):
        load[i, :3] = x.mass[i] * x.gravity
        load[i, 3:] = -cross(w[i], R[i] @ (x.moments[i] * (R[i].T @ w[i])))
        for n in range(3):
            inverse[6 * i + n, 6 * i + n] = 1.0 / x.mass[i]
        inverse[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = R[i] @ np.diag(1.0 / x.moments[i]) @ R[i].T
    for j in range(len(x.kind)):
        kind, i, k = x.kind[j], x.first[j], x.second[j]
        turned, torque = w[k] - w[i], np.zeros(3)
        A, B = R[i] @ x.triads[j, 0, 0], R[k] @ x.triads[j, 1, 0]
        for m in range(2):
            if kind == BALL:
                torque -= x.damping[j, m] * turned
            elif kind in (HINGE, UNIVERSAL) or (kind == CYLINDRICAL and m == 1):
                e = B if kind == UNIVERSAL and m == 1 else A
                rate, angle = dot(e, turned), y[13 * b + 2 * j + m]
                out[13 * b + 2 * j + m] = rate
                pull = x.load[j, m] - x.stiffness[j, m] * (angle - x.rest[j, m]) - x.damping[j, m] * rate
                torque += pull * e
        load[k, 3:] += torque
        load[i, 3:] -= torque
        if kind in (SLIDER, CYLINDRICAL):
            lb = R[k] @ x.levers[j, 1]
            place = r[k] + lb
            D = place - r[i] - R[i] @ x.levers[j, 0]
            dD = v[k] + cross(w[k], lb) - v[i] - cross(w[i], R[i] @ x.levers[j, 0])
            rate = dot(A, dD) + dot(cross(w[i], A), D)
            force = (x.load[j, 0] - x.stiffness[j, 0] * (dot(A, D) - x.rest[j, 0]) - x.damping[j, 0] * rate) * A
            load[k, :3] += force
            load[k, 3:] += cross(lb, force)
            load[i, :3] -= force
            load[i, 3:] -= cross(place - r[i], force)
    for s in range(len(x.laws)):
        i, k = x.pulled[s, 0], x.pulled[s, 1]
        la, lb = R[i] @ x.ends[s, 0], R[k] @ x.ends[s, 1]
        D = r[k] + lb - r[i] - la
        length = math.sqrt(dot(D, D))
        e = D / length
        rate = dot(e, v[k] + cross(w[k], lb) - v[i] - cross(w[i], la))
        force = -(x.laws[s, 0] * (length - x.laws[s, 2]) + x.laws[s, 1] * rate) * e
        load[k, :3] += force
        load[k, 3:] += cross(lb, force)
        load[i, :3] -= force
        load[i, 3:] -= cross(la, force)
    free = inverse @ load[:b].copy().reshape(6 * b)
    G, c, speed, gap = rows_of(x, t, r, R, v, w, y[13 * b :])
    if len(c):
        moving = np.column_stack((v, w))[:b].copy().reshape(6 * b)
        c = c - 2.0 * CLOSING * (G @ moving - speed) - CLOSING**2 * gap
        GM = G @ inverse
        S = GM @ np.ascontiguousarray(G.T)
        scale = np.empty(len(c))
        for n in range(len(c)):
            scale[n] = 1.0 / math.sqrt(S[n, n])
        S = S * scale.reshape(-1, 1) * scale
        if x.dependent:
            multipliers = scale * np.linalg.lstsq(S, scale * (c - G @ free), DEPENDENT)[0]
        else:
            multipliers = scale * np.linalg.solve(S, scale * (c - G @ free))
        free = free + np.ascontiguousarray(GM.T) @ multipliers
    for i in range(b):
        q = y[13 * i + 3 : 13 * i + 7]
        out[13 * i : 13 * i + 3] = v[i]
        turn = 0.5 * times(np.array([0.0, w[i, 0], w[i, 1], w[i, 2]]), q)
        out[13 * i + 3 : 13 * i + 7] = turn + (1.0 - (q * q).sum()) * q
        out[13 * i + 7 : 13 * i + 13] = free[6 * i : 6 * i + 6]
    return out


def motor_of(table: dict[str, Any], value: float, paths: list[Array]) -> tuple[int, list[float]]:
    """Its kind and numbers; a path's rows are added to the others."""
    if "rate" in table:
        return STEADY, [value, table["rate"], 0.0, 0.0]
    if "sine" in table:
        return SINE, list(table["sine"])
    rows = table["path"]
    when, values = np.array([row[:2] for row in rows], float).T
    rates = np.zeros(len(rows))
    if table.get("between") != "rest" and len(rows) > 1:
        rates = PchipInterpolator(when, values).derivative()(when)
        rates = np.array([row[2] if len(row) > 2 else rate for row, rate in zip(rows, rates, strict=True)])
    begin = sum(map(len, paths))
    paths.append(np.column_stack([when, values, rates]))
    return PATH, [float(begin), float(len(rows)), 0.0, 0.0]


def bodies_and_joints(case: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All bodies and joints of a scenario, those of its chains after the others."""
    bodies, joints = list(case.get("body", ())), list(case.get("joint", ()))
    for chain in case.get("chain", ()):
        step = chain["length"] * unit(chain["direction"])
        kept = {key: chain[key] for key in ("shape", "size", "mass", "orientation") if key in chain}
        for n in range(chain["links"]):
            at = np.array(chain["at"], float) + n * step
            name = f"{chain.get('name', 'link')}-{n + 1}"
            bodies.append({"name": name, "position": (at + 0.5 * step).tolist(), **kept})
            before = f"{chain.get('name', 'link')}-{n}" if n else chain.get("from", "ground")
            given = {key: chain[key] for key in ("axis", "angle", "rate", "stiffness", "damping") if key in chain}
            joints.append({"type": chain["type"], "between": [before, name], "at": at.tolist(), **given})
    return bodies, joints


def pair(value: Any) -> Array:
    """Values of both coordinates of a joint; one alone is that of the first."""
    found = np.zeros(2)
    values = np.atleast_1d(np.array(0.0 if value is None else value, float))
    found[: len(values)] = values
    return found


def mechanism(case: dict[str, Any], folder: Path, tolerance: float) -> tuple[Any, float]:
    """The motion of a mechanism: places (n, b, 3) and attitudes (n, b, 4) at times, and its end."""
    x, state, knots = assembled(case)
    b = len(x.mass)

    def rates(t: float, y: Array) -> Array:
        return np.asarray(mechanism_rates(t, y, x))

    motion = integrated(rates, state, case["duration"], knots, tolerance)

    def states(time: Array) -> tuple[Array, Array]:
        found = motion(time)[:, : 13 * b].reshape(-1, b, 13)
        return found[:, :, :3], found[:, :, 3:7]

    states.motion, states.parts = motion, x  # type: ignore[attr-defined]
    return states, motion.until


def gaps(x: Parts, t: float, y: Array) -> float:
    """The largest gap [m], or cosine, of the constraints and motors of travels in a state."""
    return float(np.abs(rows_of(x, t, *frames(x, y), y[13 * len(x.mass) :])[3]).max(initial=0.0))


def assembled(case: dict[str, Any]) -> tuple[Parts, Array, list[float]]:
    """A mechanism, its state at the start, and the times at which its rates of change have kinks."""
    bodies, joints = bodies_and_joints(case)
    b, names = len(bodies), {one["name"]: i for i, one in enumerate(bodies)}
    names["ground"] = b
    at = np.array([one.get("position", [0.0] * 3) for one in bodies] + [[0.0] * 3], float)
    lie = np.array([one.get("orientation", [1, 0, 0, 0]) for one in bodies] + [[1, 0, 0, 0]], float)
    lie /= np.linalg.norm(lie, axis=1, keepdims=True)
    drawn = np.array([matrix(q) for q in lie])
    n = len(joints)
    two = {key: np.zeros((n, 2)) for key in ("stiffness", "rest", "damping", "load")}
    levers, triads = np.zeros((n, 2, 3)), np.zeros((n, 2, 3, 3))
    motor, numbers, paths = np.zeros((n, 2), int), np.zeros((n, 2, 4)), []
    kinds, first, second = (np.zeros(n, int) for _ in range(3))
    for j, joint in enumerate(joints):
        kinds[j], (first[j], second[j]) = TYPES.index(joint["type"]), (names[one] for one in joint["between"])
        u = unit(joint.get("axis", [0, 0, 1]))
        across = unit(np.cross(u, [1, 0, 0] if abs(u[0]) < 0.8 else [0, 1, 0]))
        triad = np.array([u, across, np.cross(u, across)])
        for side, body in enumerate((first[j], second[j])):
            levers[j, side] = drawn[body].T @ (np.array(joint.get("at", [0, 0, 0]), float) - at[body])
            triads[j, side] = triad @ drawn[body]
        if kinds[j] == UNIVERSAL:
            triads[j, 1, 0] = unit(joint["axis2"]) @ drawn[second[j]]
        for key in ("stiffness", "rest", "damping"):
            two[key][j] = pair(joint.get(key))
        two["load"][j] = pair(joint.get("torque", joint.get("force")))
        values = start_values(joint)[0]
        given = joint.get("motor", [])
        for c, table in enumerate([given] if isinstance(given, dict) else given):
            motor[j, c], numbers[j, c] = motor_of(table, values[c], paths)
    springs = case.get("spring", [])
    pulled = np.array([[names[one] for one in spring["between"]] for spring in springs], int).reshape(-1, 2)
    ends = np.zeros((len(springs), 2, 3))
    for s, spring in enumerate(springs):
        for side, key in enumerate(("from", "to")):
            body = pulled[s, side]
            ends[s, side] = drawn[body].T @ (np.array(spring[key], float) - at[body])
    laws = [[one.get(key, 0.0) for key in ("stiffness", "damping", "rest")] for one in springs]
    gravity = case.get("gravity", {})
    x = Parts(
        mass=np.array([one["mass"] for one in bodies], float),
        moments=np.array([shape_moments(one) for one in bodies] + [[1.0] * 3]),
        gravity=np.array(gravity.get("vector", [0.0, 0.0, -gravity.get("g", 9.81)]), float),
        kind=kinds,
        first=first,
        second=second,
        levers=levers,
        triads=triads,
        stiffness=two["stiffness"],
        rest=two["rest"],
        damping=two["damping"],
        load=two["load"],
        motor=motor,
        numbers=numbers,
        paths=np.concatenate(paths) if paths else np.zeros((1, 3)),
        pulled=pulled,
        ends=ends,
        laws=np.array(laws, float).reshape(-1, 3),
        dependent=False,
    )
    state = started(bodies, joints, x, at, lie)
    G = rows_of(x, 0.0, *frames(x, state), state[13 * b :])[0]
    dependent = bool(np.linalg.matrix_rank(G, tol=1e-6) < len(G)) if len(G) else False
    return x._replace(dependent=dependent), state, [float(t) for path in paths for t in path[:, 0]]


def start_values(joint: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Values and rates of both coordinates that a joint's table gives."""
    if joint["type"] == "universal":
        return list(joint.get("angles", [0.0, 0.0])), list(joint.get("rates", [0.0, 0.0]))
    if joint["type"] == "cylindrical":
        return [joint.get("travel", 0.0), joint.get("angle", 0.0)], [joint.get("speed", 0.0), joint.get("rate", 0.0)]
    if joint["type"] == "slider":
        return [joint.get("travel", 0.0), 0.0], [joint.get("speed", 0.0), 0.0]
    return [joint.get("angle", 0.0), 0.0], [joint.get("rate", 0.0), 0.0]


def started(bodies: list[dict[str, Any]], joints: list[dict[str, Any]], x: Parts, at: Array, lie: Array) -> Array:
    """All bodies as the joints' values and rates place them, from the ground or a floating body outwards.

    at (b + 1, 3), lie (b + 1, 4) : of bodies and ground in the drawing
    """
    b = len(bodies)
    r, q, v, w = at.copy(), lie.copy(), np.zeros((b + 1, 3)), np.zeros((b + 1, 3))
    turn = np.zeros((b + 1, 4))  # of each body against the drawing
    turn[:, 0] = 1.0
    placed, angles = {b}, np.zeros((len(joints), 2))
    while len(placed) <= b:
        onward = [j for j in range(len(joints)) if x.first[j] in placed and x.second[j] not in placed]
        if not onward:
            root = min(set(range(b)) - placed)
            v[root] = bodies[root].get("velocity", [0.0] * 3)
            w[root] = matrix(q[root]) @ np.array(bodies[root].get("angular_velocity", [0.0] * 3), float)
            placed.add(root)
            continue
        j, joint = onward[0], joints[onward[0]]
        kind, i, k = x.kind[j], x.first[j], x.second[j]
        value, rate = start_values(joint)
        for c in range(2):
            if x.motor[j, c]:
                value[c], rate[c] = driven(x, j, c, 0.0)[:2]
        angles[j] = value
        point, u = np.array(joint.get("at", [0, 0, 0]), float), matrix(turn[i]) @ unit(joint.get("axis", [0, 0, 1]))
        own, swept, travel, speed = turn[i], w[i].copy(), 0.0, 0.0
        if kind == BALL:
            own = times(own, np.array(joint.get("orientation", [1.0, 0, 0, 0]), float))
            relative = np.array(joint.get("angular_velocity", [0.0] * 3), float)
            swept += matrix(own) @ matrix(lie[k]) @ relative
        elif kind == HINGE:
            own, swept = times(own, about(joint["axis"], value[0])), swept + rate[0] * u
        elif kind == UNIVERSAL:
            own = times(times(own, about(joint["axis"], value[0])), about(joint["axis2"], value[1]))
            swept += rate[0] * u + rate[1] * (matrix(own) @ unit(joint["axis2"]))
        elif kind in (SLIDER, CYLINDRICAL):
            own, swept = times(own, about(joint["axis"], value[1])), swept + rate[1] * u
            travel, speed = value[0], rate[0]
        lever = matrix(turn[i]) @ (point - at[i]) + travel * u
        turn[k], w[k] = own, swept
        hangs = matrix(own) @ (at[k] - point)
        r[k], q[k] = r[i] + lever + hangs, unit(times(own, lie[k]))
        v[k] = v[i] + np.cross(w[i], lever) + speed * u + np.cross(w[k], hangs)
        placed.add(k)
    return closed(x, np.concatenate([np.column_stack([r, q, v, w])[:b].ravel(), angles.ravel()]), joints)


def closed(x: Parts, state: Array, joints: list[dict[str, Any]]) -> Array:
    """The state with the rates of its loops: those that the file gives stay, and the others follow."""
    b = len(x.mass)
    r, R, v, w = frames(x, state)
    G, _, speed, gap = rows_of(x, 0.0, r, R, v, w, state[13 * b :])
    if np.abs(gap).max(initial=0.0) > 1e-9:
        raise ValueError(f"the drawing is open by {np.abs(gap).max():.3g}")
    u = np.column_stack([v, w])[:b].ravel()
    if not len(G) or np.abs(G @ u - speed).max() < 1e-12:
        return state
    kept, wanted = [G], [speed]
    for j, joint in enumerate(joints):
        if "rate" in joint and x.kind[j] == HINGE:
            row, e = np.zeros(6 * (b + 1)), R[x.first[j]] @ x.triads[j, 0, 0]
            row[6 * x.first[j] + 3 : 6 * x.first[j] + 6] -= e
            row[6 * x.second[j] + 3 : 6 * x.second[j] + 6] += e
            kept.append(row[None, : 6 * b])
            wanted.append(np.array([joint["rate"]]))
    found = np.linalg.lstsq(np.concatenate(kept), np.concatenate(wanted), 1e-10)[0]
    made = state.copy()
    for i in range(b):
        made[13 * i + 7 : 13 * i + 13] = found[6 * i : 6 * i + 6]
    return made
