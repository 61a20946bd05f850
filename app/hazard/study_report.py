"""Study: the plans and the report of an ensemble of classes, beside its tables and maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_pdf import PdfPages

from app.document.recipe import notes, title
from app.hazard.curves import curves_of
from app.hazard.layers import REPORT, STOPS, lane_title, study_maps
from app.hazard.plan import DOTS, heights_of, plan_of, seeds_of
from app.hazard.report_pages import Section, markdown, write_pdf
from app.kinds.words import word_shown
from app.plots.print_style import PrintTable, style
from app.stage.text.caption_text import ground_named
from app.stage.text.colour_map import CLASSED_BY, CLASSES
from app.system.language import capitalised, tr, translated
from app.system.own_words import note_of, source_of
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.wording import N_, per_cent
from physics.hazard.design import ALL
from physics.hazard.ensemble import Ensemble, doubts
from physics.hazard.maps import FEWEST
from physics.hazard.merge import gather, world_of
from physics.hazard.results_folder import Outcome, save_outcome
from physics.hazard.rock_rows import REASONS
from physics.io.trajectory_writers import polhode_version
from physics.systems.rockfall.ground_config import ForestLaws, SoilConfig, SoilLaws
from physics.systems.rockfall.release import ReleaseSource
from physics.systems.rockfall.scenario import SHARES, DistributionConfig, ScenarioClassConfig, of_rocks
from physics.systems.rockfall.world import RockfallWorld

CREEPING = (
    "Rocks that are still moving at the end of the simulated time count where they were last: their run-out, and how "
    "often ground beyond is reached, are too small. Small stones that creep on a slope are the usual reason."
)
LOST = (
    "Rocks that left the map went on beyond its edge: nothing is known of them there. Take a larger elevation model "
    "where that matters."
)
NOT_MODELLED = (
    "Rocks do not break, and do not set others in motion; each falls alone.",
    "Detachment is not computed: how often rocks of each class start is an input, and all frequencies scale with it.",
    "The ground is as the elevation model has it; what is smaller than its cells is in the soil's roughness at most.",
    "Damage to barriers, trees and ground by earlier rocks is left out, and so are snow, water and frozen ground.",
    "The laws of impact are empirical; their error at sites that were measured is on the help page on trust.",
)


def save_with_study(
    path: str | Path, ensemble: Ensemble, *, parquet: bool = False, paths: bool = False, counts: bool = False
) -> Outcome:
    """Write the folder of an ensemble's results, with a study's plans and report; see ``save_outcome``.

    PhysicsError for the study of a paused ensemble as long as no rock of some class has fallen.
    """
    outcome = Outcome.of(ensemble)
    if outcome.study is not None:
        kinds = next(iter(outcome.results.values())).maps.kinds
        for name in np.array(outcome.study.names)[kinds == 0][:1].tolist():
            text = N_(
                "none of the {rocks} rocks so far is of '{name}', and all frequencies would lack it; let more fall "
                "first",
                ensemble.done,
                name,
            )
            raise PhysicsError(text)
    also = None if outcome.study is None else partial(write_study, ensemble.world, outcome)
    save_outcome(path, outcome, parquet, paths, counts, also)
    return outcome


def gather_with_study(
    folders: Sequence[Path], path: Path, *, parquet: bool = False, counts: bool = False
) -> tuple[Outcome, str]:
    """Merge folders of results as ``gather`` does, with a study's plans and report; and why these are missing."""
    missing = ""

    def study(outcome: Outcome, folder: Path) -> None:
        nonlocal missing
        if outcome.study is not None:
            try:
                write_study(world_of(outcome), outcome, folder)
            except ScenarioError as error:  # all that counts is there; the terrain may be on another machine
                missing = str(error)

    return gather(folders, path, parquet, counts, study), missing


