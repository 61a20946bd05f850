"""Figures of Leine et al. (2021), section 6: rocks on the ramp and on a likeness of Chant Sura; the step size."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.ndimage import binary_closing, binary_fill_holes

import physics
from app.hazard.figures.rock_ensembles import (
    CHANT_SURA,
    RAMP,
    ROCKS,
    SCHEMES,
    RockEnsemble,
    path,
    rock_ensemble,
    typical,
)
from app.plots.print_style import AXES, AXES_DASHES, DASHES, INK, PALE, below_all, label
from app.system.language import tr
from physics.core.rotation import Array
from physics.terrain.terrain import Terrain

OUTLINE, GROUND = "#E0218A", "#D9DCE1"
QUANTITIES = {"kinetic_energy": "kinetic energy", "velocity": "velocity", "rotation": "rotation"}
QUANTITIES |= {"jump_height": "jump height"}
PAPER, STEPS = 0.002, (0.008, 0.004, 0.002, 0.001, 0.0005)  # [s]


def figure_5(rocks: int = ROCKS) -> Figure:
    """Rocks on the 40° ramp: largest kinetic energy on the slope, and one rock's altitude and rotations."""
    return _slopes_and_a_rock(RAMP, rocks, 600.0, tr("40° ramp"))


def figure_6(rocks: int = ROCKS) -> Figure:
    """Rocks on a likeness of the Chant Sura slope, not the site: as figure 5."""
    return _slopes_and_a_rock(CHANT_SURA, rocks, 350.0, tr("likeness of Chant Sura"))


def _slopes_and_a_rock(name: str, rocks: int, most: float, ground: str) -> Figure:
    """``most``: the end of the paper's colour scale [kJ]."""
    falls = [rock_ensemble(name, scheme, rocks) for scheme in SCHEMES]
    rock = typical(falls)
    runs = [path(name, scheme, rock) for scheme in SCHEMES]
    figure = Figure(figsize=(7.0, 6.6))
    grid = figure.add_gridspec(2, 2, height_ratios=(1.35, 1.0))
    slopes = [figure.add_subplot(grid[0, i], projection="3d", computed_zorder=False) for i in (0, 1)]
    first = figure.add_subplot(grid[1, 0])
    panels = [first, figure.add_subplot(grid[1, 1], sharex=first, sharey=first)]
    turning = [panel.twinx() for panel in panels]
    turning[1].sharey(turning[0])
    part = _reached(falls)
    for i, (scheme, found, run) in enumerate(zip(SCHEMES, falls, runs, strict=True)):
        scale = _slope(slopes[i], found, part, most)
        if i:
            _outline(slopes[i], falls[0])
        name = tr("rock {number}").format(number=rock)
        slopes[i].plot(*run.position[::4].T, color=INK, linewidth=0.8, label=name, zorder=4)
        title = tr("{scheme}: {ground}, {rocks} rocks").format(scheme=scheme, ground=ground, rocks=rocks)
        label(slopes[i], "x [m]", "y [m]", title)
        slopes[i].set_zlabel("z [m]")
        _rock(panels[i], turning[i], run, found.terrain)
        panels[i].set_title(tr("{scheme}: rock {number}").format(scheme=scheme, number=rock))
    panels[0].set_xlim(0.0, 1.03 * max(_arclength(run)[-1] for run in runs))
    panels[1].yaxis.label.set_visible(False)
    turning[0].yaxis.label.set_visible(False)
    figure.colorbar(scale, ax=slopes, label=tr("largest kinetic energy [kJ]"), aspect=14, shrink=0.7, extend="max")
    below_all(figure, slopes[1], panels[0], turning[0], columns=4)
    return figure


def _reached(falls: list[RockEnsemble]) -> tuple[slice, slice]:
    """The rows and columns of the map that any rock reached, and a margin of 10 m."""
    reached = np.logical_or.reduce([found.maps["passages"] > 0 for found in falls])
    dx, dy = falls[0].terrain.cell
    j, i = np.flatnonzero(reached.any(axis=1)), np.flatnonzero(reached.any(axis=0))
    more_j, more_i = round(10.0 / dy), round(10.0 / dx)
    return slice(max(j[0] - more_j, 0), j[-1] + more_j + 1), slice(max(i[0] - more_i, 0), i[-1] + more_i + 1)


def _nodes(terrain: Terrain) -> tuple[Array, Array]:
    """x and y (ny, nx) [m] of the nodes."""
    (x0, y0), (dx, dy), (ny, nx) = terrain.origin, terrain.cell, terrain.heights.shape
    x, y = np.meshgrid(x0 + dx * np.arange(nx), y0 + dy * np.arange(ny))
    return x, y


def _lines(x: Array, y: Array, values: Array, level: float) -> list[Array]:
    """The lines (n, 2) [m] on which values (ny, nx) at the nodes have a level."""
    return [np.asarray(line) for line in contour_generator(x, y, values).lines(level)]


