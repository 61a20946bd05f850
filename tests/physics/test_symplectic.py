"""Which steps are symplectic: the Jacobian of one step against the canonical form, by central differences."""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.potential import FREE
from physics.core.rotation import conjugate, exp_half, multiply
from physics.schemes import SCHEMES

J = np.array([1.0, 1.7, 2.2])
Q = np.array([0.5, 0.5, -0.5, 0.5])
M = np.array([0.9, -1.3, 1.1])
TOP = np.array([0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
H = 0.4
FAR = 1.2  # for pdmv-10, whose defect at 0.4 s is below 1e-9
EPS = 1e-5


def step(scheme, field, q, m):
    """One step in attitude and momentum in the body."""
    out = np.empty((1, 7))
    rows, _ = scheme.march(J, field, FAR if scheme.name == "pdmv-10" else H, 1, scheme.start(J, q, m / J), out)
    assert rows == 1
    return out[0, :4], J * out[0, 4:]


def form(m):
    """The canonical form of T*SO(3) in body coordinates: (ξ1, μ1), (ξ2, μ2) -> μ2.ξ1 - μ1.ξ2 + m.(ξ1 x ξ2)."""
    matrix = np.zeros((6, 6))
    matrix[:3, 3:], matrix[3:, :3] = np.eye(3), -np.eye(3)
    for i in range(3):
        for j in range(3):
            matrix[i, j] = m @ np.cross(np.eye(3)[i], np.eye(3)[j])
    return matrix


def defect(scheme, field):
    """How far the step is from keeping the canonical form."""
    q, m = step(scheme, field, Q, M)

    def moved(change):
        turned, momentum = step(scheme, field, multiply(Q, exp_half(tuple(change[:3]))), M + change[3:])
        difference = multiply(conjugate(q), turned)
        return np.concatenate([2.0 * difference[1:] * np.sign(difference[0]), momentum - m])

    columns = [(moved(EPS * e) - moved(-EPS * e)) / (2 * EPS) for e in np.eye(6)]
    jacobian = np.array(columns).T
    return np.abs(jacobian.T @ form(m) @ jacobian - form(M)).max()


# dir-em has nine velocities: attitude and momentum alone are no phase space for it; dop853 is exact to its tolerance
CASES = [
    (n, kind)
    for n, s in SCHEMES.items()
    for kind in ("free", "top")
    if kind in s.kinds and n != "dir-em" and not s.adaptive
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_symplectic_as_the_row_says(name, kind):
    scheme = SCHEMES[name]
    found = defect(scheme, FREE if kind == "free" else TOP)
    if scheme.symplectic:
        assert found < 1e-7
    elif not name.removesuffix("-matrix").endswith(("-4", "-6", "-8")):
        assert found > 1e-6  # at high order the defect hides below the differences' own error
