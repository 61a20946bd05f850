"""The table of schemes as text, for the terminal and for Markdown pages."""

from __future__ import annotations

from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme

_KEPT = ("energy", "spin", "size of spin", "unit length")
HEADINGS = ("scheme", "from", "order", *_KEPT, "symplectic", "solves", "serves")


def cells(scheme: Scheme) -> tuple[str, ...]:
    """The facts of a scheme as short words, one for each heading."""
    keeps = (scheme.keeps_energy, scheme.keeps_spin, scheme.keeps_spin_norm, scheme.keeps_unit_length)
    if "free" not in scheme.kinds:  # what counts is the body under torque: total energy, vertical spin
        keeps = (scheme.keeps_energy_under_torque, scheme.keeps_vertical_spin, False, scheme.keeps_unit_length)
    return (
        scheme.name,
        f"{scheme.short}, {scheme.equations}",
        "exact" if scheme.order is None else str(scheme.order),
        *("kept" if kept else "–" for kept in keeps),
        "yes" if scheme.symplectic else "–",
        "implicit" if scheme.implicit else "–",
        ", ".join(scheme.kinds),
    )


def kept(scheme: Scheme, torque: bool) -> str:
    """What a scheme keeps to rounding, in words: of a free body, or of a body under torque without damping."""
    if torque:
        facts = {"total energy": scheme.keeps_energy_under_torque, "vertical spin": scheme.keeps_vertical_spin}
    else:
        facts = {"energy": scheme.keeps_energy, "spin": scheme.keeps_spin, "size of spin": scheme.keeps_spin_norm}
    facts["unit length"] = scheme.keeps_unit_length
    return ", ".join(word for word, true in facts.items() if true)


def markdown() -> str:
    """The table as Markdown; the README holds it, and a test compares."""
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *(cells(scheme) for scheme in SCHEMES.values())]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
