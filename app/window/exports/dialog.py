"""Export dialog: choose a kind, a place and a look; preview, duration and size before it begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QImage, QPixmap
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.document.export_kinds import KINDS, ExportFormat, ExportKind, Writer, file_name
from app.document.settings import Settings
from app.playback.run import Lane, Run, end_of, faded
from app.system.language import tr, translated
from app.window.exports.form import Form
from app.window.exports.queue import Export, ExportQueue, Rows, duration
from app.window.labels import Plain
from app.window.widgets import Explanation, across, dim, filled, make, push
from physics import PhysicsError, Scenario, ScenarioError
from physics.io.trajectory_writers import check_unread
from physics.scenario.fingerprints import files_of

if TYPE_CHECKING:
    from app.export.preview import Estimate, Step


FIXED = "\u00a0"  # a space at which no line breaks
WAIT = 400  # [ms] after the last change until it is tried
SIZE = QSize(352, 198)  # size of the picture [pixels]


class Preview(QWidget):
    """Tries the requested export a moment after the last change, in steps between which the window lives on.

    run : whose lanes are shown; before : the run without the last edit, where it is known
    """

    estimated = Signal()

    def __init__(self, run: Run | None, before: Run | None) -> None:
        super().__init__()
        self.run, self.before = run, before
        self.picture = Plain(accessibleName=tr("Preview"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(SIZE)
        self.picture.setObjectName("preview")
        self.written, self.words = dim(name=tr("What is written")), dim(tr("Estimating…"), name=tr("Estimate"))
        self.estimate: Estimate | None = None
        filled(QVBoxLayout(self), self.picture, self.written, self.words, margins=(0, 0, 0, 0), spacing=6)
        self._ask: Callable[[], tuple[Scenario, str, Writer]] | None = None
        self._steps: Generator[Step, None, None] | None = None
        self._wait = QTimer(self, interval=WAIT, singleShot=True)
        self._wait.timeout.connect(self._begin)
        self._work = QTimer(self, interval=15)
        self._work.timeout.connect(self._go_on)

    def show_soon(self, ask: Callable[[], tuple[Scenario, str, Writer]], *, seen: bool) -> None:
        """Try the export returned by ``ask``: scenario, ending and writer; seen : whether it has a look."""
        self._ask = ask
        if not seen or self.picture.text():
            self.picture.setText("" if seen else tr("Numbers only"))
        self.estimate = None
        self.stop()
        if self.run is not None and self.run.world is not None:
            self.words.setText(tr("Estimating…"))
            self._wait.start()
        else:
            self.words.hide()

    def stop(self) -> None:
        """Try no longer."""
        self._wait.stop()
        self._work.stop()
        if self._steps is not None:
            self._steps.close()
        self._steps = None
        if self.estimate is None:
            self.words.setText("")

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop drawing while hidden."""
        super().hideEvent(event)
        self.stop()

    def _begin(self) -> None:
        from app.export.preview import trial  # here: it loads what draws films and figures

        assert self._ask is not None
        assert self.run is not None
        assert self.run.world is not None
        try:
            scenario, ending, writer = self._ask()
        except ScenarioError as error:
            self.words.setText(translated(error))
            return
        world = replace(self.run.world, scenario=scenario)
        self._steps = trial(world, self._lanes(scenario), ending, writer, self.run.seconds)
        self._work.start()

    def _lanes(self, scenario: Scenario) -> Sequence[Lane]:
        assert self.run is not None
        compared = scenario.view.compare and self.before is not None
        return self.run.lanes + (faded(self.before.lanes) if compared and self.before is not None else ())

    def _go_on(self) -> None:
        from app.export.preview import Estimate

        assert self._steps is not None
        try:
            step = next(self._steps)
        except StopIteration:
            self.stop()
            return
        except (PhysicsError, ScenarioError, OSError) as error:
            self.stop()
            self.words.setText(translated(error))
            return
        if isinstance(step, Estimate):
            self.estimate = step
            self.words.setText(in_words(step))
            self.estimated.emit()
        elif step is not None:
            self._show(step)

    def _show(self, picture: np.ndarray) -> None:
        high, wide, colours = picture.shape
        form = QImage.Format.Format_RGB888 if colours == 3 else QImage.Format.Format_RGBA8888
        image = QImage(np.ascontiguousarray(picture).data, wide, high, colours * wide, form)
        ratio = self.devicePixelRatioF()
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        pixmap = QPixmap.fromImage(image.scaled(SIZE * ratio, keep, smooth))
        pixmap.setDevicePixelRatio(ratio)
        self.picture.setPixmap(pixmap)


