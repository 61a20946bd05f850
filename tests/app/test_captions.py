"""Captions fit their viewports and say who invented a scheme."""

from __future__ import annotations

import numpy as np
import pytest

from app.kinds.quantities import share
from app.kinds.vessel import ANGLES
from app.stage.text.caption_text import caption, pace_sign, stacked
from app.stage.text.cards import Card, TextRun, draw
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics import SCHEMES

LOOK = look_of(THEMES["dark"])
NUMBERS = (
    TextRun("nutation ", "#ffffff", 12.5),
    TextRun("65.06°    ", "#ffffff", 12.5),
    TextRun("vertical L error ", "#ffffff", 12.5),
    TextRun("2e-16    ", "#ffffff", 12.5),
)


def text(line: tuple[TextRun, ...]) -> str:
    return "".join(piece.text for piece in line)


def test_cards_never_exceed_the_room_they_are_given() -> None:
    card = Card(((TextRun("A very long title of a scenario " * 4, "#ffffff", 17.0),),), "#000000")
    for widest, highest in ((400, 300), (120, 90), (30, 20)):
        high, wide, _ = draw(card, 1.0, widest, highest).shape
        assert wide <= widest
        assert high <= highest
    plain, more = (Card(((TextRun(text, "#ffffff"),),), "#000000") for text in ("lost L", "lost L     "))
    np.testing.assert_array_equal(draw(plain, 1.0, 400), draw(more, 1.0, 400))


@pytest.mark.parametrize("name", sorted(SCHEMES))
@pytest.mark.parametrize("lanes", [2, 3, 4])
def test_every_scheme_has_a_caption_of_full_size_in_1280x720(name: str, lanes: int) -> None:
    size = {2: (640, 720), 3: (426, 720), 4: (640, 360)}[lanes]
    card = stacked([caption(SCHEMES[name], NUMBERS, LOOK)], LOOK)
    high, wide, _ = draw(card, 1.0, size[0] - 24, size[1] - 24).shape
    assert wide <= size[0] - 24
    assert high < 0.3 * size[1]


def test_numbers_read_well() -> None:
    assert [share(e) for e in (9.6e-12, 4.4e-5, 0.111, 2.4)] == ["1e-11", "4e-5", "11.1 %", "240 %"]
    assert [share(e, signed=True) for e in (-3e-5, 0.29, -2.4)] == ["−3e-5", "+29.0 %", "−240 %"]
    assert [ANGLES[0].text(a) for a in (-0.04, 16.135, -179.96)] == ["0.0°", "16.1°", "−180.0°"]


@pytest.mark.parametrize(("pace", "told"), [(0.125, "8 times slower"), (10.0, "10 times faster")])
def test_the_clock_of_a_film_tells_its_pace(pace: float, told: str) -> None:
    (run,) = pace_sign(pace, LOOK)
    assert run.text.strip() == told
    assert pace_sign(1.0, LOOK) == ()
