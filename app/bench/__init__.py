"""Benchmarks: ratios measured side by side in one run; they inform and never judge."""

from __future__ import annotations

import importlib
from collections.abc import Callable

BENCHMARKS = ("kernels", "rockfall", "joints")


def measure(name: str, say: Callable[[str], None]) -> object:
    """Run one of BENCHMARKS; ``say`` gets its lines. Loaded here, as each takes long."""
    return importlib.import_module(f"app.bench.{name}").run(say)
