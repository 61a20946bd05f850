"""The errors that physics raises: each names the field at fault and says what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from physics.core.wording import joined


class PhysicsError(Exception):
    """A run could not be done although its input was well formed."""


class ScenarioError(ValueError):
    """An input is wrong.

    Parameters
    ----------
    field : dotted name of the field at fault (``"body.mass"``), or ``""`` when the whole file is meant
    message : what was expected and what was found, without the field's name; see ``physics.core.wording``
    file : the file that holds the field, when there is one
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
