"""Mechanisms: where bodies, gaps, spins and forces are drawn, and what captions, charts, panels and exports tell."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import pyvista as pv
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from app.export.gltf import glb
from app.export.scene_model import model_of
from app.kinds import joints, kind_of
from app.kinds.quantities import PLACE_ERROR
from app.playback.run import Run
from app.stage.bodies.floor import Floor
from app.stage.bodies.joint_parts import DRAWINGS, size_of
from app.stage.bodies.true_motion import shell_of
from app.stage.scenes.joints import LARGER, AxisLines, Linkage, Loads, momenta
from physics import Scenario, World
from physics.core.rotation import matrix
from physics.core.trajectory import Recording
from physics.joints.joint_types import JOINT_TYPES
from tests.app.staging import example, finished, pixel, stage_of
from tests.app.windowing import choose, edited, show, wait

pytestmark = pytest.mark.picture

ROD = {"shape": "cuboid", "size": [0.1, 0.1, 1.0], "mass": 1.0}
UPPER = ROD | {"name": "upper", "position": [0, 0, -0.5]}
LOWER = ROD | {"name": "lower", "position": [0, 0, -1.5], "mass": 0.8}
SHOULDER = {"type": "hinge", "between": ["ground", "upper"], "axis": [0, 1, 0], "angle": 1.0}
ELBOW = {"type": "ball", "between": ["upper", "lower"], "at": [0, 0, -1], "angular_velocity": [0.0, 1.0, -2.0]}
HANGING = {"body": [UPPER, LOWER], "joint": [SHOULDER, ELBOW]}
FLOATING = {"body": [UPPER | {"angular_velocity": [0.3, 0.0, 2.0]}, LOWER], "joint": [ELBOW], "gravity": {"g": 0.0}}


def test_joints_of_every_type_are_drawn() -> None:
    assert set(DRAWINGS) == set(JOINT_TYPES)


def mechanism(**tables: object) -> Scenario:
    return Scenario(kind="joints", duration=0.5, step=0.01, schemes=["moser-veselov"], **tables)


@pytest.fixture(scope="module")
def hanging() -> Run:
    return finished(mechanism(**HANGING))


@pytest.fixture(scope="module")
def floating() -> Run:
    return finished(mechanism(**FLOATING))


def linkage(run: Run, plotter: pv.Plotter, time: float) -> tuple[Linkage, object]:
    """The scene of the only lane at a time [s], and its stage."""
    stage = stage_of(run, plotter)
    stage.show(time)
    ((_, scene),) = stage.describe().scenes
    assert isinstance(scene, Linkage)
    return scene, stage


def test_every_body_is_drawn_where_it_was_recorded(hanging: Run, plotter: pv.Plotter) -> None:
    scene, stage = linkage(hanging, plotter, 0.3)
    run = hanging.lanes[0].trajectory
    row = run.index(0.3)
    upper, lower = (matrix(attitude) for attitude in run.orientation[row])
    placed = pv.array_from_vtkmatrix(scene.body.actor.GetUserMatrix())
    np.testing.assert_allclose(placed[:3, 3], run.position[row, 1], atol=1e-9)
    np.testing.assert_allclose(placed[:3, :3], lower, atol=1e-9)
    (own,) = scene.meshes
    points, normals = (np.asarray(values) @ upper.T for values in (own.points, own.point_normals))
    others = scene.others
    assert others is not None
    np.testing.assert_allclose(others.mesh.points, points + run.position[row, 0], atol=1e-6)
    np.testing.assert_allclose(others.mesh.point_normals, normals, atol=1e-6)
    caption = stage.describe().numbers["moser-veselov"]
    assert "energy error" in caption
    assert "gap" in caption
    assert "L error" not in caption


def test_a_joint_that_opens_has_a_line_longer_than_its_gap(hanging: Run, plotter: pv.Plotter) -> None:
    scene, stage = linkage(hanging, plotter, 0.3)
    assert not scene.gaps.seen
    stage.close()
    run = hanging.lanes[0].trajectory
    apart = run.position.copy()
    apart[:, 1] += [0.0, 0.003, 0.0]
    opened = replace(hanging.lanes[0], recording=Recording.of(replace(run, position=apart)), truths={})
    again = Run(hanging.scenario)
    again.world, again.lanes = hanging.world, (opened,)
    scene, stage = linkage(again, plotter, 0.3)
    assert scene.gaps.seen
    ends = np.asarray(scene.gaps.mesh.points).reshape(-1, 2, 3)
    np.testing.assert_allclose((ends[:, 1] - ends[:, 0])[0], 0.0, atol=1e-6)  # the shoulder is closed
    np.testing.assert_allclose((ends[:, 1] - ends[:, 0])[1], [0.0, 0.003 * LARGER, 0.0], atol=1e-6)


def test_solids_of_the_true_motion_are_where_true_bodies_are(hanging: Run, plotter: pv.Plotter) -> None:
    run, (lane,) = hanging.lanes[0].trajectory, hanging.lanes
    apart = run.position.copy()
    apart[:, 0] += [0.0, 0.3, 0.0]  # of the upper body alone
    again = Run(hanging.scenario)
    again.world, again.lanes = hanging.world, (replace(lane, recording=Recording.of(replace(run, position=apart))),)
    scene, _ = linkage(again, plotter, 0.0)
    true, placed = scene.truth, pv.array_from_vtkmatrix(scene.truth.actors[0].GetUserMatrix())
    assert true.shown.tolist() == [True, False]
    assert true.actors[0].GetVisibility()
    own, hidden = (np.asarray(true.solids.mesh.points) @ placed[:3, :3].T + placed[:3, 3]).reshape(2, -1, 3)
    corners = shell_of(scene.track.bodies[0].body).points @ matrix(run.orientation[0, 0]).T
    upper, lower = run.position[0]
    apart = np.linalg.norm(own[:, None] - (corners + upper), axis=2)
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 1e-6
    np.testing.assert_allclose(hidden, np.tile(lower, (len(hidden), 1)), atol=1e-6)


def test_the_trail_of_a_linkage_that_ends_at_the_ground_is_that_of_a_point_that_moves(plotter: pv.Plotter) -> None:
    run = finished(example("joints-bricard", duration=2.0, schemes=["cayley-em"]))
    stage = stage_of(run, plotter)
    stage.show(2.0)
    ((_, scene),) = stage.describe().scenes
    drawn = scene.traces[0].points
    assert np.ptp(drawn, axis=0).max() > 0.3 * size_of(scene.track)
    (curve, *_) = model_of(run.world, run.lanes).actors[0].curves
    assert not curve.around
    np.testing.assert_allclose(curve.points[-1], drawn[-1], atol=1e-3 * size_of(scene.track))
    stage.close()


def test_floors_lie_beneath_all_that_a_mechanism_can_reach_before_it_has(hanging: Run, plotter: pv.Plotter) -> None:
    (lane,) = hanging.lanes
    start = Recording.of(lane.trajectory.rows(slice(0, 1)))
    late = replace(lane, recording=start, scheme=replace(lane.scheme, name="late"))
    again = Run(hanging.scenario)
    again.world, again.lanes = hanging.world, (lane, late)
    stage = stage_of(again, plotter)
    floors = [part for _, part in stage.describe().parts if isinstance(part, Floor)]
    assert [floor.actors[0].bounds.z_min for floor in floors] == [pytest.approx(-2.0, abs=0.01)] * 2


def test_the_spins_of_floating_bodies_add_up_to_that_of_the_run(floating: Run, plotter: pv.Plotter) -> None:
    scene, stage = linkage(floating, plotter, 0.3)
    assert scene.momenta is not None
    run = floating.lanes[0].trajectory
    each = momenta(scene.track, slice(None))
    np.testing.assert_allclose(each.sum(axis=1), run.spin, atol=1e-12)
    assert np.ptp(each[:, 0], axis=0).max() > 1e-3  # they exchange it
    assert "L error" in stage.describe().numbers["moser-veselov"]


def test_joints_of_what_hangs_still_carry_its_weight(plotter: pv.Plotter) -> None:
    joint = [SHOULDER | {"angle": 0.0}, ELBOW | {"angular_velocity": [0, 0, 0]}]
    stage = stage_of(finished(mechanism(body=[UPPER, LOWER], joint=joint)), plotter)
    stage.set_overlay("contacts", True)
    stage.show(0.2)
    ((_, forces),) = stage.describe().extras.parts
    assert isinstance(forces, Loads)
    np.testing.assert_allclose(forces.loads(0, 0.2)[0], [[0, 0, 1.8 * 9.81], [0, 0, 0.8 * 9.81]], atol=1e-9)


def add_by_clicks(qtbot, window, key: str, word: str, *bodies: int | None) -> None:
    """Add a body or a joint by the panel's list and clicks on bodies; None: beside all bodies."""
    row = window.panel.entries[key]
    choose(row.box, word)
    row.add.click()
    for body in bodies:
        stage, viewport = window.view.stage, window.view.viewport
        ((_, scene),) = stage.describe().scenes
        x, y = (2.0, 2.0) if body is None else pixel(stage, scene.track.poses(stage.time)[body].place)
        at = QPoint(round(x), round(y)) / viewport.devicePixelRatioF()
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)


