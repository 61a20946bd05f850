"""Caption room: where in a viewport the motion stands, and how large it may be, so that no caption lies over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array

FILLED = 0.65  # share of a viewport's shorter side that what moves fills, as the kinds of motion are framed
GAP = 0.025  # from it to captions, likewise
ENOUGH = 0.8  # share of its full size that what moves has at least between the captions, else it goes aside
LEAST = 0.69  # share below which it stays as it is: in small pictures captions lie over it

Size = tuple[float, float]  # width and height [pixels]


@dataclass(frozen=True)
class CaptionRoom:
    """The middle of what moves, from that of its viewport, in halves of its sides (2,); how large it is, at most 1."""

    centre: Array
    scale: float


def room(size: Size, heading: Size, lanes: Size, *, aside: bool) -> CaptionRoom:
    """The room in a viewport with a card in its upper left corner and one in the lower left one.

    aside : whether what moves may stand right of the cards in a broad viewport, where it is too small between them
    """
    wanted, gap = FILLED * min(size), GAP * min(size)
    boxes = [((0.0, lanes[1]), (size[0], size[1] - heading[1]))]
    if aside and size[0] > size[1]:
        boxes += [
            ((max(heading[0], lanes[0]), 0.0), size),
            ((heading[0], lanes[1]), size),
            ((lanes[0], 0.0), (size[0], size[1] - heading[1])),
        ]
    fitting = [
        min(wanted, high[0] - low[0] - (6 if number else 2) * gap, high[1] - low[1] - 2 * gap)
        for number, (low, high) in enumerate(boxes)
    ]
    best = 0 if fitting[0] >= ENOUGH * wanted else int(np.argmax(fitting))
    if (found := fitting[best]) < LEAST * wanted:
        return CaptionRoom(np.zeros(2), 1.0)
    low, high = np.array(boxes[best], float)
    half = found / 2 + gap
    middle = np.clip(np.array(size) / 2, low + half, high - half)
    if best:
        middle[0] = (middle[0] + (low[0] + high[0]) / 2) / 2  # what reaches beyond has room on both sides
    return CaptionRoom(2 * middle / np.array(size) - 1, found / wanted)


def rooms(sizes: Sequence[Size], cards: Sequence[tuple[Size, Size]], *, aside: bool) -> tuple[list[Array], float]:
    """The middles in all viewports, alike in those of one size, and how large what moves may be in all of them.

    cards : of each viewport the heading and the one of its lanes
    """
    found = []
    for size in sizes:
        alike = [both for both, other in zip(cards, sizes, strict=True) if np.abs(np.subtract(size, other)).max() <= 1]
        heading, lanes = np.max(alike, axis=0).tolist()
        found.append(room(size, heading, lanes, aside=aside))
    return [one.centre for one in found], min(one.scale for one in found)
