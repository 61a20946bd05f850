"""The sources of schemes and examples, found by the names under which texts cite them."""

from __future__ import annotations

from physics.bibliography import EXAMPLES, Source
from physics.schemes import SCHEMES

_OF_SCHEMES = (source for scheme in SCHEMES.values() for source in (scheme.source, *scheme.more_sources))
PAPERS = {source.short: source for source in (*_OF_SCHEMES, *EXAMPLES) if source.bibtex}


def paper_of(source: str) -> Source | None:
    """The paper that a text like "Leine et al. 2021, section 4.3" begins with, or None."""
    return next((paper for short, paper in PAPERS.items() if source.startswith(short)), None)


def papers_in(text: str) -> list[Source]:
    """All papers that a text names by their short names."""
    return [paper for short, paper in PAPERS.items() if short in text]
