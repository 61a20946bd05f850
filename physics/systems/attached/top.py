"""A top: a body under gravity that turns about a fixed point, as in Betsch & Siebert 2009, section 5.2."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from physics.bodies import shapes
from physics.bodies.body import IDENTITY, Body
from physics.bodies.compound import point_mass, principal_of
from physics.core.errors import ScenarioError
from physics.core.potential import SIZE
from physics.core.rotation import Array, apply
from physics.core.wording import N_
from physics.scenario.common_config import BodyConfig, Positive, Table, Vector3
from physics.scenario.described import described
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.free.rotation_stream import course, equations
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System


class TopConfig(Table):
    """``[top]``: a body whose moments are given about the fixed point."""

    distance: Positive | None = described(
        None, "Distance", "m", "From the tip to the centre of mass, along the top's axis"
    )
    centre: Vector3 | None = described(
        None,
        "Place",
        "m",
        "Of the centre of mass, from the tip, in the body's axes; they have to be principal axes there",
    )


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
        if self.top.centre is not None and self.top.distance is not None:
            raise ScenarioError("top.centre", N_("given beside top.distance; expected one of them"))
        if self.top.centre is not None and not any(self.top.centre):
            raise ScenarioError("top.centre", N_("expected a place away from the tip; else it is a free body"))


def build(scenario: TopScenario) -> AttachedWorld:
    """The body with its moments about the tip."""
    arm, moments, body = _about_the_tip(scenario)
    pull = body.mass * scenario.g * arm
    field = np.array([*pull, *np.zeros(SIZE - 3)])
    start = _precessing(scenario, moments, pull)
    return AttachedWorld.at_start(scenario, body, moments, arm=arm, field=field, **start)


def _about_the_tip(scenario: TopScenario) -> tuple[Array, Array, Body]:
    """Arm, moments about the fixed point, and the body of a top, whose axes are principal axes there."""
    table, arm = scenario.body, _arm(scenario)
    if scenario.top.centre is not None and table.form == "inertia":
        return arm, np.array(table.inertia), _box(table, arm)
    body = make_body(scenario)
    if not np.array_equal(body.axes, IDENTITY):
        raise ScenarioError("body", N_("expected a body whose z axis is a principal axis"))
    if table.inertia is None:
        tensor = np.diag(body.inertia) + point_mass(body.mass, arm)
        if np.abs(tensor - np.diag(np.diag(tensor))).max() > 1e-12 * tensor.max():
            raise ScenarioError(
                "top.centre",
                N_("expected it on one of the body's axes, which else are no principal axes about the tip"),
            )
        return arm, np.diag(tensor).copy(), body
    moments = np.array(table.inertia)
    if scenario.top.centre is not None:
        return arm, moments, body
    # drawn as the cone that has this distance and this moment about its axis
    cone = shapes.cone(4.0 / 3.0 * float(arm[2]), math.sqrt(moments[2] / (0.3 * body.mass)), body.mass)
    return arm, moments, cone


def _arm(scenario: TopScenario) -> Array:
    """Place (3,) [m] of the centre of mass from the tip, in body axes."""
    table, top = scenario.body, scenario.top
    if top.centre is not None:
        return np.array(top.centre)
    if top.distance is None and table.form == "cone":
        return np.array([0.0, 0.0, 0.75 * (table.height or 0.0) + float(make_body(scenario).centre[2])])
    if top.distance is None:
        raise ScenarioError("top.distance", N_("missing; expected the distance of the centre of mass from the tip [m]"))
    return np.array([0.0, 0.0, top.distance])


def _box(table: BodyConfig, arm: Array) -> Body:
    """The box that has a table's moments about the tip, drawn for a body that is known by them alone."""
    assert table.inertia is not None
    assert table.mass is not None
    moments, axes = principal_of(table.inertia, table.mass, -arm, IDENTITY)
    box = shapes.box_of_inertia(moments, table.mass)
    return replace(box, vertices=apply(axes, box.vertices))


def _precessing(scenario: TopScenario, moments: Array, pull: Array) -> dict[str, Array]:
    """The start from nutation, precession and spin (Betsch & Siebert 2009, section 5.2.1); {}: as the state says.

    pull (3,) : m g times the arm [N m]
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
        A, B, C = moments
        if pull[:2].any():
            raise ScenarioError("top.centre", N_("expected it on the top's axis, as initial.spin is 'steady'"))
        if abs(A - B) > 1e-9 * A:
            key = next((key for key in ("inertia", "size", "file", "part") if scenario.body.gives(key)), "shape")
            text = N_(
                "initial.spin = 'steady' expects equal moments A and B about the tip, got {A:g} and {B:g} kg m²", A, B
            )
            raise ScenarioError(f"body.{key}", text)
        spin = float(pull[2]) / (C * rate) + (A - C) / C * rate * math.cos(theta)
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
