"""The recipe of a picture or a film: it is written into the file, so that one can make it again."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.look import Look
from app.document.toml_writer import toml_text
from app.playback.run import Lane, end_of
from app.system.sentences import told
from app.theme import THEMES, Theme
from physics import Scenario, ScenarioError
from physics.io.trajectory_writers import polhode_version

FIRST = "# Made with Polhode"  # what a recipe begins with
MOST = 1_000_000  # bytes of a recipe, as of a scenario file


def title(scenario: Scenario) -> str:
    """The title of a picture or film."""
    return told(scenario.title) or "Polhode"


def recipe(scenario: Scenario) -> str:
    """A scenario file with all that the export table says; comments name the version and the schemes' sources.

    Raises ScenarioError where it is longer than what is read of one.
    """
    sources = (f"# {lane.name}: {lane.scheme.reference}" for lane in scenario.lanes)
    lines = [f"{FIRST} {polhode_version()}", *sources]
    plain = scenario.portable()
    view, export = plain.pop("view", {}), plain.pop("export", {})  # at the end: a recipe of a recipe is the same
    look = Look.of(scenario)
    plain["view"] = view | {"layout": look.layout, "camera": look.camera}
    plain["export"] = scenario.export.model_dump(mode="json", exclude_none=True) | export
    text = "\n".join(lines) + "\n\n" + toml_text(plain)
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


def span(scenario: Scenario, lanes: Sequence[Lane]) -> tuple[float, float]:
    """The part of a run [s] that films and charts show: until the last lane ends at most."""
    first, last, end = scenario.export.first, scenario.export.last, end_of(lanes)
    if end <= first > 0:
        raise ScenarioError("export.first", f"expected less than {end:.4g} s, where the run ends, got {first:g}")
    return first, end if last is None else min(last, end)
