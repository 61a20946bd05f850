"""Design values: what passes barriers and lines of interest, by class of rocks and all of them together.

A rock counts once at each line, with the largest of each quantity over its crossings there. Of n rocks of a class that
starts f times a year each stands for f / n starts a year, its weight. All is computed from the rows of crossings.csv.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array
from physics.hazard.barriers import BarrierSegments, energy_level
from physics.hazard.statistics import QUANTITIES, QUANTITY_ROWS, Cells, share_bounds
from physics.hazard.study import Study
from physics.hazard.sweep import width_of
from physics.systems.rockfall.scenario import SHARES, HazardConfig

ALL = "all"
_DESIGNED = ("energy", "height")
_ORDER = sorted(QUANTITY_ROWS, key=lambda name: QUANTITY_ROWS[name].short not in _DESIGNED)
_NAMES = {name: QUANTITY_ROWS[name].short for name in _ORDER}
_UNITS = {_NAMES[name]: unit for name, unit in QUANTITIES.items()}
_SLACK = 1e-6  # share of a frequency or a weight, below which sums of it are rounded

Row = dict[str, Any]  # a column of barriers.csv or lines.csv -> its value; None: not known, or reached less often


class Rocks(NamedTuple):
    """Rocks that reached a line: class, weight [1/a] and width [m] of each, and its largest values there (n, 4).

    stopped, broken, overtopped (n,) : what a barrier did: see BarrierStatistics
    """

    kinds: Cells
    weights: Array
    widths: Array
    values: Array
    crossings: Cells
    stopped: NDArray[np.bool_]
    broken: NDArray[np.bool_]
    overtopped: NDArray[np.bool_]


def columns(lines: BarrierSegments, study: Study | None, hazard: HazardConfig, barriers: bool) -> dict[str, str]:
    """Columns of barriers.csv, or of lines.csv, with their units."""
    per_year = "1/a"
    found = {"class": "", "class_name": "", "length": "m", **({"height": "m"} if barriers else {})}
    found |= {"capacity": "J"} if barriers and lines.capacities is not None else {}
    found |= {"crossings": "", "rocks": "", "reach": "", "reach_low": "", "reach_high": ""}
    found |= {"frequency": per_year, "return_period": "a", "frequency_metre": per_year}
    found |= {} if study is None else dict.fromkeys(_limits(study), per_year)
    for name in _NAMES.values():
        shares = SHARES if name in _DESIGNED else {"q95": 0.95}
        found |= {f"{name}_{share}": _UNITS[name] for share in (*shares, "max")}
    if study is not None:
        found |= {f"{name}_{period:g}a": _UNITS[name] for name in _DESIGNED for period in study.periods}
    if barriers:
        found |= {"share_stopped": ""}
        found |= {} if lines.capacities is None else {"stopped": "", "broken": "", "overtopped": ""}
        found |= {"design": "", "E_design": "J", "h_design": "m", "energy_level": ""}
    return found


def _limits(study: Study) -> dict[str, float]:
    """Columns of the intensity's frequencies, and the energies [J] that they count above."""
    return {f"frequency_{limit / 1e3:g}kJ": limit for limit in dict.fromkeys(study.intensities)}


