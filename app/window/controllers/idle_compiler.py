"""Compilation ahead, in idle time of the window, of what the examples use."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

import assets
from app.window.ensembles import Ensembles
from app.window.exports.queue import ExportQueue
from app.window.workspace import Workspace
from physics.core import jit

IDLE = 5000  # [ms] between two checks for other work
MAX_STARTS = 20  # starts, in case an example cannot be compiled


class IdleCompiler(QObject):
    """Starts the compiler while nothing is computed, and ends it otherwise."""

    def __init__(self, workspace: Workspace, ensembles: Ensembles, exports: ExportQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._ensembles, self._exports = workspace, ensembles, exports
        self._was_idle = False  # at the last check
        self._tries = 0
        self._timer = QTimer(self, interval=IDLE)
        self._timer.timeout.connect(self.look)
        self.set_on(workspace.settings.compile_ahead)

    def set_on(self, on: bool) -> None:
        """Compile ahead, or stop."""
        self._workspace.settings.compile_ahead = on
        if not on:
            self._workspace.session.compiler.stop()
        else:
            self._tries = 0
            self._timer.start()

    def look(self) -> None:
        """Start compiling if the window has been idle since the last check; stop checking once all is compiled."""
        workspace, session = self._workspace, self._workspace.session
        busy = session.computing or self._exports.busy or self._ensembles.marching
        idle = session.run is not None and not busy
        if not idle:
            session.compiler.stop()
        elif self._was_idle and workspace.lasting and workspace.settings.compile_ahead:
            if session.compiler.running:
                return
            if self._tries < MAX_STARTS and jit.keeps_kernels() and not all(map(jit.is_warm, assets.examples())):
                self._tries += session.compiler.start()
            else:
                self._timer.stop()
        self._was_idle = idle
