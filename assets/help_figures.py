"""``python -m assets.help_figures [NAME ...]`` draws the figures of the help into assets/help/figures, from runs.

Of each scheme: how energy and spin err over time, and how the attitude errs over the step. Of a model: what one of its
examples does.
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
from app.playback.lane_looks import lane_schemes
from app.playback.run import Run
from app.theme import DARK, LIGHT, legible
from assets import SCENARIOS
from assets.line_figure import Curve, Panel, figure
from physics import SCHEMES, Scenario
from physics.analysis.convergence import slope, study
from physics.analysis.invariants import energy_error, spin_error
from physics.core.rotation import Array
from physics.hydrostatics.hull import loaded
from physics.hydrostatics.hull_shapes import make_hull
from physics.hydrostatics.righting_levers import rest_of, righting
from physics.schemes.scheme import Scheme

FOLDER = Path(__file__).parent / "help" / "figures"
FLOOR, LEAST = 1e-16, 1e-11  # of errors on logarithmic axes: relative, and [°]
MOST_NAMES = 4  # of lanes that are named at their curves: more stand in a legend
BINS = 80  # parts of the time, of each of which the largest error is drawn
STEP, LONG = 0.05, 50.0  # [s]
TUMBLING = {
    "kind": "free",
    "body": {"shape": "inertia", "mass": 1.0, "inertia": [1.0, 2.0, 3.0]},
    "initial": {"angular_velocity": [0.5, 3.0, 0.5]},
    "step": STEP,
    "duration": LONG,
}
TOP = {
    "kind": "top",
    "body": {"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700.0},
    "initial": {"nutation": 0.5, "precession": 0.0, "spin": 150.0},
    "step": 0.005,
    "duration": 5.0,
}


def of_page(page: str) -> str:
    """Errors of the schemes of a page."""
    return of_schemes(*(row.name for row in SCHEMES.values() if row.page == page))


def of_schemes(*schemes: str) -> str:
    """Errors of some schemes: of a free body that tumbles, or of a top where one of them serves no free body."""
    rows = [SCHEMES[name] for name in schemes]
    free = all("free" in row.kinds for row in rows)
    made = Scenario(**(TUMBLING if free else TOP), schemes=schemes)
    run, points = physics.simulate(made), list(study(made))
    looks = lane_schemes(made.schemes)
    alone = len(looks) == 1
    kept, attitude = [], []
    for look in looks:
        states = run[look.name]
        name = "energy" if alone else _name(look, looks)
        kept.append(_worst(states.time, energy_error(states), _ink(look), name))
        told = sorted((point for point in points if point.scheme == look.name), key=lambda point: point.step)
        steps, errors = (np.array([getattr(point, of) for point in told]) for of in ("step", "error"))
        found = slope(told)
        name = _name(look, looks) if not alone else "" if found is None else f"slope {found:.2f}"
        attitude.append(Curve(steps, np.maximum(errors, LEAST), _ink(look), name, dots=True))
        if alone:
            vertical = (states.spin[:, 2] - states.spin[0, 2]) / states.spin[0, 2]
            spin = ("spin", spin_error(states)) if free else ("vertical spin", vertical)
            kept.append(_worst(states.time, spin[1], "", spin[0], dashed=True))
    title = f"{'Energy and spin' if alone else 'Energy'}: relative error, steps of {made.step:g} s"
    panels = [
        Panel(title, "time [s]", kept, log_y=True, low=FLOOR, high=1.0),
        Panel("Attitude: error [°] after two turns", "step [s]", attitude, log_x=True, log_y=True, low=LEAST, high=1e2),
    ]
    body = "a body that tumbles" if free else "a top"
    names = ", ".join(row.title for row in rows)
    legend = [] if len(looks) <= MOST_NAMES else [(look.name, _ink(look)) for look in looks]
    told = f"{names}: errors of {body}, of energy over time and of the attitude over the step"
    return figure(panels, told, legend)


def of_example(stem: str, *titles: str, duration: float | None = None, schemes: Sequence[str] = ()) -> str:
    """What the schemes make of some quantities of an example."""
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
                quantity.values(lane.trajectory, lane.world),
                _ink(lane.scheme),
                _name(lane.scheme, looks),
            )
            for lane in run.lanes
        ]
        unit = f" [{quantity.unit}]" if quantity.unit else ""
        panels.append(Panel(f"{title}{unit}", "time [s]", curves, log_y=quantity.log))
    names = ", ".join(look.name for look in looks)
    return figure(panels, f"{scenario.title}: {' and '.join(titles).lower()} over time under {names}")


def shares() -> str:
    """The shares of starts that turn over as the tables of the page tell them."""
    page = (FOLDER.parent / "start-ensembles.md").read_text(encoding="utf-8")
    tables = re.findall(
        r"^    (step \[ms\]|friction) +(.*)\n    explicit +(.*)\n    implicit +(.*)", page, re.MULTILINE
    )
    panels = []
    for over, *rows in tables:
        x, *y = (np.array(row.split(), float) for row in rows)
        order = np.argsort(x)
        curves = [
            Curve(x[order], values[order], _ink(SCHEMES[name]), name, dots=True)
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
    for name, height, ink in (("low", -0.5, "#3f8fd0"), ("high", 0.5, "#d07a2d")):
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
        for kappa, ink in ((0.5, "#3f8fd0"), (4.0, "#d07a2d"))
    ]
    return figure([Panel("Friction μ(s) from 0.3 to 0.6", "slip s [m]", rubs)], "Friction grows with the slip")


def fading() -> str:
    """Restitution over the speed of an impact, and the turn of its normal on a ramp, for the values of the page."""
    speed = np.linspace(0.0, 25.0, 100)
    fades = Curve(speed, 0.33 / (1.0 + (speed / 9.144) ** 2), "#3f8fd0")
    turns = Curve(speed, 20.0 * (speed / 10.0) ** 0.4, "#d07a2d")
    panels = [
        Panel("Restitution e from 0.33", "normal speed [m/s]", [fades]),
        Panel("Turn θ of the normal [°], ramp = 20", "normal speed [m/s]", [turns]),
    ]
    return figure(panels, "Restitution falls with the speed of the impact, the turn of the normal grows")


def _worst(time: Array, error: Array, ink: str, name: str, *, dashed: bool = False) -> Curve:
    """The largest error of each part of the time."""
    parts = np.array_split(np.arange(len(time)), BINS)
    largest = np.array([np.abs(error[part]).max() for part in parts])
    return Curve(time[[part[-1] for part in parts]], np.maximum(largest, FLOOR), ink, name, dashed)


def _name(look: Scheme, beside: Sequence[Scheme]) -> str:
    """What stands at a lane's curve: its name, or nothing where the legend has them all."""
    return look.name if len(beside) <= MOST_NAMES else ""


def _ink(look: Scheme) -> str:
    """The colour of a lane that stands off both dark and light pages."""
    return legible(legible(look.colour, DARK), LIGHT)


FIGURES: dict[str, Callable[[], str]] = {
    **{page: partial(of_page, page) for page in dict.fromkeys(row.page for row in SCHEMES.values())},
    "table": partial(of_example, "table-tippe-top", "Tilt", "Spin about the normal"),
    "ship": partial(of_example, "ship-barge", "Heel", "Energy error"),
    "rockfall": partial(of_example, "rock-ramp", "Altitude", "Rotation", duration=30.0),
    "lanes": partial(of_example, "cuboid-intermediate", "ωy", "Attitude error", schemes=("implicit", "implicit@0.04")),
    "measured-motion": partial(of_example, "measured-toss", "ωx", "ωy"),
    "which-integrator": partial(of_schemes, "explicit", "implicit", "rk4", "magnus-4", "bullet"),
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