def in_words(estimate: Estimate) -> str:
    """Text of the time and size of an export."""
    return tr("Takes about {time}, the file about {size}").format(
        time=duration(round_to(estimate.seconds)), size=size(estimate.bytes)
    )


def size(count: float) -> str:
    """Number of bytes, for people; two digits, as it is an estimate."""
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6)):
        if count >= 0.995 * bytes_:
            return f"{float(f'{count / bytes_:.2g}'):g} {unit}"
    return f"{max(1.0, float(f'{count / 1e3:.2g}')):g} kB"


def round_to(seconds: float) -> float:
    """A time [s] in two digits, as it is an estimate."""
    return float(f"{seconds:.2g}")


class ExportDialog(QDialog):
    """Puts the requested export into a queue, which lives on when the dialog is closed.

    The scenario's view and export tables are what the dialog begins with.
    run : what the window shows, for the preview; before : the run without the last edit
    settings : with kind, format and size of the last export, which the dialog begins with, and keeps
    """

    def __init__(
        self,
        scenario: Scenario,
        queue: ExportQueue,
        parent: QWidget | None = None,
        *,
        run: Run | None = None,
        before: Run | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        self.scenario, self.queue = scenario, queue
        self.settings = settings or Settings()
        self._asked: Path | None = None  # that exists already, as was said
        self._named = ""  # the file's name as the dialog has put it
        complete = run is not None and run.finished and run.world is not None
        self.end = end_of(run.lanes) if complete and run is not None else scenario.duration
        self.kinds = QButtonGroup(self, exclusive=True)
        self.hint = dim()
        self.format_box = make(QComboBox, accessibleName=tr("Format"))
        self.file = make(QLineEdit, accessibleName=tr("File"))
        self.form = Form(scenario, self.end, self._sizes())
        self.preview = Preview(run, before)
        self.word = Explanation()
        self.start_button = push(tr("Export"), self.start, "primary", default=True)
        self.rows = Rows()
        self._make_room()
        self._arrange()
        for known in queue.exports:
            self._follow(known)
        queue.added.connect(self._follow)
        self.preview.estimated.connect(self._name)
        self.choose_kind(next((kind for kind in self._served if kind.title == self.settings.exported), KINDS[0]))
        self.kinds.idToggled.connect(lambda number, on: self.choose_kind(KINDS[number]) if on else None)
        self.format_box.activated.connect(self._take_format)
        self.file.textChanged.connect(self._renamed)
        self.form.changed.connect(self._tell)

    def _arrange(self) -> None:
        buttons = filled(QHBoxLayout(), spacing=6)
        for number, kind in enumerate(KINDS):
            button = make(QPushButton, tr(kind.title), checkable=True, autoDefault=False, toolTip=tr(kind.hint))
            button.setVisible(kind in self._served)
            self.kinds.addButton(button, number)
            buttons.addWidget(button)
        buttons.addSpacing(8)
        buttons.addWidget(self.hint, 1)
        self.form.add_first(tr("Format"), self.format_box)
        left = filled(QVBoxLayout(), self.form, 1)
        right = filled(QVBoxLayout(), self.preview, (self.rows, 1), 0)
        middle = filled(QHBoxLayout(), (left, 1), right, spacing=20)
        name = across(self.file, push(tr("Choose…"), self._choose, autoDefault=False))
        close = push(tr("Close"), self.reject, autoDefault=False)
        last = filled(QHBoxLayout(), (self.word, 1), 0, close, self.start_button)
        filled(QVBoxLayout(self), buttons, name, (middle, 1), last, margins=(20, 16, 20, 16), spacing=12)

    def _make_room(self) -> None:
        """The formats of all kinds have room, so that nothing moves where another kind is chosen."""
        self.format_box.addItems([_titled(one) for kind in KINDS for one in kind.formats])
        self.format_box.ensurePolished()
        self.format_box.setMinimumWidth(self.format_box.sizeHint().width())

    # ---- kind, format and file -------------------------------------------------------------------------

    @property
    def kind(self) -> ExportKind:
        """Kind of the export."""
        return KINDS[max(self.kinds.checkedId(), 0)]

    @property
    def format(self) -> ExportFormat:
        """Chosen format."""
        return self.kind.formats[max(self.format_box.currentIndex(), 0)]

    @property
    def _served(self) -> list[ExportKind]:
        """The kinds that serve the scenario."""
        return [kind for kind in KINDS if not kind.grounded or self.scenario.ground is not None]

    def _kept(self, kind: ExportKind) -> tuple[ExportFormat, str]:
        """Format and size of the last export of a kind; its first format, and "", before there was one."""
        title, size, *_ = [*self.settings.exports.get(kind.title, []), "", ""]
        size = size if size in kind.sizes.values() else ""
        return next((one for one in kind.formats if one.title == title), kind.formats[0]), size

    def _sizes(self) -> dict[str, str]:
        """The sizes that are kept, by the kind's title; a scenario's own stands before those of pictures."""
        own = "size" in self.scenario.export.model_fields_set
        kinds = [kind for kind in KINDS if not (own and kind.sizes == KINDS[0].sizes)]
        return {kind.title: size for kind in kinds if (size := self._kept(kind)[1])}

    def choose_kind(self, kind: ExportKind) -> None:
        """Ask for another kind: its formats, its fields, and a name that ends as it must."""
        self.kinds.button(KINDS.index(kind)).setChecked(True)
        self.hint.setText(tr(kind.hint))
        self.format_box.clear()
        for one in kind.formats:
            self.format_box.addItem(_titled(one))
        self.format_box.setCurrentIndex(kind.formats.index(self._kept(kind)[0]))
        self._take_format()

    def _take_format(self) -> None:
        """The name ends as the format wants it; one that the user has typed keeps its stem."""
        name = self.file.text().strip()
        fresh = not name or name == self._named
        path = _home() / slug(self.scenario.title) if fresh else Path(name)
        known = {one.ending for kind in KINDS for one in kind.formats}
        stem = path.with_suffix("") if path.suffix.lower() in known else path
        path = Path(f"{stem}{self.format.ending}")
        if fresh:
            path = _free(path, self.queue)
            self._named = str(path)
        self.file.setText(str(path))
        self.form.show_fields(self.kind, self.format)
        self._tell()

    def _renamed(self) -> None:
        """Another name was typed: one of another format of this kind chooses that format."""
        typed = self.kind.format(Path(self.file.text().strip()))
        if typed is not None and typed.ending != self.format.ending:
            self.format_box.setCurrentIndex(self.kind.formats.index(typed))
            self.form.show_fields(self.kind, self.format)
            self._tell()
        self._asked = None
        self.word.say(self._wrong())
        self._name()

    def _follow(self, export: Export) -> None:
        self.rows.add(export)
        export.ended.connect(self._free_name)

    def _free_name(self) -> None:
        """Propose a name anew once an export is over: it may have left its name free."""
        if self.file.text().strip() == self._named and not Path(self._named).exists():
            self._take_format()

    def _choose(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Export"), self.file.text(), self.kind.filter)
        if name:
            self.file.setText(name if Path(name).suffix else name + self.format.ending)

    # ---- estimates before it begins --------------------------------------------------------------------

    def _tell(self) -> None:
        """Tell at once what is wrong, and how long it will be; soon, what it looks like and what it takes."""
        self._asked = None
        self.word.say(self._wrong())
        self.preview.show_soon(self._for_trial, seen=not self.format.writer.raw)
        self._name()

    def _for_trial(self) -> tuple[Scenario, str, Writer]:
        return self.asked(), self.format.ending, self.format.writer

    def _wrong(self) -> str:
        """Objection to the name or the values; "" if there is none."""
        name = self.file.text().strip()
        return (self.kind.objection(Path(name)) if name else "") or self.form.objection(self.format)

    def _name(self) -> None:
        """Name what is written: the file, how long it is, its size."""
        said, form, known = [Path(self.file.text().strip()).name], self.form, self.preview.estimate
        if self.format.writer.raw:
            said.append(tr("every stored state of {time:.4g} s").format(time=self.end))
        if "rate" in form.shown:
            frames = form.frames if known is None else known.frames
            length = f"{frames / form.fps:.1f} s"
            if known is None and form.slows:
                length = tr("at least {length}").format(length=length)
            said += [one.replace(" ", FIXED) for one in (length, tr("{frames} frames").format(frames=frames))]
        if "size" in form.shown:
            said.insert(2, form.size_box.currentText())
        self.preview.written.setText(", ".join(filter(None, said)))

    def asked(self) -> Scenario:
        """The scenario with the tables that the dialog's fields say."""
        return self.form.asked(self.format)

    def start(self) -> None:
        """Put the requested export into the queue; an existing file is replaced on a second request."""
        try:
            output = Path(self.file.text().strip()).expanduser().absolute()
            asked = self.asked()
            word = self._wrong() or self._objection(output)
        except (PhysicsError, ScenarioError) as error:
            self.word.say(error)
            return
        except (OSError, RuntimeError) as error:  # a name too long, a user without a home folder
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self.word.say(tr("expected another name: {why}").format(why=why[:1].lower() + why[1:].rstrip(".")))
            return
        self.word.say(word)
        self._asked = output if word else None
        if not word:
            self.preview.stop()
            self.settings.exports[self.kind.title] = [self.format.title, self.form.size_box.currentData()]
            self.settings.exported = self.kind.title
            self.queue.add(asked, output, self.format.writer)

    def _objection(self, output: Path) -> str:
        """Reason why nothing is written there; "" where it is."""
        if any(export.output == output and not export.over for export in self.queue.exports):
            return tr("expected another name: {name} is being written already").format(name=output.name)
        if not os.path.isdir(output.parent):
            return tr("expected a folder that exists; there is no {folder}").format(folder=output.parent)
        if os.path.isdir(output) and os.listdir(output):
            return tr(
                "expected the name of a file, or of a new folder for pictures; {output} is a folder with files"
            ).format(output=output)
        check_unread(output, files_of(self.scenario))
        if output.exists() and self._asked != output:  # raises where the name is too long
            return tr("{name} exists already: press Export again to replace it").format(name=output.name)
        return ""


def _titled(one: ExportFormat) -> str:
    """The title of a format, with its ending where it has one."""
    return f"{tr(one.title)} ({one.ending})" if one.ending else tr(one.title)


def _home() -> Path:
    """Folder of the user's films, if there is one, else the home folder."""
    videos = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation))
    return videos if videos.is_dir() and videos != Path() else Path.home()


def _free(path: Path, queue: ExportQueue) -> Path:
    """The file, or another one beside it with a number, that neither exists nor is being written."""
    taken = {export.output for export in queue.exports if not export.over}  # one that failed has left its name free
    names = (path, *(path.with_stem(f"{path.stem}-{number}") for number in range(2, 1000)))
    return next((name for name in names if name not in taken and not name.exists()), path)


def slug(title: str) -> str:
    """A title as the name of a file."""
    return file_name("".join(c if c.isalnum() else " " for c in title.lower())) or "polhode"
