"""Bullet by its package for Python, without sleep and without the damping that it has by default."""

from __future__ import annotations

import numpy as np

from app.bench.neighbours import FRICTION, GRAVITY, STEP, Scene, middle_of
from physics.core.rotation import Array, apply, conjugate
from physics.systems.rockfall.world import RockfallWorld


def scene(world: RockfallWorld, restitution: float) -> Scene:
    """See app.bench.neighbours.scene."""
    return _Scene(world, restitution)


class _Scene:
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
