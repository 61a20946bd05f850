"""Colours of a theme: the colours of the stage for each theme; the window's own colours are in app.theme."""

from __future__ import annotations

from dataclasses import dataclass

from app.theme import DAY, Theme


@dataclass(frozen=True)
class StageColours:
    """Named colours of the 3D scene.

    Attributes
    ----------
    sky, horizon : top and bottom of the backdrop
    ink, faint : text and neutral lines; what should stay in the background
    dim : text that explains
    panel : the cards behind captions, with its opacity
    faces : the body's faces across its x, y and z axes
    omega, alarm : the angular velocity's arrow; what a scheme gets wrong
    axes : the body's x, y and z axes
    shadow : how dark the soft shadow is, 0 to 1
    water, haze : the sea around a ship, and the sky low over it
    buoyancy, metacentre : marks of a ship's stability
    rights, heels : the lever that rights a ship, and one that heels it
    plane, gap : Poinsot's invariable plane; the distance from it
    wood, floor : the table; what mechanisms and tops stand on
    pin : what joints turn on
    sticks, slips : the trail of a contact
    measured : words on what was measured in the field
    """

    sky: str
    horizon: str
    ink: str
    dim: str
    faint: str
    panel: str
    panel_opacity: float
    faces: tuple[str, str, str]
    omega: str
    alarm: str
    axes: tuple[str, str, str]
    shadow: float
    water: str
    haze: str
    buoyancy: str
    metacentre: str
    rights: str
    heels: str
    plane: str
    gap: str
    wood: str
    floor: str
    pin: str
    sticks: str
    slips: str
    measured: str


def look_of(theme: Theme) -> StageColours:
    """The stage's colours under a theme of the window."""
    dark = theme.name != "light"
    return StageColours(
        sky=theme.stage_top,
        horizon=theme.stage_bottom,
        ink=theme.overlay_text,
        dim="#aeb9c7" if dark else "#56637a",
        faint="#9db2cf" if dark else "#4c6384",
        panel=theme.overlay,
        panel_opacity=0.72 if dark else 0.84,
        faces=("#74829a", "#a9b3c4", "#e8e3da") if dark else ("#7f8fa9", "#b4bfd0", "#f6f2ea"),
        omega="#ffd84d" if dark else "#6c3c00",
        alarm=theme.danger,
        axes=("#e8505d", "#79d994", "#6ea8f7") if dark else ("#c92f40", "#27854c", "#1f57ad"),
        shadow=0.55 if dark else 0.24,
        water="#2a638d" if dark else "#2d6c9b",
        haze="#b7cfe2" if theme == DAY else "#6c8cab",
        buoyancy="#62b6ff" if dark else "#1263c0",
        metacentre="#f2b134" if dark else "#925c00",
        rights="#4cc97d" if dark else "#1b7a43",
        heels="#ff7b74" if dark else "#c42b2b",
        plane="#a9c4f5" if dark else "#3f66b5",
        gap="#ff8fd8" if dark else "#a3168c",
        floor="#566b7e" if theme == DAY else "#1b2129",
        pin="#333d49" if dark else "#2b3440",
        wood="#8a5f3c" if dark else "#edd2ab",
        sticks="#8ff5c8" if dark else "#08527c",
        slips="#ff958a" if dark else "#9a1824",
        measured="#5ff0ff" if dark else "#00788a",
    )
