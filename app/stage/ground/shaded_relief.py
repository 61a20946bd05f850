"""Shaded relief, the picture of a terrain: light and shade, ground by steepness, contour lines; kept with its terrain.

The small forms of the ground are noise of the point in space: noise laid down from above is drawn out on steep ground,
at 75 degrees a spot becomes a stripe four times as long as wide. Noise that depends on the height too does not know the
direction one looks from.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from app.stage.ground import layers as terrain_layers
from app.stage.ground.last_made import LastMade
from app.stage.ground.layers import TerrainLayer
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World
from physics.terrain.terrain import Terrain

SIDE = 64  # side of the repeating cube [voxels]: a power of two, as bits are cheaper than remainders
WAVES = 6  # along a side of the cube
LAYERED = 1.6  # factor by which waves are shorter upwards than sideways: bands of rock, and ledges
SHORTEST, LONGER = 1.0, 2.6  # finest waves [m], and the factor from each length to the next
SAMPLES = 8  # least number of samples of a wave, with straight lines between them
ROWS = 64
SEEN = 2.5  # pixels of the ground that a wave spans where it begins to be seen; twice as many show all of it


def noise_on(heights: Array, steep: Array, pixel: tuple[float, float], longest: float) -> tuple[Array, Array]:
    """Two pictures (h, w), both around 0: how bright and how raised each spot is, waves of several lengths added.

    Of each length as much as the ground shows of it: standard deviation 1 where it shows all.

    heights, steep : (h, w) [m] and their slope [1]; pixel : its size along x and y [m]
    longest : [m] of the waves: longer forms are in the heights themselves
    """
    size = max(pixel)
    lengths = [one for one in _lengths() if SEEN * size < one <= LONGER * max(longest, 2.0 * SEEN * size)]
    # the least wave in pixels of the ground: on steep ground a pixel is far longer than it is wide
    stretch: Array = np.float32(size) * np.sqrt(1.0 + (LAYERED * steep) ** 2)
    strides = [2 ** max(0, int(np.log2(length / (SAMPLES * size)))) for length in lengths]
    last = strides[-1] if strides else 1
    sums = np.zeros((2, *heights[::last, ::last].shape), np.float32)
    for length, stride in zip(reversed(lengths), reversed(strides), strict=True):
        part = heights[::stride, ::stride]
        sums, last = stretched(sums, part.shape, last // stride), stride
        _add_waves(sums, part, stretch[::stride, ::stride], (stride * pixel[0], stride * pixel[1]), length)
    bright, raised = stretched(sums, heights.shape, last)
    return bright, raised


def _add_waves(sums: Array, heights: Array, stretch: np.ndarray, pixel: tuple[float, float], length: float) -> None:
    """Add the waves of a length to bright and raised (2, h, w)."""
    number = _lengths().index(length)
    scale = SIDE / (WAVES * length)  # voxels a metre
    x, y = (
        ((np.arange(n) * (size * scale)).astype(np.int32) + 17 * k * number) & (SIDE - 1)
        for n, size, k in zip(heights.shape[::-1], pixel, (1, 2), strict=True)
    )
    y *= SIDE
    for first in range(0, len(y), ROWS):  # a few rows at a time stay in the processor's own memory
        rows = slice(first, first + ROWS)
        place = (heights[rows] * np.float32(scale * LAYERED)).astype(np.int32)
        place &= SIDE - 1
        place *= SIDE * SIDE
        place += y[rows, None]
        place += x
        shown = smooth(length / stretch[rows] / SEEN - 1.0)
        for total, waves in zip(sums, _cube(), strict=True):
            total[rows] += shown * waves.take(place)


def _lengths() -> list[float]:
    return [SHORTEST * LONGER**k for k in range(12)]


@lru_cache(maxsize=1)
def _cube() -> tuple[Array, Array]:
    """Light on rough ground and its height at the points of a cube that repeats (SIDE^3,), standard deviation 1.

    The light is how fast the ground rises away from the sun, which stands in the north-west. 2 MB.
    """
    rng = np.random.default_rng(6)
    k = np.fft.fftfreq(SIDE) * SIDE
    kz, ky, kx = np.meshgrid(k, k, k[: SIDE // 2 + 1].copy(), indexing="ij")
    kx = np.abs(kx)
    spectrum = np.fft.rfftn(rng.standard_normal((SIDE, SIDE, SIDE)))
    spectrum *= np.exp(-0.5 * ((np.sqrt(kx**2 + ky**2 + kz**2) - WAVES) / (0.3 * WAVES)) ** 2)
    height = -np.abs(np.fft.irfftn(spectrum))  # with edges, as broken rock has
    height -= height.mean()
    light = np.fft.irfftn(1j * np.fft.rfftn(height) * (0.6 * kx - 0.6 * ky - 0.5 * kz))
    cubes = [np.clip(one / one.std(), -2.5, 2.5).astype(np.float32).ravel() for one in (light, height)]
    return cubes[0], cubes[1]


def stretched(pictures: Array, shape: tuple[int, int], stride: int) -> Array:
    """Pictures (n, h, w) of every ``stride``-th pixel, interpolated linearly to all pixels (n, *shape)."""
    if stride == 1:
        return pictures
    for axis, n in enumerate(shape, start=1):
        place = np.minimum(np.arange(n) / stride, pictures.shape[axis] - 1.0)
        low = place.astype(int)
        high = np.minimum(low + 1, pictures.shape[axis] - 1)
        share = (place - low).astype(np.float32)
        first = pictures.take(low, axis=axis)
        step = pictures.take(high, axis=axis)
        step -= first
        step *= share[:, None] if axis == 1 else share
        first += step
        pictures = first
    return pictures


def smooth(x: Array) -> Array:
    """0 below 0, 1 above 1, without a kink between."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


