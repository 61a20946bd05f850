"""Engines that can drop a convex rock on a grid of heights: MuJoCo, Bullet, Rapier, each if it is installed.

MuJoCo runs with ``implicitfast``, as its documentation advises, and its own contacts; Bullet by its package for Python,
without sleep and without the damping that it has by default; Rapier in single precision, as its package for Python has
it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from physics.core.rotation import Array, apply, conjugate, rotation_vector
from physics.systems.rockfall.world import RockfallWorld

FRICTION, GRAVITY, STEP = 0.8, 9.81, 0.002  # [1], [m/s²], [s]
UPRIGHT = (0.5 * np.pi, 0.0, 0.0)  # turn [rad] of a grid whose heights are along y


class Scene(Protocol):
    """A rock above its ground; places are relative to ``middle_of`` the terrain."""

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        """Put the rock there [m], [1], [m/s]; its angular velocity in its own axes [rad/s]."""

    def step(self, steps: int) -> None:
        """Advance by a number of steps of STEP."""

    def state(self) -> tuple[Array, Array, Array]:
        """Position [m], velocity [m/s], angular velocity in the rock's own axes [rad/s]."""


def middle_of(world: RockfallWorld) -> tuple[float, float, float]:
    """x and y of the middle of the terrain, and its lowest height [m]."""
    x0, x1, y0, y1 = world.terrain.extent
    return (x0 + x1) / 2, (y0 + y1) / 2, float(world.terrain.heights.min())


class _MuJoCo:
    def __init__(self, world: RockfallWorld, restitution: float) -> None:
        import mujoco

        self._advance, self._reset = mujoco.mj_step, mujoco.mj_resetData
        self.model = mujoco.MjModel.from_xml_string(_mujoco_text(world))
        heights = world.terrain.heights
        self.model.hfield_data[:] = ((heights - heights.min()) / np.ptp(heights)).ravel()
        self.data = mujoco.MjData(self.model)

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        self._reset(self.model, self.data)
        self.data.qpos[:3], self.data.qpos[3:] = position, orientation
        self.data.qvel[:3], self.data.qvel[3:] = velocity, angular_velocity

    def step(self, steps: int) -> None:
        self._advance(self.model, self.data, steps)

    def state(self) -> tuple[Array, Array, Array]:
        return self.data.qpos[:3].copy(), self.data.qvel[:3].copy(), self.data.qvel[3:].copy()


def _mujoco_text(world: RockfallWorld) -> str:
    """The scene as MuJoCo reads it."""
    terrain, body = world.terrain, world.body
    (ny, nx), (x0, x1, y0, y1) = terrain.heights.shape, terrain.extent
    relief = float(np.ptp(terrain.heights))
    corners = " ".join(f"{value:.9g}" for value in body.vertices.ravel())
    return f"""<mujoco>
      <option timestep="{STEP}" integrator="implicitfast" gravity="0 0 -{GRAVITY}"/>
      <asset>
        <mesh name="rock" vertex="{corners}"/>
        <hfield name="ground" nrow="{ny}" ncol="{nx}" size="{(x1 - x0) / 2} {(y1 - y0) / 2} {relief} 1"/>
      </asset>
      <worldbody>
        <geom type="hfield" hfield="ground" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        <body>
          <freejoint/>
          <geom type="mesh" mesh="rock" mass="{body.mass}" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        </body>
      </worldbody>
    </mujoco>"""


