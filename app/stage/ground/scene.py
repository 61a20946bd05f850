"""The scene of a terrain in all viewports: ground, marks, ensemble, and what a map has in its margin."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import cast

import contourpy
import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw

from app.stage.actor_group import ActorGroup
from app.stage.camera.rig import HALF, CameraRig
from app.stage.ground.ground import CLOSE, Ground, MapLayer
from app.stage.ground.layers import charts
from app.stage.ground.marks import (
    BarrierActor,
    Flags,
    ObservedActor,
    PathActor,
    PathGeometry,
    PathTable,
    Release,
    StemActor,
    ZoneActor,
    on_ground,
    path_geometry,
)
from app.stage.plotter import Box, viewport_under
from app.stage.text.caption_text import Line, Sign, map_signs
from app.stage.text.cards import MARGIN, Card, FlatPicture, TextRun, blank, draw
from app.stage.text.colour_map import Bar, panel
from app.stage.text.labels import UprightLabels, line_of_sight, projected
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme
from physics.systems.rockfall.map_layers import layers_of
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Terrain

PLACES = 4000  # along a line of sight, in each round of the search


def aimed(terrain: Terrain, renderer: pv.Renderer, u: float, v: float) -> Array | None:
    """Point (3,) [m] of the terrain at a pixel from the viewport's lower left corner; None: beside it."""
    near, far = line_of_sight(renderer, u, v)
    low, last = _through(terrain, near, far)
    if not low < last:
        return None
    for _ in range(3):  # each round looks closer
        s = np.linspace(low, last, PLACES)
        points = near + s[:, None] * (far - near)
        first = int(np.argmax(points[:, 2] <= terrain.heights_at(points[:, 0], points[:, 1])))
        if first == 0:  # it goes over the ground, or comes in through a side of the block
            return None
        low, last = s[first - 1], s[first]
    return np.asarray(near + last * (far - near))


def _through(terrain: Terrain, near: Array, far: Array) -> tuple[float, float]:
    """The shares of the way from near to far, (3,) [m] each, between which it passes through the terrain's box."""
    x0, x1, y0, y1 = terrain.extent
    low = np.array([x0, y0, float(terrain.heights.min()) - 1.0])
    high = np.array([x1, y1, float(terrain.heights.max()) + 1.0])
    way = np.where(np.abs(far - near) < 1e-12, 1e-12, far - near)
    a, b = (low - near) / way, (high - near) / way
    return max(0.0, float(np.minimum(a, b).max())), min(1.0, float(np.maximum(a, b).min()))


class ViewportGround:
    """A viewport with lanes of some schemes, and what it shows of an ensemble: the rocks of one of these schemes."""

    def __init__(
        self,
        renderer: pv.Renderer,
        schemes: Sequence[Scheme],
        rocks: PathActor,
        tags: UprightLabels,
        names: UprightLabels,
    ) -> None:
        self.renderer, self.schemes, self.rocks = renderer, tuple(schemes), rocks
        self.tags, self.names = tags, names  # heights of contour lines, names of zones
        self.whose: Scheme | None = None  # the scheme with results drawn here
        self.empty = False  # there are results, but none of these schemes
        self._drawn: PathGeometry | None = None
        for labels in (tags, names):
            renderer.AddViewProp(labels.actor)

    def leave(self) -> None:
        """Go out of the viewport."""
        for labels in (self.tags, self.names):
            self.renderer.RemoveViewProp(labels.actor)

    def known(self, names: Collection[str]) -> list[Scheme]:
        """The viewport's schemes that are among some names."""
        return [scheme for scheme in self.schemes if scheme.name in names]

    def take(self, names: Collection[str] | None, wanted: str) -> str:
        """Choose which scheme's results are shown here, and return its name; "": none.

        names : of the schemes with results; None: there are no results at all
        wanted : the one to be shown where there are several
        """
        known = self.known(names or ())
        self.whose = next((scheme for scheme in known if scheme.name == wanted), known[0] if known else None)
        self.empty = names is not None and self.whose is None
        return "" if self.whose is None else self.whose.name

    def show(self, path_geometry: PathGeometry | None, rock: int | None) -> None:
        """Draw these paths, one of them bold."""
        if path_geometry is not self._drawn:
            self._drawn = path_geometry
            if path_geometry is None:
                self.rocks.clear()
            else:
                self.rocks.show(path_geometry)
        self.rocks.choose(rock)

    def summary(self, scheme: Scheme, laid: str) -> str:
        """Summary of the results of a scheme drawn here, for its caption; laid: the title of the map here, if any."""
        if self.empty:
            return tr("no results of many rocks")
        if self.whose is None or scheme.name != self.whose.name:
            return ""
        return ", ".join(part for part in (self.rocks.summary, laid) if part)


