"""The middle of the window: the stage in its 3D widget, or a page while it is being prepared."""

from __future__ import annotations

import importlib
import math
import threading
from collections.abc import Callable, Sequence
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6 import QtCore, QtGui, QtSvg, QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from app.document.look import Look
from app.kinds import kind_of
from app.playback.headline import Headline
from app.playback.run import Lane, Run
from app.system.language import tr, translated
from app.system.processes import give_way
from app.theme import Theme
from app.window.widgets import WaitingPage
from physics import PhysicsError, Scenario, World
from physics.systems.rockfall.ground_config import TerrainConfig

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.camera.rig import Viewpoint
    from app.window.view.viewport import Viewport
    from physics.scenario.view_config import Overlay, ViewpointConfig


def prepare(world: World | None, before: threading.Thread) -> None:
    """Load PyVista, which takes a second, and paint a rough picture of the terrain."""
    if before.ident is not None:
        before.join()
    stage = importlib.import_module("app.stage")  # without Qt, see make_types
    if world is not None:
        stage.prepare(world, rough=True)


def paint(world: World) -> None:
    """Paint the final terrain, in about a second, while the rough one is shown."""
    give_way()
    importlib.import_module("app.stage").prepare(world)


MODULES = (QtCore, QtGui, QtWidgets, QtSvg)


@cache
def make_types() -> None:
    """Make every type of Qt, in 0.1 s, before pyqtgraph uses them in another thread.

    PySide makes a type at its first use; two threads that do so at once crash the process.
    """
    for module in MODULES:
        for name in dir(module):
            getattr(module, name)


CHART = "app.window.charts.chart"  # module that loads pyqtgraph
SMALLEST = 7.9  # [pixels] of the smallest letters of a stage at a ratio of 1
UNSEEN = 1.0  # [s] until a stage without a picture counts as hidden
PICTURE = 1920  # [pixels], least width of a saved picture


