"""The table of schemes as words, for the terminal and for Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from physics.core.errors import ScenarioError
from physics.core.wording import N_, joined
from physics.schemes import by_family
from physics.schemes.scheme import ADVICE, FAMILIES, Scheme
from physics.systems import SYSTEMS

HEADINGS = ("scheme", "from", "order", "motion", "keeps", "symplectic", "solves", "serves")
COLUMNS = (
    "scheme",
    "order",
    "step",
    N_("keeps of a free body"),
    N_("keeps under torque"),
    "serves",
    "from",
)  # in the help
NOTE = (
    "Keeps: to rounding, at any step that is solved; of a top or a vessel without damping. "
    "Energy swings: its error is bounded and shrinks with the step; drifts: its error grows; falls: energy is lost. "
    "In rockfall contact and friction take energy and angular momentum."
)
IMPLICIT = N_("implicit")  # word for a scheme that solves an equation in each step
ENERGY = {
    "kept": "",
    "bounded": N_("energy swings"),
    "drifts": N_("energy drifts"),
    "dissipates": N_("energy falls"),
}


def kept(scheme: Scheme, torque: bool) -> str:
    """Quantities that a scheme keeps to rounding, in words: of a free body, or under torque without damping."""
    if torque:
        facts = {
            N_("total energy"): scheme.keeps_energy_under_torque,
            N_("vertical angular momentum"): scheme.keeps_vertical_spin,
        }
    else:
        facts = {
            N_("energy"): scheme.keeps_energy,
            N_("angular momentum"): scheme.keeps_spin,
            N_("size of angular momentum"): scheme.keeps_spin_norm,
        }
    facts[N_("unit length")] = scheme.keeps_unit_length
    return joined(", ", [word for word, true in facts.items() if true])


def keeps(scheme: Scheme) -> dict[str, str]:
    """Quantities that a scheme keeps, by motion: a free body; kinds under torque that it serves, without damping."""
    found: dict[str, str] = {N_("free body"): _with_energy(kept(scheme, torque=False), scheme.energy)}
    if bound := ", ".join(kind for kind in scheme.kinds if SYSTEMS[kind].torque and SYSTEMS[kind].rotation_alone):
        found[bound] = _with_energy(kept(scheme, torque=True), scheme.energy_under_torque)
    return found


def _with_energy(what: str, energy: str) -> str:
    """Kept quantities, and the behaviour of an energy that is not kept."""
    return joined("; ", [*filter(None, (what, ENERGY[energy]))])


def order_in_words(scheme: Scheme) -> str:
    """The order of convergence; also that under torque where it is another one."""
    if scheme.order is None:
        return N_("exact")
    if scheme.code is not None and scheme.order == 0:
        return N_("not given")
    if scheme.order_under_torque is None:
        return str(scheme.order)
    return N_("{order}, {order_under_torque} under torque", scheme.order, scheme.order_under_torque)


def rows(scheme: Scheme) -> list[tuple[str, ...]]:
    """The facts of a scheme as short words, one for each heading; a line for each motion, the first one with all."""
    before = (
        scheme.name,
        f"{scheme.short}, {scheme.equations}",
        order_in_words(scheme),
    )
    after = (
        (N_("yes") if scheme.symplectic else "–"),
        IMPLICIT if scheme.implicit else "–",
        ", ".join(scheme.kinds),
    )
    (motion, what), *others = keeps(scheme).items()
    return [(*before, motion, what, *after), *(("", "", "", *other, "", "", "") for other in others)]


def chosen(family: str | None, kind: str | None) -> dict[str, tuple[Scheme, ...]]:
    """The schemes by family: all, those of one family, those that serve a kind; ScenarioError where there are none.

    A family is named as in FAMILIES; upper and lower case, hyphens and spaces are alike.
    """
    if kind is not None and kind not in SYSTEMS:
        raise ScenarioError(
            "--kind", N_("'{kind:.40}' is not a kind; expected one of {systems}", kind, ", ".join(SYSTEMS))
        )
    found = by_family(kind)
    if family is None:
        return found
    known = {_plain(name): name for name in FAMILIES}
    if _plain(family) not in known:
        raise ScenarioError(
            "--family", N_("'{family:.40}' is not a family; expected one of {families}", family, ", ".join(FAMILIES))
        )
    name = known[_plain(family)]
    if name not in found:
        serving = "" if kind is None else N_(" that serves kind '{kind}'", kind)
        raise ScenarioError(
            "--family", N_("'{name}' has no scheme{serving}; expected one of {found}", name, serving, ", ".join(found))
        )
    return {name: found[name]}


def _plain(family: str) -> str:
    return re.sub(r"[\W_]+", " ", family).lower().strip()


def short_names(names: Iterable[str]) -> str:
    """Names in one line, of those that begin alike only what is different: ``magnus-2, -4, implicit``."""
    found, before = [], ""
    for name in names:
        stem = re.sub(r"-\d.*$", "", name)
        found.append(name.removeprefix(stem) if stem == before else name)
        before = stem
    return ", ".join(found)


def _table(headings: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    headings = tuple(headings)
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, ["---"] * len(headings), *lines))


def markdown() -> str:
    """The whole table as Markdown, for the help: a heading, the purpose and a table for each family."""
    found = []
    for family, schemes in by_family().items():
        purpose = ADVICE[family].purpose
        table = _table(COLUMNS, (_cells(scheme) for scheme in schemes))
        found.append(f"## {FAMILIES[family]}\n\n{purpose[0].upper()}{purpose[1:]}.\n\n{table}")
    return "\n\n".join(found)


def _cells(scheme: Scheme) -> tuple[str, ...]:
    """The facts of a scheme in one line, for COLUMNS; its name links to its page."""
    name, source, order, _, free, _, _, serves = rows(scheme)[0]
    step = (
        (N_("implicit, symplectic") if scheme.symplectic else N_("implicit"))
        if scheme.implicit
        else N_("explicit, symplectic")
        if scheme.symplectic
        else N_("explicit")
    )
    bound = [what for motion, what in keeps(scheme).items() if motion != "free body"]
    return f"[{name}]({scheme.page}.md)", order, step, free, "".join(bound) or "–", serves, source
