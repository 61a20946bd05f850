"""The entries of the bibliography: what the motion of ships is taken from."""

from __future__ import annotations

from physics.bibliography.bibtex import Paper, entry

SHIPS = (
    Paper(
        "Newman 1977",
        "Marine Hydrodynamics",
        "",
        entry(
            "book",
            "newman1977marine",
            author="Newman, John Nicholas",
            title="Marine Hydrodynamics",
            publisher="MIT Press",
            address="Cambridge, Massachusetts",
            year="1977",
        ),
    ),
    Paper(
        "Fossen 2021",
        "Handbook of Marine Craft Hydrodynamics and Motion Control",
        "https://doi.org/10.1002/9781119575016",
        entry(
            "book",
            "fossen2021handbook",
            author="Fossen, Thor I.",
            title="Handbook of Marine Craft Hydrodynamics and Motion Control",
            edition="2",
            publisher="Wiley",
            year="2021",
            doi="10.1002/9781119575016",
        ),
    ),
)
