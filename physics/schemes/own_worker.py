"""The process in which a user's scheme runs: it may hang, crash or end, and is then ended without harm to others.

It reads from its standard input and writes to its standard output, see physics.core.messages. First comes ``take`` with
the text of the file; the answers are ``here``, ``read`` with the facts of the module, and ``ready``. Then each
``march`` gets ``rows`` as they are done, every tenth of a second while steps return, and ``done``. ``fault`` is an
answer too: one sentence. While it works, ``spent`` says every tenth of a second for how long it has. What the user's
code prints goes to standard error, which the program passes on line by line.

The module of the file has a function ``step(J, field, h, q, w) -> (q, w, residual)``, and for a scheme that remembers
also ``start(J, field, h, q, w) -> memory``; its step then takes the memory last, and returns it last.
"""

from __future__ import annotations

import inspect
import itertools
import math
import os
import queue
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from physics.core.jit import compiler
from physics.core.messages import Message, receive, send
from physics.core.potential import moment, torque
from physics.core.wording import N_

FACTS = ("NAME", "TITLE", "CITATION", "ORDER", "TORQUES", "KINDS")
MOST_MEMORY = 1000  # numbers
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # colours of numba's messages
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
        self._numba = compiler()  # knows the formulas that the file imports: its own functions may be compiled too
        self._names = module.__dict__
        self.facts = {name: _plain(name, self._names[name]) for name in FACTS if name in self._names}
        self._step, self._start = self._function("step", 5), self._function("start", 5, needed=False)
        self.remembers = self._start is not None

    def _function(self, name: str, count: int, needed: bool = True) -> Callable[..., Any] | None:
        found = self._names.get(name)
        if found is None and not needed:
            return None
        if found is None or not callable(found):
            raise WrongReturn(N_("expected a function {name}(J, field, h, q, w)", name))
        count += name == "step" and "start" in self._names
        try:
            inspect.signature(found).bind(*range(count))
        except TypeError:
            last = ", memory" if count > 5 else ""
            line = found.__code__.co_firstlineno if isinstance(found, FunctionType) else 0
            what = N_("expected {name}(J, field, h, q, w{last})", name, last)
            raise WrongReturn(N_("{place}: {what}", N_("line {number}", line), what)) from None
        except ValueError:  # a function of C has no signature
            pass
        function: Callable[..., Any] = found
        return function

    def begin(self, J: Any, field: Any, h: float, q: Any, w: Any) -> tuple[float, ...]:
        """The scheme's memory at the start; () where it has none."""
        if self._start is None:
            return ()
        found = self._start(J, field, h, q, w)
        memory = _numbers(found, "start", N_("a tuple of numbers, its memory"))
        if not 0 < len(memory) <= MOST_MEMORY:
            raise WrongReturn(
                N_(
                    "{place}expected 1 to {most_memory} numbers of start, got {memory}",
                    self._place("start"),
                    MOST_MEMORY,
                    len(memory),
                )
            )
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
            raise WrongReturn(
                N_("{place}expected {expected} of step, got {result}", place, expected, f"{result!r:.60}")
            ) from None
        if len(rest) != self.remembers:
            raise WrongReturn(
                N_("{place}expected {expected} of step, got {rest} values", place, expected, 3 + len(rest))
            )
        q, w = _numbers(q, "step", N_("q, four numbers"), place), _numbers(w, "step", N_("w, three numbers"), place)
        if (len(q), len(w)) != (4, 3):
            raise WrongReturn(
                N_("{place}expected q of 4 and w of 3 numbers of step, got {q} and {w}", place, len(q), len(w))
            )
        (residual,) = _numbers((residual,), "step", N_("residual, a number"), place)
        if self.remembers:
            after = _numbers(rest[0], "step", N_("memory, a tuple of numbers"), place)
            if len(after) != len(memory):
                raise WrongReturn(
                    N_(
                        "{place}expected {memory} numbers of memory of step, got {after}",
                        place,
                        len(memory),
                        len(after),
                    )
                )
            memory = after
        return q, w, residual, memory

    def torques(self) -> list[int]:
        """Evaluations of the torque in short steps, where the file declares some; none where such a step fails."""
        if "TORQUES" not in self.facts:
            return []
        found, J, field, (*_, q, w) = [], _TRIAL[0], _WEIGHT, _TRIAL
        for h in (1e-4, 3e-4, 1e-3):
            try:
                memory = self.begin(J, field, h, q, w)
                with self._counted() as count:
                    self.checked(J, field, h, q, w, memory)
            except Exception:  # noqa: BLE001 - a scheme of free bodies may fail here in any way
                return []
            found.append(next(count))
        return found

    @contextmanager
    def _counted(self) -> Iterator[Iterator[int]]:
        """Count calls of moment and torque of physics: what is yielded then begins with their number."""
        count = itertools.count()
        physics = sys.modules["physics"]
        places = [self._names, vars(physics)]
        kept = [(place, name, found) for place in places for name, found in place.items() if found in _EVALUATE]
        for place, name, function in kept:

            def counted(*values: Any, function: Any = function) -> Any:
                next(count)
                return function(*values)

            place[name] = counted
        try:
            yield count
        finally:
            for place, name, function in kept:
                place[name] = function

    def advance(self, J: Any, field: Any, h: float, count: int, q: Any, w: Any, memory: Any) -> tuple[Any, ...]:
        """Run steps in Python; return those that have a solution, the residual of the last, q, w and memory."""
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
                self._numba.extending.register_jitable(found)  # stays a function of Python
        step = self._step if self.remembers else self._numba.extending.register_jitable(_remembering(self._step))
        loop = self._numba.njit(nogil=True)(_loop(step))
        try:
            loop(J, field, h, 1, q, w, memory)
        except Exception as error:  # noqa: BLE001 - of numba, whatever it stumbles over
            return None, self._reason(str(error)) or type(error).__name__
        return loop, ""

    def _reason(self, message: str) -> str:
        """Numba's reason for not compiling, with the last line of the file that it names."""
        text = re.sub(r", defined at .*", "", _COLOURS.sub("", message))
        named = re.findall(rf'File "[^"]*{re.escape(Path(self.path).name)}", line (\d+)', text)
        lines = [line.strip().rstrip(":") for line in text.splitlines()]
        reason = next((line for line in lines if line and not line.startswith(_PREAMBLE)), "")
        return N_("{place}: {what}", N_("line {number}", named[-1]), reason[:200]) if named else reason[:200]

    def _place(self, name: str) -> str:
        found = self._names.get(name)
        return N_("line {number}: ", found.__code__.co_firstlineno) if isinstance(found, FunctionType) else ""


