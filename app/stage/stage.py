"""The stage: a world and its lanes in one plotter, for the window and for films."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.playback.headline import Headline
from app.playback.run import Lane
from app.stage.actor_group import ActorGroup
from app.stage.camera import fit as camera_fit
from app.stage.camera.keyframes import Keyframes
from app.stage.camera.modes import CameraModes
from app.stage.camera.rig import CameraRig, Viewpoint
from app.stage.ground.scene import LAID, TerrainScene, middle
from app.stage.ground.shaded_relief import prepare
from app.stage.lane_scene import LanePlace, LaneScene, SceneKind, ScenePart
from app.stage.lane_track import LaneTrack
from app.stage.lighting import dress, undress
from app.stage.overlays.curve_colours import CurveColours
from app.stage.overlays.overlays import EXTRAS, Overlays, served
from app.stage.plotter import MOST_VIEWS, PlotterLike, arrange, panes, refusal, shade, viewport_under
from app.stage.scenes.lane_numbers import in_detail
from app.stage.text.captions import Captions
from app.stage.text.cards import TextRun
from app.stage.text.labels import line_of_sight
from app.stage.theme_colours import StageColours, look_of
from app.theme import Theme
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.scenario.camera_modes import CAMERA_MODES
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World

NEAR = 6.0  # [pixels of a picture 720 high] of a joint, which is clicked before the bodies around it
FOOT = 45.0  # height of the line of a lane [pixels of a picture 720 high]
ROUNDS = 3  # viewports depend on the headline, legends on the camera, and both on the room that these leave
LEAST = 0.5  # size of the headline's letters on small pictures, in that of one 720 high
DEFAULT_OVERLAYS = ("vectors", "trails", "truth", "ghosts", "grid", "labels", *LAID)
OVERLAYS = ("axes", *DEFAULT_OVERLAYS, "numbers", "whole", "colours", *EXTRAS)


class Description(NamedTuple):
    """Contents of a stage, for tests and tools: to be read, not to be changed.

    Attributes
    ----------
    world, tracks : the motion, and its lanes in the coordinates of the stage
    scenes, parts : what is drawn of the lanes, and all actors of lanes and ground, each with the number of its viewport
    extras, captions, colours : overlays that one can switch, text cards, and colours along paths
    rig, modes, renderers : the cameras, what moves them, and the viewports in use
    look : colours of the theme
    shift : (3,) [m] from the origin of the map to that of the stage
    unit : pixels for one pixel of a picture 720 high
    numbers : those of each lane's caption, by the lane's scheme
    """

    world: World
    tracks: tuple[LaneTrack, ...]
    scenes: tuple[tuple[int, LaneScene], ...]
    parts: tuple[tuple[int, ActorGroup], ...]
    extras: Overlays
    captions: Captions
    colours: CurveColours
    rig: CameraRig
    modes: CameraModes
    renderers: tuple[pv.Renderer, ...]
    look: StageColours
    shift: Array
    unit: float
    numbers: dict[str, str]


class Stage:
    """A world and its lanes, drawn in a plotter made with ``app.stage.plotter.SETTINGS``.

    kind : how the world's kind of motion is drawn, see app.kinds
    layout : "side-by-side" (a viewport a lane, linked cameras) or "overlay" (all lanes in one)
    camera : one of camera.modes.CAMERAS: "fit" (the whole motion), "follow" (with the body), "ride" (on it), "top", ...
    overlays : names, from OVERLAYS, of what is shown beside the body
    columns : in which the viewports of the stage before stood, where these are as many; 0: there was none
    ratio : pixels of the picture for one pixel of the screen's letters, on screens that are finer than usual
    letters : factor by which letters and lines are larger than usual in a picture of this size
    headline : None: none is shown
    """

    def __init__(
        self,
        plotter: PlotterLike,
        world: World,
        lanes: Sequence[Lane],
        theme: Theme,
        kind: SceneKind,
        *,
        layout: str = "side-by-side",
        camera: str = "fit",
        overlays: Collection[str] = DEFAULT_OVERLAYS,
        columns: int = 0,
        ratio: float = 1.0,
        letters: float = 1.0,
        headline: Headline | None = None,
    ) -> None:
        self._plotter, self._world, self._lanes, self._theme, self._kind = plotter, world, lanes, theme, kind
        self.named = False  # arrows have their names below the headline, also without all numbers
        self.layout, self.camera, self.ratio, self.letters, self.headline = layout, camera, ratio, letters, headline
        # VTK counts in float32, maps in millions of metres: all that is drawn is shifted, here alone
        self._shift = middle(world.terrain) if world.terrain is not None else np.zeros(3)
        self.land = TerrainScene(world, self._shift) if isinstance(world, RockfallWorld) else None
        self._ground = None if self.land is None else self.land.ground
        self.overlays = {name: name in overlays for name in OVERLAYS if served(kind, self._ground, name)}
        self.fault = None if self._ground is None else self._ground.fault  # in the view that the scenario wants
        self.time, self._around, self._shaded, self._crowded = 0.0, 0.0, False, True
        self.chosen: ScenePart | None = None
        if world.scenario.view.occlusion:
            wrong = refusal(world.scenario, plotter.render_window.ReportCapabilities)
            self.fault, self._shaded = self.fault or wrong, wrong is None
        self.colour: str = world.scenario.view.colour  # what the overlay "colours" shows along the paths
        self._views, self.columns = min(len(lanes), MOST_VIEWS), columns  # of the viewports
        self._samples = plotter.render_window.GetMultiSamples()
        self._build()
        self.fit()

    # ---- what others call ------------------------------------------------------------------------------

    def show(self, time: float) -> None:
        """Move everything to a time [s]; does not draw. Cheap: no actor is added or removed."""
        self._move(time)
        if self._crowded:  # not at each time: what moves would jump where a caption grows
            for _ in range(ROUNDS):
                self._crowded = False
                boxes = self._captions.boxes(self._colouring.boxes)
                self._cameraman.make_room(self.camera, boxes)
                self._move(time)
                if not self._crowded and self._captions.boxes(self._colouring.boxes) == boxes:
                    break

    def describe(self) -> Description:
        """The objects and the numbers on the stage at the time that is shown."""
        lines = {scene.track: scene.numbers(scene.pose(self.time, 1.0), self._look) for _, scene in self._scenes}
        return Description(
            world=self._world,
            tracks=tuple(self._tracks),
            scenes=tuple(self._scenes),
            parts=tuple(self._parts),
            extras=self._extras,
            captions=self._captions,
            colours=self._colouring,
            rig=self._rig,
            modes=self._cameraman,
            renderers=tuple(self._used),
            look=self._look,
            shift=self._shift,
            unit=self._unit,
            numbers={
                track.scheme.name: "    ".join((in_detail(track, self.time), "".join(run.text for run in line)))
                for track, line in lines.items()
            },
        )

    def _move(self, time: float, *, seen: bool = True) -> None:
        self.time = time
        self._refresh()
        if any(track.stretch != track.motion.stretch(time) for track in self._tracks):
            self._rebuild()  # with the bodies as they are between other edits
        self._set_sizes()
        self._cameraman.go(self.camera, time)
        grid, captions = self.overlays.get("grid", False), self.overlays["labels"]
        if self.land is not None and seen:
            self.land.dress(self._rig, contours=grid)
        self._colouring.show(self.colour if self.overlays["colours"] else None)
        poses = [scene.show(time, self._scale(view, scene.track)) for view, scene in self._scenes]
        self._extras.show(poses)
        if captions:
            self._captions.headline = self.headline
            distance = self._rig.viewpoint.distance
            self._captions.show(time, poses, self.overlays, distance, self._whole, self._unit, named=self.named)
        self._rig.clip()
        above = max(self._extras.above(self._views - 1), self._captions.headed(self._views - 1))
        if self.land is None:
            self._colouring.lay(self._unit, above, captions=captions)
        else:
            bar, caption = self._colouring.bar, self._captions.lines[-1] if captions else None
            self.land.show(self._rig, self._unit, poses[0].scale, bar, above, caption, contours=grid)

    def _refresh(self) -> None:
        for track in (*self._tracks, *self._largest):
            track.refresh()

    @property
    def headed(self) -> int:
        """Depth of the headline from the upper edge [pixels]; 0 where captions are hidden."""
        return self._captions.depth

    def first(self) -> tuple[LaneScene, float]:
        """The first lane, and how many times larger than it is its body is drawn."""
        return self._scenes[0][1], self._scale(0, self._tracks[0])

    def wait(self) -> None:
        """Paint the terrain, if there is one: a video must not begin without it."""
        prepare(self._world)
        self.refine()

    def pick(self, x: float, y: float) -> ScenePart | None:
        """The body or joint of a mechanism at a pixel of the picture, from its upper left corner; None: none there."""
        found = (scene.pick(*under, NEAR * self._unit) for scene, under in self._under(x, y))
        return next(filter(None, found), None)

    def touch(self, x: float, y: float) -> tuple[int, Array, Array] | None:
        """The body of a mechanism at a pixel of the picture, likewise, see LaneScene.touch."""
        return next(filter(None, (scene.touch(*under) for scene, under in self._under(x, y))), None)

    def sight(self, x: float, y: float) -> Array | None:
        """The line of sight at a pixel, likewise: its nearest and its farthest point (2, 3) [m]; None beside all."""
        under = viewport_under(self._used, x, y)
        return None if under is None else line_of_sight(*under)

    def _under(self, x: float, y: float) -> list[tuple[LaneScene, tuple[pv.Renderer, float, float]]]:
        """Scenes of the viewport at a pixel from the upper left corner, and the pixel from its lower left corner.

        None of a mechanism that is compared with and has other bodies: their numbers would name those of the world.
        """
        if (under := viewport_under(self._used, x, y)) is None:
            return []
        scenes = (scene for view, scene in self._scenes if self._used[view] is under[0])
        return [(one, under) for one in scenes if one.track.whole.body_names == self._world.body_names]

    def choose(self, part: ScenePart | None) -> None:
        """Mark a body or joint of a mechanism in all lanes; cameras follow a chosen body. None: mark nothing."""
        self.chosen = part
        for _, scene in self._scenes:
            scene.choose(part)
        self.show(self.time)

    def refine(self) -> bool:
        """Take over what was found since: painted ground, true motions, late lanes' states; True if there was any."""
        refined = self._ground is not None and self._ground.refine()
        refined |= any(track.behind(self.time) for track in self._tracks)
        if refined:
            self.show(self.time)
        return refined

    def render(self) -> None:
        """Draw once; a window updates its own widget instead."""
        self._plotter.render_window.Render()

    def set_theme(self, theme: Theme) -> None:
        """Change the colours."""
        self._theme = theme
        self._rebuild()

    def set_layout(self, layout: str) -> None:
        """Show the lanes side by side or over one another."""
        self.layout = layout
        self._rebuild()

    def set_camera(self, mode: str) -> None:
        """Switch to one of CAMERA_MODES: the whole motion, with the body, ..."""
        if mode != self.camera or not CAMERA_MODES[mode].moves:
            self.camera = mode
            self._show_overlays()
            self.fit()

    def fit(self) -> None:
        """Move the cameras to the start of their mode: in view of the whole motion, beside the body, ..."""
        for _ in range(2):  # viewports depend on the headline, and the legend of a slope on the distance
            self._move(self.time, seen=False)  # the captions determine how much room is left
            self._cameraman.fit(self.camera, self.time, self._captions.boxes(self._colouring.boxes))
        self._around, self._crowded = 0.0, False
        self._move(self.time)

    @property
    def viewpoint(self) -> Viewpoint:
        """Viewpoint of the first camera [m], in the coordinates of the stage, relative to the body that it follows."""
        return self._rig.viewpoint

    @property
    def viewpoints(self) -> list[Viewpoint]:
        """Viewpoints of all cameras, which may move each for itself."""
        return self._rig.viewpoints

    def look(self, *viewpoints: Viewpoint) -> None:
        """Look from a viewpoint, such as a saved one or one of a camera.Move; or each camera from one of its own."""
        self._rig.look(*viewpoints)
        self.show(self.time)

    def link_cameras(self, on: bool) -> None:
        """Let the cameras of all viewports move together, or each for itself."""
        self._rig.link(on)
        self.show(self.time)

    def keyframes(self) -> Keyframes | None:
        """The cameras that the scenario lists, to be played by ``show_keyframe``; None where it lists none."""
        return Keyframes(self._world, self._cameraman.seen) if self._world.scenario.view.cameras else None

    def show_keyframe(self, keyframes: Keyframes, time: float) -> None:
        """Move everything to a time [s], the cameras too, which no longer go with the body by themselves."""
        self.camera, self.time = "fit", time
        self._refresh()
        self._rig.look(keyframes.at(time))
        self.show(time)

    def orbit(self, angle: float) -> None:
        """Go around what the camera looks at, to an angle [deg], counter-clockwise from where ``fit`` has put it."""
        if angle != self._around:
            self._rig.orbit(angle - self._around)
            self._around = angle

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS if the motion has it; what moves stands clear of it until a camera is moved."""
        if name in self.overlays:
            self.overlays[name], self._crowded = on, not self._rig.touched
            self._show_overlays()
            self.show(self.time)

    def close(self) -> None:
        """Remove all that the stage has added; the plotter serves another stage."""
        self._strip()
        if self._shaded:  # else they may be others by now: a window smooths its edges once it knows what draws
            self._plotter.render_window.SetMultiSamples(self._samples)
        self.land, self._ground, self._lanes = None, None, ()
        self._tracks, self._largest = list[LaneTrack](), list[LaneTrack]()

    # ---- building --------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._kind.theme(self._theme, self._world)
        look = look_of(theme)
        self._tracks = [LaneTrack.at(lane, self._shift, self.time) for lane in self._lanes]
        self._largest = [track.largest for track in self._tracks]
        for track in self._tracks:
            track.stand_out(theme)
        if self._ground is not None:  # cards lie over contour lines and their numbers
            look = replace(look, panel_opacity=0.92)
        places = panes([track.scheme.name for track in self._tracks], overlaid=self.layout == "overlay")
        if (views := max(places) + 1) != self._views:
            self._views, self.columns = views, 0
        self._renderers = list(self._plotter.renderers)[:MOST_VIEWS]
        self._used = self._renderers[: self._views]
        self._size: object = None  # of the picture, and the ratio, that lines and letters fit
        for renderer in self._used:
            dress(renderer, look, rock=self._ground is not None)
            if self._shaded:
                shade(renderer, self._tracks[0].body.radius)
        self._look, self._parts = look, []
        self._scenes: list[tuple[int, LaneScene]] = []
        shells: dict[Body, pv.PolyData] = {}
        for number, (view, track) in enumerate(zip(places, self._tracks, strict=True)):
            place = LanePlace(places[:number].count(view), self._views < len(self._tracks), self._ground)
            scene = self._kind.lane(track, look, place)
            scene.caption = self._kind.numbers
            scene.add_truth(look, shells, [one for where, one in self._scenes if where == view])
            self._scenes.append((view, scene))
            self._parts += [(view, part) for part in scene.parts]
        if self.land is not None:
            schemes = [[scene.track.scheme for where, scene in self._scenes if where == v] for v in range(self._views)]
            self._parts += self.land.enter(self._used, schemes, look, self._tracks[0].pose(0.0).position)
        for view, part in self._parts:
            part.enter(self._used[view])
        self._extras = Overlays(self._kind, self._used, self._scenes, look)
        self._colouring = CurveColours(self._scenes, self._used[-1], look)
        self._captions = Captions(self._plotter, self._used, self._scenes, self._extras, self.land, look)
        self._rig = camera_fit.rig_of(self._used, self._largest, self._ground, self._kind.reach)
        bodies = [[scene.track for at, scene in self._scenes if at == view] for view in range(self._views)]
        self._cameraman = CameraModes(self._rig, self._used, self._kind, self._largest, bodies, self._ground)
        self._set_sizes()
        self._show_overlays()

    def _rebuild(self) -> None:
        """Build anew: in other colours, in another layout, or after another edit; the camera stays."""
        rig = self._rig
        self._strip()
        self._build()
        self._rig.take_over(rig)
        self.choose(self.chosen)

    def _strip(self) -> None:
        self._rig.close()
        if self.land is not None:
            self.land.leave()
        for view, part in (*self._parts, *self._extras.parts):
            part.leave(self._used[view])
        self._captions.leave()
        self._colouring.leave()
        for renderer in self._used:
            undress(renderer)
            renderer.SetPass(None)  # see shade
        self._parts, self._scenes, self._extras = [], [], Overlays(self._kind, (), (), self._look)

    def _set_sizes(self) -> None:
        """Fit viewports, lines and letters to the size of the picture."""
        size = self._plotter.render_window.GetSize()
        head = min(self._captions.depth, size[1] // 2)  # of a picture of few pixels, half is left for bodies
        if (size, head, self.ratio, self.letters) == self._size:
            return
        self._size, self._crowded = (size, head, self.ratio, self.letters), True
        whole = min(size[1] / 720.0, size[0] / 800.0)
        self._whole = max(self.letters * whole, LEAST * self.ratio)
        self.columns = arrange(self._renderers, self._views, size, self.columns, head, FOOT * self._whole)
        self._captions.fill()
        sides = np.array([renderer.GetSize() for renderer in self._used])
        wanted = max(self.letters * min(whole, sides.min() / 480.0), 0.75 * self.ratio)
        self._unit = float(min(wanted, sides[:, 1].min() / 170.0))
        for _, part in (*self._parts, *self._extras.parts):
            part.set_unit(self._unit)

    def _show_overlays(self) -> None:
        shown = {name for name, on in self.overlays.items() if on}
        for name in (name for name in EXTRAS if name in shown):
            self._extras.build(name, self._unit)
        for _, part in (*self._parts, *self._extras.parts):
            if part.overlay is not None:
                part.switch(part.among(shown) and (part.aboard or not CAMERA_MODES[self.camera].moves))
        self._captions.come_before(on=self.overlays["labels"])

    def _scale(self, view: int, track: LaneTrack) -> float:
        """Factor by which a rock is drawn larger, so that one finds it on a mountain."""
        if self.land is None:
            return 1.0
        eye, focus = self._rig.eye(view)
        return self.land.scale(eye, focus, None if self.viewpoint.parallel >= 1.0 else track.pose(self.time).position)


def _read(line: Iterable[TextRun]) -> str:
    """The text of a line; a space after a badge."""
    return "".join(f"{run.text} " if run.behind else run.text for run in line)
