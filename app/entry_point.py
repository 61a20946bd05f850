"""The entry point of ``polhode``, installed as the module ``polhode``, a name that no other package has.

Other packages use the names ``app``, ``physics`` and ``assets`` too, and pip overwrites one with another without a
warning. So they are checked before they are imported: else another package's code would run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("app", "physics", "assets")
OURS = Path("assets", "icons", "polhode.svg")  # file that no other package has
REMEDY = "install Polhode in an environment of its own: pipx install, or uv tool install"


def main() -> int:
    """Run the command line if Python finds Polhode's own packages, else print what clashes; the exit status."""
    if clash := next(clashes(), None):
        print(f"polhode: {clash}", file=sys.stderr)
        return 2
    from app.__main__ import main as run

    return run()


def clashes() -> Iterator[str]:
    """A sentence for each package that comes from another place, or was overwritten."""
    home = next((place for place in map(Path, sys.path) if (place / OURS).is_file()), None)
    if home is None:
        yield f"its files are nowhere among the places where Python looks; {REMEDY}"
        return
    home = home.resolve()
    for name in PACKAGES:
        place = _found(name)
        if place is None:
            yield f"'{name}' is missing from {home}; {REMEDY}"
        elif place != home:
            remedy = "start it as 'polhode', or from another folder" if place == Path.cwd() else REMEDY
            yield f"Python finds another '{name}' in {place} before Polhode's own in {home}; {remedy}"
    for file in _overwritten(home):
        yield f"{file} is missing or not Polhode's own: another package of that name was installed or removed; {REMEDY}"


def _found(name: str) -> Path | None:
    """The folder in which Python finds a package, or None."""
    with suppress(ImportError, ValueError):
        if (found := find_spec(name)) is not None:
            places = list(found.submodule_search_locations or [])
            file = places[0] if places else found.origin
            return Path(file).resolve().parent if file else None
    return None


def _overwritten(home: Path) -> Iterator[Path]:
    """Top modules of the packages that are missing, or differ in size from the wheel's list of files."""
    for listed in home.glob("polhode-*.dist-info/RECORD"):
        for line in listed.read_text(encoding="utf-8").splitlines():
            name, _, length = line.rsplit(",", 2)
            parts = name.split("/")
            first = len(parts) == 2 or (len(parts) == 3 and parts[-1] == "__init__.py")
            if parts[0] in PACKAGES and first and name.endswith(".py"):
                file = home / name
                if not file.is_file() or file.stat().st_size != int(length):
                    yield file


if __name__ == "__main__":
    sys.exit(main())
