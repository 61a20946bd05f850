"""A report card in words: a line for each item, beside what the row of the table claims; a verdict; plain values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from physics.analysis.air_trial import TURN, AirTrial
from physics.analysis.order import Order
from physics.analysis.report_card import KeptQuantity, ReportCard
from physics.core.wording import N_, joined
from physics.schemes.scheme import Scheme

_GRID = 1.12  # ratio of the reaches that are tried, see physics.analysis.report_card


@dataclass(frozen=True)
class CardItem:
    """One line of a card.

    name : the quantity; found : the class, a word; measured : the number behind it
    claimed : by the row, "" if nothing; agrees : None where nothing is claimed
    """

    name: str
    found: str
    measured: str
    claimed: str = ""
    agrees: bool | None = None


def card_items(card: ReportCard, row: Scheme | None) -> tuple[CardItem, ...]:
    """All lines of a card; row: that of a scheme whose facts are claimed, or None.

    A scheme that chooses its own steps keeps what it keeps to its tolerance, whatever its formula would do: only unit
    length and reach are claims of its own. A file of the user's claims what it declares, order and torques a step.
    """
    if row is not None and row.code is not None:
        return (*_declared_orders(card, row), *_kept(card, None), *_declared_torques(row))
    velocity = None if row is None else row.order if row.velocity_order is None else row.velocity_order
    lines = [
        _order(N_("order, attitude"), card.order_attitude, row, row.order if row else None),
        _order(N_("order, velocity"), card.order_velocity, row, velocity, exact_too=True),
    ]
    if card.torque_order_attitude is not None and card.torque_order_velocity is not None:
        claimed = row.order_under_torque or row.order if row else None
        lines.append(_order(N_("order under torque, attitude"), card.torque_order_attitude, row, claimed))
        lines.append(_order(N_("order under torque, velocity"), card.torque_order_velocity, None, None))
    if card.air is not None:
        claimed = row.order if row else None
        lines.append(_order(N_("order in air, attitude"), card.air.order_attitude, row, claimed))
        lines.append(_order(N_("order in air, velocity"), card.air.order_velocity, row, claimed))
    return (*lines, *_kept(card, row))


def _kept(card: ReportCard, row: Scheme | None) -> list[CardItem]:
    """The lines after those of orders."""
    lines: list[CardItem] = []
    claims = None if row is None or row.adaptive else row
    lines.append(_course(N_("energy, free body"), card.energy, claims.energy if claims else None))
    lines.append(
        _course(N_("size of angular momentum, free body"), card.spin_norm, claims.keeps_spin_norm if claims else None)
    )
    lines.append(_course(N_("angular momentum, free body"), card.spin, claims.keeps_spin if claims else None))
    if card.energy_under_torque is not None and card.vertical_spin is not None:
        lines.append(
            _course(N_("energy, top"), card.energy_under_torque, claims.energy_under_torque if claims else None)
        )
        lines.append(
            _course(
                N_("vertical angular momentum, top"), card.vertical_spin, claims.keeps_vertical_spin if claims else None
            )
        )
    lines += _slowed(card.air, row is not None) if card.air is not None else []
    length = (
        N_("kept") if card.keeps_unit_length else N_("drifts") if math.isfinite(card.unit_error) else N_("no solution")
    )
    claim = (N_("kept") if row.keeps_unit_length else N_("not kept")) if row else ""
    agrees = row.keeps_unit_length == card.keeps_unit_length if row else None
    lines.append(CardItem(N_("unit length"), length, _small(card.unit_error), claim, agrees))
    lines.append(_yes(N_("reversible"), card.reversible, card.reversal_error, claims.reversible if claims else None))
    lines.append(_yes(N_("symplectic"), card.symplectic, card.symplectic_defect, claims.symplectic if claims else None))
    lines.append(
        _yes(
            N_("alike in a turned frame"),
            card.frame_equivariant,
            card.frame_error,
            claims.frame_equivariant if claims else None,
        )
    )
    lines.append(
        _yes(
            N_("alike with renamed axes"),
            card.axes_equivariant,
            card.axes_error,
            claims.axes_equivariant if claims else None,
        )
    )
    lines.append(_reach(card, row))
    cost = N_("{cost:.0f} ns a step on another machine", row.cost) if row else ""
    lines.append(CardItem(N_("cost"), N_("{cost:.0f} ns a step", card.cost), N_("here and now"), cost))
    return lines


def _slowed(air: AirTrial, claimed: bool) -> list[CardItem]:
    """The lines of bodies that the air slows, of which every scheme is to take energy in each step."""
    falls, at = N_("falls in every step"), N_("at {turn:g} rad a step", TURN)
    found = falls if air.energy_falls else N_("rises") if math.isfinite(air.rise) else N_("no solution")
    words = at if air.energy_falls else N_("by {rise} {at}", _small(air.rise), at)
    return [
        CardItem(N_("energy, in air"), found, words, falls if claimed else "", air.energy_falls if claimed else None),
        CardItem(N_("rate about an axis, in air"), _small(air.spin_error), N_("beside its closed form, {at}", at)),
        CardItem(N_("rates of a sphere, in air"), _small(air.sphere_error), N_("beside its closed form, {at}", at)),
    ]


def _order(name: str, order: Order, row: Scheme | None, claimed: int | None, exact_too: bool = False) -> CardItem:
    """A line of order; claimed: by the row, None: exact. exact_too: where an order is claimed, exact is none the worse.

    The velocity of the schemes that take the exact momentum is exact, whatever the order of their attitude.
    """
    words = N_("does not converge") if order.number == 0 else order.words
    measured = "" if order.slope is None else N_("slope {slope:.2f}", order.slope)
    if row is None:
        return CardItem(name, words, measured)
    if row.adaptive:
        return CardItem(name, words, measured, N_("to tolerance"), order.outcome == "to tolerance")
    exact = order.outcome == "exact"
    agrees = exact if claimed is None else order.number == claimed or (exact_too and exact)
    claim = {None: N_("exact"), 0: N_("does not converge")}.get(claimed, str(claimed))
    return CardItem(name, words, measured, claim, agrees)


def _declared_orders(card: ReportCard, row: Scheme) -> list[CardItem]:
    """Lines of order; a file of the user's declares the lowest one, of attitude and velocity, free and of a top."""
    orders: dict[str, Order | None] = {
        N_("order, attitude"): card.order_attitude,
        N_("order, velocity"): card.order_velocity,
        N_("order under torque, attitude"): card.torque_order_attitude,
    }
    lines = {name: _order(name, order, None, None) for name, order in orders.items() if order is not None}
    found = {name: _number(order) for name, order in orders.items() if order is not None}
    if row.order:
        least = min(found.values())
        agrees = {name: number >= row.order >= least for name, number in found.items()}
        lines = {name: replace(line, claimed=str(row.order), agrees=agrees[name]) for name, line in lines.items()}
    if card.torque_order_velocity is not None:
        lines[""] = _order(N_("order under torque, velocity"), card.torque_order_velocity, None, None)
    return [*lines.values()]


