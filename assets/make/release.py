"""Make a release, or with ``--draft`` a trial of one, in a new folder: ``python -m assets.make.release FOLDER``.

It holds a wheel, an archive of the sources, ``notes.md`` (the changelog's section of this version), ``licences.md``
(what an installer bundles, and under what), and ``SHA256SUMS``. It is refused where versions differ, where the
changelog has no section of the version, and where files are changed or unknown to git. The same sources give the same
archives.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from assets.make import licences

EXTRAS = "gis,parquet,sensors"  # of installers: all that reads files; what needs Jupyter or a cluster installs by pip
ROOT = Path(__file__).parents[2]
DRAFT = "Unreleased"


class ReleaseError(Exception):
    """Reason why there can be no release, in one sentence."""


def version(root: Path = ROOT) -> str:
    """The version in pyproject.toml and CITATION.cff; ReleaseError if they differ."""
    own: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"(?m)^version: (\S+)$", (root / "CITATION.cff").read_text(encoding="utf-8"))
    if cited is None or cited[1] != own:
        told = "none" if cited is None else cited[1]
        raise ReleaseError(f"CITATION.cff: version: expected {own}, as in pyproject.toml, got {told}")
    return own


def notes(changelog: str, heading: str) -> str:
    """The section of the changelog below ``## heading``; ReleaseError where there is none, or nothing in it."""
    found = re.search(rf"(?ms)^## {re.escape(heading)}(?![\w.+-])[^\n]*\n(.*?)(?=^## |\Z)", changelog)
    if found is None or not found[1].strip():
        raise ReleaseError(f"CHANGELOG.md: expected a section '## {heading}' that says what is new")
    return found[1].strip() + "\n"


def check_clean(root: Path = ROOT) -> None:
    """ReleaseError where the sources are not those of a commit."""
    try:
        asked = ["git", "status", "--porcelain"]
        done = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise ReleaseError(f"{root}: expected a clone of the repository, and git") from None
    if changed := done.stdout.splitlines():
        raise ReleaseError(f"{changed[0][3:]}: changed or unknown to git; commit it first, or give --draft")


def build(folder: Path, root: Path = ROOT) -> list[Path]:
    """Write the wheel and the archive of the sources; their paths."""
    from hatchling.builders.sdist import SdistBuilder
    from hatchling.builders.wheel import WheelBuilder

    made = [
        path
        for builder in (WheelBuilder(str(root)), SdistBuilder(str(root)))
        for path in builder.build(directory=str(folder), versions=["standard"])
    ]
    return [Path(path) for path in made]


def wheel(folder: Path) -> Path:
    """Write wheel and archive; the wheel's path."""
    return next(path for path in build(folder) if path.suffix == ".whl")


def release(folder: Path, draft: bool = False) -> list[Path]:
    """Make a release in a folder that does not exist yet; what it holds."""
    if folder.exists():
        raise ReleaseError(f"{folder}: exists; expected a new folder")
    told = version()
    if not draft:
        check_clean()
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    said = notes(changelog, DRAFT if draft and f"## {DRAFT}" in changelog else told)
    made = build(folder)
    for name, text in (("notes.md", said), ("licences.md", licences.page())):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        made.append(folder / name)
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
    (folder / "SHA256SUMS").write_text(sums, encoding="ascii", newline="\n")
    return [*made, folder / "SHA256SUMS"]


def main(argv: list[str] | None = None) -> int:
    """Make a release, and list its files with their sizes; the status."""
    parser = argparse.ArgumentParser(prog="python -m assets.make.release", description="Make a release.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--draft", action="store_true", help="of sources that are not committed or not yet a version")
    arguments = parser.parse_args(argv)
    try:
        made = release(arguments.folder, arguments.draft)
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 2
    for path in made:
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
