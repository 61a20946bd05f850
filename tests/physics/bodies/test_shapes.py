"""Mass properties: published blocks, closed forms, invariance under how a body is given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

import physics
from physics.bodies import shapes
from physics.bodies.angularity import ANGULARITIES
from physics.core.rotation import apply, matrix, random_attitudes


def test_the_eota221_rock_of_780_kg():
    rock = shapes.eota([0.93, 0.93, 0.47], mass=780.0)
    assert len(rock.vertices) == 24
    assert rock.volume == pytest.approx(0.28794, abs=5e-6)
    np.testing.assert_allclose(rock.inertia, [52.310, 52.310, 83.336], atol=5e-4)
    assert rock.mass / rock.volume == pytest.approx(2709, abs=0.5)


def test_the_eota_block_fills_17_of_24_parts_of_its_box():
    for size in ([1, 1, 1], [2, 3, 0.5]):
        assert shapes.eota(size, mass=1.0).volume == pytest.approx(17 / 24 * np.prod(size), rel=1e-12)


def test_the_cuboid_of_the_paper():
    """Leine et al. (2021), section 4.3: A = m (b² + c²)/12 and so on."""
    body = shapes.cuboid([3, 2, 1], mass=1.0)
    np.testing.assert_allclose(body.inertia, [5 / 12, 10 / 12, 13 / 12], rtol=4e-16)
    assert body.volume == 6.0


def test_polyhedra_by_sums_over_faces_equal_the_box():
    body = shapes.hull(shapes.cuboid([3, 2, 1], mass=1.0).vertices, mass=1.0)
    np.testing.assert_allclose(body.inertia, [5 / 12, 10 / 12, 13 / 12], rtol=1e-14)
    np.testing.assert_array_equal(body.axes, [1, 0, 0, 0])


def test_density_and_mass_say_the_same():
    by_mass, by_density = shapes.cuboid([1, 2, 3], mass=12.0), shapes.cuboid([1, 2, 3], density=2.0)
    assert by_density.mass == by_mass.mass
    np.testing.assert_array_equal(by_density.inertia, by_mass.inertia)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), shift=st.floats(-1e3, 1e3))
def test_a_body_given_turned_and_shifted_is_the_same_body(seed, shift):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((12, 3)) * [1.0, 2.0, 3.0]
    turn = random_attitudes(rng, 1)[0]
    one, other = shapes.hull(points, mass=5.0), shapes.hull(apply(turn, points) + shift, mass=5.0)
    assert other.volume == pytest.approx(one.volume, rel=1e-9)
    np.testing.assert_allclose(np.sort(other.inertia), np.sort(one.inertia), rtol=1e-8)
    for body in (one, other):  # the tensor in body axes is that of the principal axes, turned
        volume, centroid, tensor = shapes.polyhedron(body.vertices, body.faces)
        assert np.abs(centroid).max() < 1e-9
        R = matrix(body.axes)
        np.testing.assert_allclose(R @ np.diag(body.inertia) @ R.T, tensor * body.mass / volume, atol=1e-7)
        a, b, c = np.sort(body.inertia)
        assert c <= a + b


def test_motion_of_a_turned_body_does_not_depend_on_the_axes_it_is_given_in(tmp_path):
    turn = random_attitudes(np.random.default_rng(3), 1)[0]
    box = shapes.cuboid([3, 2, 1], mass=1.0).vertices
    (tmp_path / "turned.pts").write_text("\n".join(" ".join(map(repr, map(float, p))) for p in apply(turn, box)))
    w = np.array([0.3, 2.0, -1.0])
    common = {"kind": "free", "duration": 5.0, "step": 0.01, "schemes": ["implicit", "exact"]}
    straight = physics.Scenario(
        **common, body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": w.tolist()}
    )
    turned = physics.Scenario(
        **common,
        body={"shape": "hull", "file": str(tmp_path / "turned.pts"), "mass": 1.0},
        initial={"angular_velocity": apply(turn, w).tolist()},
    )
    one, other = physics.simulate(straight), physics.simulate(turned)
    for name in one:
        np.testing.assert_allclose(apply(turn, one[name].angular_velocity), other[name].angular_velocity, atol=1e-9)
        np.testing.assert_allclose(other[name].kinetic_energy, one[name].kinetic_energy, rtol=1e-9)
        np.testing.assert_allclose(other[name].spin, apply(turn, one[name].spin), atol=1e-8)


def test_ellipsoid_and_cylinder_have_their_closed_forms():
    ball = shapes.ellipsoid([2, 2, 2], mass=5.0)
    np.testing.assert_allclose(ball.inertia, [2.0, 2.0, 2.0])
    disk = shapes.cylinder([2, 2, 0.5], mass=4.0)
    np.testing.assert_allclose(disk.inertia, [4 * (3 + 0.25) / 12, 4 * (3 + 0.25) / 12, 2.0])


@pytest.mark.parametrize("build", [shapes.cuboid, shapes.eota, shapes.ellipsoid, shapes.cylinder])
def test_faces_look_outwards_and_close_the_body(build):
    body = build([3, 2, 1], mass=1.0)
    a, b, c = np.moveaxis(body.vertices[body.faces], 1, 0)
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), a) > 0).all()
    edges = np.sort(np.concatenate([body.faces[:, [0, 1]], body.faces[:, [1, 2]], body.faces[:, [2, 0]]]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


@pytest.mark.parametrize("moments", [[1, 1, 3], [5, 1, 1], [1, -1, 1], [0, 1, 1], [np.nan, 1, 1], [1, 2]])
def test_impossible_inertia_is_refused(moments):
    with pytest.raises(physics.ScenarioError, match=r"body\.inertia"):
        shapes.check_inertia(moments)


def test_flat_point_clouds_are_refused():
    with pytest.raises(physics.ScenarioError, match="one plane"):
        shapes.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], mass=1.0)


@pytest.mark.parametrize("shape", ["cuboid", "ellipsoid", "cylinder", "eota", "random"])
@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_a_size_beyond_all_numbers_is_refused_and_crashes_nothing(shape, size) -> None:
    scenario = physics.Scenario(
        kind="free", duration=1.0, step=0.1, body={"shape": shape, "size": (size, size, 2 * size), "density": 1000.0}
    )
    with pytest.raises(physics.ScenarioError, match="too large or too small"):
        physics.World.of(scenario)


@pytest.mark.parametrize("far", [1e120, 1.7e308])
def test_parts_too_far_apart_are_refused_beside_moments_that_are_given(far) -> None:
    part = {"shape": "cuboid", "size": (1.0, 1.0, 1.0), "mass": 1.0}
    body = {"part": [part, part | {"position": (far, 0.0, 0.0)}], "inertia": (2.0, 2.0, 1.0)}
    with pytest.raises(physics.ScenarioError, match="extents are too large or too small"):
        physics.World.of(physics.Scenario(kind="free", duration=1.0, step=0.1, body=body))


@pytest.mark.parametrize("name", ANGULARITIES)
def test_a_rock_of_a_class_has_its_size_and_its_roundness(name):
    """The corners of the cube that the balls stand on are balls of the class's roundness times its half size."""
    size, (roundness, corners) = (1.0, 0.8, 0.6), ANGULARITIES[name]
    made = [shapes.random_rock(size, 1.0, seed=seed, points=corners, roundness=roundness) for seed in range(4)]
    for body in made:
        np.testing.assert_allclose(body.extents, size, rtol=1e-9)
        assert corners < len(body.vertices) < 200
        assert 0.4 < body.volume / math.prod(size) < 1.0
    again = shapes.random_rock(size, 1.0, seed=3, points=corners, roundness=roundness)
    np.testing.assert_array_equal(again.vertices, made[-1].vertices)


def test_rounding_blunts_edges():
    """The sharpest turn of the surface at an edge is less than that of the rock with the corners alone."""

    def sharpest(corners, roundness):
        body = shapes.random_rock((1.0, 1.0, 1.0), 1.0, seed=5, points=corners, roundness=roundness)
        hull = ConvexHull(body.vertices)
        turns = hull.equations[:, None, :3] * hull.equations[hull.neighbors][:, :, :3]
        return math.acos(float(turns.sum(axis=2).min()))

    for roundness, corners in ANGULARITIES.values():
        assert sharpest(corners, roundness) < 0.8 * sharpest(corners, 0.0)
