"""The scenario of a command with its overrides by options, and the run of it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.cli.options import check_kept, reading_of
from app.cli.progress import Progress
from app.document.look import from_mode
from app.document.open import is_assumed, scenario_for
from app.playback.kernel_compiler import compiling_words
from app.playback.run import Lane, faded, find_truths, lanes_of
from app.system.language import tr, use
from app.system.signals import check, postponed, requested
from physics import Scenario, ScenarioError, World
from physics.core import cancellation, compile_notice
from physics.core.errors import naming
from physics.core.wording import N_
from physics.io.trajectory_writers import check_folder
from physics.scenario.fingerprints import files_of
from physics.scenario.view_config import ExportConfig, ViewConfig
from physics.simulation.schedule import Schedule, record_schedule
from physics.systems import kinds_of, system_of

FIELDS = {  # option -> field of a scenario that it overrides
    "scheme": "schemes",
    "step": "step",
    "duration": "duration",
    "seed": "ensemble.seed",
    "rock": "ensemble.rock",
    "ensemble": "export.results",
    "observed": "observed.stops",
    "zones": "observed.zones",
    "posterior": "ensemble.posterior",
    "project": "terrain.project",
    **{name: f"view.{name}" for name in ViewConfig.model_fields},
    **{name: f"export.{name}" for name in ExportConfig.model_fields},
}
_FROM_HERE = {"export.results", "observed.stops", "observed.zones", "ensemble.posterior"}  # files and folders


def scenario_from(arguments: Namespace) -> Scenario:
    """The scenario of the file, overridden by options; texts are in its language from now on."""
    if getattr(arguments, "output", None):
        check_folder(Path(arguments.output))
    scenario = scenario_for(arguments.scenario, getattr(arguments, "role", None), reading_of(arguments))
    given = {field: getattr(arguments, option) for option, field in _given(arguments, type(scenario))}
    if "view.camera" in given:
        given |= from_mode(arguments.camera)
    if "export.speed" in given or "export.length" in given:  # each in place of the other in the file
        given.setdefault("export.speed", None)
        given.setdefault("export.length", None)
    if "ensemble.rock" in given and not system_of(scenario).ensembles:
        served = kinds_of(lambda row: row.ensembles)
        raise ScenarioError(
            "--rock", N_("applies to {served}, got '{kind}'", served, scenario.kind), arguments.scenario
        )
    if getattr(arguments, "explain", False):
        from app.document.recipe import EXPLAINED, VERDICT  # here: it loads what writes films

        card = scenario.export.end_card or VERDICT
        given = {"film": EXPLAINED.model_dump(), "export.end_card": card} | given
    for field in _FROM_HERE & given.keys():  # relative to here, not to the scenario
        given[field] = str(Path(given[field]).absolute())
    with by_option(arguments, type(scenario)):
        scenario = scenario.changed(**given) if given else scenario
        check_kept(arguments, files_of(scenario))
    use(scenario.export.language)
    return scenario


def _given(arguments: Namespace, kind: type[Scenario]) -> list[tuple[str, str]]:
    """The given options, each with its field in scenarios of a kind."""
    fields = FIELDS | {"rocks": kind.ensemble_size}
    return [(option, field) for option, field in fields.items() if getattr(arguments, option, None) is not None]


@contextmanager
def by_option(arguments: Namespace, kind: type[Scenario] = Scenario) -> Iterator[None]:
    """Name the wrong option, in place of its field, and the file in errors."""
    try:
        yield
    except ScenarioError as error:
        given = ((option.replace("_", "-"), field) for option, field in _given(arguments, kind))
        wrong = (f"--{option}" for option, field in given if f"{error.field}.".startswith(f"{field}."))
        file = error.file or getattr(arguments, "scenario", None)
        raise ScenarioError(next(wrong, error.field), error.message, file) from None


@contextmanager
def building(progress: Progress | None = None) -> Iterator[None]:
    """Context for building worlds, which may compile: Ctrl+C is postponed, but long reads are cancelled.

    progress : of reading a large map
    """
    shown = Progress("none") if progress is None else progress
    with postponed():
        try:
            with cancellation.until(requested, lambda share: shown.show(tr("reading the map"), share, 1.0)):
                yield
        except cancellation.GivenUp:
            check()
            raise


def notes_of(world: World, file: Path) -> tuple[str, ...]:
    """Sentences on what was assumed, repaired or decided when a file was read."""
    return (*([world.scenario.note] if is_assumed(file) else ()), *world.notes)


def computed(
    scenario: Scenario, file: Path, progress: Progress, *, compared: bool = False, truth: bool = False
) -> tuple[World, tuple[Lane, ...]]:
    """The world after the last edit, and its lanes, every scheme run to its end.

    compared : also the lanes without the last edit, if the scenario's view compares
    truth : also the true motion of each lane
    """
    schedule = Schedule.of(scenario)
    courses = [schedule]
    if compared and scenario.view.compare and schedule.before is not None:
        courses.append(schedule.before)
    with building(progress):
        with naming(file):
            built = [one.worlds() for one in courses]
        worlds = built[0]
        progress.note(notes_of(worlds[-1], file))
        both = [lanes_of(one, scenario.shown) for one in built]
        todo = [(one, lane) for one, lanes in zip(built, both, strict=True) for lane in lanes]
        for i, (one, lane) in enumerate(todo):

            def compiles(lane: str = lane.scheme.name) -> None:
                progress.show(compiling_words(scenario, [lane]), 0, 1)

            with compile_notice.told_to(compiles):
                for reached in record_schedule(one, lane.scheme.name, lane.recording):
                    progress.show(tr("computing"), i + reached / scenario.duration, len(todo))
        if truth:
            for one, lanes in zip(built, both, strict=True):
                words = tr("computing the true motion")
                progress.show(words, 0, 1)
                with cancellation.until(requested, partial(progress.show, words, total=1.0)):
                    find_truths(one, lanes)
    return replace(worlds[-1], scenario=scenario), both[0] + faded(*both[1:])
