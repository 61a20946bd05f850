"""Form of an export, and the kinds: the files each comes in, and the fields that act on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QWidget,
)

from app.document.export_kinds import CLEAR, KINDS, SCREENS, ExportFormat, ExportKind
from app.document.look import Look, from_mode
from app.document.recipe import EXPLAINED, VERDICT
from app.export.film_times import FASTEST_GIF, card_frames, frame_times, motion_frames
from app.kinds import layers
from app.kinds.words import word_shown
from app.playback.clock import SPEEDS
from app.system.language import tr, translated
from app.window.labels import Plain
from app.window.widgets import DecimalBox, filled, make
from physics import Scenario, ScenarioError
from physics.scenario.camera_modes import CAMERA_MODES
from physics.scenario.described import keys_in
from physics.scenario.view_config import ExportConfig, FilmConfig

T = TypeVar("T")
RATES = ("24", "25", "30", "50", "60")
SPINS = (0.0, 3.0, 6.0, 12.0, 24.0)
LONGEST = 36_000.0  # [s] of a film
FINER = 3  # times more pixels along the sides of a figure that is a picture: 288 dots an inch
LAYOUTS = {"Side by side": "side-by-side", "Overlay": "overlay"}
CARDS = {  # seconds of the title and of the end
    "None": "0+0",
    "Title, 4 s": "4+0",
    "End, 6 s": "0+6",
    "Title, 4 s, and end, 6 s": "4+6",
}
SCALES = {"As large as fits": None} | {f"1:{n}": float(n) for n in (500, 1000, 2000, 2500, 5000, 10_000, 25_000)}
COLOURS = {"Light, for paper": "light", "Dark": "dark", "High contrast": "high contrast"}
KEYS = {key.name: key for key in keys_in(ExportConfig) if key.label}  # whose rows are made from their descriptions


class Form(QWidget):
    """Fields with the values of a scenario's view and export tables; ``shown`` names those that act.

    A key of the export table that has a label needs no row here: it stands at the end, unless it has a place.

    end : when the run ends [s]; sizes : those of the last export of some kinds, by the title of the kind
    """

    changed = Signal()

    def __init__(self, scenario: Scenario, end: float, sizes: Mapping[str, str]) -> None:
        super().__init__()
        self.scenario, self.end, self.shown = scenario, end, frozenset[str]()
        self._rows: dict[str, QWidget | QLayout] = {}
        self._keys: dict[str, QComboBox | QLineEdit] = {}
        self._labels: list[Plain] = []
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setSpacing(5)  # the dialog fits a screen of 1024 x 700
        export, look = scenario.export, Look.of(scenario)
        self.first = _seconds(tr("From", "of time"), end, export.first)
        self.last = _seconds(tr("To", "of time"), end, min(export.last or end, end))
        self._add("range", tr("Part [s]"), filled(QHBoxLayout(), self.first, Plain(tr("to")), self.last, 1))
        self.moment = _seconds(tr("Moment"), end, min(end if export.time is None else export.time, end))
        self._add("moment", tr("Moment [s]"), filled(QHBoxLayout(), self.moment, 1))
        self.size_box = self._choice("size", tr("Size"), same(SCREENS), "{}x{}".format(*export.size))
        self.rate = self._choice("rate", tr("Frames per second"), same(RATES), f"{export.fps:g}")
        speeds = {f"{speed:g}×": speed for speed in SPEEDS}
        self.speed = choices(tr("Speed", "of playing"), speeds, export.speed)
        self.speed.setToolTip(tr("Simulated seconds per second: 0.1 is slow motion, 10 time lapse"))
        self.length = _seconds(tr("Length [s]"), LONGEST, export.length or 0.0)
        self.length.setSingleStep(1.0)
        self.length.setSpecialValueText(tr("by the speed"))
        self.length.setToolTip(tr("Of the whole film, with cards, slow motion and pause; it decides the speed"))
        self.length.valueChanged.connect(lambda value: self.speed.setDisabled(self._by_length))
        self._lasting = Plain(tr("or length [s]"))
        self._add(
            "speed", tr("Speed", "of playing"), filled(QHBoxLayout(), (self.speed, 1), self._lasting, self.length)
        )
        self.theme = self._choice("theme", tr("Colours"), _translated(COLOURS), "light")
        self.scale = self._choice("scale", tr("Scale"), _translated(SCALES), export.scale)
        self._add_key("paper")
        self.map = self._choice("map", tr("Map"), self._maps(), export.map)
        self.layout_box = self._choice("layout", tr("Layout"), _translated(LAYOUTS), look.layout)
        seen = "" if self._as_in_view else look.camera
        self.camera = self._choice("camera", tr("Camera"), self._cameras(), seen)
        self._add_key("plots")
        spins = {tr("{angle:g}° a second").format(angle=spin): spin for spin in SPINS}
        self.orbit = self._choice("orbit", tr("Camera goes around"), spins, export.orbit)
        self._add_key("quality")
        explained = scenario.film == EXPLAINED
        self.explain = make(QCheckBox, tr("Captions, slow motion and a verdict"), checked=explained)
        self.explain.setToolTip(tr("What to look for, when schemes leave the true motion, flips four times slower"))
        self._add("explain", tr("Explain"), self.explain)
        seconds = f"{export.title_card:g}+{export.end_card:g}"
        self.cards = self._choice("cards", tr("Cards"), _translated(CARDS), seconds)
        self._add_key("authors")
        self.cards.currentIndexChanged.connect(self._let_authors)
        self._let_authors()
        self._add_key("content")
        self.captions = make(QCheckBox, tr("Title, clock, legend and schemes"), checked=export.captions)
        self._add("captions", tr("Captions"), self.captions)
        self.compare = make(QCheckBox, tr("The run without the last edit beside it"), checked=look.compare)
        self.compare.setEnabled(bool(scenario.edit))
        self.compare.setToolTip(tr("Of an edit from the playhead: its lanes are drawn paler and dotted, with a prime"))
        self._add("compare", tr("Compare"), self.compare)
        self.transparent = make(QCheckBox, tr("Transparent background"), checked=export.transparent)
        self.transparent.setToolTip(
            tr("For .png, folders of pictures, and films that end in .mov (ProRes 4444), .webm or .apng")
        )
        self._add("transparent", tr("Transparent"), self.transparent)
        for name in KEYS:
            if name not in self._rows:
                self._add_key(name)
        self._sizes, self._sized = dict(sizes), KINDS[0]  # sizes of kinds, and the kind of those that are offered
        self._choose_size(self._sizes.get(self._sized.title, self.size_box.currentData()))
        for box in self.findChildren(QComboBox):
            box.currentIndexChanged.connect(self.changed)
        for line in self._keys.values():
            if isinstance(line, QLineEdit):
                line.textChanged.connect(self.changed)
        for spin in self.findChildren(DecimalBox):
            spin.valueChanged.connect(self.changed)
        for check in self.findChildren(QCheckBox):
            check.toggled.connect(self.changed)

    def _choice(self, name: str, title: str, offered: Mapping[str, object], chosen: object) -> QComboBox:
        """A row with a box of choices."""
        box = choices(title, offered, chosen)
        self._add(name, title, box)
        return box

    def _add_key(self, name: str) -> None:
        """A row for a key of the export table: choices, or a text."""
        title, value = tr(KEYS[name].label), getattr(self.scenario.export, name)
        if words := KEYS[name].choices:
            self._keys[name] = choices(title, {tr(word_shown(word)): word for word in words}, value)
        else:
            self._keys[name] = make(QLineEdit, value, accessibleName=title)
        self._add(name, title, self._keys[name])

    def _let_authors(self) -> None:
        """Authors stand on a title card alone."""
        self._keys["authors"].setEnabled(self._card_seconds[0] > 0.0)

    def _add(self, name: str, title: str, field: QWidget | QLayout) -> None:
        self._form.addRow(self._label(title), field)
        self._rows[name] = field

    def add_first(self, title: str, field: QWidget) -> None:
        """A row above all others, which is always shown."""
        self._form.insertRow(0, self._label(title), field)

    def _label(self, text: str) -> Plain:
        """Label as wide as all others, so that nothing moves when another kind is chosen."""
        self._labels.append(Plain(text))
        widest = max(self.fontMetrics().horizontalAdvance(label.text()) for label in self._labels) + 8
        for label in self._labels:
            label.setMinimumWidth(widest)
        return self._labels[-1]

    def show_fields(self, kind: ExportKind, chosen: ExportFormat) -> None:
        """Show what acts on a format, with the sizes of its kind."""
        heeded = kind.heeded(chosen)
        self.shown = heeded if chosen.clear else heeded - {"transparent"}
        self.transparent.setEnabled(chosen.clear)
        needs = tr("Needs {endings}, or a folder").format(endings=", ".join(CLEAR))
        self.transparent.setText(tr("Transparent background") if chosen.clear else needs)
        for name, row in self._rows.items():
            self._form.setRowVisible(row, name in heeded)
        for part in (self._lasting, self.length):
            part.setVisible("length" in self.shown)
        self.speed.setDisabled(self._by_length)
        if "size" in self.shown and kind is not self._sized:
            self._offer(kind)

    def _offer(self, kind: ExportKind) -> None:
        """The sizes of another kind, and the one that was chosen of them last."""
        now, before, self._sized = self.size_box.currentData(), self._sized, kind
        self._sizes[before.title] = now
        usual = now if kind.sizes == before.sizes else next(iter(kind.sizes.values()))
        with QSignalBlocker(self.size_box):
            self.size_box.clear()
            for text, size in kind.sizes.items():
                self.size_box.addItem(tr(text), size)
            self._choose_size(self._sizes.get(kind.title, usual))

    def _choose_size(self, size: str) -> None:
        """Choose a size, also one that is not offered."""
        if self.size_box.findData(size) < 0:
            self.size_box.addItem(size, size)
        self.size_box.setCurrentIndex(self.size_box.findData(size))

    # ---- request ---------------------------------------------------------------------------------------

    @property
    def fps(self) -> float:
        """Frames per second."""
        return float(self.rate.currentText())

    @property
    def frames(self) -> int:
        """Number of frames of the film."""
        if self._by_length:
            return round(self.length.value() * self.fps)
        span = self.last.value() - self.first.value()
        motion = len(frame_times(max(span, 0.0), self.fps, self.speed.currentData()))
        return motion + card_frames(self.fps, self._film.pause, *self._card_seconds)

    @property
    def slows(self) -> bool:
        """True if a film may have more frames than ``frames``: it may be slower around some moments."""
        return self._film.slow < 1.0 and not self._by_length

    @property
    def _by_length(self) -> bool:
        """True if a wanted length of the film decides its speed."""
        return "length" in self.shown and self.length.value() > 0.0

    @property
    def _film(self) -> FilmConfig:
        """The film table, with the captions, the slow motion and the pause that the box says."""
        if self.explain.isChecked():
            return EXPLAINED
        return FilmConfig() if self.scenario.film == EXPLAINED else self.scenario.film

    @property
    def _card_seconds(self) -> tuple[float, float]:
        """Seconds of the cards before and after the motion; a film that explains itself has one at its end."""
        title, end = map(float, self.cards.currentData().split("+"))
        return title, end or (VERDICT if self.explain.isChecked() else 0.0)

    def objection(self, chosen: ExportFormat) -> str:
        """Objection to the values; "" if there is none."""
        if "range" in self.shown and self.last.value() <= self.first.value():
            return tr("expected a part that ends after it begins, at {time:g} s").format(time=self.first.value())
        if "rate" in self.shown and chosen.ending == ".gif" and self.fps > FASTEST_GIF:
            return tr("a .gif shows at most {most} frames per second, got {fps:g}").format(
                most=FASTEST_GIF, fps=self.fps
            )
        if self._by_length:
            try:
                motion_frames(self.asked(chosen))
            except ScenarioError as error:
                return translated(error)
        return ""

    def asked(self, chosen: ExportFormat) -> Scenario:
        """The scenario with the tables that the fields say; those that do not act are left out."""
        mode = self.camera.currentData()
        finer = FINER if "theme" in self.shown and chosen.ending == ".png" else 1
        width, height = (finer * int(side) for side in self.size_box.currentData().split("x"))
        given = {
            "compare": {"view.compare": self.compare.isChecked()},
            "transparent": {"export.transparent": self.transparent.isChecked()},
            "layout": {"view.layout": self.layout_box.currentData()},
            "camera": from_mode(mode) if mode else {},
            "range": {"export.first": self.first.value(), "export.last": self._last},
            "moment": {"export.time": min(self.moment.value(), self.end)},  # its digits may round up
            "size": {"export.size": (width, height)},
            "rate": {"export.fps": self.fps},
            "speed": {"export.speed": None if self._by_length else self.speed.currentData()},
            "length": {"export.length": self.length.value() or None},
            "orbit": {"export.orbit": self.orbit.currentData()},
            "explain": {} if self._film == self.scenario.film else {"film": self._film.model_dump()},
            "cards": dict(zip(("export.title_card", "export.end_card"), self._card_seconds, strict=True)),
            "captions": {"export.captions": self.captions.isChecked()},
            "scale": {"export.scale": self.scale.currentData()},
            "map": {"export.map": self.map.currentData()},
            "theme": {"export.theme": self.theme.currentData()},
        }
        for name, field in self._keys.items():
            value = field.text() if isinstance(field, QLineEdit) else field.currentData()
            given[name] = {f"export.{name}": value}
        values = {"export.transparent": False, "export.first": 0.0, "export.last": None, "export.length": None}
        for name in given.keys() & self.shown:
            values |= given[name]
        return self.scenario.changed(**values)

    @property
    def _last(self) -> float | None:
        """The end of the part; None for that of the run, wherever that is."""
        return self.last.value() if self.last.value() < self.last.maximum() else None

    def _maps(self) -> dict[str, str | None]:
        """The maps of the results that the window shows from a folder, by their titles."""
        found: dict[str, str | None] = {tr("None"): None}
        for one in layers():
            found |= one.maps(self.scenario)
        return found

    def _cameras(self) -> dict[str, str]:
        """The cameras to choose from; first those that the scenario lists, or the view's own."""
        modes = {tr(mode.title): name for name, mode in CAMERA_MODES.items()}
        return ({tr("As in the view"): ""} if self._as_in_view else {}) | modes

    @property
    def _as_in_view(self) -> bool:
        return bool(self.scenario.view.cameras) or self.scenario.view.viewpoint is not None


def _translated(offered: Mapping[str, T]) -> dict[str, T]:
    return {tr(text): value for text, value in offered.items()}


def same(names: Iterable[str]) -> dict[str, str]:
    """Choices whose texts are what they stand for."""
    return {name: name for name in names}


def choices(name: str, offered: Mapping[str, object], chosen: object) -> QComboBox:
    """A box of choices, each with its data; what is chosen is added where it is none of them."""
    box = make(QComboBox, accessibleName=name)
    for text, data in offered.items():
        box.addItem(text, data)
    if (at := box.findData(chosen)) < 0:
        box.addItem(f"{chosen}", chosen)
        at = box.count() - 1
    box.setCurrentIndex(at)
    return box


def _seconds(name: str, end: float, value: float) -> DecimalBox:
    """A field for a time of the run [s]."""
    digits = 2 if end >= 1 else 4
    box = DecimalBox(accessibleName=name, decimals=digits, singleStep=end / 20, minimumWidth=110)
    box.setMaximum(round(end + 0.5 * 10**-digits, digits))
    box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    box.setValue(value)
    box.lineEdit().setTextMargins(6, 0, 6, 0)  # without buttons the style sheet's padding is lost
    return box
