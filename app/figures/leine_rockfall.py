"""Figures of Leine et al. (2021), section 6: rocks on the ramp and on a likeness of Chant Sura; the step size."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.ndimage import binary_closing, binary_fill_holes

import physics
from app.figures.rock_ensembles import CHANT_SURA, RAMP, ROCKS, SCHEMES, Fall, fall, path, typical
from app.plots.print_style import AXES, AXES_DASHES, DASHES, INK, below_all, label
from app.system.language import tr

OUTLINE = "#E0218A"
QUANTITIES = {"kinetic_energy": "kinetic energy", "velocity": "velocity", "rotation": "rotation"}
QUANTITIES |= {"jump_height": "jump height"}
PAPER, STEPS = 0.002, (0.008, 0.004, 0.002, 0.001, 0.0005)  # [s]


def figure_5(rocks: int = ROCKS) -> Figure:
    """Rocks on the 40° ramp: map of the kinetic energy (q95), and one rock's height and rotations."""
    return _maps_and_a_rock(RAMP, rocks, 600.0, tr("40° ramp"))


def figure_6(rocks: int = ROCKS) -> Figure:
    """Rocks on a likeness of the Chant Sura slope, not the site: as figure 5."""
    return _maps_and_a_rock(CHANT_SURA, rocks, 350.0, tr("likeness of Chant Sura"))


def _maps_and_a_rock(name: str, rocks: int, most: float, ground: str) -> Figure:
    """``most``: the end of the paper's colour scale [kJ]."""
    falls = [fall(name, scheme, rocks) for scheme in SCHEMES]
    rock = typical(falls)
    runs = [path(name, scheme, rock) for scheme in SCHEMES]
    figure = Figure(figsize=(7.0, 6.0))
    axes = figure.subplots(3, 2, sharex="row", sharey="row", height_ratios=(1.1, 1.0, 1.0))
    for i, (scheme, found, run) in enumerate(zip(SCHEMES, falls, runs, strict=True)):
        energy = _energy_map(axes[0, i], found, falls[0] if i else None, most)
        axes[0, i].plot(
            run.position[:, 0],
            run.position[:, 1],
            color=INK,
            linewidth=0.8,
            label=tr("rock {number}").format(number=rock),
        )
        title = tr("{scheme}: {ground}, {rocks} rocks").format(scheme=scheme, ground=ground, rocks=rocks)
        label(axes[0, i], "x [m]", "y [m]", title)
        _rock(axes[1, i], axes[2, i], run)
    _crop(axes[0, 0], falls)
    for i in (0, 1):
        for row in (1, 2):
            axes[row, i].set_xlim(0.0, 1.03 * max(_arclength(run)[-1] for run in runs))
        axes[2, i].set_xlabel(tr("horizontal distance along the path [m]"))
        axes[1, i].tick_params(labelbottom=True)
    for row in axes:
        row[1].set_ylabel(row[0].get_ylabel())
        row[1].yaxis.label.set_visible(False)
    figure.colorbar(energy, ax=axes[0, :], label=tr("kinetic energy, q95 [kJ]"), aspect=9, pad=0.01, extend="max")
    below_all(figure, axes[0, 1], axes[2, 0], columns=6)
    return figure


def _energy_map(axes: Axes, found: Fall, outlined: Fall | None, most: float) -> mpl.image.AxesImage:
    """The map of q95; contours of the ground; the reach of another ensemble as a line."""
    x0, x1, y0, y1 = found.terrain.extent
    dx, dy = found.terrain.cell
    x, y = np.arange(x0, x1 + dx / 2, dx), np.arange(y0, y1 + dy / 2, dy)
    shown = np.where(found.maps["passages"] > 0, found.maps["kinetic_energy_q95"] / 1e3, np.nan)
    picture = axes.imshow(
        shown,
        extent=(x0 - dx / 2, x1 + dx / 2, y0 - dy / 2, y1 + dy / 2),
        origin="lower",
        cmap="viridis",
        vmin=0.0,
        vmax=most,
        interpolation="nearest",
    )
    axes.contour(x, y, found.terrain.heights, levels=12, colors="#9AA3AE", linewidths=0.4, zorder=0.5)
    if outlined is not None:
        reach = binary_fill_holes(binary_closing(outlined.maps["passages"] > 0, iterations=4))
        axes.contour(x, y, reach, levels=[0.5], colors=OUTLINE, linewidths=0.9)
        name = tr("reach of the explicit scheme")
        axes.fill([], [], facecolor="none", edgecolor=OUTLINE, linewidth=0.9, label=name)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    return picture


