"""The entries of the bibliography that bodies on a table are from."""

from __future__ import annotations

from physics.bibliography.bibtex import article

TOYS = (
    article(
        "Kane & Levinson 1982",
        "kane1982realistic",
        author="Kane, Thomas R. and Levinson, David A.",
        title="Realistic mathematical modeling of the rattleback",
        journal="International Journal of Non-Linear Mechanics",
        volume="17",
        pages="175--186",
        year="1982",
        doi="10.1016/0020-7462(82)90017-8",
    ),
    article(
        "Leine 2009",
        "leine2009experimental",
        author="Leine, Remco I.",
        title="Experimental and theoretical investigation of the energy dissipation of a rolling disk during its final "
        "stage of motion",
        journal="Archive of Applied Mechanics",
        volume="79",
        pages="1063--1082",
        year="2009",
        doi="10.1007/s00419-008-0278-6",
    ),
    article(
        "Leine & Glocker 2003",
        "leine2003set",
        author="Leine, Remco I. and Glocker, Christoph",
        title="A set-valued force law for spatial {C}oulomb-{C}ontensou friction",
        journal="European Journal of Mechanics A/Solids",
        volume="22",
        pages="193--216",
        year="2003",
        doi="10.1016/S0997-7538(03)00025-1",
    ),
    article(
        "Moffatt & Shimomura 2002",
        "moffatt2002spinning",
        author="Moffatt, H. K. and Shimomura, Yutaka",
        title="Spinning eggs: a paradox resolved",
        journal="Nature",
        volume="416",
        pages="385--386",
        year="2002",
        doi="10.1038/416385a",
    ),
    article(
        "O'Reilly 1996",
        "oreilly1996dynamics",
        author="O'Reilly, Oliver M.",
        title="The dynamics of rolling disks and sliding disks",
        journal="Nonlinear Dynamics",
        volume="10",
        pages="287--305",
        year="1996",
        doi="10.1007/BF00045108",
    ),
)
