"""The sentences of errors and events, as templates that are taken from the sources for the catalogues.

A sentence is what an error or an event is made with. Its f-string becomes a template with named places, once for each
way that a condition in it may go. What fills a place is followed to where it is assigned, passed or returned; each
phrase that is found so, of two words or more, is a template of its own, and only these are words of the program there:
all else that fills a place is a user's, or a number.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple, TypeGuard, get_args

from app.system.sentences import ALONE, ERROR, HEAD, LAST, PLACE, SIGNS
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
from physics.analysis.report_card import Behaviour

MAKERS = {  # what a sentence goes into, and as which argument: its place, its name
    "ScenarioError": (1, "message"),
    "Event": (2, "text"),
    **dict.fromkeys(
        ("PhysicsError", "ValueError", "WrongReturn", "SchemeFault", "ArgumentTypeError", "KeyboardInterrupt"),
        (0, "message"),
    ),
}
SHOWING = {"translated": (0, "what")}  # what translates a phrase that is no error
ATTRIBUTES = ("error", "fault", "doubt")  # of jobs, which are shown as they are
WORDS = {
    "behaviour": get_args(Behaviour),
    "unit": ("metres",),
}  # single words of the program, by the places that they fill
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
    "physics/hydrostatics/hull.py": ("_size_notes", "_deck_notes"),
    "physics/hydrostatics/righting_levers.py": ("verdict", "criteria"),
    "physics/terrain/clouds.py": ("_named_header",),
    "physics/analysis/ranking.py": ("_rank", "advice", "cells"),
    "physics/measured/motion.py": ("choices", "guess"),
    "physics/simulation/search.py": ("_why",),
    "physics/simulation/witnesses.py": ("reason",),
    "physics/systems/scheme_overview.py": ("keeps", "kept", "_with_energy", "order_in_words"),
}
PLACES = ("line {number}", "line {number}, {name}", "row {number}", "row {number}, {name}")  # in files
EXPECTED = (  # what pydantic expects
    *("a number", "a whole number", "a list", "a finite number", "a table", "text", "true or false", "no number"),
    *("a number above {least}", "a number of at least {least}", "a number below {most}", "a number of at most {most}"),
    *("a multiple of {number}", "text of at least {least} letter", "text of at most {most} letters"),
    *("a number above 0", "a number of at least 0", "at most {most} letters, digits, - and _"),
    *("at least {least}", "at most {most}"),
)
ARGUMENTS = (  # what argparse finds wrong with a command line
    *("expected one argument", "expected at least one argument", "expected {number} arguments"),
    *("the following arguments are required: {names}", "unrecognized arguments: {names}"),
    *("invalid choice: {found} (choose from {known})", "not allowed with argument {name}"),
)
GENERAL: dict[str, dict[str, list[str]]] = {  # what these find wrong, with what fills the places
    **{text: {"what": [*EXPECTED]} for text in ("expected {what}", "expected {what}, got {found}", "{what}, got none")},
    "expected text": {},
} | {text: {} for text in ARGUMENTS}
LISTED = re.compile(r"\b(or|and|then)\b")  # before the last one of a list
PHRASE = re.compile(r"^[^<>]*([^\W\d_] [^<>]*[^\W\d_]{3,}|[^\W\d_]{3,}[^<>]* [^<>]*[^\W\d_])[^<>]*$")  # two words
WORD = re.compile(r"[^\W\d_]{2,}")
UNIT = re.compile(r"\[.*?\]")
FIELD = re.compile(r"^(\{\w+\}|[a-z_]+): (?=.)")  # before a sentence, which is read without
MOST_WAYS = 24  # that the conditions of one sentence may go
PLAIN = ("join", "get", "next", "str", "partial", "format", "values", "items", "list", "tuple", "sorted")  # of Python
Parts = tuple[str | ast.expr, ...]


class Sentence(NamedTuple):
    """A template, and the file of the sources where it stands."""

    text: str
    where: str


Value = tuple[int, Scope]  # an expression by its identity, and where its names are looked up


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
    """Follows what sentences are made of; each expression once, however many ways lead to it.

    found : the templates that are translated; said : those of errors and notes; shown : phrases that are shown alone
    """

    def __init__(self) -> None:
        self.found: dict[str, Sentence] = {}
        self.said: set[str] = set()
        self.shown: set[str] = set()
        self._wordy: set[str] = set()  # texts in whose places single words are words of the program too
        self._roots: dict[bool, list[Value]] = {False: [], True: []}  # of errors; of what is shown alone
        self._heads: list[Value] = []  # what stands before a colon
        self._texts: dict[Value, list[str]] = {}  # what a value is
        self._leads: dict[Value, list[Value]] = {}  # what else it may be
        self._places: dict[str, dict[str, list[Value]]] = {}  # what fills the places of a text
        self._next: deque[tuple[ast.expr, Scope]] = deque()

    def say(self, node: ast.expr, scope: Scope, alone: bool = False, words: bool = False) -> None:
        """Take the errors of an expression, or phrases that are shown alone; words: places have single words too."""
        texts, leads = self.take(node, scope, WORD, words)
        (self.shown if alone else self.said).update(texts)
        self._roots[alone] += leads

    def root(self, value: ast.expr, scope: Scope, alone: bool = False) -> None:
        """Follow a value that is an error, or a phrase that is shown alone."""
        self._roots[alone].append(self.follow(value, scope))

    def take(
        self, node: ast.expr, scope: Scope, least: re.Pattern[str] = PHRASE, words: bool = False
    ) -> tuple[list[str], list[Value]]:
        """The texts of an expression, and values that are it; the phrases that fill their places are found later."""
        texts, leads = list[str](), list[Value]()
        for parts in ways(node):
            values = [self.follow(part, scope) for part in parts if not isinstance(part, str)]
            said = "".join(part for part in parts if isinstance(part, str))
            if not said:
                leads += values
            if not said or "\n" in said:
                continue
            whole = template(parts)
            text = whole if words else FIELD.sub("", whole)
            filled = [*zip(PLACE.findall(whole), values, strict=True)][-len(PLACE.findall(text)) or len(values) :]
            if text != whole and whole.startswith("{"):
                self._heads.append(values[0])
            if not PLACE.sub("", text):
                leads += (value for _, value in filled)
                continue
            if least.search(UNIT.sub("", said)):
                self.found.setdefault(text, Sentence(text, scope.path))
            if words:
                self._wordy.add(text)
            places = self._places.setdefault(text, {})
            for place, value in filled:
                places.setdefault(place, []).append(value)
            texts.append(text)
        return texts, leads

    def follow(self, value: ast.expr, scope: Scope) -> Value:
        """Remember a value whose phrases are to be found."""
        key = id(value), scope
        if key not in self._leads:
            self._leads[key] = []
            self._next.append((value, scope))
        return key

    def finish(self) -> None:
        """Find the phrases of all values, and of what they are made of."""
        while self._next:
            value, scope = self._next.popleft()
            key = id(value), scope
            if is_text(value):
                self._texts[key], self._leads[key] = self.take(value, scope)
            elif sentence := any_sentence(value, scope):
                self._texts[key] = [sentence]
            else:
                self._leads[key] = [self.follow(*one) for one in self._phrases(value, scope)]
        self.said |= self._reached(self._roots[False])
        self.shown |= self._reached(self._roots[True])

    def grammar(self, rows: Collection[str]) -> dict[str, dict[str, list[str]]]:
        """What the program says in the places of each text that a sentence is made of; ANY has the whole sentences.

        rows : sentences of registries, and phrases of these that are shown alone
        """
        reached = {
            text: {
                place: found
                for place, values in places.items()
                if f"'{{{place}}}'" not in text and (found := self._reached(values))
            }
            for text, places in self._places.items()
        }
        known = reached.keys() & self.found.keys()
        whole = {text for text in known if PHRASE.search(UNIT.sub("", PLACE.sub("", text)))}
        whole |= {ERROR, ALONE, *LAST, *(text for text in reached if "{" in text and LISTED.search(text))}
        while new := {
            text for text in reached.keys() - known - whole if any(whole & found for found in reached[text].values())
        }:
            whole |= new
        kept = {}
        for text, places in reached.items():
            allowed = whole | known if text in self._wordy else whole
            fills = {place: sorted(_with_signs(found & allowed, found)) for place, found in places.items()}
            fills |= {place: [*WORDS[place]] for place in PLACE.findall(text) if place in WORDS}
            kept[text] = {place: found for place, found in fills.items() if found}
        advice = {text for text in rows if text.endswith(".")}
        whole_ones = {
            ERROR: (self.said & (known | whole)) | GENERAL.keys() | advice,
            ALONE: _with_signs(self.shown & (known | whole), self.shown) | {*rows} - advice,
            HEAD: {*PLACES, "interrupted", *(self._reached(self._heads) & whole & known)},
        }
        marks = {mark: {"": sorted(texts - {ERROR, ALONE})} for mark, texts in whole_ones.items()}
        return _within(_both(GENERAL, kept) | marks, marks)

    def _reached(self, values: Iterable[Value]) -> set[str]:
        """The texts that values may be."""
        found, seen, waiting = set[str](), set[Value](), [*values]
        while waiting:
            if (value := waiting.pop()) not in seen:
                seen.add(value)
                found.update(self._texts.get(value, ()))
                waiting += self._leads[value]
        return found

    def _phrases(self, value: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
        """What a value may be, or is made of."""
        match value:
            case ast.Name(id=name):
                yield from _name(name, scope)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                yield from _attribute(name, scope)
            case ast.Attribute(attr="remedy"):
                yield from ((node.value, of) for node, of in everything() if _is_keyword(node, ("remedy",)))
            case ast.Call(func=function, args=passed):
                for one, inside in () if called(value) in PLAIN else functions().get(called(value), ()):
                    if of_text(one.returns):
                        yield from ((node, inside) for node in returned(one))
                if isinstance(function, ast.Attribute):
                    yield function.value, scope
                yield from ((given, scope) for given in passed if called(value) in PLAIN)
            case ast.ListComp(elt=element, generators=loops) | ast.GeneratorExp(elt=element, generators=loops):
                yield from ((one, scope) for one in (element, *(loop.iter for loop in loops)))
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                yield inner, scope
            case ast.IfExp(body=body, orelse=other) | ast.BinOp(left=body, op=ast.Add(), right=other):
                yield from ((body, scope), (other, scope))
            case (
                ast.BoolOp(values=several)
                | ast.Tuple(elts=several)
                | ast.List(elts=several)
                | ast.Set(elts=several)
                | ast.Dict(values=several)
            ):
                yield from ((one, scope) for one in several)


def any_sentence(value: ast.expr, scope: Scope) -> str:
    """ERROR if a value is an error that is caught, what one says, or advice; ALONE if it is an item of a card."""
    match value:
        case ast.Attribute(attr="message" | "reason" | "fault" | "doubt" | "text" | "advice"):
            return ERROR
        case ast.Attribute(value=ast.Name(id="item")):
            return ALONE
        case ast.Name(id=name) if scope.functions:
            nodes = ast.walk(scope.functions[0])
            return ERROR if any(isinstance(one, ast.ExceptHandler) and one.name == name for one in nodes) else ""
    return ""


def _is_keyword(node: ast.AST, names: Container[str | None]) -> TypeGuard[ast.keyword]:
    """Whether a node passes something by one of some names."""
    return isinstance(node, ast.keyword) and node.arg in names


def returned(function: Function) -> Iterator[ast.expr]:
    """What a function returns or yields."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            yield node.value


