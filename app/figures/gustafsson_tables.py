"""Tables of Gustafsson (2010) beside what Polhode finds."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from app.figures.gustafsson import END, ORDERS, starts, states, truths, vessel, vessel_scenario
from app.figures.printing import Table
from physics.field import torque, vertical
from physics.rotation import Array, cross, matrix, product
from physics.schemes import SCHEMES
from physics.world import World

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
    rows = []
    for method, kinds in OPERATIONS.items():
        rows += [(method, kind, "operations", "thesis", *map(str, counts)) for kind, counts in kinds.items()]
        total = map(sum, zip(*kinds.values(), strict=True))
        rows.append((method, "all", "operations", "thesis", *map(str, total)))
        costs = (SCHEMES[f"{method.lower()}-{order}"].cost for order in ORDERS)
        rows.append((method, "whole step", "ns", "Polhode", *(f"{cost:.0f}" for cost in costs)))
    cheaper = [str(o) for o in ORDERS if SCHEMES[f"magnus-{o}"].cost < SCHEMES[f"factorization-{o}"].cost]
    return Table(
        "Cost of one step of the free body",
        ("method", "part", "unit", "from", *(f"order {order}" for order in ORDERS)),
        tuple(rows),
        "The thesis counts the attitude alone, an elementary function as one operation: Magnus is cheaper up to "
        "order 6.\nThe nanoseconds hold the momentum at the nodes too; they are those of the table of schemes, "
        "measured once on one core (polhode bench measures anew). By them Magnus is cheaper "
        f"{'at order ' + ', '.join(cheaper) if cheaper else 'at no order'}: this factorization adds up an angle, and "
        "makes a quaternion of it only for the states that are stored.",
    )


# ---- table 2: forms of the same method ----------------------------------------------------------------

STEPS_2 = (0.25, 0.5, 1.0)  # [s]
PRINTED_2 = {  # method, form: errors printed in the thesis for these steps
    ("factorization", "c₀ = c₃ = 1/2"): (5.87069055e-15, 7.33070308e-13, 2.21108904e-10),
    ("factorization", "c₀ = 0, c₃ = 1/√2"): (5.88406887e-15, 7.33077876e-13, 2.21108938e-10),
    ("Magnus", "quaternions"): (7.11045663e-13, 1.58750231e-10, 4.54203022e-08),
    ("Magnus", "matrices"): (7.11056953e-13, 1.58750216e-10, 4.54203021e-08),
}
OURS_2 = (("factorization", "factorization-8"), ("Magnus", "magnus-8"), ("Magnus", "magnus-8-matrix"))


@cache
def matrix_errors(scheme: str, step: float) -> tuple[float, float]:
    """Mean and its standard error, over 50 random starts, of the 2-norm of the error of the matrix after 10 s."""
    count = round(END / step)
    found = matrix(np.array([states(scheme, start, step, count, count)[-1, :4] for start in starts()]))
    errors = np.linalg.norm(found - matrix(truths()), ord=2, axis=(1, 2))
    return float(errors.mean()), float(errors.std(ddof=1) / np.sqrt(len(errors)))


def table_2() -> Table:
    """Forms of the methods of order 8: quaternions or matrices, errors averaged over 50 random starts."""
    rows = []
    for method in ("factorization", "Magnus"):
        for (of, form), errors in PRINTED_2.items():
            if of == method:
                rows.append((method, form, "thesis", *(f"{error:.8e}" for error in errors)))
        for of, scheme in OURS_2:
            if of == method:
                means, spreads = zip(*(matrix_errors(scheme, step) for step in STEPS_2), strict=True)
                rows.append((method, scheme, "Polhode", *(f"{mean:.2e}" for mean in means)))
                rows.append((method, "standard error", "Polhode", *(f"{spread:.1e}" for spread in spreads)))
    return Table(
        "Order 8, T = 10 s: average 2-norm of the error of the rotation matrix",
        ("method", "form", "from", *(f"h = {step:g} s" for step in STEPS_2)),
        tuple(rows),
        "50 random starts, not those of the thesis: the averages of Magnus agree within a few standard errors."
        "\nThe factorization of the thesis turns about the third axis, that of Polhode about the axis whose momentum "
        "keeps its sign, which is why its errors are far smaller.",
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


def _ship() -> World:
    return World.of(vessel_scenario("verlet-magnus-8", "damped"))


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
    columns = ("error\nthesis", "error\nPolhode", "ratio\nthesis", "ratio\nPolhode")
    return Table(
        "Störmer-Verlet of the damped vessel, T = 15 s: relative errors of momentum and of attitude",
        ("h [s]", "of", *(f"order {order}\n{column}" for order in PRINTED_3 for column in columns)),
        tuple(rows),
        "Order: of the Magnus method for the free part; ratio: error over that of half the step, 4 for a method of "
        "order 2. Thesis and Polhode differ by one in the last digit at most.\nOrders 4 and 6 have the errors of order "
        "8 to three digits for steps up to 0.05 s.",
    )
