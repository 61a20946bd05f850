"""Dialog of a mesh: what it is taken for, its unit and upward axis, and what comes of it before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.kinds import roles, taken
from app.kinds.kind import UNITS, rounded, tonnes
from app.system.language import listed, tr, translated
from app.window.background_reader import BackgroundReader
from app.window.exports.form import choices, same
from app.window.labels import sentence
from app.window.widgets import Explanation, across, dim, filled, make, push
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.bodies.closed_surface import TRY
from physics.bodies.gltf import GLTF
from physics.bodies.mesh_io import Mesh, MeshReading, usual_up

MOST_ROWS = 6  # parts that the list shows without scrolling
LOOK = 50  # [ms] between two checks of what is being computed
AXES = ("x", "y", "z")


class MeshFacts(NamedTuple):
    """Facts about a mesh as a body.

    world : its start; None where there is none
    error : why there is none, or why the load that it had is not kept
    repaired : its start after a repair, which was not chosen; None where it would not help
    beyond : why a repair, which was not chosen, would not help
    guessed : whether the last of the scenarios is taken, whose load is a guess
    """

    world: World | None
    error: str = ""
    repaired: World | None = None
    beyond: str = ""
    guessed: bool = False


def mesh_facts(made: Sequence[Callable[[MeshReading], Scenario]], reading: MeshReading, file: Path) -> MeshFacts:
    """Facts about the mesh in a file that is read in a way, by the first scenario made with it that has a start."""
    why = ""
    for way in made:
        try:
            return MeshFacts(World.of(way(reading)), why, guessed=way is made[-1])
        except (PhysicsError, ScenarioError) as error:
            why = why or (error.message.replace(TRY, "") if isinstance(error, ScenarioError) else str(error))
    if reading.repair:
        return MeshFacts(None, why)
    after = mesh_facts(made, reading._replace(repair=True), file)
    return MeshFacts(None, why, after.world, after.error if after.world is None else "")


class MeshDialog(QDialog):
    """Role, unit, upward axis, parts and repair of a mesh, with the size, volume and mass that they give.

    role, reading : to begin with; None: a free body, in the unit that its size suggests
    ground : rockfall scenario whose slope a rock falls on
    made : scenarios that name the mesh, by how it is read, whose role is settled: with the load that it had, if any,
        and else with one that is guessed; None: made in the role
    """

    chosen = Signal(object)  # Scenario

    def __init__(
        self,
        file: Path,
        mesh: Mesh,
        role: str | None,
        reading: MeshReading | None,
        ground: Scenario | None,
        made: Sequence[Callable[[MeshReading], Scenario]] | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open a mesh: {name}").format(name=file.name))
        self.file, self._ground, self._guessing = file.absolute(), ground, reading is None
        self._made = made
        points = mesh.points[np.unique(mesh.triangles)] if len(mesh.triangles) else mesh.points
        self._extent = float(np.ptp(points, axis=0).max())
        self._outcome: MeshFacts | None = None
        self._computing: BackgroundReader[MeshFacts] | None = None
        reading = reading or MeshReading()
        self.role = choices(
            tr("Taken as"), {tr(one.word): name for name, one in sorted(roles().items())}, role or "body"
        )
        self.unit = choices(tr("Unit of the mesh"), {tr(name): scale for name, scale in UNITS.items()}, reading.scale)
        self.up = choices(tr("Axis that points up"), same(AXES), reading.upward(file))
        self.parts = make(QListWidget, accessibleName=tr("Parts"))
        for name in dict.fromkeys(name for name, _ in mesh.parts):
            item = QListWidgetItem(name, self.parts)
            taken_in = not reading.nodes or name in reading.nodes
            item.setCheckState(Qt.CheckState.Checked if taken_in else Qt.CheckState.Unchecked)
        rows = min(self.parts.count(), MOST_ROWS)
        self.parts.setFixedHeight(rows * self.parts.sizeHintForRow(0) + 2 * self.parts.frameWidth() if rows else 0)
        self.guess = dim(name=tr("Origin of the unit"))
        self.repair = make(QCheckBox, tr("Repair the mesh"), checked=reading.repair)
        self.repair.setVisible(bool(len(mesh.triangles)))
        self.extents, self.volume, self.mass = (dim(name=name) for name in (tr("Size"), tr("Volume"), tr("Mass")))
        self.notes, self.wrong = dim(name=tr("Notes")), Explanation()
        self.open_button = push(tr("Open"), self._accept, "primary", enabled=False, default=True)
        self._arrange()
        self._looking = QTimer(self, interval=LOOK)
        self._looking.timeout.connect(self._take)
        self.unit.activated.connect(self._choose_unit)
        for box in (self.role, self.up):
            box.activated.connect(self.compute)
        self.repair.toggled.connect(self.compute)
        self.parts.itemChanged.connect(self.compute)
        self.finished.connect(self._give_up)
        self.compute()

    def _arrange(self) -> None:
        form = QFormLayout()
        form.addRow(tr("Taken as"), self.role)
        form.setRowVisible(self.role, self._made is None)
        form.addRow(tr("Unit"), self.unit)
        form.addRow("", self.guess)
        form.addRow(tr("Up"), self.up)
        form.addRow(tr("Parts"), self.parts)
        form.setRowVisible(self.parts, self.parts.count() > 1)
        form.addRow("", self.repair)
        for name, value in ((tr("Size"), self.extents), (tr("Volume"), self.volume), (tr("Mass"), self.mass)):
            form.addRow(name, value)
        last = across(QWidget(), push(tr("Cancel"), self.reject, autoDefault=False), self.open_button)
        parts = form, self.wrong, self.notes, 1, last
        self._column = filled(QVBoxLayout(self), *parts, margins=(20, 16, 20, 16), spacing=10)
        self.resize(520, 380)

    # ---- choice ----------------------------------------------------------------------------------------

    @property
    def reading(self) -> MeshReading:
        """Unit, upward axis, repair and parts that are chosen."""
        up = self.up.currentData()
        nodes = () if len(self._taken_in) == self.parts.count() else self._taken_in
        return MeshReading(
            self.unit.currentData(), "" if up == usual_up(self.file) else up, self.repair.isChecked(), nodes
        )

    @property
    def _taken_in(self) -> tuple[str, ...]:
        """Names of the parts that are chosen."""
        items = [self.parts.item(row) for row in range(self.parts.count())]
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def _choose_unit(self) -> None:
        self._guessing = False
        self.compute()

    def compute(self) -> None:
        """Compute in the background what comes of the mesh."""
        if self._guessing:
            if self.file.suffix.lower() in GLTF:
                scale, text = 1.0, tr("Not guessed: a glTF file is in metres, with y up.")
            else:
                scale = roles()[self.role.currentData()].guessed_scale(self._extent)
                text = tr("Guessed from its size of {extent:g} units: no mesh names its unit.")
            self.unit.setCurrentIndex(self.unit.findData(scale))
            self.guess.setText(text.format(extent=rounded(self._extent, 4)))
        self.guess.setVisible(self._guessing)
        self._give_up()
        self.open_button.setEnabled(False)
        self.wrong.say()
        if self.parts.count() and not self._taken_in:
            self.wrong.say(tr("expected at least one part"))
            return
        self.notes.setText("")
        for label in (self.extents, self.volume, self.mass):
            label.setText("…")
        made = self._made or [partial(taken, self.file, self.role.currentData(), self._ground)]
        self._computing = BackgroundReader(self.file, partial(mesh_facts, made, self.reading))
        self._looking.start()

    def _take(self) -> None:
        """Show what comes of the mesh, once it is known."""
        if self._computing is None or self._computing.running:
            return
        self._looking.stop()
        found, self._computing = self._computing.result(), None
        self._outcome = found
        self.wrong.say(*([translated(found.error)] if found.world is None else []))
        if found.world is None:
            for label in (self.extents, self.volume, self.mass):
                label.setText("–")
            if found.repaired is not None:
                text = tr("A repair would help: {changes}.").format(changes=listed(self._notes(found.repaired)))
            elif found.beyond and not self.repair.isHidden():
                text = tr("A repair would not help: {reason}.").format(reason=translated(found.beyond))
            else:
                text = ""
            self.notes.setText(text)
        else:
            body = found.world.body
            self.extents.setText(tr("{extents} m along x, y and z").format(extents=_in_words(body.extents)))
            self.volume.setText(f"{rounded(body.volume, 4):g} m³")
            role = roles()[self.role.currentData()]
            guessed = self._made is None or (role.laden and found.guessed)
            self.mass.setText(", ".join([tonnes(body.mass), *([role.load(found.world)] if guessed else [])]))
            lost = tr("Another load is guessed, since this hull cannot carry the one before: {reason}.")
            notes = [lost.format(reason=translated(found.error))] if found.error else []
            self.notes.setText("\n".join(map(sentence, [*notes, *self._notes(found.world)])))
        self.notes.setVisible(bool(self.notes.text()))
        self.open_button.setEnabled(found.world is not None)
        self.resize(self.width(), max(self.height(), self._column.totalHeightForWidth(self.width())))

    def _notes(self, world: World) -> list[str]:
        """Notes on the mesh and on its repair."""
        return [translated(note).removeprefix(f"{self.file.name}: ") for note in world.notes]

    def _accept(self) -> None:
        if self._outcome is not None and self._outcome.world is not None:
            self.chosen.emit(self._outcome.world.scenario)
            self.accept()

    def _give_up(self) -> None:
        self._looking.stop()
        if self._computing is not None:
            self._computing.give_up()
            self._computing = None


def _in_words(extents: np.ndarray) -> str:
    return " × ".join(f"{rounded(one, 4):g}" for one in extents)
