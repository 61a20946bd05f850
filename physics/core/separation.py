"""Separation of motions: the leading angle, what stands beside it, and the bounds of right, near and off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array, angle_between, axis_between, conjugate, multiply

Verdict = Literal["right", "near", "off", "unknown"]

RIGHT, NEAR = 1.0, 10.0  # bounds of the departure: degrees, or hundredths of the length
LEAVES = (RIGHT, NEAR, 90.0)  # [deg] off the truth, of which it is said when a motion is more for the first time


class Passage(NamedTuple):
    """Passage of a motion over a bound: numbers of rows, or their times [s].

    left : the first one beyond it; None: none is
    since : the first one from which all are beyond it; None where the last one is not
    back : the first one after those beyond it; None where there is none
    """

    left: float | None = None
    since: float | None = None
    back: float | None = None


@dataclass(frozen=True)
class Separation:
    """Separation of states (n,) of a body, or of a mechanism, from true ones; NaN where no truth is known.

    Attributes
    ----------
    degrees : (n,) the leading angle [deg], 0 to 180: between the attitude and the true one, or between the axles of a
        body whose phase does not lead; of a mechanism that of the body that is farthest off
    body : (n,) number of that body
    metres : (n,) largest distance of a centre of mass [m]; place : (n,) number of the body that has it
    length : of the body or the mechanism [m]; (n,) where edits change it
    axis : (n,) angle of the axis about which a single body is symmetric [deg]; None, or NaN in a row, without one
    phase : (n,) largest angle about an axle, of bodies whose phase does not lead [deg]; None without such bodies
    turned : (n,) number of the body that has it
    axled : of each of several bodies, whether its axle leads and not its phase; () of a single one
    stretch : (n,) number, never falling, of the comparison that a row belongs to: one begins anew after each edit from
        which the true motion goes on as the compared one does; None: there is one
    """

    degrees: Array
    body: NDArray[np.intp]
    metres: Array
    place: NDArray[np.intp]
    length: float | Array
    axis: Array | None = None
    phase: Array | None = None
    turned: NDArray[np.intp] | None = None
    axled: tuple[bool, ...] = ()
    stretch: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        return len(self.degrees)

    def rows(self, index: NDArray[Any] | slice) -> Separation:
        """Some of its rows, by their numbers."""
        names = ("degrees", "body", "metres", "place", "axis", "phase", "turned", "stretch")
        columns: dict[str, Any] = {name: None if (one := getattr(self, name)) is None else one[index] for name in names}
        if isinstance(self.length, np.ndarray):
            columns["length"] = self.length[index]
        return replace(self, **columns)

    @cached_property
    def departure(self) -> Array:
        """Values (n,) that RIGHT and NEAR bound: the larger of leading angle [deg] and distance [length / 100]."""
        return np.maximum(self.degrees, 100.0 * self.metres / self.length)

    @cached_property
    def levels(self) -> NDArray[np.intp]:
        """Verdicts on the departure (n,) as ``verdict_of`` has them: 0 right, 1 near, 2 off; -1 where none is known."""
        return np.where(np.isfinite(self.departure), np.searchsorted((RIGHT, NEAR), self.departure), -1)

    @cached_property
    def begins(self) -> NDArray[np.intp]:
        """Number (n,) of the first row of the comparison that each row belongs to."""
        if self.stretch is None:
            return np.zeros(len(self), np.intp)
        return np.searchsorted(self.stretch, self.stretch)

    @cached_property
    def largest(self) -> Array:
        """The largest leading angle (n,) [deg] of each row and those before it, from where its comparison begins."""
        starts = np.append(np.unique(self.begins), len(self))
        parts = [np.fmax.accumulate(self.degrees[a:b]) for a, b in pairwise(starts)]
        return np.concatenate([self.degrees[:0], *parts])

    @cached_property
    def last_known(self) -> NDArray[np.intp]:
        """Number (n,) of the last row with a truth, of each row and those before it; -1: none has."""
        return np.maximum.accumulate(np.where(np.isfinite(self.degrees), np.arange(len(self)), -1))

    def leaves(self, row: int) -> dict[float, int | None]:
        """The first row up to one, from where its comparison begins, that is more off than each of LEAVES [deg]."""
        begin = int(self.begins[row])
        beyond = {limit: np.flatnonzero(self.degrees[begin : row + 1] > limit) for limit in LEAVES}
        return {limit: begin + int(rows[0]) if len(rows) else None for limit, rows in beyond.items()}

    def passage(self, bound: float, row: int) -> Passage:
        """Passage of the departure over RIGHT or NEAR up to a row, from where its comparison begins, by rows."""
        beyond, last, inside = self._passed[bound]
        begin = int(self.begins[row])
        if last[row] < begin:
            return Passage()
        first = begin + int(beyond[begin:].argmax())
        if beyond[row]:
            return Passage(first, since=max(int(inside[row]) + 1, begin))
        return Passage(first, back=int(last[row]) + 1)

    @cached_property
    def _passed(self) -> Mapping[float, tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]]:
        """Up to each row, for RIGHT and NEAR: whether it is beyond, the last that is, the last that is not, or -1."""

        def last(where: NDArray[np.bool_]) -> NDArray[np.intp]:
            return np.maximum.accumulate(np.where(where, np.arange(len(self)), -1))

        bounds = {bound: self.departure > bound for bound in (RIGHT, NEAR)}
        return {bound: (beyond, last(beyond), last(~beyond)) for bound, beyond in bounds.items()}


def verdict_of(departure: float) -> Verdict:
    """The verdict on a departure; "unknown" for NaN."""
    if np.isnan(departure):
        return "unknown"
    return "right" if departure <= RIGHT else "near" if departure <= NEAR else "off"


def separation(
    states: tuple[Array, Array],
    true: tuple[Array, Array],
    length: float | Array,
    axles: Sequence[Array | None] = (),
    symmetric: Array | None = None,
) -> Separation:
    """Separation of states from true ones.

    Parameters
    ----------
    states, true : positions (n, 3) [m] and orientations (n, 4); of b bodies (n, b, 3) and (n, b, 4)
    length : of the body or the mechanism [m], or (n,)
    axles : of each of several bodies the unit vector (3,) in body axes of the axle whose direction leads, or None
    symmetric : unit vector (3,) in the axes of a single body, about which it is symmetric, or (n, 3); None without one
    """
    (position, attitude), (place, true_attitude) = states, true
    turns, far = np.degrees(angle_between(attitude, true_attitude)), np.linalg.norm(position - place, axis=-1)
    if turns.ndim == 1:
        only = np.zeros(len(turns), np.intp)
        axis = None if symmetric is None else np.degrees(axis_between(attitude, true_attitude, symmetric))
        return Separation(turns, only, far, only, length, axis)
    phases = np.full(turns.shape, -1.0)
    for number, axle in enumerate(axles):
        if axle is not None:
            both = attitude[:, number], true_attitude[:, number]
            turns[:, number] = np.degrees(axis_between(*both, axle))
            phases[:, number] = np.degrees(_phase_between(*both, axle))
    leading, farthest = turns.argmax(axis=1), far.argmax(axis=1)
    known = np.isfinite(turns).all(axis=1)
    degrees, metres = (np.where(known, _chosen(x, at), np.nan) for x, at in ((turns, leading), (far, farthest)))
    axled = tuple(axle is not None for axle in axles)
    if not any(axled):
        return Separation(degrees, leading, metres, farthest, length, axled=axled)
    turned = phases.argmax(axis=1)
    phase = np.where(known, _chosen(phases, turned), np.nan)
    return Separation(degrees, leading, metres, farthest, length, None, phase, turned, axled)


def _chosen(values: Array, columns: NDArray[np.intp]) -> Array:
    """One value of each row."""
    return np.asarray(np.take_along_axis(values, columns[:, None], axis=1)[:, 0])


def _phase_between(p: Array, q: Array, axle: Array) -> Array:
    """Angle (n,) [rad] about a body axis (3,) that is left of the rotation between attitudes once the axes agree."""
    turn = multiply(conjugate(p), q)
    return np.asarray(2.0 * np.arctan2(np.abs(turn[..., 1:] @ axle), np.abs(turn[..., 0])))
