"""Typed values: numbers, calculations and places as texts, and the texts of these."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from app.system.language import tr
from physics import ScenarioError


def short(value: float | None, room: int = 9) -> str:
    """A number as panels show it: all its digits where so many letters hold them, else as many as fit."""
    if value is None:
        return ""
    for digits in (10, 6, 5, 4, 3, 2):
        text = f"{value:.{digits}g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
        if len(text) <= room:
            break
    return text


def pointed(text: str) -> str:
    """The text of a number with a decimal comma (0,5) with a point in its place; any other text as it is.

    No comma is taken to part thousands: 1,000 is 1.000, and 1,000.5 is no number.
    """
    return re.sub(r"^\s*([+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?)\s*$", lambda found: found[1].replace(",", "."), text)


OPERATIONS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
FUNCTIONS = {name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "radians", "degrees")}


def calculated(text: str) -> float:
    """The number that a calculation with OPERATIONS, FUNCTIONS and pi gives; ValueError where there is none."""
    try:
        return float(text)
    except ValueError:
        pass
    if re.search(r"0[xXoObB]|_", text):  # other notations of Python
        raise ValueError(text)
    try:
        return float(_value(ast.parse(text.replace("^", "**"), mode="eval").body))
    except (SyntaxError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from None


def _value(node: ast.AST) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id="pi"):
            return math.pi
        case ast.UnaryOp(op=op, operand=one) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](_value(one))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in FUNCTIONS:
            return float(FUNCTIONS[name](_value(one)))
    raise ValueError("not a calculation")


def parsed(text: str, key: str, whole: bool = False) -> float | int:
    """The number in a text, with a decimal point or comma, or a calculation such as "2*pi/3".

    ScenarioError, naming the field, when it is none.
    """
    try:
        return int(text) if whole else calculated(pointed(text))
    except ValueError:
        wanted = tr("expected a whole number") if whole else tr("expected a number")
        if re.search(r"\d[.,' ]\d{3}\b", text):
            wanted += tr(" without signs between thousands")
        got = tr(", got {text}").format(text=f"{text!r:.40}") if text else ""
        raise ScenarioError(key, wanted + got) from None


def written(value: Any) -> str:
    """Places ((x, y), ...) as a text."""
    return "; ".join(f"{x:.10g}, {y:.10g}" for x, y in value or ())


def parted(text: str) -> list[str]:
    """The numbers in a text, as texts: 0, 0, 1 or 0 0 1; where spaces alone part them a comma is a decimal one."""
    words = text.split()
    if len(words) > 1 and not re.search(r",(\s|$)|\s,", text):
        return words
    return text.replace(",", " ").split()


def _coordinates(text: str) -> tuple[float, ...]:
    """The numbers in a text: 10, 20 or 10 20; where spaces part two of them a comma is a decimal one."""
    apart = [word.rstrip(",") for word in text.split()]
    decimal = len(apart) == 2 and not apart[1].startswith(",")
    return tuple(map(float, map(pointed, apart) if decimal else parted(text)))


def places(text: str, key: str, least: int) -> tuple[tuple[float, ...], ...] | None:
    """The places in a text, None when it is empty; ScenarioError, naming the field, when they cannot be read."""
    text = text.strip().strip("; ")
    if not text:
        return None
    try:
        found = tuple(map(_coordinates, text.split(";")))
    except ValueError:
        found = ()
    if not found or any(len(place) != 2 for place in found):
        raise ScenarioError(key, tr("expected corners such as 10, 20; 30, 25"))
    if len(found) < least:
        raise ScenarioError(
            key, tr("expected at least {least} corners, got {count}").format(least=least, count=len(found))
        )
    return found