class _Bullet:
    def __init__(self, world: RockfallWorld, restitution: float) -> None:
        import pybullet

        self._package, terrain, body = pybullet, world.terrain, world.body
        self._client = client = pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0.0, 0.0, -GRAVITY, physicsClientId=client)
        pybullet.setTimeStep(STEP, physicsClientId=client)
        ny, nx = terrain.heights.shape
        above = terrain.heights - middle_of(world)[2]
        ground = pybullet.createCollisionShape(
            pybullet.GEOM_HEIGHTFIELD,
            meshScale=[*terrain.cell, 1.0],
            heightfieldData=above.ravel().tolist(),
            numHeightfieldRows=nx,
            numHeightfieldColumns=ny,
            physicsClientId=client,
        )
        middle = [0.0, 0.0, 0.5 * float(above.max())]  # it puts the middle of the heights at its origin
        floor = pybullet.createMultiBody(0.0, ground, basePosition=middle, physicsClientId=client)
        hull = pybullet.createCollisionShape(
            pybullet.GEOM_MESH, vertices=body.vertices.tolist(), physicsClientId=client
        )
        self._rock = pybullet.createMultiBody(body.mass, hull, physicsClientId=client)
        facts = {"lateralFriction": FRICTION, "restitution": restitution, "physicsClientId": client}
        pybullet.changeDynamics(floor, -1, **facts | {"lateralFriction": 1.0, "restitution": 1.0})  # it multiplies them
        facts |= {
            "linearDamping": 0.0,
            "angularDamping": 0.0,
            "localInertiaDiagonal": np.diag(_inertia(world)).tolist(),
        }
        pybullet.changeDynamics(self._rock, -1, **facts)

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        place, spin = [*np.roll(orientation, -1)], apply(orientation, angular_velocity)
        self._package.resetBasePositionAndOrientation(self._rock, position, place, physicsClientId=self._client)
        self._package.resetBaseVelocity(self._rock, velocity, spin, physicsClientId=self._client)

    def step(self, steps: int) -> None:
        for _ in range(steps):
            self._package.stepSimulation(physicsClientId=self._client)

    def state(self) -> tuple[Array, Array, Array]:
        position, q = self._package.getBasePositionAndOrientation(self._rock, physicsClientId=self._client)
        velocity, spin = self._package.getBaseVelocity(self._rock, physicsClientId=self._client)
        return np.array(position), np.array(velocity), apply(conjugate(np.roll(q, 1)), spin)


def _inertia(world: RockfallWorld) -> Array:
    """The tensor (3, 3) [kg m²] in the axes of the rock's vertices."""
    return np.stack([world.body.spin(axis) for axis in np.eye(3)])


class _Rapier:
    def __init__(self, world: RockfallWorld, restitution: float) -> None:
        import rapier3d

        self._package, terrain = rapier3d, world.terrain
        x0, x1, y0, y1 = terrain.extent
        self.world = rapier3d.PhysicsWorld((0.0, 0.0, -GRAVITY))
        self.world.integration_parameters.dt = STEP
        above = np.ascontiguousarray((terrain.heights - middle_of(world)[2])[::-1], np.float32)  # its z points south
        ground = rapier3d.Collider.heightfield(above, (x1 - x0, 1.0, y1 - y0)).rotation(UPRIGHT)
        self.world.colliders.insert(ground.friction(FRICTION).restitution(restitution))
        rock = rapier3d.Collider.convex_hull(world.body.vertices.astype(np.float32)).mass(world.body.mass)
        self._rock = rock.friction(FRICTION).restitution(restitution)
        self._handle: object = None

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        of = self.world
        if self._handle is not None:
            of.rigid_bodies.remove(self._handle, of.islands, of.colliders, of.impulse_joints, of.multibody_joints, True)
        builder = self._package.RigidBody.dynamic().translation(tuple(map(float, position))).can_sleep(False)
        builder = builder.rotation(tuple(map(float, rotation_vector(orientation))))
        spin = apply(orientation, angular_velocity)
        builder = builder.linvel(tuple(map(float, velocity))).angvel(tuple(map(float, spin))).gyroscopic_forces(True)
        self._handle = of.rigid_bodies.insert(builder)
        of.colliders.insert_with_parent(self._rock, self._handle, of.rigid_bodies)
        self._body = of.rigid_bodies[self._handle]

    def step(self, steps: int) -> None:
        for _ in range(steps):
            self.world.step()

    def state(self) -> tuple[Array, Array, Array]:
        body = self.world.rigid_bodies[self._handle]
        q = body.rotation
        attitude = np.array([q.w, q.i, q.j, q.k])
        return _three(body.translation), _three(body.linvel), apply(conjugate(attitude), _three(body.angvel))


def _three(vector: object) -> Array:
    return np.array([vector[0], vector[1], vector[2]])  # type: ignore[index]  # the package has no types for it


class Neighbour(NamedTuple):
    """An engine for rigid bodies.

    package : its name in Python and in pip; restitution : whether it takes a coefficient
    scene : makes the rock and the ground of a world in it, with a coefficient of restitution
    """

    name: str
    package: str
    restitution: bool
    scene: Callable[[RockfallWorld, float], Scene]


NEIGHBOURS = (
    Neighbour("MuJoCo", "mujoco", False, _MuJoCo),  # its contacts are springs with dampers
    Neighbour("Bullet", "pybullet", True, _Bullet),
    Neighbour("Rapier", "rapier3d", True, _Rapier),
)


def installed() -> list[Neighbour]:
    """Engines that are installed."""
    return [one for one in NEIGHBOURS if importlib.util.find_spec(one.package)]
