"""Tables of Gustafsson (2010) beside what Polhode finds."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np

from app.figures.gustafsson import (
    END,
    HALF,
    MOMENTS,
    ORDERS,
    PRINTED_2,
    ROOT,
    STEPS_2,
    starts,
    truths,
    vessel,
    vessel_scenario,
)
from app.plots.print_style import Table
from app.system.language import tr
from physics.core.potential import FREE, torque, vertical
from physics.core.rotation import Array, cross, matrix, product
from physics.schemes import SCHEMES, factorization_e3
from physics.systems.free.rotating_world import AttachedWorld

# ---- table 1: computational cost ----------------------------------------------------------------------

OPERATIONS = {  # floating-point operations of one step, as the thesis counts them, for the orders 2, 4, 6, 8
    "Magnus": {
        "commutators": (0, 12, 36, 72),
        "quaternion product": (28, 28, 28, 28),
        "sums and multiples": (3, 18, 54, 198),
        "other": (16, 19, 22, 25),
    },
    "factorization": {
        "cross products": (9, 18, 27, 36),
        "quaternion products": (84, 84, 84, 84),
        "other": (53, 69, 84, 99),
    },
}


def table_1() -> Table:
    """Computational cost of a free step: the thesis' count of operations beside Polhode's nanoseconds."""
    rows, counted = [], (tr("operations"), tr("thesis"))
    for method, kinds in OPERATIONS.items():
        rows += [(method, tr(kind), *counted, *map(str, counts)) for kind, counts in kinds.items()]
        total = map(sum, zip(*kinds.values(), strict=True))
        rows.append((method, tr("all"), *counted, *map(str, total)))
        costs = (SCHEMES[f"{method.lower()}-{order}"].cost for order in ORDERS)
        rows.append((method, tr("whole step"), "ns", "Polhode", *(f"{cost:.0f}" for cost in costs)))
    costs = (SCHEMES[f"factorization-e3-{order}"].cost for order in ORDERS)
    rows.append((method, tr("whole step about e3"), "ns", "Polhode", *(f"{cost:.0f}" for cost in costs)))
    return Table(
        tr("Cost of one step of the free body"),
        (tr("method"), tr("part"), tr("unit"), tr("from"), *(tr("order {orders}").format(orders=n) for n in ORDERS)),
        tuple(rows),
        tr(
            "The thesis counts the attitude alone, an elementary function as one operation: Magnus is cheaper up to "
            "order 6.\nThe nanoseconds hold the momentum at the nodes too; they are those of the table of schemes, "
            "measured once on one core (polhode bench measures anew). By them Magnus is cheaper than Polhode's "
            "factorization, which sums up an angle, at {ours}, and than that about e3, which is the thesis's, at "
            "{theirs}."
        ).format(ours=_cheaper("factorization"), theirs=_cheaper("factorization-e3")),
    )


def _cheaper(method: str) -> str:
    """At which orders Magnus takes less time than another method."""
    found = [str(order) for order in ORDERS if SCHEMES[f"magnus-{order}"].cost < SCHEMES[f"{method}-{order}"].cost]
    return tr("order {orders}").format(orders=", ".join(found)) if found else tr("no order")


# ---- table 2: forms of the same method ----------------------------------------------------------------

CONSTANTS = {HALF: (0.5, 0.5), ROOT: (0.0, math.sqrt(0.5))}
OURS_2 = (  # method, scheme, form
    ("factorization", "factorization-e3-8", HALF),
    ("factorization", "factorization-e3-8", ROOT),
    ("factorization", "factorization-8", ""),
    ("Magnus", "magnus-8", ""),
    ("Magnus", "magnus-8-matrix", ""),
)


def _ends(scheme: str, form: str, step: float) -> Array:
    """The attitudes (50, 4) after 10 s, from every start; ``form``: c0 and c3 of the factorization about e3."""
    row, count = SCHEMES[scheme], round(END / step)
    out = np.empty((len(starts()), 1, 7))
    for start, end in zip(starts(), out, strict=True):
        state = row.start(MOMENTS, *start)
        if form:
            state[[factorization_e3.C0, factorization_e3.C3]] = CONSTANTS[form]
        row.march(MOMENTS, FREE, step, count, state, end)
    return out[:, 0, :4]


@cache
def errors_2(method: str, scheme: str, form: str, step: float) -> tuple[float, float]:
    """Mean and its standard error over 50 starts: of the quaternion for factorization, of the matrix for Magnus."""
    found, truth = _ends(scheme, form, step), truths()
    if method == "Magnus":
        errors = np.linalg.norm(matrix(found) - matrix(truth), ord=2, axis=(1, 2))
    else:
        errors = np.minimum(np.linalg.norm(found - truth, axis=1), np.linalg.norm(found + truth, axis=1))
    return float(errors.mean()), float(errors.std(ddof=1) / np.sqrt(len(errors)))


def table_2() -> Table:
    """Forms of the methods of order 8: quaternions or matrices, errors averaged over 50 random starts."""
    rows = []
    for method in ("factorization", "Magnus"):
        for (of, form), errors in PRINTED_2.items():
            if of == method:
                rows.append((method, tr(form), tr("thesis"), *(f"{error:.8e}" for error in errors)))
        for of, scheme, form in OURS_2:
            if of == method:
                means, spreads = zip(*(errors_2(method, scheme, form, step) for step in STEPS_2), strict=True)
                told = f"{scheme}, {form}" if form else scheme
                rows.append((method, told, "Polhode", *(f"{mean:.2e}" for mean in means)))
                rows.append((method, tr("standard error"), "Polhode", *(f"{spread:.1e}" for spread in spreads)))
    return Table(
        tr("Order 8, T = 10 s: average error of the quaternion (factorization), of the rotation matrix (Magnus)"),
        (tr("method"), tr("form"), tr("from"), *(f"h = {step:g} s" for step in STEPS_2)),
        tuple(rows),
        tr(
            "50 random starts, not those of the thesis: its averages agree within three standard errors, but for h = "
            "0.25 s under factorization, where rounding and the reference count. Components of spins and quaternions "
            "are positive, as MATLAB's rand makes them; with any direction the errors at h = 1 s are twice as "
            "large.\nErrors: the norm of the difference of the quaternions, and the 2-norm of that of the matrices, "
            "which is twice as large; in its rows of factorization the thesis has the first, though it tells the "
            "second.\nfactorization-e3-8 turns about e3, as the thesis does; factorization-8 about the axis whose "
            "momentum keeps its sign, which is why its errors are far smaller."
        ),
    )


# ---- table 3: the vessel ------------------------------------------------------------------------------

STEPS_3 = (0.1, 0.05, 0.025, 0.0125)  # [s]
QUANTITIES = ("e[m]", "e[q]")
PRINTED_3 = {  # order: for each step, error of momentum and of attitude, and their ratios to those of half the step
    2: (
        ("1.382e-02", "4.494e-04", "3.998", "3.978"),
        ("3.459e-03", "1.130e-04", "3.999", "3.994"),
        ("8.650e-04", "2.828e-05", "4.000", "3.999"),
        ("2.162e-04", "7.072e-06", "", ""),
    ),
    8: (
        ("1.283e-02", "5.056e-04", "4.002", "4.002"),
        ("3.207e-03", "1.263e-04", "4.000", "4.001"),
        ("8.017e-04", "3.158e-05", "4.000", "4.000"),
        ("2.004e-04", "7.893e-06", "", ""),
    ),
}


def _ship() -> AttachedWorld:
    return AttachedWorld.of(vessel_scenario("verlet-magnus-8", "damped"))


@cache
def damped_truth() -> tuple[Array, Array]:
    """Attitude (4,) and angular velocity (3,) [rad/s] of the damped vessel at 15 s, by DOP853 to 13 digits."""
    from scipy.integrate import solve_ivp

    world = _ship()
    J, field, damping = world.moments, tuple(world.field), world.field[6:9]

    def rate(t: float, y: Array) -> Array:
        q, w = tuple(y[:4]), y[4:]
        turning = np.array(cross(tuple(J * w), tuple(w))) + torque(field, vertical(q)) - damping * w
        return np.concatenate([0.5 * np.array(product(q, (0.0, *w))), turning / J])  # (44)

    start = np.concatenate([world.orientation, world.angular_velocity])
    found = solve_ivp(rate, (0.0, 15.0), start, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return found[:4], found[4:]


@cache
def vessel_errors(order: int) -> Array:
    """Relative errors (4, 2) of momentum and attitude for the steps, e[m] and e[q] of section 5.3."""
    (q, w), J = damped_truth(), _ship().moments
    rows = []
    for step in STEPS_3:
        run = vessel(f"verlet-magnus-{order}", "damped", step=step)
        m, exact = J * run.angular_velocity[-1], J * w
        own = run.orientation[-1] * np.sign(run.orientation[-1] @ q)
        rows.append((np.linalg.norm(exact - m) / np.linalg.norm(exact), np.linalg.norm(q - own)))
    return np.array(rows)


def table_3() -> Table:
    """The vessel, restoring moment and damping: errors after 15 s, order 2 and order 8 of the free part."""
    rows = []
    for n, step in enumerate(STEPS_3):
        for i, quantity in enumerate(QUANTITIES):
            cells = []
            for order, printed in PRINTED_3.items():
                errors = vessel_errors(order)[:, i]
                ratios = [f"{one / half:.3f}" for one, half in pairwise(errors)] + [""]
                cells += [printed[n][i], f"{errors[n]:.3e}", printed[n][i + 2], ratios[n]]
            rows.append((f"{step:g}", quantity, *cells))
    orders = [tr("order {orders}").format(orders=order) for order in PRINTED_3]
    columns = [f"{what}\n{whose}" for what in (tr("error"), tr("ratio")) for whose in (tr("thesis"), "Polhode")]
    return Table(
        tr("Störmer-Verlet of the damped vessel, T = 15 s: relative errors of momentum and of attitude"),
        ("h [s]", tr("of"), *(f"{order}\n{column}" for order in orders for column in columns)),
        tuple(rows),
        tr(
            "Order: of the Magnus method for the free part; ratio: error over that of half the step, 4 for a method of "
            "order 2. Thesis and Polhode differ by one in the last digit at most.\nOrders 4 and 6 have the errors of "
            "order 8 to three digits for steps up to 0.05 s."
        ),
    )
