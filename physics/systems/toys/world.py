"""Table world: a smooth convex body, its surface, and where it starts on a plane that may tilt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from physics.bodies import shapes
from physics.bodies import surface as surfaces
from physics.bodies.body import IDENTITY, Body
from physics.bodies.surface import Surface
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, upwards
from physics.core.trajectory import State, Trajectory
from physics.core.wording import N_
from physics.scenario.common_config import BodyConfig
from physics.systems.toys.scenario import ToyScenario
from physics.systems.world import World


def tilt(orientation: Array) -> Array:
    """Angle of the body's z axis from the normal [rad], 0 to π; by the arc tangent, which keeps its digits near 0."""
    u = upwards(orientation)
    return np.asarray(np.arctan2(np.hypot(u[..., 0], u[..., 1]), u[..., 2]))


def contact_arm(surface: Surface, orientation: Array) -> Array:
    """Vector from the centre of mass to the lowest point of the body, in its axes [m]."""
    return surface.support(upwards(orientation))


def contact_point(surface: Surface, position: Array, orientation: Array) -> Array:
    """Lowest point of the body, in the frame of the table [m]."""
    return np.asarray(position + apply(orientation, contact_arm(surface, orientation)))


def slip(surface: Surface, orientation: Array, velocity: Array, angular_velocity: Array) -> Array:
    """Velocity of the material point at the contact, in the frame of the table [m/s]."""
    return np.asarray(velocity + apply(orientation, np.cross(angular_velocity, contact_arm(surface, orientation))))


def jellett(surface: Surface, moments: Array, orientation: Array, angular_velocity: Array) -> Array:
    """-L.ρ [kg m³/s]: constant on a sphere with the centre of mass on its axis, whatever force acts at the contact."""
    return np.asarray(-np.sum(moments * angular_velocity * contact_arm(surface, orientation), axis=-1))


DRAWN = 0.02  # share of the radius: the thickness with which a disk without any is drawn
TOUCHING = 1e-9  # share of the size: a gap that counts as none


NO_SLIP = 1000.0  # μ from which a body is said not to slip
IMPACT, LIFT_OFF = "impact", "lift-off"  # the kinds of events
STILL = 1e-4  # share of its speed: slip of a body that is said to roll; where friction holds it 1e-6 and less are left


@dataclass(frozen=True, kw_only=True)
class ToyWorld(World):
    """A body on a table, in the frame of the table: z along its normal, x downhill.

    Attributes
    ----------
    surface : what touches the table, in body axes
    size : largest half extent [m]
    """

    scenario: ToyScenario
    surface: Surface
    size: float

    @property
    def gravity(self) -> Array:
        """(3,) [m/s²]: a table that tilts has it along x and -z."""
        tilt = self.scenario.table.tilt
        return self.scenario.g * np.array([math.sin(tilt), 0.0, -math.cos(tilt)])

    @property
    def lossless(self) -> bool:
        """True if no law of friction takes energy: it slips freely or not at all. Impacts may."""
        table = self.scenario.table
        resisted = table.spin_radius + table.rolling_arm + table.contour + table.regularisation
        return table.viscous is None and resisted == 0.0 and (table.mu == 0.0 or table.mu >= NO_SLIP)

    def losing_from(self, run: Trajectory) -> float:
        """The first time [s] at which it hits the table, or friction without bound stops a slip at once."""
        found = [event.time for event in run.events if event.kind == IMPACT]
        worlds = (*self.earlier, self)
        for origin, world in zip(run.origins, worlds, strict=False):
            state = origin.state
            assert isinstance(world, ToyWorld)
            moves = float(np.linalg.norm(state.velocity)) + world.size * float(np.linalg.norm(state.angular_velocity))
            slips = slip(world.surface, state.orientation, state.velocity, state.angular_velocity)[:2]
            if world.scenario.table.mu >= NO_SLIP and float(np.hypot(*slips)) > STILL * moves:
                found.append(state.time)
        return min(found, default=math.inf)

    @property
    def least_potential_energy(self) -> float | None:
        """[J], of the body that lies as low as it can; None on a table that tilts."""
        if self.scenario.table.tilt != 0.0:
            return None
        z = np.linspace(-1.0, 1.0, 2001)
        turn, across = np.pi * (3.0 - math.sqrt(5.0)) * np.arange(2001), np.sqrt(1.0 - z * z)
        axes = np.linalg.eigh(self.surface.form)[1].T  # most bodies lie lowest on one of them
        ways = np.vstack([np.column_stack([across * np.cos(turn), across * np.sin(turn), z]), axes, -axes])
        return self.body.mass * self.scenario.g * float(self.surface.height(ways).min())

    def height(self, position: Array) -> Array:
        """Height of positions (n, 3) against gravity (n,) [m]."""
        tilt = self.scenario.table.tilt
        if tilt == 0.0:
            return np.asarray(position[:, 2])
        return np.asarray(position[:, 2] * math.cos(tilt) - position[:, 0] * math.sin(tilt))

    def gap(self, position: Array, orientation: Array) -> Array:
        """Between the body and the table (n,) [m], at positions (n, 3) and attitudes (n, 4)."""
        return np.asarray(position[..., 2] - self.surface.height(self.normal(orientation)))

    def starting(self, state: State) -> Self:
        """World that starts from a state; a new body that would lie below the table is set on it."""
        world = super().starting(state)
        below = -float(world.gap(world.position, world.orientation))
        if below <= TOUCHING * world.size:
            return world
        return replace(world, position=world.position + np.array([0.0, 0.0, below]))

    @staticmethod
    def normal(orientation: Array) -> Array:
        """The normal of the table in the body (n, 3)."""
        return upwards(orientation)


