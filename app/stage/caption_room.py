"""Caption room: where in a viewport the subject stands, and from how far it is seen, so that captions leave it free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.stage.camera_rig import HALF
from app.stage.subject import Subject
from physics.core.rotation import Array

GAP = 0.025  # of a viewport's shorter side, from what moves to captions and to the edges
LEAST = 0.55  # share of its full size below which captions lie over what moves: it would be too small to tell anything
PLACES = 17  # that are tried across a viewport and up it
_TURN = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
_WAYS = np.array([np.cos(_TURN), np.sin(_TURN)])

Size = tuple[float, float]  # width and height [pixels]
Cards = tuple[Size, Size]  # those in the upper left corner and in the lower left one


def place(subject: Subject, distance: float, size: Size, cards: Cards) -> Array | None:
    """Where the focus stands, from the middle of a viewport, in halves of its sides (2,); None: there is no room.

    The one of all places that is nearest to that where the subject is in the middle.
    """
    gap, sides = GAP * min(size), np.array(size, float)
    seen = subject.seen(distance) * (min(size) / 2 / HALF)
    rim = seen[np.argmax(seen @ _WAYS, axis=0)]
    low, high = rim.min(axis=0), rim.max(axis=0)
    rim = np.concatenate([rim, (rim + np.roll(rim, -1, axis=0)) / 2])  # a long edge may pass over a card's corner
    centred = sides / 2 - (low + high) / 2
    room = np.maximum(sides / 2 - gap - (high - low) / 2, 0.0)  # to both sides
    shares = np.linspace(-1.0, 1.0, PLACES)
    tried = centred + room * np.stack(np.meshgrid(shares, shares), axis=-1).reshape(-1, 2)
    x, y = np.moveaxis(tried[:, None] + rim, -1, 0)
    (wide, high_), (lane, deep) = cards
    over = (x < wide + gap) & (y > size[1] - high_ - gap) if high_ else np.zeros(x.shape, bool)
    over |= (x < lane + gap) & (y < deep + gap) if deep else False
    free = ~over.any(axis=1)
    if not free.any():
        return None
    far = np.linalg.norm((tried - centred) / sides, axis=1)
    best = tried[np.argmin(np.where(free, far, np.inf))]
    return np.asarray(2.0 * best / sides - 1.0)


def rooms(subject: Subject, sizes: Sequence[Size], cards: Sequence[Cards]) -> tuple[list[Array], float]:
    """Where the focus stands in all viewports, alike in those of one size, and the distance [m] of all cameras.

    cards : of each viewport; 0 x 0 where there is none
    """
    shared = []
    for size in sizes:
        alike = [both for both, other in zip(cards, sizes, strict=True) if np.abs(np.subtract(size, other)).max() <= 1]
        heading, lanes = np.max(alike, axis=0).tolist()
        shared.append((size, ((heading[0], heading[1]), (lanes[0], lanes[1]))))
    different = list(dict.fromkeys(shared))
    full = max(subject.distance(size[0] / max(size[1], 1)) for size, _ in different)
    found = full
    for size, both in different:
        found = max(found, _clear(subject, full, size, both))
    middles = {one: place(subject, found, *one) for one in different}
    in_middle = {one: place(subject, found, one[0], ((0.0, 0.0), (0.0, 0.0))) for one in different}
    chosen = {one: in_middle[one] if (at := middles[one]) is None else at for one in different}
    if not np.any(cards) and len(different) == 1:
        return [np.zeros(2)] * len(sizes), found
    return [np.zeros(2) if (at := chosen[one]) is None else at for one in shared], found


def _clear(subject: Subject, full: float, size: Size, cards: Cards) -> float:
    """From how far [m] no caption of a viewport lies over the subject; as from ``full`` where that is too far."""
    near, far = full, full / LEAST
    if place(subject, near, size, cards) is not None or place(subject, far, size, cards) is None:
        return near
    for _ in range(7):  # to 0.6 % of the distance
        middle = (near + far) / 2
        near, far = (middle, far) if place(subject, middle, size, cards) is None else (near, middle)
    return far
