"""Generated terrains: pure functions that return a Terrain, the same one every time."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain.raster import MAX_NODES
from physics.terrain.terrain import Terrain


def ramp(
    angle: float = 40.0, drop: float = 155.0, width: float = 200.0, runout: float = 450.0, cell: float = 2.0
) -> Terrain:
    """The inclined slope of Leine et al. (2021), section 6.1, with a bench of 20 m on top and a run-out.

    angle [degrees], drop, width, runout and cell [m]. The run-out is at z = 0; the slope descends to +x.
    """
    length = drop / max(math.tan(math.radians(angle)), 1e-300)  # the angle may be the smallest of all numbers
    columns, rows = (20.0 + length + runout) / cell, width / cell
    if not columns * rows < MAX_NODES:
        raise ScenarioError(
            "terrain",
            N_(
                "a ramp of {columns:.3g} x {rows:.3g} cells; expected a drop and a width that take fewer "
                "than 25 million",
                columns,
                rows,
            ),
        )
    if rows < 1.0:
        raise ScenarioError("terrain.width", N_("expected at least a cell of {cell:g} m, got {width:g}", cell, width))
    x = np.arange(0.0, 20.0 + length + runout + cell, cell)
    z = np.interp(x, [20.0, 20.0 + length], [drop, 0.0])
    y = np.arange(0.0, width + cell / 2, cell)
    return Terrain(np.tile(z, (len(y), 1)), (-20.0, -width / 2), (cell, cell), name=f"Ramp of {angle:g}°")


# Distance and height [m] along the fall line, read from the figures of Leine et al. (2021), section 6.2, to about 5 %;
# between the first two of these a band of rock, where Lu et al. (2019) separate the acceleration from what follows.
CHANT_SURA = [
    *[(-40, 2411), (0, 2380), (20, 2363), (40, 2346.5), (43.5, 2344.5), (46.5, 2337), (50, 2335), (100, 2297)],
    *[(150, 2270), (200, 2252), (250, 2243), (310, 2232), (380, 2227), (420, 2228), (460, 2236)],
]


def chant_sura(seed: int = 3, cell: float = 1.0) -> Terrain:
    """A likeness of the test slope of Leine et al. (2021), section 6.2, and of Lu et al. (2019): not the site itself.

    Only the profile along the fall line is known here: a release at 2380 m (x = y = 0), a band of rock below it, scree
    and a meadow that levels out, some 150 m lower after 310 m. The sides rise gently, and the roughness is made up.
    The slope descends to +x.
    """
    from scipy.interpolate import PchipInterpolator  # here: it takes long to load, and a window waits for it

    rng = np.random.default_rng(seed)
    y, x = np.meshgrid(
        np.arange(-120.0, 120.0 + cell / 2, cell), np.arange(-40.0, 460.0 + cell / 2, cell), indexing="ij"
    )
    edge = _fractal(rng, np.zeros_like(y), y, 60.0, 3)
    winding = 4.0 * (edge - edge[len(edge) // 2]) * _step(np.abs(x - 45.0), 40.0, 10.0)  # of the band of rock
    z = PchipInterpolator(*np.array(CHANT_SURA, float).T)(x + winding) + 8.0 * (y / 100.0) ** 2
    rough = 0.1 + 0.2 * _step(x, 240.0, 120.0)
    z += rough * (_fractal(rng, x, y, 25.0, 4) + gaussian_filter(rng.standard_normal(x.shape), 1.0))
    return Terrain(z, (-40.0, -120.0), (cell, cell), name="Chant-Sura-like slope: a likeness, not the site")


# ---- the alpine slope ---------------------------------------------------------------------------------

CELL = 2.0
SHAPE = 400, 500  # nodes along y and x
# Distance and height [m] along the fall line: a shoulder, the wall, scree, the lower slopes, the valley floor and
# the foot of the other side, which keeps what rolls on the map.
PROFILE = [
    *[(-300, 1960), (0, 1882), (70, 1864), (125, 1846)],
    *[(134, 1836), (160, 1790), (168, 1786), (206, 1711), (220, 1698)],
    *[(430, 1558), (520, 1526), (600, 1509), (680, 1498)],
    *[(770, 1492), (830, 1490.5), (870, 1493), (920, 1503), (975, 1525), (1300, 1700)],
]


def alpine(seed: int = 10) -> Terrain:
    """A rock wall, the scree below it and the meadow of a valley with a brook; 2 m cells, 1 km x 0.8 km.

    The slope descends towards +x; spurs at both sides and the rise beyond the brook keep rocks on the map.
    """
    rng = np.random.default_rng(seed)
    y, x = np.meshgrid(*(CELL * np.arange(n) for n in SHAPE), indexing="ij")
    across = (y - y.mean()) / y.mean()  # -1 .. 1

    # The profile is pushed to and fro along x: steep ground is carved deeply, flat ground hardly. Wide bays
    # first, then buttresses and gullies along the fall line, bent by a noise of their own. In the gullies and
    # below the wall the profile is a smoothed one: a notch in the crest, a chute, loose ground at its foot.
    bays = _fractal(rng, x, y, 420.0, 2)
    bent = y + 22.0 * _fractal(rng, x, y, 170.0, 3)
    ribs = _ridged(rng, 0.25 * x, bent, 150.0, 5)
    below = _step(x + 30 * bays, 240.0, 420.0)
    spurs = 60.0 * across**2
    hill = _step(x, 800.0, 560.0)  # the valley floor stays straight
    push = 25.0 + hill * (30.0 * bays + (1 - 0.6 * below) * 60.0 * (ribs - 0.55) + spurs)
    gully = np.maximum(_step(ribs, 0.38, 0.16), below)
    z = (1 - gully) * _profile(x - push, 2.0) + gully * _profile(x - push, 38.0)
    z += (30.0 * (1 - across**2) + 14.0 * _fractal(rng, x, bent, 190.0, 3)) * _step(z, 1740.0, 1850.0)

    # Ledges: strata that dip gently and show where there is rock.
    rock = _step(_slope(gaussian_filter(z, 3)), 0.85, 1.25)
    strata = (z + 0.06 * y + 5.0 * _fractal(rng, x, y, 90.0, 3)) * (2 * math.pi / 26.0)
    z += rock * (1.9 * np.sin(strata) + 0.45 * np.sin(2.7 * strata))

    z = 2.5 * np.logaddexp(z / 2.5, _fans(z, x, y, push) / 2.5)  # a maximum without a crease
    z = _rain(z, rng, drops=9000, steps=90)
    z = _settle(z, rock)

    # What is too small to be carved: broken rock, blocks in the scree, hummocks in the grass.
    slope = gaussian_filter(_slope(z), 2)
    grit = gaussian_filter(rng.standard_normal(SHAPE), 0.7) * 2.4
    z += grit * (0.05 + 0.22 * _step(slope, 0.4, 0.65) + 0.15 * rock)
    z += 2.5 * _fractal(rng, x, y, 260.0, 6) * _step(slope, 0.5, 0.2)
    return Terrain(z - _brook(x, y), (0.0, 0.0), (CELL, CELL), name="Alpine slope")


def _profile(distance: Array, smooth: float) -> Array:
    """Height [m] at a distance along the fall line [m], smoothed over a length [m]."""
    d = np.arange(-300.0, 1301.0)
    height = gaussian_filter(np.interp(d, *np.array(PROFILE, float).T), smooth, mode="nearest")
    return np.asarray(np.interp(distance, d, height))


def _fans(z: Array, x: Array, y: Array, push: Array) -> Array:
    """Scree: cones below the mouths of the gullies, at the angle of repose and easing outwards."""
    foot = np.argmin(np.abs(x - push - 212.0), axis=1)  # the column of the wall's foot in each row
    rows = np.arange(SHAPE[0])
    cones = np.zeros(SHAPE)
    for block in np.array_split(rows, 9):
        j = block[np.argmin(foot[block])]  # the deepest recess is the mouth
        i = foot[j]
        r = np.hypot(x - x[j, i], y - y[j, i])
        cones = np.maximum(cones, z[j, i] + 9.0 - 0.76 * r + 0.0003 * r**2)
    return cones


def _rain(z: Array, rng: np.random.Generator, drops: int, steps: int) -> Array:
    """Drops that run downhill, loosen ground where they are fast and leave it where they are slow."""
    ny, nx = z.shape
    z = z.copy()
    p = rng.uniform((0, 0), (ny - 2, nx - 2), (drops, 2))
    v = np.zeros_like(p)
    load = np.zeros(drops)
    for _ in range(steps):
        gy, gx = np.gradient(gaussian_filter(z, 0.8))
        index = np.clip(p.astype(int), 0, (ny - 2, nx - 2))
        j, i = index.T
        g = np.stack([gy[j, i], gx[j, i]], axis=1)
        v = 0.6 * v - 0.4 * g
        v /= np.linalg.norm(v, axis=1, keepdims=True) + 1e-9
        fall = -np.sum(g * v, axis=1)
        inside = np.all((p > 3) & (p < (ny - 4, nx - 4)), axis=1)
        moved = 0.15 * inside * (np.clip(0.9 * fall, 0, 1.6) - load)
        load += moved
        delta = np.bincount(j * nx + i, moved, ny * nx).reshape(ny, nx)
        z -= gaussian_filter(delta, 0.9)
        p = np.clip(p + v, 0, (ny - 1.001, nx - 1.001))
    return z


def _settle(z: Array, rock: Array) -> Array:
    """Let loose ground slip until it lies at the angle of repose."""
    z, limit = z.copy(), CELL * (0.74 + 2.0 * rock)
    for _ in range(12):
        for ground, steepest in ((z, limit[1:]), (z.T, limit.T[1:])):
            step = np.diff(ground, axis=0)
            slip = 0.25 * (step - np.clip(step, -steepest, steepest))
            ground[1:] -= slip
            ground[:-1] += slip
    return z


def _brook(x: Array, y: Array) -> Array:
    """Depth [m] of a brook's bed, with its meanders, along the valley floor."""
    schedule = 855.0 + 22.0 * np.sin(y / 62.0) + 9.0 * np.sin(y / 23.0 + 1.0)
    bed, banks = (np.exp(-(((x - schedule) / width) ** 2)) for width in (4.5, 28.0))
    return np.asarray(1.6 * bed + 0.9 * banks)


