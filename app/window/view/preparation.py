"""What the view does in threads: before its first picture, and while that is shown."""

from __future__ import annotations

import importlib
import threading

from app.system.threads import give_way
from physics import World


def prepare(world: World | None, before: threading.Thread) -> None:
    """Load PyVista, which takes a second, and paint a first picture of the terrain."""
    if before.ident is not None:
        before.join()
    stage = importlib.import_module("app.stage")  # without Qt, see qt_types
    if world is not None:
        stage.prepare(world, rough=True)


def paint(world: World) -> None:
    """Paint the terrain as it will stay, in about a second, while the first picture of it is shown."""
    give_way()
    importlib.import_module("app.stage").prepare(world)
