"""Edits: at a later time the tables that an edit names take the place of those of the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from physics.core.errors import ScenarioError

if TYPE_CHECKING:
    from physics.scenario.scenario import Scenario

# what an edit at a later time changes from there on; every other edit is one of the start
LATER = frozenset({"step", "body", "gravity", "soil", "forest", "vessel", "stop"})


def stretches(scenario: Scenario) -> tuple[tuple[Scenario, ...], tuple[float, ...]]:
    """The scenario without its edits, then as each edit leaves it; and the times [s] at which these begin.

    Raises ScenarioError, naming the edit, where one has no sense.
    """
    scenarios, times = [scenario.without_edits()], [0.0]
    for number, edit in enumerate(scenario.edit, 1):
        changes = dict(edit)
        time, before = changes.pop("time", None), scenarios[-1]
        if isinstance(time, bool) or not isinstance(time, int | float) or not times[-1] < time < scenario.duration:
            expected = f"expected a time [s] after {times[-1]:g} and before the end"
            raise ScenarioError(f"edit {number}.time", f"{expected}, got {time!r:.40}")
        if wrong := sorted(changes.keys() - LATER):
            raise ScenarioError(f"edit {number}.{wrong[0]}", f"expected one of {', '.join(sorted(LATER))}")
        try:
            after = before.changed(**changes)
        except ScenarioError as error:
            raise ScenarioError(f"edit {number}.{error.field}", error.message) from None
        if after.to_plain() == before.to_plain() or time - times[-1] < before.step:
            raise ScenarioError(f"edit {number}", "expected a change, at least a step after the edit before")
        scenarios.append(after)
        times.append(float(time))
    return tuple(scenarios), tuple(times)


def difference(before: Scenario, after: Scenario) -> dict[str, Any]:
    """What an edit must name to make one scenario of another; an empty table stands for its defaults."""
    old, new = before.to_plain(), after.to_plain()
    return {key: new.get(key, {}) for key in sorted(LATER) if old.get(key) != new.get(key)}
