"""The model of a run, made from its stage, for programs and pages that draw it themselves."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy

from app.document.look import Look
from app.document.recipe import theme_of
from app.export.model_parts import Actor, Arrow, Curve, Light, Mesh, Model, Part, SpinMark, TrueBody, tube
from app.export.offscreen_stage import overlays
from app.export.scene_words import charts, numbers, signs
from app.kinds import kind_of
from app.playback.headline import headline_of
from app.playback.run import Lane
from app.playback.verdicts import verdicts
from app.stage.actor_group import placed, tinted
from app.stage.bodies.arrows import BEGIN, LENGTH, OrbitArrows, SpinArrow, VectorArrows
from app.stage.bodies.arrows import Arrow as StageArrow
from app.stage.bodies.body_mesh import Axes, stone
from app.stage.bodies.floor import Floor, Tabletop, upright
from app.stage.bodies.joint_parts import Mounts
from app.stage.bodies.model_look import look_of_body
from app.stage.bodies.sea import Sea
from app.stage.bodies.true_motion import ALIKE, outline, shell_of, tips_of
from app.stage.camera.fit import near
from app.stage.camera.subject import Subject
from app.stage.ground.ground import Ground, sides
from app.stage.ground.scene import middle, numbers_on_contours
from app.stage.ground.tiles import triangles
from app.stage.lane_scene import LanePlace, LaneScene, SceneKind
from app.stage.lane_track import LaneTrack
from app.stage.lighting import lights
from app.stage.overlays.contact_marks import LONGEST_ARROW
from app.stage.overlays.overlay import Overlay
from app.stage.overlays.poinsot import CLEAR, Poinsot
from app.stage.scenes.joints import SECONDS, Polhodes, Water, swept_ball
from app.stage.scenes.soft_shadow import SoftShadow
from app.stage.scenes.toys import ToyContactMarks
from app.stage.scenes.vessel import Dial
from app.stage.text.caption_text import arrows, map_signs, sign
from app.stage.text.captions import truth_signs
from app.stage.theme_colours import StageColours, look_of
from app.system.language import tr
from app.theme import THEMES
from physics import Trajectory, World
from physics.core.rotation import Array, angle_between, slerp
from physics.systems.rockfall.world import RockfallWorld

RINGS = 160  # largest number of rings of the tube of a polhode
SKIN = 0.17  # opacity of Poinsot's ellipsoid
SPIN_STEP = math.radians(7.5)  # step between the lengths: at most 86 of both senses, of 2 kB each


def spin_mark(scene: LaneScene, times: Array, shown: Collection[str]) -> SpinMark | None:
    """The arrows of a lane's scene at times (n,) [s]; None where the overlays that are shown have no spin arrow."""
    arrow = next((part for part in scene.posed if isinstance(part, SpinArrow) and part.among(shown)), None)
    if arrow is None:
        return None
    angles = np.array([arrow.angle(scene.track.pose(float(time))) for time in times])
    lengths = np.round(angles / SPIN_STEP).astype(int)
    drawn = np.unique(lengths[lengths != 0])
    points = tuple(arrow.points(SPIN_STEP * length) for length in drawn.tolist())
    return SpinMark(points, arrow.mesh.regular_faces, np.where(lengths == 0, -1, np.searchsorted(drawn, lengths)))


FINEST, COARSEST = 1.0 / 60.0, 0.35  # between two keys at most: [s], and the angle that the body turns [rad]
EVEN = math.radians(0.05)  # angle that stored states are off at most, where a program turns evenly from key to key
MAX_KEYFRAMES_PER_LANE = 20_000
ROUGH = 0.14, 0.04, 40.0  # the shine of rocks
ASPECT = 1.0  # width over height of a viewport that sees the whole motion


