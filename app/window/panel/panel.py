"""Panel at the left: scenario, schemes, step and the main values; every edit computes a new run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QCheckBox, QGroupBox, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.kinds import kind_of
from app.kinds.field import ATTITUDE, STEP, Field
from app.kinds.quantities import without_rounding
from app.playback.run import MOST_LANES
from app.system.language import tr
from app.system.own_words import note_of
from app.theme import Theme
from app.window.panel.barrier_rows import Barriers, Classes, Distribution, Lines, ZoneList
from app.window.panel.edits import edited, following
from app.window.panel.rows import Choice, Corners, Entry, FileRow, LineRow, Orientation, Row
from app.window.panel.scenario_choice import RoleRow, ScenarioChoice
from app.window.panel.scheme_list import SchemeList, variant_words
from app.window.panel.table_rows import Column, Listed, NumberRows, Parts, Pieces
from app.window.style import with_letters
from app.window.widgets import FieldFilter, KeyFilter, card, dim, filled, make, push
from physics import Scenario, ScenarioError, World
from physics.bodies.compound import six, tensor
from physics.bodies.mesh_io import MeshReading
from physics.systems import system_of
from physics.systems.rockfall.sampling import varies
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

_FORMS = {
    "distribution": Distribution,
    "barriers": Barriers,
    "lines": Lines,
    "zones": ZoneList,
    "classes": Classes,
    "list": Listed,
}
_TEXTS = {"text": LineRow, "rows": NumberRows, "column": Column, "pieces": Pieces, "parts": Parts}


def row_for(field: Field, value: Any, degrees: bool, space: QObject) -> Row:
    """The row of a field: words to choose from, a file, places on the map, numbers; space: see KeepSpace."""
    if field.form in _TEXTS:
        return _TEXTS[field.form](field, value)
    if field.form:
        return _FORMS[field.form](field, value, space)
    if field.files or field.corners:
        return (FileRow if field.files else Corners)(field, value)
    if field.parts == ATTITUDE.parts:
        return Orientation(field, value, degrees)
    return Choice(field, value, space) if field.choices else Entry(field, value, degrees)


_STEP = {field.key for field in STEP}
_OF_ZONES = ("zones", "soil_key", "zone")  # keys of [soil] and [forest] that a preset does not bring
_FOLLOWS = {"mass": "density", "density": "mass"}  # keys of a table of which one is given
WIDE = 338  # [pixels] at usual letters
PAUSE = 250  # [ms] without typing before a new run begins


class Panel(QScrollArea):
    """Lets one choose a scenario and edit it."""

    chosen = Signal(object)  # Scenario, from the drop-down
    edited = Signal(object)  # Scenario, with other values
    reverted = Signal(object)  # Scenario, as it was opened
    failed = Signal(object)  # ScenarioError that belongs to no field of the panel
    ordered = Signal()  # the order of convergence is wanted
    drawn = Signal(str)  # the key of a field that is to be drawn on the terrain
    arranged = Signal()  # there are other cards
    wanted = Signal()  # a field is to be seen
    picked = Signal(object)  # (list, number) of the body, joint or spring of a mechanism that is chosen; None: no one
    removed = Signal(str, int)  # the list and the number of one that is to go

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.opened: Scenario | None = None
        self.base: Scenario | None = None  # that was shown last; the fields have the edits since
        self._world: World | None = None  # of the run that is shown
        self.entries: dict[str, Row] = {}
        self._held: tuple[Row, ScenarioError] | None = None  # what is wrong with numbers that are being typed
        self._touched = ""  # the key of the field that was edited last
        self.part: tuple[str, int] | None = None  # the body, joint or spring of a mechanism that is edited
        self._part_box: QGroupBox | None = None  # with its fields
        self._mesh: MeshReading | None = None  # unit and upward axis for which the fields stand; None: no mesh
        self.degrees = True
        self.schemes: SchemeList | None = None
        self._space, self._keys = KeyFilter(self), FieldFilter(self)
        self._keys.finished.connect(self.finish)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._apply)
        self.setWidgetResizable(True)
        self.setFixedWidth(with_letters(WIDE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self._scenario = self._scenario_card()
        self._column = filled(QVBoxLayout(body), self._scenario, 1, margins=(10, 10, 8, 10), spacing=8)
        self._cards: list[QGroupBox] = []
        self.setWidget(body)

    def _scenario_card(self) -> QGroupBox:
        box, column = card(tr("Scenario"))
        self.choice = ScenarioChoice(self._space)
        self.choice.chosen.connect(self.chosen)
        self.note = dim()
        self.branching = make(QCheckBox, tr("Edit from the playhead"), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.branching.setToolTip(
            tr(
                "On: an edit acts from the playhead on. Off: only one of gravity, wind, waves and control does;\n"
                "all others are computed anew, as another start, terrain or scheme always is."
            )
        )
        self.branching.installEventFilter(self._space)
        self.roles = RoleRow(self._space)
        filled(column, self.choice.box, self.note, self.roles, self.branching)
        return box

    # ---- showing a scenario ----------------------------------------------------------------------------

    def show_scenario(self, scenario: Scenario) -> None:
        """Fill the panel from a scenario that was opened."""
        self.show_values(scenario, scenario)

    def show_values(self, opened: Scenario, scenario: Scenario) -> None:
        """Fill the panel from a scenario that was opened and since edited."""
        self._pause.stop()
        if self.opened is not opened:
            self.name(opened)
        self._drop_part()
        if self.opened is not opened:
            self.part = None
        cards = _cards(scenario)
        if self.opened is not opened or self._keys_of(cards) != self._keys_shown():
            self._arrange(scenario, cards)
        self.opened, self.base = opened, scenario
        self._add_part(scenario)
        self.roles.show_of(scenario)
        self.note.setVisible(bool(scenario.note))
        self._mesh = None if scenario.body_file is None else scenario.body_file[1]
        self._clear()
        for entry in self.entries.values():
            entry.fill(entry.field.shown(scenario))
        self._mark()
        self._reveal()
        self._hint(scenario)
        assert self.schemes is not None
        self.schemes.fill(scenario)

    @staticmethod
    def _keys_of(cards: Mapping[str, list[Field]]) -> list[str]:
        return [field.key for fields in cards.values() for field in fields]

    def _of_part(self, key: str) -> bool:
        """True for the key of a field in the card of the part."""
        return self.part is not None and key.startswith("{}.{}.".format(*self.part))

    def _keys_shown(self) -> list[str]:
        """Keys of the fields of all cards but those of the schemes and of a part."""
        return [key for key in self.entries if key not in _STEP and not self._of_part(key)]

    def _drop_part(self) -> None:
        """Take the card of a part away."""
        if self._part_box is not None:
            box, self._part_box = self._part_box, None
            self.entries = {key: entry for key, entry in self.entries.items() if not self._of_part(key)}
            self._cards.remove(box)
            self._column.removeWidget(box)
            box.hide()
            box.deleteLater()

    def _add_part(self, scenario: Scenario) -> None:
        """Show the card of the part that is chosen below that of the lists, if it is there."""
        row = None if self.part is None else self.entries.get(self.part[0])
        find = kind_of(scenario).part_fields
        fields = () if self.part is None or find is None else find(scenario, *self.part)
        if self.part is None or not isinstance(row, Listed) or not fields:
            self.part = None
            return
        box, column = card("")
        for field in fields:
            column.addWidget(self._entry(field, scenario))
        words = {"body": tr("Remove the body"), "joint": tr("Remove the joint"), "spring": tr("Remove the spring")}
        remove = push(words[self.part[0]], partial(self.removed.emit, *self.part), autoDefault=False)
        remove.installEventFilter(self._space)
        column.addWidget(remove)
        place = 1 + next(i for i, other in enumerate(self._cards) if other.isAncestorOf(row))
        self._cards.insert(place, box)
        self._column.insertWidget(1 + place, box)
        self._part_box = box
        self._reveal()
        self._order()

    def name(self, opened: Scenario) -> None:
        """Show the title of a scenario, and what to look for."""
        self.choice.show(opened)
        self.note.setText(note_of(opened))
        self.note.setVisible(bool(opened.note))

    @property
    def cards(self) -> list[QGroupBox]:
        """The cards, from the top."""
        return [self._scenario, *self._cards]

    def _arrange(self, scenario: Scenario, cards: dict[str, list[Field]]) -> None:
        """Make the cards with their rows anew."""
        for box in self._cards:
            self._column.removeWidget(box)
            box.deleteLater()
        added = {key: entry.box.currentIndex() for key, entry in self.entries.items() if isinstance(entry, Listed)}
        self.entries = {}
        self._cards = [self._scheme_card(scenario)]
        for title, fields in cards.items():
            if fields:
                box, column = card(tr(title))
                for field in fields:
                    column.addWidget(self._entry(field, scenario))
                self._cards.append(box)
        for key, index in added.items():  # what is added next stays chosen
            if isinstance(entry := self.entries.get(key), Listed):
                entry.box.setCurrentIndex(index)
        for i, box in enumerate(self._cards):
            self._column.insertWidget(1 + i, box)
        self._order()
        self.arranged.emit()

    def _order(self) -> None:
        """Let the Tab key go through the cards from the top: they are younger than what stands below them."""
        before: QWidget = self.branching
        for box in self._cards:
            for control in box.findChildren(QWidget):
                if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is self.window():
                    QWidget.setTabOrder(before, control)
                    before = control

    def _scheme_card(self, scenario: Scenario) -> QGroupBox:
        box, column = card(tr("Schemes"))
        self.schemes = SchemeList(scenario, self.theme, self._space)
        self.schemes.edited.connect(self._pause.start)
        column.addWidget(self.schemes)
        for field in STEP:
            column.addWidget(self._entry(field, scenario))
        self.advice = dim(name=tr("Step advice"))
        column.addWidget(self.advice)
        if system_of(scenario).smooth:
            order = push(tr("Halve the step, see the order…"), self.ordered, focusPolicy=Qt.FocusPolicy.TabFocus)
            order.setToolTip(tr("By how much the error of each scheme falls (H)"))
            order.installEventFilter(self._space)
            column.addWidget(order)
        return box

    def _entry(self, field: Field, scenario: Scenario) -> Row:
        entry = row_for(field, field.shown(scenario), self.degrees, self._space)
        self.entries[field.key] = entry
        entry.edited.connect(partial(self._touch, field.key))
        entry.drawn.connect(partial(self.drawn.emit, field.key))
        if isinstance(entry, Listed):
            entry.picked.connect(lambda number: self.picked.emit((field.key, number)))
        if isinstance(entry, Choice):
            entry.edited.connect(partial(self._chose, field))
        if isinstance(entry, FileRow | Classes):
            entry.edited.connect(self._reveal)
        return entry

    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """A line has the keyboard: share its keys with the window. What was held back of the former one is said."""
        if isinstance(now, QLineEdit) and self.isAncestorOf(now):
            now.installEventFilter(self._keys)
        if self._held is not None and not (now is not None and self._held[0].isAncestorOf(now)):
            (_, error), self._held = self._held, None
            self.explain(error)

    def _touch(self, key: str) -> None:
        self._touched = key
        table, _, name = key.rpartition(".")
        other = self.entries.get(f"{table}.{_FOLLOWS.get(name, '')}")
        if other is not None and self.entries[key].filled:
            other.fill(None)
        self._pause.start()

    def _chose(self, field: Field) -> None:
        """Apply a choice: show its fields, with values converted from the previous ones."""
        self._reveal()
        for entry in self.entries.values():
            if self.base is not None and entry.field.begins is not None and not (entry.isHidden() or entry.filled):
                entry.fill(entry.field.begins(self.base))
        place, _, name = field.key.rpartition(".")
        of_a_file = name == "shape" and self.entries[field.key].value() in ("mesh", "hull")
        if of_a_file and self.base is not None and self.base.body_file is None:  # which has a size of its own
            self.entries[f"{place}.size"].fill(None)
        if name == "shape" and self.entries[field.key].value() == "parts":  # which have masses of their own
            for key in _FOLLOWS:
                self.entries[f"{place}.{key}"].fill(None)
        table, _, name = field.key.partition(".")
        if name == "preset":  # it brings its own values: those of the former one are taken away
            for key, entry in self.entries.items():
                if key.rpartition(".")[0] == table and key.rpartition(".")[2] not in ("preset", *_OF_ZONES):
                    entry.fill(None)
        if field.key == "initial.given" and self._world is not None:  # the same start, in another form
            for key, values in (
                ("initial.angular_velocity", self._world.angular_velocity),
                ("initial.orientation", self._world.orientation),
            ):
                self.entries[key].fill(without_rounding(values, float(np.linalg.norm(values))))

    def _reveal(self) -> None:
        """Show only the fields that mean something with what is chosen."""
        for entry in self.entries.values():
            key, words = entry.field.only or ("", ())
            if (by := self.entries.get(key)) is not None:
                given = by.filled and not by.isHidden()  # what is being typed there need not be readable yet
                if not words or None in words:
                    entry.setVisible(given != (None in words))
                else:
                    entry.setVisible(given and by.value() in words)

    def _hint(self, scenario: Scenario) -> None:
        """Show, dimmed, what empty fields stand for."""
        named = {"gravity.g": scenario.g}
        if isinstance(scenario, RockfallScenario):
            named["stop.for"] = scenario.stop.for_
        for key, entry in self.entries.items():
            value = named.get(key, entry.field.of(scenario))
            if entry.field.optional and isinstance(value, float):
                entry.hint(value)
        if "ensemble.seed" in self.entries:
            self.entries["ensemble.seed"].setEnabled(varies(of_rocks(scenario)))

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians."""
        self.degrees = on
        for entry in self.entries.values():
            entry.set_degrees(on)

    def show_world(self, world: World) -> None:
        """Show what the run made of values that were left open."""
        self._world = world
        made: dict[str, Any] = {
            "release.position": world.position[:2],
            "body.inertia": six(tensor(world.body)) if self._takes_tensor else world.body.inertia,
            "initial.orientation": world.orientation,
            "body.mass": (world.body.mass,),
            "body.density": (world.body.mass / world.body.volume,) if world.body.volume > 0.0 else (),
        }
        start = world.scenario.initial
        if start.precession is not None and start.nutation is not None:
            made["initial.spin"] = world.angular_velocity[2:] - start.precession * math.cos(start.nutation)
        for key, values in made.items():
            if key in self.entries:
                self.entries[key].hint(tuple(map(float, values)))
        if "terrain.crs" in self.entries and world.terrain is not None:
            self.entries["terrain.crs"].hint(world.crs or tr("none"))
        self._hint(world.scenario)
        variants = [variant_words(name, world.scenario.variants) for name in world.variants]
        facts = kind_of(world.scenario).facts(world)
        if "joint" in self.entries:
            self.entries["joint"].hint(facts)
            facts = ""
        words = " ".join(filter(None, [facts, *variants]))
        self.advice.setText(words)
        self.advice.setVisible(bool(words))

    @property
    def _takes_tensor(self) -> bool:
        return "body.inertia" in self.entries and self.entries["body.inertia"].field.least > 0

    def set_theme(self, theme: Theme) -> None:
        """Recolour, and follow the size of letters."""
        self.theme = theme
        self.setFixedWidth(with_letters(WIDE))
        if self.schemes is not None:
            self.schemes.set_theme(theme)

    # ---- editing ---------------------------------------------------------------------------------------

    def scenario(self) -> Scenario:
        """The scenario as edited; ScenarioError when a value is wrong."""
        assert self.base is not None
        assert self.schemes is not None
        hidden = [entry.field for entry in self.entries.values() if entry.isHidden()]
        values = {entry.field: entry.value() for entry in self.entries.values() if not entry.isHidden()}
        for field, value in values.items():
            if value is None and not field.optional:
                raise ScenarioError(field.key, tr("missing"))
        schemes = self.schemes.chosen()
        if len(schemes) > MOST_LANES:
            raise ScenarioError("schemes", tr("expected at most {most} schemes at once").format(most=MOST_LANES))
        return edited(self.base, values, hidden, schemes)

    def put(self, values: dict[str, Any]) -> None:
        """Edit as if the values of some fields had been typed."""
        for key, value in values.items():
            self.entries[key].fill(value)
        self._reveal()
        self._pause.stop()
        self._apply()

    def finish(self) -> None:
        """Apply what was typed just now."""
        if self._pause.isActive():
            self._pause.stop()
            self._apply()

    def restore(self) -> None:
        """Show again what is chosen: another scenario or role was refused."""
        self.roles.restore()
        if self.opened is not None:
            self.choice.show(self.opened)

    def reset(self) -> None:
        """Take the values of the scenario as it was opened again."""
        if self.opened is not None:
            self.show_scenario(self.opened)
            self.reverted.emit(self.opened)

    def go_to(self, key: str) -> None:
        """Give a field the keyboard."""
        entry = self.entries[key]
        self.wanted.emit()
        entry.take_focus()
        self.ensureWidgetVisible(entry)

    def choose(self, part: tuple[str, int] | None) -> None:
        """Mark a body, joint or spring of a mechanism in its list, and show its fields; None: of none."""
        self.finish()
        if part != self.part and self.base is not None:
            self._drop_part()
            self.part = part
            self._add_part(self.base)
        self._mark()
        if self._part_box is not None:
            self.arranged.emit()
            QTimer.singleShot(0, self._part_box, self._reach)  # once it has its room

    def _reach(self) -> None:
        """Scroll to the card of the chosen part."""
        if self._part_box is not None:
            self.ensureWidgetVisible(self._part_box)

    def _mark(self) -> None:
        """Mark what is chosen in its list."""
        for key, entry in self.entries.items():
            if isinstance(entry, Listed):
                entry.choose(self.part[1] if self.part is not None and self.part[0] == key else None)
        if self.part is not None and self._part_box is not None:
            row = self.entries[self.part[0]]
            assert isinstance(row, Listed)
            self._part_box.setTitle(row.lines[self.part[1]].partition(":")[0])

    def explain(self, error: ScenarioError) -> bool:
        """Explain an error beside its field, one of a whole table where that was edited; whether there is a field.

        One of several numbers of which the user has not typed the last yet waits until the keyboard leaves them.
        """
        fields = dict.fromkeys((error.field, error.field.replace(".0.", ".", 1)))  # of the one table of a list
        nearest = sorted(self.entries.items(), key=lambda one: -len(one[0]))  # body.mass before body
        for field, (key, entry) in product(fields, nearest):
            edited_in = field.split(".")[0] if entry.field.form == "column" else field  # of any table of the list
            whole = key == self._touched and key.startswith(edited_in + ".")
            if not entry.isHidden() and (whole or f"{field}.".startswith(key + ".")):
                if entry.unfinished:
                    self._held = entry, error
                    return True
                self.wanted.emit()
                entry.explain(error.message, field.removeprefix(key).removeprefix("."))
                self.ensureWidgetVisible(entry)
                return True
        if error.field.startswith("schemes") and self.schemes is not None:
            self.schemes.explain(error.message)
            return True
        return False

    def _clear(self) -> None:
        """Take all explanations away."""
        self._held = None
        for entry in self.entries.values():
            entry.explain("")
        if self.schemes is not None:
            self.schemes.explain("")

    def _apply(self) -> None:
        self._clear()
        try:
            self._follow_unit()
            scenario = self.scenario()
        except ScenarioError as error:
            if not self.explain(error):
                self.failed.emit(error)
        else:
            self.note.setVisible(bool(scenario.note))
            self._agree(scenario)
            self.edited.emit(scenario)

    def _agree(self, scenario: Scenario) -> None:
        """Let all fields that show the same tables of a mechanism follow the edit of one."""
        if not any(isinstance(entry, Listed) for entry in self.entries.values()):
            return
        if self._keys_of(_cards(scenario)) != self._keys_shown() and self.opened is not None:
            self.show_values(self.opened, scenario)
            if self._touched in self.entries:
                self.entries[self._touched].take_focus()
            return
        self.base = scenario
        for key, entry in self.entries.items():
            if key != self._touched:
                entry.fill(entry.field.shown(scenario))
        self._mark()
        self._reveal()

    def _follow_unit(self) -> None:
        """Let the values follow that depend on the unit of a mesh, where this was edited."""
        table = self._touched.split(".")[0]
        if self._mesh is None or self._touched != f"{table}.scale":
            return
        now = self.entries[self._touched].value()
        if now == self._mesh.scale or not now > 0.0:
            return
        values = {key: entry.value() for key, entry in self.entries.items() if not entry.isHidden()}
        for key, value in following(table, self._mesh.scale, now, values).items():
            self.entries[key].fill(value)
        self._mesh = self._mesh._replace(scale=now)

    def follow_axis(self, scenario: Scenario, found: Scenario, kept: Iterable[str]) -> bool:
        """Fill in what depends on the upward axis of a hull, and name what stays; False if the fields say other things.

        scenario : as edited, for which the others were found
        """
        try:
            if self._mesh is None or scenario.body_file is None or self.scenario() != scenario:
                return False
        except ScenarioError:  # of what was edited since
            return False
        for entry in self.entries.values():
            if not entry.isHidden() and entry.field.shown(found) != entry.field.shown(scenario):
                entry.fill(entry.field.shown(found))
        for key in kept:
            if key in self.entries:
                text = tr("typed, and kept: it stands as for the axis {up} up").format(
                    up=self._mesh.upward(scenario.body_file[0])
                )
                self.entries[key].explain(text)
        self._mesh = scenario.body_file[1]
        self.note.setVisible(bool(found.note))
        return True


def _cards(scenario: Scenario) -> dict[str, list[Field]]:
    """Titles and fields of the cards of a scenario."""
    cards = kind_of(scenario).cards.items()
    return {title: [field for field in fields if field.serves(scenario)] for title, fields in cards}
