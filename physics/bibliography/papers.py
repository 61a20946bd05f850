"""The papers that schemes and examples come from: found by the names under which texts cite them."""

from __future__ import annotations

from physics.bibliography.bibtex import Paper
from physics.bibliography.field import FIELD
from physics.bibliography.programs import PROGRAMS
from physics.bibliography.schemes import SCHEMES
from physics.bibliography.ships import SHIPS
from physics.bibliography.splittings import SPLITTINGS
from physics.bibliography.toys import TOYS

PAPERS = {paper.short: paper for paper in (*SCHEMES, *SPLITTINGS, *SHIPS, *PROGRAMS, *TOYS, *FIELD)}


def paper_of(source: str) -> Paper | None:
    """The paper that a text like "Leine et al. 2021, section 4.3" begins with, or None."""
    return next((paper for short, paper in PAPERS.items() if source.startswith(short)), None)


def papers_in(text: str) -> list[Paper]:
    """All papers that a text names as they are named here."""
    return [paper for short, paper in PAPERS.items() if short in text]
