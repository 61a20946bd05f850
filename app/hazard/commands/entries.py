"""``polhode benchmark entries``: stops that any program computed, scored beside those of this one and of a ruler."""

from __future__ import annotations

import shutil
from argparse import Namespace
from functools import partial
from itertools import chain
from pathlib import Path

from app.cli.options import check_kept
from app.cli.overrides import building
from app.cli.progress import Progress
from app.hazard import entrants
from app.hazard.figures import entries as shown_entries
from app.hazard.figures.run_out import text_table
from app.plots.print_style import FIGURES, write_either
from app.system.language import tr
from physics import ScenarioError
from physics.core.json_text import json_text
from physics.core.wording import N_
from physics.hazard.entries import BenchmarkEntry, BenchmarkSite, Slope, read_entry, write_entry
from physics.io.trajectory_writers import check_new_folder, check_output, replacing
from physics.scenario.fingerprints import files_of


def score_entries(arguments: Namespace) -> int:
    """Score entries, write what is asked for, and print the table or one JSON document."""
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    stops = check_output(arguments.stops, (".csv", ".json")) if arguments.stops else None
    if arguments.data:
        return _copy(check_new_folder(arguments.data))
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress):
            own = entrants.own_sites()
            given = tuple(entrants.site_of(Path(file)) for file in arguments.scenarios)
        slopes = (site.world.scenario for site in given if isinstance(site, Slope))
        check_kept(arguments, chain.from_iterable(map(files_of, slopes)))
        sites = _of_own_names((*own, *given))
        theirs = _read(arguments.entries, sites)  # wrong ones are refused before rocks fall
        progress.note(dict.fromkeys(note for site in sites if isinstance(site, Slope) for note in site.world.notes))
        shown = partial(progress.show, tr("rocks"), counted=True)
        ours = entrants.entries_of(own, given, arguments.rocks or entrants.ROCKS, shown)
    entries = (*ours, *theirs)
    found = shown_entries.scored(sites, entries)
    if stops is not None:
        with replacing(stops) as part:
            write_entry(part, stops.suffix.lower(), ours[0], sites)
    if output is not None:
        write_either(output, lambda: shown_entries.figure(sites, entries), lambda: shown_entries.table(sites, found))
    if arguments.json:
        print(json_text(shown_entries.facts(sites, found), 2))
        return 0
    made = shown_entries.table(sites, found)
    print(text_table(made))
    if not arguments.quiet:
        print(f"\n{made.note}")
    return 0


def _of_own_names(sites: tuple[BenchmarkSite, ...]) -> tuple[BenchmarkSite, ...]:
    """The sites; ScenarioError for two of one name, which no entry could tell apart."""
    for number, site in enumerate(sites):
        if any(site.name == other.name for other in sites[:number]):
            raise ScenarioError("", N_("two sites named '{name}'; expected a file of another name", site.name))
    return sites


def _read(files: list[str], sites: tuple[BenchmarkSite, ...]) -> list[BenchmarkEntry]:
    """The entries in files; ScenarioError for two of one name."""
    found: list[BenchmarkEntry] = []
    taken = {entrants.POLHODE, entrants.PRESET, entrants.RULER}
    for file in map(Path, files):
        entry = read_entry(file, sites)
        if entry.name in taken:
            raise ScenarioError(
                "", N_("another entry is named '{name}'; expected a file of another name", entry.name), file
            )
        taken.add(entry.name)
        found.append(entry)
    return found


def _copy(folder: Path) -> int:
    """Copy the data of the sites, and the example of an entry, to a new folder."""
    with replacing(folder) as part:
        shutil.copytree(entrants.DATA, part)
    print(tr("{folder}: the data of the sites; README.md in each tells their licence").format(folder=folder))
    return 0
