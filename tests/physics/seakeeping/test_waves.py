"""Waves and the pressure they put on a hull: against closed forms, and against numbers computed apart from this."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.hydrostatics.flotation import GRAVITY, attitude
from physics.hydrostatics.hull import WATER, box, wigley
from physics.hydrostatics.immersion import immersed
from physics.seakeeping.ship_model import subdivided
from physics.seakeeping.wave_kinematics import PX, PXX, PZZ, WIDTH, P, heights, phases_at, pressures
from physics.seakeeping.wave_pressure import pressure_force
from physics.seakeeping.waves import Waves, calm, elevation, irregular, jonswap, regular, wavenumber

KNOWN = json.loads((Path(__file__).parents[1] / "waves.json").read_text())
WEIGHT = WATER * GRAVITY
LEVEL = np.eye(3)


def wave(amplitude: float, length: float, direction: float, phase: float, depth: float, stretching: str) -> Waves:
    """One wave by its length, as the numbers are given."""
    k = 2.0 * math.pi / length
    period = 2.0 * math.pi / math.sqrt(GRAVITY * k * math.tanh(k * depth))
    return regular(2.0 * amplitude, period, direction, phase, depth, stretching)  # type: ignore[arg-type]


def force(mesh: tuple[Array, np.ndarray], rotation: Array, place: tuple[float, ...], t: float, waves: Waves) -> Array:
    """Force and moment (6,) over rho g."""
    return np.array(pressure_force(*mesh, rotation, np.array(place), t, waves.table, waves.depth, waves.wheeler))


def made(size: tuple[float, float, float], centre: tuple[float, float, float], edge: float) -> tuple[Array, np.ndarray]:
    """A box about its centre, with edges no longer than that."""
    hull = box(size)
    found = subdivided(hull.points - centre, hull.triangles, edge, 10**6)
    assert found is not None
    return found


# ---- the sea ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [0.1, 3.0, 20.0, 1000.0, math.inf])
def test_the_dispersion_relation_is_solved_to_rounding(depth: float) -> None:
    for period in (1.0, 5.0, 12.0, 60.0):
        w = 2.0 * math.pi / period
        k = wavenumber(w, depth)
        assert GRAVITY * k * math.tanh(k * depth) == pytest.approx(w * w, rel=1e-15)


def test_jonswap_has_the_height_that_its_formula_gives_it() -> None:
    w = np.linspace(1e-3, 60.0, 600_001) * 0.6
    for gamma, height in KNOWN["spectral_height_of_4_m"].items():
        m0 = np.trapezoid(jonswap(w, 4.0, 0.6, float(gamma)), w)
        assert 4.0 * math.sqrt(m0) == pytest.approx(height, abs=2e-6)


@pytest.mark.parametrize(("gamma", "components", "seed"), [(1.0, 30, 1), (3.3, 60, 2), (7.0, 200, 3)])
def test_an_irregular_sea_has_its_height_and_keeps_it_over_three_hours(
    gamma: float, components: int, seed: int
) -> None:
    sea = irregular("jonswap", 4.0, 10.0, gamma, components, seed)
    assert sea.significant_height == pytest.approx(4.0, rel=1e-12)
    heights = elevation(sea, 30.0, -20.0, np.arange(0.0, 10800.0, 0.5))
    assert 4.0 * heights.std() == pytest.approx(4.0, rel=0.01)
    steps = np.diff(sea.frequency)
    assert steps.min() > 0.0  # none repeats
    assert np.ptp(steps) > 0.5 * steps.mean()


@pytest.mark.parametrize("spectrum", ["jonswap", "pierson-moskowitz"])
def test_the_largest_of_however_few_waves_has_the_period_of_the_peak(spectrum: str) -> None:
    for components in (1, 2, 3, 5, 6, 30):
        for seed in range(20):
            sea = irregular(spectrum, 4.0, 10.0, components=components, seed=seed)
            largest = np.argmax(sea.amplitude)
            assert 2.0 * math.pi / sea.frequency[largest] == pytest.approx(10.0, rel=1e-12)
            assert sea.significant_height == pytest.approx(4.0, rel=1e-12)


def test_a_seed_is_a_sea() -> None:
    one, same, other = (irregular("jonswap", 4.0, 10.0, seed=seed) for seed in (5, 5, 6))
    assert one.table.tobytes() == same.table.tobytes()
    assert not np.array_equal(one.phase, other.phase)
    pm = irregular("pierson-moskowitz", 4.0, 10.0, 3.3, seed=5)
    assert pm.table.tobytes() == irregular("jonswap", 4.0, 10.0, 1.0, seed=5).table.tobytes()


def test_the_surface_of_the_stage_is_that_of_kernels() -> None:
    sea = irregular("jonswap", 3.0, 8.0, depth=20.0, direction=0.7, components=300)
    x, y = np.meshgrid(np.linspace(-100.0, 100.0, 21), np.linspace(-50.0, 50.0, 11))
    surface = elevation(sea, x, y, 12.5)
    assert surface.shape == (11, 21)
    acting = heights(sea.table, phases_at(sea.table, 30.0, -20.0, 12.5), x.ravel() - 30.0, y.ravel() + 20.0)
    assert surface.ravel() == pytest.approx(acting, abs=1e-12)
    assert elevation(calm(), x, y, 1.0) == pytest.approx(np.zeros((11, 21)))
    swell = regular(2.0, 8.0, direction=0.5 * math.pi)
    assert elevation(swell, 7.0, 0.0, 0.0) == pytest.approx(1.0)
    later = elevation(swell, 0.0, 0.1 * 9.81 * 8.0 / (2.0 * math.pi), 0.1)  # it goes towards y
    assert later == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("make", "field", "said"),
    [
        (lambda: regular(1.0, -5.0), "period", "expected 0.0253 to 800 s"),
        (lambda: regular(5.6, 5.0), "height", "at most 5.543 m"),  # 0.142 g T²/(2 pi)
        (lambda: regular(3.0, 9.0, depth=2.5), "height", "breaks"),
        (lambda: regular(1.0, 5.0, depth=0.0), "depth", "at least 0.001 m"),
        (lambda: calm(math.nan), "depth", "at least 0.001 m"),
        (lambda: irregular("jonswap", 9.0, 6.0), "significant_height", "breaks"),
        (lambda: irregular("jonswap", 4.0, 20.0, depth=7.0), "significant_height", "half the depth"),
    ],
)
def test_what_is_no_wave_is_refused_by_its_field(make: Callable[[], Waves], field: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        make()
    assert caught.value.field == field
    assert said in caught.value.message


# ---- the pressure at a place --------------------------------------------------------------------------


def around(sea: Waves, places: Array, t: float) -> Array:
    """Rows (n, WIDTH) of the pressure, by the formulas as plain Python."""
    rows = np.zeros((len(places), WIDTH))
    rows[:, :3] = places
    above = (places[:, 2] > 0.0) & (not sea.wheeler)
    phases = phases_at(sea.table, 0.0, 0.0, t)
    pressures(sea.table, phases, sea.depth, sea.wheeler, rows, above, np.arange(len(places)))
    return rows


SEAS = [
    irregular("jonswap", 3.0, 6.0, components=4, direction=0.6, depth=depth, stretching=stretching)
    for depth in (math.inf, 9.0)
    for stretching in ("wheeler", "linear")
]


@pytest.mark.parametrize("sea", SEAS)
def test_the_derivatives_of_the_pressure_are_those_of_its_values(sea: Waves) -> None:
    step = 1e-3
    for place in ((3.0, -2.0, -1.3), (-20.0, 11.0, 0.4), (1.0, 2.0, -7.0)):
        shifts = np.concatenate([np.zeros((1, 3)), step * np.eye(3), -step * np.eye(3)])
        rows = around(sea, place + shifts, 2.5)
        slopes = (rows[1:4] - rows[4:]) / (2.0 * step)  # over x, y, z
        assert slopes[:, P] == pytest.approx(rows[0, PX:PXX], abs=1e-6)
        bends = slopes[:, PX:PXX][np.triu_indices(3)]
        assert bends == pytest.approx(rows[0, PXX : PZZ + 1], abs=1e-6)


@pytest.mark.parametrize("sea", SEAS)
def test_the_pressure_is_none_on_the_surface_and_that_of_the_law_below(sea: Waves) -> None:
    x, y = np.linspace(-40.0, 40.0, 50), np.linspace(-3.0, 25.0, 50)
    surface = elevation(sea, x, y, 2.5)
    on = around(sea, np.column_stack([x, y, surface]), 2.5)[:, P]
    crests = surface > 0.0
    assert 0 < crests.sum() < len(crests)
    assert np.abs(on[crests]).max() < 1e-14
    if sea.wheeler:
        assert np.abs(on).max() < 1e-14
    else:  # O(k a²) in the troughs
        assert 1e-3 < np.abs(on[~crests]).max() < 0.5
    z = -4.0
    a, kx, ky, k, w, e, _ = sea.table
    angle = kx * x[0] + ky * y[0] - w * 2.5 + e
    height = float((a * np.cos(angle)).sum())
    moved = z if not sea.wheeler else (z - height) / (1.0 + height / sea.depth)
    fall = np.exp(k * moved)
    if sea.depth < math.inf:
        fall = np.cosh(k * (moved + sea.depth)) / np.cosh(k * sea.depth)
    found = around(sea, np.array([[x[0], y[0], z]]), 2.5)[0, P]
    assert found == pytest.approx(-z + float((a * fall * np.cos(angle)).sum()), abs=1e-14)


# ---- the force on a mesh ------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "name"), [(math.inf, "deep"), (15.0, "depth_15")])
def test_a_submerged_box_bears_the_force_of_the_volume_integral(depth: float, name: str) -> None:
    """And the error falls with the sixth power of the edge, that of the moment with the fourth."""
    known = KNOWN["submerged_box"]
    args = (known["amplitude"], known["length"], math.radians(known["direction_deg"]), known["phase"])
    sea = wave(*args, depth, "linear")
    found = []
    for edge in (2.0, 1.0, 0.5):
        mesh = made(known["size"], (0.0, 0.0, 1.0), edge)
        found.append(WEIGHT * force(mesh, LEVEL, (0.0, 0.0, known["height"]), known["time"], sea))
    errors = np.linalg.norm([f[:3] - known[name] for f in found], axis=1)
    assert errors[2] < 2e-6
    assert math.log2(errors[0] / errors[1]) > 5.5
    moments = np.linalg.norm(np.diff([f[3:] for f in found], axis=0), axis=1)
    assert 3.7 < math.log2(moments[0] / moments[1]) < 6.5


def test_a_barge_in_a_beam_wave_heaves_by_the_closed_form() -> None:
    """rho g exp(-k T) L B sin(k B/2)/(k B/2) for each metre of amplitude: the bottom alone bears it."""
    known, k = KNOWN["barge_in_beam_wave_of_40_m"], 2.0 * math.pi / 40.0
    exact = WEIGHT * math.exp(-2.0 * k) * 160.0 * math.sin(4.0 * k) / (4.0 * k)
    assert exact == pytest.approx(known["linear"], rel=1e-9)
    mesh = made((20.0, 8.0, 4.0), (0.0, 0.0, 2.5), 0.5)

    def heave(amplitude: float, stretching: str) -> float:
        sea = wave(amplitude, 40.0, 0.5 * math.pi, 0.0, math.inf, stretching)
        return float(WEIGHT * (force(mesh, LEVEL, (0.0, 0.0, 0.5), 0.0, sea)[2] - 320.0) / amplitude)

    for amplitude in (1.0, 0.1, 1e-4):
        assert heave(amplitude, "linear") == pytest.approx(exact, rel=1e-8)
    assert heave(0.01, "wheeler") == pytest.approx(known["wheeler_0.01"], abs=1.0)
    assert heave(1e-4, "wheeler") == pytest.approx(known["wheeler_0.0001"], abs=1.0)


@pytest.mark.parametrize("stretching", ["wheeler", "linear"])
@pytest.mark.parametrize("depth", [math.inf, 6.0])
@pytest.mark.parametrize("phase", [0.0, 1.1, 2.7])
def test_the_sides_of_a_barge_bear_the_integral_of_the_pressure_up_to_the_surface(
    stretching: str, depth: float, phase: float
) -> None:
    """The surface of a beam wave is level along either side, so that the pressure has a closed integral there."""
    sea = wave(0.7, 25.0, 0.5 * math.pi, phase, depth, stretching)
    mesh = made((20.0, 8.0, 4.0), (0.0, 0.0, 2.5), 1.0)
    across = force(mesh, LEVEL, (0.0, 0.0, 0.5), 0.0, sea)[1]
    k, draught = 2.0 * math.pi / 25.0, 2.0

    def dynamic(z: float) -> float:
        """The integral of C from the keel to z."""
        if depth == math.inf:
            return (math.exp(k * z) - math.exp(-k * draught)) / k
        return (math.sinh(k * (z + depth)) - math.sinh(k * (depth - draught))) / (k * math.cosh(k * depth))

    expected = 0.0
    for side in (-4.0, 4.0):
        height = 0.7 * math.cos(k * side + phase)
        if stretching == "linear":
            part = dynamic(min(height, 0.0)) + max(height, 0.0)
        elif depth == math.inf:
            part = (1.0 - math.exp(-k * (draught + height))) / k
        else:  # over z', which runs from d (T' - d)/d to 0: dz = (d + zeta)/d dz'
            keel = depth * (-draught - height) / (depth + height)
            fall = (math.sinh(k * depth) - math.sinh(k * (keel + depth))) / (k * math.cosh(k * depth))
            part = (depth + height) / depth * fall
        still = 0.5 * (draught**2 - height**2)
        expected -= math.copysign(20.0, side) * (still + height * part)
    assert across == pytest.approx(expected, abs=1e-7)  # of 10 to 100 m³


def test_calm_water_is_that_of_hydrostatics_to_rounding() -> None:
    chance = np.random.default_rng(3)
    for hull, centre in ((box((20.0, 8.0, 4.0)), (0.3, -0.2, 2.1)), (wigley((100.0, 10.0, 6.25), (20, 10)), (1, 0, 0))):
        mesh = hull.points - np.array(centre, float), hull.triangles
        for _ in range(4):
            rotation = attitude(*chance.uniform(-3.0, 3.0, 2))
            height = float(chance.uniform(-2.0, 2.0))
            exact = immersed(*mesh, rotation, height)
            found = force(mesh, rotation, (3.0, -5.0, height), 1.0, calm())
            expected = (0.0, 0.0, exact.volume, exact.y, -exact.x, 0.0)
            assert found == pytest.approx(expected, abs=2e-15 * exact.volume * np.ptp(mesh[0]))


@pytest.mark.parametrize("stretching", ["wheeler", "linear"])
def test_the_force_is_the_same_on_smaller_faces_and_everywhere_alike(stretching: str) -> None:
    """Through deck and waterline; and a ship a wave's length further on, or a period later, bears the same."""
    rotation = attitude(0.5, 0.1)
    sea = wave(0.8, 30.0, 0.9, 0.4, 25.0, stretching)
    forces = [force(made((20.0, 8.0, 4.0), (0.2, 0.1, 2.5), edge), rotation, (0.0, 0.0, 0.2), 3.0, sea)
              for edge in (2.0, 1.0, 0.5)]  # fmt: skip
    size = float(np.linalg.norm(forces[2]))
    assert forces[0] == pytest.approx(forces[2], abs=2e-4 * size)
    assert forces[1] == pytest.approx(forces[2], abs=2e-5 * size)
    mesh = made((20.0, 8.0, 4.0), (0.2, 0.1, 2.5), 2.0)
    on, later = 30.0 * math.cos(0.9), 3.0 + 2.0 * math.pi / float(sea.frequency[0])
    moved = force(mesh, rotation, (on, 30.0 * math.sin(0.9), 0.2), later, sea)
    assert moved == pytest.approx(forces[0], abs=1e-11 * size)


