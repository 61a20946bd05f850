"""Benchmarks: ratios measured side by side in one run; they inform and never judge."""

from __future__ import annotations

from collections.abc import Callable

from app.bench import ensembles, films, frames, kernels, maps, rockfall, stalls, start

BENCHMARKS: dict[str, Callable[[Callable[[str], None]], object]] = {
    "kernels": kernels.run,
    "rockfall": rockfall.run,
    "ensembles": ensembles.run,
    "frames": frames.run,
    "films": films.run,
    "maps": maps.run,
    "start": start.run,
    "stalls": stalls.run,
}
