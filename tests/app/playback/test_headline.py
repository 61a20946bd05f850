"""The headline: a sentence gives way once it is untrue for the picture, and agrees with the marks of the lanes."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.playback.headline import BRIEF, LONGEST, Headline, headline, headline_of
from app.playback.markers import Marker, departures
from app.playback.run import Run, current, faded
from app.playback.verdicts import (
    departure,
    mark_at,
    name_of,
    nearness,
    notes,
    ranking,
    seconds_in_words,
    verdict,
)
from app.stage.lane_track import LaneTrack
from app.stage.scenes.lane_numbers import standing
from physics.analysis.comparison import Departure
from physics.core.trajectory import Recording
from physics.schemes.scheme import Scheme
from tests.app.staging import example, finished
from tests.small import cuboid

SAID = ((0.0, "Title"), (3.0, "A drifts."), (3.2, "B leaves."), (4.8, "A leaves."), (20.0, "End"))


def shown(said=SAID, **until: float) -> tuple[tuple[float, str], ...]:
    """Sentences of a film at the pace of the motion; until : when those end that say that a lane drifts."""
    ends = {one: until[one[1][0]] for one in said if one[1].endswith("drifts.") and one[1][0] in until}
    return Headline("Title", said, until=ends).shown(float, float).said


@pytest.fixture(scope="module")
def tumbling() -> Run:
    """A lane that drifts, comes back and leaves the true motion, one that stays, and the truth."""
    start = {"angular_velocity": (0.01, 10.0, 0.01)}
    return finished(cuboid(duration=4.0, step=0.02, schemes=("explicit", "implicit", "exact"), initial=start))


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        ({}, [(3.0, "A drifts."), (3.2, "A drifts. B leaves."), (4.8, "A drifts. B leaves. A leaves.")]),
        ({"A": 4.8}, [(3.0, "A drifts."), (3.2, "A drifts. B leaves."), (4.8, "B leaves. A leaves.")]),
        ({"A": 3.0 + 0.9 * BRIEF}, [(3.2, "B leaves."), (4.8, "B leaves. A leaves.")]),  # nobody could read it
    ],
)
def test_a_sentence_of_a_film_gives_way_once_it_is_untrue(until: dict[str, float], expected: list) -> None:
    assert list(shown(**until)) == [(0.0, "Title"), *expected, (20.0, "End")]


@pytest.mark.parametrize("end", [20.0, 5.0 + 0.9 * BRIEF])
def test_a_film_that_does_not_say_who_was_right_says_all_that_happened(end: float) -> None:
    found = Headline("Title", SAID[:-1], end=end).shown(float, float)
    assert found.said[-1] == (4.8, "A drifts. B leaves. A leaves.")


def test_a_sentence_of_a_film_waits_where_there_is_no_room_beside_those_that_are_read() -> None:
    """A long one is read for 5 s; what is said beside it keeps its place there."""
    first, second, third = "A flips.", f"B {'b' * 80}.", f"C {'c' * 40}."
    said = (0.0, "Title"), (3.0, second), (4.0, first), (6.0, third), (20.0, "End")
    expected = (0.0, "Title"), (3.0, second), (4.0, f"{second} {first}"), (8.0, f"{first} {third}"), (20.0, "End")
    assert Headline("Title", said).shown(float, float).said == expected


@pytest.mark.parametrize("end", [20.0, SAID[1][0] + 0.9 * BRIEF])
def test_a_film_does_not_end_with_what_was_true_for_a_moment(end: float) -> None:
    brief = Headline("Title", SAID[:2], until={SAID[1]: SAID[1][0] + 0.5 * BRIEF}, end=end)
    assert brief.shown(float, float).said == SAID[:1]


def test_what_is_still_true_of_sentences_that_are_shown_together_stays() -> None:
    said = ((0.0, "Title"), (0.5, "A drifts."), (0.6, "B drifts."), (3.5, "A leaves."), (20.0, "End"))
    assert list(shown(said, A=3.5))[1:3] == [(2.0, "A drifts. B drifts."), (3.5, "B drifts. A leaves.")]


@pytest.mark.parametrize("drifts", [3.0, 4.4])  # it has been read when the lane leaves, or has not
@pytest.mark.parametrize("leaves", [5.0 + 0.9 * BRIEF, 5.0 + 3.0 * BRIEF])
def test_no_sentence_of_a_film_stands_once_it_is_untrue(drifts: float, leaves: float) -> None:
    """Also where what follows is true for too short a time to be read: then the title stands."""
    back = leaves + 0.9 * BRIEF
    texts = "A drifts.", "A leaves.", "A comes back near.", "A comes back."
    said = [*zip((drifts, 5.0, leaves, back), texts, strict=True)]
    until = {one: end for one, (end, _) in pairwise(said)}
    found = Headline("Title", ((0.0, "Title"), *said, (20.0, "End")), until=until).shown(float, float)
    for time in np.arange(0.0, 20.0, 0.05).tolist():
        for (at, text), end in until.items():
            assert text not in found.at(time) or at <= time + 1e-6 < end + 2e-6, (time, text)
    assert found.at(back + 5.0) == "A comes back."
    assert (found.at(5.5) == "A leaves.") == (leaves - 5.0 >= BRIEF)
    assert found.at(leaves + 0.5) in ("Title", "A comes back.")


def test_two_sentences_that_read_alike_end_each_at_its_own_time() -> None:
    """Times in words of a short motion are equal."""
    said = (0.0, "Title"), (1.01, "A drifts."), (1.025, "A leaves."), (1.04, "A drifts."), (1.06, "A comes back.")
    found = Headline("Title", (*said, (2.0, "End")), until={said[1]: 1.025, said[2]: 1.04, said[3]: 1.06})
    film = found.shown(lambda time: 100.0 * time, lambda film: film / 100.0)
    assert [(round(at, 6), text) for at, text in film.said] == [*said, (2.0, "End")]


def test_long_sentences_on_two_lanes_that_are_off_stand_one_after_the_other() -> None:
    """Also where the first one has been read neither long enough nor is true for much longer."""
    first, second = ((time, f"{name} leaves {'the true motion ' * 4}.") for time, name in ((5.0, "A"), (7.5, "B")))
    until = {first: 8.2}
    said = (0.0, "Title"), first, second, (20.0, "End")
    found = Headline("Title", said, until=until, off=frozenset({first[1], second[1]})).shown(float, float)
    assert found.said == said


def test_a_sentence_that_is_too_long_to_stand_beside_another_one_waits_for_its_end() -> None:
    """Both say that lanes are off; the second is longer than what is shown together."""
    first, second = f"A {'a' * 90}.", f"B {'b' * 130}."
    said = ((0.0, "Title"), (1.0, first), (1.5, "C."), (3.1, first), (4.8, second), (20.0, "End"))
    film = Headline("Title", said, until={said[3]: 15.2}, off=frozenset({first, second})).shown(float, float)
    shown = [text for _, text in film.said]
    assert shown[-2:] == [second, "End"]
    assert all(first not in text or second not in text for text in shown)


def test_a_sentence_that_comes_back_while_it_stands_lets_no_other_one_be_shown_before_it() -> None:
    off, back, other = "A is off.", f"B {'b' * 60}.", f"C {'c' * 70}."
    said = (0.0, "Title"), (2.3, off), (5.0, back), (8.0, off), (9.7, back), (11.0, other), (20.0, "End")
    until = {said[1]: 13.2, said[3]: 18.5}
    times = [time for time, _ in Headline("Title", said, until=until, off=frozenset({off})).shown(float, float).said]
    assert times == sorted(times)


def test_what_the_headline_says_of_a_lane_agrees_with_its_mark(tumbling: Run) -> None:
    runs = [tumbling, finished(example("measured-toss"))]  # and a lane that comes back
    said = set()
    for run in runs:
        still = headline_of(run.scenario, run.lanes)
        film = still.shown(lambda time: 4.0 * time, lambda film: film / 4.0)
        times = np.linspace(0.0, max(lane.trajectory.time[-1] for lane in run.lanes), 200)[1:-1].tolist()
        for time, text in [(time, one.at(time)) for one in (still, film) for time in times]:
            for lane in run.lanes:
                for word, mark in (("drifts", "near"), ("leaves", "off"), ("comes back to", "right")):
                    if text.startswith(f"{name_of(lane.scheme)} {word}"):
                        assert mark_at(lane, time) == mark, text
                        said.add(word)
    assert said == {"drifts", "leaves", "comes back to"}


@pytest.mark.parametrize(("word", "low", "high"), [("leaves", 5.0, 20.0), ("drifts from", 0.5, 5.0)])
def test_a_lane_that_swings_about_a_bound_is_said_to_pass_it_again_and_again(
    tumbling: Run, word: str, low: float, high: float
) -> None:
    """Until it stays; one sentence, which is true beside either mark."""
    lane = tumbling.lanes[1]
    angles = np.where(lane.trajectory.time < 1.0, 0.0, 20.0)
    swing = (angles > 0.0) & (lane.trajectory.time < 2.0)
    angles[swing] = np.where(np.arange(np.count_nonzero(swing)) % 4 < 2, high, low)
    swinging = replace(lane.off, degrees=angles, metres=np.zeros_like(angles))
    lane = replace(lane, recording=Recording.of(replace(lane.trajectory, off=None)))
    lane.recording.off = swinging
    found = headline_of(tumbling.scenario, [lane])
    assert found.at(1.5) == f"Implicit {word} the true motion again and again from 1.0 s."
    assert re.fullmatch(r"Implicit leaves the true motion at (1\.9|2\.0) s\.", found.at(2.5))


def test_that_a_lane_is_off_wins_over_events(tumbling: Run) -> None:
    """However many there are, for half of the time at least, and in films too."""
    marks = [Marker(time, "edit", "", f"Edit at {time:.2f} s") for time in np.arange(0.1, 4.0, 0.1).tolist()]
    found = headline(tumbling.scenario, tumbling.lanes, marks, judged=False)
    times = [time for time in np.linspace(0.0, 4.0, 200) if mark_at(tumbling.lanes[0], time) == "off"]
    for one in (found, found.shown(lambda time: 4.0 * time, lambda film: film / 4.0)):
        said = ["Explicit leaves" in one.at(time) for time in times]
        assert np.mean(said) >= 0.5
        assert one is not found or not all(said)
        assert max(len(text) for _, text in one.said) <= LONGEST


def test_the_run_before_is_shown_and_not_ranked(tumbling: Run) -> None:
    lanes = (*tumbling.lanes, *faded(tumbling.lanes))
    assert headline_of(tumbling.scenario, lanes).said == headline_of(tumbling.scenario, tumbling.lanes).said
    assert current(lanes) == list(tumbling.lanes)


def test_a_lane_that_an_edit_sets_on_the_truth_has_not_come_back() -> None:
    """The true motion goes on from the state that the lane had at the edit."""
    start, heavy = {"angular_velocity": (0.01, 10.0, 0.01)}, {"shape": "cuboid", "size": (3, 2, 1), "mass": 2}
    scenario = cuboid(duration=3.4, step=0.02, schemes=("explicit", "implicit"), initial=start)
    run = finished(scenario.changed(edit=[{"time": 2.913, "body": heavy}]))
    explicit = run.lanes[0]
    at = max(time for time in explicit.trajectory.time if time <= 2.913)
    before, after = departure(explicit, at), departure(explicit)
    assert before.verdict == "off"
    assert before.begun is None
    assert (after.begun, after.largest < before.largest) == (at, True)
    assert all(one.left is None or one.left > at for one in after.passages.values())
    assert before.left[10.0] is not None
    assert all(time is None or time > at for time in after.left.values())
    assert verdict(explicit).startswith("Since the edit at 2.913 s: Explicit ")
    assert ranking(run.lanes).endswith(" (since the edit at 2.913 s).")
    flags = [mark.time for mark in departures([explicit])]
    assert before.passages[10.0].left in flags
    told = headline_of(run.scenario, run.lanes)
    assert "leaves" in told.at(at - 0.01)
    assert not any("comes back" in text or "came back" in text for _, text in told.said)
    left = seconds_in_words(before.passages[10.0].left)
    assert not any(f"leaves the true motion at {left}" in text for time, text in told.said if time >= at)


def test_after_the_truth_ends_the_headline_no_longer_says_that_a_lane_drifts(tumbling: Run) -> None:
    explicit = tumbling.lanes[0]
    drifts, leaves = (departure(explicit).passages[bound].left for bound in (1.0, 10.0))
    end = 0.5 * (drifts + leaves)
    known = replace(explicit.truth, valid_until=end, reason="contact")
    cut = replace(explicit, truths={"explicit": known}, recording=Recording.of(replace(explicit.trajectory, off=None)))
    found = headline_of(tumbling.scenario, [cut])
    assert mark_at(cut) == "unknown"
    assert found.at(0.99 * end).startswith("Explicit drifts")
    later = {found.at(time) for time in np.linspace(end, 4.0, 20)}
    assert set(notes([cut])) < later  # and that it flips
    assert not any("drifts" in text for text in later)


def test_variants_say_from_when_on_they_truly_move_otherwise() -> None:
    """Than the scenario as it is, whichever lane comes first, and also after their own lane has ended."""
    run = finished(
        cuboid(
            duration=1.0,
            schemes=("implicit:fast", "implicit", "implicit:same"),
            variants={
                "fast": {"initial": {"angular_velocity": (1e-3, 20.0, 1e-3)}},
                "same": {"initial": {"angular_velocity": (1e-3, 10.0, 1e-3)}},
            },
        )
    )
    fast, usual, alike = run.lanes
    early = replace(fast, recording=Recording.of(replace(fast.trajectory.rows(slice(2)), off=None)))
    apart = np.degrees(10.0 * usual.trajectory.time)  # two turns about one axis, 10 rad/s apart
    for lanes in (run.lanes, [early, usual, alike], [usual, fast]):
        found = headline_of(run.scenario, lanes)
        ((at, text),) = [one for one in found.said if "truly moves otherwise" in one[1]]
        assert text.startswith("Variant fast ")
        assert at == pytest.approx(usual.trajectory.time[np.argmax(apart > 10.0)], abs=1.5e-2)
        assert seconds_in_words(at) in text
    assert "own truth" not in " ".join(one[1] for one in headline_of(run.scenario, [usual, alike]).said)


def test_where_all_are_off_the_closest_by_far_is_named_and_marked_else_who_left_first() -> None:
    lanes = finished(example("top-steady")).lanes
    off = {name_of(lane.scheme): departure(lane) for lane in lanes}
    assert {one.mark for one in off.values()} == {"off"}
    since = sorted((one.passages[10.0].since, name) for name, one in off.items())
    assert ranking(lanes) == f"All are off: {'; '.join(f'from {seconds_in_words(at)} {name}' for at, name in since)}."
    (one, least), (other, most) = sorted(off.items(), key=lambda pair: pair[1].departure)
    scheme = lanes[0].scheme
    assert words_of((scheme, least), (scheme, most)) == ["", ""]
    assert words_of((scheme, least), (scheme, replace(most, last=2.1 * least.last))) == ["closest", ""]
    assert words_of((scheme, least)) == [""]
    (first,) = (lane for lane in lanes if name_of(lane.scheme) == one)
    earlier = next(t for t in first.trajectory.time if _lead(lanes, first, float(t)))
    words = ranking(lanes, float(earlier))
    assert words.startswith(f"All are off; closest: {one}, ")
    assert other not in words


def test_a_lane_that_is_the_truth_is_not_among_all_that_are_off() -> None:
    lanes = finished(example("body-coarse")).lanes
    truth = name_of(next(lane.scheme for lane in lanes if lane.scheme.order is None))
    for time in (None, 1.0, 1.6):
        assert ranking(lanes, time).startswith(f"Right: {truth}; ")


def words_of(*lanes: tuple[Scheme, Departure]) -> list[str]:
    return [nearness(one, lanes) for _, one in lanes]


def test_only_lanes_that_the_headline_ranks_are_the_closest(tumbling: Run) -> None:
    """Not one that has no solution any more, nor the truth; none where a truth is not known or all are alike."""
    explicit, _, exact = tumbling.lanes
    near, off, farther = (replace(departure(explicit), last=angle) for angle in (5.0, 30.0, 100.0))
    scheme, failed = explicit.scheme, replace(off, last=12.0, failed=True)
    assert words_of((scheme, off), (scheme, farther), (scheme, failed)) == ["closest", "", ""]
    assert words_of((scheme, near), (scheme, off), (exact.scheme, departure(exact))) == ["closest", "", ""]
    assert words_of((scheme, near), (scheme, off), (scheme, replace(farther, known=False))) == ["near", "", ""]
    assert words_of((scheme, near), (scheme, near)) == ["near", "near"]


def test_where_a_film_ends_before_its_scenario_headline_and_lines_name_the_same_lane() -> None:
    """Lanes are compared where the film ends; at the scenario's end none is the closest."""
    run = finished(example("top-steady"))
    tracks = [LaneTrack(lane, np.zeros(3)) for lane in run.lanes]
    for last in (0.1, 0.5, 1.2, 1.6, 2.0):
        film = headline_of(run.scenario, run.lanes, last)
        assert film.end == last
        for lane, track in zip(run.lanes, tracks, strict=True):
            title = name_of(lane.scheme)
            words = standing(track, last, tracks, film.end).text.split()
            assert ("closest" in words) == (re.search(rf"[Cc]losest: {title}\b", film.at(last)) is not None), last


def _lead(lanes, first, time: float) -> bool:
    """True if all lanes are off at a time [s] and the first one is the closest by far."""
    found = {lane.scheme.name: departure(lane, time) for lane in lanes}
    own = found.pop(first.scheme.name)
    return own.mark == "off" and all(one.departure > 2.0 * own.departure for one in found.values())
