"""``python -m assets.make.help_figures [NAME ...]`` draws the figures of the help into assets/help/figures, from runs.

Every page has one. Here are those of models: what one of their examples does, or their laws. Those of schemes, of rocks
and of the program have modules of their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import physics
from app.kinds import kind_of
from app.kinds.quantities import Quantity
from app.playback.run import Lane, Run
from assets import SCENARIOS
from assets.make import help_figures_program, help_figures_rocks, help_figures_schemes
from assets.make.help_figures_schemes import ink_of, name_of
from assets.make.help_tables import page_of
from assets.make.line_figure import Curve, Panel, figure
from assets.make.svg import BLUE, ORANGE
from physics import SCHEMES
from physics.core.rotation import Array
from physics.hydrostatics.hull import loaded, make_hull
from physics.hydrostatics.righting_levers import rest_of, righting

FOLDER = Path(__file__).parents[1] / "help" / "figures"


def of_example(stem: str, *titles: str, duration: float | None = None, schemes: Sequence[str] = ()) -> str:
    """Quantities of an example, by the schemes."""
    scenario = physics.load_scenario(SCENARIOS / f"{stem}.toml")
    if duration is not None:
        scenario = scenario.changed(duration=duration)
    if schemes:
        scenario = scenario.changed(schemes=tuple(schemes))
    run = Run(scenario)
    run.start()
    run.join()
    known = {quantity.title: quantity for quantity in kind_of(scenario).choices}
    panels, looks = [], [lane.scheme for lane in run.lanes]
    for title in titles:
        quantity = known[title]
        curves = [
            Curve(
                lane.trajectory.time,
                drawn_values(quantity, lane),
                ink_of(lane.scheme),
                name_of(lane.scheme, looks),
            )
            for lane in run.lanes
        ]
        unit = f" [{quantity.unit}]" if quantity.unit else ""
        panels.append(Panel(f"{title}{unit}", "time [s]", curves, log_y=quantity.log or quantity.error is not None))
    names = ", ".join(look.name for look in looks)
    return figure(panels, f"{scenario.title}: {' and '.join(titles).lower()} over time under {names}")


def drawn_values(quantity: Quantity, lane: Lane) -> Array:
    """A quantity of a lane (n,); of an error its size, and not less than its scale tells apart."""
    values = quantity.values(lane.trajectory, lane.world)
    return values if quantity.error is None else np.maximum(np.abs(values), quantity.error.floor)


def shares() -> str:
    """The shares of starts that turn over from the tables of the page."""
    tables = re.findall(
        r"^    (step \[ms\]|friction) +(.*)\n    explicit +(.*)\n    implicit +(.*)",
        page_of("start-ensembles"),
        re.MULTILINE,
    )
    panels = []
    for over, *rows in tables:
        x, *y = (np.array(row.split(), float) for row in rows)
        order = np.argsort(x)
        curves = [
            Curve(x[order], values[order], ink_of(SCHEMES[name]), name, dots=True)
            for name, values in zip(("explicit", "implicit"), y, strict=True)
        ]
        title = "Cuboids that flip" if over.startswith("step") else "Tippe tops that invert"
        panels.append(Panel(f"{title}: share", over, curves, log_x=True, low=0.0, high=1.0))
    return figure(
        panels, "The share of starts that turn over: of cuboids over the step, of tippe tops over the friction"
    )


def righting_levers() -> str:
    """A box that floats at half its depth: its righting lever over the heel, for two heights of its weight."""
    curves = []
    for name, height, ink in (("low", -0.5, BLUE), ("high", 0.5, ORANGE)):
        load = loaded(make_hull("box", (20.0, 8.0, 4.0)), 328000.0, (0.0, 0.0, height + 2.0))
        found = righting(load, rest_of(load))
        curves.append(Curve(np.degrees(found.heels), found.levers, ink, f"weight {name}"))
    return figure(
        [Panel("Righting lever GZ [m] of a box", "heel [°]", curves)], "Righting levers of a box over its heel"
    )


def soils() -> str:
    """Friction over the slip, and the depth of a scar over the speed, as the formulas of the page have them."""
    slip = np.linspace(0.0, 10.0, 100)
    rubs = [
        Curve(slip, 0.3 + 2.0 / np.pi * 0.3 * np.arctan(kappa * slip), ink, f"κ = {kappa:g} / m")
        for kappa, ink in ((0.5, BLUE), (4.0, ORANGE))
    ]
    return figure([Panel("Friction μ(s) from 0.3 to 0.6", "slip s [m]", rubs)], "Friction grows with the slip")


def fading() -> str:
    """Restitution over the speed of an impact, and the turn of its normal on a ramp, for the values of the page."""
    speed = np.linspace(0.0, 25.0, 100)
    fades = Curve(speed, 0.33 / (1.0 + (speed / 9.144) ** 2), BLUE)
    turns = Curve(speed, 20.0 * (speed / 10.0) ** 0.4, ORANGE)
    panels = [
        Panel("Restitution e from 0.33", "normal speed [m/s]", [fades]),
        Panel("Turn θ of the normal [°], ramp = 20", "normal speed [m/s]", [turns]),
    ]
    return figure(panels, "Restitution falls with the speed of the impact, the turn of the normal grows")


FIGURES: dict[str, Callable[[], str]] = {
    **help_figures_schemes.FIGURES,
    **help_figures_rocks.FIGURES,
    **help_figures_program.FIGURES,
    "table": partial(of_example, "table-tippe-top", "Tilt", "Spin about the normal"),
    "ship": partial(of_example, "ship-barge", "Heel", "Energy error"),
    "rockfall": partial(of_example, "rock-ramp", "Altitude", "Rotation", duration=30.0),
    "lanes": partial(of_example, "cuboid-intermediate", "ωy", "Attitude error", schemes=("implicit", "implicit@0.04")),
    "measured-motion": partial(of_example, "measured-toss", "ωx", "ωy"),
    "start-ensembles": shares,
    "hydrostatics": righting_levers,
    "ground": soils,
    "impact-laws": fading,
}


def main(names: Iterable[str]) -> None:
    """Draw some figures, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or FIGURES:
        (FOLDER / f"{name}.svg").write_text(FIGURES[name](), encoding="utf-8", newline="\n")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
