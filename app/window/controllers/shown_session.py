"""The session that the window shows: as a scenario, as a session to be saved, and shown again as it was."""

from __future__ import annotations

from typing import Any

from app.document.look import Look, on_map
from app.document.session import SavedSession, SessionView
from app.window.controllers.cameras import Cameras
from app.window.controllers.ensembles import EnsembleController
from app.window.workspace import Workspace
from physics import Scenario, World


class ShownSession:
    """Tells, and brings back, how the window shows a run: clock, view, cameras, plots and ensemble."""

    def __init__(self, workspace: Workspace, cameras: Cameras, ensembles: EnsembleController) -> None:
        self._workspace, self._cameras, self._ensembles = workspace, cameras, ensembles

    @property
    def look(self) -> Look:
        """How the run is looked at, with what is shown of results."""
        compare = self._workspace.actions["compare"].isChecked()
        return self._workspace.view.look.changed(compare=compare, **self._ensembles.look.said)

    def scenario(self) -> Scenario | None:
        """The run that is shown as a scenario, with its edits, the camera, and all else as the window has it."""
        workspace, run = self._workspace, self._workspace.session.run
        if run is None:
            return None
        clock = workspace.session.clock
        seen: dict[str, Any] = {"export.theme": workspace.theme.name, "export.time": clock.time}
        if workspace.plots.titles.get(run.scenario.kind) and workspace.plots.charts:
            seen["export.charts"] = tuple(chart.quantity.title for chart in workspace.plots.charts)
        if clock.first is not None or clock.last is not None:
            seen |= {"export.first": clock.first or 0.0, "export.last": clock.last}
        return run.schedule.whole.changed(**self.look.in_scenario(), **seen)

    def saved(self) -> SavedSession | None:
        """What the window shows, to be opened again."""
        workspace = self._workspace
        shown, clock = workspace.session.history.there(0), workspace.session.clock
        if shown is None or workspace.session.run is None:
            return None
        if workspace.session.opening:  # clock and view are those of what is shown until then
            return SavedSession(shown.schedule)
        look = SessionView(
            **self.look.said,
            time=clock.time if clock.awaited is None else clock.awaited,
            speed=clock.speed,
            loop=clock.loop,
            first=clock.first,
            last=clock.last,
            viewpoints=self._cameras.places,
            unfinished=self._ensembles.unfinished,
        )
        return SavedSession(shown.schedule, look)

    def look_as(self, look: SessionView, world: World) -> None:
        """Clock and view of a session that was opened, with its world; the camera follows when the stage stands."""
        workspace, clock = self._workspace, self._workspace.session.clock
        clock.speed = look.speed or clock.speed
        clock.loop, clock.first, clock.last = look.loop, look.first, look.last
        workspace.actions["overlay"].setChecked(look.layout == "overlay")
        if look.camera != workspace.view.look.camera:
            self._cameras.go(look.camera)
        workspace.actions["compare"].setChecked(look.compare)
        workspace.actions["link"].setChecked(look.linked)
        self._cameras.set_places([told for place in look.viewpoints if (told := on_map(place, world)) is not None])
        workspace.view.begin_from(look.viewpoint)
        self._ensembles.expect(look)
