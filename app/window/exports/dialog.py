"""Export: asks for file, size, rate and looks, and shows how the exports that were asked for stand."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.clock import SPEEDS
from app.window.cards import Explanation, across
from app.window.exports.queue import COMMANDS, Export, ExportQueue, State
from physics import Scenario

SIZES = ("1280x720", "1920x1080", "2560x1440", "3840x2160", "1080x1080", "1080x1920")
RATES = ("24", "25", "30", "50", "60")
LISTED = 110  # [pixels] of exports that were asked for; more of them are scrolled
SPINS = (0.0, 3.0, 6.0, 12.0, 24.0)
CAMERAS = {
    "The whole motion": "fit",
    "With the body": "follow",
    "On the body": "ride",
    "Down the slope": "slope",
    "From above": "top",
    "From the front": "front",
    "From the side": "side",
    "From the back": "back",
    "From the left": "left",
}
LAYOUTS = {"Side by side": "side-by-side", "Overlay": "overlay"}
PLOTS = {"None": "none", "Under the view": "under", "Beside the view": "beside"}
FILTER = ";;".join(
    (
        "Films (*.mp4 *.webm *.gif *.apng)",
        "Picture of this moment (*.png)",
        "Page that plays in a browser (*.html)",
        "3D model that moves (*.glb)",
        "Plots, or their curves (*.svg *.pdf *.csv)",
        "Stored states (*.npz *.parquet)",
        "Folder of numbered pictures (*)",
    )
)


class ExportDialog(QDialog):
    """Puts what is asked for into a queue, which lives on when the dialog is closed.

    The scenario's view and export tables are what the dialog begins with.
    """

    def __init__(self, scenario: Scenario, queue: ExportQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent, windowTitle="Export")
        self.setMinimumWidth(660)
        self.scenario, self.queue = scenario, queue
        self._asked: Path | None = None  # that exists already, as was said
        export = scenario.export
        self.file = QLineEdit(str(_free(_home() / f"{_slug(scenario.title)}.mp4", queue)), accessibleName="File")
        self.file.setToolTip(f"The ending says what is written: {', '.join(COMMANDS)}; a name without one is a folder")
        self.size_box = _choices("Size in pixels", {size: size for size in SIZES}, "{}x{}".format(*export.size))
        self.rate = _choices("Frames per second", {rate: rate for rate in RATES}, f"{export.fps:g}")
        self.speed = _choices("Speed", {f"{speed:g}×": speed for speed in SPEEDS}, export.speed)
        self.layout_box = _choices("Layout", LAYOUTS, scenario.view.layout or "side-by-side")
        self.camera = _choices("Camera", self._cameras(), "" if self._as_in_view else scenario.view.camera or "fit")
        self.plots = _choices("Plots", PLOTS, export.plots)
        self.orbit = _choices("Camera goes around", {f"{spin:g}° a second": spin for spin in SPINS}, export.orbit)
        self.captions = QCheckBox("Title, clock, legend and schemes", checked=export.captions)
        self.compare = QCheckBox("The run without the last edit beside it", checked=scenario.view.compare)
        self.compare.setEnabled(bool(scenario.edit))
        self.compare.setToolTip("Of an edit from the playhead: its lanes are drawn paler and dotted, with a prime")
        self.transparent = QCheckBox("No sky behind pictures", checked=export.transparent)
        self.transparent.setToolTip("For .png and folders of pictures; films have no transparency")
        self.word = Explanation()
        self.start_button = QPushButton("Export", default=True)
        self.start_button.setProperty("role", "primary")
        self.start_button.clicked.connect(self.start)
        self.rows = QVBoxLayout()
        self.rows.setContentsMargins(0, 0, 8, 0)
        self.rows.setSpacing(8)
        self.rows.addStretch(1)
        self.listed = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, visible=False)
        self.listed.setMinimumHeight(LISTED)
        within = QWidget()
        within.setLayout(self.rows)
        self.listed.setWidget(within)
        self._arrange()
        for known in queue.exports:
            self._add_row(known)
        queue.added.connect(self._add_row)

    def _arrange(self) -> None:
        choose = QPushButton("Choose…")
        choose.clicked.connect(self._choose)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(10)
        form.addRow("File", across(self.file, choose))
        form.addRow("Size [pixels]", self.size_box)
        form.addRow("Frames per second", self.rate)
        form.addRow("Simulated seconds per second", self.speed)
        form.addRow("Layout", self.layout_box)
        form.addRow("Camera", self.camera)
        form.addRow("Plots", self.plots)
        form.addRow("Camera goes around", self.orbit)
        form.addRow("Captions", self.captions)
        form.addRow("Compare", self.compare)
        form.addRow("Transparent", self.transparent)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.start_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 18)
        column.setSpacing(14)
        column.addLayout(form)
        column.addWidget(self.word)
        column.addLayout(buttons)
        column.addWidget(self.listed, 1)

    def _cameras(self) -> dict[str, object]:
        """The cameras to choose from; first those that the scenario lists, or the view's own."""
        return ({"As in the view": ""} if self._as_in_view else {}) | CAMERAS

    @property
    def _as_in_view(self) -> bool:
        return bool(self.scenario.view.cameras) or self.scenario.view.viewpoint is not None

    def _choose(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export", self.file.text(), FILTER)
        if name:
            self.file.setText(name)

    def start(self) -> None:
        """Put what is asked for into the queue; a file that exists is replaced when one asks again."""
        try:
            output = Path(self.file.text().strip()).expanduser().absolute()
            word = self._objection(output)
        except (OSError, RuntimeError) as error:  # a name that is too long, the home of nobody
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self.word.say(f"expected another name: {why.lower().rstrip('.')}")
            return
        self.word.say(word)
        self._asked = output if word else None
        if not word:
            self.queue.add(self.asked(), output)

    def _objection(self, output: Path) -> str:
        """Why nothing is written there; "" where it is."""
        if any(export.output == output and not export.over for export in self.queue.exports):
            return f"expected another name: {output.name} is being written already"
        if not os.path.isdir(output.parent):
            return f"expected a folder that exists; there is no {output.parent}"
        if os.path.isdir(output) and os.listdir(output):
            return f"expected the name of a file, or of a new folder for pictures; {output} is a folder with files"
        if output.exists() and self._asked != output:  # raises where the name is too long
            return f"{output.name} exists already: Export once more replaces it"
        return ""

    def asked(self) -> Scenario:
        """The scenario with the tables that the dialog's fields say."""
        mode = self.camera.currentData()
        view = {"view.camera": mode, "view.viewpoint": None, "view.cameras": ()} if mode else {}
        width, height = map(int, self.size_box.currentText().split("x"))
        return self.scenario.changed(
            **{
                **view,
                "view.compare": self.compare.isChecked(),
                "export.transparent": self.transparent.isChecked(),
                "view.layout": self.layout_box.currentData(),
                "export.size": (width, height),
                "export.fps": float(self.rate.currentText()),
                "export.speed": self.speed.currentData(),
                "export.plots": self.plots.currentData(),
                "export.orbit": self.orbit.currentData(),
                "export.captions": self.captions.isChecked(),
            }
        )

    def _add_row(self, export: Export) -> None:
        self.rows.insertWidget(self.rows.count() - 1, Row(export))
        self.listed.show()


class Row(QWidget):
    """How one export stands, and a button that stops it."""

    def __init__(self, export: Export) -> None:
        super().__init__()
        self.export = export
        self.name = QLabel(export.output.name)
        self.bar = QProgressBar(textVisible=False, accessibleName=f"Progress of {export.output.name}")
        self.word = QLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cancel_button = QPushButton("Cancel", accessibleName=f"Cancel {export.output.name}", autoDefault=False)
        self.cancel_button.clicked.connect(export.cancel)
        line = across(self.name, self.bar, self.cancel_button)
        line.setStretch(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.word)
        export.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how it stands now."""
        export = self.export
        self.bar.setVisible(not export.over)
        self.bar.setMaximum(export.total or int(export.state is State.WAITING))  # 0: busy
        self.bar.setValue(export.done)
        self.cancel_button.setVisible(not export.over)
        self.cancel_button.setEnabled(export.state is not State.STOPPING)
        self.word.setProperty("role", "error" if export.state is State.FAILED else "dim")
        self.word.style().unpolish(self.word)
        self.word.style().polish(self.word)
        self.word.setText(export.word)


def _choices(name: str, choices: dict[str, object], chosen: object) -> QComboBox:
    """A box of choices, each with its data; what is chosen is added where it is none of them."""
    box = QComboBox(accessibleName=name)
    for text, data in choices.items():
        box.addItem(text, data)
    if (at := box.findData(chosen)) < 0:
        box.addItem(f"{chosen}", chosen)
        at = box.count() - 1
    box.setCurrentIndex(at)
    return box


def _home() -> Path:
    """Where films are kept, where there is such a folder."""
    videos = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation))
    return videos if videos.is_dir() and videos != Path() else Path.home()


def _free(path: Path, queue: ExportQueue) -> Path:
    """The file, or another one beside it with a number, that neither exists nor is being written."""
    taken = {export.output for export in queue.exports}
    names = (path, *(path.with_stem(f"{path.stem}-{number}") for number in range(2, 1000)))
    return next((name for name in names if name not in taken and not name.exists()), path)


def _slug(title: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in title.lower()).split()
    return "-".join(words) or "polhode"