def test_bodies_that_a_spring_alone_joins_are_drawn_charted_and_edited(plotter: pv.Plotter, qtbot, window) -> None:
    """Every list of joints is empty."""
    spring = {"between": ["upper", "lower"], "from": [0, 0, -1], "to": [0, 0, -1], "stiffness": 20.0, "rest": 0.2}
    scenario = mechanism(body=[UPPER, LOWER], spring=[spring], gravity={"g": 0.0})
    run = finished(scenario)
    assert joints.GAP.values(run.lanes[0].trajectory, run.world).tolist() == [0.0] * 51
    scene, stage = linkage(run, plotter, 0.3)
    for overlay in ("contacts", "axes", "truth", "vectors"):
        stage.set_overlay(overlay, True)
    stage.show(0.4)
    stage.render()
    assert not scene.gaps.seen
    assert stage.describe().extras.parts[0][1].signs() == ()
    assert len(model_of(run.world, run.lanes).actors) == 1
    show(qtbot, window, scenario)
    window.session.clock.playing = False
    window.session.reset()
    made = edited(qtbot, window, lambda: add_by_clicks(qtbot, window, "joint", "Ball", 0, 1))
    assert [joint.between for joint in made.joint] == [("upper", "lower")]


BEAM = mechanism(
    body=[UPPER | {"position": [0.5, 0, 0], "size": [1.0, 0.1, 0.1]}],
    joint=[{"type": "hinge", "between": ["ground", "upper"], "axis": [1, 0, 0]}],
)


