"""A vessel: a ship that turns about its centre of mass in calm water (Gustafsson 2010, section 5.2); it may be steered.

What acts beside restoring moments and damping stands in tables of its own, see physics.schemes.steered.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate
from physics.core.wording import N_
from physics.scenario.common_config import NotNegative, Number, Positive, Table
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.schemes.driven_body import DrivenBody
from physics.schemes.driven_march import UNDER_TORQUE
from physics.schemes.steered import Steered
from physics.systems.free.actions import (
    Actions,
    BodyDampingConfig,
    Torques,
    driven_body,
    rotors_of,
)
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.free.rotation_stream import course, equations
from physics.systems.metacentric import MetacentricConfig, righting
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System

LEVEL = math.radians(0.05)  # angle by which a ship's principal axes may lie off without a word


class VesselConfig(Table):
    """``[vessel]``: restoring moments and damping (Gustafsson 2010, section 5.2)."""

    metacentric_height: MetacentricConfig
    damping: tuple[NotNegative, NotNegative, NotNegative] = described(
        (0.0, 0.0, 0.0), "Damping", "N m s", "D4, D5, D6", parts=("roll", "pitch", "yaw")
    )
    restoring: bool = described(True, about="whether gravity and buoyancy right it")


class SteeringConfig(Table):
    """``[steering]``: a controller of the heading, by a torque about the vessel's z axis."""

    heading: Number = described(
        ..., "Course", "rad", "Heading that a controller holds, from the x axis towards the y axis", empty="none"
    )
    proportional: NotNegative = described(
        0.0, "Proportional", "N m", "Torque over the angle to the course [rad], the shorter way round"
    )
    derivative: NotNegative = described(0.0, "Derivative", "N m s", "Torque over the rate about the vessel's z axis")
    limit: Positive | None = described(None, "Limit", "N m", "Largest torque of the controller", empty="none")

    @model_validator(mode="after")
    def _acts(self) -> SteeringConfig:
        if self.proportional == self.derivative == 0.0:
            raise ScenarioError("proportional", N_("missing; a controller expects it, or derivative"))
        return self


class FlowConfig(Table):
    """Wind or current: its torque about the vessel's z axis turns it broadside."""

    speed: Positive = described(..., "Speed", "m/s", empty="none")
    direction: Number = described(
        0.0, "Direction", "rad", "Of travel, from the x axis towards the y axis; 0: from astern of a bow along x"
    )
    area: Positive = described(..., "Lateral area", "m²", "That the flow meets from the side")
    length: Positive | None = described(None, "Length", "m", "Over which it acts", empty="of the body")
    coefficient: NotNegative = described(0.1, "Coefficient", about="Factor of the sine of twice the angle")
    density: Positive = described(..., "Density", "kg/m³")


class AirFlowConfig(FlowConfig):
    """``[wind]``: turns the vessel broadside, by a torque about its z axis."""

    density: Positive = described(1.225, "Density", "kg/m³", "Of the air")


class WaterFlowConfig(FlowConfig):
    """``[current]``: turns the vessel broadside, by a torque about its z axis."""

    density: Positive = described(1025.0, "Density", "kg/m³", "Of the water")


class VesselScenario(BodyScenario):
    """A scenario of kind ``vessel``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("verlet-magnus-2", "verlet-exact")
    steering_tables: ClassVar[frozenset[str]] = frozenset({"torque", "steering", "wind", "current"})
    later: ClassVar[frozenset[str]] = Scenario.later | {"vessel"} | steering_tables
    varied: ClassVar[frozenset[str]] = Scenario.varied | {"vessel"} | steering_tables

    kind: Literal["vessel"]
    vessel: VesselConfig | None = None
    torque: Torques = ()
    steering: SteeringConfig | None = None
    wind: AirFlowConfig | None = None
    current: WaterFlowConfig | None = None

    def check_kind(self) -> None:
        """Check that there is a table of the vessel, and that its centre of mass stays."""
        if self.vessel is None:
            raise ScenarioError("vessel", N_("missing; expected a table with metacentric_height"))
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        self.refuse_motion_of_the_point()

    @property
    def acted(self) -> bool:
        """True if a torque is given, or a controller, wind or current turns it."""
        return bool(self.torque or self.steering or self.wind or self.current)

    @property
    def served(self) -> str:
        """The schemes that serve it: of bodies under torque, where it is steered."""
        return UNDER_TORQUE if self.acted else self.kind


def build(scenario: VesselScenario) -> AttachedWorld:
    """The body with what rights and damps it."""
    assert scenario.vessel is not None
    body = make_body(scenario)
    field = field_of(scenario.vessel, body, scenario.g)
    notes = (*body.notes, *notes_of(scenario.vessel, body))
    acting = steered(scenario, body, field) if scenario.acted else None
    return AttachedWorld.at_start(
        scenario, body, body.inertia, arm=np.zeros(3), field=field, acting=acting, notes=notes
    )


def steered(scenario: VesselScenario, body: Body, field: Array) -> DrivenBody:
    """The vessel as compiled code takes it with all that acts; ScenarioError for a file that is no table."""
    given = Actions(scenario.torque, (), None, None, BodyDampingConfig())
    bow, _, mast = apply(conjugate(body.axes), np.eye(3))
    flows = np.zeros((2, 2))
    for row, name in zip(flows, ("wind", "current"), strict=True):
        flow: FlowConfig | None = getattr(scenario, name)
        if flow is not None:
            row[:] = torque_of(flow, body), math.remainder(flow.direction, 2.0 * math.pi)
            if not math.isfinite(row[0]):
                raise ScenarioError(f"{name}.speed", N_("the torque overflows; expected a slower flow"))
    helm = scenario.steering
    gains = np.zeros(4)
    if helm is not None:
        course = math.remainder(helm.heading, 2.0 * math.pi)  # within half a turn, as all that reads it expects
        gains[:] = helm.proportional, helm.derivative, math.inf if helm.limit is None else helm.limit, course
    made = driven_body(given, body, rotors_of((), np.zeros(3)), Path(scenario.folder))
    vessel = Steered(True, field, np.ascontiguousarray(bow), np.ascontiguousarray(mast), flows, gains)
    return made._replace(vessel=vessel)


def torque_of(flow: FlowConfig, body: Body) -> float:
    """The largest torque of wind or current [N m]: half the density times speed squared, coefficient, area, length."""
    length = length_of(body) if flow.length is None else flow.length
    return 0.5 * flow.density * flow.speed * flow.speed * flow.coefficient * flow.area * length


def length_of(body: Body) -> float:
    """Extent of a hull ahead [m], along the x axis of its file."""
    return float(body.extents[0])


def field_of(table: VesselConfig, body: Body, g: float) -> Array:
    """Potential and damping (12,), see physics.core.potential; what rights a ship levels the axes of its file."""
    K = righting(table.metacentric_height, body, g * table.restoring)
    return np.array([0.0, 0.0, 0.0, *K[:3], *table.damping, *K[3:]])


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
