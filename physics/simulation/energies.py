"""What is measured at every stored state: energies and spin."""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import Block
from physics.systems.world import World


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def measures(world: World, block: Block) -> dict[str, Array]:
    """kinetic_energy (n,) [J], potential_energy (n,) [J] and spin (n, 3) [kg m²/s] of the states in a block.

    A body that turns about a fixed point has its moments, spin and all its kinetic energy about that point.
    """
    axes = world.body.axes
    spin = apply(axes, world.moments * apply(conjugate(axes), block.angular_velocity))
    return {
        "kinetic_energy": world.kinetic_energy(block, spin),
        "potential_energy": world.potential_energy(block),
        "spin": apply(block.orientation, spin),
    }
