"""Kind "free": a body in free flight, whose energy and angular momentum should be conserved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.decades import Decades
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, COMPOUND
from app.kinds.kind import ROCK, BodyRole, Kind, measures, of_rock, solid
from app.kinds.quantities import Quantity, Reading, caption
from app.system.language import tr
from physics import Scenario
from physics.analysis import invariants
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import apply
from physics.systems.scenario_body import make_body

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import Number

CARDS = {"Body": COMPOUND, "Start": (ANGULAR_VELOCITY, ATTITUDE)}
RATE = Quantity("Rotation", "rad/s", quantities.norm("angular_velocity"), form="{:.2f} rad/s")
SPIN_ERROR = Quantity(
    "Spin error", "|L − L₀| / L₀", quantities.size(invariants.spin_error), error=Decades(), share=True
)
CHARTS = (quantities.EXACT_ATTITUDE_ERROR, *quantities.OMEGA, quantities.ENERGY_ERROR, SPIN_ERROR)
MORE = (
    Quantity("Departure |d|", "1", quantities.departure),
    Quantity("Departure |α|", "rad/s", quantities.rate_departure),
    Quantity("Lyapunov function", "|V|, kg² m⁴/s²", quantities.lyapunov, log=True),
    quantities.ORTHOGONALITY,
    RATE,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES,
)


@caption
def _numbers(now: Reading) -> tuple[Number, ...]:
    """Rate of rotation, and the errors of energy and angular momentum, which should both be conserved."""
    fastest = float(np.linalg.norm(now.run.since("spin"), axis=1).max()) / now.world.moments.min()
    return (
        now.number("|ω|", RATE, RATE.text(fastest)),
        now.number(tr("energy error"), quantities.ENERGY_ERROR),
        now.number(tr("spin error"), SPIN_ERROR),
    )


def _scene() -> SceneKind:
    from app.stage.camera.fit import flight
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.insets import LevelSet, MomentumSphere
    from app.stage.overlays.poinsot import Poinsot
    from app.stage.overlays.reference_frames import InBody, Points, inertial_axes
    from app.stage.scenes.lane_actors import Flight

    return SceneKind(
        lane=Flight,
        framing=flight,
        numbers=_numbers,
        overlays={
            "poinsot": Poinsot,
            "momentum": MomentumSphere,
            "level": LevelSet,
            "inertial": inertial_axes(1.35),
            "in-body": InBody,
            "points": Points,
        },
    )


def _tumbling(file: Path, reading: MeshReading, _: Scenario | None) -> Scenario:
    """A solid with the density of rock that rotates about its intermediate axis."""
    table = solid(file, reading) | {"density": ROCK}
    schemes = ("explicit", "implicit")
    still = Scenario(kind="free", title=file.stem, duration=20.0, step=0.01, schemes=schemes, body=table)
    made = make_body(still)
    about = np.full(3, 1e-3)
    about[np.argsort(made.inertia)[1]] = 10.0
    taken = measures(reading, made.extents, made.mass)
    what = "The hull of the points" if table["shape"] == "hull" else "The solid"
    note = f"{what} about its intermediate axis, with the density of rock; {taken}."
    rates = quantities.without_rounding(apply(made.axes, about), 10.0)
    return still.changed(note=note, **{"initial.angular_velocity": rates})


ROW = Kind(
    kind="free",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    role=BodyRole(
        "body", "Free body", "It tumbles in free space, about its intermediate axis", _tumbling, (0.02, 20.0), of_rock
    ),
)
