"""Numbers of the help and of the notes of scenarios are those that runs give, to the printed digits."""

from __future__ import annotations

import pytest

from assets.make.help_numbers import ASSETS, PASSAGES, differences


def _id(row):
    return f"{row.file}: {row.passage:.50}"


@pytest.mark.parametrize("row", [row for row in PASSAGES if row.remade], ids=_id)
def test_a_number_is_what_the_program_finds(row):
    found = differences(row, row.found())
    assert not found, "told and found; python -m assets.make.help_numbers rewrites them"


@pytest.mark.parametrize("row", [row for row in PASSAGES if not row.remade], ids=_id)
def test_what_is_remade_by_the_program_alone_stands_in_its_file(row):
    assert row.match((ASSETS / row.file).read_text(encoding="utf-8"))
