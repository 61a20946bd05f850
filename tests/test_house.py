"""The house itself: what the README says, who may import whom, lint and types."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import grimp
import pytest

import physics
from physics.systems import SYSTEMS
from tests.count import docstrings, files

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_readme_names_files_that_exist():
    for name in re.findall(r"(?:\(|\s)((?:assets|physics|app|tests)/[\w./-]+\w)", README):
        assert (ROOT / name).exists(), name


def test_the_help_names_every_command_and_the_readme_no_other():
    from app.cli.parser import parser

    known = set(re.findall(r"(?m)^  ([a-z]+) ", parser().format_help().partition("\ncommands ")[2]))
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "assets" / "help").glob("*.md"))
    assert known <= set(re.findall(r"polhode ([a-z]+)\b", pages))
    assert set(re.findall(r"(?m)bin/polhode ([a-z]+) ?", README)) <= known


def test_the_scenario_of_the_readme_is_a_scenario():
    (text,) = re.findall(r"```toml\n(.*?)```", README, flags=re.S)
    assert physics.Scenario(**tomllib.loads(text)).schemes == ("explicit", "implicit", "exact")


def test_the_python_of_the_readme_runs(monkeypatch):
    (text,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(compile(text, "README.md", "exec"), names)
    assert set(names["runs"]) == {"explicit", "implicit"}


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["importlinter.cli", "lint"]],
    ids=["lint", "format", "types", "floors"],
)
def test_the_tools_are_content(command):
    arguments = [sys.executable, "-m", *command]
    if command[0] == "importlinter.cli":
        arguments = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_modules_import_each_other_in_a_circle():
    """Imports for types alone count too: who reads one module of a circle has to read all of it."""
    graph = grimp.build_graph("app", "physics", cache_dir=None)  # a cache missed changed files
    order = graphlib.TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules})
    order.prepare()  # raises CycleError, with the circle


def _constants(nodes: Iterable[ast.expr]) -> set[object]:
    return {part.value for node in nodes for part in ast.walk(node) if isinstance(part, ast.Constant)}


def test_only_the_rows_of_a_kind_ask_for_it():
    """No module outside the two rooms of the rows compares anything with the name of a kind, or looks it up by one."""
    asking = []
    for path in [*ROOT.glob("app/**/*.py"), *ROOT.glob("physics/**/*.py")]:
        if path.parent in (ROOT / "app/kinds", ROOT / "physics/systems"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if not any(isinstance(side, ast.Attribute) and side.attr == "kind" for side in sides):
                    continue
                asks = bool(_constants(sides) & SYSTEMS.keys())
            elif isinstance(node, ast.Dict):
                keys = _constants(key for key in node.keys if key is not None)
                asks = len(keys) > 1 and keys <= SYSTEMS.keys()
            else:
                continue
            if asks:
                asking.append((path, node.lineno))
    assert not asking


FACTS = ("fit_results.py", "results_folder.py")  # words of summary.json, which is English


def test_sentences_of_physics_with_values_are_templates():
    """An f-string in a note or an error has no template that could be looked up in another language."""
    plain = []
    for path in ROOT.glob("physics/**/*.py"):
        nodes = [*ast.walk(ast.parse(path.read_text()))]
        claims = {one for node in nodes if isinstance(node, ast.Assert) for one in ast.walk(node)}  # for engineers
        for node in nodes:
            if isinstance(node, ast.JoinedStr) and node not in claims and path.name not in FACTS:
                words = "".join(str(one.value) if isinstance(one, ast.Constant) else "0" for one in node.values)
                plain += [(path, node.lineno)] if re.search("([a-z]+ ){3}", words) else []
    assert not plain


NO_OPENERS = {"As", "At", "By", "For", "From", "In", "Nobody", "Of", "On", "Somebody", "To", "When", "Where", "With"}


QUESTIONS = {"How", "That", "There", "What", "Whether", "Which", "Who", "Whose", "Why"}  # tests may tell by them


def test_docstrings_begin_with_a_noun_or_a_verb():
    paths = files("app/*.py", "physics/*.py", "assets/*.py")
    assert not [text for text in docstrings(paths) if text.split()[0].rstrip(",") in NO_OPENERS | QUESTIONS]
    assert not [text for text in docstrings(files("tests/*.py")) if text.split()[0].rstrip(",") in NO_OPENERS]


def test_controllers_do_not_know_the_main_window():
    importers = grimp.build_graph("app", cache_dir=None).find_modules_that_directly_import("app.window.main_window")
    assert importers == {"app.window.main"}
