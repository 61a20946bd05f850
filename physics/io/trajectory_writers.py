"""Files that the program writes, whole or not at all; trajectories as .npz, .csv and .parquet.

The columns and their names are those of ``physics.core.trajectory.COLUMNS``. The same runs give the same bytes,
but for the wall times in ``meta``. In tables, columns of the bodies of a mechanism, and of its joints, begin with their
names: ``upper.position_x``, ``elbow.joint_force_x``; ``meta`` lists the bodies.
"""

from __future__ import annotations

import csv
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.archives import pyarrow_or_sentence
from physics.core.arithmetic import platform_facts
from physics.core.cancellation import undone_by
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.input_checks import non_file_kind
from physics.core.json_text import json_text
from physics.core.trajectory import COLUMNS, STATE, Origin, Trajectory
from physics.core.wording import N_, joined
from physics.scenario.scenario import Scenario, stretches
from physics.schemes.lane import lane_of
from physics.simulation.audit import audit
from physics.systems import SYSTEMS, system_of

ENDINGS = (".npz", ".csv", ".parquet")
_AXES = {1: ("",), 3: ("_x", "_y", "_z"), 4: ("_w", "_x", "_y", "_z")}
CONTACT = "contact"  # the column of bodies that touch something, a whole number


def _flattened(
    name: str, width: int, unit: str | Callable[[str], str], owners: Sequence[str] | None = None
) -> dict[str, tuple[str, int, str]]:
    """The columns of a table that hold the components of a column of a trajectory, of each owner's."""
    flat = [
        (f"{owner}.{name}{axis}" if owner else f"{name}{axis}", unit if isinstance(unit, str) else unit(owner))
        for owner in ([""] if owners is None else owners)
        for axis in _AXES[width]
    ]
    return {column: (name, i, its) for i, (column, its) in enumerate(flat)}


def flat_columns(bodies: Sequence[str] = ()) -> dict[str, tuple[str, int, str]]:
    """The columns of tables: name -> (column of the trajectory, its component, unit); bodies: of a mechanism."""
    found: dict[str, tuple[str, int, str]] = {}
    for name, kind in COLUMNS.items():
        found |= _flattened(name, *kind, bodies if bodies and name in STATE else None)
    return found


FLAT = flat_columns()
# the names of those that systems have beside these
DERIVED = {
    flat
    for row in SYSTEMS.values()
    for name, derived in row.derived.items()
    for flat in _flattened(name, derived.width, derived.unit)
}


def polhode_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("polhode")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"


def of_version(error: ScenarioError, version: object) -> ScenarioError:
    """The same error; where the file that it is about was written by a later version of Polhode, it says so."""
    own = polhode_version()
    if not isinstance(version, str) or not _number(version) > _number(own) > ():
        return error
    text = N_("{message}; Polhode {version:.20} wrote it, this is {own}", error.message, version, own)
    return ScenarioError(error.field, text, error.file)


