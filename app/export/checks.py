"""Checks of a scenario before anything of it is exported; each error is one sentence."""

from __future__ import annotations

from app.document.recipe import theme_of
from app.hazard.layers import check_layers
from app.kinds import kind_of
from app.kinds.kind import current
from app.playback.run import MOST_LANES
from app.system.opengl import prepare
from physics import Scenario, ScenarioError


def check_looks(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables name what cannot be shown, or too many lanes for a picture."""
    check_plots(scenario)
    if (named := len(scenario.shown)) > MOST_LANES:
        raise ScenarioError(
            "schemes", f"a picture shows at most {MOST_LANES} schemes, got {named}; choose some with --scheme"
        )


def check_plots(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables name what cannot be shown."""
    theme_of(scenario)
    check_layers(scenario)
    export, cameras = scenario.export, scenario.view.cameras
    if export.first >= scenario.duration:
        message = f"expected less than the duration of {scenario.duration:g} s, got {export.first:g}"
        raise ScenarioError("export.first", message)
    known = [quantity.title for quantity in kind_of(scenario).choices]
    if strange := [name for name in current(export.charts) if name not in known]:
        raise ScenarioError("export.charts", f"there is no chart '{strange[0]}'; expected some of {', '.join(known)}")
    if export.orbit and cameras:
        raise ScenarioError("export.orbit", "expected 0 where view.cameras says where the camera goes")


def check_moment(scenario: Scenario) -> None:
    """ScenarioError where the picture that the export table describes cannot be taken."""
    check_looks(scenario)
    check_occlusion(scenario)
    export = scenario.export
    if export.time is not None and export.time > scenario.duration:
        message = f"expected at most the duration of {scenario.duration:g} s, got {export.time:g}"
        raise ScenarioError("export.time", message)


def check_occlusion(scenario: Scenario) -> None:
    """ScenarioError where the view's occlusion cannot be drawn for this scenario or on this machine."""
    if scenario.view.occlusion:
        prepare()
        from app.stage.plotter import capabilities, refusal

        wrong = refusal(scenario, capabilities)
        if wrong is not None:
            raise wrong
