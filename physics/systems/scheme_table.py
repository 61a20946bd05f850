"""The table of schemes as text, for the terminal and for Markdown pages."""

from __future__ import annotations

from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme
from physics.systems import SYSTEMS

HEADINGS = ("scheme", "from", "order", "motion", "keeps", "symplectic", "solves", "serves")
NOTE = (
    "Keeps: to rounding, at any step that is solved; of a top or a vessel without damping. Energy swings: it errs "
    "within bounds that shrink with the square of the step; drifts: it goes farther with time; is lost: it falls. In "
    "rockfall contact and friction take energy and spin."
)
ENERGY = {  # of a body under torque
    "kept": "",
    "bounded": "; energy swings",
    "drifts": "; energy drifts",
    "dissipates": "; energy is lost",
}


def kept(scheme: Scheme, torque: bool) -> str:
    """What a scheme keeps to rounding, in words: of a free body, or of a body under torque without damping."""
    if torque:
        facts = {"total energy": scheme.keeps_energy_under_torque, "vertical spin": scheme.keeps_vertical_spin}
    else:
        facts = {"energy": scheme.keeps_energy, "spin": scheme.keeps_spin, "size of spin": scheme.keeps_spin_norm}
    facts["unit length"] = scheme.keeps_unit_length
    return ", ".join(word for word, true in facts.items() if true)


def keeps(scheme: Scheme) -> dict[str, str]:
    """For which motion a scheme keeps what: a free body; the kinds under torque that it serves, without damping."""
    found = {"free body": kept(scheme, torque=False)}
    if bound := ", ".join(kind for kind in scheme.kinds if SYSTEMS[kind].torque):
        found[bound] = kept(scheme, torque=True) + ENERGY[scheme.energy_under_torque]
    return found


def rows(scheme: Scheme) -> list[tuple[str, ...]]:
    """The facts of a scheme as short words, one for each heading; a line for each motion, the first one with all."""
    before = (
        scheme.name,
        f"{scheme.short}, {scheme.equations}",
        "exact" if scheme.order is None else str(scheme.order),
    )
    after = (
        "yes" if scheme.symplectic else "–",
        "implicit" if scheme.implicit else "–",
        ", ".join(scheme.kinds),
    )
    (motion, what), *others = keeps(scheme).items()
    return [(*before, motion, what, *after), *(("", "", "", *other, "", "", "") for other in others)]


def markdown() -> str:
    """The table as Markdown; the README holds it, and a test compares."""
    lines = [HEADINGS, tuple("---" for _ in HEADINGS), *(row for scheme in SCHEMES.values() for row in rows(scheme))]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain() -> str:
    """The table for a terminal, without sources, which follow it there."""
    shown = [HEADINGS.index(name) for name in ("scheme", "order", "solves", "motion", "keeps", "serves")]
    lines = [HEADINGS, *(row for scheme in SCHEMES.values() for row in rows(scheme))]
    words = [[line[i] for i in shown] for line in lines]
    widths = [max(len(line[i]) for line in words) for i in range(len(shown))]
    return "\n".join(
        "  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)).rstrip() for line in words
    )
