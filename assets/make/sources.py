"""The sources of both packages as trees: where functions and calls stand, and what a name may be."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

HOUSE = Path(__file__).parents[2]
ASIDE = ("app/bench/", "app/window/", "app/system/sentences.py")  # of developers; what goes through tr; of templates
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Scope(NamedTuple):
    """Where a name is looked up: the functions around it from the inmost one, and the module with its path."""

    functions: tuple[Function, ...]
    module: ast.Module
    path: str


@cache
def modules() -> dict[str, ast.Module]:
    """The sources of both packages by their path in the house."""
    files = [file for room in ("app", "physics") for file in sorted((HOUSE / room).rglob("*.py"))]
    named = {file.relative_to(HOUSE).as_posix(): file for file in files}
    return {
        name: ast.parse(file.read_text(encoding="utf-8")) for name, file in named.items() if not name.startswith(ASIDE)
    }


@cache
def functions() -> dict[str, list[tuple[Function, Scope]]]:
    """All functions by their name, each with the scope of its body."""
    found: dict[str, list[tuple[Function, Scope]]] = {}
    for node, scope in everything():
        if isinstance(node, Function):
            found.setdefault(node.name, []).append((node, scope._replace(functions=(node, *scope.functions))))
    return found


@cache
def calls() -> dict[str, list[tuple[ast.Call, Scope]]]:
    """All calls by the last name of what is called, each with the scope in which it stands."""
    found: dict[str, list[tuple[ast.Call, Scope]]] = {}
    for node, scope in everything():
        if isinstance(node, ast.Call):
            found.setdefault(called(node), []).append((node, scope))
    return found


@cache
def everything() -> tuple[tuple[ast.AST, Scope], ...]:
    """Every call, keyword, assignment and function of the sources with its scope."""

    found: list[tuple[ast.AST, Scope]] = []
    waiting: list[tuple[ast.AST, Scope]] = [(tree, Scope((), tree, path)) for path, tree in modules().items()]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, ast.Call | ast.keyword | ast.Assign | Function):
            found.append((node, scope))
        inner = scope._replace(functions=(node, *scope.functions)) if isinstance(node, Function) else scope
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]
    return tuple(found)


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """What a call passes at a place or by name."""
    given = next((one.value for one in call.keywords if one.arg == name), None)
    before = call.args[: place + 1]
    if given is None and len(before) > place and not any(isinstance(one, ast.Starred) for one in before):
        given = before[place]
    return given


def is_docstring(node: ast.AST) -> bool:
    """Whether a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def of_text(annotation: ast.expr | None) -> bool:
    """Whether a type is one of texts."""
    return annotation is not None and "str" in ast.unparse(annotation)


def parameter(name: str, function: Function) -> list[tuple[ast.expr, Scope]]:
    """What is passed to a function as a parameter, wherever it is called; its default."""
    plain = [*function.args.posonlyargs, *function.args.args]
    if not any(one.arg == name and of_text(one.annotation) for one in (*plain, *function.args.kwonlyargs)):
        return []
    places = [one.arg for one in plain]
    at = places.index(name) - (places[0] in ("self", "cls")) if name in places else len(places) + 100
    inside = functions()[function.name][0][1]
    return [
        *((one, inside) for one in defaults(name, function)),
        *((given, scope) for call, scope in calls().get(function.name, ()) if (given := argument(call, at, name))),
    ]


def defaults(name: str, function: Function) -> Iterator[ast.expr]:
    """What a parameter is where nothing is passed."""
    plain = [*function.args.posonlyargs, *function.args.args]
    given = zip(reversed(plain), reversed(function.args.defaults), strict=False)
    keyed = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    yield from (value for one, value in (*given, *keyed) if one.arg == name and value is not None)


def assigned(name: str, where: Function | ast.Module) -> list[ast.expr]:
    """What is assigned to a name in a function or at the top of a module, or what it goes through."""
    return assignments(where).get(name, [])


@cache
def assignments(where: Function | ast.Module) -> dict[str, list[ast.expr]]:
    """What all names of a function, or of the top of a module, may be."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(where) if isinstance(where, Function) else where.body:
        pairs: Iterable[tuple[str, ast.expr]] = ()
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = (pair for target in targets for pair in bound(target, value))
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value) if value:
                pairs = bound(target, value)
            case ast.AugAssign(target=target, value=value):
                pairs = bound(target, value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"), args=[value]):
                pairs = [(name, value)]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pairs = ((one.id, value) for one in ast.walk(target) if isinstance(one, ast.Name))
        for name, value in pairs:
            found.setdefault(name, []).append(value)
    return found


def bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names of a target of an assignment, each with what it gets."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        matching = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for i, one in enumerate(target.elts):
            if isinstance(one, ast.Name):
                yield one.id, value if matching is None else matching[i]
