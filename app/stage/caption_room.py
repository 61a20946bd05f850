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


def place(subject: Subject, distance: float, size: Size, cards: Cards) -> tuple[Array, bool]:
    """Where the focus stands, from the middle of a viewport, in halves of its sides (2,), and whether it is clear.

    Of all places that are clear of the cards, the one that is nearest to that where the subject is in the middle; of
    all places where none is clear.
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
    far = np.linalg.norm((tried - centred) / sides, axis=1)
    best = tried[np.argmin(np.where(free, far, np.inf) if free.any() else far)]
    return np.asarray(2.0 * best / sides - 1.0), bool(free.any())


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
    if not np.any(cards) and len(different) == 1:  # a centred subject is there, to 3 pixels of 1920
        return [np.zeros(2)] * len(sizes), found
    places = {one: place(subject, found, *one)[0] for one in different}
    return [places[one] for one in shared], found


def _clear(subject: Subject, full: float, size: Size, cards: Cards) -> float:
    """From how far [m] no caption of a viewport lies over the subject; as from ``full`` where that is too far."""
    near, far = full, full / LEAST
    if place(subject, near, size, cards)[1] or not place(subject, far, size, cards)[1]:
        return near
    for _ in range(7):  # to 0.6 % of the distance
        middle = (near + far) / 2
        near, far = (near, middle) if place(subject, middle, size, cards)[1] else (middle, far)
    return far
