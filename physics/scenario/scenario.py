"""Scenario files: TOML -> a checked Scenario. One model for files, for Python and for the window's panels."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field, PrivateAttr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo

from physics.bodies.mesh_io import MeshReading
from physics.core.errors import ScenarioError
from physics.core.wording import N_, joined
from physics.scenario.common_config import GravityConfig, InitialConfig, Positive, Table
from physics.scenario.described import described
from physics.scenario.file_references import with_names
from physics.scenario.plain_values import check_plain
from physics.scenario.view_config import ExportConfig, FilmConfig, ViewConfig
from physics.schemes import SCHEMES
from physics.schemes.lane import NamedLane, is_variant, lane_name, lane_of, scheme_named, variant_in


def explained(error: ValidationError, model: type[BaseModel]) -> ScenarioError:
    """The first fault of a validation as one sentence that names the field."""
    return of_faults(error.errors(include_url=False), model)


def of_faults(faults: Sequence[Any], model: type[BaseModel]) -> ScenarioError:
    """The first of some faults of a validation by a table, see ``explained``."""
    fault = faults[0]
    place = _place(fault, model)
    field = ".".join(f"{part:.60}" for part in place).replace("for_", "for")
    found = fault.get("input")
    if fault["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], _keys(model, place[:-1]), n=1)
        return ScenarioError(field, N_("unknown key; did you mean '{near}'?", near[0]) if near else N_("unknown key"))
    if fault["type"] in ("missing", "too_long", "too_short") and _is_list(place, found):
        whole = list(place)
        while whole[-1].isdigit():
            whole.pop()
        return ScenarioError(".".join(whole), N_("expected {place}", _length(fault, place)))
    if fault["type"] == "missing":
        return ScenarioError(field, N_("missing"))
    if fault["type"] == "value_error":
        error = fault["ctx"]["error"]
        if isinstance(error, ScenarioError) and error.file is None and error.field.replace(".", "_").isidentifier():
            return ScenarioError(".".join(filter(None, (field, error.field))), error.message)  # of a key in the table
        return ScenarioError(field, str(error))
    here = [one for one in faults if _place(one, model) == place and one["type"] in EXPECTED]  # of each way to give it
    expected = dict.fromkeys(_expected(one) for one in here)
    what = joined(" or ", [*expected]) or N_("another value")
    return ScenarioError(field, N_("expected {what}, got {found:.60}", what, _shown(found)))


def _expected(fault: Any) -> str:
    if fault["type"] == "literal_error":
        *others, last = re.split(", | or ", fault["ctx"]["expected"])
        return joined(" or ", [", ".join(others), last]) if others else last
    template = EXPECTED[fault["type"]]
    return N_(template, *(fault["ctx"].values() if "{" in template else ()))


EXPECTED = {  # words by the types of pydantic's faults
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "multiple_of": "a multiple of {multiple_of:g}",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "string_too_short": "text of at least {min_length} letter",
    "string_too_long": "text of at most {max_length} letters",
    "string_pattern_mismatch": "at most 24 letters, digits, - and _",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "literal_error": "",  # see _expected
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number of at least {ge:g}",
    "less_than": "a number below {lt:g}",
    "less_than_equal": "a number of at most {le:g}",
}


def _shown(value: Any) -> str:
    """A value as files have it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _place(fault: Any, model: type[BaseModel]) -> list[str]:
    """The keys and numbers that lead to a fault, without pydantic's names of the ways in which a value may be given."""
    place: list[str] = []
    fields, whole = _fields(model), len(fault["loc"]) - 1
    for i, part in enumerate(fault["loc"]):
        if part in fields:
            fields = _fields(fields[part].annotation)
        elif isinstance(part, str) and not (fault["type"] == "extra_forbidden" and i == whole):
            continue
        place.append(str(part))
    return place


def _is_list(place: list[str], found: Any) -> bool:
    return place[-1].isdigit() or isinstance(found, list | tuple)


def _length(fault: Any, place: list[str]) -> str:
    if fault["type"] == "too_long":
        return N_("at most {fault} values, got {fault2}", fault["ctx"]["max_length"], fault["ctx"]["actual_length"])
    if fault["type"] == "too_short":
        least, found = fault["ctx"]["min_length"], fault["ctx"]["actual_length"]
        return (
            N_("at least {least} values, got {found}", least, found or "none")
            if least > 1
            else N_("at least {least} value, got {found}", least, found or "none")
        )
    return N_("more values than that") if not place[-1].isdigit() else N_("more than {place} values", place[-1])


