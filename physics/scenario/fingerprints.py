"""Fingerprints: the files that a scenario names, and digests that show whether they have changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from physics.bodies.gltf import GLTF, beside_gltf
from physics.core.cancellation import check_wanted
from physics.core.conf_files import beside_conf, is_conf
from physics.core.errors import ScenarioError
from physics.core.input_checks import MAX_INPUT_BYTES, beside_shapes
from physics.core.wording import N_
from physics.scenario.file_references import files_in_table, names_in
from physics.scenario.scenario import Scenario
from physics.terrain import crs

CHANGED = N_("has changed since it was read; begin again")
_MAPS = (".asc", ".xyz", ".stl", ".obj", ".ply", ".tif", ".tiff", ".las", ".laz")  # with files beside them
PIECE = 1_000_000  # bytes that are read at a time


def named_files(scenario: Scenario) -> dict[str, list[Path]]:
    """The files of a motion: name in the scenario -> the file, and those that belong to it (.prj; of a table or run).

    They lie in its folder or below. What the views name is none of them, nor what was measured: both change nothing of
    a motion.
    """
    aside = ("view", "export", "film", "observed")
    plain = {key: value for key, value in scenario.to_plain().items() if key not in aside}
    found = {}
    for name in sorted({name for _, name in names_in(plain)}):
        path = scenario.path(name)
        if os.path.isfile(path) and path.stat().st_size <= MAX_INPUT_BYTES:  # their readers refuse others
            found[name] = [path, *sorted(p for p in _of(path) if p != path and os.path.isfile(p))]
    return found


def files_of(scenario: Scenario) -> Iterator[Path]:
    """The files and folders that a scenario names, for whatever they are read."""
    return (scenario.path(name) for _, name in names_in(scenario.to_plain()))


def _of(path: Path) -> Iterable[Path]:
    """Files that may belong to one: all of a shapefile's name, those that a table names, those beside a map.

    Of a model its buffers: its pictures change nothing of a motion.
    """
    suffix = path.suffix.lower()
    if suffix == ".shp":
        return beside_shapes(path)
    if suffix == ".csv":
        files = files_in_table(path)
        return [*files, *(buffer for file in files for buffer in beside_gltf(file))]
    if suffix in GLTF:
        return beside_gltf(path)
    if is_conf(path):
        return beside_conf(path)
    return crs.files_beside(path) if suffix in _MAPS else ()


def digests(scenario: Scenario) -> dict[str, str]:
    """Name in the scenario -> digest of its contents, of ``named_files``; ScenarioError where one cannot be read."""
    try:
        return {name: _digest(*map(_version, paths)) for name, paths in named_files(scenario).items()}
    except OSError as error:
        raise _unreadable(error) from None


Versions = dict[str, list[tuple[Path, int, int]]]


def versions(scenario: Scenario) -> Versions:
    """Name in the scenario -> its files with their times and sizes; nothing of them is read but names in tables."""
    try:
        return {name: list(map(_version, paths)) for name, paths in named_files(scenario).items()}
    except OSError as error:
        raise _unreadable(error) from None


def digests_since(scenario: Scenario, before: Versions) -> dict[str, str]:
    """``digests`` of files that have been read since they were of these versions; ScenarioError if one has changed.

    After they were read: what no reader takes, such as 900 GB of nothing, is refused before it is hashed.
    """
    found, now = digests(scenario), versions(scenario)
    for name, version in before.items():
        if now.get(name) != version:
            raise ScenarioError("", CHANGED, scenario.path(name))
    return found


def check_unchanged(scenario: Scenario, read: Mapping[str, str]) -> None:
    """ScenarioError if a file that a scenario names is no more what it was when it was read (``digests``)."""
    now = digests(scenario)
    for name, digest in read.items():
        if now.get(name) != digest:
            raise ScenarioError("", CHANGED, scenario.path(name))


def _unreadable(error: OSError) -> ScenarioError:
    return ScenarioError("", N_("cannot be read: {error}", error.strerror or error), error.filename)


def _version(path: Path) -> tuple[Path, int, int]:
    """A file, and what is another number once it was written again: when that was [ns], and its size."""
    facts = path.stat()
    return path, facts.st_mtime_ns, facts.st_size


@lru_cache(maxsize=8)  # an edit must not read the mountain again
def _digest(*versions: tuple[Path, int, int]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path, _, _ in versions:
        one = hashlib.blake2b()
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                check_wanted()
                one.update(piece)
        digest.update(one.digest())
    return digest.hexdigest()