@pytest.mark.parametrize("stretching", ["wheeler", "linear"])
@pytest.mark.parametrize("depth", [math.inf, 300.0, 9.0])
def test_series_of_a_long_crested_sea_are_its_sum_of_waves(depth: float, stretching: str) -> None:
    """A wave of no height that goes another way makes no other sea, but one that is added up wave by wave."""
    hull, rotation = wigley((100.0, 10.0, 6.25), (48, 24)), attitude(0.2, 0.02)
    for direction in (0.5 * math.pi, 0.3, math.pi):
        sea = irregular("jonswap", 2.0, 8.0, 3.3, 30, 4, direction, depth, stretching)  # type: ignore[arg-type]
        crossed = np.append(sea.table, [[0.0], [1.0], [-1.0], [math.sqrt(2.0)], [1.0], [0.0], [0.0]], axis=1)
        args = (hull.points - (0.0, 0.0, -1.0), hull.triangles, rotation, (13.0, -7.0, -0.4), 70.0)
        found, summed = (np.array(pressure_force(*args, t, depth, sea.wheeler)) for t in (sea.table, crossed))
        assert np.abs(found - summed)[:3].max() < 1e-12 * np.abs(summed[:3]).max()
        assert np.abs(found - summed)[3:].max() < 1e-12 * 50.0 * np.abs(summed[:3]).max()
        assert not np.array_equal(found, summed)  # they are two ways to it


def test_a_hull_above_every_crest_bears_nothing() -> None:
    mesh = made((2.0, 2.0, 2.0), (0.0, 0.0, 1.0), 1.0)
    assert np.array_equal(force(mesh, LEVEL, (0.0, 0.0, 2.1), 0.0, regular(2.0, 6.0)), np.zeros(6))
