"""PNG pictures, with the recipe inside."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from app.export.ffmpeg import Sink


def write_png(path: Path, picture: np.ndarray, title: str, comment: str, compression: int = 6) -> None:
    """Write a picture (height, width, 3 or 4), 8 bits a colour."""
    notes = PngInfo()
    notes.add_itxt("Title", title)
    notes.add_itxt("Comment", comment)
    Image.fromarray(picture).save(path, format="png", pnginfo=notes, compress_level=compression)


@contextmanager
def numbered(part: Path, title: str, comment: str) -> Iterator[Sink]:
    """A sink that writes frame-00001.png and so on into a new folder."""
    part.mkdir()
    count = itertools.count(1)

    def sink(frame: np.ndarray) -> None:
        write_png(part / f"frame-{next(count):05}.png", frame, title, comment, compression=1)  # speed before size

    yield sink
