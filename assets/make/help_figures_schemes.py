"""Figures of the help about schemes: how energy, spin and attitude err, of one and of all."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import partial

import numpy as np

import physics
from app.playback.lane_looks import lane_schemes
from app.theme import DARK, LIGHT, legible
from assets.make.help_tables import PAGES, page_of
from assets.make.line_figure import Curve, Panel, figure
from assets.make.svg import BLUE, GREEN, ORANGE, RED, VIOLET
from physics import SCHEMES, Scenario
from physics.analysis.convergence import slope, study
from physics.analysis.invariants import energy_error, spin_error, vertical_spin_error
from physics.analysis.report_card import TUMBLING as TRIAL
from physics.analysis.report_card import TURNED, symplectic_defect
from physics.core.rotation import Array, angle_between
from physics.schemes.scheme import FAMILIES, Scheme

FLOOR, LEAST = 1e-16, 1e-11  # of errors on logarithmic axes: relative, and [°]
MOST_NAMES = 4  # of lanes that are named at their curves: more stand in a legend
BINS = 80  # parts of the time, of each of which the largest error is drawn
STEP, LONG = 0.05, 50.0  # [s]
NAMED = ("explicit", "implicit", "exact", "rk4", "bullet", "magnus-8", "no-squish", "spiral", "pdmv-6")
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
        name = "energy" if alone else name_of(look, looks)
        kept.append(worst(states.time, energy_error(states), ink_of(look), name))
        told = sorted((point for point in points if point.scheme == look.name), key=lambda point: point.step)
        steps, errors = (np.array([getattr(point, of) for point in told]) for of in ("step", "error"))
        found = slope(told)
        name = name_of(look, looks) if not alone else "" if found is None else f"slope {found:.2f}"
        attitude.append(Curve(steps, np.maximum(errors, LEAST), ink_of(look), name, dots=True))
        if alone:
            error = spin_error(states) if free else vertical_spin_error(states)
            kept.append(worst(states.time, error, "", f"{'' if free else 'vertical '}angular momentum", dashed=True))
    title = f"{'Energy and angular momentum' if alone else 'Energy'}: relative error, steps of {made.step:g} s"
    panels = [
        Panel(title, "time [s]", kept, log_y=True, low=FLOOR, high=1.0),
        Panel("Attitude: error [°] after two turns", "step [s]", attitude, log_x=True, log_y=True, low=LEAST, high=1e2),
    ]
    body = "a body that tumbles" if free else "a top"
    names = ", ".join(row.title for row in rows)
    legend = [] if len(looks) <= MOST_NAMES else [(look.name, ink_of(look)) for look in looks]
    told = f"{names}: errors of {body}, of energy over time and of the attitude over the step"
    return figure(panels, told, legend)


def worst(time: Array, error: Array, ink: str, name: str, *, dashed: bool = False) -> Curve:
    """The largest error of each part of the time."""
    parts = np.array_split(np.arange(len(time)), BINS)
    largest = np.array([np.abs(error[part]).max() for part in parts])
    return Curve(time[[part[-1] for part in parts]], np.maximum(largest, FLOOR), ink, name, dashed)


def name_of(look: Scheme, beside: Sequence[Scheme]) -> str:
    """Label at a lane's curve: its name, or nothing where the legend has them all."""
    return look.name if len(beside) <= MOST_NAMES else ""


def ink_of(look: Scheme) -> str:
    """The colour of a lane that stands off both dark and light pages."""
    return legible(legible(look.colour, DARK), LIGHT)


def words() -> str:
    """Figure of what kept, swings, drifts and falls look like, and what the order says."""
    energies, attitudes, legend = [], [], []
    for name, word, ink in (
        ("implicit", "kept", BLUE),
        ("no-squish", "swings", GREEN),
        ("rk4", "drifts", ORANGE),
        ("bullet", "falls", RED),
    ):
        run = physics.simulate(Scenario(**(TUMBLING | {"step": 0.3, "duration": 30.0}), schemes=[name]))[name]
        energies.append(Curve(run.time, 100.0 * energy_error(run), ink))
        legend.append((f"{name}: {word}", ink))
    made = Scenario(**TUMBLING, schemes=["explicit", "implicit", "rk4"])
    points = list(study(made))
    for name, order, ink in (("explicit", 1, VIOLET), ("implicit", 2, BLUE), ("rk4", 4, ORANGE)):
        told = sorted((point for point in points if point.scheme == name), key=lambda point: point.step)
        steps, errors = (np.array([getattr(point, of) for point in told]) for of in ("step", "error"))
        attitudes.append(Curve(steps, np.maximum(errors, LEAST), ink, f"{name}: order {order}", dots=True))
    panels = [
        Panel("Energy: relative error [%], steps of 0.3 s", "time [s]", energies, low=-10.0, high=5.0),
        Panel("Attitude: error [°] after two turns", "step [s]", attitudes, log_x=True, log_y=True),
    ]
    told = "The energy is kept, swings, drifts or falls; half the step gives a half, a quarter or less"
    return figure(panels, told, legend)