def test_a_hinge_along_a_beam_carries_the_moment_of_its_weight(plotter: pv.Plotter) -> None:
    run = finished(BEAM)
    quantities = {one.title: one for one in kind_of(BEAM).choices_in(run.world)}
    for title, value in (("Force of joint 1", 9.81), ("Torque of joint 1", 4.905)):
        np.testing.assert_allclose(quantities[title].values(run.lanes[0].trajectory, run.world), value, atol=1e-9)
    stage = stage_of(run, plotter)
    stage.set_overlay("contacts", True)
    stage.set_overlay("axes", True)
    stage.show(0.2)
    description = stage.describe()
    ((_, loads),) = description.extras.parts
    np.testing.assert_allclose(loads.loads(0, 0.2)[1], [[0.0, -4.905, 0.0]], atol=1e-9)
    (lines,) = (part for part in description.scenes[0][1].tracked if isinstance(part, AxisLines))
    assert lines.mesh.points[0][0] < 0.0 < lines.mesh.points[1][0]
    np.testing.assert_allclose(lines.mesh.points[:, 1:], 0.0, atol=1e-9)


def test_a_click_chooses_a_body_that_the_camera_then_follows(hanging: Run, plotter: pv.Plotter) -> None:
    scene, stage = linkage(hanging, plotter, 0.3)
    upper, lower = hanging.lanes[0].trajectory.position[hanging.lanes[0].trajectory.index(0.3)]
    elbow = scene.joints[1].points(scene.track.poses(0.3))[0]
    for point, part in ((upper, ("body", 0)), (lower, ("body", 1)), (elbow, ("joint", 1))):
        assert stage.pick(*pixel(stage, point)) == part
    assert stage.pick(1.0, 1.0) is None
    assert stage.pick(-1.0, 1.0) is None
    stage.set_overlay("poinsot", True)
    stage.set_camera("follow")
    seen = []
    for part in (("body", 0), ("body", 1), ("joint", 1), None):
        stage.choose(part)
        seen.append(np.array(stage.describe().renderers[0].camera.focal_point))
        assert scene.mark.body == (None if part is None else part[1])
    ((_, curves),) = stage.describe().extras.parts
    tips = np.asarray(curves.curves[0][0].points)[-1] / curves.scale(scene.track.followed)
    rates = hanging.lanes[0].trajectory.angular_velocity
    np.testing.assert_allclose(tips, rates[hanging.lanes[0].trajectory.index(0.3), 1], atol=1e-5)
    assert np.linalg.norm(seen[0] - seen[1]) > 0.3
    stage.choose(("body", 0))
    stage.set_layout("overlay")
    assert stage.describe().scenes[0][1].mark.body == 0


