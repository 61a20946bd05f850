"""Ensembles of rocks for the figures and tables of Leine et al. (2021), section 6: each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assets
import physics
from physics.core.rotation import Array
from physics.hazard.ensemble import Ensemble
from physics.hazard.results_folder import summarised
from physics.hazard.statistics import BY_DISTANCE, QUANTITIES
from physics.simulation.schedule import record_schedule, recording
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World
from physics.terrain.terrain import Terrain

RAMP, CHANT_SURA = "rock-ramp", "rock-chant-sura-like"
SCHEMES = ("explicit", "implicit")
ROCKS = 1000  # rocks as in the paper


@dataclass(frozen=True)
class RockEnsemble:
    """Results of an ensemble of one scheme.

    Attributes
    ----------
    summary : quantity -> mean, std, ...; as in summary.json
    maps : name -> (ny, nx), float32, on the terrain's nodes
    runouts : (rocks,) [m]
    by_rock : (rocks, 4, 2) for each of QUANTITIES the length of the path [m] and the quantity's sum along it
    seconds : of processor time
    """

    terrain: Terrain
    release: Array
    summary: dict[str, Any]
    maps: dict[str, NDArray[np.float32]]
    runouts: Array
    by_rock: Array
    seconds: float

    def mean(self, quantity: str) -> float:
        """Mean of a quantity, by distance along the paths, or of a number a rock."""
        return float(self.summary[quantity]["mean"])

    def error(self, quantity: str) -> float:
        """Standard error of ``mean``, from what the rocks differ: of a ratio of two sums over them."""
        length, total = self.by_rock[:, list(QUANTITIES).index(quantity)].T
        apart = total - total.sum() / length.sum() * length
        return float(np.sqrt(np.sum(apart**2)) / length.sum())

    def spread(self, x: float) -> float:
        """Standard deviation across the slope [m] of the passages through the cells at x [m]; NaN where none passed."""
        passages = self.maps["passages"][:, round((x - self.terrain.origin[0]) / self.terrain.cell[0])]
        y = self.terrain.origin[1] + self.terrain.cell[1] * np.arange(len(passages))
        if not passages.any():
            return float("nan")
        mean = np.average(y, weights=passages)
        return float(np.sqrt(np.average((y - mean) ** 2, weights=passages)))


@cache
def scenario_of(name: str) -> RockfallScenario:
    """The scenario of that name in the program's own collection, with the soil of the ramp: one set for both slopes.

    Its maps count rocks in the cells of the grid, as the paper's do.
    """
    scenario = physics.load_scenario(assets.SCENARIOS / f"{name}.toml")
    if name != RAMP:
        scenario = scenario.changed(soil=scenario_of(RAMP).soil.model_dump(exclude_unset=True))
    (cell, _) = RockfallWorld.of(of_rocks(scenario)).terrain.cell
    return of_rocks(scenario.changed(**{"hazard.cell": float(cell)}))


@cache
def rock_ensemble(
    name: str, scheme: str, rocks: int, step: float = 0.002, scar: tuple[float, float] | None = None
) -> RockEnsemble:
    """The rocks of a scenario of the collection under one scheme, as many workers as processors.

    scar: modulus [N/m²] and coefficient of the soil, in place of the scenario's.
    """
    scenario = scenario_of(name).changed(**{"schemes": [scheme], "step": step, "ensemble.rocks": rocks})
    if scar is not None:
        scenario = scenario.changed(**{"soil.scar.modulus": scar[0], "soil.scar.coefficient": scar[1]})
    _warm(scenario)
    ensemble = Ensemble(World.of(scenario))
    statistics = ensemble.results[scheme].statistics
    sums = [statistics.sums[BY_DISTANCE, :, :2].copy() for _ in ensemble.march()]  # after each rock
    found = summarised(ensemble)["schemes"][scheme]
    terrain = ensemble.world.terrain
    maps = {name: values.reshape(terrain.heights.shape) for name, _, values in ensemble.results[scheme].maps.layers()}
    wanted = {key: maps[key] for key in ("passages", "kinetic_energy_max")}
    return RockEnsemble(
        terrain,
        ensemble.world.position,
        found,
        wanted,
        ensemble.results[scheme].rows.column("runout"),
        np.diff(sums, axis=0, prepend=0.0),
        ensemble.cpu_time,
    )


def _warm(scenario: physics.Scenario) -> None:
    """Compile before the clock runs."""
    for _ in Ensemble(World.of(scenario.changed(**{"ensemble.rocks": 1, "duration": scenario.step}))).march(1):
        pass


def toe(fall: RockEnsemble) -> float:
    """x [m] of the foot of the ramp: where the ground is as low as at its end."""
    middle = fall.terrain.heights[len(fall.terrain.heights) // 2]
    return float(fall.terrain.origin[0] + fall.terrain.cell[0] * np.argmax(middle <= middle[-1] + 1e-6))


def typical(falls: list[RockEnsemble]) -> int:
    """The rock whose run-outs under all schemes are nearest to the means, in standard deviations."""
    apart = sum(np.abs(f.runouts - f.runouts.mean()) / max(float(f.runouts.std()), 1e-9) for f in falls)
    return int(np.argmin(apart))


@cache
def path(name: str, scheme: str, rock: int) -> physics.Trajectory:
    """One rock of the ensemble by itself, bit for bit as in it."""
    scenario = scenario_of(name).changed(schemes=[scheme], step=0.002, record_every=5)
    world = RockfallWorld.of(scenario).with_rock(rock)
    into = recording(world, scheme)
    for _ in record_schedule([world], scheme, into, rows=8192):
        pass
    return into.trajectory()


def nanoseconds(fall: RockEnsemble) -> float:
    """Processor time of a step [ns]."""
    return 1e9 * fall.seconds / int(fall.summary["steps"])
