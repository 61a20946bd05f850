"""The errors that physics raises: each names the field at fault and says what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from physics.core.wording import joined


class PhysicsError(Exception):
    """Raised if a run cannot be done although its input is well formed.

    It is not a ``ValueError``, as ``ScenarioError`` is: other input need not help.

    Examples
    --------
    >>> import physics
    >>> issubclass(physics.PhysicsError, ValueError), issubclass(physics.ScenarioError, ValueError)
    (False, True)
    """


class ScenarioError(ValueError):
    """Raised if an input is wrong; names file and field, and says what was expected.

    Parameters
    ----------
    field : str
        Dotted name of the field at fault (``"body.mass"``), or ``""`` if the whole file is meant.
    message : str
        What was expected and what was found, without the field's name; see ``physics.core.wording``.
    file : str or Path, optional
        File that holds the field.

    Examples
    --------
    >>> import physics
    >>> try:
    ...     physics.Scenario(kind="free", duration=1.0, step=-0.1)
    ... except physics.ScenarioError as error:
    ...     print(error.field, "-", error)
    step - step: expected a number above 0, got -0.1
    """

    def __init__(self, field: str, message: str, file: str | Path | None = None) -> None:
        self.field, self.message, self.file = field, message, file
        places = ([str(file)] if file is not None else []) + ([field] if field else [])
        super().__init__(joined(": ", [*places, message]))

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str | Path | None]]:
        return type(self), (self.field, self.message, self.file)  # pickle would pass the joined text alone

    def in_file(self, file: str | Path) -> Self:
        """The same error, naming the file in which the field stands (a file already named stays)."""
        return type(self)(self.field, self.message, self.file or file)


class NotInMetres(ScenarioError):
    """A map is in degrees or feet where metres are expected; ``project`` of its table would project it."""


@contextmanager
def naming(file: str | Path) -> Iterator[None]:
    """Context for reading a file and building its content: each ScenarioError names the file."""
    try:
        yield
    except ScenarioError as error:
        raise error.in_file(file) from None
