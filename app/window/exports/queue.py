"""Queue of exports: each runs in a process of its own, one after another; rows, and the note in the status line."""

from __future__ import annotations

import sys
import time
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.document.export_kinds import Writer
from app.document.toml_writer import toml_text
from app.system import errors as error_log
from app.system import processes
from app.system.language import listed, tr, used
from app.system.scratch_folders import ScratchFolder
from app.window.labels import Elided, Plain, breaking
from app.window.widgets import KeyFilter, filled, make, push, set_role
from physics import Scenario
from physics.schemes.own_scheme import own_codes

OURS = "polhode: "  # with which what a command says begins


class ExportState(Enum):
    """State of an export."""

    WAITING = "Waiting"
    RUNNING = "Computing…"
    STOPPING = "Stopping…"
    DONE = "Done"
    STOPPED = "Stopped; no file was written"
    FAILED = "Failed"


class Export(QObject):
    """One file that is to be written, by a command of ``polhode`` in a process of its own.

    ``word`` says how it stands; ``done`` of ``total`` frames are drawn.
    """

    changed = Signal()
    ended = Signal()

    def __init__(self, scenario: Scenario, output: Path, writer: Writer, parent: QObject) -> None:
        super().__init__(parent)
        self.output, self.writer, self.state = output, writer, ExportState.WAITING
        self.word, self.done, self.total = tr(ExportState.WAITING.value), 0, 0
        self._scenario, self._begun, self._error = scenario, 0.0, ""
        self._before: tuple[int, int] | None = None
        self._folder: ScratchFolder | None = None
        self._process: QProcess | None = None

    @property
    def over(self) -> bool:
        """True if nothing more will happen."""
        return self.state in (ExportState.DONE, ExportState.STOPPED, ExportState.FAILED)

    def start(self) -> None:
        """Begin to write."""
        self._folder = ScratchFolder()
        file = self._folder.path / "scenario.toml"
        file.write_text(toml_text(self._scenario.portable()), encoding="utf-8")
        self._begun, self._before = time.monotonic(), self._version()
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment())
        self._process.setReadChannel(QProcess.ProcessChannel.StandardError)
        self._process.readyReadStandardError.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._broken)
        self._say(ExportState.RUNNING)
        words = [self.writer.command, str(file), "--output", str(self.output), "--progress", "lines"]
        if not self.writer.raw:  # states have no words
            words += ["--language", used()]
        for number, code in enumerate(own_codes(self._scenario.lanes)):  # as read: the files may be others by now
            copy = self._folder.path / str(number) / code.path.name
            copy.parent.mkdir()
            copy.write_text(code.text, encoding="utf-8")
            words += ["--scheme-file", str(copy)]
        program, *arguments = processes.python("-m", "app", *words)
        self._process.start(program, arguments)

    def cancel(self) -> None:
        """Stop soon; no file is left behind."""
        if self.state is ExportState.WAITING:
            self._say(ExportState.STOPPED)
            self.ended.emit()
        elif self._process is not None:
            self._say(ExportState.STOPPING)
            self._process.terminate()

    def stop(self) -> None:
        """End at once, and wait for it: the window closes."""
        self.cancel()
        if self._process is not None and not self._process.waitForFinished(3000):
            self._process.kill()
            self._process.waitForFinished(10_000)

    def _read(self) -> None:
        assert self._process is not None
        while self._process.canReadLine():  # what is printed comes in pieces
            line = bytes(self._process.readLine().data()).decode(errors="replace")
            words = line.split()
            if len(words) == 3 and words[0] == "progress":
                self._advance(int(words[1]), int(words[2]))
            elif line.strip():
                self._error = line.strip()

    def _advance(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if done and self.state is ExportState.RUNNING:
            left = (time.monotonic() - self._begun) / done * (total - done)
            self._say(
                ExportState.RUNNING,
                tr("Frame {done} of {total}, {time} left").format(done=done, total=total, time=duration(left)),
            )

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self._process = None
        if self._folder is not None:
            self._folder.remove()
        written = code == 0 or self._version() != self._before  # states of a lane without a solution end with 1
        if status == QProcess.ExitStatus.NormalExit and written:
            failed = self._error.removeprefix(OURS) if self._error.startswith(OURS) else ""
            told = [tr("Written to {file}").format(file=self.output), failed]
            self._say(ExportState.DONE, listed(filter(None, told)))
        elif self.state is ExportState.STOPPING:
            self._say(ExportState.STOPPED)
        else:
            self._say(ExportState.FAILED, self._error.removeprefix(OURS) or tr("The export ended without a message"))
            error_log.note(f"{self.writer.command} to {self.output}: {self.word}")
        self.ended.emit()

    def _version(self) -> tuple[int, int] | None:
        """Numbers that are others once the file was written anew; None: there is none that can be seen."""
        try:
            facts = self.output.stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def _broken(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._error = tr("cannot start {program}").format(program=sys.executable)
            self._finish(1, QProcess.ExitStatus.CrashExit)

    def _say(self, state: ExportState, word: str | None = None) -> None:
        self.state, self.word = state, word or tr(state.value)
        self.word = self.word[:1].upper() + self.word[1:]
        self.changed.emit()


class ExportQueue(QObject):
    """The requested exports; the next begins when the previous one has ended."""

    added = Signal(object)  # an Export

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.exports: list[Export] = []

    def add(self, scenario: Scenario, output: Path, writer: Writer) -> Export:
        """Write a scenario, as its view and export tables say, to a file by a writer's command."""
        export = Export(scenario, output, writer, self)
        export.ended.connect(self._next)
        self.exports.append(export)
        self.added.emit(export)
        self._next()
        return export

    @property
    def busy(self) -> bool:
        """True if something is being written or waits for it."""
        return any(not export.over for export in self.exports)

    @property
    def unwritten(self) -> list[Export]:
        """Those that are being written or wait for it."""
        return [one for one in self.exports if one.state in (ExportState.RUNNING, ExportState.WAITING)]

    def stop(self) -> None:
        """End all, and wait: the window closes."""
        for export in reversed(self.exports):  # those that wait first, so that none of them begins
            export.stop()

    def _next(self) -> None:
        if not any(export.state in (ExportState.RUNNING, ExportState.STOPPING) for export in self.exports):
            waiting = next((export for export in self.exports if export.state is ExportState.WAITING), None)
            if waiting is not None:
                waiting.start()


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _environment() -> QProcessEnvironment:
    """Environment of a child process, as Qt has it."""
    result = QProcessEnvironment()
    for name, value in processes.environment().items():
        result.insert(name, value)
    return result


SEEN = 3  # rows that are seen without scrolling
LOW = 560  # [pixels] of a screen on which the dialog would not fit with them


class Rows(QScrollArea):
    """Progress of all exports, scrolled to the newest or the active one. Hidden while there is none."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setVisible(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Exports"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        within = QWidget()
        self._column = filled(QVBoxLayout(within), 1, margins=(0, 0, 8, 0), spacing=8)
        self.setWidget(within)

    def add(self, export: Export) -> None:
        """Show one more."""
        row = Row(export)
        self._column.insertWidget(self._column.count() - 1, row)
        if self.isHidden():
            seen = SEEN if self.screen().availableSize().height() > LOW else SEEN - 1
            self.setMinimumHeight(seen * (row.sizeHint().height() + self._column.spacing()))
        self.show()
        export.changed.connect(lambda: self._follow(row))
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(row, 0, 0))  # when it has its place

    def _follow(self, row: Row) -> None:
        """Bring one into sight when it begins."""
        if row.export.state is ExportState.RUNNING and not row.export.done:
            self.ensureWidgetVisible(row, 0, 0)


class Row(QWidget):
    """Progress of one export, and a button that stops it."""

    def __init__(self, export: Export) -> None:
        super().__init__()
        self.export = export
        self.name = Elided(export.output.name)
        self.bar = make(
            QProgressBar, textVisible=False, accessibleName=tr("Progress of {file}").format(file=export.output.name)
        )
        self.word = Plain(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        name = tr("Cancel {file}").format(file=export.output.name)
        self.cancel_button = push(tr("Cancel"), export.cancel, accessibleName=name, autoDefault=False)
        line = filled(QHBoxLayout(), (self.name, 2), (self.bar, 1), self.cancel_button)
        filled(QVBoxLayout(self), line, self.word, margins=(0, 0, 0, 0), spacing=2)
        export.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how it stands now."""
        export = self.export
        self.bar.setVisible(not export.over)
        self.bar.setMaximum(export.total or int(export.state is ExportState.WAITING))  # 0: busy
        self.bar.setValue(export.done)
        self.cancel_button.setVisible(not export.over)
        self.cancel_button.setEnabled(export.state is not ExportState.STOPPING)
        set_role(self.word, "error" if export.state is ExportState.FAILED else "dim")
        self.word.setText(breaking(export.word))


LONGEST = 260  # [pixels] of a name in the status line
FINISHED = {
    ExportState.DONE: "{file} is written",
    ExportState.STOPPED: "{file} was stopped",
    ExportState.FAILED: "{file} failed",
}


class ExportNote(QToolButton):
    """Tells of the export that runs, or of the last one; a click shows the dialog. Hidden before the first export."""

    def __init__(self, queue: ExportQueue) -> None:
        super().__init__(autoRaise=True)
        self.setVisible(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Exports"))
        self.setToolTip(tr("Show the exports (Ctrl+E)"))
        self.installEventFilter(KeyFilter(self))
        self.setProperty("role", "note")
        self.queue = queue
        queue.added.connect(self._follow)

    def _follow(self, export: Export) -> None:
        export.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Tell how it stands now."""
        at_work = [export for export in self.queue.exports if not export.over]
        export = at_work[0] if at_work else self.queue.exports[-1]
        share = f" {100 * export.done // export.total} %" if export.total else ""
        name = self.fontMetrics().elidedText(export.output.name, Qt.TextElideMode.ElideMiddle, LONGEST)
        text = tr(FINISHED[export.state]) if export.state in FINISHED else tr("Exporting {file}")
        text = text.format(file=name)
        text += share if export.state not in FINISHED else ""
        self.setText(
            tr("{text}, {count} more to come").format(text=text, count=len(at_work) - 1) if len(at_work) > 1 else text
        )
        self.setVisible(True)
