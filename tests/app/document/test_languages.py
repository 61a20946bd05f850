"""German, French and Italian: every text is in the catalogues, none is without a translation, and windows show them."""

from __future__ import annotations

import ast
import gettext
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

import app
from app.cli.overrides import scenario_from
from app.cli.parser import parse
from app.document.settings import Settings
from app.document.toml_writer import toml_text
from app.stage.text.caption_text import map_signs
from app.stage.theme_colours import look_of
from app.system import language
from app.theme import DARK
from app.window import main
from app.window.guides.about import AUTHORS, TITLE
from app.window.main_window import MainWindow
from app.window.panel.panel import Panel
from app.window.panel.rail import Rail
from app.window.panel.scheme_list import LaneRow
from assets import LOCALE, SCENARIOS
from assets.make.catalogues import HOUSE, OF_UNIT, merged, source, template, untranslated
from physics import SCHEMES, ScenarioError, World, load_scenario
from physics.core.wording import N_
from physics.scenario.view_config import ExportConfig
from tests.app.windowing import rock, show

OTHERS = ("de", "fr", "it")
DONE = ("figures", "plots", "stage", "window")  # rooms of app whose texts are in the catalogues
WORDS = re.compile(r"[^\W\d_]{2,},? [^\W\d_]{2,}|^[A-Z][a-z]{2,}[….?:]?$")  # two words, or one that begins a text
MARKUP = re.compile("[<>;{}]")
ENGLISH = {  # words that nobody reads, or that are the same everywhere
    *("Esc", "Space", "Home", "End", "Right", "Left"),  # keys
    *("Phong", "Flat", "camera light", "scene light", "QJ Pp", "Stage"),  # of VTK and Qhull, a name of the code
    *("OpenGL vendor", "OpenGL renderer", "OpenGL version"),
    *("upper left", "upper center", "lower left", "outside lower left", "outside lower center"),  # of matplotlib
    *("axes fraction", "offset points", "DejaVu Sans", "constrained_layout not applied", "Date"),
    *("m [10$^9$ kg m²/s]", "Magnus"),  # symbols, names
    "attitude error [deg]",  # in a .csv
    *(AUTHORS, TITLE, "Leine et al. 2021"),  # in a citation
    "Fusion",
    "Polhode",
    "Value error, ",
    " integrator method solver",
    "high contrast",
    "smaller time scheme beside",
}
UNREAD = (
    "synonyms.py",  # words that one may type
    "view_choice.py",  # what an option of the command line cannot do
    "plotter.py",  # why occlusion is refused: an error, which is translated where it is shown
    "lighting.py",  # a program of the graphics card
)


@cache
def english() -> Catalog:
    """All that is to be translated."""
    return template()


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code: str) -> None:
    made = merged(code, english())
    advice = {row.advice for row in SCHEMES.values()}  # of a new scheme: English until a release translates it
    assert set(untranslated(made)) <= advice, "python -m assets.make.catalogues tells what to translate"
    with source(code).with_suffix(".mo").open("rb") as compiled:
        read = gettext.GNUTranslations(compiled)
    for one in made:
        if one.pluralizable:
            found: object = tuple(read.ngettext(*one.id, number) for number in (1, 2))
        else:
            found = read.pgettext(one.context, one.id) if one.context else read.gettext(one.id)
        wanted = tuple(one.string[:2]) if one.pluralizable else one.string  # French and Italian have a third form
        assert not one.id or not one.string or found == wanted, "python -m assets.make.catalogues compiles"


