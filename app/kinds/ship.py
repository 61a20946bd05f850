"""Kind "ship": a ship that floats by its own mesh, with heel, trim, heave and the energy, conserved in calm water."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, GRAVITY, XYZ, Field
from app.kinds.kind import BodyRole, Kind, measures, rounded, simple
from app.kinds.quantities import Abscissa, Background, Quantity, Reading, by_stretches, caption
from app.system.language import tr
from app.system.sentences import translated
from physics import PhysicsError, Scenario, Trajectory, World
from physics.analysis import ship_stability
from physics.bodies.mesh_io import MESHES, MeshReading
from physics.core.rotation import Array, matrix
from physics.hydrostatics.flotation import GRAVITY as G
from physics.hydrostatics.flotation import Hydrostatics, balanced, equilibrium, hydrostatics, placed
from physics.hydrostatics.hull import WATER, Hull, LoadedHull, read_hull
from physics.systems.ship.scenario import of_a_ship
from physics.systems.ship.world import ShipWorld, hull_of_scenario, load_of

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import Number

SIX = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SHAPES = ("box", "wigley", "prism", "cylinder")
FORCES = ("wind.given", ("lever", "moment"))
REGULAR, SEA = ("wave.given", ("regular",)), ("wave.given", ("irregular",))
FINS, GYRO = ("control.kind", ("fins",)), ("control.kind", ("gyro",))


def _loaded(scenario: Scenario) -> str:
    """The quantity that gives the load."""
    hull = of_a_ship(scenario).hull
    return "draught" if hull is not None and hull.draught is not None else "mass"


def _turned(scenario: Scenario) -> str:
    """The quantity that gives the inertia."""
    hull = of_a_ship(scenario).hull
    return "moments" if hull is not None and hull.inertia is not None else "radii"


def _inertia(scenario: Scenario) -> tuple[float, ...] | None:
    """The six components of the inertia tensor."""
    hull = of_a_ship(scenario).hull
    given = None if hull is None else hull.inertia
    return None if given is None else (*given, 0.0, 0.0, 0.0)[:6]


def _wind(scenario: Scenario) -> str | None:
    """The quantity that gives the wind."""
    wind = of_a_ship(scenario).wind
    return None if wind is None else "moment" if wind.lever is None else "lever"


def _wave(scenario: Scenario) -> str | None:
    """The sea: one regular wave, or irregular."""
    wave = of_a_ship(scenario).wave
    return None if wave is None else "regular" if wave.spectrum is None else "irregular"


def _attitude(scenario: Scenario) -> str:
    """The quantity that gives the attitude at the start."""
    return "orientation" if scenario.initial.gives("orientation") else "angles"


def _orientation(scenario: Scenario) -> tuple[float, ...] | None:
    """The quaternion, if the scenario gives it."""
    given = scenario.initial.orientation
    return given if scenario.initial.gives("orientation") and not isinstance(given, str) else None


def _place(scenario: Scenario) -> str:
    """The quantity that gives the height at the start."""
    return "heave" if scenario.initial.position is None else "position"


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


ANGLES, STATE = ("initial.attitude", ("angles",)), ("initial.attitude", ("orientation",))
CARDS = {
    "Hull": (
        Field("hull.shape", "Shape", tip="A hull that is made, or the closed mesh of a file", choices=("", *SHAPES), nothing="From a file", optional=True),
        Field("hull.file", "File", tip="Of a closed mesh: x forward, y port, z up", endings=MESHES, only=("hull.shape", (None,))),
        Field("hull.up", "Up", tip="The axis of the file that becomes the ship's z", choices=("x", "y", "z"), only=("hull.shape", (None,))),
        Field("hull.scale", "Scale", tip="Of the file's coordinates; above 0; 0.001 for millimetres", only=("hull.shape", (None,))),
        Field("hull.size", "Size", "m", ("length", "breadth", "depth"), "Of the hull that is made; above 0", only=("hull.shape", SHAPES)),
        Field("hull.panels", "Panels", tip="Along each side, half as many down; even, 4 to 320: the error falls as their square", whole=True, optional=True, only=("hull.shape", ("wigley",))),
        Field("hull.loaded", "Loaded to", tip="How the load is given: by the mass, or by the draught upright", choices=("mass", "draught"), reads=_loaded, implied=True),
        Field("hull.mass", "Mass", "kg", tip="Of hull and cargo; above 0, below that of its own volume of water", only=("hull.loaded", ("mass",))),
        Field("hull.draught", "Draught", "m", tip="Upright, from the lowest point; it determines the mass", only=("hull.loaded", ("draught",))),
        Field("hull.centre_of_gravity", "Centre of gravity", "m", XYZ, "Of hull and cargo, in the axes of the file; z = 0 is the bottom of a box or a prism, the axis of a cylinder, the waterline of a Wigley hull"),
        Field("hull.turned", "Inertia by", tip="How the inertia is given: by radii of gyration, or by moments", choices=("radii", "moments"), reads=_turned, implied=True),
        Field("hull.radii_of_gyration", "Radii of gyration", "m", XYZ, "About the axes through the centre of gravity; above 0", only=("hull.turned", ("radii",))),
        Field("hull.inertia", "Inertia", "kg m²", ("xx", "yy", "zz", "xy", "xz", "yz"), "Tensor about the centre of gravity", only=("hull.turned", ("moments",)), reads=_inertia),
        Field("hull.added_mass", "Added mass", "kg, kg m²", SIX, "Constant in the hull: a model for small angles; at large ones it gives a Munk moment"),
    ),
    "Water": (
        Field("water.density", "Density", "kg/m³", tip="Above 0; 1025 of the sea, 1000 of a lake"),
        Field("water.depth", "Depth", "m", tip="Of calm water; more than the ship's draught; empty: so deep that waves do not feel the ground", optional=True),
        GRAVITY,
    ),
    "Waves": (
        Field("wave.given", "Sea", tip="Waves that act by their undisturbed pressure; the hull does not change them", choices=("", "regular", "irregular"), nothing="Calm water", reads=_wave, implied=True, optional=True),
        Field("wave.height", "Height", "m", tip="From trough to crest, twice the amplitude; above 0, below that of a breaking wave", only=REGULAR, begins=_wave_height),
        Field("wave.period", "Period", "s", tip="Above 0; in deep water the length is 1.56 m times its square", only=REGULAR, begins=_wave_period),
        Field("wave.phase", "Phase", "rad", tip="At the origin at t = 0; empty: 0, a crest", optional=True, only=REGULAR),
        Field("wave.spectrum", "Spectrum", tip="Long-crested, of a wind sea", choices=("jonswap", "pierson-moskowitz"), only=SEA),
        Field("wave.significant_height", "Significant height", "m", tip="Four times the root of the surface's variance; above 0", only=SEA, begins=_wave_height),
        Field("wave.peak_period", "Peak period", "s", tip="Of the most energetic waves; above 0", only=SEA, begins=_wave_period),
        Field("wave.gamma", "Peak factor γ", tip="How much the peak is raised; 1 to 10; empty: 3.3", optional=True, only=("wave.spectrum", ("jonswap",))),
        Field("wave.components", "Components", tip="Waves that make the sea; 1 to 300; empty: 30", whole=True, optional=True, only=SEA),
        Field("wave.seed", "Seed", tip="Another whole number, another sea; 0 or more; empty: 1", whole=True, optional=True, only=SEA),
        Field("wave.direction", "Heading", "rad", tip="Of travel, from the x axis towards the y axis; 0: from astern; 90°: from starboard; empty: 0", optional=True, only=("wave.given", ("regular", "irregular"))),
        Field("wave.stretching", "Stretching", tip="Pressure up to the surface: Wheeler moves its law with the surface; linear keeps that of calm water", choices=("wheeler", "linear"), only=("wave.given", ("regular", "irregular"))),
    ),
    "Wind": (
        Field("wind.given", "Wind", tip="Heels the ship to starboard; falls with cos² of the heel", choices=("", "lever", "moment"), reads=_wind, implied=True, optional=True),
        Field("wind.lever", "Lever", "m", tip="Moment over weight; below 0 to port", only=("wind.given", ("lever",))),
        Field("wind.moment", "Moment", "N m", tip="Below 0 to port", only=("wind.given", ("moment",))),
        Field("wind.gust", "Gust", tip="Factor of the moment in the gust; above 0; 1.5 in the weather criterion; empty: 1", optional=True, only=FORCES),
        Field("wind.gust_at", "Gust at", "s", tip="When a gust begins; empty: 0", optional=True, only=FORCES),
    ),
    "Damping": (
        Field("damping.ratio", "Share of critical", "", SIX[2:5], "Damping as a share of the critical one where it floats, 2 √(stiffness × inertia): it follows mass, centre of gravity and added mass; adds to linear damping; 0 or more"),
        Field("damping.linear", "Linear", "N s/m, N m s", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
        Field("damping.quadratic", "Quadratic", "N s²/m², N m s²", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
    ),
    "Control": (
        Field("control.kind", "Roll control", tip="Fins that roll the ship back, or the gimbal of a spinning rotor", choices=("", "fins", "gyro"), optional=True),
        Field("control.proportional", "Proportional", "N m", tip="Moment over heel [rad]; 0 or more; empty: 0", optional=True, only=FINS),
        Field("control.derivative", "Derivative", "N m s", tip="Moment over roll rate; 0 or more; empty: 0", optional=True, only=FINS),
        Field("control.limit", "Limit", "N m", tip="Largest moment of the fins; above 0; empty: none", optional=True, only=FINS),
        Field("control.spin", "Angular momentum", "N m s", tip="Of the rotor; 0 or more", only=GYRO),
        Field("control.inertia", "Gimbal inertia", "kg m²", tip="About the axis of the gimbal; above 0", only=GYRO),
        Field("control.damping", "Gimbal damping", "N m s", tip="0 or more; empty: 0", optional=True, only=GYRO),
        Field("control.stiffness", "Gimbal stiffness", "N m", tip="0 or more; empty: 0", optional=True, only=GYRO),
    ),
    "Start": (
        Field("initial.attitude", "Attitude by", tip="How the attitude is given: by heel, trim and yaw, or by a quaternion", choices=("angles", "orientation"), reads=_attitude, implied=True),
        Field("initial.heel", "Heel", "rad", tip="Positive to starboard; empty: as it floats", optional=True, only=ANGLES),
        Field("initial.trim", "Trim", "rad", tip="Positive bow down; empty: as it floats", optional=True, only=ANGLES),
        Field("initial.yaw", "Yaw", "rad", tip="Positive to port; empty: 0", optional=True, only=ANGLES),
        Field("initial.orientation", "Orientation", "", ATTITUDE.parts, ATTITUDE.tip, only=STATE, reads=_orientation),
        Field("initial.height", "Height by", tip="How the place is given: by the heave, or by a position", choices=("heave", "position"), reads=_place, implied=True),
        Field("initial.heave", "Heave", "m", tip="Of the centre of gravity above where it floats; empty: 0", optional=True, only=("initial.height", ("heave",))),
        Field("initial.position", "Position", "m", XYZ, "Of the centre of gravity; calm water is at z = 0", only=("initial.height", ("position",))),
        Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of gravity, z up"),
        ANGULAR_VELOCITY,
    ),
}  # fmt: skip

RELEASE_HEEL = math.radians(12.0)  # heel at which a ship is released
ROLLS, STEPS = 10.0, 100.0  # rolls shown at most, and steps in the shortest period
STIFF = 0.05  # GM at least, as a share of the breadth or the length
AROUND, ALONG = 0.35, 0.25  # radii of gyration over breadth and length: usual values of ships
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
    where = "so low that it stays upright" if lowered else "at half its depth"
    words = [
        f"The hull of the file, bow along x and z up, {taken}. It is loaded to half its depth, with the centre of "
        f"gravity {where}: GM {height:.3g} m.",
        "Radii of gyration are usual ones of ships. No damping.",
    ]
    if max(abs(heel), abs(trim)) > UPRIGHT:
        words.insert(1, f"At rest it heels by {math.degrees(heel):.3g}° and trims by {math.degrees(trim):.3g}°.")
    return " ".join(words)


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
        text = tr("A small roll takes {period:.3g} s, {steps:.3g} steps.")
        words.append(text.format(period=period, steps=period / world.scenario.step))
    if len(ship.load.hull.triangles) <= QUICK:
        words.append(_limits(ship))
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
    angles = [abs(math.degrees(angle)) for angle in curve.vanishing if angle is not None]
    if upright < 0.0:
        text = tr("Upright it is not stable: GM is {height:.3g} m, and it comes to rest at a heel of {rest:.3g}°.")
        words.append(text.format(height=upright, rest=rest))
    if angles:
        words.append(tr("Beyond {angle:.3g}° of heel nothing rights it.").format(angle=min(angles)))
    else:
        words.append(tr("It is righted from any heel."))
    return " ".join(words)


@caption
def _numbers(now: Reading) -> tuple[Number, ...]:
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
    from app.stage.scenes.ship import Ship, framing

    return SceneKind(Ship, framing, {"inertial": inertial_axes(0.8)}, numbers=_numbers, reach=1.5 * REACH)


ROW = Kind(
    kind="ship",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    facts=_facts,
    prepare=_prepare,
    role=ROLE,
    load=lambda one: load_of(of_a_ship(one)),
)
