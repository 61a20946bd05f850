"""Inertia tensors, hollow bodies and bodies of several parts, beside closed forms and published numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.bodies import compound, shapes
from physics.bodies.compound import six
from physics.bodies.mesh_io import Mesh
from physics.core.rotation import apply, conjugate, matrix, multiply, random_attitudes

FREE = {"kind": "free", "duration": 5.0, "step": 0.01, "schemes": ["implicit", "exact"]}
SKEW = (0.9, -0.3, 0.1, math.sqrt(1.0 - 0.91))


def made(**body):
    return physics.World.of(physics.Scenario(**FREE, body=body)).body


def box_about(size, mass, arm):
    """The tensor of a box about a point at ``arm`` from its centre, by its integrals."""
    a, b, c = size
    own = mass / 12.0 * np.diag([b * b + c * c, c * c + a * a, a * a + b * b])
    return own + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))


# ---- tensors ------------------------------------------------------------------------------------------


def test_a_tensor_about_a_corner_in_turned_axes_is_that_of_the_box():
    size, mass = (3.0, 2.0, 1.0), 4.0
    turn = matrix(np.array(SKEW))
    given = turn.T @ box_about(size, mass, np.array(size) / 2.0) @ turn
    body = made(inertia=six(given), inertia_about=(1.5, 1.0, 0.5), inertia_axes=SKEW, mass=mass)
    np.testing.assert_allclose(body.inertia, [5 / 3, 10 / 3, 13 / 3], rtol=1e-12)
    np.testing.assert_allclose(np.abs(body.axes), [1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(body.extents, size, rtol=1e-12)  # drawn as the box of these moments


def test_envisat():
    """Tensor [kg m²] in the code of Albee et al. (2021), principal moments in inputs of another code, DSPOSE."""
    body = made(inertia=(17023.3, 124825.7, 129112.2, 397.1, -2171.4, 344.2), mass=7827.867)
    np.testing.assert_allclose(body.inertia, [16979.74, 124801.21, 129180.25], atol=0.005)
    turn = matrix(body.axes)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    found = (turn * body.inertia) @ turn.T
    np.testing.assert_allclose(six(found), (17023.3, 124825.7, 129112.2, 397.1, -2171.4, 344.2), rtol=1e-10)
    (note,) = body.notes
    assert note.startswith("principal moments 16979.7, 124801, 129180 kg m², about axes turned by 4.56° about ")


def test_a_tensor_moves_as_principal_moments_and_a_turned_start_do():
    turn, moments = np.array(SKEW), np.array([1.0, 2.0, 2.5])
    given = (matrix(turn) * moments) @ matrix(turn).T
    start, rate = random_attitudes(np.random.default_rng(2), 1)[0], np.array([0.3, 2.0, -1.0])
    one = physics.simulate(
        physics.Scenario(
            **FREE,
            body={"inertia": six(given), "mass": 1.0},
            initial={"orientation": start.tolist(), "angular_velocity": rate.tolist()},
        )
    )
    start, rate = multiply(start, turn), apply(conjugate(turn), rate)
    other = physics.simulate(
        physics.Scenario(
            **FREE,
            body={"inertia": tuple(moments.tolist()), "mass": 1.0},
            initial={"orientation": start.tolist(), "angular_velocity": rate.tolist()},
        )
    )
    for name in one:
        np.testing.assert_allclose(one[name].angular_velocity, apply(turn, other[name].angular_velocity), atol=1e-12)
        np.testing.assert_allclose(
            matrix(one[name].orientation), matrix(multiply(other[name].orientation, conjugate(turn))), atol=1e-12
        )
        np.testing.assert_allclose(one[name].spin, other[name].spin, atol=1e-12)


# ---- hollow bodies ------------------------------------------------------------------------------------


def of_balls(R, r):
    return 0.4 * (R**5 - r**5) / (R**3 - r**3) * np.ones(3)


def of_boxes(size, t):
    small = np.array(size) - 2 * t
    masses = np.array([np.prod(size), np.prod(small)])
    tensors = [np.diag(box_about(one, mass, np.zeros(3))) for one, mass in zip((size, small), masses, strict=True)]
    return (tensors[0] - tensors[1]) / (masses[0] - masses[1])


def of_cylinders(R, h, t):
    masses, sides, along = [], [], []
    for r, length in ((R, h), (R - t, h - 2 * t)):
        masses.append(r * r * length)
        sides.append(masses[-1] * (r * r / 4 + length * length / 12))
        along.append(masses[-1] * r * r / 2)
    side, axis, mass = (values[0] - values[1] for values in (sides, along, masses))
    return np.array([side, side, axis]) / mass


def of_cones(R, h, t):
    """Moments of a hollow cone, by those about the tip of the outer one.

    The inner one is similar, and its tip lies t / sin of the half angle higher.
    """
    side = math.hypot(R, h)
    low, part = t * side / R, 1.0 - t * (R + side) / (R * h)
    r, length = part * R, part * h
    masses = np.array([R * R * h, -r * r * length])
    centres = np.array([0.75 * h, low + 0.75 * length])
    about = [3 / 80 * (4 * a * a + b * b) for a, b in ((R, h), (r, length))]  # their own centres
    centre = masses @ centres / masses.sum()
    across = masses @ (about + (centres - centre) ** 2)
    return np.array([across, across, masses @ [0.3 * R * R, 0.3 * r * r]]) / masses.sum()


HOLLOW = {
    "ball": ({"shape": "ellipsoid", "size": (2.0, 2.0, 2.0), "shell": 0.3}, of_balls(1.0, 0.7)),
    "thin ball": ({"shape": "ellipsoid", "size": (2.0, 2.0, 2.0), "shell": 1e-3}, of_balls(1.0, 0.999)),
    "box": ({"shape": "cuboid", "size": (3.0, 2.0, 1.0), "shell": 0.1}, of_boxes((3.0, 2.0, 1.0), 0.1)),
    "can": ({"shape": "cylinder", "size": (2.0, 2.0, 3.0), "shell": 0.2}, of_cylinders(1.0, 3.0, 0.2)),
    "cone": ({"shape": "cone", "height": 2.0, "radius": 1.0, "shell": 0.1}, of_cones(1.0, 2.0, 0.1)),
}


@pytest.mark.parametrize("name", HOLLOW)
def test_hollow_bodies_have_their_closed_forms(name):
    table, unit = HOLLOW[name]
    np.testing.assert_allclose(made(**table, mass=3.0).inertia, 3.0 * unit, rtol=1e-11)
    by_density = made(**table, density=500.0)
    assert by_density.mass == pytest.approx(500.0 * by_density.volume)
    np.testing.assert_allclose(by_density.inertia, by_density.mass * unit, rtol=1e-11)


def test_both_ways_to_the_wall_of_a_polyhedron_are_exact_for_a_box():
    """Half spaces behind its faces are one way; its corners moved, as of a mesh that is not convex, the other."""
    box = shapes.hull(shapes.cuboid((3.0, 2.0, 1.0), mass=1.0).vertices, density=1.0)
    for body in (box, replace(box, convex=False)):
        wall = compound.hollow(body, compound.in_polyhedron(body, 0.1), 1.0, None)
        np.testing.assert_allclose(wall.inertia, of_boxes((3.0, 2.0, 1.0), 0.1), rtol=1e-12)


def test_the_wall_of_an_ellipsoid_is_that_of_a_fine_polyhedron():
    """The difference to inscribed ones falls with the square of their edges, and so with the number of corners."""
    wall = compound.in_ellipsoid((3.0, 2.0, 1.6), 0.1)
    off = []
    for n in (600, 2400):
        z, turn = (2 * np.arange(n) + 1) / n - 1, np.pi * (3 - math.sqrt(5)) * np.arange(n)
        across = np.sqrt(1 - z * z)
        ball = np.column_stack([across * np.cos(turn), across * np.sin(turn), z])
        fine = shapes.hull(ball * [1.5, 1.0, 0.8], density=1.0)
        inner = compound.in_polyhedron(fine, 0.1)
        off.append((inner.volume / wall.volume - 1.0, inner.tensor[0, 0] / wall.tensor[0, 0] - 1.0))
    np.testing.assert_allclose(np.divide(*off), 4.0, rtol=0.05)
    assert np.abs(off[1]).max() < 0.01


def test_an_angle_of_plane_faces_has_an_exact_wall():
    """A mesh that is not convex: an L of breadth 1 and length 2, extruded by 1."""
    ring = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    points = np.concatenate([np.column_stack([ring, np.full(6, z)]) for z in (0.0, 1.0)])
    bottom = np.array([(0, 2, 1), (0, 3, 2), (0, 5, 3), (3, 5, 4)])
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6) for i in range(6)] + [(i, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    body = shapes.mesh(Mesh(points, np.concatenate([bottom, bottom[:, ::-1] + 6, sides])), density=1.0)
    t = 0.15
    assert not body.convex
    assert compound.in_polyhedron(body, t).volume == pytest.approx(((2 - 2 * t) ** 2 - 1) * (1 - 2 * t), rel=1e-12)
    with pytest.raises(physics.ScenarioError, match=r"expected a thinner wall: 0\.55 m fill the body near"):
        compound.in_polyhedron(body, 0.55)


def test_the_wall_of_a_ring_comes_near_its_closed_form():
    """Pappus: the volume of a ring of radius R with a section of radius r is 2 π² R r²."""
    off = []
    for n in (24, 48):
        u, v = np.meshgrid(*[2 * np.pi * np.arange(k) / k for k in (2 * n, n)], indexing="ij")
        r = 2.0 + 0.5 * np.cos(v)
        points = np.stack([r * np.cos(u), r * np.sin(u), 0.5 * np.sin(v)], axis=2).reshape(-1, 3)
        i, j = np.divmod(np.arange(2 * n * n), n)
        a, b, c, d = (((i + p) % (2 * n)) * n + (j + q) % n for p, q in ((0, 0), (1, 0), (1, 1), (0, 1)))
        body = shapes.mesh(Mesh(points, np.concatenate([np.c_[a, b, c], np.c_[a, c, d]])), density=1.0)
        wall = body.volume - compound.in_polyhedron(body, 0.05).volume
        off.append(1.0 - wall / (4 * math.pi**2 * (0.5**2 - 0.45**2)))
    assert 0.0 < off[1] < 3e-3
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.05)


# ---- several parts ------------------------------------------------------------------------------------


def test_a_dumbbell():
    balls = [
        {"name": name, "shape": "ellipsoid", "size": (0.6,) * 3, "mass": 2.0, "position": (z, 0.0, 0.0)}
        for name, z in (("left", -1.0), ("right", 1.0))
    ]
    turn = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)  # z to x
    rod = {"shape": "cylinder", "size": (0.1, 0.1, 1.4), "mass": 0.5, "orientation": turn}
    body = made(part=[*balls, rod])
    along = 2 * 0.4 * 2.0 * 0.09 + 0.5 * 0.05**2 / 2
    across = 2 * (0.4 * 2.0 * 0.09 + 2.0) + 0.5 * (0.05**2 / 4 + 1.4**2 / 12)
    assert body.mass == 4.5
    np.testing.assert_allclose(body.inertia, [along, across, across], rtol=1e-12)
    np.testing.assert_allclose(body.extents[0], 2.6, rtol=1e-12)


def test_parts_of_files_lie_where_their_files_put_them(tmp_path):
    """A box in two halves of another density each, and the same as one tensor by the parallel axis theorem."""
    for name, x in (("low", 10.5), ("high", 11.5)):
        points = shapes.cuboid((1.0, 2.0, 3.0), mass=1.0).vertices + np.array([x, 5.0, 0.0])
        (tmp_path / f"{name}.pts").write_text("\n".join(" ".join(map(repr, p)) for p in points.tolist()))
    turn = np.array(SKEW)
    place = {"position": (1.0, 2.0, 3.0), "orientation": SKEW}
    parts = [
        {"shape": "hull", "file": str(tmp_path / f"{name}.pts"), "density": density} | place
        for name, density in (("low", 100.0), ("high", 300.0))
    ]
    body = made(part=parts)
    assert body.mass == pytest.approx(6.0 * 400.0)
    np.testing.assert_allclose(body.centre, matrix(turn) @ [11.25, 5.0, 0.0] + [1.0, 2.0, 3.0], rtol=1e-12)
    own = box_about((1, 2, 3), 600.0, np.array([0.75, 0, 0])) + box_about((1, 2, 3), 1800.0, np.array([0.25, 0, 0]))
    np.testing.assert_allclose(
        compound.tensor(body), matrix(turn) @ own @ matrix(turn).T, rtol=1e-9, atol=1e-9 * own.max()
    )
    assert "axes turned by" in body.notes[-1]


def test_a_hollow_mesh_may_have_an_edge_that_is_split_on_one_side_only():
    """An angle of two walls: a triangle of no area closes it between the halves of an edge and the whole one."""
    profile = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for z in (0, 1) for x, y in profile] + [(1, 0, 0)]
    base = [(3, 0, 1), (3, 1, 2), (3, 4, 5), (3, 5, 0)]
    ring = [(i, (i + 1) % 6) for i in range(1, 6)]
    faces = [face[::-1] for face in base] + [tuple(i + 6 for i in face) for face in base]
    faces += [face for i, j in ring for face in ((i, j, j + 6), (i, j + 6, i + 6))]
    faces += [(0, 7, 6), (0, 12, 7), (12, 1, 7), (0, 1, 12)]
    body = shapes.mesh(Mesh(np.array(points, float), np.array(faces)), density=1.0)
    wall = compound.hollow(body, compound.in_polyhedron(body, 0.1), None, 1.0)
    assert wall.mass == pytest.approx(3.0 - 0.8 * (1.8**2 - 1.0), rel=1e-12)


def test_a_top_may_be_hollow_or_of_parts():
    cone = {"shape": "cone", "height": 0.2, "radius": 0.1, "density": 2700.0}
    common = {"kind": "top", "duration": 1.0, "step": 0.01, "schemes": ["dir-em"]}
    hollow = physics.World.of(physics.Scenario(**common, body=cone | {"shell": 0.005}))
    side = math.hypot(0.1, 0.2)
    part = 1.0 - 0.005 * (0.1 + side) / 0.02
    tips, volumes = np.array([0.0, 0.005 * side / 0.1]), np.array([1.0, -(part**3)])
    centre = volumes @ (tips + 0.75 * 0.2 * np.array([1.0, part])) / volumes.sum()
    assert hollow.arm[2] == pytest.approx(centre, rel=1e-12)
    assert hollow.body.vertices[:, 2].min() == pytest.approx(-centre, rel=1e-12)
    disk = {"shape": "cylinder", "size": (0.1, 0.1, 0.01), "mass": 0.2, "position": (0.0, 0.0, 0.04)}
    rod = {"shape": "cylinder", "size": (0.01, 0.01, 0.1), "mass": 0.05, "position": (0.0, 0.0, 0.05)}
    whole = physics.World.of(physics.Scenario(**common, body={"part": [disk, rod]}, top={"distance": 0.042}))
    about_tip = 0.2 * (0.05**2 / 4 + 0.01**2 / 12 + 0.04**2) + 0.05 * (0.005**2 / 4 + 0.1**2 / 12 + 0.05**2)
    np.testing.assert_allclose(whole.moments, [about_tip, about_tip, 0.2 * 0.05**2 / 2 + 0.05 * 0.005**2 / 2])


# ---- what is refused ----------------------------------------------------------------------------------

BOX = {"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 1.0}
PART = {"shape": "cuboid", "size": (1.0, 1.0, 1.0)}
REFUSED = [
    ({"inertia": (1, 2, 3, 0), "mass": 1.0}, r"^body\.inertia: expected 3 principal moments, or the 6 numbers xx"),
    ({"inertia": (1, 2, 2.5, 0, 0, 3), "mass": 1.0}, "found: expected three moments above 0 kg m², got"),
    ({"inertia": (1, 2, 2.9, 0, 0.9, 0), "mass": 1.0}, "found: no body has these moments: C = 3.25863 is larger"),
    ({"inertia": (1, 2, 2.5), "inertia_about": (1, 0, 0), "mass": 5.0}, "expected three moments above 0 kg m², got"),
    ({"inertia": (1, 2, 2.5), "inertia_axes": (1, 1, 0, 0), "mass": 5.0}, r"^body\.inertia_axes: expected a unit"),
    (BOX | {"inertia_about": (1, 0, 0)}, r"^body\.inertia_about: needs inertia, which is missing"),
    (BOX | {"shell": 0.5}, r"^body\.shell: expected less than 0\.5 m, the radius of the largest ball inside, got 0\.5"),
    (BOX | {"shell": 1e-9}, r"^body\.shell: expected a thicker wall, of at least 1e-06 of the solid's volume"),
    (BOX | {"shape": "ellipsoid", "size": (1.0, 1.0, 0.02), "shell": 1e-5}, "extents of at most 1 : 20, got 1 : 50"),
    (BOX | {"shell": 0.0}, r"^body\.shell: expected a number above 0"),
    (BOX | {"shape": "eota", "shell": 0.6}, r"^body\.shell: expected less than 0\.5 m, the radius of the largest ball"),
    (BOX | {"shape": "ellipsoid", "shell": 0.3}, r"^body\.shell: expected less than 0\.1667 m, its smallest radius"),
    (BOX | {"shape": "cylinder", "shell": 0.1}, r"^body\.shell: expected a round cylinder, got extents 3 and 2 m"),
    ({"inertia": (1, 2, 2.5), "mass": 1.0, "shell": 0.1}, r"^body\.shell: not a key of the shape 'inertia'"),
    (BOX | {"inertia": (1, 2, 2.5), "shell": 0.1}, r"^body\.shell: expected none beside mass and inertia, which"),
    ({"part": [PART]}, r"^body\.part\.0\.mass: expected a mass \[kg\] or a density"),
    ({"part": [PART | {"mass": 1.0, "shell": 0.6}]}, r"^body\.part\.0\.shell: expected less than 0\.5 m"),
    ({"part": [PART | {"mass": 1.0, "offset": (0, 0, 1)}]}, r"^body\.part\.0\.offset: "),
    ({"part": [PART | {"mass": 1.0}], "mass": 2.0}, r"^body\.mass: expected none beside parts, which have masses"),
    ({"part": [PART | {"mass": 1.0, "positon": (0, 0, 1)}]}, r"unknown key; did you mean 'position'\?"),
    ({"shape": "parts"}, r"^body\.part: missing; the shape 'parts' expects it"),
    (BOX | {"part": [PART | {"mass": 1.0}]}, r"^body\.part: not a key of the shape 'cuboid'; it applies to parts"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_makes_no_body_is_refused_in_a_sentence(body, message):
    with pytest.raises(physics.ScenarioError, match=message):
        made(**body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"shell": 0.1}, r"^body\.shell: not a key of kind 'rockfall'"),
        ({"inertia": (1, 1, 1, 0, 0, 0)}, r"^body\.inertia: expected 3 principal moments for kind 'rockfall', got 6"),
        ({"shape": "parts"}, r"^body\.shape: 'parts' is not available for kind 'rockfall'"),
    ],
)
def test_a_rock_is_one_solid(body, message):
    table = {"part": [BOX]} | body if "shape" in body else BOX | body
    scenario = {"kind": "rockfall", "duration": 1.0, "step": 0.01, "terrain": {"profile": "ramp"}}
    with pytest.raises(physics.ScenarioError, match=message):
        physics.Scenario(**scenario, body=table)