def _number(version: str) -> tuple[int, ...]:
    """0.10.2 as (0, 10, 2); () of what is no such number."""
    found = re.match(r"\d{1,6}(?:\.\d{1,6})*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def check_output(path: str | Path, endings: tuple[str, ...] = ENDINGS) -> Path:
    """The path, if a file with one of these endings can be written there; else ScenarioError."""
    path = Path(path)
    if path.suffix.lower() not in endings:
        found = f"'{path.suffix}'" if path.suffix else N_("none")
        raise ScenarioError(
            "", N_("expected a name that ends in {endings}, got {found}", joined(" or ", endings), found), path
        )
    if kind := non_file_kind(path):
        raise ScenarioError("", N_("cannot be written: it is {kind}", kind), path)
    if os.path.isfile(path) and not os.access(path, os.W_OK):
        raise ScenarioError("", N_("cannot be written: the file is read-only"), path)
    check_folder(path)
    return path


def check_unread(path: Path, read: Iterable[str | Path]) -> None:
    """ScenarioError if writing ``path`` would replace one of the files read, or a table in one of the folders."""
    if not os.path.isfile(path):
        return
    for other in map(Path, read):
        inside = path.suffix.lower() in ENDINGS and other.is_dir() and other.resolve() in path.resolve().parents
        if inside or (other.is_file() and path.samefile(other)):
            text = N_("would write over '{name}', which is read; expected another name", path.name)
            raise ScenarioError("", text, path)


def check_folder(path: Path) -> None:
    """ScenarioError if nothing can be created beside ``path``, or beside what a link there leads to."""
    folder = _place(path).parent
    if not os.path.isdir(folder):
        raise ScenarioError("", N_("cannot be written: there is no folder {parent}", folder), path)
    if not os.access(folder, os.W_OK):
        raise ScenarioError("", N_("cannot be written: the folder is read-only"), path)


def _place(path: Path) -> Path:
    """The place that is written for a path: of a symbolic link what it leads to."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else path


def check_new_folder(path: str | Path) -> Path:
    """The path, if a folder can be made there, where nothing is or an empty folder; else ScenarioError."""
    path = Path(path)
    if path.name in ("", ".."):
        raise ScenarioError("", N_("cannot be written: expected the name of a new folder"), path)
    if os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path)):
        found = N_("a link") if os.path.islink(path) else non_file_kind(path) or N_("a file")
        raise ScenarioError("", N_("cannot be written: it is {found}; expected a new folder", found), path)
    if os.path.isdir(path) and any(path.iterdir()):
        raise ScenarioError("", N_("cannot be written: the folder is not empty"), path)
    check_folder(path)
    return path


def write_csv(path: Path, head: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Write a table with a heading, in UTF-8, its lines ended by line feeds alone."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside ``path`` for a file or a folder; renamed to ``path`` at the end, removed on any failure.

    An empty folder at ``path`` gives way to one; where ``path`` is a symbolic link it stays one, and what it leads to
    is written.

    Raises PhysicsError, naming the file, when writing fails (a full disk).
    """
    place = _place(path)
    part = place.with_name(f"{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")  # a name of no other process
    try:
        with undone_by(lambda: _remove(part)):
            yield part
        for written in [*sorted(part.rglob("*")), part]:  # on the disk before it has its name: also after a power cut
            _to_disk(written)
        if part.is_dir() and place.is_dir():
            place.rmdir()  # Windows would replace none
        part.replace(place)
        _to_disk(place.parent)
    except (PhysicsError, ScenarioError, MemoryError):  # say themselves what is wrong
        raise
    except Exception as error:
        if (cause := _of_the_disk(error)) is None:
            raise
        raise PhysicsError(N_("{path}: cannot be written: {cause}", path, cause.strerror or cause)) from None
    finally:  # also after Ctrl+C
        _remove(part)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for the files of one task, in the system's temporary folder; removed at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="polhode-") as folder, undone_by(lambda: _remove(Path(folder))):
        yield Path(folder)


def _remove(part: Path) -> None:
    """Remove a file or a folder, if it is there."""
    shutil.rmtree(part, ignore_errors=True)
    with suppress(OSError):  # is gone, or was never there: its name may be too long
        part.unlink()


def _of_the_disk(error: BaseException | None) -> OSError | None:
    """The OSError that an error is, or that it came of: libraries stumble as they close what could not be written."""
    while error is not None and not isinstance(error, OSError):
        error = error.__context__
    return error


def _to_disk(path: Path) -> None:
    """Flush a file or a folder to the disk; OSError if that fails."""
    if path.is_dir() and os.name == "nt":  # Windows has no handles of folders
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
    """Metadata of a file: scenario, version, platform, files, the map's system, each scheme's facts."""
    schemes = {
        name: {
            "citation": lane_of(name).scheme.reference,
            "doi": lane_of(name).scheme.doi,
            **({} if lane_of(name).step is None else {"step": lane_of(name).step}),
            **({"variant": variant} if (variant := lane_of(name).variant) else {}),
            **({} if (code := lane_of(name).scheme.code) is None else {"file": code.path.name, "sha256": code.digest}),
            "steps": run.steps,
            "wall_time": run.wall_time,
            "events": [{"kind": e.kind, "time": e.time, "text": e.text} for e in run.events],
            "audit": audit(run),
            "origins": [_origin(one) for one in run.origins],
        }
        for name, run in runs.items()
    }
    files = {name: digest for run in runs.values() for name, digest in run.files.items()}
    crs = next((run.crs for run in runs.values()), None)
    bodies = _bodies(runs)
    return {
        "version": polhode_version(),
        "platform": platform_facts(),
        "seed": scenario.seed,
        "scenario": scenario.portable(),
        "files": {str(scenario.path(name).absolute()): digest for name, digest in files.items()},
        "schemes": schemes,
        **({} if crs is None else {"crs": crs}),
        **({"bodies": list(bodies)} if bodies else {}),
        **system_of(scenario).facts(scenario),
    }


def _bodies(runs: Mapping[str, Trajectory]) -> tuple[str, ...]:
    """The bodies that all runs have."""
    return next((run.bodies for run in runs.values()), ())


def _origin(origin: Origin) -> dict[str, Any]:
    """Metadata of the state from which errors count."""
    places = {name: getattr(origin.state, name).tolist() for name in STATE}
    scales = {"energy_scale": origin.energy_scale, "spin_scale": origin.spin_scale}
    return {"time": origin.state.time, **places, "energy": origin.energy, "spin": origin.spin.tolist(), **scales}


def _columns(scenario: Scenario) -> list[str]:
    system = system_of(scenario)
    return [*(name for name in COLUMNS if name != CONTACT or system.contacts), *system.derived]


def _flat(runs: Mapping[str, Trajectory], scenario: Scenario) -> dict[str, tuple[str, int, str]]:
    columns = _columns(scenario)
    found = {flat: place for flat, place in flat_columns(_bodies(runs)).items() if place[0] in columns}
    for name, derived in system_of(scenario).derived.items():
        found |= _flattened(name, derived.width, derived.unit, derived.names and derived.names(scenario))
    return found


def _derived(run: Trajectory, scenario: Scenario) -> dict[str, np.ndarray]:
    """Columns that the system derives, each row in the scenario as the last edit before it left it."""
    system, (scenarios, times) = system_of(scenario), stretches(scenario)
    begins = [0, *np.searchsorted(run.time, times[1:], side="right").tolist(), len(run)]
    parts = zip(scenarios, begins[:-1], begins[1:], strict=True)
    found = [system.derive(run.rows(slice(begin, end)), one) for one, begin, end in parts]
    return {name: np.concatenate([part[name] for part in found]) for name in system.derived}


def _values(run: Trajectory, scenario: Scenario) -> dict[str, np.ndarray]:
    """All columns of a run by name; each is computed once, however many components it has."""
    derived = _derived(run, scenario)
    found = {name: derived[name] if name in derived else getattr(run, name) for name in _columns(scenario)}
    return found if CONTACT not in found else found | {CONTACT: run.contact.astype(np.int32)}


def _component(values: np.ndarray, i: int) -> np.ndarray:
    return values if values.ndim == 1 else values.reshape(len(values), -1)[:, i]


def _write_npz(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    arrays = {
        f"{name}/{column}": values for name, run in runs.items() for column, values in _values(run, scenario).items()
    }
    arrays["meta"] = np.array(json_text(meta(runs, scenario)))
    with part.open("wb") as file:  # an open file keeps numpy from adding an ending to the name
        np.savez(file, allow_pickle=False, **arrays)


def _write_csv(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    flat = _flat(runs, scenario)
    header = ["scheme", *(f"{name} [{unit}]" if unit else name for name, (_, _, unit) in flat.items())]
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for name, run in runs.items():
            values = _values(run, scenario)
            columns = [_component(values[column], i) for column, i, _ in flat.values()]
            for first in range(0, len(run), 4096):  # numbers of a few thousand rows at a time
                rows = zip(*(c[first : first + 4096].tolist() for c in columns), strict=True)
                writer.writerows((name, *row) for row in rows)


def _write_parquet(part: Path, runs: Mapping[str, Trajectory], scenario: Scenario) -> None:
    pyarrow, parquet = pyarrow_or_sentence()
    table: dict[str, Any] = {"scheme": [name for name, run in runs.items() for _ in range(len(run))]}
    found = [_values(run, scenario) for run in runs.values()]
    for flat, (column, i, _) in _flat(runs, scenario).items():
        table[flat] = np.concatenate([_component(values[column], i) for values in found])
    metadata = {"polhode": json_text(meta(runs, scenario))}
    parquet.write_table(pyarrow.table(table).replace_schema_metadata(metadata), part)