WIDE = 96.0  # the longest bar [pixels of a picture 720 high]


def bar_length(metres: float) -> float:
    """The longest round length [m] of at most ``metres``."""
    power = 10.0 ** math.floor(math.log10(max(metres, 1e-9)))
    return max(m * power for m in (1, 2, 5) if m * power <= metres * (1 + 1e-9))


def map_card(azimuth: float, per_pixel: float, look: StageColours, unit: float) -> np.ndarray:
    """The card (h, w, 4) of 0 to 255.

    azimuth : of the direction of view, clockwise from north [deg]
    per_pixel : metres across one pixel in the middle of the picture
    """
    length = bar_length(WIDE * unit * per_pixel)
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    words = Image.fromarray(draw(Card(((TextRun(text, look.ink, 11.5, "Medium"),),), look.panel, 0.0), unit, 999))
    wide, high, fine = round((WIDE + 62) * unit), round(50 * unit), 4
    large = Image.fromarray(blank((fine * wide, fine * high), 8 * unit * fine, look.panel, look.panel_opacity))
    pen, scale = ImageDraw.Draw(large), fine * unit
    _needle(pen, azimuth, (26 * scale, large.size[1] / 2), 17 * scale, look)
    left, y, right = 50 * scale, 34 * scale, (50 + length / per_pixel / unit) * scale
    half = (left + right) / 2
    pen.rectangle((left, y, half, y + 4 * scale), fill=look.ink)
    pen.rectangle((left, y, right, y + 4 * scale), outline=look.ink, width=round(1.2 * scale))
    picture = large.resize((wide, high), Image.Resampling.BOX)
    picture.alpha_composite(words, (round(40 * unit), round(2 * unit)))
    return np.asarray(picture)


def _needle(
    pen: ImageDraw.ImageDraw, azimuth: float, centre: tuple[float, float], size: float, look: StageColours
) -> None:
    """A needle whose dark half points north, where the view looks to an azimuth [deg]."""
    turn = math.radians(-azimuth)
    ahead, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))

    def at(along: float, across: float) -> tuple[float, float]:
        return (
            centre[0] + size * (along * ahead[0] + across * aside[0]),
            centre[1] + size * (along * ahead[1] + across * aside[1]),
        )

    pen.polygon((at(1, 0), at(0, 0.34), at(0, -0.34)), fill=look.alarm)
    pen.polygon((at(-1, 0), at(0, 0.34), at(0, -0.34)), fill=look.dim)


LAID = ("rocks", "zones", "barriers", "observed")  # overlays that lie on the ground
MIN_ROCK_RADIUS = 0.025  # least radius of a rock on the picture, in halves of a viewport's shorter side
ROOMY = 430.0  # least width of a viewport for things in its right margin [pixels of a picture 720 high]
BESIDE = 400.0  # least width of a viewport for the compass beside or above a caption [pixels of a picture 720 high]
LINE = 460  # width of the longest line of a lane


