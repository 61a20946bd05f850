"""Facts of a validation as results tell them: of one scheme, beside what was measured; and read again from a file."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.input_checks import finite
from physics.ensembles.ensemble import Results
from physics.ensembles.validation import BANDS, QUANTILES, Measured, measured_of, validate
from physics.systems.rockfall.world import RockfallWorld

MOST_ZONES = 1000  # that are read again
MOST_WORDS = 1000  # letters of a sentence


class Validator:
    """Compares the rocks of an ensemble, as often as one asks, with what was measured on its slope."""

    def __init__(self, world: RockfallWorld) -> None:
        self._world = world

    @cached_property
    def _measured(self) -> Measured | ScenarioError | None:
        """What was measured; why that cannot be compared; None: nothing was."""
        stops = self._world.observed.stops
        try:
            return None if stops is None else measured_of(self._world, stops)
        except ScenarioError as error:
            return error

    def facts(self, name: str, found: Results) -> dict[str, Any]:
        """What ``Measured.facts`` tells, and ``computed``; or ``fault``, a sentence; empty: nothing is compared."""
        measured = self._measured
        if measured is None or not len(found.rows):
            return {}
        if isinstance(measured, ScenarioError):
            return {"fault": str(measured)}
        return measured.facts() | {"computed": validate(self._world, measured, {name: found}).facts_of(name)}


def checked(found: dict[str, Any]) -> dict[str, Any]:
    """The facts that a file tells, as numbers; what physics.core.input_checks.DAMAGED names where they are none."""
    if not found or "fault" in found:
        return {"fault": str(found["fault"])} if found else {}
    rule, resampled = found["baselines"]["reach_angle"], found["baselines"]["resampled"]
    told = {"fitted": str(found["fitted"])[:MOST_WORDS]} if found.get("fitted") else {}
    return told | {
        "measured": _distribution(found["measured"]),
        "zones": _zones(found["zones"]),
        "baselines": {
            "resampled": {key: finite(resampled[key]) for key in ("median", "q95")},
            "reach_angle": _comparison(rule) | {"angle": finite(rule["angle"])},
        },
        "computed": _comparison(found["computed"]) | {"zones": _zones(found["computed"]["zones"])},
    }


def _distribution(found: dict[str, Any]) -> dict[str, Any]:
    percentiles = [finite(value) for value in found["percentiles"]]
    if len(percentiles) != 101 or percentiles != sorted(percentiles):
        raise ValueError("percentiles")
    quantiles = {key: finite(found["quantiles"][key]) for key in QUANTILES}
    numbers = {key: finite(found[key]) for key in ("mean", "std")}
    return {"rocks": int(found["rocks"]), "quantiles": quantiles, "percentiles": percentiles, **numbers}


def _comparison(found: dict[str, Any]) -> dict[str, Any]:
    numbers = {key: finite(found[key]) for key in ("wasserstein", "ks", "p_value", "censored")}
    keys = ("share", "low", "high", "measured", "spread")
    bands = [{key: finite(band[key]) for key in keys} for band in found["bands"][:10]]
    if len(bands) != len(BANDS):
        raise ValueError("bands")
    return {"computed": _distribution(found["computed"]), "bands": bands, **numbers}


def _zones(found: dict[str, Any]) -> dict[str, float]:
    return {str(name)[:100]: finite(share) for name, share in list(found.items())[:MOST_ZONES]}
