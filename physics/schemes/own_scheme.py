"""A scheme of the user's own, from a Python file: a row of the table like any other, whose code runs apart.

It runs code, so a file comes here only by an act of the user's: an option of the command line, a menu with a question,
or a call from Python; never because a scenario, a session or a film names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from physics.bibliography import Source
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_bytes, check_file
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.schemes import SCHEMES
from physics.schemes.lane import FROM_DATA, NamedLane
from physics.schemes.own_process import OwnCode, SchemeFault
from physics.schemes.scheme import ALONE as SERVED
from physics.schemes.scheme import Scheme

MOST_TEXT = 1_000_000  # bytes of a file
PAGE = "own-scheme"  # page of the help
COLOUR = "#AA66FF"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}[A-Za-z0-9_-]|[A-Za-z]")


def scheme_from_file(path: str | Path) -> Scheme:
    """Scheme in a Python file of your own; runs the file.

    The file has ``step(J, field, h, q, w) -> (q, w, residual)``, with tuples of numbers: principal moments J (3,) [kg
    m²]; what acts, for ``physics.moment(field, q, w)`` [N m]; step h [s], which may be negative; attitude q (4,),
    scalar first; angular velocity w (3,) in the body [rad/s]. The residual is 0.0, or ``math.inf`` if the step has no
    solution. A scheme that remembers has ``start(J, field, h, q, w) -> memory``, a tuple of numbers that step takes
    last and returns last. NAME, TITLE, CITATION, ORDER, TORQUES (that a step evaluates) and KINDS are optional.

    The file runs in a process of its own, compiled where numba compiles it.

    Parameters
    ----------
    path : str or Path
        The file (.py).

    Returns
    -------
    Scheme
        The scheme with its facts. It is not in ``physics.SCHEMES``: ``physics.schemes.own_scheme.add`` puts it there.

    Raises
    ------
    ScenarioError
        If the file is missing or wrong; names file and line.

    Examples
    --------
    >>> from pathlib import Path
    >>> import physics
    >>> text = '''
    ... from physics import exp_half, moment, product
    ...
    ... NAME, ORDER = "my-euler", 1
    ...
    ... def step(J, field, h, q, w):
    ...     m = moment(field, q, w)
    ...     w = (w[0] + h * (m[0] + (J[1] - J[2]) * w[1] * w[2]) / J[0],
    ...          w[1] + h * (m[1] + (J[2] - J[0]) * w[2] * w[0]) / J[1],
    ...          w[2] + h * (m[2] + (J[0] - J[1]) * w[0] * w[1]) / J[2])
    ...     return product(q, exp_half((h * w[0], h * w[1], h * w[2]))), w, 0.0
    ... '''
    >>> _ = Path("mine.py").write_text(text)
    >>> scheme = physics.scheme_from_file("mine.py")
    >>> scheme.name, scheme.order, scheme.serves("top")
    ('my-euler', 1, True)
    """
    path = Path(path)
    code = OwnCode(path.absolute(), _text_of(path))
    try:
        code.read()
    except SchemeFault as fault:
        raise ScenarioError("", str(fault), path) from None
    return row_of(path, code)


def add(scheme: Scheme) -> None:
    """Put a scheme of the user's into the table, in place of an earlier one of its name."""
    SCHEMES[scheme.name] = scheme


def own_codes(lanes: Iterable[NamedLane]) -> list[OwnCode]:
    """The files of the user's that some lanes are from, each once."""
    found = {lane.scheme.name: lane.scheme.code for lane in lanes if lane.scheme.code is not None}
    return list(found.values())


def is_own(name: str) -> bool:
    """True if a name is that of a scheme of the user's that was added."""
    return name in SCHEMES and SCHEMES[name].code is not None


def _text_of(path: Path) -> str:
    if path.suffix.lower() != ".py":
        raise ScenarioError("", N_("expected a Python file (.py) with a scheme, got '{suffix}'", path.suffix), path)
    check_file(path, N_("a Python file with a scheme"), ".py")
    check_bytes(path, N_("a file with a scheme"), MOST_TEXT)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError("", N_("not a text file; expected Python in UTF-8"), path) from None
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None
    if "\0" in text:
        raise ScenarioError("", N_("not a text file; it contains a NUL byte"), path)
    return text


def row_of(path: Path, code: OwnCode) -> Scheme:
    """The row of what a file says of itself, once it was read; ScenarioError where it says nonsense."""
    facts = code.facts
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", path.stem).strip("-.")[:40]
    name = _text(path, facts, "NAME", stem, 40)
    if not _NAME.fullmatch(name):
        raise ScenarioError(
            "NAME", N_("expected up to 40 letters, digits, '-', '_' and '.', got '{name:.60}'", name), path
        )
    if name in FROM_DATA or (name in SCHEMES and not is_own(name)):
        raise ScenarioError("NAME", N_("'{name}' is a scheme of the program; expected another name", name), path)
    order, torques = _whole(path, facts, "ORDER", 20), _whole(path, facts, "TORQUES", 1000)
    kinds = facts.get("KINDS", list(SERVED))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(kinds, list) or not kinds or not {repr(kind) for kind in kinds} <= {repr(one) for one in SERVED}:
        raise ScenarioError("KINDS", N_("expected some of {served}, got {kinds!r:.60}", ", ".join(SERVED), kinds), path)
    size = 8 + int(facts["memory"])
    how = (
        N_("runs as Python, many times slower, as numba does not compile it ({why})", code.why)
        if code.why
        else N_("compiled")
    )
    return Scheme(
        name=name,
        title=_text(path, facts, "TITLE", name, 40),
        source=Source(
            f"{path.name}, as Python" if code.why else path.name,
            _text(path, facts, "CITATION", N_("own scheme, {name}", path.name), 300),
        ),
        equations=f"sha256 {code.digest[:12]}",
        order=order or 0,
        torques=torques,
        energy="drifts",
        keeps_unit_length=False,
        energy_under_torque="drifts",
        reversible=False,
        cost=0.0,
        alone=tuple(kind for kind in SERVED if kind in kinds),
        advice=N_("Your own scheme, from {name}; {how}.", path.name, how),
        remedy=N_("take a smaller step, or look in {name} for a number that is not finite", path.name),
        colour=COLOUR,
        dash="solid",
        letter=f"{name[0].upper()}*",
        start=lambda J, q, w: _start(size, q, w),
        march=code.march,
        family="own",
        help_page=PAGE,
        code=code,
    )


def _start(size: int, q: Array, w: Array) -> Array:
    state = np.zeros(size)  # attitude, velocity, whether the memory was begun, memory
    state[:4], state[4:7] = q, w
    return state


def _whole(path: Path, facts: dict[str, Any], name: str, most: int) -> int | None:
    """A whole number from 1 on that a file says of itself; None where it says nothing."""
    number = facts.get(name)
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most):
        raise ScenarioError(name, N_("expected a whole number of 1 to {most}, got {number!r:.40}", most, number), path)
    return number


def _text(path: Path, facts: dict[str, Any], name: str, usual: str, most: int) -> str:
    """A text that a file says of itself, one line."""
    text = facts.get(name, usual)
    if not isinstance(text, str) or not text.strip() or not text.isprintable() or len(text) > most:
        raise ScenarioError(
            name, N_("expected a line of text of at most {most} letters, got {text!r:.60}", most, text), path
        )
    return text
