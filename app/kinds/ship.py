"""Kind "ship": a ship that floats by its own mesh, with heel, trim, heave and the energy, conserved in calm water."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, GRAVITY, Field, either, field_of
from app.kinds.kind import BodyRole, Kind, measures, rounded, simple
from app.kinds.quantities import Abscissa, Background, Quantity, Reading, by_stretches, caption
from app.system.language import tr, translated
from physics import PhysicsError, Scenario, Trajectory, World
from physics.analysis import ship_stability
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import Array, matrix
from physics.core.wording import N_, joined
from physics.hydrostatics.flotation import GRAVITY as G
from physics.hydrostatics.flotation import Hydrostatics, balanced, equilibrium, hydrostatics, placed
from physics.hydrostatics.hull import WATER, Hull, LoadedHull, read_hull
from physics.hydrostatics.stability_sheet import SheetInputs
from physics.systems.ship.scenario import ShipScenario, of_a_ship
from physics.systems.ship.world import ShipWorld, hull_of_scenario, load_of, sheet_inputs

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber

SIX = ("surge", "sway", "heave", "roll", "pitch", "yaw")
FORCES = ("wind.given", ())
WAVES, REGULAR = ("wave.given", ()), ("wave.given", ("regular",))


def _inertia(scenario: Scenario) -> tuple[float, ...] | None:
    """The six components of the inertia tensor."""
    hull = of_a_ship(scenario).hull
    given = None if hull is None else hull.inertia
    return None if given is None else (*given, 0.0, 0.0, 0.0)[:6]


def _wave(scenario: Scenario) -> str | None:
    """The sea: one regular wave, or irregular."""
    wave = of_a_ship(scenario).wave
    return None if wave is None else "regular" if wave.spectrum is None else "irregular"


def _orientation(scenario: Scenario) -> tuple[float, ...] | None:
    """The quaternion, if the scenario gives it."""
    given = scenario.initial.orientation
    return given if scenario.initial.gives("orientation") and not isinstance(given, str) else None


def _wave_height(scenario: Scenario) -> float:
    """A moderate height [m], from trough to crest: a fortieth of the length of the hull."""
    water = of_a_ship(scenario).water
    return rounded(_length(scenario) / 40.0 * math.tanh(2.0 * math.pi * water.depth / _length(scenario)), 2)


def _wave_period(scenario: Scenario) -> float:
    """The period [s] of a wave as long as the hull, which moves a ship most: w² = g k tanh(k d)."""
    k = 2.0 * math.pi / _length(scenario)
    return rounded(2.0 * math.pi / math.sqrt(scenario.g * k * math.tanh(k * of_a_ship(scenario).water.depth)), 2)


def _length(scenario: Scenario) -> float:
    """Length of the hull [m]."""
    return float(np.ptp(hull_of_scenario(of_a_ship(scenario)).points[:, 0]))


_row = partial(field_of, ShipScenario)
CARDS = {
    "Hull": (
        _row("hull.shape"),
        _row("hull.file"),
        _row("hull.up"),
        _row("hull.scale"),
        _row("hull.size"),
        _row("hull.panels"),
        *either("hull.loaded", "Loaded to", "How the load is given: by the mass, or by the draught upright", {key: (_row(f"hull.{key}"),) for key in ("mass", "draught")}),
        _row("hull.centre_of_gravity"),
        *either("hull.turned", "Inertia by", "How the inertia is given: by radii of gyration, or by moments", {"radii": (_row("hull.radii_of_gyration"),), "moments": (_row("hull.inertia", least=0, reads=_inertia),)}),
        _row("hull.added_mass"),
    ),
    "Water": (
        _row("water.density"),
        _row("water.depth"),
        GRAVITY,
    ),
    "Waves": (
        Field("wave.given", "Sea", about="Waves that act by their undisturbed pressure; the hull does not change them", choices=("", "regular", "irregular"), empty="Calm water", reads=_wave, implied=True),
        _row("wave.height", only=REGULAR, begins=_wave_height),
        _row("wave.period", only=REGULAR, begins=_wave_period),
        _row("wave.phase", only=REGULAR),
        _row("wave.spectrum", only=("wave.given", ("irregular",))),
        _row("wave.significant_height", begins=_wave_height),
        _row("wave.peak_period", begins=_wave_period),
        _row("wave.gamma"),
        _row("wave.components"),
        _row("wave.seed"),
        _row("wave.direction", only=WAVES),
        _row("wave.stretching", only=WAVES),
    ),
    "Wind": (
        *either("wind.given", "Wind", "Heels the ship to starboard; falls with cos² of the heel", {key: (_row(f"wind.{key}"),) for key in ("lever", "moment")}, empty=""),
        _row("wind.gust", only=FORCES),
        _row("wind.gust_at", only=FORCES),
    ),
    "Damping": (
        _row("damping.ratio"),
        _row("damping.linear"),
        _row("damping.quadratic"),
    ),
    "Control": (
        _row("control.kind"),
        _row("control.proportional"),
        _row("control.derivative"),
        _row("control.limit"),
        _row("control.spin"),
        _row("control.inertia"),
        _row("control.damping"),
        _row("control.stiffness"),
    ),
    "Stability": (
        _row("stability.draughts", form="rows"),
        _row("stability.displacements", form="rows"),
        _row("stability.openings", form="rows"),
        _row("stability.tanks", form="rows"),
        _row("stability.windage_area"),
        _row("stability.windage_lever", only=None, empty=""),
        _row("stability.deck_edge", only=None, empty=""),
        _row("stability.bilge_keels"),
        _row("stability.bilges"),
    ),
    "Start": (
        *either("initial.attitude", "Attitude by", "How the attitude is given: by heel, trim and yaw, or by a quaternion", {"angles": (*map(_row, ("initial.heel", "initial.trim", "initial.yaw")),), "orientation": (_row("initial.orientation", reads=_orientation),)}),
        *either("initial.height", "Height by", "How the place is given: by the heave, or by a position", {"heave": (_row("initial.heave"),), "position": (_row("initial.position", about="Of the centre of gravity; calm water is at z = 0"),)}),
        _row("initial.velocity", about="Of the centre of gravity, z up"),
        ANGULAR_VELOCITY,
    ),
}  # fmt: skip

RELEASE_HEEL = math.radians(12.0)  # heel at which a ship is released
ROLLS, STEPS = 10.0, 100.0  # rolls shown at most, and steps in the shortest period
STIFF = 0.05  # GM at least, as a share of the breadth or the length
AROUND, ALONG = 0.35, 0.25  # radii of gyration over breadth and length: usual values of ships
ALIKE = 0.5  # difference [degrees] below which one angle is given for both sides
UPRIGHT = math.radians(2.0)  # heel or trim at rest that the note mentions


def _floating(file: Path, reading: MeshReading, _: Scenario | None) -> Scenario:
    """A hull in water, released heeled; ScenarioError if its surface is not closed or cuts itself."""
    hull = read_hull(file, reading)
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    length, breadth, depth = (high - low).tolist()
    found, mass = _half_deep(hull, depth)
    across = min(found.bm_transverse, found.bm_longitudinal)
    least = STIFF * min(length, breadth)
    height = min(0.5 * depth, found.kb + across - least)
    lowered = height < 0.5 * depth
    centre = found.centre_of_buoyancy[:2].tolist()
    gravity = tuple(rounded(value, 5) for value in (*centre, float(low[2]) + height))
    radii = tuple(rounded(r) for r in (AROUND * breadth, *2 * (ALONG * max(length, breadth),)))
    rest = equilibrium(LoadedHull(hull, mass, np.array(gravity), WATER))
    rolls = [
        2.0 * math.pi * radius / math.sqrt(G * (found.kb + bm - height))
        for radius, bm in zip(radii, (found.bm_transverse, found.bm_longitudinal), strict=False)
    ]
    heave = 2.0 * math.pi * math.sqrt(found.volume / (G * found.area))
    return Scenario(
        kind="ship",
        title=file.stem,
        note=translated(
            _note(
                measures(reading, high - low, mass),
                rest.heel,
                rest.trim,
                found.kb + found.bm_transverse - height,
                lowered=lowered,
            )
        ),
        duration=simple(ROLLS * max(rolls)),
        step=simple(min(*rolls, heave) / STEPS),
        hull={"file": str(file), "mass": mass, "centre_of_gravity": gravity, "radii_of_gyration": radii}
        | reading.given(),
        initial={"heel": rest.heel + RELEASE_HEEL},
    )


def _half_deep(hull: Hull, depth: float) -> tuple[Hydrostatics, float]:
    """Hydrostatics of an upright hull at half its depth, and the mass [kg] that it displaces."""
    middle = np.array([0.0, 0.0, hull.keel + 0.5 * depth])
    pose = placed(LoadedHull(hull, 1.0, middle, WATER), 0.0, 0.0, 0.0)
    return hydrostatics(pose), rounded(WATER * pose.integrals.volume, 5)


def _note(taken: str, heel: float, trim: float, height: float, *, lowered: bool) -> str:
    where = N_("so low that it stays upright") if lowered else N_("at half its depth")
    words = [
        N_(
            "The hull of the file, bow along x and z up, {taken}. It is loaded to half its depth, "
            "with the centre of gravity {where}: GM {height:.3g} m.",
            taken,
            where,
            height,
        ),
        N_("Radii of gyration are usual ones of ships. No damping."),
    ]
    if max(abs(heel), abs(trim)) > UPRIGHT:
        text = N_("At rest it heels by {heel:.3g}° and trims by {trim:.3g}°.", math.degrees(heel), math.degrees(trim))
        words.insert(1, text)
    return joined(" ", words)


def _afloat(scenario: Scenario) -> tuple[LoadedHull, SheetInputs]:
    """The loaded hull, and inputs of its hydrostatic sheet."""
    ship = of_a_ship(scenario)
    load = load_of(ship)
    return load, sheet_inputs(ship.stability, load, ship.hull)


def _of(world: World) -> ShipWorld:
    assert isinstance(world, ShipWorld)
    return world


def _load(world: World) -> str:
    """The load of a ship from a file, and how it floats."""
    ship = _of(world)
    return tr("loaded to half its depth: draught {draught:.3g} m, GM {height:.3g} m").format(
        draught=ship.rest.draught, height=ship_stability.metacentric_height(ship)
    )


ROLE = BodyRole(
    "ship",
    "Ship",
    "It floats in calm water by its own hull: bow along x, z up",
    _floating,
    (0.5, 500.0),
    _load,
    table="hull",
    laden=True,
)


@by_stretches
def _heave(run: Trajectory, world: World) -> Array:
    """Height (n,) [m] of the centre of gravity above its height at rest."""
    return np.asarray(run.position[:, 2] - _of(world).rest.height)


@by_stretches
def _lever(run: Trajectory, world: World) -> Array:
    return ship_stability.levers(run, _of(world))


def _roll_rate(run: Trajectory, _: World) -> Array:
    return np.degrees(ship_stability.roll_rate(run))


def _righting(world: World) -> Background:
    """The curve of righting levers, marks at 30 and 40 degrees, and the angles of vanishing stability."""
    curve = ship_stability.lever_curve(_of(world))
    if curve is None:
        return Background()
    heels = np.degrees(curve.heels)
    vanishing = tuple(math.degrees(angle) for angle in curve.vanishing if angle is not None)
    return Background(
        curves=(np.column_stack([heels, curve.levers]),),
        limits=(-40.0, -30.0, 30.0, 40.0),
        beyond=vanishing,
        foot=float(heels[curve.rest]),
        name=HULL,
    )


def _separatrix(world: World) -> Background:
    """The heels and roll rates beyond which the ship capsizes, by its energy alone."""
    found = ship_stability.separatrix(_of(world))
    if found is None:
        return Background()
    heels, rates = np.degrees(found)
    return Background(curves=(np.column_stack([np.r_[heels, heels[::-1]], np.r_[rates, -rates[::-1]]]),), name=HULL)


HULL = "hull in calm water"
HEEL = Abscissa("Heel", "°", quantities.turned(2), cyclic=True)
TRAIL = 6.0  # [s]
QUICK = 3000  # triangles, of which the curve of righting levers takes 0.1 s: a window waits for it
HEELED = Quantity("Heel", "°", quantities.turned(2), cyclic=True, form="{:.1f}°")
TRIM = Quantity("Trim", "°", quantities.turned(1), form="{:.1f}°")
LEVER = Quantity(
    "Righting lever",
    "m",
    _lever,
    over=HEEL,
    background=_righting,
    trail=TRAIL,
    form="{:.3g} m",
    whole=lambda _, world: np.array([world.body.radius]),
)
CHARTS = (quantities.ATTITUDE_ERROR, HEELED, TRIM, Quantity("Heave", "m", _heave), quantities.ENERGY_ERROR)
MORE = (
    LEVER,
    Quantity("Roll rate over heel", "°/s", _roll_rate, over=HEEL, background=_separatrix, trail=TRAIL),
    Quantity("Yaw", "°", quantities.turned(0), cyclic=True),
    *quantities.PLACE,
    *quantities.OMEGA,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES,
    quantities.ORTHOGONALITY,
)


def _facts(world: World) -> str:
    """Stability of the ship, and the steps in a period of roll."""
    ship = _of(world)
    height, period = ship_stability.metacentric_height(ship), ship_stability.roll_period(ship)
    words = [tr("GM {height:.3g} m where it floats.").format(height=height)]
    if period is not None:
        text = tr("Without damping and control a small roll takes {period:.3g} s, {steps:.3g} steps.")
        words.append(text.format(period=period, steps=period / world.scenario.step))
    if len(ship.load.hull.triangles) <= QUICK:
        words.append(_limits(ship))
    if of_a_ship(ship.scenario).stability.tanks:
        words.append(tr("Free surfaces of tanks are left out here: they count in the hydrostatics sheet alone."))
    return " ".join(words)


def _prepare(world: World) -> None:
    """The curve of righting levers, the hull in calm water, and the force of the water in waves, which marks draw."""
    ship = _of(world)
    if len(ship.load.hull.triangles) <= 10 * QUICK:
        ship_stability.lever_curve(ship)
    ship.pose(float(ship.position[2]), matrix(ship.orientation))
    ship.water(ship.time, ship.position, ship.orientation)


def _limits(ship: ShipWorld) -> str:
    """The range of stability in words."""
    try:
        upright = hydrostatics(balanced(ship.load, 0.0)).gm_transverse
    except PhysicsError:
        return tr("No trim balances it upright.")
    curve = ship_stability.lever_curve(ship)
    assert curve is not None
    rest, words = abs(math.degrees(ship.rest.heel)), []
    port, starboard = (None if angle is None else abs(math.degrees(angle)) for angle in curve.vanishing)
    angles = [angle for angle in (port, starboard) if angle is not None]
    if upright < 0.0:
        text = tr("Upright it is not stable: GM is {height:.3g} m, and it comes to rest at a heel of {rest:.3g}°.")
        words.append(text.format(height=upright, rest=rest))
    if len(angles) == 2 and max(angles) - min(angles) < ALIKE:
        words.append(tr("Beyond {angle:.3g}° of heel nothing rights it.").format(angle=min(angles)))
    elif angles:
        sides = (
            (port, tr("Heeled to port, nothing rights it beyond {angle:.3g}°.")),
            (starboard, tr("Heeled to starboard, nothing rights it beyond {angle:.3g}°.")),
        )
        words += [text.format(angle=angle) for angle, text in sides if angle is not None]
    elif (reached := math.degrees(min(-curve.heels[0], curve.heels[-1]))) < 179.5:
        words.append(
            tr("Up to {angle:.3g}° of heel it is righted; beyond that no trim balances it.").format(angle=reached)
        )
    elif rest < 90.0:
        words.append(tr("It is righted from any heel."))
    return " ".join(words)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Heel, trim and the righting lever; the energy error where nothing damps or drives."""
    return (
        now.number(tr("heel"), HEELED, "−188.8°"),
        now.number(tr("trim"), TRIM, "−188.8°"),
        now.number("GZ", LEVER, "−0.000888 m"),
        *now.energy(),
    )


def _scene() -> SceneKind:
    from app.stage.bodies.sea import REACH
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.reference_frames import inertial_axes
    from app.stage.scenes.ship import Ship, framing, vicinity

    axes = {"inertial": inertial_axes(0.8)}
    return SceneKind(Ship, framing, axes, numbers=_numbers, vicinity=vicinity, reach=1.5 * REACH)


ROW = Kind(
    kind="ship",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    facts=_facts,
    prepare=_prepare,
    role=ROLE,
    load=_afloat,
)