class TerrainScene:
    """The ground of a world and what lies on it; ``shift`` (3,) [m] is that of the stage."""

    def __init__(self, world: RockfallWorld, shift: Array) -> None:
        self.world, self._shift = world, shift
        self.ground = Ground(world, shift)
        self._paths: Mapping[str, PathGeometry] | None = None  # by scheme; None: no paths
        self._mapped = False  # True while a map is laid
        self._wanted = ""  # the scheme whose results are shown where lanes share a viewport
        self.since = ""  # what follows the summary of results that are older than the scenario
        self._unit = 1.0
        self._rock: int | None = None
        self.panes: list[ViewportGround] = []
        self.contour_texts, self.contour_places = numbers_on_contours(self.ground, world.position - shift)
        self._renderers: list[pv.Renderer] = []

    # ---- coming and going ------------------------------------------------------------------------------

    def enter(
        self, renderers: Sequence[pv.Renderer], schemes: Sequence[Sequence[Scheme]], look: StageColours, start: Array
    ) -> list[tuple[int, ActorGroup]]:
        """Come into viewports, each with the schemes of its lanes; returns the parts of each, to be switched.

        start (3,) [m]: of the release
        """
        self._renderers, self._look, self.start = list(renderers), look, start
        self._mark = Release(self.ground, start, self.world.body.radius)
        self._zones = ZoneActor(self.ground, self._shift, layers_of(self.world), look)
        fences, lines = self.world.fences, self.world.lines
        found = self.world.observed
        self._observed = ObservedActor(self.ground, self._shift, found, look) if found.drawn else None
        self._laid: list[ZoneActor | StemActor | BarrierActor | ObservedActor] = [
            *([self._zones] if self._zones.kinds else []),
            *([StemActor(self.world, self.ground, start)] if len(self.world.cover.stems[0]) else []),
            *([BarrierActor(self.ground, self._shift, fences, lines, look)] if fences or lines else []),
            *([] if self._observed is None else [self._observed]),
        ]
        tops, self.panes = self.ground.views(len(renderers)), []
        parts: list[tuple[int, ActorGroup]] = []
        for view, (renderer, here) in enumerate(zip(renderers, schemes, strict=True)):
            tags = UprightLabels(self.contour_texts, self.contour_places, look, self.hidden, once=True)
            names = UprightLabels(self._zones.names, self._zones.places, look, self.hidden)
            self.panes.append(ViewportGround(renderer, here, PathActor(self.ground, look), tags, names))
            own = self.ground, tops[view], self._mark, self.panes[view].rocks
            parts += [(view, part) for part in (*own, *self._laid)]
        self._compass, self._bars = FlatPicture(), [FlatPicture() for _ in range(4)]
        for sheet in (self._compass, *self._bars):
            renderers[-1].AddViewProp(sheet.actor)
        self._margin: object = None  # what is drawn there
        self._compass_key: object = None
        self._share()
        return parts

    def leave(self) -> None:
        """Go out of the viewports."""
        for pane in self.panes:
            pane.leave()
        for sheet in (self._compass, *self._bars):
            self._renderers[-1].RemoveViewProp(sheet.actor)
        self._renderers, self.panes, self._bars = [], [], []

    # ---- results and places ----------------------------------------------------------------------------

    def path_geometry(
        self, paths: Mapping[str, PathTable], colour: str, rested: Mapping[str, Flags]
    ) -> dict[str, PathGeometry]:
        """Paths of the rocks of some schemes for ``show_results``, in a thread of the caller's.

        colour : one of marks.QUANTITIES, on one scale for all
        rested : scheme -> (rocks,) which came to rest and have a deposit; without one: all
        """
        return path_geometry(paths, colour, rested, self.ground.terrain)

    def show_results(
        self, path_geometry: Mapping[str, PathGeometry] | None, laid: Mapping[str, MapLayer] | None
    ) -> None:
        """Draw paths and lay maps over the terrain, in each viewport those of its own scheme; None: none are wanted."""
        self._paths, self._mapped = path_geometry, laid is not None
        self.ground.lay(laid or {})
        self._share()

    def painted(self, title: str, unit: str, maps: Mapping[str, Array], note: str = "") -> dict[str, MapLayer]:
        """Maps of some schemes for ``show_results``, painted in a thread of the caller's: that takes 0.2 s each.

        maps : scheme -> values (cells,) or (ny, nx) on the terrain's grid; 0 and NaN are transparent
        note : what they are conditional on, for the legend
        """
        drawn = charts(title, unit, maps, self.ground.terrain, note)
        return {name: self.ground.painted(over) for name, over in drawn.items()}

    def prefer(self, scheme: str) -> None:
        """Show the results of this scheme in a viewport that it shares with others."""
        self._wanted = scheme
        self._share()

    def shared(self, schemes: Collection[str]) -> bool:
        """True if a viewport has lanes of several of these schemes."""
        return any(len(pane.known(schemes)) > 1 for pane in self.panes)

    def _share(self) -> None:
        """Give each viewport the results of its own scheme."""
        names = None
        if self._paths is not None or self._mapped:
            names = {*(self._paths or ()), *self.ground.maps}
        chosen = [pane.take(names, self._wanted) for pane in self.panes]
        for pane, name in zip(self.panes, chosen, strict=True):
            pane.show((self._paths or {}).get(name), self._rock)
        self.ground.share([name if name in self.ground.maps else "" for name in chosen])

    def summary(self, view: int, scheme: Scheme) -> str:
        """Summary of a scheme's ensemble in a viewport, for the caption of its lane there; "": nothing is drawn."""
        text = self.panes[view].summary(scheme, self.ground.map_in(view))
        return text and text + self.since

    def pick(self, x: float, y: float) -> int | None:
        """The rock of the ensemble whose path is at a pixel of the picture, from its upper left corner; None: none."""
        under = viewport_under(self._renderers, x, y)
        panes = [] if under is None else [pane for pane in self.panes if pane.renderer is under[0]]
        return next((pane.rocks.pick(*under, 8.0 * self._unit) for pane in panes if under is not None), None)

    def place(self, x: float, y: float) -> tuple[float, float] | None:
        """The place on the map [m] that one sees at a pixel of the picture, from its upper left corner; None: none."""
        under = viewport_under(self._renderers, x, y)
        found = None if under is None else aimed(self.ground.terrain, *under)
        return None if found is None else (float(found[0] + self._shift[0]), float(found[1] + self._shift[1]))

    def release(self) -> tuple[float, float]:
        """The pixel of the picture, from its upper left corner, at which the first viewport shows the release.

        Where that is behind the camera, the middle of the viewport.
        """
        renderer = self._renderers[0]
        (left, low), (wide, high) = renderer.GetOrigin(), renderer.GetSize()
        bottom = renderer.GetRenderWindow().GetSize()[1] - 1 - low
        seen = self.traced((self.start + self._shift)[None, :2])[0]
        u, v = seen[0] if len(seen) else (left + wide / 2, bottom - high / 2)
        return float(np.clip(u, left, left + wide - 1)), float(np.clip(v, bottom - high + 1, bottom))

    def traced(self, line: Array, spacing: float = 2.0) -> list[Array]:
        """A line (k, 2) [m] that lies on the ground, as each viewport shows it: pixels (n, 2) of the picture.

        From the picture's upper left corner. spacing : [m] between points; 0: the given ones only
        """
        foot = on_ground(line - self._shift[:2], self.ground.terrain, spacing)
        found = []
        for renderer in self._renderers:
            (left, low), high = renderer.GetOrigin(), renderer.GetRenderWindow().GetSize()[1]
            pixels, depth = projected(renderer, foot)
            found.append(((left, high - 1 - low) + pixels * (1, -1))[np.abs(depth) < 1.0])
        return found

    def choose(self, rock: int | None) -> None:
        """Show one rock of the ensemble bold; None: none of them."""
        self._rock = rock
        for pane in self.panes:
            pane.rocks.choose(rock)

    @property
    def many(self) -> bool:
        """True if results of many rocks are in sight, which belong to no time."""
        return self.ground.laid or any(pane.rocks.summary for pane in self.panes)

    def legend(self, distance: float, scale: float, *, contours: bool) -> Line:
        """Legend of the ground, for a camera at a distance [m] of its focus."""
        lines = self.ground.interval if contours and distance >= CLOSE else None
        rock = scale, 2.0 * self.world.body.radius
        return map_signs(lines, rock, self._look, self.ground.exaggeration, self.ground.note)

    def signs(self) -> list[Sign]:
        """Meanings of the signs of zones, barriers and field measurements."""
        return [one for part in self._laid for one in part.signs()]

    # ---- showing ---------------------------------------------------------------------------------------

    def dress(self, rig: CameraRig, *, contours: bool) -> None:
        """Draw the ground as fine as the cameras can see, with contour lines where they would not be too broad."""
        eyes = np.array([rig.eye(view)[0] for view in range(len(self._renderers))])
        pixels = min(self._renderers[0].GetSize()[1], 1080) / (2 * HALF)
        for twins in self.ground.dress(eyes, pixels, contours=contours and rig.viewpoint.distance >= CLOSE):
            for renderer, actor in zip(self._renderers, twins, strict=False):
                renderer.AddViewProp(actor)

    def scale(self, eye: Array, focus: Array, place: Array | None) -> float:
        """Factor by which a rock at a place (3,) [m] is drawn larger for a camera, so that one finds it.

        None: wherever it is, as lines of sight are parallel
        """
        far = float(np.linalg.norm(focus - eye))
        seen = focus if place is None else place * (1.0, 1.0, self.ground.exaggeration)
        depth = max(float((seen - eye) @ (focus - eye)) / far, 0.0)
        return max(1.0, MIN_ROCK_RADIUS * HALF * depth / self.world.body.radius)

    def show(
        self,
        rig: CameraRig,
        unit: float,
        scale: float,
        bar: Bar | None,
        above: int,
        caption: FlatPicture | None,
        *,
        contours: bool,
    ) -> None:
        """Draw the release as many times larger as the rock is drawn, and what stands in the margin.

        bar : of the paths of the lanes, where they are coloured; above : height that headline and inset take there;
        caption : that of the last viewport; None: captions are hidden
        """
        self._unit = unit
        self._mark.show(scale)
        near = rig.viewpoint.distance < CLOSE
        for pane in self.panes:
            taken = np.zeros((0, 4))
            for labels, on in ((pane.names, self._zones.on), (pane.tags, contours and not near)):
                labels.actor.SetVisibility(on)
                if on:
                    labels.show(pane.renderer, unit, taken)
                    taken = labels.boxes
        self._show_margin(rig, unit, bar, above, caption)

    @property
    def boxes(self) -> list[Box]:
        """Boxes of bars and compass over the last viewport."""
        return [box for sheet in (self._compass, *self._bars) if (box := sheet.box) is not None]

    def _show_margin(
        self, rig: CameraRig, unit: float, bar: Bar | None, above: int, caption: FlatPicture | None
    ) -> None:
        """Bars in the upper right corner of the last viewport, the compass in the lower right one."""
        renderer = self._renderers[-1]
        size = renderer.GetSize()
        whose = tr("the same scale in all panes") if len(self.panes) > 1 else self.panes[0].whose or ""
        bars: list[tuple[Bar, Scheme | str]] = [(known, "") for known in self.ground.bars]
        if self.ground.laid:  # the map is the last one
            bars[-1] = bars[-1][0], whose
        paths = [pane.rocks.bar for pane in self.panes if pane.rocks.bar is not None and pane.rocks.on]
        bars += [(paths[0], whose)] if paths else []
        bars += [] if bar is None else [(bar, "")]
        if self._observed is not None and self._observed.on and self._observed.bar is not None:
            bars.append((self._observed.bar, ""))
        key = (unit, size, tuple(bars), above)
        if key != self._margin:
            self._margin = key
            away = above
            for sheet, shown in zip(self._bars, bars, strict=False):
                picture = panel(shown[0], self._look, unit, max(1, size[0] - round(24 * unit)), shown[1])
                sheet.lay(picture, unit, size, "top-right", away)
                away += picture.shape[0] + round(6 * unit)
        for number, sheet in enumerate(self._bars):
            sheet.actor.SetVisibility(caption is not None and number < len(bars))
        roomy = caption is not None and size[0] >= BESIDE * unit
        self._compass.actor.SetVisibility(roomy)
        if caption is not None and roomy:
            # the room that a line takes later counts too: what moves would jump where the card makes way for it
            right = max(caption.right, 0.5 * (size[0] + LINE * unit))
            beside = right < size[0] - (WIDE + 62 + 1.5 * MARGIN) * unit
            self._show_compass(rig, unit, size, 0 if beside else caption.top - round(0.5 * MARGIN * unit))

    def _show_compass(self, rig: CameraRig, unit: float, size: tuple[int, int], away: int) -> None:
        eye, focus = rig.eye(len(self._renderers) - 1)
        ahead = focus - eye
        distance = float(np.linalg.norm(ahead))
        azimuth = round(math.degrees(math.atan2(ahead[0], ahead[1])))
        per_pixel = float(f"{2 * HALF * distance / max(min(size), 1):.2g}")
        key = (azimuth, per_pixel, unit, size, away)
        if key != self._compass_key:
            self._compass_key = key
            self._compass.lay(map_card(azimuth, per_pixel, self._look, unit), unit, size, "bottom-right", away)

    def hidden(self, eye: Array, points: Array) -> Flags:
        """Mask (n,) of the points (n, 3) that the ground hides from an eye (3,) as it is drawn."""
        seen = points * (1.0, 1.0, self.ground.exaggeration)
        s = np.linspace(0.02, 0.98, 48)[:, None, None]
        rays = seen + s * (eye - seen)
        above = self.ground.above(rays.reshape(-1, 3)).reshape(rays.shape[:2])
        return np.asarray((above < -0.002 * np.linalg.norm(eye - seen, axis=1)).any(axis=0))


