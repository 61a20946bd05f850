"""Trajectories in files: .npz, .csv and .parquet, written whole or not at all, read without pickle.

The columns and their names are those of ``physics.trajectory.COLUMNS``. The same runs give the same bytes,
but for the wall times in ``meta``.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from physics.audit import audit, platform_facts
from physics.errors import PhysicsError, ScenarioError
from physics.inputs import input_file
from physics.rotation import Array
from physics.scenarios.naming import check_names
from physics.scenarios.scenario import Scenario
from physics.schemes import SCHEMES
from physics.trajectory import COLUMNS, Event, Trajectory

ENDINGS = (".npz", ".csv", ".parquet")
_AXES = {1: ("",), 3: ("_x", "_y", "_z"), 4: ("_w", "_x", "_y", "_z")}
# the flat columns of tables: name -> (column of the trajectory, its component, unit)
_FLAT = {
    f"{name}{axis}": (name, i, unit) for name, (width, unit) in COLUMNS.items() for i, axis in enumerate(_AXES[width])
}
_FOR_ROCKS = "contact"  # the column that only rockfall has
MOST_META = 4_000_000  # bytes of what a file tells about its runs
MOST_PACKED = 200  # times the size of a .npz file: what its arrays may take, packed or not
# what the readers of .npz, of their headers (as Python's own words) and of JSON raise
_DAMAGED: tuple[type[Exception], ...] = (ValueError, KeyError, TypeError, AttributeError, EOFError, IndexError)
_DAMAGED += (zipfile.BadZipFile, zlib.error, RuntimeError, OverflowError, MemoryError)
_DAMAGED += (SyntaxError, tokenize.TokenError, struct.error, UserWarning)
_UNREADABLE: tuple[type[Exception], ...] = (*_DAMAGED, OSError)


def polhode_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("polhode")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"


# ---- writing ------------------------------------------------------------------------------------------


def check_output(path: str | Path, endings: tuple[str, ...] = ENDINGS) -> Path:
    """The path, if a file with one of these endings can be written there; else ScenarioError."""
    path = Path(path)
    if path.suffix.lower() not in endings:
        found = f"'{path.suffix}'" if path.suffix else "none"
        raise ScenarioError("", f"expected a name that ends in {' or '.join(endings)}, got {found}", path)
    if path.is_dir():
        raise ScenarioError("", "cannot be written: it is a folder", path)
    check_folder(path)
    return path


def check_folder(path: Path) -> None:
    """ScenarioError if nothing can be created beside ``path``."""
    if not path.parent.is_dir():
        raise ScenarioError("", f"cannot be written: there is no folder {path.parent}", path)
    if not os.access(path.parent, os.W_OK):
        raise ScenarioError("", "cannot be written: the folder is read-only", path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside ``path`` for a file or a folder; renamed to ``path`` at the end, removed on any failure.

    Raises PhysicsError, naming the file, when writing fails (a full disk).
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        if part.is_file():
            with part.open("rb+") as file:  # on the disk before it has its name: also after a power cut
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise PhysicsError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:  # also after Ctrl+C
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def save(path: str | Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    """Write the runs of a scenario (scheme name -> Trajectory) to a .npz, .csv or .parquet file.

    Raises ScenarioError, naming the file, when its name or folder will not do, PhysicsError when writing
    fails; then nothing is left behind.
    """
    path = check_output(path)
    writers = {".npz": _write_npz, ".csv": _write_csv, ".parquet": _write_parquet}
    with replacing(path) as part:
        writers[path.suffix.lower()](part, runs, scenario)


def meta(runs: Mapping[str, Trajectory], scenario: Scenario) -> dict[str, Any]:
    """What a file tells about its runs: scenario, version, platform, and each scheme's facts."""
    schemes = {
        name: {
            "citation": SCHEMES[name].reference,
            "doi": SCHEMES[name].doi,
            "steps": run.steps,
            "wall_time": run.wall_time,
            "events": [{"kind": e.kind, "time": e.time, "text": e.text} for e in run.events],
            "audit": audit(run),
        }
        for name, run in runs.items()
    }
    return {
        "version": polhode_version(),
        "platform": platform_facts(),
        "seed": scenario.ensemble.seed,
        "scenario": scenario.portable(),
        "schemes": schemes,
    }


