"""The results that a plan shows: of one scheme of an ensemble, read from its folder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.document.results_folder import summary_of
from app.ensemble.layers import maps_of, read_deposits, read_map, results_of
from app.stage.text.colour_map import Bar, spanning
from physics import ScenarioError
from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld

PRINTED = "inferno_r 0.08 0.9"  # of maps on paper: pale where there is little, dark where there is much


@dataclass(frozen=True)
class PlanResults:
    """What an ensemble left behind: a scheme, its rocks, where they rest (n, 2) [m], and a map if one is named.

    values : (ny, nx) of the map on the terrain's grid, NaN where there is nothing; None without a map
    """

    lane: str
    rocks: int
    deposits: Array
    bar: Bar | None = None
    values: Array | None = None


def plan_results(world: RockfallWorld) -> PlanResults | None:
    """The results that the export table of a world names; None where it names none.

    Raises ScenarioError, naming the folder, where it holds nothing of the schemes that are asked for.
    """
    scenario, export = world.scenario, world.scenario.export
    folder = results_of(scenario)
    if folder is None:
        return None
    told = summary_of(folder).get("schemes")
    counted = told if isinstance(told, dict) else {}
    known = maps_of(scenario) if export.map is not None else dict.fromkeys(scenario.schemes, folder)
    lanes = [name for name in known if name in counted and export.whose in (None, name)]
    if not lanes:
        raise ScenarioError("export.results", f"holds nothing of {export.whose or ' or '.join(known)}", folder)
    lane, rocks = lanes[0], int(counted[lanes[0]]["rocks"])
    deposits = read_deposits(folder / "deposits.geojson", lane)
    if export.map is None:
        return PlanResults(lane, rocks, deposits)
    heading, unit, values = read_map(known[lane], world.terrain)
    values = np.where(values > 0.0, values, np.nan)
    bar = spanning(heading, unit, PRINTED, 0.99, [values])
    return PlanResults(lane, rocks, deposits, bar, values)
