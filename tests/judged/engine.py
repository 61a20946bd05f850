"""Trees of bodies by MuJoCo's Runge-Kutta scheme: a second way, with coordinates and a start of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.judged.bodies import shape_moments, unit
from tests.judged.mechanisms import bodies_and_joints, start_values
from tests.judged.rotations import Array, matrix, times

STEP = 1e-4  # [s]


def numbers(values: Any) -> str:
    """Numbers as an attribute of MJCF."""
    return " ".join(f"{x:.17g}" for x in np.atleast_1d(np.array(values, float)))


def end_of(case: dict[str, Any]) -> tuple[Array, Array]:
    """Places (b, 3) and attitudes (b, 4) at the end of a tree without motors and planar joints."""
    import mujoco

    bodies, joints = bodies_and_joints(case)
    frames = {one["name"]: (np.array(one["position"], float), lies(one)) for one in bodies}
    frames["ground"] = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    hung: dict[str, list[tuple[str, dict[str, Any] | None]]] = {name: [] for name in frames}
    for one in joints:
        hung[one["between"][0]].append((one["between"][1], one))
    held = {one["between"][1] for one in joints}
    hung["ground"] += [(one["name"], None) for one in bodies if one["name"] not in held]
    tables = {one["name"]: one for one in bodies}
    springs = case.get("spring", ())

    def element(name: str, joint: dict[str, Any] | None, carrier: str) -> str:
        place, turn = frames[name]
        before, frame = frames[carrier]
        inward = matrix(frame).T
        back = frame * [1, -1, -1, -1]
        text = f'<body name="{name}" pos="{numbers(inward @ (place - before))}" quat="{numbers(times(back, turn))}">'
        mass, moments = tables[name]["mass"], numbers(shape_moments(tables[name]))
        text += f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{moments}"/>'
        text += joint_elements(joint, place, matrix(turn))
        for n, spring in enumerate(springs):
            for end, at in zip(spring["between"], (spring["from"], spring["to"]), strict=True):
                if end == name:
                    text += (
                        f'<site name="s{n}-{name}" pos="{numbers(matrix(turn).T @ (np.array(at, float) - place))}"/>'
                    )
        return text + "".join(element(other, one, name) for other, one in hung[name]) + "</body>"

    world = "".join(element(name, joint, "ground") for name, joint in hung["ground"])
    tendons = ""
    for n, spring in enumerate(springs):
        ends = spring["between"]
        for name, at in zip(ends, (spring["from"], spring["to"]), strict=True):
            world += f'<site name="s{n}-ground" pos="{numbers(at)}"/>' if name == "ground" else ""
        law = (
            f'stiffness="{spring["stiffness"]}" damping="{spring.get("damping", 0.0)}" springlength="{spring["rest"]}"'
        )
        sites = "".join(f'<site site="s{n}-{name}"/>' for name in ends)
        tendons += f"<spatial {law}>{sites}</spatial>"
    gravity = case.get("gravity", {})
    pull = gravity.get("vector", [0.0, 0.0, -gravity.get("g", 9.81)])
    option = f'<option timestep="{STEP}" integrator="RK4" gravity="{numbers(pull)}"/><compiler angle="radian"/>'
    text = f"<mujoco>{option}<worldbody>{world}</worldbody><tendon>{tendons}</tendon></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    started(model, data, joints, hung["ground"], tables)
    for _ in range(round(case["duration"] / STEP)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    found = [data.body(one["name"]) for one in bodies]
    return np.array([one.xpos for one in found]), np.array([one.xquat for one in found])


def lies(body: dict[str, Any]) -> Array:
    """Attitude (4,) in the drawing."""
    q = np.array(body.get("orientation", [1, 0, 0, 0]), float)
    return q / np.linalg.norm(q)


def joint_elements(joint: dict[str, Any] | None, place: Array, turn: Array) -> str:
    """Joints of MuJoCo in the order in which they move a body."""
    if joint is None:
        return "<freejoint/>"
    at = f'pos="{numbers(turn.T @ (np.array(joint.get("at", [0, 0, 0]), float) - place))}"'
    laws = [np.broadcast_to(np.array(joint.get(key, 0.0), float), 2) for key in ("stiffness", "damping")]
    rest = np.resize(np.atleast_1d(np.array(joint.get("rest", 0.0), float)), 2)
    if joint["type"] == "ball":
        return f'<joint type="ball" {at} damping="{laws[1][0]}"/>'
    kinds = {
        "hinge": ["hinge"],
        "slider": ["slide"],
        "cylindrical": ["slide", "hinge"],
        "universal": ["hinge", "hinge"],
    }
    text = ""
    for n, kind in enumerate(kinds.get(joint["type"], [])):
        axis = joint["axis2"] if joint["type"] == "universal" and n else joint["axis"]
        law = f'stiffness="{laws[0][n]}" damping="{laws[1][n]}" springref="{rest[n]}"'
        text += f'<joint type="{kind}" {at} axis="{numbers(turn.T @ unit(axis))}" {law}/>'
    return text


def started(model: Any, data: Any, joints: list[dict[str, Any]], roots: list[Any], tables: dict[str, Any]) -> None:
    """Set coordinates and rates, and constant torques, body by body."""
    given = {one["between"][1]: one for one in joints}
    for name, joint in given.items():
        body = model.body(name)
        first, count = int(body.jntadr[0]), int(body.jntnum[0])
        values, rates = start_values(joint)
        for n in range(count):
            at, speed = model.jnt_qposadr[first + n], model.jnt_dofadr[first + n]
            if joint["type"] == "ball":
                turn = np.array(joint.get("orientation", [1, 0, 0, 0]), float)
                lie = lies(tables[name])
                turn = times(times(lie * [1, -1, -1, -1], turn / np.linalg.norm(turn)), lie)  # in axes of the body
                data.qpos[at : at + 4] = turn
                data.qvel[speed : speed + 3] = joint.get("angular_velocity", [0.0] * 3)
                continue
            data.qpos[at], data.qvel[speed] = values[n], rates[n]
            load = np.atleast_1d(np.array(joint.get("torque", 0.0), float))
            data.qfrc_applied[speed] = load[n] if n < len(load) else 0.0
    for name, joint in roots:
        if joint is None:
            speed = model.jnt_dofadr[int(model.body(name).jntadr[0])]
            data.qvel[speed : speed + 3] = tables[name].get("velocity", [0.0] * 3)
            data.qvel[speed + 3 : speed + 6] = tables[name].get("angular_velocity", [0.0] * 3)
