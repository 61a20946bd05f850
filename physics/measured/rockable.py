"""Runs of Rockable, a program for sphero-polyhedra: the states of a particle out of files conf0, conf1, … of a folder.

A configuration is text: the word Rockable with the date of the format, lines of a keyword and its values (t, gravity,
nDriven, density, shapeFile), then ``Particles`` with their number, and a line for each: name, group, cluster,
homothety, position, velocity, acceleration, quaternion with the scalar first, angular velocity and acceleration, in SI
units. The quaternion leads from the body to space; the angular velocity is given in space, from where the program turns
it into the body for Euler's equations. Source: github.com/richefeu/rockable, docs/sphinxdoc/source/syntaxConf.rst, and
src/Core/Rockable.cpp (saveConf, accelerations).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.conf_files import beside_conf
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_file
from physics.core.rotation import Array, apply, conjugate, multiply, unit_of
from physics.core.text_tables import MAX_LINE_LETTERS
from physics.core.wording import N_
from physics.measured.columns import FARTHEST

WHAT = N_("a configuration of Rockable")
COLUMNS = (
    "t (s)",
    *(f"pos.{axis}" for axis in "xyz"),
    *(f"Q.{part}" for part in "wxyz"),
    *(f"vrot.{axis} (rad/s)" for axis in "xyz"),
    *(f"accelerometer.{axis} (m/s2)" for axis in "xyz"),
)
MAX_RUN_BYTES = 1_000_000_000  # bytes of a run
WORDS = 23  # words of a particle's line
_COMMENTS = ("#", "/", "!")


@dataclass
class _Header:
    """Header before the particles; gravity has the program's default if the file gives none."""

    time: float = 0.0
    gravity: tuple[float, ...] = (0.0, -9.81, 0.0)
    driven: int = 0
    shapes: str = ""
    densities: dict[str, float] = field(default_factory=dict)


def particle_of(path: Path, particle: int | str | None) -> int:
    """The number of a particle by its number or its name; None: the first that moves.

    Raises ScenarioError, naming the file, where there is none, or several of a name.
    """
    with _opened(path) as file:
        header, lines = _read(file, path)
        names = [words[0] for _, words in lines]
    if isinstance(particle, str):
        found = [i for i, name in enumerate(names) if name == particle]
        if len(found) != 1:
            many = (
                N_("{found} particles have this name, the first is {found2}", len(found), found[0])
                if found
                else N_("no particle has it")
            )
            raise ScenarioError(
                "measured.particle",
                N_("'{particle:.40}': {many}; expected a number or one's name", particle, many),
                path,
            )
        return found[0]
    particle = header.driven if particle is None else particle
    if particle >= len(names):
        text = (
            N_("expected a particle from 0 to {names}, got {particle}", len(names) - 1, particle)
            if names
            else N_("there are no particles")
        )
        raise ScenarioError("measured.particle", text, path)
    return particle


def states(path: Path, particle: int) -> dict[str, Array]:
    """COLUMNS (n,) of a particle in the run that a configuration belongs to, with z up whatever gravity is there.

    The accelerometer is what a sensor in the body would show: 0 in free flight. Raises ScenarioError, naming file and
    line.
    """
    files = beside_conf(path)
    _check_sizes(path, files)
    times: list[float] = []
    rows: list[list[float]] = []
    name, gravity = "", np.zeros(3)
    for file in files:
        check_wanted()
        header, words, place = _line_of(file, particle)
        if times and not header.time > times[-1]:
            raise ScenarioError("t", N_("expected a time after the {times:.10g} s of the file before", times[-1]), file)
        if rows and words[0] != name:
            raise ScenarioError(
                place,
                N_("expected particle {particle} to be '{name:.40}', got '{words:.40}'", particle, name, words[0]),
                file,
            )
        name, gravity = words[0], gravity if rows else np.array(header.gravity)
        times.append(header.time)
        rows.append([_number(word, place, file) for word in words[4:20]])
    values, up = np.array(rows), _upright(gravity)
    position, acceleration, q, rates = values[:, :3], values[:, 6:9], values[:, 9:13], values[:, 13:16]
    q = q / np.maximum(np.linalg.norm(q, axis=1, keepdims=True), 1e-300)
    felt = apply(conjugate(q), acceleration - gravity)
    parts = [np.array(times)[:, None], apply(up, position), multiply(up, q), apply(up, rates), felt]
    return dict(zip(COLUMNS, np.concatenate(parts, axis=1).T, strict=True))


def _upright(gravity: Array) -> Array:
    """The shortest rotation (4,) that turns gravity (3,) down; the identity where there is none."""
    x, y, z = -gravity
    across = math.hypot(x, y)
    axis = np.array([y, -x, 0.0]) / across if across else np.array([1.0, 0.0, 0.0])
    return np.asarray(unit_of(math.atan2(across, z) * axis))