def _number(order: Order) -> float:
    """The order as a number; above any where the scheme is exact, below any where none is clear."""
    if order.number is not None:
        return order.number
    return math.inf if order.outcome == "exact" else -math.inf


def _declared_torques(row: Scheme) -> list[CardItem]:
    """A line of the evaluations of the torque in a step, where a file of the user's declares and takes them."""
    counts = row.code.facts["evaluations"] if row.code is not None else []
    if not counts or not isinstance(row.torques, int):
        return []
    low, high = min(counts), max(counts)
    found = str(low) if low == high else N_("{low} to {high}", low, high)
    return [
        CardItem(N_("evaluations of the torque"), found, N_("in a step"), str(row.torques), low <= row.torques <= high)
    ]


def _course(name: str, course: KeptQuantity, claimed: str | bool | None) -> CardItem:
    """A line of what is kept. The row names the class, or says whether it is kept; None: it says nothing.

    A loss that is large enough to be named is a drift too.
    """
    behaviour = N_(course.behaviour)
    if claimed is None:
        return CardItem(name, behaviour, _halves(course))
    if isinstance(claimed, bool):
        agrees = claimed == (course.behaviour == "kept")
        return CardItem(name, behaviour, _halves(course), N_("kept") if claimed else N_("not kept"), agrees)
    agrees = course.behaviour in (("drifts", "dissipates") if claimed == "drifts" else (claimed,))
    return CardItem(name, behaviour, _halves(course), N_(claimed), agrees)


