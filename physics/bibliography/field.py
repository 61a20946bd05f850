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
)
