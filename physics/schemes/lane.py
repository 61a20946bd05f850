"""Lane: a scheme with the scenario's step, or with one of its own; what is computed and shown under one name.

``implicit`` takes the scenario's step and ``implicit@0.005`` a step of 0.005 s, so that both can be seen side by side.
The name is the key of recordings, results, columns and folders.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from physics.core.errors import ScenarioError
from physics.schemes import SCHEMES, scheme_for
from physics.schemes.scheme import Scheme

MARK = "@"  # between the name of a scheme and a step
_STEP = re.compile(r"(?=.{1,24}$)[0-9]*\.?[0-9]+([eE][-+]?[0-9]{1,3})?")  # ends in a digit: names of folders may
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@dataclass(frozen=True)
class Lane:
    """A scheme and how long its steps are.

    Attributes
    ----------
    name : as in scenario files and on the command line
    scheme : its row in the table
    step : of its own [s]; None: that of the scenario
    """

    name: str
    scheme: Scheme
    step: float | None

    @property
    def row(self) -> Scheme:
        """The scheme's row under the lane's name, with a title that tells the step if it is the lane's own."""
        if self.step is None:
            return self.scheme
        title = f"{self.scheme.title}, h = {in_words(self.step)}"
        return replace(self.scheme, name=self.name, title=title, help_page=self.scheme.page)

    @property
    def identity(self) -> tuple[str, float | None]:
        """What no two lanes of a scenario have in common: ``implicit@0.005`` and ``implicit@5e-3`` are the same."""
        return self.scheme.name, self.step


def lane_of(name: str, kind: str | None = None, field: str = "schemes") -> Lane:
    """The lane of a name; ScenarioError where there is no such scheme, it cannot serve the kind, or the step is none.

    kind : of scenario, as in physics.schemes.scheme_for; None: any
    """
    of, mark, text = name.partition(MARK)
    if kind is None and of not in SCHEMES:
        raise ScenarioError(field, f"'{of:.40}' is not a scheme")
    scheme = SCHEMES[of] if kind is None else scheme_for(of, kind, field)
    if not mark:
        return Lane(name, scheme, None)
    step = float(text) if _STEP.fullmatch(text) else math.nan
    if not 0.0 < step < math.inf:
        raise ScenarioError(
            field, f"expected a step [s] above 0 behind the {MARK}, such as {of}{MARK}0.005, got '{name:.60}'"
        )
    return Lane(name, scheme, step)


def is_lane(name: str) -> bool:
    """Whether there is a lane of that name."""
    try:
        lane_of(name)
    except ScenarioError:
        return False
    return True


def lane_name(given: Any) -> Any:
    """The name of a lane that is given as a table, such as {scheme = "implicit", step = 0.005}; else what is given.

    Raises ValueError for a table of anything else.
    """
    if not isinstance(given, dict):
        return given
    scheme, step = given.get("scheme"), given.get("step")
    number = isinstance(step, int | float) and not isinstance(step, bool)
    if not isinstance(scheme, str) or not number or len(given) > 2:
        raise ValueError(f"expected a name or {{scheme = NAME, step = seconds}}, got {given!r:.60}")
    return f"{scheme}{MARK}{step!r}"


def scheme_named(given: Any) -> str:
    """The name of the scheme of a lane that is given as a name or as a table, "" where it is neither."""
    name = given.get("scheme") if isinstance(given, dict) else given
    return name.partition(MARK)[0] if isinstance(name, str) else ""


def in_words(step: float) -> str:
    """A step for people: ``5 ms``."""
    size, unit = next((one for one in _UNITS if step >= one[0] * (1 - 1e-9)), _UNITS[-1])
    return f"{step / size:.12g} {unit}"
