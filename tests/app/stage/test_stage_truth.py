"""The true motion on the stage: its outline, arcs and number in each pane, for every kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from app.export.scene_model import model_of
from app.export.scene_words import numbers
from app.kinds import kind_of
from app.playback.markers import departures
from app.playback.run import Run
from app.playback.verdicts import (
    degrees_in_words,
    departure,
    length_in_words,
    off_in_words,
    seconds_in_words,
    size_in_words,
)
from app.stage import Stage
from app.stage.bodies.floor import Equator
from app.stage.bodies.true_motion import LaneOutline, TrueMotion
from app.stage.lane_track import LaneTrack
from app.stage.scenes.lane_numbers import in_detail, standing
from app.stage.text.cards import length
from app.theme import DARK, OFF_FILL
from physics import simulate
from physics.analysis.comparison import Departure
from physics.core.rotation import angle_between, apply
from physics.core.trajectory import Recording
from physics.schemes import serving
from tests.app.staging import example, finished, left_at, stage_of
from tests.small import cuboid as free_cuboid

pytestmark = pytest.mark.picture


def truths(stage: Stage) -> list[TrueMotion]:
    return [scene.truth for _, scene in stage.describe().scenes]


def drawn_arcs(truth: TrueMotion) -> list[np.ndarray]:
    """The arcs (n, 3) that are drawn; those that are too short or not wanted are points."""
    arcs = np.asarray(truth.arcs.points).reshape(len(truth.tips), -1, 3)
    return [arc for arc in arcs if np.ptp(arc, axis=0).any()]


def legend(stage: Stage) -> list[str]:
    return [piece.text.strip() for piece in stage.describe().captions.legend([], stage.overlays, 0.0)]


def visible(part: TrueMotion) -> list[bool]:
    """Whether the outline and the arcs can be seen."""
    return [bool(actor.GetVisibility()) for actor in (part.actors[0], *part.actors[3::2])]


def off(stage: Stage, name: str) -> str:
    return stage.describe().numbers[name].split("    ")[0]


def angle(stage: Stage, name: str) -> str:
    """The first number of a caption without the time since when."""
    return off(stage, name).split("  ")[0]


@pytest.fixture(scope="module")
def flip() -> Run:
    """A cuboid about its intermediate axis, which one scheme keeps from flipping."""
    return finished(example("cuboid-intermediate", schemes=["physx", "exact"], duration=9.0))


def test_the_circle_across_the_first_angular_momentum_is_drawn_beside_its_meaning_alone(
    flip: Run, plotter: pv.Plotter
) -> None:
    stage = stage_of(flip, plotter)
    circles = [part for _, part in stage.describe().parts if isinstance(part, Equator)]
    assert len(circles) == 2
    for on in (False, True, False):
        stage.set_overlay("numbers", on)
        assert [circle.on for circle in circles] == [on, on]
        assert ("circle across L at the start" in legend(stage)) == on


def test_a_scheme_that_conserves_all_but_never_flips_is_marked_and_at_the_start_none_is_off(
    flip: Run, plotter: pv.Plotter
) -> None:
    stage = stage_of(flip, plotter)
    stage.show(0.0)
    assert [angle(stage, name) for name in ("physx", "exact")] == ["0.00° off"] * 2
    assert not any(seen for part in truths(stage) for seen in visible(part))
    assert "outline: true motion" not in legend(stage)
    stage.show(9.0)
    assert "outline: true motion" in legend(stage)
    stage.show(9.0)
    wrong, right = truths(stage)
    lane = flip.lanes[0]
    degrees = lane.truth.degrees_off(lane.trajectory)[-1]
    assert degrees > 100.0
    since = seconds_in_words(left_at(lane, 10.0))
    assert off(stage, "physx") == f"{degrees:.0f}° off  since {since}"
    assert off(stage, "exact") == "0.00° off"
    assert visible(wrong)[0]
    assert not any(visible(right))
    state = lane.truth.at(9.0)
    placed = pv.array_from_vtkmatrix(wrong.actors[0].GetUserMatrix())
    corners = wrong.solids.mesh.points @ placed[:3, :3].T
    np.testing.assert_allclose(corners, apply(state.orientation, wrong.solids.mesh.points), atol=1e-6)
    here = lane.trajectory.at(9.0).orientation
    tips = [
        arm for _, _, arm, *_ in wrong.tips if np.linalg.norm(apply(here, arm) - apply(state.orientation, arm)) > 0.1
    ]
    for arc, tip in zip(drawn_arcs(wrong), tips, strict=True):  # from the lane's axis to the true one, on the globe
        np.testing.assert_allclose(arc[0], apply(here, tip), atol=1e-5)
        np.testing.assert_allclose(arc[-1], apply(state.orientation, tip), atol=1e-5)
        np.testing.assert_allclose(np.linalg.norm(arc, axis=1), np.linalg.norm(tip), rtol=1e-5)
    stage.set_overlay("truth", False)
    assert not any(visible(wrong))


@pytest.mark.parametrize(("name", "time", "out"), [("table-egg", 3.0, False), ("table-disk", 10.0, True)])
def test_a_round_body_has_hands_and_one_out_of_sight_is_pointed_to(
    name: str, time: float, out: bool, plotter: pv.Plotter
) -> None:
    """An egg that fills the outline of the true one differs in phase alone: its axis has no arc, a point beside has."""
    stage = stage_of(finished(example(name)), plotter, camera="follow" if out else "fit")
    stage.show(time)
    wrong, right = truths(stage)
    (arc,) = drawn_arcs(wrong)
    (axis, beside), here = wrong.tips, stage.describe().tracks[0].pose(time)
    tip = axis if out else beside
    np.testing.assert_allclose(arc[0] - here.place, here.rotation @ (tip.hub + tip.arm), atol=1e-5)
    assert all(visible(wrong))
    assert (wrong.sectors.area > 0.0) == tip.hand
    fill = next(actor.prop for actor in wrong.actors if actor.mapper.GetInput() is wrong.sectors)
    assert fill.color == OFF_FILL
    assert not any(visible(right))
    said = [prop.GetInput() for prop in wrong.props if isinstance(prop, vtkTextActor) and prop.GetVisibility()]
    lane = stage.describe().scenes[0][1].track
    state = lane.truth.at(time)
    far = length_in_words(float(np.linalg.norm(state.position - lane.run.position[-1])))
    assert said == ([f"← truth {far}"] if out else [])
    stage.show(early := 0.956 if out else 0.142)
    assert lane.departure(early).mark == "near"
    assert drawn_arcs(wrong)
    assert fill.color != OFF_FILL
    stage.close()


def test_a_rod_that_lies_upon_its_true_one_has_hands_that_show_its_turn_about_itself(plotter: pv.Plotter) -> None:
    """While the axis of a rod is off, its hands are hidden."""
    run = finished(example("joints-pendulum", schemes=["mujoco-euler"], duration=2.0))
    stage = stage_of(run, plotter)
    (wrong,), (track,) = truths(stage), stage.describe().tracks
    assert [(tip.body, tip.hand, tip.about.tolist()) for tip in wrong.tips] == [(k, True, [0, 0, 1]) for k in range(2)]
    seen = set()
    for time in np.linspace(0.0, 2.0, 21).tolist():
        stage.show(time)
        ends = []
        for here, true, tip in zip(track.poses(time), track.true_poses(track.pose(time)), wrong.tips, strict=True):
            axes, arms = ([one.rotation @ way for one in (here, true)] for way in (tip.about, tip.arm))
            tilt, turn = (np.degrees(np.arccos(np.clip(a @ b / (a @ a), -1.0, 1.0))) for a, b in (axes, arms))
            if tilt < 10.0 and turn > 1.0:
                ends.append(here.place + true.rotation @ (tip.hub + tip.arm))
        arcs = drawn_arcs(wrong) if visible(wrong)[1] else []
        np.testing.assert_allclose(np.reshape([arc[-1] for arc in arcs], (-1, 3)), np.reshape(ends, (-1, 3)), atol=1e-5)
        seen.add(len(ends))
    assert {0, 1} <= seen


def test_lanes_in_one_view_share_the_true_body(plotter: pv.Plotter) -> None:
    run = finished(example("cuboid-intermediate", schemes=["physx", "exact", "explicit"], duration=9.0))
    stage = stage_of(run, plotter, layout="overlay")
    stage.show(9.0)
    assert [visible(part)[0] for part in truths(stage)] == [True, False, False]
    parts, ink = [part for _, part in stage.describe().parts], stage.describe().look.ink
    edges = [part.actors[1].prop.color.hex_rgb for part in parts if isinstance(part, LaneOutline)]
    assert [edge == ink for edge in edges] == [True, False]  # which of those drawn as outlines is right


def test_a_rock_that_is_stopped_while_it_moves_says_so(plotter: pv.Plotter) -> None:
    run = finished(example("rock-ramp", schemes=["explicit"], duration=5.0, stop={"energy": 200.0}))
    stage = stage_of(run, plotter)
    stage.show(5.0)
    assert "stopped below 20.0 m/s" in stage.describe().numbers["explicit"]
    ((_, scene),), look = stage.describe().scenes, stage.describe().look
    moves, stopped = (length(scene.numbers(scene.track.pose(time), look)) for time in (0.0, 5.0))
    assert abs(moves - stopped) < 5.0  # what stands beside it stays
    lane, track = run.lanes[0], scene.track
    (*_, height) = numbers(lane, track, [track], scene.caption)["texts"]
    assert height["words"][0].startswith("height ")
    assert height["words"][-1] == "stopped below 20.0 m/s"


@pytest.mark.parametrize(("name", "solid"), [("table-egg", [True, False]), ("rock-ramp", [True, True])])
def test_of_bodies_near_one_place_the_first_alone_is_solid(name: str, solid: list[bool], plotter: pv.Plotter) -> None:
    stage = stage_of(finished(example(name, duration=0.1)), plotter, layout="overlay")
    stage.show(0.1)
    scenes = [scene for _, scene in stage.describe().scenes]
    assert [bool(scene.body.actor.GetVisibility()) for scene in scenes] == solid
    outlines = [[part for part in scene.parts if isinstance(part, LaneOutline)] for scene in scenes]
    assert [not drawn for drawn in outlines] == solid
    for scene, drawn in zip(scenes, outlines, strict=True):  # where the body is
        for part in drawn:
            placed = pv.array_from_vtkmatrix(part.actors[0].GetUserMatrix())
            np.testing.assert_allclose(placed[:3, :3], scene.track.pose(0.1).rotation, atol=1e-12)
    stage.set_layout("side-by-side")
    assert all(scene.body.actor.GetVisibility() for _, scene in stage.describe().scenes)


def test_the_truth_is_taken_over_when_it_is_found(flip: Run, plotter: pv.Plotter) -> None:
    lanes = [replace(lane, truths={}) for lane in flip.lanes]
    stage = Stage(plotter, flip.world, lanes, DARK, kind_of(flip.scenario).scene())
    stage.show(9.0)
    assert off(stage, "physx") == "truth follows"
    assert not any(visible(truths(stage)[0]))
    assert not stage.refine()
    lanes[0].truths["physx"] = flip.lanes[0].truth
    assert stage.refine()
    assert "° off" in off(stage, "physx")
    assert visible(truths(stage)[0])[0]


@pytest.mark.parametrize(
    ("name", "duration", "moves"),
    [
        ("top-steady", 0.5, False),
        ("vessel-free", 5.0, False),
        ("ship-log", 0.2, True),
        ("table-tippe-top", 0.2, True),
        ("rock-ramp", 0.2, True),
    ],
)
def test_the_number_is_that_of_the_reference(name: str, duration: float, moves: bool, plotter: pv.Plotter) -> None:
    run = finished(example(name, duration=duration))
    stage = stage_of(run, plotter)
    for time in (0.3 * duration, duration):
        stage.show(time)
        for lane in run.lanes:
            states, truth = lane.trajectory, lane.truth
            row = states.index(time)
            degrees, metres = truth.degrees_off(states)[row], truth.metres_off(states)[row]
            found, text = departure(lane, time), angle(stage, lane.scheme.name)
            assert (found.last, found.metres) == (degrees, metres)
            assert text.startswith(off_in_words(found))
            assert text.endswith(f", {length_in_words(metres)}" if moves else ("off", ")"))


FREE = {"major": (0.01, 0.01, 10.0), "intermediate": (0.01, 10.0, 0.01), "minor": (10.0, 0.01, 0.01)}
TOPS = {"fast top": {"spin": "steady", "precession": 10.0}, "slow top": {"spin": 20.0, "precession": 0.0}}


@pytest.mark.parametrize("motion", [*FREE, *TOPS])
def test_schemes_are_marked_by_how_far_off_another_solution_they_are(motion: str) -> None:
    if motion in FREE:
        scenario = free_cuboid(initial={"angular_velocity": FREE[motion]}, duration=3.0, step=0.01)
    else:
        scenario = example("top-steady", initial={"nutation": 1.0, **TOPS[motion]}, duration=1.0, step=0.002)
    (fine,) = simulate(scenario.changed(schemes=("dop853",))).values()
    names = [name for name in serving(scenario.kind) if name != "dop853"]
    signs = set()
    for lane in finished(scenario.changed(schemes=names)).lanes:
        run, track = lane.trajectory, LaneTrack(lane, np.zeros(3))
        apart = np.degrees(angle_between(run.orientation, fine.orientation[: len(run)]))
        for row in range(0, len(run), 20):
            time = float(run.time[row])
            mark = standing(track, time).mark
            signs.add(mark)
            if apart[row] > 10.02:
                assert mark == "off", lane.scheme.name
                inside = np.flatnonzero(lane.off.degrees[: row + 1] <= 10.0)[-1]
                assert in_detail(track, time).endswith(f"  since {seconds_in_words(run.time[inside + 1])}")
            elif apart[row] < 0.98:
                assert mark == "right", lane.scheme.name
    assert {"right"} | ({"off"} if motion in ("intermediate", *TOPS) else set()) <= signs


def test_captions_say_since_when_as_flags_do_also_of_a_lane_that_came_back() -> None:
    _, explicit, measured = finished(example("measured-toss")).lanes
    flags = {(flag.letter, flag.kind): flag.time for flag in reversed(departures((explicit, measured)))}
    left, off = flags[explicit.scheme.letter, "leaves"], flags[explicit.scheme.letter, "drifts"]
    for time, expected in (
        (0.99 * off, " off"),
        (off, f"  since {seconds_in_words(off)}"),
        (left, f"  since {seconds_in_words(left)}"),
    ):
        assert in_detail(LaneTrack(explicit, np.zeros(3)), time).endswith(expected)
    run, off = measured.trajectory, flags[measured.scheme.letter, "drifts"]
    back = run.time[(run.off.degrees < 1.0) & (run.time > off)][0]
    text = in_detail(LaneTrack(measured, np.zeros(3)), float(back))
    assert text.endswith(f"  left at {seconds_in_words(off)}")


def test_lanes_of_different_worlds_have_truths_of_their_own(flip: Run, plotter: pv.Plotter) -> None:
    own = "its own truth"
    stage = stage_of(flip, plotter)
    assert not any(text.endswith(own) for text in legend(stage))
    stage.close()
    stage = stage_of(finished(example("table-hoop", duration=0.2)), plotter)
    assert any(text.endswith(own) for text in legend(stage))


@pytest.mark.parametrize("name", ["top-steady", "rock-ramp"])
def test_where_the_truth_ends_the_pane_says_so(name: str, plotter: pv.Plotter) -> None:
    run = finished(example(name, duration=0.2))
    known = replace(run.lanes[0].truth, valid_until=0.125)
    lanes = [
        replace(lane, truths={lane.scheme.name: known}, recording=Recording.of(replace(lane.trajectory, off=None)))
        for lane in run.lanes
    ]
    stage = Stage(plotter, run.world, lanes, DARK, kind_of(run.scenario).scene())
    for time, unknown in ((0.1, False), (0.2, True)):
        stage.show(time)
        text = off(stage, run.lanes[0].scheme.name)
        if departure(lanes[0], 0.125).verdict == "off":  # once off, it stays so, at the time until which that is known
            assert (" off" in text, " at 0.12 s" in text) == (True, unknown)
        else:
            stands = standing(stage.describe().tracks[0], time)
            assert (text == "", stands.text == "no truth after 0.12 s") == (unknown, unknown)
    assert not any(visible(truths(stage)[0]))
    never = replace(known, stretches=(), valid_until=-np.inf, reason="no scheme serves")
    lanes[0].truths[lanes[0].scheme.name] = never
    assert stage.refine()
    assert off(stage, lanes[0].scheme.name) == "no truth: no scheme serves"


def test_pages_and_models_hold_the_true_body(flip: Run) -> None:
    wrong, right = (actor.truth for actor in model_of(flip.world, flip.lanes).actors)
    lane = flip.lanes[0]
    np.testing.assert_allclose(wrong.degrees[-1], lane.truth.degrees_off(lane.trajectory)[-1])
    assert wrong.seen[-1]
    assert not right.seen.any()
    expected = lane.truth.at(9.0).orientation
    np.testing.assert_allclose(apply(wrong.orientations[-1], np.eye(3)), apply(expected, np.eye(3)), atol=1e-9)


def test_a_distance_that_decides_is_not_0_however_small_a_mechanism_is() -> None:
    found = Departure({}, {}, 0.2, 0.2, "", False, None, None, "", 3e-6, "rod", 30.0, 1.0, True, False, False)
    assert (found.verdict, size_in_words(found)) == ("off", "0.003 mm")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (degrees_in_words(0.04), "0.04°"),
        (degrees_in_words(0.996), "1.0°"),
        (degrees_in_words(9.94), "9.9°"),
        (degrees_in_words(9.96), "10°"),
        (length_in_words(0.0004), "0.4 mm"),
        (length_in_words(0.042), "42 mm"),
        (length_in_words(1.234), "1.23 m"),
        (length_in_words(321.0), "321 m"),
    ],
)
def test_angles_and_lengths_have_few_digits(text: str, expected: str) -> None:
    assert text == expected