def _slope(axes: Any, found: RockEnsemble, part: tuple[slice, slice], most: float) -> ScalarMappable:
    """Draw the ground in perspective, coloured by the largest energy wherever a rock passed, as in the paper.

    Returns the scale of the colours, which no shading changes.
    """
    scale = ScalarMappable(Normalize(0.0, most), "viridis")
    energy = np.where(found.maps["passages"] > 0, found.maps["kinetic_energy_max"] / 1e3, np.nan)[part]
    x, y, z = (values[part] for values in (*_nodes(found.terrain), found.terrain.heights.astype(float)))
    colours = np.where(np.isnan(energy)[..., None], to_rgba(GROUND), scale.to_rgba(energy))
    look = {"shade": False, "linewidth": 0, "antialiased": False, "rasterized": True, "zorder": 1}
    axes.plot_surface(x, y, z, facecolors=colours, rstride=1, cstride=1, **look)
    for level in np.arange(10.0 * np.ceil(z.min() / 10.0 + 0.1), z.max(), 10.0):
        for line in _lines(x, y, z, level):
            axes.plot(*line.T, np.full(len(line), level), color="#9AA3AE", linewidth=0.4, zorder=2)
    axes.set(xlim=(x.min(), x.max()), ylim=(y.min(), y.max()), zlim=(z.min(), z.max()))
    axes.set_box_aspect([np.ptp(x), np.ptp(y), np.ptp(z)], zoom=1.3)
    axes.view_init(elev=30.0, azim=-50.0)
    axes.tick_params(labelsize=7, pad=-2)
    for along, pad in ((axes.xaxis, -4.0), (axes.yaxis, -10.0), (axes.zaxis, -6.0)):
        along.set_major_locator(MaxNLocator(3))
        along.labelpad = pad
    return scale


def _outline(axes: Any, outlined: RockEnsemble) -> None:
    """The reach of another ensemble as a line on the ground."""
    x, y = _nodes(outlined.terrain)
    reach = binary_fill_holes(binary_closing(outlined.maps["passages"] > 0, iterations=4))
    for n, line in enumerate(_lines(x, y, reach.astype(float), 0.5)):
        name = tr("reach of the explicit scheme") if n == 0 else "_"
        height = outlined.terrain.heights_at(*line.T)
        axes.plot(*line.T, height, color=OUTLINE, linewidth=0.9, label=name, zorder=3)


def _arclength(run: physics.Trajectory) -> np.ndarray:
    """Horizontal distance along the path (n,) [m]."""
    along = np.linalg.norm(np.diff(run.position[:, :2], axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(along)])


def _rock(altitude: Axes, rotations: Axes, run: physics.Trajectory, terrain: Terrain) -> None:
    """Altitude of the centre of mass above the line of the ground, and rotations about the principal axes."""
    distance = _arclength(run)
    ground = terrain.heights_at(run.position[:, 0], run.position[:, 1])
    altitude.plot(distance, ground, color=PALE, linewidth=1.6, label=tr("ground below the rock"))
    altitude.plot(distance, run.position[:, 2], color=INK, linewidth=0.9, label=tr("altitude of the rock"))
    label(altitude, tr("horizontal distance along the path [m]"), tr("altitude [m]"))
    names = ("ω$_x$", "ω$_y$", f"ω$_z$ ({tr('major axis')})")
    for i, (name, colour, dash) in enumerate(zip(names, AXES, AXES_DASHES, strict=True)):
        turns = run.angular_velocity[:, i] / (2 * np.pi)
        rotations.plot(distance, turns, color=colour, linestyle=dash, linewidth=0.7, label=name)
    rotations.set_ylabel(tr("rotation [rot/s]"))
    altitude.grid(visible=False)
    rotations.spines["right"].set_visible(True)
    altitude.set_zorder(rotations.get_zorder() + 1)
    altitude.patch.set_visible(False)


def step_size(rocks: int = ROCKS) -> Figure:
    """Statistics on the ramp at steps of 8 to 0.5 ms: how far they are from those at the paper's 2 ms, within 95 %."""
    figure = Figure(figsize=(7.0, 3.1))
    axes = figure.subplots(1, 2, sharey=True)
    looks = list(zip((INK, *AXES), DASHES.values(), "osD^", strict=True))
    for axis, scheme in zip(axes, SCHEMES, strict=True):
        changes = changes_with_step(scheme, rocks)
        for k, ((name, words), (colour, dash, marker)) in enumerate(zip(QUANTITIES.items(), looks, strict=True)):
            change, width = changes[name]
            beside = 1e3 * np.array(STEPS) * 1.045 ** (k - 1.5)  # so that no bar hides another one
            look = {"color": colour, "linestyle": dash, "marker": marker, "label": tr(words)}
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
    falls, paper = [rock_ensemble(RAMP, scheme, rocks, step) for step in STEPS], STEPS.index(PAPER)
    found = {}
    for name in QUANTITIES:
        means, errors = np.array([(f.mean(name), f.error(name)) for f in falls]).T
        ratio = means / means[paper]
        width = 1.96 * ratio * np.hypot(errors / means, errors[paper] / means[paper])
        width[paper] = 0.0
        found[name] = 100.0 * (ratio - 1.0), 100.0 * width
    return found
