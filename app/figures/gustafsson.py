"""Figures and tables of Gustafsson (2010): Magnus and factorization methods for a free body, and a vessel under torque.

The thesis names neither its starts nor, for the figures that show a motion, the steps; those here are ours and say so.
Its averages over random starts are met only where all components are positive, as those of MATLAB's rand: with spins in
any direction the factorization about e3 errs twice as much at steps of 1 s.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

import physics
from app.figures.line_labels import marked, name
from app.plots.print_style import INK, PrintTable, below_all, components, figure_page, label, lane_style, with_powers
from app.system.language import tr
from physics.core.potential import FREE, torque, vertical
from physics.core.rotation import Array, apply, conjugate, cross, matrix, product, upwards
from physics.schemes import SCHEMES, factorization_e3
from physics.systems.free.rotating_world import AttachedWorld

MOMENTS = np.array([1.0, 1.648785782711929, 1.972012709664193])  # T1, T2, T3 of section 4.5 [kg m²]
ORDERS = (2, 4, 6, 8)
FAMILIES = ("magnus", "factorization-e3", "factorization")
END, SEED = 10.0, 2010
STEPS_2 = (0.25, 0.5, 1.0)  # [s]
HALF, ROOT = "c₀ = c₃ = 1/2", "c₀ = 0, c₃ = 1/√2"
PRINTED_2 = {  # method, form: errors printed in the thesis for STEPS_2
    ("factorization", HALF): (5.87069055e-15, 7.33070308e-13, 2.21108904e-10),
    ("factorization", ROOT): (5.88406887e-15, 7.33077876e-13, 2.21108938e-10),
    ("Magnus", "quaternions"): (7.11045663e-13, 1.58750231e-10, 4.54203022e-08),
    ("Magnus", "matrices"): (7.11056953e-13, 1.58750216e-10, 4.54203021e-08),
}
COUNTS = tuple(10 * 2**k for k in range(11))  # steps in the 10 s: from 1 s down to about 1 ms


# ---- the free body, section 4.5 -----------------------------------------------------------------------


def states(scheme: str, start: tuple[Array, Array], step: float, count: int, every: int = 1) -> Array:
    """Every stored state (count / every, 7) of the free body: attitude, angular velocity [rad/s]."""
    row, out = SCHEMES[scheme], np.empty((count // every, 7))
    row.march(MOMENTS, FREE, step, every, row.start(MOMENTS, *start), out)
    return out


@cache
def starts(number: int = 50) -> tuple[tuple[Array, Array], ...]:
    """Random attitudes (4,) and angular velocities (3,) [rad/s] with a spin of 1 kg m²/s; components are positive."""
    generator = np.random.default_rng(SEED)
    attitudes, spins = generator.random((number, 4)), generator.random((number, 3))
    attitudes, spins = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (attitudes, spins))
    return tuple(zip(attitudes, spins / MOMENTS, strict=True))


@cache
def truths() -> Array:
    """The exact attitudes (50, 4) at the end, from every start."""
    return np.array([states("exact", start, END, 1)[-1, :4] for start in starts()])


@cache
def average_errors(scheme: str) -> tuple[Array, Array]:
    """Steps (n,) [s] and errors |q_ex - q| (n,) at the end, averaged over the starts; the sign of q is free."""
    found = []
    for count in COUNTS:
        ends = np.array([states(scheme, start, END / count, count, count)[-1, :4] for start in starts()])
        apart = np.minimum(np.linalg.norm(ends - truths(), axis=1), np.linalg.norm(ends + truths(), axis=1))
        found.append(apart.mean())
    return END / np.array(COUNTS), np.array(found)


def figure_1() -> Figure:
    """Angular momentum of the free body, in body axes."""
    figure, axes = figure_page(1, 1, height=2.6)
    spin = np.array([0.8, 0.0, 0.6])
    time = np.linspace(0.0, 40.0, 801)
    run = states("exact", (np.array([1.0, 0.0, 0.0, 0.0]), spin / MOMENTS), time[1], len(time) - 1)
    components(axes[0, 0], time, np.vstack([spin, run[:, 4:] * MOMENTS]), ("m$_1$", "m$_2$", "m$_3$"))
    title = tr("Angular momentum of the free body, T = (1, 1.649, 1.972) kg m²; start (0.8, 0, 0.6), ours")
    label(axes[0, 0], tr("time [s]"), tr("m, body frame [kg m²/s]"), title)
    axes[0, 0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return figure


def figure_2() -> Figure:
    """Error over step: Magnus and factorization methods, average over 50 random starts."""
    figure, axes = figure_page(1, 1, height=4.6)
    lines = []
    schemes = [SCHEMES[f"{family}-{order}"] for family in FAMILIES for order in ORDERS]
    for scheme, mark in zip(schemes, marked(schemes), strict=True):
        steps, errors = average_errors(scheme.name)
        lines += axes[0, 0].loglog(steps, errors, **mark, **lane_style(scheme))
    for part, form in ((1.0, ("factorization", HALF)), (0.5, ("Magnus", "quaternions"))):  # of a matrix: twice as much
        printed = part * np.array(PRINTED_2[form])
        points = axes[0, 0].scatter(STEPS_2, printed, 70, marker="+", color=INK, label=tr("thesis, table 2"), zorder=4)
    title = tr(
        "Attitude after 10 s, average of 50 random starts, ours, with positive components\n"
        "At small steps the thesis's factorization, e3, rounds more than Magnus, as it says;\n"
        "Polhode's, about the axis whose momentum keeps its sign, rounds less"
    )
    label(axes[0, 0], tr("step [s]"), "e = ‖q$_\\mathrm{ex}$ − q‖ [1]", title)
    axes[0, 0].legend(handles=[points], loc="upper left")
    name(axes[0, 0], lines)
    return figure


# q and m of figure 3, before they are scaled to length 1: a start whose dots nearly form lines, so that errors are seen
START_3 = (0.5257, -0.4712, 0.2675, 0.6557), (-0.0909, -0.4127, -0.9063)


@cache
def vertical_seen(scheme: str) -> Array:
    """u = Q^T e3 (4001, 3), the vertical of space as the body sees it, over 4000 steps of 1 s."""
    attitude, spin = (np.array(x) / np.linalg.norm(x) for x in START_3)
    run = states(scheme, (attitude, spin / MOMENTS), 1.0, 4000)
    attitudes = np.vstack([attitude, run[:, :4]])
    return upwards(attitudes)


def figure_3() -> Figure:
    """The vertical as the body sees it, 4000 steps of 1 s, under the Magnus methods."""
    figure = Figure(figsize=(7.0, 6.7))
    truth = vertical_seen("exact")
    for i, order in enumerate(ORDERS):
        scheme = f"magnus-{order}"
        u = vertical_seen(scheme)
        axes = figure.add_subplot(2, 2, i + 1, projection="3d")
        axes.scatter(*u.T, s=0.8, color=lane_style(SCHEMES[scheme])["color"], linewidths=0, rasterized=True)
        for letter in "xyz":
            axes.set(**{f"{letter}lim": (-1, 1), f"{letter}ticks": (-1, 0, 1)})
        axes.set(xlabel="u$_1$ [1]", ylabel="u$_2$ [1]", zlabel="u$_3$ [1]")
        axes.tick_params(pad=-1)
        axes.set_box_aspect((1, 1, 1), zoom=0.86)
        error = with_powers(f"{np.linalg.norm(u[-1] - truth[-1]):.2g}")
        axes.set_title(
            tr("{scheme}: error at the end {error}").format(scheme=scheme, error=error), loc="center", y=0.95
        )
    q, m = (", ".join(f"{x:g}".replace("-", "−") for x in values) for values in START_3)
    text = tr("4000 steps of 1 s; start, ours: q = ({q}),\nm = ({m}) kg m²/s, both scaled to length 1")
    figure.suptitle(text.format(q=q, m=m), x=0.02, ha="left", fontsize=9.5)
    return figure


# ---- the vessel, section 5.3 --------------------------------------------------------------------------

CASES = ("free", "restoring", "damped")


def vessel_scenario(scheme: str, case: str, duration: float = 15.0, step: float = 0.01) -> physics.Scenario:
    """The supply ship that turns at 1 rad/s about every axis: free, with restoring moment, with damping too."""
    return physics.Scenario(
        kind="vessel",
        duration=duration,
        step=step,
        schemes=[scheme],
        body={"shape": "inertia", "inertia": [3.2164e8, 5.4782e9, 5.7426e9], "mass": 6362200.0},
        vessel={
            "metacentric_height": {"transverse": 2.1444, "longitudinal": 103.628},
            "damping": [1e9, 1e9, 1e9] if case == "damped" else [0.0, 0.0, 0.0],
            "restoring": case != "free",
        },
        initial={"angular_velocity": [1, 1, 1]},
    )


@cache
def vessel(scheme: str, case: str, duration: float = 15.0, step: float = 0.01) -> physics.Trajectory:
    """The ship under a scheme."""
    return physics.simulate(vessel_scenario(scheme, case, duration, step))[scheme]


@cache
def resting_yaw() -> float:
    """The yaw [degrees] at which the damped vessel comes to rest; the thesis has it back at 0."""
    q = vessel("verlet-exact", "damped", 300.0, step=0.0025).orientation[-1]
    return 2.0 * math.degrees(math.atan2(q[3], q[0])) % 360.0


def figure_4() -> Figure:
    """The vessel: angular momentum and quaternion when free, with restoring moment, and with damping too."""
    figure, axes = figure_page(3, 2, height=2.0, sharex=True)
    titles = (
        tr("Free body"),
        tr("Restoring moment"),
        tr("Restoring moment and damping: comes to rest at a yaw of {yaw:.3f}°, not at its start").format(
            yaw=resting_yaw()
        ),
    )
    for row, case, title in zip(axes, CASES, titles, strict=True):
        run = vessel("verlet-magnus-8", case)
        spin = apply(conjugate(run.orientation), run.spin)
        components(row[0], run.time, spin / 1e9, ("m$_1$", "m$_2$", "m$_3$"))
        components(row[1], run.time, run.orientation, ("q$_0$", "q$_1$", "q$_2$", "q$_3$"))
        label(row[0], "", "m [10$^9$ kg m²/s]", title)
        label(row[1], "", "q [1]")
    for axis in axes[-1]:
        axis.set_xlabel(tr("time [s]"))
    below_all(figure, *axes[0], columns=7)
    return figure


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


def table_1() -> PrintTable:
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
    return PrintTable(
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
    """Orders at which Magnus takes less time than another method, in words."""
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


def table_2() -> PrintTable:
    """Forms of the methods of order 8: quaternions or matrices, errors averaged over 50 random starts."""
    rows = []
    for method in ("factorization", "Magnus"):
        for (of, form), errors in PRINTED_2.items():
            if of == method:
                rows.append((method, tr(form), tr("thesis"), *(f"{error:.8e}" for error in errors)))
        for of, scheme, form in OURS_2:
            if of == method:
                means, spreads = zip(*(errors_2(method, scheme, form, step) for step in STEPS_2), strict=True)
                text = f"{scheme}, {form}" if form else scheme
                rows.append((method, text, "Polhode", *(f"{mean:.2e}" for mean in means)))
                rows.append((method, tr("standard error"), "Polhode", *(f"{spread:.1e}" for spread in spreads)))
    return PrintTable(
        tr("Order 8, T = 10 s: average error of the quaternion (factorization), of the rotation matrix (Magnus)"),
        (tr("method"), tr("form"), tr("from"), *(f"h = {step:g} s" for step in STEPS_2)),
        tuple(rows),
        tr(
            "50 random starts, not those of the thesis: its averages agree within three standard errors, but for h = "
            "0.25 s under factorization, where rounding and the reference count. Components of spins and quaternions "
            "are positive, as MATLAB's rand makes them; with any direction the errors at h = 1 s are twice as "
            "large.\nErrors: the norm of the difference of the quaternions, and the 2-norm of that of the matrices, "
            "which is twice as large; in its rows of factorization the thesis has the first, though it names the "
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


def table_3() -> PrintTable:
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
    return PrintTable(
        tr("Störmer-Verlet of the damped vessel, T = 15 s: relative errors of momentum and of attitude"),
        ("h [s]", tr("of"), *(f"{order}\n{column}" for order in orders for column in columns)),
        tuple(rows),
        tr(
            "Order: of the Magnus method for the free part; ratio: error over that of half the step, 4 for a method of "
            "order 2. Thesis and Polhode differ by one in the last digit at most.\nOrders 4 and 6 have the errors of "
            "order 8 to three digits for steps up to 0.05 s."
        ),
    )
