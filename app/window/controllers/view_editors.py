"""Editors in the 3D view: releases, zones, barriers and lines drawn on the ground, and handles of the start."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from shapely import Polygon

from app.kinds.quantities import without_rounding
from app.system.language import tr
from app.window.labels import Plain
from app.window.panel.panel import Panel
from app.window.session import Session
from app.window.view.view import View
from app.window.widgets import DrawingOverlay, boxed, prompt
from app.window.workspace import Workspace
from physics import Scenario
from physics.core.rotation import yaw_pitch_roll
from physics.scenario.scenario import fields

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.ground.scene import TerrainScene
    from app.stage.overlays.drag_handles import DraggedStart
    from app.window.view.viewport import Viewport


NEAR = 16.0  # [pixels] of the tip
TURN = 0.009  # [rad] for each pixel that the body is dragged
OMEGA, ORIENTATION, GIVEN = "initial.angular_velocity", "initial.orientation", "initial.given"
HEEL, ATTITUDE = "initial.heel", "initial.attitude"  # of a ship


def _prompt() -> str:
    return tr("Drag the ring to set the angular velocity, the body to turn it; the panel has the numbers; Esc ends")


class StartHandles(QObject):
    """Handles of the start over the first view; dragging them makes an edit.

    The panel has the same numbers, for the keyboard.
    """

    def __init__(self, session: Session, panel: Panel, view: View, status: Plain, parent: QObject) -> None:
        super().__init__(parent)
        self.session, self.panel, self.view, self.status = session, panel, view, status
        self.on = False
        self._start: DraggedStart | None = None
        self._dragged = ""  # "tip", "body" or nothing
        self._at = QPointF()
        self._sheet: DrawingOverlay | None = None

    def set_on(self, on: bool) -> None:
        """Show the handles at the start of the motion, or hide them."""
        self.on = on
        viewport = self._viewport
        if viewport is None:
            return
        if self._sheet is None:
            self._sheet = DrawingOverlay(viewport, self.paint)
            viewport.installEventFilter(self)
        self._sheet.setVisible(on)
        if on:
            self.session.reset()
            self.status.setText(self._elsewhere() or _prompt())

    def _elsewhere(self) -> str:
        """A sentence if the start of the first lane is not in the panel, but in a variant; else ""."""
        if (run := self.session.run) is None:
            return ""
        variant = run.scenario.lanes[0].variant
        if "initial" not in {field.partition(".")[0] for field in fields(run.scenario.variants.get(variant, {}))}:
            return ""
        text = tr("The first lane starts as its variant {variant} says: edit [variants.{variant}] in the scenario file")
        return text.format(variant=variant)

    @property
    def _viewport(self) -> Viewport | None:
        return self.view.viewport

    def shown(self) -> DraggedStart | None:
        """The start of the run on the stage, as it is dragged; None if there is nothing to drag."""
        from app.stage.overlays.drag_handles import start_of

        stage = self.view.stage
        if stage is None or self.view.run is not self.session.run or self.session.clock.time > 0.0:
            return None
        if self._elsewhere():
            return None
        if not self._dragged:
            self._start = start_of(*stage.first())
        return self._start

    # ---- drawing ---------------------------------------------------------------------------------------

    def pixels(self, points: np.ndarray) -> list[QPointF]:
        """Points (n, 3) [m] in coordinates of the widget."""
        assert self._viewport is not None
        return self._viewport.pixels(points)

    def paint(self, painter: QPainter) -> None:
        """Draw the handles over the picture."""
        start = self.shown()
        if start is None:
            return
        theme = self.view.theme
        prompt(painter, _prompt(), theme, self.view.headed)
        if self._dragged == "body":
            painter.setPen(QPen(QColor(theme.accent), 1.6))
            corners = self.pixels(start.drawn)
            painter.drawLines([QLineF(corners[a], corners[b]) for a, b in start.edges.tolist()])
        foot, tip = self.pixels(np.array([start.foot, start.tip]))
        painter.setPen(QPen(QColor(theme.accent), 2.0, Qt.PenStyle.DashLine))
        painter.drawLine(foot, tip)
        painter.setPen(QPen(QColor(theme.stage_top), 5.0))
        painter.drawEllipse(tip, 9.0, 9.0)
        painter.setPen(QPen(QColor(theme.accent), 2.5))
        painter.drawEllipse(tip, 9.0, 9.0)
        self._write(painter, tip, start)

    def _write(self, painter: QPainter, tip: QPointF, start: DraggedStart) -> None:
        theme = self.view.theme
        values = start.orientation if self._dragged == "body" else start.omega
        name, unit = ("q", "") if self._dragged == "body" else ("ω", " rad/s")
        text = f"{name} = ({', '.join(f'{value:.4g}' for value in values)}){unit}"
        if self._dragged == "body" and start.about is not None:
            text = tr("heel {angle:.1f}°").format(angle=yaw_pitch_roll(start.orientation)[2])
        metrics = painter.fontMetrics()
        wide, high = metrics.horizontalAdvance(text) + 16, metrics.height() + 8
        assert self._viewport is not None
        left = min(max(tip.x() + 18, 6.0), self._viewport.width() - wide - 6.0)
        box = QRectF(left, min(max(tip.y() - high - 10, 6.0), self._viewport.height() - high - 6.0), wide, high)
        boxed(painter, text, box, theme, theme.border)

    # ---- dragging --------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the mouse from the camera while it drags a handle."""
        if self.on and isinstance(event, QMouseEvent) and watched is self._viewport:
            if event.type() == QEvent.Type.MouseMove:
                return self.move(event)
            if event.button() == Qt.MouseButton.LeftButton:
                return self.press(event) if event.type() == QEvent.Type.MouseButtonPress else self.release(event)
        return False

    def press(self, event: QMouseEvent) -> bool:
        """Start to drag the handle under the pointer; True if there is one."""
        start = self.shown()
        if start is None or self._viewport is None or self._viewport.aim is not None:
            return False
        at = event.position()
        foot, tip = (QLineF(at, end).length() for end in self.pixels(np.array([start.foot, start.tip])))
        held = self._on_body(at, start)
        if tip <= NEAR and not (held and foot < tip):
            self._dragged = "tip"
        elif held:
            self._dragged = "body"
        self._at = at
        return bool(self._dragged)

    def _on_body(self, at: QPointF, start: DraggedStart) -> bool:
        corners = self.pixels(start.drawn)
        xs, ys = [corner.x() for corner in corners], [corner.y() for corner in corners]
        return min(xs) <= at.x() <= max(xs) and min(ys) <= at.y() <= max(ys)

    def move(self, event: QMouseEvent) -> bool:
        """Drag; True if a handle is dragged."""
        if not self._dragged or self._start is None or self._viewport is None:
            return False
        from app.stage.overlays.drag_handles import projected, unprojected
        from app.stage.overlays.overlay import axes_of_picture

        renderer, ratio = self._viewport.plotter.renderers[0], self._viewport.devicePixelRatioF()
        by = event.position() - self._at
        self._at = event.position()
        if self._dragged == "tip":
            (pixel,) = projected(renderer, self._start.tip[None])
            moved = pixel + np.array([by.x(), -by.y(), 0.0]) * ratio
            self._start = self._start.pulled(unprojected(renderer, moved))
        else:
            right, up = axes_of_picture(renderer.camera)
            self._start = self._start.dragged(TURN * by.x(), TURN * by.y(), right, up)
        assert self._sheet is not None
        self._sheet.update()
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Make an edit of the drag, to be undone like any other; True if a handle was dragged."""
        dragged, self._dragged = self._dragged, ""
        if dragged and self._start is not None and self._viewport is not None:
            self._viewport.touched = True  # so that the camera stays
            given = self._start.omega, self._start.orientation
            omega, attitude = (without_rounding(value, float(np.linalg.norm(value))) for value in given)
            if GIVEN in self.panel.entries:  # the start of a top may be given by the motion of its axis: replace it
                self.panel.put({GIVEN: "state", OMEGA: omega, ORIENTATION: attitude})
            elif dragged == "tip":
                self.panel.put({OMEGA: omega})
            elif self._start.about is not None and self.panel.entries[ATTITUDE].value() == "angles":
                self.panel.put({HEEL: round(math.radians(float(yaw_pitch_roll(self._start.orientation)[2])), 4)})
            else:
                self.panel.put({ORIENTATION: attitude})
        return bool(dragged)


MIN_CORNERS = {  # corners, at least; of an area 3
    "release.position": 1,
    "release.line": 2,
    "release.polygon": 3,
    "soil.zone": 3,
    "forest.zone": 3,
    "barrier": 2,
    "line": 2,
}
NEW: dict[str, dict[str, Any]] = {  # what else a table has that is new in its list
    "soil.zone": {"preset": "medium"},
    "forest.zone": {"preset": "medium"},
    "barrier": {"height": 3.0},
    "line": {},
}
_LINES = {"barrier": "line", "line": "points"}  # list of lines -> key of their points
_ENDING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GroundEditor(QObject):
    """Editor of releases, zones, barriers and lines on the terrain by mouse or keys. The panel has the same numbers."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace, self.view, self.status = workspace, workspace.view, workspace.status
        self.key = ""  # field that is drawn, or ""
        self.places: list[tuple[float, float]] = []
        self._stage: Stage | None = None
        self._sheet: DrawingOverlay | None = None
        self._ended = False  # by a double click, before its second release

    # ---- what the user does: see the table of actions --------------------------------------------------

    def begin(self, key: str) -> None:
        """Start to draw a field; stop if it is being drawn."""
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
        """Stop drawing."""
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
        if MIN_CORNERS[self.key] == 1:
            return tr(
                "Click where the rock is to start, or move the cross with the arrows and press Return; Esc cancels"
            )
        corners = {
            "release.line": tr("Click the corners of the line on which rocks start"),
            "release.polygon": tr("Click the corners of the area in which rocks start"),
            "soil.zone": tr("Click the corners of a zone of another soil"),
            "forest.zone": tr("Click the corners of a zone of another forest"),
            "barrier": tr("Click the corners of the barrier"),
            "line": tr("Click the points of the line of interest"),
        }
        keys = tr("or arrows and Space; Backspace: one back; Return, double click: done; Esc: cancel")
        return f"{corners[self.key]}, {keys}"

    def _update(self) -> None:
        if self._sheet is not None:
            self._sheet.update()

    # ---- calls from the window -------------------------------------------------------------------------

    def dress(self, stage: Stage) -> None:
        """Draw on a new stage, perhaps of another terrain."""
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
        """Add the place on the ground at a pixel."""
        land = self._land
        place = None if land is None else land.place(x, y)
        if not self.key or land is None:
            return
        if place is None:
            self.status.setText(tr("No ground there"))
            return
        self.places.append((round(place[0], 2), round(place[1], 2)))
        if MIN_CORNERS[self.key] == 1:
            self._finish()
        else:
            self.view.refresh()

    def _finish(self) -> None:
        """Make an edit of the places, if they are enough."""
        key, places = self.key, tuple(dict.fromkeys(self.places))  # each once
        if len(places) < MIN_CORNERS[key]:
            self.status.setText(tr("Expected at least {least} corners; Esc cancels").format(least=MIN_CORNERS[key]))
            return
        if MIN_CORNERS[key] == 3 and not Polygon(places).is_valid:
            self.status.setText(tr("Sides of the area cross or touch; Backspace removes the last corner, Esc cancels"))
            return
        self.leave()
        run = self.workspace.session.run
        if run is not None:
            self.view.set_overlay("barriers" if key in _LINES else "zones", True)  # what is drawn stays in sight
            self.workspace.take(with_places(run.scenario, key, places))
            panel = self.workspace.panel
            panel.ensureWidgetVisible(panel.entries[key])  # a zone's preset is chosen there

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys and clicks that end a line before the view does."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease) and self._ended:
            self._ended = False
            return event.type() == QEvent.Type.MouseButtonRelease
        if not self.key or MIN_CORNERS[self.key] == 1:
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
        """Draw the prompt and the unfinished line over the picture."""
        viewport, land = self.view.viewport, self._land
        if self.key:
            prompt(painter, self._prompt, self.workspace.theme, self.view.headed)
        if not self.places or viewport is None or land is None:
            return
        ratio, theme = viewport.devicePixelRatioF(), self.workspace.theme
        corners = np.array(self.places)
        line = np.vstack([corners, corners[:1]]) if MIN_CORNERS[self.key] == 3 else corners
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


def with_places(scenario: Scenario, key: str, places: tuple[tuple[float, float], ...]) -> Scenario:
    """The scenario with its release at places [m], or with another zone, barrier or line."""
    plain = scenario.to_plain()
    if key in _LINES:
        return scenario.changed(**{key: (*plain.get(key, ()), {_LINES[key]: places} | NEW[key])})
    if key in NEW:
        name, zone = key.split(".")
        table = plain.get(name, {})
        return scenario.changed(**{name: table | {zone: (*table.get(zone, ()), {"polygon": places} | NEW[key])}})
    kept = {name: value for name, value in plain.get("release", {}).items() if name in ("height", "velocity")}
    where: Any = places[0] if key == "release.position" else places
    initial = {name: value for name, value in plain.get("initial", {}).items() if name != "position"}
    return scenario.changed(release=kept | {key.removeprefix("release."): where}, initial=initial)