def fields(text: str) -> list[tuple[str, str, str]]:
    """What a template is filled with: names, conversions and formats."""
    return sorted((name, how or "", form or "") for _, name, form, how in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_of_its_text(code: str) -> None:
    for message in merged(code, english()):
        ids = [message.id] if isinstance(message.id, str) else message.id
        texts = [message.string] if isinstance(message.string, str) else message.string
        if message.id:
            assert {str(fields(text)) for text in texts} == {str(fields(one)) for one in ids}, message.id
            assert ids[0].endswith(" ") == texts[0].endswith(" "), message.id
            kinds = [re.findall(r"\(\*[^)]*\)", one) for one in (ids[0], texts[0])]  # of files, by their endings
            assert kinds[0] == kinds[1], message.id
            assert not any("\N{RIGHT SINGLE QUOTATION MARK}" in one for one in texts), "the apostrophe is '"


def test_what_helps_where_a_step_has_no_solution_is_among_the_texts() -> None:
    texts = {message.id for message in english()}
    assert {row.remedy.template for row in SCHEMES.values()} <= texts


def bare(tree: ast.AST) -> Iterator[ast.Constant]:
    """Texts in code that do not go through ``tr``, other than docstrings and errors."""
    aside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            aside.add(node.value)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "plural"):
            aside.update(part for given in node.args for part in ast.walk(given))
        if isinstance(node, ast.Raise):  # errors are told where they are shown, see test_sentences.py
            aside.update(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in aside:
            yield node


def test_no_text_of_the_rooms_that_are_done_is_outside_the_catalogues() -> None:
    known = {message.id for message in english()} | {text for one in english() if one.pluralizable for text in one.id}
    found = []
    for room in DONE:
        for path in sorted((Path(app.__file__).parent / room).rglob("*.py")):
            for node in () if path.name in UNREAD else bare(ast.parse(path.read_text(encoding="utf-8"))):
                text = node.value
                if WORDS.search(text) and not MARKUP.search(text) and text not in known | ENGLISH:
                    found.append(f"{path.relative_to(HOUSE)}:{node.lineno}: {text!r}")
    assert found == [], "a text goes through tr(), that of a table is named in assets/make/catalogues.py"


def test_captions_of_films_are_translated() -> None:
    language.use("de")
    try:
        (text,) = map_signs(10.0, (42.0, 1.5), look_of(DARK))
        assert language.used() == "de"
    finally:
        language.use("en")
    assert text.text.strip() == "Höhenlinien alle 10 m, Stein von 1.5 m 42-mal größer gezeichnet"
    (text,) = map_signs(10.0, (42.0, 1.5), look_of(DARK))
    assert text.text.startswith("contour lines every 10 m")
    assert parse(["video", "a.toml", "-o", "a.mp4", "--language", "it"]).language == "it"


def test_a_recipe_remembers_its_language(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(toml_text(rock().portable()), encoding="utf-8")
    try:
        asked = scenario_from(parse(["image", str(file), "-o", "a.png", "--language", "fr"]))
        assert asked.export.language == language.used() == "fr"
        file.write_text(toml_text(asked.portable()), encoding="utf-8")
        assert scenario_from(parse(["image", str(file), "-o", "b.png"])) == asked
        assert language.used() == "fr"
        scenario_from(parse(["image", str(file), "-o", "b.png", "--language", "en"]))
        assert language.used() == "en"
    finally:
        language.use("en")
    assert get_args(ExportConfig.model_fields["language"].annotation) == tuple(language.LANGUAGES)


def test_the_first_language_that_there_is() -> None:
    assert language.first_known(["rm-CH", "de_AT.UTF-8", "fr"]) == "de"
    assert language.first_known(["C"]) == language.first_known([]) == "en"
    assert main.spoken("it") == "it"
    assert main.spoken("system") == "en"  # as the tests' own environment says


class Missing(gettext.NullTranslations):
    """Remembers what a catalogue has not."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: set[str] = set()

    def gettext(self, message: str) -> str:
        """The text itself."""
        self.texts.add(message)
        return message


class Bracketed(gettext.GNUTranslations):
    """A catalogue whose texts can be told from others."""

    def gettext(self, message: str) -> str:
        """The translation in brackets."""
        return f"⟦{super().gettext(message)}⟧"

    def pgettext(self, context: str, message: str) -> str:
        """The same of what it is said of."""
        return f"⟦{super().pgettext(context, message)}⟧"


@pytest.fixture
def german() -> Iterator[Missing]:
    """German in brackets, English again after the test; what was asked for and is missing."""
    missing = Missing()
    catalogue = gettext.translation(language.DOMAIN, LOCALE, ["de"], class_=Bracketed)
    catalogue.add_fallback(missing)
    language.set_catalogue(catalogue)
    yield missing
    language.use("en")


def shown(window: QWidget) -> Iterator[str]:
    """The texts of a window's widgets: what is read, pointed at and spoken. The schemes' own are English."""
    for widget in window.findChildren(QWidget):
        if isinstance(widget, LaneRow) or isinstance(widget.parent(), LaneRow):
            continue
        yield from (widget.toolTip(), widget.accessibleName())
        if isinstance(widget, QLabel | QAbstractButton) and not isinstance(widget.parent(), Rail):  # letters of titles
            yield widget.text()
        if isinstance(widget, QGroupBox):
            yield widget.title()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QComboBox):
            yield from (widget.itemText(row) for row in range(widget.count()))
        if isinstance(widget, QListWidget):
            yield from (widget.item(row).text() for row in range(widget.count()))
        elif isinstance(widget, QAbstractItemView) and (table := widget.model()) is not None:
            rows, columns = range(table.rowCount()), range(table.columnCount())
            yield from (str(table.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns)
            yield from (str(table.index(row, column).data() or "") for row in rows for column in columns)


def english_in(text: str) -> str:
    """What stands outside all brackets."""
    while "⟦" in text:
        inner, text = text, re.sub("⟦[^⟦⟧]*⟧", "", text)
        assert text != inner, f"cut within brackets: {text}"
    return text


@pytest.mark.picture
def test_a_german_window_shows_german_alone(german: Missing, qtbot: QtBot, no_collector: None) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    show(qtbot, window, rock(title="", note=""))
    window.actions_by_id["ensemble"].setChecked(True)
    menus = [menu.text().replace("&", "") for menu in window.window_layout.menus.actions()]
    assert menus[:5] == ["⟦Datei⟧", "⟦Bearbeiten⟧", "⟦Wiedergabe⟧", "⟦Ansicht⟧", "⟦Zeigen⟧"]
    assert all(action.text().startswith("⟦") for action in window.actions_by_id.values())
    assert "⟦der Stein " in window.status.text()  # what events say
    wrong = N_("expected {what}, got {found:.60}", N_("a number above {gt:g}", 0.0), "-1")
    window.workspace.complain(ScenarioError("step", wrong, "a.toml"))
    window.workspace.complain(ScenarioError("duration", N_("missing")))
    said = window.message.text.text()
    assert re.sub("[⟦⟧]", "", said) == "a.toml: step: eine Zahl über 0 erwartet, gegeben: -1"
    assert "⟦eine Zahl über 0⟧" in said
    assert window.panel.entries["duration"].error.text() == "⟦fehlt⟧"
    words = {text for text in map(english_in, shown(window)) if WORDS.search(text) and not MARKUP.search(text)}
    assert words == set()
    entries = {entry.text: entry for entry in window.guides.entries()}
    assert entries["⟦Trajektorien⟧ (⟦ein⟧)"].also.startswith("Trails")  # English finds it too
    window.close()
    unsaid = {text for text in german.texts if OF_UNIT.search(re.sub(r"\{\w+\}", "", text))}
    assert unsaid == set()  # beside names of places


KINDS = ("t-handle", "top-steady", "vessel-damped", "ship-fins", "joints-wheels", "table-coin", "measured-toss")


def test_a_german_panel_shows_german_alone_for_every_kind(german: Missing, qtbot: QtBot) -> None:
    """Cards, tips, choices and what empty fields stand for; rocks are in the window above."""
    panel = Panel(DARK)
    qtbot.addWidget(panel)
    for name in KINDS:
        scenario = load_scenario(SCENARIOS / f"{name}.toml")
        panel.show_scenario(scenario)
        panel.show_world(World.of(scenario))
        left = {text for text in map(english_in, shown(panel)) if WORDS.search(text) and not MARKUP.search(text)}
        assert left == set(), name


@pytest.mark.picture
def test_the_choice_of_a_language_lasts(window: MainWindow) -> None:
    window.guides.show_palette("Language")
    entries = {entry.text: entry for entry in window.guides.entries() if entry.kind == "Language"}
    assert list(entries) == ["System language", "English", "Deutsch", "Français", "Italiano"]
    entries["Français"].call()
    assert window.settings.language == "fr"
    assert "next start" in window.status.text()
    assert main.spoken(Settings(**window.settings.model_dump()).language) == "fr"


def test_buttons_of_qt_are_translated_too(qapp: QApplication) -> None:
    try:
        main.speak(qapp, "de")
        assert QApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
        assert language.tr("Save session") == "Sitzung speichern"
    finally:
        language.use("en")
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
    assert language.tr("Save session") == "Save session"
