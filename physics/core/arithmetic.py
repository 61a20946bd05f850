"""Digest of this machine's sin, cos, exp, log and atan, on which the last digits of numbers depend.

Sums, products, quotients and square roots are the same everywhere (IEEE 754). The elementary functions are those of
the system's library, whose last digit may differ with its version and with the processor (glibc has one variant with
fused multiply-add and one without). Rockfall is chaotic: there one digit decides a path.
"""

from __future__ import annotations

import hashlib
import math
import platform
import random
from array import array
from functools import cache
from typing import Any

import numpy as np

_FUNCTIONS = (math.sin, math.cos, math.exp, math.atan, math.log1p)
_POINTS = 4000  # points; in 1000 of them glibc's variants differ in three of the five


@cache
def elementary_functions() -> str:
    """A digest of the values of elementary functions at fixed points: where it is the same, so are results."""
    points = random.Random(0)
    values = array("d", (f(points.uniform(-0.9, 3.2)) for f in _FUNCTIONS for _ in range(_POINTS)))
    return hashlib.sha256(values.tobytes()).hexdigest()[:16]


def platform_facts() -> dict[str, Any]:
    """The system and the libraries that numbers depend on, or might."""
    import llvmlite.binding  # here: they take 0.15 s to load, and a window waits for it
    import numba

    return {
        "system": platform.platform(),
        "processor": llvmlite.binding.get_host_cpu_name(),
        "elementary_functions": elementary_functions(),
        "linear_algebra": _linear_algebra(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def _linear_algebra() -> str:
    """The library, and the processor that its kernels are written for."""
    from threadpoolctl import threadpool_info

    found = [info for info in threadpool_info() if info["user_api"] == "blas"]
    return ", ".join(sorted({f"{info['internal_api']} {info.get('architecture', '')}".strip() for info in found}))
