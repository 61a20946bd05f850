"""The world of a ship: a loaded hull in water, where it floats, and what acts on it."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.bodies.body import Body
from physics.bodies.mesh_io import MeshReading, when_written
from physics.bodies.shapes import principal
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, matrix, multiply
from physics.core.trajectory import Block
from physics.core.wording import N_
from physics.hydrostatics.flotation import FloatingPose, equilibrium, hydrostatics, placed
from physics.hydrostatics.hull import Hull, LoadedHull, loaded, make_hull, read_hull
from physics.hydrostatics.stability_sheet import SheetInputs
from physics.hydrostatics.weather_criterion import Windage
from physics.schemes.driven_march import DRIVEN
from physics.schemes.scheme import Scheme
from physics.seakeeping.ship_model import FINS, GYRO, ShipModel, fit_for
from physics.seakeeping.ship_motion import potential_energies, pressure_and_weight
from physics.seakeeping.waves import Waves, calm, irregular, regular
from physics.systems.ship.scenario import HullConfig, ShipScenario, StabilityConfig, reading_of
from physics.systems.world import World

LOWER = 1e-6  # share of the size of the hull: a rest that is lower by less is the same
KEPT = 20_000  # forces of the water that a world remembers: 6 MB


@dataclass(frozen=True, kw_only=True)
class ShipWorld(World):
    """A ship in water.

    Attributes
    ----------
    load : the hull with its mass and its centre of gravity
    rest : the pose in which it floats by itself, at heading 0
    model : the ship as compiled code takes it; in waves with smaller triangles
    waves : the sea
    """

    load: LoadedHull
    rest: FloatingPose
    model: ShipModel
    waves: Waves

    @property
    def driven(self) -> bool:
        """True if something may give energy to the motion: waves, wind, or control."""
        return self.model.driven

    @property
    def lossless(self) -> bool:
        """True if only gravity and the pressure of calm water act."""
        return self.model.passive

    def highest_order(self, scheme: Scheme) -> int | None:
        """2 for a splitting whose free motion has to be exact, where water moves with the hull; None for others.

        Compositions of Störmer-Verlet steps need none: they are those that serve a driven body too.
        """
        exact = scheme.family == "splitting" and DRIVEN not in scheme.marches
        return 2 if exact and self.model.added.any() else None

    @property
    def knots(self) -> Array:
        """The start of a gust."""
        moment, gust, begin = self.model.wind
        return np.array([begin] if moment and gust != 1.0 else [])

    @property
    def shortest_period(self) -> float:
        """Shortest period of the waves [s]."""
        frequency = self.waves.frequency.max(initial=0.0)
        return float(2.0 * math.pi / frequency) if frequency else math.inf

    def kinetic_energy(self, block: Block, spin: Array) -> Array:
        """(n,) [J], with that of the water that moves with the hull."""
        found, added = super().kinetic_energy(block, spin), self.model.added
        along = apply(conjugate(block.orientation), block.velocity)
        return np.asarray(found + 0.5 * (along**2 @ added[:3] + block.angular_velocity**2 @ added[3:]))

    @property
    def least_potential_energy(self) -> float:
        """[J], of the ship that floats at rest; where it starts turned over, of the rest that it falls to, if lower."""
        start = self.pose(float(self.position[2]), matrix(self.orientation))
        settled = equilibrium(self.load, start.heel, start.trim)
        lowest = settled if settled.energy < self.rest.energy - LOWER * self.load.size else self.rest
        weight = self.body.mass * self.scenario.g
        return weight * lowest.height - self.load.density * self.scenario.g * lowest.integrals.z

    def potential_energy(self, block: Block) -> Array:
        """m g z - rho g int z dV over the part below calm water, (n,) [J]."""
        attitudes = matrix(multiply(block.orientation, self.body.axes))
        return potential_energies(self.model, np.ascontiguousarray(block.position[:, 2]), attitudes)

    def water(self, time: float, position: Array, orientation: Array) -> tuple[Array, Array]:
        """Force [N] of the water at a time, and its moment about the centre of gravity [N m], in inertial axes.

        In an irregular sea it takes 5 ms, and charts, captions and marks ask for the same: what is known is kept.
        """
        asked = np.array([time, *position, *orientation]).tobytes()
        found = self._known.get(asked)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[asked] = self._water(time, position, orientation)
        return found

    @cached_property
    def _known(self) -> dict[bytes, tuple[Array, Array]]:
        return {}

    def _water(self, time: float, position: Array, orientation: Array) -> tuple[Array, Array]:
        q, _ = self.body.to_principal(orientation, np.zeros(3))
        place, turn = (position[0], position[1], position[2]), (q[0], q[1], q[2], q[3])
        force, moment = pressure_and_weight(self.model, time, place, turn, np.empty((3, 3)))
        weight = np.array([0.0, 0.0, self.model.mass * self.model.gravity])
        return force + weight, apply(q, np.array(moment))

    def pose(self, height: float, rotation: Array) -> FloatingPose:
        """The hull in calm water with G at a height [m] and at an attitude (3, 3), as if at heading 0."""
        heel = math.atan2(rotation[2, 1], rotation[2, 2])
        trim = math.atan2(-rotation[2, 0], math.hypot(rotation[0, 0], rotation[1, 0]))
        return placed(self.load, heel, trim, height)


def attitude_of(yaw: float, trim: float, heel: float) -> Array:
    """The attitude (4,) of these angles [rad]."""
    about_z = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
    about_y = (math.cos(trim / 2), 0.0, math.sin(trim / 2), 0.0)
    about_x = (math.cos(heel / 2), math.sin(heel / 2), 0.0, 0.0)
    return multiply(multiply(about_z, about_y), about_x)


# ---- building --------------------------------------------------------------------------------------------


def build(scenario: ShipScenario) -> ShipWorld:
    """The hull is read or made, loaded, and floated."""
    table = scenario.hull
    assert table is not None
    load = load_of(scenario)
    sheet_inputs(scenario.stability, load)
    body = _body(load, table)
    rest = equilibrium(load)
    initial, start = scenario.initial, dict[str, Any]()
    if not initial.gives("orientation"):
        start["orientation"] = attitude_of(
            initial.yaw or 0.0,
            rest.trim if initial.trim is None else initial.trim,
            rest.heel if initial.heel is None else initial.heel,
        )
    if initial.position is None:
        start["position"] = np.array([0.0, 0.0, rest.height + (initial.heave or 0.0)])
    if rest.draught >= scenario.water.depth:
        expected = N_("expected more than the ship's draught of {draught:.4g} m", rest.draught)
        raise ScenarioError("water.depth", N_("the ship would lie on the ground; {expected}", expected))
    sea, model = sea_of(scenario), _model(scenario, rest, body)
    points, triangles, note = fit_for(sea, body.corners, body.faces)
    model = model._replace(
        vertices=np.ascontiguousarray(points),
        triangles=np.ascontiguousarray(triangles, np.int64),
        waves=None if sea.is_calm else np.ascontiguousarray(sea.table),
        depth=sea.depth,
        wheeler=sea.wheeler,
    )
    start["notes"] = (*body.notes, *([note] if note else []))
    return ShipWorld.at_start(scenario, body, body.inertia, load=load, rest=rest, model=model, waves=sea, **start)


def sea_of(scenario: ShipScenario) -> Waves:
    """The waves of a scenario; ScenarioError, naming the field, where there is no such sea."""
    wave, depth = scenario.wave, scenario.water.depth
    if wave is None:
        return calm(depth)
    common: dict[str, Any] = {"direction": wave.direction, "stretching": wave.stretching}
    common |= {"depth": depth, "gravity": scenario.g}
    try:
        if wave.spectrum is None:
            return regular(wave.height or 0.0, wave.period or 0.0, phase=wave.phase, **common)
        given = (wave.significant_height or 0.0, wave.peak_period or 0.0, wave.gamma, wave.components, wave.seed)
        return irregular(wave.spectrum, *given, **common)
    except ScenarioError as error:
        raise ScenarioError(f"wave.{error.field}", error.message) from None


def hull_of_scenario(scenario: ShipScenario) -> Hull:
    """The hull of a scenario; ScenarioError where its file holds none."""
    table = scenario.hull
    assert table is not None
    if table.shape is not None:
        try:
            return make_hull(table.shape, table.size or (), table.panels)
        except ScenarioError as error:
            raise ScenarioError("hull.size", error.message) from None
    path = scenario.path(table.file or "")
    return _read(path, when_written(path), reading_of(table)) if os.path.isfile(path) else read_hull(path)


@lru_cache(maxsize=2)  # an edit must not read the file again
def _read(path: Path, written: tuple[int, ...], reading: MeshReading) -> Hull:
    return read_hull(path, reading)


def load_of(scenario: ShipScenario) -> LoadedHull:
    """The hull of a scenario with its mass; ScenarioError, naming the field, where it cannot float so."""
    table, hull, density = scenario.hull, hull_of_scenario(scenario), scenario.water.density
    assert table is not None
    try:
        mass = table.mass if table.mass is not None else _mass_at(hull, table.draught or 0.0, density)
        return loaded(hull, mass, table.centre_of_gravity, density)
    except ScenarioError as error:
        where = {"mass": "hull.mass", "centre of gravity": "hull.centre_of_gravity"}.get(error.field, "hull")
        raise ScenarioError(where, error.message) from None


def sheet_inputs(table: StabilityConfig, load: LoadedHull, hull: HullConfig | None = None) -> SheetInputs:
    """Inputs of the sheet of a loaded hull; ScenarioError, naming the field, where it has no such draught or mass.

    hull : gives the inertia and the added mass, where there is a table of it
    """
    depth = float(np.ptp(load.hull.points[:, 2]))
    for draught in table.draughts or ():
        if not draught < depth:
            raise ScenarioError("stability.draughts", _too_deep(draught, depth))
    for mass in table.displacements or ():
        try:
            loaded(load.hull, mass, load.centre_of_gravity, load.density)
        except ScenarioError as error:
            raise ScenarioError("stability.displacements", error.message) from None
    windage = None
    if table.windage_area is not None and table.windage_lever is not None and table.deck_edge is not None:
        sharp = table.bilges == "sharp"
        windage = Windage(table.windage_area, table.windage_lever, table.deck_edge, table.bilge_keels, sharp)
    inputs = SheetInputs(
        table.draughts or (),
        table.displacements or (),
        openings=table.openings or (),
        tanks=table.tanks or (),
        windage=windage,
    )
    if hull is None:
        return inputs
    roll, pitch = np.diag(_tensor(load, hull))[:2].tolist()
    return replace(inputs, inertia=(roll, pitch), added=hull.added_mass[2:5])


def _too_deep(draught: float, depth: float) -> str:
    return N_("a draught of {draught:g} m sinks it; expected less than its depth of {depth:g} m", draught, depth)


def _mass_at(hull: Hull, draught: float, density: float) -> float:
    """The mass [kg] that the hull displaces upright at a draught [m]."""
    depth = float(np.ptp(hull.points[:, 2]))
    if not draught < depth:
        raise ScenarioError("mass", _too_deep(draught, depth))
    held = placed(LoadedHull(hull, 1.0, np.zeros(3), density), 0.0, 0.0, -hull.keel - draught)
    return density * held.integrals.volume


def _tensor(load: LoadedHull, table: HullConfig) -> Array:
    """Inertia about the centre of gravity, in the axes of the hull (3, 3) [kg m²]."""
    if table.radii_of_gyration is not None:
        return np.diag(load.mass * np.square(table.radii_of_gyration))
    xx, yy, zz, xy, xz, yz = (*(table.inertia or ()), 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _body(load: LoadedHull, table: HullConfig) -> Body:
    """The ship as a rigid body in the axes of the hull, from its centre of gravity."""
    tensor = _tensor(load, table)
    key = "radii_of_gyration" if table.radii_of_gyration is not None else "inertia"
    moments, axes = principal(tensor)
    if not (moments > 0.0).all():
        raise ScenarioError(f"hull.{key}", N_("expected three moments above 0 kg m², got {moments}", moments.tolist()))
    notes = tuple(N_("{name}: {note}", load.hull.name, note) for note in (*load.hull.notes, *load.hull.repairs))
    if (most := float(moments.max())) > (moments.sum() - most) * (1.0 + 1e-12):  # published ships have such radii
        notes = (
            *notes,
            N_(
                "hull.{key}: one moment exceeds the sum of the others, impossible for a rigid body; taken as given", key
            ),
        )
    if any(table.added_mass) and not np.array_equal(axes, (1.0, 0.0, 0.0, 0.0)):
        raise ScenarioError(
            "hull.added_mass", N_("expects principal axes along the hull; expected inertia of 3 numbers")
        )
    hull = load.hull
    return Body(load.mass, moments, load.vertices, hull.triangles, hull.volume, axes, convex=False, notes=notes)


def _model(scenario: ShipScenario, rest: FloatingPose, body: Body) -> ShipModel:
    table, wind, control = scenario.hull, scenario.wind, scenario.control
    assert table is not None
    made = ShipModel(
        vertices=body.corners,
        triangles=body.faces,
        mass=float(body.mass),
        moments=body.inertia,
        gravity=scenario.g,
        density=rest.load.density,
        frame=matrix(body.axes),
        added=np.array(table.added_mass),
        linear=_linear_damping(scenario, rest, body),
        quadratic=np.array(scenario.damping.quadratic),
    )
    if wind is not None:
        moment = wind.moment if wind.moment is not None else body.mass * scenario.g * (wind.lever or 0.0)
        made = made._replace(wind=np.array([moment, wind.gust, wind.gust_at]))
    if control is not None and control.kind == "fins":
        limit = math.inf if control.limit is None else control.limit
        made = made._replace(control=FINS, settings=np.array([control.proportional, control.derivative, limit, 0, 0.0]))
    elif control is not None:
        settings = np.array([control.spin or 0.0, control.inertia or 1.0, control.damping, control.stiffness, 0.0])
        made = made._replace(control=GYRO, settings=settings)
    return made


def _linear_damping(scenario: ShipScenario, rest: FloatingPose, body: Body) -> Array:
    """Linear damping (6,): what is given, and the shares of the critical one, 2 sqrt(stiffness x inertia), at rest."""
    found, ratio = np.array(scenario.damping.linear), np.array(scenario.damping.ratio)
    if ratio.any():
        assert scenario.hull is not None
        at, weight = hydrostatics(rest, scenario.g), body.mass * scenario.g
        stiffness = np.maximum([at.c33, weight * at.gm_transverse, weight * at.gm_longitudinal], 0.0)
        inertia = np.r_[body.mass, (matrix(body.axes) ** 2 @ body.inertia)[:2]] + scenario.hull.added_mass[2:5]
        found[2:5] += 2.0 * ratio * np.sqrt(stiffness * inertia)
    return found
