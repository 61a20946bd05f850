"""The public interface of physics: what is named exists, is explained with an example, and is on its page of help."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import assets
import physics
from app.document.session import from_toml
from app.document.toml_writer import toml_text
from physics.io.trajectory_readers import load_scenario_of
from physics.io.trajectory_writers import of_version, polhode_version, save
from tests.small import cuboid

PAGE = (Path(assets.__file__).parent / "help" / "interface.md").read_text(encoding="utf-8")
UNIT = r"\[(?:m|s|rad|rad/s|m/s|kg m²|N m|J)[^\]]*\]|\bunits?\b|SI units"
SHAPE = r"\((?:n|3|4)(?:,|, \d)\)|a row for each stored state|along ``time``"
SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Notes", "Examples", "References")


# what is public and holds no numbers: files, texts, errors, tables, and worlds that say theirs in World
OTHERS = {"SCHEMES", "Runs", "Scenario", "ScenarioError", "PhysicsError", "load_scenario", "parse_scenario"}
NUMBERS = set(physics.__all__) - OTHERS - {"AttachedWorld", "FreeWorld", "RockfallWorld"}


def test_the_page_names_all_that_is_public_and_nothing_else():
    names = set(re.findall(r"`(?:physics\.)?(\w+)[^`]*`", PAGE.partition("## What else stays")[0]))
    assert names == {"physics", "app", "help", "ValueError", *physics.__all__}
    assert len(set(physics.__all__)) == len(physics.__all__)


def explained(name: str) -> object:
    """The object whose docstring explains a public name; for the table of schemes the class of its rows."""
    what = getattr(physics, name)
    return type(next(iter(what.values()))) if isinstance(what, dict) else what


@pytest.mark.parametrize("name", physics.__all__)
def test_what_is_public_has_its_sections(name):
    what = explained(name)
    text = inspect.getdoc(what) or ""
    summary, empty, *_ = text.splitlines()
    assert summary.endswith(".")
    assert not empty
    sections = re.findall(r"(?m)^(\w+)\n-+$", text)
    assert sections == sorted(sections, key=SECTIONS.index)
    assert "Examples" in sections
    named: set[str] = set()
    if inspect.isclass(what):
        assert {"Attributes", "Parameters"} & {*sections} or what is physics.PhysicsError
        for own, member in vars(what).items():
            if not own.startswith("_") and (callable(member) or isinstance(member, property | classmethod)):
                assert inspect.getdoc(member), f"{name}.{own}"
        if dataclasses.is_dataclass(what):
            known = [base for base in what.__bases__ if dataclasses.is_dataclass(base)]
            of_bases = {field.name for base in known for field in dataclasses.fields(base)}
            named = {field.name for field in dataclasses.fields(what)} - of_bases
    else:
        assert {"Parameters", "Returns"} <= {*sections}
        named = {*inspect.signature(what).parameters}
    assert not [one for one in named if not re.search(rf"(?m)^(\w+, |.*; )*{one}(, \w+)* :", text)]


@pytest.mark.parametrize("name", ["physics", *physics.__all__])
def test_the_example_of_what_is_public_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for examples that write a file
    what = physics if name == "physics" else explained(name)
    (found,) = doctest.DocTestFinder(recurse=False).find(what, name, globs={})
    assert found.examples
    assert not any(example.options for example in found.examples)  # none is skipped
    assert not doctest.DocTestRunner().run(found).failed


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_what_takes_or_gives_numbers_tells_their_shapes_and_units(name):
    told = inspect.getdoc(getattr(physics, name)) or ""
    assert re.search(UNIT, told), told
    assert re.search(SHAPE, told), told


def test_a_file_of_a_later_version_that_is_not_understood_says_which_wrote_it(tmp_path):
    text = toml_text(cuboid().portable() | {"friction_of_air": 1, "session": {"version": "VERSION"}})
    for version, told in (("99.0.1", "; Polhode 99.0.1 wrote it, this is "), (polhode_version(), ""), ("?", "")):
        with pytest.raises(physics.ScenarioError, match="friction_of_air") as found:
            from_toml(text.replace("VERSION", version), tmp_path / "a.polhode.toml")
        assert told in str(found.value)
        assert ("wrote it" in str(found.value)) == bool(told)


def test_a_trajectory_of_a_later_version_says_which_wrote_it(tmp_path):
    scenario = cuboid()
    save(tmp_path / "now.npz", physics.simulate(scenario), scenario)
    with np.load(tmp_path / "now.npz", allow_pickle=False) as file:
        arrays = dict(file)
    told = json.loads(str(arrays["meta"]))
    told["version"] = "99.0"
    told["scenario"]["friction_of_air"] = 1
    np.savez(tmp_path / "a.npz", **arrays | {"meta": np.array(json.dumps(told))})
    with pytest.raises(physics.ScenarioError, match=r"a\.npz: friction_of_air.*; Polhode 99\.0 wrote it, this is "):
        load_scenario_of(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("version", "later"), [("0.0.9", False), ("1000", True), ("0.1.10000", True), ("unknown", False)]
)
def test_versions_are_compared_by_their_numbers(version, later):
    error = physics.ScenarioError("body", "unknown", "a.toml")
    assert ("wrote it" in str(of_version(error, version))) == later
    assert str(of_version(error, None)) == str(error)


def test_threads_that_load_parts_of_scipy_find_it_begun():
    """Begun by two threads at once it fails in one process of ten, in a cycle of its own modules."""
    code = "import sys, physics; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
