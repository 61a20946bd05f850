"""The history of what was opened and edited: undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from physics import Scenario
from physics.simulation.schedule import Schedule

MOST = 200  # steps that are remembered


@dataclass
class Document:
    """Where what is edited came from, and what of it is saved; all edits since it was opened share it.

    name : of its file; "" where it came from none
    path : of the session file to save to; None: ask
    saved : as it was opened or saved last; None: saved nowhere
    """

    name: str = ""
    path: Path | None = None
    saved: Schedule | None = None


@dataclass(frozen=True)
class Experiment:
    """What is computed, and the scenario as it was opened: what resetting the values takes again."""

    opened: Scenario
    schedule: Schedule
    document: Document = field(default_factory=Document, compare=False)

    @property
    def unsaved(self) -> bool:
        """Whether it differs from what was opened or saved."""
        return self.schedule != self.document.saved


@dataclass
class History:
    """Experiments in their order; ``at`` is the number of the current one, -1 for none.

    The current one may still be computing: ``reach`` says that it is shown, ``back`` returns to the one shown last.
    """

    steps: list[Experiment] = field(default_factory=list)
    at: int = -1
    _shown: tuple[list[Experiment], int] = field(default_factory=lambda: ([], -1))

    def push(self, experiment: Experiment) -> None:
        """Go to a new experiment; those that were undone are forgotten, unless it equals the current one."""
        if self.there(0) == experiment:
            self.steps = [*self.steps[: self.at], experiment, *self.steps[self.at + 1 :]]
        else:
            self.steps = [*self.steps[: self.at + 1], experiment][-MOST:]
            self.at = len(self.steps) - 1

    def there(self, by: int) -> Experiment | None:
        """The experiment so many steps away (-1: the one before), or None."""
        return self.steps[self.at + by] if 0 <= self.at + by < len(self.steps) else None

    def go(self, by: int) -> None:
        """Move to the experiment so many steps away."""
        assert self.there(by) is not None
        self.at += by

    def reach(self) -> None:
        """The current experiment is shown."""
        self._shown = self.steps, self.at

    def back(self) -> None:
        """Return to the experiment shown last: the current one failed."""
        self.steps, self.at = self._shown

    @property
    def shown(self) -> Experiment | None:
        """The experiment shown last."""
        steps, at = self._shown
        return steps[at] if at >= 0 else None
