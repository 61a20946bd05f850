"""The editor of the ground: where rocks start and what measures them, drawn on the terrain by mouse or keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from app.system.language import tr
from app.window.view.drawing_overlay import DrawingOverlay, prompt
from app.window.workspace import Workspace
from physics import Scenario

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.ground.scene import TerrainScene

LEAST = {"release.position": 1, "release.line": 2, "release.polygon": 3, "barrier": 2}  # corners of what can be drawn
HIGH = 3.0  # [m] of a barrier that is drawn
_ENDING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GroundEditor(QObject):
    """Asks for places on the terrain, and makes an edit of them. The same numbers stand in the panel."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace, self.view, self.status = workspace, workspace.view, workspace.status
        self.key = ""  # the field that is drawn; "": none is
        self.places: list[tuple[float, float]] = []
        self._stage: Stage | None = None
        self._sheet: DrawingOverlay | None = None
        self._ended = False  # by a double click, whose second release is still to come

    # ---- what the user does: see the table of actions --------------------------------------------------

    def begin(self, key: str) -> None:
        """Ask for the places of a field; if they are asked for already, no longer."""
        again = key == self.key
        self.leave()
        viewport, land = self.view.viewport, self._land
        if viewport is not None and land is None:
            self.status.setText(tr("There is no terrain to draw on"))
        if again or viewport is None or land is None:
            return
        self.key, self.places = key, []
        viewport.ask_place(land.release())
        self.status.setText(self._prompt)
        self._update()

    def leave(self) -> None:
        """Ask for places no longer."""
        viewport = self.view.viewport
        if self.key and viewport is not None:
            self.key, self.places = "", []
            viewport.ask_place(None)
            self.status.setText("")
            self._update()

    @property
    def _land(self) -> TerrainScene | None:
        return None if self._stage is None else self._stage.land

    @property
    def _prompt(self) -> str:
        if LEAST[self.key] == 1:
            return tr(
                "Click where the rock is to start, or move the cross with the arrows and press Return; Esc: no longer"
            )
        corners = {
            "release.line": tr("Click the corners of the line on which rocks start"),
            "release.polygon": tr("Click the corners of the area in which rocks start"),
            "barrier": tr("Click the corners of the barrier"),
        }
        keys = tr("or arrows and Space; Backspace: one back; Return, double click: done; Esc: no longer")
        return f"{corners[self.key]}, {keys}"

    def _update(self) -> None:
        if self._sheet is not None:
            self._sheet.update()

    # ---- what the window tells -------------------------------------------------------------------------

    def dress(self, stage: Stage) -> None:
        """A new stage stands, perhaps of another terrain."""
        self.leave()
        self._stage = stage
        viewport = self.view.viewport
        if self._sheet is None and viewport is not None:
            self._sheet = DrawingOverlay(viewport, self.paint)
            self._sheet.show()
            viewport.installEventFilter(self)
            viewport.aimed.connect(self._place)

    # ---- places ----------------------------------------------------------------------------------------

    def _place(self, x: float, y: float) -> None:
        """A place was told: where one sees the ground at a pixel."""
        land = self._land
        place = None if land is None else land.place(x, y)
        if not self.key or land is None:
            return
        if place is None:
            self.status.setText(tr("No ground there"))
            return
        self.places.append((round(place[0], 2), round(place[1], 2)))
        if LEAST[self.key] == 1:
            self._finish()
        else:
            self.view.refresh()

    def _finish(self) -> None:
        """Make an edit of the places, if there are enough."""
        key, places = self.key, tuple(dict.fromkeys(self.places))  # none twice
        if len(places) < LEAST[key]:
            self.status.setText(tr("Expected at least {least} corners; Esc: no longer").format(least=LEAST[key]))
            return
        self.leave()
        run = self.workspace.session.run
        if run is not None:
            self.workspace.take(placed(run.scenario, key, places))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys and clicks that end a line before the view does."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease) and self._ended:
            self._ended = False
            return event.type() == QEvent.Type.MouseButtonRelease
        if not self.key or LEAST[self.key] == 1:
            return False
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self._ended = True
            self._finish()
            return True
        if isinstance(event, QKeyEvent) and event.key() in (*_ENDING, Qt.Key.Key_Backspace):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self._press(event)
            return True
        return False

    def _press(self, event: QKeyEvent) -> None:
        if event.key() in _ENDING:
            self._finish()
        elif self.places:
            self.places.pop()
            self.view.refresh()

    # ---- drawing ---------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """Say what to do, and draw what there is of the line over the picture."""
        viewport, land = self.view.viewport, self._land
        if self.key:
            prompt(painter, self._prompt, self.workspace.theme, self.view.headed)
        if not self.places or viewport is None or land is None:
            return
        ratio, theme = viewport.devicePixelRatioF(), self.workspace.theme
        corners = np.array(self.places)
        line = np.vstack([corners, corners[:1]]) if self.key == "release.polygon" else corners
        for along, ends in zip(land.traced(line), land.traced(corners, spacing=0.0), strict=True):
            path, dots = ([QPointF(u, v) / ratio for u, v in points.tolist()] for points in (along, ends))
            for colour, width in ((theme.stage_top, 5.0), (theme.accent, 2.5)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawPolyline(QPolygonF(path))
            painter.setPen(QPen(QColor(theme.stage_top), 2.0))
            painter.setBrush(QColor(theme.accent))
            for dot in dots:
                painter.drawEllipse(dot, 5.0, 5.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)


def placed(scenario: Scenario, key: str, places: tuple[tuple[float, float], ...]) -> Scenario:
    """The scenario with its release at places [m], and nowhere else; or with one more barrier."""
    plain = scenario.to_plain()
    if key == "barrier":
        return scenario.changed(barrier=(*plain.get("barrier", ()), {"line": places, "height": HIGH}))
    kept = {name: value for name, value in plain.get("release", {}).items() if name in ("height", "velocity")}
    where: Any = places[0] if key == "release.position" else places
    initial = {name: value for name, value in plain.get("initial", {}).items() if name != "position"}
    return scenario.changed(release=kept | {key.removeprefix("release."): where}, initial=initial)
