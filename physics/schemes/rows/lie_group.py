"""Rows of the table: Runge-Kutta, Newmark and midpoint schemes on the rotation group."""

from __future__ import annotations

from functools import partial

from physics.bibliography import article
from physics.core.wording import N_
from physics.schemes import commutator_free, crouch_grossman, driven_march, joint_alpha, lie_midpoint, lie_newmark, rkmk
from physics.schemes.driven_march import DRIVEN
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import march_with
from physics.schemes.scheme import Scheme, look, spin_keeping

_START, _MARCH = lie_newmark.alpha_march(0.9)

_row = partial(Scheme, family="Lie group")
_runge_kutta = partial(
    spin_keeping,
    family="Lie group",
    energy="drifts",
    energy_under_torque="drifts",
    reversible=False,
)
_newmark = partial(_row, order=2, implicit=True, energy="bounded", reach=1.8)

ROWS = (
    _runge_kutta(
        name="rkmk-4",
        title="Runge-Kutta-Munthe-Kaas 4",
        source=article(
            "Munthe-Kaas 1999",
            "munthekaas1999high",
            author="Munthe-Kaas, Hans",
            title="High order {R}unge-{K}utta methods on manifolds",
            where="Applied Numerical Mathematics 29, 115--127",
            doi="10.1016/S0168-9274(98)00030-0",
        ),
        equations="RKMK of order 4",
        order=4,
        cost=186,
        advice=N_("Order 4 with angular momentum kept to rounding; energy drifts slowly."),
        **look("MK", "#BB11AA", "dot"),
        march=march_with(rkmk.step),
        marches={DRIVEN: driven_march.march_stages(driven_march.ON_THE_GROUP)},
        torques=4,
    ),
    _runge_kutta(
        name="cf-4",
        title="Commutator-free 4",
        source=article(
            "Celledoni et al. 2003",
            "celledoni2003commutator",
            author="Celledoni, Elena and Marthinsen, Arne and Owren, Brynjulf",
            title="Commutator-free {L}ie group methods",
            where="Future Generation Computer Systems 19, 341--352",
            doi="10.1016/S0167-739X(02)00161-9",
        ),
        equations="commutator-free method of order 4",
        order=4,
        cost=188,
        advice=N_("Order 4 without commutators; angular momentum kept, energy drifts."),
        **look("CF", "#AA77DD", "dash-dot"),
        march=march_with(commutator_free.step),
        torques=4,
    ),
    _runge_kutta(
        name="cg-3",
        title="Crouch-Grossman 3",
        source=article(
            "Crouch & Grossman 1993",
            "crouch1993numerical",
            author="Crouch, P. E. and Grossman, R.",
            title="Numerical integration of ordinary differential equations on manifolds",
            where="Journal of Nonlinear Science 3, 1--33",
            doi="10.1007/BF02429858",
        ),
        equations="method of order 3",
        order=3,
        cost=163,
        advice=N_("The first Runge-Kutta scheme by exponentials; for comparison."),
        **look("CG3", "#22FFFF", "dash-dot"),
        march=march_with(crouch_grossman.step_3),
        torques=3,
        help_page="cg",
    ),
    _runge_kutta(
        name="cg-4",
        title="Crouch-Grossman 4",
        source=article(
            "Owren & Marthinsen 1999",
            "owren1999runge",
            citation="Owren & Marthinsen (1999), Runge-Kutta methods adapted to manifolds and based on rigid frames, "
            "BIT 39, 116-142",
            author="Owren, Brynjulf and Marthinsen, Arne",
            title="{R}unge-{K}utta methods adapted to manifolds and based on rigid frames",
            where="BIT Numerical Mathematics 39, 116--142",
            doi="10.1023/A:1022325426017",
        ),
        equations="method of order 4",
        order=4,
        cost=309,
        advice=N_("Order 4 by fifteen exponentials; rkmk-4 errs less at a lower cost."),
        **look("CG4", "#882255", "dash"),
        march=march_with(crouch_grossman.step_4),
        torques=5,
        help_page="cg",
    ),
    _newmark(
        name="lie-newmark",
        title="Newmark on rotations",
        source=article(
            "Simo & Vu-Quoc 1988",
            "simo1988dynamics",
            citation="Simo & Vu-Quoc (1988), On the dynamics in space of rods undergoing large motions, a "
            "geometrically exact approach, Computer Methods in Applied Mechanics and Engineering 66, 125-161",
            author="Simo, J. C. and Vu-Quoc, L.",
            title="On the dynamics in space of rods undergoing large motions: a geometrically exact approach",
            where="Computer Methods in Applied Mechanics and Engineering 66, 125--161",
            doi="10.1016/0045-7825(88)90073-4",
        ),
        equations="Newmark scheme",
        cost=172,
        advice=N_(
            "The rule of structural dynamics, beta 1/4 and gamma 1/2: reversible; energy and angular momentum swing "
            "without drift, nothing is kept exactly."
        ),
        **look("NM", "#883377", "dot"),
        march=march_with(lie_newmark.step),
    ),
    _newmark(
        name="lie-alpha",
        energy="drifts",
        energy_under_torque="drifts",
        title="Generalised alpha on rotations",
        source=article(
            "Brüls & Cardona 2010",
            "bruls2010use",
            author="Brüls, Olivier and Cardona, Alberto",
            title="On the use of {L}ie group time integrators in multibody dynamics",
            where="Journal of Computational and Nonlinear Dynamics 5, 031002",
            doi="10.1115/1.4001370",
        ),
        equations="generalised-alpha scheme",
        cost=165,
        advice=N_(
            "Newmark with numerical damping of fast oscillations, spectral radius 0.9: useful in multibody "
            "codes, not for a single rigid body."
        ),
        marches={JOINTS: joint_alpha.march},
        **look("GA", "#EE6677", "dash"),
        start=_START,
        march=_MARCH,
        reversible=False,
    ),
    _row(
        name="lie-midpoint",
        title="Midpoint on rotations",
        source=article(
            "Krysl & Endres 2005",
            "krysl2005explicit",
            author="Krysl, P. and Endres, L.",
            title="Explicit {N}ewmark/{V}erlet algorithm for time integration of the rotational dynamics of rigid "
            "bodies",
            where="International Journal for Numerical Methods in Engineering 62, 2154--2177",
            doi="10.1002/nme.1272",
        ),
        equations="implicit midpoint form",
        order=2,
        implicit=True,
        energy="bounded",
        keeps_spin=True,
        keeps_spin_norm=True,
        reach=1.95,
        cost=178,
        advice=N_(
            "Angular momentum kept to rounding and energy bounded; the implicit form that the explicit scheme "
            "of the paper stands for."
        ),
        **look("MP", "#7766DD", "dash"),
        march=march_with(lie_midpoint.step),
        torques=1,
        keeps_vertical_spin=True,
    ),
)
