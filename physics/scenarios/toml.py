"""TOML files, of ``what``, such as "a scenario": their text and its tables, or one sentence on what is wrong."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from physics.errors import ScenarioError

LARGEST = 1_000_000  # bytes of a file


def text_of(path: Path, what: str) -> str:
    """The text of a file; ScenarioError where it is missing, too large or none."""
    if not os.path.isfile(path):
        raise ScenarioError("", f"no such file; expected {what} (.toml)", path)
    if path.stat().st_size > LARGEST:
        raise ScenarioError("", f"larger than {LARGEST // 1_000_000} MB; expected {what} (.toml)", path)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ScenarioError("", f"not a text file; expected {what} (.toml)", path) from None
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror or error}", path) from None


def tables_of(text: str, what: str, path: str | Path | None) -> dict[str, Any]:
    """The tables of a text, path: the file that holds it; ScenarioError where it is no TOML or empty."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError("", f"not {what}: {error}", path) from None
    except RecursionError:
        raise ScenarioError("", f"not {what}: lists or tables too deep in one another", path) from None
    if not data:
        raise ScenarioError("", f"the file is empty; expected {what}", path)
    return data
