"""Single bodies outside the program: free under torque, on a point, afloat, and on a table.

The angular momentum is integrated in space, where the program turns that of the body.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tests.judged.rotations import Array, cross, dot, integrated, matrix, times

UNTWISTED = 3.0  # [rad] of twist up to which the spring of a free body is followed: at half a turn it jumps


class Turning(NamedTuple):
    """What turns a body: see ``turning_rates``. Vectors are in the axes of the body unless they say otherwise.

    inverse (3, 3) : of the moments without the wheels that turn freely; lag (3, 3) : of internal damping
    wheels (2, 3) : momentum at the start and its rate; knots (n,), pushes (n, 6) : torques in space and in the body
    gradient (3, 3), orbit (2, 3) in space, rate; axis, stiffness, friction : of the spring
    hung : weight times the arm from the fixed point; righting (3,), damping (3,) : of a vessel
    air (3,) : over the squares of the rates about the axes of the body, which are the principal ones
    helm (4,) : of the controller of a vessel, over angle and rate, its bound and its course; flows (2, 2) : the largest
        moment of wind and current, and where they go
    """

    inverse: Array
    lag: Array
    wheels: Array
    knots: Array
    pushes: Array
    gradient: Array
    orbit: Array
    rate: float
    axis: Array
    stiffness: float
    friction: float
    hung: Array
    righting: Array
    damping: Array
    air: Array
    helm: Array
    flows: Array


@njit(cache=True)
def twist_of(q: Array, axis: Array) -> float:
    """Twist of an attitude about an axis [rad], -pi to pi."""
    p = dot(q[1:], axis)
    return 2.0 * math.atan2(p if q[0] >= 0.0 else -p, abs(q[0]))


@njit(cache=True)
def turning_rates(t: float, y: Array, x: Turning) -> Array:
    """Rates of change of an attitude (4,) and an angular momentum in space (3,)."""
    q, L = y[:4] / math.sqrt((y[:4] * y[:4]).sum()), y[4:7]
    R = matrix(q)
    m = R.T @ L
    w = x.inverse @ (m - x.wheels[0] - t * x.wheels[1])
    u = w + x.lag @ cross(m, w)
    space, torque = np.zeros(3), np.zeros(3)
    for k in range(3):
        space[k] = np.interp(t, x.knots, x.pushes[:, k])
        torque[k] = np.interp(t, x.knots, x.pushes[:, 3 + k])
    if x.rate > 0.0:
        r = R.T @ (math.cos(x.rate * t) * x.orbit[0] + math.sin(x.rate * t) * x.orbit[1])
        torque += cross(r, x.gradient @ r)
    if x.stiffness + x.friction > 0.0:
        p, size = dot(q[1:], x.axis), 0.0
        size = p * p + q[0] * q[0]
        g = (q[0] * (q[0] * x.axis + cross(x.axis, q[1:])) + p * q[1:]) / size
        torque -= (x.stiffness * twist_of(q, x.axis) + x.friction * dot(g, w)) * g
    up = R[2].copy()
    torque += cross(up, x.hung + x.righting * up) - x.damping * w - x.air * np.abs(w) * w
    heading = math.atan2(R[1, 0], R[0, 0])
    off = math.atan2(math.sin(heading - x.helm[3]), math.cos(heading - x.helm[3]))
    torque[2] += max(-x.helm[2], min(x.helm[2], -x.helm[0] * off - x.helm[1] * w[2]))
    for flow in x.flows:
        torque[2] += flow[0] * math.sin(2.0 * (heading - flow[1]))
    out = np.empty(7)
    out[:4] = 0.5 * times(q, np.array([0.0, u[0], u[1], u[2]])) + (1.0 - (y[:4] * y[:4]).sum()) * y[:4]
    out[4:] = space + R @ torque
    return out


def shape_moments(body: dict[str, Any]) -> Array:
    """Principal moments (3,) [kg m²] of the tables of bodies that are drawn."""
    if "inertia" in body:
        return np.array(body["inertia"], float)
    m, size = body["mass"], np.array(body["size"], float)
    if body["shape"] == "cuboid":
        return m / 12.0 * (np.sum(size**2) - size**2)
    if body["shape"] == "ellipsoid":
        return m / 20.0 * (np.sum(size**2) - size**2)
    assert body["shape"] == "cylinder"
    r, h = 0.5 * size[0], size[2]
    return m * np.array([(3.0 * r * r + h * h) / 12.0, (3.0 * r * r + h * h) / 12.0, 0.5 * r * r])


def unit(a: Any) -> Array:
    """A direction (3,)."""
    return np.array(a, float) / np.linalg.norm(a)


def turning(case: dict[str, Any], folder: Path, tolerance: float) -> tuple[Any, float]:
    """The motion of a free body, a top or a vessel: places (n, 1, 3) and attitudes (n, 1, 4) at times, and its end."""
    body, start, g = case["body"], case["initial"], case.get("gravity", {}).get("g", 9.81)
    J = np.diag(shape_moments(body))
    q, w = np.array(start["orientation"], float), np.array(start["angular_velocity"], float)
    q /= np.linalg.norm(q)
    whole, wheels, zero = J.copy(), np.zeros((2, 3)), np.zeros(3)
    for rotor in case.get("rotor", ()):
        a, inertia, speed = unit(rotor["axis"]), rotor["inertia"], rotor["speed"]
        held = "torque" not in rotor
        whole -= 0.0 if held else inertia * np.outer(a, a)
        wheels[0] += inertia * (speed + (0.0 if held else a @ w)) * a
        wheels[1] += rotor.get("torque", 0.0) * a
    tables = [pushes_of(table, folder) for table in case.get("torque", ())]
    knots = np.unique(np.concatenate([[0.0], *(table[0] for table in tables)]))
    pushes = np.zeros((len(knots), 6))
    for table, (when, values) in zip(case.get("torque", ()), tables, strict=True):
        at = 0 if table.get("axes") == "space" else 3
        for k in range(3):
            pushes[:, at + k] += np.interp(knots, when, values[:, k])
    field, spring = case.get("gravity_gradient"), case.get("spring")
    orbit = np.zeros((2, 3))
    if field:
        orbit = np.array([unit(field["direction"]), np.cross(unit(field["normal"]), unit(field["direction"]))])
    rate = field["rate"] if field else 0.0
    ship, arm = case.get("vessel"), case.get("top", {}).get("distance", 0.0)
    high = ship["metacentric_height"] if ship else {"longitudinal": 0.0, "transverse": 0.0}
    weight = body["mass"] * 9.81
    helm, flows = case.get("steering", {}), np.zeros((2, 2))
    for row, (name, density) in zip(flows, (("wind", 1.225), ("current", 1025.0)), strict=True):
        if flow := case.get(name):
            row[:] = 0.05 * density * flow["speed"] ** 2 * flow["area"] * flow["length"], flow["direction"]
    gains = [helm.get(key, 0.0) for key in ("proportional", "derivative", "limit", "heading")]
    inverse = np.linalg.inv(whole)
    x = Turning(
        inverse=inverse,
        lag=case.get("damping", {}).get("internal", 0.0) * inverse @ inverse,
        wheels=wheels,
        knots=knots,
        pushes=pushes,
        gradient=3.0 * rate * rate * J,
        orbit=orbit,
        rate=rate,
        axis=unit(spring["axis"]) if spring else zero,
        stiffness=spring.get("stiffness", 0.0) if spring else 0.0,
        friction=spring.get("damping", 0.0) if spring else 0.0,
        hung=weight * arm * np.array([0.0, 0.0, 1.0]),
        righting=weight * np.array([high["longitudinal"], high["transverse"], 0.0]),
        damping=np.array(ship.get("damping", zero) if ship else zero, float),
        air=np.array(case.get("damping", {}).get("quadratic", zero), float),
        helm=np.array([*gains[:2], gains[2] or math.inf, gains[3]]),
        flows=flows,
    )
    spin = matrix(q) @ (whole @ w + wheels[0])
    scale = np.array([1.0] * 4 + [float(np.linalg.norm(spin)) or 1.0] * 3)  # a tolerance is a share of what it is of

    def rates(t: float, y: Array) -> Array:
        return np.asarray(turning_rates(t, y * scale, x) / scale)

    def untwisted(t: float, y: Array) -> float:
        return UNTWISTED - abs(twist_of(y[:4], x.axis))

    state = np.concatenate([q, spin]) / scale
    stop = untwisted if spring else None
    motion = integrated(rates, state, case["duration"], knots.tolist(), tolerance, stop)

    def states(time: Array) -> tuple[Array, Array]:
        q = motion(time)[:, None, :4]
        fall = np.array([0.0, 0.0, -g if case["kind"] == "free" and "gravity" in case else 0.0])
        place, pace = (np.array(start.get(key, zero), float) for key in ("position", "velocity"))
        flown = place + time[:, None] * pace + 0.5 * time[:, None] ** 2 * fall
        if arm:
            flown = np.array([matrix(one)[:, 2] * arm for one in q[:, 0]])
        return flown[:, None], q

    return states, motion.until


def pushes_of(table: dict[str, Any], folder: Path) -> tuple[Array, Array]:
    """Times (n,) and torques (n, 3) of a table."""
    if "value" in table:
        return np.zeros(1), np.array([table["value"]], float)
    rows = np.array([line.split(",") for line in (folder / table["file"]).read_text().splitlines()[1:]], float)
    return rows[:, 0], rows[:, 1:4]


# ---- a smooth convex body on a plane ------------------------------------------------------------------------


class Toy(NamedTuple):
    """A body on a table, in principal axes: see ``toy_rates``.

    form (3, 3), centre (3,), half, rounding : touches at centre - form u/sqrt(u.form u) - half sign(u3) e3 - rounding u
    law : 0 rolls, 1 Coulomb-Contensou, 2 viscous; size : mu or c; radius : of spin; faint : [m/s] of regularisation
    """

    mass: float
    moments: Array
    gravity: Array
    form: Array
    centre: Array
    half: float
    rounding: float
    law: int
    size: float
    radius: float
    faint: float


@njit(cache=True)
def contact(x: Toy, u: Array, du: Array) -> tuple[Array, Array]:
    """The lowest point from the centre of mass, and its rate of change, in the axes of the body."""
    z, dz = x.form @ u, x.form @ du
    H = math.sqrt(dot(u, z))
    point = x.centre - z / H - x.rounding * u
    point[2] -= x.half * np.sign(u[2])
    return point, -(dz - z * (dot(z, du) / (H * H))) / H - x.rounding * du


@njit(cache=True)
def toy_rates(y: Array, x: Toy) -> tuple[Array, float, float]:
    """Rates of change of place, attitude, velocity and angular velocity (13,), normal force [N], and slip [m/s]."""
    q, v, w = y[3:7] / math.sqrt((y[3:7] * y[3:7]).sum()), y[7:10], y[10:13]
    R = matrix(q)
    u = R[2].copy()
    du = cross(u, w)
    rho, drho = contact(x, u, du)
    J, g = x.moments, R.T @ x.gravity
    out = np.empty(13)
    turned = cross(J * w, w)
    slip = 0.0
    if x.law == 0:
        S = hat_square(rho)
        A = np.diag(J) - x.mass * S
        carried = cross(w, drho) + cross(w, cross(w, rho))
        dw = np.linalg.solve(A, turned - x.mass * cross(rho, carried + g))
        a = -cross(dw, rho) - carried
        N = x.mass * dot(u, a - g)
        out[:3] = R @ -cross(w, rho)
    else:
        gamma = R.T @ v + cross(w, rho)
        gamma -= dot(gamma, u) * u
        slip = math.sqrt(dot(gamma, gamma))
        along = dot(w, u)
        pull, drill = np.zeros(3), 0.0
        if x.law == 2:
            pull = x.size * gamma
        elif x.size > 0.0:
            s = math.sqrt(slip * slip + (x.radius * along) ** 2 + x.faint**2)
            pull, drill = x.size / s * gamma, x.size * x.radius**2 * along / s
        f = u - pull  # for a normal force of 1
        moment = cross(rho, f) - drill * u
        # the gap u.(place of the lowest point) stays 0: n.a + u''.rho + u'.rho' = 0
        freely, forced = turned / J, moment / J
        still = dot(g, u) + dot(cross(du, w) + cross(u, freely), rho) + dot(du, drho)
        N = -still / (dot(f, u) / x.mass + dot(cross(u, forced), rho))
        dw = freely + N * forced
        a = g + N / x.mass * f
        out[:3] = v
    out[3:7] = 0.5 * times(q, np.array([0.0, w[0], w[1], w[2]])) + (1.0 - (y[3:7] * y[3:7]).sum()) * y[3:7]
    out[7:10], out[10:13] = R @ a, dw
    return out, N, slip


@njit(cache=True)
def hat_square(a: Array) -> Array:
    """The matrix of a x (a x .)."""
    return np.outer(a, a) - dot(a, a) * np.eye(3)


def toy(case: dict[str, Any], folder: Path, tolerance: float) -> tuple[Any, float]:
    """The motion of a body on a table, up to where it would leave it or stick."""
    body, table, start = case["body"], case["table"], case["initial"]
    c, F = (
        -np.array(body.get("offset", (0.0, 0.0, 0.0)), float),
        matrix(np.array(body.get("axes", (1, 0, 0, 0)), float)),
    )
    half, rounding = 0.0, 0.0
    if body["shape"] in ("disk", "hoop"):
        rounding = body.get("rim", 0.0)
        half, across = 0.5 * body["thickness"] - rounding, body["radius"] - rounding
        form = np.diag([across**2, across**2, 0.0])
    else:
        size = body.get("size") or [2.0 * body["radius"]] * 3
        form = F @ np.diag([(0.5 * a) ** 2 for a in size]) @ F.T
    mu, tilt = table.get("mu", 0.3), table.get("tilt", 0.0)
    x = Toy(
        mass=body["mass"],
        moments=np.array(body["inertia"], float),
        gravity=9.81 * np.array([math.sin(tilt), 0.0, -math.cos(tilt)]),
        form=form,
        centre=c,
        half=half,
        rounding=rounding,
        law=2 if "viscous" in table else 0 if mu >= 1000.0 else 1,
        size=table.get("viscous", mu),
        radius=table.get("spin_radius", 0.0),
        faint=table.get("regularisation", 0.0),
    )
    q, w = np.array(start["orientation"], float), np.array(start["angular_velocity"], float)
    q /= np.linalg.norm(q)
    R = matrix(q)
    u = R[2].copy()
    rho, _ = contact(x, u, cross(u, w))
    roll = R @ -cross(w, rho)
    given = start.get("velocity", "rolling")
    v = roll if given == "rolling" else np.array([given[0], given[1], roll[2]])
    first = toy_rates(np.concatenate([[0.0, 0.0, -u @ rho], q, v, w]), x)[2]
    sticks = x.law == 1 and x.size > 0.0 and x.radius == 0.0 and x.faint == 0.0

    def rates(t: float, y: Array) -> Array:
        return np.asarray(toy_rates(y, x)[0])

    def held(t: float, y: Array) -> float:
        _, N, slip = toy_rates(y, x)
        edge = 1.0 if half == 0.0 else matrix(y[3:7])[2, 2] * u[2]  # a disk that goes over lands on its other edge
        return min(N / (x.mass * 9.81) - 0.02, slip / first - 0.02 if sticks else 1.0, edge)

    state = np.concatenate([[0.0, 0.0, -u @ rho], q, v, w])
    motion = integrated(rates, state, case["duration"], (), tolerance, held)

    def states(time: Array) -> tuple[Array, Array]:
        found = motion(time)
        return found[:, None, :3], found[:, None, 3:7]

    return states, motion.until
