"""Rapier in single precision, as its package for Python has it."""

from __future__ import annotations

import numpy as np

from app.bench.neighbours import FRICTION, GRAVITY, STEP, Scene, middle_of
from physics.core.rotation import Array, apply, conjugate, rotation_vector
from physics.systems.rockfall.world import RockfallWorld

UPRIGHT = (0.5 * np.pi, 0.0, 0.0)  # turn [rad] of a grid whose heights are along y


def scene(world: RockfallWorld, restitution: float) -> Scene:
    """See app.bench.neighbours.scene."""
    return _Scene(world, restitution)


class _Scene:
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
