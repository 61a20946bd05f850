"""The text of captions: the scenario and the time, what the signs mean, and each lane's scheme with its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.playback.verdicts import name_of
from app.stage.text.cards import Card, TextRun
from app.stage.theme_colours import StageColours
from app.system.language import readable, tr
from app.theme import contrast
from physics.schemes.scheme import Scheme

Line = tuple[TextRun, ...]
Sign = tuple[str, TextRun]  # the overlay that shows something, and what this means
INKS = ("#10151d", "#ffffff")  # colours of the letters on a badge


def heading(title: str, clock: Line, look: StageColours, legend: Line) -> Card:
    """The scenario's title, the time and what the signs mean."""
    first = (TextRun(title, look.ink, 17.0, "SemiBold"),)
    lines = (first, clock, legend) if legend else (first, clock)
    return Card(lines, look.panel, look.panel_opacity)


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


def pace_sign(pace: float, look: StageColours) -> Line:
    """Factor by which a film is slower or faster than the motion; ``pace``: simulated seconds in a second of it."""
    if pace == 1.0:
        return ()
    text = (
        tr("{times:.3g} times slower").format(times=1.0 / pace)
        if pace < 1.0
        else tr("{pace:.3g} times faster").format(pace=pace)
    )
    return (TextRun(f"   {text}", look.dim, 12.0),)


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


def caption(scheme: Scheme, numbers: Line, look: StageColours, many: str = "", brief: int = 0) -> tuple[Line, ...]:
    """The lines of one lane: badge and title, source, numbers; what is drawn of ``many`` rocks.

    brief : 1: without the source; 2: name and numbers on one line, as it fits; 3: without the name
    """
    rocks: tuple[Line, ...] = ((TextRun(many, look.ink, 12.0, "Medium"),),) if many else ()
    if brief > 1:
        name = (TextRun(f"{name_of(scheme)}    ", look.ink, 12.5, "SemiBold", prose=True),) if brief == 2 else ()
        return ((badge(scheme, 11.0), *name, *numbers), *rocks)
    head = badge(scheme, 13.0), TextRun(scheme.title, look.ink, 15.0, "SemiBold")
    author: tuple[Line, ...] = () if brief else ((TextRun(source(scheme), look.dim, 11.5),),)
    return (head, *author, *((numbers,) if numbers else ()), *rocks)


def badge(scheme: Scheme, size: float) -> TextRun:
    """The letter of a scheme in its colour."""
    ink = max(INKS, key=lambda ink: contrast(ink, scheme.colour))
    return TextRun(scheme.letter, ink, size, "SemiBold", behind=scheme.colour)


def source(scheme: Scheme) -> str:
    """Authors, year and equation numbers: "Leine et al. 2021, (45)-(47)"."""
    return f"{scheme.short}, {scheme.equations}"


def stacked(captions: Sequence[tuple[Line, ...]], look: StageColours) -> Card:
    """The captions of all lanes of a viewport on one card."""
    gap = ((TextRun("", look.dim, 4.0),),)
    lines = [line for caption in captions for line in (*gap, *caption)][1:]
    return Card(tuple(lines), look.panel, look.panel_opacity)
