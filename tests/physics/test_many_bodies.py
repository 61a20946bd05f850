"""Many bodies at once: each has the bits that it has alone, whatever the others of its block do."""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.potential import FREE
from physics.schemes import SCHEMES
from physics.schemes.loop import WIDTH, marched

J, STEP = np.array([5 / 12, 10 / 12, 13 / 12]), 0.01
MANY = [name for name, scheme in SCHEMES.items() if scheme.march_many is not None]


def alone(name, state, every, rows):
    """The rows (rows, 7) of one body, NaN from where a step had no solution."""
    scheme, out = SCHEMES[name], np.full((rows, 7), np.nan)
    begun = scheme.start(J, state[:4], state[4:])
    solved, _ = scheme.march(J, FREE, STEP, every, begun, out)
    out[solved:] = np.nan
    return out


@pytest.mark.parametrize("name", MANY)
def test_a_body_among_many_has_the_bits_that_it_has_alone(name):
    generator = np.random.default_rng(4)
    states = generator.standard_normal((2 * WIDTH + 5, 7))  # the last block is not full
    states[:, :4] /= np.linalg.norm(states[:, :4], axis=1, keepdims=True)
    # at rest, too slow for its squares, steps of a radian and more, steps without a solution, more than a number holds
    states[:, 4:] *= np.concatenate([[0.0, 1e-170, 1e-80, 100.0, 250.0, 1e4, 1e160], np.geomspace(1e-3, 60.0, 30)])[
        :, None
    ]
    together = marched(SCHEMES[name].march_many, J, STEP, 4, states, 25)
    assert together.shape == (25, len(states), 7)
    for number, state in enumerate(states):
        np.testing.assert_array_equal(together[:, number], alone(name, state, 4, 25), str(state))
    lost = np.isnan(together[-1, :, 0])
    assert lost[6]
    assert not lost[7:].any()


def test_steps_without_a_solution_end_a_body_and_not_its_neighbours():
    states = np.tile([1.0, 0.0, 0.0, 0.0, 1e-3, 20.0, 1e-3], (3, 1))
    states[1, 4:] = (4e3, 5e3, 6e3)  # 90 rad a step
    found = marched(SCHEMES["implicit"].march_many, J, STEP, 1, states, 3)
    assert np.isnan(alone("implicit", states[1], 1, 3)).all()
    assert np.isnan(found[:, 1]).all()
    assert np.array_equal(found[:, 0], found[:, 2])
    assert np.isfinite(found[:, 0]).all()


def test_many_keep_energy_and_spin_to_rounding():
    generator = np.random.default_rng(5)
    states = np.concatenate([np.tile([1.0, 0, 0, 0], (WIDTH, 1)), 5.0 * generator.standard_normal((WIDTH, 3))], axis=1)
    last = marched(SCHEMES["implicit"].march_many, J, STEP, 2000, states, 1)[0]
    before, after = states[:, 4:] ** 2 @ J, last[:, 4:] ** 2 @ J
    assert np.abs(after / before - 1.0).max() < 1e-13
