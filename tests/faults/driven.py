"""Driven: the window of a process of its own, in which something is done again and again, for the scripts of faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from app.document import autosave
from app.window import main


def driven(folder: Path, deed: Callable[[Any], None], every: int, *opened: Any) -> int:
    """Open the window, which keeps its sessions in a folder, and do that with it every so many ms; its exit status."""
    autosave.folder = lambda: folder
    begin = main._begin

    def began(window: Any, *what: Any) -> None:
        begin(window, *what)
        timer = QTimer(window, interval=every)
        timer.timeout.connect(lambda: deed(window))
        timer.start()

    main._begin = began
    return main.open_window(*opened)
