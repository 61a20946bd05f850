"""The rules of engines and particle codes: measured numbers, the engines' own packages, and what each rule must do."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from physics.core.potential import FREE
from physics.core.rotation import angle_between, apply, conjugate
from physics.schemes import SCHEMES

MOTIONS = json.loads((Path(__file__).parents[1] / "engines.json").read_text())["motions"]
RULES = list(next(iter(MOTIONS.values()))["rules"])
J = np.array([5.0, 10.0, 13.0]) / 12.0  # the cuboid of 3 x 2 x 1 m, 1 kg
Q = np.array([1.0, 0.0, 0.0, 0.0])
STEP, STEPS = 0.01, 2000
# on the intermediate axis the motion magnifies what rounding leaves 1e8 times: 1e-12 of an end state becomes 1e-4
CLOSE = {"major": 1e-9, "generic": 1e-9, "intermediate": 1e-4}


def end(name, w, steps=STEPS, h=STEP, moments=J, field=FREE, q=Q):
    """Attitude and angular velocity after some steps."""
    scheme, out = SCHEMES[name], np.empty((1, 7))
    assert scheme.march(moments, field, h, steps, scheme.start(moments, q, np.array(w, float)), out) == (1, 0.0)
    return out[0, :4], out[0, 4:]


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("name", RULES)
def test_end_states_are_those_of_an_independent_implementation(name, motion):
    q, w = end(name, MOTIONS[motion]["w0"])
    known = MOTIONS[motion]["rules"][name]
    assert np.abs(q - known["q"]).max() < CLOSE[motion]
    assert np.abs(w - known["w"]).max() < CLOSE[motion]


# ---- beside the packages ------------------------------------------------------------------------------


def close(found, known, bound):
    """Attitudes alike but for their sign, and angular velocities."""
    (q, w), (q_known, w_known) = found, known
    assert min(np.abs(q - q_known).max(), np.abs(q + q_known).max()) < bound
    assert np.abs(w - w_known).max() < bound


def mujoco_end(integrator, w, steps, joint="freejoint", gravity=0.0, arm=0.0, damping=0.0):
    """A body of MuJoCo's own, free or about a fixed point."""
    mujoco = pytest.importorskip("mujoco")
    if tuple(int(part) for part in mujoco.__version__.split(".")[:2]) < (3, 13):
        pytest.skip("other integrators have these names before MuJoCo 3.13")
    text = f"""<mujoco><option timestep="{STEP}" gravity="0 0 {-gravity}" integrator="{integrator}"/><worldbody><body>
        <{joint} {'type="ball"' if joint == "joint" else ""}/>
        <inertial pos="0 0 {arm}" mass="1" diaginertia="{J[0]} {J[1]} {J[2]}"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    model.body_inertia[1] = J - arm**2 * np.array([1.0, 1.0, 0.0])
    model.dof_damping[-3:] = damping
    data = mujoco.MjData(model)
    data.qvel[-3:] = w
    mujoco.mj_step(model, data, steps)
    return data.qpos[-4:].copy(), data.qvel[-3:].copy()


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast", "discrete"])
@pytest.mark.parametrize("motion", ["major", "generic"])
def test_mujoco_is_the_package(integrator, motion):
    w = MOTIONS[motion]["w0"]
    close(end("mujoco", w), mujoco_end(integrator, w, STEPS), 1e-11)


def test_mujoco_euler_is_the_package():
    w = MOTIONS["major"]["w0"]
    close(end("mujoco-euler", w), mujoco_end("Euler", w, STEPS), 1e-11)
    w = MOTIONS["generic"]["w0"]  # it gains energy 52 times, and magnifies rounding with it
    close(end("mujoco-euler", w, steps=1), mujoco_end("Euler", w, 1), 1e-15)
    close(end("mujoco-euler", w), mujoco_end("Euler", w, STEPS), 1e-8)


@pytest.mark.parametrize(("name", "integrator"), [("mujoco", "implicit"), ("mujoco-euler", "Euler")])
def test_mujoco_takes_torque_and_damping_as_the_package_does(name, integrator):
    """A body about a fixed point with its centre of mass 0.5 m above; damping stands in the solution."""
    w, gravity, arm, damping = (0.4, 0.3, 6.0), 9.81, 0.5, 0.2
    field = np.array([0.0, 0.0, gravity * arm, 0.0, 0.0, 0.0, damping, damping, damping, 0.0, 0.0, 0.0])
    known = mujoco_end(integrator, w, 200, "joint", gravity, arm, damping)
    close(end(name, w, steps=200, field=field), known, 1e-11)


def bullet_end(w, steps, torque=None):
    """A body of Bullet's own, its own damping set to 0; a torque in the body acts for the first step."""
    bullet = pytest.importorskip("pybullet")
    world = bullet.connect(bullet.DIRECT)
    try:
        bullet.setTimeStep(STEP, physicsClientId=world)
        # btRigidBody is what has maximal coordinates; without a shape it is not stepped
        box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[1.5, 1.0, 0.5], physicsClientId=world)
        body = bullet.createMultiBody(1.0, box, useMaximalCoordinates=1, physicsClientId=world)
        bullet.changeDynamics(
            body, -1, localInertiaDiagonal=J.tolist(), linearDamping=0, angularDamping=0, physicsClientId=world
        )
        bullet.changeDynamics(body, -1, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING, physicsClientId=world)
        bullet.resetBaseVelocity(body, [0, 0, 0], list(w), physicsClientId=world)
        if torque is not None:
            bullet.applyExternalTorque(body, -1, list(torque), bullet.WORLD_FRAME, physicsClientId=world)
        for _ in range(steps):
            bullet.stepSimulation(physicsClientId=world)
        x, y, z, scalar = bullet.getBasePositionAndOrientation(body, physicsClientId=world)[1]
        velocity = np.array(bullet.getBaseVelocity(body, physicsClientId=world)[1])
    finally:
        bullet.disconnect(world)
    q = np.array([scalar, x, y, z])
    return q, apply(conjugate(q), velocity)