def write_study(world: RockfallWorld, outcome: Outcome, folder: Path) -> None:
    """Write report.md, report.pdf and plans/<scheme>.pdf into a folder with the results of a world's classes of rocks.

    A plan has a page for each of ``study_maps``; report.pdf has the text of report.md with all plans before its last
    section.
    """
    heading, facts = title(world.scenario), notes(".pdf", title(world.scenario), world.scenario)
    (folder / "plans").mkdir()
    plans = [folder / "plans" / f"{scheme}.pdf" for scheme in outcome.results]
    for scheme, plan in zip(outcome.results, plans, strict=True):
        # one file: its fonts, which take longest, are written once
        with style(), PdfPages(plan, metadata=facts) as pages:
            for name in study_maps(world.scenario):
                shown = {"export.results": str(folder.absolute()), "export.map": name, "export.whose": scheme}
                drawn = replace(world, scenario=of_rocks(world.scenario.changed(**shown)))
                pages.savefig(plan_of(drawn), dpi=DOTS)
    curves = _curves(outcome, folder / "plans", facts)
    sections = [*_sections(world, outcome)]
    (folder / "report.md").write_text(markdown(heading, sections), encoding="utf-8")
    write_pdf(folder / REPORT, heading, sections, [*curves, *plans])


def _curves(outcome: Outcome, folder: Path, facts: dict[str, str | None]) -> list[Path]:
    """Draw how often rocks bring more than an energy or a height to barriers and lines; nothing if none comes."""
    assert outcome.study is not None
    names = [_class(outcome, name) for name in outcome.study.names]
    with style():
        figures = [one for scheme in outcome.results for one in curves_of(outcome, scheme, lane_title(scheme), names)]
        if not figures:
            return []
        with PdfPages(folder / "curves.pdf", metadata=facts) as pages:
            for figure in figures:
                pages.savefig(figure)
    return [folder / "curves.pdf"]


def _sections(world: RockfallWorld, outcome: Outcome) -> Iterator[Section]:
    """Sections of the report; the last one is the check by a second person."""
    scenario, study = world.scenario, outcome.study
    assert study is not None
    if scenario.note:
        yield Section("", (note_of(scenario),))
    yield Section(tr("Basis"), (PrintTable("", (tr("Input"), tr("Value")), tuple(_basis(world, outcome))),))
    yield Section(tr("Classes of rocks"), (_classes(outcome, scenario.scenario_class),))
    limits = ", ".join(dict.fromkeys(f"{limit / 1e3:g}" for limit in study.intensities))
    meeting = tr("Classes of intensity meet at {limits} kJ: {maps}.")
    where = meeting.format(limits=limits, maps=tr(CLASSED_BY[scenario.hazard.intensity]))
    per = tr("Maps count rocks that touch a square of {cell:g} m around the middle of each cell.")
    yield Section(tr("Area by intensity"), (_areas(outcome), where, per.format(cell=scenario.hazard.cell)))
    if outcome.lines.kinds["line"]:
        yield Section(tr("Lines of interest"), tuple(_measured(outcome, "line")))
    if outcome.lines.kinds["barrier"]:
        yield Section(tr("Barriers"), (*_measured(outcome, "barrier"), _designed(outcome)))
    lost = any(found.reasons.get("left-map") for found in outcome.results.values())
    yield Section(tr("Where rocks stopped"), (_ends(outcome), *([tr(LOST)] if lost else []), tr(CREEPING)))
    sunk = [sentence for found in outcome.results.values() for sentence in found.sunk()]
    doubted = [outcome.note, *doubts(outcome.facts["coarse_steps"], scenario.step), *dict.fromkeys(sunk)]
    yield Section(
        tr("Limits"),
        (
            tuple(
                f"{capitalised(text).removesuffix('.')}."
                for text in (*map(translated, doubted), *map(tr, NOT_MODELLED))
            ),
        ),
    )
    yield _check(world, outcome)


