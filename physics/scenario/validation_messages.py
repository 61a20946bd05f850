"""What pydantic finds wrong with a scenario, as one sentence that names the field."""

from __future__ import annotations

import difflib
from typing import Any

from pydantic import BaseModel, ValidationError

from physics.core.errors import ScenarioError


def explained(error: ValidationError, model: type[BaseModel]) -> ScenarioError:
    """The first fault of a validation as one sentence that names the field."""
    fault = error.errors(include_url=False)[0]
    place = [str(part) for part in fault["loc"] if not (isinstance(part, str) and "[" in part)]
    field = ".".join(f"{part:.60}" for part in place).replace("for_", "for")
    message, found = fault["msg"].removeprefix("Value error, "), fault.get("input")
    if fault["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], _keys(model, place[:-1]), n=1)
        return ScenarioError(field, "unknown key" + (f"; did you mean '{near[0]}'?" if near else ""))
    if fault["type"] in ("missing", "too_long", "too_short") and _is_list(place, found):
        whole = list(place)
        while whole[-1].isdigit():
            whole.pop()
        return ScenarioError(".".join(whole), f"expected {_length(fault, place)}")
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
        least, found = fault["ctx"]["min_length"], fault["ctx"]["actual_length"]
        return f"at least {least} value{'s' if least > 1 else ''}, got {found or 'none'}"
    return "more values than that" if not place[-1].isdigit() else f"more than {place[-1]} values"


def _keys(root: type[BaseModel], place: list[str]) -> list[str]:
    """The keys known in a table of the file."""
    model: type[BaseModel] | None = root
    for name in place:
        if model is not None and not name.isdigit():  # a number: one of a list of tables
            model = _table(model.model_fields[name].annotation)
    if model is None:
        return []
    return [field.alias or name for name, field in model.model_fields.items() if name != "folder"]


def _table(annotation: Any) -> type[BaseModel] | None:
    """The table in a type such as ``Table | None`` or ``tuple[Table, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in getattr(annotation, "__args__", ()) if (found := _table(inner))), None)