def test_places_off_the_true_motion_are_charted(hanging: Run) -> None:
    (lane,) = hanging.lanes
    off = PLACE_ERROR.values(lane.trajectory, hanging.world)
    true = lane.truth.states(lane.trajectory.time)[0]
    np.testing.assert_allclose(off, np.linalg.norm(lane.trajectory.position - true, axis=2).max(axis=1))
    assert off[-1] > 1e-5


def test_charts_and_caption_show_what_a_pipe_pulls_at_its_ship() -> None:
    ship = {"name": "ship", "shape": "ellipsoid", "size": [60.0, 12.0, 8.0], "mass": 9e5, "position": [0, 0, 4]}
    ship |= {"restoring": {"transverse": 1.5, "longitudinal": 40.0}}
    pipe = {"from": "ship", "links": 2, "length": 5.0, "at": [-30, 0, 4], "direction": [0, 0, -2], "mass": 6e3}
    pipe |= {"type": "hinge", "axis": [0, 1, 0], "size": [0.5, 0.5, 5.0]}
    held = {"type": "ball", "between": ["ground", "ship"], "at": [0, 0, 4]}
    aside = {"at": [0, -30, 4], "direction": [0, -1, 0], "axis": [0, 0, 1]}  # of a ship that lies along y
    for angle, turn, more in ((0.0, [1.0, 0.0, 0.0, 0.0], {}), (0.3, [1.0, 0.0, 0.0, 1.0], aside)):
        drawn = [ship | {"orientation": turn}]
        run = finished(mechanism(body=drawn, chain=[pipe | {"angle": angle, **more}], joint=[held]))
        found, world, kind = run.lanes[0].trajectory, run.world, kind_of(run.world.scenario)
        quantities = {one.title: one for one in kind.choices_in(world)}
        tension, bend = (quantities[f"{what} where the chain begins"] for what in ("Tension", "Bending"))
        assert bend.values(found, world)[0] == pytest.approx(np.degrees(angle), abs=1e-9)
        if not angle:  # level, the stern gives way to what pulls at it
            pull = 12.0 * 9.81 / (1.0 + 1.2e4 * 30.0**2 / world.bodies[0].inertia[1])
            assert (tension.values(found, world)[0], tension.unit) == (pytest.approx(pull, rel=1e-9), "kN")
    scene = kind.scene()
    first, *_ = scene.numbers(found, world, 0.0)
    assert (first.name, first.text[-3:]) == ("tension", " kN")


