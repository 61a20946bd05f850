"""The history of what was opened and edited: undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field

from physics import Scenario
from physics.simulation.schedule import Schedule

MOST = 200  # steps that are remembered


@dataclass(frozen=True)
class Experiment:
    """What is computed, and the scenario as it was opened: what resetting the values takes again."""

    opened: Scenario
    schedule: Schedule


@dataclass
class History:
    """Experiments in their order; ``at`` is the number of the one that is shown, -1 for none."""

    steps: list[Experiment] = field(default_factory=list)
    at: int = -1

    def push(self, experiment: Experiment) -> None:
        """Go to a new experiment; those that were undone are forgotten."""
        if self.at < 0 or self.steps[self.at] != experiment:
            self.steps = [*self.steps[: self.at + 1], experiment][-MOST:]
            self.at = len(self.steps) - 1

    def there(self, by: int) -> Experiment | None:
        """The experiment so many steps away (-1: the one before), or None."""
        return self.steps[self.at + by] if 0 <= self.at + by < len(self.steps) else None

    def go(self, by: int) -> None:
        """Move to the experiment so many steps away."""
        assert self.there(by) is not None
        self.at += by
