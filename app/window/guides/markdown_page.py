"""A page of Markdown, set for reading: distances, boxes around formulas and code, tables, links, in a theme's colours.

Formulas and figures are pictures in the document, in the pixels of its screen. A picture has no words: what a formula
says stands below it in letters that nobody sees, for readers aloud, for search and to be copied.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QImage,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QTextBrowser

from app.plots.formula import FIGURE, drawing, plain, svg
from app.theme import Theme

WIDEST = 780  # pixels of text: longer lines are hard to read
LETTERS = 1.22  # times the text's size: their small letters are lower than those of the text
MATH = "math"  # the language of blocks that hold formulas


class Page(QTextBrowser):
    """A Markdown text in the colours of a theme, in lines that are not too long; folder: where its figures start."""

    asked = Signal(QUrl)  # a link

    def __init__(self, theme: Theme, folder: Path) -> None:
        super().__init__(openLinks=False)
        self.theme, self._folder = theme, folder
        self._pictures: dict[str, Callable[[], QImage]] = {}  # by name
        self.anchorClicked.connect(self.asked)
        self.document().setDocumentMargin(26)
        self.document().setIndentWidth(16)
        self.setStyleSheet("QAbstractScrollArea::corner { background: transparent; border: none; }")

    def show_text(self, markdown: str) -> None:
        """Show a text from its beginning."""
        self._pictures = {name: partial(self._figure, self._folder / name) for name in FIGURE.findall(markdown)}
        self.setMarkdown(markdown)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._box_formulas()
        block = self.document().begin()
        while block.isValid():
            if _language(block) != MATH:
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
        """Move every run of lines of code into a frame of its own, and set those of formulas."""
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
            language = _language(block)
            if language is not None and _language(before) != language:
                last, lines = block, [block.text()]
                while _language(last.next()) == language:
                    last = last.next()
                    lines.append(last.text())
                cursor = QTextCursor(block)
                cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
                if language == MATH:
                    cursor.removeSelectedText()
                    cursor.setBlockFormat(QTextBlockFormat())  # of the line that is left before the frame
                frame = cursor.insertFrame(shape)
                if language == MATH:
                    self._insert_formula(frame.firstCursorPosition(), "\n".join(lines))
            block = before

    def _insert_formula(self, cursor: QTextCursor, source: str) -> None:
        """Insert a formula as a picture, and what it says in letters of one pixel that have no colour."""
        shape, told = QTextBlockFormat(), plain(source)
        shape.setProperty(QTextFormat.Property.BlockCodeLanguage, MATH)
        shape.setNonBreakableLines(True)
        cursor.setBlockFormat(shape)
        name = f"formula:{sum(other.startswith('formula:') for other in self._pictures)}"
        self._pictures[name] = partial(self._formula, source)
        size = (
            self._pixels(source).toSizeF() / self.devicePixelRatioF()
        )  # exactly: else columns of pixels, a thin stem, are left out
        picture = QTextImageFormat()
        picture.setName(name)
        picture.setWidth(size.width())
        picture.setHeight(size.height())
        picture.setProperty(QTextFormat.Property.ImageAltText, told)
        cursor.insertImage(picture)
        unseen, tiny = QTextCharFormat(), QFont(self.font())
        tiny.setPixelSize(1)
        unseen.setFont(tiny)
        unseen.setForeground(QColor(Qt.GlobalColor.transparent))
        cursor.setBlockCharFormat(unseen)
        cursor.insertText("\n".join(("", told)).replace("\n", "\N{LINE SEPARATOR}"), unseen)

    @property
    def _em(self) -> float:
        """The size of the letters of formulas, in pixels."""
        return QFontInfo(self.font()).pixelSize() * LETTERS

    def _pixels(self, source: str) -> QSize:
        """The size of a formula in pixels of the screen."""
        made, scale = drawing(source), self._em * self.devicePixelRatioF()
        return QSize(math.ceil(made.width * scale), math.ceil(made.height * scale))

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """A formula or a figure as a picture; else what Qt finds."""
        draw = self._pictures.get(QUrl(url).toString())
        return super().loadResource(kind, url) if draw is None else draw()

    def _formula(self, source: str) -> QImage:
        """A formula as a picture."""
        scale = self._em * self.devicePixelRatioF()
        return self._drawn(svg(source, self.theme.text, "", scale), self._pixels(source))

    def _figure(self, file: Path) -> QImage:
        """A figure as a picture, as large as its file says."""
        text = file.read_text(encoding="utf-8").replace("currentColor", self.theme.text)
        return self._drawn(text, QSvgRenderer(text.encode()).defaultSize() * self.devicePixelRatioF())

    def _drawn(self, text: str, size: QSize) -> QImage:
        """SVG of a size in pixels of the screen."""
        picture = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            QSvgRenderer(text.encode()).render(painter)
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        return picture

    def event(self, event: QEvent) -> bool:
        """Draw the pictures anew for a screen of other pixels."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            for name, draw in self._pictures.items():
                self.document().addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), draw())
        return super().event(event)

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
            shape.setLineHeight(_leading(block.text(), tight=code or level > 0), heights.ProportionalHeight.value)
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


def _leading(text: str, *, tight: bool) -> int:
    """The height of lines [% of the letters']; a figure alone has none added."""
    if text == "\N{OBJECT REPLACEMENT CHARACTER}":
        return 100
    return 128 if tight else 138


def _is_code(block: QTextBlock) -> bool:
    """Whether a block is a line in a frame of formulas."""
    cursor = QTextCursor(block)
    return cursor.currentTable() is None and cursor.currentFrame() != block.document().rootFrame()


def _language(block: QTextBlock) -> str | None:
    """The language of a line of code, "" where none is told; None of what is no code."""
    told = QTextFormat.Property.BlockCodeLanguage
    return (
        block.blockFormat().stringProperty(told) if block.isValid() and block.blockFormat().hasProperty(told) else None
    )
