"""The queue of exports: each a process of its own, one after another, so that the window stays alive."""

from __future__ import annotations

import sys
import time
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from app.document.toml_writer import toml_text
from app.system import errors as error_log
from app.system import processes
from app.system.language import tr, used
from app.system.scratch_folders import ScratchFolder
from physics import Scenario
from physics.schemes.own_scheme import own_codes


class State(Enum):
    """What becomes of an export."""

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

    def __init__(self, scenario: Scenario, output: Path, command: str, parent: QObject) -> None:
        super().__init__(parent)
        self.output, self.command, self.state = output, command, State.WAITING
        self.word, self.done, self.total = tr(State.WAITING.value), 0, 0
        self._scenario, self._begun, self._error = scenario, 0.0, ""
        self._folder: ScratchFolder | None = None
        self._process: QProcess | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (State.DONE, State.STOPPED, State.FAILED)

    def start(self) -> None:
        """Begin to write."""
        self._folder = ScratchFolder()
        file = self._folder.path / "scenario.toml"
        file.write_text(toml_text(self._scenario.portable()), encoding="utf-8")
        self._begun = time.monotonic()
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment())
        self._process.readyReadStandardError.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._broken)
        self._say(State.RUNNING)
        words = [self.command, str(file), "--output", str(self.output), "--progress", "lines"]
        if self.command != "run":  # states have no words
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
        if self.state is State.WAITING:
            self._say(State.STOPPED)
            self.ended.emit()
        elif self._process is not None:
            self._say(State.STOPPING)
            self._process.terminate()

    def stop(self) -> None:
        """End at once, and wait for it: the window closes."""
        self.cancel()
        if self._process is not None and not self._process.waitForFinished(3000):
            self._process.kill()
            self._process.waitForFinished(10_000)

    def _read(self) -> None:
        assert self._process is not None
        text = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        for line in text.splitlines():
            words = line.split()
            if len(words) == 3 and words[0] == "progress":
                self._advance(int(words[1]), int(words[2]))
            elif line.strip():
                self._error = line.strip().removeprefix("polhode: ")

    def _advance(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if done and self.state is State.RUNNING:
            left = (time.monotonic() - self._begun) / done * (total - done)
            self._say(
                State.RUNNING,
                tr("Frame {done} of {total}, {time} left").format(done=done, total=total, time=duration(left)),
            )

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self._process = None
        if self._folder is not None:
            self._folder.remove()
        if status == QProcess.ExitStatus.NormalExit and code == 0:
            self._say(State.DONE, tr("Written to {file}").format(file=self.output))
        elif self.state is State.STOPPING:
            self._say(State.STOPPED)
        else:
            self._say(State.FAILED, self._error or tr("The export ended without a word"))
            error_log.note(f"{self.command} to {self.output}: {self.word}")
        self.ended.emit()

    def _broken(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._error = tr("cannot start {program}").format(program=sys.executable)
            self._finish(1, QProcess.ExitStatus.CrashExit)

    def _say(self, state: State, word: str | None = None) -> None:
        self.state, self.word = state, word or tr(state.value)
        self.word = self.word[:1].upper() + self.word[1:]
        self.changed.emit()


class ExportQueue(QObject):
    """The exports that were asked for; the next begins when the one before is over."""

    added = Signal(object)  # an Export

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.exports: list[Export] = []

    def add(self, scenario: Scenario, output: Path, command: str) -> Export:
        """Write a scenario, as its view and export tables say, to a file by a command of ``polhode``."""
        export = Export(scenario, output, command, self)
        export.ended.connect(self._next)
        self.exports.append(export)
        self.added.emit(export)
        self._next()
        return export

    @property
    def busy(self) -> bool:
        """Whether something is being written or waits for it."""
        return any(not export.over for export in self.exports)

    def stop(self) -> None:
        """End all, and wait: the window closes."""
        for export in reversed(self.exports):  # those that wait first, so that none of them begins
            export.stop()

    def _next(self) -> None:
        if not any(export.state in (State.RUNNING, State.STOPPING) for export in self.exports):
            waiting = next((export for export in self.exports if export.state is State.WAITING), None)
            if waiting is not None:
                waiting.start()


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _environment() -> QProcessEnvironment:
    """That of a child, as Qt has it."""
    result = QProcessEnvironment()
    for name, value in processes.environment().items():
        result.insert(name, value)
    return result
