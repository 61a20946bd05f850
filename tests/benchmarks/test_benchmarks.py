"""The benchmarks run and tell what they should; what they measure never fails a test.

``polhode bench`` runs them at full length.
"""

from __future__ import annotations

import json

from app.__main__ import main
from app.bench import BENCHMARKS, kernels, rockfall
from physics.schemes import SCHEMES, serving


def test_kernels_measure_every_scheme(monkeypatch):
    monkeypatch.setattr(kernels, "STEPS", 200)
    monkeypatch.setattr(kernels, "REPEATS", 1)
    lines: list[str] = []
    found = kernels.run(lines.append)
    assert [row["scheme"] for row in found] == list(SCHEMES)
    assert all(row["nanoseconds"] > 0 for row in found)
    assert len(lines) >= len(found)


def test_rockfall_measures_every_scheme_on_both_soils(monkeypatch):
    monkeypatch.setattr(rockfall, "ROCKS", 1)
    monkeypatch.setattr(rockfall, "LONGEST", 0.5)
    lines: list[str] = []
    found = rockfall.run(lines.append)
    own = [row for row in found if "MuJoCo" not in row["scheme"]]
    assert [row["scheme"] for row in own] == 2 * list(serving("rockfall"))
    assert all(row["rate"] > 0 and len(row["rates"]) == 5 for row in found)
    assert own[0]["ratio_to_explicit"] == 1.0
    assert len(lines) >= len(found)


def test_the_command_prints_one_json_document(monkeypatch, capsys):
    monkeypatch.setattr(kernels, "STEPS", 200)
    monkeypatch.setattr(kernels, "REPEATS", 1)
    assert main(["bench", "kernels", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"kernels"}


def test_an_unknown_benchmark_is_one_sentence(capsys):
    assert main(["bench", "nothing"]) == 2
    told = capsys.readouterr().err
    assert "expected one of " + ", ".join(BENCHMARKS) in told
    assert told.count("\n") == 1
