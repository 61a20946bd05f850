"""Messages between two processes of the program: a line of JSON, then the bytes of arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BufferedReader
from typing import IO, Any, NamedTuple

import numpy as np

from physics.core.wording import N_, Wording

_WORDING = "wording"  # the only key of a table that stands for one


class Message(NamedTuple):
    """Order or report between processes: plain values, and arrays."""

    what: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]


def send(file: IO[bytes], what: str, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray] | None = None) -> None:
    """Write one message; OSError if the reader has closed its end."""
    whole = {name: np.ascontiguousarray(array) for name, array in (arrays or {}).items()}
    shapes = [(name, array.dtype.str, array.shape) for name, array in whole.items()]
    file.write(json.dumps([what, _plain(facts), shapes]).encode() + b"\n")
    for array in whole.values():
        file.write(array.data)
    file.flush()


def receive(file: BufferedReader) -> Message | None:
    """Wait for the next message; None where the other end is gone, also amid a message; ValueError if it is none."""
    line = file.readline()
    if not line.endswith(b"\n"):
        return None
    try:
        what, facts, shapes = json.loads(line, object_hook=_worded)
        arrays = {name: np.empty(shape, kind) for name, kind, shape in shapes}
    except (ValueError, TypeError, LookupError, AttributeError, MemoryError) as error:
        raise ValueError(N_("the other process sent no valid message")) from error
    for array in arrays.values():
        data = array.reshape(-1).view(np.uint8).data
        if file.readinto(data) < data.nbytes:
            return None
    return Message(what, facts, arrays)


def _plain(value: Any) -> Any:
    """A value for JSON: a wording keeps its template where its values are plain too."""
    if isinstance(value, Wording) and all(isinstance(one, str | float | int) for one in value.values.values()):
        return {_WORDING: [value.template, *map(_plain, value.values.values())]}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


def _worded(table: dict[str, Any]) -> Any:
    return Wording(*table[_WORDING]) if table.keys() == {_WORDING} else table