def _attribute(name: str, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """What the classes of a module assign to an attribute."""
    for node in ast.walk(scope.module):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Attribute) and one.attr == name for one in targets):
            yield node.value, scope


def _name(name: str, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """What a variable, a parameter or a constant of a module may be."""
    for i, function in enumerate(scope.functions):
        inside, given = scope._replace(functions=scope.functions[i:]), assigned(name, function)
        yield from ((one, inside) for one in given)
        if passed := parameter(name, function):
            yield from passed
            return
        if given:
            return
    homes = [(scope.path, scope.module)]
    imports = [node for node in scope.module.body if isinstance(node, ast.ImportFrom)]
    if any(one.name == name for node in imports for one in node.names):
        homes = [*modules().items()]
    for path, module in homes:
        yield from ((one, Scope((), module, path)) for one in assigned(name, module))


def _with_signs(texts: set[str], among: set[str]) -> set[str]:
    """Texts, and the signs between them if they are joined."""
    return texts | {sign for sign in among if sign in SIGNS} if texts else texts


def _both(
    one: dict[str, dict[str, list[str]]], other: dict[str, dict[str, list[str]]]
) -> dict[str, dict[str, list[str]]]:
    """Two grammars as one: a place has what either says in it."""
    whole = {text: one.get(text, {}) | places for text, places in (one | other).items()}
    return {
        text: {place: [*dict.fromkeys([*one.get(text, {}).get(place, ()), *fills])] for place, fills in places.items()}
        for text, places in whole.items()
    }


def _within(grammar: dict[str, dict[str, list[str]]], begin: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    """The part of a grammar that some texts lead to, in the order of the alphabet."""
    found, waiting = set[str](), [*begin]
    while waiting:
        if (text := waiting.pop()) not in found:
            found.add(text)
            waiting += (one for fills in grammar.get(text, {}).values() for one in fills)
    return {text: grammar.get(text, {}) for text in sorted(found)}


@cache
def collected() -> Collector:
    """What all errors, events and notes say."""
    collector = Collector()
    for node, scope in everything():
        if _is_keyword(node, ("note", "notes", "advice")) and not scope.path.startswith("physics/schemes/rows/"):
            collector.root(node.value, scope)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "attr", "") in ATTRIBUTES:
            collector.root(node.value, scope)
        if isinstance(node, Function) and node.name in SHOWN.get(scope.path, ()):
            inside = scope._replace(functions=(node,))
            for part in (part for statement in node.body for part in texts_in(statement)):
                collector.say(part, inside, alone=True, words=True)
            for value in returned(node):
                collector.root(value, inside, alone=True)
    for name, (place, key) in (MAKERS | SHOWING).items():
        for call, scope in calls().get(name, ()):
            said = argument(call, place, key)
            if said is not None:
                collector.say(said, scope, alone=name in SHOWING)
    collector.finish()
    return collector


def sentences() -> tuple[Sentence, ...]:
    """The templates of all that errors, events and notes say, each once, in the order of the alphabet."""
    found = {
        text: Sentence(text, "assets/make/sentences.py") for text in (*GENERAL, *EXPECTED, *PLACES)
    } | collected().found
    return tuple(found[text] for text in sorted(found))
