"""Percussions: the laws hold for random contacts, none does work, and the fallback is harmless."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.bodies import shapes
from physics.contact import percussions, vertices
from physics.contact.bumps import EVEN
from physics.contact.polyhedra import sink, touching
from physics.contact.vertices import APPROACH, PERCUSSION, SLIDE, WIDTH, axes_of, speed
from physics.core.rotation import random_attitudes
from physics.terrain.soil import SoilLaw

G, STEP, STILL = 9.81, 0.002, (0.0, 0.0, 0.0)
ROCK = shapes.eota((0.93, 0.93, 0.47), mass=780.0)
INERTIA = (*ROCK.inertia.tolist(), 0.0, 0.0, 0.0)
LAW = SoilLaw(*np.zeros(len(SoilLaw._fields)).tolist())  # of restitutions that do not fade
BRAKED = (*(INERTIA[k] + d for k, d in enumerate((4.0, 9.0, 6.0))), 5.0, -3.0, 2.0)  # with a drag of all axes


def problem(seed, resting=False, gyro=STILL, inertia=INERTIA):
    """A rock that meets a plane with some vertices: its contacts, their number, velocities before and without them."""
    generator, body = np.random.default_rng(seed), ROCK
    slope = generator.uniform(0.0, 1.0)
    ground = (np.tile(-slope * 2.0 * np.arange(11), (11, 1)), 2.0, 2.0, EVEN)
    q = (1.0, 0.0, 0.0, 0.0) if resting else tuple(random_attitudes(generator, 1)[0].tolist())
    R, depths = axes_of(q), np.zeros(24)
    deepest = sink(ground, body.vertices, (10.0, 10.0, 0.0), R, depths)
    lowered = deepest - generator.uniform(0.0, 0.15)  # as if it had come so deep
    contacts, r, none = np.zeros((24, WIDTH)), (10.0, 10.0, 0.0), STILL
    solid = body.vertices, body.faces
    n = touching.py_func(ground, solid, depths, lowered, r, R, (inertia, gyro), 780.0, none, np.zeros((0, 0)), contacts)
    v = generator.normal(0.0, 0.01 if resting else 8.0, 3) - [0, 0, 0.0 if resting else 5.0]
    w = tuple(generator.normal(0.0, 0.01 if resting else 8.0, 3).tolist())
    free = (float(v[0]), float(v[1]), float(v[2]) - G * STEP)
    return contacts, n, tuple(v.tolist()), w, free


def work_of(contacts, n, before, after):
    """P.(γ^- + γ^+)/2."""
    return sum(
        0.5 * c[PERCUSSION + k] * (speed(c, k, *before) + speed(c, k, *after)) for c in contacts[:n] for k in range(3)
    )


@pytest.mark.parametrize("inertia", [None, (INERTIA, STILL)], ids=["sweeps", "stick-first"])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("mu", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("resting", [False, True])
def test_percussions_obey_their_laws(mu, restitution, resting, inertia):
    several = unsolved = 0
    for seed in range(30):
        contacts, n, v, w, free = problem(seed, resting)
        several += n > 1
        found = percussions.percussions.py_func(
            contacts, n, LAW, mu, restitution, 780.0, (free, w), (v, w), 780.0 * (G * STEP) ** 2, inertia=inertia
        )
        after, solved = found
        assert work_of(contacts, n, (v, w), after) <= 1e-6 * 780.0 * (G * STEP) ** 2
        unsolved += not solved
        for c in contacts[: n * solved]:
            normal, rubbing = c[PERCUSSION], c[PERCUSSION + 1 : PERCUSSION + 3]
            gap = speed(c, 0, *after) + c[APPROACH]
            sliding = np.array([speed(c, 1, *after) + c[SLIDE], speed(c, 2, *after) + c[SLIDE + 1]])
            assert normal >= 0.0
            assert gap >= -1e-6
            assert normal * gap <= 1e-6 * 780.0
            assert np.linalg.norm(rubbing) <= mu * normal * (1 + 1e-9) + 1e-12
            if np.linalg.norm(sliding) > 1e-5 and normal > 1e-3:  # all the friction there is, against the sliding
                expected = -mu * normal * sliding / np.linalg.norm(sliding)
                np.testing.assert_allclose(rubbing, expected, rtol=1e-4, atol=1e-3)
    assert several > 10
    assert unsolved <= 2 * resting  # four corners that are to leave, made up: harder than what a rock does


@pytest.mark.parametrize(
    ("gyro", "inertia"),
    [(STILL, INERTIA), ((0.4, -0.7, 0.5), INERTIA), ((0.4, -0.7, 0.5), BRAKED)],
    ids=["implicit", "gyroscopic", "braked"],
)
def test_what_sticks_is_found_at_once_as_by_sweeps(gyro, inertia):
    """Edges and faces: the velocities that sweeps come to, by percussions that obey the laws."""
    edges = faces = 0
    for seed in range(400):
        contacts, n, _, w, free = problem(seed, seed % 4 > 0, gyro, inertia)
        swept = contacts.copy()
        found, sticks = percussions.stuck(contacts, n, 1.5, 780.0, (inertia, gyro), (free, w), still=False)
        pressed, rubbing = contacts[:n, PERCUSSION], np.hypot(*contacts[:n, PERCUSSION + 1 : PERCUSSION + 3].T)
        if n < 2 or not sticks:
            assert sticks or not pressed.any()
            continue
        after, _ = percussions.answered(swept, n, 1.5, 780.0, (free, w), (free, w), math.inf)
        if max(abs(speed(c, k, *after)) for c in swept[:n] for k in range(3)) < 1e-6:  # an impact may slide as well
            np.testing.assert_allclose(np.array(found), np.array(after), rtol=0, atol=1e-6)
            edges, faces = edges + (n == 2), faces + (n > 2)
        assert max(abs(speed(c, k, *found)) for c in contacts[:n] for k in range(3)) < 1e-8
        assert (pressed >= 0.0).all()
        assert (rubbing <= 1.5 * pressed * (1.0 + 1e-12)).all()
        # the velocities are those that the percussions make
        pushed = sum(c[PERCUSSION + k] * c[3 * k : 3 * k + 3] for c in contacts[:n] for k in range(3))
        np.testing.assert_allclose(780.0 * (np.array(found[0]) - free), pushed, rtol=0, atol=1e-9 * 780.0)
    assert edges > 10
    assert faces > 10


@pytest.mark.parametrize("sweeps", [1, 2, 4])
def test_the_fallback_does_no_work_and_is_told(sweeps, monkeypatch):
    monkeypatch.setattr(percussions, "SWEEPS", sweeps)
    fallen = 0
    for seed in range(60):
        contacts, n, v, w, free = problem(seed)
        after, solved = percussions.percussions.py_func(
            contacts, n, LAW, 1.2, 0.0, 780.0, (free, w), (v, w), 780.0 * (G * STEP) ** 2
        )
        fallen += not solved
        assert work_of(contacts, n, (v, w), after) <= 1e-9 * 780.0 * np.dot(v, v)
        # the velocities are those that the percussions make
        momentum = 780.0 * (np.array(after[0]) - free)
        pushed = sum(c[PERCUSSION + k] * c[3 * k : 3 * k + 3] for c in contacts[:n] for k in range(3))
        np.testing.assert_allclose(momentum, pushed, rtol=0, atol=1e-6 * 780.0)
    assert fallen > 5


def test_what_would_do_work_is_scaled_down():
    """Percussions that gain energy, made up: scaled until they do not."""
    contacts, n, v, w, free = problem(0)
    contacts[0, PERCUSSION] = 1e5  # far more than the rock has speed to lose
    after = free, w
    for k in range(3):
        after = vertices.push(contacts[0], k, contacts[0, PERCUSSION + k], 780.0, *after)
    assert work_of(contacts, n, (v, w), after) > 0.0
    after = percussions.harmless(contacts, n, (free, w), (v, w), after)
    assert work_of(contacts, n, (v, w), after) == pytest.approx(0.0, abs=1e-6)
    assert contacts[0, PERCUSSION] > 0.0


def test_clearance_holds_for_every_ball_on_rough_ground():
    """A ball above its clearance touches no point of the ground."""
    generator = np.random.default_rng(2)
    heights = np.cumsum(generator.normal(0.0, 1.0, (30, 40)), axis=1)
    cell, radius = (2.0, 1.5), 2.2
    clearances = vertices.clearance(heights, cell, radius)
    for x, y in generator.uniform((5.0, 5.0), (70.0, 38.0), (200, 2)):
        z = vertices.patch(heights, *cell, x, y)[0] + radius * clearances[int(y / cell[1]), int(x / cell[0])] + 1e-9
        assert vertices.flies(heights, clearances, *cell, (x, y, z), radius)
        for angle in np.linspace(0.0, 2 * math.pi, 24):
            for reach in np.linspace(0.0, 1.0, 6):
                px, py = x + radius * reach * math.cos(angle), y + radius * reach * math.sin(angle)
                below = z - radius * math.sqrt(1.0 - reach * reach)
                assert below > vertices.patch(heights, *cell, px, py)[0]