@pytest.mark.parametrize("motion", ["major", "generic"])
def test_bullet_is_the_package(motion):
    w = MOTIONS[motion]["w0"]
    close(end("bullet", w), bullet_end(w, STEPS), 1e-11)


@pytest.mark.parametrize("w", [(0.0, 0.0, 70.0), (0.0, 0.0, 100.0), (100.0, 0.0, 300.0), (0.0, 0.0, 400.0)])
def test_bullet_cuts_a_large_turn_as_the_package_does(w):
    """A turn beyond π/4 a step is cut; the velocity is not, though the source has a function for it."""
    close(end("bullet", w, steps=1), bullet_end(w, 1), 1e-12)


def test_bullet_takes_a_torque_beside_the_gyroscopic_one_as_the_package_does():
    """Both from the velocity before; the weight of a top that stands on its side gives a torque about x."""
    weight, w = 30.0, (4.0, 3.0, 6.0)
    lying = np.array([math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0])
    field = np.array([0.0, 0.0, weight, *np.zeros(9)])
    q, w_next = end("bullet", w, steps=1, field=field, q=lying)
    assert angle_between(lying, q) > 0.0
    _, known = bullet_end(w, 1, torque=(weight, 0.0, 0.0))
    np.testing.assert_allclose(w_next, known, rtol=0.0, atol=1e-12)


# ---- what follows from the formulas -------------------------------------------------------------------


def test_without_a_gyroscopic_torque_a_body_never_tumbles():
    q, w = Q, np.array(MOTIONS["intermediate"]["w0"])
    for _ in range(20):
        q, w = end("physx", w, steps=100, q=q)
        np.testing.assert_array_equal(w, MOTIONS["intermediate"]["w0"])
    q, w = Q, np.array(MOTIONS["generic"]["w0"])
    start = J * w
    apart = []
    for _ in range(100):
        q, w = end("physx", w, steps=1, q=q)
        apart.append(np.linalg.norm(apply(q, J * w) - start) / np.linalg.norm(start))
    assert max(apart) > 0.3  # the spin turns in space with the body, as no torque would let it


@pytest.mark.parametrize(("w", "heads_for"), [((1e-3, 1e-3, 10.0), 13.0 / 10.0), ((10.0, 1e-3, 1e-3), 5.0 / 10.0)])
def test_jolt_heads_for_the_intermediate_axis(w, heads_for):
    """Energy goes to L²/(2 B) at the spin that is kept: gained about the major axis, lost about the minor one."""
    _, after = end("jolt", w, steps=20_000)
    assert (J * after**2).sum() / (J * np.array(w) ** 2).sum() == pytest.approx(heads_for, rel=1e-3)
    assert np.linalg.norm(J * after) == pytest.approx(np.linalg.norm(J * w), rel=1e-12)


@pytest.mark.parametrize("name", ["bullet", "mujoco", "box3d", "ode"])
def test_a_dissipating_rule_ends_on_the_axis_that_the_body_circles_and_ode_s_on_the_major_one(name):
    for start, axis in (((4.0, 3.0, 6.0), 2), ((8.0, 2.0, 2.0), 2 if name == "ode" else 0)):
        _, w = end(name, start, steps=200_000)
        assert abs(w[axis]) == pytest.approx(np.linalg.norm(w), rel=1e-6)
