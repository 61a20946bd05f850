"""History of opened and edited scenarios, for undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from app.document.session import SessionView
from physics import Scenario
from physics.simulation.schedule import Schedule

MAX_STEPS_BACK = 200  # steps


@dataclass
class Document:
    """Origin and saved state of a scenario, shared by all edits since it was opened.

    name : of its file; "" if there is none
    path : session file to save to; None: ask
    saved : state when it was opened or saved last; None: not saved
    stamp : of the file at that time, see ``app.document.session.stamp_of``
    left_out : lanes and schemes that its file names and the window leaves out
    left : how a window shows it once it is there: as its file says, or, for undo, as when another document took its
        place; None: it is shown, or nothing says how
    """

    name: str = ""
    path: Path | None = None
    saved: Schedule | None = None
    stamp: tuple[int, ...] | None = None
    left_out: tuple[str, ...] = ()
    left: SessionView | None = None


@dataclass(frozen=True)
class Experiment:
    """A schedule to compute, and the scenario as it was opened, to reset values to."""

    opened: Scenario
    schedule: Schedule
    document: Document = field(default_factory=Document, compare=False)

    @property
    def unsaved(self) -> bool:
        """True if it differs from what was opened or saved."""
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
        """Go to a new experiment, and drop those that were undone unless it equals the current one."""
        if self.there(0) == experiment:
            self.steps = [*self.steps[: self.at], experiment, *self.steps[self.at + 1 :]]
        else:
            self.steps = [*self.steps[: self.at + 1], experiment][-MAX_STEPS_BACK:]
            self.at = len(self.steps) - 1

    def there(self, by: int) -> Experiment | None:
        """The experiment ``by`` steps away (-1: the previous one), or None."""
        return self.steps[self.at + by] if 0 <= self.at + by < len(self.steps) else None

    def go(self, by: int) -> None:
        """Move to the experiment ``by`` steps away."""
        assert self.there(by) is not None
        self.at += by

    def reach(self) -> None:
        """Note that the current experiment is shown."""
        self._shown = self.steps, self.at

    def back(self) -> None:
        """Return to the experiment shown last: the current one failed."""
        self.steps, self.at = self._shown

    @property
    def shown(self) -> Experiment | None:
        """The experiment shown last."""
        steps, at = self._shown
        return steps[at] if at >= 0 else None
