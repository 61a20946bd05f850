"""A top: a body under gravity that turns about a fixed point of its axis (Betsch & Siebert 2009, section 5.2)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from physics.bodies import shapes
from physics.bodies.body import IDENTITY, Body
from physics.core.errors import ScenarioError
from physics.core.potential import SIZE
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.scenario.common_config import Positive, Table
from physics.scenario.described import described
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.free.rotation_stream import course, equations
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System


class TopConfig(Table):
    """``[top]``: a body whose moments are given about the fixed point."""

    distance: Positive | None = described(None, "Centre of mass", "m", "Distance from the tip, along the top's axis")


class TopScenario(BodyScenario):
    """A scenario of kind ``top``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("quat-em", "dir-em")
    refused: ClassVar[tuple[str, ...]] = (*BodyScenario.refused, "inertia_about", "inertia_axes")

    kind: Literal["top"]
    top: TopConfig = TopConfig()

    def check_kind(self) -> None:
        """The tip stays; moments that are given have no body beside them."""
        self.refuse_random_orientation()
        self.refuse_motion_of_the_point()
        if self.body.inertia is not None and self.body.form not in ("inertia", "cone"):
            key = "size" if self.body.size is not None else "file"
            raise ScenarioError(f"body.{key}", N_("not a key of a top whose inertia is given, with mass and distance"))


def build(scenario: TopScenario) -> AttachedWorld:
    """The body with its moments about the tip."""
    given = make_body(scenario)
    arm, moments, body = _about_the_tip(scenario, given)
    weight = body.mass * scenario.g * float(arm[2])
    field = np.array([0.0, 0.0, weight, *np.zeros(SIZE - 3)])
    start = _precessing(scenario, moments, weight)
    return AttachedWorld.at_start(scenario, body, moments, arm=arm, field=field, **start)


def _about_the_tip(scenario: TopScenario, body: Body) -> tuple[Array, Array, Body]:
    """Arm, moments about the fixed point, and the body of a top; its axis is the body's z axis."""
    table, distance = scenario.body, scenario.top.distance
    if table.form == "cone" and distance is None:
        distance = 0.75 * (table.height or 0.0) + float(body.centre[2])
    if distance is None:
        raise ScenarioError("top.distance", N_("missing; expected the distance of the centre of mass from the tip [m]"))
    if not np.array_equal(body.axes, IDENTITY):
        raise ScenarioError("body", N_("expected a body whose z axis is a principal axis"))
    added = body.mass * distance * distance * np.array([1.0, 1.0, 0.0])
    if table.inertia is None:
        return np.array([0.0, 0.0, distance]), body.inertia + added, body
    moments = np.array(table.inertia)
    # drawn as the cone that has this distance and this moment about its axis
    cone = shapes.cone(4.0 / 3.0 * distance, math.sqrt(moments[2] / (0.3 * body.mass)), body.mass)
    return np.array([0.0, 0.0, distance]), moments, cone


def _precessing(scenario: TopScenario, moments: Array, weight: float) -> dict[str, Array]:
    """The start from nutation, precession and spin (Betsch & Siebert 2009, section 5.2.1); {}: as the state says.

    weight : m g l [N m]
    """
    initial = scenario.initial
    if initial.nutation is None:
        if initial.precession is not None or initial.spin is not None:
            raise ScenarioError("initial.nutation", N_("missing; precession and spin expect it"))
        return {}
    theta, rate, spin = initial.nutation, initial.precession or 0.0, initial.spin or 0.0
    if spin == "steady":
        if rate == 0.0:
            raise ScenarioError("initial.precession", N_("'steady' expects a rate other than 0 [rad/s]"))
        A, C = moments[0], moments[2]
        spin = weight / (C * rate) + (A - C) / C * rate * math.cos(theta)
    orientation = np.array([math.cos(theta / 2), math.sin(theta / 2), 0.0, 0.0])
    angular_velocity = np.array([0.0, rate * math.sin(theta), rate * math.cos(theta) + spin])
    return {"orientation": orientation, "angular_velocity": angular_velocity}


ROW = System(
    kind="top",
    equations=equations,
    scenario=TopScenario,
    build=build,
    course=course,
    rotation_alone=True,
    torque=True,
    passive=True,
)