def _halves(course: KeptQuantity) -> str:
    if course.behaviour == "unsolved":
        return N_("a step of {turn:g} rad has no solution", course.turn)
    if not math.isfinite(course.largest):
        return N_("ends in numbers that are not finite")
    halves = N_("{first}, then {second}", _small(course.first), _small(course.second))
    return halves if course.behaviour == "kept" else N_("{halves} at {turn:g} rad a step", halves, course.turn)


def _small(number: float) -> str:
    return f"{number:.1e}" if math.isfinite(number) else N_("no number")


def _yes(name: str, found: bool, error: float, claimed: bool | None) -> CardItem:
    words = N_("no solution") if not math.isfinite(error) else N_("yes") if found else N_("no")
    if claimed is None:
        return CardItem(name, words, _small(error))
    return CardItem(name, words, _small(error), N_("yes") if claimed else N_("no"), claimed == found)


def _reach(card: ReportCard, row: Scheme | None) -> CardItem:
    """The row's reach holds on the papers' motions, which ask for more: the card's body must reach at least as far."""
    words = N_("any step") if card.reach is None else N_("{reach:.2g} rad", card.reach)
    if row is None:
        return CardItem(N_("reach"), words, N_("free body, within 12 %"))
    claimed = N_("any step") if row.reach is None else N_("at least {reach:g} rad", row.reach)
    agrees = card.reach is None or (row.reach is not None and card.reach * _GRID >= row.reach)
    return CardItem(N_("reach"), words, N_("free body, within 12 %"), claimed, agrees)


def differences(items: tuple[CardItem, ...]) -> tuple[str, ...]:
    """Differences from the row, a phrase each."""
    return tuple(
        N_("{name} is claimed {claimed} and found {found}", item.name, item.claimed, item.found)
        for item in items
        if item.agrees is False
    )


def agreement(items: tuple[CardItem, ...]) -> str:
    """A sentence on agreement with what is claimed; "" where nothing is."""
    if all(item.agrees is None for item in items):
        return ""
    wrong = differences(items)
    if not wrong:
        return N_("The card agrees with what is claimed.")
    return N_("The card does not agree with what is claimed: {wrong}.", joined("; ", wrong))


def verdict(card: ReportCard) -> str:
    """The card in one line of plain words."""
    attitude, velocity = card.order_attitude, card.order_velocity
    phrases = [_order_words(attitude)]
    if velocity.words != attitude.words:
        phrases = [N_("attitude: {phrases}", phrases[0]), N_("velocity: {velocity}", _order_words(velocity))]
    phrases += [
        N_("energy {behaviour}", N_(card.energy.behaviour)),
        N_("angular momentum {behaviour}", N_(card.spin.behaviour)),
    ]
    if card.spin_norm.behaviour != card.spin.behaviour:
        phrases.append(N_("size of angular momentum {behaviour}", N_(card.spin_norm.behaviour)))
    if card.energy_under_torque is not None and card.vertical_spin is not None:
        phrases.append(N_("of a top energy {behaviour}", N_(card.energy_under_torque.behaviour)))
        phrases.append(N_("of a top vertical angular momentum {behaviour}", N_(card.vertical_spin.behaviour)))
    if not card.keeps_unit_length:
        phrases.append(N_("the quaternion's length drifts"))
    if card.air is not None:
        phrases.append(N_("in air energy falls") if card.air.energy_falls else N_("in air energy rises in some steps"))
    phrases.append(N_("reversible") if card.reversible else N_("not reversible"))
    phrases.append(N_("symplectic") if card.symplectic else N_("not symplectic"))
    if not card.frame_equivariant:
        phrases.append(N_("depends on the frame"))
    if not card.axes_equivariant:
        phrases.append(N_("depends on the order of the axes"))
    return joined("; ", phrases)


