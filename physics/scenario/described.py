"""Description of the keys of a scenario file, which stands at their fields, and its reader.

Type, bounds and default are those of the pydantic field. Beside them a field says how its key is called, in which unit
it is and what it means. Panel, command line, help and the JSON schema take all of this from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

PARTS = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}  # components of vectors and quaternions
Only = tuple[str, tuple[str | None, ...]]  # see ``described``


def described(
    default: Any = ...,
    label: str = "",
    unit: str = "",
    about: str = "",
    *,
    parts: tuple[str, ...] = (),
    empty: str | None = None,
    files: tuple[str, ...] = (),
    only: Only | None = None,
    alias: str | None = None,
) -> Any:
    """A field of a table, with what describes its key.

    Parameters
    ----------
    default : ...: the key has to be given
    label : its name in the window; "": it is shown there in another way, or not at all
    unit : as in "kg m²"
    about : what it means, in a sentence that goes on from the label, without bounds
    parts : names of the components of a vector, where these are not x, y, z, of a quaternion w, x, y, z
    empty : what the key stands for when it is left out, in words; "": see the default; None: the window always shows a
        value
    files : suffixes of the file that it names
    only : another key of its table, and the words of it beside which this one means something; (): any value; (None,):
        none
    """
    extra: dict[str, Any] = {"unit": unit, "parts": parts, "empty": empty, "files": files, "only": only}
    return Field(
        default,
        alias=alias,
        title=label or None,
        description=about or None,
        json_schema_extra={key: value for key, value in extra.items() if value or value == empty == ""},
    )


def only_of(field: FieldInfo) -> Only | None:
    """Beside what a field means something, see ``described``; None: always."""
    extra: Any = field.json_schema_extra or {}
    only: Only | None = extra.get("only")
    return only


def in_words(only: Only | None) -> str:
    """Beside what a key means something, for a table of keys; "": always."""
    if only is None:
        return ""
    key, words = only
    return f"only without {key}" if None in words else f"only with {key} {', '.join(filter(None, words))}".rstrip()


class Limits(NamedTuple):
    """Bounds of a number; None: no such bound."""

    above: float | None = None
    least: float | None = None
    below: float | None = None
    most: float | None = None

    @property
    def template(self) -> str:
        """Words for the bounds, with places for ``low`` and ``high``; "": there are none."""
        low = "above {low:g}" if self.above is not None else "{low:g} or more" if self.least is not None else ""
        high = "below {high:g}" if self.below is not None else "at most {high:g}" if self.most is not None else ""
        both = "{low:g} to {high:g}" if self.least is not None and self.most is not None else f"{low}, {high}"
        return both if low and high else low + high

    def words(self, template: str) -> str:
        """The bounds in the words of a template, see ``template``."""
        low = self.least if self.above is None else self.above
        return template.format(low=low, high=self.most if self.below is None else self.below)


UNLIMITED = Limits()
TEMPLATES = tuple(
    Limits(above, least, below, most).template
    for above, least in ((0.0, None), (None, 0.0), (None, None))
    for below, most in ((1.0, None), (None, 1.0), (None, None))
)


@dataclass(frozen=True)
class Key:
    """A key of a table, as its field describes it; see ``described``.

    Attributes
    ----------
    name : as in files, with the tables before it: ``"body.mass"``
    default : None also where the key has to be given
    required : whether it has to be given
    limits : bounds of its numbers
    whole : integers only
    numeric : whether it is a number, or some
    flag : true or false
    text : any text
    count : number of components of a vector; 0: not a vector of one length
    choices : words to choose from; of a number those that may stand in its place
    length : least number of values, where there may be more; 0: of another number
    corners : least number of places x, y in a list of places; 0: not a list of places
    tables : models of the tables that it has or lists
    listed : whether it is a list of any length
    only : beside what it means something, see ``described``, with the tables before the other key too
    """

    name: str
    label: str
    unit: str
    about: str
    parts: tuple[str, ...]
    empty: str | None
    files: tuple[str, ...]
    default: Any
    required: bool
    limits: Limits
    whole: bool
    numeric: bool
    flag: bool
    text: bool
    count: int
    choices: tuple[str, ...]
    length: int
    corners: int
    tables: tuple[type[BaseModel], ...]
    listed: bool
    only: Only | None

    @property
    def usual(self) -> str:
        """The default as files have it; "": there is none."""
        if isinstance(self.default, bool | dict):
            return str(self.default).lower() if self.default != {} else ""
        values = self.default if isinstance(self.default, tuple) else (self.default,)
        return ", ".join(f"{one:g}" if isinstance(one, float) else f"{one}" for one in values if one is not None)


def fields_in(annotation: Any) -> dict[str, FieldInfo]:
    """The fields of the tables in a type such as ``Table | None`` or ``tuple[Table, ...]``, by their keys in files."""
    return {field.alias or name: field for table in _tables(annotation) for name, field in table.model_fields.items()}


def _tables(annotation: Any) -> tuple[type[BaseModel], ...]:
    return tuple(one for one in _pieces(annotation) if isinstance(one, type) and issubclass(one, BaseModel))


def key_of(model: type[BaseModel], name: str) -> Key:
    """The key with a dotted name in the tables of a scenario's class; KeyError where there is none."""
    within: Any = model
    *tables, last = name.split(".")
    for table in tables:
        within = fields_in(within)[table].annotation
    return _key(name, fields_in(within)[last])


