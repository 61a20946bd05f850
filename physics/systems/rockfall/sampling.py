"""Sampled rocks: what is random about the rocks of an ensemble.

A rock is known by its number: all that is drawn for it, and for rock 0 as for the others, comes from the ensemble's
seed and this number. So any rock can be run again alone, bit for bit, and none depends on how many there are. Each
kind of draw has a stream of its own: where rocks start does not change when their sizes are drawn as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from physics.bodies import shapes
from physics.bodies.body import Body, check_numbers
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, random_attitudes
from physics.core.wording import N_
from physics.scenario.common_config import BodyConfig
from physics.systems.rockfall.blocks import Blocks
from physics.systems.rockfall.ground_config import SoilLaws
from physics.systems.rockfall.release import ReleaseSource
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.scenario_body import random_rock
from physics.terrain.terrain import Terrain

ORIENTATION, PLACE, SIZE, SHAPE, GROUND, CLASS, LAWS = range(7)  # the streams of a rock


def varies(scenario: RockfallScenario, soils: Iterable[SoilLaws] | None = None) -> bool:
    """True if the rocks of the scenario's ensemble differ; soils: of its cover, None: those that it names itself."""
    placed = scenario.initial.position is None and scenario.release.place not in (None, "position")
    return placed or draws(scenario, soils) or scenario.body.blocks is not None


def draws(scenario: RockfallScenario, soils: Iterable[SoilLaws] | None = None) -> bool:
    """True if orientation, size, shape or laws of a rock are drawn, or bumps of the ground on its way."""
    bodies = scenario.initial.orientation == "random" or not scenario.alike
    return (
        bodies
        or scenario.ensemble.posterior is not None
        or any(law.roughness > 0.0 for law in (_soils(scenario) if soils is None else soils))
    )


def _soils(scenario: RockfallScenario) -> Iterator[SoilLaws]:
    """The soils that a scenario names itself; a file of zones may name more."""
    yield scenario.soil
    yield from scenario.soil.zone
    yield from (p.soil for p in (scenario.terrain.piece if scenario.terrain else ()) if p.soil is not None)


def stream(scenario: RockfallScenario, rock: int, kind: int) -> np.random.Generator:
    """The random numbers of one rock for one kind of draw."""
    return np.random.default_rng(np.random.SeedSequence([scenario.ensemble.seed, rock, kind]))


def key_of(scenario: RockfallScenario, rock: int) -> np.uint64:
    """Key of a rock's stream of random numbers, one for each touch-down, see physics.contact.places."""
    words = np.random.SeedSequence([scenario.ensemble.seed, rock, GROUND]).generate_state(1, np.uint64)
    return np.uint64(words[0])


def class_of(scenario: RockfallScenario, rock: int) -> int:
    """The class of a rock, from 1 on; 0 where the scenario has none."""
    if not scenario.scenario_class:
        return 0
    return 1 + int(np.searchsorted(scenario.shares[:-1], stream(scenario, rock, CLASS).random(), side="right"))


class SampledRock(NamedTuple):
    """Random values of a rock: its body; orientation (4,) and x, y [m] of its start, None if given.

    altitude: z [m] of the start, None where its height above the ground is given.
    """

    body: Body
    orientation: Array | None
    place: tuple[float, float] | None
    altitude: float | None = None


def drawn(
    scenario: RockfallScenario,
    pattern: Body | Blocks,
    terrain: Terrain,
    source: ReleaseSource | None,
    rock: int,
) -> SampledRock:
    """Draw the random values of one rock of a scenario's ensemble.

    pattern: the body as the scenario gives it, or its blocks; source: where rocks start, None where the position is
    given. Raises ScenarioError when the rock drawn is larger than the map.
    """
    if isinstance(pattern, Blocks):
        body = _body(scenario, pattern.tables[rock % len(pattern)], pattern.body(rock), rock)
    else:
        body = _body(scenario, scenario.body, pattern, rock)
    check_size(body, terrain, rock)
    orientation, place, altitude = None, None, None
    if scenario.initial.orientation == "random":
        orientation = random_attitudes(stream(scenario, rock, ORIENTATION), 1)[0]
    if source is not None:
        place, altitude = source.place(rock, stream(scenario, rock, PLACE)), source.altitude(rock)
    return SampledRock(body, orientation, place, altitude)


def _body(scenario: RockfallScenario, table: BodyConfig, pattern: Body, rock: int) -> Body:
    """The body of one rock; ``pattern`` is the body as ``table`` gives it."""
    ensemble = scenario.ensemble
    if ensemble.shapes == "each" and table.form == "random":
        pattern = random_rock(table, np.random.SeedSequence([ensemble.seed, rock, SHAPE, table.seed]))
    sized = scenario.scenario_class[class_of(scenario, rock) - 1] if scenario.scenario_class else None
    key, distribution = ensemble.size or ("volume", sized)
    if distribution is None:
        return pattern
    value = distribution.at(float(stream(scenario, rock, SIZE).random()))
    if key == "extent":
        body = shapes.scaled(pattern, value / float(pattern.extents.max()))
    else:
        own = pattern.volume if key == "volume" else pattern.mass
        body = shapes.scaled(pattern, (value / own) ** (1.0 / 3.0))
    check_numbers(body, body.inertia)
    return body


def check_size(body: Body, terrain: Terrain, rock: int) -> None:
    """ScenarioError for a rock that is larger than the map."""
    x0, x1, y0, y1 = terrain.extent
    if 2.0 * body.radius > min(x1 - x0, y1 - y0):
        raise ScenarioError(
            "body",
            N_(
                "rock {rock} measures {radius:.3g} m and the map {x0:.3g} x {y0:.3g} m; expected a "
                "smaller rock; a file in millimetres takes scale = 0.001",
                rock,
                2.0 * body.radius,
                x1 - x0,
                y1 - y0,
            ),
        )
