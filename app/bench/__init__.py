"""Benchmarks: ratios measured side by side in one run; they inform and never judge."""

from __future__ import annotations

import importlib
from collections.abc import Callable

BENCHMARKS = ("kernels", "rockfall", "joints", "frames", "start")


def measure(name: str, say: Callable[[str], None]) -> object:
    """Run one of BENCHMARKS; ``say`` gets its lines. Loaded here: a window that is timed must load none of them."""
    return importlib.import_module(f"app.bench.{name}").run(say)