def model_of(world: World, lanes: Sequence[Lane]) -> Model:
    """The model of a run, in the colours of the scenario's export table."""
    shift = middle(world.terrain) if world.terrain is not None else np.zeros(3)
    kind = kind_of(world.scenario).scene()
    look = look_of(kind.theme(theme_of(world.scenario), world))
    shown = overlays(world.scenario)
    heights: tuple[list[str], Array] = [], np.zeros((0, 3))
    tracks = [LaneTrack(lane, shift) for lane in lanes]
    if not isinstance(world, RockfallWorld):
        shared, ground = Look.of(world.scenario).layout == "overlay", None
        scenes = [kind.lane(track, look, LanePlace(number, shared)) for number, track in enumerate(tracks)]
        below, floor, bored = *_floor(scenes[0], shown), _bored(scenes[0])
        actors = tuple(_actor(*parts, tracks, look, shift, shown) for parts in zip(lanes, tracks, scenes, strict=True))
    else:
        ground, scenes = Ground(world, shift), []
        contours = "grid" in shown
        below, floor, bored = _terrain(ground, contours=contours), None, False
        if contours:
            heights = numbers_on_contours(ground, world.position - shift)
        actors = tuple(
            _actor(lane, track, None, tracks, look, shift, shown) for lane, track in zip(lanes, tracks, strict=True)
        )
    return Model(
        world,
        actors,
        below,
        *_view(kind.framing(tracks, ground, ASPECT), ASPECT),
        max(track.end for track in tracks),
        _view(near(kind.framing, kind.vicinity, tracks, ground), 1.0),
        tuple(_light(one) for one in lights(rock=ground is not None)),
        floor,
        bored,
        {
            name: _signs(kind, tracks, scenes, ground, look_of(kind.theme(theme, world)), shown)
            for name, theme in THEMES.items()
        },
        headline_of(world.scenario, lanes).said if "labels" in shown else (),
        charts(world, lanes),
        () if ground is None else ground.outline.heights.shape,
        heights,
        "close-up" in _extras(kind, world, shown),
        world.body.radius if len(world.bodies) == 1 else _reach(tracks),
    )


def _reach(tracks: Sequence[LaneTrack]) -> float:
    """Radius [m] of the ball in which mechanisms move."""
    return max(swept_ball(track)[1] for track in tracks)


