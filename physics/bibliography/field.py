"""The entries of the bibliography: what was measured in the field."""

from __future__ import annotations

from physics.bibliography.bibtex import Paper, entry

FIELD = (
    Paper(
        "Volkwein & Gerber 2018",
        "Repetitive trajectory testing in Tschamut 2014",
        "https://doi.org/10.16904/envidat.34",
        entry(
            "misc",
            "volkwein2018repetitive",
            author="Volkwein, Axel and Gerber, Werner",
            title="Repetitive trajectory testing in {T}schamut 2014",
            publisher="EnviDat",
            note="ODbL with Database Contents License",
            year="2018",
            doi="10.16904/envidat.34",
        ),
    ),
    Paper(
        "Evans & Hungr 1993",
        "The assessment of rockfall hazard at the base of talus slopes",
        "",
        entry(
            "article",
            "evans1993assessment",
            author="Evans, Stephen G. and Hungr, Oldrich",
            title="The assessment of rockfall hazard at the base of talus slopes",
            journal="Canadian Geotechnical Journal",
            volume="30",
            pages="620--636",
            year="1993",
        ),
    ),
    Paper(
        "Matas et al. 2020",
        "Simulation of full-scale rockfall tests with a fragmentation model",
        "https://doi.org/10.3390/geosciences10050168",
        entry(
            "article",
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
    ),
    Paper(
        "Pfeiffer & Bowen 1989",
        "Computer simulation of rockfalls",
        "",
        entry(
            "article",
            "pfeiffer1989computer",
            author="Pfeiffer, Timothy J. and Bowen, Timothy D.",
            title="Computer simulation of rockfalls",
            journal="Bulletin of the Association of Engineering Geologists",
            volume="26",
            number="1",
            pages="135--146",
            year="1989",
        ),
    ),
    Paper(
        "Tasora & Anitescu 2013",
        "A complementarity-based rolling friction model for rigid contacts",
        "https://doi.org/10.1007/s11012-013-9694-y",
        entry(
            "article",
            "tasora2013complementarity",
            author="Tasora, Alessandro and Anitescu, Mihai",
            title="A complementarity-based rolling friction model for rigid contacts",
            journal="Meccanica",
            volume="48",
            pages="1643--1659",
            year="2013",
            doi="10.1007/s11012-013-9694-y",
        ),
    ),
    Paper(
        "Acary & Bourrier 2021",
        "Coulomb friction with rolling resistance as a cone complementarity problem",
        "",
        entry(
            "article",
            "acary2021coulomb",
            author="Acary, Vincent and Bourrier, Franck",
            title="Coulomb friction with rolling resistance as a cone complementarity problem",
            journal="European Journal of Mechanics - A/Solids",
            volume="85",
            pages="104046",
            year="2021",
        ),
    ),
    Paper(
        "Powers 1953",
        "A new roundness scale for sedimentary particles",
        "",
        entry(
            "article",
            "powers1953new",
            author="Powers, M. C.",
            title="A new roundness scale for sedimentary particles",
            journal="Journal of Sedimentary Petrology",
            volume="23",
            pages="117--119",
            year="1953",
        ),
    ),
)