LONGER_SIDE = 1792  # pixels along the longer side
ROUGH = 448  # pixels of a first picture, ready in a tenth of the time

MEADOW = np.array([108.0, 121.0, 78.0], np.float32)
DRY = np.array([137.0, 133.0, 97.0], np.float32)
SCREE = np.array([133.0, 126.0, 116.0], np.float32)
ROCK = np.array([126.0, 119.0, 111.0], np.float32)

WARM = np.array([5.0, 1.0, -5.0], np.float32)  # tint that varies over bare ground

ROUGHNESS = 0.03, 0.06, 0.13  # light and shade of the small forms of meadow, scree and rock
FINER = 8.0  # cells of the map: longer forms are in the heights; shorter ones are invented, in the picture alone

DIM, COLOUR = np.float32(0.58), np.float32(0.2)  # light and colour that remain of the terrain under a map

# azimuth from north, altitude [deg] and weight of the lights; the first one is the sun
LIGHTS = ((315.0, 42.0, 0.62), (270.0, 55.0, 0.14), (20.0, 55.0, 0.14), (135.0, 65.0, 0.10))


@dataclass(frozen=True)
class ShadedRelief:
    """Pictures of a terrain, rows from south to north, columns from west to east, of 0 to 255.

    natural : (h, w, 3) the terrain's own colours in light and shade
    light : (h, w) how bright it is, 255 for 1.5
    ink : (h, w) how dark the contour lines are
    interval : [m] between them
    """

    natural: np.ndarray
    light: np.ndarray
    ink: np.ndarray
    interval: float

    @cached_property
    def lined(self) -> np.ndarray:
        """The natural picture with contour lines."""
        return _bytes(self.natural * (1.0 - self.ink * np.float32(1 / 255))[..., None])

    def picture(self, coverings: Sequence[TerrainLayer], *, contours: bool) -> np.ndarray:
        """The picture (h, w, 3) with coverings laid over it, one after the other, and contour lines if wanted."""
        if not coverings:
            return self.lined if contours else self.natural
        picture = self.natural
        for covering in coverings:
            if covering.dims:
                grey = np.asarray(picture, np.float32).mean(axis=2, keepdims=True)
                picture = DIM * (grey + COLOUR * (picture - grey))
            over = _stretched_to(covering.picture, self.light.shape)
            colours = over[..., :3].astype(np.float32)
            if covering.shaded:
                colours *= np.minimum(self.light * np.float32(1.5 / 255), 1.25)[..., None]
            share = over[..., 3:] * np.float32(1 / 255)
            picture = picture + (colours - picture) * share
        if contours:
            picture = picture * (1.0 - self.ink * np.float32(1 / 255))[..., None]
        return _bytes(picture)