def _fields(annotation: Any) -> dict[str, FieldInfo]:
    """The keys of the tables in a type such as ``Table | None`` or ``tuple[Table, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {field.alias or name: field for name, field in annotation.model_fields.items()}
    return {key: field for inner in getattr(annotation, "__args__", ()) for key, field in _fields(inner).items()}


def _keys(root: type[BaseModel], place: list[str]) -> list[str]:
    """The keys known in a table of the file."""
    fields = _fields(root)
    for name in place:
        if not name.isdigit():  # a number: one of a list of tables
            fields = _fields(fields[name].annotation)
    return [key for key in fields if key != "folder"]


Variants = Mapping[str, Mapping[str, Any]]  # name -> tables with the keys that it changes


def fields(tables: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Tables of tables as fields with dotted names: ``{"initial": {"heel": 0.1}}`` is ``{"initial.heel": 0.1}``."""
    found: dict[str, Any] = {}
    for key, value in tables.items():
        found |= fields(value, f"{place}{key}.") if isinstance(value, Mapping) else {f"{place}{key}": value}
    return found


def check_variants(variants: Variants, kind: str, tables: Collection[str], fixed: Collection[str]) -> None:
    """ScenarioError for a variant of no name, or with what no lane may have of its own.

    tables : which a variant may change; fixed : fields of these that all lanes share, because they are drawn
    """
    if variants and not tables:
        raise ScenarioError("variants", N_("not a table of kind '{kind}', whose lanes share start and ground", kind))
    for name, changes in variants.items():
        if not is_variant(name):
            expected = N_("expected a name of at most 24 letters, digits, - and _")
            raise ScenarioError("variants", N_("{expected}, got '{name:.40}'", expected, name))
        for field in fields(changes):
            if field.partition(".")[0] not in tables:
                allowed = N_(
                    "expected one of {tables}: all lanes share what moves, and on what", ", ".join(sorted(tables))
                )
                raise ScenarioError(f"variants.{name}.{field:.80}", allowed)
            if field in fixed:
                raise ScenarioError(
                    f"variants.{name}.{field}", N_("expected none: it is drawn, and all lanes share it")
                )


LANES = Annotated[tuple[str | dict[str, Any], ...], Field(min_length=1)]  # lanes as files have them
MOST_STATES = 5_000_000  # stored states of one run: about 900 MB
MOST_OF_ALL = 8 * MOST_STATES  # states of all schemes together
MAX_STEPS = 10**15  # counted exactly in double precision; months even for a free body