def _basis(world: RockfallWorld, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Inputs and their values."""
    scenario, terrain = world.scenario, world.terrain
    sizes = " x ".join(dict.fromkeys(f"{size:g}" for size in terrain.cell))
    yield tr("Elevation model"), tr("{file}, cells of {cell} m").format(file=heights_of(world), cell=sizes)
    yield tr("Coordinates"), terrain.crs or tr("coordinates of the file")
    body = scenario.body.model_dump(mode="json", exclude_none=True)
    density = "" if "density" not in body else f", {body['density']:g} kg/m³"
    yield tr("Rocks"), f"{tr(word_shown(body['shape']))}{density}"
    yield tr("Soil"), _ground(scenario.soil)
    pieces = () if scenario.terrain is None else scenario.terrain.piece
    if any(one.soil is not None for one in pieces):
        named = [(Path(one.file).name, _ground(one.soil)) for one in pieces if one.soil is not None]
        yield tr("Soil of pieces"), ", ".join(f"{name}: {soil}" for name, soil in named)
    if laws := _ground(scenario.forest):
        yield tr("Forest"), laws
    for name, zones in (
        (tr("Zones of soil"), world.cover.soil_zones),
        (tr("Zones of forest"), world.cover.forest_zones),
    ):
        if zones:
            yield name, "; ".join(dict.fromkeys(_ground(zone.ground) for zone in zones))
    if len(stems := world.cover.stems[0]):
        yield tr("Trees"), str(len(stems))
    titles = ", ".join(map(lane_title, outcome.results))
    steps = ", ".join(dict.fromkeys(f"{scenario.step_of(name):g}" for name in outcome.results))
    yield tr("Integration"), tr("{schemes}; steps of {steps} s").format(schemes=titles, steps=steps)
    rocks = tr("{number} rocks").format(number=outcome.facts["rocks"])
    yield tr("Sample"), tr("{rocks} a scheme, seed {seed}").format(rocks=rocks, seed=seeds_of(outcome.facts["seed"]))
    yield tr("Program"), f"Polhode {polhode_version()}"
    if scenario.source:
        yield tr("Source"), source_of(scenario)


_FRICTION = {"mu_min", "mu_max", "beta", "kappa"}  # laws that any soil has
_PLACES = {"preset", "laws", "zones", "zone", "soil_key", "polygon"}  # keys that say where, or are said in words


def _ground(laws: SoilLaws | ForestLaws) -> str:
    """The preset of a soil or a forest, and all numbers beside it, which win over it; "" of none."""
    given = laws.model_dump(exclude_none=True)
    keys = laws.model_fields_set - _PLACES
    keys |= _FRICTION if isinstance(laws, SoilConfig) and laws.preset is None else set()
    words = [] if laws.preset is None else [ground_named({"soil": laws.preset})]
    words += [tr("recommended laws")] if "laws" in given else []
    own = {key: given[key] for key in type(laws).model_fields if key in keys & given.keys()}  # in the table's order
    scar = {f"scar.{key}": number for key, number in own.pop("scar", {}).items()}
    words += [f"{key} = {one:g}" if isinstance(one, float) else f"{key} = {one}" for key, one in (own | scar).items()]
    return ", ".join(words)


def _classes(outcome: Outcome, classes: Sequence[ScenarioClassConfig]) -> PrintTable:
    """A row a class."""
    assert outcome.study is not None
    kinds = next(iter(outcome.results.values())).maps.kinds
    head = (tr("Class"), tr("Volume [m³]"), tr("Starts in a year"), tr("Return period [a]"), tr("Rocks"))
    rows = (
        (
            _class(outcome, fact["name"]),
            _volume(one),
            _digits(one.yearly),
            _digits(1.0 / one.yearly),
            str(fact["rocks"]),
        )
        for fact, one in zip(outcome.study.summary(kinds), classes, strict=True)
    )
    return PrintTable("", head, tuple(rows))


def _volume(one: ScenarioClassConfig) -> str:
    """The volumes of a class in words."""
    if isinstance(one.volume, DistributionConfig):
        given = one.volume.model_dump(exclude_none=True, exclude={"distribution"})
        numbers = ", ".join(f"{key} {value:g}" for key, value in given.items())
        return f"{tr(word_shown(one.volume.distribution))} ({numbers})"
    return " - ".join(f"{value:g}" for value in (one.volume if isinstance(one.volume, tuple) else [one.volume]))


def _areas(outcome: Outcome) -> PrintTable:
    """A row a scheme and return period: square metres in each class of intensity."""
    cell = float(np.prod(outcome.terrain.cell))
    head = (tr("Scheme"), tr("Return period [a]"), *(f"{tr(word)} [m²]" for word in CLASSES))
    rows = []
    for scheme, found in outcome.results.items():
        for name, unit, values, _ in found.maps.yearly():
            if unit == "class":
                areas = (f"{cell * int((values == k).sum()):.0f}" for k in range(1, 1 + len(CLASSES)))
                rows.append((lane_title(scheme), name.partition("_")[2].removesuffix("a"), *areas))
    return PrintTable("", *_of_schemes(outcome, head, rows))


def _of_schemes(
    outcome: Outcome, head: Sequence[str], rows: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Headings and rows of a table that begins with the scheme; without it where there is one: the basis names it."""
    first = 0 if len(outcome.results) > 1 else 1
    return tuple(head[first:]), tuple(row[first:] for row in rows)


def _measured(outcome: Outcome, kind: str) -> Iterator[PrintTable]:
    """Rows a scheme, line or barrier, and class: how often rocks reach it, and with how much."""
    assert outcome.study is not None
    limits = [f"frequency_{limit / 1e3:g}kJ" for limit in dict.fromkeys(outcome.study.intensities)]
    above = [tr("Above {limit} kJ [1/a]").format(limit=key[len("frequency_") : -len("kJ")]) for key in limits]
    often = [
        ("rocks", 1.0),
        *((key, 100.0) for key in ("reach", "reach_low", "reach_high")),
        *((key, 1.0) for key in ("frequency", "return_period", *limits)),
    ]
    head = (
        tr("Rocks"),
        tr("Reach [%]"),
        tr("Reach from [%]"),
        tr("Reach to [%]"),
        tr("Rocks in a year"),
        tr("Return period [a]"),
        *above,
    )
    known = tr(
        "Reach from, to: interval of 95 % of the share of a class that comes, by the rocks that fell (Clopper & "
        "Pearson 1934). Frequencies are as uncertain: a 0 says that none of these rocks came, not that none can."
    )
    yield PrintTable(tr("How often rocks come"), *_rows(outcome, kind, head, often), known)
    keys = [*SHARES, *(f"{period:g}a" for period in outcome.study.periods)]
    meaning = tr(
        "q90: 90 % of the rocks that come have no more. {period:g}a: what is exceeded once in {period:g} years; empty "
        "where rocks come less often. Of fewer than {rocks} rocks of a class {quantiles} are the largest value."
    ).format(
        period=outcome.study.periods[0],
        rocks=", ".join(str(FEWEST[key]) for key in SHARES),
        quantiles=", ".join(SHARES),
    )
    for called, sign, what, unit, factor in (
        (tr("Kinetic energy of a rock"), "E", "energy", "kJ", 1e-3),
        (tr("Height of a rock's centre above the ground"), "h", "height", "m", 1.0),
    ):
        head = tuple(f"{sign} {key} [{unit}]" for key in keys)
        yield PrintTable(called, *_rows(outcome, kind, head, [(f"{what}_{key}", factor) for key in keys]), meaning)


def _designed(outcome: Outcome) -> PrintTable:
    """A row a scheme, barrier and class: its design values, and those of which rocks they are."""
    head = (tr("Design value"), tr("E design [kJ]"), tr("h design [m]"), tr("Energy level"))
    columns = [("design", 1.0), ("E_design", 1e-3), ("h_design", 1.0), ("energy_level", 1.0)]
    energy, height = outcome.hazard.factors
    factors = tr("Partial factors on design values: energy {energy:g}, height {height:g}.")
    rows = _rows(outcome, "barrier", head, columns)
    return PrintTable(tr("Design values"), *rows, factors.format(energy=energy, height=height))


def _rows(
    outcome: Outcome, kind: str, head: Sequence[str], columns: Sequence[tuple[str, float]]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Headings and rows of all lines or barriers, with columns of barriers.csv or lines.csv times a factor."""
    found = []
    for scheme in outcome.results:
        tables = outcome.rows(scheme)
        for i in outcome.lines.kinds[kind]:
            for row in tables[i]:
                name = tr("all") if row["class"] == ALL else _class(outcome, row["class_name"])
                cells = (_cell(outcome, row[key], factor) for key, factor in columns)
                found.append((lane_title(scheme), outcome.lines.names[i], name, *cells))
    first = (tr("Scheme"), tr("Barrier") if kind == "barrier" else tr("Line"), tr("Class"))
    return _of_schemes(outcome, (*first, *head), found)


def _cell(outcome: Outcome, value: int | float | str | None, factor: float) -> str:
    """A value of a table; the name of a design value as its column is headed."""
    if isinstance(value, str):
        column, _, of = value.partition(" of ")
        name = column.replace("energy_", "E ")
        return tr("{value} of {name}").format(value=name, name=_class(outcome, of)) if of else name
    if isinstance(value, int):  # rocks, and levels, are counted
        return str(value)
    return "" if value is None else _digits(factor * value)


def _class(outcome: Outcome, name: str) -> str:
    """The name of a class; that which the study gave it for want of one in the reader's language."""
    assert outcome.study is not None
    number = 1 + outcome.study.names.index(name)
    return tr("class {number}").format(number=number) if name == f"class {number}" else name


def _digits(value: float) -> str:
    """A number of four digits, never as a power of ten."""
    return np.format_float_positional(value, precision=4, unique=False, fractional=False, trim="-")


def _ends(outcome: Outcome) -> PrintTable:
    """A row a scheme and class: its rocks, and the share of them that stopped for each reason."""
    assert outcome.study is not None
    met = [reason for reason in STOPS if any(found.reasons.get(reason) for found in outcome.results.values())]
    rows = []
    for scheme, found in outcome.results.items():
        kinds = found.rows.column("class")
        reasons = np.array([REASONS[code] for code in found.rows.column("stop_reason")])
        for number, name in enumerate(outcome.study.names, start=1):
            ended = reasons[kinds == number]
            shares = (per_cent(float(np.mean(ended == reason)), 1) if len(ended) else "" for reason in met)
            rows.append((lane_title(scheme), _class(outcome, name), str(len(ended)), *shares))
    head = (tr("Scheme"), tr("Class"), tr("Rocks"), *(tr(STOPS[reason]) for reason in met))
    return PrintTable("", *_of_schemes(outcome, head, rows))


def _starts(source: ReleaseSource | None) -> str:
    """Sentence on the places where rocks start."""
    if source is not None and not source.in_turn:
        return tr("Starts are spread evenly over the release.")
    one = source is None or len(source.corner) == 1
    return tr("All rocks start at one place.") if one else tr("Rocks start at the points of the release in turn.")


def _check(world: RockfallWorld, outcome: Outcome) -> Section:
    """The page for a second person: what was assumed, by what the results can be made again, and room for a name."""
    facts = outcome.facts
    assumed = [
        tr("Frequencies of the classes are given by the author of the scenario, and spread evenly over its rocks."),
        _starts(world.source),
        tr("Orientations are random.")
        if world.scenario.initial.orientation == "random"
        else tr("All rocks start with the same orientation."),
        *map(translated, world.notes),
    ]
    digests = PrintTable(
        tr("Files"), (tr("File"), tr("Digest")), tuple((name, str(digest)) for name, digest in facts["files"].items())
    )
    again = tr(
        "Polhode {version}, seed {seed}. The whole scenario is in summary.json; with the same version and files it "
        "gives the same rows in rocks.csv and crossings.csv, from which all tables can be computed again."
    )
    again = again.format(version=facts["version"], seed=seeds_of(outcome.facts["seed"]))
    signed = f"{tr('Checked by')}: ______________________    {tr('Date')}: ______________"
    return Section(
        tr("Check by a second person"),
        (tr("Assumed:"), tuple(assumed), again, digests, signed),
    )