def _columns(scenario: Scenario) -> list[str]:
    return [name for name in COLUMNS if name != _FOR_ROCKS or scenario.kind == "rockfall"]


def _flat(scenario: Scenario) -> dict[str, tuple[str, int, str]]:
    return {flat: place for flat, place in _FLAT.items() if place[0] in _columns(scenario)}


def _column(run: Trajectory, column: str) -> np.ndarray:
    values: np.ndarray = getattr(run, column)
    return values.astype(np.int32) if column == _FOR_ROCKS else values  # a number of vertices


def _component(run: Trajectory, column: str, i: int) -> np.ndarray:
    values = _column(run, column)
    return values if values.ndim == 1 else values[:, i]


def _write_npz(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    arrays = {f"{name}/{column}": _column(run, column) for name, run in runs.items() for column in _columns(scenario)}
    arrays["meta"] = np.array(json.dumps(meta(runs, scenario), ensure_ascii=False))
    with part.open("wb") as file:  # an open file keeps numpy from adding an ending to the name
        np.savez(file, allow_pickle=False, **arrays)


def _write_csv(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    flat = _flat(scenario)
    header = ["scheme", *(f"{name} [{unit}]" if unit else name for name, (_, _, unit) in flat.items())]
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(header) + "\n")
        for name, run in runs.items():
            columns = [_component(run, column, i) for column, i, _ in flat.values()]
            for first in range(0, len(run), 4096):  # text of a few thousand rows at a time
                rows = zip(*(c[first : first + 4096].tolist() for c in columns), strict=True)
                file.writelines(f"{name},{','.join(map(repr, row))}\n" for row in rows)


def _write_parquet(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    pyarrow, parquet = pyarrow_or_sentence()
    table: dict[str, Any] = {"scheme": [name for name, run in runs.items() for _ in range(len(run))]}
    for flat, (column, i, _) in _flat(scenario).items():
        table[flat] = np.concatenate([_component(run, column, i) for run in runs.values()])
    text = json.dumps(meta(runs, scenario), ensure_ascii=False)
    parquet.write_table(pyarrow.table(table).replace_schema_metadata({"polhode": text}), part)


def pyarrow_or_sentence() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet; ScenarioError where they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ScenarioError("", ".parquet needs pyarrow; install it with: pip install 'polhode[parquet]'") from None
    return pyarrow, pyarrow.parquet


# ---- reading ------------------------------------------------------------------------------------------


def load(path: str | Path) -> dict[str, Trajectory]:
    """The runs in a file that ``save`` wrote: scheme name -> Trajectory.

    A .csv holds no events, steps or wall times. Raises ScenarioError for a file that is missing, damaged or
    something else.
    """
    path = input_file(path, ENDINGS, "a trajectory")
    readers = {".npz": _read_npz, ".csv": _read_csv, ".parquet": _read_parquet}
    try:
        return readers[path.suffix.lower()](path)
    except ScenarioError as error:
        raise error.in_file(path) from None
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror or error}", path) from None


def load_scenario_of(path: str | Path) -> Scenario:
    """The scenario of a trajectory in a .npz or .parquet file, of which nothing else is read.

    Raises ScenarioError for a file that is missing, damaged or something else; a .csv tells no scenario.
    """
    path = input_file(path, ENDINGS, "a trajectory")
    if path.suffix.lower() == ".csv":
        raise ScenarioError("", "a table of states without its scenario; expected .npz or .parquet", path)
    try:
        text = _npz_meta(path) if path.suffix.lower() == ".npz" else _parquet_meta(path)
        data = json.loads(text)["scenario"]
        check_names(data, path.parent)
        return Scenario(**data, folder=str(path.parent))
    except ScenarioError as error:
        raise error.in_file(path) from None
    except _UNREADABLE:
        raise ScenarioError("", "not a trajectory that polhode wrote, or cut short", path) from None


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
    try:
        arrays = _npz_arrays(path)
        facts = json.loads(str(arrays.pop("meta")))["schemes"]
        columns = {name: {c: arrays.get(f"{name}/{c}") for c in COLUMNS} for name in facts}
        return {name: _trajectory(name, columns[name], facts[name]) for name in facts}
    except ScenarioError:
        raise
    except _DAMAGED:
        raise ScenarioError("", "not a trajectory that polhode wrote, or cut short") from None


def _npz_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an archive that takes no more memory than its size allows."""
    size = path.stat().st_size
    with zipfile.ZipFile(path) as archive, warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of headers that numpy did not write
        if sum(member.file_size for member in archive.infolist()) > MOST_PACKED * size:
            raise ValueError
        found = {}
        for name in archive.namelist():
            with archive.open(name) as file:
                found[name.removesuffix(".npy")] = np.lib.format.read_array(file, allow_pickle=False)
    return found


def _read_csv(path: Path) -> dict[str, Trajectory]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
            columns = [name.split(" [")[0] for name in header]
            names = [row[0] for row in rows]
            values = np.array([row[1:] for row in rows], dtype=float).reshape(len(rows), len(columns) - 1)
    except (ValueError, IndexError, csv.Error):
        raise ScenarioError("", "not a table of states that polhode wrote, or cut short") from None
    return _from_table(np.array(names), {name: values[:, i] for i, name in enumerate(columns[1:])}, {})


def _read_parquet(path: Path) -> dict[str, Trajectory]:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        table = parquet.read_table(path)
        facts = json.loads((table.schema.metadata or {})[b"polhode"])["schemes"]
        columns = {name: table[name].to_numpy() for name in table.column_names}
        names = columns.pop("scheme").astype(str)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError):
        raise ScenarioError("", "not a table of states that polhode wrote, or cut short") from None
    return _from_table(names, columns, facts)


def _from_table(names: Array, columns: dict[str, Array], facts: dict[str, Any]) -> dict[str, Trajectory]:
    """Trajectories from flat columns; ``names`` says which row belongs to which scheme."""
    runs = {}
    for name in dict.fromkeys(names.tolist()):
        rows = names == name
        whole: dict[str, Array | None] = {}
        for column, (width, _) in COLUMNS.items():
            parts = [columns[flat][rows] for flat, (c, _, _) in _FLAT.items() if c == column and flat in columns]
            whole[column] = (parts[0] if width == 1 else np.stack(parts, axis=1)) if len(parts) == width else None
        runs[name] = _trajectory(name, whole, facts.get(name, {}))
    if not runs:
        raise ScenarioError("", "no states; expected a table of states")
    return runs


def _trajectory(name: str, columns: dict[str, Array | None], facts: dict[str, Any]) -> Trajectory:
    """A checked trajectory from its columns and the facts in ``meta``."""
    time = columns["time"]
    n = 0 if time is None else len(time)
    if columns[_FOR_ROCKS] is None:
        columns[_FOR_ROCKS] = np.zeros(n)
    whole: dict[str, Array] = {}
    for column, (width, _) in COLUMNS.items():
        values = columns[column]
        shape = (n,) if width == 1 else (n, width)
        if values is None or values.shape != shape or n == 0:
            raise ScenarioError(f"{name}/{column}", f"missing or of the wrong shape; expected {shape}")
        whole[column] = np.asarray(values, float)
        if not np.isfinite(whole[column]).all():
            row = int(np.argmin(np.isfinite(whole[column]).reshape(n, -1).all(axis=1)))
            raise ScenarioError(f"{name}/{column}", f"state {row + 1}: expected finite numbers")
    events = tuple(Event(e["kind"], e["time"], e["text"]) for e in facts.get("events", ()))
    return Trajectory(name, **whole, events=events, steps=facts.get("steps", 0), wall_time=facts.get("wall_time", 0.0))
