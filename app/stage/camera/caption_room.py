"""Caption room: where in a viewport the subject stands, and from how far it is seen, so that captions leave it free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.stage.camera.rig import HALF
from app.stage.camera.subject import Subject
from app.stage.viewport_layout import Box, Size
from physics.core.rotation import Array

GAP = 0.025  # of a viewport's shorter side, from what moves to captions and to the edges
LEAST = 0.55  # share of its full size below which captions lie over what moves: it would be too small to tell anything
PLACES = 17  # that are tried across a viewport and up it
_TURN = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
_WAYS = np.array([np.cos(_TURN), np.sin(_TURN)])


def place(subject: Subject, distance: float, size: Size, boxes: Sequence[Box]) -> tuple[Array, bool]:
    """Where the focus stands, from the middle of a viewport, in halves of its sides (2,), and whether it is clear.

    Of all places that are clear of the boxes, the one that is nearest to that where the subject is in the middle; of
    all places where none is clear.
    """
    gap, sides = GAP * min(size), np.array(size, float)
    seen = subject.seen(distance) * (min(size) / 2 / HALF)
    low, high = seen.min(axis=0), seen.max(axis=0)
    centred = sides / 2 - (low + high) / 2
    room = np.maximum(sides / 2 - gap - (high - low) / 2, 0.0)  # to both sides
    shares = np.linspace(-1.0, 1.0, PLACES)
    tried = centred + room * np.stack(np.meshgrid(shares, shares), axis=-1).reshape(-1, 2)
    free = _apart(tried @ _WAYS + (seen @ _WAYS).max(axis=0) + gap, boxes)
    far = np.linalg.norm((tried - centred) / sides, axis=1)
    best = tried[np.argmin(np.where(free, far, np.inf) if free.any() else far)]
    return np.asarray(2.0 * best / sides - 1.0), bool(free.any())


def _apart(reaches: Array, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Whether convex shapes (n,) are apart from all boxes: there is a way in which each ends before the box begins.

    reaches (n, ways) : how far the shapes reach in each of _WAYS
    """
    corners = np.array([[(x, y) for x in box[::2] for y in box[1::2]] for box in boxes]).reshape(-1, 4, 2)
    begin = (corners @ _WAYS).min(axis=1)
    return np.asarray((reaches[:, None] <= begin).any(axis=2).all(axis=1))


def rooms(subject: Subject, sizes: Sequence[Size], boxes: Sequence[Sequence[Box]]) -> tuple[list[Array], float]:
    """Where the focus stands in all viewports, alike in those of one size, and the distance [m] of all cameras.

    boxes : what lies over each viewport
    """
    shared = [(size, tuple(box for one in _like(size, sizes) for box in boxes[one])) for size in sizes]
    different = list(dict.fromkeys(shared))
    full = max(subject.distance(size[0] / max(size[1], 1)) for size, _ in different)
    found = max(_clear(subject, full, *one) for one in different)
    if not any(boxes) and len(different) == 1:  # a centred subject is there, to 3 pixels of 1920
        return [np.zeros(2)] * len(sizes), found
    places = {one: place(subject, found, *one)[0] for one in different}
    return [places[one] for one in shared], found


def _like(size: Size, sizes: Sequence[Size]) -> list[int]:
    """The numbers of the viewports of a size, to a pixel."""
    return [number for number, other in enumerate(sizes) if np.abs(np.subtract(size, other)).max() <= 1]


def _clear(subject: Subject, full: float, size: Size, boxes: Sequence[Box]) -> float:
    """From how far [m] no box lies over the subject; as from ``full`` where that is too far."""
    near, far = full, full / LEAST
    if place(subject, near, size, boxes)[1] or not place(subject, far, size, boxes)[1]:
        return near
    for _ in range(7):  # to 0.6 % of the distance
        middle = (near + far) / 2
        near, far = (near, middle) if place(subject, middle, size, boxes)[1] else (middle, far)
    return far
