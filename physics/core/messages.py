"""Messages between two processes of the program: a line of JSON, then the bytes of arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BufferedReader
from typing import IO, Any, NamedTuple

import numpy as np


class Message(NamedTuple):
    """Order or report between processes: plain values, and arrays."""

    what: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]


def send(file: IO[bytes], what: str, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray] | None = None) -> None:
    """Write one message; OSError where nobody reads any more."""
    whole = {name: np.ascontiguousarray(array) for name, array in (arrays or {}).items()}
    shapes = [(name, array.dtype.str, array.shape) for name, array in whole.items()]
    file.write(json.dumps([what, dict(facts), shapes]).encode() + b"\n")
    for array in whole.values():
        file.write(array.data)
    file.flush()


def receive(file: BufferedReader) -> Message | None:
    """Wait for the next message; None where the other end is gone, also amid a message; ValueError if it is none."""
    line = file.readline()
    if not line.endswith(b"\n"):
        return None
    try:
        what, facts, shapes = json.loads(line)
        arrays = {name: np.empty(shape, kind) for name, kind, shape in shapes}
    except (ValueError, TypeError, MemoryError) as error:
        raise ValueError("the other process sent no valid message") from error
    for array in arrays.values():
        data = array.reshape(-1).view(np.uint8).data
        if file.readinto(data) < data.nbytes:
            return None
    return Message(what, facts, arrays)
