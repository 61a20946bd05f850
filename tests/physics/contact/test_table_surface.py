"""Support mapping and its rate of every smooth shape; friction's laws at one contact."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.bodies import surface
from physics.contact import friction
from physics.core.rotation import random_attitudes

AXES = random_attitudes(np.random.default_rng(3), 1)[0]
BODIES = {
    "ellipsoid": surface.ellipsoid((0.2, 0.03, 0.02), (0.001, 0.002, 0.01), AXES),
    "sphere": surface.sphere(0.02, (0.0, 0.0, 0.006)),
    "egg": surface.ellipsoid((0.021, 0.021, 0.03)),
    "thin disk": surface.disk((0.1, 0.1), 0.0, 0.0),
    "sharp disk": surface.disk((0.0375, 0.0375), 0.0063, 0.0, (0.0, 0.001, 0.002), AXES),
    "rim": surface.disk((0.0375, 0.0375), 0.0063, 0.002),
    "round rim": surface.disk((0.0375, 0.0375), 0.0063, 0.0063),
    "elliptic cylinder": surface.disk((0.05, 0.03), 0.02, 0.005, (0.0, 0.0, 0.0), AXES),
}


def normals(n, seed=0):
    u = np.random.default_rng(seed).standard_normal((n, 3))
    return u / np.linalg.norm(u, axis=1, keepdims=True)


def wandering(body, u, u_dot):
    """ρ'(u)[u'] (3,) [m/s]: how the contact point wanders on the body, for u and u' (3,)."""
    u, u_dot = np.asarray(u, float), np.asarray(u_dot, float)
    Mu, Md = u @ body.form, u_dot @ body.form
    H2 = u @ Mu
    return -(Md - Mu * (u @ Md) / H2) / np.sqrt(H2) - body.rounding * u_dot


@pytest.mark.parametrize("name", BODIES)
def test_the_support_is_the_lowest_point(name):
    body = BODIES[name]
    u = normals(4000)
    points = body.support(u)
    for v in normals(20, seed=1):
        lowest = -float(body.height(v))
        assert v @ body.support(v) == pytest.approx(lowest, abs=1e-15)
        assert (points @ v).min() >= lowest - 1e-15  # every point of the body lies above the plane
        assert (points @ v).min() == pytest.approx(lowest, abs=2e-3 * np.abs(points).max())
    assert all(
        surface.height(surface.shape_of(body.numbers), tuple(v)) == pytest.approx(body.height(v)) for v in u[:20]
    )
    for v in u[:20]:
        assert list(surface.support(surface.shape_of(body.numbers), tuple(v))) == pytest.approx(
            body.support(v).tolist(), rel=1e-14, abs=1e-17
        )


@pytest.mark.parametrize("name", BODIES)
def test_the_contact_point_wanders_along_the_plane(name):
    body, e = BODIES[name], 1e-5
    for u, w in zip(normals(30), normals(30, seed=2), strict=True):
        u_dot = -np.cross(w, u)

        def turned(t, u=u, u_dot=u_dot):
            moved = u + t * u_dot
            return body.support(moved / np.linalg.norm(moved))

        rate = wandering(body, u, u_dot)
        near = (8.0 * (turned(e) - turned(-e)) - (turned(2 * e) - turned(-2 * e))) / (12.0 * e)
        size = np.abs(rate).max() + 0.01
        assert np.abs(rate - near).max() < 2e-9 * size
        assert abs(u @ rate) < 1e-15
        t = np.cross(u, [0.3, 0.5, 0.8])
        t /= np.linalg.norm(t)
        lever = surface.contour_lever(surface.shape_of(body.numbers), tuple(u), tuple(t))
        assert np.dot(lever, w) == pytest.approx(t @ rate, abs=1e-14)


def test_a_disk_that_lies_touches_with_the_middle_of_its_face():
    body = surface.disk((0.05, 0.05), 0.004, 0.001)
    assert body.support((0.0, 0.0, 1.0)) == pytest.approx([0.0, 0.0, -0.004])
    assert body.flat
    assert not surface.sphere(0.1).flat


@pytest.mark.parametrize("law", ["Coulomb", "regularised", "viscous"])
def test_friction_obeys_its_law_and_never_works(law):
    generator = np.random.default_rng(0)
    mu, epsilon, viscous = {"Coulomb": (0.3, 0.0, 0.0), "regularised": (0.3, 0.01, 0.0), "viscous": (0.0, 0.0, 0.4)}[
        law
    ]
    stuck = 0
    for _ in range(400):
        root = generator.standard_normal((3, 3))
        A, b = root @ root.T + 0.1 * np.eye(3), generator.standard_normal(3) * 10 ** generator.uniform(-3, 1)
        n, k = 10 ** generator.uniform(-2, 1), 0.1 * generator.standard_normal(3)
        upper = (A[0, 0], A[1, 1], A[2, 2], A[1, 2], A[2, 0], A[0, 1])
        p, sticks = friction.friction(upper, tuple(b), n, tuple(k), mu, epsilon, viscous)
        p = np.array(p)
        slip, normal = b + A @ p, n + k @ p
        stuck += sticks == friction.STICKS
        if sticks == friction.STICKS:
            assert np.abs(slip).max() < 1e-13 * (1.0 + np.abs(b).max())
            assert np.linalg.norm(p) <= mu * normal * (1.0 + 1e-12)
        elif law == "viscous":
            assert p == pytest.approx(-viscous * normal * slip, rel=1e-9, abs=1e-14)
        else:
            assert p == pytest.approx(-mu * normal * slip / math.hypot(*slip, epsilon), rel=1e-9, abs=1e-14)
        assert p @ slip <= 1e-14
    assert (stuck > 50) == (law == "Coulomb")
