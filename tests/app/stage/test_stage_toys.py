"""The toys on the table: their meshes, what they are made of, the trails of their contact, and the arrows there."""

from __future__ import annotations

import math

import numpy as np
import pytest
import pyvista as pv

from app.stage.actor_group import rgb
from app.stage.bodies.arrows import START_TURN, SpinArrow
from app.stage.bodies.floor import MIN_TABLE_RADIUS, Tabletop
from app.stage.bodies.toy import NICKEL, PLASTIC, STEEL, WOOD, glass, material_of, toy
from app.stage.scenes.toys import ContactTrail, Plumb, ToyContactMarks
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics import Scenario, World
from physics.analysis import toy_motion as table_motion
from physics.systems.toys.world import ToyWorld
from tests.app.staging import close_to, example, finished, picture, stage_of

LOOK = look_of(THEMES["dark"])
INERTIA = (2e-4, 3e-4, 4e-4)
BODIES = {
    "ellipsoid": {"shape": "ellipsoid", "size": (0.1, 0.08, 0.06), "mass": 0.4},
    "rattleback": {"shape": "ellipsoid", "size": (0.4, 0.1, 0.06), "offset": (0, 0, -0.01), "axes": (0.96, 0, 0, 0.28)},
    "sphere": {"shape": "sphere", "radius": 0.05, "mass": 0.4},
    "tippe-top": {"shape": "tippe-top", "radius": 0.02, "mass": 0.02},
    "egg": {"shape": "egg", "size": (0.04, 0.04, 0.06), "mass": 0.06},
    "disk": {"shape": "disk", "radius": 0.05, "thickness": 0.02, "mass": 1.2},
    "coin": {"shape": "disk", "radius": 0.012, "thickness": 0.0018, "rim": 0.0009, "mass": 0.0057},
    "thin": {"shape": "disk", "radius": 0.05, "mass": 0.4},
    "hoop": {"shape": "hoop", "radius": 0.3, "thickness": 0.05, "mass": 0.4},
    "cylinder": {"shape": "cylinder", "size": (0.06, 0.08, 0.12), "mass": 0.3},
}

ROLL = {"size": (0.06, 0.06, 0.12)}


def world_of(name: str) -> ToyWorld:
    """A body that lies on a table."""
    body = BODIES[name]
    if "offset" in body:
        body = body | {"mass": 0.4, "inertia": INERTIA}
    world = World.of(Scenario(kind="table", duration=1.0, step=1e-3, body=body))
    assert isinstance(world, ToyWorld)
    return world


