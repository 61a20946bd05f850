"""Captions: cards fit their rooms, and each lane has a line with its mark."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from app.kinds.quantities import share
from app.kinds.vessel import ANGLES
from app.playback.headline import Headline
from app.playback.verdicts import MARKS, name_of
from app.stage.text.caption_text import Standing, lane_lines, pace_in_words, sentence_runs, short_names
from app.stage.text.captions import LANE
from app.stage.text.cards import PADDING, Card, TextRun, disc_of, draw, length
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics import SCHEMES
from physics.core.separation import Verdict
from physics.schemes.lane import lane_of
from tests.app.staging import example, finished, picture, stage_of

LOOK = look_of(THEMES["dark"])


def test_cards_never_exceed_the_room_they_are_given() -> None:
    card = Card(((TextRun("A very long title of a scenario " * 4, "#ffffff", 17.0),),), "#000000")
    for widest, highest in ((400, 300), (120, 90), (30, 20)):
        high, wide, _ = draw(card, 1.0, widest, highest).shape
        assert wide <= widest
        assert high <= highest
    plain, more = (Card(((TextRun(text, "#ffffff"),),), "#000000") for text in ("lost L", "lost L     "))
    np.testing.assert_array_equal(draw(plain, 1.0, 400), draw(more, 1.0, 400))


def test_a_sentence_in_colours_is_broken_between_words_and_keeps_its_spaces() -> None:
    def drawn(*lines: tuple[tuple[str, str], ...]) -> np.ndarray:
        runs = tuple(tuple(TextRun(text, colour, 30.0, prose=True) for text, colour in line) for line in lines)
        return draw(Card(runs, "#000000"), 1.0, 400)

    white, blue = "#ffffff", "#56b4e9"
    whole = drawn(
        (("Closest: ", white), ("Slow and steady", blue), (", 31° off; then ", white), ("Fast", blue), (" 47°.", white))
    )
    words = (("Closest: ", white), ("Slow ", blue), ("and ", blue), ("steady", blue), (",", white))
    np.testing.assert_array_equal(
        whole,
        drawn(
            words, (("31° ", white), ("off; ", white), ("then ", white), ("Fast", blue), (" ", white), ("47°.", white))
        ),
    )


@pytest.mark.parametrize("number", ["0.47 s.", "20 ms"])
def test_a_number_stays_on_the_line_of_its_unit(number: str) -> None:
    def drawn(*lines: tuple[str, ...]) -> np.ndarray:
        runs = tuple(tuple(TextRun(text, "#ffffff", 20.0, prose=True) for text in line) for line in lines)
        return draw(Card(runs, "#000000"), 1.0, room)

    words = "Right ", "up ", "to ", number.split()[0]
    room = round(length(tuple(TextRun(text, "#ffffff", 20.0) for text in words)) + 2 * PADDING) + 2  # not for the unit
    np.testing.assert_array_equal(drawn((f"Right up to {number}",)), drawn(words[:2], (words[2], number)))


def test_a_long_headline_has_a_second_line_before_its_letters_shrink(plotter: pv.Plotter) -> None:
    run = finished(example("cuboid-intermediate", duration=0.1))
    plotter.window_size = 640, 360
    deep = []
    for text in (
        "All right.",
        "Closest: Cayley energy-momentum, 0.24° off after 6.0 s; off from 5.0 s: Rule of MuJoCo, Euler.",
    ):
        stage = stage_of(run, plotter)
        stage.headline = Headline("Who falls first", ((0.0, text),))
        letters = picture(stage, plotter, 0.0)[:60, :400].min(axis=2) > 200
        deep.append(np.ptp(np.flatnonzero(letters.any(axis=1))))
        stage.close()
    assert deep[1] > 1.7 * deep[0]


def test_the_mark_of_a_lane_is_below_its_name_before_letters_shrink(plotter: pv.Plotter) -> None:
    run = finished(example("cuboid-intermediate", duration=0.1, schemes=("quat-em", "rk4", "moser-veselov")))
    rows = []
    for wide in (1280, 640):
        plotter.window_size = wide, 360
        stage = stage_of(run, plotter)
        stage.show(0.0)
        captions = stage.describe().captions
        assert captions.letters[1] == LANE
        rows.append(captions.lines[0].top / (LANE * stage.describe().unit))
        stage.close()
    assert rows[0] < 2.5 < rows[1]


def test_names_of_lanes_are_short_where_that_tells_them_apart_and_no_other_scheme_has_them() -> None:
    def named(*names: str) -> list[str]:
        return [*short_names([lane_of(name).row for name in names]).values()]

    whole = ["ABA (8, 4)", "ABA (8, 6, 4) (h = 10 ms)", "Nyström 6 (14 torques)"]
    assert named("aba-84", "aba-864@0.01", "rkn-6-14", "verlet-exact") == [*whole, "Störmer-Verlet"]
    assert named("magnus-2", "magnus-8", "verlet-exact:fast") == [
        "Magnus (order 2)",
        "Magnus (order 8)",
        "Störmer-Verlet (fast)",
    ]
    lanes = [lane_of(name).row for name in ("verlet-exact", "rk4")]
    line = sentence_runs("Störmer-Verlet (exact free part) leaves.", lanes, short_names(lanes), LOOK, 30.0)
    assert [run.text for run in line] == ["Störmer-Verlet", " leaves."]


@pytest.mark.parametrize("mark", ["right", "near", "off", "unknown"])
def test_every_scheme_has_a_line_of_badge_name_mark_and_number(mark: Verdict) -> None:
    for scheme in SCHEMES.values():
        line, *more = lane_lines(scheme, name_of(scheme), Standing(mark, "158°", "188°"), LOOK, LANE, below=False)
        assert not more
        assert [piece.text.strip() for piece in line] == [scheme.letter, name_of(scheme), MARKS[mark], "158°"]


def test_marks_differ_in_shape_fill_and_brightness() -> None:
    """Off is the most striking, in grey too: it alone has a full ground."""
    inks = {}
    for mark in ("right", "near", "off", "unknown", "over"):
        ground, ink = disc_of(mark, 32.0)
        inks[mark] = ink
        assert (ground.mean() > 150) == (mark == "off")
    above, below = (np.median(inks["near"][row, 10:-10]) for row in (6, -7))
    assert below > 60 > 10 > above  # half full, behind its waves
    for one, other in ("right", "unknown"), ("right", "near"), ("near", "unknown"), ("unknown", "over"):
        assert np.abs(inks[one].astype(int) - inks[other]).max() > 200


def test_letters_over_the_picture_have_a_shadow_and_no_box() -> None:
    picture = draw(Card(((TextRun("Explicit leaves", "#ffffff", 30.0),),), "#000000", 0.0, shadow=True), 1.0, 600)
    assert not picture[[0, -1], :, 3].any()
    light, dark = picture[..., :3].mean(axis=2) > 200, picture[..., :3].mean(axis=2) < 50
    assert picture[light, 3].max() == 255
    assert 40 < picture[dark, 3].max() < 240


def test_numbers_read_well() -> None:
    assert [share(e) for e in (9.6e-12, 4.4e-5, 0.111, 2.4)] == ["1e-11", "4e-5", "11.1 %", "240 %"]
    assert [share(e, signed=True) for e in (-3e-5, 0.29, -2.4)] == ["−3e-5", "+29.0 %", "−240 %"]
    assert [ANGLES[0].text(a) for a in (-0.04, 16.135, -179.96)] == ["0.0°", "16.1°", "−180.0°"]


def test_the_clock_of_a_film_tells_its_pace() -> None:
    assert [pace_in_words(one) for one in (0.125, 1.0, 10.0)] == ["8 times slower", "", "10 times faster"]
