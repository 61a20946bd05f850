"""Kind "top": a top on its tip, whose energy and vertical angular momentum should be conserved."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.field import GRAVITY, MASS, Field, either, field_of
from app.kinds.kind import Kind
from app.kinds.quantities import Quantity, Reading, caption
from app.system.language import tr
from physics import Scenario, Trajectory, World
from physics.analysis import integrable_tops, invariants
from physics.core.rotation import Array, nutation
from physics.systems.attached.top import TopScenario
from physics.systems.free.rotating_world import AttachedWorld

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.lane_track import LaneTrack
    from app.stage.overlays.overlay import Overlay
    from app.stage.scenes.lane_numbers import CaptionNumber
    from app.stage.theme_colours import StageColours

STATE, PRECESSION = ("initial.given", ("state",)), ("initial.given", ("precession",))


def _precesses(scenario: Scenario) -> str:
    return "state" if scenario.initial.nutation is None else "precession"


def _spin(scenario: Scenario) -> float | None:
    spin = scenario.initial.spin
    return None if spin == "steady" else spin or 0.0


def _placed(scenario: Scenario) -> bool:
    """True for a top whose centre of mass is given; that of a cone on its tip follows from its height."""
    return isinstance(scenario, TopScenario) and scenario.top.gives("distance", "centre")


def _solved(case: str, world: World) -> bool:
    return integrable_tops.case_of(world) == case


def _integral_error(case: str, run: Trajectory, world: World) -> Array:
    """Change of the integral of a case, NaN where an edit makes another case of a top."""
    if not _solved(case, world):
        return np.full(len(run), np.nan)
    return np.abs(integrable_tops.integral_error(run, world))


_row = partial(field_of, TopScenario)
CARDS = {
    "Top": (
        _row("body.height", only=None),
        _row("body.radius", only=None),
        _row("body.inertia", label="Principal moments", about="About the tip; C about the top's own axis. None may exceed the sum of the others", parts=("A", "B", "C"), empty=None, least=0),
        *either("top.placed", "Centre of mass", "How its place is given: by the distance along the top's axis, or by three coordinates", {key: (_row(f"top.{key}"),) for key in ("distance", "centre")}, fits=_placed),
        *MASS,
        GRAVITY,
    ),
    "Start": (
        Field("initial.given", "Given by", about="How the start is given: by the motion of the axis, or by attitude and angular velocity", choices=("precession", "state"), reads=_precesses, implied=True),
        _row("initial.nutation", only=PRECESSION),
        _row("initial.precession", only=PRECESSION),
        _row("initial.spin", only=PRECESSION, reads=_spin),
        _row("initial.angular_velocity", only=STATE),
        _row("initial.orientation", only=STATE),
    ),
}  # fmt: skip
NUTATION = Quantity("Nutation", "°", lambda run, _: nutation(run.orientation), form="{:.2f}°")
VERTICAL_SPIN_ERROR = quantities.relative_error(
    "Vertical angular momentum error", "|ΔL₃| / |L₀|", quantities.size(invariants.vertical_spin_error)
)
INTEGRALS = tuple(
    quantities.relative_error(
        title,
        unit,
        quantities.by_stretches(partial(_integral_error, case)),
        fits=partial(_solved, case),
    )
    for case, title, unit in (
        ("Lagrange", "Axial angular momentum error", "|ΔL_C| / |L₀|"),
        ("Kovalevskaya", "Kovalevskaya integral error", "|ΔK| / (p² + q² + c)²"),
        ("Goryachev-Chaplygin", "Goryachev-Chaplygin integral error", "|ΔG| / (ω² + c)^1.5"),
    )
)
CHARTS = (
    quantities.ATTITUDE_ERROR,
    NUTATION,
    Quantity("Height of the centre of mass", "m", lambda run, _: run.position[:, 2]),
    quantities.ENERGY_ERROR,
    VERTICAL_SPIN_ERROR,
    *INTEGRALS,
)
MULTIPLIER = Quantity("Multiplier of |q| = 1", "J", lambda run, _: invariants.constraint_multiplier(run))
MORE = (
    *quantities.OMEGA,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES,
    quantities.ORTHOGONALITY,
    MULTIPLIER,
)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Nutation, and the errors of energy and vertical angular momentum, which should be conserved."""
    return (
        now.number(tr("nutation"), NUTATION, "188.88°"),
        now.number(tr("energy error"), quantities.ENERGY_ERROR),
        now.number(tr("vertical L error"), VERTICAL_SPIN_ERROR),
    )


def _scene() -> SceneKind:
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.reference_frames import InertialAxes
    from app.stage.scenes.top import ReferencePath, Top, axis_length, framing

    def axes(tracks: Sequence[LaneTrack], look: StageColours) -> Overlay:
        world = tracks[0].world
        assert isinstance(world, AttachedWorld)
        return InertialAxes(tracks, look, axis_length(world))

    return SceneKind(
        lane=Top,
        framing=framing,
        numbers=_numbers,
        overlays={
            "inertial": axes,
            "reference": ReferencePath,
        },
    )


ROW = Kind(kind="top", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
