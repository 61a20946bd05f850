"""What is measured at every stored state, energies and spin; and where errors of both count from."""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import STATE, Block, Origin, State
from physics.systems.world import World

ROUNDING = 1e-9  # of the energy that lifts a body by its radius: what is left of the energy of one that rests


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


@np.errstate(over="ignore", invalid="ignore")
def origin(world: World, block: Block) -> Origin:
    """The first state of a block as that from which errors count.

    The energy's are shares of the kinetic energy there and of the potential energy above the world's least, or above
    the body's radius lower where it can fall without end. The spin's are shares of its size; that of a body that turns
    about a fixed point is at least a hundredth of the largest that its energy allows, as gravity turns it up from 0.
    """
    found = measures(world, block)
    state = State(float(block.time[0]), *(np.array(getattr(block, name)[0]) for name in STATE))
    kinetic, potential, spin = (found[name][0] for name in ("kinetic_energy", "potential_energy", "spin"))
    least = world.least_potential_energy
    lift = world.body.mass * world.scenario.g * world.body.radius
    scale = float(max(kinetic + (lift if least is None else potential - least), ROUNDING * lift)) or 1.0
    size = float(np.linalg.norm(spin))
    if world.arm is not None:
        size = max(size, 0.01 * float(np.sqrt(2.0 * world.moments.max() * scale)))
    return Origin(state, float(kinetic + potential), spin, scale, size or 1.0)