def middle(terrain: Terrain) -> Array:
    """The middle (3,) of a terrain in whole metres, at height 0: the origin of its stage."""
    x0, x1, y0, y1 = terrain.extent
    return np.array([round((x0 + x1) / 2), round((y0 + y1) / 2), 0.0])


def numbers_on_contours(ground: Ground, start: Array) -> tuple[list[str], Array]:
    """Heights of the bold contour lines as texts, and where they stand (n, 3) [m]: not on a rock at its start (3,)."""
    outline, step = ground.outline, 5 * ground.interval
    x0, x1, y0, y1 = outline.extent
    ny, nx = outline.heights.shape
    lines = contourpy.contour_generator(np.linspace(x0, x1, nx), np.linspace(y0, y1, ny), outline.heights)
    apart = 0.3 * max(x1 - x0, y1 - y0)
    texts: list[str] = []
    places: list[tuple[float, float, float]] = []
    low, high = outline.heights.min(), outline.heights.max()
    for level in np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step:
        for line in cast(list[Array], lines.lines(level)):  # as the default line_type has them
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
            if along[-1] < 0.4 * apart:
                continue
            for place in np.arange(0.2 * min(apart, along[-1]), along[-1], apart):
                x, y = (float(np.interp(place, along, line[:, k])) for k in range(2))
                if math.hypot(x - start[0], y - start[1]) < 0.1 * apart:
                    continue
                texts.append(f"{level:g} m")
                places.append((x, y, float(level)))
    return texts, np.array(places).reshape(-1, 3)
