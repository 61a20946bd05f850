"""Sources of schemes and examples with their BibTeX entries, and the papers that examples are from.

The source of a scheme stands in its row; physics.schemes finds all by the names under which texts cite them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import partial

_ACCENTS = {"\u0308": '"', "\u0301": "'", "\u0300": "`", "\u0303": "~"}  # combining characters and LaTeX's signs


@dataclass(frozen=True)
class Source:
    """A paper, a book, a program.

    Attributes
    ----------
    short : authors and year, for captions and at the beginning of a scenario's ``source``
    citation : the whole of it, for lists and pages
    title, link : of the paper
    bibtex : its entry
    """

    short: str
    citation: str = ""
    title: str = ""
    link: str = ""
    bibtex: str = ""

    @property
    def doi(self) -> str:
        """The DOI, or an empty string."""
        return self.link.removeprefix("https://doi.org/") if self.link.startswith("https://doi.org/") else ""


def entry(kind: str, short: str, key: str, citation: str = "", **fields: str) -> Source:
    """A source by the fields of its BibTeX entry, in Unicode."""
    lines = [f"  {name:<9} = {{{_latex(value)}}}" for name, value in fields.items()]
    bibtex = f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"
    link = f"https://doi.org/{fields['doi']}" if "doi" in fields else fields.get("url", "")
    return Source(short, citation, re.sub("[{}]", "", fields["title"]), link, bibtex)


def article(short: str, key: str, author: str, title: str, where: str, doi: str = "", citation: str = "") -> Source:
    """An article in ``where``, "Journal 12, 34--56"; its year ends the short name; without a citation one is composed.

    author, title : as in BibTeX, in Unicode
    """
    found = re.fullmatch(r"(?P<journal>.*?)(?: (?P<volume>\d+))?(?:, (?P<pages>[\w-]+))?", where)
    assert found is not None
    fields = {"author": author, "title": title, **found.groupdict(), "year": short[-4:], "doi": doi}
    if not citation:
        *others, last = (name.split(",")[0] for name in author.split(" and "))
        names = f"{', '.join(others)} & {last}" if others else last
        place = where.removeprefix("The ").replace("--", "-")
        citation = f"{names} ({short[-4:]}), {re.sub('[{}]', '', title)}, {place}"
    return entry("article", short, key, citation, **{name: value for name, value in fields.items() if value})


book = partial(entry, "book")
program = partial(entry, "misc")


def _latex(text: str) -> str:
    """Letters with accents as LaTeX writes them."""
    text = unicodedata.normalize("NFD", text).replace("ø", "{\\o}")
    return re.sub(f"(.)([{''.join(_ACCENTS)}])", lambda found: f"{{\\{_ACCENTS[found[2]]}{found[1]}}}", text)


EXAMPLES = (  # the sources of examples that no scheme is from
    book(
        "Newman 1977",
        "newman1977marine",
        author="Newman, John Nicholas",
        title="Marine Hydrodynamics",
        publisher="MIT Press",
        address="Cambridge, Massachusetts",
        year="1977",
    ),
    program(
        "Perelomov 2001",
        "perelomov2001kovalevskaya",
        author="Perelomov, Askold M.",
        title="Kovalevskaya top -- an elementary approach",
        year="2001",
        note="arXiv math-ph/0111025",
        url="https://arxiv.org/abs/math-ph/0111025",
    ),
    program(
        "Maciejewski & Przybylska 2004",
        "maciejewski2004heavy",
        author="Maciejewski, Andrzej J. and Przybylska, Maria",
        title="Differential {Galois} Approach to the Non-integrability of the Heavy Top Problem",
        year="2004",
        note="mp_arc 04-141",
        url="http://www.ma.utexas.edu/mp_arc-bin/mpa?yn=04-141",
    ),
    book(
        "Fossen 2021",
        "fossen2021handbook",
        author="Fossen, Thor I.",
        title="Handbook of Marine Craft Hydrodynamics and Motion Control",
        edition="2",
        publisher="Wiley",
        year="2021",
        doi="10.1002/9781119575016",
    ),
    book(
        "Hughes 1986",
        "hughes1986spacecraft",
        author="Hughes, Peter C.",
        title="Spacecraft Attitude Dynamics",
        publisher="Wiley",
        address="New York",
        year="1986",
    ),
    book(
        "Thomson & Tait 1879",
        "thomson1879treatise",
        author="Thomson, William and Tait, Peter Guthrie",
        title="Treatise on Natural Philosophy",
        publisher="Cambridge University Press",
        address="Cambridge",
        year="1879",
    ),
    article(
        "Bracewell & Garriott 1958",
        "bracewell1958rotation",
        author="Bracewell, Ronald N. and Garriott, Owen K.",
        title="Rotation of artificial earth satellites",
        where="Nature 182, 760--762",
        doi="10.1038/182760a0",
    ),
    book(
        "Hooke 1676",
        "hooke1676description",
        author="Hooke, Robert",
        title="A Description of Helioscopes, and Some Other Instruments",
        publisher="John Martyn",
        address="London",
        year="1676",
    ),
    program(
        "Heyl 2008",
        "heyl2008double",
        author="Heyl, Jeremy S.",
        title="The double pendulum fractal",
        howpublished="Preprint, University of British Columbia",
        year="2008",
    ),
    article(
        "Bricard 1897",
        "bricard1897memoire",
        author="Bricard, Raoul",
        title="Mémoire sur la théorie de l'octaèdre articulé",
        where="Journal de mathématiques pures et appliquées 3, 113--148",
    ),
    article(
        "Kane & Scher 1969",
        "kane1969dynamical",
        author="Kane, Thomas R. and Scher, M. P.",
        title="A dynamical explanation of the falling cat phenomenon",
        where="International Journal of Solids and Structures 5, 663--670",
    ),
    book(
        "Magnus 1971",
        "magnus1971kreisel",
        author="Magnus, Kurt",
        title="Kreisel: Theorie und Anwendungen",
        publisher="Springer",
        address="Berlin",
        year="1971",
    ),
    article(
        "Betsch & Leyendecker 2006",
        "betsch2006discrete",
        author="Betsch, Peter and Leyendecker, Sigrid",
        title="The discrete null space method for the energy consistent integration of constrained mechanical systems. "
        "Part II: multibody dynamics",
        where="International Journal for Numerical Methods in Engineering 67, 499--552",
        doi="10.1002/nme.1639",
    ),
    article(
        "González et al. 2006",
        "gonzalez2006benchmarking",
        author="González, Manuel and Dopico, Daniel and Lugrís, Urbano and Cuadrado, Javier",
        title="A benchmarking system for {MBS} simulation software: problem standardization and performance "
        "measurement",
        where="Multibody System Dynamics 16, 179--190",
    ),
    article(
        "Tomaszewski et al. 2006",
        "tomaszewski2006motion",
        author="Tomaszewski, Waldemar and Pieranski, Piotr and Géminard, Jean-Christophe",
        title="The motion of a freely falling chain tip",
        where="American Journal of Physics 74, 776--783",
    ),
    article(
        "Albee et al. 2021",
        "albee2021robust",
        author="Albee, Keenan and Oestreich, Charles and Specht, Caroline and Terán Espinoza, Antonio and "
        "Todd, Jessica and Hokaj, Ian and Lampariello, Roberto and Linares, Richard",
        title="A Robust Observation, Planning, and Control Pipeline for Autonomous Rendezvous with Tumbling Targets",
        where="Frontiers in Robotics and AI 8, 641338",
        doi="10.3389/frobt.2021.641338",
        citation="Albee et al. (2021), A Robust Observation, Planning, and Control Pipeline for Autonomous "
        "Rendezvous with Tumbling Targets, Frontiers in Robotics and AI 8, 641338",
    ),
    article(
        "Kane & Levinson 1982",
        "kane1982realistic",
        author="Kane, Thomas R. and Levinson, David A.",
        title="Realistic mathematical modeling of the rattleback",
        where="International Journal of Non-Linear Mechanics 17, 175--186",
        doi="10.1016/0020-7462(82)90017-8",
    ),
    article(
        "Leine 2009",
        "leine2009experimental",
        author="Leine, Remco I.",
        title="Experimental and theoretical investigation of the energy dissipation of a rolling disk during "
        "its final stage of motion",
        where="Archive of Applied Mechanics 79, 1063--1082",
        doi="10.1007/s00419-008-0278-6",
    ),
    article(
        "Leine & Glocker 2003",
        "leine2003set",
        author="Leine, Remco I. and Glocker, Christoph",
        title="A set-valued force law for spatial {C}oulomb-{C}ontensou friction",
        where="European Journal of Mechanics A/Solids 22, 193--216",
        doi="10.1016/S0997-7538(03)00025-1",
    ),
    article(
        "Moffatt & Shimomura 2002",
        "moffatt2002spinning",
        author="Moffatt, H. K. and Shimomura, Yutaka",
        title="Spinning eggs: a paradox resolved",
        where="Nature 416, 385--386",
        doi="10.1038/416385a",
    ),
    article(
        "O'Reilly 1996",
        "oreilly1996dynamics",
        author="O'Reilly, Oliver M.",
        title="The dynamics of rolling disks and sliding disks",
        where="Nonlinear Dynamics 10, 287--305",
        doi="10.1007/BF00045108",
    ),
    entry(
        "misc",
        "Volkwein & Gerber 2018",
        "volkwein2018repetitive",
        author="Volkwein, Axel and Gerber, Werner",
        title="Repetitive trajectory testing in {T}schamut 2014",
        publisher="EnviDat",
        note="ODbL with Database Contents License",
        year="2018",
        doi="10.16904/envidat.34",
    ),
    article(
        "Evans & Hungr 1993",
        "evans1993assessment",
        author="Evans, Stephen G. and Hungr, Oldrich",
        title="The assessment of rockfall hazard at the base of talus slopes",
        where="Canadian Geotechnical Journal 30, 620--636",
    ),
    entry(
        "article",
        "Matas et al. 2020",
        "matas2020simulation",
        author="Matas, Gerard and Lantada, Nieves and Corominas, Jordi and Gili, Josep and Ruiz-Carulla, Roger "
        "and Prades, Albert",
        title="Simulation of full-scale rockfall tests with a fragmentation model",
        journal="Geosciences",
        volume="10",
        number="5",
        pages="168",
        year="2020",
        doi="10.3390/geosciences10050168",
    ),
    entry(
        "article",
        "Pfeiffer & Bowen 1989",
        "pfeiffer1989computer",
        author="Pfeiffer, Timothy J. and Bowen, Timothy D.",
        title="Computer simulation of rockfalls",
        journal="Bulletin of the Association of Engineering Geologists",
        volume="26",
        number="1",
        pages="135--146",
        year="1989",
    ),
    article(
        "Tasora & Anitescu 2013",
        "tasora2013complementarity",
        author="Tasora, Alessandro and Anitescu, Mihai",
        title="A complementarity-based rolling friction model for rigid contacts",
        where="Meccanica 48, 1643--1659",
        doi="10.1007/s11012-013-9694-y",
    ),
    article(
        "Acary & Bourrier 2021",
        "acary2021coulomb",
        author="Acary, Vincent and Bourrier, Franck",
        title="Coulomb friction with rolling resistance as a cone complementarity problem",
        where="European Journal of Mechanics - A/Solids 85, 104046",
    ),
    article(
        "Powers 1953",
        "powers1953new",
        author="Powers, M. C.",
        title="A new roundness scale for sedimentary particles",
        where="Journal of Sedimentary Petrology 23, 117--119",
    ),
)
