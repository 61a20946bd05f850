"""Panel of an ensemble: its rocks, progress, and which results are shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.document.look import Look
from app.hazard.layers import MAPS, REPORT, WORDS, title_of, yearly_maps
from app.hazard.source import Query, Snapshot
from app.hazard.window.shown_results import saving
from app.hazard.window.tables import BarrierCard, ValidationCard, measures_table, reasons_table, rock_table
from app.kinds.field import Field, field_of
from app.playback.lane_looks import lane_schemes
from app.system.language import tr, translated
from app.theme import Theme
from app.window.labels import Plain, Steady, breaking, sentence
from app.window.panel.rows import Entry, NumberField
from app.window.panel.scheme_list import SchemeList
from app.window.style import badge, badge_size, with_letters
from app.window.widgets import (
    Explanation,
    FieldFilter,
    KeyFilter,
    across,
    card,
    column_in,
    dim,
    drop_down,
    eliding,
    filled,
    make,
    push,
    table,
)
from physics import Scenario, ScenarioError
from physics.core.processors import processors
from physics.hazard.maps import CONDITIONAL, FEWEST, YEARLY, is_yearly
from physics.hazard.statistics import QUANTITIES
from physics.systems.rockfall.blocks import rocks_asked
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

_row = partial(field_of, RockfallScenario)
FIELDS = (
    _row("ensemble.rocks"),
    _row("ensemble.seed", about="Another whole number gives other random numbers"),
    Field("workers", "Threads", about="Processors to use; 1 or more", whole=True),
)


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
        tip = tr("Of all rocks that passed a cell; quantiles need rocks: {rocks}")
        needs = (f"{tr(WORDS[name])} {fewest}" for name, fewest in FEWEST.items())
        self.slider.setToolTip(tip.format(rocks=", ".join(needs)))
        self.slider.installEventFilter(self)
        self.slider.installEventFilter(space)
        self.word = Plain()
        self.word.setMinimumWidth(
            max(self.word.fontMetrics().horizontalAdvance(sentence(tr(word))) for word in WORDS.values()) + 4
        )
        filled(QHBoxLayout(self), (self.slider, 1), self.word, margins=(0, 0, 0, 0))
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


class SavedFolder(QWidget):
    """Hidden while there is nothing to say; space: see KeepSpace."""

    failed = Signal(str)  # the folder cannot be shown

    def __init__(self, space: QObject) -> None:
        super().__init__()
        self._folder = ""
        self.word = dim(name=tr("Folder of the results"))
        self.button = push(tr("Open the folder"), lambda: self._open(""), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.report_button = push(
            tr("Open the report"), lambda: self._open(REPORT), focusPolicy=Qt.FocusPolicy.TabFocus
        )
        for button in (self.button, self.report_button):
            button.installEventFilter(space)
        filled(QVBoxLayout(self), self.word, self.report_button, self.button, margins=(0, 0, 0, 0))
        self.tell("", "")

    @property
    def saving(self) -> bool:
        """True if they are being saved."""
        return self.word.text() == saving()

    def tell(self, word: str, folder: str) -> None:
        """Say in which folder they are, or else that they are being saved, if the word is that."""
        text = word if word == saving() else ""
        if folder:
            text = tr("Saved in {folder}").format(folder=breaking(folder))
        if text != self.word.text():
            self.word.setText(text)
        self._folder = folder
        self.button.setVisible(bool(folder))
        self.report_button.setVisible(bool(folder) and os.path.isfile(os.path.join(folder, REPORT)))
        self.setVisible(bool(text))

    def _open(self, name: str) -> None:
        """Open a file of the folder, "" for the folder, in the desktop's own program."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._folder, name)))):
            self.failed.emit(tr("no file manager found; the results are in {folder}").format(folder=self._folder))


