"""Fitted scenarios: which measured runs their numbers were fitted on, so that no comparison with these misleads."""

from __future__ import annotations

import difflib
import hashlib
from contextlib import suppress

from physics.core.errors import ScenarioError
from physics.scenario.common_config import Table
from physics.scenario.scenario import Scenario
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import RockfallScenario


def fingerprints(stops: Stops) -> list[str]:
    """Of each run, the same in any file: a digest of the millimetre on which the rock stopped."""
    texts = (f"{x:.3f} {y:.3f}" for x, y in stops.places.tolist())
    return [hashlib.blake2b(text.encode(), digest_size=6).hexdigest() for text in texts]


def told(scenario: RockfallScenario, stops: Stops) -> str:
    """That a scenario is fitted, and on how many of the measured runs, in a sentence; "" where it is not."""
    if (fitted := scenario.fitted) is None:
        return ""
    here = fingerprints(stops)
    same, held = (sum(one in part for one in here) for part in map(set, (fitted.runs, fitted.held_out)))
    which = f"on {same} of these {len(here)} runs" if same else f"on other runs ({fitted.table or 'of another file'})"
    changed = [field for field, value in fitted.values.items() if not _is(scenario, field, value)]
    said = [f"Fitted {which}, not a prediction: {', '.join(fitted.values)}"]
    said += [f"{held} of these were held out"] if held else []
    said += [f"changed since: {', '.join(changed)}"] if changed else []
    return "; ".join(said)


def value_of(scenario: Scenario, field: str) -> object:
    """What a scenario has in a field with a dotted name, also where its file leaves it out.

    Raises ScenarioError for a field that it does not have.
    """
    found: object = scenario
    for key in field.split("."):
        if found is None:
            raise ScenarioError(field, "the scenario has no such table")
        names = {} if not isinstance(found, Table) else _names(found)
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            raise ScenarioError(field, "unknown field" + (f"; did you mean '{near[0]}'?" if near else ""))
        found = getattr(found, names[key])
    return found


def _names(table: Table) -> dict[str, str]:
    """The keys of a table, with the attributes that hold them."""
    return {info.alias or name: name for name, info in type(table).model_fields.items()}


def _is(scenario: Scenario, field: str, value: float) -> bool:
    """Whether a field has a value."""
    with suppress(ScenarioError):
        return value_of(scenario, field) == value
    return False
