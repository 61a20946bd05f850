"""The folder of an ensemble of drawn starts: summary.json and runs.csv; but for times the same by any threads."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from physics.core.json_text import json_text
from physics.ensembles.identity import identity
from physics.ensembles.start_ensemble import Series, StartEnsemble, sampling_of


def write_start_results(folder: Path, ensemble: StartEnsemble) -> None:
    """Write what became of each run, and the shares, into a folder that is there."""
    with (folder / "runs.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for one in ensemble.series[:1]:
            writer.writerow(_header(one))
        for one in ensemble.series:
            writer.writerows(_rows(one))
    (folder / "summary.json").write_text(json_text(summarised(ensemble), 2) + "\n", encoding="utf-8")


def summarised(ensemble: StartEnsemble) -> dict[str, Any]:
    """What summary.json holds: the share of each lane and combination, and where the results come from."""
    return {
        "shares": [_share(one) for one in ensemble.series],
        "runs": ensemble.runs,
        "seed": ensemble.scenario.seed,
        "wall_seconds": ensemble.wall_time,
        "cpu_seconds": ensemble.cpu_time,
        "workers": ensemble.workers,
        **identity(ensemble.scenario),
    }


def _share(one: Series) -> dict[str, Any]:
    found, event = one.share, sampling_of(one.world.scenario).event
    share = None if math.isnan(found.share) else found.share
    told = {"runs": found.runs, "failed": found.failed, event: found.count, "share": share, "bounds": found.bounds}
    return {"scheme": one.lane, **one.values, **told}


def _header(one: Series) -> list[str]:
    columns = sampling_of(one.world.scenario).columns
    return ["scheme", *one.values, "run", *(f"{name} [{unit}]" if unit else name for name, unit in columns.items())]


def _rows(one: Series) -> Iterator[list[Any]]:
    """A number that counts is written whole, one that is not known not at all."""
    units = list(sampling_of(one.world.scenario).columns.values())
    for number, row in enumerate(one.rows.tolist()):
        cells = ["" if math.isnan(x) else x if unit else int(x) for x, unit in zip(row, units, strict=True)]
        yield [one.lane, *one.values.values(), number, *cells]
