"""Polhodes and level sets: the curves lie where they should, and runs stay where the theorem says."""

from __future__ import annotations

import numpy as np
import pytest

from physics import Scenario, simulate
from physics.analysis.invariants import (
    axis_difference,
    directions,
    family,
    lyapunov,
    polhode_rates,
    rate_difference,
    separatrix,
)
from physics.analysis.stability import since, steady
from tests.small import cuboid

MOMENTS = np.array([5.0, 10.0, 13.0]) / 12.0
ORDERS = [(0, 1, 2), (1, 2, 0), (2, 1, 0)]


def _scenario(schemes: list[str], w: list[float], **values: object) -> Scenario:
    return cuboid(duration=20.0, schemes=schemes, initial={"angular_velocity": w, **values})


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
def test_a_polhode_lies_on_the_sphere_and_on_the_ellipsoid(order, share):
    J = MOMENTS[list(order)]
    ratio = (1 - share) / J.max() + share / J.min()
    spins = directions(J, ratio)
    np.testing.assert_allclose(np.linalg.norm(spins, axis=2), 1.0, rtol=1e-12)
    np.testing.assert_allclose(np.sum(spins**2 / J, axis=2), ratio, rtol=1e-12)
    w = polhode_rates(J, 7.0, np.sqrt(14.0 / ratio))
    np.testing.assert_allclose(0.5 * np.sum(J * w**2, axis=2), 7.0, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(J * w, axis=2), np.sqrt(14.0 / ratio), rtol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_the_separatrix_has_the_energy_of_the_intermediate_axis(order):
    J = MOMENTS[list(order)]
    curves = separatrix(J)
    np.testing.assert_allclose(np.sum(curves**2 / J, axis=2), 1.0 / np.sort(J)[1], rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(curves, axis=2), 1.0, rtol=1e-12)


@pytest.mark.parametrize("moments", [(2.0, 2.0, 1.0), (1.0, 2.0, 2.0), (1.0, 1.0, 1.0)])
def test_equal_moments_have_circles_and_no_separatrix(moments):
    assert separatrix(moments) is None
    curves = family(moments)
    assert len(curves) == (0 if len(set(moments)) == 1 else 4)
    for curve in curves:
        assert np.ptp(curve[0][:, int(np.argmin(np.array(moments) == 2.0))]) < 1e-12


AXES = {"major": [0.3, 0.5, 10.0], "small": [1e-3, 1e-3, 10.0], "minor": [-10.0, 0.4, 0.2], "far": [2.0, 3.0, 9.0]}


@pytest.mark.parametrize("scheme", ["exact", "implicit"])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("orientation", [[1, 0, 0, 0], [0.5, 0.5, -0.5, 0.5]])
def test_good_schemes_stay_in_the_level_set(scheme, axis, orientation):
    w = AXES[axis]
    run = simulate(_scenario([scheme], w, orientation=orientation))[scheme]
    here = steady(MOMENTS, w)
    bounds = here.bounds()
    pair = list(here.across)
    d = axis_difference(since(run.orientation[0], run.orientation), here.axis)[:, pair]
    alpha = rate_difference(run.angular_velocity, here.rate, here.axis)[:, pair]
    filled = [np.sqrt(np.sum((x / b) ** 2, axis=1)).max() for x, b in zip((d, alpha), bounds, strict=True)]
    assert max(filled) < 1 + 1e-9
    assert min(filled) > 0.3  # and the bound is no empty words


def test_explicit_leaves_the_level_set_on_the_papers_example():
    w = [1e-3, 1e-3, 10.0]
    run = simulate(_scenario(["explicit"], w))["explicit"]
    here = steady(MOMENTS, w)
    assert here.value == pytest.approx(1.3542e-6, rel=1e-4)
    d = axis_difference(run.orientation, here.axis)[:, list(here.across)]
    assert np.sqrt(np.sum((d / here.bounds()[0]) ** 2, axis=1)).max() > 1000


def test_v_has_its_level_on_the_ellipse_of_d():
    """The level is that of the best α, so that no smaller ellipse would do."""
    here = steady(MOMENTS, [1e-3, 1e-3, 10.0])
    d_bound, _ = here.bounds()
    turn = np.linspace(0, 2 * np.pi, 16)
    C = MOMENTS[2]
    for angle in turn:
        wave = np.array([np.cos(angle), np.sin(angle)])
        d = d_bound * wave
        best = C * here.rate * d * MOMENTS[:2] / (MOMENTS[:2] ** 2 + MOMENTS[:2] * (C - MOMENTS[:2]))
        q = np.array([1.0, d[1] / 2, -d[0] / 2, 0.0])  # A_KI e = e + d to first order
        w = np.array([*best, here.rate])
        assert lyapunov(MOMENTS, q[None], w[None], here.rate)[0] == pytest.approx(here.value, rel=1e-3)


@pytest.mark.parametrize("w", [[1e-3, 10.0, 1e-3], [0.0, 0.0, 0.0]])
def test_there_is_no_level_set_about_the_intermediate_axis_or_at_rest(w):
    assert steady(MOMENTS, w) is None
