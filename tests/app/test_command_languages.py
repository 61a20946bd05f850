"""What ``check``, ``rank``, ``identify`` and ``schemes`` print is in the language asked for; names and JSON stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commanding import CUBOID, polhode

from app.system.language import use
from app.system.sentences import translated
from assets import SCENARIOS

ENGLISH = re.compile(r"\b(the|of|at|step|order|energy|spin|kept|found|claimed|is|samples|axis|under|free body)\b")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """English after the test: ``--language`` sets the process's own."""
    yield
    use("en")


def test_the_table_of_schemes_keeps_their_names() -> None:
    done = polhode("schemes", "--kind", "table", "--language", "de")
    table = done.out.partition("\nexplicit: ")[0]
    assert table.split()[:8] == ["Verfahren", "Ordnung", "Lösung", "Bewegung", "erhält", "gilt", "für", "Die"]
    assert ENGLISH.findall(table.replace("free, ", "")) == []
    rows = [re.split("  +", line) for line in table.splitlines()]
    (exact,) = [row for row in rows if row[0] == "exact"]
    assert exact[1:4] == ["exakt", "–", "freier Körper"]
    assert "Einheitslänge; Energie schwingt" in table
    assert json.loads(polhode("schemes", "--kind", "table", "--language", "de", "--json").out)[0]["keeps"] == {
        "free body": "energy, unit length"
    }


def test_a_card_and_its_verdict_are_italian() -> None:
    done = polhode("check", "explicit", "--language", "it")
    assert (done.status, done.err) == (0, "")
    assert ENGLISH.findall(done.out) == []
    assert re.search(r"energia, corpo libero +conservato .* conservato\n", done.out)
    assert "explicit: ordine 1; energia: conservato; momento angolare: deriva; " in done.out


def test_a_ranking_is_french_and_names_a_scheme_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(CUBOID, encoding="utf-8")
    done = polhode("rank", tmp_path / "a.toml", "--language", "fr", "--scheme", "exact", "--accuracy", "5")
    assert done.status == 0
    assert ENGLISH.findall(done.out) == []
    assert done.out.splitlines()[1].split()[:2] == ["exact", "exact"]
    assert "\nPour 5° à la fin, après 0.5 s. exact avec un pas de 0.01 s est le plus rapide." in done.out
    use("de")
    words = translated("exact with a step of 0.1 s is the fastest. None.")
    assert words == "exact mit einem Schritt von 0.1 s ist am schnellsten. None."


def test_what_a_flight_tells_is_german() -> None:
    done = polhode("identify", SCENARIOS.parent / "measured" / "synthetic-toss.csv", "--language", "de")
    assert ENGLISH.findall(done.out) == []
    assert "134 Messwerte von 1.38 bis 2.71 s\nMomente durch das größte " in done.out
