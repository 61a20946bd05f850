"""A picture as most video codecs want it: brightness for each pixel, colour for each four (Y'CbCr 4:2:0, BT.709).

ffmpeg would convert the whole of each picture, and read twice as much: 12 ms of processor time at 1920 x 1080. In a
film most rows stay as they are.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

_R, _G, _B = 0.2126, 0.7152, 0.0722  # Rec. ITU-R BT.709-6, table 3: E'Y
_Y, _C = 219 / 255, 224 / 255  # table 4: 8 bits, black at 16 and white at 235; colours around 128
_BLUE, _RED = 2 * (1 - _B), 2 * (1 - _R)
LUMA = (_Y * _R, _Y * _G, _Y * _B, 16.0)
BLUE = (-_C * _R / _BLUE, -_C * _G / _BLUE, _C * (1 - _B) / _BLUE, 128.0)
RED = (_C * (1 - _R) / _RED, -_C * _G / _RED, -_C * _B / _RED, 128.0)


class PlanarPicture:
    """The planes of the picture that was converted last. Its sides are even."""

    def __init__(self, size: tuple[int, int]) -> None:
        wide, high = size
        self._planes = np.empty(wide * high * 3 // 2, np.uint8)
        luma, blue, red = np.split(self._planes, [wide * high, wide * high * 5 // 4])
        self._luma = luma.reshape(high, wide)
        self._blue, self._red = (plane.reshape(high // 2, wide // 2) for plane in (blue, red))
        self._before: np.ndarray | None = None

    def planes(self, picture: np.ndarray) -> np.ndarray:
        """The planes of a picture (height, width, 3), 8 bits a colour, one after the other: the caller's own.

        The picture must not change afterwards: the next one is compared with it.
        """
        picture = np.ascontiguousarray(picture)
        for first, end in self._changed(picture):
            part = Image.fromarray(picture[2 * first : 2 * end])
            self._luma[2 * first : 2 * end] = np.asarray(part.convert("L", LUMA))
            fourth = part.reduce(2)
            self._blue[first:end] = np.asarray(fourth.convert("L", BLUE))
            self._red[first:end] = np.asarray(fourth.convert("L", RED))
        self._before = picture
        return self._planes.copy()

    def _changed(self, picture: np.ndarray) -> list[tuple[int, int]]:
        """Runs of pairs of rows that differ from those before: the first pair, and the one after the last."""
        pairs = len(self._blue)
        if self._before is None:
            return [(0, pairs)]
        now, before = (one.reshape(pairs, -1).view(np.uint32) for one in (picture, self._before))
        differ = np.pad((now != before).any(axis=1), 1)
        edges = np.flatnonzero(differ[1:] != differ[:-1]).tolist()
        return list(zip(edges[::2], edges[1::2], strict=True))
