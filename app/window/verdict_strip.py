"""The strip of verdicts below the plots: one sentence on each lane, and a button that compares them in a table.

On a slope, where no single rock has a true motion for long, another one compares many rocks by distribution.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QWidget

from app.playback.run import Lane
from app.playback.verdicts import MARKS, mark_at, marks_in_words, name_of, notes, verdict
from app.system.language import tr
from app.theme import Theme, mark_colours
from app.window.labels import Plain
from app.window.style import badge, badge_size
from app.window.widgets import filled, make, push
from physics.core.separation import Verdict
from physics.systems import system_of

ROWS = 5  # lines that are seen of many: the view comes first
EDGE = 6  # [pixels] above and below


class VerdictStrip(QFrame):
    """Sentences on the lanes that are shown up to the playhead, each after the letter of its lane and a mark.

    Its place is taken as soon as the lanes are known, so that nothing moves when the sentences come.
    """

    def __init__(self, theme: Theme, compare: QAction, distributions: QAction) -> None:
        super().__init__()
        self.setObjectName("verdicts")
        self.theme = theme
        self.lanes: tuple[Lane, ...] = ()
        self._wanted = False
        self._time = 0.0  # [s] of the playhead
        self._given_up = False
        self._badges: list[Plain] = []
        self._marks: list[Plain] = []
        self._texts: list[Plain] = []
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        self._scroll = make(QScrollArea, widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        self._scroll.setAccessibleName(tr("Verdicts"))
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._inside)
        row = filled(QHBoxLayout(self), (self._scroll, 1), margins=(14, EDGE, 8, EDGE))
        words = {tr("By distribution…"): distributions, tr("Compare…"): compare}
        self.distribution_button, self.compare_button = (self._button(word, action) for word, action in words.items())
        for button in (self.distribution_button, self.compare_button):
            row.addWidget(button, alignment=Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    def _button(self, word: str, action: QAction) -> QPushButton:
        button = push(word, action.trigger, "small", toolTip=action.toolTip())
        button.setAccessibleName(action.text())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    @property
    def sentences(self) -> list[str]:
        """The text that is read, a sentence a line."""
        return [text.text() for text in self._texts if not text.isHidden()]

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Show the sentences on other lanes, as far as they are known."""
        self.lanes, self._given_up = lanes, False
        self.distribution_button.setVisible(any(system_of(lane.world.scenario).ensembles for lane in lanes))
        room = len(lanes) + 1  # and what is not known of them
        for line in range(len(self._texts), room):
            text = Plain(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setMinimumWidth(60)  # long sentences must not widen the window
            badge, mark = Plain(), Plain(alignment=Qt.AlignmentFlag.AlignCenter, toolTip=marks_in_words())
            self._badges.append(badge)
            self._marks.append(mark)
            self._texts.append(text)
            self._grid.addWidget(badge, line, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(mark, line, 1, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, line, 2)
        self.refresh()
        self._show_badges()
        self.setVisible(self._wanted and bool(lanes))

    def show_time(self, time: float) -> None:
        """Follow the playhead to a time [s]."""
        if time != self._time:
            self._time = time
            self.refresh()

    def give_up(self) -> None:
        """Say that no more true motions will become known."""
        self._given_up = True
        self.refresh()

    def refresh(self) -> None:
        """Show what is known by now."""
        known = all(lane.truth is not None for lane in self.lanes)
        texts = [verdict(lane, self._time) or self._waiting(lane) for lane in self.lanes]
        texts.append(" ".join(notes(self.lanes)))
        # the first contacts end the truth on terrain: room for a sentence that will come
        kept = [True] * len(self.lanes) + [bool(texts[-1]) or (not known and self.lanes[0].world.terrain is not None)]
        for line, label in enumerate(self._texts):
            seen = line < len(texts) and kept[line]
            for sign in (self._badges[line], self._marks[line]):
                sign.setVisible(seen and line < len(self.lanes))
            if line < len(self.lanes):
                self._mark(self._marks[line], mark_at(self.lanes[line], self._time))
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
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines may wrap."""
        super().resizeEvent(event)
        self._fit()

    def _waiting(self, lane: Lane) -> str:
        if self._given_up:
            text = tr("{title}: not compared with the true motion.")
        elif lane.world.terrain is not None:
            text = tr("{title}: known up to the first impacts; how long is being found.")
        else:
            text = tr("{title}: not compared with the true motion yet.")
        return text.format(title=name_of(lane.scheme))

    def _mark(self, label: Plain, verdict: Verdict) -> None:
        """Show the mark of a verdict."""
        theme = self.theme
        ink, fill = mark_colours(verdict, theme.panel, theme.text, theme.text_dim)
        wide = 9 if verdict == "off" else 5  # pixels beside the largest mark, and beside others
        style = f"color: {ink}; background: {fill}; border-radius: 4px; padding: 0 {wide}px; font-weight: 600;"
        if label.text() != MARKS[verdict] or label.styleSheet() != style:
            label.setText(MARKS[verdict])
            label.setStyleSheet(style)

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
