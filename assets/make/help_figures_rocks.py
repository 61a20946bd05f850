"""Figures of the help about rocks: where they touch, how they are drawn, where they stop, and what was measured."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import physics
from app.hazard.plan import sheet_of
from app.stage.bodies.body_mesh import winding_normals
from app.stage.ground.shaded_relief import contour_interval
from app.theme import mixed
from assets import SCENARIOS
from assets.make.bar_figure import Bar, Bars
from assets.make.help_tables import table_of
from assets.make.line_figure import Curve, Panel, figure
from assets.make.svg import BLUE, GREEN, ORANGE, RED, VIOLET, facets, sheet, text
from physics import Scenario, World
from physics.bodies import shapes
from physics.bodies.angularity import ANGULARITIES
from physics.bodies.convex_hull import hull_faces
from physics.bodies.surface import ellipsoid, shape_of
from physics.contact.places import DEPTH, MAX_PLACES, POINT, WIDTH
from physics.contact.smooth import find_places
from physics.contact.vertices import axes_of
from physics.core.rotation import Array
from physics.hazard.ensemble import Ensemble, Results
from physics.hazard.validation import measured_runouts
from physics.systems.rockfall.world import RockfallWorld

QUARRY = Path(__file__).parents[1] / "quarry"
SLOPE, NO_SLIP, SLIPPERY = 30.0, 2.0, 0.1  # [deg]; coefficients of friction
CELL = 0.25  # [m] of the profile on which ellipsoids lie
DARKEST, LIGHTEST, SHADES = "#24527a", "#a9d2f3", 14  # of faces of rocks
LIGHT = np.array([-0.25, -0.42, 0.87])  # from where they are lit
SEEN = np.array([[0.82, -0.57, 0.0], [0.2, 0.29, 0.94]])  # to the right and upwards, from where rocks are seen


def round_rocks() -> str:
    """Ellipsoids on a slope, in a gully and on a crest, with the places that the contact finds; balls on a ramp."""
    x = np.arange(0.0, 8.0 + CELL / 2, CELL)
    profile = np.interp(x, [0.0, 2.0, 3.25, 4.5, 6.0, 8.0], [2.6, 1.45, 0.3, 1.45, 2.6, 1.1])
    curves = [Curve(x, profile, width=2.2)]
    heights = np.repeat(profile[None], 17, axis=0)
    for at, turn, ink in ((1.1, 0.35, BLUE), (3.25, 0.0, ORANGE), (6.0, 0.0, GREEN)):
        outline, touched = _lying(heights, at, turn)
        curves.append(Curve(outline[:, 0], outline[:, 1], ink, fill=0.25))
        curves.append(Curve(touched[:, 0], touched[:, 1], ink, bare=True))
    seen = Panel("Places of contact, in section [m]", "", curves, to_scale=True)
    speeds = [
        Curve(run.time, np.linalg.norm(run.velocity, axis=1), ink, f"friction {mu:g}")
        for mu, ink in ((SLIPPERY, ORANGE), (NO_SLIP, BLUE))
        for run in [_ball(mu)]
    ]
    s, c, time = math.sin(math.radians(SLOPE)), math.cos(math.radians(SLOPE)), np.array([0.0, 2.0])
    exact = [Curve(time, 9.81 * a * time, dashed=True) for a in (s - SLIPPERY * c, s * 5 / 7)]
    right = Panel(f"A ball on a ramp of {SLOPE:g}°: speed [m/s]", "time [s]", [*speeds, *exact])
    told = "Ellipsoids touch a slope once, both walls of a gully, and a crest; a ball rolls at 5/7 g sin(angle)"
    return figure([seen, right], told, first=0.56)


def _lying(heights: Array, at: float, turn: float) -> tuple[Array, Array]:
    """The outline (n, 2) of an ellipsoid that lies at x = ``at`` turned about y, and where it touches (k, 2) [m]."""
    semi = np.array([0.75, 0.6, 0.45])
    R, found = axes_of((math.cos(turn / 2), 0.0, math.sin(turn / 2), 0.0)), np.zeros((MAX_PLACES, WIDTH))
    shape, z = shape_of(ellipsoid(semi).numbers), 0.0
    for _ in range(2):  # first from far below, then where the deepest point just touches
        n = find_places((heights, CELL, CELL), shape, (at, 2.0, z), R, -math.inf, found)
        z += float(found[:n, DEPTH].max())
    near = found[:n][found[:n, DEPTH] > found[:n, DEPTH].max() - 1e-6]
    angle = np.linspace(0.0, 2.0 * math.pi, 60)
    a, b = semi[0] * np.cos(angle), semi[2] * np.sin(angle)
    outline = [at + math.cos(turn) * a + math.sin(turn) * b, z - math.sin(turn) * a + math.cos(turn) * b]
    return np.stack(outline, axis=1), near[:, [POINT, POINT + 2]]


def _ball(mu: float) -> physics.Trajectory:
    """A ball let go on the ramp."""
    made = Scenario(
        kind="rockfall",
        duration=2.0,
        step=0.002,
        record_every=20,
        schemes=["implicit"],
        body={"shape": "sphere", "radius": 0.5, "density": 2700.0},
        terrain={"profile": "ramp", "angle": SLOPE},
        soil={"mu_min": mu, "mu_max": mu, "beta": 1.0, "kappa": 1.0},
        release={"position": [2.0, 0.7], "height": 0.5 / math.cos(math.radians(SLOPE))},
    )
    return physics.simulate(made)["implicit"]


def rocks() -> str:
    """A random rock of each class of angularity, its faces as light as they turn to a lamp."""
    parts = [text(12.0, 18.0, "One random rock of each class, 1.0 by 0.85 by 0.7 m", bold=True)]
    for number, (name, kind) in enumerate(ANGULARITIES.items()):
        body = shapes.random_rock(
            [1.0, 0.85, 0.7], density=2700.0, seed=3, points=kind.corners, roundness=kind.roundness
        )
        middle = (115.0 + 225.0 * (number % 3), 112.0 + 190.0 * (number // 3))
        flat = (body.vertices @ SEEN.T) * [170.0, -170.0] + middle
        faces = hull_faces(body.vertices)
        normals = winding_normals(body.vertices[faces])
        faces, normals = (of[normals @ np.cross(*SEEN) > 0.0] for of in (faces, normals))  # those that are seen
        shades = np.round(SHADES * (normals @ LIGHT).clip(0.0, 1.0)) / SHADES
        inks = [(shade, mixed(DARKEST, LIGHTEST, float(shade))) for shade in np.unique(shades)]
        parts.append(facets((ink, flat[faces[shades == shade]].tolist()) for shade, ink in inks))
        told = f"{name}: roundness {kind.roundness:g}"
        parts.append(text(middle[0], middle[1] + 88.0, told, "middle"))
    told = (
        "A random rock of each class, from very angular with thirty sharp corners to well rounded with eight round ones"
    )
    return sheet(parts, told, 402.0)


def ensembles() -> str:
    """Rocks of the ramp from above, and how far rocks of two schemes get."""
    found, world = _fallen("rock-ramp", rocks=150, duration=60.0)
    paths = found["implicit"].paths
    tracks, ends = [], []
    for first, last in zip(paths.offsets[:50], paths.offsets[1:], strict=False):
        points = paths.points[first:last]
        some = points[np.unique(np.linspace(0, len(points) - 1, 14).astype(int))] + [*world.terrain.origin, 0.0]
        tracks.append(Curve(some[:, 0], some[:, 1], BLUE, width=0.7))
        ends.append(some[-1])
    where = np.array(ends)
    stops = Curve(where[:, 0], where[:, 1], ORANGE, bare=True)
    above = Panel("50 rocks from above, implicit [m]", "down the slope", [*tracks, stops], to_scale=True)
    return figure(
        [above, _beyond({name: one.rows.column("runout") for name, one in found.items()})],
        "Paths of fifty rocks from above with where they stop, and the share that went farther than a distance",
        first=0.54,
    )


def _beyond(runouts: dict[str, Array]) -> Panel:
    """The share of rocks that went farther than a distance."""
    curves = [
        Curve(np.sort(values), 1.0 - np.arange(len(values)) / len(values), ink, name)
        for (name, values), ink in zip(runouts.items(), (ORANGE, BLUE), strict=False)
    ]
    return Panel("Share of rocks that go farther", "run-out [m]", curves, low=0.0, high=1.0)


def measured() -> str:
    """Cumulated shares of measured and computed run-outs at Tschamut."""
    found, world = _fallen("rock-tschamut", rocks=180)
    stops = world.observed.stops
    assert stops is not None
    curves = []
    for values, ink in ((found["implicit"].rows.column("runout"), BLUE), (measured_runouts(world, stops), RED)):
        level = np.repeat(np.arange(len(values) + 1) / len(values), 2)[1:-1]
        curves.append(Curve(np.repeat(np.sort(values), 2), level, ink))
    share = Panel("Share of rocks that stopped before", "run-out [m]", curves, low=0.0, high=1.0)
    places, rows = stops.places, found["implicit"].rows
    seen = [
        Curve(rows.column("x"), rows.column("y"), BLUE, bare=True),
        Curve(places[:, 0], places[:, 1], RED, bare=True),
        Curve(world.position[:1], world.position[1:2], "", "release", bare=True),
    ]
    plan = Panel("Stops from above [m]", "", seen, to_scale=True)
    told = "Cumulated shares of the run-outs of 18 measured and 180 computed rocks at Tschamut, and their stops"
    legend = [(f"{len(stops)} measured", RED), (f"{len(rows)} computed, implicit", BLUE)]
    return figure([share, plan], told, legend, high=300)


def _fallen(stem: str, **changes: float) -> tuple[dict[str, Results], RockfallWorld]:
    """The first rocks of an example."""
    rocks = int(changes.pop("rocks"))
    scenario = physics.load_scenario(SCENARIOS / f"{stem}.toml")
    scenario = scenario.changed(ensemble=scenario.ensemble.model_copy(update={"rocks": rocks}), **changes)
    world = World.of(scenario)
    assert isinstance(world, RockfallWorld)
    run = Ensemble(world)
    for _ in run.march():
        pass
    return run.results, world


def field_data() -> str:
    """A section through the three meshes of the example, the blocks of its table, and the masses of these."""
    world = World.of(physics.load_scenario(SCENARIOS / "rock-quarry.toml"))
    assert isinstance(world, RockfallWorld)
    x0, x1, _, _ = world.terrain.extent
    x = np.arange(math.ceil(x0), x1, 1.0)
    z = world.terrain.heights_at(x, np.zeros_like(x))
    pieces = (
        (-10.0, 30.0, "face: extra-hard", RED),
        (30.0, 55.0, "bench: medium-hard", ORANGE),
        (55.0, 115.0, "floor: hard", GREEN),
    )
    curves = []
    for first, last, name, ink in pieces:
        inside = (x >= first) & (x <= last)
        curves.append(Curve(x[inside], z[inside], ink, name, width=2.6))
    with (QUARRY / "blocks.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    places = np.array([[float(row["x [m]"]), float(row["y [m]"])] for row in rows])
    curves.append(Curve(places[:, 0], places[:, 1], BLUE, f"{len(rows)} blocks of blocks.csv", bare=True))
    seen = Panel("The example in section: three meshes, a soil for each [m]", "", curves, to_scale=True)
    return figure([seen], "Three meshes with a soil each in section, and blocks above the face", high=290)


def plan() -> str:
    """Contour lines of the alpine example as a plan has them, in its frame at its scale."""
    world = World.of(physics.load_scenario(SCENARIOS / "rock-alpine.toml"))
    assert isinstance(world, RockfallWorld)
    terrain = world.terrain
    sheet = sheet_of(terrain, "a4", None, (0.0, 0.0))
    heights, every = terrain.heights[::4, ::4], 5.0 * float(contour_interval(terrain.heights))
    x, y = (1e-3 * (terrain.origin[k] + 4 * terrain.cell[k] * np.arange(heights.shape[1 - k])) for k in (0, 1))
    levels = every * np.arange(np.ceil(heights.min() / every), np.floor(heights.max() / every) + 1)
    curves, names = [], []
    for level, rings in zip(levels, Figure().subplots().contour(x, y, heights, levels=levels).allsegs, strict=True):
        for ring in rings:
            if np.linalg.norm(np.diff(ring, axis=0), axis=1).sum() > 0.12:
                some = ring[np.unique(np.linspace(0, len(ring) - 1, min(len(ring), 30)).astype(int))]
                curves.append(Curve(some[:, 0], some[:, 1], ORANGE, width=1.0))
        x0, y0 = max(rings, key=len)[len(max(rings, key=len)) // 2]
        names.append((float(x0), float(y0), f"{level:.0f}", ""))
    x0, x1, y0, y1 = (1e-3 * edge for edge in sheet.shown)
    frame = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]])
    bar = np.array([[x0 + 0.04, y0 + 0.04], [x0 + 0.04 + 1e-3 * sheet.bar, y0 + 0.04]])
    curves += [
        Curve(frame[:, 0], frame[:, 1], width=1.0),
        Curve(bar[:, 0], bar[:, 1], "", f"{sheet.bar:g} m", width=4.0),
        Curve(1e-3 * world.position[:1], 1e-3 * world.position[1:2], RED, "release", bare=True),
    ]
    wide, high = sheet.frame[2:]
    title = f"Contour lines every {every:g} m at 1:{sheet.scale:g}: a frame of {wide:.0f} x {high:.0f} mm on A4 [km]"
    return figure(
        [Panel(title, "", curves, to_scale=True, labels=names)], "A plan of the alpine slope in lines", high=420
    )


def fit() -> str:
    """Scores of fitted and held-out runs, from the table of the page."""
    bars = []
    for name, fitted, held, _ in table_of("fit", "Example: Tschamut"):
        short = re.sub(r"`|, free between wide bounds|, hardly any .* roughness", "", name)
        bars += [Bar(short, float(fitted), BLUE, told=fitted), Bar("", float(held), ORANGE, told=held)]
    return figure(
        [Bars("Score: mean distance of run-outs from the measured ones", "[m]", bars)],
        "Scores of nine fitted and nine held-out runs, for the start, after fits of three kinds, and for a ruler",
        [("fitted runs", BLUE), ("held-out runs", ORANGE)],
        high=330,
    )


def trust() -> str:
    """Run-outs at Tschamut, mean and spread, from the table of the page."""
    bars = []
    for name, runout, *_ in table_of("trust", "Tschamut: blind"):
        mean, spread = map(float, runout.split(";")[0].split("±"))
        ink = "" if name == "measured" else RED if name.startswith("blind") else VIOLET if "angle" in name else BLUE
        short = re.sub(r" \(.*?\)", "", name.split(";")[0])
        bars.append(
            Bar(
                short,
                mean,
                ink if name != "fitted: ramp 20° and that restitution" else GREEN,
                spread,
                runout.split(";")[0],
            )
        )
    return figure(
        [Bars("Run-out at Tschamut: mean and standard deviation", "[m]", bars, [("", bars[0].value)])],
        "Run-outs at Tschamut, measured beside those of presets, laws, a fit and an angle of reach",
        [("blind", RED), ("laws turned on", BLUE), ("fitted", GREEN), ("ruler", VIOLET)],
        high=340,
    )


def ensembles_soil() -> str:
    """Mean run-outs on the ramp with one thing changed, from the table of the page."""
    inks = {"step": ORANGE, "scheme": RED, "soil": GREEN}
    bars = []
    for changed, runout in table_of("ensembles", "How far step"):
        mean, band = map(float, runout.split("±"))
        bars.append(Bar(changed, mean, inks.get(changed.partition(":")[0], BLUE), band, runout))
    return figure(
        [Bars("Mean run-out of 200 rocks, and its band of 95 %", "[m]", bars, [("", bars[0].value)], low=150.0)],
        "Mean run-outs of 200 rocks on the ramp when seed, step, scheme or soil is changed",
        [("chance", BLUE), ("step", ORANGE), ("scheme", RED), ("soil", GREEN)],
        high=320,
    )


FIGURES = {
    "round-rocks": round_rocks,
    "rocks": rocks,
    "ensembles": ensembles,
    "ensembles-soil": ensembles_soil,
    "measured": measured,
    "field-data": field_data,
    "plan": plan,
    "fit": fit,
    "trust": trust,
}
