"""Words of a page beside the picture: the numbers of captions, the signs, and the charts, as plain tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from app.kinds.quantities import Quantity
from app.playback.run import Lane
from app.playback.verdicts import MARKS, verdicts
from app.plots.chart_data import abscissa_range, along, axis_range, breaks, read_out, ticks
from app.plots.files import quantities_of, ranges
from app.stage.lane_track import LaneTrack
from app.stage.scenes.lane_numbers import Caption, CaptionNumber, standing
from app.stage.text.caption_text import Sign, legend
from app.system.language import tr
from physics import World
from physics.core.rotation import Array

ROWS = 600  # rows of a lane whose numbers and curves a page has
FINE = 9999  # steps of the height of a chart
NUMBERED = 4  # numbers along an ordinate, about


def rows_of(lane: Lane) -> NDArray[np.intp]:
    """The rows of a lane whose numbers a page has: evenly thinned, with the first and the last.

    Among them are the first ROWS from which another verdict holds than before, or a page would tell the old one on.
    """
    rows = np.linspace(0, len(lane.trajectory) - 1, ROWS).astype(np.intp)
    if lane.off is None:
        return np.unique(rows)
    return np.union1d(rows, np.flatnonzero(np.diff(lane.off.levels))[:ROWS] + 1)


def numbers(lane: Lane, track: LaneTrack, tracks: Sequence[LaneTrack], caption: Caption) -> dict[str, Any]:
    """Numbers of a lane's caption with their names, the sentence on it, and mark and number of its line, by row.

    tracks : of all lanes
    A number that is wrong begins with "!". Of a lane that ends before another the last is of the time after it.
    """
    times = track.run.time[rows_of(lane)].tolist()
    last = max(one.end for one in tracks)
    told = [*times, last] if track.end < last else times
    words = [(*caption(track.motion, track.whole, time),) for time in told]
    columns = [_packed(map(_named, column)) for column in zip(*words, strict=True)]
    said = _packed(" ".join(verdicts([lane], time)) for time in told)
    standings = (standing(track, at, tracks, last) for at in told)
    stands = _packed(" ".join((MARKS[one.sign], one.text)) for one in standings)
    # not rounded: a last time that is rounded up is after the end of playback
    since = [*times, math.nextafter(track.end, math.inf)][: len(told)]
    return {"times": since, "texts": columns, "verdicts": said, "standing": stands}


def _named(number: CaptionNumber) -> str:
    named = " ".join(filter(None, (number.name, number.text))) if number.text else ""
    return f"{'!' if number.wrong else ''}{named}"


def signs(found: Iterable[Sign], drawn: Sequence[str]) -> list[list[str]]:
    """Meanings of the signs of what is drawn, each with its colour."""
    shown = legend(piece for overlay, piece in found if overlay in drawn)
    return [[run.text.strip(), str(run.colour)] for run in shown if run.text.strip()]


def charts(world: World, lanes: Sequence[Lane]) -> list[dict[str, Any]]:
    """The charts of the export table, or the usual ones of a kind."""
    chosen = quantities_of(world)
    with np.errstate(all="ignore"):
        limits = ranges(world, lanes, chosen)
        return [_chart(one, axis_range(one, *limit), world, lanes) for one, limit in zip(chosen, limits, strict=True)]


def _chart(quantity: Quantity, ends: tuple[float, float], world: World, lanes: Sequence[Lane]) -> dict[str, Any]:
    """One chart: heights are shares of its own, of FINE."""
    low, high = ends

    def share(heights: Array) -> list[int | None]:
        found = np.round((heights - low) / (high - low) * FINE)
        return [int(one) if np.isfinite(one) else None for one in found]

    curves, places = [], []
    for lane in lanes:
        run = lane.trajectory
        rows = rows_of(lane)
        x, y = along(quantity, run, lane.world, rows), quantity.of_rows(run, lane.world, rows)
        texts = _packed(read_out(quantity, one, 4) for one in quantity.plain(y, run, lane.world).tolist())
        gaps = breaks(quantity, x, y).tolist()
        curves.append({"x": _rounded(x), "y": share(quantity.heights(y)), "gaps": gaps, "texts": texts})
        places.append(x)
    marks = quantity.numbers(low, high, (high - low) / NUMBERED)
    if marks is None:
        values = [float(one) for one in MaxNLocator(NUMBERED).tick_values(low, high) if low <= one <= high]
        marks = list(zip(values, ticks(values, quantity.numbered), strict=True))
    decades = quantity.decades
    words = [] if decades is None else decades.words(high)
    behind = quantity.behind(world).curves
    over = quantity.over
    end = max(lane.trajectory.time[-1] for lane in lanes)
    return {
        "title": tr(quantity.title),
        "unit": tr(quantity.unit),
        "over": None if over is None else f"{tr(over.title)} [{over.unit}]",
        "span": [0.0, float(end)]
        if over is None
        else list(map(float, abscissa_range(quantity, np.concatenate(places), world))),
        "marks": [[share(np.array([height]))[0], text] for height, text in [*marks, *words]],
        "band": None if decades is None else share(np.array([decades.begin, decades.edge])),
        "behind": [{"x": _rounded(curve[:, 0]), "y": share(quantity.heights(curve[:, 1]))} for curve in behind],
        "curves": curves,
    }


def _rounded(values: Array) -> list[float]:
    return [float(f"{value:.6g}") for value in values.tolist()]


def labels() -> dict[str, str]:
    """Words of a page's controls, by their places in its text."""
    return {
        "canvas": tr("3D view: drag to turn, wheel to zoom, Shift and drag to move"),
        "look": tr("View"),
        "overlay": tr("Overlay"),
        "overlay_tip": tr("All schemes in one view, or side by side"),
        "follow": tr("Follow"),
        "follow_tip": tr("Follow the body by the camera"),
        "plots": tr("Plots"),
        "plots_tip": tr("Show or hide the plots"),
        "numbers": tr("Numbers"),
        "numbers_tip": tr("Show all numbers of each scheme, its source, and what the signs mean"),
        "fit": tr("Fit"),
        "fit_tip": tr("Show everything"),
        "theme": tr("Theme"),
        "theme_tip": tr("Dark or light"),
        "play": tr("Play or pause"),
        "time": tr("Time"),
        "speed": tr("Speed", "of playing"),
        # shown by the scripts, the first with its numbers
        "larger": tr("rock of {size:.2g} m drawn {scale:.0f} times larger"),
        "no_webgl": tr("This page needs WebGL 2, which this browser does not offer."),
    }


def _packed(texts: Iterable[str]) -> dict[str, Any]:
    """Texts as those that differ, and the number of each."""
    known: dict[str, int] = {}
    at = [known.setdefault(text, len(known)) for text in texts]
    return {"words": list(known), "at": at}
