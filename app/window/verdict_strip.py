"""The strip of verdicts below the plots: one sentence on each lane, and a button that compares them in a table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from app.playback.run import Lane
from app.playback.verdicts import name_of, notes, verdict
from app.system.language import tr
from app.theme import Theme
from app.window.labels import Plain
from app.window.style import badge, badge_size
from app.window.widgets import filled, make, push

ROWS = 5  # lines that are seen of many: the view comes first
EDGE = 6  # [pixels] above and below


class VerdictStrip(QFrame):
    """Sentences on the lanes that are shown, each after the letter of its lane.

    Its place is taken as soon as the lanes are known, so that nothing moves when the sentences come.
    """

    def __init__(self, theme: Theme, compare: QAction) -> None:
        super().__init__()
        self.setObjectName("verdicts")
        self.theme = theme
        self.lanes: tuple[Lane, ...] = ()
        self._wanted = True
        self._badges: list[Plain] = []
        self._texts: list[Plain] = []
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._scroll = make(QScrollArea, widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        self._scroll.setAccessibleName(tr("Verdicts"))
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._inside)
        self.compare_button = push(tr("Compare…"), compare.trigger, "small", toolTip=compare.toolTip())
        self.compare_button.setAccessibleName(compare.text())
        self.compare_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = filled(QHBoxLayout(self), (self._scroll, 1), margins=(14, EDGE, 8, EDGE))
        row.addWidget(self.compare_button, alignment=Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    @property
    def sentences(self) -> list[str]:
        """The text that is read, a sentence a line."""
        return [text.text() for text in self._texts if not text.isHidden()]

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Show the sentences on other lanes, as far as they are known."""
        self.lanes = lanes
        room = len(lanes) + 1  # and what is not known of them
        for line in range(len(self._texts), room):
            text = Plain(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setMinimumWidth(60)  # long sentences must not widen the window
            mark = Plain()
            self._badges.append(mark)
            self._texts.append(text)
            self._grid.addWidget(mark, line, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, line, 1)
        self.refresh()
        self._show_badges()
        self.setVisible(self._wanted and bool(lanes))

    def refresh(self) -> None:
        """Show what is known by now."""
        known = all(lane.truth is not None for lane in self.lanes)
        waiting = tr("{title}: not compared with the true motion yet.")
        texts = [verdict(lane) or waiting.format(title=name_of(lane.scheme)) for lane in self.lanes]
        texts.append(" ".join(notes(self.lanes)))
        # the first contacts end the truth on terrain: room for a sentence that will come
        kept = [True] * len(self.lanes) + [bool(texts[-1]) or (not known and self.lanes[0].world.terrain is not None)]
        for line, (mark, label) in enumerate(zip(self._badges, self._texts, strict=True)):
            seen = line < len(texts) and kept[line]
            mark.setVisible(seen and line < len(self.lanes))
            label.setVisible(seen)
            label.setText(texts[line] if seen else "")
            role = "dim" if line == len(self.lanes) or not known else ""
            if label.property("role") != role:
                label.setProperty("role", role)
                label.style().polish(label)
        self._fit()

    def show_wanted(self, on: bool) -> None:
        """Show or hide it."""
        self._wanted = on
        self.setVisible(on and bool(self.lanes))

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self.setStyleSheet(
            f"#verdicts {{ background: {theme.panel}; border: none; border-top: 1px solid {theme.border}; }}"
            "#verdicts QScrollArea, #verdicts QScrollArea > QWidget > QWidget { background: transparent; }"
        )
        self._show_badges()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines may wrap."""
        super().resizeEvent(event)
        self._fit()

    def _show_badges(self) -> None:
        for mark, lane in zip(self._badges, self.lanes, strict=False):
            drawn = badge(lane.scheme, self.theme, self.devicePixelRatioF()).pixmap(badge_size())
            mark.setPixmap(drawn.copy(0, 0, drawn.height(), drawn.height()))  # the letter without the line
            mark.setAccessibleName(lane.scheme.letter)

    def _fit(self) -> None:
        """Become as high as the sentences are, but for many lanes ROWS lines."""
        line = max(self.fontMetrics().lineSpacing(), badge_size().height()) + self._grid.verticalSpacing()
        high = min(self._grid.heightForWidth(max(self._scroll.width(), 60)), ROWS * line)
        high = max(high, self.compare_button.sizeHint().height())
        if self._scroll.height() != high or self._scroll.minimumHeight() != high:
            self._scroll.setFixedHeight(high)
