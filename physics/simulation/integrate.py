"""Schemes on arrays: the motion of a free body from its moments, without a scenario."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies.shapes import check_inertia
from physics.core.errors import ScenarioError
from physics.core.potential import FREE
from physics.core.rotation import Array, Quaternion, Vector, apply
from physics.core.step_count import whole_steps
from physics.core.trajectory import Event
from physics.core.wording import N_
from physics.schemes import scheme_for
from physics.schemes.loop import start_with, unsolved

# step(J, field, h, q, w) -> (q, w, residual), as the schemes of this package have it
StepRule = Callable[[Vector, tuple[float, ...], float, Quaternion, Vector], tuple[Any, Any, float]]

MAX_STEPS_PER_CALL = 20_000_000  # 1.3 GB of states
_ROWS = 65_536  # rows between two moments at which Ctrl+C is heard: some hundredths of a second


@dataclass(frozen=True)
class Motion:
    """Motion of a free body under one scheme; the body's axes are its principal axes.

    Attributes
    ----------
    scheme : str
        Name of the scheme.
    moments : ndarray, (3,)
        Principal moments of inertia [kg m²].
    time : ndarray, (n,)
        Times of the start and of each step [s].
    orientation : ndarray, (n, 4)
        Unit quaternions, scalar first, from the body frame to the inertial frame.
    angular_velocity : ndarray, (n, 3)
        Angular velocity in the body frame [rad/s].
    events : tuple of Event
        ``failed-solve`` if a step had no solution; the arrays end before it.

    Examples
    --------
    >>> import physics
    >>> motion = physics.integrate("implicit", [1.0, 2.0, 3.0], [1, 0, 0, 0], [0.1, 5, 0.1], step=0.01, duration=1.0)
    >>> motion.spin.shape, motion.events
    ((101, 3), ())
    >>> bool(abs(motion.spin - motion.spin[0]).max() < 1e-10)
    True

    References
    ----------
    Leine et al. (2021), (13) for the kinetic energy and (15) for the angular momentum (``spin``).
    """

    scheme: str
    moments: Array
    time: Array
    orientation: Array
    angular_velocity: Array
    events: tuple[Event, ...] = ()

    @property
    def kinetic_energy(self) -> Array:
        """Kinetic energy of the rotation (n,) [J]."""
        return np.asarray(0.5 * self.angular_velocity**2 @ self.moments)

    @property
    def spin(self) -> Array:
        """The angular momentum in the inertial frame (n, 3) [kg m²/s]."""
        return np.asarray(apply(self.orientation, self.moments * self.angular_velocity))


def integrate(
    scheme: str | StepRule,
    moments: ArrayLike,
    orientation: ArrayLike,
    angular_velocity: ArrayLike,
    step: float,
    duration: float,
) -> Motion:
    """Integrate the rotation of a free rigid body, without a scenario.

    Parameters
    ----------
    scheme : str or callable
        Name of a scheme that serves free bodies (``physics.SCHEMES``), or a function ``step(J, field, h, q, w) -> (q,
        w, residual)`` on tuples of numbers: principal moments [kg m²], potential and damping (12 zeros here, see
        ``physics.torque``), step [s], unit quaternion, angular velocity in the body [rad/s]. A residual that is not
        finite says that the step has no solution. It is called once a step.
    moments : array_like, (3,)
        Principal moments of inertia [kg m²].
    orientation : array_like, (4,)
        Quaternion, scalar first, from the body's principal axes to the inertial frame; is normalised.
    angular_velocity : array_like, (3,)
        Angular velocity in the body's principal axes [rad/s].
    step, duration : float
        Time step and simulated time [s]; the last state is that at the last full step.

    Returns
    -------
    Motion
        The states at the start and after each step.

    Raises
    ------
    ScenarioError
        If an argument is wrong; names it.

    Examples
    --------
    >>> import physics
    >>> motion = physics.integrate("implicit", [1.0, 2.0, 3.0], [1, 0, 0, 0], [0.1, 5, 0.1], step=0.01, duration=2.0)
    >>> motion.time.shape, motion.orientation.shape, motion.angular_velocity.shape
    ((201,), (201, 4), (201, 3))
    >>> bool(abs(motion.kinetic_energy / motion.kinetic_energy[0] - 1.0).max() < 1e-13)
    True

    References
    ----------
    Leine et al. (2021), (5), and Betsch & Siebert (2009), (3), for the equations of motion; ``physics.SCHEMES`` has the
    source of each scheme.
    """
    J = check_inertia(moments, "moments")
    q, w = _numbers(orientation, 4, "orientation"), _numbers(angular_velocity, 3, "angular_velocity")
    length = math.sqrt(float((q * q).sum()))
    if not 1e-150 < length < 1e150:
        raise ScenarioError("orientation", N_("expected a quaternion that can be normalised, got {q}", q.tolist()))
    q = q / length
    h, total = _steps(step, duration)
    if isinstance(scheme, str):
        row = scheme_for(scheme, "free", "scheme")
        name, start, march, remedy = row.name, row.start, row.march, row.remedy
    else:
        name, remedy = getattr(scheme, "__name__", "step"), N_("take a smaller step")
        start, march = start_with, partial(_march, scheme)
    state, states = start(J, q, w), np.empty((total + 1, 7))
    states[0] = (*q, *w)
    done = 0
    events: tuple[Event, ...] = ()
    while done < total and not events:
        out = states[done + 1 : done + 1 + _ROWS]
        good, residual = march(J, FREE, h, 1, state, out)
        done += good
        if good < len(out):
            events = (unsolved(name, h * (done + 1), residual, remedy),)
    states = states[: done + 1]
    return Motion(name, J, h * np.arange(done + 1.0), states[:, :4], states[:, 4:], events)


def _numbers(given: ArrayLike, size: int, field: str) -> Array:
    """An array (size,) of finite numbers; else ScenarioError."""
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError):
        raise ScenarioError(field, N_("expected {size} numbers, got {given!r:.60}", size, given)) from None
    if array.shape != (size,) or not np.isfinite(array).all():
        raise ScenarioError(field, N_("expected {size} finite numbers, got {array!r:.60}", size, array.tolist()))
    return array


def _steps(step: float, duration: float) -> tuple[float, int]:
    """The step [s] and how many of them are done."""
    for field, value in (("step", step), ("duration", duration)):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0.0 < value < math.inf:
            raise ScenarioError(field, N_("expected a time above 0 s, got {value!r:.60}", value))
    if step > duration:
        raise ScenarioError("step", N_("expected at most the duration of {duration:g} s, got {step:g}", duration, step))
    if duration / step > MAX_STEPS_PER_CALL:
        raise ScenarioError(
            "step", N_("expected at most {most_steps} steps, got {step:.3g}", MAX_STEPS_PER_CALL, duration / step)
        )
    return float(step), whole_steps(float(duration), float(step))


def _march(step: StepRule, J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop of physics.schemes.loop for a function of the caller's, step by step in Python."""
    moments, acting = (float(J[0]), float(J[1]), float(J[2])), tuple(field.tolist())
    numbers = state.tolist()
    q, w = tuple(numbers[:4]), tuple(numbers[4:])
    for row in range(len(out)):
        for _ in range(every):
            result = step(moments, acting, h, q, w)
            try:
                q, w, residual = result
                found, residual = np.array([*q, *w], float), float(residual)
            except (TypeError, ValueError):
                raise ScenarioError(
                    "scheme", N_("expected (q, w, residual) of a step, got {result!r:.100}", result)
                ) from None
            if found.shape != (7,) or len(w) != 3:
                raise ScenarioError("scheme", N_("expected 4 and 3 numbers of a step, got {q} and {w}", len(q), len(w)))
            if not residual < math.inf or not np.isfinite(found).all():
                return row, residual
        out[row] = found
    state[:] = (*q, *w)
    return len(out), 0.0
