"""The largest usable step of each row: every step is solved up to it on the papers' free motions."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from physics.core.potential import FREE
from physics.schemes import SCHEMES

MOTIONS = {
    "Leine, major axis": ((5 / 12, 10 / 12, 13 / 12), (1e-3, 1e-3, 10.0)),
    "Leine, intermediate axis": ((5 / 12, 10 / 12, 13 / 12), (1e-3, 10.0, 1e-3)),
    "Betsch & Siebert": ((6.0, 8.0, 3.0), (10.0, 20.0, 20.0)),
    "Gustafsson's vessel": ((3.2164e8, 5.4782e9, 5.7426e9), (1.0, 1.0, 1.0)),
}
FREE_SCHEMES = [name for name, scheme in SCHEMES.items() if "free" in scheme.kinds]


def solved(name, motion, turn, steps=150):
    """How many of the steps that turn the body by ``turn`` [rad] were solved."""
    J, w = (np.array(x) for x in MOTIONS[motion])
    scheme, out = SCHEMES[name], np.empty((steps, 7))
    state = scheme.start(J, np.array([1.0, 0.0, 0.0, 0.0]), w)
    return scheme.march(J, FREE, turn / np.linalg.norm(w), 1, state, out)[0]


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("name", FREE_SCHEMES)
def test_every_step_is_solved_up_to_the_reach(name, motion):
    reach = SCHEMES[name].reach
    for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
        assert solved(name, motion, share * (20.0 if reach is None else reach)) == 150


@pytest.mark.parametrize("name", [name for name in FREE_SCHEMES if SCHEMES[name].reach is not None])
def test_the_reach_is_not_modest(name):
    """A step up to a third larger fails on one of the motions (the row's number may come from a top)."""
    reach = SCHEMES[name].reach
    farther = [solved(name, motion, factor * reach) for motion in MOTIONS for factor in (1.1, 1.2, 1.34)]
    assert min(farther) < 150 or "top" in SCHEMES[name].kinds


@pytest.mark.parametrize("name", [name for name in FREE_SCHEMES if SCHEMES[name].keeps_energy])
def test_energy_is_kept_to_rounding_by_every_step_that_is_solved(name):
    """A solution that stops short shows here: what 20 000 steps leave adds up, at large steps too."""
    scheme, w = SCHEMES[name], np.array([10.0, 20.0, 20.0])
    reach = 3.0 if scheme.reach is None else scheme.reach
    turns = [0.02, *(share * reach for share in (0.25, 0.5, 0.95))]  # step times spin [rad]
    for J in permutations((6.0, 8.0, 3.0)):
        J = np.array(J)
        for turn in turns:
            state, out = scheme.start(J, np.array([1.0, 0, 0, 0]), w), np.empty((2000, 7))
            good, _ = scheme.march(J, FREE, turn / 30.0, 10, state, out)
            assert good == 2000
            energy = (J * out[:good, 4:] ** 2).sum(1) / (J * w**2).sum() - 1.0
            assert np.abs(energy).max() < 2e-13, (J, turn)
