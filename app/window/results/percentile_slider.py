"""A slider over the statistics of a map: mean, median, high percentiles, largest."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.ensemble.map_titles import WORDS
from app.system.language import tr
from app.window.labels import Plain, sentence
from app.window.widgets import make

_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)  # which else move the playhead


class PercentileSlider(QWidget):
    """Lets one choose a statistic; its name stands beside the slider."""

    chosen = Signal()

    def __init__(self, first: str, space: QObject) -> None:
        super().__init__()
        self._names = list(WORDS)
        self.slider = make(QSlider, Qt.Orientation.Horizontal, accessibleName=tr("Statistic of the map"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.setRange(0, len(self._names) - 1)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setToolTip(
            tr(
                "Of all rocks that passed a cell: the mean, the median, what 90, 95 or 99 % stay below; these "
                "need 2, 10, 20, 100 rocks"
            )
        )
        self.slider.installEventFilter(self)
        self.slider.installEventFilter(space)
        self.word = Plain()
        self.word.setMinimumWidth(
            max(self.word.fontMetrics().horizontalAdvance(sentence(tr(word))) for word in WORDS.values()) + 4
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.slider, 1)
        row.addWidget(self.word)
        self.slider.setValue(self._names.index(first))
        self._show()
        self.slider.valueChanged.connect(self._show)
        self.slider.valueChanged.connect(self.chosen)

    @property
    def name(self) -> str:
        """The statistic that is chosen."""
        return self._names[self.slider.value()]

    def _show(self) -> None:
        word = tr(WORDS[self.name])
        self.word.setText(sentence(word))
        self.slider.setAccessibleDescription(word)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show where the keyboard is: the slider's own frame can hardly be seen."""
        if self.slider.hasFocus():
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.palette().highlight().color(), 2.0))
                painter.drawRoundedRect(self.slider.geometry().adjusted(1, 1, -1, -1), 5, 5)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the slider's keys before the shortcuts do."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            event.accept()
            return True
        return False
