"""Table of all schemes that Polhode knows, one row each, and of the papers that they and the examples are from.

Drop-downs, ``polhode schemes``, the README, tests, legends and captions read it. A new scheme is one file
beside this one and one row in ``rows``.
"""

from __future__ import annotations

import difflib

from physics.bibliography import EXAMPLES, Source
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.schemes.driven_march import UNDER_TORQUE
from physics.schemes.rows import engines, lie_group, papers, particles, runge_kutta, splittings, variational
from physics.schemes.scheme import FAMILIES, Scheme, in_order

_ROWS = (
    *papers.ROWS,
    *splittings.ROWS,
    *lie_group.ROWS,
    *variational.ROWS,
    *engines.ROWS,
    *particles.ROWS,
    *runge_kutta.ROWS,
)
SCHEMES: dict[str, Scheme] = {row.name: row for row in in_order(_ROWS)}

_OF_SCHEMES = (source for scheme in SCHEMES.values() for source in (scheme.source, *scheme.more_sources))
PAPERS = {source.short: source for source in (*_OF_SCHEMES, *EXAMPLES) if source.bibtex}


def serving(kind: str) -> tuple[str, ...]:
    """The names of the schemes that serve a kind of scenario, or of a free body under torque, see Scheme.serves."""
    return tuple(name for name, scheme in list(SCHEMES.items()) if scheme.serves(kind))


def by_family(kind: str | None = None) -> dict[str, tuple[Scheme, ...]]:
    """The schemes of each family, in the order of FAMILIES; only those that serve a kind, if one is given."""
    able = [scheme for scheme in list(SCHEMES.values()) if kind is None or scheme.serves(kind)]
    found = {family: tuple(scheme for scheme in able if scheme.family == family) for family in FAMILIES}
    return {family: schemes for family, schemes in found.items() if schemes}


def scheme_for(name: str, kind: str, field: str = "schemes") -> Scheme:
    """The scheme of that name; ScenarioError, with the list of those that can, when it cannot serve the kind."""
    able = serving(kind)
    if name not in able:
        known = N_("cannot serve") if name in SCHEMES else N_("is not a scheme for")
        near = () if name in SCHEMES else difflib.get_close_matches(name, able, n=1)
        advice = N_("did you mean {near}?", near[0]) if near else N_("expected one of {able}", ", ".join(able))
        if not near and name not in SCHEMES:
            advice = N_(
                "expected one of {able} … (all: polhode schemes), or your own with --scheme-file", ", ".join(able[:8])
            )
        what = N_("a driven body") if kind == UNDER_TORQUE else N_("kind '{kind}'", kind)
        raise ScenarioError(field, N_("'{name:.40}' {known} {what}; {advice}", name, known, what, advice))
    return SCHEMES[name]


def paper_of(source: str) -> Source | None:
    """The paper that a text like "Leine et al. 2021, section 4.3" begins with, or None."""
    return next((paper for short, paper in PAPERS.items() if source.startswith(short)), None)


def papers_in(text: str) -> list[Source]:
    """All papers that a text names by their short names."""
    return [paper for short, paper in PAPERS.items() if short in text]
