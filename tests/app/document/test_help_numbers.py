"""Numbers of the help and of the notes of scenarios are those that runs give, to the printed digits."""

from __future__ import annotations

import pytest

from assets.make.help_numbers import ARITHMETIC, ASSETS, PASSAGES, agree, printed
from physics.core.arithmetic import elementary_functions


@pytest.mark.parametrize("row", PASSAGES, ids=[f"{row.file}: {row.passage:.50}" for row in PASSAGES])
def test_a_number_is_what_the_program_finds(row):
    told = row.match((ASSETS / row.file).read_text(encoding="utf-8")).groups()
    found = row.found()
    assert len(told) == len(found)
    within = row.by_chance if elementary_functions() != ARITHMETIC else 0.0
    wrong = [
        (one, printed(value, one)) for one, value in zip(told, found, strict=True) if not agree(value, one, within)
    ]
    assert not wrong, "told and found; python -m assets.make.help_numbers rewrites them"