class View(QStackedWidget):
    """The stage of a run at a time; camera mode, layout and overlays stay from run to run."""

    failed = Signal(str)  # why no picture can be drawn any more
    clicked = Signal(float, float)  # pixels of the picture from its upper left corner

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme, self._lanes = theme, 0  # lanes of the stage
        # the user's choice; its viewpoint is for the next stage, that of a session, and so are its overlays
        self._look = Look(layout="side-by-side", camera="fit", linked=True)
        self.overlays: dict[str, bool] = {}  # what the user switched
        self.asked: str | None = None  # "interactor" or "picture" at the command line; None: by speed
        self.viewport: Viewport | None = None
        self.stage: Stage | None = None
        self.run: Run | None = None  # run of the stage; None: build it again
        self.headline: Headline | None = None
        self.settled = self._moves = False  # there was a picture, or a motion, at the last tick
        self.changed = False  # something other than time has changed
        self._map: tuple[Any, ...] = ()  # kind and map of the stage: the camera stays while they do
        self._waiting = WaitingPage(tr("Preparing the view and the schemes…"))
        self.addWidget(self._waiting)
        self._expected: Run | None = None
        self._world: World | None = None
        self._loading = self._painting = self._loading_charts = threading.Thread()
        self._unpainted: World | None = None  # its final terrain is not painted yet
        self._letters, self._least = 1.0, 0.0  # see set_letters
        self._staged = math.inf  # time of the first stage; minus infinity: there will be none

    def load(self, run: Run | None = None) -> None:
        """Load PyVista, and prepare the stage of a run, in the background."""
        args = None if run is None else run.world, self._loading
        self._loading = threading.Thread(target=prepare, args=args, name="view")
        self._loading.start()

    def ready(self, run: Run) -> bool:
        """True if the stage of a run can be built at once; else its preparation starts in the background."""
        if run is not self._expected:
            self._expected = run
            self.load(run)
        return not self._loading.is_alive()

    def show_run(self, run: Run, lanes: tuple[Lane, ...], time: float) -> None:
        """Replace the stage by that of another run.

        If kind and map stay, the camera keeps its place on the map, also for another part of the map or exaggerated
        heights, as long as its focus is on that part.

        lanes : those of the run, and of the run that it is compared with
        Raises PhysicsError if nothing can be drawn; the message is shown in place of the stage. Raises ScenarioError if
        a body is too large, too small or too far away to be drawn.
        """
        from app.export.offscreen_stage import check_extent
        from app.stage import DEFAULT_OVERLAYS, Stage
        from app.stage.camera.keyframes import carried, over
        from app.stage.camera.rig import alike

        world, old, mode = run.world, self._world, self._look.camera
        assert world is not None
        self.run, self._world = run, world
        viewport = self._made()
        shown = _map_of(run.scenario)
        before: list[Viewpoint] = []
        columns = 0
        if self.stage is not None:
            if old is not None and shown == self._map:
                before = [carried(one, old, world, mode) for one in self.stage.viewpoints]
                before = before if over(before[0], world, mode) else []
            columns = self.stage.columns if len(lanes) == self._lanes else 0
            self.stage.close()
            self.stage = None
        self._staged = min(self._staged, perf_counter())
        check_extent(world, lanes)
        asked = Look.of(run.scenario).overlays if self._look.overlays is None else self._look.overlays
        overlays = {name for name in (DEFAULT_OVERLAYS if asked is None else asked) if self.overlays.get(name, True)}
        overlays |= {name for name, on in self.overlays.items() if on}
        self.stage = Stage(
            viewport.plotter,
            world,
            lanes,
            self.theme,
            kind_of(run.scenario).scene(),
            layout=self._look.layout,
            camera=mode,
            overlays=frozenset(overlays),
            columns=columns,
            ratio=self._ratio,
            letters=self._letters,
            headline=self.headline,
        )
        self.stage.named = self._least > 0.0
        self._map, self._lanes = shown, len(lanes)
        if not self._look.linked:
            self.stage.link_cameras(False)
        self._unpainted = world
        self.show_time(time)
        first = self._look.viewpoint
        viewport.touched = (bool(before) and viewport.touched) or first is not None
        if first is not None:  # of a session that was opened
            self.look_from(self.seen_from(first, mode))
            self._look = self._look.changed(viewpoint=None)
        elif before and (viewport.touched or alike(before[0], self.stage.viewpoint)):
            self.look_from(*before)

    @property
    def drawn(self) -> bool:
        """True after the first picture, or if there will be none."""
        drawn = self.viewport is not None and self.viewport.pictures > 0
        return drawn or perf_counter() - self._staged > UNSEEN

    @property
    def drawing(self) -> tuple[int, float]:
        """Number of pictures, and the cost of a recent one [s]."""
        return (0, 0.0) if self.viewport is None else (self.viewport.pictures, self.viewport.cost)

    @property
    def painting(self) -> bool:
        """True until the final terrain is painted."""
        return self._unpainted is not None or self._painting.is_alive()

    @property
    def begun(self) -> bool:
        """True after the first picture, when charts can be drawn."""
        return self._loading_charts.ident is not None and not self._loading_charts.is_alive()

    @property
    def look(self) -> Look:
        """The current look: the user's choice, with the moved camera and the overlays that are shown."""
        if self.stage is None or self.viewport is None:
            return self._look
        viewpoint = self._look.viewpoint or (self.place if self.viewport.touched else None)
        shown = tuple(name for name, on in self.stage.overlays.items() if on)
        return self._look.changed(viewpoint=viewpoint, overlays=shown)

    def begin_from(self, viewpoint: ViewpointConfig | None, overlays: Sequence[Overlay] | None) -> None:
        """Set the viewpoint of the next stage, and the overlays of a session, which replace the user's choice."""
        self._look = self._look.changed(viewpoint=viewpoint, overlays=overlays)
        if overlays is not None:
            self.overlays = {}

    def release(self) -> None:
        """Let the next stage show everything, as where the user has not moved the camera."""
        if self.viewport is not None:
            self.viewport.touched = False

    @property
    def place(self) -> ViewpointConfig | None:
        """Place of the camera, on the map or relative to what it follows; None before there is a stage."""
        if self.stage is None or self._world is None:
            return None
        from app.stage.camera.keyframes import table_of

        return table_of(self.stage.viewpoint, self._world, self._look.camera)

    def seen_from(self, place: ViewpointConfig, mode: str) -> Viewpoint:
        """The viewpoint on the current stage of a camera's place in a mode."""
        from app.stage.camera.keyframes import viewpoint_of

        assert self._world is not None
        return viewpoint_of(place, self._world, mode)

    def _made(self) -> Viewport:
        if self.viewport is None:
            from app.window.view.view_choice import NO_INTERACTOR, make_viewport

            try:
                self.viewport = make_viewport(self, self.asked)
                self.viewport.clicked.connect(self.clicked)
            except PhysicsError as error:
                self._staged = -math.inf
                self._waiting.fail(tr("Nothing can be drawn here: {error}").format(error=translated(error)))
                raise
            self.viewport.failed.connect(self.failed)
            self.addWidget(self.viewport)
            self.setCurrentWidget(self.viewport)
            self.viewport.setGeometry(self.contentsRect())
            self.viewport.fit_size()  # the stage needs it before the layout is done
            self.viewport.resized.connect(self._resized)
            if self.asked not in (None, self.viewport.kind):
                self.failed.emit(NO_INTERACTOR)
        return self.viewport

    def show_time(self, time: float) -> None:
        """Show a time [s]; draws at the next opportunity."""
        self.changed = False
        if self.stage is not None:
            self.stage.headline = self.headline
        self._change_stage(lambda stage: stage.show(time))

    def refresh(self) -> None:
        """Draw again at the next tick: something other than time has changed."""
        self.changed = True

    def refine(self) -> None:
        """Load charts after the first motion, and paint the final terrain, in threads.

        That terrain, the true motion and states of lanes that were late are drawn when they are found.
        """
        if self.settled and self._moves and self._loading_charts.ident is None:
            make_types()
            self._loading_charts = threading.Thread(target=importlib.import_module, args=(CHART,), name="charts")
            self._loading_charts.start()
        self.settled, run = self.drawn, self.run  # while kernels are compiled, charts need not wait for them
        self._moves = run is not None and (run.reached > 0.0 or bool(run.compiling) or run.finished)
        if self._unpainted is not None and self.begun and not self._painting.is_alive():
            self._painting = threading.Thread(target=paint, args=(self._unpainted,), name="paint")
            self._unpainted = None
            self._painting.start()
        if self._painting.ident is not None and not self._painting.is_alive():
            self._painting = threading.Thread()
        if self.stage is not None and self.stage.refine():
            self._draw()

    def _resized(self) -> None:
        if self.stage is not None and self.viewport is not None:
            self.stage.ratio, self.stage.letters, self.stage.named = self._ratio, self._letters, self._least > 0.0
            self.stage.show(self.stage.time)

    @property
    def _ratio(self) -> float:
        """Pixels of the picture for one pixel of the screen's letters."""
        return self.devicePixelRatioF() * max(self._letters, self._least / SMALLEST)

    def set_letters(self, letters: float, least: float) -> None:
        """Enlarge letters by a factor, the smallest at least to a height [pixels]; arrows then have their names."""
        self._letters, self._least = letters, least
        self._resized()
        self.refresh()

    def fit_untouched(self) -> None:
        """Show all that is recorded, unless it is in view or the user has moved the camera."""
        if self.stage is not None and self.viewport is not None and not self.viewport.touched:
            from app.stage.camera.rig import alike

            before = self.stage.viewpoint
            self.fit()
            if alike(before, self.stage.viewpoint):
                self.look_from(before)

    def _change_stage(self, change: Callable[[Stage], object]) -> None:
        if self.stage is not None:
            change(self.stage)
            self._draw()

    def _draw(self) -> None:
        if self.viewport is not None:
            self.viewport.draw()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self._change_stage(lambda stage: stage.set_theme(theme))

    def set_layout(self, layout: str) -> None:
        """Set the layout, ``"side-by-side"`` or ``"overlay"``."""
        self._look = self._look.changed(layout=layout)
        self._change_stage(lambda stage: stage.set_layout(layout))

    def set_camera(self, mode: str) -> None:
        """Set the camera's mode."""
        self._look = self._look.changed(camera=mode)
        self._change_stage(lambda stage: stage.set_camera(mode))

    def set_linked(self, on: bool) -> None:
        """Link the cameras of all lanes, or unlink them."""
        self._look = self._look.changed(linked=on)
        self._change_stage(lambda stage: stage.link_cameras(on))

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of the stage's overlays."""
        self.overlays[name] = on
        self._change_stage(lambda stage: stage.set_overlay(name, on))

    def fit(self) -> None:
        """Show everything."""
        if self.stage is not None and self.viewport is not None:
            self.viewport.touched = False
            self.stage.fit()
            self._draw()

    def look_from(self, *viewpoints: Viewpoint) -> None:
        """Look from a viewpoint, or each camera from one of its own."""
        self._change_stage(lambda stage: stage.look(*viewpoints))

    @property
    def headed(self) -> float:
        """Height of the title from the upper edge of the view, in pixels of the window."""
        if self.stage is None or self.viewport is None:
            return 0.0
        return self.stage.headed / self.viewport.devicePixelRatioF()

    def picture(self) -> np.ndarray | None:
        """The current view (height, width, 3), drawn again as in films; None if there is none.

        It has the window's shape, PICTURE pixels of width at least, smooth edges, and the text size of films.
        """
        viewport, stage = self.viewport, self.stage
        if viewport is None or stage is None:
            return None
        time = stage.time
        larger = max(1.0, PICTURE / viewport.render_window.GetSize()[0])
        try:
            with viewport.posing(larger) as shoot:
                stage.ratio = stage.letters = 1.0
                stage.show(time)
                return shoot()
        finally:
            self._resized()
            self._draw()

    def close_stage(self) -> None:
        """Free the stage and what VTK holds."""
        for thread in (self._loading, self._loading_charts, self._painting):
            if thread.ident is not None:
                thread.join()
        if self.stage is not None:
            self.stage.close()
            self.stage = None
        if self.viewport is not None:
            self.viewport.close_plotter()
            self.viewport = None


def _map_of(scenario: Scenario) -> tuple[Any, ...]:
    """Kind and map of a scenario, whichever part of the map's file is read; without a map its title."""
    ground = scenario.ground
    file = ground.file if isinstance(ground, TerrainConfig) else None
    return scenario.kind, file or ground or scenario.title, scenario.folder