def _remembering(step: Any) -> Any:
    """A step without memory, as one that leaves it as it is."""

    def remembering(J, field, h, q, w, memory):  # type: ignore[no-untyped-def]  # numba finds the types
        after, rate, residual = step(J, field, h, q, w)
        return after, rate, residual, memory

    return remembering


def _loop(step: Any) -> Any:
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
        raise WrongReturn(
            N_("{place}expected {what}, of {function}, got {found}", place, what, function, f"{found!r:.60}")
        ) from None


def _plain(name: str, value: Any) -> Any:
    """A fact as a value of JSON."""
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(name, one) for one in value]
    return value if isinstance(value, str | int | float | None) else repr(value)[:60]


SIGN = 0.1  # [s] between signs of life: rows that are done, or that steps were
ASLEEP = 0.01  # share of the time on the wall: a process that uses less of the processor sleeps
PACE = 1_000_000  # steps at once, at most
Numbers = tuple[float, ...]
StepResult = tuple[Numbers, Numbers, Numbers]  # attitude, angular velocity, memory
_TRIAL = (1.0, 2.0, 3.0), (0.0,) * 12, 1e-3, (1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3)
_WEIGHT = (0.0, 0.0, 1.3, *(0.0,) * 9)  # field of a weight on the body's axis z [N m]
_EVALUATE = (moment, torque)


