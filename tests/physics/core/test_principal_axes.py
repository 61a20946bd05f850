"""Principal axes by Jacobi's method: right for any inertia, and the same rocks on every processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from physics.bodies.body import eigen
from physics.core.rotation import matrix, random_attitudes

ROOT = Path(__file__).parents[3]
MOMENTS = {
    "usual": (1.0, 2.0, 2.5),
    "two alike": (1.0, 2.0, 2.0),
    "all alike": (1.0, 1.0, 1.0),
    "almost alike": (1.0, 1.0 + 1e-14, 1.0 + 2e-14),
    "needle": (1e-12, 1.0, 1.0),
    "large": (1e300, 2e300, 2.5e300),
    "small": (1e-300, 2e-300, 2.5e-300),
}
ROCKS = """
import hashlib, sys
from physics.hazard.ensemble import Ensemble
from physics.systems.world import World
from tests.physics.falling import scenario

body = {"shape": "random", "size": [0.93, 0.8, 0.47], "mass": 780.0}
ensemble = Ensemble(World.of(scenario(ensemble={"rocks": 20, "seed": 4, "shapes": "each"}, body=body)))
list(ensemble.march(1))
rows = b"".join(found.rows.read().tobytes() for found in ensemble.results.values())
sys.stdout.write(hashlib.sha256(rows).hexdigest())
"""


@pytest.mark.parametrize("case", MOMENTS)
def test_axes_and_moments_of_turned_bodies(case):
    moments = np.array(MOMENTS[case])
    for q in random_attitudes(np.random.default_rng(3), 50):
        turn = matrix(q)
        inertia = (turn * moments) @ turn.T
        inertia = 0.5 * inertia + 0.5 * inertia.T
        found, axes = eigen(inertia)
        np.testing.assert_allclose(found, moments, rtol=0.0, atol=1e-15 * 4 * moments[-1])
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=2e-15)
        np.testing.assert_allclose((axes * (found / moments[-1])) @ axes.T, inertia / moments[-1], atol=2e-15)


def test_a_matrix_that_is_diagonal_stays():
    found, axes = eigen(np.diag([3.0, 1.0, 2.0]))
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(axes, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])


@pytest.mark.skipif(sys.platform != "linux", reason="names of OpenBLAS's kernels for x86-64")
def test_the_seed_gives_the_same_rocks_whatever_processor_the_linear_algebra_is_written_for():
    found = set()
    for core in ("Prescott", "Sandybridge", "Haswell", ""):
        done = subprocess.run(
            [sys.executable, "-c", ROCKS],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT}", **({"OPENBLAS_CORETYPE": core} if core else {})},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1
