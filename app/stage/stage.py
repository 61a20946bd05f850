"""The stage: a world and its lanes in one plotter. What draws the window also draws the video."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
import pyvista as pv

from app.colours import Theme
from app.run import Lane
from app.stage import framing, labels
from app.stage.backdrop import dress, undress
from app.stage.camera import Rig
from app.stage.cards import Piece, Sheet
from app.stage.extras import EXTRAS, Extras, served
from app.stage.ground import CLOSE, Ground, Release
from app.stage.lane import Fall, Flight
from app.stage.look import look_of
from app.stage.part import Part
from app.stage.plotter import smooth_if_hardware
from app.stage.scene import Scene
from app.stage.top import Top
from app.stage.track import Pose, Track
from app.stage.vessel import Vessel
from app.stage.viewports import arrange
from physics.rotation import Array
from physics.terrain import Terrain
from physics.world import World

DEFAULT_OVERLAYS = ("axes", "vectors", "trails", "ghosts", "grid", "labels")
OVERLAYS = (*DEFAULT_OVERLAYS, *EXTRAS)

SCENES = {"free": Flight, "top": Top, "vessel": Vessel}  # of the kinds without ground
LEAST = 0.04  # radius of a rock on the picture, in halves of a viewport's shorter side; below it is drawn larger


class Stage:
    """A world and its lanes, drawn in a plotter made with ``app.stage.plotter.SETTINGS``.

    layout : "side-by-side" (a viewport a lane, linked cameras) or "overlay" (all lanes in one)
    camera : "fit" (the whole motion) or "follow" (with the body)
    overlays : names, from OVERLAYS, of what is shown beside the body
    """

    def __init__(
        self,
        plotter: pv.BasePlotter,
        world: World,
        lanes: Sequence[Lane],
        theme: Theme,
        *,
        layout: str = "side-by-side",
        camera: str = "fit",
        overlays: Iterable[str] = DEFAULT_OVERLAYS,
    ) -> None:
        self._plotter, self._world, self._theme = plotter, world, theme
        self.layout, self.camera = layout, camera
        shown = set(overlays)
        self.overlays = {name: name in shown for name in OVERLAYS if served(world.scenario.kind, name)}
        # VTK counts in float32, maps in millions of metres: everything drawn is shifted, here and only here
        terrain = world.terrain
        self._shift = np.zeros(3) if terrain is None else _middle(terrain)
        self._tracks = [Track(lane, world, self._shift) for lane in lanes]
        self._ground = None if terrain is None else Ground(terrain, self._shift)
        self.time = 0.0
        if not plotter.render_window.GetOffScreenRendering():
            smooth_if_hardware(plotter)
        self._build()
        self.fit()

    # ---- what others call ------------------------------------------------------------------------------

    def show(self, time: float) -> None:
        """Move everything to a time [s]; does not draw. Cheap: no actor is added or removed."""
        self.time = time
        self._set_sizes()
        for track in self._tracks:
            track.refresh()
        if self.camera == "follow":
            self._rig.follow(self._anchors())
        else:
            self._rig.apply()
        self._dress_ground()
        end = max(track.end for track in self._tracks)
        poses = [scene.show(time, end, self._scale(view, scene.track)) for view, scene in self._scenes]
        self._extras.show(poses)
        for view, mark in self._releases:
            mark.show(self._scale(view, self._tracks[0]))
        if self.overlays["labels"]:
            self._caption(poses)
        self._rig.apply()

    def wait(self) -> None:
        """Wait for what overlays compute in the background: a video must not begin without it."""
        self._extras.wait()

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
        """Frame the whole motion ("fit") or go with the body ("follow")."""
        if mode != self.camera:
            self.camera = mode
            self.fit()

    def fit(self) -> None:
        """Look from where one sees the whole motion; in "follow" mode from beside the body."""
        for track in self._tracks:
            track.refresh()
        if self.camera == "follow":
            self._rig.follow(self._anchors())
            self._rig.look(*framing.near(self._world, self._tracks, self._ground))
        else:
            self._rig.follow(np.zeros((self._views, 3)))
            wide, high = self._used[0].GetSize()
            self._rig.look(*framing.whole(self._world, self._tracks, self._ground, wide / max(high, 1)))
        self.show(self.time)

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS; the camera stays. Nothing happens where the motion has no such thing."""
        if name not in self.overlays:
            return
        self.overlays[name] = on
        self._show_overlays()
        self.show(self.time)

    def close(self) -> None:
        """Remove all that the stage has added; the plotter serves another stage."""
        self._strip()
        self._ground = None
        self._tracks = []

    # ---- building --------------------------------------------------------------------------------------

    def _build(self) -> None:
        look = look_of(self._theme)
        n = len(self._tracks)
        self._views = 1 if self.layout == "overlay" else min(n, 4)
        self._renderers = list(self._plotter.renderers)[:4]
        self._used = self._renderers[: self._views]
        self._size = (0, 0)
        for renderer in self._used:
            dress(renderer, look, rock=self._ground is not None)
        self._look, self._scenes, self._parts, self._releases = look, [], [], []
        filled: set[int] = set()
        for number, track in enumerate(self._tracks):
            view = number * self._views // n
            scene = self._scene(track, first=view not in filled)
            filled.add(view)
            self._scenes.append((view, scene))
            self._parts += [(view, part) for part in scene.parts]
        for view in range(self._views):
            self._parts += [(view, part) for part in self._surroundings(view)]
        for view, part in self._parts:
            part.enter(self._used[view])
        self._sheets = [(Sheet(), Sheet()) for _ in self._used]
        for renderer, sheets in zip(self._used, self._sheets, strict=True):
            for sheet in sheets:
                renderer.AddViewProp(sheet.actor)
        self._extras = Extras(self._used, self._scenes, look)
        clear = None
        if self._ground is not None:
            clear = partial(framing.clearance, self._ground, self._world.body.radius)
        self._rig = Rig(self._used, clear, aside=self._ground is None)
        self._unit, self._ground_key = 1.0, None
        self._set_sizes()
        self._show_overlays()

    def _scene(self, track: Track, *, first: bool) -> Scene:
        if self._ground is not None:
            return Fall(track, self._look, self._ground)
        scenario = self._world.scenario
        shared = self._views < len(self._tracks)
        return SCENES[scenario.kind](track, self._look, scenario.duration, first=first, shared=shared)

    def _surroundings(self, view: int) -> list[Part]:
        """What all rocks of a viewport share."""
        if self._ground is None:
            return []
        mark = Release(self._ground, self._tracks[0].pose(0.0).position, self._world.body.radius, self._look)
        self._releases.append((view, mark))
        return [self._ground, mark]

    def _rebuild(self) -> None:
        """Build anew in other colours or another layout; the camera stays."""
        rig = self._rig
        self._strip()
        self._build()
        self._rig.position, self._rig.focus, self._rig.up, self._rig.touched = (
            rig.position,
            rig.focus,
            rig.up,
            rig.touched,
        )
        self.show(self.time)

    def _strip(self) -> None:
        self._rig.close()
        for view, part in (*self._parts, *self._extras.parts):
            part.leave(self._used[view])
        for renderer, sheets in zip(self._used, self._sheets, strict=True):
            for sheet in sheets:
                renderer.RemoveViewProp(sheet.actor)
            undress(renderer)
        self._parts, self._scenes, self._sheets, self._releases = [], [], [], []
        self._extras = Extras((), (), self._look)

    # ---- showing ---------------------------------------------------------------------------------------

    def _set_sizes(self) -> None:
        """Fit viewports, lines and letters to the size of the picture."""
        size = self._plotter.render_window.GetSize()
        if size == self._size:
            return
        self._size = size
        arrange(self._renderers, self._views, size)
        wanted = max(min(size[1] / 720.0, size[0] / 800.0), 0.75)
        self._unit = min(wanted, min(renderer.GetSize()[1] for renderer in self._used) / 170.0)
        for _, part in (*self._parts, *self._extras.parts):
            part.set_unit(self._unit)

    def _show_overlays(self) -> None:
        for name in EXTRAS:
            if self.overlays.get(name):
                self._extras.build(name, self._unit)
        for _, part in (*self._parts, *self._extras.parts):
            if part.overlay is not None:
                part.switch(self.overlays[part.overlay] and not self.overlays.get(part.unless or ""))
        for sheets in self._sheets:
            for sheet in sheets:
                sheet.actor.SetVisibility(self.overlays["labels"])

    def _caption(self, poses: Sequence[Pose]) -> None:
        for view, (top, bottom) in enumerate(self._sheets):
            size = self._used[view].GetSize()
            if view == 0:
                top.show(
                    labels.heading(self._world, self.time, self._look, self._legend(poses[0])),
                    self._unit,
                    (size[0] - self._extras.beside(view), size[1]),
                    "top-left",
                )
            here = [
                labels.caption(scene.track.scheme, scene.numbers(pose, self._look), self._look)
                for (where, scene), pose in zip(self._scenes, poses, strict=True)
                if where == view
            ]
            bottom.show(labels.stacked(here, self._look), self._unit, size, "bottom-left")
            self._extras.stand_on(view, bottom.top)

    def _legend(self, pose: Pose) -> tuple[Piece, ...]:
        """What the signs on the stage mean."""
        if self._ground is None:
            signs = [sign for _, scene in self._scenes for sign in scene.signs(self._look)]
            signs += self._extras.signs()
            return tuple(dict.fromkeys(piece for overlay, piece in signs if self.overlays[overlay]))
        lines = self._ground.interval if self.overlays["grid"] and not self._ground.near else None
        return labels.map_signs(lines, pose.scale, self._look)

    def _dress_ground(self) -> None:
        """From near by fine ground with grain; from afar coarse ground, with contour lines if they are wanted."""
        if self._ground is None:
            return
        key = (self._rig.distance < CLOSE, self.overlays["grid"])
        if key != self._ground_key:
            self._ground_key = key
            new = self._ground.dress(near=key[0], contours=key[1] and not key[0])
            for actor in new:
                for renderer in self._used:
                    renderer.AddViewProp(actor)

    def _anchors(self) -> Array:
        """What the follow camera of each viewport follows: its first body, or the point that stays."""
        if self._world.attached:
            return np.zeros((self._views, 3))
        firsts = {view: scene.track for view, scene in reversed(self._scenes)}
        return np.array([framing.steady(firsts[view], self.time) for view in range(self._views)])

    def _scale(self, view: int, track: Track) -> float:
        """How many times larger a rock is drawn, so that one finds it on a mountain."""
        if self._ground is None:
            return 1.0
        eye, focus = self._rig.eye(view)
        ahead = (focus - eye) / np.linalg.norm(focus - eye)
        depth = max(float((track.pose(self.time).position - eye) @ ahead), 0.0)
        return max(1.0, LEAST * framing.HALF * depth / self._world.body.radius)


def _middle(terrain: Terrain) -> Array:
    x0, x1, y0, y1 = terrain.extent
    return np.array([round((x0 + x1) / 2), round((y0 + y1) / 2), 0.0])
