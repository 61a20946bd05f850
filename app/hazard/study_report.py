"""Study: the plans and the report of an ensemble of classes, beside its tables and maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_pdf import PdfPages

from app.document.recipe import notes, title
from app.hazard.layers import yearly_maps
from app.hazard.plan import DOTS, plan_of
from app.plots.print_style import style
from app.stage.text.colour_map import CLASSED_BY, CLASSES
from app.system.language import tr
from app.system.sentences import translated
from physics.hazard.ensemble import doubts
from physics.hazard.results_folder import Outcome, designs_of
from physics.io.trajectory_writers import polhode_version
from physics.systems.rockfall.scenario import DistributionConfig, ScenarioClassConfig, of_rocks
from physics.systems.rockfall.world import RockfallWorld


def write_study(world: RockfallWorld, outcome: Outcome, folder: Path) -> None:
    """Write report.md and plans/<scheme>.pdf into a folder with the results of a world's ensemble of classes.

    A plan has a page for the frequency of passages and one for the intensity of each return period.
    """
    (folder / "report.md").write_text("\n".join(_report(world, outcome)) + "\n", encoding="utf-8")
    (folder / "plans").mkdir()
    facts = notes(".pdf", title(world.scenario), world.scenario)
    for scheme in outcome.results:
        # one file: its fonts, which take longest, are written once
        with style(), PdfPages(folder / "plans" / f"{scheme}.pdf", metadata=facts) as pages:
            for name in yearly_maps(world.scenario):
                if "kJ" not in name:
                    shown = {"export.results": str(folder.absolute()), "export.map": name, "export.whose": scheme}
                    drawn = replace(world, scenario=of_rocks(world.scenario.changed(**shown)))
                    pages.savefig(plan_of(drawn), dpi=DOTS)


def _report(world: RockfallWorld, outcome: Outcome) -> list[str]:
    """Lines of the report, in Markdown."""
    scenario, terrain, study = world.scenario, world.terrain, outcome.study
    assert study is not None
    sizes = " x ".join(dict.fromkeys(f"{size:g}" for size in terrain.cell))
    facts = tr("{rocks} rocks, seed {seed}; {file}, cells of {cell} m, {crs}; {schemes}; Polhode {version}").format(
        rocks=outcome.facts["rocks"],
        seed=scenario.seed,
        file=terrain.name,
        cell=sizes,
        crs=terrain.crs or tr("coordinates of the file"),
        schemes=", ".join(outcome.results),
        version=polhode_version(),
    )
    lines = [f"# {title(scenario)}", "", facts, ""]
    lines += [translated(scenario.note), ""] if scenario.note else []
    lines += [f"## {tr('Classes of rocks')}", "", *_classes(outcome, scenario.scenario_class), ""]
    lines += [f"## {tr('Area by intensity')}", "", *_areas(outcome), ""]
    limits = ", ".join(dict.fromkeys(f"{limit / 1e3:g}" for limit in study.intensities))
    meeting = tr("Classes of intensity meet at {limits} kJ: {maps}.")
    lines += [meeting.format(limits=limits, maps=tr(CLASSED_BY[scenario.hazard.intensity])), ""]
    if outcome.lines.names:
        lines += [f"## {tr('Barriers')}", "", *_barriers(outcome), ""]
        factors = tr("Partial factors: energy {energy:g}, height {height:g}; design values are those of 95 %.")
        lines += [factors.format(energy=outcome.factors[0], height=outcome.factors[1]), ""]
    sunk = [sentence for found in outcome.results.values() for sentence in found.sunk()]
    notes = [outcome.note, *doubts(outcome.facts["coarse_steps"], scenario.step), *dict.fromkeys(sunk)]
    return [*lines, f"## {tr('Limits')}", "", *(f"- {translated(note)}" for note in notes)]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    return [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in (head, ["---"] * len(head), *rows)]


def _classes(outcome: Outcome, classes: Sequence[ScenarioClassConfig]) -> list[str]:
    """A row a class."""
    assert outcome.study is not None
    kinds = next(iter(outcome.results.values())).maps.kinds
    head = [tr("Class"), tr("Volume [m³]"), tr("Starts in a year"), tr("Return period [a]"), tr("Rocks")]
    rows = [
        [fact["name"], _volume(one), f"{one.yearly:.4g}", f"{1.0 / one.yearly:.4g}", str(fact["rocks"])]
        for fact, one in zip(outcome.study.summary(kinds), classes, strict=True)
    ]
    return _table(head, rows)


def _volume(one: ScenarioClassConfig) -> str:
    """The volumes of a class in words."""
    if isinstance(one.volume, DistributionConfig):
        given = one.volume.model_dump(exclude_none=True, exclude={"distribution"})
        return f"{one.volume.distribution} ({', '.join(f'{key} {value:g}' for key, value in given.items())})"
    return " - ".join(f"{value:g}" for value in (one.volume if isinstance(one.volume, tuple) else [one.volume]))


def _areas(outcome: Outcome) -> list[str]:
    """A row a scheme and return period: square metres in each class of intensity."""
    cell = float(np.prod(outcome.terrain.cell))
    head = [tr("Scheme"), tr("Return period [a]"), *(f"{tr(word)} [m²]" for word in CLASSES)]
    rows = []
    for scheme, found in outcome.results.items():
        for name, unit, values, _ in found.maps.yearly():
            if unit == "class":
                areas = [f"{cell * int((values == k).sum()):.0f}" for k in range(1, 1 + len(CLASSES))]
                rows.append([scheme, name.partition("_")[2].removesuffix("a"), *areas])
    return _table(head, rows)


def _barriers(outcome: Outcome) -> list[str]:
    """A row a scheme and barrier."""
    energies, heights = ("E95", "E99", "E_design"), ("h95", "h99", "h_design")
    head = [tr("Scheme"), tr("Barrier"), tr("Height [m]"), tr("Crossings in a year")]
    head += [*(f"{key} [kJ]" for key in energies), *(f"{key} [m]" for key in heights), tr("Energy level")]
    rows = []
    for scheme in outcome.results:
        lines = outcome.lines
        for name, high, design in zip(lines.names, lines.heights, designs_of(outcome, scheme), strict=True):
            values = [(key, 1e-3) for key in energies] + [(key, 1.0) for key in heights]
            numbers = ["" if (v := design[key]) is None else f"{factor * v:.4g}" for key, factor in values]
            often = f"{design['frequency'] or 0.0:.4g}"
            level = "" if design["energy_level"] is None else str(design["energy_level"])
            rows.append([scheme, name, f"{high:g}", often, *numbers, level])
    return _table(head, rows)
