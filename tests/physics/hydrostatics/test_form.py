"""The form of hulls below the water: coefficients, wetted surface and section amidships beside closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.integrate import dblquad

from physics.bodies.mesh_io import Mesh
from physics.hydrostatics.flotation import placed
from physics.hydrostatics.form import Form, form_of
from physics.hydrostatics.hull import Hull, LoadedHull, box, cylinder, hull_of, prism, wigley


def form(hull: Hull, draught: float, heel: float = 0.0) -> Form:
    """Upright at a draught from z = 0 of the hull's axes, or heeled about that waterline [rad]."""
    return form_of(placed(LoadedHull(hull, 1.0, np.array([0.0, 0.0, draught])), heel, 0.0, 0.0))


def catamaran(apart: float) -> Hull:
    """Two boxes 20 x 2 x 3 m below a deck 1 m thick, their middles so far apart [m]: one section along x."""
    inner, outer = 0.5 * apart - 1.0, 0.5 * apart + 1.0
    section = [(-outer, 0), (-inner, 0), (-inner, 3), (inner, 3), (inner, 0), (outer, 0), (outer, 3), (outer, 4)]
    section += [(-outer, 4), (-outer, 3)]
    cap = [(0, 1, 2), (0, 2, 9), (3, 4, 5), (3, 5, 6), (9, 2, 8), (2, 3, 8), (3, 7, 8), (3, 6, 7)]
    return drawn_out(section, cap)


def trimaran() -> Hull:
    """Boxes of 20 m: one 2 m broad and 3 m deep, and 5.5 m to each side one 1 m broad and 1 m deep."""
    section = [(-6, 2), (-5, 2), (-5, 3), (-1, 3), (-1, 0), (1, 0), (1, 3), (5, 3), (5, 2), (6, 2), (6, 4), (-6, 4)]
    cap = [(11, 0, 1), (11, 1, 2), (11, 2, 3), (3, 4, 5), (3, 5, 6), (11, 3, 6), (11, 6, 7), (7, 8, 9), (7, 9, 10)]
    return drawn_out(section, [*cap, (11, 7, 10)])


def drawn_out(section: Sequence[tuple[float, float]], cap: Sequence[tuple[int, int, int]]) -> Hull:
    """A section (y, z) [m] drawn out to 20 m, with the triangles that fill it."""
    n = len(section)
    points = np.array([(x, y, z) for x in (-10.0, 10.0) for y, z in section], float)
    sides = [(i, n + i, n + (i + 1) % n) for i in range(n)] + [(i, n + (i + 1) % n, (i + 1) % n) for i in range(n)]
    faces = [*((a, c, b) for a, b, c in cap), *((a + n, b + n, c + n) for a, b, c in cap), *sides]
    return hull_of(Mesh(points, np.array(faces)), "hulls")


def test_a_box_fills_what_is_around_it() -> None:
    found = form(box((20.0, 8.0, 4.0)), 1.5)
    assert (found.hulls, found.length, found.breadth, found.draught) == (1, 20.0, 8.0, 1.5)
    assert (found.block, found.section, found.prismatic, found.plane) == pytest.approx((1.0, 1.0, 1.0, 1.0))
    assert (found.wetted, found.midship) == pytest.approx((20 * 8 + 2 * 28 * 1.5, 12.0))
    assert found.trimming(246e3, 15.0) == pytest.approx(246e3 * 15.0 / 20.0)
    heeled = form(box((20.0, 8.0, 4.0)), 2.0, math.radians(10.0))
    assert (heeled.breadth, heeled.midship) == pytest.approx((8.0 / math.cos(math.radians(10.0)), 16.0))


def test_a_wigley_hull_has_its_known_coefficients() -> None:
    """CB 4/9, CM, CP and CWP 2/3; the wetted surface by quadrature of its formula; the error falls with the panels."""
    length, breadth, draught = 100.0, 10.0, 6.25

    def stretched(z: float, x: float) -> float:
        along = 4.0 * breadth * x / length**2 * (1.0 - (z / draught) ** 2)
        down = breadth * z / draught**2 * (1.0 - (2.0 * x / length) ** 2)
        return math.sqrt(1.0 + along**2 + down**2)

    wetted = 2.0 * dblquad(stretched, -length / 2, length / 2, -draught, 0.0, epsabs=1e-8)[0]
    exact = np.array([4 / 9, 2 / 3, 2 / 3, 2 / 3, wetted])
    errors = []
    for panels in (40, 80, 160):
        found = form(wigley((length, breadth, draught), (panels, panels // 2)), 0.0)
        assert (found.length, found.breadth, found.draught) == pytest.approx((length, breadth, draught))
        got = (found.block, found.section, found.prismatic, found.plane, found.wetted)
        errors.append(np.abs(np.array(got) / exact - 1.0))
    assert errors[-1].max() < 1e-4
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx(np.full((2, 5), 2.0), abs=0.1)


def test_a_cylinder_and_a_prism_have_the_surface_of_theory() -> None:
    """A round log 0.3 m below its axis, and a wedge 3 m deep."""
    found, angle = form(cylinder((20.0, 2.0, 2.0)), -0.3), math.acos(0.3)
    segment = angle - 0.3 * math.sin(angle)
    assert (found.wetted, found.midship) == pytest.approx((40.0 * angle + 2.0 * segment, segment), rel=1e-4)
    assert (found.prismatic, found.plane) == pytest.approx((1.0, 1.0))
    found = form(prism((30.0, 8.0, 5.0)), 3.0)
    assert (found.block, found.section, found.plane) == pytest.approx((0.5, 0.5, 1.0))
    assert found.wetted == pytest.approx(2.0 * 30.0 * math.hypot(3.0, 2.4) + 2.0 * 7.2)


def test_two_hulls_apart_are_a_catamaran_whose_gap_is_no_breadth() -> None:
    found = form(catamaran(6.0), 2.0)
    assert (found.hulls, found.breadth) == (2, pytest.approx(4.0))
    assert (found.block, found.plane, found.section) == pytest.approx((1.0, 1.0, 1.0))
    assert found.wetted == pytest.approx(2.0 * (20.0 * 2.0 + 2.0 * 22.0 * 2.0))
    deep = form(catamaran(6.0), 3.5)
    assert (deep.hulls, deep.breadth) == (1, pytest.approx(8.0))


def test_under_water_there_is_no_waterline_and_above_it_no_wetted_surface() -> None:
    sunk = form(box((20.0, 8.0, 4.0)), 5.0)
    assert sunk.wetted == pytest.approx(2.0 * (160.0 + 28.0 * 4.0))
    assert np.isnan([sunk.length, sunk.block, sunk.section, sunk.prismatic, sunk.plane]).all()
    assert form(box((20.0, 8.0, 4.0)), -1.0).wetted == 0.0
