"""The report card: every row of the table says what is found of its scheme, and a card can be bad."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from physics.analysis.air_trial import tried_in_air
from physics.analysis.card_items import agreement, card_facts, card_items, card_text, differences, verdict
from physics.analysis.report_card import STEPS, SWIFT, TOP, ReportCard, check, course_of, observed_orders
from physics.core.cancellation import GivenUp, until
from physics.core.rotation import product
from physics.schemes import SCHEMES, implicit
from physics.schemes.driven_march import DRIVEN
from physics.schemes.loop import start_with
from physics.schemes.scheme import Scheme

HALVES = np.repeat([0, 1], STEPS // 2)


@cache
def card_of(name: str) -> ReportCard:
    return check(SCHEMES[name])


@pytest.mark.parametrize("name", SCHEMES)
def test_the_card_of_a_scheme_agrees_with_its_row(name):
    card = card_of(name)
    items = card_items(card, SCHEMES[name])
    assert differences(items) == ()
    assert sum(item.agrees is True for item in items) >= (4 if SCHEMES[name].adaptive else 9)
    assert card.cost > 0.0
    assert (card.vertical_spin is None) == ({"top", "vessel"}.isdisjoint(SCHEMES[name].kinds))


# ---- cards of bad schemes -----------------------------------------------------------------------------


def scheme_of(step, name="mine", **facts) -> Scheme:
    """A scheme whose step is a Python function, as one writes it; it claims what ``implicit`` does."""

    def march(J, field, h, every, state, out):
        moments, acting = tuple(J.tolist()), tuple(field.tolist())
        q, w = tuple(state[:4].tolist()), tuple(state[4:].tolist())
        for row in range(len(out)):
            for _ in range(every):
                q, w, residual = step(moments, acting, h, q, w)
                if not residual < math.inf or not math.isfinite(sum(q) + sum(w)):
                    return row, residual
            out[row] = (*q, *w)
        state[:] = (*q, *w)
        return len(out), 0.0

    return replace(SCHEMES["implicit"], name=name, march=march, start=start_with, **facts)


def rates(J, q, w, sign=1.0):
    """The derivatives of attitude and velocity of a free body."""
    turning = tuple(sign * (J[i - 2] - J[i - 1]) * w[i - 2] * w[i - 1] / J[i] for i in range(3))
    return tuple(0.5 * a for a in product(q, (0.0, *w))), turning


def moved(x, rate, h):
    return tuple(a + h * b for a, b in zip(x, rate, strict=True))


def euler(J, field, h, q, w):
    dq, dw = rates(J, q, w)
    return moved(q, dq, h), moved(w, dw, h), 0.0


def runge(J, field, h, q, w, sign=1.0):
    """The midpoint rule on (q, w), without normalisation."""
    dq, dw = rates(J, q, w, sign)
    dq, dw = rates(J, moved(q, dq, 0.5 * h), moved(w, dw, 0.5 * h), sign)
    return moved(q, dq, h), moved(w, dw, h), 0.0


def wrong_sign(J, field, h, q, w):
    return runge(J, field, h, q, w, sign=-1.0)


def damped(J, field, h, q, w):
    """The implicit scheme, and a loss that nobody asked for."""
    q, w, residual = implicit.step(J, field, h, q, w)
    return q, tuple(x * (1.0 - 0.002 * abs(h)) for x in w), residual


def hopeless(J, field, h, q, w):
    return q, w, math.inf


def overflowing(J, field, h, q, w):
    q, w, residual = euler(J, field, h, q, w)
    return q, tuple(x * math.exp(h * x * x / 9.0) for x in w), residual


@pytest.fixture(scope="module")
def cards() -> dict[str, ReportCard]:
    return {step.__name__: check(scheme_of(step)) for step in (euler, runge, wrong_sign, damped, hopeless, overflowing)}


def test_explicit_euler_is_of_order_1_and_keeps_nothing(cards):
    card = cards["euler"]
    assert (card.order_attitude.number, card.order_velocity.number) == (1, 1)
    assert {card.energy.behaviour, card.spin_norm.behaviour, card.spin.behaviour} == {"drifts"}
    assert (card.keeps_unit_length, card.reversible, card.symplectic) == (False, False, False)
    assert verdict(card) == (
        "order 1; energy drifts; angular momentum drifts; the quaternion's length drifts; in air energy falls; "
        "not reversible; not symplectic"
    )


def test_a_rule_without_normalisation_stretches_the_quaternion(cards):
    card = cards["runge"]
    assert (card.order_attitude.number, card.order_velocity.number) == (2, 2)
    assert card.unit_error > 1e-6
    assert not card.keeps_unit_length
    assert card.energy.behaviour == "drifts"


def test_a_wrong_sign_is_a_scheme_that_does_not_converge(cards):
    card = cards["wrong_sign"]
    assert (card.order_attitude.number, card.order_velocity.number) == (0, 0)
    assert verdict(card).startswith("does not converge; ")


def test_a_loss_of_energy_is_named(cards):
    card = cards["damped"]
    assert card.energy.behaviour == card.spin_norm.behaviour == "dissipates"
    assert card.order_attitude.number == 0
    assert not card.reversible
    told = agreement(card_items(card, SCHEMES["implicit"]))
    assert "energy, free body is claimed kept and found dissipates" in told
    assert "reversible is claimed yes and found no" in told


def test_a_scheme_without_solutions_has_a_card_too(cards):
    card = cards["hopeless"]
    assert card.energy.behaviour == card.spin.behaviour == "unsolved"
    assert card.order_attitude.outcome == "unclear"
    assert card.reach == 0.0
    assert (card.keeps_unit_length, card.reversible, card.symplectic) == (False, False, False)
    assert "has no solution" in card_text(card, None)


def test_a_step_that_overflows_ends_the_motion_not_the_card(cards):
    card = cards["overflowing"]
    assert card.energy.behaviour == "drifts"
    gone = {"class": "drifts", "first": None, "second": None, "step_times_spin": 0.08}
    assert card_facts(card, None)["energy"] == gone


def test_air_that_gives_energy_is_found():
    """The march of a scheme through thin air of the wrong sign."""
    scheme = SCHEMES["rk4"]

    def march(body, h, every, state, out):
        return scheme.solver(DRIVEN)(body._replace(drag=-0.01 * body.drag), h, every, state, out)

    wrong = replace(scheme, marches={DRIVEN: march})
    card = replace(card_of("rk4"), air=tried_in_air(wrong, SWIFT.moments))
    assert card.air.order_attitude.number == card.air.order_velocity.number == 0
    assert (card.air.energy_falls, card.air.spin_error > 0.1, card.air.sphere_error > 0.1) == (False, True, True)
    told = agreement(card_items(card, wrong))
    assert "order in air, attitude is claimed 4 and found does not converge" in told
    assert "energy, in air is claimed falls in every step and found rises" in told
    assert "in air energy rises in some steps" in verdict(card)
    assert card_facts(card_of("rk4"), None)["air"]["energy_falls"] is True
    assert card_of("rk4").air.spin_error < 1e-12


# ---- classes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "signed", "behaviour"),
    [
        (1e-11 * HALVES, True, "kept"),
        (1.1e-11 * HALVES, True, "drifts"),
        (1e-4 * np.sin(np.arange(STEPS)), True, "bounded"),
        (1e-4 * np.sin(np.arange(STEPS)) * (1.0 + 0.29 * HALVES), True, "bounded"),
        (1e-4 * np.sin(np.arange(STEPS)) * (1.0 + 0.32 * HALVES), True, "drifts"),
        (1e-4 * (np.sin(np.arange(STEPS)) - 0.2 * HALVES), True, "drifts"),  # below its swings
        (-0.3 * (1.0 - np.exp(-np.arange(STEPS) / 900.0)), True, "dissipates"),  # nothing left to lose
        (0.3 * (1.0 - np.exp(-np.arange(STEPS) / 900.0)), True, "drifts"),  # a gain
        (0.3 * (1.0 - np.exp(-np.arange(STEPS) / 900.0)), False, "drifts"),  # a vector knows no sign
        (-0.03 * (1.0 + np.sin(np.arange(STEPS) / 99.0)), True, "bounded"),  # large, but it comes back
        (0.9 * np.sin(np.arange(STEPS) / 99.0), True, "drifts"),  # it bounds nothing
        (np.full(STEPS - 1, 1e-3), True, "unsolved"),
        (np.geomspace(1e-3, 1e90, STEPS - 1), True, "drifts"),
        (np.empty(0), True, "unsolved"),
    ],
)
def test_the_class_of_a_change(change, signed, behaviour):
    assert course_of(change, 0.08, signed).behaviour == behaviour


def test_what_high_orders_hide_at_small_steps_is_found_at_larger_ones():
    """These err by rounding alone at 0.08 rad a step."""
    spin = card_of("magnus-8").spin
    energy = card_of("rkn-6-14").energy_under_torque
    assert (spin.behaviour, spin.turn) == (energy.behaviour, energy.turn) == ("bounded", 0.5)
    assert card_of("factorization-8").symplectic_defect > 1e-9


def test_numerical_damping_is_found_below_the_swings_of_the_energy():
    """The loss of the free body is 0.6 % of its swing at 0.08 rad a step, and 19 % at 0.5 rad."""
    found = card_of("lie-alpha")
    assert [one.behaviour for one in (found.energy, found.energy_under_torque)] == ["drifts", "drifts"]
    assert found.energy.turn == 0.5


def test_schemes_in_angles_depend_on_the_frame_and_splittings_along_axes_on_their_order():
    """Betsch & Siebert (2009), section 6: schemes in quaternions and directors are equivariant, those in angles not."""
    framed = {name for name, row in SCHEMES.items() if not row.frame_equivariant}
    ordered = {name for name, row in SCHEMES.items() if not row.axes_equivariant}
    assert framed == {"euler-zyx-rk4", "euler-zxz-rk4"}
    assert ordered - framed == {"dlm", "no-squish", *(f"factorization-e3-{order}" for order in (2, 4, 6, 8))}
    for name in framed:  # far from any lock: as large as an error of truncation
        assert min(card_of(name).frame_error, card_of(name).axes_error) > 1e-3
        assert verdict(card_of(name)).endswith("; depends on the frame; depends on the order of the axes")
    assert verdict(card_of("dlm")).endswith("; depends on the order of the axes")
    assert max(card_of(name).frame_error for name in ("quat-em", "quat-vi", "dir-em", "algo-c1")) < 1e-14


# ---- claims -------------------------------------------------------------------------------------------

CLAIMS = {
    "order, attitude": {"order": 4},
    "energy, free body": {"energy": "bounded"},
    "size of angular momentum, free body": {"keeps_spin_norm": False},
    "angular momentum, free body": {"keeps_spin": False},
    "energy, top": {"energy_under_torque": "kept"},
    "vertical angular momentum, top": {"keeps_vertical_spin": False},
    "unit length": {"keeps_unit_length": False},
    "reversible": {"reversible": False},
    "symplectic": {"symplectic": False},
    "alike in a turned frame": {"frame_equivariant": False},
    "alike with renamed axes": {"axes_equivariant": False},
    "reach": {"reach": None},
}


def test_each_wrong_claim_is_found():
    scheme = SCHEMES["quat-vi"]
    card = card_of(scheme.name)
    for name, change in CLAIMS.items():
        wrong = differences(card_items(card, replace(scheme, **change)))
        assert any(text.startswith(f"{name} is claimed") for text in wrong), name
        assert len(wrong) == (
            3 if "order" in change else 1
        )  # of attitude and velocity, and of the attitude under torque
    assert agreement(card_items(card, scheme)) == "The card agrees with what is claimed."
    assert agreement(card_items(card, None)) == ""


def test_a_scheme_that_chooses_its_own_steps_has_the_order_of_its_tolerance():
    adaptive = replace(SCHEMES["exact"], adaptive=True, order=8)
    orders = observed_orders(adaptive, SWIFT)
    assert {order.words for order in orders} == {"to tolerance"}


# ---- motions ------------------------------------------------------------------------------------------


def test_the_top_is_that_of_the_paper_and_the_truth_of_its_motion_is_right():
    """Solved with 30 digits to 1 s."""
    np.testing.assert_allclose(TOP.moments, [0.004506221962492863] * 2 + [0.0005301437602932778], rtol=1e-14)
    assert TOP.field[2] == pytest.approx(0.5200710288477056, rel=1e-14)
    found = TOP.march(SCHEMES["rkn-6-14"], 1.0 / 2000.0, 2000, 2000)[0]
    q = [-0.035193012490174515, -0.9932279897408546, 0.061690077231108115, -0.09194534593130466]
    np.testing.assert_allclose(found[:4], q, rtol=0, atol=2e-13)
    np.testing.assert_allclose(found[4:], [18.480512250302993, 0.4810918648270674, 20.0], rtol=0, atol=5e-12)


def test_a_card_that_nobody_waits_for_is_given_up_and_progress_is_told():
    with until(lambda: True), pytest.raises(GivenUp):
        check(SCHEMES["implicit"])
    told: list[float] = []
    check(SCHEMES["implicit"], told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
