"""The free rotation by addition theorems beside the elliptic functions, for bodies and motions of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.jit import kernel
from physics.core.rotation import angle_between, apply
from physics.schemes import exact, free_rotation
from physics.schemes.loop import contact_attitude, store

N = 20_000


@kernel
def added(J, w, h, out):
    """Rows of out (n, 7), not finite where the step is too long."""
    for i in range(len(w)):
        good, q, after = free_rotation.rotated(
            (J[i, 0], J[i, 1], J[i, 2]), h[i], (1.0, 0.0, 0.0, 0.0), (w[i, 0], w[i, 1], w[i, 2])
        )
        store(out[i], q, after)
        if not good:
            out[i] = np.nan


@kernel
def elliptic(J, w, h, out):
    s = np.zeros(exact.SIZE)
    for i in range(len(w)):
        exact.set_up((J[i, 0], J[i, 1], J[i, 2]), (1.0, 0.0, 0.0, 0.0), (w[i, 0], w[i, 1], w[i, 2]), s)
        q, after = exact.evaluate(s, h[i])
        store(out[i], q, after)


def cases():
    """Bodies (n, 3), angular velocities (n, 3), steps (n,): also nearly symmetric, nearly about an axis, backwards."""
    draw = np.random.default_rng(7)
    parts = draw.uniform(0.05, 1.0, (N, 3))
    J = parts[:, [1, 2, 0]] + parts[:, [2, 0, 1]]
    alike = draw.random(N) < 0.2
    J[alike, 1] = J[alike, 0] * (1.0 + 10.0 ** draw.uniform(-12, -1, alike.sum()))
    w = draw.standard_normal((N, 3))
    steady = draw.random(N) < 0.3
    w[steady, draw.integers(0, 3, steady.sum())] *= 10.0 ** draw.uniform(-12, -1, steady.sum())
    w[draw.random(N) < 0.1, 0] = 0.0
    w[draw.random(N) < 0.05, 1] = 0.0
    return J, w, 10.0 ** draw.uniform(-4, 1.2, N) * np.sign(draw.standard_normal(N))


def test_it_is_the_elliptic_motion_to_rounding():
    J, w, h = cases()
    found, known = np.empty((N, 7)), np.empty((N, 7))
    added(J, w, h, found)
    elliptic(J, w, h, known)
    good = np.isfinite(found[:, 0])
    assert good.mean() > 0.98
    speed = np.linalg.norm(w[good], axis=1)
    turn = np.maximum(speed * np.abs(h[good]), 2.0)  # up to some turns, whose rounding grows with them
    assert (angle_between(found[good, :4], known[good, :4]) / turn).max() < 2e-15
    apart = np.abs(found[good, 4:] - known[good, 4:]).max(axis=1) / speed
    assert apart[turn == 2.0].max() < 4e-15
    assert np.quantile(apart, 0.999) < 4e-15
    assert apart.max() < 5e-14  # twice by the intermediate axis, next to the separatrix, in some turns
    energy = (J * found[:, 4:] ** 2).sum(axis=1) / (J * w**2).sum(axis=1) - 1.0
    assert np.abs(energy[good]).max() < 3e-15
    spin = np.abs(apply(found[:, :4], J * found[:, 4:]) - J * w).max(axis=1) / np.linalg.norm(J * w, axis=1)
    assert spin[good].max() < 2e-15


def test_at_its_reach_it_is_as_true_and_beyond_it_says_no():
    """The series is that of tanh on the separatrix of moments 1, 2, 3 (2 E J2 = L²).

    With u = (1/2, 0, sqrt(3)/2) and L = 2 the amplitudes are a = sqrt(3)/2, b = 1/2: the rate of the momentum is
    a L/C sqrt((C - A)(C - B)/(A B)) = sqrt(3)/2 2/3 1.
    """
    J, w = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 0.0, 3.0**0.5 / 3.0]])
    rate = 3.0**0.5 / 3.0
    found, known = np.empty((1, 7)), np.empty((1, 7))
    reach = free_rotation.PART * free_rotation.PARTS
    for length in (0.299, 0.301, 0.599, 0.601, 1.199, 1.201, -1.201, 0.999 * reach, -0.999 * reach):
        h = np.array([length / rate])
        added(J, w, h, found)
        elliptic(J, w, h, known)
        grown = max(1.0, np.exp(abs(length) - 3.0))  # next to the intermediate axis an error grows by e
        assert float(angle_between(found[0, :4], known[0, :4])) < 2e-15 * grown
    added(J, w, np.array([1.001 * reach / rate]), found)
    assert not np.isfinite(found).any()


@pytest.mark.parametrize(
    ("moments", "w"),
    [
        ((50.0, 80.0, 110.0), (3.0, 5.0, 2.0)),
        ((110.0, 50.0, 80.0), (0.0, 8.0, 0.0)),
        ((80.0, 80.0, 110.0), (3.0, 5.0, 2.0)),
        ((80.0, 80.0, 110.0), (3.0, 5.0, 0.0)),
        ((50.0, 80.0, 110.0), (1e4, 1.5e4, 7e3)),  # 39 rad a step: a curve of elliptic functions serves
    ],
)
def test_inside_moreau_steps_of_one_flight_follow_the_curve_that_they_share(moments, w):
    """200 steps, one of them shorter and one after a push; parts that are kept, anew and of others."""
    memory, q, now = np.zeros(exact.MEMORY), (1.0, 0.0, 0.0, 0.0), w
    curve, since, start = np.zeros(exact.SIZE), 0.0, w
    exact.set_up(moments, q, start, curve)
    for step in range(200):
        h = 0.0005 if step == 50 else 0.002
        now, turn, works, gyro, residual = exact.free_velocity(moments, h, q, now, memory)
        assert works == now
        assert gyro == (0.0, 0.0, 0.0)
        assert residual == 0.0
        q, since = contact_attitude(moments, h, q, now, turn, now, now), since + h
        if step == 120:
            now, since = (now[0] + 1.0, now[1], 0.9 * now[2]), 0.0
            exact.set_up(moments, q, now, curve)
    attitude, velocity = exact.evaluate(curve, since)
    size = float(np.linalg.norm(velocity))
    rounding = 6e-15 * max(20.0, size * since)  # of the steps, or of the turns where they are many
    assert float(angle_between(np.array(q), np.array(attitude))) < rounding
    assert np.abs(np.array(now) - velocity).max() < rounding * size
