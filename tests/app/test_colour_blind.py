"""Colours that stand side by side can be told apart by people with each of the three deficiencies."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from app.playback.lane_looks import DRAWN_APART, lane_schemes
from app.playback.run import MOST_LANES
from app.stage.theme_colours import look_of
from app.theme import THEMES, legible, rgb
from physics import SCHEMES
from physics.schemes import serving
from physics.schemes.scheme import DASHES, PALETTES
from physics.systems import SYSTEMS

# Machado, Oliveira & Fernandes (2009), IEEE Trans. Vis. Comput. Graph. 15, 1291, table 1, severity 1: for linear RGB
EYES = {
    "all three cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = XYZ.sum(axis=1)
APART = 14.0  # CIE 1976; 2.3 is a difference that one just notices on large fields side by side

eyes = pytest.mark.parametrize("eye", EYES)


@cache
def lab(colour: str, eye: str) -> np.ndarray:
    """CIE L*a*b* (3,) of "#rrggbb" as an eye sees it."""
    s = np.array(rgb(colour))
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    t = XYZ @ np.clip(EYES[eye] @ linear, 0.0, 1.0) / WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def nearest(colours: Iterable[str], eye: str) -> float:
    """The least distance of two of the colours."""
    return min(np.linalg.norm(lab(a, eye) - lab(b, eye)) for a, b in itertools.combinations(colours, 2))


def test_known_colours_have_known_places() -> None:
    np.testing.assert_allclose(lab("#ffffff", "all three cones"), [100, 0, 0], atol=1e-6)
    np.testing.assert_allclose(lab("#ff0000", "all three cones"), [53.24, 80.09, 67.20], atol=0.02)
    for matrix in EYES.values():  # grey stays grey
        np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=2e-6)
    assert nearest({"#e00000", "#706000"}, "protanopia") < 12 < nearest({"#e00000", "#706000"}, "all three cones")


@eyes
@pytest.mark.parametrize("kind", SYSTEMS)
def test_all_schemes_of_the_papers_can_be_told_apart(eye: str, kind: str) -> None:
    colours = [scheme.colour for scheme in SCHEMES.values() if kind in scheme.kinds and scheme.family == "papers"]
    assert nearest(colours, eye) > APART


@eyes
@pytest.mark.parametrize("family", PALETTES)
def test_the_colours_of_a_family_can_be_told_apart_in_all_themes(eye: str, family: str) -> None:
    assert nearest(PALETTES[family], eye) > APART
    for theme in THEMES.values():
        assert nearest([legible(colour, theme) for colour in PALETTES[family]], eye) > DRAWN_APART


@pytest.mark.parametrize("kind", SYSTEMS)
def test_any_eight_lanes_that_are_shown_together_can_be_told_apart(kind: str) -> None:
    draw, able = random.Random(3), serving(kind)
    most = min(MOST_LANES, len(able))
    for names in [*(draw.sample(able, 2) for _ in range(400)), *(draw.sample(able, most) for _ in range(200))]:
        shown = lane_schemes(names)
        assert [scheme.name for scheme in shown] == list(names)
        assert min(nearest([scheme.colour for scheme in shown], eye) for eye in EYES) > APART
        assert len({scheme.letter for scheme in shown}) == len(shown)
        assert len({scheme.dash for scheme in shown}) == min(len(shown), len(DASHES))
        for scheme in shown:  # those of the papers are known by their colours
            assert scheme.family != "papers" or scheme.colour == SCHEMES[scheme.name].colour
        for theme in THEMES.values():  # what comes beside them is apart from them as a line too
            lines = [(legible(scheme.colour, theme), scheme.family == "papers") for scheme in shown]
            pairs = [(a, b) for (a, one), (b, other) in itertools.combinations(lines, 2) if not (one and other)]
            assert all(nearest(pair, eye) > DRAWN_APART for pair in pairs for eye in EYES)
    names = draw.sample(able, most)
    assert set(lane_schemes(names)) == set(lane_schemes(sorted(names)))


def test_schemes_that_look_alike_in_the_table_do_not_when_they_are_shown_together(monkeypatch) -> None:
    """As many as are shown, of one family, with one colour, dash and letter."""
    for family in PALETTES:
        rows = [
            replace(SCHEMES["implicit"], name=f"{family}-{i}", family=family, colour=PALETTES[family][0], dash="solid")
            for i in range(MOST_LANES)
        ]
        for row in rows:
            monkeypatch.setitem(SCHEMES, row.name, row)
        shown = lane_schemes([row.name for row in rows])
        assert shown[0] == rows[0]
        assert [scheme.letter for scheme in shown] == ["I", "I₂", "I₃", "I₄", "I₅", "I₆", "I₇", "I₈"]
        assert min(nearest([scheme.colour for scheme in shown], eye) for eye in EYES) > APART
        assert [scheme.dash for scheme in shown[:4]] == ["solid", "dash", "dash-dot", "dot"]


def test_lanes_of_one_scheme_with_steps_of_their_own_can_be_told_apart() -> None:
    names = ("exact", "implicit@0.05", "implicit", "implicit@0.1", "explicit")
    shown = dict(zip(names, lane_schemes(names), strict=True))
    assert [scheme.name for scheme in shown.values()] == list(names)
    for name in ("exact", "implicit", "explicit"):
        assert (shown[name].colour, shown[name].letter) == (SCHEMES[name].colour, SCHEMES[name].letter)
    assert [shown[f"implicit@{step}"].letter for step in ("0.1", "0.05")] == ["I₂", "I₃"]  # by falling step
    assert shown["implicit@0.1"].citation == SCHEMES["implicit"].citation
    assert min(nearest([scheme.colour for scheme in shown.values()], eye) for eye in EYES) > APART


def test_of_more_lanes_than_colours_none_has_colour_and_dash_of_another() -> None:
    shown = lane_schemes(list(SCHEMES))
    assert len({(scheme.colour, scheme.dash) for scheme in shown}) == len(shown)
    assert len({scheme.letter for scheme in shown}) == len(shown)


@eyes
@pytest.mark.parametrize("theme", sorted(THEMES))
def test_axes_and_arrows_can_be_told_apart(eye: str, theme: str) -> None:
    look = look_of(THEMES[theme])
    assert nearest(set(look.axes), eye) > APART
    assert nearest({look.omega, look.ink, look.alarm, look.plane}, eye) > APART
