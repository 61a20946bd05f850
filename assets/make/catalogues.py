"""Update the catalogues of translations, and list what is untranslated: ``python -m assets.make.catalogues``.

It collects what ``tr``, ``plural`` and ``N_`` take in the code, and the texts of the tables below; it merges them into
each ``locale/CODE/LC_MESSAGES/polhode.po``, keeping translations, and compiles these to the ``.mo`` that is read.
A translation whose English text is gone leaves the file. Words are translated as ``locale/glossary.md`` has them.
"""

from __future__ import annotations

import ast
import io
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from app.cli.options import ARGPARSE
from app.cli.schemes import SHOWN
from app.document.export_kinds import KINDS as EXPORTS
from app.document.export_kinds import PRINTS
from app.document.problem_report import HEAD
from app.figures import gustafsson, work_precision
from app.hazard.figures import leine_rockfall, leine_tables
from app.hazard.layers import MAPS, STOPS, WORDS
from app.hazard.study_report import CREEPING, LOST, NOT_MODELLED
from app.hazard.window.ensemble_panel import COLOURS, FIELDS
from app.hazard.window.tables import NAMES, ROW, STATISTICS
from app.kinds import KINDS, joint_tables
from app.kinds.field import ATTITUDE_FORMS, PART, STEP
from app.kinds.words import word_shown
from app.playback import verdicts
from app.stage.ground.marks import QUANTITIES
from app.stage.text.colour_map import CLASSED_BY, CLASSES
from app.system.language import DOMAIN, LANGUAGES
from app.window.actions import MENUS
from app.window.charts import report_card_panel
from app.window.exports import form
from app.window.exports.queue import FINISHED, ExportState
from app.window.guides import command_palette as palette
from app.window.guides.example_groups import GROUPS
from app.window.panel.barrier_rows import MEASURES, NUMBERS
from assets import LOCALE, SCENARIOS
from physics.analysis.convergence import AXES
from physics.analysis.ranking import HEADINGS
from physics.analysis.report_card import Behaviour
from physics.core.wording import JOINED
from physics.hazard.fit_results import WORDS as RUNS
from physics.hazard.maps import CONDITIONAL, YEARLY
from physics.hydrostatics.righting_levers import ASKED, FLOODED, VERDICTS
from physics.scenario.camera_modes import CAMERA_MODES
from physics.scenario.described import TEMPLATES
from physics.scenario.scenario import EXPECTED
from physics.schemes import SCHEMES, serving
from physics.schemes.scheme import FAMILIES
from physics.systems import SYSTEMS
from physics.systems import scheme_overview as scheme_table

WORD = re.compile(r"[^\W\d_]{4,}")  # units and components without one ("kg m²", "x") are the same in all languages
PHRASE = re.compile(r"[^\W\d_]{2,}")
LETTER, PLACE = re.compile(r"[^\W\d_]"), re.compile(r"\{[^{}]*\}")  # templates without letters only join others
OF_UNIT = re.compile(r"[^\W\d_]{4,}|\boff\b")
TIMELESS = datetime(2026, 1, 1, tzinfo=UTC)  # the same texts make the same files
DATED = rb'"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To|Generated-By):.*\n'
HOUSE = Path(__file__).parents[2]
MARKS = ("N_", "tr", "plural")
Message = tuple[str | tuple[str, str], str, str]  # text, or one and many; context; where it stands


