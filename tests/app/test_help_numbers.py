"""Numbers of the help and of the notes of scenarios are those that runs give, to the printed digits."""

from __future__ import annotations

import pytest

from assets.make.help_numbers import ARITHMETIC, ASSETS, BY_CHANCE, PASSAGES, Passage, agree, printed
from physics.core.arithmetic import elementary_functions


@pytest.mark.parametrize("row", PASSAGES, ids=[f"{row.file}: {row.passage:.50}" for row in PASSAGES])
def test_a_number_is_what_the_program_finds(row):
    told = row.match((ASSETS / row.file).read_text(encoding="utf-8")).groups()
    found = row.found()
    assert len(told) == len(found)
    within = BY_CHANCE if row.chaotic and elementary_functions() != ARITHMETIC else 0.0
    wrong = [
        (one, printed(value, one)) for one, value in zip(told, found, strict=True) if not agree(value, one, within)
    ]
    assert not wrong, "told and found; python -m assets.make.help_numbers rewrites them"


@pytest.mark.parametrize(
    ("value", "right", "wrong"),
    [
        (164.85, "164.8", "164.7"),
        (-1.249, "−1.25", "-1.24"),
        (3.5788e-7, "3.6 · 10⁻⁷", "3.5 · 10⁻⁷"),
        (0.046110, "4.6e-2", "4.7e-2"),
        (12.0, "12", "13"),
    ],
)
def test_numbers_keep_their_form(value, right, wrong):
    assert agree(value, right)
    assert not agree(value, wrong)
    assert agree(value, printed(value, wrong))
    assert len(printed(value, right)) == len(right)


def test_a_passage_stands_once_whatever_its_line_breaks():
    row = Passage("x.md", "flips at {} and {} s", lambda: (1.0, 2.0))
    assert row.match("it flips\n  at 2.463 and\n6.9 s").groups() == ("2.463", "6.9")
    for text in ("", "flips at 1 and 2 s, flips at 3 and 4 s"):
        with pytest.raises(ValueError, match=r"x\.md: expected the passage once"):
            row.match(text)