def body_of(path: Path, particle: int) -> tuple[str, float, Array] | None:
    """Name, mass [kg] and moments (3,) [kg m²] of a particle about its axes; None if its shape does not give them.

    Volume and I/m stand in the shape file, which may lie in the folder of the run; they grow as the third and the
    second power of the homothety.
    """
    header, words, place = _line_of(path, particle)
    name, density, size = words[0], header.densities.get(words[1]), _number(words[3], place, path)
    for file in (path.parent / Path(header.shapes).name, path.parent / header.shapes):
        if density is None or not header.shapes or not file.is_file() or file.stat().st_size > MAX_RUN_BYTES:
            continue
        shape = _shape(file, name)
        if shape is not None:
            mass = density * shape[0] * size**3
            return name, mass, mass * size**2 * shape[1:]
    return None


def _shape(file: Path, name: str) -> Array | None:
    """Volume and the three I/m of a shape; None where they are not there, or not computed yet."""
    found: dict[str, list[str]] = {}
    with _opened(file) as text:
        for line in text:
            words = line.split()
            if words[:1] == ["<"]:
                found = {}
            found |= {words[0]: words[1:]} if words else {}
            if words[:1] == [">"] and found.get("name") == [name]:
                break
    wanted = [*found.get("volume", [])[:1], *found.get("I/m", [])[:3]]
    if found.get("name") != [name] or found.get("preCompDone") != ["y"] or len(wanted) != 4:
        return None
    values = np.array([_number(word, name, file) for word in wanted])
    return values if values.min() > 0.0 else None


def _check_sizes(path: Path, files: list[Path]) -> None:
    if len(files) < 2:
        raise ScenarioError("", N_("one configuration; expected two or more, conf0, conf1, …, in its folder"), path)
    if (size := sum(file.stat().st_size for file in files)) > MAX_RUN_BYTES:
        raise ScenarioError(
            "", N_("{size:.3g} GB are more than the 1 GB that a run of Rockable may have", size / 1e9), path
        )


def _opened(path: Path) -> TextIO:
    check_file(path, WHAT, "conf0")
    try:
        return path.open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None


NumberedLines = Iterator[tuple[int, list[str]]]


def _lines(file: TextIO, path: Path) -> NumberedLines:
    """Number and words of the lines that are neither blank nor comments."""
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_LETTERS), ""), 1):
        if "\0" in line or len(line) == MAX_LINE_LETTERS:
            raise ScenarioError(
                N_("line {number}", number),
                N_("expected {what}, got binary data or a line that is too long", WHAT),
                path,
            )
        words = line.split()
        if words and not words[0].startswith(_COMMENTS):
            yield number, words


def _read(file: TextIO, path: Path) -> tuple[_Header, NumberedLines]:
    """Header before the particles, and their lines."""
    lines, header = _lines(file, path), _Header()
    if next(lines, (0, [""]))[1][0] != "Rockable":
        raise ScenarioError(
            N_("line {number}", 1), N_("expected {what}, which begins with 'Rockable' and a date", WHAT), path
        )
    for number, (key, *words) in lines:
        place = N_("line {number}, {key:.20}", number, key)
        if key == "t":
            (header.time,) = _numbers(words, 1, place, path)
        elif key == "gravity":
            header.gravity = _numbers(words, 3, place, path)
        elif key == "nDriven":
            header.driven = max(0, int(_numbers(words, 1, place, path)[0]))
        elif key == "shapeFile":
            header.shapes = words[0] if words else ""
        elif key == "density" and len(words) == 2:
            header.densities[words[0]] = _number(words[1], place, path)
        elif key == "Particles":
            count = int(_numbers(words, 1, place, path)[0])
            return header, (line for _, line in zip(range(count), lines, strict=False))
    raise ScenarioError("", N_("expected {what} with Particles and their number", WHAT), path)


def _line_of(path: Path, particle: int) -> tuple[_Header, list[str], str]:
    """Header before the particles, the words of one particle, and their line."""
    with _opened(path) as file:
        header, lines = _read(file, path)
        number, words = next((line for i, line in enumerate(lines) if i == particle), (0, []))
    if not words:
        raise ScenarioError("Particles", N_("expected particle {particle}, got fewer", particle), path)
    if len(words) < WORDS:
        raise ScenarioError(
            N_("line {number}", number),
            N_("expected {words} words of a particle, got {words2}", WORDS, len(words)),
            path,
        )
    return header, words, N_("line {number}", number)


def _numbers(words: list[str], count: int, place: str, path: Path) -> tuple[float, ...]:
    if len(words) < count:
        raise ScenarioError(
            place,
            N_("expected {count} numbers, got {words}", count, len(words))
            if count > 1
            else N_("expected {count} number, got {words}", count, len(words)),
            path,
        )
    return tuple(_number(word, place, path) for word in words[:count])


def _number(word: str, place: str, path: Path) -> float:
    try:
        value = float(word)
        if abs(value) < FARTHEST:
            return value
    except ValueError:
        pass
    raise ScenarioError(place, N_("expected a number below 1e20, got '{word:.40}'", word), path)
