"""Colours that stand side by side can be told apart by people with each of the three deficiencies."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import get_args

import numpy as np
import pytest

from app.playback.lane_looks import lane_schemes
from app.playback.run import MOST_LANES
from app.stage.text.caption_text import mark_of
from app.stage.text.cards import Card, draw
from app.stage.theme_colours import look_of
from app.theme import DAY, THEMES, contrast, rgb
from physics import SCHEMES
from physics.core.separation import Verdict
from physics.schemes import serving
from physics.schemes.scheme import DASHES
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
NEAR, LEAST = 10.0, 6.5  # colours of lines with the same dash, with different ones
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


@pytest.mark.parametrize("kind", SYSTEMS)
def test_any_two_schemes_can_be_told_apart(kind: str) -> None:
    """Any two schemes differ by their colours, and where these are near also by their dashes."""
    for one, other in itertools.combinations([SCHEMES[name] for name in serving(kind)], 2):
        apart = min(nearest((one.colour, other.colour), eye) for eye in EYES)
        assert apart > (NEAR if one.dash == other.dash else LEAST), f"{one.name}, {other.name}"


@pytest.mark.parametrize("kind", SYSTEMS)
def test_a_lane_looks_the_same_whatever_is_shown_beside_it(kind: str) -> None:
    """Alone it is drawn in one piece: dashes tell lanes apart."""
    draw, able = random.Random(3), serving(kind)
    for names in (draw.sample(able, draw.randint(1, min(MOST_LANES, len(able)))) for _ in range(100)):
        rows = [SCHEMES[name] for name in names]
        alone = {"dash": "solid"} if len(rows) == 1 else {}
        assert lane_schemes(names) == tuple(replace(row, **alone) for row in rows)


def test_lanes_of_one_scheme_are_numbered_and_leave_all_others_as_they_are() -> None:
    names = ("exact", "implicit@0.05", "implicit", "implicit@0.1", "explicit")
    shown = dict(zip(names, lane_schemes(names), strict=True))
    for name in ("exact", "implicit", "explicit"):
        assert shown[name] == SCHEMES[name]
    assert [shown[f"implicit@{step}"].letter for step in ("0.1", "0.05")] == ["I₂", "I₃"]  # by falling step
    assert shown["implicit@0.1"].citation == SCHEMES["implicit"].citation
    assert shown["implicit@0.05"].title == "Implicit (energy-momentum), h = 50 ms"
    assert lane_schemes(["implicit@0.1"]) == (replace(shown["implicit@0.1"], dash="solid"),)
    assert min(nearest([scheme.colour for scheme in shown.values()], eye) for eye in EYES) > APART


@pytest.mark.parametrize("scheme", SCHEMES)
def test_eight_lanes_of_one_scheme_can_be_told_apart(scheme: str) -> None:
    shown = lane_schemes([scheme, *(f"{scheme}@{0.1 / 2**i}" for i in range(MOST_LANES - 1))])
    assert min(nearest([row.colour for row in shown], eye) for eye in EYES) > APART
    assert len({row.letter for row in shown}) == MOST_LANES
    assert len({row.dash for row in shown[:4]}) == len(DASHES)


@eyes
@pytest.mark.parametrize("theme", sorted(THEMES))
def test_axes_and_arrows_can_be_told_apart(eye: str, theme: str) -> None:
    look = look_of(THEMES[theme])
    assert nearest(set(look.axes), eye) > APART
    assert nearest({look.omega, look.ink, look.alarm, look.plane}, eye) > APART


GROUNDS = {"wood": "#4b3428", "grass": "#6e7d50", "sea": "#2d64a0", "warm rim": "#46302a"}
SKIES = {"dark": "#182232", "high contrast": "#000000", "light": "#e1e6ec"}
LOOKS = {name: look_of(theme) for name, theme in THEMES.items()} | {"day": look_of(DAY)}


@pytest.mark.parametrize("eye", [*EYES, "grey"])
@pytest.mark.parametrize("theme", LOOKS)
def test_the_mark_of_off_is_the_most_striking(theme: str, eye: str) -> None:
    """Its mean distance from what is behind it is the largest, on all that may be there."""
    look = LOOKS[theme]
    over = {"floor": look.floor, "low sky": look.horizon} if theme == "day" else {"sky": SKIES[theme]}
    for name, ground in (GROUNDS | over).items():
        strikes = {}
        for verdict in get_args(Verdict):
            picture = draw(Card(((mark_of(verdict, look, 25.7),),), look.panel, 0.0), 1.0, 200)
            seen = picture[..., 3] > 80
            rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
            mark = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] / 255.0
            laid = mark[..., :3] * mark[..., 3:] + np.array(rgb(ground)) * (1.0 - mark[..., 3:])
            colours, counts = np.unique(np.round(255.0 * laid.reshape(-1, 3)).astype(int), axis=0, return_counts=True)
            places = np.array([_lab_of(colour, eye) for colour in colours]) - _lab_of(
                np.array(rgb(ground)) * 255.0, eye
            )
            strikes[verdict] = float(np.linalg.norm(places, axis=1) @ counts / counts.sum())
        assert max(strikes, key=lambda one: strikes[one]) == "off", (name, strikes)


def test_words_stand_out_from_a_day() -> None:
    """The headline and the lines of lanes over the sky and the floor outside, without their shadow."""
    look = LOOKS["day"]
    assert contrast(look.ink, look.sky) > 4.5
    assert contrast(look.ink, look.floor) > 4.5
    assert contrast(look.dim, look.sky) > 3.0


def _lab_of(colour: np.ndarray, eye: str) -> np.ndarray:
    """L*a*b* (3,) of a colour of 0 to 255; of grey alone its lightness."""
    found = lab(
        "#" + "".join(f"{round(float(part)):02x}" for part in colour), "all three cones" if eye == "grey" else eye
    )
    return found * (1.0, 0.0, 0.0) if eye == "grey" else found
