"""Verdicts: since when and how far lanes are off the true motion, in sentences, on the timeline and in the window."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from app.playback.headline import outcome_sentence
from app.playback.markers import departures
from app.playback.run import Run
from app.playback.verdicts import (
    HEADINGS,
    at_in_words,
    departure,
    mark_at,
    name_of,
    ranking,
    seconds_in_words,
    size_in_words,
    verdict,
    verdict_table,
    verdicts,
)
from app.stage.lane_track import LaneTrack
from app.stage.scenes.lane_numbers import in_detail, standing
from app.window.charts.comparison_panel import ComparisonPanel
from app.window.session import Session
from physics import Scenario
from physics.core.trajectory import Event, Recording
from tests.app.staging import example, finished, left_at
from tests.app.windowing import cuboid, rock, show, wait

CTRL = Qt.KeyboardModifier.ControlModifier
TURNING = {"duration": 4.0, "schemes": ("explicit", "implicit", "exact")}  # the explicit scheme leaves after a turn


def judged(qtbot, window) -> None:
    wait(qtbot, lambda: all(lane.truth is not None for lane in window.session.run.lanes))
    wait(qtbot, lambda: not any("not compared" in sentence for sentence in window.verdicts.sentences))


def test_a_sentence_says_when_a_lane_leaves_the_true_motion_and_how_far_it_is_off() -> None:
    explicit, implicit, exact = finished(cuboid(**TURNING)).lanes
    left = left_at(explicit, 10.0)
    end = explicit.truth.degrees_off(explicit.trajectory)[-1]
    assert verdict(explicit) == (f"Explicit leaves the true motion at {left:.1f} s and is {end:.0f}° off.")
    assert verdict(implicit).startswith("Implicit stays within 0.")
    assert verdict(exact) == "Exact is the true motion."


@pytest.fixture(scope="module")
def motions() -> list[Run]:
    """Lanes that leave the true motion, come back, are near it, have no solution, or are right, and a mechanism."""
    wheel = {"shape": "cylinder", "size": [0.4, 0.4, 0.1], "mass": 5.0, "name": "wheel"}
    platform = {"shape": "cuboid", "size": [1.0, 0.8, 0.1], "mass": 10.0, "name": "platform"}
    gyrostat = Scenario(
        kind="joints",
        duration=2.0,
        step=0.02,
        schemes=["cayley-em", "mujoco-euler"],
        gravity={"g": 0.0},
        body=[platform | {"angular_velocity": [0.1, 2.0, 0.5]}, wheel],
        joint=[{"type": "hinge", "name": "axle", "between": ["platform", "wheel"], "axis": [1, 0, 0], "rate": 60.0}],
    )
    tumbling = cuboid(**TURNING | {"initial": {"angular_velocity": (0.01, 10.0, 0.01)}, "duration": 8.0, "step": 0.02})
    return [finished(one) for one in (tumbling, gyrostat, example("measured-toss"))]


def test_sentences_marks_and_numbers_agree_at_each_time(motions: list[Run]) -> None:
    """The mark of a lane at a time is that of the numbers, and the sentence has them, in the same words."""
    said = set()
    for run in motions:
        for lane in run.lanes:
            track, motion = LaneTrack(lane, np.zeros(3)), lane.trajectory
            departs = np.maximum(lane.off.degrees, 100.0 * lane.off.metres / lane.world.length)
            for row in np.unique(np.linspace(0, len(motion) - 1, 60).astype(int)).tolist():
                time = float(motion.time[row])
                mark, (off, *since) = standing(track, time).mark, in_detail(track, time).split("  ")
                sentence, beyond = verdict(lane, time), departs[: row + 1] > 10.0
                expected = "right" if departs[row] <= 1.0 else "near" if departs[row] <= 10.0 else "off"
                assert (mark, mark_at(lane, time)) == (expected, expected)
                if expected == "off":
                    inside = np.flatnonzero(~beyond)
                    at = seconds_in_words(motion.time[inside[-1] + 1 if len(inside) else 0])
                    assert f"{at} and is {off.split(',')[0]}." in sentence or f"again at {at}, and" in sentence
                    assert since == [f"since {at}"]
                elif not (departs[: row + 1] > 1.0).any():
                    assert "stays within" in sentence or "is the true motion" in sentence
                assert off.split(",")[0] in sentence or "within" in sentence or "is the true motion" in sentence
                assert not any(name in sentence for name in ("-em", "mujoco-", "explicit"))  # no identifiers
                said.add(expected)
    assert said == {"right", "near", "off"}


def test_a_ranking_in_words_names_lanes_that_are_right_and_since_when_others_are_off(motions: list[Run]) -> None:
    tumbling, gyrostat, _ = motions
    left = departure(tumbling.lanes[0]).passages[10.0].since
    assert ranking(tumbling.lanes) == f"Right: Implicit, Exact; off from {seconds_in_words(left)}: Explicit."
    assert ranking(gyrostat.lanes[:1]) == ""


def test_a_ranking_names_no_lane_as_off_that_is_only_farther_than_the_closest() -> None:
    lanes = finished(cuboid(**TURNING | {"schemes": ("explicit", "implicit", "magnus-2")})).lanes
    off = {name_of(lane.scheme): departure(lane) for lane in lanes}
    first, second, last = sorted(off, key=lambda name: off[name].departure)
    assert last == "Explicit"
    assert [off[name].verdict for name in (first, second, last)] == ["right", "right", "off"]
    since = seconds_in_words(off[last].passages[10.0].since)
    assert ranking(lanes) == f"Right: {first}, {second}; off from {since}: Explicit."
    assert ranking(lanes, 0.1) == "All are right."


def test_a_ranking_says_nothing_of_all_where_a_lane_is_not_known(motions: list[Run]) -> None:
    """Neither one without a truth, nor a record that has ended, whose line says when that was."""
    explicit, implicit, exact = motions[0].lanes
    assert ranking([implicit, exact, replace(explicit, truths={})]) == "Right: Implicit, Exact."
    assert ranking([replace(implicit, truths={}), explicit]).startswith("Off from ")
    true, _, measured = motions[2].lanes
    half = measured.trajectory.rows(slice(len(measured.trajectory) // 2))
    ended = replace(measured, recording=Recording.of(replace(half, off=None)))
    assert ranking([true, ended]) == "Right: Exact."
    text = standing(LaneTrack(ended, np.zeros(3)), true.trajectory.time[-1]).text
    assert text.endswith(at_in_words(half.time[-1]))


def test_a_lane_that_is_near_says_so_and_which_is_the_closest_where_none_is_right() -> None:
    """The words need no more room while the lane is still right."""
    for name, said, words in (
        ("cuboid-minor", ["near", ""], "Right: Implicit; near: Explicit."),
        ("poinsot", ["", "closest"], "None is right; closest: Implicit, 1.2°; off from 0.75 s: Explicit."),
    ):
        lanes = finished(example(name)).lanes
        assert ranking(lanes) == words
        tracks = [LaneTrack(lane, np.zeros(3)) for lane in lanes]
        for lane, track, word in zip(lanes, tracks, said, strict=True):
            stands = standing(track, lane.trajectory.time[-1], tracks)
            assert stands.text == f"{size_in_words(departure(lane))} {word}".rstrip()
            assert len(stands.text) <= len(stands.room) == len(standing(track, 0.1, tracks).room)
            assert standing(track, 0.1, tracks).text == size_in_words(departure(lane, 0.1))


def test_a_lane_without_a_solution_is_neither_right_nor_the_closest() -> None:
    scenario = example("top-unsolved")
    lanes = goes_on, _ = finished(scenario).lanes
    finer = finished(scenario.changed(schemes=("quat-em", "quat-em@0.001", "quat-vi"))).lanes
    for lane in lanes[1], finer[-1]:
        track = LaneTrack(lane, np.zeros(3))
        assert standing(track, 1.0)[:2] == ("unknown", "no solution after 0 s")
        assert in_detail(track, 1.0) == ""
        assert (standing(track, 0.0).over, standing(track, 1.0).over) == (False, True)
        assert mark_at(lane) == mark_at(lane, 1.0) == "unknown"
        assert mark_at(lane, 0.0) == "right"
    assert [cells[4].split()[0] for cells in verdict_table(lanes)] == ["✗", "–"]
    words = outcome_sentence(lanes, lanes[0].trajectory.time[-1])
    since = seconds_in_words(departure(goes_on).passages[10.0].since)
    assert words.startswith(f"None is right; off from {since}: Quaternion energy-momentum. ")
    assert words.endswith(" Quaternion variational has no solution after 0 s.")
    assert ranking(finer).endswith(" Quaternion variational has no solution after 0 s.")
    assert "Quaternion variational" not in ranking(finer).split(". ")[0]


def test_a_lane_that_fails_after_its_truth_ends_says_when_it_failed(motions: list[Run]) -> None:
    explicit, implicit, _ = motions[0].lanes
    half = implicit.trajectory.rows(slice(200))
    known = replace(implicit.truth, valid_until=half.time[-1] / 2.0, reason="contact")
    failed = replace(half, events=(Event("failed-solve", half.time[-1], ""),), off=None)
    lane = replace(implicit, truths={"implicit": known}, recording=Recording.of(failed))
    words = f"no solution after {seconds_in_words(half.time[-1])}"
    assert standing(LaneTrack(lane, np.zeros(3)), 8.0).text == words
    for sentence in (verdict(lane), ranking([explicit, lane])):
        assert sentence.endswith(f" Implicit has {words}.")


def test_where_no_truth_is_known_at_the_end_all_lanes_that_came_to_rest_are_named() -> None:
    lanes = finished(example("table-coin")).lanes
    assert outcome_sentence(lanes, 3.6) == "No truth after 3.4 s; at rest: Explicit after 3.5 s, Implicit after 3.5 s."
    assert outcome_sentence(lanes, 3.5) == ""


def test_a_run_of_all_its_steps_is_told_as_one_that_goes_on() -> None:
    """Its duration is no multiple of its step, and so its last state is before the end."""
    (lane,) = finished(example("top-unsolved", schemes=("quat-em",))).lanes
    assert lane.trajectory.time[-1] < lane.world.scenario.duration - 1e-3
    assert re.fullmatch(
        r"Quaternion energy-momentum leaves the true motion at 0.058 s and is \d+° off.*", verdict(lane)
    )
    assert not departure(lane).ended


def test_what_is_true_by_its_making_is_among_the_lanes_that_are_right(motions: list[Run]) -> None:
    exact, explicit, _ = lanes = motions[2].lanes
    end = explicit.trajectory.time[-1]
    assert verdict(exact, end) == "Exact is the true motion."
    since = seconds_in_words(departure(explicit).passages[10.0].since)
    assert outcome_sentence(lanes, end) == f"Right: Exact; closest: Measured, 1.0°; off from {since}: Explicit."


def test_where_contact_ends_the_truth_it_is_said_once() -> None:
    lanes = finished(rock()).lanes
    *sentences, note = verdicts(lanes)
    until = seconds_in_words(lanes[0].truth.valid_until)
    assert len(sentences) == len(lanes)
    leads = "Contact makes the motion sensitive; compare many rocks by distribution."
    assert note == f"No true motion is known after {until}. {leads}"


def test_the_table_has_times_errors_and_what_is_kept() -> None:
    lanes = finished(cuboid(**TURNING)).lanes
    rows = [dict(zip(HEADINGS, row, strict=True)) for row in verdict_table(lanes)]
    assert [row["scheme"] for row in rows] == [f"{lane.scheme.letter}  {lane.scheme.title}" for lane in lanes]
    explicit, implicit, _ = rows
    assert explicit["10° off at"] == seconds_in_words(left_at(lanes[0], 10.0))
    assert explicit["energy"] == "0"  # kept to rounding
    assert explicit["angular momentum"].endswith(" %")
    assert (implicit["1° off at"], implicit["angular momentum"]) == ("–", "0")


def test_the_table_tells_how_far_the_centre_of_a_top_is_off() -> None:
    (lane,) = finished(example("top-steady", duration=0.5, schemes=["quat-em"])).lanes
    (cells,) = verdict_table([lane])
    metres = lane.truth.metres_off(lane.trajectory)[-1]
    assert metres > 1e-3
    assert dict(zip(HEADINGS, cells, strict=True))["place"] == f"{metres:.2g} m"


def test_flags_stay_where_a_truth_is_known_before_the_end_is_seen(qapp) -> None:
    session = Session()
    session.open(cuboid(**TURNING))
    run = session.pending
    run.join()
    for seen in (False, True):  # as if the run had ended between two looks of one poll
        run.finished = seen
        session.poll(0.0)
    flags = departures(run.lanes)
    session.close()
    assert flags
    assert set(flags) <= set(session.markers)


@pytest.mark.picture
def test_flags_sentences_and_a_table_tell_since_when_a_lane_is_off(qtbot, window) -> None:
    show(qtbot, window, cuboid(**TURNING))
    judged(qtbot, window)
    session, lane = window.session, window.session.run.lanes[0]
    times = [left_at(lane, degrees) for degrees in (1.0, 10.0)]
    flags = departures(session.run.lanes)
    assert [(flag.time, flag.letter, flag.colour) for flag in flags] == [(at, "E", lane.scheme.colour) for at in times]
    assert set(flags) <= set(session.markers)
    assert flags[1].text == f"Explicit leaves the true motion at {times[1]:.1f} s"
    reached = []
    session.reset()
    for _ in session.markers:
        qtbot.keyClick(window, Qt.Key.Key_Right, CTRL)
        reached.append(session.clock.time)
    assert set(times) <= set(reached)
    window.transport.refresh()
    timeline = window.transport.timeline
    place = round(8 + (timeline.width() - 16) * times[1] / session.run.scenario.duration)
    assert flags[1] in timeline.near(place)
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(place, 4))
    assert session.clock.time == pytest.approx(times[1], abs=1e-4)
    strip = window.verdicts
    assert not strip.isVisible()  # the headline says it
    window.actions_by_id["verdicts"].trigger()
    assert strip.isVisible()
    judged(qtbot, window)
    lanes = window.session.run.lanes
    wait(qtbot, lambda: strip.sentences == verdicts(lanes, session.clock.time))
    session.seek(session.run.scenario.duration)
    wait(qtbot, lambda: strip.sentences == verdicts(lanes))
    qtbot.mouseClick(strip.compare_button, Qt.MouseButton.LeftButton)
    panel = window.findChild(ComparisonPanel)
    wait(qtbot, lambda: not panel.measuring)
    assert panel.table.rowCount() == len(lanes)
    qtbot.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert all(sentence in copied for sentence in strip.sentences)
    assert copied.splitlines()[-1].split("\t")[0] == "X  Exact (elliptic functions)"
    panel.close()
    window.actions_by_id["usual-layout"].trigger()
    assert not strip.isVisible()
