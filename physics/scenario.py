"""Scenario files: TOML -> a checked Scenario. One model for files, for Python and for the window's panels."""

from __future__ import annotations

import difflib
import math
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from physics.errors import ScenarioError
from physics.schemes import scheme_for, serving

MOST_STATES = 5_000_000  # stored states of one run: about 900 MB


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return value


Number = Annotated[float, Field(strict=True), AfterValidator(_finite)]
Positive = Annotated[float, Field(strict=True, gt=0), AfterValidator(_finite)]
NotNegative = Annotated[float, Field(strict=True, ge=0), AfterValidator(_finite)]
Vector3 = tuple[Number, Number, Number]


class _Table(BaseModel):
    """A table of the file: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True)


class BodyTable(_Table):
    """``[body]``: shape and mass properties."""

    shape: Literal["cuboid", "ellipsoid", "cylinder", "eota", "hull", "inertia"] = "cuboid"
    size: tuple[Positive, Positive, Positive] | None = Field(None, description="extents along the body axes [m]")
    mass: Positive | None = Field(None, description="[kg]")
    density: Positive | None = Field(None, description="[kg/m³]")
    inertia: tuple[Positive, Positive, Positive] | None = Field(None, description="principal moments [kg m²]")
    file: str | None = Field(None, description="points of a hull (.pts)")

    @model_validator(mode="after")
    def _complete(self) -> BodyTable:
        if self.mass is not None and self.density is not None:
            raise ValueError("expected mass or density, got both")
        if self.mass is None and self.density is None:
            raise ValueError("mass: expected a mass [kg] or a density [kg/m³]")
        if self.shape == "inertia" and (self.inertia is None or self.mass is None):
            raise ValueError("shape 'inertia' expects the keys inertia and mass")
        if self.shape == "hull" and self.file is None:
            raise ValueError("shape 'hull' expects the key file")
        if self.shape in ("cuboid", "ellipsoid", "cylinder", "eota") and self.size is None:
            raise ValueError(f"shape '{self.shape}' expects the key size")
        return self


class InitialTable(_Table):
    """``[initial]``: the state at t = 0."""

    orientation: tuple[Number, Number, Number, Number] | Literal["random"] = (1.0, 0.0, 0.0, 0.0)
    angular_velocity: Vector3 = (0.0, 0.0, 0.0)
    position: Vector3 | None = None
    velocity: Vector3 = (0.0, 0.0, 0.0)

    @model_validator(mode="after")
    def _unit(self) -> InitialTable:
        if self.orientation != "random":
            norm = math.hypot(*self.orientation)
            if not abs(norm - 1.0) < 1e-3:
                raise ValueError(f"orientation: expected a unit quaternion, got one of length {norm:g}")
        return self


class GravityTable(_Table):
    """``[gravity]``."""

    g: NotNegative = Field(9.81, description="[m/s²]")


class TerrainTable(_Table):
    """``[terrain]``: a file, or a generated profile."""

    file: str | None = None
    profile: Literal["ramp", "alpine"] | None = None
    angle: Annotated[Positive, Field(lt=85)] = Field(40.0, description="[deg] of the ramp")
    drop: Positive = Field(155.0, description="[m] of the ramp")
    width: Positive = Field(200.0, description="[m] of the ramp")

    @model_validator(mode="after")
    def _one(self) -> TerrainTable:
        if (self.file is None) == (self.profile is None):
            raise ValueError("expected either file or profile")
        return self


class SoilTable(_Table):
    """``[soil]``: slip-dependent friction (Leine et al. 2014, (46), (47)), by default that of Lu et al. (2019)."""

    mu_min: NotNegative = Field(0.55, description="friction coefficient of a fresh contact")
    mu_max: NotNegative = Field(2.0, description="friction coefficient after long slip")
    beta: NotNegative = Field(185.0, description="decay of slip in flight [1/s]")
    kappa: NotNegative = Field(3.0, description="growth of friction with slip [1/m]")
    restitution: Annotated[NotNegative, Field(le=1)] = Field(0.0, description="normal coefficient of restitution")
    drag: NotNegative = Field(0.0, description="viscous drag over mass while in contact [1/s]")

    @model_validator(mode="after")
    def _ordered(self) -> SoilTable:
        if self.mu_max < self.mu_min:
            raise ValueError(f"mu_max: expected at least mu_min = {self.mu_min:g}, got {self.mu_max:g}")
        return self


class ReleaseTable(_Table):
    """``[release]``: where the rock starts."""

    position: tuple[Number, Number] | None = Field(None, description="x, y [m]; without it a steep, high cell")
    height: Number = Field(1.0, description="of the centre of mass above the terrain [m]")
    velocity: Vector3 | None = Field(None, description="[m/s] inertial; the initial table's without it")


class EnsembleTable(_Table):
    """``[ensemble]``: the seed of random orientations."""

    rocks: Annotated[int, Field(strict=True, ge=1)] = 1
    seed: Annotated[int, Field(strict=True, ge=0)] = 0


class StopTable(_Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(0.05, description="[J/kg]")
    for_: Positive = Field(1.0, alias="for", description="[s]")


class ViewTable(_Table):
    """``[view]``: camera, layout and overlays; ignored by runs."""

    layout: Literal["side-by-side", "overlay"] | None = None
    camera: Literal["fit", "follow"] | None = None
    overlays: tuple[str, ...] | None = None


_BY_KIND = {"free": {"gravity"}, "rockfall": {"gravity", "terrain", "soil", "release", "ensemble", "stop"}}


class Scenario(_Table):
    """A scenario: what moves, from where, for how long, under which schemes.

    Built by ``load_scenario(file)`` or in Python with the file's keys: ``Scenario(kind="free", body={...}, ...)``.
    Raises ScenarioError, naming the field, when a value is missing, unknown or out of range.
    """

    kind: Literal["free", "rockfall"]
    title: str = ""
    note: str = Field("", description="what to look for, for people")
    duration: Positive = Field(description="[s]")
    step: Positive = Field(description="[s]")
    record_every: Annotated[int, Field(strict=True, ge=1)] = 1
    schemes: Annotated[tuple[str, ...], Field(min_length=1, max_length=8)] = ("explicit", "implicit")
    body: BodyTable
    initial: InitialTable = InitialTable()
    gravity: GravityTable | None = None
    terrain: TerrainTable | None = None
    soil: SoilTable = SoilTable()
    release: ReleaseTable = ReleaseTable()
    ensemble: EnsembleTable = EnsembleTable()
    stop: StopTable = StopTable()
    view: ViewTable = ViewTable()
    folder: str = Field("", exclude=True, description="where relative file names start; set by load_scenario")

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _explained(error) from None
        self._check(set(values))

    def _check(self, given: set[str]) -> None:
        for table in sorted(given & {"gravity", "terrain", "soil", "release", "ensemble", "stop"}):
            if table not in _BY_KIND[self.kind]:
                raise ScenarioError(table, f"not a table of kind '{self.kind}'")
        if self.kind == "rockfall" and self.terrain is None:
            raise ScenarioError("terrain", "missing; expected a table with file or profile")
        for name in self.schemes:
            scheme_for(name, self.kind)
        if len(set(self.schemes)) < len(self.schemes):
            raise ScenarioError("schemes", f"expected each scheme once, got {list(self.schemes)}")
        if self.step > self.duration:
            raise ScenarioError("step", f"expected at most the duration of {self.duration:g} s, got {self.step:g}")
        states = self.duration / self.step / self.record_every
        if states > MOST_STATES:
            raise ScenarioError(
                "record_every", f"{states:.3g} states to store are more than {MOST_STATES}; store every n-th step"
            )
        if self.initial.orientation == "random" and self.kind == "free":
            raise ScenarioError("initial.orientation", "'random' serves rockfall; expected a unit quaternion")

    @property
    def g(self) -> float:
        """Gravity [m/s²]: 9.81 for rockfall and 0 for a free body unless the file says otherwise."""
        return (0.0 if self.kind == "free" else 9.81) if self.gravity is None else self.gravity.g

    def path(self, name: str) -> Path:
        """A file that the scenario names, relative to the scenario's own folder."""
        return Path(self.folder) / name

    def changed(self, **values: Any) -> Scenario:
        """A checked copy with other values; dotted names reach into tables: ``changed(**{"soil.mu_min": 0.3})``."""
        data = self.model_dump(exclude_defaults=True, by_alias=True) | {"folder": self.folder}
        for name, value in values.items():
            *tables, key = name.split(".")
            place = data
            for table in tables:
                place = place.setdefault(table, {})
            place[key] = value
        return Scenario(**data)

    def to_plain(self) -> dict[str, Any]:
        """The scenario as plain values, as a file would hold it; without keys that are unset."""
        return self.model_dump(mode="json", exclude_unset=True, exclude_none=True, by_alias=True)


