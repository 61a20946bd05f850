"""The text of captions: the headline, the line of each lane, and what the signs mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from app.playback.headline import names
from app.playback.run import BEFORE
from app.playback.verdicts import MARKS, name_of, name_parts, sign_of
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import readable, tr
from app.theme import contrast, mark_colours
from physics import SCHEMES
from physics.core.separation import Verdict
from physics.schemes.lane import MARK, VARIANT
from physics.schemes.scheme import Scheme

Line = tuple[TextRun, ...]
Sign = tuple[str, TextRun]  # the overlay that shows something, and what this means
BADGE = 0.72  # letter of a badge, in the letters beside it
INKS = ("#10151d", "#ffffff")  # colours of the letters on a badge


class Standing(NamedTuple):
    """Standing of a lane to the true motion: verdict, how far off in few words, and the widest such text.

    over : whether it has no solution any more
    """

    mark: Verdict
    text: str
    room: str
    over: bool = False

    @property
    def sign(self) -> str:
        """Key of its mark in MARKS."""
        return sign_of(self.mark, self.over)


def sentence_runs(
    text: str, lanes: Sequence[Scheme], short: Mapping[str, str], look: StageColours, size: float
) -> Line:
    """A sentence, in which lanes have their short names and their colours."""
    colours = [(name_of(lane), lane.colour) for lane in lanes]
    return tuple(
        TextRun(short.get(piece, piece), colour or look.ink, size, "SemiBold", prose=True)
        for piece, colour in names(text, colours)
    )


def short_names(lanes: Sequence[Scheme]) -> Mapping[str, str]:
    """Names of lanes in pictures by their whole ones: "Störmer-Verlet (fast)" without "exact free part".

    Whole where two would be alike, or where another scheme has the short name.
    """
    others, short = {name_of(scheme) for scheme in SCHEMES.values()}, dict[str, str]()
    for lane in lanes:
        whole, row = name_of(lane), SCHEMES.get(re.split(f"[{MARK}{VARIANT}{BEFORE}]", lane.name)[0], lane)
        family, _ = name_parts(row)
        cut = name_of(replace(lane, title=family + lane.title.removeprefix(row.title)))
        short[whole] = whole if family in others else cut
    many = Counter(short.values())
    return {whole: cut if many[cut] == 1 else whole for whole, cut in short.items()}


def ground_named(attributes: Mapping[str, Any]) -> str:
    """Name of the soil or forest in a layer of a map: that of its preset as the panel shows it, else its law."""
    if preset := attributes.get("soil") or attributes.get("forest"):
        return tr(readable(preset))
    if "mu_min" in attributes:
        return f"μ {attributes['mu_min']:g}"
    return f"{attributes['drag']:g} kg/s"


def arrows(look: StageColours) -> tuple[Sign, ...]:
    """Meanings of the arrows."""
    return ("vectors", sign(tr("angular velocity ω"), look.omega)), (
        "vectors",
        sign(tr("angular momentum L"), look.ink),
    )


def sign(text: str, colour: str) -> TextRun:
    """Meaning of one sign, in its own colour."""
    return TextRun(f"{text}     ", colour, 12.0, "Medium")


def passing_sign(text: str, colour: str, *, on: bool) -> TextRun:
    """Meaning of a sign that comes and goes; while it is off, its room stays empty."""
    always = sign(text, colour)
    return always._replace(text=always.text if on else "", room=always.text)


def legend(signs: Iterable[TextRun]) -> Line:
    """Signs on a line, each once; those that come and go are last."""
    kept: dict[str, TextRun] = {}
    for one in signs:
        known = kept.get(one.room or one.text)
        if known is None or one.text:
            kept[one.room or one.text] = one
    return tuple(sorted(kept.values(), key=lambda one: bool(one.room)))


def pace_in_words(pace: float) -> str:
    """Factor by which a film is slower or faster than the motion; ``pace``: simulated seconds in a second of it."""
    if pace == 1.0:
        return ""
    slower = tr("{times:.3g} times slower").format(times=1.0 / pace)
    return slower if pace < 1.0 else tr("{pace:.3g} times faster").format(pace=pace)


def map_signs(
    interval: float | None, rock: tuple[float, float], look: StageColours, heights: float = 1.0, note: str = ""
) -> Line:
    """The contour interval [m] (None: no lines), how many times larger the rock and all heights are drawn.

    rock : how many times larger it is drawn, and its size [m]
    note : what a map on the terrain is conditional on; "": none lies there
    """
    lines = tr("contour lines every {interval:g} m").format(interval=interval) if interval is not None else ""
    scale, size = rock
    larger = tr("rock of {size:.2g} m drawn {scale:.0f} times larger") if scale >= 1.5 else ""
    higher = tr("heights drawn {heights:g} times larger").format(heights=heights) if heights != 1.0 else ""
    text = f"{', '.join(part for part in (note, lines, larger, higher) if part)}     "
    now, widest = (text.format(scale=factor, size=size) for factor in (scale, 88.0))
    return (TextRun(now, look.dim, 12.0, room=widest),) if text.strip() else ()


def lane_lines(
    scheme: Scheme, name: str, found: Standing, look: StageColours, size: float, *, below: bool
) -> list[Line]:
    """Badge, name, mark and number of one lane, on one line or with the last two below the name."""
    named = badge(scheme, BADGE * size), TextRun(f"{name}  ", look.ink, size, "SemiBold")
    stands = mark_of(found.sign, look, size), TextRun(found.text, look.ink, size, "SemiBold", room=found.room)
    return [named, stands] if below else [named + stands]


def mark_of(sign: str, look: StageColours, size: float) -> TextRun:
    """One of MARKS, which differs from others in shape, fill and brightness: off is the most striking."""
    ink, fill = mark_colours(sign, look.panel, look.ink, look.dim)
    return TextRun(MARKS[sign], ink, size, "SemiBold", behind=fill, mark=sign)


def badge(scheme: Scheme, size: float) -> TextRun:
    """The letter of a scheme in its colour."""
    return TextRun(scheme.letter, _ink_on(scheme.colour), size, "SemiBold", behind=scheme.colour)


@cache
def _ink_on(colour: str) -> str:
    """The colour of letters that one reads best on another."""
    return max(INKS, key=lambda ink: contrast(ink, colour))


def source(scheme: Scheme) -> str:
    """Authors, year and equation numbers: "Leine et al. 2021, (45)-(47)"."""
    return f"{scheme.short}, {scheme.equations}"