def rocks_at(line: int, lines: BarrierSegments, crossings: np.ndarray, weights: Array) -> Rocks:
    """The rocks that reached a line, from all crossings (n,) of type CROSSING, in the order of rocks.

    weights (1 + classes,): of the classes, NaN without any.
    """
    here = crossings[crossings["barrier"] == line]
    _, first, rock = np.unique(here["rock"], return_index=True, return_inverse=True)
    values = np.full((len(first), len(QUANTITIES)), -np.inf)
    for k, name in enumerate(QUANTITIES):
        np.maximum.at(values[:, k], rock, here[name])
    one = here[first]
    energy, low = here["kinetic_energy"], here["jump_height"] < lines.heights[line]
    capacity = np.nan if lines.capacities is None else lines.capacities[line]

    def any_of(those: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.bincount(rock[those], minlength=len(first)) > 0

    held = low[first] if np.isnan(capacity) else any_of(low & (energy <= capacity))
    acts, breaks = not np.isnan(capacity), low & (energy > capacity)
    each = weights[one["class"]] if len(weights) > 1 else np.ones(len(first))
    return Rocks(
        kinds=one["class"],
        weights=each,
        widths=np.array([width_of(volume) for volume in one["volume"].tolist()]),
        values=values,
        crossings=np.bincount(rock, minlength=len(first)),
        stopped=held,
        broken=any_of(breaks) if acts else np.zeros(len(first), bool),
        overtopped=any_of(~low) if acts else np.zeros(len(first), bool),
    )


def design_rows(
    line: int, lines: BarrierSegments, rocks: Rocks, study: Study | None, hazard: HazardConfig, kinds: Cells
) -> list[Row]:
    """The rows of a line: one a class, and one of all; kinds (classes,): how many rocks fell of each class.

    Without a study the only row is that of all, in which each rock weighs the same; kinds is then their number (1,).
    """
    found: list[Row] = []
    for i, name in enumerate(() if study is None else study.names):
        own = Rocks(*(field[rocks.kinds == i + 1] for field in rocks))
        assert study is not None
        reach = len(own.kinds) / max(int(kinds[i]), 1)
        row = {
            "class": i + 1,
            "class_name": name,
            **_of(line, lines, own, study, reach, reach * float(study.frequencies[i]), int(kinds[i])),
        }
        found.append(row | _designed(line, lines, row, hazard, []))
    reach, often = len(rocks.kinds) / max(int(kinds.sum()), 1), math.nan
    if study is not None:  # not the sum of weights: all rocks of a class start as often as it says, not nearly
        often = sum(row["frequency"] for row in found)
        reach = often / float(study.frequencies[kinds > 0].sum()) if kinds.any() else 0.0
    fell = int(kinds.sum()) if np.count_nonzero(kinds) < 2 else None
    row = {"class": ALL, "class_name": "", **_of(line, lines, rocks, study, reach, often, fell)}
    return [*found, row | _designed(line, lines, row, hazard, found)]


def _of(
    line: int, lines: BarrierSegments, rocks: Rocks, study: Study | None, reach: float, often: float, fell: int | None
) -> Row:
    """Numbers of some rocks of a line: how many of those that fell, how often [1/a], how much.

    fell : None of a weighted share, which has no such interval
    """
    n, length = len(rocks.kinds), float(lines.lengths[line])
    row: Row = {"length": length, "height": _known(lines.heights[line])}
    row |= {"capacity": None if lines.capacities is None else _known(lines.capacities[line])}
    row |= {"crossings": int(rocks.crossings.sum()), "rocks": n, "reach": reach}
    row["reach_low"], row["reach_high"] = (None, None) if fell is None else share_bounds(n, fell)
    energies = rocks.values[:, 0]
    if study is not None:
        row |= {"frequency": often, "return_period": 1.0 / often if often > 0.0 else None}
        beside = rocks.widths if line >= lines.barriers else 0.0  # rocks that touch a line beside its ends count
        row["frequency_metre"] = float((rocks.weights * (1.0 + rocks.widths) / (max(length, 1.0) + beside)).sum())
        row |= {name: float(rocks.weights[energies > limit].sum()) for name, limit in _limits(study).items()}
    for k, quantity in enumerate(QUANTITIES):
        values, name = rocks.values[:, k], _NAMES[quantity]
        row |= {f"{name}_{key}": quantile(values, rocks.weights, share) for key, share in SHARES.items()}
        row[f"{name}_max"] = float(values.max()) if n else None
        if study is not None and name in _DESIGNED:
            row |= {f"{name}_{period:g}a": exceeded(values, rocks.weights, 1.0 / period) for period in study.periods}
    row["share_stopped"] = float(rocks.weights[rocks.stopped].sum() / rocks.weights.sum()) if n else None
    acts, names = row["capacity"] is not None, ("stopped", "broken", "overtopped")
    return row | {name: int(those.sum()) if acts else None for name, those in zip(names, rocks[-3:], strict=True)}


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _designed(line: int, lines: BarrierSegments, row: Row, hazard: HazardConfig, classes: Sequence[Row]) -> Row:
    """The design values of a row; of all classes, where a share of rocks is chosen, those of the class with most.

    A share of all rocks together would be that of the small ones, which are many.
    """
    key, (by_energy, by_height) = hazard.design, hazard.factors
    energies = [(one[f"energy_{key}"], one) for one in classes or [row] if one[f"energy_{key}"] is not None]
    if key not in SHARES:
        energies = [(row[f"energy_{key}"], row)] if row[f"energy_{key}"] is not None else []
    if not energies:
        return {"design": f"energy_{key}", "E_design": None, "h_design": None, "energy_level": None}
    energy, of = max(energies, key=lambda one: float(one[0]))
    heights = [one[f"height_{key}"] for one in (classes if classes and key in SHARES else [row])]
    height = max(value for value in heights if value is not None)
    named = f"energy_{key}" if of is row or of["class"] == row["class"] else f"energy_{key} of {of['class_name']}"
    wanted = by_energy * energy
    return {
        "design": named,
        "E_design": wanted,
        "h_design": by_height * height,
        "energy_level": energy_level(wanted),
    }


def quantile(values: Array, weights: Array, share: float) -> float | None:
    """The least of values (n,) that a share of the weights (n,) does not exceed; None of no values."""
    if not len(values):
        return None
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(below, share * below[-1] * (1.0 - 1e-12))]])


def exceeded(values: Array, weights: Array, least: float) -> float | None:
    """The largest value that rocks of at least so many a year [1/a] reach; None where fewer pass."""
    order = np.argsort(-values, kind="stable")
    reached = np.flatnonzero(np.cumsum(weights[order]) >= least * (1.0 - _SLACK))
    return float(values[order[reached[0]]]) if len(reached) else None