def load_scenario(path: str | Path) -> Scenario:
    """The scenario in a TOML file; ScenarioError names file and field when something is wrong."""
    path = Path(path)
    return parse_scenario(_text(path), path)


def parse_scenario(text: str, path: str | Path) -> Scenario:
    """The scenario in a TOML text; relative file names start at the folder of ``path``."""
    path = Path(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError("", f"not a scenario: {error}", path) from None
    if not data:
        raise ScenarioError("", "the file is empty; expected a scenario", path)
    data.pop("folder", None)
    try:
        return Scenario(**data, folder=str(path.parent))
    except ScenarioError as error:
        raise error.in_file(path) from None


def _text(path: Path) -> str:
    if not path.is_file():
        raise ScenarioError("", "no such file; expected a scenario (.toml)", path)
    if path.stat().st_size > 1_000_000:
        raise ScenarioError("", "larger than 1 MB; expected a scenario (.toml)", path)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ScenarioError("", "not a text file; expected a scenario (.toml)", path) from None
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror}", path) from None


def _explained(error: ValidationError) -> ScenarioError:
    """The first fault of a validation as one sentence that names the field."""
    fault = error.errors(include_url=False)[0]
    place = [str(part) for part in fault["loc"] if not (isinstance(part, str) and "[" in part)]
    field = ".".join(place).replace("for_", "for")
    message, found = fault["msg"].removeprefix("Value error, "), fault.get("input")
    if fault["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], _keys(place[:-1]), n=1)
        return ScenarioError(field, "unknown key" + (f"; did you mean '{near[0]}'?" if near else ""))
    if fault["type"] in ("missing", "too_long", "too_short") and _is_list(place, found):
        return ScenarioError(".".join(p for p in place if not p.isdigit()), f"expected {_length(fault, place)}")
    if fault["type"] == "missing":
        return ScenarioError(field, "missing")
    if fault["type"] == "value_error":
        if ": " in message and message.split(": ")[0].isidentifier():
            name, message = message.split(": ", 1)
            field = f"{field}.{name}"
        return ScenarioError(field, message)
    words = message[0].lower() + message[1:]
    for theirs, ours in _WORDS.items():
        words = words.replace(theirs, ours)
    return ScenarioError(field, f"{words}, got {found!r:.60}")


_WORDS = {  # pydantic's words in ours
    "input should be": "expected",
    "a valid number": "a number",
    "a valid integer": "a whole number",
    "a valid tuple": "a list",
    "a valid string": "text",
    "a valid dictionary or instance of": "a table, see",
    "greater than or equal to 0": "a number of at least 0",
    "greater than or equal to 1": "a number of at least 1",
    "greater than 0": "a number above 0",
}


def _is_list(place: list[str], found: Any) -> bool:
    return place[-1].isdigit() or isinstance(found, list | tuple)


def _length(fault: Any, place: list[str]) -> str:
    if fault["type"] == "too_long":
        return f"at most {fault['ctx']['max_length']} values, got {fault['ctx']['actual_length']}"
    if fault["type"] == "too_short":
        return f"at least {fault['ctx']['min_length']} value, got none"
    return "more values than that" if not place[-1].isdigit() else f"more than {place[-1]} values"


def _keys(place: list[str]) -> list[str]:
    """The keys known in a table of the file."""
    model: Any = Scenario
    for name in place:
        annotation = model.model_fields[name].annotation
        model = next(
            (
                a
                for a in getattr(annotation, "__args__", (annotation,))
                if isinstance(a, type) and issubclass(a, BaseModel)
            ),
            None,
        )
        if model is None:
            return []
    return [field.alias or name for name, field in model.model_fields.items() if name != "folder"]


__all__ = ["Scenario", "load_scenario", "parse_scenario", "serving"]
