"""Kernels: so many steps of each scheme, and what has become of length, energy and spin.

A free body tumbles about its intermediate axis; schemes that serve tops and no free body turn a heavy top.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from physics.core.potential import FREE, potential
from physics.core.rotation import apply
from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme
from tests.soak.growth import load

BODY, TUMBLING = np.array([5.0, 10.0, 13.0]) / 12.0, np.array([0.3, 10.0, 0.2])
TOP, SPINNING = np.array([1.0, 1.0, 0.5]), np.array([0.0, 1.0, 40.0])
WEIGHT = np.array([0.0, 0.0, 5.0, *np.zeros(9)])
Q = np.array([math.cos(0.2), math.sin(0.2), 0.0, 0.0])
STEP, EVERY, ROWS = 0.01, 5000, 20
SHORTER = {"mujoco-euler": 1e-7}  # it gains energy: so little a step that a thousand million do not overflow


class Drift(NamedTuple):
    """What a scheme has come to: largest errors over all stored states, growth of memory [MB]."""

    scheme: str
    steps: int
    seconds: float
    length: float  # of the quaternion
    energy: float  # relative; of a top with its potential
    spin: float  # relative, as a vector in the inertial frame; of a top what is vertical of it
    size: float  # relative, of the spin; of a top what is along its axis
    memory: float
    finite: bool

    @property
    def kept(self) -> bool:
        """Whether it kept what the table of schemes says, to what rounding adds up to at worst."""
        scheme, most = SCHEMES[self.scheme], 1e-12 + 4e-16 * self.steps
        free = _is_free(scheme)
        kept = (
            (self.length, scheme.keeps_unit_length),
            (self.energy, scheme.keeps_energy if free else scheme.keeps_energy_under_torque),
            (self.spin, scheme.keeps_spin if free else scheme.keeps_vertical_spin),
            (self.size, free and scheme.keeps_spin_norm),
        )
        return self.finite and self.memory < 20.0 and all(error < most for error, promised in kept if promised)


def drifts(steps: int, schemes: list[str] | None = None) -> Iterator[Drift]:
    """Each scheme for so many steps."""
    for name in schemes or SCHEMES:
        yield _drift(name, steps)


def _is_free(scheme: Scheme) -> bool:
    return "free" in scheme.kinds or "top" not in scheme.kinds


def _drift(name: str, steps: int) -> Drift:
    scheme, out = SCHEMES[name], np.empty((ROWS, 7))
    free = _is_free(scheme)
    J, W, field = (BODY, TUMBLING, FREE) if free else (TOP, SPINNING, WEIGHT)
    state, step = scheme.start(J, Q, W), SHORTER.get(name, STEP)
    scheme.march(J, field, step, 1, scheme.start(J, Q, W), np.empty((1, 7)))  # compiled before it is timed
    before, began, done, worst, finite = load().memory, time.perf_counter(), 0, np.zeros(4), True
    first = _kept(J, field, Q[None], W[None], free)
    while done < steps and finite:
        rows, _ = scheme.march(J, field, step, EVERY, state, out)
        q, w = out[:rows, :4], out[:rows, 4:]
        finite = rows == ROWS and bool(np.isfinite(out).all())
        for i, (now, then) in enumerate(zip(_kept(J, field, q, w, free), first, strict=True)):
            error = np.linalg.norm(now - then, axis=1).max(initial=0.0) / np.linalg.norm(then)
            worst[i] = max(worst[i], error)
        done += rows * EVERY
    return Drift(name, done, time.perf_counter() - began, *worst.tolist(), load().memory - before, finite)


def _kept(J: np.ndarray, field: np.ndarray, q: np.ndarray, w: np.ndarray, free: bool) -> list[np.ndarray]:
    """Length, energy, spin and its size, (n, 1) or (n, 3); of a top its vertical spin, and that along its axis."""
    spin, energy = apply(q, J * w), 0.5 * np.sum(w * J * w, axis=1) + potential(field, q)
    size = np.linalg.norm(spin, axis=1) if free else J[2] * w[:, 2]
    length = np.linalg.norm(q, axis=1)
    return [length[:, None], energy[:, None], spin if free else spin[:, 2:], size[:, None]]
