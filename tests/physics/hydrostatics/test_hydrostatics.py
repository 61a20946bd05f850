"""What a hull displaces, how it floats and what rights it: against closed forms, and against a panel code.

Numbers of the box beyond its deck edge, and of the tanker, come from a computation of its own (polygons clipped in
another program); "wamit" are those of WAMIT 6.3 for the tanker's 4750 panels, in the Marine Systems Simulator.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import assets
from physics.core.rotation import Array
from physics.hydrostatics.flotation import GRAVITY, FloatingPose, attitude, equilibrium, floating, hydrostatics, placed
from physics.hydrostatics.hull import (
    WATER,
    Hull,
    LoadedHull,
    box,
    cylinder,
    loaded,
    make_hull,
    prism,
    read_hull,
    wigley,
)
from physics.hydrostatics.immersion import immersed
from physics.hydrostatics.righting_levers import criteria, curve, rest_of, righting
from physics.hydrostatics.stability_sheet import cross_curves, sheet_of, upright

KNOWN = json.loads((Path(__file__).parents[1] / "hydrostatics.json").read_text())
TANKER = Path(assets.__file__).parent / "hulls" / "tanker.ply"


def barge(x: float = 0.0, y: float = 0.0, z: float = 2.5) -> LoadedHull:
    """20 x 8 x 4 m, floating half."""
    return loaded(box((20.0, 8.0, 4.0)), 328_000.0, (x, y, z))


@pytest.fixture(scope="module")
def tanker() -> LoadedHull:
    hull = read_hull(TANKER)
    return loaded(hull, WATER * KNOWN["tanker"]["volume"], (3.931876240, 0.0, 2.5))


def levers(load: LoadedHull, heels: list[float], trim: float | None = None) -> np.ndarray:
    return np.array([pose.lever for pose in curve(load, np.radians(heels), trim)])


# ---- integrals ----------------------------------------------------------------------------------------


def wetted(corners: Array) -> Array:
    """The parts below z = 0 of triangles (n, 3, 3), as triangles (m, 3, 3) wound as before."""
    under = corners[..., 2] < 0.0
    count = under.sum(axis=1)
    whole = corners[count == 3]
    cut = (count == 1) | (count == 2)
    lone = under[cut] == (count[cut] == 1)[:, None]  # the corner on a side of its own
    order = (np.argmax(lone, axis=1)[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners[cut], order[..., None], axis=1), 1, 0)
    ab, ac = (a + (a[:, 2] / (a[:, 2] - p[:, 2]))[:, None] * (p - a) for p in (b, c))
    tip = np.stack([a, ab, ac], axis=1)[count[cut] == 1]
    rest = count[cut] == 2
    pair = [np.stack(piece, axis=1)[rest] for piece in ((ab, b, c), (ab, c, ac))]
    return np.concatenate([whole, tip, *pair])


def test_the_kernel_agrees_with_the_wetted_triangles_and_with_the_force_that_pressure_makes() -> None:
    """Attitudes are odd; the force is the sum of the pressure over the wetted part, and the lid bears none."""
    load = barge(0.3, -0.4, 2.1)
    for heel, trim, height in ((0.5, 0.2, 0.1), (2.0, -0.7, 0.9), (-1.1, 1.2, -0.6), (3.0, 0.0, 1.0)):
        pose = placed(load, heel, trim, height)
        inertial = load.vertices @ pose.rotation.T + (0.0, 0.0, height)
        a, b, c = np.moveaxis(wetted(inertial[load.hull.triangles]), 1, 0)
        normal = 0.5 * np.cross(b - a, c - a)  # times the area
        pressure = -WATER * GRAVITY * (a + b + c)[:, 2] / 3.0
        force, moment = pose.force
        assert force == pytest.approx(-pressure @ normal, abs=1e-9 * force[2])
        # three points in the middles of the sides integrate a product of linear functions exactly
        middles = [(p + q) / 2 for p, q in ((a, b), (b, c), (c, a))]
        arms = sum(-WATER * GRAVITY * m[:, 2:] * (m - (0.0, 0.0, height)) for m in middles) / 3.0
        assert moment == pytest.approx(-np.cross(arms, normal).sum(axis=0), abs=1e-9 * force[2])


def test_a_face_in_the_water_plane_is_an_ordinary_face() -> None:
    load = barge()
    flush = placed(load, 0.0, 0.0, -1.5)  # the deck awash
    assert (flush.integrals.volume, flush.integrals.area) == (pytest.approx(640.0, rel=1e-14), pytest.approx(160.0))
    dry = placed(load, 0.0, 0.0, 2.5)
    assert tuple(dry.integrals) == (0.0,) * 10
    turned = immersed(load.vertices, load.hull.triangles, attitude(math.pi / 4, 0.0), 0.0)
    assert turned.volume > 0.0


def test_a_wigley_hull_converges_as_the_square_of_the_panels() -> None:
    length, breadth, draught = 100.0, 10.0, 6.25
    exact = np.array([4 / 9 * length * breadth * draught, -0.375 * draught, 2 / 3 * length * breadth])
    exact = np.append(exact, [3 * breadth**2 / (35 * draught), 3 * length**2 / (40 * draught)])
    errors = []
    for n in (20, 40, 80):
        found = _at_its_waterline(wigley((length, breadth, draught), (n, n // 2)))
        errors.append(np.abs(np.array(found) / exact - 1.0))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders[0] - 2.0).max() < 0.05
    assert np.abs(orders[1] - 2.0).max() < 0.0125  # a quarter: what is left of higher order
    assert np.abs(_at_its_waterline(wigley((length, breadth, draught))) / exact - 1.0).max() < 1e-4


def _at_its_waterline(hull: Hull) -> tuple[float, ...]:
    found = hydrostatics(placed(loaded(hull, 1000.0, (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0))
    assert found.centre_of_buoyancy[:2] == pytest.approx((0.0, 0.0), abs=1e-12)
    place, radii = found.centre_of_buoyancy[2], (found.bm_transverse, found.bm_longitudinal)
    return (found.volume, float(place), found.area, *radii)


def test_a_prism_has_its_metacentre_where_theory_has_it() -> None:
    half, draught = 0.6, 3.0  # [rad] of the angle at the edge, and [m]
    hull = prism((30.0, 2 * 5.0 * math.tan(half), 5.0))
    load = loaded(hull, WATER * 30.0 * draught**2 * math.tan(half), (0.0, 0.0, 2.0))
    found = hydrostatics(equilibrium(load))
    assert found.draught == pytest.approx(draught, rel=1e-14)
    assert found.kb + found.bm_transverse == pytest.approx(2 * draught / 3 / math.cos(half) ** 2, rel=1e-13)


# ---- a box --------------------------------------------------------------------------------------------


def test_the_levers_of_a_box_are_those_of_a_wall_sided_ship_up_to_its_deck_edge() -> None:
    heels = np.radians([0.01, 1.0, 5.0, 10.0, 15.0, 20.0, 25.0, 26.5, -20.0])
    expected = np.sin(heels) * (7 / 6 + 0.5 * 8 / 3 * np.tan(heels) ** 2)
    for trim in (None, 0.0):
        assert np.abs(levers(barge(), list(np.degrees(heels)), trim) - expected).max() < 1e-12


def test_the_levers_of_a_box_beyond_its_deck_edge_with_their_areas_and_vanishing_angle() -> None:
    known = KNOWN["box"]
    assert np.abs(levers(barge(), known["heels"]) - known["levers"]).max() < 1e-10
    found = righting(barge(), rest_of(barge()))
    assert math.degrees(found.vanishing) == pytest.approx(known["vanishing"], abs=1e-9)
    assert found.most == pytest.approx(known["most"], abs=1e-10)
    assert math.degrees(found.most_at) == pytest.approx(known["most_at"], abs=1e-4)
    assert (found.area_30, found.area_40, found.area) == pytest.approx(known["areas"], abs=2e-12)


def test_with_a_trim_the_area_is_not_the_energy() -> None:
    """G a metre forward: from 0 to 60 degrees the area is 0.49970169 m rad, the rise of zG - zB 0.49783122 m."""
    load = barge(x=1.0)
    start, end = curve(load, np.radians([0.0, 60.0]))
    assert end.energy - start.energy == pytest.approx(0.49783122, abs=1e-8)
    degrees = np.arange(0.0, 60.01, 0.1)
    area = np.trapezoid(levers(load, list(degrees)), np.radians(degrees))
    assert area == pytest.approx(0.49970169, abs=1e-6)
    found = righting(load, rest_of(load))
    upto = degrees <= 40.0
    area = np.trapezoid(levers(load, list(degrees[upto])), np.radians(degrees[upto]))
    assert found.area_40 == pytest.approx(area, abs=1e-6)


def test_energy_is_the_work_of_the_lever_at_any_attitude() -> None:
    """Differences of zG - zB against the moments, in heel and in trim."""
    load, step = barge(0.5, 0.2, 2.0), 1e-5
    for heel, trim in ((0.3, 0.1), (1.2, -0.4), (2.8, 0.2)):
        pose = floating(load, heel, trim)
        over = [floating(load, heel + s * step, trim).energy for s in (1, -1)]
        assert (over[0] - over[1]) / (2 * step) == pytest.approx(pose.lever * math.cos(trim), abs=1e-8)
        over = [floating(load, heel, trim + s * step).energy for s in (1, -1)]
        assert (over[0] - over[1]) / (2 * step) == pytest.approx(pose.integrals.x / pose.integrals.volume, abs=1e-8)


# ---- equilibria ---------------------------------------------------------------------------------------


def test_a_box_with_its_load_aside_heels_and_trims() -> None:
    pose = equilibrium(barge(0.3, -0.1))
    assert math.degrees(pose.heel) == pytest.approx(4.846021712, abs=1e-8)
    assert math.degrees(pose.trim) == pytest.approx(1.128170892, abs=1e-8)
    assert pose.height == pytest.approx(0.4837631926, abs=1e-9)


@pytest.mark.parametrize("start", [(0.0, 0.0), (1.0, 0.5), (-2.5, -1.4), (3.1, 1.0), (1.6, 1.57)])
def test_from_any_start_it_comes_to_rest_where_nothing_turns_it(start: tuple[float, float]) -> None:
    load = barge(0.3, -0.1)
    pose = equilibrium(load, *start)
    assert abs(pose.lever) < 1e-11
    assert abs(pose.integrals.x / pose.integrals.volume) < 1e-11
    assert pose.integrals.volume == pytest.approx(320.0, rel=1e-13)
    nearby = (floating(load, pose.heel + a, pose.trim + b) for a in (-0.01, 0.01) for b in (-0.01, 0.01))
    assert min(other.energy for other in nearby) > pose.energy


def test_a_square_log_floats_at_the_angle_of_its_density() -> None:
    known = KNOWN["log"]
    hull = box((10.0, 1.0, 1.0))
    for density, heel in zip(known["densities"], known["heels"], strict=True):
        for fixed in (True, False):
            pose = equilibrium(loaded(hull, density * WATER * 10.0, (0.0, 0.0, 0.5)), fixed_trim=fixed)
            assert abs(math.degrees(pose.heel)) == pytest.approx(heel, abs=1e-5), (density, fixed)


def test_a_short_log_stands_on_its_end() -> None:
    pose = equilibrium(loaded(box((1.0, 4.0, 4.0)), 0.5 * WATER * 16.0, (0.0, 0.0, 2.0)), 0.1, 0.1)
    assert abs(pose.rotation[2, 0]) == pytest.approx(1.0, abs=1e-12)  # its axis is upright


def test_a_cylinder_is_righted_by_its_weight_alone() -> None:
    heels = [10.0, 50.0, 120.0]
    errors = []
    for sides in (24, 96, 384):
        hull = cylinder((20.0, 2.0, 2.0), sides)
        found = levers(loaded(hull, 0.4 * WATER * hull.volume, (0.0, 0.0, -0.3)), heels)
        errors.append(np.abs(found / (0.3 * np.sin(np.radians(heels))) - 1.0).max())
    assert errors[0] < 5e-3
    assert errors[1] < 5e-5
    assert errors[2] < 5e-7
    assert abs(levers(loaded(hull, 0.5 * WATER * hull.volume, (0.0, 0.0, 0.0)), [33.0])[0]) < 1e-5


# ---- a tanker -----------------------------------------------------------------------------------------


def test_the_tanker_has_the_numbers_and_levers_of_a_panel_code(tanker: LoadedHull) -> None:
    """WAMIT takes one point a panel: its C44 is 0.43 % below the exact one of its own panels."""
    known = KNOWN["tanker"]
    found = hydrostatics(placed(tanker, 0.0, 0.0, 2.5))
    unit = WATER * GRAVITY
    assert found.volume == pytest.approx(known["volume"], rel=1e-8)
    assert found.volume == pytest.approx(known["wamit_volume"], rel=1e-4)
    assert found.centre_of_buoyancy == pytest.approx((known["x"], 0.0, known["z"]), abs=1e-7)
    assert found.centre_of_buoyancy[2] == pytest.approx(known["wamit_z"], rel=2e-4)
    assert found.centre_of_buoyancy[0] == pytest.approx(3.92591, abs=7e-3)
    assert found.centroid[0] == pytest.approx(-31916.31 / 10222.15, abs=1e-3)  # C35 and C33
    for name, within in (("c33", 2e-4), ("c44", 5e-3), ("c55", 2e-4)):
        assert getattr(found, name) / unit == pytest.approx(known[name], rel=1e-7), name
        assert getattr(found, name) / unit == pytest.approx(known[f"wamit_{name}"], rel=within), name
    poses = list(curve(tanker, np.radians(known["heels"])))
    assert np.abs([pose.lever - lever for pose, lever in zip(poses, known["free"], strict=True)]).max() < 1e-6
    assert np.abs([math.degrees(p.trim) - t for p, t in zip(poses, known["trims"], strict=True)]).max() < 1e-6
    rest = rest_of(tanker, fixed_trim=True)
    assert np.abs(levers(tanker, known["heels"], rest.trim) - known["fixed"]).max() < 1e-6
    found = righting(tanker, rest_of(tanker))
    assert (found.area_30, found.area_40) == pytest.approx(known["areas"], abs=1e-6)
    assert math.degrees(found.vanishing) == pytest.approx(known["vanishing"], abs=1e-5)
    assert (found.most, math.degrees(found.most_at)) == pytest.approx((known["most"], known["most_at"]), abs=1e-3)


def test_the_tanker_floats_where_it_is_balanced(tanker: LoadedHull) -> None:
    for known in KNOWN["tanker"]["equilibria"]:
        pose = equilibrium(loaded(tanker.hull, known["mass"], known["centre"]))
        found = hydrostatics(pose)
        assert math.degrees(pose.heel) == pytest.approx(known["heel"], abs=1e-7)
        assert math.degrees(pose.trim) == pytest.approx(known["trim"], abs=1e-7)
        assert pose.height == pytest.approx(known["height"], abs=1e-7)
        assert (found.area, found.gm_transverse) == pytest.approx((known["area"], known["gm"]), rel=1e-7)


# ---- criteria -----------------------------------------------------------------------------------------


def judged(load: LoadedHull) -> dict[str, bool]:
    return {one.name: one.passed for one in criteria(righting(load, rest_of(load)))}


def test_a_stiff_box_passes_and_a_tender_one_does_not() -> None:
    assert all(judged(barge()).values())
    tender = judged(barge(z=3.9))
    assert not tender["GM upright"]
    assert not tender["area under GZ to 30°"]
    assert not tender["largest GZ at 30° or more"]


def test_the_curve_is_that_of_the_side_to_which_it_lists() -> None:
    port, starboard = (righting(load, rest_of(load)) for load in (barge(y=0.1), barge(y=-0.1)))
    assert (port.side, starboard.side) == (-1, 1)
    assert port.levers == pytest.approx(starboard.levers, abs=1e-12)
    assert port.vanishing == pytest.approx(starboard.vanishing, abs=1e-12)
    assert port.area_30 < righting(barge(), rest_of(barge())).area_30


def test_a_hull_that_always_rights_itself_has_no_vanishing_angle() -> None:
    hull = cylinder((20.0, 2.0, 2.0), 48)
    load = loaded(hull, 0.4 * WATER * hull.volume, (0.0, 0.0, -0.5))
    found = righting(load, rest_of(load))
    assert found.vanishing is None
    assert found.area is None
    assert isinstance(found.rest, FloatingPose)


# ---- curves of form and KN ----------------------------------------------------------------------------


def test_curves_of_form_of_a_box_are_those_of_theory() -> None:
    """KB = T/2, BM = B²/12T and L²/12T, C33 = ρ g L B; of a prism its waterplane grows with the draught."""
    draughts = np.array([0.2, 1.1, 2.0, 3.8])
    found = [hydrostatics(pose) for pose in upright(box((20.0, 8.0, 4.0)), draughts, WATER)]
    for one, draught in zip(found, draughts, strict=True):
        assert (one.draught, one.kb, one.kg) == pytest.approx((draught, draught / 2.0, 0.0))
        assert (one.bm_transverse, one.bm_longitudinal) == pytest.approx((64 / 12 / draught, 400 / 12 / draught))
        assert one.gm_transverse == pytest.approx(one.kb + one.bm_transverse)
        assert (one.c33, one.volume) == pytest.approx((WATER * GRAVITY * 160.0, 160.0 * draught))
    areas = [pose.integrals.area for pose in upright(prism((10.0, 4.0, 2.0)), np.array([0.5, 1.0, 1.5]), WATER)]
    assert areas == pytest.approx([10.0, 20.0, 30.0])


def test_kn_less_kg_is_the_lever() -> None:
    """GZ = KN - KG sin(heel): for a box as published, for a round log of any load by its radius, and with a trim."""
    heels = np.radians([5.0, 20.0, 30.0, 40.0, 60.0])
    masses = np.array([328_000.0, 500_000.0])
    kn = cross_curves(box((20.0, 8.0, 4.0)), masses, heels, WATER)
    published = [0.1025711842, 0.4594353536, 0.7603629711, 0.7740144309, 0.3725428537]
    assert kn[0] - 2.5 * np.sin(heels) == pytest.approx(published, abs=1e-9)
    log = cross_curves(cylinder((10.0, 2.0, 2.0)), np.array([5e3, 2e4]), heels, WATER)
    np.testing.assert_allclose(log, np.tile(np.sin(heels), (2, 1)), atol=5e-5)  # of a polygon


def test_kn_of_the_tanker_is_free_to_trim(tanker: LoadedHull) -> None:
    heels = np.radians([10.0, 30.0])
    kn = cross_curves(tanker.hull, np.array([tanker.mass]), heels, WATER)
    kg = 2.5 - tanker.hull.keel
    assert kn[0] - kg * np.sin(heels) == pytest.approx([1.7235553, 4.4281570], abs=1e-3)  # the trim is that of KG = 0


def test_a_hull_that_no_trim_balances_has_no_kn_from_there() -> None:
    (kn,) = cross_curves(box((1.0, 4.0, 4.0)), np.array([8200.0]), np.radians([0.0, 30.0, 90.0]), WATER)
    assert kn[0] == pytest.approx(0.0, abs=1e-9)
    assert np.isnan(kn[-1])


@pytest.mark.parametrize("share", [1.0 - 1e-12, 1.0, 1.0 + 1e-12])
@pytest.mark.parametrize("shape", ["box", "prism", "cylinder", "wigley"])
def test_a_hull_all_under_water_is_righted_by_its_weight_alone(shape: str, share: float) -> None:
    """A hull of which nothing stands out of the water has no waterplane: GM is B - G, the slope of its own levers."""
    hull = make_hull(shape, (10.0, 4.0, 4.0))
    load = loaded(hull, share * WATER * hull.volume, (0.0, 0.0, hull.keel + 1.5))
    sheet = sheet_of(load)
    found, angle = sheet.at, 0.01
    assert (found.area, found.c33, found.bm_transverse) == (0.0, 0.0, 0.0)
    assert found.gm_transverse == pytest.approx(found.kb - found.kg, abs=1e-12)
    assert floating(load, angle, 0.0).lever / math.sin(angle) == pytest.approx(found.gm_transverse, abs=1e-9)
    assert sheet.judged[-1].value == pytest.approx(found.gm_transverse, abs=1e-9)
    if shape == "box":
        assert found.gm_transverse == pytest.approx(0.5, abs=1e-9)