class Worker:
    """Answers one message after another."""

    def __init__(self, reply: Callable[..., None]) -> None:
        self._send, self._path = reply, ""
        self._module: OwnModule | None = None
        self._advance: Callable[..., Any] | None = None  # the compiled loop
        self._found: list[Numbers] = []  # rows that were not sent yet
        self._steps_done = self._steps_sent = 0
        self._sending = threading.Lock()
        self.working = False

    def answer(self, message: Message) -> None:
        """Carry out a message; a fault of the user's code is reported in a sentence."""
        self.working = True
        try:
            if message.what == "take":
                self._take(**message.facts)
            else:
                self._march(message)
        except BaseException as error:  # noqa: BLE001 - also SystemExit: it is the user's code that raises
            text = self._words(error)
            self.sign()
            self._send("fault", {"text": text})
        finally:
            self.working = False

    def sign(self) -> None:
        """Send the rows done since, or a sign that steps were done; nothing where none was."""
        with self._sending:
            rows, self._found = self._found, []
            if rows or self._steps_done != self._steps_sent:
                self._steps_sent = self._steps_done
                self._send("rows", {}, {"rows": np.array(rows, float).reshape(-1, 7)})

    def _take(self, path: str, text: str) -> None:
        self._path = path
        self._module = module = OwnModule(path, text)
        memory = module.begin(*_TRIAL)
        module.checked(*_TRIAL, memory)
        self._send("read", module.facts | {"memory": len(memory), "evaluations": module.torques()})
        self._advance, why = module.compiled(*_TRIAL, memory)
        self._send("ready", {"why": why})

    def _march(self, message: Message) -> None:
        """Steps; a row after each ``every`` of them. The state: q, w, whether it has begun, memory."""
        assert self._module is not None
        facts, arrays = message.facts, message.arrays
        h, every, rows, state = facts["h"], facts["every"], facts["rows"], arrays["state"].tolist()
        J, field = tuple(arrays["J"].tolist()), tuple(arrays["field"].tolist())
        now = tuple(state[:4]), tuple(state[4:7]), tuple(state[8:])
        if self._module.remembers and not state[7]:
            now = *now[:2], self._module.begin(J, field, h, *now[:2])
        for _ in range(rows):
            for residual, after in self._steps(J, field, h, every, now):
                if residual is not None:
                    self._done(residual, now)
                    return
                now = after
            with self._sending:  # the other thread takes the list away
                self._found.append((*now[0], *now[1]))
        self._done(0.0, now)

    def _done(self, residual: float, now: StepResult) -> None:
        q, w, memory = now
        self.sign()
        self._send("done", {"residual": residual}, {"state": np.array([*q, *w, 1.0, *memory], float)})

    def _steps(
        self, J: Numbers, field: Numbers, h: float, count: int, now: StepResult
    ) -> Iterator[tuple[float | None, StepResult]]:
        """Run steps, as many at once as take about SIGN; the residual of one that has no solution, else None."""
        assert self._module is not None
        pace, done = 1, 0
        while done < count:
            n, begun = min(pace, count - done), time.monotonic()
            if self._advance is None:
                good, residual, *after = self._module.advance(J, field, h, n, *now)
            else:
                try:
                    good, residual, *after = self._advance(J, field, h, n, *now)
                except Exception:  # compiled code knows no line of the file: the step that raises is done once more
                    if n == 1:
                        self._module.checked(J, field, h, *now)
                        raise
                    pace = 1
                    continue
            if good < n:
                yield residual, now
                return
            q, w, memory = after
            now = q, w, memory
            done += n
            self._steps_done += n
            took = time.monotonic() - begun
            pace = min(PACE, 2 * pace) if took < 0.5 * SIGN else max(1, pace // 2) if took > SIGN else pace
            yield None, now

    def _words(self, error: BaseException) -> str:
        """The error in words, with its line."""
        if isinstance(error, WrongReturn):
            return str(error)
        kind, line = type(error).__name__, 0
        if isinstance(error, SyntaxError) and error.lineno is not None:
            return N_("{place}: {what}", N_("line {number}", error.lineno), f"{kind}: {error.msg}")
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == self._path:
                line = frame.lineno or 0
        text = f"{kind}: {error}" if str(error) else kind
        return N_("{place}: {what}", N_("line {number}", line), text) if line else text


def main() -> None:
    """Answer messages until the pipe closes: also amid an endless loop, as another thread reads it."""
    orders_file = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it may be ended at any moment
    orders: queue.SimpleQueue[Message] = queue.SimpleQueue()
    sending = threading.Lock()

    def read_orders(file: BufferedReader) -> None:
        while (message := receive(file)) is not None:
            orders.put(message)
        os._exit(0)

    def reply(what: str, facts: dict[str, Any], arrays: dict[str, np.ndarray] | None = None) -> None:
        try:
            with sending:
                send(replies, what, facts, arrays)
        except OSError:  # the reader has gone
            os._exit(0)

    threading.Thread(target=read_orders, args=(orders_file,), name="orders", daemon=True).start()

    def beat() -> None:
        spent, used, at = 0.0, time.process_time(), time.monotonic()
        while True:
            time.sleep(SIGN)
            worker.sign()
            after, now = time.process_time(), time.monotonic()
            passed = min(now - at, 2.0 * SIGN)  # where other programs kept it waiting it has not slept
            if worker.working:
                spent += after - used if after - used > ASLEEP * passed else passed
                reply("spent", {"seconds": spent})
            used, at = after, now

    worker = Worker(reply)
    threading.Thread(target=beat, name="signs", daemon=True).start()
    reply("here", {})
    while True:
        worker.answer(orders.get())


if __name__ == "__main__":
    main()
