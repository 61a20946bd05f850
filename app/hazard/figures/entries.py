"""Scores of the entries of a benchmark, as a table, a figure and plain values: ``polhode benchmark entries``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from app.hazard.entrants import POLHODE, PRESET, RULER
from app.hazard.figures.run_out import cumulate, cumulate_measured, name_cumulated, rule_name
from app.plots.print_style import AXES, DASHES, PrintTable, below_all, figure_page
from app.system.language import tr
from physics.hazard.entries import ALL, BenchmarkEntry, BenchmarkSite, EntryScore, Slope, scores
from physics.hazard.validation import resampled

Scores = Mapping[str, Mapping[str, Mapping[str, Mapping[str, EntryScore]]]]  # of entry, site, quantity, runs
FORMS = {"runout": (1.0, 0), "deflection": (1.0, 1), "energy": (1e-3, 1)}  # factor, and digits of means


def scored(sites: Sequence[BenchmarkSite], entries: Sequence[BenchmarkEntry]) -> Scores:
    """The scores of entries at the sites for which they have rocks."""
    return {
        entry.name: {site.name: scores(site, entry.sites[site.name]) for site in sites if site.name in entry.sites}
        for entry in entries
    }


def facts(sites: Sequence[BenchmarkSite], found: Scores) -> dict[str, Any]:
    """All numbers, as plain values: metres, degrees, joules."""
    measured = {
        site.name: {
            "title": site.title,
            "runs": site.runs,
            "classes": site.classes,
            "measured": {name: values.tolist() for name, values in site.values(site.observed).items()},
        }
        for site in sites
    }
    entries = {
        entry: {
            site: {what: {name: one.facts() for name, one in parts.items()} for what, parts in quantities.items()}
            for site, quantities in of_sites.items()
        }
        for entry, of_sites in found.items()
    }
    return {"sites": measured, "entries": entries}


def table(sites: Sequence[BenchmarkSite], found: Scores) -> PrintTable:
    """A row of each site, quantity and entry, below what was measured."""
    bands = tr("in {bands} %").format(bands="50, 80, 90")
    headings = (tr("site"), "", "", tr("mean ± spread"), "W1", "CRPS", tr("rank"), bands)
    rows = tuple(row for site in sites for row in _rows(site, found))
    return PrintTable(tr("Entries, scored at sites with measured rocks"), headings, rows, _note())


def _rows(site: BenchmarkSite, found: Scores) -> Iterator[tuple[str, ...]]:
    for what, values in site.values(site.observed).items():
        factor, digits = FORMS[what]
        name, known = _quantities()[what], values[np.isfinite(values)]
        spread = f"{factor * known.mean():.{digits}f} ± {factor * known.std(ddof=min(1, len(known) - 1)):.{digits}f}"
        by_chance = f"{factor * resampled(known).median:.1f}"
        yield (site.name, name, tr("measured"), spread, by_chance, "", "", str(len(known)))
        for entry, of_sites in found.items():
            if ALL in (parts := of_sites.get(site.name, {}).get(what, {})):
                yield (site.name, name, title(entry), *_cells(parts[ALL], factor, digits))


def _cells(one: EntryScore, factor: float, digits: int) -> tuple[str, ...]:
    spread = f"{factor * one.mean:.{digits}f} ± {factor * one.std:.{digits}f}"
    apart = f"{factor * one.wasserstein:.1f}", f"{factor * one.crps:.1f}"
    if one.ranks is None:
        return (spread, *apart, "", "")
    inside = ", ".join(str(band.inside) for band in one.ranks.coverage)
    return (spread, *apart, f"{one.ranks.mean:.2f}", inside)


def title(entry: str) -> str:
    """The name of an entry for people."""
    known = {
        POLHODE: "Polhode",
        PRESET: f"Polhode, {tr('preset alone')}",
        RULER: rule_name(),
    }
    return known.get(entry, entry)


def figure(sites: Sequence[BenchmarkSite], entries: Sequence[BenchmarkEntry]) -> Figure:
    """Cumulated run-outs of each entry at each slope."""
    slopes = [site for site in sites if isinstance(site, Slope)]
    made, rows = figure_page(len(slopes), 1, height=2.6)
    for (axes,), site in zip(rows, slopes, strict=True):
        cumulate_measured(axes, site.values(site.observed)["runout"])
        for i, entry in enumerate(entries):
            if site.name in entry.sites:
                look = {"color": AXES[i % len(AXES)], "linestyle": [*DASHES.values()][i // len(AXES) % len(DASHES)]}
                cumulate(axes, site.values(entry.sites[site.name])["runout"], label=title(entry.name), **look)
        name_cumulated(axes, site.title)
    below_all(made, *(row[0] for row in rows), columns=3)
    return made


def _quantities() -> dict[str, str]:
    return {
        "runout": tr("run-out [m]"),
        "deflection": tr("deflection [°]"),
        "energy": tr("energy after contact [kJ]"),
    }


def _note() -> str:
    return tr(
        "W1: distance of all computed values from all measured ones; of the measured: of these resampled from "
        "themselves. CRPS: mean score of each run's own rocks, smallest for the true distribution; of one rock its "
        "distance. Rank: mean share of a run's rocks below the measured value, 0.5 without bias. In 50, 80, 90 %: "
        "runs within the middle of their rocks; of the measured: all runs. Polhode: with the recommended laws, at "
        "sites of yours with the scenario's. {rule}: a ruler down the fall line."
    ).format(rule=rule_name())
