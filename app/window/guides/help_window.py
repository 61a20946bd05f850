"""Help window: pages of assets/help with their contents, set for reading, and their sections for the search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QDesktopServices,
    QFont,
    QFontDatabase,
    QFontInfo,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
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
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.document.help_pages import INDEX, PAGES, contents, read
from app.plots.formula import FIGURE, drawing, svg, without_latex
from app.system.language import speaks_english, tr
from app.theme import Theme
from app.window.guides.help_sections import all_sections
from app.window.labels import Plain
from app.window.style import icon
from app.window.widgets import dim, eliding, filled, make

WIDEST = 780  # pixels of text: longer lines are hard to read
LETTERS = 1.22  # times the text's size: their small letters are lower than those of the text
WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut
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
        shape, words = QTextBlockFormat(), without_latex(source)
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
        picture.setProperty(QTextFormat.Property.ImageAltText, words)
        cursor.insertImage(picture)
        unseen, tiny = QTextCharFormat(), QFont(self.font())
        tiny.setPixelSize(1)
        unseen.setFont(tiny)
        unseen.setForeground(QColor(Qt.GlobalColor.transparent))
        cursor.setBlockCharFormat(unseen)
        cursor.insertText("\n".join(("", words)).replace("\n", "\N{LINE SEPARATOR}"), unseen)

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
    """True if a block is a line in a frame of formulas."""
    cursor = QTextCursor(block)
    return cursor.currentTable() is None and cursor.currentFrame() != block.document().rootFrame()


def _language(block: QTextBlock) -> str | None:
    """Language of a line of code, "" where none is given; None for text that is no code."""
    language = QTextFormat.Property.BlockCodeLanguage
    return (
        block.blockFormat().stringProperty(language)
        if block.isValid() and block.blockFormat().hasProperty(language)
        else None
    )


class Search(QWidget):
    """A line above the page for words to find, with the number of hits; hidden until it is wanted.

    seek : goes to the next hit (1) or to the one before (-1)
    """

    def __init__(self, page: Page, seek: Callable[[int], None]) -> None:
        super().__init__(visible=False)
        self._page, self._seek, self._stem, self._at = page, seek, "", -1
        self._hits: list[QTextCursor] = []
        self.line = make(QLineEdit, accessibleName=tr("Find in the help"))
        self.line.setPlaceholderText(tr("Find in the help"))
        self.line.textChanged.connect(lambda: self.look(self._stem))
        self.line.returnPressed.connect(lambda: self._seek(1))
        QShortcut(QKeySequence("Shift+Return"), self.line, lambda: self._seek(-1), context=WITHIN)
        QShortcut(QKeySequence("Esc"), self, self.end, context=WITHIN)
        self.count = Plain("", "dim", accessibleName=tr("Hits"))
        self._buttons = []
        row = filled(QHBoxLayout(self), (self.line, 1), self.count, margins=(0, 0, 0, 0))
        for name, call in (
            (tr("Previous hit"), lambda: self._seek(-1)),
            (tr("Next hit"), lambda: self._seek(1)),
            (tr("Close"), self.end),
        ):
            button = make(QToolButton, toolTip=name, accessibleName=name)
            button.clicked.connect(call)
            self._buttons.append(button)
            row.addWidget(button)

    @property
    def words(self) -> str:
        """The text that is searched for."""
        return self.line.text().strip()

    def begin(self) -> None:
        """Let one type, what was typed before being marked."""
        self.show()
        self.line.setFocus()
        self.line.selectAll()
        self.look(self._stem)

    def end(self) -> None:
        """Hide, and mark nothing."""
        self.hide()
        self._page.setExtraSelections([])
        self._page.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        for button, name in zip(self._buttons, ("chevron-up", "chevron-down", "close"), strict=True):
            button.setIcon(icon(name, theme))

    def look(self, stem: str) -> None:
        """Find all hits on the page that is shown now, and mark the first one from the top of what is seen."""
        self._stem, self._hits, self._at = stem, [], -1
        if not self.isHidden():
            document, found = self._page.document(), QTextCursor(self._page.document())
            while self.words and not (found := document.find(self.words, found)).isNull():
                self._hits.append(_seen(found))
            top = self._page.cursorForPosition(QPoint(0, 0)).position()
            seen = (i for i, hit in enumerate(self._hits) if hit.selectionStart() >= top)
            self._choose(next(seen, 0))

    def step(self, way: int, *, around: bool = False) -> bool:
        """Mark the next hit or the one before; False beyond the last one, or, if ``around``, the other end."""
        if around:
            self._choose(0 if way > 0 else len(self._hits) - 1)
        elif 0 <= self._at + way < len(self._hits):
            self._choose(self._at + way)
        else:
            return False
        return True

    def _choose(self, at: int) -> None:
        """Mark all hits, and one of them stronger, which is scrolled to."""
        theme, marks = self._page.theme, []
        for i, hit in enumerate(self._hits):
            mark = QTextEdit.ExtraSelection()
            look = QTextCharFormat()
            look.setBackground(QColor(theme.accent if i == at else theme.accent_soft))
            look.setForeground(QColor(theme.accent_text if i == at else theme.text))
            mark.cursor, mark.format = hit, look
            marks.append(mark)
        self._page.setExtraSelections(marks)
        self._at = at if self._hits else -1
        if self._hits:
            place = QTextCursor(self._hits[at])
            place.setPosition(place.selectionStart())
            self._page.setTextCursor(place)
            self._page.ensureCursorVisible()
        pages = sum(1 for hits in hits_of(self.words).values() if hits)
        words = tr("{number} of {count} on this page · found on {pages} pages")
        words = words.format(number=self._at + 1, count=len(self._hits), pages=pages)
        self.count.setText(words if self.words else "")


def _seen(hit: QTextCursor) -> QTextCursor:
    """A hit as one sees it: of the unseen words of a formula its picture."""
    seen = QTextCursor(hit)
    if _language(hit.block()) == MATH:
        seen.setPosition(hit.block().position())
        seen.setPosition(hit.block().position() + 1, QTextCursor.MoveMode.KeepAnchor)
    return seen


def hits_of(sought: str) -> dict[str, int]:
    """Number of times that a text stands in each page, by its stem, in the order of their index."""
    hits: dict[str, int] = {}
    for section in all_sections():
        text = f"{section.heading} {section.text}".lower()
        hits[section.stem] = hits.get(section.stem, 0) + (text.count(sought.lower()) if sought else 0)
    return hits


class HelpWindow(QDialog):
    """Shows a page; stays open beside the main window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Help"))
        room = self.screen().availableSize()
        self.setMinimumSize(QSize(760, 560).boundedTo(room))
        self.resize(QSize(1060, 800).boundedTo(room * 0.92))  # with its frame, also on the screen of a projector
        self.theme, self.page = theme, ""
        self._history: list[tuple[str, int]] = []
        keys = QKeySequence(QKeySequence.StandardKey.Back)
        hint = tr("Back ({key})").format(key=keys.toString(QKeySequence.SequenceFormat.NativeText))
        self.back_button = make(QToolButton, toolTip=hint, accessibleName=tr("Back"))
        self.back_button.setIconSize(QSize(20, 20))
        self.back_button.clicked.connect(self.back)
        heading = Plain(tr("Help"), "heading")
        self.list = eliding(make(QListWidget, accessibleName=tr("Contents of the help")))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.browser = Page(theme, PAGES)
        self.browser.asked.connect(self._follow)
        self.search = Search(self.browser, self._seek)
        self._fill()
        self.list.currentItemChanged.connect(self._chosen)
        QShortcut(keys, self, self.back)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.begin)
        QShortcut(QKeySequence.StandardKey.FindNext, self, partial(self._seek, 1))
        QShortcut(QKeySequence.StandardKey.FindPrevious, self, partial(self._seek, -1))
        self._arrange(heading)
        self.set_theme(theme)
        self.show_page(INDEX)

    def _arrange(self, heading: Plain) -> None:
        notes = [] if speaks_english() else [dim(tr("These pages are in English."))]
        bar = filled(QHBoxLayout(), self.back_button, (heading, 1))
        bar.insertSpacing(1, 4)
        left = filled(QVBoxLayout(), bar, *notes, (self.list, 1), spacing=10)
        self.list.setFixedWidth(236)
        self.browser.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        right = filled(QVBoxLayout(), self.search, (self.browser, 1), spacing=10)
        filled(QHBoxLayout(self), left, (right, 1), margins=(14, 14, 14, 14), spacing=14)
        self.setTabOrder(self.back_button, self.list)
        self.setTabOrder(self.list, self.browser)

    def _fill(self) -> None:
        self.list.ensurePolished()
        self.list.addItem(_entry(INDEX, tr("Contents")))
        for group, pages in contents():
            title = QListWidgetItem(group)
            title.setFlags(Qt.ItemFlag.NoItemFlags)
            title.setToolTip(group)
            title.setSizeHint(QSize(0, 38))
            title.setTextAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
            self.list.addItem(title)
            for stem, name in pages:
                self.list.addItem(_entry(stem, name))

    def show_page(self, stem: str) -> None:
        """Show a page of assets/help by the stem of its file, and remember the one before."""
        if stem != self.page:
            if self.page:
                self._history.append((self.page, self.browser.verticalScrollBar().value()))
            self._open(stem)

    def mark(self, heading: str, text: str) -> None:
        """Scroll to a heading of the page that is shown, and mark a text below it."""
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        for sought in filter(None, (heading, text)):
            self.browser.find(sought)
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + self.browser.cursorRect().top() - self.browser.viewport().height() // 3)

    def _seek(self, way: int) -> None:
        """Mark the next hit (1) or the one before (-1); beyond those of the page, that of the next page with any."""
        if self.search.isHidden() or self.search.step(way):
            return
        pages = [stem for stem, hits in hits_of(self.search.words).items() if hits or stem == self.page]
        self.show_page(pages[(pages.index(self.page) + way) % len(pages)])
        self.search.line.setFocus()
        self.search.step(way, around=True)

    def back(self) -> None:
        """Return to the page before, where it was left."""
        if self._history:
            stem, place = self._history.pop()
            self._open(stem)
            self.browser.verticalScrollBar().setValue(place)

    def set_theme(self, theme: Theme) -> None:
        """Recolour; the page stays where it is."""
        self.theme = theme
        self.back_button.setIcon(icon("chevron-left", theme))
        self.search.set_theme(theme)
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.flags() == Qt.ItemFlag.NoItemFlags:
                item.setForeground(QColor(theme.text_dim))
        for widget in (self.list, self.browser):
            widget.setFont(_prose())
        place = self.browser.verticalScrollBar().value()
        self.browser.theme = theme
        if self.page:
            self.browser.show_text(read(self.page))
            self.browser.verticalScrollBar().setValue(place)
            self.search.look(self.page)

    def _open(self, stem: str) -> None:
        text = read(stem)
        self.page = stem
        title = text.splitlines()[0].removeprefix("# ")
        self.browser.show_text(text)
        self.browser.setAccessibleName(tr("Page: {title}").format(title=title))
        self.browser.setFocus()
        self.search.look(stem)
        self.setWindowTitle(tr("Help") if stem == INDEX else tr("{title} – Help").format(title=title))
        self.back_button.setEnabled(bool(self._history))
        with QSignalBlocker(self.list):
            for row in range(self.list.count()):
                if self.list.item(row).data(Qt.ItemDataRole.UserRole) == stem:
                    self.list.setCurrentRow(row)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        """Show a page that was chosen with the keys or the mouse; the keys stay in the list, to go on."""
        if item is not None:
            inside = self.list.hasFocus()
            self.show_page(item.data(Qt.ItemDataRole.UserRole))
            if inside:
                self.list.setFocus()

    def _follow(self, url: QUrl) -> None:
        if url.isRelative():
            self.show_page(url.path().removesuffix(".md"))
        else:
            QDesktopServices.openUrl(url)


def _entry(stem: str, title: str) -> QListWidgetItem:
    item = QListWidgetItem(title)
    item.setData(Qt.ItemDataRole.UserRole, stem)
    return item


def _prose() -> QFont:
    """The program's typeface; its digits of one width would make hyphens as wide."""
    font = QApplication.font()
    font.unsetFeature(QFont.Tag("tnum"))
    return font
