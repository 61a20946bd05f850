"""Values of wrong types in every key of every table: each is refused by its name, in words of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import physics
from app.document.session import SessionView
from physics.scenario.scenario import Scenario, of_faults

WRONG: tuple[Any, ...] = (
    "nonsense", "", 3, -7, 2.5, float("nan"), float("inf"), True, None, [], ["a"], [1, 2], [[1, 2], "b"], [[]],
    {}, {"strange": 1}, {"a": {"b": 2}}, [{}], [{"strange": 1}], [1.0] * 300, 10**400,
)  # fmt: skip
# words of pydantic and of Python that no reader of a scenario knows
JARGON = re.compile(
    r"another value|valid|input|instance|dictionary|tuple|union|tag|pars|None|True|False|Config\b|literal|iterable"
)


def tables(annotation: Any) -> Iterator[type[BaseModel]]:
    """The tables in a type, those in their keys included."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from tables(field.annotation)
    for inner in getattr(annotation, "__args__", ()):
        yield from tables(inner)


ALL = dict.fromkeys(table for kind in (*Scenario.kinds.values(), SessionView) for table in tables(kind))


@pytest.mark.parametrize("table", ALL, ids=[table.__name__ for table in ALL])
def test_a_value_of_a_wrong_type_is_refused_in_words_of_the_program(table: type[BaseModel]) -> None:
    for name, field in table.model_fields.items():
        key = field.alias or name
        for value in WRONG:
            faults = []
            try:
                table.__pydantic_validator__.validate_python({key: value})
            except ValidationError as error:
                faults = [fault for fault in error.errors(include_url=False) if fault["loc"][:1] == (key,)]
            except physics.ScenarioError:  # in its own words
                pass
            if faults:
                told = of_faults(faults, table)
                where = f"{told.field}: {told.message} for {value!r:.60}"
                assert re.fullmatch(rf"{re.escape(key)}(\.\w+)*", told.field), where
                assert not JARGON.search(told.message.partition(", got ")[0]), where
                assert "\n" not in told.message, where
