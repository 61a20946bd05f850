"""How long the window does not answer while it computes and plays, drawing not counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import assets
from app.bench.compare import Say, answer
from app.bench.frames import SCENARIOS

WANTED = {"longest": 50.0, "q99": 16.0}  # [ms]
KEYS = ("median", "q99", "longest", "own_q99")
WATCHED = 10.0  # [s] of playing in which stalls are counted


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scene in a window of its own; needs a display (or xvfb-run)."""
    wanted = f"ms without drawing; wanted: q99 {WANTED['q99']:g}, longest {WANTED['longest']:g}"
    say(f"{'':34}{'median':>9}{'q99':>9}{'longest':>9}{'own q99':>9}{'own longest':>13}  {wanted}")
    found = []
    for name, which in [*((name, "stalls") for name in SCENARIOS), (SCENARIOS[-1], "busy")]:
        gaps, own = _gaps(assets.SCENARIOS / f"{name}.toml", which)
        scene = f"{name}, its ensemble runs" if which == "busy" else name
        row = {
            "scene": scene,
            "median": float(np.median(gaps)),
            "q99": float(np.quantile(gaps, 0.99)),
            "longest": float(gaps.max()),
            "own_q99": float(np.quantile(own, 0.99)),
            "own_longest": float(own.max()),
            "turns": len(gaps),
        }
        say(f"{scene:34}{''.join(f'{row[key]:9.2f}' for key in KEYS)}{row['own_longest']:13.2f}")
        found.append(row)
    return found


def _gaps(path: Path, which: str) -> tuple[np.ndarray, np.ndarray]:
    """All of them, and without what other programs took."""
    found = answer("app.bench.windows", which, str(path), str(WATCHED))
    return np.array(found["gaps"]), np.array(found["own"])