def build(scenario: ToyScenario) -> ToyWorld:
    """The body on the table; ScenarioError where it starts below it."""
    body, surface = body_and_surface(scenario.body)
    size = float(np.abs(body.extents).max() / 2.0)
    world = ToyWorld.at_start(scenario, body, body.inertia, surface=surface, size=size)
    return set_on_table(world)


def set_on_table(world: ToyWorld) -> ToyWorld:
    """The world with the body set on its table, or above it; ScenarioError where it starts below it."""
    return replace(world, **_start(world))


def _start(world: ToyWorld) -> dict[str, Any]:
    """Position and velocity: on the table unless position or height say otherwise, rolling unless the velocity does."""
    initial = world.scenario.initial
    u = world.normal(world.orientation)
    rho = world.surface.support(u)
    high, roll = float(world.surface.height(u)), -apply(world.orientation, np.cross(world.angular_velocity, rho))
    given = "height" if initial.position is None else "position"
    place = np.array([0.0, 0.0, initial.height or high]) if initial.position is None else world.position
    gap = float(place[2]) - high
    if gap < -TOUCHING * world.size:
        raise ScenarioError(
            f"initial.{given}",
            N_("the body starts {gap:.3g} m below the table; expected z of at least {high:.6g} m", -gap, high),
        )
    if gap > TOUCHING * world.size:
        return {"position": place}
    velocity = np.array([*world.velocity[:2], roll[2]]) if initial.gives("velocity") else roll
    return {"position": np.array([*place[:2], high]), "velocity": velocity}


def body_and_surface(table: BodyConfig) -> tuple[Body, Surface]:
    """The body with its moments, and its surface; both about the centre of mass, in principal axes."""
    form, mass, density = table.form, table.mass, table.density
    R = table.radius or 0.0
    length = math.hypot(*table.axes)
    axes, centre = np.array(table.axes) / length, -np.array(table.offset)
    if form in ("ellipsoid", "egg", "sphere", "tippe-top"):
        size = np.full(3, 2.0 * R) if table.size is None else np.array(table.size)
        body, surface = shapes.ellipsoid(size, mass, density), surfaces.ellipsoid(size / 2.0, centre, axes)
    else:
        size = np.array([2.0 * R, 2.0 * R, table.thickness] if table.size is None else table.size)
        drawn = size if size[2] > 0.0 else np.array([*size[:2], DRAWN * R])
        if table.mass is None and size[2] == 0.0:
            raise ScenarioError("body.mass", N_("missing; a disk without thickness has no volume for a density"))
        if table.mass is None and form == "hoop":
            raise ScenarioError("body.mass", N_("missing; a hoop, all at its rim, has no volume for a density"))
        body = shapes.cylinder(drawn, mass, density)
        if size[2] == 0.0:
            body = replace(body, inertia=body.mass * R * R * np.array([0.25, 0.25, 0.5]))
        surface = surfaces.disk(size[:2] / 2.0, size[2] / 2.0, table.rim, centre, axes)
    if form == "hoop":  # a band, as broad as it is thick
        aside = R * R / 2.0 + table.thickness**2 / 12.0
        body = replace(body, inertia=body.mass * np.array([aside, aside, R * R]))
    inertia = body.inertia if table.inertia is None else shapes.check_inertia(table.inertia)
    placed = np.ascontiguousarray(apply(axes, body.vertices) + centre)
    return replace(body, inertia=np.array(inertia), vertices=placed, axes=IDENTITY, surface=surface), surface