def _crop(axes: Axes, falls: list[Fall]) -> None:
    """Show the part of the map that any rock reached, and a margin."""
    reached = np.logical_or.reduce([found.maps["passages"] > 0 for found in falls])
    (x0, y0), (dx, dy) = falls[0].terrain.origin, falls[0].terrain.cell
    j, i = np.flatnonzero(reached.any(axis=1)), np.flatnonzero(reached.any(axis=0))
    axes.set_xlim(x0 + dx * i[0] - 10.0, x0 + dx * i[-1] + 10.0)
    axes.set_ylim(y0 + dy * j[0] - 10.0, y0 + dy * j[-1] + 10.0)


def _arclength(run: physics.Trajectory) -> np.ndarray:
    """Horizontal distance along the path (n,) [m]."""
    along = np.linalg.norm(np.diff(run.position[:, :2], axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(along)])


def _rock(height: Axes, rotations: Axes, run: physics.Trajectory) -> None:
    """Height of the centre of mass and rotations about the principal axes over the distance."""
    distance = _arclength(run)
    height.plot(distance, run.position[:, 2], color=INK, linewidth=0.9)
    label(height, "", tr("height of the rock [m]"))
    names = ("ω$_x$", "ω$_y$", f"ω$_z$ ({tr('major axis')})")
    for i, (name, colour, dash) in enumerate(zip(names, AXES, AXES_DASHES, strict=True)):
        turns = run.angular_velocity[:, i] / (2 * np.pi)
        rotations.plot(distance, turns, color=colour, linestyle=dash, linewidth=0.7, label=name)
    label(rotations, "", tr("rotation [rot/s]"))


def step_size(rocks: int = ROCKS) -> Figure:
    """Statistics on the ramp at steps of 8 to 0.5 ms: how far they are from those at the paper's 2 ms, within 95 %."""
    figure = Figure(figsize=(7.0, 3.1))
    axes = figure.subplots(1, 2, sharey=True)
    looks = list(zip((INK, *AXES), DASHES.values(), "osD^", strict=True))
    for axis, scheme in zip(axes, SCHEMES, strict=True):
        changes = changes_with_step(scheme, rocks)
        for k, ((name, told), (colour, dash, marker)) in enumerate(zip(QUANTITIES.items(), looks, strict=True)):
            change, width = changes[name]
            beside = 1e3 * np.array(STEPS) * 1.045 ** (k - 1.5)  # so that no bar hides another one
            look = {"color": colour, "linestyle": dash, "marker": marker, "label": tr(told)}
            axis.errorbar(beside, change, width, markersize=3.0, capsize=1.8, elinewidth=0.8, **look)
        axis.set_xscale("log")
        title = tr("{scheme}: against 2 ms, {rocks} rocks; bars: 95 %").format(scheme=scheme, rocks=rocks)
        label(axis, tr("step [ms]"), tr("change of the mean [%]"), title)
        axis.set_xticks([1e3 * step for step in STEPS], [f"{1e3 * step:g}" for step in STEPS])
        axis.minorticks_off()
    axes[1].yaxis.label.set_visible(False)
    below_all(figure, axes[1], columns=4)
    return figure


def changes_with_step(scheme: str, rocks: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Quantity -> change of its mean (n,) [%] from the paper's step to STEPS, and half its interval.

    The interval holds the change with 95 %: rocks are chaotic, so that the same rocks at two steps are two samples.
    """
    falls, paper = [fall(RAMP, scheme, rocks, step) for step in STEPS], STEPS.index(PAPER)
    found = {}
    for name in QUANTITIES:
        means, errors = np.array([(f.mean(name), f.error(name)) for f in falls]).T
        ratio = means / means[paper]
        width = 1.96 * ratio * np.hypot(errors / means, errors[paper] / means[paper])
        width[paper] = 0.0
        found[name] = 100.0 * (ratio - 1.0), 100.0 * width
    return found
