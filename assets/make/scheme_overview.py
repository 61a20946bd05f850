"""Write the tables of schemes into the help: ``python -m assets.make.scheme_overview``; a test compares."""

from __future__ import annotations

from pathlib import Path

from physics.systems.scheme_overview import markdown

PAGE = Path(__file__).parents[1] / "help" / "schemes.md"


def with_tables(page: str) -> str:
    """The help page with the whole table, a heading a family, in place of what stands from the first heading on."""
    return page.partition("\n## ")[0].rstrip() + "\n\n" + markdown() + "\n"


def main() -> None:
    """Write the page."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