def _view(subject: Subject, aspect: float) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each."""
    middle = subject.centred(aspect)
    return middle.eye(middle.distance(aspect)), middle.focus


def _light(light: pv.Light) -> Light:
    """A light of the stage; one at the camera shines the way that it looks."""
    way = np.array([0.0, 0.0, 1.0]) if light.is_headlight else np.array(light.position, float)
    ink = light.intensity * np.array(light.diffuse_color.float_rgb)
    return Light(way / np.linalg.norm(way), ink, not light.is_scene_light)


def keys(run: Trajectory) -> Trajectory:
    """The stored states that are enough to show the motion, with the first and the last."""
    if len(run) < 3:
        return run
    stored = float(run.time[-1] - run.time[0]) / (len(run) - 1)
    fastest = float(np.linalg.norm(run.angular_velocity, axis=-1).max())
    apart = min(FINEST, COARSEST / max(fastest, 1e-9))
    fewest = math.ceil(len(run) / MAX_KEYFRAMES_PER_LANE)
    every = max(1, math.floor(apart / stored), fewest)
    while every > fewest and _uneven(run, every) > EVEN:
        every = max(fewest, every // 2)
    return run.rows(np.unique(np.r_[np.arange(0, len(run), every), len(run) - 1]))


def _uneven(run: Trajectory, every: int) -> float:
    """Largest angle [rad] between stored attitudes and those on the even turn from key to key."""
    first = np.arange(len(run)) // every * every
    last = np.minimum(first + every, len(run) - 1)
    share = (run.time - run.time[first]) / np.maximum(run.time[last] - run.time[first], 1e-300)
    share = share.reshape(-1, *[1] * (run.orientation.ndim - 1))
    return float(angle_between(slerp(run.orientation[first], run.orientation[last], share), run.orientation).max())


def _actor(
    lane: Lane,
    track: LaneTrack,
    scene: LaneScene | None,
    tracks: Sequence[LaneTrack],
    look: StageColours,
    shift: Array,
    shown: Collection[str],
) -> Actor:
    """A lane, one of several, as its scene draws it, or as a rock; shown: names of the overlays that go."""
    motion = keys(track.motion)
    axes: Mesh | None = None
    tracers: tuple[Arrow, ...] = ()
    run = motion.of_body(track.number)
    places = run.position - shift
    if scene is None:
        drawn = stone(track.body, track.scheme.colour)
        vectors: VectorArrows | None = VectorArrows(track, look, track.body.radius, rock=True)
        curves: tuple[Curve, ...] = (Curve(places, run.time, math.inf, around=False),) if "trails" in shown else ()
    else:
        drawn = scene.body.actor.mapper.GetInput()
        arms = [part.actor for part in scene.posed if isinstance(part, Axes) and part.among(shown)]
        axes = _welded(arms[0].mapper.GetInput()) if arms else None
        vectors = next((part for part in scene.tracked if isinstance(part, VectorArrows)), None)
        traces = [trace for trace in scene.traces if trace.among(shown)]
        curves = tuple(Curve(trace.arms(run.time), run.time, trace.seconds, trace.around) for trace in traces)
        drawing = zip(traces, curves, strict=True)
        beads = [(trace.ball, trace.ink, curve) for trace, curve in drawing if trace.ball is not None]
        tracers = tuple(_tracer(*bead, places, number) for number, bead in enumerate(beads, start=1))
    mesh = _welded(drawn)
    arrows = () if vectors is None or not vectors.among(shown) else _arrows(track, vectors, run)
    for part in () if scene is None else scene.tracked:
        if isinstance(part, OrbitArrows) and part.among(shown):
            arrows += _orbit_arrows(track, part, run)
    spin = None if scene is None else spin_mark(scene, run.time, shown)
    shine = ROUGH if scene is None else _shine(scene.body.actor)
    lines = outline(shell_of(track.body) if scene is None else scene.shell(track)).lines
    truth = _true_body(track, motion, places, lines, look) if "truth" in shown else None
    others = [] if truth is None or scene is None else [(one, scene.shell(one)) for one in track.bodies[:-1]]
    outlines = [(one, outline(shell).lines) for one, shell in others]
    found = [_true_body(one, motion, motion.of_body(one.number).position - shift, at, look) for one, at in outlines]
    true_others = tuple(one for one in found if one is not None)
    turned, words = _steady(run.orientation), " ".join(verdicts([lane]))
    kind = kind_of(track.world.scenario).scene()
    extras = [] if scene is None else [kind.overlays[name]([track], look) for name in _extras(kind, track.world, shown)]
    said, parts = (
        numbers(lane, track, tracks, kind.numbers),
        tuple(chain.from_iterable(_parts(extra) for extra in extras)),
    )
    for extra in extras:
        curves, arrows = curves + _drawn_curves(extra, run), arrows + _drawn_arrows(extra, track, run)
    if scene is not None:
        arrows += _other_bodies(track, scene, motion, shift)
    tips = () if truth is None else tuple(tips_of(track, []) if scene is None else scene.tips)
    moves = track.scheme, mesh, run.time, places, turned, curves, arrows, spin
    skin = look_of_body(track.body).pieces if scene is None or scene.body.worn else ()
    axle = None if scene is None or scene.body.axle is None else _welded(scene.body.axle)
    name = _body_name(track, motion)
    return Actor(*moves, truth, true_others, shine, words, said, parts, tips, axes, skin, axle, tracers, name)


def _body_name(track: LaneTrack, motion: Trajectory) -> str:
    """The name of the node of a body."""
    return " ".join(["body", *motion.bodies[track.number : track.number + 1]])


def _tracer(ball: pv.PolyData, ink: str, curve: Curve, places: Array, number: int) -> Arrow:
    """The ball that draws one of a body's curves."""
    ball = ball.copy()
    ball.point_data["rgba"] = tinted(ink, np.full(ball.n_points, 255))
    still = np.tile((1.0, 0.0, 0.0, 0.0), (len(places), 1))
    feet = curve.points + places if curve.around else curve.points
    return Arrow("", _welded(ball), still, np.ones(len(places)), feet, f"tracer {number}")


def _other_bodies(track: LaneTrack, scene: LaneScene, motion: Trajectory, shift: Array) -> tuple[Arrow, ...]:
    """The other bodies of a mechanism, each as an arrow that keeps its length."""
    found = []
    for one, solid in zip(track.bodies[:-1], scene.meshes, strict=True):
        run, name = motion.of_body(one.number), _body_name(one, motion)
        moves = _steady(run.orientation), np.ones(len(run)), run.position - shift
        found.append(Arrow("", _welded(solid), *moves, name))
    return tuple(found)


