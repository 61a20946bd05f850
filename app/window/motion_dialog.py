"""Dialog of a measured motion: how to read the columns of a sensor's file, with a preview."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from pydantic import ValidationError
from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.kinds.measured_body import (
    air_words,
    bias_text,
    body_in,
    flight,
    is_by_residual,
    ratio_words,
    what_happened,
)
from app.system.language import plural, tr, translated
from app.theme import Theme, legible
from app.window.background_reader import BackgroundReader
from app.window.charts.chart import name_axes, still
from app.window.exports.form import choices, same
from app.window.widgets import Explanation, across, dim, eliding, filled, make, push
from physics import PhysicsError, ScenarioError
from physics.analysis.identification import Identification
from physics.core.conf_files import is_conf
from physics.measured.columns import mapped
from physics.measured.measured_config import ACCELERATION_UNITS, RATE_UNITS, TIME_UNITS, MeasuredConfig
from physics.measured.motion import MeasuredMotion, column_names, free_flights, measured_motion
from physics.scenario.scenario import explained

NONE = "none"
AXES = ("#D62728", "#2CA02C", "#1F77FF")  # colours of x, y, z, as on bodies
PAUSE = 200  # [ms] from a change to reading again, and between looks at the search for the body
MAX_PREVIEW_BYTES = 30_000_000  # bytes of a file with a preview, which takes half a second
POINTS = 4000  # points of a curve
SCALARS, ATTITUDES, FRAMES = ("first", "last"), ("body-to-space", "space-to-body"), ("body", "space")


class MotionDialog(QDialog):
    """Columns, units and conventions of one file, with a plot of the resulting rates."""

    chosen = Signal(object)  # MeasuredConfig

    def __init__(self, file: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Measured motion: {name}").format(name=file.parent.name if is_conf(file) else file.name))
        self.file, self.theme = file, theme
        self.names = column_names(file)
        self.guessed: tuple[str, ...] = ()  # fields that are not in the file
        guess = self.guess = self._guess()
        self.time = self._columns(tr("Time"), 1, (guess.time,) if guess.time else None)
        self.time_unit = _units(tr("Unit of the time"), TIME_UNITS, guess.time_unit)
        self.rates = self._columns(tr("Rates"), 3, guess.angular_velocity)
        self.rate_unit = _units(tr("Unit of the rates"), RATE_UNITS, guess.rate_unit)
        frames = dict(zip((tr("in body"), tr("in space")), FRAMES, strict=True))
        self.rate_frame = choices(tr("Axes of the rates"), frames, guess.rate_frame)
        self.quaternion = self._columns(tr("Quaternion"), 4, guess.orientation)
        self.scalar = choices(
            tr("Scalar"), dict(zip((tr("scalar first"), tr("scalar last")), SCALARS, strict=True)), guess.scalar
        )
        self.attitude = choices(
            tr("Attitude"),
            dict(zip((tr("body-to-space"), tr("space-to-body")), ATTITUDES, strict=True)),
            guess.attitude,
        )
        self.acceleration = self._columns(tr("Acceleration"), 3, guess.acceleration)
        self.acceleration_unit = _units(tr("Unit"), ACCELERATION_UNITS, guess.acceleration_unit)
        particle = "" if guess.particle is None else f"{guess.particle}"
        self.particle = make(QLineEdit, particle, accessibleName=tr("Particle of the run"))
        self.particle.setToolTip(tr("Its number from 0 on, or its name"))
        self.axes = make(QLineEdit, "x, y, z", accessibleName=tr("Axes of the body in those of the sensor"))
        self.axes.setToolTip(tr("The body's x, y and z as axes of the sensor: y, -x, z"))
        self.flight = make(QCheckBox, tr("Only the part that is marked in the plot"))
        self.plot = pg.PlotWidget()
        self.plot.setAccessibleName(tr("Preview of the rates"))
        self.region = pg.LinearRegionItem(movable=True)
        self.found, self.wrong = dim(name=tr("Content of the file")), Explanation()
        self.body = dim(name=tr("Body in flight"))
        self.open_button = push(tr("Open"), self._accept, "primary", default=True)
        self._arrange()
        self._pause = QTimer(self, interval=PAUSE, singleShot=True)
        self._pause.timeout.connect(self.look)
        for box in self.findChildren(QComboBox):
            box.activated.connect(lambda _: self._pause.start())
        for line in (self.axes, self.particle):
            line.textChanged.connect(lambda _: self._pause.start())
        self._search: BackgroundReader[tuple[MeasuredMotion, Identification]] | None = None
        self._searching = QTimer(self, interval=PAUSE)
        self._searching.timeout.connect(self._take)
        self.region.sigRegionChanged.connect(lambda _: self.flight.setChecked(True))
        self.region.sigRegionChangeFinished.connect(lambda _: self._pause.start())
        self.flight.clicked.connect(lambda _: self._pause.start())
        self.look()

    def _guess(self) -> MeasuredConfig:
        """The table by the headings and the sizes of numbers, without unknown columns."""
        known = plain = MeasuredConfig(file=str(self.file.absolute()))
        try:
            known = mapped(plain, self.names, self.file.stem)
            motion = measured_motion(plain, self.file.parent) if self._small else None
        except ScenarioError:  # such as a unit that nothing tells: see look
            return known
        if motion is None:
            return known
        self.guessed = motion.guessed
        return motion.table

    @property
    def _small(self) -> bool:
        return self.file.stat().st_size <= MAX_PREVIEW_BYTES

    def _columns(self, title: str, count: int, chosen: Sequence[str] | None) -> list[QComboBox]:
        """Drop-downs of the file's columns, one a component."""
        letters = {1: ("",), 3: ("x", "y", "z"), 4: ("1", "2", "3", "4")}[count]
        names = {tr("none"): NONE} | {name: name for name in self.names}
        return [
            eliding(choices(f"{title} {letter}".strip(), names, chosen[i] if chosen else NONE))
            for i, letter in enumerate(letters)
        ]

    def _arrange(self) -> None:
        form = QFormLayout()
        if is_conf(self.file):
            form.addRow(tr("Particle"), self.particle)
        form.addRow(tr("Time"), _row(*self.time, self.time_unit))
        form.addRow(tr("Rates about x, y, z"), _row(*self.rates, self.rate_unit, self.rate_frame))
        form.addRow(tr("Quaternion"), _row(*self.quaternion))
        form.addRow("", _row(self.scalar, self.attitude))
        form.addRow(tr("Acceleration"), _row(*self.acceleration, self.acceleration_unit))
        form.addRow(tr("Body's axes"), self.axes)
        item = still(self.plot)
        name_axes(item, self.theme, left=tr("rates [rad/s]"), bottom=tr("time of the file [s]"))
        self.plot.setBackground(self.theme.panel)
        self.plot.setMinimumHeight(190)
        self.curves = [item.plot(pen=pg.mkPen(legible(colour, self.theme), width=1)) for colour in AXES]
        shade = QColor(self.theme.accent)
        shade.setAlpha(50)
        self.region.setBrush(shade)
        item.addItem(self.region)
        last = across(QWidget(), push(tr("Cancel"), self.reject, autoDefault=False), self.open_button)
        parts = form, (self.plot, 1), self.found, self.body, self.wrong, self.flight, last
        filled(QVBoxLayout(self), *parts, margins=(20, 16, 20, 16), spacing=10)
        self.resize(760, 640)

    # ---- choice ---------------------------------------------------------------------------------

    def table(self) -> MeasuredConfig:
        """The chosen table, for the whole file; ScenarioError if it makes no sense."""
        time, rates, quaternion = _chosen(self.time), _chosen(self.rates), _chosen(self.quaternion)
        acceleration, axes = _chosen(self.acceleration), [word.strip() for word in self.axes.text().split(",")]
        keys: dict[str, Any] = {"file": str(self.file.absolute())}
        keys |= {"time": time[0], "time_unit": self.time_unit.currentData()} if time else {}
        if rates:
            keys |= {"angular_velocity": rates, "rate_unit": self.rate_unit.currentData()}
            keys |= {} if self.rate_frame.currentData() == "body" else {"rate_frame": "space"}
        if particle := self.particle.text().strip():
            keys |= {"particle": int(particle) if particle.isdecimal() else particle}
        if quaternion:
            keys |= {"orientation": quaternion, "scalar": self.scalar.currentData()}
            keys |= {"attitude": self.attitude.currentData()}
        if acceleration:
            keys |= {"acceleration": acceleration, "acceleration_unit": self.acceleration_unit.currentData()}
        keys |= {} if axes == ["x", "y", "z"] else {"axes": tuple(axes)}
        groups = ("time", "angular_velocity", "orientation", "acceleration")
        if all((keys.get(one) or None) == getattr(self.guess, one) for one in groups):  # unchanged guesses stay guesses
            keys = {k: v for k, v in keys.items() if k not in self.guessed or v != getattr(self.guess, k)}
        try:
            return MeasuredConfig(**keys)
        except ValidationError as error:
            raise explained(error, MeasuredConfig) from None

    def look(self) -> None:
        """Read the file by the chosen table, and show the result or the error."""
        self._give_up()
        try:
            mapped(table := self.table(), self.names, self.file.stem)
            motion = measured_motion(table, self.file.parent) if self._small else None
        except ScenarioError as error:
            place = "" if error.field.startswith("measured.") else error.field  # these fields are visible
            self.wrong.say(ScenarioError(place, error.message))
            self.found.setText("")
            self.body.setText("")
        else:
            self.wrong.say()
            self._show(motion)
        self.open_button.setEnabled(self.wrong.isHidden())

    def _show(self, motion: MeasuredMotion | None) -> None:
        if motion is None:
            self.found.setText(tr("The file is too large for a preview."))
            return
        self._draw(motion)
        self._mark(motion, next(iter(free_flights(motion)), (float(motion.time[0]), float(motion.time[-1]))))
        self.found.setText(_in_words(motion))
        late = _late(motion)
        begin, end = self.region.getRegion()
        marked = (begin - late, end - late) if self.flight.isChecked() else None
        self.body.setText(tr("Looking for the body…"))
        self._search = BackgroundReader(
            self.file, lambda file: body_in(motion, file.parent, flight if marked is None else lambda _: marked)
        )
        self._searching.start()

    def _draw(self, motion: MeasuredMotion) -> None:
        late, every = _late(motion), max(1, len(motion) // POINTS)
        for i, curve in enumerate(self.curves):
            curve.setData(late + motion.time[::every], motion.angular_velocity[::every, i])

    def _mark(self, motion: MeasuredMotion, span: tuple[float, float]) -> None:
        """Mark the part [s] that is used, unless another one is chosen."""
        if not self.flight.isChecked():
            with QSignalBlocker(self.region):
                self.region.setRegion((_late(motion) + span[0], _late(motion) + span[1]))

    def _take(self) -> None:
        """Show the body if the search for it has ended."""
        search = self._search
        if search is None or search.running:
            return
        self._give_up()
        try:
            motion, found = search.result()
        except PhysicsError as error:
            self.body.setText(_sentence(translated(error.message if isinstance(error, ScenarioError) else str(error))))
            return
        for field, box in (("rate_unit", self.rate_unit), ("scalar", self.scalar)):
            if field in motion.guessed:
                box.setCurrentIndex(box.findData(getattr(motion.table, field)))
        self.guess = self.guess.model_copy(update={field: getattr(motion.table, field) for field in motion.guessed})
        self._draw(motion)
        self.found.setText(_in_words(motion))
        if found.fitted:
            self._mark(motion, (found.begin, found.end))
        self.body.setText(_body_in_words(motion, found))

    def _give_up(self) -> None:
        """End the search for the body."""
        self._searching.stop()
        if self._search is not None:
            self._search.give_up()
            self._search = None

    def hideEvent(self, event: QHideEvent) -> None:
        """End the search with the dialog."""
        self._give_up()
        super().hideEvent(event)

    def _accept(self) -> None:
        begin, end = self.region.getRegion()
        table = self.table()
        if self.flight.isChecked():
            table = table.model_copy(update={"begin": float(begin), "end": float(end)})
        self.chosen.emit(table)
        self.accept()


def _units(name: str, units: Iterable[str], chosen: str | None) -> QComboBox:
    """A box of units; none is chosen where none is known, so that it is guessed by the numbers, or asked for."""
    box = choices(name, same(units), chosen or next(iter(units)))
    box.setPlaceholderText(tr("Unit"))
    box.setCurrentIndex(-1 if chosen is None else box.currentIndex())
    return box


def _row(*boxes: QComboBox) -> QHBoxLayout:
    for box in boxes:
        box.setMinimumContentsLength(6 if box.property("elides") else 0)
    return filled(QHBoxLayout(), *((box, int(bool(box.property("elides")))) for box in boxes), spacing=6)


def _chosen(boxes: Sequence[QComboBox]) -> tuple[str, ...]:
    """The columns of drop-downs; () if one has none."""
    names = tuple(box.currentData() for box in boxes)
    return () if NONE in names else names


def _late(motion: MeasuredMotion) -> float:
    """The time of the file [s] at the time 0 of a motion."""
    return (motion.table.begin or 0.0) - motion.table.at


def _body_in_words(motion: MeasuredMotion, found: Identification) -> str:
    """Flight, moments, bias and residual in sentences."""
    span = {"begin": found.begin + _late(motion), "end": found.end + _late(motion)}
    left = {"residual": found.residual, "unit": found.unit}
    if not found.fitted:
        return tr("No free motion fits from {begin:.4g} to {end:.4g} s: {residual:.3g} {unit} are left.").format(
            **span, **left
        )
    text = tr("Free flight from {begin:.4g} to {end:.4g} s: moments over the largest {ratios}").format(
        **span, ratios=ratio_words(found)
    )
    bias = tr("; bias of the gyroscope {bias} rad/s").format(bias=bias_text(found)) if found.bias.any() else ""
    air = air_words(found)
    bias += tr("; ") + translated(air) if air else ""
    text += bias + tr("; {residual:.3g} {unit} are left.").format(**left)
    by = (
        tr("The flight is where a free motion fits: no accelerometer shows it") if is_by_residual(motion, found) else ""
    )
    return f"{translated(what_happened(found))}.\n{text}" + (f"\n{by}." if by else "")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _in_words(motion: MeasuredMotion) -> str:
    """Summary of the file in a sentence."""
    flights = len(free_flights(motion))
    rate, span = 1.0 / float(np.median(np.diff(motion.time))), float(motion.time[-1] - motion.time[0])
    fastest = float(np.linalg.norm(motion.angular_velocity, axis=1).max())
    text = tr("{samples} samples at {rate:.4g} Hz, {span:.4g} s, up to {fastest:.3g} rad/s").format(
        samples=len(motion), rate=rate, span=span, fastest=fastest
    )
    if motion.acceleration is not None:
        free = plural(
            "{count} free flight, the longest is marked", "{count} free flights, the longest is marked", flights
        )
        text += tr("; ") + (free if flights else tr("{count} free flights")).format(count=flights)
    gaps = tr("; {count} gaps or ends of the range").format(count=len(motion.marks)) if motion.marks else ""
    return "\n".join([f"{text}{gaps}.", *(f"{translated(choice)}." for choice in motion.choices())])
