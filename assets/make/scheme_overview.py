"""Write the tables of schemes into README and help: ``python -m assets.make.scheme_overview``; a test compares."""

from __future__ import annotations

import re
from pathlib import Path

from physics.systems.scheme_overview import markdown, overview

README = Path(__file__).parents[2] / "README.md"
PAGE = Path(__file__).parents[1] / "help" / "schemes.md"


def with_overview(readme: str) -> str:
    """The README with the short table, a line a family, in place of the one that it holds."""
    return re.sub(r"(?m)^\| family \|.*\n(?:\|.*\n)*", lambda _: overview() + "\n", readme, count=1)


def with_tables(page: str) -> str:
    """The help page with the whole table, a heading a family, in place of what stands from the first heading on."""
    return page.partition("\n## ")[0].rstrip() + "\n\n" + markdown() + "\n"


def main() -> None:
    """Write both."""
    for path, written in ((README, with_overview), (PAGE, with_tables)):
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
