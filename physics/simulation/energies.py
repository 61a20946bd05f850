"""What is measured at every stored state: energies and spin."""

from __future__ import annotations

import numpy as np

from physics.core.potential import potential
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.trajectory import Block
from physics.systems.rotating_world import AttachedWorld
from physics.systems.world import World


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def measures(world: World, block: Block) -> dict[str, Array]:
    """kinetic_energy (n,) [J], potential_energy (n,) [J] and spin (n, 3) [kg m²/s] of the states in a block.

    A body that turns about a fixed point has its moments, spin and all its kinetic energy about that point.
    """
    body, w = world.body, block.angular_velocity
    spin = apply(body.axes, world.moments * apply(conjugate(body.axes), w))
    kinetic = 0.5 * np.sum(w * spin, axis=1)
    if isinstance(world, AttachedWorld):
        height = potential(world.field, multiply(block.orientation, body.axes))
    else:
        kinetic = kinetic + 0.5 * body.mass * np.sum(block.velocity**2, axis=1)
        height = body.mass * world.scenario.g * world.height(block.position)
    return {"kinetic_energy": kinetic, "potential_energy": height, "spin": apply(block.orientation, spin)}