class Scenario(Table):
    """A scenario: what moves, from where, for how long, under which schemes.

    It is of the class of its kind, see ``physics.systems``. A scenario does not change: ``changed`` makes another.

    Parameters
    ----------
    **values
        The keys and tables of a scenario file; *Keys* of the help lists them with units, bounds and defaults.

    Attributes
    ----------
    kind : str
        What moves, and how: ``"free"``, ``"top"``, ``"rockfall"``, ...
    duration, step : float
        Simulated time and time step [s].
    schemes : tuple of str
        Names of the lanes.
    body, initial, gravity, ...
        The tables of a file; None or a table of defaults where it has none.
    folder : str
        Folder at which relative file names start.

    Raises
    ------
    ScenarioError
        If a value is missing, unknown or out of range; names the field.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0, 0, 10]})
    >>> scenario.changed(**{"body.mass": 2, "step": 0.005}).body.mass
    2.0
    >>> scenario.step
    0.01
    """

    kinds: ClassVar[dict[str, type[Scenario]]] = {}  # by kind; physics.systems fills it in
    served_as: ClassVar[str] = ""  # the kind whose schemes serve this one; "": its own
    usual_schemes: ClassVar[tuple[str, ...]] = ()  # what a file without schemes compares
    usual_gravity: ClassVar[float] = 9.81  # [m/s²] unless the file says otherwise
    ensemble_size: ClassVar[str] = "ensemble.rocks"  # the field with the number of bodies of an ensemble
    # what an edit at a later time changes from there on; every other edit is one of the start
    later: ClassVar[frozenset[str]] = frozenset({"step", "body", "gravity"})
    # the tables that a variant may change: the start and what acts, not what moves nor on what; and keys of them that
    # it may not, because they are drawn
    varied: ClassVar[frozenset[str]] = frozenset({"initial", "gravity"})
    not_varied: ClassVar[frozenset[str]] = frozenset()

    kind: str = described(..., about="what moves, and how: a kind of the sections below")
    title: str = described("", about="as lists and captions show it")
    note: str = described("", about="what to look for, for people")
    source: str = described("", about="paper and place that it is from, for people")
    duration: Positive = described(..., "Duration", "s", "Simulated time at most")
    step: Positive = described(..., "Step", "s", "Time step of every scheme; at most the duration")
    record_every: Annotated[int, Field(strict=True, ge=1)] = described(
        1, "Store every", "steps", "One of this many steps is stored, and the last"
    )
    schemes: Annotated[tuple[str, ...], Field(min_length=1)] = described(
        ..., about="names of lanes: scheme, scheme@step, scheme:variant", empty="those that are usual for the kind"
    )
    scheme_files: dict[str, str] = described(
        {}, about="files of schemes of the user's own, by name; for people: never opened because of this"
    )
    body: Table | tuple[Table, ...] | None = described(
        None, about="None: the kind has a table of its own for what moves"
    )
    initial: InitialConfig = InitialConfig()
    gravity: GravityConfig | None = None
    view: ViewConfig = ViewConfig()
    export: ExportConfig = ExportConfig()
    film: FilmConfig = FilmConfig()
    batch: dict[str, Any] = described(
        {}, about="lists of values by the fields that they replace; polhode batch makes a series of all"
    )
    variants: Annotated[dict[str, dict[str, Any]], Field(max_length=20)] = described(
        {}, about="by name: tables with the keys in which the motion of some lanes differs from the others'"
    )
    edit: Annotated[tuple[dict[str, Any], ...], Field(max_length=200)] = described(
        (), about="each with a time [s], and the tables that take the place of the scenario's from there on"
    )
    folder: str = Field("", exclude=True, description="where relative file names start; set by load_scenario")
    _variant: str = PrivateAttr("")

    def __new__(cls, /, **values: Any) -> Scenario:
        """Make a scenario of the class of its kind; an unknown kind is refused."""
        kind = values.get("kind")
        chosen = Scenario.kinds.get(kind) if cls is Scenario and isinstance(kind, str) else None
        return super().__new__(chosen or cls)

    def __init__(self, /, **values: Any) -> None:
        check_plain(values)
        self._check_tables(values)
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise explained(error, type(self)) from None
        self._check()

    @classmethod
    def _check_tables(cls, values: dict[str, Any]) -> None:
        """ScenarioError for a table that serves other kinds only."""
        if cls is Scenario:  # of no kind that is known: that is what is wrong
            return
        known = {key for kind in Scenario.kinds.values() for key in kind.model_fields}
        if strange := sorted(values.keys() & known - cls.model_fields.keys()):
            raise ScenarioError(strange[0], N_("not a table of kind '{values}'", values["kind"]))

    @field_validator("kind", mode="before")
    @classmethod
    def _known_kind(cls, value: Any) -> Any:
        if not isinstance(value, str) or value not in Scenario.kinds:
            *names, last = map(repr, Scenario.kinds)
            raise ValueError(N_("expected {names} or {last}, got {value!r:.60}", ", ".join(names), last, value))
        return value

    @field_validator("scheme_files", mode="before")
    @classmethod
    def _names_with_files(cls, value: Any) -> Any:
        if not isinstance(value, dict) or not all(isinstance(file, str) for file in value.values()):
            raise ValueError(
                N_("expected names with their files, as scheme_files = {{mine = 'mine.py'}}, got {value!r:.60}", value)
            )
        return value

    @field_validator("schemes", mode="before", json_schema_input_type=LANES)
    @classmethod
    def _lane_names(cls, value: Any) -> Any:
        return [lane_name(one) for one in value] if isinstance(value, list | tuple) else value

    @model_validator(mode="before")
    @classmethod
    def _schemes_that_are_there(cls, values: Any) -> Any:
        """The schemes without the user's own that were not added, see ``missing``; the usual ones if none is left."""
        if not isinstance(values, dict):
            return values
        own, names = values.get("scheme_files"), values.get("schemes")
        if isinstance(own, dict) and isinstance(names, list | tuple):
            gone = own.keys() - SCHEMES.keys()
            names = [name for name in names if scheme_named(name) not in gone]
            values = {**values, "schemes": names} if names else {k: v for k, v in values.items() if k != "schemes"}
        if cls.usual_schemes and "schemes" not in values:
            return {**values, "schemes": cls.usual_schemes}
        return values

    def _check(self) -> None:
        self.check_kind()
        for name in self.schemes:  # what acts on a variant may be for other schemes: see of_variant
            if variant_in(name) not in self.variants or scheme_named(name) not in SCHEMES:
                lane_of(name, self.served)
        lanes = self.lanes
        check_variants(self.variants, self.kind, self.varied, self.not_varied)
        used = {lane.variant: None for lane in lanes if lane.variant}
        for variant in dict.fromkeys([*self.variants, *used]):
            try:
                self.of_variant(variant)
            except ScenarioError as error:
                if variant in used or error.field != f"variants.{variant}.schemes":  # no lane's scheme need serve it
                    raise
        if len({lane.identity for lane in lanes}) < len(lanes):
            text = N_("expected each scheme once, or with another step or variant, got {schemes}", list(self.schemes))
            raise ScenarioError("schemes", text)
        self._check_step("step", self.step)
        for lane in lanes:
            if lane.step is not None:
                self._check_step("schemes", lane.step, f"{lane.name}: ")
        states = [self.duration / step / self.record_every for step in self.steps]
        if max(states) > MOST_STATES:
            text = N_(
                "expected at most {most_states} stored states, got {states:.3g}; store every n-th step",
                MOST_STATES,
                max(states),
            )
            raise ScenarioError("record_every", text)
        if sum(states) > MOST_OF_ALL:
            raise ScenarioError(
                "record_every",
                N_(
                    "expected at most {most_of_all} stored states of all schemes, got {states:.3g}; store "
                    "every n-th step",
                    MOST_OF_ALL,
                    sum(states),
                ),
            )
        if self.edit:
            stretches(self)

    def _check_step(self, field: str, step: float, of: str = "") -> None:
        """ScenarioError for a step [s] that is longer than the run, or far too short."""
        if step > self.duration:
            raise ScenarioError(
                field, N_("{of}expected at most the duration of {duration:g} s, got {step:g}", of, self.duration, step)
            )
        if self.duration / step > MAX_STEPS:
            raise ScenarioError(
                field,
                N_("{of}expected at most {most_steps:g} steps, got {step:.3g}", of, MAX_STEPS, self.duration / step),
            )

    def check_kind(self) -> None:
        """ScenarioError for what a scenario of this kind lacks, or cannot have."""

    def refuse_initial(self, *keys: str) -> None:
        """ScenarioError where the initial state gives a key that this kind does not have."""
        for key in keys:
            if getattr(self.initial, key) is not None:
                raise ScenarioError(f"initial.{key}", N_("not a key of kind '{kind}'", self.kind))

    def refuse_motion_of_the_point(self) -> None:
        """ScenarioError where a body that only turns is to go elsewhere."""
        for key in ("position", "velocity"):
            if getattr(self.initial, key) not in (None, (0.0, 0.0, 0.0)):
                raise ScenarioError(
                    f"initial.{key}", N_("the point that a {kind} turns about stays at the origin", self.kind)
                )

    def refuse_random_orientation(self) -> None:
        """ScenarioError where the orientation is to be drawn: of rocks only."""
        if self.initial.orientation == "random":
            raise ScenarioError(
                "initial.orientation", N_("'random' applies to rockfall only; expected a unit quaternion")
            )

    @property
    def missing(self) -> tuple[str, ...]:
        """Sentences on schemes of the user's own that are left out."""
        return tuple(
            N_(
                "{name} is left out: the file {file} of a user's own scheme is never opened by a scenario; "
                "add it with --scheme-file {file2} or Schemes > From a file…",
                name,
                file,
                file,
            )
            for name, file in self.absent.items()
        )

    @property
    def absent(self) -> dict[str, str]:
        """The user's own schemes that are left out, with their files."""
        return {name: file for name, file in self.scheme_files.items() if name not in SCHEMES}

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of all lanes that are shown side by side: the schemes, and what else a kind has beside them."""
        return self.schemes

    @property
    def lanes(self) -> tuple[NamedLane, ...]:
        """Lanes to compute: the schemes, each with its step."""
        return tuple(lane_of(name) for name in self.schemes)

    @property
    def steps(self) -> tuple[float, ...]:
        """The step [s] of each lane."""
        return tuple(self.step_of(name) for name in self.schemes)

    def step_of(self, lane: str) -> float:
        """The step [s] of a lane: its own, or that of the scenario."""
        return lane_of(lane).step or self.step

    @property
    def variant(self) -> str:
        """The variant that it is of another scenario, see ``of_variant``; "": none."""
        return self._variant

    def of_lane(self, lane: str) -> Scenario:
        """The scenario that a lane with a step of its own, or of a variant, stands for: that lane alone."""
        asked = lane_of(lane)
        made = self if asked.variant == self.variant else self.of_variant(asked.variant)
        if made is self and asked.step is None:
            return self
        return made.model_copy(update={"step": asked.step or self.step, "schemes": (lane,)})

    def of_variant(self, name: str) -> Scenario:
        """The scenario as one of its variants has it, under the schemes of its lanes; ScenarioError if it has no sense.

        Of a variant without lanes under those of all lanes.
        """
        if name not in self.variants and not self.varied:
            raise ScenarioError("schemes", N_("expected no variant '{name}': kind '{kind}' has none", name, self.kind))
        if name not in self.variants:
            known = (
                N_("one of {variants}", ", ".join(self.variants))
                if self.variants
                else N_("a table [variants.{name}]", name)
            )
            raise ScenarioError("schemes", N_("there is no variant '{name}'; expected {known}", name, known))
        own = [lane for lane in self.lanes if lane.variant == name] or self.lanes
        schemes, changes = dict.fromkeys(lane.plain for lane in own), fields(self.variants[name])
        try:
            made = self.without_edits().changed(variants={}, schemes=tuple(schemes), **changes)
        except ScenarioError as error:
            raise ScenarioError(f"variants.{name}.{error.field}", error.message) from None
        made._variant = name
        return made

    @property
    def served(self) -> str:
        """The kind whose schemes serve it."""
        return self.served_as or self.kind

    @property
    def acted(self) -> bool:
        """True if tables of its own say what turns a body that else nothing turns."""
        return False

    def unfit(self, lane: str) -> str:
        """Reason why a scheme of this kind cannot compute this scenario; "" if it can."""
        return ""

    @property
    def seed(self) -> int:
        """Seed of what is drawn at random; 0 if nothing is."""
        return 0

    @property
    def ground(self) -> Table | None:
        """The table that says on which ground the body moves; None: there is none."""
        return None

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the body that moves, and how it is taken; None: the body is of no file."""
        return None

    @property
    def g(self) -> float:
        """Gravity [m/s²]."""
        return self.usual_gravity if self.gravity is None else self.gravity.g

    def path(self, name: str) -> Path:
        """A file that the scenario names, relative to the scenario's own folder."""
        return Path(self.folder) / name

    def changed(self, /, **values: Any) -> Scenario:
        """A checked copy with other values; dotted names reach into tables: ``changed(**{"soil.mu_min": 0.3})``."""
        data = self.model_dump(exclude_unset=True, by_alias=True) | {"folder": self.folder}
        for name, value in values.items():
            *tables, key = name.split(".")
            place = data
            for table in tables:
                place = place.setdefault(table, {})
                if isinstance(place, list | tuple) and len(place) == 1:  # one of a list that has no other
                    place = place[0]
                if not isinstance(place, dict):
                    raise ScenarioError(name, N_("unknown key; '{table}' is no table", table))
            place[key] = value
        return Scenario(**data)

    @classmethod
    def unnamed(cls, key: str) -> Any:
        """Default of a table that a scenario does not name: None, or a table without keys."""
        usual = cls.model_fields[key].get_default(call_default_factory=True)
        return usual if usual is None or usual == () else {}

    def without_edits(self) -> Scenario:
        """The scenario as it is at the start."""
        if not self.edit:
            return self
        return Scenario(**self.model_dump(exclude_unset=True, by_alias=True, exclude={"edit"}), folder=self.folder)

    def check_unedited(self) -> None:
        """Raise ScenarioError if edits change it on its way: what is measured is one motion from its start."""
        if self.edit:
            raise ScenarioError("edit", N_("applies to single runs; expected a scenario without edits"))

    def to_plain(self) -> dict[str, Any]:
        """The scenario as plain values, as a file would hold it; without keys that are unset."""
        plain = self.model_dump(mode="json", exclude_unset=True, exclude_none=True, by_alias=True)
        plain.pop("scheme_files", None)
        own = {lane.scheme.name: lane.scheme.code.path.name for lane in self.lanes if lane.scheme.code is not None}
        plain |= {"scheme_files": own} if own else {}
        shown = {key: plain.pop(key) for key in ("variants", "view", "export", "film", "batch", "edit") if key in plain}
        return plain | shown  # the tables of the kind before those

    def in_full(self) -> dict[str, Any]:
        """Plain values as ``to_plain`` gives them, and the schemes of the kind, which another version may change."""
        return {"schemes": list(self.schemes)} | self.to_plain()

    def portable(self) -> dict[str, Any]:
        """Plain values for a file that may lie anywhere: as ``in_full``, with absolute paths of files."""
        plain: dict[str, Any] = with_names(self.in_full(), lambda name: str(self.path(name).absolute()))
        return plain


