"""The recipe: what is written into every picture and film, so that it can be made again."""

from __future__ import annotations

from collections.abc import Sequence

import tomlkit

from app.ensemble.layers import check_layers
from app.playback.run import MOST_LANES, Lane, end_of
from app.plots.quantities import choices
from app.system.opengl import check_occlusion
from app.theme import THEMES, Theme
from physics import SCHEMES, Scenario, ScenarioError
from physics.io.trajectory_writers import polhode_version

FIRST = "# Made with Polhode"  # what a recipe begins with
MOST = 1_000_000  # bytes of a recipe, as of a scenario file


def title(scenario: Scenario) -> str:
    """The title of a picture or film."""
    return scenario.title or "Polhode"


def recipe(scenario: Scenario) -> str:
    """A scenario file with all that the export table says; comments name the version and the schemes' sources.

    Raises ScenarioError where it is longer than what is read of one.
    """
    lines = [f"{FIRST} {polhode_version()}", *(f"# {name}: {SCHEMES[name].reference}" for name in scenario.schemes)]
    plain = scenario.portable()
    view, export = plain.pop("view", {}), plain.pop("export", {})  # at the end: a recipe of a recipe is the same
    plain["view"] = view | {"layout": layout(scenario), "camera": camera(scenario)}
    plain["export"] = scenario.export.model_dump(mode="json", exclude_none=True) | export
    text = "\n".join(lines) + "\n\n" + tomlkit.dumps(plain)
    if (size := len(text.encode())) > MOST:
        raise ScenarioError("", f"expected a scenario of at most {MOST} bytes with all its defaults, got {size}")
    return text


def notes(suffix: str, heading: str, scenario: Scenario) -> dict[str, str | None]:
    """What a figure's .png, .svg or .pdf tells beside its picture: a heading and the recipe, and no date."""
    told = recipe(scenario)
    own = {".svg": {"Description": told, "Date": None}, ".pdf": {"Keywords": told, "CreationDate": None}}
    return {"Title": heading} | own.get(suffix, {"Comment": told})


def theme_of(scenario: Scenario) -> Theme:
    """The colours that the export table asks for; ScenarioError where there are none of that name."""
    name = scenario.export.theme
    if name not in THEMES:
        raise ScenarioError("export.theme", f"expected one of {', '.join(THEMES)}, got '{name}'")
    return THEMES[name]


def check_looks(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables ask for what cannot be shown, or too many lanes for a picture."""
    check_plots(scenario)
    if (named := len(scenario.schemes)) > MOST_LANES:
        raise ScenarioError(
            "schemes", f"a picture shows at most {MOST_LANES} schemes, got {named}; choose some with --scheme"
        )


def check_plots(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables ask for what cannot be shown."""
    theme_of(scenario)
    check_layers(scenario)
    export, cameras = scenario.export, scenario.view.cameras
    if export.first >= scenario.duration:
        message = f"expected less than the duration of {scenario.duration:g} s, got {export.first:g}"
        raise ScenarioError("export.first", message)
    known = [quantity.title for quantity in choices(scenario.kind)]
    if strange := [name for name in export.charts if name not in known]:
        raise ScenarioError("export.charts", f"there is no chart '{strange[0]}'; expected some of {', '.join(known)}")
    if export.orbit and cameras:
        raise ScenarioError("export.orbit", "expected 0 where view.cameras says where the camera goes")


def check_moment(scenario: Scenario) -> None:
    """ScenarioError where a picture is asked for that cannot be taken."""
    check_looks(scenario)
    check_occlusion(scenario)
    export = scenario.export
    if export.time is not None and export.time > scenario.duration:
        message = f"expected at most the duration of {scenario.duration:g} s, got {export.time:g}"
        raise ScenarioError("export.time", message)


def span(scenario: Scenario, lanes: Sequence[Lane]) -> tuple[float, float]:
    """The part of a run [s] that films and charts show: until the last lane ends at most."""
    first, last, end = scenario.export.first, scenario.export.last, end_of(lanes)
    if end <= first > 0:
        raise ScenarioError("export.first", f"expected less than {end:.4g} s, where the run ends, got {first:g}")
    return first, end if last is None else min(last, end)


def layout(scenario: Scenario) -> str:
    """How the lanes stand."""
    return scenario.view.layout or "side-by-side"


def camera(scenario: Scenario) -> str:
    """How the camera looks."""
    return scenario.view.camera or "fit"
