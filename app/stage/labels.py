"""Labels: what the captions say: the scenario and the time, and for each lane its scheme and what it does just now."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from app.stage.cards import Card, Piece
from app.stage.ground import Ground
from app.stage.look import Look
from app.stage.track import Pose, Track
from physics.schemes.scheme import Scheme
from physics.world import World

WRONG = 1e-3  # relative error from which a number is marked


def heading(world: World, time: float, look: Look, legend: tuple[Piece, ...]) -> Card:
    """The scenario's title, the time and what the signs mean."""
    title = (Piece(world.scenario.title or "Untitled", look.ink, 17.0, "SemiBold"),)
    clock = (Piece(f"t = {time:.2f} s", look.ink, 15.0, "Medium"),)
    lines = (title, clock, legend) if legend else (title, clock)
    return Card(lines, look.panel, look.panel_opacity)


def arrows(look: Look, *, lost: bool) -> tuple[Piece, ...]:
    """What the arrows of a free body mean; lost: whether one of them shows spin that is lost."""
    signs = [("angular velocity ω", look.omega), ("spin L", look.ink), *([("lost spin", look.alarm)] if lost else [])]
    return tuple(Piece(f"{text}     ", colour, 12.0, "Medium") for text, colour in signs)


def map_signs(interval: float | None, scale: float, look: Look) -> tuple[Piece, ...]:
    """The contour interval [m] (None: no lines) and how many times larger the rock is drawn."""
    lines = f"contour lines every {interval:g} m" if interval is not None else ""
    larger = f"rock drawn {scale:.0f} times larger" if scale >= 1.5 else ""
    text = ", ".join(part for part in (lines, larger) if part)
    return (Piece(text, look.dim, 12.0),) if text else ()


def caption(track: Track, pose: Pose, look: Look, ground: Ground | None) -> tuple[tuple[Piece, ...], ...]:
    """The lines of one lane: badge and title, citation, numbers."""
    scheme = track.scheme
    head = (
        Piece(scheme.letter, "#10151d", 13.0, "SemiBold", behind=scheme.colour),
        Piece(scheme.title, look.ink, 15.0, "SemiBold"),
    )
    source = (Piece(short_citation(scheme), look.dim, 11.5),)
    numbers = _flight(track, pose, look) if ground is None else _fall(track, pose, look, ground)
    return head, source, numbers


def stacked(captions: Sequence[tuple[tuple[Piece, ...], ...]], look: Look) -> Card:
    """The captions of all lanes of a viewport on one card."""
    gap = ((Piece("", look.dim, 4.0),),)
    lines = [line for caption in captions for line in (*gap, *caption)][1:]
    return Card(tuple(lines), look.panel, look.panel_opacity)


def short_citation(scheme: Scheme) -> str:
    """Authors, year and equation numbers: "Leine et al. (2021), (45)-(47)"."""
    found = re.match(r"(.*?)\s*\((\d{4})\)", scheme.citation)
    if not found:
        return scheme.citation
    names = [name.strip() for name in re.split(r",|&", found[1]) if name.strip()]
    who = names[0] if len(names) == 1 else " & ".join(names) if len(names) == 2 else f"{names[0]} et al."
    return f"{who} ({found[2]}), {scheme.equations}"


def _flight(track: Track, pose: Pose, look: Look) -> tuple[Piece, ...]:
    run = track.run
    i = run.index(pose.time)
    energy = float(abs(run.total_energy[i] - run.total_energy[0]) / max(abs(run.total_energy[0]), 1e-300))
    spin = float(np.linalg.norm(run.spin[i] - run.spin[0]) / max(float(np.linalg.norm(run.spin[0])), 1e-300))
    return (
        *_number("|ω|", f"{np.linalg.norm(pose.omega):.2f} rad/s", look),
        *_number("energy error", _relative(energy), look, wrong=energy > WRONG),
        *_number("spin error", _relative(spin), look, wrong=spin > WRONG),
    )


def _fall(track: Track, pose: Pose, look: Look, ground: Ground) -> tuple[Piece, ...]:
    over = max(0.0, float(pose.position[2] - ground.heights(pose.position[None])[0]))
    state = next(
        (event.text for event in track.run.events if event.kind in ("rest", "left-map") and event.time <= pose.time),
        "",
    )
    at_rest = (
        "at rest" if state and any(e.kind == "rest" for e in track.run.events) else "left the map" if state else ""
    )
    return (
        *_number("speed", f"{np.linalg.norm(pose.velocity):4.1f} m/s", look),
        *_number("spin rate", f"{np.linalg.norm(pose.omega):4.1f} rad/s", look),
        *_number("height", f"{over:4.1f} m", look),
        *((Piece(at_rest, look.ink, 12.5, "SemiBold"),) if at_rest else ()),
    )


def _number(name: str, value: str, look: Look, *, wrong: bool = False) -> tuple[Piece, ...]:
    return (
        Piece(f"{name} ", look.dim, 12.5),
        Piece(f"{value}    ", look.alarm if wrong else look.ink, 12.5, "SemiBold" if wrong else "Medium"),
    )


def _relative(error: float) -> str:
    """A relative error: in per cent when one sees it, as a power of ten when one does not."""
    if error >= 1e-3:
        return f"{100 * error:.1f} %"
    if error < 1e-16:
        return "0"
    power = math.floor(math.log10(error))
    return f"{round(error / 10.0**power)}e{power}"
