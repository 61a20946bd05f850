"""Added mass of a hull in heave, roll and pitch by strip theory: sections as Lewis forms, in the waves that they make.

A section is replaced by the form of Lewis (1929) of its breadth, draught and area, a map of the circle with two
coefficients (Journée and Massie 2001, Offshore Hydromechanics, 7.3). Sources along its contour, each with the surface
waves that it makes in deep water (Mackay 2021, European Journal of Mechanics B 87, 151-160), move the water as the
section does, and their pressure in phase with its acceleration is the added mass at that wavenumber. Integrals over
the straight panels of a contour are exact. What flows along the ship is left out: strip theory is for slender hulls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expi

from physics.core.rotation import Array
from physics.hydrostatics.flotation import FloatingPose
from physics.hydrostatics.form import between, immersed, section

Mode = Literal["heave", "roll", "pitch"]
Plane = NDArray[np.complexfloating]  # y + i z
Section = Literal["heave", "sway", "roll"]

SECTIONS = 12  # along the waterline
PANELS = (8, 16)  # of half a contour; the error falls as their number rises and is taken out
LEAST = 1e-6  # share of a slice's width: a section that is smaller is none
FAR = 300.0  # wavenumber times distance from which the wave of a source is its first term


@dataclass(frozen=True)
class Strips:
    """Immersed parts of slices of a hull, one of each hull side by side; level axes from the centre of gravity.

    Attributes
    ----------
    place, aside : (n,) along the ship, and to port, of their middles [m]
    width : of the slices along the ship [m]
    breadth, draught, area : (n,) of the sections [m], [m], [m²]
    height : of the centre of gravity above the water [m]
    """

    place: Array
    aside: Array
    width: float
    breadth: Array
    draught: Array
    area: Array
    height: float

    def added(self, mode: Mode, wavenumber: float) -> float:
        """Volume of water that moves with the ship in heave [m³], roll or pitch [m⁵], at a wavenumber w²/g [1/m]."""
        sections = self.breadth, self.draught, self.area
        roll = mode == "roll"
        found = float(section_added(*sections, "roll", wavenumber, self.height).sum()) if roll else 0.0
        if not roll or self.aside.any():
            arm = {"heave": np.ones_like(self.place), "roll": self.aside, "pitch": self.place}[mode]
            found += float(section_added(*sections, "heave", wavenumber) @ arm**2)
        return self.width * found


def strips_of(pose: FloatingPose) -> Strips:
    """Sections of a hull where it floats, in the middles of equal slices of its waterline; none without one."""
    wet, waterline = immersed(pose)
    rows, width = list[tuple[float, float, float, float, float]](), 0.0
    if len(waterline) and pose.integrals.area > 0.0:
        low, high = float(waterline[..., 0].min()), float(waterline[..., 0].max())
        width = (high - low) / SECTIONS
        for place in low + width * (np.arange(SECTIONS) + 0.5):
            sides = _crossings(waterline, float(place))
            ends = [-math.inf, *(0.5 * (sides[1:-1:2] + sides[2::2])).tolist(), math.inf]  # in the gaps
            for i, (right, left) in enumerate(sides.reshape(-1, 2).tolist()):
                area, draught = section(between(wet, ends[i], ends[i + 1]), float(place))
                if min(left - right, draught) > LEAST * width and area > LEAST * width**2:  # NaN: it cuts nothing
                    rows.append((float(place), 0.5 * (left + right), left - right, draught, area))
    along, aside, breadth, draughts, areas = np.array(rows).reshape(-1, 5).T
    return Strips(along, aside, width, breadth, draughts, areas, pose.height)


def _crossings(waterline: Array, place: float) -> Array:
    """The y (k,), ascending and even in number, at which segments (m, 2, 3) of a waterline cross a place along x."""
    x, y = waterline[..., 0] - place, waterline[..., 1]
    over = (x[:, 0] < 0.0) != (x[:, 1] < 0.0)
    x, y = x[over], y[over]
    found = np.sort(y[:, 0] + (y[:, 1] - y[:, 0]) * x[:, 0] / (x[:, 0] - x[:, 1]))
    return found[: len(found) // 2 * 2]


def section_added(
    breadth: Array, draught: Array, area: Array, mode: Section, wavenumber: float, height: float = 0.0
) -> Array:
    """Area of water (n,) that moves with sections as Lewis forms [m²]; for roll about a height [m] its moment [m⁴].

    breadth, draught, area : (n,) [m], [m], [m²]; wavenumber : w²/g [1/m]
    """
    coarse, fine = (
        _added(lewis_contours(breadth, draught, area, panels), mode, wavenumber, height) for panels in PANELS
    )
    return 2.0 * fine - coarse


def lewis_contours(breadth: Array, draught: Array, area: Array, panels: int) -> Plane:
    """Contours y + i z (n, panels + 1) [m] of Lewis forms, from the keel to the water at port.

    An area that no such form has is taken as the nearest that one has (Journée and Massie 2001, (7.90)-(7.95)).
    """
    h = np.clip(0.5 * breadth / draught, 0.01, 100.0)
    low, high = 3.0 * math.pi / 32.0 * (2.0 - np.minimum(h, 1.0 / h)), math.pi / 32.0 * (10.0 + h + 1.0 / h)
    full = 4.0 / math.pi * np.clip(area / (breadth * draught), low, high)
    narrow = (h - 1.0) / (h + 1.0)
    c = 3.0 + full + (1.0 - full) * narrow**2
    third = (3.0 - c + np.sqrt(np.maximum(9.0 - 2.0 * c, 0.0))) / c
    first = narrow * (third + 1.0)
    angle = np.linspace(0.0, 0.5 * math.pi, panels + 1)
    scale, a1, a3 = (one[:, None] for one in (0.5 * breadth / (1.0 + first + third), first, third))
    y = (1.0 + a1) * np.sin(angle) - a3 * np.sin(3.0 * angle)
    z = (1.0 - a1) * np.cos(angle) + a3 * np.cos(3.0 * angle)
    return np.asarray(scale * (y - 1j * z))


def _added(contours: Plane, mode: Section, wavenumber: float, height: float) -> Array:
    """The same of contours (n, m + 1) of halves of sections, by as many panels."""
    start, end = contours[:, :-1], contours[:, 1:]
    middle, along = 0.5 * (start + end), end - start
    length = np.abs(along)
    normal = -1j * along / length
    moved = {"heave": normal.imag, "sway": normal.real}.get(mode)
    if moved is None:
        moved = middle.real * normal.imag - (middle.imag - height) * normal.real
    own = _sources(middle[:, :, None], start[:, None], end[:, None], wavenumber)
    mirrored = _sources(middle[:, :, None], -end[:, None].conj(), -start[:, None].conj(), wavenumber)
    sign = 1.0 if mode == "heave" else -1.0
    flow, speed, wave, rate = (one + sign * other for one, other in zip(own, mirrored, strict=True))
    n = normal[:, :, None]
    strengths = np.linalg.solve((speed * n).real + 1j * (rate * n).real, moved[:, :, None].astype(complex))
    potential = ((flow.real + 1j * wave.real) @ strengths)[:, :, 0].real
    return np.asarray(-2.0 * (potential * moved * length).sum(axis=1))


def _sources(at: Plane, start: Plane, end: Plane, wavenumber: float) -> tuple[Plane, Plane, Plane, Plane]:
    """Complex potentials at places of sources along panels, each with its derivative: in phase, and a quarter late.

    A source at s has log(z - s) - log(z - s*) + 2 exp(-Ka) Ei(Ka), a = i (z - s*), and -2 pi exp(-Ka), of which the
    real parts are potentials; over a panel they are integrated exactly. A place in the middle of a panel lies on its
    right side.
    """
    along = (end - start) / np.abs(end - start)
    near, far = at - start, at - end
    turn = np.where(np.abs(near + far) < 1e-9 * np.abs(near - far), 1j * math.pi, np.log(near / far))
    first, last = 1j * (at - start.conj()), 1j * (at - end.conj())
    logs, waves = (np.log(first), np.log(last)), (_surface(wavenumber * first), _surface(wavenumber * last))
    change, risen = logs[1] - logs[0], waves[1] - waves[0]
    direct = along.conj() * ((near - far) * np.log(near) + far * turn - (near - far))
    image = -1j * along * (first * (logs[0] - 0.5j * math.pi) - last * (logs[1] - 0.5j * math.pi) - (first - last))
    flow = direct - image + 2j * along * (change - risen) / wavenumber
    speed = along.conj() * turn + along * (change - 2.0 * risen)
    wave = 2j * math.pi * along * (np.exp(-wavenumber * last) - np.exp(-wavenumber * first)) / wavenumber
    return flow, speed, wave, -1j * wavenumber * wave


def _surface(distance: Plane) -> Plane:
    """exp(-x) Ei(x) of complex numbers right of 0; from FAR on 1/x + 1/x² + 2/x³, where exp(x) is not yet too large."""
    inverse = 1.0 / distance
    far = np.abs(distance) > FAR
    near = np.where(far, 1.0, distance)
    return np.asarray(np.where(far, inverse * (1.0 + inverse * (1.0 + 2.0 * inverse)), np.exp(-near) * expi(near)))
