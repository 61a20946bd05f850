"""Checkpoints of an ensemble: after a kill at any moment it goes on with the same numbers.

While ``DIR`` is in the making, ``DIR.part`` holds the rows of the rocks that are done (``rows-<scheme>.bin``, and with
barriers ``crossings-<scheme>.bin``, which only grow) and the last two checkpoints, each with the identity of the
ensemble. The name of a checkpoint gives its number of rocks and the digest of its bytes; one that is damaged, or whose
rows are, is passed over for the one before. A folder that is removed meanwhile is made anew with the next checkpoint.
Only files of these names are ever removed, and the folder only when nothing else is in it: ``DIR.part`` may hold the
user's own files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from physics.core.archives import merged_arrays, npz_arrays, part_of
from physics.core.cancellation import undone_by
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.input_checks import DAMAGED, check_archive
from physics.core.wording import N_
from physics.ensembles.identity import check_same
from physics.hazard.ensemble import Ensemble, Results
from physics.hazard.rock_rows import CROSSING, RockTable
from physics.scenario.scenario import Scenario

_FACTS = 10**8  # bytes: the facts and the headers of arrays take less
EVERY = 10.0  # [s] between checkpoints, and at least 50 times as long as one takes
_PART = "checkpoint.part"
_OWN = re.compile(rf"(?:rows|crossings)-[\w@.+-]+\.bin|rocks-\d+-[0-9a-f]+\.npz|{re.escape(_PART)}")


class CheckpointWriter:
    """Keeps checkpoints of an ensemble in ``DIR.part``; with ``resume`` it goes on from the last one, if there is one.

    Raises ScenarioError where ``DIR.part`` holds an ensemble: one that is another, or any without ``resume``.

    Attributes
    ----------
    folder : ``DIR.part``
    kept : rocks in the last checkpoint
    damaged : checkpoints that were passed over
    """

    def __init__(self, path: Path, ensemble: Ensemble, resume: bool) -> None:
        self.folder, self._ensemble, self.kept = folder_of(path), ensemble, 0
        self.damaged = 0
        self._written = dict.fromkeys(_tables(ensemble.results, ensemble), (0, 0))  # rows of each file and their CRC
        self._took, self._saved = 0.0, time.monotonic()
        if not resume and any(checkpoints(self.folder)):
            raise ScenarioError(
                "", N_("contains an unfinished ensemble; continue with --resume, or remove it"), self.folder
            )
        self._restore()
        if not self.kept:
            if foreign := sorted(file.name for file in _files(self.folder) if not _OWN.fullmatch(file.name)):
                holds = N_("'{foreign}', which is not of an ensemble", foreign[0])
                raise ScenarioError("", N_("holds {holds}; expected another name for the results", holds), self.folder)
            _remove_own(self.folder)
            try:
                self.folder.mkdir(exist_ok=True)  # and not anew: it may be claimed
            except OSError as error:
                raise self._unwritten(error) from None

    @property
    def due(self) -> bool:
        """True if it is time for a checkpoint."""
        return time.monotonic() - self._saved > max(EVERY, 50.0 * self._took)

    def keep(self) -> None:
        """Save a checkpoint when it is time for one."""
        if self.due:
            self.save()

    def save(self) -> None:
        """Save a checkpoint; PhysicsError when writing fails."""
        began = time.monotonic()
        try:
            self.folder.mkdir(exist_ok=True)  # it, or files in it, may have been removed
            if not all(self._rows(name).exists() for name in self._written):
                self.kept, self._written = 0, dict.fromkeys(self._written, (0, 0))
            self._append()
            self._write()
        except OSError as error:
            with suppress(OSError):
                (self.folder / _PART).unlink(missing_ok=True)
            raise self._unwritten(error) from None
        finally:
            self._saved = time.monotonic()
            self._took = self._saved - began

    def __enter__(self) -> CheckpointWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Keep what is done when the ensemble was interrupted, if it took long enough for a checkpoint."""
        if kind is not None and self.kept:
            with suppress(PhysicsError):  # what is on the disk already stays
                self.save()
        if kind is None or not any(checkpoints(self.folder)):
            self.remove()

    def remove(self) -> None:
        """Remove the folder."""
        remove_checkpoints(self.folder)

    def _rows(self, name: str) -> Path:
        return self.folder / f"{name}.bin"

    def _unwritten(self, error: OSError) -> PhysicsError:
        return PhysicsError(N_("{folder}: cannot be written: {error}", self.folder, error.strerror or error))

    def _append(self) -> None:
        """Write the rows of the rocks since the last checkpoint, behind those that it holds."""
        written = {}
        for name, table in _tables(self._ensemble.results, self._ensemble).items():
            kept, crc = self._written[name]
            path, data = self._rows(name), table.read(kept).tobytes()
            with path.open("r+b" if path.exists() else "wb") as file:
                file.seek(kept * table.dtype.itemsize)
                file.write(data)
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
            written[name] = len(table), zlib.crc32(data, crc)
        self.kept, self._written = self._ensemble.done, written  # of all rows, or of none where the disk is full

    def _write(self) -> None:
        ensemble = self._ensemble
        arrays = merged_arrays({name: found.arrays() for name, found in ensemble.results.items()})
        facts = {"wall_time": ensemble.wall_time, "cpu_time": ensemble.cpu_time, "written": self._written}
        facts |= {"identity": ensemble.identity, "folder": str(Path(ensemble.world.scenario.folder).absolute())}
        part = self.folder / _PART
        with part.open("wb") as file:
            np.savez(file, allow_pickle=False, facts=np.array(json.dumps(facts)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / f"rocks-{self.kept:012d}-{_digest(part)}.npz")
        for old in checkpoints(self.folder)[2:]:
            old.unlink(missing_ok=True)

    def _restore(self) -> None:
        """Go on from the newest checkpoint that is whole; from the first rock where none is."""
        for path in checkpoints(self.folder):
            try:
                self._read(path)
            except ScenarioError:  # whole, but of another ensemble
                raise
            except DAMAGED:
                self.damaged += 1
                path.unlink(missing_ok=True)
            else:
                return

    def _read(self, path: Path) -> None:
        _check_whole(path)
        done, ensemble = int(path.stem.split("-")[1]), self._ensemble
        facts = _facts(path)
        check_same(facts["identity"], ensemble.identity, self.folder)
        results = {name: Results(ensemble.world.terrain, ensemble.lines, ensemble.study) for name in ensemble.results}
        most = sum(found.most_bytes(done) for found in ensemble.results.values())
        if done > ensemble.rocks or path.stat().st_size > most + _FACTS:  # larger than any that an ensemble writes
            raise ValueError(path)
        written = {name: (int(rows), int(crc)) for name, (rows, crc) in facts["written"].items()}
        known = _tables(results, ensemble)
        tables = {name: self._read_rows(name, table.dtype, *written[name]) for name, table in known.items()}
        arrays = npz_arrays(path, merged_arrays({name: found.arrays() for name, found in results.items()}))
        for name, found in results.items():
            rows, crossings = tables[f"rows-{name}"], tables.get(f"crossings-{name}", np.zeros(0, CROSSING))
            if len(rows) != done:
                raise ValueError(path)
            found.restore(part_of(arrays, name), rows, crossings)
        ensemble.results.update(results)  # all of it, or nothing
        ensemble.done = self.kept = done
        ensemble.wall_time, ensemble.cpu_time, self._written = facts["wall_time"], facts["cpu_time"], written

    def _read_rows(self, name: str, dtype: np.dtype[Any], rows: int, crc: int) -> np.ndarray:
        """Rows of a file, as many as given; ValueError where it holds others, or fewer."""
        path, size = self._rows(name), rows * dtype.itemsize
        if not os.path.isfile(path) or path.stat().st_size < size:  # a device has no end
            raise ValueError(path)
        with path.open("rb") as file:
            data = file.read(size)
        if zlib.crc32(data) != crc:
            raise ValueError(path)
        return np.frombuffer(data, dtype)


def _tables(results: Mapping[str, Results], ensemble: Ensemble) -> dict[str, RockTable]:
    """The tables of results that go to files of their own, by the stem of the file."""
    tables = {f"rows-{name}": found.rows for name, found in results.items()}
    if ensemble.lines.names:
        tables |= {f"crossings-{name}": found.crossings for name, found in results.items()}
    return tables


def folder_of(path: Path) -> Path:
    """``DIR.part`` of ``DIR``."""
    return path.with_name(f"{path.name}.part")


def checkpoints(folder: Path) -> list[Path]:
    """Checkpoints in ``DIR.part``, the newest first."""
    return sorted(folder.glob("rocks-*.npz"), reverse=True)


def remove_checkpoints(folder: Path) -> None:
    """Remove the files of an ensemble from ``DIR.part``, and the folder if nothing else is in it."""
    _remove_own(folder)
    _leave(folder)


def _remove_own(folder: Path) -> None:
    for file in _files(folder):
        if _OWN.fullmatch(file.name):
            with suppress(OSError):
                file.unlink()


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Claim of ``DIR`` for this process: ScenarioError where another one computes it, before this one begins.

    The system takes the lock on ``DIR.part`` away with the process. Where it knows none nothing is claimed.
    """
    folder = folder_of(path)
    with ExitStack() as stack:
        if not os.path.lexists(folder):
            stack.callback(_leave, folder)
        try:
            folder.mkdir(exist_ok=True)
            _lock(folder, stack)
        except BlockingIOError:
            raise ScenarioError("", N_("is being written by another process; expected another name"), path) from None
        except OSError:  # no such lock; or no such folder, which writing to it reports
            pass
        with undone_by(lambda: None if checkpoints(folder) else remove_checkpoints(folder)):
            yield


def _leave(folder: Path) -> None:
    """Remove a folder in which nothing is left."""
    with suppress(OSError):
        folder.rmdir()


def _lock(folder: Path, stack: ExitStack) -> None:
    """Lock a folder for as long as the stack lives; BlockingIOError where another process holds it."""
    if sys.platform != "win32":  # which has no handles of folders
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
        stack.callback(os.close, handle)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _files(folder: Path) -> list[Path]:
    """Files in a folder; none where there is no folder."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def begun(folder: Path) -> Scenario | None:
    """The scenario of the ensemble in ``DIR.part``; None where no checkpoint is whole."""
    for path in checkpoints(folder):
        with suppress(*DAMAGED, ScenarioError):
            _check_whole(path)
            facts = _facts(path)
            return Scenario(**facts["identity"]["scenario"], folder=facts["folder"])
    return None


def _check_whole(path: Path) -> None:
    """One of DAMAGED where a checkpoint is damaged: its bytes do not match its name."""
    _, _, digest = path.stem.split("-")
    check_archive(path, packed=1)  # first: to read 900 GB of nothing takes an hour
    if digest != _digest(path):
        raise ValueError(path)


def _facts(path: Path) -> dict[str, Any]:
    """Facts of the ensemble in a checkpoint."""
    facts: dict[str, Any] = json.loads(str(npz_arrays(path, ("facts",))["facts"]))
    return facts


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