DRAWN = ("axes", "vectors", "trails", "truth", "grid")  # overlays that a page can have
EXTRAS = ("poinsot", "contacts", "close-up")  # and those that are built where a scenario shows them


def _extras(kind: SceneKind, world: World, shown: Collection[str]) -> list[str]:
    """The overlays that a page draws for a motion; without the marks of a rock's contacts.

    Nor Poinsot's construction of a motion with edits: a page has one plane, and each edit makes another.
    """
    named = EXTRAS[2:] if isinstance(world, RockfallWorld) else EXTRAS[1:] if world.earlier else EXTRAS
    return [name for name in named if name in kind.overlays and name in shown]


def _parts(extra: Overlay) -> Iterator[Part]:
    """Poinsot's ellipsoid with the exact polhode, and the plane on which it rolls."""
    if not isinstance(extra, Poinsot):
        return
    (roller,), (track,) = extra.rollers, extra.tracks
    at = placed(upright(extra.normal), extra.height * extra.normal)
    disc, circles = extra.plane
    for mesh in (disc.triangulate(), circles):
        yield Part(_plain(mesh.transform(at, inplace=False), None), turning=False)
    for branch in CLEAR * extra.scale * extra.reference(track):
        branch = branch[np.linspace(0, len(branch) - 1, RINGS).astype(int)]
        curve = Curve(branch, np.arange(float(len(branch))), math.inf, around=True)
        yield Part(tube(curve, track.body.radius), turning=True, ink="sticks")
    skin = roller.skin.copy()
    skin.point_data["rgba"] = tinted(track.scheme.colour, np.full(skin.n_points, 255))
    yield Part(_welded(skin), turning=True, opacity=SKIN)


def _drawn_curves(extra: Overlay, run: Trajectory) -> tuple[Curve, ...]:
    """The herpolhode, on Poinsot's plane, and the polhode, on the ellipsoid; of a mechanism those of its last body."""
    if isinstance(extra, Polhodes):
        (track,) = extra.tracks
        tips, memory = extra.scale(track) * extra.tips(track, run.time), SECONDS
    elif isinstance(extra, Poinsot):
        (roller,) = extra.rollers
        tips, memory = roller.tips(run.time), roller.recent.seconds
    else:
        return ()
    polhode = Curve(CLEAR * tips[:, 0], run.time, memory, around=True, turning=True)
    return Curve(tips[:, 1], run.time, memory, around=True), polhode


def _drawn_arrows(extra: Overlay, track: LaneTrack, run: Trajectory) -> tuple[Arrow, ...]:
    """The point in which Poinsot's ellipsoid touches the plane; forces and slip at the contact of a toy."""
    poses = [track.pose(float(time)) for time in run.time]
    if isinstance(extra, Poinsot):
        (roller,) = extra.rollers
        ball, feet = roller.ball.copy(), np.array([pose.place + extra.scale * pose.omega for pose in poses])
        ball.point_data["rgba"] = tinted(track.scheme.colour, np.full(ball.n_points, 255))
        still = np.tile((1.0, 0.0, 0.0, 0.0), (len(poses), 1))
        return (Arrow("", _welded(ball), still, np.ones(len(poses)), feet, "contact"),)
    if not isinstance(extra, ToyContactMarks):
        return ()
    (toy,) = extra.arrows
    drawn = np.array([toy.drawn(pose) for pose in poses])
    ways = track.body.radius * drawn[:, 1:]
    most = LONGEST_ARROW * track.body.radius / np.maximum(np.linalg.norm(ways, axis=2, keepdims=True), 1e-12)
    shown = (
        ("normal", "normal force", toy.normal),
        ("alarm", "friction", toy.friction),
        ("slip", "slip", toy.slips),
    )
    return tuple(
        _moving(ink, name, arrow, way, drawn[:, 0])
        for (ink, name, arrow), way in zip(shown, (ways * np.minimum(most, 1.0)).swapaxes(0, 1), strict=True)
    )