@pytest.mark.parametrize("down", [(0.0, 0.0, -1.0), (0.0, -1.0, 0.0)])
def test_a_ship_is_drawn_in_its_water_and_its_true_motion_as_a_ship(down: tuple[float, ...]) -> None:
    """Water is at right angles to gravity, in pages too."""
    table = {"transverse": 1.5, "longitudinal": 40.0}
    body = {"name": "ship", "shape": "ellipsoid", "size": [60.0, 12.0, 8.0], "mass": 9e5, "position": [0, 0, 4]}
    rod = {"name": "rod", "shape": "cylinder", "size": [0.5, 0.5, 5.0], "mass": 6e3, "position": [-30, 0, 2]}
    joints = [
        {"type": "ball", "between": ["ground", "ship"], "at": [0, 0, 4]},
        {"type": "ball", "between": ["ship", "rod"], "at": [-30, 0, 4]},
    ]
    pull = {"vector": [9.81 * one for one in down]}
    run = finished(mechanism(body=[body | {"restoring": table}, rod], joint=joints, gravity=pull))
    model = model_of(run.world, run.lanes)
    surface, rim = model.ground
    for mesh in (surface, rim):
        np.testing.assert_allclose((mesh.points - [0, 0, 4]) @ down, 0.0, atol=1e-5)
        assert np.ptp(mesh.points @ np.roll(down, 1)) > 60.0
    assert surface.faces.shape[1] == 3
    (true,) = model.actors[0].true_others
    (own,) = model.actors[0].arrows
    ends = true.mesh.points[true.mesh.faces].reshape(-1, 3)
    assert np.linalg.norm(ends[:, None] - own.mesh.points, axis=2).min(axis=1).max() < 0.5


def test_charts_show_the_angle_and_the_rate_of_a_joint(hanging: Run) -> None:
    turning = mechanism(body=[UPPER], joint=[{**SHOULDER, "angle": 0.0, "motor": {"rate": 20.0}}])
    run = finished(turning)
    world, found = run.world, run.lanes[0].trajectory
    quantities = {one.title: one for one in kind_of(turning).choices_in(world)}
    angle, true = quantities["Angle of joint 1"], np.degrees(20.0 * found.time)  # more than a turn
    np.testing.assert_allclose(angle.values(found, world), true, atol=1e-6)
    np.testing.assert_allclose(angle.of_rows(found, world, np.array([30, 50])), true[[30, 50]], atol=1e-6)
    assert angle.at(found, world, 50) == pytest.approx(true[50])
    np.testing.assert_allclose(quantities["Rate of joint 1"].values(found, world), 20.0, atol=1e-9)
    assert "Angle of joint 2" not in quantities
    assert "Energy error" not in quantities  # a motor gives energy
    assert joints.GAP.values(found, world).max() < 1e-12
    assert "Angle of joint 2" not in {one.title for one in kind_of(turning).choices_in(hanging.world)}  # a ball


