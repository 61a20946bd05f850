"""PNG pictures, with the recipe inside."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from app.document.recipe import recipe, title
from app.system.ffmpeg import Sink
from physics import Scenario
from physics.io.trajectory_writers import check_output, replacing


def write_png(path: Path | BinaryIO, picture: np.ndarray, title: str, comment: str, compression: int = 6) -> None:
    """Write a picture (height, width, 3 or 4), 8 bits a colour."""
    notes = PngInfo()
    notes.add_itxt("Title", title)
    notes.add_itxt("Comment", comment)
    Image.fromarray(picture).save(path, format="png", pnginfo=notes, compress_level=compression)


def write_view(path: Path, picture: np.ndarray, scenario: Scenario) -> None:
    """Write a picture (height, width, 3) of a scenario to a .png, or without the recipe to a .jpg.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, (".png", ".jpg", ".jpeg"))
    with replacing(path) as part:
        if path.suffix.lower() == ".png":
            write_png(part, picture, title(scenario), recipe(scenario))
        else:
            Image.fromarray(picture).save(part, format="jpeg", quality=95, subsampling=0)


@contextmanager
def numbered(part: Path, title: str, comment: str) -> Iterator[Sink]:
    """A sink that writes frame-00001.png and so on into a new folder."""
    part.mkdir()
    count = itertools.count(1)

    def sink(frame: np.ndarray) -> None:
        write_png(part / f"frame-{next(count):05}.png", frame, title, comment, compression=1)  # speed before size

    yield sink