def _signs(
    kind: SceneKind,
    tracks: Sequence[LaneTrack],
    scenes: Sequence[LaneScene],
    ground: Ground | None,
    look: StageColours,
    shown: Collection[str],
) -> list[list[str]]:
    """Meanings of the signs of a page."""
    found = [one for scene in scenes for one in scene.signs(look)] if scenes else [*arrows(look)]
    if ground is not None:
        interval = ground.interval if "grid" in shown else None
        found += [("labels", run) for run in map_signs(interval, (1.0, 0.0), look, ground.exaggeration)]
    extras = _extras(kind, tracks[0].world, shown)
    found += [one for name in extras for one in kind.overlays[name](tracks[:1], look).signs()]
    found += truth_signs(tracks, look, drawn=True)
    if any(track.begins > 0.0 for track in tracks):
        found.append(("labels", sign(tr("bodies as after the last edit"), look.dim)))
    return signs(found, ("labels", *(name for name in DRAWN if name in shown), *extras))


def _true_body(
    track: LaneTrack, motion: Trajectory, places: Array, lines: Array, look: StageColours
) -> TrueBody | None:
    """The true body at the states of a motion, in which the track's is at places (n, 3) [m]."""
    if (truth := track.truth) is None or not truth.stretches:
        return None
    degrees, states, run = truth.degrees_off(motion), truth.states(motion.time), motion.of_body(track.number)
    positions, orientations = (one if one.ndim == 2 else one[:, track.number] for one in states[:2])
    known = np.isfinite(degrees)
    if not known.any():
        return None
    held = np.maximum.accumulate(np.where(known, np.arange(len(known)), 0))  # where it is not known: the last one
    shifted = (positions + (places - run.position))[held]
    away = np.linalg.norm(shifted - places, axis=1) > ALIKE[1] * track.body.radius
    points = lines.reshape(-1, 3)
    mesh = Mesh(points, np.arange(len(points)).reshape(-1, 2), colours=tinted(look.ink, np.full(len(points), 255)))
    seen = known & (away | (degrees > ALIKE[0]))
    return TrueBody(mesh, shifted, _steady(orientations[held]), np.where(known, degrees, -1.0), seen)


def _shine(actor: pv.Actor) -> tuple[float, float, float]:
    look = actor.prop
    return look.ambient, look.specular, look.specular_power


def _arrows(track: LaneTrack, vectors: VectorArrows, run: Trajectory) -> tuple[Arrow, ...]:
    """Omega and spin at the states of a run."""
    drawn = np.array([vectors.drawn(track.pose(float(time))) for time in run.time])
    signs = ("omega", "angular velocity", vectors.omega), ("ink", "angular momentum", vectors.spin)
    return tuple(_moving(*sign, ways, None) for sign, ways in zip(signs, drawn.swapaxes(0, 1), strict=True))


def _orbit_arrows(track: LaneTrack, orbit: OrbitArrows, run: Trajectory) -> tuple[Arrow, ...]:
    """Directions of flight and down at the states of a run, outside the body."""
    ways, size = orbit.drawn(run, track).swapaxes(0, 1), track.body.radius
    places = np.array([track.foot(track.pose(float(time))) for time in run.time])
    return tuple(
        _moving("", name, arrow, LENGTH * size * way, places + BEGIN * size * way)
        for (name, arrow), way in zip((("flight", orbit.flight), ("down", orbit.down)), ways, strict=True)
    )


def _moving(ink: str, name: str, arrow: StageArrow, ways: Array, feet: Array | None) -> Arrow:
    """An arrow of the stage along ways (n, 3) [m]."""
    lengths = np.linalg.norm(ways, axis=1)
    arrow.show(np.zeros(3), ways[np.argmax(lengths)])
    rgba = tinted(arrow.actor.prop.color.hex_rgb, np.full(arrow.mesh.n_points, 255))
    mesh = Mesh(np.array(arrow.mesh.points), arrow.mesh.regular_faces, np.asarray(arrow.mesh.point_normals), rgba)
    turned = _steady(_along(ways / np.maximum(lengths, 1e-12)[:, None]))
    return Arrow(ink, mesh, turned, np.maximum(lengths / max(lengths.max(), 1e-12), 1e-6), feet, name)


def _along(ways: Array) -> Array:
    """Quaternions (n, 4) that turn x to unit vectors (n, 3), by the shortest way."""
    x, y, z = ways.T
    turned = np.column_stack([1.0 + x, 0.0 * x, -z, y])
    turned[x < -1.0 + 1e-9] = (0.0, 0.0, 0.0, 1.0)
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True))


