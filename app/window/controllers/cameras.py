"""Cameras: standard ones, saved viewpoints, and smooth moves between them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtGui import QAction

from app.document.look import CameraPlace
from app.document.session import MOST_PLACES
from app.system.language import tr
from app.window.guides.command_palette import Entry
from app.window.guides.synonyms import REMOVE
from app.window.workspace import Workspace
from physics.scenario.camera_modes import CAMERA_MODES
from physics.scenario.view_config import ViewConfig

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.stage import Stage
    from app.stage.camera.rig import Move, Viewpoint

SECONDS = 0.4  # [s] of a move


class Cameras(QObject):
    """Standard and saved viewpoints of the cameras, and the moves there."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace, self.view = workspace, workspace.view
        self.places: list[CameraPlace] = []  # saved viewpoints
        self._move: Move | None = None
        self._begun = 0.0
        self._stage: Stage | None = None
        self._menu: QMenu | None = None
        self._listed: list[QAction] = []
        self._own: str | None = None  # the user's mode, while a scenario sets another

    # ---- standard cameras ------------------------------------------------------------------------------

    def go(self, mode: str) -> None:
        """Go to a camera mode, smoothly if both cameras stand still."""
        self._show_mode(mode)
        self._moved(lambda: self.view.set_camera(mode), mode)

    def begin(self, view: ViewConfig) -> None:
        """Set the camera of an opened scenario; the user's mode if it has none."""
        chosen = self._own or self.view.look.camera
        mode = view.camera or chosen
        if mode != self.view.look.camera:
            self.go(mode)
        self._own = None if view.camera is None else chosen
        self.view.begin_from(view.viewpoint, None)

    def fit(self) -> None:
        """Show everything in the camera's mode; a camera that moves with the body leaves it."""
        if CAMERA_MODES[self.view.look.camera].moves:
            self.go("fit")
        else:
            self._moved(self.view.fit, self.view.look.camera)

    def leave(self) -> None:
        """Leave the body that the camera moves with."""
        if CAMERA_MODES[self.view.look.camera].moves:
            self.go("fit")

    def _show_mode(self, mode: str) -> None:
        self._own = None
        follow = self.workspace.actions["follow"]
        with QSignalBlocker(follow):
            follow.setChecked(mode == "follow")

    def _moved(self, look: Callable[[], object], mode: str) -> None:
        """Change the viewpoint by ``look``; show the move if the camera stands still before and after."""
        self._move = None  # the end of a current move may be out of place
        stage = self.view.stage
        still = stage is not None and not any(CAMERA_MODES[one].moves for one in (stage.camera, mode))
        before = stage.viewpoint if stage is not None and still else None
        look()
        if stage is not None and before is not None and not self.workspace.settings.reduced_motion:
            self._begin(before, stage.viewpoint)

    # ---- moves -----------------------------------------------------------------------------------------

    def _begin(self, start: Viewpoint, end: Viewpoint) -> None:
        from app.stage.camera.rig import Move

        self._move, self._begun, self._stage = Move(start, end, SECONDS), time.perf_counter(), self.view.stage
        self.tick()

    def tick(self) -> None:
        """Continue the move, unless the user holds the camera or the stage has changed."""
        if self._move is None:
            return
        view = self.view
        if view.stage is None or view.stage is not self._stage or (view.viewport is not None and view.viewport.held):
            self._move = None
            return
        gone = time.perf_counter() - self._begun
        view.look_from(self._move.at(gone))
        if gone >= SECONDS:
            self._move = None

    # ---- saved viewpoints ------------------------------------------------------------------------------

    def save(self) -> None:
        """Save the viewpoint with the session."""
        if self.view.stage is None:
            return
        if len(self.places) == MOST_PLACES:
            self.workspace.message.say(
                tr("{most} viewpoints are saved; forget one before another is saved").format(most=MOST_PLACES)
            )
            return
        names = {place.name for place in self.places}
        name = next(
            name for i in range(1, MOST_PLACES + 2) if (name := tr("Viewpoint {number}").format(number=i)) not in names
        )
        place = CameraPlace(name=name, camera=self.view.look.camera, viewpoint=self.view.place)
        self.set_places([*self.places, place])
        self.workspace.tell(tr("{name} saved: find it in the menu View, or with Alt+V").format(name=name))

    def set_places(self, places: list[CameraPlace]) -> None:
        """Replace the saved viewpoints, and list them in the menu."""
        self.places = list(places)
        if self._menu is None:
            return
        for action in self._listed:
            self._menu.removeAction(action)
            action.deleteLater()
        self._listed = [QAction(place.name, self._menu) for place in self.places]
        for action, place in zip(self._listed, self.places, strict=True):
            action.setToolTip(tr("Look from there again"))
            action.triggered.connect(partial(self.take, place))
            self._menu.addAction(action)

    def list_in(self, menu: QMenu) -> None:
        """Set the menu that lists saved viewpoints."""
        self._menu = menu

    def take(self, place: CameraPlace, *_: object) -> None:
        """Go to a saved viewpoint."""
        stage = self.view.stage
        if stage is None:
            return
        eye = self.view.seen_from(place.viewpoint, place.camera)
        start = stage.viewpoint if CAMERA_MODES[stage.camera].moves == CAMERA_MODES[place.camera].moves else None
        self._show_mode(place.camera)
        self._move = None
        self.view.set_camera(place.camera)
        if start is None or self.workspace.settings.reduced_motion:
            self.view.look_from(eye)
        else:
            self._begin(start, eye)
        if self.view.viewport is not None:
            self.view.viewport.touched = True  # so that another run keeps it

    def forget(self, place: CameraPlace) -> None:
        """Remove a saved viewpoint."""
        self.set_places([other for other in self.places if other is not place])

    def entries(self) -> list[Entry]:
        """Entries of the palette."""
        go = [Entry("Look from", place.name, "", "", partial(self.take, place)) for place in self.places]
        return go + [
            Entry("Forget", place.name, "", "", partial(self.forget, place), removes=REMOVE) for place in self.places
        ]
