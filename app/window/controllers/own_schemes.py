"""The user's own schemes in the window, from files that the user has confirmed, read again when they change."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from app.system.errors import in_words
from app.system.language import tr, translated
from app.window.background_reader import BackgroundReader
from app.window.widgets import Question
from app.window.workspace import Workspace
from physics import scheme_from_file
from physics.schemes.own_scheme import add
from physics.schemes.scheme import Scheme

LOOK = 200  # [ms] between two checks of files and readers


class OwnSchemes(QObject):
    """Schemes from files, read in the background; each becomes a lane, or an error message."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.workspace, self._window = workspace, parent
        self.names: dict[Path, str] = {}  # of schemes, by file
        self._seen: dict[Path, tuple[int, int] | None] = {}  # confirmed files, as they were read last
        self._reading: BackgroundReader[Scheme] | None = None
        self._timer = QTimer(self, interval=LOOK)
        self._timer.timeout.connect(self.look)

    def choose(self) -> None:
        """Ask for a file, and whether to run its code."""
        name, _ = QFileDialog.getOpenFileName(self._window, tr("A scheme of your own"), "", "Python (*.py)")
        if name:
            self.ask(Path(name))

    def ask(self, path: Path) -> None:
        """Ask whether to run the code of a file."""
        text = tr(
            "Run the code in {name}?\n\nA scheme is a program: it may do whatever you may do, with all your files. Say "
            "yes to files that you wrote, or whose author you trust. It runs again whenever the file changes, until "
            "Polhode is closed."
        ).format(name=path.name)
        title, answers = tr("A scheme of your own"), {tr("Run the code"): partial(self.read, path)}
        question = Question(self._window, title, text, answers, safe=True)
        question.open()

    def read(self, path: Path) -> None:
        """Read a confirmed file."""
        self._seen[path.absolute()] = None
        self._timer.start()
        self.look()

    @property
    def busy(self) -> bool:
        """True while a file is being read."""
        return self._reading is not None

    def look(self) -> None:
        """Take a scheme that was read, or read the next file that has changed."""
        reading = self._reading
        if reading is not None:
            if not reading.running:
                self._reading = None
                self._take(reading)
            return
        for path, before in self._seen.items():
            now = _stamp(path)
            if now != before or before is None:
                self._seen[path] = now or (0, 0)
                self._reading = BackgroundReader(path, scheme_from_file)
                self.workspace.status.setText(tr("Reading {name}…").format(name=path.name))
                return

    def close(self) -> None:
        """Stop reading."""
        self._timer.stop()
        if self._reading is not None:
            self._reading.give_up()
            self._reading.join()
            self._reading = None

    def _take(self, reading: BackgroundReader[Scheme]) -> None:
        """Use a file that was read, for the first time or again."""
        path, known = reading.path, self.names.get(reading.path)
        try:
            scheme = reading.result()
        except Exception as fault:  # noqa: BLE001 - shown as a message
            error = in_words(fault, tr("{name} cannot be read").format(name=path.name))
            after = "" if known is None else tr("; {scheme} continues unchanged").format(scheme=known)
            self.workspace.status.setText("")
            self.workspace.message.say(f"{translated(error)}{after}")
            if known is None:
                del self._seen[path]
            return
        self.names[path] = scheme.name
        add(scheme)
        self.workspace.tell(translated(scheme.advice))
        panel, run = self.workspace.panel, self.workspace.session.run
        if panel.schemes is None or run is None:
            return
        if known == scheme.name:
            panel.schemes.renew(scheme.name)
            if any(lane.scheme.name == scheme.name for lane in run.scenario.lanes):
                self.workspace.session.again()
        elif scheme.serves(run.scenario.served):
            panel.schemes.add_lane(scheme.name)
        else:
            words = tr("{scheme} serves {kinds}; it is there when such a scenario is opened")
            self.workspace.message.say(words.format(scheme=scheme.name, kinds=f" {tr('and')} ".join(scheme.kinds)))


def _stamp(path: Path) -> tuple[int, int] | None:
    """Time of change [ns] and size of a file; None while it is missing, as when an editor replaces it."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
