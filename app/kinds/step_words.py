"""Words on the step of a body that turns: how many make a turn, and what the explicit scheme makes of them."""

from __future__ import annotations

import numpy as np

from app.system.language import tr
from physics import World
from physics.analysis.flips import EQUAL
from physics.analysis.stability import advice
from physics.schemes.lane import in_words
from physics.systems import torque_free


def step_words(world: World) -> str:
    """Steps in a turn at the start, for each variant; "" if nothing rotates.

    Perturbations grow about the axis of a moment that no other equals: of two equal ones none is major or intermediate.
    """
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
        count = f"{found.steps:.3g}" if found.steps < 1000.0 else f"{found.steps:.0f}"
        text = tr("{count} steps a turn") if step == usual else tr("{count} steps of {step} a turn")
        within = f" {tr('in {variant}').format(variant=variant)}" if variant and not alike else ""
        words.append(f"{text.format(count=count, step=in_words(step))}{within}.")
        alone = (
            np.abs(np.delete(world.moments, found.axis) - world.moments[found.axis]).min() > EQUAL * world.moments.max()
        )
        if alone and torque_free(world.scenario) and any(lane.scheme.name == "explicit" for lane in own):
            axis = (
                tr("About the minor axis small perturbations change by a factor of {factor} a turn"),
                tr("About the intermediate axis small perturbations change by a factor of {factor} a turn"),
                tr("About the major axis small perturbations change by a factor of {factor} a turn"),
            )[int(np.argsort(np.argsort(world.moments))[found.axis])]
            scheme = (
                tr("under the explicit scheme") if step == usual else tr("under the explicit scheme with h = {step}")
            )
            words.append(
                tr("{change} {scheme}, by (59); truly by {true}.").format(
                    change=axis.format(factor=f"{found.growth:.3g}"),
                    scheme=scheme.format(step=in_words(step)),
                    true=f"{found.true_growth:.3g}",
                )
            )
    return " ".join(dict.fromkeys(words))
