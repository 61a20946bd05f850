"""JSON schema of scenario files, by which editors complete and check them.

Draft 7, the newest that the common editors of TOML know.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from physics.scenario.described import in_words
from physics.scenario.scenario import Scenario

DRAFT = "http://json-schema.org/draft-07/schema#"
PLAIN = ("default", "enum", "const", "properties")  # keys that hold no schema
OWN = ("parts", "empty", "files", "only")  # keywords of ``described`` that are told by the description


class _Generator(GenerateJsonSchema):
    """Without titles that repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Titles are labels, see ``described``."""
        return False


def scenario_schema() -> dict[str, Any]:
    """The schema of the files of all kinds: an object whose kind decides which of the tables it satisfies.

    Keys that a file may leave out are not required, unknown ones are refused. Checks of keys against one another are
    left to ``load_scenario``. The keys of all kinds stand at its top too: there editors look for what they complete.
    """
    models = [(model, "validation") for model in Scenario.kinds.values()]
    refs, found = models_json_schema(models, schema_generator=_Generator)  # type: ignore[arg-type]
    tables = {name: _told(table) for name, table in found["$defs"].items()}
    keys: dict[str, list[Any]] = {}
    forms = []
    for kind, model in Scenario.kinds.items():
        ref = refs[model, "validation"]
        table = tables[ref["$ref"].rpartition("/")[2]]
        del table["properties"]["folder"]
        table["properties"]["schemes"]["default"] = [*model.usual_schemes]
        table["required"].remove("schemes")
        table["properties"]["kind"] = {"const": kind}
        forms.append({"if": {"properties": {"kind": {"const": kind}}}, "then": ref})
        for key, value in table["properties"].items():
            if value not in (same := keys.setdefault(key, [])):
                same.append(value)
    of_all = {key: values[0] if len(values) == 1 else {"anyOf": values} for key, values in keys.items()}
    return {
        "$schema": DRAFT,
        "title": "Polhode scenario",
        "type": "object",
        "required": ["kind"],
        "properties": of_all | {"kind": {"description": "What moves, and how.", "enum": [*Scenario.kinds]}},
        "allOf": forms,
        "$defs": tables,
    }


def _told(schema: Any) -> Any:
    """A schema of draft 7, with what ``described`` says in its descriptions."""
    if isinstance(schema, list):
        return [_told(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {key: value if key in PLAIN else _told(value) for key, value in schema.items() if key not in OWN}
    if "prefixItems" in made:
        made["items"] = made.pop("prefixItems")
    if "anyOf" in made:  # the length of a list, which may be one table alone
        made.pop("maxLength", None)
    if {"type": "null"} in made.get("anyOf", ()):  # TOML has no such value
        made["anyOf"] = [one for one in made["anyOf"] if one != {"type": "null"}]
        made |= made.pop("anyOf")[0] if len(made["anyOf"]) == 1 else {}
    if made.get("default") in (None, math.inf) or "$ref" in made:  # JSON has no infinity, and a table its own defaults
        made.pop("default", None)
    if "properties" in made:  # a table, whose docstring describes it
        made.pop("title", None)
        made["properties"] = {key: _told(value) for key, value in schema["properties"].items()}
        made["description"] = " ".join(made.get("description", "").partition("\n\n")[0].replace("``", "").split())
    elif text := _text(schema):
        made["description"] = text
    return made


def _text(schema: Mapping[str, Any]) -> str:
    """The description of a key: label, unit, meaning, what it is when it is left out, and beside what it acts."""
    label, unit, about, empty = (schema.get(key) or "" for key in ("title", "unit", "description", "empty"))
    head = f"{label} ({', '.join(schema['parts'])})" if label and "parts" in schema else label
    head += f" [{unit}]" if head and unit else ""
    words = f"{head}: {about[:1].lower()}{about[1:]}" if head and about else head or about[:1].upper() + about[1:]
    without = f"without it: {empty[:1].lower()}{empty[1:]}" if empty else ""
    return "; ".join(filter(None, [words, without, in_words(schema.get("only"))]))
