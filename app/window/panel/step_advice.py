"""Step advice in words."""

from __future__ import annotations

import numpy as np

from physics import World
from physics.analysis.stability import advice
from physics.schemes.lane import in_words
from physics.systems import system_of

_AXES = ("minor", "intermediate", "major")


def step_words(world: World) -> str:
    """What the step means for the motion at the start; "" where nothing turns."""
    _, w = world.body.to_principal(world.orientation, world.angular_velocity)
    if advice(world.moments, w, world.scenario.step) is None:
        return ""
    words = []
    for step in dict.fromkeys((world.scenario.step, *world.scenario.steps)):
        found = advice(world.moments, w, step)
        assert found is not None
        own = [lane for lane in world.scenario.lanes if world.scenario.step_of(lane.name) == step]
        of = "" if step == world.scenario.step else f" of {in_words(step)}"
        words.append(f"{found.steps:.3g} steps{of} a turn.")
        if system_of(world.scenario).torque_free and any(lane.scheme.name == "explicit" for lane in own):
            axis = _AXES[int(np.argsort(np.argsort(world.moments))[found.axis])]
            words.append(
                f"About the {axis} axis small perturbations change by a factor of {found.growth:.3g} a turn under the "
                f"explicit scheme{f' with h = {in_words(step)}' if of else ''}, by (59); truly by "
                f"{found.true_growth:.3g}."
            )
    return " ".join(words)
