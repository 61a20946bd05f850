"""Kind: one row of the registry, the display of a system; and the role of a body that is read from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.kinds.field import Field
from app.kinds.quantities import Quantity
from app.kinds.step_words import step_words
from app.system.language import in_all_languages, tr
from physics import Scenario, World
from physics.bodies.mesh_io import METRES, MeshReading
from physics.core.rotation import Array
from physics.core.wording import N_, Wording
from physics.hydrostatics.hull import LoadedHull
from physics.hydrostatics.stability_sheet import SheetInputs

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.lane_scene import SceneKind

ROCK = 2700.0  # density [kg/m³]
UNITS = {"metres": 1.0, "millimetres": 1e-3, "centimetres": 1e-2, "inches": 0.0254, "feet": 0.3048}  # [m] of a mesh
GUESSED = 3  # number of the first units that are guessed


@dataclass(frozen=True)
class BodyRole:
    """Role of the body in a file: a free body, a rock on a slope, or a ship.

    Attributes
    ----------
    name : on the command line
    word, tip : of its button
    scenario : from the file, how it is read, and the rockfall scenario whose slope a rock falls on (None: the alpine
        example)
    usual : the least and the largest extent [m] that are usual
    load : what gives its mass, in words
    table : of the scenario, which names the file
    laden : whether the first file that is named there brings its load with it
    """

    name: str
    word: str
    tip: str
    scenario: Callable[[Path, MeshReading, Scenario | None], Scenario]
    usual: tuple[float, float]
    load: Callable[[World], str]
    table: str = "body"
    laden: bool = False

    def guessed_scale(self, extent: float) -> float:
        """The unit [m] of a mesh by its largest extent: the first with a usual size, else metres or millimetres."""
        least, largest = self.usual
        for scale in (*UNITS.values(),)[:GUESSED]:
            if least <= scale * extent <= largest:
                return scale
        return UNITS["metres" if extent <= largest else "millimetres"]


def of_rock(_: World) -> str:
    """The density of a body from a file."""
    return tr("with the density of rock, {density:g} kg/m³").format(density=ROCK)


def solid(file: Path, reading: MeshReading) -> dict[str, object]:
    """The [body] section of a solid, without its mass."""
    if file.suffix.lower() in (".pts", ".xyz"):
        return points(file, reading)
    return {"shape": "mesh", "file": str(file)} | reading.given()


def points(file: Path, reading: MeshReading) -> dict[str, object]:
    """The [body] section of the convex hull of the file's points, which is closed and needs no repair."""
    return {"shape": "hull", "file": str(file)} | reading.given("repair")


def measures(reading: MeshReading, extents: Array, mass: float) -> Wording:
    """The assumed unit of a file in words, with the resulting extents (3,) [m] and mass [kg]."""
    unit = N_("metres") if reading.scale == 1.0 else N_("units of {scale:g} m", reading.scale)
    return N_(
        "taken to be given in {unit}: {extents} m, {mass}",
        unit,
        " x ".join(f"{rounded(one):g}" for one in extents),
        tonnes(mass),
    )


def names_measures(note: str) -> bool:
    """True for a note with ``measures``, in any language; what it tells holds as long as the body is as it was."""
    return any(
        words.partition("{")[0] in note for words in in_all_languages(measures(METRES, np.ones(3), 1.0).template)
    )


def rounded(value: float, digits: int = 3) -> float:
    """A number rounded to significant digits."""
    return float(f"{value:.{digits}g}")


def simple(value: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not above a value, so that durations are whole steps."""
    power = math.floor(math.log10(value))
    return float(f"{max(d for d in (1, 2, 5) if d <= value / 10.0**power * (1 + 1e-12))}e{power}")


def tonnes(mass: float) -> str:
    """A mass [kg] in words, in tonnes from 1000 kg on."""
    if mass < 1000.0:
        return f"{mass:.3g} kg"
    return f"{mass / 1000.0:.3g} t" if mass < 1e6 else f"{rounded(mass / 1000.0):,.0f} t".replace(",", " ")


class Layers(NamedTuple):
    """Results in folders that a picture of a terrain can show, where the export table names some.

    check : raises ScenarioError where they are not there, or are of another kind
    lay : shows them on a stage; ScenarioError where they cannot be read
    maps : names of the maps in the folder, by their titles
    notes : sentences on what was edited since they were computed
    """

    check: Callable[[Scenario], None]
    lay: Callable[[Stage, World], None]
    maps: Callable[[Scenario], dict[str, str]]
    notes: Callable[[Scenario], tuple[str, ...]]


@dataclass(frozen=True)
class Kind:
    """A kind of scenario as the panel, the charts and the stage show it.

    Attributes
    ----------
    kind : as in scenario files, and in physics.systems
    cards : fields of the panel, by the title of their card
    charts, more : charts drawn by default, and further ones to choose from
    scene : makes the scene that the stage draws; a function, because PyVista takes a second to load
    facts : text of the panel below the step, one fact a sentence; by default the steps in a turn
    prepare : computes what panel and stage need of a world, and compiles its kernels, which other kernels that are
        being compiled would else hold up; returns what can wait until all is computed, or None. None: they need nothing
        that takes long
    role : role of a body that is read from a file; None: a file alone makes no scenario of this kind
    load : the loaded hull of a scenario, and inputs of its hydrostatic sheet; None: nothing floats by a hull
    layers : of results, see Layers; a function, because a start of the window does not need them
    part_fields : fields of the one table of a list of parts (``"body"``) that has a number; none if it is not there.
        None: no scenario has such lists
    """

    kind: str
    cards: Mapping[str, tuple[Field, ...]]
    charts: tuple[Quantity, ...]
    more: tuple[Quantity, ...]
    scene: Callable[[], SceneKind]
    facts: Callable[[World], str] = step_words
    prepare: Callable[[World], Callable[[], object] | None] | None = None
    role: BodyRole | None = None
    load: Callable[[Scenario], tuple[LoadedHull, SheetInputs]] | None = None
    layers: Callable[[], Layers] | None = None
    part_fields: Callable[[Scenario, str, int], tuple[Field, ...]] | None = None

    @property
    def choices(self) -> tuple[Quantity, ...]:
        """All charts of this kind."""
        return self.charts + self.more

    def chosen(self, titles: Sequence[str], world: World, logarithmic: bool = False) -> tuple[Quantity, ...]:
        """Charts with these titles; the default ones of a world if there are none; logarithmic: see Quantity.scaled."""
        choices = self.choices_in(world)
        usual = tuple(quantity for quantity in self.charts if quantity in choices)
        found = tuple(quantity for quantity in choices if quantity.title in titles) or usual
        return tuple(quantity.scaled(logarithmic) for quantity in found)

    def choices_in(self, world: World) -> tuple[Quantity, ...]:
        """All charts of a world; no energy error where a law gives or takes energy."""
        worlds = (world, *world.earlier, *world.variants.values())
        return tuple(one for one in self.choices if one.fits is None or any(map(one.fits, worlds)))
