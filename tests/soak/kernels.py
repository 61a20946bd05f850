"""Kernels: so many steps of each scheme, and what has become of length, energy and spin."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from physics.rotation import apply
from physics.schemes import SCHEMES, serving
from tests.soak.growth import load

J, Q, W = np.array([5.0, 10.0, 13.0]) / 12.0, np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.3, 10.0, 0.2])
STEP, EVERY, ROWS = 0.01, 5000, 20


class Drift(NamedTuple):
    """What a scheme has come to: largest errors over all stored states, growth of memory [MB]."""

    scheme: str
    steps: int
    seconds: float
    length: float  # of the quaternion
    energy: float  # relative
    spin: float  # relative, as a vector in the inertial frame
    size: float  # relative, of the spin
    memory: float
    finite: bool

    @property
    def kept(self) -> bool:
        """Whether it kept what the table of schemes says, to what rounding adds up to at worst."""
        scheme, most = SCHEMES[self.scheme], 1e-12 + 4e-16 * self.steps
        return (
            self.finite
            and (not scheme.keeps_unit_length or self.length < most)
            and (not scheme.keeps_energy or self.energy < most)
            and (not scheme.keeps_spin or self.spin < most)
            and (not scheme.keeps_spin_norm or self.size < most)
            and self.memory < 20.0
        )


def drifts(steps: int, schemes: list[str] | None = None) -> Iterator[Drift]:
    """Each scheme of a free body for so many steps."""
    for name in schemes or serving("free"):
        yield _drift(name, steps)


def _drift(name: str, steps: int) -> Drift:
    scheme, out = SCHEMES[name], np.empty((ROWS, 7))
    state = scheme.start(J, Q, W)
    scheme.march(J, np.zeros(9), STEP, 1, scheme.start(J, Q, W), np.empty((1, 7)))  # compiled before it is timed
    before, began, done, worst, finite = load().memory, time.perf_counter(), 0, np.zeros(4), True
    energy, spin = 0.5 * W @ (J * W), J * W
    while done < steps and finite:
        rows, _ = scheme.march(J, np.zeros(9), STEP, EVERY, state, out)
        q, w = out[:rows, :4], out[:rows, 4:]
        finite = rows == ROWS and bool(np.isfinite(out).all())
        seen, size = apply(q, J * w), np.linalg.norm(spin)
        errors = (
            np.abs(np.linalg.norm(q, axis=1) - 1.0),
            np.abs(0.5 * np.sum(w * J * w, axis=1) / energy - 1.0),
            np.linalg.norm(seen - spin, axis=1) / size,
            np.abs(np.linalg.norm(J * w, axis=1) / size - 1.0),
        )
        worst = np.maximum(worst, [error.max(initial=0.0) for error in errors])
        done += rows * EVERY
    return Drift(name, done, time.perf_counter() - began, *worst.tolist(), load().memory - before, finite)
