"""Rows of the table: the rules by which engines of games and robots turn a free body.

A row is a rule and the version in which it was read or run, not the engine: its limits of speed, its own damping,
sleeping, substeps and single precision are left out. Checks against the package itself are listed in
assets/help/engines.md.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from physics.bibliography import article, program
from physics.core.wording import N_
from physics.schemes import engine_rules, joint_engines, mujoco_rules, ship_march
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import CONTACT, between_contacts, march_with
from physics.schemes.problem import Problem
from physics.schemes.scheme import Scheme, look
from physics.schemes.ship_march import AFLOAT, ShipMarch

_MUJOCO_4 = program(
    "MuJoCo 4.0",
    "mujoco4",
    citation="MuJoCo 4.0.0, as the package runs",
    author="{Google DeepMind}",
    title="{MuJoCo}",
    note="version 4.0.0, integrators implicit and Euler",
    url="https://github.com/google-deepmind/mujoco",
)
_MUJOCO_3 = program(
    "MuJoCo 3.10",
    "mujoco310",
    citation="MuJoCo 3.10.0, as the package runs",
    author="{Google DeepMind}",
    title="{MuJoCo}",
    note="version 3.10.0, integrators implicitfast and RK4",
    url="https://github.com/google-deepmind/mujoco",
)
_row = partial(
    Scheme,
    order=1,
    torques=1,
    energy="dissipates",
    energy_under_torque="dissipates",
    reversible=False,
    family="engines",
    help_page="engines",
)


def _afloat(rule: Any) -> ShipMarch:
    """A ship as engines step it: all forces change the velocities, which then move the body; the rule turns it."""
    return ship_march.march_with(ship_march.by_step(rule), ship_march.EULER)


def _marches(rule: Any) -> dict[Problem[Any], Any]:
    """A rule afloat and between contacts."""
    return {AFLOAT: _afloat(rule), CONTACT: between_contacts(rule)}


ROWS = (
    _row(
        name="bullet",
        title="Rule of Bullet 3.2",
        source=program(
            "Bullet 3.2",
            "bullet",
            citation="Bullet 3.2, btRigidBody.cpp and btTransformUtil.h",
            author="Coumans, Erwin and others",
            title="{Bullet} Physics",
            note="version 3.2, rigid bodies",
            url="https://github.com/bulletphysics/bullet3",
        ),
        equations="implicit gyroscopic torque, the default",
        cost=55,
        advice=N_(
            "To see what a Bullet simulation does: a tumbling body loses energy and ends on the axis that it circles, "
            "major or minor."
        ),
        **look("Bu", "#DD1166", "dash"),
        march=march_with(engine_rules.bullet),
        marches=_marches(engine_rules.bullet) | {JOINTS: joint_engines.march_bullet},
    ),
    _row(
        name="mujoco",
        title="Rule of MuJoCo 4.0",
        source=_MUJOCO_4,
        equations="implicit, implicitfast and discrete",
        cost=62,
        advice=N_(
            "To see what MuJoCo's implicit integrators do: a free body turns as in Bullet, and loses energy alike."
        ),
        **look("Mj", "#EE7799", "dot"),
        march=march_with(mujoco_rules.implicit),
        marches=_marches(mujoco_rules.implicit),
    ),
    _row(
        name="mujoco-euler",
        title="Rule of MuJoCo, Euler",
        source=_MUJOCO_4,
        equations="Euler, the default",
        energy="drifts",
        energy_under_torque="drifts",
        reach=0.3,
        cost=59,
        advice=N_("A warning: MuJoCo's default integrator gives a tumbling body energy until its numbers overflow."),
        **look("ME", "#E15AB4", "dash"),
        march=march_with(mujoco_rules.euler),
        marches={JOINTS: joint_engines.march_mujoco},
    ),
    _row(
        name="mujoco-midpoint",
        title="Rule of MuJoCo 3.10, midpoint",
        source=_MUJOCO_3,
        equations="implicitfast, of free bodies",
        order=2,
        torques=None,
        implicit=True,
        energy="kept",
        keeps_spin_norm=True,
        reversible=True,
        reach=2.5,
        cost=51,
        alone=("free",),
        advice=N_("The best of the engines' rules for a free body; MuJoCo gave it up in 3.11."),
        **look("MM", "#FF33FF", "solid"),
        march=march_with(mujoco_rules.midpoint),
        marches={CONTACT: between_contacts(mujoco_rules.midpoint)},
    ),
    _row(
        name="mujoco-rk4",
        inner="rk4",
        title="Rule of MuJoCo 3.10, RK4",
        source=_MUJOCO_3,
        equations="RK4",
        order=2,
        velocity_order=4,
        torques=4,
        energy="drifts",
        energy_under_torque="drifts",
        reach=2.2,
        cost=140,
        advice=N_("Order 4 in the velocity only: the attitude has order 2, under torque both; version 4.0 fixed that."),
        **look("MR", "#771199", "dash"),
        march=march_with(mujoco_rules.runge_kutta),
    ),
    _row(
        name="box3d",
        title="Rule of Box3D 0.2",
        source=program(
            "Box3D 0.2",
            "box3d",
            citation="Box3D 0.2, src/solver.c",
            author="Catto, Erin",
            title="{Box3D}",
            note="version 0.2",
            url="https://github.com/erincatto/box3d",
        ),
        equations="b3IntegrateVelocities and b3IntegrateRotation",
        cost=53,
        advice=N_(
            "To see what Box3D does: the velocity of Bullet and MuJoCo, with an attitude that lags at large steps."
        ),
        **look("B3", "#22CC00", "dot"),
        march=march_with(engine_rules.box3d),
        marches=_marches(engine_rules.box3d),
    ),
    _row(
        name="jolt",
        title="Rule of Jolt 5, gyroscopic",
        source=program(
            "Jolt 5",
            "jolt",
            citation="Jolt 5, MotionProperties.inl, ApplyGyroscopicForceInternal",
            author="Rouwe, Jorrit",
            title="{Jolt Physics}",
            note="version 5",
            url="https://github.com/jrouwe/JoltPhysics",
        ),
        equations="gyroscopic force, off by default",
        energy="drifts",
        keeps_spin_norm=True,
        energy_under_torque="drifts",
        cost=54,
        advice=N_("Keeps the size of the angular momentum, but drives every rotation onto the intermediate axis."),
        **look("Jo", "#881111", "dash"),
        march=march_with(engine_rules.jolt),
        marches={AFLOAT: _afloat(engine_rules.jolt)},
    ),
    _row(
        name="physx",
        title="Rule of PhysX 5",
        source=program(
            "PhysX 5",
            "physx",
            citation="PhysX 5, DyBodyCoreIntegrator.h",
            author="{NVIDIA}",
            title="{PhysX}",
            note="version 5",
            url="https://github.com/NVIDIA-Omniverse/PhysX",
        ),
        equations="no gyroscopic torque, the default",
        order=0,
        energy="kept",
        keeps_spin_norm=True,
        energy_under_torque="bounded",
        cost=54,
        advice=N_("To see what is missing without a gyroscopic torque: the body never tumbles, whatever the step."),
        **look("Px", "#EECC77", "dash"),
        march=march_with(engine_rules.physx),
        marches=_marches(engine_rules.physx),
    ),
    _row(
        name="ode",
        title="Rule of ODE 0.13",
        source=program(
            "ODE 0.13",
            "ode",
            citation="ODE 0.13, step.cpp and quickstep.cpp",
            author="Smith, Russell and others",
            title="{Open Dynamics Engine}",
            note="version 0.13",
            url="https://www.ode.org",
        ),
        equations="implicit gyroscopic torque, the default",
        cost=41,
        advice=N_("Its energy never rises, but the size of the angular momentum does, and a tumbling soon ends."),
        **look("Od", "#FF99FF", "dash"),
        march=march_with(engine_rules.ode),
        marches=_marches(engine_rules.ode) | {JOINTS: joint_engines.march_ode},
    ),
    _row(
        name="xpbd",
        title="Extended position based dynamics",
        source=article(
            "Müller et al. 2020",
            "mueller2020detailed",
            author="Müller, Matthias and Macklin, Miles and Chentanez, Nuttapong and Jeschke, Stefan and Kim, Tae-Yong",
            title="Detailed rigid body simulation with extended position based dynamics",
            where="Computer Graphics Forum 39, 101--112",
            doi="10.1111/cgf.14105",
        ),
        equations="(2)-(9), (11)-(16): 20 small steps, joints corrected one after another",
        torques=None,
        cost=500,
        alone=(),
        advice=N_("To see what games do with joints: places are corrected joint by joint, which costs energy."),
        **look("XP", "#CC0000", "solid"),
        march=march_with(joint_engines.step),
        marches={JOINTS: joint_engines.march_xpbd},
        help_page="xpbd",
    ),
)
