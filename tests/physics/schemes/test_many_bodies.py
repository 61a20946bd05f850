"""Many bodies at once: each has the bits that it has alone, whatever the others of its block do."""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.potential import FREE
from physics.schemes import SCHEMES
from physics.schemes.loop import MANY as MANY_BODIES
from physics.schemes.loop import WIDTH, marched

J, STEP = np.array([5 / 12, 10 / 12, 13 / 12]), 0.01
MANY = [name for name, scheme in SCHEMES.items() if MANY_BODIES in scheme.marches]


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
    together = marched(SCHEMES[name].solver(MANY_BODIES), J, STEP, 4, states, 25)
    assert together.shape == (25, len(states), 7)
    for number, state in enumerate(states):
        np.testing.assert_array_equal(together[:, number], alone(name, state, 4, 25), str(state))
    lost = np.isnan(together[-1, :, 0])
    assert lost[6]
    assert not lost[7:].any()
