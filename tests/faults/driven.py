"""Driven: the window of a process of its own, in which something is done again and again, for the scripts of faults.

``edited``, ``ensemble`` and ``blind`` are programs, see tests.faults.processes: their words are in ``sys.argv``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from app.document import autosave
from app.document.open import saved_for
from app.document.session import save_session
from app.hazard import process
from app.window import main
from app.window.main_window import MainWindow


def driven(folder: Path, deed: Callable[[Any], None], every: int, *opened: Any) -> int:
    """Open the window, which keeps its sessions in a folder, and do that with it every so many ms; its exit status."""
    autosave.folder = lambda: folder
    begin = main.begin

    def began(window: Any, *what: Any) -> None:
        begin(window, *what)
        timer = QTimer(window, interval=every)
        timer.timeout.connect(lambda: deed(window))
        timer.start()

    main.begin = began
    return main.open_window(*opened)


def edited() -> int:
    """FOLDER LOG: a window in which somebody edits twice a second, and which tells when, and to which step."""
    folder, path = map(Path, sys.argv[1:])
    numbers = count(1)
    with path.open("a", buffering=1) as log:

        def edit(window: Any) -> None:
            run = window.session.run
            if run is not None and window.session.pending is None:
                step = 0.01 + 1e-6 * next(numbers)
                window.session.clock.playing = False
                window.session.seek(0.0)
                window.session.edit(run.scenario.changed(step=step))
                log.write(f"{time.monotonic()} {step!r}\n")

        return driven(folder, edit, 400)


def ensemble() -> int:
    """FOLDER OUT LOG [SCENARIO]: a window that lets its ensemble go on until it is saved, and tells what happens."""
    folder, out, path, *scenario = map(Path, sys.argv[1:])
    own = "import physics.hazard.checkpoint as c, app.hazard.worker as m; c.EVERY = 0.0; m.main()"
    process.PROGRAM = ("-c", own)
    with path.open("a", buffering=1) as log:

        def look(window: Any) -> None:
            ensembles, session = window.ensembles, window.session
            running, action = ensembles.running, window.actions_by_id["run-ensemble"]
            log.write("alive\n")
            if session.run is None or session.pending is not None:
                return
            if running is not None and (running.marching or running.saving or running.error):
                return
            if running is not None:
                log.write(f"stopped {running.done} {ensembles.panel.error.text()}\n")
            if out.exists() and not (running and running.lost):
                window.leave_program()
                for button in window.window().findChildren(QPushButton):
                    if button.text() == "Don't save":  # a session that came back is not saved
                        button.click()
            elif running is not None and running.complete and not running.lost:
                running.save(out)
            else:
                action.trigger()
                log.write(f"child {ensembles.running.child.number}\n")

        return driven(folder, look, 30, *scenario, *map(saved_for, scenario))


def blind() -> int:
    """SCENARIO SESSION: a window that plays, saves its session, and prints what stands in place of the picture."""
    scenario, session_file = sys.argv[1:]
    app, window, until = QApplication([]), MainWindow(), time.monotonic() + 60.0
    window.show()
    window.begin(saved_for(scenario))
    session = window.session
    while not (session.run and session.run.finished and window.staged and session.clock.time > 0.0):
        assert time.monotonic() < until, "the window does not play"
        app.processEvents()
    save_session(session_file, window.shown_session.saved())
    print(window.view.currentWidget().children()[1].text())
    window.close()
    return 0
