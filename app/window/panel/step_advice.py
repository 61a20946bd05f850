"""Step advice in words."""

from __future__ import annotations

import numpy as np

from physics import World
from physics.analysis.stability import advice
from physics.systems import system_of

_AXES = ("minor", "intermediate", "major")


def step_words(world: World) -> str:
    """What the step means for the motion at the start; "" where nothing turns."""
    _, w = world.body.to_principal(world.orientation, world.angular_velocity)
    found = advice(world.moments, w, world.scenario.step)
    if found is None:
        return ""
    words = f"{found.steps:.3g} steps a turn."
    if system_of(world.scenario).torque_free and "explicit" in world.scenario.schemes:
        axis = _AXES[int(np.argsort(np.argsort(world.moments))[found.axis])]
        words += (
            f" About the {axis} axis small perturbations change by a factor of {found.growth:.3g} a turn under the "
            f"explicit scheme, by (59); truly by {found.true_growth:.3g}."
        )
    return words
