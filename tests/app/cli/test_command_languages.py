"""What ``check``, ``rank``, ``identify`` and ``schemes`` print is in the language asked for; names and JSON stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.system.language import use
from assets import SCENARIOS
from tests.app.commanding import CUBOID, polhode

TOSS = SCENARIOS.parent / "measured" / "synthetic-toss.csv"
ENGLISH = re.compile(r"\b(the|of|at|step|order|energy|spin|kept|found|claimed|is|samples|axis|under|free body)\b")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """English after the test: ``--language`` sets the process's own."""
    yield
    use("en")


def test_the_table_of_schemes_keeps_their_names() -> None:
    table = polhode("schemes", "--kind", "table", "--language", "de").out.partition("\nexplicit: ")[0]
    assert table.split()[:8] == ["Verfahren", "Ordnung", "Lösung", "Bewegung", "erhält", "gilt", "für", "Die"]
    assert ENGLISH.findall(table.replace("free, ", "")) == []
    assert "Einheitslänge; Energie schwingt" in table
    rows = [re.split("  +", line) for line in table.splitlines()]
    assert ["exact", "exakt", "–", "freier Körper"] in [row[:4] for row in rows]
    (first, *_) = json.loads(polhode("schemes", "--kind", "table", "--language", "de", "--json").out)
    assert first["keeps"] == {"free body": "energy, unit length"}


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["check", "explicit"], "it", "explicit: ordine 1; energia: conservato; momento angolare: deriva; "),
        (
            ["rank", "cuboid.toml", "--scheme", "exact", "--accuracy", "5"],
            "fr",
            "\nPour 5° à la fin, après 0.5 s. exact avec un pas de 0.01 s est le plus rapide.",
        ),
        (
            ["identify", TOSS],
            "de",
            "134 Messwerte von 1.38 bis 2.71 s\nEr ist zweimal umgeschlagen, bei 0.23 und 0.97 s des Fluges, um x, "
            "seine mittlere Achse (Verhältnisse 1 : 0.83 : 0.21); nach der Theorie dauert ein Umschlag 0.74 s.\nMom",
        ),
    ],
    ids=["card", "ranking", "flight"],
)
def test_what_is_printed_is_in_the_language_asked_for(
    words: list[str | Path], code: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cuboid.toml").write_text(CUBOID, encoding="utf-8")
    done = polhode(*words, "--language", code)
    assert (done.status, done.err) == (0, "")
    assert ENGLISH.findall(done.out) == []
    assert told in done.out