def keys_in(model: type[BaseModel], place: str = "") -> Iterator[Key]:
    """The keys of a table, without those of its tables; place : its name, with a point."""
    for name, field in fields_in(model).items():
        if not field.exclude:
            yield _key(f"{place}{name}", field)


def _key(name: str, field: FieldInfo) -> Key:
    extra: Any = field.json_schema_extra or {}
    pieces = [*_pieces(field.annotation), *(one for meta in field.metadata for one in _pieces(meta))]
    words = tuple(word for piece in pieces if get_origin(piece) is Literal for word in get_args(piece) if word)
    bounds = {
        kind: [getattr(one, kind) for one in pieces if hasattr(one, kind) and isinstance(one, Ge | Gt | Le | Lt)]
        for kind in ("gt", "ge", "lt", "le")
    }
    above, least = max(bounds["gt"], default=None), max(bounds["ge"], default=None)
    below, most = min(bounds["lt"], default=None), min(bounds["le"], default=None)
    if above is not None and least is not None:  # the narrower one
        above, least = (above, None) if above >= least else (None, least)
    if below is not None and most is not None:
        below, most = (below, None) if below <= most else (None, most)
    origins = [get_origin(one) for one in pieces]
    lists = [get_args(one) for one in pieces if get_origin(one) is tuple]
    fixed = next((len(one) for one in lists if one[-1] is not ...), 0)
    listed = any(one[-1] is ... for one in lists)
    length = max((one.min_length for one in pieces if isinstance(one, MinLen)), default=0)
    tables = _tables(field.annotation)
    only = only_of(field)
    return Key(
        name=name,
        label=field.title or "",
        unit=extra.get("unit", ""),
        about=field.description or "",
        parts=extra.get("parts", () if listed else PARTS.get(fixed, ())),
        empty=extra.get("empty"),
        files=extra.get("files", ()),
        default=None if tables or field.default is PydanticUndefined else field.default,
        required=field.is_required(),
        limits=Limits(above, least, below, most),
        whole=int in pieces and float not in pieces,
        numeric=int in pieces or float in pieces,
        flag=bool in pieces,
        count=0 if listed else fixed,
        text=str in pieces and dict not in origins and not (words or tables or extra.get("files")),
        choices=words,
        length=length,
        corners=length if listed and fixed == 2 else 0,
        tables=tables,
        listed=listed,
        only=only and (f"{name.rpartition('.')[0]}.{only[0]}".lstrip("."), only[1]),
    )


def _pieces(annotation: Any) -> Iterator[Any]:
    """A type, and the types and constraints that it is made of; not those of the fields of tables."""
    yield annotation
    if isinstance(annotation, FieldInfo):
        for one in annotation.metadata:
            yield from _pieces(one)
    elif get_origin(annotation) is not Literal:
        for one in get_args(annotation):
            yield from _pieces(one)
