"""Kind "table": a toy on a table, with its tilt, spin about the normal, energy and Jellett's integral."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, GRAVITY, MASS, field_of
from app.kinds.kind import Kind
from app.kinds.quantities import Quantity, Reading, by_stretches, caption
from app.system.language import tr
from physics import Scenario, Trajectory, World
from physics.analysis import invariants, toy_motion
from physics.core.rotation import Array
from physics.scenario.body_shapes import SMOOTH
from physics.systems.scenario_body import of_body
from physics.systems.toys import world as toy_columns
from physics.systems.toys.scenario import ToyScenario
from physics.systems.toys.world import NO_SLIP, ToyWorld

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber


def _shape(scenario: Scenario) -> str:
    return of_body(scenario).body.form


def _of(values: Callable[[Trajectory, ToyWorld], Array]) -> Callable[[Trajectory, World], Array]:
    """Values of a toy's world as those of any world."""

    def found(run: Trajectory, world: World) -> Array:
        assert isinstance(world, ToyWorld)
        return np.asarray(values(run, world))

    return by_stretches(found)


def _jellett_error(run: Trajectory, world: ToyWorld) -> Array:
    """Change of Jellett's -L.ρ over |L||ρ| at the start (n,)."""
    turning = world.moments, run.start.orientation, run.start.angular_velocity
    first = toy_columns.jellett(world.surface, *turning)
    arm = np.linalg.norm(toy_columns.contact_arm(world.surface, run.start.orientation))
    scale = float(arm * np.linalg.norm(world.moments * run.start.angular_velocity)) or 1.0
    return np.asarray(np.abs(toy_motion.jellett(run, world) - first) / scale)


def _energy_error(run: Trajectory, world: World) -> Array:
    """Energy error (n,), NaN from the first impact on, which takes energy as it should."""
    return np.where(run.time < world.losing_from(run), invariants.energy_error(run), np.nan)


_row = partial(field_of, ToyScenario)
CARDS = {
    "Body": (
        _row("body.shape", about="A smooth convex body; a hoop has all its mass at the rim", choices=SMOOTH, reads=_shape),
        _row("body.size", about="Extents along the axes of the shape", empty=None),
        _row("body.radius"),
        _row("body.thickness", about="Along the axis"),
        _row("body.rim"),
        _row("body.offset"),
        _row("body.axes"),
        _row("body.inertia", label="Principal moments", about="About the centre of mass; given, they win over those of the shape", parts=("A", "B", "C"), least=0),
        *MASS,
    ),
    "Table": (
        _row("table.tilt"),
        _row("table.mu"),
        _row("table.spin_radius"),
        _row("table.rolling_arm"),
        _row("table.contour"),
        _row("table.viscous"),
        _row("table.regularisation"),
        _row("table.restitution"),
        GRAVITY,
    ),
    "Start": (
        ANGULAR_VELOCITY,
        ATTITUDE,
        _row("initial.velocity", about="Of the centre of mass", empty="it rolls without slipping"),
        _row("initial.position", about="Of the centre of mass", empty="above the origin, on the table"),
        _row("initial.height"),
    ),
}  # fmt: skip
TILT = Quantity("Tilt", "°", _of(lambda run, world: np.degrees(toy_motion.tilt(run, world))), form="{:.1f}°")
TURNING = Quantity("Spin about the normal", "rad/s", _of(toy_motion.spin_about_normal), form="{:.1f} rad/s")
SLIP = Quantity(
    "Slip",
    "m/s",
    _of(lambda run, world: np.linalg.norm(toy_motion.slip(run, world)[:, :2], axis=1)),
    form="{:.3f} m/s",
)
CHARTS = (
    quantities.ATTITUDE_ERROR,
    TILT,
    TURNING,
    Quantity("Total energy", "J", lambda run, _: run.total_energy),
    Quantity("Height of the centre of mass", "m", lambda run, _: run.position[:, 2]),
)
MORE = (
    quantities.relative_error("Jellett's integral error", "|ΔL·ρ| / |L||ρ|", _of(_jellett_error)),
    Quantity("Friction f_t / (μ N)", "1", _of(toy_motion.friction_used), mean=True),
    Quantity("Friction needed f_t / N", "1", _of(toy_motion.friction_needed), mean=True),
    Quantity("Normal force", "N", _of(lambda run, world: toy_motion.force(run, world)[:, 2]), mean=True),
    Quantity("Precession Ω² sin θ R / g", "1", _of(toy_motion.precession_number)),
    SLIP,
    replace(quantities.ENERGY_ERROR, values=_energy_error),
    Quantity("Contacts", "1", lambda run, _: run.contact),
    *quantities.OMEGA,
    *quantities.PLACE,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES[:2],
    quantities.ORTHOGONALITY,
)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Tilt, spin about the normal and slip; the energy error as long as neither a law nor an impact takes energy."""
    world = now.world
    assert isinstance(world, ToyWorld)
    turning = float(np.linalg.norm(world.angular_velocity))
    fastest = float(np.linalg.norm(world.velocity)) + turning * world.body.radius
    slips = world.scenario.table.mu < NO_SLIP
    struck = world.losing_from(now.run) <= now.time
    return (
        now.number(tr("tilt"), TILT, "188.8°"),
        now.number(tr("spin", "about its axis"), TURNING, TURNING.text(-max(turning, 10.0))),
        *((now.number(tr("slip"), SLIP, SLIP.text(fastest)),) if slips else ()),
        *(one._replace(text="") if struck else one for one in now.energy()),
    )


def _scene() -> SceneKind:
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.reference_frames import inertial_axes
    from app.stage.scenes.toys import ToyContactMarks, ToyScene, framing, vicinity

    return SceneKind(
        lane=ToyScene,
        framing=framing,
        numbers=_numbers,
        vicinity=vicinity,
        overlays={
            "inertial": inertial_axes(1.2),
            "contacts": ToyContactMarks,
        },
    )


ROW = Kind(kind="table", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
