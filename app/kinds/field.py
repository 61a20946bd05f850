"""One value of a scenario that the panel lets one edit: its name, unit, range, source."""

from __future__ import annotations

from collections.abc import Callable
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
    empty : what an empty field stands for; None: that the scenario does not name it
    choices : words to choose from, () for numbers; "" stands for nothing, which is called ``nothing``
    endings : of the file that it names, () where it names none
    corners : least number of places x, y in a list of them; 0: it is no such list
    form : what else it is: "distribution", "barriers", "pieces", "text"
    only : another field of the same table and its values with which alone this one means something; (): any value
    reads : how its value is read from a scenario where it is not as the scenario names it
    notes : what is said below the choice of some words: word, sentence
    told : whether the scenario tells it by which of the fields it names that have this one as their ``only``
    fits : whether a scenario can have it; None: where it has a value, or the field may be empty
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    tip: str = ""
    whole: bool = False
    optional: bool = False
    empty: Any = None
    choices: tuple[str, ...] = ()
    nothing: str = "None"
    endings: tuple[str, ...] = ()
    corners: int = 0
    form: str = ""
    only: tuple[str, tuple[str | None, ...]] | None = None
    reads: Callable[[Scenario], Any] | None = None
    notes: tuple[tuple[str, str], ...] = ()
    told: bool = False
    fits: Callable[[Scenario], bool] | None = None

    def of(self, scenario: Scenario) -> Any:
        """The value that a scenario holds: a number, a tuple, a word, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = getattr(value, name, None)
        return value

    def given(self, scenario: Scenario) -> Any:
        """The value that a scenario names itself, lists as tuples; None where it is left to a preset or a default."""
        value: Any = scenario.to_plain()
        for name in self.key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return frozen(value)

    def shown(self, scenario: Scenario) -> Any:
        """What the panel shows of it: of what may be empty only what the scenario names itself."""
        if self.reads is not None:
            return self.reads(scenario)
        return self.given(scenario) if self.optional or self.corners or self.form else self.of(scenario)

    def serves(self, scenario: Scenario) -> bool:
        """Whether the panel has this field for a scenario."""
        if self.fits is not None:
            return self.fits(scenario)
        return self.optional or self.only is not None or self.shown(scenario) is not None

    @property
    def angular(self) -> bool:
        """Whether the value may be shown in degrees."""
        return self.unit in ("rad", "rad/s")


def frozen(value: Any) -> Any:
    """Plain values with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value