def in_code() -> Iterator[Message]:
    """Texts that ``tr``, ``plural`` and ``N_`` take in the code; babel's own extraction sees no calls in f-strings."""
    for path in sorted(file for room in ("app", "physics") for file in (HOUSE / room).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MARKS:
                texts = [a.value for a in call.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                where = path.relative_to(HOUSE).as_posix()
                if call.func.id == "plural":
                    yield (texts[0], texts[1]), "", where
                elif texts and isinstance(call.args[0], ast.Constant) and LETTER.search(PLACE.sub("", texts[0])):
                    yield texts[0], texts[1] if call.func.id == "tr" and len(texts) > 1 else "", where


def in_tables() -> Iterator[Message]:
    """The texts of tables, which are translated where they are shown."""
    actions = [row for rows in MENUS.values() for row in rows]
    tables = {
        "app/cli/options.py": ARGPARSE,
        "app/cli/schemes.py": SHOWN,
        "app/hazard/layers.py": (*MAPS.values(), *WORDS.values(), *STOPS.values()),
        "app/figures": (*of_figures(),),
        "app/kinds": (*in_kinds(), "metres"),
        "app/document/problem_report.py": (HEAD,),
        "app/stage/text/colour_map.py": (*CLASSES, *CLASSED_BY.values()),
        "app/stage/ground/marks.py": (title for _, title, _ in QUANTITIES.values()),
        "assets/scenarios": (*of_scenarios(),),
        "physics/core/wording.py": JOINED,
        "physics/scenario/scenario.py": EXPECTED.values(),
        "physics/hydrostatics/righting_levers.py": (*(name for name, *_ in ASKED), *FLOODED.values(), *VERDICTS),
        "physics/scenario/camera_modes.py": (mode.title for mode in CAMERA_MODES.values()),
        "physics/schemes": (*of_schemes(),),
        "physics/systems/scheme_overview.py": (scheme_table.NOTE, scheme_table.IMPLICIT),
        "physics/systems": (row.starts.event for row in SYSTEMS.values() if row.starts is not None),
        "app/hazard/study_report.py": (
            *(CREEPING, LOST, *NOT_MODELLED),
            *(SCHEMES[name].title for name in serving("rockfall")),
        ),
        "app/window/actions.py": (*MENUS, *(text for row in actions for text in (row.text, row.tip))),
        "app/window/charts/order_panel.py": (axis.label for axis in AXES),
        "physics/analysis/ranking.py": HEADINGS,
        "app/playback/verdicts.py": verdicts.HEADINGS,
        "app/window/charts/report_card_panel.py": report_card_panel.HEADINGS,
        "app/document/export_kinds.py": (*of_exports(), *PRINTS),
        "app/window/exports/form.py": (
            *form.LAYOUTS,
            *form.CARDS,
            *[*form.SCALES][:1],
            *form.COLOURS,
            *(key.label for key in form.KEYS.values()),
            *filter(PHRASE.search, (word_shown(word) for key in form.KEYS.values() for word in key.choices)),
        ),
        "app/window/exports/queue.py": (*(state.value for state in ExportState), *FINISHED.values()),
        "app/window/guides/command_palette.py": palette.KINDS,
        "app/window/guides/example_groups.py": GROUPS,
        "app/hazard/window/ensemble_panel.py": (*COLOURS.values(), CONDITIONAL, YEARLY),
        "app/hazard/window/tables.py": of_statistics(),
    }
    for where, texts in tables.items():
        yield from ((text, "", where) for text in texts if text)


def in_kinds() -> Iterator[str]:
    """The texts of the rows of kinds, and of the fields of the panel."""
    fields = [*STEP, *FIELDS, *ATTITUDE_FORMS, *PART.values(), *MEASURES.values(), *joint_tables.FIELDS]
    for kind in KINDS.values():
        yield from kind.cards
        yield from () if kind.role is None else (kind.role.word, kind.role.tip)
        for quantity in kind.choices:
            yield quantity.title
            yield "" if quantity.error is None else quantity.error.band
            yield from filter(OF_UNIT.search, (quantity.unit, "" if quantity.over is None else quantity.over.unit))
        fields += [field for card in kind.cards.values() for field in card]
    for field in fields:
        yield from (field.label, field.about, *(note for _, note in field.notes))
        yield from filter(WORD.search, (field.unit, *field.parts))
        yield from filter(PHRASE.search, (field.empty or "",))
        yield from (word_shown(word, field.empty or "") for word in field.choices)
    yield from (*map(word_shown, NUMBERS), *TEMPLATES)


def of_exports() -> Iterator[str]:
    """The texts of the kinds of exports and of their formats."""
    for kind in EXPORTS:
        yield from (kind.title, kind.hint, *(one.title for one in kind.formats))


def of_figures() -> Iterator[str]:
    """The texts of the tables of figures, and the words of the tables that are drawn."""
    yield from (kind for kinds in gustafsson.OPERATIONS.values() for kind in kinds)
    yield from (form for _, form in gustafsson.PRINTED_2 if WORD.search(form))
    yield from (*leine_rockfall.QUANTITIES.values(), *leine_tables.GROUNDS.values(), leine_tables.SPREAD)
    yield from (told for told, _, _ in leine_tables.SHOWN.values())
    yield from (*work_precision.LABELS.values(), *RUNS.values())


def of_scenarios() -> Iterator[str]:
    """Title, note and source of each scenario that comes with the program."""
    for file in sorted(SCENARIOS.glob("*.toml")):
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        yield from (tables["title"], tables.get("note", ""), tables.get("source", ""))


def of_schemes() -> Iterator[str]:
    """The headings of families, and what is kept."""
    yield from (*FAMILIES.values(), *get_args(Behaviour), *scheme_table.ENERGY.values())


def of_statistics() -> Iterator[str]:
    """The texts of the tables of an ensemble's results."""
    yield from (*NAMES.values(), *map(str.lower, NAMES.values()), *STATISTICS.values())
    yield from (name for name, _ in ROW.values())


def template() -> Catalog:
    """All that is to be translated, in the order of the alphabet."""
    found = Catalog(project="Polhode", charset="utf-8")
    for text, context, where in (*in_code(), *in_tables()):
        found.add(text, locations=[(where, 0)], context=context or None)
    return found


def source(language: str) -> Path:
    """The file of a language's translations."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def merged(language: str, wanted: Catalog) -> Catalog:
    """The translations of a language that there are, and what is to be translated without one."""
    path = source(language)
    known = read_po(io.BytesIO(path.read_bytes()), locale=language) if path.is_file() else Catalog(locale=language)
    made = Catalog(
        locale=language,
        domain=DOMAIN,
        project="Polhode",
        charset="utf-8",
        fuzzy=False,
        header_comment=f"# {LANGUAGES[language]}: by python -m assets.make.catalogues; words as in locale/glossary.md",
        copyright_holder="Polhode",
    )
    for message in wanted:
        if message.id:
            old = known.get(message.id if isinstance(message.id, str) else message.id[0], message.context)
            same = old is not None and old.pluralizable == message.pluralizable
            made.add(message.id, old.string if same else None, message.locations, context=message.context)
    return made


def as_text(catalogue: Catalog) -> bytes:
    """A catalogue as a file of translations, without times."""
    written = io.BytesIO()
    write_po(written, catalogue, width=120, sort_output=True, include_lineno=False)
    return re.sub(DATED, b"", written.getvalue())


def compiled(path: Path) -> bytes:
    """A file of translations as the program reads it."""
    made, catalogue = io.BytesIO(), read_po(io.BytesIO(path.read_bytes()))
    catalogue.creation_date = catalogue.revision_date = TIMELESS
    write_mo(made, catalogue)
    return made.getvalue()


def untranslated(catalogue: Catalog) -> list[str]:
    """The texts without a translation."""
    return [str(m.id) for m in catalogue if m.id and not all(m.string if m.pluralizable else [m.string])]


def main() -> None:
    """Write the catalogues of all languages."""
    wanted = template()
    for language in LANGUAGES:
        if language == "en":
            continue
        path, made = source(language), merged(language, wanted)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_text(made))
        path.with_suffix(".mo").write_bytes(compiled(path))
        missing = untranslated(made)
        print(f"{language}: {len(made)} texts, {len(missing)} untranslated", *missing, sep="\n    ")


if __name__ == "__main__":
    main()
