"""Size of the house, counted: ``python -m tests.count``. No test fails for a number here."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEADS = ("What", "Whether", "How", "Who")  # words that a docstring should not begin with


def files(*patterns: str) -> list[Path]:
    """Files known to git."""
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


def lines(paths: list[Path]) -> int:
    """Number of lines of all files together."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def docstrings(paths: list[Path]) -> Iterator[str]:
    """Docstrings of modules, classes and functions."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            held = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            if held and (text := ast.get_docstring(node)):
                yield text


def private_reads(paths: list[Path]) -> int:
    """Number of places where tests read a private attribute of something but themselves."""
    return sum(
        isinstance(node, ast.Attribute)
        and bool(re.match(r"_[a-z]", node.attr))
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


def main() -> None:
    """Print the table."""
    program, tests = files("app/*.py", "physics/*.py"), files("tests/*.py")
    texts, pyproject = [*docstrings(program)], (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rows = {
        "lines of program": lines(program),
        "files of program": len(program),
        "lines of tests": lines(tests),
        "lines of pyproject.toml": pyproject.count("\n"),
        "contracts": pyproject.count("[[tool.importlinter.contracts]]"),
        "paths with 'table'": sum("table" in path.relative_to(ROOT).as_posix() for path in files("app", "physics")),
        "private attributes read by tests": private_reads(tests),
        "bytes of README.md": (ROOT / "README.md").stat().st_size,
        "bytes of CHANGELOG.md": (ROOT / "CHANGELOG.md").stat().st_size,
        "docstrings": len(texts),
        "docstrings that begin with What, Whether, How or Who": sum(text.split()[0] in HEADS for text in texts if text),
        "lines with 'told'": sum(
            bool(re.search(r"\btold\b", line)) for path in program for line in path.read_text("utf-8").splitlines()
        ),
        "Python files in assets": len(files("assets/*.py")) - len(files("assets/make/*.py")),
    }
    for name, number in rows.items():
        print(f"{number:8}  {name}")


if __name__ == "__main__":
    main()
