"""What one step of a scheme tells: whether a step back undoes it, and whether it is a symplectic map."""

from __future__ import annotations

import math

import numpy as np

from physics.analysis.trial_motions import TrialMotion, onward
from physics.core.rotation import Array, conjugate, exp_half, multiply
from physics.schemes.scheme import Scheme

_SMALL = 2e-4  # of differences of fourth order: their own error is 1e-15, that of rounding 1e-12


def reversal(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """How far a step of h [s] and one of -h miss the start: attitude, and velocity over its size; inf: no solution.

    The step back begins with what the scheme remembers of the step, or anew; the nearer end counts. For some remember
    what is no part of attitude and velocity, and others how many steps they have done.
    """
    there, back = np.empty((1, 7)), np.empty((1, 7))
    state = motion.start(scheme)
    if onward(scheme, motion, h, 1, state, there) == 0:
        return math.inf
    anew = scheme.start(motion.moments, there[0, :4].copy(), there[0, 4:].copy())
    missed = []
    for begun in (state, anew):
        if onward(scheme, motion, -h, 1, begun, back):
            turn = np.abs(back[0, :4] - motion.attitude).max()
            missed.append(max(turn, np.abs(back[0, 4:] - motion.velocity).max() / motion.speed))
    return float(min(missed, default=math.inf))


def symplectic_defect(scheme: Scheme, motion: TrialMotion, h: float) -> float:
    """The largest entry of D^T Ω' D - Ω for the derivative D of a step of h [s]; inf where it has no solution.

    In the rotation vector of the attitude and the angular momentum in the body over the size of its start.
    """
    momentum = motion.moments * motion.velocity
    size = float(np.linalg.norm(momentum))

    def stepped(attitude: Array, m: Array) -> Array:
        out = np.empty((1, 7))
        state = scheme.start(motion.moments, attitude, size * m / motion.moments)
        if onward(scheme, motion, h, 1, state, out) == 0:
            out[:] = math.nan
        return np.concatenate([out[0, :4], motion.moments * out[0, 4:] / size])

    m = momentum / size
    end = stepped(motion.attitude, m)
    if not np.isfinite(end).all():
        return math.inf

    def moved(change: Array) -> Array:
        """Where a changed start leads, from the end of the unchanged one (6,)."""
        found = stepped(multiply(motion.attitude, exp_half(tuple(change[:3]))), m + change[3:])
        turned = multiply(conjugate(end[:4]), found[:4])
        length = float(np.linalg.norm(turned[1:]))
        angle = 2.0 * math.atan2(length, abs(turned[0]))
        axis = turned[1:] * math.copysign(1.0, turned[0]) / length if length > 0.0 else np.zeros(3)
        return np.concatenate([angle * axis, found[4:] - end[4:]])

    columns = [
        (8.0 * (moved(_SMALL * e) - moved(-_SMALL * e)) - (moved(2.0 * _SMALL * e) - moved(-2.0 * _SMALL * e)))
        / (12.0 * _SMALL)
        for e in np.eye(6)
    ]
    D = np.array(columns).T
    defect = float(np.abs(D.T @ _form(end[4:]) @ D - _form(m)).max())
    return defect if math.isfinite(defect) else math.inf


def _form(m: Array) -> Array:
    """The canonical form (6, 6) in the body: (ξ1, μ1), (ξ2, μ2) -> μ2.ξ1 - μ1.ξ2 + m.(ξ1 x ξ2)."""
    form = np.zeros((6, 6))
    form[:3, 3:], form[3:, :3] = np.eye(3), -np.eye(3)
    form[:3, :3] = [[0.0, m[2], -m[1]], [-m[2], 0.0, m[0]], [m[1], -m[0], 0.0]]
    return form
