"""The papers that schemes and examples come from, as one cites them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A source.

    Attributes
    ----------
    short : authors and year, as in ``Scheme.short`` and at the beginning of a scenario's ``source``
    title, link : of the paper
    bibtex : its entry
    """

    short: str
    title: str
    link: str
    bibtex: str


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name:<9} = {{{value}}}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def _article(short: str, key: str, **fields: str) -> Paper:
    return Paper(short, fields["title"], f"https://doi.org/{fields['doi']}", _entry("article", key, **fields))


_ROWS = (
    _article(
        "Leine et al. 2021",
        "leine2021stability",
        author="Leine, Remco I. and Capobianco, Giuseppe and Bartelt, Perry and Christen, Marc and Caviezel, Andrin",
        title="Stability of rigid body motion through an extended intermediate axis theorem: "
        "application to rockfall simulation",
        journal="Multibody System Dynamics",
        volume="52",
        pages="431--455",
        year="2021",
        doi="10.1007/s11044-021-09792-y",
    ),
    _article(
        "Betsch & Siebert 2009",
        "betsch2009rigid",
        author="Betsch, Peter and Siebert, Ralf",
        title="Rigid body dynamics in terms of quaternions: "
        "{H}amiltonian formulation and conserving numerical integration",
        journal="International Journal for Numerical Methods in Engineering",
        volume="79",
        pages="444--473",
        year="2009",
        doi="10.1002/nme.2586",
    ),
    Paper(
        "Gustafsson 2010",
        "Accurate discretizations of torqued rigid body dynamics",
        "",
        _entry(
            "mastersthesis",
            "gustafsson2010accurate",
            author="Gustafsson, Einar",
            title="Accurate discretizations of torqued rigid body dynamics",
            school="Norwegian University of Science and Technology",
            address="Trondheim",
            year="2010",
        ),
    ),
    _article(
        "Celledoni et al. 2008",
        "celledoni2008exact",
        author='Celledoni, Elena and Fass{\\`o}, Francesco and S{\\"a}fstr{\\"o}m, Niklas and Zanna, Antonella',
        title="The exact computation of the free rigid body motion and its use in splitting methods",
        journal="SIAM Journal on Scientific Computing",
        volume="30",
        pages="2084--2112",
        year="2008",
        doi="10.1137/070704393",
    ),
    _article(
        "Simo & Wong 1991",
        "simo1991unconditionally",
        author="Simo, Juan C. and Wong, K. K.",
        title="Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum",
        journal="International Journal for Numerical Methods in Engineering",
        volume="31",
        pages="19--52",
        year="1991",
        doi="10.1002/nme.1620310103",
    ),
    _article(
        "Moser & Veselov 1991",
        "moser1991discrete",
        author='Moser, J{\\"u}rgen and Veselov, Alexander P.',
        title="Discrete versions of some classical integrable systems and factorization of matrix polynomials",
        journal="Communications in Mathematical Physics",
        volume="139",
        pages="217--243",
        year="1991",
        doi="10.1007/BF02352494",
    ),
)
PAPERS = {paper.short: paper for paper in _ROWS}


def paper_of(source: str) -> Paper | None:
    """The paper that a text like "Leine et al. 2021, section 4.3" begins with, or None."""
    return next((paper for short, paper in PAPERS.items() if source.startswith(short)), None)


def papers_in(text: str) -> list[Paper]:
    """All papers that a text names as they are named here."""
    return [paper for short, paper in PAPERS.items() if short in text]