def _steady(orientations: Array) -> Array:
    """Quaternions (n, 4) whose signs do not jump, so that what mixes them does not go the long way round."""
    turned = np.sum(orientations[1:] * orientations[:-1], axis=1) < 0
    return np.asarray(orientations * np.where(np.r_[0, np.cumsum(turned)] % 2, -1.0, 1.0)[:, None])


def _welded(mesh: pv.PolyData) -> Mesh:
    """A mesh of VTK whose corners of equal place, normal and colour are one."""
    mesh = mesh.triangulate()
    colours = np.asarray(mesh.point_data["rgba"], np.uint8)
    corners = np.column_stack([mesh.points, np.round(mesh.point_normals, 3), colours]).astype(np.float32)
    _, first, where = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    faces = where.reshape(-1)[mesh.regular_faces]
    return Mesh(corners[first, :3], faces, normals=corners[first, 3:6], colours=colours[first])


# ---- what is below ------------------------------------------------------------------------------------


def _floor(scene: LaneScene, shown: Collection[str]) -> tuple[tuple[Mesh, ...], float | None]:
    """The floor, the table or the water that the stage draws below a body, and how high one that takes shadows is."""
    below = [
        part for part in scene.parts if isinstance(part, Floor | Tabletop | Sea | Water | Dial) and part.among(shown)
    ]
    hard = [part.actors[0].GetZRange()[1] for part in below if isinstance(part, Floor | Tabletop)]
    meshes = [_plain(_placed(actor), actor.GetTexture()) for part in below for actor in part.actors]
    meshes += [_welded(part.mesh) for part in scene.parts if isinstance(part, Mounts)]
    return tuple(meshes), (hard[0] if hard and not scene.meshes else None)


def _bored(scene: LaneScene) -> bool:
    """True if the shadow of a body has a hole."""
    return any(isinstance(part, SoftShadow) and part.bore is not None for part in scene.posed)


def _placed(actor: pv.Actor) -> pv.PolyData:
    """The mesh of an actor where it stands in the scene."""
    mesh: pv.PolyData = actor.mapper.GetInput()
    moved = actor.GetUserMatrix()
    return mesh if moved is None else mesh.transform(moved, inplace=False)


def _plain(mesh: pv.PolyData, texture: pv.Texture | None) -> Mesh:
    """Triangles or lines of VTK that are not lit."""
    colours = np.asarray(mesh.point_data["rgba"], np.uint8)
    if mesh.n_lines == 0:
        if texture is None:
            return Mesh(np.asarray(mesh.points), mesh.regular_faces, colours=colours)
        # from the upper left; VTK counts from the lower left
        places = np.asarray(mesh.active_texture_coordinates, float) * (1.0, -1.0) + (0.0, 1.0)
        shades = np.asarray(texture.to_array(), np.uint8)
        return Mesh(np.asarray(mesh.points), mesh.regular_faces, colours=colours, places=places, picture=shades)
    lines = mesh.GetLines()
    along, first = (vtk_to_numpy(array) for array in (lines.GetConnectivityArray(), lines.GetOffsetsArray()))
    ends = np.delete(np.column_stack([along[:-1], along[1:]]), first[1:-1] - 1, axis=0)  # none from line to line
    return Mesh(np.asarray(mesh.points), ends, colours=colours)


def _terrain(ground: Ground, *, contours: bool) -> tuple[Mesh, ...]:
    """The terrain with the picture that lies on it, coarse enough for a page, and the sides of the block."""
    if ground.fault is not None:
        raise ground.fault
    terrain = ground.outline
    (x0, x1, y0, y1), (ny, nx) = terrain.extent, terrain.heights.shape
    x, y = np.meshgrid(np.linspace(x0, x1, nx), np.linspace(y0, y1, ny))
    points = np.column_stack([x.ravel(), y.ravel(), terrain.heights.ravel()]).astype(np.float32)
    places = np.column_stack([(x.ravel() - x0) / (x1 - x0), 1.0 - (y.ravel() - y0) / (y1 - y0)])
    block = sides(terrain)
    side = Mesh(np.asarray(block.points), block.regular_faces, colours=np.asarray(block.point_data["rgba"]))
    return Mesh(points, triangles(ny, nx), places=places, picture=ground.picture(contours=contours)[::-1]), side
