"""Lane: a scheme, with a step and a variant of the scenario; what is computed and shown under one name.

``implicit`` takes the scenario's step and ``implicit@0.005`` a step of 0.005 s, so that both can be seen side by side.
``implicit:above`` starts or is acted on as the scenario's variant ``above`` says; both may be named:
``implicit:above@0.005``. The name is the key of recordings, results, columns and folders. ``measured:phone`` and
``identified:phone`` are no schemes but what a file holds, and the motion fitted to it, see physics.measured.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from physics.bibliography import Source
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.schemes import SCHEMES, scheme_for
from physics.schemes.scheme import Scheme

MEASURED, IDENTIFIED = "measured", "identified"


def _no_step(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop of a step that never has a solution: what was measured, or fitted to it, takes no steps."""
    return 0, float("nan")


_MEASURED_ROW = Scheme(
    name=MEASURED,
    title="Measured",
    source=Source("read from a file", "Measured"),
    equations="not computed",
    order=None,
    energy="drifts",
    cost=0.0,
    alone=(),
    advice=N_("What a sensor on the body has recorded."),
    letter="Me",
    march=_no_step,
    remedy=N_("choose another part of the file"),
    family="own",
    help_page="measured-motion",
    colour="#2255FF",
    dash="dot",
)
FROM_DATA = {
    MEASURED: _MEASURED_ROW,
    IDENTIFIED: replace(
        _MEASURED_ROW,
        name=IDENTIFIED,
        title="Identified",
        source=Source("fitted to a file", "Identified"),
        advice=N_("The free motion, in the air if need be, fitted to what a sensor on the body has recorded."),
        letter="Id",
        colour="#33DDCC",
        dash="dash-dot",
    ),
}


MARK = "@"  # sign between the name of a scheme and a step
VARIANT = ":"  # sign between the name of a scheme and that of a variant, before the step
_STEP = re.compile(r"(?=.{1,24}$)[0-9]*\.?[0-9]+([eE][-+]?[0-9]{1,3})?")  # ends in a digit: names of folders may
_VARIANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,23}")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@dataclass(frozen=True)
class NamedLane:
    """A scheme, how long its steps are, and what it starts from.

    Attributes
    ----------
    name : as in scenario files and on the command line
    scheme : its row in the table
    step : of its own [s]; None: that of the scenario
    variant : of the scenario, by its name; "": the scenario as it is
    recording : what was measured, or the fit to it, by its name; "": one without a name, or none
    """

    name: str
    scheme: Scheme
    step: float | None
    variant: str = ""
    recording: str = ""

    @property
    def row(self) -> Scheme:
        """The scheme's row under the lane's name, with a title that names variant and step."""
        if self.name == self.scheme.name:
            return self.scheme
        parts = [name for name in (self.variant, self.recording) if name]
        parts += [] if self.step is None else [f"h = {in_words(self.step)}"]
        title = ", ".join([self.scheme.title, *parts])
        return replace(self.scheme, name=self.name, title=title, help_page=self.scheme.page)

    @property
    def identity(self) -> tuple[str, str, float | None]:
        """Key of a lane within a scenario: ``implicit@0.005`` and ``implicit@5e-3`` have the same."""
        return self.scheme.name, self.variant, self.step

    @property
    def motion(self) -> str:
        """The name of the lane that has the same scheme and variant, with the scenario's step."""
        return named(self.scheme.name, self.variant)

    @property
    def plain(self) -> str:
        """Its name without the variant."""
        return named(self.scheme.name, step=self.name.partition(MARK)[2])

    @property
    def listed(self) -> bool:
        """True for a lane that a user added: it has a step or a variant."""
        return self.name != self.scheme.name


def lane_of(name: str, kind: str | None = None, field: str = "schemes") -> NamedLane:
    """The lane of a name; ScenarioError where there is no such scheme, it cannot serve the kind, or the step is none.

    kind : of scenario, as in physics.schemes.scheme_for; None: any
    """
    before, mark, text = name.partition(MARK)
    of, colon, variant = before.partition(VARIANT)
    if kind is None and of in FROM_DATA and not mark:
        return NamedLane(name, FROM_DATA[of], None, recording=variant)
    if kind is None and of not in SCHEMES:
        raise ScenarioError(field, N_("'{of:.40}' is not a scheme", of))
    scheme = SCHEMES[of] if kind is None else scheme_for(of, kind, field)
    if colon and not is_variant(variant):
        expected = N_(
            "expected the name of a variant behind the {variant}, such as {of}{variant2}above", VARIANT, of, VARIANT
        )
        raise ScenarioError(field, N_("{expected}, got '{name:.60}'", expected, name))
    if not mark:
        return NamedLane(name, scheme, None, variant)
    step = float(text) if _STEP.fullmatch(text) else math.nan
    if not 0.0 < step < math.inf:
        raise ScenarioError(
            field,
            N_(
                "expected a step [s] above 0 behind the {mark}, such as {of}{mark2}0.005, got '{name:.60}'",
                MARK,
                of,
                MARK,
                name,
            ),
        )
    return NamedLane(name, scheme, step, variant)


def variant_in(name: str) -> str:
    """The variant in the name of a lane of a scheme; "" where it names none."""
    return name.partition(MARK)[0].partition(VARIANT)[2]


def is_variant(name: str) -> bool:
    """True if a variant can have this name."""
    return _VARIANT.fullmatch(name) is not None


def named(scheme: str, variant: str = "", step: str = "") -> str:
    """The name of a lane: ``scheme:variant@step``, without what is ""."""
    return scheme + (f"{VARIANT}{variant}" if variant else "") + (f"{MARK}{step}" if step else "")


def is_lane(name: str) -> bool:
    """True if there is a lane of that name."""
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
    scheme, step, variant = given.get("scheme"), given.get("step"), given.get("variant", "")
    number = step is None or (isinstance(step, int | float) and not isinstance(step, bool))
    known = given.keys() <= {"scheme", "step", "variant"} and len(given) > 1
    if not (isinstance(scheme, str) and number and isinstance(variant, str) and known):
        raise ValueError(
            N_("expected a name or {{scheme = NAME, step = seconds, variant = NAME}}, got {given!r:.60}", given)
        )
    return named(scheme, variant, "" if step is None else repr(step))


def scheme_named(given: Any) -> str:
    """The name of the scheme of a lane that is given as a name or as a table, "" where it is neither."""
    name = given.get("scheme") if isinstance(given, dict) else given
    return name.partition(MARK)[0].partition(VARIANT)[0] if isinstance(name, str) else ""


def in_words(step: float) -> str:
    """A step for people: ``5 ms``."""
    size, unit = next((one for one in _UNITS if step >= one[0] * (1 - 1e-9)), _UNITS[-1])
    return f"{step / size:.12g} {unit}"
