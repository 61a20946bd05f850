"""Captions fit their viewports and say who invented a scheme."""

from __future__ import annotations

import numpy as np
import pytest

from app.kinds.quantities import share
from app.kinds.vessel import ANGLES
from app.stage.text.caption_text import caption, map_signs, pace_sign, source, stacked
from app.stage.text.cards import PADDING, Card, CardPicture, TextRun, _broken, draw, font_of, glyph, width
from app.stage.theme_colours import look_of
from app.theme import THEMES, contrast
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


def test_long_lines_are_broken_before_letters_shrink() -> None:
    title = TextRun("A very long title of a scenario", "#ffffff", 17.0)
    short, long = (draw(Card(((title,),), "#000000"), 1.0, widest) for widest in (600, 200))
    assert long.shape[0] > 1.6 * short.shape[0]


def test_values_stay_beside_their_names() -> None:
    lines = _broken(NUMBERS, 1.0, 200.0)
    assert [text(line).strip() for line in lines] == ["nutation 65.06°", "vertical L error 2e-16"]
    assert _broken(NUMBERS, 1.0, 2000.0) == [NUMBERS]


def test_a_card_ends_where_its_text_does() -> None:
    plain, more = (Card(((TextRun(text, "#ffffff"),),), "#000000") for text in ("lost L", "lost L     "))
    np.testing.assert_array_equal(draw(plain, 1.0, 400), draw(more, 1.0, 400))


def test_a_card_that_changes_is_drawn_as_a_new_one_is() -> None:
    slate = CardPicture()
    for time in ("0.00 s", "12.34 s", "12.35 s", "12.36 s"):
        clock = (TextRun("E", "#ffffff", behind="#204060"), TextRun("t ", "#a0c0ff"), TextRun(f"{time}    ", "#ffffff"))
        lines = (TextRun("Title", "#ffffff", 17.0),), (*clock, TextRun("on the map, all about it", "#ffffff"))
        card = Card(lines, "#101820")
        np.testing.assert_array_equal(slate.draw(card, 1.0, 400), draw(card, 1.0, 400))
    for time in ("12.34 s", "5.89 s", "112.34 s"):  # at the end of its line: what is shorter leaves nothing behind
        card = Card(
            ((TextRun("A title that is wide", "#ffffff", 17.0),), (TextRun(f"t = {time}", "#ffffff"),)), "#101820"
        )
        np.testing.assert_array_equal(slate.draw(card, 1.0, 400), draw(card, 1.0, 400))


def test_letters_on_glass_are_as_strong_as_on_a_wall() -> None:
    line = ((TextRun("Hill", "#ffffff", 17.0),),)
    glass, wall = (draw(Card(line, "#000000", opacity), 1.0, 400).astype(float) for opacity in (0.3, 1.0))
    inside = np.s_[10:-10, 10:-10]
    seen = glass[..., :3] * glass[..., 3:] / 255.0  # over black
    np.testing.assert_allclose(seen[inside], wall[..., :3][inside], atol=2.5)


def test_what_a_map_is_drawn_with_keeps_its_distance_from_what_follows() -> None:
    (piece,) = map_signs(10.0, (37.0, 1.5), LOOK)
    assert piece.text.rstrip() == "contour lines every 10 m, rock of 1.5 m drawn 37 times larger"
    assert piece.text.endswith("  ")


def test_letters_stand_where_their_text_has_them_and_not_on_whole_pixels() -> None:
    font = font_of("Regular", 12)
    large = font_of("Regular", 240)
    for text in ("Platy rock on the", "times larger"):
        assert width(font, text)[1] == pytest.approx(large.getlength(text) / 20, rel=0.01)
        ink, left, _ = glyph(font, text)
        inked = np.flatnonzero(ink.max(axis=0) > 40) - left
        first, _, last, _ = large.getbbox(text, anchor="ls")
        assert (inked[0], inked[-1] + 1) == pytest.approx((first / 20, last / 20), abs=1.0)


@pytest.mark.parametrize("name", sorted(SCHEMES))
@pytest.mark.parametrize("lanes", [2, 3, 4])
def test_every_scheme_has_a_caption_of_full_size_in_1280x720(name: str, lanes: int) -> None:
    size = {2: (640, 720), 3: (426, 720), 4: (640, 360)}[lanes]
    card = stacked([caption(SCHEMES[name], NUMBERS, LOOK)], LOOK)
    high, wide, _ = draw(card, 1.0, size[0] - 24, size[1] - 24).shape
    assert wide <= size[0] - 24
    assert high < 0.3 * size[1]
    room = size[0] - 24 - 2 * PADDING
    lines = [part for line in card.lines for part in _broken(line, 1.0, room)]
    assert high == pytest.approx(1.5 * PADDING + sum(max(p.size for p in l) * 1.22 + 5.0 for l in lines) - 5.0, abs=1)


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_badges_hold_their_letters_legibly(name: str) -> None:
    badge = caption(SCHEMES[name], (), LOOK)[0][0]
    assert contrast(badge.colour, badge.behind) > 4.0
    picture = draw(Card(((badge,),), "#000000", 1.0), 4.0, 1000).astype(int)[..., :3]
    behind = np.array([int(badge.behind[k : k + 2], 16) for k in (1, 3, 5)])
    rows, columns = np.nonzero(np.abs(picture - behind).max(axis=2) < 3)
    ink = np.array([int(badge.colour[k : k + 2], 16) for k in (1, 3, 5)])
    letters = np.nonzero(np.abs(picture - ink).max(axis=2) < 3)[1]
    assert letters.min() - columns.min() > 8  # two pixels of a picture 720 high
    assert columns.max() - letters.max() > 8
    assert np.ptp(rows) > 60


def test_sources_name_authors_year_and_equations() -> None:
    assert source(SCHEMES["implicit"]) == "Leine et al. 2021, (61)-(75)"


def test_numbers_read_well() -> None:
    assert [share(e) for e in (9.6e-12, 4.4e-5, 0.111, 2.4)] == ["1e-11", "4e-5", "11.1 %", "240 %"]
    assert [share(e, signed=True) for e in (-3e-5, 0.29, -2.4)] == ["−3e-5", "+29.0 %", "−240 %"]
    assert [ANGLES[0].text(a) for a in (-0.04, 16.135, -179.96)] == ["0.0°", "16.1°", "−180.0°"]


@pytest.mark.parametrize(("pace", "told"), [(0.125, "8 times slower"), (10.0, "10 times faster")])
def test_the_clock_of_a_film_tells_its_pace(pace: float, told: str) -> None:
    (run,) = pace_sign(pace, LOOK)
    assert run.text.strip() == told
    assert pace_sign(1.0, LOOK) == ()
