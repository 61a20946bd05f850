"""A vessel: a ship that turns about its centre of mass in calm water (Gustafsson 2010, section 5.2)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, matrix
from physics.core.wording import N_
from physics.scenario.common_config import NotNegative, Table
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.free.rotation_stream import course, equations
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System

LEVEL = math.radians(0.05)  # angle by which a ship's principal axes may lie off without a word


class MetacentricConfig(Table):
    """``metacentric_height``."""

    transverse: NotNegative = described(..., "GM transverse", "m", "Transverse metacentric height")
    longitudinal: NotNegative = described(..., "GM longitudinal", "m", "Longitudinal metacentric height")


class VesselConfig(Table):
    """``[vessel]``: restoring moments and damping (Gustafsson 2010, section 5.2)."""

    metacentric_height: MetacentricConfig
    damping: tuple[NotNegative, NotNegative, NotNegative] = described(
        (0.0, 0.0, 0.0), "Damping", "N m s", "D4, D5, D6", parts=("roll", "pitch", "yaw")
    )
    restoring: bool = described(True, about="whether gravity and buoyancy right it")


class VesselScenario(BodyScenario):
    """A scenario of kind ``vessel``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("verlet-magnus-2", "verlet-exact")
    later: ClassVar[frozenset[str]] = Scenario.later | {"vessel"}
    varied: ClassVar[frozenset[str]] = Scenario.varied | {"vessel"}

    kind: Literal["vessel"]
    vessel: VesselConfig | None = None

    def check_kind(self) -> None:
        """Check that there is a table of the vessel, and that its centre of mass stays."""
        if self.vessel is None:
            raise ScenarioError("vessel", N_("missing; expected a table with metacentric_height"))
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        self.refuse_motion_of_the_point()


def build(scenario: VesselScenario) -> AttachedWorld:
    """The body with what rights and damps it."""
    assert scenario.vessel is not None
    body = make_body(scenario)
    field = field_of(scenario.vessel, body, scenario.g)
    notes = (*body.notes, *notes_of(scenario.vessel, body))
    return AttachedWorld.at_start(scenario, body, body.inertia, arm=np.zeros(3), field=field, notes=notes)


def field_of(table: VesselConfig, body: Body, g: float) -> Array:
    """Potential and damping (12,), see physics.core.potential; what rights a ship levels the axes of its file."""
    height, weight = table.metacentric_height, body.mass * g
    stiff, axes = weight * table.restoring, matrix(body.axes)
    K = axes.T @ np.diag([stiff * height.longitudinal, stiff * height.transverse, 0.0]) @ axes
    return np.array([0.0, 0.0, 0.0, *np.diag(K), *table.damping, K[0, 1], K[0, 2], K[1, 2]])


def notes_of(table: VesselConfig, body: Body) -> tuple[str, ...]:
    """A note if what damps a vessel acts about other axes than those of its file."""
    off = 2.0 * math.asin(min(1.0, float(np.linalg.norm(body.axes[1:]))))
    if not any(table.damping) or off < LEVEL:
        return ()
    return (N_("damping acts about the hull's principal axes, {off:.2g}° off the axes of its file", math.degrees(off)),)


ROW = System(
    kind="vessel",
    equations=equations,
    scenario=VesselScenario,
    build=build,
    course=course,
    rotation_alone=True,
    torque=True,
    compiling=4.0,
)
