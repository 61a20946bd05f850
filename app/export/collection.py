"""Collection: many films, pictures, pages, plots or trajectories in one folder, with a page that lists them."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import assets
from app.document.export_kinds import FORMATS, endings
from app.export.scene_files import font_rules
from app.export.video import longest_shown
from app.playback.run import Lane
from app.system.language import used
from app.system.own_words import note_of, title_of
from app.system.signals import finishing
from physics import Scenario, ScenarioError, World
from physics.core.input_checks import DAMAGED
from physics.core.wording import N_
from physics.io.trajectory_writers import check_new_folder, polhode_version, replacing, save
from physics.scenario.fingerprints import digests

LONGEST = 20.0  # [s] of a film of the lecture set
UNFINISHED = "unfinished.json"  # file in the folder of an unfinished collection: what all of it is


def write_states(world: World, lanes: Sequence[Lane], path: Path) -> None:
    """Write the states of lanes to a file."""
    save(path, {lane.scheme.name: lane.trajectory for lane in lanes}, world.scenario)


OFFERED = {one.ending: one for one in reversed(FORMATS) if one.ending}

Computed = tuple[World, Sequence[Lane]]


@dataclass(frozen=True)
class CollectionItem:
    """One file of a collection: its name without ending, and its scenario."""

    name: str
    scenario: Scenario


def check_collection(folder: str | Path, ending: str, items: Sequence[CollectionItem]) -> Path:
    """The folder, if a collection can be written there, or its rest where it was ended; else ScenarioError."""
    if ending not in OFFERED:
        known = ", ".join(endings())
        raise ScenarioError("--as", N_("expected one of {endings}, got '{ending}'", known, ending))
    writer = OFFERED[ending].writer
    folder = check_new_folder(folder) if begun(folder, ending, items) is None else Path(folder)
    for item in items:
        writer.check(item.scenario)
        if writer.check_file is not None:
            writer.check_file(folder.with_name(f"{item.name}{ending}"), item.scenario)
    return folder


def write_collection(
    items: Sequence[CollectionItem],
    folder: str | Path,
    ending: str,
    title: str,
    compute: Callable[[Scenario], Computed],
    progress: Callable[[int, int], object] = lambda done, total: None,
    failed: Iterable[str] = (),
) -> None:
    """Write a file for each item and index.html into a new folder, which appears when all are complete.

    Ctrl+C keeps the files that are complete; the same call again writes the others.

    compute : runs a scenario to its end; progress : called with the files done and their number
    failed : sentences on what had no solution, to which compute may add; kept with the files for ``begun``
    """
    folder = check_collection(folder, ending, items)
    goes_on, done = begun(folder, ending, items) is not None, 0
    with ExitStack() as to_the_end, replacing(folder) as part:
        if goes_on:
            shutil.copytree(folder, part)
            (part / UNFINISHED).unlink()
        else:
            part.mkdir()
        try:
            for done, item in enumerate(items):
                progress(done, len(items))
                path = part / f"{item.name}{ending}"
                if not path.exists():
                    world, lanes = compute(item.scenario)
                    OFFERED[ending].writer.write(world, lanes, path)
            done = len(items)
        except KeyboardInterrupt:
            if done == 0:
                raise
            to_the_end.enter_context(finishing())
            kept = _order(ending, items) | {"failed": [*failed]}
            (part / UNFINISHED).write_text(json.dumps(kept, indent=1), encoding="utf-8")
        there = [item for item in items if (part / f"{item.name}{ending}").exists()]
        (part / "index.html").write_text(index(there, ending, title), encoding="utf-8")
        if goes_on:
            shutil.rmtree(folder)
    if done < len(items):
        raise KeyboardInterrupt(
            N_(
                "interrupted: {folder} holds {there} of {items} files; begin again for the rest",
                folder,
                len(there),
                len(items),
            )
        )
    progress(len(items), len(items))


def _order(ending: str, items: Sequence[CollectionItem]) -> dict[str, Any]:
    """All that decides what the files of a collection hold."""
    plain = {item.name: {"scenario": item.scenario.in_full(), "files": digests(item.scenario)} for item in items}
    return {"version": polhode_version(), "ending": ending, "items": plain}


def begun(folder: str | Path, ending: str, items: Sequence[CollectionItem]) -> list[str] | None:
    """Sentences on what had no solution in the files of an interrupted collection; None where a folder holds none."""
    try:
        kept = json.loads((Path(folder) / UNFINISHED).read_text(encoding="utf-8"))
        failed = [*map(str, kept.pop("failed"))]
        return failed if kept == json.loads(json.dumps(_order(ending, items))) else None
    except DAMAGED:
        return None


def lecture(scenarios: Iterable[Path], load: Callable[[Path], Scenario]) -> list[CollectionItem]:
    """The shipped examples as short films: at their own speed, or faster where they would last longer than LONGEST."""
    items = []
    for path in sorted(scenarios):
        scenario = load(path)
        speed = max(scenario.export.speed, longest_shown(scenario) / LONGEST)
        items.append(CollectionItem(path.stem, scenario.changed(**{"export.speed": speed})))
    return items


def examples() -> list[Path]:
    """The scenarios that come with the program."""
    return sorted(assets.SCENARIOS.glob("*.toml"))


# ---- the page that lists them -------------------------------------------------------------------------

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{typeface}
:root {{ color-scheme: light dark; font: 16px/1.5 Inter, system-ui, sans-serif; }}
body {{ max-width: 960px; margin: 2rem auto; padding: 0 1rem; }}
video, img {{ width: 100%; border-radius: 8px; display: block; }}
section {{ margin: 0 0 3rem; }}
small {{ opacity: 0.75; display: block; }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def index(items: Sequence[CollectionItem], ending: str, title: str) -> str:
    """A page that shows or links every file, with its title, its note and the sources of its schemes."""
    body = "\n".join(_section(item, ending) for item in items)
    return html_page(title, body)


def html_page(title: str, body: str) -> str:
    """A page with a title, in our typeface; body: HTML."""
    return _PAGE.format(title=html.escape(title), body=body, typeface=font_rules(title + body), language=used())


def _section(item: CollectionItem, ending: str) -> str:
    file, scenario = html.escape(f"{item.name}{ending}", quote=True), item.scenario
    element = OFFERED[ending].element
    shown = f'<p><a href="{file}">{file}</a></p>'
    if element == "video":
        shown = f'<video src="{file}" controls loop muted playsinline preload="metadata"></video>'
    elif element == "img":
        shown = f'<img src="{file}" alt="{html.escape(title_of(scenario), quote=True)}" loading="lazy">'
    cited = (f"{lane.name}: {lane.scheme.reference}" for lane in scenario.lanes)
    sources = "".join(f"<small>{html.escape(source)}</small>" for source in cited)
    words = f"<p>{html.escape(note_of(scenario))}</p>" if scenario.note else ""
    return f"<section><h2>{html.escape(title_of(scenario) or item.name)}</h2>\n{shown}\n{words}{sources}</section>"
