"""Batch: a scenario whose batch table lists values, as one scenario for each combination of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.scenario.file_references import check_name, names_in
from physics.scenario.scenario import Scenario

MOST = 1000  # scenarios of a batch


def combinations(scenario: Scenario) -> list[tuple[str, Scenario]]:
    """Each combination of the listed values: a name with them ("step 0.01, mu_min 0.3"), and the scenario.

    A scenario without a batch table is a batch of one, without a name. Raises ScenarioError that names the list.
    """
    lists = dict(_lists(scenario.batch, ""))
    if math.prod(map(len, lists.values())) > MOST:
        raise ScenarioError("batch", N_("more than {most} combinations; expected shorter lists", MOST))
    for name in lists:
        if name.partition(".")[0] not in type(scenario).model_fields.keys() - {"batch", "folder"}:
            raise ScenarioError(f"batch.{name}", N_("expected a field of a scenario"))
    plain = scenario.changed(batch={})
    made = [_made(plain, dict(zip(lists, values, strict=True))) for values in itertools.product(*lists.values())]
    _check_files(plain, made)
    return made


def _lists(table: dict[str, Any], place: str) -> Iterator[tuple[str, list[Any]]]:
    for key, value in table.items():
        name = f"{place}{key}"
        if isinstance(value, dict):
            yield from _lists(value, f"{name}.")
        elif isinstance(value, list | tuple) and value:
            yield name, list(value)
        else:
            raise ScenarioError(f"batch.{name}", N_("expected a list of values, got {value!r:.40}", value))


def _made(scenario: Scenario, values: dict[str, Any]) -> tuple[str, Scenario]:
    name = ", ".join(N_("{field} {value}", field.rpartition(".")[2], _text(value)) for field, value in values.items())
    if isinstance(values.get("schemes"), str):
        values = values | {"schemes": (values["schemes"],)}
    title = ", ".join(filter(None, [scenario.title, name]))
    try:
        return name, scenario.changed(**{"title": title} | values) if values else scenario
    except ScenarioError as error:
        raise ScenarioError(f"batch.{error.field}", error.message) from None


def _check_files(plain: Scenario, made: list[tuple[str, Scenario]]) -> None:
    """ScenarioError for a name of a file in one of the lists that a scenario's own file may not hold either."""
    known = set(names_in(plain.to_plain()))
    for _, scenario in made:
        for field, name in names_in(scenario.to_plain()):
            if (field, name) not in known:
                check_name(f"batch.{field}", name, scenario.folder)


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    return f"{value:g}" if isinstance(value, int | float) else str(value)
