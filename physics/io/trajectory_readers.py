"""Reading trajectory files, .npz, .csv and .parquet as physics.io.trajectory_writers writes them.

No pickle is read, and never is more memory taken than a file's size allows.
"""

from __future__ import annotations

import csv
import json
import sys
import zipfile
from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from physics.core.archives import npz_arrays, pyarrow_or_sentence
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_packed, input_file
from physics.core.rotation import Array
from physics.core.trajectory import COLUMNS, STATE, Event, Origin, State, Trajectory, row_shape
from physics.core.wording import N_
from physics.io.trajectory_writers import CONTACT, DERIVED, ENDINGS, FLAT, flat_columns, of_version
from physics.scenario.file_references import check_names
from physics.scenario.fingerprints import digests
from physics.scenario.scenario import MOST_OF_ALL, Scenario

CHUNK = 100_000  # numbers of a .csv that are read at once
MAX_FILE_BYTES = 1000 * MOST_OF_ALL  # bytes: a state of a .csv has some 700
MAX_HEADER_LETTERS = 1_000_000  # letters of the header of a .csv
WIDEST = 200  # letters of a number in it
MOST_META = 4_000_000  # bytes of a file's metadata


def load(path: str | Path) -> dict[str, Trajectory]:
    """The runs in a file that ``save`` wrote: scheme name -> Trajectory.

    A .csv holds no events, steps or wall times. Raises ScenarioError for a file that is missing, damaged or
    something else.
    """
    path = input_file(path, ENDINGS, N_("a trajectory"), MAX_FILE_BYTES)
    readers = {".npz": _read_npz, ".csv": _read_csv, ".parquet": _read_parquet}
    try:
        return readers[path.suffix.lower()](path)
    except ScenarioError as error:
        raise error.in_file(path) from None
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None
    except DAMAGED:
        raise ScenarioError("", N_("not a trajectory that polhode wrote, or cut short"), path) from None


def written_here(path: str | Path) -> bool:
    """True if a .npz, .csv or .parquet file states that ``save`` wrote it; also where it is damaged."""
    path = input_file(path, ENDINGS, N_("a trajectory"))
    try:
        if path.suffix.lower() == ".csv":
            with path.open("rb") as file:
                return file.read(7) == b"scheme,"
        if path.suffix.lower() == ".npz":
            with zipfile.ZipFile(path) as archive:
                return "meta.npy" in archive.namelist()
        return bool(_parquet_meta(path))
    except KeyError:
        return False
    except DAMAGED:
        return True


def load_scenario_of(path: str | Path) -> Scenario:
    """The scenario of a trajectory in a .npz or .parquet file, of which nothing else is read.

    Raises ScenarioError for a file that is missing, damaged or something else, and where a file that the scenario
    names is not what it was; a .csv holds no scenario.
    """
    path = input_file(path, ENDINGS, N_("a trajectory"))
    if path.suffix.lower() == ".csv":
        raise ScenarioError("", N_("a table of states without its scenario; expected .npz or .parquet"), path)
    facts: dict[str, Any] = {}
    try:
        text = _npz_meta(path) if path.suffix.lower() == ".npz" else _parquet_meta(path)
        facts = json.loads(text)
        data = facts["scenario"]
        check_names(data, path.parent)
        return _unchanged(Scenario(**data, folder=str(path.parent)), facts.get("files", {}))
    except ScenarioError as error:
        raise of_version(error.in_file(path), facts.get("version")) from None
    except DAMAGED:
        raise ScenarioError("", N_("not a trajectory that polhode wrote, or cut short"), path) from None


def _unchanged(scenario: Scenario, known: dict[str, str]) -> Scenario:
    """The scenario; ScenarioError where a file is there, but is not the one that the trajectory was made with."""
    for name, digest in digests(scenario).items() if known else ():
        if known.get(name, digest) != digest:
            raise ScenarioError(
                "", N_("{name}, which it was made with, has changed since; open its scenario instead", name)
            )
    return scenario


