"""Scenario files: a Scenario from TOML text."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError, naming
from physics.core.input_checks import check_bytes, check_file
from physics.core.wording import N_
from physics.scenario.file_references import check_names
from physics.scenario.plain_values import check_plain
from physics.scenario.scenario import Scenario

LARGEST = 1_000_000  # bytes of a file
DEEPEST = 32  # tables in one another by one key: reading a.a.a... takes memory by the square of its length
_KEY = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP = re.compile(rf"(?<![\w-]){_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{{DEEPEST}}}")


def text_of(path: Path, what: str) -> str:
    """The text of a file; ScenarioError where it is missing, too large or none."""
    check_file(path, what, ".toml")
    check_bytes(path, what, LARGEST)
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1).decode("utf-8-sig")  # it may grow, and a file of the system has no size
    except UnicodeDecodeError:
        raise ScenarioError("", N_("not a text file; expected {what} (.toml)", what), path) from None
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None


def tables_of(text: str, what: str, path: str | Path | None) -> dict[str, Any]:
    """The tables of a text, path: the file that holds it; ScenarioError where it is no TOML or empty."""
    deep = ScenarioError("", N_("not {what}: lists or tables too deep in one another", what), path)
    if _DEEP.search(text):
        raise deep
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError("", N_("not {what}: {error}", what, error), path) from None
    except ValueError:  # of Python itself, for a number of more than 4300 digits
        raise ScenarioError("", N_("not {what}: a whole number that is too long", what), path) from None
    except RecursionError:
        raise deep from None
    if not data:
        raise ScenarioError("", N_("the file is empty; expected {what}", what), path)
    try:
        check_plain(data)
    except ScenarioError as error:
        raise (error.in_file(path) if path else error) from None
    return data


def load_scenario(path: str | Path) -> Scenario:
    """Scenario in a TOML file.

    Parameters
    ----------
    path : str or Path
        The file; relative names of files in it start at its folder.

    Returns
    -------
    Scenario
        The checked scenario.

    Raises
    ------
    ScenarioError
        If the file is missing, not TOML, or wrong in a value; names file and field.

    Examples
    --------
    >>> from pathlib import Path
    >>> import physics
    >>> text = '''
    ... kind = "free"
    ... duration = 1.0
    ... step = 0.01
    ... body = { shape = "cuboid", size = [3, 2, 1], mass = 1 }
    ... initial = { angular_velocity = [0, 0, 10] }
    ... '''
    >>> _ = Path("cuboid.toml").write_text(text)
    >>> physics.load_scenario("cuboid.toml").initial.angular_velocity
    (0.0, 0.0, 10.0)
    """
    path = Path(path)
    return parse_scenario(text_of(path, N_("a scenario")), path)


def parse_scenario(text: str, path: str | Path) -> Scenario:
    """Scenario in a TOML text.

    Parameters
    ----------
    text : str
        The text of a scenario file.
    path : str or Path
        Name of the file for messages; relative names of files in the text start at its folder, and stay in it.

    Returns
    -------
    Scenario
        The checked scenario.

    Raises
    ------
    ScenarioError
        If the text is not TOML, or wrong in a value; names file and field.

    Examples
    --------
    >>> import physics
    >>> text = '''
    ... kind = "free"
    ... duration = 1.0
    ... step = 0.01
    ... body = { shape = "cuboid", size = [3, 2, 1], mass = 1 }
    ... '''
    >>> physics.parse_scenario(text, "cuboid.toml").body.size
    (3.0, 2.0, 1.0)
    """
    path = Path(path)
    data = tables_of(text, N_("a scenario"), path)
    data.pop("folder", None)
    with naming(path):
        check_names(data, path.parent)
        return Scenario(**data, folder=str(path.parent))
