"""A user's words are never translated, wherever they are shown or written; those of the examples are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import assets
from app.__main__ import main
from app.document.recipe import title
from app.system import language
from app.system.language import Code, tr, translated
from app.system.own_words import note_of, source_of, title_of
from app.window.main_window import MainWindow
from assets.make.catalogues import HOUSE
from physics import Scenario, ScenarioError, load_scenario
from tests import small
from tests.app.windowing import wait

OWN = (
    "First calm, then rough",
    "no wind, no sea",
    "step",
    "and",
    "ramp",
    "kept",
    "Tippe top turns upside down",
    "missing; kept",
    "a $x$",
)
ENGLISH_NO_MORE: tuple[Code, ...] = ("de", "fr", "it")
PICTURE = """kind = "free"
title = "First calm, then rough"
note = "no wind, no sea"
source = "own"
duration = 0.1
step = 0.01
schemes = ["implicit"]
body = { shape = "cuboid", size = [3.0, 2.0, 1.0], mass = 1.0 }
initial = { angular_velocity = [1e-3, 10.0, 1e-3] }
"""


@pytest.fixture(params=ENGLISH_NO_MORE)
def spoken(request: pytest.FixtureRequest) -> Iterator[Code]:
    """A language other than English; English again after the test."""
    language.use(request.param)
    yield request.param
    language.use("en")


def test_titles_notes_and_sources_of_a_user_stay(spoken: Code) -> None:
    for words in OWN:
        scenario = small.cuboid(title=words, note=words, source=words)
        assert (title_of(scenario), note_of(scenario), source_of(scenario), title(scenario)) == (words,) * 4


def test_an_example_is_translated_until_somebody_writes_another_title(spoken: Code, tmp_path: Path) -> None:
    file = assets.SCENARIOS / "table-tippe-top.toml"
    example = load_scenario(file)
    assert title_of(example) == tr("Tippe top turns upside down") != "Tippe top turns upside down"
    (tmp_path / "saved.toml").write_bytes(file.read_bytes())
    saved = load_scenario(tmp_path / "saved.toml")
    assert (title_of(saved), note_of(saved)) == (title_of(example), tr(example.note))
    assert title_of(saved.changed(title="Heavy top")) == "Heavy top"
    assert title_of(saved.changed(note="no wind", source="own")) == "Tippe top turns upside down"


def test_a_plot_has_the_title_of_its_user(spoken: Code, tmp_path: Path) -> None:
    file, picture, drawing = tmp_path / "mine.toml", tmp_path / "mine.png", tmp_path / "mine.svg"
    file.write_text(PICTURE, encoding="utf-8")
    for output in (picture, drawing):
        assert main(["plot", str(file), "-o", str(output), "--quiet", "--language", spoken]) == 0
    with Image.open(picture) as made:
        assert made.info["Title"] == "First calm, then rough"
        assert 'note = "no wind, no sea"' in made.info["Comment"]
    assert "First calm, then rough" in drawing.read_text(encoding="utf-8")


def test_a_window_shows_them_as_they_are(qtbot: QtBot, window: MainWindow) -> None:
    language.use("de")
    try:
        window.session.open(small.cuboid(title=OWN[0], note=OWN[1], source="own", duration=0.1))
        wait(qtbot, lambda: window.session.run is not None and window.session.run.finished)
        wait(qtbot, lambda: OWN[0] in window.windowTitle() and window.panel.note.text() != "")
        shown = {one.text() for one in window.findChildren(QLabel)}
        assert OWN[1] in shown
        assert not [text for text in shown if "keine wind" in text or "dann rough" in text]
    finally:
        language.use("en")


def faults(words: str) -> Iterator[ScenarioError]:
    """Errors that quote a user's words."""
    body = {"shape": "cuboid", "size": [1.0, 1.0, 1.0], "mass": 1.0}
    joint = {"name": words, "type": "ball", "between": ["ground", words], "at": [0.0, 0.0, 0.0]}
    wrong: tuple[dict[str, object], ...] = (
        {"body": [body | {"name": words}, body | {"name": words}]},
        {"body": [body | {"name": "a"}], "joint": [joint]},
        {"kind": words},
        {"schemes": [words]},
        {"variants": {words: {}}},
        {"title": f"{words}\0"},
        {words: 1.0},
        {"view": {"overlays": [words]}},
        {"initial": {"angular_velocity": words}},
    )
    for tables in wrong:
        plain: dict[str, object] = {"kind": "joints", "duration": 1.0, "step": 0.1, "schemes": ["exact"]}
        with pytest.raises(ScenarioError) as caught:
            Scenario(**(plain | tables))  # type: ignore[arg-type]
        yield caught.value


def test_errors_quote_a_user_as_he_wrote(spoken: Code) -> None:
    for words in (*OWN, "wind", "sea", "the whole map"):
        for error in faults(words):
            for said in (translated(error), translated(error.in_file(words)), translated(str(error))):
                assert said.count(words) >= str(error).count(words), str(error)


def test_nobody_translates_what_a_scenario_says() -> None:
    """Titles, notes and sources of scenarios go through app.system.own_words alone."""
    found = []
    for path in sorted((HOUSE / "app").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("tr", "translated") and call.args:
                match call.args[0]:
                    case ast.Attribute(value=ast.Name(id="scenario") | ast.Attribute(attr="scenario" | "asked")):
                        found.append(f"{path.name}:{call.lineno}: {ast.unparse(call)}")
    assert found == []
