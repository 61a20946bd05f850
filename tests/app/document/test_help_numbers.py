"""Numbers of the help and of the notes of scenarios are those that runs give, to the printed digits."""

from __future__ import annotations

import pytest

from assets.make import help_numbers
from assets.make.help_numbers import ASSETS, PASSAGES, SITES, differences, value_of


def _id(row):
    return f"{row.file}: {row.passage:.50}"


@pytest.mark.parametrize("row", [row for row in PASSAGES if row.remade], ids=_id)
def test_a_number_is_what_the_program_finds(row):
    found = differences(row, row.found())
    assert not found, "told and found; python -m assets.make.help_numbers rewrites them"


@pytest.mark.parametrize("row", [row for row in PASSAGES if not row.remade], ids=_id)
def test_what_is_remade_by_the_program_alone_stands_in_its_file(row):
    assert row.match((ASSETS / row.file).read_text(encoding="utf-8"))


def test_on_another_processor_means_of_rocks_still_differ_by_less_than_their_spread(monkeypatch):
    """Digits of chaotic rocks are those of one arithmetic; numbers without a spread may differ there."""
    monkeypatch.setattr(help_numbers, "ARITHMETIC", "another")
    for row in [SITES[0], *(row for row in PASSAGES if row.file == "help/benchmark.md")]:
        told = [value_of(one) for one in row.match((ASSETS / row.file).read_text(encoding="utf-8")).groups()]
        assert not differences(row, [*told[:-1], 0.0])
        mean, spread, *others = told
        assert not differences(row, [mean - 0.9 * spread, spread, *others])
        assert len(differences(row, [mean - 1.2 * spread, spread, *others])) == 1
