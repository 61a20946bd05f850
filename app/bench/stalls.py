"""How long the window does not answer while it computes and plays, drawing not counted; and with the charts drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import assets
from app.bench.comparison import Say, answer
from app.bench.frames import SCENARIOS

WANTED = {"longest": 50.0, "q99": 16.0}  # [ms]
HEADS = {"median": "median", "q99": "q99", "longest": "longest", "own_q99": "own q99", "own_longest": "own longest"}
HEADS |= {"pictured_q99": "charts, q99", "pictured_longest": "longest"}  # where only the 3D picture is taken off
WATCHED = 10.0  # [s] of playing in which stalls are counted


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scene in a window of its own; needs a display (or xvfb-run)."""
    wanted = f"ms without drawing; wanted: q99 {WANTED['q99']:g}, longest {WANTED['longest']:g}"
    say(f"{'':34}{''.join(f'{head:>13}' for head in HEADS.values())}  {wanted}")
    found = []
    for name, which in [*((name, "stalls") for name in SCENARIOS), (SCENARIOS[-1], "busy")]:
        gaps, own, pictured = _gaps(assets.SCENARIOS / f"{name}.toml", which)
        scene = f"{name}, its ensemble runs" if which == "busy" else name
        row = {
            "scene": scene,
            "median": float(np.median(gaps)),
            "q99": float(np.quantile(gaps, 0.99)),
            "longest": float(gaps.max()),
            "own_q99": float(np.quantile(own, 0.99)),
            "own_longest": float(own.max()),
            "pictured_q99": float(np.quantile(pictured, 0.99)),
            "pictured_longest": float(pictured.max()),
            "turns": len(gaps),
        }
        say(f"{scene:34}{''.join(f'{row[key]:13.2f}' for key in HEADS)}")
        found.append(row)
    return found


def _gaps(path: Path, which: str) -> list[np.ndarray]:
    """All of them; without what other programs took; and with all drawing but that of the 3D picture."""
    found = answer("app.bench.window_processes", which, str(path), str(WATCHED))
    return [np.array(found[name]) for name in ("gaps", "own", "pictured")]
