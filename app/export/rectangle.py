"""Rectangles of pixels: the parts of a picture that are drawn anew."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from physics.core.rotation import Array

SPARE = 10_000  # pixels that are drawn as quickly as one more rectangle is begun


class Rectangle(NamedTuple):
    """Whole pixels from the left and lower edges to the right and upper ones, which are no longer in it."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def area(self) -> int:
        """Its pixels."""
        return max(self.x1 - self.x0, 0) * max(self.y1 - self.y0, 0)

    def meets(self, other: Rectangle) -> bool:
        """Whether they have a pixel in common."""
        return self.within(other).area > 0

    def within(self, other: Rectangle) -> Rectangle:
        """What they have in common."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        return Rectangle(x0, y0, max(min(self.x1, other.x1), x0), max(min(self.y1, other.y1), y0))

    def with_(self, other: Rectangle) -> Rectangle:
        """The least rectangle that holds both."""
        return Rectangle(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def beyond(self, n: int) -> Rectangle:
        """Itself and n pixels around it."""
        return Rectangle(self.x0 - n, self.y0 - n, self.x1 + n, self.y1 + n)

    def aligned(self, n: int) -> Rectangle:
        """The least one that holds it with edges at multiples of n."""
        return Rectangle(self.x0 // n * n, self.y0 // n * n, -(-self.x1 // n) * n, -(-self.y1 // n) * n)


def around(x: Array, y: Array, reach: float) -> Rectangle:
    """The least rectangle around points (n,), so many pixels beyond them."""
    edges = x.min() - reach, y.min() - reach, x.max() + reach, y.max() + reach
    if not all(map(math.isfinite, edges)):
        return Rectangle(-(10**9), -(10**9), 10**9, 10**9)
    x0, y0, x1, y1 = edges
    return Rectangle(math.floor(x0), math.floor(y0), math.ceil(x1), math.ceil(y1))


def joined(boxes: Iterable[Rectangle]) -> list[Rectangle]:
    """Rectangles that hold all of these, the largest first; those that take as many pixels together become one."""
    apart: list[Rectangle] = []
    left = [box for box in boxes if box.area]
    while left:
        box = left.pop()
        near = [one for one in apart if one.with_(box).area <= one.area + box.area + SPARE]
        if near:
            apart.remove(near[0])
            left.append(near[0].with_(box))
        else:
            apart.append(box)
    return sorted(apart, key=lambda box: (-box.area, box))
