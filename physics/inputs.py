"""What every reader of a file asks first: whether it is one that it can read, and whether a word is a number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from physics.errors import ScenarioError


def input_file(path: str | Path, endings: Sequence[str], what: str) -> Path:
    """The path of a file of ``what``; ScenarioError where its ending is another, or where it is missing or empty."""
    path, known = Path(path), ", ".join(endings)
    if path.suffix.lower() not in endings:
        raise ScenarioError("", f"cannot read {what} from '{path.suffix}'; expected one of {known}", path)
    if not path.is_file():
        raise ScenarioError("", f"no such file; expected {what} ({known})", path)
    if path.stat().st_size == 0:
        raise ScenarioError("", f"the file is empty; expected {what}", path)
    return path


def is_number(word: str) -> bool:
    """Whether a word of a text is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
