"""Commands that export a run. Each takes the parsed arguments and returns the exit status."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.overrides import by_option, computed, scenario_from
from app.cli.progress import Progress
from app.document.export_kinds import PLOT, Writer, endings, file_name
from app.document.recipe import recipe
from app.export.checks import check_looks
from app.kinds import layers
from app.system.language import tr, translated, use
from app.system.own_words import title_of
from physics import Scenario, ScenarioError, World
from physics.core.errors import naming
from physics.core.wording import N_, joined
from physics.io.trajectory_writers import check_output
from physics.simulation.audit import sparse

if TYPE_CHECKING:
    from app.export.collection import CollectionItem
    from app.playback.run import Lane


def video(arguments: Namespace) -> int:
    """``polhode video``: render a run frame by frame."""
    from app.export.video import check_video, write_video

    scenario = scenario_from(arguments)
    with by_option(arguments):
        check_video(arguments.output, scenario)
        check_looks(scenario)
        recipe(scenario)  # it may be too long: refused before anything is computed
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = computed(scenario, Path(arguments.scenario), progress, compared=True, truth=True)
        progress.note(_failures(lanes), failed=True)
        progress.note(_notes(world, lanes))
        show = partial(progress.show, tr("drawing"), counted=True)
        write_video(world, lanes, arguments.output, progress=show)
    return 0


def scene(arguments: Namespace) -> int:
    """``polhode scene``: a model or a page that moves."""
    from app.export.scene_files import write_blender_script

    if arguments.blender:
        check_output(arguments.output, (".glb",))
    code = written(arguments)
    if arguments.blender:
        write_blender_script(arguments.output)
    return code


def batch(arguments: Namespace) -> int:
    """``polhode batch``: a file for each combination of the values that a scenario lists."""
    from app.export.collection import CollectionItem
    from physics.scenario.batch import combinations

    scenario, file = scenario_from(arguments), Path(arguments.scenario)
    if not scenario.batch:
        raise ScenarioError(
            "batch", N_("expected a table of lists, such as step = [0.02, 0.01]; polhode video makes one"), file
        )
    with naming(file):
        made = combinations(scenario)
    names = [file_name("".join(c if c.isalnum() or c == "." else " " for c in name)) for name, _ in made]
    items = [
        CollectionItem("-".join(filter(None, [f"{number:03}", name])), one)
        for number, (name, (_, one)) in enumerate(zip(names, made, strict=True), start=1)
    ]
    return _collection(arguments, items, title_of(scenario) or file.stem, file)


def lecture(arguments: Namespace) -> int:
    """``polhode lecture``: short films of all examples that come with the program."""
    from app.export import collection

    examples = collection.examples()
    items = collection.lecture(examples, lambda path: scenario_from(Namespace(**vars(arguments), scenario=path)))
    return _collection(arguments, items, tr("Rigid bodies that tumble"), Path())


def _collection(arguments: Namespace, items: list[CollectionItem], title: str, file: Path) -> int:
    from app.export.collection import OFFERED, begun, check_collection, write_collection

    # what it notes goes where the notes of the command go; its own progress would be one of many
    beside = Progress("lines" if arguments.progress == "lines" else "none", arguments.quiet)

    def run(scenario: Scenario) -> tuple[World, tuple[Lane, ...]]:
        use(scenario.export.language)
        world, lanes = computed(scenario, file, beside, truth=True)
        wrong, notes = (
            {joined(": ", [*filter(None, [title_of(scenario)]), text]): None for text in texts}
            for texts in (_failures(lanes), _notes(world, lanes))
        )
        beside.note(wrong, failed=True)
        beside.note(notes)
        failed.update(dict.fromkeys(map(translated, wrong)))
        return world, lanes

    with by_option(arguments):
        check_collection(arguments.output, arguments.ending, items)
    failed = dict.fromkeys(begun(arguments.output, arguments.ending, items) or ())
    beside.note(failed, failed=True)  # before it was interrupted
    with Progress(arguments.progress, arguments.quiet) as progress:
        show = partial(progress.show, tr("files"), counted=True)
        write_collection(items, arguments.output, arguments.ending, title, run, show, failed)
    return 1 if failed and OFFERED[arguments.ending].writer.raw else 0  # of states as polhode run


def written(arguments: Namespace) -> int:
    """Compute a scenario and write one file of it with the command's writer: ``polhode image`` and ``polhode plot``."""
    writer: Writer = arguments.writer
    check_output(arguments.output, endings(writer))
    scenario = scenario_from(arguments)
    with by_option(arguments):
        writer.check(scenario)
        recipe(scenario)
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = computed(scenario, Path(arguments.scenario), progress, compared=True, truth=True)
        progress.note(_failures(lanes), failed=True)
        # a plot is without bodies, nor what it takes to load them
        progress.note(_doubts(lanes) if writer is PLOT else _notes(world, lanes))
        writer.write(world, lanes, arguments.output)
    return 0


def _notes(world: World, lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Sentences on numbers that cannot be right, on what pictures leave out, and on motion that they cannot show."""
    from app.stage.bodies.model_look import look_notes

    since = (note for one in layers() for note in one.notes(world.scenario))
    jumpy = (note for lane in lanes for note in sparse(lane.trajectory))
    return (*_doubts(lanes), *since, *look_notes(world), *jumpy)


def _failures(lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Sentences on steps without a solution: a picture shows where its lane ends, and is complete."""
    return tuple(one.text for lane in lanes for one in lane.trajectory.events if one.failed)


def _doubts(lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Sentences on numbers that cannot be right."""
    return tuple(one.text for lane in lanes for one in lane.trajectory.events if one.doubtful)