class RockCard(QGroupBox):
    """The rock that is chosen.

    Signals
    -------
    chosen : a rock's number was typed; -1: what is typed is none
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, replay_button: QPushButton) -> None:
        super().__init__(tr("One rock"))
        self.theme, self.replay_button = theme, replay_button
        self._rows: Mapping[str, Any] = {}
        self.number = NumberField(tr("Number of the rock"))
        self.number.setPlaceholderText(tr("Click a path"))
        self.number.textEdited.connect(self._choose)
        row = filled(QHBoxLayout(), Plain(tr("Number"), buddy=self.number), (self.number, 1))
        self.facts = table(tr("What happened to the rock"))
        filled(column_in(self), row, replay_button, self.facts)

    def show_rock(self, rock: int | None, rows: Mapping[str, Any]) -> None:
        """Show what happened to a rock; None: to none."""
        self._rows = rows
        if rock is None or self.number.text() != str(rock):
            self.number.setText("" if rock is None else str(rock))
        self.facts.setText(rock_table(rows, self.theme) if rows else "")
        self.facts.setVisible(bool(rows))
        self.replay_button.setEnabled(bool(rows))

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        if self._rows:
            self.facts.setText(rock_table(self._rows, theme))

    def _choose(self, text: str) -> None:
        number = text.strip()
        self.chosen.emit(int(number) if number.isdecimal() and len(number) < 10 else -1)  # no rock has more digits


WIDE = 366  # [pixels] at usual letters
SETTLED = 300  # [ms] after which long texts have their lines
ROCKS = 200  # proposed where a scenario has one rock
COLOURS = {"energy": "Kinetic energy", "speed": "Velocity", "rotation": "Spin rate", "height": "Height above ground"}


class EnsemblePanel(QScrollArea):
    """Panel of controls and results of an ensemble; it does not compute.

    Signals
    -------
    run, cancel, save, replay : a button was pressed
    wanted : something else is to be shown (Query)
    chosen : a rock's number was typed
    """

    run, cancel, save, replay = Signal(), Signal(), Signal(), Signal()
    wanted, chosen = Signal(object), Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setVisible(False)
        self.theme = theme
        self.schemes: SchemeList | None = None
        self._space = KeyFilter(self)
        self._seen: Snapshot | None = None
        self._sought: QWidget = self  # in this panel, that has just got something to say
        self._settling = QTimer(self, singleShot=True, interval=SETTLED)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._seek())
        self._seed = 0  # of the scenario that is shown
        self._covered, self._former = False, 0  # by a map; the choice of paths that comes back without it
        self.setWidgetResizable(True)
        self.setFixedWidth(with_letters(WIDE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.barriers = BarrierCard(theme, self._space)
        self.validation = ValidationCard(theme)
        self.rock = RockCard(theme, self._button(tr("Replay alone"), self.replay))
        self.rock.chosen.connect(self.chosen)
        self.results = [self._view_card(), self._measures_card(), self.validation, self.barriers, self.rock]
        body = QWidget()
        filled(QVBoxLayout(body), self._rocks_card(), *self.results, 1, margins=(8, 10, 10, 10), spacing=8)
        self.setWidget(body)
        keys = FieldFilter(self)
        for line in (self.rock.number, *(entry.numbers[0] for entry in self.entries.values())):
            line.installEventFilter(keys)
        self.show_nothing()

    # ---- cards -----------------------------------------------------------------------------------------

    def _rocks_card(self) -> QGroupBox:
        box, self._rocks_column = card(tr("Ensemble"))
        self.entries = {field.key: Entry(field, None) for field in FIELDS}
        self.entries["workers"].fill(processors())
        self.run_button = self._button(tr("Run"), self.run, "primary")
        self.cancel_button = self._button(tr("Cancel"), self.cancel)
        self.bar = make(QProgressBar, textVisible=False, accessibleName=tr("Rocks that have stopped"))
        self.word, self.error = dim(), Explanation()
        buttons = across(self.run_button, self.cancel_button)
        filled(self._rocks_column, *self.entries.values(), buttons, self.bar, self.word, self.error)
        return box

    def _view_card(self) -> QGroupBox:
        box, column = card(tr("In the view"))
        self.scheme = eliding(self._box(tr("Scheme that is shown"), {}))  # a long name must not widen the panel
        colours = {tr(name): key for key, name in COLOURS.items()}
        self.colour = self._box(tr("Paths coloured by"), {tr("None"): "", **colours})
        self.colour.setCurrentIndex(1)
        maps = {sentence(tr(title)): name for name, title in MAPS.items()}
        self.map = self._box(tr("Map on the terrain"), {tr("None"): "", **maps})
        self.statistic = PercentileSlider("q95", self._space)
        self.map.currentIndexChanged.connect(self._make_room)
        self.statistic.chosen.connect(self._want)
        for choice in (self.scheme, self.colour, self.map):
            choice.activated.connect(lambda _: self._want())
        self._form = form = QFormLayout()
        form.setSpacing(6)
        form.addRow(tr("Scheme"), self.scheme)
        form.addRow(tr("Paths"), self.colour)
        form.addRow(tr("Map"), self.map)
        form.addRow(tr("Statistic"), self.statistic)
        self.fewest = dim("")  # which cells of the map have a value
        self.fewest.hide()
        self.condition = dim("")  # what the map is
        filled(column, form, self.fewest, self.condition)
        return box

    def _measures_card(self) -> QGroupBox:
        box, column = card(tr("Statistics"))
        self.measures, self.reasons = table(tr("Statistics")), table(tr("Why rocks stopped"))
        self.save_button = self._button(tr("Save results…"), self.save)
        self.saved = SavedFolder(self._space)
        self.saved.failed.connect(self.explain)
        self.doubt = Explanation()
        note = tr(
            "Over the whole path of all rocks, each metre counting once; run-out: one value a rock, where it "
            "was last. Rocks that are not at rest would go farther: its mean and quantiles are too small then."
        )
        filled(column, self.doubt, Steady(self.measures), dim(note), Steady(self.reasons), self.save_button, self.saved)
        return box

    def _button(self, text: str, signal: Any, role: str = "") -> QPushButton:
        button = push(text, lambda: signal.emit(), role, focusPolicy=Qt.FocusPolicy.TabFocus)
        button.installEventFilter(self._space)
        return button

    def _box(self, name: str, choices: dict[str, str]) -> QComboBox:
        box = drop_down(name, self._space)
        for text, data in choices.items():
            box.addItem(text, data)
        return box

    # ---- request ---------------------------------------------------------------------------------------

    def show_scenario(self, scenario: Scenario) -> None:
        """Propose what a scenario says of its ensemble."""
        rocks = rocks_asked(of_rocks(scenario))
        self.entries["ensemble.rocks"].fill(rocks if rocks > 1 else ROCKS)
        self._seed = scenario.seed
        self.entries["ensemble.seed"].fill(self._seed)
        if self.schemes is not None:
            self._rocks_column.removeWidget(self.schemes)
            self.schemes.deleteLater()
        self._offer_maps(scenario)
        self.schemes = SchemeList(scenario, self.theme, self._space)
        self._rocks_column.insertWidget(0, self.schemes)

    def follow(self, scenario: Scenario) -> None:
        """Take over the seed where an edit has changed it."""
        if scenario.seed != self._seed:
            self._seed = scenario.seed
            self.entries["ensemble.seed"].fill(self._seed)

    def asked(self, scenario: Scenario) -> tuple[Scenario, int]:
        """The scenario with the requested ensemble, and the threads; ScenarioError when a value is wrong."""
        assert self.schemes is not None
        values = {key: entry.value() for key, entry in self.entries.items()}
        workers = values.pop("workers")
        if not 1 <= workers <= 4 * processors():
            raise ScenarioError("workers", tr("expected 1 to {most}").format(most=4 * processors()))
        return scenario.changed(**values, schemes=self.schemes.chosen()), workers

    @property
    def shown(self) -> Query:
        """Parts of the ensemble to be shown."""
        scheme, colour = self.scheme.currentData() or "", self.colour.currentData()
        return Query((), self.map.currentData(), self.statistic.name, colour, scheme)

    def show_choice(self, on: bool) -> None:
        """Offer to choose the scheme that is shown, or not: each pane has its own."""
        self._form.setRowVisible(self.scheme, on)

    def _want(self) -> None:
        self.statistic.setEnabled(measured := self.map.currentData() in QUANTITIES)
        fewest = FEWEST.get(self.statistic.name, 0) if measured else 0
        self.fewest.setText(tr("Cells that at least {number} rocks crossed").format(number=fewest))
        self.fewest.setVisible(fewest > 0)
        name, conditional = self.map.currentData() or "", tr(CONDITIONAL)
        words = tr("Maps and tables are {condition}.").format(condition=conditional)
        if is_yearly(name):
            words = tr("The map is {yearly}; tables are {condition}.").format(yearly=tr(YEARLY), condition=conditional)
        self.condition.setText(words)
        self.wanted.emit(self.shown)

    def _make_room(self) -> None:
        """Hide the paths, which would cover the map, or show them again."""
        if self._covered != bool(self.map.currentData()):
            self._covered = not self._covered
            self._former, now = self.colour.currentIndex(), self._former
            self.colour.setCurrentIndex(now)

    def look_as(self, look: Look) -> None:
        """Show the parts of the results that a session showed, if it has them."""
        if look.map is not None:
            quantity, _, statistic = look.map.rpartition("_")
            name = quantity if quantity in QUANTITIES else look.map
            self.map.setCurrentIndex(max(self.map.findData(name), 0))
            if name in QUANTITIES and statistic in WORDS:
                self.statistic.slider.setValue(list(WORDS).index(statistic))
        elif look.colour is not None:
            self.map.setCurrentIndex(0)
            self.colour.setCurrentIndex(self.colour.findData(look.colour))
        self.scheme.setCurrentIndex(max(self.scheme.findData(look.whose), 0))
        self._want()

    def _offer_maps(self, scenario: Scenario) -> None:
        """Offer the maps that an ensemble of a scenario has; the chosen one stays, where it is one of them."""
        chosen = self.map.currentData()
        while self.map.count() > 1 + len(MAPS):
            self.map.removeItem(self.map.count() - 1)
        for name in yearly_maps(of_rocks(scenario)):
            self.map.addItem(sentence(title_of(name)), name)
        self.map.setCurrentIndex(max(self.map.findData(chosen), 0))

    def next_map(self) -> None:
        """Lay the next map over the terrain; after the last one, none."""
        self.map.setCurrentIndex((self.map.currentIndex() + 1) % self.map.count())
        self._want()

    # ---- results ---------------------------------------------------------------------------------------

    def show_begun(self, scenario: Scenario) -> None:
        """An ensemble of this scenario begins."""
        self._offer_maps(scenario)
        before = self.scheme.currentData()
        self.scheme.clear()
        for row in lane_schemes(scenario.schemes):
            self.scheme.addItem(badge(row, self.theme, self.devicePixelRatioF()), row.title, row.name)
        self.scheme.setCurrentIndex(max(self.scheme.findData(before), 0))
        self._want()

    def show_progress(self, verb: str, word: str, done: int, rocks: int, busy: bool, folder: str = "") -> None:
        """Name what the button does, say how far it is, and below the button that saves where the results are.

        busy : something goes on of which one knows no end
        """
        before = self.saved.saving
        self.saved.tell(word, folder)
        if self.saved.saving and not before:
            self.explain(None)
        elif before and folder and self.error.isHidden():
            self._reveal(self.saved)
        self.run_button.setText(verb)
        self.bar.setMaximum(0 if busy else max(rocks, 1))
        self.bar.setValue(done)
        self.bar.setVisible(busy or rocks > 0)
        self.cancel_button.setVisible(rocks > 0 or busy)
        if word != self.word.text():
            self.word.setText(word)
        self.word.setVisible(bool(word))

    def show_seen(self, seen: Snapshot) -> None:
        """Show the results of a moment."""
        for part in self.parts(seen):
            part()

    def parts(self, seen: Snapshot) -> tuple[partial[None], partial[None], partial[None]]:
        """Steps that show the results of a moment, in turn: each takes some milliseconds of layout and drawing."""
        return partial(self._show_cards, seen), partial(self._show_measures, seen), partial(self._show_reasons, seen)

    def _show_cards(self, seen: Snapshot) -> None:
        self._seen = seen
        for box in self.results:
            box.setVisible(True)

    def _show_measures(self, seen: Snapshot) -> None:
        doubts = dict.fromkeys(line for one in seen.summaries.values() for line in translated(one.doubt).splitlines())
        self.doubt.say(*doubts)
        self.measures.setText(measures_table(seen.summaries, self.theme))

    def _show_reasons(self, seen: Snapshot) -> None:
        self.reasons.setText(reasons_table(seen.summaries, self.theme))
        self.validation.show_summaries(seen.summaries)
        self.barriers.show_summaries(seen.summaries)

    def show_nothing(self) -> None:
        """Show that there is no ensemble."""
        self._seen = None
        for box in self.results:
            box.setVisible(False)
        self.rock.show_rock(None, {})
        self.show_progress(tr("Run"), "", 0, 0, busy=False)
        self.explain(None)

    def explain(self, error: Exception | str | None) -> None:
        """Say what is wrong, in the current language, beside its field where it has one here; None: nothing is."""
        for entry in self.entries.values():
            entry.explain("")
        if isinstance(error, ScenarioError) and error.field in self.entries:
            self.entries[error.field].explain(error.message)
            error = None
        self.error.say("" if error is None else error)
        if error is not None:  # it may stand above what one sees
            self._reveal(self.error)

    def _reveal(self, widget: QWidget) -> None:
        """Scroll to a widget that has just got something to say, as soon as there is room for it."""
        self._sought = widget
        self._settling.start()
        QTimer.singleShot(0, self._seek)

    def _seek(self) -> None:
        """Scroll to what is to be seen, while texts get their lines: the user may have scrolled since."""
        if self._settling.isActive():
            self.ensureWidgetVisible(self._sought)

    def set_theme(self, theme: Theme) -> None:
        """Recolour, and follow the size of letters."""
        self.theme = theme
        self.setFixedWidth(with_letters(WIDE))
        self.scheme.setIconSize(badge_size())
        self.validation.set_theme(theme)
        self.rock.set_theme(theme)
        self.barriers.set_theme(theme)
        if self.schemes is not None:
            self.schemes.set_theme(theme)
        names = [self.scheme.itemData(i) for i in range(self.scheme.count())]
        for i, scheme in enumerate(lane_schemes(names)):
            self.scheme.setItemIcon(i, badge(scheme, theme, self.devicePixelRatioF()))
        if self._seen is not None:
            self.show_seen(self._seen)
