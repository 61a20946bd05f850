"""What may wait for a moment between two frames: tasks, each done in a turn of the event loop of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Task = Callable[[], object]


class TaskQueue:
    """Tasks in the order in which they came; one that waits already is not added again."""

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def add(self, task: Task) -> None:
        """Have a task done soon."""
        if task not in self._tasks:
            self._tasks.append(task)

    def take(self) -> Task | None:
        """The task that has waited longest, which waits no longer; None where none waits."""
        return self._tasks.popleft() if self._tasks else None
