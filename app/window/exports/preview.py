"""Preview: what an export will look like, how long it will be, and what it takes, before it begins."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QImage, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.playback.run import Lane, Run, faded
from app.system.language import tr
from app.system.sentences import told
from app.window.exports.queue import duration
from app.window.labels import Plain
from app.window.widgets import dim
from physics import PhysicsError, Scenario, ScenarioError

if TYPE_CHECKING:
    from app.export.preview import Estimate, Step

WAIT = 400  # [ms] after the last change until it is tried
SIZE = QSize(352, 198)  # of the picture [pixels]


class Preview(QWidget):
    """Tries what is asked for a moment after the last change, in steps between which the window lives on.

    run : whose lanes are shown; before : the run without the last edit, where it is known
    """

    def __init__(self, run: Run | None, before: Run | None) -> None:
        super().__init__()
        self.run, self.before = run, before
        self.picture = Plain(accessibleName=tr("Preview"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(SIZE)
        self.picture.setObjectName("preview")
        self.length, self.told = dim(name=tr("Length")), dim(tr("Estimating…"), name=tr("Estimate"))
        self.estimate: Estimate | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.picture)
        column.addWidget(self.length)
        column.addWidget(self.told)
        self._ask: Callable[[], tuple[Scenario, str, str]] | None = None
        self._steps: Generator[Step, None, None] | None = None
        self._wait = QTimer(self, interval=WAIT, singleShot=True)
        self._wait.timeout.connect(self._begin)
        self._work = QTimer(self, interval=15)
        self._work.timeout.connect(self._go_on)

    def show_soon(self, ask: Callable[[], tuple[Scenario, str, str]], length: str, *, seen: bool) -> None:
        """Try what ``ask`` tells: scenario, ending and command; ``length`` is told at once.

        seen : whether it has a look
        """
        self._ask = ask
        if not seen or self.picture.text():
            self.picture.setText("" if seen else tr("Numbers only"))
        self.length.setText(length)
        self.length.setVisible(bool(length))
        self.estimate = None
        self.stop()
        if self.run is not None and self.run.world is not None:
            self.told.setText(tr("Estimating…"))
            self._wait.start()
        else:
            self.told.hide()

    def stop(self) -> None:
        """Try no longer."""
        self._wait.stop()
        self._work.stop()
        if self._steps is not None:
            self._steps.close()
        self._steps = None
        if self.estimate is None:
            self.told.setText("")

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not drawn."""
        super().hideEvent(event)
        self.stop()

    def _begin(self) -> None:
        from app.export.preview import trial  # here: it loads what draws films and figures

        assert self._ask is not None
        assert self.run is not None
        assert self.run.world is not None
        try:
            scenario, ending, command = self._ask()
        except ScenarioError as error:
            self.told.setText(told(error))
            return
        world = replace(self.run.world, scenario=scenario)
        self._steps = trial(world, self._lanes(scenario), ending, command, self.run.seconds)
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
            self.told.setText(told(error))
            return
        if isinstance(step, Estimate):
            self.estimate = step
            self.told.setText(in_words(step))
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
    """What an export takes, for people."""
    return tr("Takes about {time}, the file about {size}").format(
        time=duration(round_to(estimate.seconds)), size=size(estimate.bytes)
    )


def size(count: float) -> str:
    """So many bytes, for people; two digits, as it is an estimate."""
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6)):
        if count >= 0.995 * bytes_:
            return f"{float(f'{count / bytes_:.2g}'):g} {unit}"
    return f"{max(1.0, float(f'{count / 1e3:.2g}')):g} kB"


def round_to(seconds: float) -> float:
    """A time [s] in two digits, as it is an estimate."""
    return float(f"{seconds:.2g}")
