"""Identities of rotations, on random ones and on the special ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from physics.core import rotation

number = st.floats(-10, 10)
vector = st.tuples(number, number, number)
seeds = st.integers(0, 2**32 - 1)


def attitude(seed, n=1):
    return rotation.random_attitudes(np.random.default_rng(seed), n)


def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


@given(seed=seeds, v=vector)
def test_rotate_and_apply_are_the_matrix(seed, v):
    q = attitude(seed)[0]
    expected = rotation.matrix(q) @ v
    np.testing.assert_allclose(rotation.apply(q, v), expected, atol=1e-13)
    np.testing.assert_allclose(rotation.rotate(tuple(q), v), expected, atol=1e-13)


@given(seed=seeds)
def test_product_is_composition(seed):
    p, q = attitude(seed, 2)
    expected = rotation.matrix(p) @ rotation.matrix(q)
    np.testing.assert_allclose(rotation.matrix(rotation.multiply(p, q)), expected, atol=1e-14)
    np.testing.assert_allclose(rotation.product(tuple(p), tuple(q)), rotation.multiply(p, q), atol=1e-15)


@given(v=vector)
def test_exp_is_the_matrix_exponential(v):
    q = np.array(rotation.exp_half(v))
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(rotation.matrix(q), expm(hat(v)), atol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-9, 0.0632, 0.44721, 0.44722, 3.14159, 100.0])
def test_exp_has_no_seam_between_series_and_functions(size):
    c, s = rotation.exp_half((size, 0.0, 0.0))[:2]
    assert c == pytest.approx(math.cos(size / 2), abs=2e-16)
    assert s == pytest.approx(math.sin(size / 2), rel=4e-16, abs=1e-320)


@given(seed=seeds)
def test_shepperd_gives_the_quaternion_back(seed):
    q = attitude(seed)[0]
    assert rotation.angle_between(rotation.from_matrix(rotation.matrix(q)), q) < 1e-14


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_shepperd_at_half_turns(axis):
    q = np.array([0.0, *axis])
    assert rotation.angle_between(rotation.from_matrix(rotation.matrix(q)), q) < 1e-15


@given(seed=seeds)
def test_arc_takes_one_direction_to_the_other(seed):
    b, c = np.random.default_rng(seed).standard_normal((2, 3))
    q = rotation.arc(tuple(b), tuple(c))
    np.testing.assert_allclose(rotation.rotate(q, tuple(b / np.linalg.norm(b))), c / np.linalg.norm(c), atol=1e-14)


def test_arc_of_parallel_opposite_and_zero_vectors():
    assert rotation.arc((1.0, 2.0, 3.0), (2.0, 4.0, 6.0)) == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-16)
    assert rotation.arc((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 2.0, 3.0)):
        q = rotation.arc(axis, tuple(-x for x in axis))
        np.testing.assert_allclose(rotation.rotate(q, axis), [-x for x in axis], atol=1e-14)


@given(seed=seeds, fraction=st.floats(0, 1))
def test_slerp_divides_the_angle_and_takes_the_shorter_way(seed, fraction):
    p, q = attitude(seed, 2)
    whole = rotation.angle_between(p, q)
    part = rotation.angle_between(p, rotation.slerp(p, q, fraction))
    assert part == pytest.approx(fraction * whole, abs=1e-7)
    assert rotation.angle_between(rotation.slerp(p, -q, fraction), rotation.slerp(p, q, fraction)) < 1e-7


def test_random_attitudes_are_uniform():
    q = attitude(1, 20_000)
    mean = rotation.apply(q, np.array([0.0, 0.0, 1.0])).mean(axis=0)
    assert np.abs(mean).max() < 0.02
    # uniform rotations: the angle has the density (1 - cos a)/π, with mean π/2 + 2/π
    angle = 2 * np.arccos(np.abs(q[:, 0]))
    assert angle.mean() == pytest.approx(math.pi / 2 + 2 / math.pi, abs=0.02)


def test_angles_between_attitudes_are_blind_to_their_lengths():
    """Some schemes keep no unit length."""
    p, q, axis = *rotation.random_attitudes(np.random.default_rng(2), 2), np.array([0.6, 0.0, 0.8])
    assert rotation.angle_between(0.97 * p, 1.02 * q) == pytest.approx(float(rotation.angle_between(p, q)), rel=1e-14)
    turned = rotation.axis_between(0.97 * p, -1.02 * q, axis)
    assert turned == pytest.approx(float(rotation.axis_between(p, q, axis)), rel=1e-14)
