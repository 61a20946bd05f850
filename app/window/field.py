"""One value of a scenario that the panel lets one edit: its name, unit, range, source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from physics import Scenario


@dataclass(frozen=True)
class Field:
    """A value of a scenario that the panel lets one edit.

    Attributes
    ----------
    key : dotted name in the scenario (``"body.mass"``), also the field that errors name
    label, unit : for people
    parts : names of the components of a vector, () for a single value
    tip : what it is, its range, where a usual value is from
    whole : whether only whole numbers are meant
    optional : whether it may be left empty
    choices : words to choose from, () for numbers; "" stands for nothing
    endings : of the file that it names, () where it names none
    corners : whether it is a list of places x, y
    only : another field and its words with which alone this one means something; within tables of panel.WHOLE
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    tip: str = ""
    whole: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    corners: bool = False
    only: tuple[str, tuple[str, ...]] | None = None

    def of(self, scenario: Scenario) -> Any:
        """The value that a scenario holds: a number, a tuple, a word, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = getattr(value, name, None)
        return value

    def given(self, scenario: Scenario) -> Any:
        """The value that a scenario names itself; None where it is left to a preset or a default."""
        value: Any = scenario.to_plain()
        for name in self.key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return tuple(value) if isinstance(value, list) else value

    @property
    def angular(self) -> bool:
        """Whether the value may be shown in degrees."""
        return self.unit in ("rad", "rad/s")