def own() -> str:
    """The order and the energy of the scheme that the page writes."""
    source = re.search(
        r"(?m)^    from physics(?:.*\n)+?(?=^\S|^- )", (PAGES / "own-scheme.md").read_text(encoding="utf-8")
    )
    assert source is not None
    names: dict[str, object] = {}
    exec("\n".join(line[4:] for line in source[0].splitlines()), names)  # the page's own example
    energies, attitudes, end = [], [], 4.0
    start = ([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0], [0.5, 3.0, 0.5])
    for scheme, name, ink in ((names["step"], "my-euler", ORANGE), ("rk4", "rk4", BLUE)):
        run = physics.integrate(scheme, *start, step=0.01, duration=10.0)  # type: ignore[arg-type]  # of the page
        energies.append(worst(run.time, run.kinetic_energy / run.kinetic_energy[0] - 1.0, ink, name))
        steps = 0.1 / 2.0 ** np.arange(7)
        runs = [[physics.integrate(one, *start, step=h, duration=end) for h in steps] for one in (scheme, "exact")]  # type: ignore[arg-type]
        errors = [math.degrees(angle_between(a.orientation[-1], b.orientation[-1])) for a, b in zip(*runs, strict=True)]
        found = np.polyfit(np.log(steps[-3:]), np.log(errors[-3:]), 1)[0]
        attitudes.append(Curve(steps[::-1], np.array(errors[::-1]), ink, f"{name}: slope {found:.2f}", dots=True))
    panels = [
        Panel("Energy: relative error, steps of 0.01 s", "time [s]", energies, log_y=True, high=1.0),
        Panel(f"Attitude: error [°] after {end:g} s", "step [s]", attitudes, log_x=True, log_y=True),
    ]
    return figure(panels, "Errors of the page's scheme beside rk4: of energy over time, of the attitude over the step")


def wandering() -> str:
    """The motion of theorem 3.1 with two equal moments: the angular velocity turns round, V does not."""
    run = physics.integrate("exact", [2.0, 1.0, 2.0], [1, 0, 0, 0], [0.001, 0.001, 10.001], step=10.0, duration=6280.0)
    inks = zip("xyz", (ORANGE, GREEN, BLUE), strict=True)
    curves = [Curve(run.time, run.angular_velocity[:, k], ink, f"ω{axis}") for k, (axis, ink) in enumerate(inks)]
    return figure(
        [Panel("Moments 2, 1, 2 kg m²: angular velocity in the body [rad/s]", "time [s]", curves)],
        "Rotation about an axis of two equal largest moments: the angular velocity has turned round after 6283 s",
    )


def cards() -> str:
    """Figure of the classes of a report card, and the defect that shows whether a step is symplectic."""
    energies = []
    for name, word, ink in (
        ("implicit", "kept", BLUE),
        ("no-squish", "bounded", GREEN),
        ("rk4", "drifts", ORANGE),
        ("bullet", "dissipates", RED),
    ):
        states = TRIAL.march(SCHEMES[name], 0.08 / TRIAL.speed, 20_000)
        energy = TRIAL.energy(states)
        energies.append(worst(np.arange(1.0, len(states) + 1), energy / energy[0] - 1.0, ink, f"{name}: {word}"))
    turns, defects = np.geomspace(0.08, 3.0, 25), []
    for name, ink in (("implicit", BLUE), ("factorization-8", VIOLET), ("moser-veselov", GREEN)):
        found = [symplectic_defect(SCHEMES[name], TURNED, turn / TURNED.speed) for turn in turns]
        seen = np.where(np.isfinite(found), found, np.nan)
        defects.append(Curve(turns, np.maximum(seen, 1e-14), ink, name))
    panels = [
        Panel("Energy: largest relative change, 0.08 rad", "step", energies, log_y=True, low=FLOOR, high=1.0),
        Panel("Symplectic defect of one step", "angle of the step [rad]", defects, log_x=True, log_y=True),
    ]
    return figure(
        panels, "Energy over 20 000 steps of four classes; the symplectic defect of three schemes over the step"
    )


def everybody() -> str:
    """Every scheme of free bodies: its largest error of energy, and its error of the attitude, with one step."""
    families = {name: row.family for name, row in SCHEMES.items() if "free" in row.kinds and not row.adaptive}
    inks = dict(
        zip(dict.fromkeys(families.values()), (BLUE, GREEN, ORANGE, VIOLET, RED, "#9a9a9a", "#b08a3a"), strict=False)
    )
    start, end = ([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0], [0.5, 3.0, 0.5]), 4.0
    truth = physics.integrate("exact", *start, step=STEP, duration=end).orientation[-1]
    curves, told = [], []
    for family, ink in inks.items():
        places = []
        for name in (name for name, of in families.items() if of == family):
            run = physics.integrate(name, *start, step=STEP, duration=LONG)
            off = np.abs(run.kinetic_energy / run.kinetic_energy[0] - 1.0).max()
            turned = math.degrees(angle_between(run.orientation[round(end / STEP)], truth))
            places.append((np.log10(max(turned, 1e-12)), np.log10(np.clip(off, FLOOR, 10.0))))
            if name in NAMED:
                told.append((*places[-1], name, ink))
        curves.append(Curve(*np.array(places).T, ink, bare=True))
    labels = [(min(x, 1.5), y + 0.35, name, ink) for x, y, name, ink in told]
    across = "log10 of the error of the attitude [°] after 4 s"
    panel = Panel(
        "log10 of the largest relative error of the energy in 50 s, steps of 0.05 s", across, curves, labels=labels
    )
    legend = [(FAMILIES[family], ink) for family, ink in inks.items()]
    return figure(
        [panel], "Each scheme of free bodies as a dot: its errors of the attitude and of the energy", legend, 330
    )


FIGURES = {
    **{
        page: partial(of_page, page)
        for page in dict.fromkeys(row.page for row in SCHEMES.values())
        if f"figures/{page}.svg" in page_of(page)  # others serve mechanisms alone, or have a picture of their own
    },
    "which-integrator": partial(of_schemes, "explicit", "implicit", "rk4", "magnus-4", "bullet"),
    "schemes": everybody,
    "reading": words,
    "report-card": cards,
    "own-scheme": own,
    "papers": wandering,
}
