"""Checks of a scenario before anything of it is exported; each error is one sentence."""

from __future__ import annotations

from app.document.recipe import theme_of
from app.kinds import kind_of, layers
from app.playback.run import MOST_LANES
from app.system.opengl import prepare
from physics import Scenario, ScenarioError
from physics.core.wording import N_


def check_looks(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables name what cannot be shown, or too many lanes for a picture."""
    check_plots(scenario)
    if (named := len(scenario.shown)) > MOST_LANES:
        raise ScenarioError(
            "schemes",
            N_(
                "a picture shows at most {most_lanes} schemes, got {named}; choose some with --scheme",
                MOST_LANES,
                named,
            ),
        )


def check_plots(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables name what cannot be shown."""
    theme_of(scenario)
    for one in layers():
        one.check(scenario)
    export, cameras = scenario.export, scenario.view.cameras
    if export.first >= scenario.duration:
        message = N_(
            "expected less than the duration of {duration:g} s, got {first:g}", scenario.duration, export.first
        )
        raise ScenarioError("export.first", message)
    known = [quantity.title for quantity in kind_of(scenario).choices]
    if strange := [name for name in export.charts if name not in known]:
        raise ScenarioError(
            "export.charts", N_("there is no chart '{strange}'; expected some of {known}", strange[0], ", ".join(known))
        )
    if export.orbit and cameras:
        raise ScenarioError("export.orbit", N_("expected 0 where view.cameras says where the camera goes"))


def check_nothing(scenario: Scenario) -> None:
    """Check nothing: states can be written of every scenario."""


def check_moment(scenario: Scenario) -> None:
    """ScenarioError where the picture that the export table describes cannot be taken."""
    check_looks(scenario)
    check_occlusion(scenario)
    export = scenario.export
    if export.time is not None and export.time > scenario.duration:
        message = N_("expected at most the duration of {duration:g} s, got {time:g}", scenario.duration, export.time)
        raise ScenarioError("export.time", message)


def check_occlusion(scenario: Scenario) -> None:
    """ScenarioError where the view's occlusion cannot be drawn for this scenario or on this machine."""
    if scenario.view.occlusion:
        prepare()
        from app.stage.plotter import capabilities, refusal

        wrong = refusal(scenario, capabilities)
        if wrong is not None:
            raise wrong
