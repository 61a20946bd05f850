"""Step advice in words."""

from __future__ import annotations

import numpy as np

from physics import World
from physics.analysis.stability import advice
from physics.schemes.lane import in_words
from physics.systems import system_of

_AXES = ("minor", "intermediate", "major")


def step_words(world: World) -> str:
    """What the step means for the motions at the start, of each variant; "" where nothing turns."""
    lanes, usual = world.scenario.lanes, world.scenario.step
    first = "" if any(not lane.variant for lane in lanes) else lanes[0].variant
    shown = [(first, usual), *((lane.variant, world.scenario.step_of(lane.name)) for lane in lanes)]
    starts = {variant: world.variants[variant] if variant else world for variant, _ in shown}
    alike = len({start.angular_velocity.tobytes() for start in starts.values()}) == 1
    words = []
    for variant, step in dict.fromkeys(shown):
        start = starts[variant]
        _, w = start.body.to_principal(start.orientation, start.angular_velocity)
        found = advice(start.moments, w, step)
        if found is None:
            continue
        own = [lane for lane in lanes if (lane.variant, world.scenario.step_of(lane.name)) == (variant, step)]
        of, within = "" if step == usual else f" of {in_words(step)}", f" in {variant}" if variant and not alike else ""
        count = f"{found.steps:.3g}" if found.steps < 1000.0 else f"{found.steps:.0f}"
        words.append(f"{count} steps{of} a turn{within}.")
        if system_of(world.scenario).torque_free and any(lane.scheme.name == "explicit" for lane in own):
            axis = _AXES[int(np.argsort(np.argsort(world.moments))[found.axis])]
            words.append(
                f"About the {axis} axis small perturbations change by a factor of {found.growth:.3g} a turn under the "
                f"explicit scheme{f' with h = {in_words(step)}' if step != usual else ''}, by (59); truly by "
                f"{found.true_growth:.3g}."
            )
    return " ".join(dict.fromkeys(words))