def test_the_power_of_a_joint_is_what_all_in_it_gives_to_its_bodies(hanging: Run) -> None:
    """A motor that turns a rod evenly lifts its weight, whatever else acts in the joint."""
    pivot = {key: value for key, value in SHOULDER.items() if key not in ("angle", "rate")}
    for more in ({}, {"stiffness": 2.0, "rest": 0.3, "damping": 0.4, "torque": 1.5}):
        motor = {"sine": [0.0, 0.5, 1.0, 0.0]} if not more else {"rate": 20.0}
        run = finished(mechanism(body=[UPPER], joint=[pivot | {"motor": motor, **more}]))
        world, found = run.world, run.lanes[0].trajectory
        quantities = {one.title: one for one in kind_of(run.scenario).choices_in(world)}
        power, torque = quantities["Power of joint 1"], quantities["Torque of joint 1"]
        angle, t = world.counted(found)[0][:, 0, 0], found.time
        if more:
            true = 9.81 * 0.5 * 20.0 * np.sin(20.0 * t)
        else:
            w, inertia = 2.0 * np.pi, world.parts[0].inertia.max() + 0.25
            rate, speeding = 0.5 * w * np.cos(w * t), -0.5 * w * w * np.sin(w * t)
            true = (inertia * speeding + 9.81 * 0.5 * np.sin(angle)) * rate
        np.testing.assert_allclose(power.values(found, world), true, atol=1e-6 * np.abs(true).max())
        for one in (power, torque):  # of one row, a turn and a half behind the start where the motor turns evenly
            assert one.at(found, world, 50) == pytest.approx(one.values(found, world)[50])
    titles = {one.title for one in kind_of(run.scenario).choices_in(hanging.world)}
    assert "Force of joint 1" in titles
    assert "Power of joint 1" not in titles  # nothing acts in it


def test_forces_of_joints_are_prepared_before_the_picture_only_where_arrows_show_them() -> None:
    prepare = joints.ROW.prepare
    assert prepare is not None
    plain, arrows = (prepare(World.of(mechanism(**HANGING, view=view))) for view in ({}, {"overlays": ["contacts"]}))
    assert plain is not None
    assert arrows is None
    plain()


def test_a_model_has_every_body(floating: Run) -> None:
    model = model_of(floating.world, floating.lanes)
    (actor,) = model.actors
    (upper,) = actor.arrows
    run = floating.lanes[0].trajectory.rows(np.searchsorted(floating.lanes[0].trajectory.time, actor.times))
    np.testing.assert_allclose(upper.feet, run.position[:, 0])
    np.testing.assert_allclose(actor.positions, run.position[:, 1])
    (true_upper,) = actor.true_others
    np.testing.assert_allclose(true_upper.positions, floating.lanes[0].truth.states(actor.times)[0][:, 0])
    about = json.loads(glb(model)[20:].split(b"\0")[0].decode(errors="ignore").rsplit("}", 1)[0] + "}")
    assert about["asset"]["extras"]["kind"] == "joints"
    moved = {about["nodes"][one["target"]["node"]]["name"] for one in about["animations"][0]["channels"]}
    assert {"body upper", "body lower", "true motion"} == {name.rpartition(", ")[2] for name in moved}


def test_the_panel_edits_a_number_of_each_body(qtbot, window) -> None:
    show(qtbot, window, mechanism(**HANGING))
    assert window.panel.entries["joint"].lines[0] == "Joint 1: Hinge, ground – upper"
    assert window.panel.entries["body.mass"].line.text() == "1; 0.8"

    def type_in(text: str) -> None:
        line = window.panel.entries["body.mass"].line
        line.selectAll()
        qtbot.keyClicks(line, text)

    type_in("1; 2; 3")
    wait(qtbot, lambda: "2 numbers" in window.panel.entries["body.mass"].error.text())
    edited(qtbot, window, lambda: type_in("1; 2"))
    assert [body.mass for body in window.session.run.world.bodies] == [1.0, 2.0]

    stage, ratio = window.view.stage, window.view.viewport.devicePixelRatioF()
    ((_, scene),) = stage.describe().scenes
    x, y = pixel(stage, scene.track.poses(stage.time)[0].place)
    qtbot.mouseClick(window.view.viewport, Qt.MouseButton.LeftButton, pos=QPoint(round(x / ratio), round(y / ratio)))
    assert window.panel.part == ("body", 0)
    assert window.panel.entries["body"].list.currentRow() == 0
    qtbot.mouseClick(window.view.viewport, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert window.panel.part is None
    assert window.panel.entries["body"].list.currentRow() == -1

    window.panel.choose(("body", 0))
    show(qtbot, window, BEAM)
    assert window.panel.part is None
    qtbot.mouseClick(window.view.viewport, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))  # the card of before is gone
    assert window.panel.part is None


