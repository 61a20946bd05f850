"""Errors and events in other languages: templates that are looked up, and values that stay."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest

from app.__main__ import main
from app.system import language
from app.system.language import translated
from assets.make.catalogues import HOUSE
from physics import PhysicsError, ScenarioError, load_scenario
from physics.core.messages import receive, send
from physics.core.wording import N_, Wording, in_digits, joined, per_cent
from physics.schemes import SCHEMES
from tests import small

MAKERS = {"ScenarioError": 1, "Event": 2, "PhysicsError": 0, "SchemeFault": 0, "WrongReturn": 0}  # place of the text
WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")


@pytest.fixture
def german() -> Iterator[None]:
    """German, and English again after the test."""
    language.use("de")
    yield
    language.use("en")


def calls(*names: str) -> Iterator[tuple[str, str, ast.Call]]:
    """Calls of functions in both packages: name, and place in the code."""
    for path in sorted(file for room in ("app", "physics") for file in (HOUSE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if name in names and "bench" not in path.parts:
                yield name, f"{path.relative_to(HOUSE)}:{node.lineno}", node


@pytest.mark.parametrize(
    ("value", "words"), [(0.0, "0%"), (4e-5, "0.0040%"), (0.996, "99.60%"), (1.0, "100%"), (1.07, "107%")]
)
def test_a_share_is_rounded_to_none_or_all_only_where_it_is_that(value: float, words: str) -> None:
    assert per_cent(value) == words


@pytest.mark.parametrize(
    ("value", "words"), [(0.0, "0"), (0.0527, "0.053"), (9.96, "10"), (67.3, "67"), (267.3, "267"), (1434.6, "1435")]
)
def test_a_number_of_two_digits_is_no_power_of_ten(value: float, words: str) -> None:
    assert in_digits(value, 2) == words


def test_errors_and_events_are_made_of_templates() -> None:
    found = []
    for name, place, call in calls(*MAKERS):
        text = call.args[MAKERS[name]] if len(call.args) > MAKERS[name] else None
        parts = [one.value for one in ast.walk(text) if isinstance(one, ast.Constant)] if text is not None else []
        plain = isinstance(text, ast.Constant | ast.JoinedStr)
        if plain and any(isinstance(part, str) and WORDS.search(part) for part in parts):
            found.append(f"{place}: {ast.unparse(call)}")
    assert found == [], 'N_("expected {most}", most) is translated where it is shown'


def test_each_template_has_as_many_values_as_places() -> None:
    count = 0
    for _, place, call in calls("N_"):
        match call.args:
            case [ast.Constant(value=str(template)), *values] if not any(isinstance(v, ast.Starred) for v in values):
                places = [name for _, name, _, _ in Formatter().parse(template) if name]
                assert len(values) == len(places) == len({*places}), f"{place}: {template}"
                count += 1
            case [ast.JoinedStr(), *_]:
                pytest.fail(f"{place}: an f-string is no template")
    assert count > 1000


def test_a_wording_is_a_text_that_keeps_its_template() -> None:
    inner = N_("a number above {least:g}", 0.0)
    text = N_("expected {what}, got {got!r:.5}", inner, "{mine}")
    assert text == "expected a number above 0, got '{min"
    assert text.values == {"what": inner, "got": "{mine}"}
    assert isinstance(str(ValueError(text)), Wording)
    assert N_("cannot be read: {error}", ValueError(inner)).values == {"error": inner}
    assert joined(" or ", ["a", "b", "c"]) == "a or b or c"
    assert joined("; ", []) == ""
    assert text + "!" == f"{text}!"
    again = pickle.loads(pickle.dumps(ScenarioError("step", text, "a.toml")))
    assert (str(again), again.message.values) == (f"a.toml: step: {text}", text.values)
    with pytest.raises(ValueError, match=r"zip\(\)"):
        N_("expected {what}")


def test_a_wording_passes_between_processes_with_its_template() -> None:
    file = BytesIO()
    text = N_("{place}: {what}", N_("line {number}", 3), "missing")
    send(file, "fault", {"text": text, "plain": ["missing"], "odd": N_("got {value}", (1, 2))})  # type: ignore[arg-type]
    file.seek(0)
    message = receive(file)  # type: ignore[arg-type]
    assert message is not None
    assert message.facts == {"text": "line 3: missing", "plain": ["missing"], "odd": "got (1, 2)"}
    assert message.facts["text"].values["place"].template == "line {number}"
    assert json.loads(json.dumps(text)) == "line 3: missing"
    for wrong in ('{"wording": []}', '{"wording": ["{a}"]}', '{"wording": ["{a.b}", "c"]}', '{"wording": 3}'):
        with pytest.raises(ValueError, match="no valid message"):
            receive(BytesIO(f'["fault", {wrong}, []]\n'.encode()))  # type: ignore[arg-type]


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
        ({"view": {"camera": "x"}}, " oder 'slope' erwartet, gegeben: 'x'"),
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
    assert german_words in translated(error) == translated(str(error))
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


def test_rows_of_schemes_are_told_too(german: None) -> None:
    assert translated(SCHEMES["rk4"].advice).startswith("Womit die meisten Programme beginnen")
    assert translated(PhysicsError(N_("{name}: {fault}", "and", N_("missing")))) == "and: fehlt"


def test_what_has_no_template_stays_as_it_is(german: None) -> None:
    for text in ("Quux frobnicates the 3 bars", "", "missing", "a.toml: missing; and", "Das ist Deutsch"):
        assert translated(text) == text == translated(PhysicsError(text))


def test_the_command_line_complains_in_its_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        assert main(["image", str(tmp_path / "a.toml"), "-o", str(tmp_path / "a.png"), "--language", "de"]) == 2
        assert capsys.readouterr().err.endswith(
            "a.toml: keine solche Datei; ein Szenario oder eine Sitzung (.toml) erwartet\n"
        )
        assert main(["image", "a.toml", "--frame", "x", "--language=fr"]) == 2
        assert capsys.readouterr().err.endswith("; voir polhode image --help\n")
        assert main(["image", "a.toml", "-o", "a.png", "--size", "3", "--language=de"]) == 2
        assert "--size: WIDTHxHEIGHT wie 1920x1080 erwartet" in capsys.readouterr().err
    finally:
        language.use("en")
