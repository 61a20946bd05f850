"""Cubic splines of pictures of terrains."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from app.stage.ground.cubic_spline import splined


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5, 40])
def test_they_are_those_of_scipy(nodes: int) -> None:
    values = np.random.default_rng(nodes).standard_normal((nodes, 3))
    places = np.linspace(0.0, nodes - 1, 57)
    theirs = make_interp_spline(np.arange(nodes), values, k=min(3, nodes - 1))(places)
    np.testing.assert_allclose(splined(values, places), theirs, rtol=0.0, atol=1e-13)


def test_a_cubic_is_its_own_spline_and_nodes_keep_their_values() -> None:
    cubic = np.polynomial.Polynomial([2.0, -1.0, 0.5, 0.25])
    places = np.linspace(0.0, 8.0, 33)
    found = splined(cubic(np.arange(9.0))[:, None], places)[:, 0]
    np.testing.assert_allclose(found, cubic(places), rtol=1e-14, atol=1e-14)
    noise = np.random.default_rng(1).standard_normal((9, 2))
    np.testing.assert_allclose(splined(noise, np.arange(9.0)), noise, rtol=0.0, atol=1e-14)
