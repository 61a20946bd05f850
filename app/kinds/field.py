"""Fields of the panel: name, unit, range and source of each editable value, and the fields shared by several kinds."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.system.language import capitalised, tr
from physics import Scenario
from physics.scenario.body_shapes import SOLIDS
from physics.scenario.described import UNLIMITED, Limits, Only, key_of
from physics.systems.scenario_body import BodyScenario, of_body


@dataclass(frozen=True)
class Field:
    """A value of a scenario that can be edited in the panel.

    Attributes
    ----------
    key : dotted name in the scenario (``"body.mass"``), also the field that errors name
    label, unit : as the panel shows them
    parts : names of the components of a vector, () for a single value
    about : what it means, with the source of a usual value
    limits : bounds of its numbers
    empty : what it is when left empty, in words; "": see the next; None: it may not be left empty
    usual : its default, as files have it
    stands : value of an empty field; None: the scenario leaves it out
    least : number of components that are needed, the others may be empty; 0: all
    whole : integers only
    choices : words to choose from, () for numbers; "" means none and is labelled ``empty``
    files : suffixes of a file name, () if it is not a file
    corners : least number of places x, y in a list of places; 0: not a list of places
    form : other forms: "distribution", "barriers", "lines", "zones", "classes", "pieces", "parts", "list", "text", "rows" (of numbers), "column" (of a list of tables)
    only : another field, and the words of it beside which this one means something; (): any value, (None,): none
    reads : reads the value from a scenario, where it differs from the plain attribute
    notes : sentences shown below some choices: (word, sentence)
    implied : not stored in the scenario, but implied by the fields there that have this one as their ``only``
    fits : decides if a scenario can have this field; None: if it has a value, or the field may be empty
    begins : value for a scenario with which the field begins where a choice shows it empty; None: it stays empty
    writes : puts a value in the plain tables of a scenario where that changes more than the key
    named : whether the choices are names of the scenario, which are shown as they are
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    about: str = ""
    limits: Limits = UNLIMITED
    empty: str | None = None
    usual: str = ""
    stands: Any = None
    least: int = 0
    whole: bool = False
    choices: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    corners: int = 0
    form: str = ""
    only: Only | None = None
    reads: Callable[[Scenario], Any] | None = None
    notes: tuple[tuple[str, str], ...] = ()
    implied: bool = False
    fits: Callable[[Scenario], bool] | None = None
    begins: Callable[[Scenario], Any] | None = None
    writes: Callable[[dict[str, Any], Any], None] | None = None
    named: bool = False

    @property
    def optional(self) -> bool:
        """True if it may be left empty."""
        return self.empty is not None

    @property
    def tip(self) -> str:
        """Meaning, bounds, and the value when left empty, in the current language."""
        text, more = tr(self.about), []
        if self.limits.template:
            more.append(self.limits.words(tr(self.limits.template)) + " rad" * self.angular)
        if self.optional and not self.choices and (left := tr(self.empty or "") or self.usual):
            more.append(tr("empty: {value}").format(value=left))
        for one in more:
            text = tr("{text}; {more}").format(text=text, more=one) if text else capitalised(one)
        return text

    def of(self, scenario: Scenario) -> Any:
        """The value in a scenario: a number, a tuple, a word, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = within(value, name)
        return value

    def given(self, scenario: Scenario) -> Any:
        """The value that a scenario gives itself, lists as tuples; None if it comes from a preset or a default."""
        value: Any = scenario.to_plain()
        for name in self.key.split("."):
            value = within(value, name)
        return frozen(value)

    def shown(self, scenario: Scenario) -> Any:
        """The value that the panel shows; of an optional field only what the scenario gives itself."""
        if self.reads is not None:
            return self.reads(scenario)
        return self.given(scenario) if self.optional or self.corners or self.form else self.of(scenario)

    def serves(self, scenario: Scenario) -> bool:
        """True if the panel has this field for a scenario."""
        if self.fits is not None:
            return self.fits(scenario)
        return self.optional or self.only is not None or self.shown(scenario) is not None

    @property
    def angular(self) -> bool:
        """True if the value is an angle, which may be shown in degrees; rates are those of charts and files."""
        return self.unit == "rad"


def within(value: Any, name: str) -> Any:
    """Value of a name in a table, or of a number in a list; None where there is none."""
    if name.isdigit():
        return value[int(name)] if isinstance(value, list | tuple) and int(name) < len(value) else None
    inner = alone(value)
    if isinstance(inner, dict):
        return inner.get(name)
    return getattr(inner, "from_" if name == "from" else name, None)


def alone(value: Any) -> Any:
    """The table of a list that has no other, which fields reach by its name; else the value itself."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def frozen(value: Any) -> Any:
    """Plain values with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def field_of(model: type[Scenario], name: str, **more: Any) -> Field:
    """The field of a key of a kind of scenario, as its schema describes it; more : what the panel has otherwise."""
    key = key_of(model, name)
    optional, words = key.empty is not None, () if key.numeric else key.choices
    made = Field(
        name,
        key.label,
        key.unit,
        key.parts,
        key.about,
        limits=key.limits,
        empty=key.empty,
        usual=key.usual,
        stands=key.choices[0] if key.numeric and key.choices and optional else None,
        least=0 if key.corners or more.get("form") == "rows" else key.length,
        whole=key.whole,
        choices=("", *words) if optional and words else words,
        files=key.files,
        corners=key.corners,
        form="text" if key.text and "choices" not in more else "",
        only=key.only,
    )
    return replace(made, **more)


def either(
    key: str,
    label: str,
    about: str,
    rows: Mapping[str, tuple[Field, ...]],
    empty: str | None = None,
    fits: Callable[[Scenario], bool] | None = None,
) -> tuple[Field, ...]:
    """A choice that is not stored, by which of the rows of its words a scenario gives, and these rows.

    Where it gives none, the word is the first one, or none if ``empty`` says how that is called.
    """

    def reads(scenario: Scenario) -> str | None:
        given = (word for word, fields in rows.items() if any(one.given(scenario) is not None for one in fields))
        return next(given, next(iter(rows)) if empty is None else None)

    words = (*rows,) if empty is None else ("", *rows)
    choice = Field(key, label, about=about, choices=words, empty=empty, reads=reads, implied=True, fits=fits)
    of_words = (replace(one, only=(key, (word,)), fits=fits) for word, fields in rows.items() for one in fields)
    return choice, *of_words


def torque_of(model: type[Scenario], number: Callable[[Scenario], int]) -> tuple[Field, ...]:
    """The fields of the torque from outside of a kind whose scenarios may have several; number : that one has."""

    def fits(scenario: Scenario) -> bool:
        return number(scenario) < 2

    row = partial(field_of, model, fits=fits)
    given, *rows = either(
        "torque.given",
        "Torque",
        "From outside: constant, or a table with time, x, y, z",
        {
            "constant": (row("torque.value", begins=lambda _: (0.0, 0.0, 0.0)),),
            "file": (row("torque.file"),),
            "rows": (
                row(
                    "torque.rows",
                    form="rows",
                    least=4,
                    begins=lambda _: ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.1), (2.0, 0.0, 0.0, 0.0)),
                ),
            ),
        },
        empty="",
        fits=fits,
    )
    return given, row("torque.axes", only=("torque.given", ()), begins=lambda _: "body"), *rows


XYZ = ("x", "y", "z")
SHAPES = tuple(name for name in SOLIDS if name != "parts")


_row = partial(field_of, BodyScenario)
MASS = tuple(_row(f"body.{key}", fits=lambda scenario: scenario.body is not None) for key in ("mass", "density"))
SHAPE = _row("body.shape", choices=SHAPES, reads=lambda scenario: of_body(scenario).body.form)
LENGTHS = tuple(
    _row(f"body.{key}") for key in ("file", "scale", "up", "seed", "points", "angularity", "size", "height", "radius")
)
INERTIA = _row("body.inertia")  # a full tensor, or principal moments
MOMENTS = replace(
    INERTIA,
    label="Principal moments",
    parts=("A", "B", "C"),
    least=0,
    about="About the centre of mass, in the order of the body's axes; given, they win over the shape's. None may "
    "exceed the sum of the others",
)
BODY = (SHAPE, *LENGTHS, MOMENTS, *MASS)  # one solid
COMPOUND = (  # or a hollow one, or several parts, with a full inertia tensor
    replace(SHAPE, fits=lambda scenario: not of_body(scenario).body.part),
    replace(SHAPE, choices=(*SHAPES, "parts"), fits=lambda scenario: bool(of_body(scenario).body.part)),
    _row("body.part", form="parts"),
    *LENGTHS,
    _row("body.shell"),
    INERTIA,
    *MASS,
)
ANGULAR_VELOCITY, ATTITUDE = _row("initial.angular_velocity"), _row("initial.orientation")
ATTITUDE_FORMS = (  # other forms of the attitude, beside the quaternion
    Field(
        "initial.orientation",
        "Euler angles",
        "rad",
        ("yaw", "pitch", "roll"),
        "First about the vertical z, then about the new y axis, then about the newest x axis",
    ),
    Field("initial.orientation", "Axis", "", XYZ, "About which it is turned from the axes of space; of any length"),
    Field("initial.orientation", "Angle", "rad", about="By which it is turned about the axis"),
)
PART = {key: _row(f"body.part.{key}") for key in ("mass", "density", "size", "position")}
GRAVITY = _row("gravity.g")
STEP = tuple(_row(key) for key in ("step", "duration", "record_every"))