def with_values(scenario: Scenario, values: Mapping[str, float]) -> Scenario:
    """The scenario with other values of fields; ScenarioError if they are not valid."""
    given: dict[str, object] = {}
    for field, value in values.items():
        parent = field.rpartition(".")[0]
        if "." in parent and isinstance(table := value_of(scenario, parent), Table):
            # a table that a preset has filled in is not in the file: without its other keys it would be none
            given.setdefault(parent, table.model_dump(by_alias=True, exclude_none=True))
        given[field] = value
    return scenario.changed(**given)


def value_of(scenario: Scenario, field: str) -> object:
    """Value of a field with a dotted name, also where the scenario's file leaves it out.

    Raises ScenarioError for a field that it does not have.
    """
    found: object = scenario
    for key in field.split("."):
        if found is None:
            raise ScenarioError(field, N_("the scenario has no such table"))
        names = {} if not isinstance(found, Table) else _names(found)
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            raise ScenarioError(
                field, N_("unknown field; did you mean '{near}'?", near[0]) if near else N_("unknown field")
            )
        found = getattr(found, names[key])
    return found


def _names(table: Table) -> dict[str, str]:
    """The keys of a table, with the attributes that hold them."""
    return {info.alias or name: name for name, info in type(table).model_fields.items()}


def stretches(scenario: Scenario) -> tuple[tuple[Scenario, ...], tuple[float, ...]]:
    """The scenario without its edits, then as each edit leaves it; and the times [s] at which these begin.

    Raises ScenarioError, naming the edit, where one has no sense.
    """
    scenarios, times = [scenario.without_edits()], [0.0]
    for number, edit in enumerate(scenario.edit, 1):
        changes = dict(edit)
        time, before = changes.pop("time", None), scenarios[-1]
        if isinstance(time, bool) or not isinstance(time, int | float) or not times[-1] < time < scenario.duration:
            expected = N_("expected a time [s] after {times:g} and before the end", times[-1])
            raise ScenarioError(f"edit {number}.time", N_("{expected}, got {time!r:.40}", expected, time))
        if wrong := sorted(changes.keys() - scenario.later):
            raise ScenarioError(
                f"edit {number}.{wrong[0]}", N_("expected one of {later}", ", ".join(sorted(scenario.later)))
            )
        try:
            after = before.changed(**{key: before.unnamed(key) if v == {} else v for key, v in changes.items()})
        except ScenarioError as error:
            raise ScenarioError(f"edit {number}.{error.field}", error.message) from None
        if after.to_plain() == before.to_plain() or time - times[-1] < max(before.steps):
            raise ScenarioError(f"edit {number}", N_("expected a change, at least a step after the edit before"))
        scenarios.append(after)
        times.append(float(time))
    return tuple(scenarios), tuple(times)


def difference(before: Scenario, after: Scenario) -> dict[str, Any]:
    """Keys with which an edit makes one scenario of another; an empty table stands for none."""
    old, new = before.to_plain(), after.to_plain()
    return {key: new.get(key, {}) for key in sorted(after.later) if old.get(key) != new.get(key)}
