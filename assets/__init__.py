"""Files that come with the program: scenarios, terrains, bodies, pages of help, pictures, translations."""

from pathlib import Path

SCENARIOS = Path(__file__).parent / "scenarios"
HULLS = Path(__file__).parent / "hulls"
LOCALE = Path(__file__).parent / "locale"
FIRST = "cuboid-intermediate"  # the scenario that the program begins with, by the stem of its file


def examples() -> dict[str, Path]:
    """The scenarios that come with the program, by the stems of their files."""
    return {file.stem: file for file in sorted(SCENARIOS.glob("*.toml"))}
