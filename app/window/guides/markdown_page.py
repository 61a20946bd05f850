"""A page of Markdown, set for reading: distances, boxes around formulas, tables, links, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser

from app.theme import Theme

WIDEST = 780  # pixels of text: longer lines are hard to read


class Page(QTextBrowser):
    """A Markdown text in the colours of a theme, in lines that are not too long."""

    asked = Signal(QUrl)  # a link

    def __init__(self, theme: Theme) -> None:
        super().__init__(openLinks=False)
        self.theme = theme
        self.anchorClicked.connect(self.asked)
        self.document().setDocumentMargin(26)
        self.document().setIndentWidth(16)
        self.setStyleSheet("QAbstractScrollArea::corner { background: transparent; border: none; }")

    def show_text(self, markdown: str) -> None:
        """Show a text from its beginning."""
        self.setMarkdown(markdown)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._box_formulas()
        block = self.document().begin()
        while block.isValid():
            self._set_block(block)
            self._set_words(block)
            block = block.next()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._set_table(frame)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def _box_formulas(self) -> None:
        """Move every run of formula lines into a frame of its own."""
        shape = QTextFrameFormat()
        shape.setBackground(QColor(self.theme.window))
        shape.setBorder(1)
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderBrush(QBrush(QColor(self.theme.border)))
        shape.setPadding(9)
        shape.setTopMargin(2)
        shape.setBottomMargin(12)
        block = self.document().lastBlock()
        while block.isValid():
            before = block.previous()
            if _is_indented(block) and not _is_indented(before):
                last = block
                while _is_indented(last.next()):
                    last = last.next()
                cursor = QTextCursor(block)
                cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertFrame(shape)
            block = before

    def _set_block(self, block: QTextBlock) -> None:
        """Distances, and the ground behind formulas."""
        shape, cursor = QTextBlockFormat(), QTextCursor(block)
        level, code = block.blockFormat().headingLevel(), _is_code(block)
        if level:
            shape.setTopMargin(0 if level == 1 else 20)
            shape.setBottomMargin(10 if level == 1 else 6)
        elif code:
            shape.setTopMargin(0)
            shape.setBottomMargin(0)
            shape.setNonBreakableLines(True)
        elif cursor.currentTable():
            shape.setTopMargin(2)
            shape.setBottomMargin(2)
        else:
            shape.setTopMargin(0)
            shape.setBottomMargin(4 if block.textList() else 10)
        heights = QTextBlockFormat.LineHeightTypes
        if block.text():
            shape.setLineHeight(128 if code or level else 138, heights.ProportionalHeight.value)
        else:  # behind a table
            shape.setLineHeight(1, heights.FixedHeight.value)
        cursor.mergeBlockFormat(shape)

    def _set_words(self, block: QTextBlock) -> None:
        """Sizes, the typeface of formulas, the colours of links."""
        size, level = self.font().pointSizeF(), block.blockFormat().headingLevel()
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        for place in cast("Iterable[QTextBlock.iterator]", block):  # PySide's types do not know that one can
            fragment = place.fragment()
            cursor = QTextCursor(block)
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            had, look = fragment.charFormat(), QTextCharFormat()
            if level:
                look.setFontPointSize(size * (1.75 if level == 1 else 1.2))
                look.setFontWeight(QFont.Weight.DemiBold)
            elif had.fontWeight() > QFont.Weight.DemiBold:
                look.setFontWeight(QFont.Weight.DemiBold)
            elif had.fontFixedPitch() or _is_code(block):
                look.setFontFamilies([mono])
                look.setFontPointSize(size * 0.92)
                if not _is_code(block):
                    look.setBackground(QColor(self.theme.panel_raised))
            if had.isAnchor():
                look.setForeground(QColor(self.theme.accent))
            cursor.mergeCharFormat(look)

    def _set_table(self, table: QTextTable) -> None:
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderCollapse(True)
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderBrush(QBrush(QColor(self.theme.border)))
        shape.setCellPadding(4)
        shape.setTopMargin(4)
        shape.setBottomMargin(14)
        shape.setLeftMargin(16)
        shape.setWidth(QTextLength())
        table.setFormat(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and shift-space turn the page, Home and End go to its ends, as in a browser."""
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Space:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            bar.setValue(bar.value() + (-bar.pageStep() if back else bar.pageStep()))
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            bar.setValue(bar.minimum() if event.key() == Qt.Key.Key_Home else bar.maximum())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column of text narrow and in the middle."""
        side = max(0, (self.width() - WIDEST) // 2)
        self.setViewportMargins(side, 0, side, 0)
        super().resizeEvent(event)


def _is_code(block: QTextBlock) -> bool:
    """Whether a block is a line in a frame of formulas."""
    cursor = QTextCursor(block)
    return cursor.currentTable() is None and cursor.currentFrame() != block.document().rootFrame()


def _is_indented(block: QTextBlock) -> bool:
    """Whether Markdown takes a block for a line of code."""
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)