def test_joints_and_bodies_are_added_by_clicks_and_undone(qtbot, window) -> None:
    show(qtbot, window, mechanism(**HANGING))
    window.session.clock.playing = False
    window.session.reset()

    def add(key: str, word: str, *bodies: int | None) -> None:
        add_by_clicks(qtbot, window, key, word, *bodies)

    made = edited(qtbot, window, lambda: add("body", "Cylinder", 1))
    (*_, cylinder), (*_, ball) = made.body, made.joint
    assert (cylinder.name, cylinder.shape, cylinder.mass) == ("body-1", "cylinder", 0.8)
    assert (ball.type, ball.between) == ("ball", ("lower", "body-1"))
    np.testing.assert_allclose(ball.at, LOWER["position"], atol=0.02)
    np.testing.assert_allclose(cylinder.position, np.subtract(ball.at, [0.0, 0.0, 0.5]), atol=1e-9)
    assert window.panel.entries["body"].lines[-1] == "body-1: Cylinder, 0.8 kg"

    add("joint", "Universal", 0, 0)
    wait(qtbot, lambda: "joins 'upper' to itself; expected two bodies" in window.message.text.text())
    add("joint", "Fixed", None, 2)  # the pendulum as it starts does not reach there
    wait(qtbot, lambda: "loop" in window.message.text.text())
    wait(qtbot, lambda: window.session.pending is None)
    assert not any("Fixed" in line for line in window.panel.entries["joint"].lines)

    edited(qtbot, window, window.session.undo)
    assert len(window.panel.entries["body"].lines) == 2
    show(qtbot, window, BEAM)
    made = edited(qtbot, window, lambda: add("joint", "Universal", 0, None))
    assert made.joint[-1].between == ("ground", "upper")
    np.testing.assert_allclose(made.joint[-1].at, [0.5, 0.0, 0.0], atol=0.02)
    np.testing.assert_allclose(made.joint[-1].axis, [0.0, 1.0, 0.0])  # that nearest to the line of sight


def test_points_and_axes_of_joints_are_edited_in_the_panel(qtbot, window) -> None:
    third = 0.1234567890123
    swivel = ELBOW | {"type": "universal", "axis": [1, 0, 0], "axis2": [0, 1, 0], "at": [third, 0, -1]}
    del swivel["angular_velocity"]
    show(qtbot, window, mechanism(body=[UPPER, LOWER], joint=[SHOULDER, swivel]))

    def line(key: str) -> QLineEdit:
        return window.panel.entries[f"joint.{key}"].line

    def type_in(key: str, text: str) -> None:
        line(key).selectAll()
        qtbot.keyClicks(line(key), text)

    assert line("axis").text() == "0, 1, 0; 1, 0, 0"
    assert line("axis2").text() == "–; 0, 1, 0"
    made = edited(qtbot, window, lambda: type_in("axis", "1, 1, 0; 1, 0, 0"))
    assert [joint.axis for joint in made.joint] == [(1.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
    _, point = line("at").text().split("; ")
    made = edited(qtbot, window, lambda: type_in("at", f"0, 0, 0.1; {point}"))
    assert [joint.at for joint in made.joint] == [(0.0, 0.0, 0.1), (third, 0.0, -1.0)]  # with all its digits
    type_in("axis", "1, 1, 0; 0, 1, 0")
    wait(qtbot, lambda: "perpendicular" in window.panel.entries["joint.axis"].error.text())
    type_in("axis", "1, 1, 0; 1, 0")
    wait(qtbot, lambda: "3 numbers" in window.panel.entries["joint.axis"].error.text())
