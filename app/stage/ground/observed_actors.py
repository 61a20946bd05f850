"""What was measured on the slope, drawn: crosses where rocks stopped, tracks, and staffs where they passed screens."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, polylines
from app.stage.ground.ensemble_actors import on_ground
from app.stage.ground.ground import Ground
from app.stage.text.caption_text import Sign, sign
from app.stage.text.colour_map import ALONG, Bar, spanning
from app.stage.theme_colours import StageColours
from app.system.language import plural, tr
from physics.core.rotation import Array
from physics.systems.rockfall.observations import Observations, Passages

BRIGHT = "#5ff0ff"  # nothing computed has this colour; both themes have the same ground
RIM = "#10151d"  # behind bright lines, so that they are seen on any ground
ARM = 0.011  # of a cross, of the longer side of where stops lie
STAFF = 0.02  # of a passage without height, likewise
_RISE = 0.15  # of an arm: how high a cross lies above the ground


class ObservedActor(ActorGroup):
    """What was measured, in one colour that nothing computed has; passages by their velocity."""

    overlay = "observed"

    def __init__(self, ground: Ground, shift: Array, found: Observations, look: StageColours) -> None:
        super().__init__()
        self._ground, self._shift, self._look, self._found = ground, shift[:2], look, found
        self.bar: Bar | None = None
        size = self._size()
        if found.tracks:
            self._outlined([self._lifted(track.points, 0.3 * _RISE * ARM * size) for track in found.tracks], 1.8)
        if found.stops is not None:
            self._outlined(self._crosses(found.stops.places, ARM * size), 2.6)
        if found.passages is not None:
            self._staffs(found.passages, STAFF * size)

    def signs(self) -> list[Sign]:
        """What its signs mean, for the legend."""
        found, colour = self._found, self._look.measured
        stops = 0 if found.stops is None else len(found.stops)
        tracks = plural("{count} measured track", "{count} measured tracks", len(found.tracks))
        told = {
            f"× {tr('{count} measured stops').format(count=stops)}": found.stops is not None,
            f"— {tracks.format(count=len(found.tracks))}": bool(found.tracks),
            f"| {tr('measured passages')}": found.passages is not None,
        }
        return [("observed", sign(text, colour)) for text, there in told.items() if there]

    def _size(self) -> float:
        """The longer side of where anything was measured [m], at least a tenth of the map's."""
        x0, x1, y0, y1 = self._ground.terrain.extent
        places = [track.points[:, :2] for track in self._found.tracks]
        places += [one.places for one in (self._found.stops, self._found.passages) if one is not None]
        wide = np.ptp(np.concatenate(places), axis=0).max()
        return float(np.clip(wide, 0.1 * max(x1 - x0, y1 - y0), max(x1 - x0, y1 - y0)))

    def _outlined(self, curves: list[Array], width: float) -> None:
        """Lines in the colour of what was measured, with a dark rim."""
        for colour, wide, near in ((RIM, width + 2.2, 16.0), (BRIGHT, width, 20.0)):
            draw_nearer(self.add(polylines(curves), colour, lit=False, width=wide), near)

    def _crosses(self, places: Array, arm: float) -> list[Array]:
        """Two strokes (3, 3) [m] that lie on the ground at each of the places (n, 2)."""
        strokes = np.array([[(-arm, -arm), (0, 0), (arm, arm)], [(-arm, arm), (0, 0), (arm, -arm)]])
        lines = ((place - self._shift)[None] + stroke for place in places for stroke in strokes)
        return [on_ground(line, self._ground.terrain, 0.0) + np.array([0.0, 0.0, _RISE * arm]) for line in lines]

    def _lifted(self, points: Array, rise: float) -> Array:
        """The points (n, 3) of a track on the stage [m], and between those on the ground the ground's own."""
        here = points[:, :2] - self._shift
        if np.isnan(points[:, 2]).all():
            line = on_ground(here, self._ground.terrain)
            line[:, 2] += rise
            return line
        ground = self._ground.terrain.heights_at(here[:, 0], here[:, 1]) + rise
        return np.column_stack([here, np.where(np.isnan(points[:, 2]), ground, points[:, 2])])

    def _staffs(self, passages: Passages, usual: float) -> None:
        """A staff at each passage, as high as the rock was, in the colour of its velocity."""
        foot = passages.places - self._shift
        ground = self._ground.terrain.heights_at(foot[:, 0], foot[:, 1])
        high = np.where(np.isnan(passages.heights), usual, passages.heights)
        low, top = np.column_stack([foot, ground]), np.column_stack([foot, ground + high])
        curves = [np.array(pair) for pair in zip(low, top, strict=True)]
        draw_nearer(self.add(polylines(curves), RIM, lit=False, width=5.0), 16.0)
        colour: str | None = BRIGHT
        mesh, balls = polylines(curves), pv.PolyData(top.astype(np.float32))
        if np.isfinite(passages.velocities).any():
            self.bar, colour = spanning(tr("measured velocity"), "m/s", ALONG, 1.0, [passages.velocities]), None
            rgba = self.bar.rgba(np.nan_to_num(passages.velocities))
            mesh.point_data["rgba"], balls.point_data["rgba"] = np.repeat(rgba, 2, axis=0), rgba
        draw_nearer(self.add(mesh, colour, lit=False, width=3.0), 20.0)
        draw_nearer(self.add(balls, colour, lit=False, dot=8.0), 22.0)
