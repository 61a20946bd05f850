"""Benchmarks: ratios measured side by side in one run; they inform and never judge."""

from __future__ import annotations

from collections.abc import Callable

from app.bench import kernels, rockfall

BENCHMARKS: dict[str, Callable[[Callable[[str], None]], object]] = {
    "kernels": kernels.run,
    "rockfall": rockfall.run,
}