# ---- noise --------------------------------------------------------------------------------------------


def _noise(rng: np.random.Generator, x: Array, y: Array, wave: float) -> Array:
    """Smooth noise of a wavelength [m], about -1 .. 1, at x and y [m]."""
    lattice = rng.uniform(-1.0, 1.0, (64, 64))
    return np.asarray(map_coordinates(lattice, [2 * y / wave, 2 * x / wave], order=3, mode="grid-wrap"))


def _fractal(rng: np.random.Generator, x: Array, y: Array, wave: float, octaves: int) -> Array:
    """Octaves of noise, each half as long and half as high as the one before."""
    return np.asarray(sum(0.5**k * _noise(rng, x, y, wave / 2**k) for k in range(octaves)))


def _ridged(rng: np.random.Generator, x: Array, y: Array, wave: float, octaves: int) -> Array:
    """Ridged multi-fractal, 0 .. 1: sharp crests between round hollows, rough where it is high."""
    total, weight = np.zeros_like(x), np.ones_like(x)
    for k in range(octaves):
        crest = (1.0 - np.abs(_noise(rng, x, y, wave / 2**k))) ** 2
        total += 0.5 ** (k + 1) * weight * crest
        weight = np.clip(1.6 * crest, 0.0, 1.0)
    return total


def _step(value: Array, low: float, high: float) -> Array:
    """0 below low, 1 above high, smooth between (the other way round where low > high)."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _slope(z: Array) -> Array:
    """Tangent of the steepness."""
    zy, zx = np.gradient(z, CELL)
    return np.asarray(np.hypot(zx, zy))
