"""Export a video: asks for file, size and rate, and lets a process of its own do the work."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import tomlkit
from PySide6.QtCore import QProcess, QProcessEnvironment, QStandardPaths, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

import app
from app.clock import SPEEDS
from physics import Scenario

SIZES = ("1280x720", "1920x1080", "3840x2160")
RATES = ("24", "25", "30", "50", "60")
FILTER = "Videos (*.mp4 *.webm *.gif)"


class ExportDialog(QDialog):
    """Writes a scenario's video with ``polhode video``, so that the window stays alive and it can be stopped."""

    def __init__(self, scenario: Scenario, layout: str, camera: str, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, windowTitle="Export video")
        self.setMinimumWidth(640)
        self.scenario, self.theme_name, self.camera = scenario, theme, camera
        self.process: QProcess | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._errors, self._begun, self._cancelled = "", 0.0, False
        videos = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation) or str(Path.home())
        self.file = QLineEdit(str(Path(videos) / f"{_slug(scenario.title)}.mp4"), accessibleName="File")
        self.size_box = QComboBox(accessibleName="Size in pixels")
        self.size_box.addItems(SIZES)
        self.size_box.setCurrentIndex(1)
        self.rate = QComboBox(accessibleName="Frames per second")
        self.rate.addItems(RATES)
        self.rate.setCurrentText("30")
        self.speed = QComboBox(accessibleName="Speed")
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.layout_box = QComboBox(accessibleName="Layout")
        self.layout_box.addItem("Side by side", "side-by-side")
        self.layout_box.addItem("Overlay", "overlay")
        self.layout_box.setCurrentIndex(self.layout_box.findData(layout))
        self.bar = QProgressBar(textVisible=False, accessibleName="Progress", visible=False)
        self.word = QLabel(
            wordWrap=True, visible=False, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.start_button = QPushButton("Export", default=True)
        self.start_button.setProperty("role", "primary")
        self.cancel_button = QPushButton("Close")
        self.start_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self.cancel)
        self._arrange()

    def _arrange(self) -> None:
        choose = QPushButton("Choose…")
        choose.clicked.connect(self._choose)
        file_row = QHBoxLayout()
        file_row.addWidget(self.file, 1)
        file_row.addWidget(choose)
        self.form = QWidget()
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(10)
        form.addRow("File", file_row)
        form.addRow("Size [pixels]", self.size_box)
        form.addRow("Frames per second", self.rate)
        form.addRow("Simulated seconds per second", self.speed)
        form.addRow("Layout", self.layout_box)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.start_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 18)
        column.setSpacing(14)
        column.addWidget(self.form)
        column.addWidget(self.bar)
        column.addWidget(self.word)
        column.addLayout(buttons)

    def _choose(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export video", self.file.text(), FILTER)
        if name:
            self.file.setText(name)

    # ---- the process -----------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether a video is being written."""
        return self.process is not None

    def start(self) -> None:
        """Begin to write."""
        self._folder = tempfile.TemporaryDirectory(prefix="polhode-")
        scenario = Path(self._folder.name) / "scenario.toml"
        scenario.write_text(as_toml(self.scenario), encoding="utf-8")
        self._errors, self._begun, self._cancelled = "", time.monotonic(), False
        self.process = QProcess(self)
        self.process.setProcessEnvironment(_environment())
        self.process.readyReadStandardError.connect(self._read)
        self.process.finished.connect(self._finish)
        self.process.errorOccurred.connect(self._broken)
        self.form.setEnabled(False)
        self.start_button.setEnabled(False)
        self.cancel_button.setText("Cancel")
        self.bar.setMaximum(0)
        self.bar.show()
        self._say("Computing…")
        self.process.start(sys.executable, self._arguments(scenario))

    def _arguments(self, scenario: Path) -> list[str]:
        output = Path(self.file.text()).expanduser().absolute()
        return [
            "-m", "app", "video", str(scenario), "--output", str(output),
            "--size", self.size_box.currentText(), "--fps", self.rate.currentText(),
            "--speed", f"{self.speed.currentData():g}", "--layout", self.layout_box.currentData(),
            "--camera", self.camera, "--theme", self.theme_name, "--progress", "lines",
        ]  # fmt: skip

    def cancel(self) -> None:
        """Stop writing, or close when nothing is written."""
        if self.process is None:
            self.reject()
            return
        self._cancelled = True
        self._say("Stopping…")
        self.process.terminate()

    def stop(self) -> None:
        """End the process, and wait for it: the window closes."""
        if self.process is not None:
            self._cancelled = True
            self.process.terminate()
            if not self.process.waitForFinished(3000):
                self.process.kill()
                self.process.waitForFinished(1000)

    def reject(self) -> None:
        """Escape or the window's cross: stop first."""
        self.stop()
        super().reject()

    def _read(self) -> None:
        assert self.process is not None
        text = self.process.readAllStandardError().data().decode(errors="replace")
        for line in text.splitlines():
            words = line.split()
            if len(words) == 3 and words[0] == "progress":
                self._show_progress(int(words[1]), int(words[2]))
            elif line.strip():
                self._errors = line.strip()

    def _show_progress(self, done: int, total: int) -> None:
        self.bar.setMaximum(max(total, 1))
        self.bar.setValue(done)
        if done and not self._cancelled:
            left = (time.monotonic() - self._begun) / done * (total - done)
            self._say(f"Frame {done} of {total}, {_duration(left)} left")

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self.process = None
        if self._folder is not None:
            self._folder.cleanup()
        self.form.setEnabled(True)
        self.start_button.setEnabled(True)
        self.cancel_button.setText("Close")
        self.bar.hide()
        if self._cancelled:
            self._say("Stopped; no file was written")
        elif status == QProcess.ExitStatus.NormalExit and code == 0:
            self._say(f"Written to {self.file.text()}")
        else:
            self._say(self._errors.removeprefix("polhode: ") or "The export ended without a word", error=True)

    def _broken(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self.process is not None:
            self._errors = f"cannot start {sys.executable}"
            self._finish(1, QProcess.ExitStatus.CrashExit)

    def _say(self, text: str, error: bool = False) -> None:
        self.word.setProperty("role", "error" if error else "dim")
        self.word.style().unpolish(self.word)
        self.word.style().polish(self.word)
        self.word.setText(text[:1].upper() + text[1:])
        self.word.show()


def as_toml(scenario: Scenario) -> str:
    """The scenario as a file that may lie anywhere: the files that it names get absolute paths."""
    plain = scenario.to_plain()
    for table in ("body", "terrain"):
        if "file" in plain.get(table, {}):
            plain[table]["file"] = str(scenario.path(plain[table]["file"]).absolute())
    return tomlkit.dumps(plain)


def _environment() -> QProcessEnvironment:
    """Ours, and where the program itself lies, also when it runs from a source folder."""
    environment = QProcessEnvironment.systemEnvironment()
    home = str(Path(app.__file__).parent.parent)
    environment.insert("PYTHONPATH", os.pathsep.join(filter(None, [home, environment.value("PYTHONPATH")])))
    return environment


def _slug(title: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in title.lower()).split()
    return "-".join(words) or "polhode"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
