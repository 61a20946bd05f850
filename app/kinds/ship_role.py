"""The role of a ship: a closed mesh that floats at half its depth, loaded so that it stays upright; let go heeled."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from app.kinds.body_role import BodyRole, measures, rounded, simple
from physics import Scenario
from physics.bodies.mesh_io import MeshReading
from physics.hydrostatics.flotation import GRAVITY, Hydrostatics, equilibrium, hydrostatics, placed
from physics.hydrostatics.hull import WATER, Hull, LoadedHull, read_hull

HEEL = math.radians(12.0)  # from which a ship is let go
ROLLS, STEPS = 10.0, 100.0  # shown at most of a ship's rolling, and steps of its shortest motion
STIFF = 0.05  # GM at least, as a share of the breadth or the length
AROUND, ALONG = 0.35, 0.25  # radii of gyration over breadth and length: usual values of ships
UPRIGHT = math.radians(2.0)  # heel or trim at rest that is told


def _floating(file: Path, reading: MeshReading, _: Scenario | None) -> Scenario:
    """A hull in water, heeled; ScenarioError, naming the file, where its surface is not closed or cuts itself."""
    hull = read_hull(file, reading)
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    length, breadth, depth = (high - low).tolist()
    found, mass = _half_deep(hull, depth)
    across = min(found.bm_transverse, found.bm_longitudinal)
    least = STIFF * min(length, breadth)
    height = min(0.5 * depth, found.kb + across - least)
    lowered = height < 0.5 * depth
    centre = found.centre_of_buoyancy[:2].tolist()
    gravity = tuple(rounded(value, 5) for value in (*centre, float(low[2]) + height))
    radii = tuple(rounded(r) for r in (AROUND * breadth, *2 * (ALONG * max(length, breadth),)))
    rest = equilibrium(LoadedHull(hull, mass, np.array(gravity), WATER))
    rolls = [
        2.0 * math.pi * radius / math.sqrt(GRAVITY * (found.kb + bm - height))
        for radius, bm in zip(radii, (found.bm_transverse, found.bm_longitudinal), strict=False)
    ]
    heave = 2.0 * math.pi * math.sqrt(found.volume / (GRAVITY * found.area))
    return Scenario(
        kind="ship",
        title=file.stem,
        note=_note(
            measures(reading, high - low, mass),
            rest.heel,
            rest.trim,
            found.kb + found.bm_transverse - height,
            lowered=lowered,
        ),
        duration=simple(ROLLS * max(rolls)),
        step=simple(min(*rolls, heave) / STEPS),
        hull={"file": str(file), "mass": mass, "centre_of_gravity": gravity, "radii_of_gyration": radii}
        | reading.given(),
        initial={"heel": rest.heel + HEEL},
    )


def _half_deep(hull: Hull, depth: float) -> tuple[Hydrostatics, float]:
    """The numbers of a hull that is upright and half under water, and the mass [kg] that it then displaces."""
    middle = np.array([0.0, 0.0, hull.keel + 0.5 * depth])
    pose = placed(LoadedHull(hull, 1.0, middle, WATER), 0.0, 0.0, 0.0)
    return hydrostatics(pose), rounded(WATER * pose.integrals.volume, 5)


def _note(taken: str, heel: float, trim: float, height: float, *, lowered: bool) -> str:
    where = "so low that it stays upright" if lowered else "at half its depth"
    words = [
        f"The hull of the file, bow along x and z up, {taken}. It is loaded to half its depth, with the centre of "
        f"gravity {where}: GM {height:.3g} m.",
        "Radii of gyration are usual ones of ships. No damping.",
    ]
    if max(abs(heel), abs(trim)) > UPRIGHT:
        words.insert(1, f"At rest it heels by {math.degrees(heel):.3g}° and trims by {math.degrees(trim):.3g}°.")
    return " ".join(words)


ROLE = BodyRole("ship", "Ship", "It floats in calm water by its own hull: bow along x, z up", _floating)