def _npz_meta(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        if archive.getinfo("meta.npy").file_size > MOST_META:
            raise ValueError
        with archive.open("meta.npy") as file:
            return str(np.lib.format.read_array(file, allow_pickle=False))


def _parquet_meta(path: Path) -> str:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        text: str = (parquet.read_schema(path).metadata or {})[b"polhode"].decode()
    except pyarrow.ArrowException:
        raise ValueError from None
    return text


def _read_npz(path: Path) -> dict[str, Trajectory]:
    arrays = npz_arrays(path)
    facts = json.loads(str(arrays.pop("meta")))
    bodies = tuple(map(str, facts.get("bodies", ())))
    columns = {name: {c: arrays.get(f"{name}/{c}") for c in COLUMNS} for name in facts["schemes"]}
    return {name: _trajectory(name, columns[name], facts, bodies) for name in columns}


def _read_csv(path: Path) -> dict[str, Trajectory]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            columns = [name.split(" [")[0] for name in next(csv.reader([_line(file, MAX_HEADER_LETTERS)]), [])]
            _check_columns(columns)
            lines = csv.reader(iter(partial(_line, file, WIDEST * len(columns)), ""))
            names, parts = list[str](), [np.empty((0, len(columns) - 1))]
            while rows := list(islice(lines, 1 + CHUNK // len(columns))):  # text takes ten times the memory of numbers
                names += [sys.intern(row[0]) for row in rows]
                parts.append(np.array([row[1:] for row in rows], dtype=float).reshape(len(rows), len(columns) - 1))
    except ScenarioError:
        raise
    except (ValueError, IndexError, csv.Error):
        raise ScenarioError("", N_("not a table of states that polhode wrote, or cut short")) from None
    values = np.concatenate(parts)
    return _from_table(np.array(names), {name: values[:, i] for i, name in enumerate(columns[1:])}, {})


def _line(file: TextIO, longest: int) -> str:
    """The next line of a .csv, as far as a line is long: what is cut is no state; ValueError for a byte of 0."""
    check_wanted()
    if "\0" in (line := file.readline(longest)):
        raise ValueError(N_("a NUL byte"))
    return line


def _check_columns(columns: list[str]) -> None:
    """ScenarioError before a long table is read that is none of states."""
    for name, (column, _, _) in flat_columns(_bodies(columns)).items():
        if name not in columns and column != CONTACT:
            raise ScenarioError(name, N_("missing; expected a table of states that polhode wrote"))


def _bodies(columns: Iterable[str]) -> tuple[str, ...]:
    """The names of the bodies of a mechanism whose states a table has."""
    return tuple(name.removesuffix(".position_x") for name in columns if name.endswith(".position_x"))


def _read_parquet(path: Path) -> dict[str, Trajectory]:
    try:
        table = read_table(path, {"scheme", *FLAT, *DERIVED}, read_dictionary=["scheme"])
        facts = json.loads((table.schema.metadata or {})[b"polhode"])
        schemes = table["scheme"].combine_chunks()
        columns = {name: table[name].to_numpy() for name in table.column_names if name != "scheme"}
        names = np.array(schemes.dictionary.to_pylist())[schemes.indices.to_numpy()]
    except (OSError, ValueError, KeyError, TypeError):
        raise ScenarioError("", N_("not a table of states that polhode wrote, or cut short")) from None
    return _from_table(names, columns, facts)


def read_table(path: Path, known: set[str], **how: Any) -> Any:
    """The table in a .parquet file; ValueError where it is none of such columns, or is larger than it looks.

    known : the names of all columns that there may be, after that of a mechanism's body or joint: of numbers, but text
        in ``scheme`` and ``stop_reason``
    """
    pyarrow, parquet = pyarrow_or_sentence()
    kinds = pyarrow.types
    try:
        with parquet.ParquetFile(path) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
        for field in schema:
            text = field.name in ("scheme", "stop_reason")
            number = kinds.is_floating(field.type) or kinds.is_integer(field.type)
            if field.name.rpartition(".")[2] not in known or not (kinds.is_string(field.type) if text else number):
                raise ValueError(N_("{name} of type {type}", field.name, field.type))
        check_packed(path, 8 * rows * len(schema))
        return parquet.read_table(path, **how)
    except pyarrow.ArrowException as error:
        raise ValueError(str(error)) from None


def _from_table(names: Array, columns: dict[str, Array], facts: dict[str, Any]) -> dict[str, Trajectory]:
    """Trajectories from flat columns; ``names`` says which row belongs to which scheme."""
    runs, bodies = {}, _bodies(columns)
    places = flat_columns(bodies)
    for name in dict.fromkeys(names.tolist()):
        rows = names == name
        whole: dict[str, Array | None] = {}
        for column in COLUMNS:
            wanted = [flat for flat, (c, _, _) in places.items() if c == column]
            if columns.keys() >= set(wanted):
                parts = np.stack([columns[flat][rows] for flat in wanted], axis=1)
                whole[column] = parts.reshape(-1, *row_shape(column, len(bodies)))
            else:
                whole[column] = None
        runs[name] = _trajectory(name, whole, facts, bodies)
    if not runs:
        raise ScenarioError("", N_("no states; expected a table of states"))
    return runs


def _trajectory(
    name: str, columns: dict[str, Array | None], about: dict[str, Any], bodies: tuple[str, ...]
) -> Trajectory:
    """A checked trajectory from its columns and ``meta``."""
    time = columns["time"]
    n = 0 if time is None else len(time)
    if columns[CONTACT] is None:
        columns[CONTACT] = np.zeros(n)
    whole: dict[str, Any] = {}
    for column in COLUMNS:
        values = columns[column]
        shape = (n, *row_shape(column, len(bodies)))
        if values is None or values.shape != shape or n == 0:
            raise ScenarioError(f"{name}/{column}", N_("missing or of the wrong shape; expected {shape}", shape))
        whole[column] = np.asarray(values, float)
        if not np.isfinite(whole[column]).all():
            row = int(np.argmin(np.isfinite(whole[column]).reshape(n, -1).all(axis=1)))
            raise ScenarioError(f"{name}/{column}", N_("state {row}: expected finite numbers", row + 1))
    facts = about.get("schemes", {}).get(name, {})
    events = tuple(Event(e["kind"], e["time"], e["text"]) for e in facts.get("events", ()))
    files = {str(file): str(digest) for file, digest in about.get("files", {}).items()}
    steps, wall_time = facts.get("steps", 0), facts.get("wall_time", 0.0)
    return Trajectory(
        name,
        **whole,
        events=events,
        steps=steps,
        wall_time=wall_time,
        files=files,
        crs=_text(about.get("crs")),
        origins=tuple(_origin(origin, len(bodies)) for origin in facts.get("origins", ())),
        bodies=bodies,
    )


def _origin(facts: dict[str, Any], bodies: int) -> Origin:
    """A state from which errors count, from ``meta``; ValueError if it holds other numbers."""

    def numbers(name: str, *shape: int) -> Array:
        found = np.asarray(facts[name], float)
        if found.shape != shape or not np.isfinite(found).all():
            raise ValueError(name)
        return found

    time, energy, *scales = (float(numbers(key)) for key in ("time", "energy", "energy_scale", "spin_scale"))
    if min(scales) < 0.0:
        raise ValueError(f"{min(scales)}")
    state = State(time, *(numbers(name, *row_shape(name, bodies)) for name in STATE))
    return Origin(state, energy, numbers("spin", 3), *scales)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