@pytest.mark.parametrize("name", BODIES)
def test_a_toy_is_drawn_where_its_smooth_shape_touches(name: str) -> None:
    world = world_of(name)
    points = np.concatenate([np.asarray(toy(world, "#56b4e9").points), np.asarray(glass(world).points)])
    ways = np.random.default_rng(1).standard_normal((200, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    if name == "thin":  # drawn with a thickness, which shows where it lies
        ways = ways[np.abs(ways[:, 2]) < 0.9]
    reach, shape = -(points @ ways.T).min(axis=0), world.surface.height(ways)
    assert np.abs(reach - shape).max() < 0.012 * world.size


def test_a_toy_is_made_of_what_its_density_tells() -> None:
    made = {name: material_of(world_of(name)) for name in BODIES}
    assert (made["tippe-top"], made["egg"], made["coin"], made["disk"]) == (WOOD, PLASTIC, NICKEL, STEEL)
    assert made["thin"] == made["hoop"] == PLASTIC  # without a volume


@pytest.mark.picture
def test_trails_lie_on_the_table_and_on_the_body_in_the_colour_of_rolling_and_slipping(plotter: pv.Plotter) -> None:
    run = finished(example("table-tippe-top", duration=0.6, schemes=("implicit",)))
    stage = stage_of(run, plotter)
    stage.show(0.5)
    (trail,) = [part for _, part in stage.describe().parts if isinstance(part, ContactTrail)]
    (table,) = [part for _, part in stage.describe().parts if isinstance(part, Tabletop)]
    world, found = run.world, run.lanes[0].trajectory
    assert isinstance(world, ToyWorld)
    i = found.index(0.5)
    point = table_motion.contact_point(found, world)[i]
    assert np.asarray(trail.on_table.points)[-1, :2] == pytest.approx(point[:2], abs=1e-4)
    assert np.linalg.norm(np.asarray(trail.on_body.points)[-1]) == pytest.approx(
        np.linalg.norm(table_motion.contact_arm(found, world)[i]), rel=0.01
    )
    assert not table_motion.sticks(found, world)[i]
    assert np.asarray(trail.on_table.point_data["rgba"])[-1, :3] == pytest.approx(rgb(LOOK.slips), abs=1)
    assert np.hypot(*np.asarray(table.mesh.points)[:, :2].T).max() >= MIN_TABLE_RADIUS * world.body.radius * 0.999
    assert "slips" in "".join(sign.text for _, sign in stage.describe().scenes[0][1].signs(LOOK))


@pytest.mark.picture
def test_arrows_show_the_normal_force_and_no_slip_of_a_body_that_rolls(plotter: pv.Plotter) -> None:
    run = finished(example("table-disk", duration=0.4, schemes=("implicit",)))
    stage = stage_of(run, plotter)
    stage.set_overlay("contacts", on=True)
    before = picture(stage, plotter, 0.3)
    (marks,) = [part for _, part in stage.describe().extras.parts if isinstance(part, ToyContactMarks)]
    (arrows,) = marks.arrows
    radius, weight = run.world.body.radius, run.world.body.mass * 9.81
    long = float(np.ptp(np.asarray(arrows.normal.mesh.points)[:, 0]))
    found = run.lanes[0].trajectory
    normal = table_motion.force(found, run.world)[found.index(0.3), 2]
    assert long == pytest.approx(radius * normal / weight, rel=0.05)
    assert not arrows.slips.actor.GetVisibility()
    assert close_to(LOOK.axes[1], before) > 20
    assert not any("slip" in sign.text for _, sign in marks.signs())


def test_the_arrow_of_the_spin_turns_round_with_a_rattleback(plotter: pv.Plotter) -> None:
    run = finished(example("table-rattleback", duration=4.5, schemes=("implicit",)))
    assert isinstance(run.world, ToyWorld)
    found = run.lanes[0].trajectory
    spins = table_motion.spin_about_normal(found, run.world)
    stage = stage_of(run, plotter)
    (arrow,) = [part for _, part in stage.describe().parts if isinstance(part, SpinArrow)]
    seen = []
    for time in (0.0, 2.0, 4.5):
        stage.show(time)
        first, tip = np.asarray(arrow.mesh.points, float)[[0, -1], :2] - found.position[found.index(time), :2]
        turned = math.atan2(first[0] * tip[1] - first[1] * tip[0], first @ tip)
        seen.append((turned, spins[found.index(time)]))
    assert [spin > 0.0 for _, spin in seen] == [False, False, True]
    for turned, spin in seen:
        assert turned == pytest.approx(START_TURN * spin / 5.0, abs=0.02)  # it starts at 5 rad/s


def test_a_body_that_does_not_turn_has_no_arrow(plotter: pv.Plotter) -> None:
    run = finished(example("table-rattleback", duration=0.02, **{"initial.angular_velocity": (0.0, 0.0, 0.0)}))
    stage = stage_of(run, plotter)
    stage.show(0.0)
    arrows = [part.actors[0].GetVisibility() for _, part in stage.describe().parts if isinstance(part, SpinArrow)]
    assert arrows == [0, 0]


def test_the_trail_of_a_cylinder_on_a_line_is_that_of_its_middle(plotter: pv.Plotter) -> None:
    start = {"orientation": (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0), "angular_velocity": (0.0, 0.0, 10.0)}
    scenario = Scenario(
        kind="table", duration=0.3, step=1e-3, schemes=("implicit",), body=BODIES["cylinder"] | ROLL, initial=start
    )
    stage = stage_of(finished(scenario), plotter)
    stage.show(0.3)
    (trail,) = [part for _, part in stage.describe().parts if isinstance(part, ContactTrail)]
    points = np.asarray(trail.on_table.points)
    assert np.ptp(points[:, 0]) == pytest.approx(0.03 * 10.0 * 0.3, rel=1e-3)
    assert np.ptp(points[:, 1]) < 1e-6


@pytest.mark.picture
def test_a_table_that_tilts_shows_where_gravity_points(plotter: pv.Plotter) -> None:
    level = example("table-disk", duration=0.1, schemes=("implicit",))
    run = finished(level.changed(**{"table.tilt": 0.2}))
    stage = stage_of(run, plotter)
    (plumb,) = [part for _, part in stage.describe().parts if isinstance(part, Plumb)]
    down = pv.array_from_vtkmatrix(plumb.actors[0].GetUserMatrix())[:3, 0]
    assert down == pytest.approx((np.sin(0.2), 0.0, -np.cos(0.2)), abs=1e-9)
    assert "tilts by 11.5°" in "".join(sign.text for _, sign in stage.describe().scenes[0][1].signs(LOOK))
