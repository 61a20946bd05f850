"""One row of the table of kinds: what the program shows of a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.kinds.field import Field
from app.kinds.quantities import Quantity
from physics import Scenario, World
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import Array

if TYPE_CHECKING:
    from app.stage.scene_kind import SceneKind


ROCK = 2700.0  # [kg/m³]


@dataclass(frozen=True)
class BodyRole:
    """What the body of a file is taken for.

    Attributes
    ----------
    name : on the command line
    word, tip : of its button
    scenario : of the file, how it is taken, and the rockfall scenario on whose slope a rock falls; None: the alpine
        slope that comes with the program
    """

    name: str
    word: str
    tip: str
    scenario: Callable[[Path, MeshReading, Scenario | None], Scenario]


def solid(file: Path, reading: MeshReading) -> dict[str, object]:
    """The body's table, without its mass."""
    if file.suffix.lower() in (".pts", ".xyz"):
        return points(file, reading)
    return {"shape": "mesh", "file": str(file)} | reading.given()


def points(file: Path, reading: MeshReading) -> dict[str, object]:
    """The table of the hull of its points, which is closed and needs no repair."""
    return {"shape": "hull", "file": str(file)} | reading.given("repair")


def measures(reading: MeshReading, extents: Array, mass: float) -> str:
    """What was taken for the unit of a file, in words: extents (3,) [m] and the mass [kg] that follow."""
    unit = "metres" if reading.scale == 1.0 else f"units of {reading.scale:g} m"
    return f"taken to be given in {unit}: {' x '.join(f'{rounded(one):g}' for one in extents)} m, {tonnes(mass)}"


def named(table: dict[str, object]) -> str:
    """The body of a file in words, by its table."""
    return "The hull of the points" if table["shape"] == "hull" else "The solid"


def rounded(value: float, digits: int = 3) -> float:
    """A number to so many digits."""
    return float(f"{value:.{digits}g}")


def simple(value: float) -> float:
    """The next number from below that is 1, 2 or 5 times a power of ten: durations are then whole steps."""
    power = math.floor(math.log10(value))
    return float(f"{max(d for d in (1, 2, 5) if d <= value / 10.0**power * (1 + 1e-12))}e{power}")


def tonnes(mass: float) -> str:
    """A mass [kg] in tonnes, in words."""
    return (
        f"{mass:.3g} kg"
        if mass < 1000.0
        else f"{mass / 1000.0:.3g} t"
        if mass < 1e6
        else f"{rounded(mass / 1000.0):,.0f} t".replace(",", " ")
    )


@dataclass(frozen=True)
class Kind:
    """What the panel, the charts and the stage show of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files, and in physics.systems
    cards : the fields of the panel, by the titles of their cards
    charts, more : what is drawn until one chooses, and what one can choose besides
    scene : how the stage draws it; a function, because PyVista takes a second to load
    facts : what the panel says of a world below the step, one fact a sentence; None: how far it turns in a step
    role : what the body of a file is taken for in it; None: a file alone makes no scenario of this kind
    """

    kind: str
    cards: Mapping[str, tuple[Field, ...]]
    charts: tuple[Quantity, ...]
    more: tuple[Quantity, ...]
    scene: Callable[[], SceneKind]
    facts: Callable[[World], str] | None = None
    role: BodyRole | None = None

    @property
    def choices(self) -> tuple[Quantity, ...]:
        """All charts that it can have."""
        return self.charts + self.more

    def chosen(self, titles: Sequence[str], world: World) -> tuple[Quantity, ...]:
        """The charts of these titles in their order, or those that are drawn of a world until one chooses."""
        choices = self.choices_in(world)
        usual = tuple(quantity for quantity in self.charts if quantity in choices)
        return tuple(quantity for quantity in choices if quantity.title in titles) or usual

    def choices_in(self, world: World) -> tuple[Quantity, ...]:
        """All charts that it can have of a world: where a law gives or takes energy, none of its error."""
        lossless = any(one.lossless for one in (world, *world.earlier, *world.variants.values()))
        return tuple(quantity for quantity in self.choices if lossless or not quantity.lossless)