def _order_words(order: Order) -> str:
    words = {"exact": N_("exact"), "unclear": N_("no clear order"), "to tolerance": N_("to its tolerance")}
    if order.outcome != "order":
        return words[order.outcome]
    return N_("order {number}", order.number) if order.number else N_("does not converge")


def card_text(card: ReportCard, row: Scheme | None, translated: Callable[[str], str] = str) -> str:
    """The card as a table of plain text, with the verdict below; translated: translates a phrase."""
    items = card_items(card, row)
    head = ("", N_("found"), N_("measured"), N_("claimed")) if row is not None else ("", N_("found"), N_("measured"))
    every = [head, *((item.name, item.found, item.measured, item.claimed)[: len(head)] for item in items)]
    lines = [tuple(map(translated, line)) for line in every]
    marks = ["", *(f"  <- {translated(N_('differs'))}" if item.agrees is False else "" for item in items)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    table = [
        "  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)).rstrip() + mark
        for line, mark in zip(lines, marks, strict=True)
    ]
    return "\n".join([*table, "", f"{card.scheme}: {translated(verdict(card))}."])


def card_facts(card: ReportCard, row: Scheme | None) -> dict[str, object]:
    """The card as plain values for JSON; a number that is not finite becomes None."""
    items = card_items(card, row)
    return {
        "scheme": card.scheme,
        "order_attitude": _order_fact(card.order_attitude),
        "order_velocity": _order_fact(card.order_velocity),
        "slope_attitude": card.order_attitude.slope,
        "slope_velocity": card.order_velocity.slope,
        "torque_order_attitude": _order_fact(card.torque_order_attitude),
        "torque_order_velocity": _order_fact(card.torque_order_velocity),
        "energy": _course_fact(card.energy),
        "spin_norm": _course_fact(card.spin_norm),
        "spin": _course_fact(card.spin),
        "energy_under_torque": _course_fact(card.energy_under_torque),
        "vertical_spin": _course_fact(card.vertical_spin),
        "unit_length": "kept" if card.keeps_unit_length else "drifts",
        "unit_error": _finite(card.unit_error),
        "reversible": card.reversible,
        "reversal_error": _finite(card.reversal_error),
        "symplectic": card.symplectic,
        "symplectic_defect": _finite(card.symplectic_defect),
        "frame_equivariant": card.frame_equivariant,
        "frame_error": _finite(card.frame_error),
        "axes_equivariant": card.axes_equivariant,
        "axes_error": _finite(card.axes_error),
        "air": _air_fact(card.air),
        "reach": card.reach,
        "cost_ns": card.cost,
        "verdict": verdict(card),
        "agrees": not differences(items) if row is not None else None,
        "differences": list(differences(items)),
    }


def _air_fact(air: AirTrial | None) -> dict[str, object] | None:
    if air is None:
        return None
    return {
        "order_attitude": _order_fact(air.order_attitude),
        "order_velocity": _order_fact(air.order_velocity),
        "energy_falls": air.energy_falls,
        "rise": _finite(air.rise),
        "spin_error": _finite(air.spin_error),
        "sphere_error": _finite(air.sphere_error),
    }


def _order_fact(order: Order | None) -> int | str | None:
    if order is None:
        return None
    return order.number if order.number is not None else order.outcome


def _course_fact(course: KeptQuantity | None) -> dict[str, object] | None:
    if course is None:
        return None
    first, second = _finite(course.first), _finite(course.second)
    return {"class": course.behaviour, "first": first, "second": second, "step_times_spin": course.turn}


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
