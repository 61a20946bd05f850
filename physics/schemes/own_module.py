"""A user's module with a scheme: what it says of itself, its step in Python, and its loop compiled.

The module has a function ``step(J, field, h, q, w) -> (q, w, residual)``, and for a scheme that remembers also
``start(J, field, h, q, w) -> memory``; its step then takes the memory last, and returns it last.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba.extending import register_jitable

from physics.core import jit

FACTS = ("NAME", "TITLE", "CITATION", "ORDER", "TORQUES", "KINDS")
MOST_MEMORY = 1000  # numbers
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # of numba's messages
_PREAMBLE = ("Failed in", ">>>", "There are", "- Of which", "During", "Overload", "File")


class WrongReturn(Exception):
    """A function of the user's returns something else than is expected; the text is one sentence."""


class OwnModule:
    """The module of a file, once its text has run.

    facts : those of FACTS that it has, as plain values
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        module = ModuleType("own_scheme")
        module.__file__ = path
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
        jit.tell_formulas()  # those that the file imports: no kernel runs in this process
        self._names = module.__dict__
        self.facts = {name: _plain(name, self._names[name]) for name in FACTS if name in self._names}
        self._step, self._start = self._function("step", 5), self._function("start", 5, needed=False)
        self.remembers = self._start is not None

    def _function(self, name: str, count: int, needed: bool = True) -> Callable[..., Any] | None:
        found = self._names.get(name)
        if found is None and not needed:
            return None
        if found is None or not callable(found):
            raise WrongReturn(f"expected a function {name}(J, field, h, q, w)")
        count += name == "step" and "start" in self._names
        try:
            inspect.signature(found).bind(*range(count))
        except TypeError:
            last = ", memory" if count > 5 else ""
            line = found.__code__.co_firstlineno if isinstance(found, FunctionType) else 0
            raise WrongReturn(f"line {line}: expected {name}(J, field, h, q, w{last})") from None
        except ValueError:  # a function of C tells no signature
            pass
        function: Callable[..., Any] = found
        return function

    def begin(self, J: Any, field: Any, h: float, q: Any, w: Any) -> tuple[float, ...]:
        """What the scheme remembers at the start; () where it remembers nothing."""
        if self._start is None:
            return ()
        found = self._start(J, field, h, q, w)
        memory = _numbers(found, "start", "a tuple of numbers, its memory")
        if not 0 < len(memory) <= MOST_MEMORY:
            raise WrongReturn(f"{self._place('start')}expected 1 to {MOST_MEMORY} numbers of start, got {len(memory)}")
        return memory

    def checked(self, J: Any, field: Any, h: float, q: Any, w: Any, memory: tuple[float, ...]) -> tuple[Any, ...]:
        """One step in Python: q, w, residual, memory; WrongReturn where it returns something else."""
        assert self._step is not None
        result = self._step(J, field, h, q, w, memory) if self.remembers else self._step(J, field, h, q, w)
        expected = "(q, w, residual, memory)" if self.remembers else "(q, w, residual)"
        place = self._place("step")
        try:
            q, w, residual, *rest = result
        except (TypeError, ValueError):
            raise WrongReturn(f"{place}expected {expected} of step, got {result!r:.60}") from None
        if len(rest) != self.remembers:
            raise WrongReturn(f"{place}expected {expected} of step, got {3 + len(rest)} values")
        q, w = _numbers(q, "step", "q, four numbers", place), _numbers(w, "step", "w, three numbers", place)
        if (len(q), len(w)) != (4, 3):
            raise WrongReturn(f"{place}expected q of 4 and w of 3 numbers of step, got {len(q)} and {len(w)}")
        (residual,) = _numbers((residual,), "step", "residual, a number", place)
        if self.remembers:
            after = _numbers(rest[0], "step", "memory, a tuple of numbers", place)
            if len(after) != len(memory):
                raise WrongReturn(f"{place}expected {len(memory)} numbers of memory of step, got {len(after)}")
            memory = after
        return q, w, residual, memory

    def advance(self, J: Any, field: Any, h: float, count: int, q: Any, w: Any, memory: Any) -> tuple[Any, ...]:
        """So many steps in Python: those that have a solution, the residual of the last, q, w and memory."""
        for done in range(count):
            after = self.checked(J, field, h, q, w, memory)
            if not after[2] < math.inf or not abs(sum(after[1]) + sum(after[0])) < math.inf:
                return done, after[2], q, w, memory
            q, w, _, memory = after
        return count, 0.0, q, w, memory

    def compiled(
        self, J: Any, field: Any, h: float, q: Any, w: Any, memory: Any
    ) -> tuple[Callable[..., Any] | None, str]:
        """``advance``, compiled, and ""; or None, and why numba does not compile it. Kept in no cache.

        The other arguments are those of a first step, which is done.
        """
        for found in list(self._names.values()):
            if isinstance(found, FunctionType) and found.__globals__ is self._names:
                register_jitable(found)  # stays a function of Python
        loop = numba.njit(nogil=True)(_loop_with_memory(self._step) if self.remembers else _loop(self._step))
        try:
            loop(J, field, h, 1, q, w, memory)
        except Exception as error:  # noqa: BLE001 - of numba, whatever it stumbles over
            return None, self._reason(str(error)) or type(error).__name__
        return loop, ""

    def _reason(self, told: str) -> str:
        """What numba says that it does not compile, with the last line of the file that it names."""
        text = re.sub(r", defined at .*", "", _COLOURS.sub("", told))
        named = re.findall(rf'File "[^"]*{re.escape(Path(self.path).name)}", line (\d+)', text)
        lines = [line.strip().rstrip(":") for line in text.splitlines()]
        reason = next((line for line in lines if line and not line.startswith(_PREAMBLE)), "")
        return f"line {named[-1]}: {reason}"[:200] if named else reason[:200]

    def _place(self, name: str) -> str:
        found = self._names.get(name)
        return f"line {found.__code__.co_firstlineno}: " if isinstance(found, FunctionType) else ""


def _loop(step: Any) -> Any:
    def advance(J, field, h, count, q, w, memory):  # type: ignore[no-untyped-def]  # numba finds the types
        residual = 0.0
        for done in range(count):
            after, rate, residual = step(J, field, h, q, w)
            total = rate[0] + rate[1] + rate[2] + after[0] + after[1] + after[2] + after[3]
            if not residual < math.inf or not abs(total) < math.inf:
                return done, residual, q, w, memory
            q, w = after, rate
        return count, 0.0, q, w, memory

    return advance


def _loop_with_memory(step: Any) -> Any:
    def advance(J, field, h, count, q, w, memory):  # type: ignore[no-untyped-def]  # numba finds the types
        residual = 0.0
        for done in range(count):
            after, rate, residual, kept = step(J, field, h, q, w, memory)
            total = rate[0] + rate[1] + rate[2] + after[0] + after[1] + after[2] + after[3]
            if not residual < math.inf or not abs(total) < math.inf:
                return done, residual, q, w, memory
            q, w, memory = after, rate, kept
        return count, 0.0, q, w, memory

    return advance


def _numbers(found: Any, function: str, what: str, place: str = "") -> tuple[float, ...]:
    try:
        return tuple(map(float, found))
    except (TypeError, ValueError):
        raise WrongReturn(f"{place}expected {what}, of {function}, got {found!r:.60}") from None


def _plain(name: str, value: Any) -> Any:
    """A fact as a value of JSON."""
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(name, one) for one in value]
    return value if isinstance(value, str | int | float | None) else repr(value)[:60]
