"""Verdicts: since when and how far lanes are off the true motion, in sentences, on the timeline and in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from staging import finished, left_at
from windowing import cuboid, rock, show, wait

from app.playback.markers import departures
from app.playback.verdicts import HEADINGS, seconds_in_words, verdict, verdict_table, verdicts
from app.window.charts.comparison_panel import ComparisonPanel
from app.window.session import Session

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


def test_where_contact_ends_the_truth_it_is_said_once() -> None:
    lanes = finished(rock()).lanes
    *sentences, note = verdicts(lanes)
    until = seconds_in_words(lanes[0].truth.valid_until)
    assert len(sentences) == len(lanes)
    assert note == f"No true motion is known after {until}. Contact makes the motion sensitive; see an ensemble."


def test_the_table_has_times_errors_and_what_is_kept() -> None:
    lanes = finished(cuboid(**TURNING)).lanes
    rows = [dict(zip(HEADINGS, row, strict=True)) for row in verdict_table(lanes)]
    assert [row["scheme"] for row in rows] == [f"{lane.scheme.letter}  {lane.scheme.title}" for lane in lanes]
    explicit, implicit, _ = rows
    assert explicit["10° off at"] == seconds_in_words(left_at(lanes[0], 10.0))
    assert explicit["energy"] == "0"  # kept to rounding
    assert explicit["angular momentum"].endswith(" %")
    assert (implicit["1° off at"], implicit["angular momentum"]) == ("–", "0")


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
    assert strip.isVisible()
    judged(qtbot, window)
    lanes = window.session.run.lanes
    assert strip.sentences == verdicts(lanes)
    qtbot.mouseClick(strip.compare_button, Qt.MouseButton.LeftButton)
    panel = window.findChild(ComparisonPanel)
    wait(qtbot, lambda: not panel.measuring)
    assert panel.table.rowCount() == len(lanes)
    qtbot.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert all(sentence in copied for sentence in strip.sentences)
    assert copied.splitlines()[-1].split("\t")[0] == "X  Exact (elliptic functions)"
    panel.close()
    window.actions_by_id["verdicts"].trigger()
    assert not strip.isVisible()
    window.actions_by_id["usual-layout"].trigger()
    assert strip.isVisible()
