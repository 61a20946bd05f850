"""Folders of results, to be opened again: a short slope of which a file tells the heights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.app.commanding import ROCK, polhode
from tests.small import write_map

SLOPE = f"""\
kind = "rockfall"
duration = 6.0
step = 0.005
schemes = ["explicit", "implicit"]
{ROCK}[terrain]
file = "slope.asc"
[release]
position = [2.0, 10.0]
[ensemble]
rocks = 7
seed = 5
mass = {{ distribution = "uniform", min = 500.0, max = 900.0 }}
[[barrier]]
line = [[10.0, 1.0], [10.0, 19.0]]
height = 2.0
"""
ROCKS = 7


def write_slope(folder: Path) -> None:
    x, _ = np.meshgrid(np.arange(30.0), np.arange(20.0))
    write_map(folder / "slope.asc", np.maximum(0.0, 12.0 - 0.8 * x))


def write_results(folder: Path) -> Path:
    """A scenario, and its results with paths (out), without them (bare), and with rows as .parquet (columns)."""
    write_slope(folder)
    (folder / "slope.toml").write_text(SLOPE)
    for name, words in {"out": ["--paths"], "bare": [], "columns": ["--parquet"]}.items():
        assert polhode("ensemble", folder / "slope.toml", "-o", folder / name, "--quiet", *words).status == 0
    return folder
