"""What ``polhode`` calls. Wheels and editable installs hold it as the module ``polhode``, a name that only Polhode has.

``app``, ``physics`` and ``assets`` are names that others use too, and pip writes one package over another without a
word. So it is looked at before anything of them is imported: another's code would run, or a traceback be all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("app", "physics", "assets")
OURS = Path("assets", "icons", "polhode.svg")  # no other package has it
REMEDY = "install Polhode in an environment of its own: pipx install, or uv tool install"


def main() -> int:
    """Run the command line if Python finds Polhode's own packages; else say where it finds another's. The status."""
    if clash := next(clashes(), None):
        print(f"polhode: {clash}", file=sys.stderr)
        return 2
    from app.__main__ import main as run

    return run()


def clashes() -> Iterator[str]:
    """A sentence for each package that Python would take from another place or that another was written over."""
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
    for file in _written_over(home):
        yield f"{file} is missing or not Polhode's own: another package of that name was installed or removed; {REMEDY}"


def _found(name: str) -> Path | None:
    """The folder in which Python finds a package; None where it finds none."""
    with suppress(ImportError, ValueError):
        if (found := find_spec(name)) is not None:
            places = list(found.submodule_search_locations or [])
            file = places[0] if places else found.origin
            return Path(file).resolve().parent if file else None
    return None


def _written_over(home: Path) -> Iterator[Path]:
    """The first modules of the packages that are gone, or have another length than the wheel's list of files says."""
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
