"""The sentences of errors and events, as templates that are taken from the sources for the catalogues.

A sentence is what an error or an event is made with. Its f-string becomes a template with named places, once for each
way that a condition in it may go. What fills a place is followed to where it is assigned, passed or returned; each
phrase that is found so, of two words or more, is a template of its own.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from assets.make.sources import (
    Function,
    Scope,
    argument,
    assigned,
    called,
    calls,
    everything,
    functions,
    is_docstring,
    modules,
    of_text,
    parameter,
)

MAKERS = {  # what a sentence goes into, and as which argument: its place, its name
    "ScenarioError": (1, "message"),
    "Event": (2, "text"),
    **dict.fromkeys(
        ("PhysicsError", "ValueError", "WrongReturn", "SchemeFault", "ArgumentTypeError", "KeyboardInterrupt"),
        (0, "message"),
    ),
}
ATTRIBUTES = ("error", "fault", "doubt")  # of jobs, which are shown as they are
SHOWN = {  # functions all of whose words are shown: the file and the names
    "app/system/processes.py": ("shortage",),
    "physics/analysis/card_items.py": (
        *(
            "card_items",
            "_kept",
            "_declared_orders",
            "_declared_torques",
            "_order",
            "_course",
            "_halves",
            "_small",
            "_yes",
            "_reach",
            "differences",
            "agreement",
        ),
        *("verdict", "_order_words", "card_text"),
    ),
    "physics/analysis/convergence.py": ("verdict",),
    "physics/hazard/ensemble.py": ("doubts",),
    "physics/hazard/fit_parameters.py": ("fit_note",),
    "physics/hazard/fit_results.py": ("sentences", "_score"),
    "physics/hydrostatics/righting_levers.py": ("verdict", "criteria"),
    "physics/analysis/ranking.py": ("_rank", "advice", "cells"),
    "physics/measured/motion.py": ("guess", "choices"),
    "physics/simulation/reference.py": ("_stretch",),
    "physics/systems/scheme_overview.py": ("keeps", "kept", "_with_energy", "order_in_words"),
}
GENERAL = (  # what pydantic finds wrong, and what is put together of other sentences
    *("a number", "a whole number", "a list", "a finite number", "a table", "text", "true or false", "no number"),
    *("a number above {least}", "a number of at least {least}", "a number below {most}", "a number of at most {most}"),
    *("a multiple of {number}", "text of at least {least} letter", "text of at most {most} letters", "expected text"),
    *("a number above 0", "a number of at least 0", "at most {most} letters, digits, - and _", "{what}, got none"),
    *("expected {what}", "expected {what}, got {found}", "{what}, got {found}", "at least {least}", "at most {most}"),
    *("line {number}", "line {number}, {name}", "row {number}", "row {number}, {name}"),
)
PHRASE = re.compile(r"^[^<>]*([^\W\d_] [^<>]*[^\W\d_]{3,}|[^\W\d_]{3,}[^<>]* [^<>]*[^\W\d_])[^<>]*$")  # two words
WORD = re.compile(r"[^\W\d_]{2,}")
UNIT = re.compile(r"\[.*?\]")
FIELD = re.compile(r"^(\{\w+\}|[a-z_]+): (?=.)")  # before a sentence, which is read without
MOST_WAYS = 24  # that the conditions of one sentence may go
PLAIN = ("join", "get", "next", "str", "partial", "format", "values", "items", "list", "tuple", "sorted")  # of Python
Parts = tuple[str | ast.expr, ...]


class Sentence(NamedTuple):
    """A template, and the line of the sources where it stands; words: whether its places are filled with such too."""

    text: str
    where: str
    line: int
    words: bool = False


def ways(node: ast.expr) -> list[Parts]:
    """The texts that an expression may make: literal parts and values, once for each way its conditions may go."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text,)]
        case ast.JoinedStr(values=values):
            found = [[*map(tuple, ways(one))] for one in values]
        case ast.FormattedValue(value=value, format_spec=None, conversion=-1) if is_text(value):
            return ways(value)
        case ast.FormattedValue(value=value):
            return [(value,)]
        case ast.IfExp(body=body, orelse=other):
            return [*ways(body), *ways(other)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            found = [ways(left), ways(right)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mult()):
            return [("",), (text,)]
        case _:
            return [(node,)]
    whole = [tuple(part for parts in way for part in parts) for way in product(*found)] if found else [("",)]
    return whole[:MOST_WAYS]


def is_text(node: ast.expr) -> bool:
    """Whether an expression chooses among literal texts or joins them."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.IfExp(body=body, orelse=other):
            return is_text(body) or is_text(other)
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return is_text(left) or is_text(right)
    return False


def texts_in(node: ast.AST) -> Iterator[ast.expr]:
    """The texts in some code, each as a whole; none that something is compared with or looked up by."""
    if isinstance(node, ast.expr) and is_text(node):
        yield node
    elif not isinstance(node, ast.Compare | ast.Subscript) and not is_docstring(node):
        for child in ast.iter_child_nodes(node):
            yield from texts_in(child)


def place_of(value: ast.expr, taken: set[str]) -> str:
    """A name for the place of a value: the last name in it, with a number where it is taken."""
    heads = {id(node.func) for node in ast.walk(value) if isinstance(node, ast.Call)}
    names = [
        (node.end_lineno, node.end_col_offset, getattr(node, "id", "") or getattr(node, "attr", ""))
        for node in ast.walk(value)
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in heads
    ]
    name = max(names)[2].strip("_").lower() if names else "value"
    number = next(n for n in range(1, 100) if (name if n == 1 else f"{name}{n}") not in taken)
    taken.add(name if number == 1 else f"{name}{number}")
    return name if number == 1 else f"{name}{number}"


def template(parts: Parts) -> str:
    """Parts as a template of ``str.format``, all values as plain places."""
    taken: set[str] = set()
    return "".join(
        part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else f"{{{place_of(part, taken)}}}"
        for part in parts
    )


class Collector:
    """Follows what sentences are made of; each expression once, however many ways lead to it."""

    def __init__(self) -> None:
        self.found: dict[str, Sentence] = {}
        self._seen: set[tuple[int, Scope]] = set()
        self._next: deque[tuple[ast.expr, Scope]] = deque()

    def take(self, node: ast.expr, scope: Scope, least: re.Pattern[str] = PHRASE, words: bool = False) -> None:
        """The templates of an expression; the phrases that fill their places are found later."""
        for parts in ways(node):
            said = "".join(part for part in parts if isinstance(part, str))
            if least.search(UNIT.sub("", said)) and "\n" not in said:
                text = template(parts) if words else FIELD.sub("", template(parts))
                self.found.setdefault(text, Sentence(text, scope.path, node.lineno, words))
            for value in parts:
                if not isinstance(value, str):
                    self.follow(value, scope)

    def follow(self, value: ast.expr, scope: Scope) -> None:
        """Remember a value whose phrases are to be found."""
        if (id(value), scope) not in self._seen:
            self._seen.add((id(value), scope))
            self._next.append((value, scope))

    def finish(self) -> None:
        """Find the phrases of all values, and of what they are made of."""
        while self._next:
            self._phrases(*self._next.popleft())

    def _phrases(self, value: ast.expr, scope: Scope) -> None:
        """The phrases that a value may be."""
        if is_text(value):
            self.take(value, scope)
            return
        match value:
            case ast.Name(id=name):
                self._name(name, scope)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                self._attribute(name, scope)
            case ast.Call(func=function, args=passed):
                for one, inside in () if called(value) in PLAIN else functions().get(called(value), ()):
                    if of_text(one.returns):
                        self.returned(one, inside)
                if isinstance(function, ast.Attribute):
                    self.follow(function.value, scope)
                for given in passed if called(value) in PLAIN else ():
                    self.follow(given, scope)
            case ast.ListComp(elt=element, generators=loops) | ast.GeneratorExp(elt=element, generators=loops):
                for one in (element, *(loop.iter for loop in loops)):
                    self.follow(one, scope)
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                self.follow(inner, scope)
            case ast.IfExp(body=body, orelse=other) | ast.BinOp(left=body, op=ast.Add(), right=other):
                self.follow(body, scope)
                self.follow(other, scope)
            case (
                ast.BoolOp(values=several)
                | ast.Tuple(elts=several)
                | ast.List(elts=several)
                | ast.Set(elts=several)
                | ast.Dict(values=several)
            ):
                for one in several:
                    self.follow(one, scope)

    def returned(self, function: Function, scope: Scope) -> None:
        """What a function returns or yields."""
        for node in ast.walk(function):
            if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                self.follow(node.value, scope)

    def _attribute(self, name: str, scope: Scope) -> None:
        """What the classes of a module assign to an attribute."""
        for node in ast.walk(scope.module):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(isinstance(one, ast.Attribute) and one.attr == name for one in targets):
                self.follow(node.value, scope)

    def _name(self, name: str, scope: Scope) -> None:
        """What a variable, a parameter or a constant of a module may be."""
        for i, function in enumerate(scope.functions):
            inside, given = scope._replace(functions=scope.functions[i:]), assigned(name, function)
            for one in given:
                self.follow(one, inside)
            if passed := parameter(name, function):
                for one, outside in passed:
                    self.follow(one, outside)
                return
            if given:
                return
        homes = [(scope.path, scope.module)]
        imports = [node for node in scope.module.body if isinstance(node, ast.ImportFrom)]
        if any(one.name == name for node in imports for one in node.names):
            homes = [*modules().items()]
        for path, module in homes:
            for one in assigned(name, module):
                self.follow(one, Scope((), module, path))


@cache
def sentences() -> tuple[Sentence, ...]:
    """The templates of all that errors, events and notes say, each once, in the order of the alphabet."""
    collector = Collector()
    for node, scope in everything():
        if isinstance(node, ast.keyword) and node.arg in ("note", "notes"):
            collector.follow(node.value, scope)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "attr", "") in ATTRIBUTES:
            collector.follow(node.value, scope)
        if isinstance(node, Function) and node.name in SHOWN.get(scope.path, ()):
            for part in (part for statement in node.body for part in texts_in(statement)):
                collector.take(part, scope._replace(functions=(node,)), WORD, words=True)
    for name, (place, key) in MAKERS.items():
        for call, scope in calls().get(name, ()):
            said = argument(call, place, key)
            if said is not None:
                collector.take(said, scope, WORD)
    collector.finish()
    general = {text: Sentence(text, "assets/make/sentences.py", 0) for text in GENERAL}
    found = general | collector.found
    return tuple(found[text] for text in sorted(found))