def _stretched_to(picture: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The pixels that are nearest: what belongs to one cell of the terrain covers this cell and no other."""
    j, i = (np.round(np.linspace(0, m - 1, n)).astype(int) for m, n in zip(picture.shape, shape, strict=False))
    return np.asarray(picture[np.ix_(j, i)])


def paint(terrain: Terrain, longest: int = LONGER_SIDE) -> ShadedRelief:
    """The pictures of a terrain, ``longest`` pixels along the longer side."""
    heights, pixel, steep, ridges, light = _lit(terrain, longest)
    bright, raised = noise_on(heights, steep, pixel, FINER * max(terrain.cell))
    ground = _ground(np.degrees(np.arctan(steep)), min(pixel), ridges, raised, bright)
    ground *= light[..., None]
    del ridges, bright, raised
    interval = contour_interval(heights)
    ink = np.maximum(
        _lines(heights, steep, interval, pixel, 0.55 * longest / LONGER_SIDE) * 0.34,
        _lines(heights, steep, 5 * interval, pixel, 1.0 * longest / LONGER_SIDE) * 0.62,
    )
    return ShadedRelief(_bytes(ground), _light_bytes(light), _bytes(255 * ink), interval)


def light_on(terrain: Terrain, longest: int) -> np.ndarray:
    """The light of the relief of a terrain alone, as ``paint`` has it: a third of its work."""
    return _light_bytes(_lit(terrain, longest)[-1])


def _lit(terrain: Terrain, longest: int) -> tuple[Array, tuple[float, float], Array, Array, Array]:
    """Heights on the picture's pixels, the pixel's size [m], steepness, ridges and light."""
    heights, pixel = _resampled(terrain, longest)
    zy, zx = map(np.asarray, np.gradient(heights, pixel[1], pixel[0]))
    steep = np.hypot(zx, zy)
    ridges = _ridges(terrain, heights.shape, 1 if longest >= LONGER_SIDE else 2)
    light = _calm(_light(zx, zy), steep, 0.6 * max(terrain.cell) / min(pixel)) * (1.0 + 0.11 * ridges)
    return heights, pixel, steep, ridges, light


def contour_interval(heights: Array) -> float:
    """The height [m] between contour lines: about 30 of them, every fifth one bold."""
    relief = float(np.ptp(heights))
    return next((step for step in (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if relief / step <= 45), 500.0)


def _resampled(terrain: Terrain, longest: int) -> tuple[Array, tuple[float, float]]:
    """Heights on the picture's pixels by cubic splines, and the pixel's size [m]."""
    (dx, dy), (ny, nx) = terrain.cell, terrain.heights.shape
    wide, high = (nx - 1) * dx, (ny - 1) * dy
    pixel = max(wide, high) / (longest - 1)
    columns, rows = max(2, round(wide / pixel) + 1), max(2, round(high / pixel) + 1)
    heights = terrain.heights
    for n in (rows, columns):
        m = len(heights)
        places = np.linspace(0, m - 1, n)
        if m > 1.4 * n:  # a picture coarser than the map
            heights = heights[np.round(places).astype(int)]
        elif m != n:
            heights = _splined(heights, places)
        heights = np.ascontiguousarray(heights.T)
    return heights.astype(np.float32), (wide / (columns - 1), high / (rows - 1))


def _splined(values: Array, places: Array) -> Array:
    """Values (m, w) at the nodes 0 to m - 1, by cubic splines down each column at places (n,) between them: (n, w)."""
    from scipy.interpolate import make_interp_spline

    m = len(values)
    return np.asarray(make_interp_spline(np.arange(m), values, k=min(3, m - 1))(places))


def _light(zx: Array, zy: Array) -> Array:
    """Brightness of each point under all lights, about 0.3 to 1.35."""
    norm = 1.0 / np.sqrt(1.0 + zx**2 + zy**2)
    total = np.zeros_like(zx)
    for azimuth, altitude, weight in LIGHTS:
        a, h = np.radians(azimuth), np.radians(altitude)
        sun = np.array([np.sin(a) * np.cos(h), np.cos(a) * np.cos(h), np.sin(h)], np.float32)
        total += np.float32(weight) * np.maximum((-zx * sun[0] - zy * sun[1] + sun[2]) * norm, 0.0)
    return 0.42 + 0.98 * total


def _calm(light: Array, steep: Array, sigma: float) -> Array:
    """The light without what is narrower than a cell is high on steep ground, where cells would be upright stripes."""
    from scipy.ndimage import gaussian_filter

    if sigma < 1.0 or not (cliffs := steep > 1.0).any():
        return light
    broad = gaussian_filter(light, sigma, truncate=2.0)
    return np.where(cliffs, light + (broad - light) * smooth((steep - 1.0) / 1.0), light)


def _ridges(terrain: Terrain, shape: tuple[int, int], coarser: int) -> Array:
    """Ridges above 0 and hollows below, -2 to 2, on two scales of the heights themselves."""
    from scipy.ndimage import gaussian_filter, zoom  # here: it takes long to load, and a window waits for it

    stride = coarser * max(1, max(terrain.heights.shape) // 1000)
    h = terrain.heights[::stride, ::stride]
    rough = np.zeros_like(h)
    for cells in (2.5, 8.0):
        rise = h - gaussian_filter(h, cells / coarser, mode="nearest")
        rough += np.tanh(rise / (2.0 * rise.std() + 1e-9))
    coarse = zoom(rough, (min(1.0, 400 / h.shape[0]), min(1.0, 400 / h.shape[1])), order=1)
    return _stretched(coarse, shape)


def _ground(slope: Array, pixel: float, ridges: Array, raised: Array, bright: Array) -> Array:
    """Meadow, scree and rock by steepness [deg] and ridges, mixed and made rough by noise (all (h, w))."""
    shape = slope.shape
    large = _noise(shape, 9, 1)
    slope = _smoothed(slope, 3.0 / pixel if pixel < 3.0 else 1.0)
    colours = np.empty((*shape, 3), np.float32)
    for first in range(0, shape[0], 64):  # a few rows at a time stay in the processor's own memory
        rows = slice(first, first + 64)
        colours[rows] = _mixed(slope[rows], ridges[rows], large[rows], raised[rows], bright[rows])
    return colours


def _smoothed(slope: Array, sigma: float) -> Array:
    """Steepness without what is finer than some pixels.

    Where that is much finer than sigma, pixels between are left out: a map of 30 m, whose sigma is 180 pixels, took
    1.3 s of the 1.6 s of its picture.
    """
    from scipy.ndimage import gaussian_filter

    apart = int(sigma / 8.0)  # 8 pixels and more of those that are left
    if apart < 2:
        return np.asarray(gaussian_filter(slope, sigma, truncate=2.0))
    rows, columns = (max(2, round((n - 1) / apart) + 1) for n in slope.shape)
    left = (sigma * (rows - 1) / (slope.shape[0] - 1), sigma * (columns - 1) / (slope.shape[1] - 1))
    coarse = gaussian_filter(_stretched_to(slope, (rows, columns)), left, truncate=2.0, mode="mirror")
    return _stretched(coarse, slope.shape)


def _mixed(slope: Array, ridges: Array, large: Array, raised: Array, bright: Array) -> Array:
    """Colours (..., 3) of ground by its steepness [deg], ridges and noise, rough as rock, scree or grass is."""
    where = slope + 3.0 * ridges + 4.0 * large + 2.2 * raised
    scree, rock = smooth((where - 28.5) / 9.0), smooth((where - 42.0) / 7.0)
    dry = smooth(0.42 + 0.28 * large + 0.12 * ridges + 0.17 * raised)
    colour = DRY - MEADOW
    colour = MEADOW + colour * dry[..., None]
    colour += (SCREE - colour) * scree[..., None]
    colour += (ROCK - colour) * rock[..., None]
    colour += WARM * (scree * (0.6 * large + 0.3 * raised))[..., None]
    rough = ROUGHNESS[0] + (ROUGHNESS[1] - ROUGHNESS[0]) * scree
    rough += (ROUGHNESS[2] - rough) * rock
    shade = 1.0 + rough * bright + (0.03 + 0.03 * rock) * raised
    colour *= np.clip(shade, 0.35, 1.5)[..., None]
    return colour


def _lines(heights: Array, steep: Array, interval: float, pixel: tuple[float, float], width: float) -> Array:
    """Contour lines, 0 to 1, smooth at their edges; width [pixels]. Level ground, where lines would smear, has none."""
    phase = heights / interval
    apart = np.abs(phase - np.round(phase)) * interval
    rise = np.maximum(steep, 0.02) * max(pixel)  # height that one pixel spans
    return np.clip(width + 0.5 - apart / rise, 0.0, 1.0) * np.clip(steep / 0.05, 0.0, 1.0)


def _noise(shape: tuple[int, int], cells: int, seed: int) -> Array:
    """Smooth noise of about -1 to 1 with ``cells`` waves along the longer side."""
    longest = max(shape)
    n = [max(4, round(cells * s / longest) + 3) for s in shape]
    return _stretched(np.random.default_rng(seed).standard_normal(n) * 0.6, shape)


def _stretched(coarse: Array, shape: tuple[int, int]) -> Array:
    """Values on a coarse grid as a smooth picture of that shape."""
    for n in shape:
        coarse = np.ascontiguousarray(_splined(coarse, np.linspace(0, len(coarse) - 1, n)).T)
    return coarse.astype(np.float32)


def _light_bytes(light: Array) -> np.ndarray:
    return _bytes(light * (255 / 1.5))


def _bytes(picture: Array) -> np.ndarray:
    return np.clip(picture, 0, 255).astype(np.uint8)


def prepare(world: World, *, rough: bool = False) -> None:
    """Paint the world's terrain in a thread of the caller's: its stage is then built at once.

    rough : for a first picture, if there is none yet; a stage that stands on it takes the fine one by ``refine``
    """
    if isinstance(world, RockfallWorld):
        relief_of(world.terrain, ROUGH if rough else LONGER_SIDE).picture((), contours=True)  # made here, and kept
        base_of(world)


def relief_of(terrain: Terrain, longest: int = 0) -> ShadedRelief:
    """The painted pictures, kept as long as the terrain lives: another stage on the same terrain starts at once.

    longest : least length of their longer side [pixels]; 0: as they are, or fine where there are none
    """
    known = painted(terrain)
    if known is None or max(known.light.shape) < longest:
        known = _PAINTED.keep(terrain.heights, None, paint(terrain, longest or LONGER_SIDE))
    return known


def painted(terrain: Terrain) -> ShadedRelief | None:
    """The pictures of a terrain, if they were painted."""
    return _PAINTED.of(terrain.heights, None)


_PAINTED = LastMade[None, ShadedRelief]()


def base_of(world: RockfallWorld) -> tuple[TerrainLayer, ...] | ScenarioError:
    """Layers of the terrain that the scenario wants: its look, and a picture draped over it."""
    view, terrain = world.scenario.view, world.terrain
    path = None if view.drape is None else world.scenario.path(view.drape)
    changed = path.stat().st_mtime_ns if path is not None and os.path.isfile(path) else 0
    key = view.ground, path, changed
    known = _BASES.of(terrain.heights, key)
    return _BASES.keep(terrain.heights, key, _covered(view.ground, path, terrain)) if known is None else known


_BASES = LastMade[tuple[str, Path | None, int], tuple[TerrainLayer, ...] | ScenarioError]()


def _covered(look: str, path: Path | None, terrain: Terrain) -> tuple[TerrainLayer, ...] | ScenarioError:
    try:
        layers: Iterable[TerrainLayer | None] = (
            terrain_layers.ground(look, terrain),
            None if path is None else terrain_layers.draped(path, terrain),
        )
        return tuple(layer for layer in layers if layer is not None)
    except ScenarioError as error:
        return ScenarioError(error.field, error.message, error.file)  # without all that its traceback keeps alive
