"""What errors and events say is told in other languages: by templates that are taken from the sources."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import small

from app.__main__ import main
from app.system import language
from app.system.sentences import ERROR, SENTENCES, translated
from assets.make.catalogues import lines
from assets.make.sentences import MAKERS
from assets.make.sources import argument, called, modules
from physics import SCHEMES, ScenarioError, load_scenario

WORD = re.compile(r"[^\W\d_]{4,}")


@pytest.fixture
def german() -> Iterator[None]:
    """German, and English again after the test."""
    language.use("de")
    yield
    language.use("en")


def test_the_program_knows_the_grammar_of_the_sources() -> None:
    known, new = json.loads(SENTENCES.read_text(encoding="utf-8")), json.loads(lines())
    advice = {row.advice for row in SCHEMES.values()}  # of a new scheme: not yet in the file
    said = [text for text in new[ERROR][""] if text in known[ERROR][""] or text not in advice]
    assert known == new | {ERROR: {"": said}}, "python -m assets.make.catalogues writes it down"


def raised() -> Iterator[tuple[str, ast.expr]]:
    """What all raise statements say that name a class of errors and a text, each with its place."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and called(node.exc) in MAKERS:
                said = argument(node.exc, *MAKERS[called(node.exc)])
                if isinstance(said, ast.Constant | ast.JoinedStr):
                    yield f"{path}:{node.lineno}", said


def example(said: ast.expr) -> str:
    """A sentence as an f-string makes it, with a number in each place."""
    match said:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(example, parts))
        case ast.IfExp(body=body):
            return example(body)
        case ast.FormattedValue(value=ast.IfExp() | ast.Constant() as value):
            return example(value)
    return "7"


def test_every_sentence_that_is_raised_is_known_again(german: None) -> None:
    found = [(place, example(said)) for place, said in raised()]
    assert len(found) > 400
    assert [f"{place}: {text}" for place, text in found if WORD.search(text) and translated(text) == text] == []


def wrong(**changes: object) -> ScenarioError:
    """What is said of a cuboid with other values."""
    with pytest.raises(ScenarioError) as caught:
        small.cuboid(**changes)
    return caught.value


@pytest.mark.parametrize(
    ("changes", "german_words"),
    [
        ({"step": -1}, "step: eine Zahl über 0 erwartet, gegeben: -1"),
        ({"schemes": ["bulet"]}, "schemes: 'bulet' ist kein Verfahren für die Art 'free'; meinten Sie bullet?"),
        ({"body": {"shape": "cuboid", "mass": 5.0}}, "body.size: fehlt; die Form 'cuboid' erwartet es"),
        (
            {"kind": "fre"},
            "kind: 'free', 'top', 'vessel', 'ship', 'rockfall', 'table' oder 'joints' erwartet, gegeben: 'fre'",
        ),
        ({"title": "a\0b"}, r"title: eine Zeile Text ohne Steuerzeichen erwartet, gegeben: 'a\x00b'"),
        (
            {"duration": 1e9, "step": 1e-3},
            "record_every: höchstens 5000000 gespeicherte Zustände erwartet, gegeben: 1e+12; "
            "nur jeden n-ten Schritt speichern",
        ),
    ],
)
def test_errors_of_scenarios_are_told_in_german_with_their_values(
    changes: dict[str, object], german_words: str, german: None
) -> None:
    error = wrong(**changes)
    assert translated(error) == translated(str(error)) == german_words
    assert re.search("expected|unknown|missing|not a", str(error)), "English in scripts"


def test_errors_of_files_name_them(tmp_path: Path, german: None) -> None:
    (tmp_path / "empty, or not.toml").write_text("")
    for name, words in (
        ("empty, or not.toml", "die Datei ist leer; ein Szenario erwartet"),
        ("a number.toml", "keine solche Datei; ein Szenario (.toml) erwartet"),
    ):
        with pytest.raises(ScenarioError) as caught:
            load_scenario(tmp_path / name)
        assert translated(caught.value) == f"{tmp_path / name}: {words}"


@pytest.mark.parametrize(
    ("english", "words"),
    [
        (
            "quat-vi: no solution of the step before 1.2 s (a step of 0.1 s turns the body by 1.3 rad); "
            "take a smaller step",
            "quat-vi: keine Lösung des Schritts vor 1.2 s (ein Schritt von 0.1 s dreht den Körper um 1.3 rad); "
            "einen kleineren Schritt nehmen",
        ),
        (
            "Fitted on 2 of these 4 runs, not a prediction: soil.drag, soil.mu_min; 2 of these were held out",
            "Angepasst an 2 dieser 4 Läufe, keine Vorhersage: soil.drag, soil.mu_min; 2 davon wurden zurückgehalten",
        ),
        (
            "order 2; energy drifts; angular momentum kept; reversible; not symplectic",
            "Ordnung 2; Energie driftet; Drehimpuls erhalten; umkehrbar; nicht symplektisch",
        ),
        ("the run failed: KeyError: 'a'", "der Lauf ist fehlgeschlagen: KeyError: 'a'"),
        ("'exact' is not a scheme", "'exact' ist kein Verfahren"),  # no name is translated
    ],
)
def test_events_and_verdicts_are_told_too(english: str, words: str, german: None) -> None:
    assert translated(english) == words


def test_a_sentence_that_no_template_knows_stays_as_it_is(german: None) -> None:
    for text in ("Quux frobnicates the 3 bars", "", "a.toml: Quux or frob, and bars; 3 of them", "Das ist Deutsch"):
        assert translated(text) == text


def test_a_sentence_that_holds_what_a_long_file_says_is_told(german: None) -> None:
    for filler in ("a b, ", "expected or; got (", "{x} . : "):
        for times in (40, 100, 400, 10_000):
            text = filler * times  # each sign once ended in as many calls within one another
            assert "a.toml" in translated(ScenarioError("step", f"expected a number, got {text}", "a.toml"))
    assert translated(f"expected one of {'x y, ' * 200}z") == f"eines von {'x y, ' * 200}z erwartet"


def test_the_command_line_complains_in_its_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        assert main(["image", str(tmp_path / "a.toml"), "-o", str(tmp_path / "a.png"), "--language", "de"]) == 2
        assert capsys.readouterr().err.endswith(
            "a.toml: keine solche Datei; ein Szenario oder eine Sitzung (.toml) erwartet\n"
        )
        assert main(["image", "a.toml", "--frame", "x", "--language=fr"]) == 2
        assert capsys.readouterr().err.endswith("; voir polhode image --help\n")
    finally:
        language.use("en")
