"""Flips: their times are zeros of the rate about the intermediate axis, as far from one another as theory says."""

from __future__ import annotations

import numpy as np
import pytest

from physics.analysis.flips import Flips
from physics.schemes.free_motion import free_motion, motion_in_air

TIME = np.arange(0.0, 6.0, 0.005)
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize("start", [(10.0, 0.3, 0.1), (10.0, 1.0, 3.0), (-9.0, 0.1, 0.8)])
def test_a_body_about_its_intermediate_axis_flips_as_often_as_theory_says(start):
    moments = np.array([0.79, 1.0, 0.21])  # the intermediate one is the first, as of a racquet with a phone
    _, rates = free_motion(moments, LEVEL, np.array(start), TIME)
    found = Flips.of(moments, rates, TIME + 3.0)
    assert (found.axis, found.moment) == (0, 1)
    assert len(found.times) > 2
    np.testing.assert_allclose(np.diff(found.times), found.takes, atol=2e-5)


@pytest.mark.parametrize(("start", "axis", "moment"), [((0.3, 9.0, 0.2), 1, 2), ((0.3, 0.2, 9.0), 2, 0)])
def test_a_body_about_another_axis_does_not_flip(start, axis, moment):
    moments = np.array([0.79, 1.0, 0.21])
    found = Flips.of(moments, free_motion(moments, LEVEL, np.array(start), TIME)[1], TIME)
    assert found == Flips(axis, moment, (), None)


def test_in_the_air_theory_is_that_of_the_middle():
    moments = np.array([0.93, 0.07, 1.0])
    _, rates = motion_in_air(moments, np.full(3, 0.02), LEVEL, np.array([12.0, 1.0, 0.5]), TIME, 20.0)
    found = Flips.of(moments, rates, TIME)
    apart = np.diff(found.times)
    assert apart[-1] > 1.1 * apart[1], "slower and slower"
    assert apart.min() < found.takes < apart.max()


def test_motion_in_air_without_air_is_the_exact_one_before_and_after_its_state():
    moments, time = np.array([0.9, 0.2, 1.0]), np.arange(-0.5, 0.5, 0.01)
    q, w = motion_in_air(moments, np.zeros(3), LEVEL, np.array([9.0, 1.0, 0.5]), time, 12.0)
    exact_q, exact_w = free_motion(moments, LEVEL, np.array([9.0, 1.0, 0.5]), time)
    np.testing.assert_allclose(w, exact_w, atol=2e-5)
    np.testing.assert_allclose(np.abs(np.sum(q * exact_q, axis=1)), 1.0, atol=1e-9)
