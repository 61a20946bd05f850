"""Parameters of a fit: numbers in the tables of a scenario, each free between two bounds."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.scenario.scenario import Scenario, value_of, with_values
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import RockfallScenario


def fingerprints(stops: Stops) -> list[str]:
    """Fingerprint of each run, the same in any file: a digest of the millimetre on which the rock stopped."""
    texts = (f"{x:.3f} {y:.3f}" for x, y in stops.places.tolist())
    return [hashlib.blake2b(text.encode(), digest_size=6).hexdigest() for text in texts]


def fit_note(scenario: RockfallScenario, stops: Stops) -> str:
    """Sentence on a fitted scenario: what was fitted, on how many of the measured runs; "" where it is not fitted."""
    if (fitted := scenario.fitted) is None:
        return ""
    here = fingerprints(stops)
    same, held = (sum(one in part for one in here) for part in map(set, (fitted.runs, fitted.held_out)))
    which = (
        N_("on {same} of these {here} runs", same, len(here))
        if same
        else N_("on other runs ({table})", fitted.table or N_("of another file"))
    )
    changed = [field for field, value in fitted.values.items() if not _is(scenario, field, value)]
    said = [N_("Fitted {which}, not a prediction: {values}", which, ", ".join(fitted.values))]
    said += [N_("{held} of these were held out", held)] if held else []
    said += [N_("changed since: {changed}", ", ".join(changed))] if changed else []
    return joined("; ", said)


def _is(scenario: Scenario, field: str, value: float) -> bool:
    """Return True if a field has a value."""
    with suppress(ScenarioError):
        return value_of(scenario, field) == value
    return False


# ---- parameters ---------------------------------------------------------------------------------------

MAX_PARAMETERS = 8  # parameters of one fit
DIGITS = 5  # digits of the values that are tried: field data resolve no more
DRAWN = ("ensemble.rocks", "ensemble.seed")  # they choose the rocks, and another choice is luck

Values = Mapping[str, float]  # by field


@dataclass(frozen=True)
class Bounds:
    """A field of a scenario and the bounds between which it is searched; logarithmic: evenly by ratios."""

    field: str
    low: float
    high: float
    logarithmic: bool = False


@dataclass(frozen=True)
class Parameter:
    """A field with bounds that the scenario has; start: its value there, whole: whether it is a whole number."""

    bounds: Bounds
    start: float
    whole: bool

    @property
    def field(self) -> str:
        """Its dotted name."""
        return self.bounds.field

    def at(self, share: float) -> float:
        """The value a share of the way from the lower to the upper bound, rounded to DIGITS."""
        low, high = self.bounds.low, self.bounds.high
        value = low * (high / low) ** share if self.bounds.logarithmic else low + share * (high - low)
        value = round(value) if self.whole else float(f"{value:.{DIGITS}g}")
        return min(max(value, low), high)

    def share(self, value: float) -> float:
        """Place of a value between the bounds, 0 to 1 within them."""
        low, high = self.bounds.low, self.bounds.high
        if self.bounds.logarithmic:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)


def parameters_of(scenario: Scenario, asked: Sequence[Bounds]) -> tuple[Parameter, ...]:
    """The parameters of a fit; ScenarioError, naming the field, for one that cannot be fitted.

    Every combination of their bounds must be a scenario.
    """
    if not 1 <= len(asked) <= MAX_PARAMETERS:
        raise ScenarioError("--free", N_("expected 1 to {most} fields, got {asked}", MAX_PARAMETERS, len(asked)))
    fields = [one.field for one in asked]
    for field in fields:
        if fields.count(field) > 1:
            raise ScenarioError("--free", N_("expected each field once, got {field} twice", field))
        if field in DRAWN:
            raise ScenarioError(
                "--free", N_("{field} draws the rocks and is not fitted; expected a field that acts on them", field)
            )
    parameters = tuple(_parameter(scenario, one) for one in asked)
    for corner in itertools.product(*((one.low, one.high) for one in asked)):
        values = {one.field: one.at(one.share(value)) for one, value in zip(parameters, corner, strict=True)}
        changed(scenario, values)
    return parameters


def _parameter(scenario: Scenario, asked: Bounds) -> Parameter:
    try:
        value = value_of(scenario, asked.field)
    except ScenarioError as error:
        raise ScenarioError("--free", N_("{field}: {message}", asked.field, error.message)) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = N_("none to start from") if value is None else f"{value!r:.40}"
        raise ScenarioError(
            "--free", N_("{field}: expected a field that is a number, the scenario has {text}", asked.field, text)
        )
    whole = isinstance(value, int)
    if whole and not (asked.low.is_integer() and asked.high.is_integer()):
        raise ScenarioError("--free", N_("{field}: expected whole numbers as bounds", asked.field))
    return Parameter(asked, value, whole)


def changed(scenario: Scenario, values: Values) -> Scenario:
    """The scenario with other values; ScenarioError if they are not valid."""
    try:
        return with_values(scenario, values)
    except ScenarioError as error:
        raise ScenarioError("--free", N_("{values}: {error}", at(values), error)) from None


def at(values: Values) -> str:
    """Values for messages."""
    return ", ".join(f"{field} = {value:.{DIGITS}g}" for field, value in values.items())


def values_by_field(values: Array, parameters: Sequence[Parameter]) -> dict[str, float]:
    """Values (d,) of parameters by their fields, whole numbers as such."""
    pairs = zip(parameters, values.tolist(), strict=True)
    return {one.field: round(value) if one.whole else value for one, value in pairs}
