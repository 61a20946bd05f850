"""Compositions of kicks and free rotations for bodies about a fixed point: orders 2 to 8 under torque.

One step is B(b1 h) A(a1 h) B(b2 h) ... A(an h) B(bn+1 h): kicks B, which turn the angular velocity at rest, damping
included (Gustafsson 2010, (45)), and free rotations A of physics.schemes.verlet, exact where the order is above 2.
Every composition is palindromic: reversible, and symplectic without damping. Sources: rows.splittings.

A kick may carry a force gradient (Chin 1997): its potential is V - c h² W with W = tau.J⁻¹ tau.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.potential import gradient, torque, vertical
from physics.core.rotation import Array, Field, Vector, cross
from physics.schemes.free_rotation import odd_axis
from physics.schemes.kicks import damping, kicked
from physics.schemes.loop import March, as_tuple, store
from physics.schemes.verlet import SCRATCH, as_long, by_symmetry, exactly


@dataclass(frozen=True)
class Stages:
    """The stages of one step.

    Attributes
    ----------
    kicks : b (n + 1,), shares of the step; 0: none
    turns : a (n,), shares of the step
    gradients : c (n + 1,), see above
    """

    kicks: Array
    turns: Array
    gradients: Array

    @property
    def of_verlet(self) -> bool:
        """True if they are Störmer-Verlet steps one after another: then any part may take the place of the kicks."""
        halves = 0.5 * (np.append(0.0, self.turns) + np.append(self.turns, 0.0))
        return not self.gradients.any() and np.array_equal(self.kicks, halves)

    @property
    def beyond(self) -> bool:
        """True if some lie before the step or after it."""
        reached = np.cumsum(self.turns)
        return bool(reached.min() < 0.0 or reached.max() > 1.0 + 1e-9)  # the sum of all is 1 but for rounding

    @property
    def torques(self) -> int:
        """Number of torques that a step evaluates; the last one serves the next step too."""
        first_is_last = self.kicks[0] != 0.0
        return int(np.count_nonzero(self.kicks)) - int(first_is_last)


def of_verlet(shares: Sequence[float]) -> Stages:
    """The symmetric composition of Störmer-Verlet steps of these shares, outer first; the middle one is the rest."""
    gammas = _whole(shares)
    return Stages(0.5 * (np.append(0.0, gammas) + np.append(gammas, 0.0)), gammas, np.zeros(len(gammas) + 1))


def from_kicks(kicks: Sequence[float], turns: Sequence[float], middle: str) -> Stages:
    """B A B ... from the first halves; the middle one is what is left, of the kicks or of the turns (``middle``)."""
    b, a = (_whole(kicks), _pairs(turns)) if middle == "kick" else (_pairs(kicks), _whole(turns))
    return Stages(b, a, np.zeros(len(b)))


def from_turns(turns: Sequence[float], kicks: Sequence[float], middle: str) -> Stages:
    """A B A ... from the first halves; the middle one is what is left, of the kicks or of the turns (``middle``)."""
    a, b = (_pairs(turns), _whole(kicks)) if middle == "kick" else (_whole(turns), _pairs(kicks))
    return Stages(np.array([0.0, *b, 0.0]), a, np.zeros(len(b) + 2))


def _whole(first: Sequence[float]) -> Array:
    """A palindrome around what is left of 1."""
    return np.array([*first, 1.0 - 2.0 * float(np.sum(first)), *first[::-1]])


def _pairs(first: Sequence[float]) -> Array:
    """A palindrome of pairs; the last of the first half is what is left of 1/2."""
    half = [*first, 0.5 - float(np.sum(first))]
    return np.array([*half, *half[::-1]])


VERLET = of_verlet(())  # half a kick, a free motion, half a kick


@formula
def gradient_torque(J: Vector, field: Field, u: Vector) -> Vector:
    """Moment of the potential W = tau.J⁻¹ tau in principal axes: u x dW/du, dW/du = 2 (g x a + H (a x u)).

    g and H are the first and second derivatives of the potential by the vertical u, a = J⁻¹ tau (Chin 1997).
    """
    g = gradient(field, u)
    tau = cross(u, g)
    a = (tau[0] / J[0], tau[1] / J[1], tau[2] / J[2])
    x, y = cross(g, a), cross(a, u)
    return cross(
        u,
        (
            2.0 * (x[0] + field[3] * y[0] + field[9] * y[1] + field[10] * y[2]),
            2.0 * (x[1] + field[9] * y[0] + field[4] * y[1] + field[11] * y[2]),
            2.0 * (x[2] + field[10] * y[0] + field[11] * y[1] + field[5] * y[2]),
        ),
    )


def _loop(free: Any) -> Any:
    """The loop of all compositions around a solution of the free rotation; their stages come as arrays."""

    @kernel
    def march(
        J: Array, field: Array, h: float, every: int, state: Array, out: Array, b: Array, a: Array, c: Array
    ) -> tuple[int, float]:
        moments = (J[0], J[1], J[2])
        acting = as_tuple(field)
        functions = np.empty((len(b), 6))  # of the time, for damping
        for i in range(len(b)):
            for k in range(3):
                functions[i, k], functions[i, 3 + k] = damping(J[k], field[6 + k], b[i] * h)
        s = np.zeros(SCRATCH)
        q, w = (state[0], state[1], state[2], state[3]), (state[4], state[5], state[6])
        for row in range(out.shape[0]):
            for _ in range(every):
                for i in range(len(b)):
                    if b[i] != 0.0:
                        u, f = vertical(q), functions[i]
                        n = torque(acting, u)
                        if c[i] != 0.0:
                            m, weight = gradient_torque(moments, acting, u), c[i] * h * h
                            n = (n[0] - weight * m[0], n[1] - weight * m[1], n[2] - weight * m[2])
                        w = kicked((f[0], f[1], f[2]), (f[3], f[4], f[5]), n, w)
                    if i < len(a):
                        q, after = free(moments, a[i] * h, q, w, s)
                        w = as_long(moments, w, after)
                if not abs(q[0] + q[1] + q[2] + q[3]) + abs(w[0] + w[1] + w[2]) < np.inf:
                    return row, np.inf
            store(out[row], q, w)
        store(state, q, w)
        return out.shape[0], 0.0

    return march


_SYMMETRIC, _OTHER = _loop(by_symmetry), _loop(exactly)


def _march_of(symmetric: Any, other: Any, stages: Stages) -> March:
    shares = stages.kicks, stages.turns, stages.gradients
    return lambda J, *given: (symmetric if odd_axis((J[0], J[1], J[2])) >= 0 else other)(J, *given, *shares)


def march_with(free: Any) -> March:
    """The loop of Störmer-Verlet steps around a free rotation."""
    loop = _loop(free)
    return _march_of(loop, loop, VERLET)


def march_exactly(stages: Stages = VERLET) -> March:
    """The loop around the exact free rotation with the stages of one composition.

    A kernel of its own for bodies with two equal moments: for tops that is 20 % faster than one kernel for both, and it
    compiles sooner.
    """
    return _march_of(_SYMMETRIC, _OTHER, stages)


StagedMarch = Callable[[Any, float, int, Array, Array], tuple[int, float]]  # of a model with moments


def staged(loop: Any, stages: Stages) -> StagedMarch:
    """A loop ``(model, h, every, state, out, kicks, turns)`` with the stages of one composition."""

    return lambda *given: loop(*given, stages.kicks, stages.turns)


def staged_by_moments(symmetric: Any, other: Any, stages: Stages) -> StagedMarch:
    """The same with a loop for models with two equal moments, and another one."""
    of_two, of_three = staged(symmetric, stages), staged(other, stages)

    return lambda model, *given: (of_two if odd_axis(model.moments) >= 0 else of_three)(model, *given)


# ---- coefficients ----------------------------------------------------------------------------------
# Printed digits are as published; those of Blanes & Moan were polished by at most 4e-15, so that they meet the order
# conditions to 1e-41. Of each palindrome the first half is listed, and its last number is what is left of the whole.


_XI, _LAMBDA, _CHI = 0.1786178958448091, -0.2123418310626054, -0.06626458266981849

YOSHIDA_4 = of_verlet((1.0 / (2.0 - 2.0 ** (1.0 / 3.0)),))
YOSHIDA_6 = of_verlet((0.78451361047755726381949763, 0.23557321335935813368479318, -1.17767998417887100694641568))
SUZUKI_4 = of_verlet((1.0 / (4.0 - 4.0 ** (1.0 / 3.0)),) * 2)
SUZUKI_UMENO_8 = of_verlet(
    (
        0.74167036435061295344822780,
        -0.40910082580003159399730010,
        0.19075471029623837995387626,
        -0.57386247111608226665638773,
        0.29906418130365592384446354,
        0.33462491824529818378495798,
        0.31529309239676659663205666,
    )
)
KAHAN_LI_6 = of_verlet(
    (
        0.39216144400731413927925056,
        0.33259913678935943859974864,
        -0.70624617255763935980996482,
        0.08221359629355080023149045,
    )
)
KAHAN_LI_8 = of_verlet(
    (
        0.13020248308889008087881763,
        0.56116298177510838456196441,
        -0.38947496264484728640807860,
        0.15884190655515560089621075,
        -0.39590389413323757733623154,
        0.18453964097831570709183254,
        0.25837438768632204729397911,
        0.29501172360931029887096624,
    )
)
PEFRL_4 = from_turns((_XI, _CHI), (0.5 * (1.0 - 2.0 * _LAMBDA),), "turn")
RKN_4 = from_kicks(
    (0.08298440641740501883834748, 0.3963098014983680770949115, -0.03905630492234843517086529),
    (0.2452989571842711626039324, 0.6048726657110799749608927),
    "kick",
)
RKN_6 = from_kicks(
    (
        0.04146499851826284329877813,
        0.1981286719180665411367265,
        -0.04000619210415268688882836,
        0.07525398430158034112787888,
        -0.0115113874206877700624432,
    ),
    (
        0.1232297759462711515610864,
        0.2905537977995582703664142,
        -0.1270492126254169156625051,
        -0.2463317610620754041949735,
        0.3572088727959277526198603,
    ),
    "turn",
)
RKN_6_14 = from_turns(
    (
        0.03785931984061094144702118,
        0.1026356331024365528470823,
        -0.02586788826655833316394696,
        0.3142414030714464341471425,
        -0.1301444595174151138496151,
        0.1064177003695413680222801,
        -0.008794243128510204394069428,
    ),
    (
        0.09171915262446201798118323,
        0.1839831700050048984914766,
        -0.05653436583288910439527704,
        0.004914688774711885640205616,
        0.1437611271683616823873745,
        0.3285676937468041402004813,
    ),
    "turn",
)
ABA_84 = from_turns(
    (0.0753469602698928884166424, 0.5179168546882567823),
    (0.19022593937367661925, 0.84652407044352625706),
    "kick",
)
ABA_864 = from_turns(
    (
        0.0711334264982231177779387300061549964174,
        0.241153427956640098736487795326289649618,
        0.521411761772814789212136078067994229991,
    ),
    (
        0.183083687472197221961703757166430291072,
        0.310782859898574869507522291054262796375,
        -0.0265646185119588006972121379164987592663,
    ),
    "kick",
)
ABA_1064 = from_turns(
    (
        0.03809449741224121954569753223,
        0.1452987161169137492940200727,
        0.2076276957255412507162056113,
        0.4359097036515261592231548624,
    ),
    (
        0.09585888083707521061207150377,
        0.2044461531429987806805077839,
        0.2170703479789911017143385924,
    ),
    "turn",
)
CHIN_4 = Stages(np.array([1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]), np.full(2, 0.5), np.array([0.0, 1.0 / 48.0, 0.0]))
