"""What comes with the program: scenarios, terrains, bodies, pages of help, pictures."""

from pathlib import Path

SCENARIOS = Path(__file__).parent / "scenarios"
