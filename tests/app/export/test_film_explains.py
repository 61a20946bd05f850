"""A film explains itself: a headline, slow motion at flips and first impacts, a pause, a verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from test_film_cards import listed, words

from app.document.recipe import EXPLAINED, VERDICT, recipe, scenario_of
from app.export.film_script import FilmScript
from app.export.film_times import SLOWED, chapters_of, frame_times, timeline_of
from app.export.offscreen_stage import studio
from app.export.video import end_card, write_video
from app.playback.headline import READ, headline_of
from app.playback.markers import flips, impacts
from app.playback.verdicts import departure, notes, ranking, seconds_in_words, verdict
from physics import Scenario, ScenarioError, World, load_scenario
from tests import small
from tests.app.commanding import CUBOID, complaint, polhode
from tests.app.staging import FALL, finished

NOTE = "The Dzhanibekov effect: e.g. a cuboid flips. The explicit scheme (Leine et al. 2021) does not."
EXPORT = {"size": (640, 360), "fps": 10.0}
FILM = EXPLAINED.model_dump()


@pytest.fixture(scope="module")
def flipping():
    """A cuboid that flips: one lane leaves the true motion, two stay."""
    run = finished(
        small.cuboid(
            note=NOTE,
            duration=12.0,
            schemes=("explicit", "implicit", "exact"),
            initial={"angular_velocity": (0.01, 10.0, 0.01)},
            export=EXPORT,
        )
    )
    return run.world, run.lanes


@pytest.fixture(scope="module")
def falling():
    """A rock that hits the ground several times."""
    run = finished(FALL.changed(export=EXPORT))
    return run.world, run.lanes


def explained(run, film=FILM, **export):
    world, lanes = run
    return replace(world, scenario=world.scenario.changed(film=film, export=EXPORT | export)), lanes


# ---- times ---------------------------------------------------------------------------------------------


def test_without_a_film_table_the_frames_are_those_of_the_speed_and_nothing_is_added(flipping) -> None:
    world, lanes = explained(flipping, {}, speed=0.5, first=2.0)
    script = FilmScript.of(world, lanes)
    np.testing.assert_array_equal(script.times[:-1], 2.0 + frame_times(10.0, 10.0, 0.5)[:-1])
    assert script.times[-1] == 12.0  # the last state
    picture = np.zeros((360, 640, 3), np.uint8)
    assert [one is picture for one in script.frames(iter([picture]))] == [True]
    assert "[film]" not in recipe(world.scenario)


@pytest.mark.parametrize(("speed", "slow", "first"), [(1.0, 0.25, 0.0), (0.5, 0.1, 1.3), (2.0, 0.5, 0.0)])
def test_a_film_is_slower_around_flips_and_as_fast_as_ever_elsewhere(flipping, speed, slow, first) -> None:
    world, lanes = explained(flipping, {"slow": slow}, speed=speed, first=first, fps=100.0)
    timeline = timeline_of(world.scenario, lanes)
    times = timeline.times(100.0)
    assert times[0] == first
    assert 12.0 - times[-1] <= speed / 100.0 + 1e-9
    np.testing.assert_allclose([timeline.at(time) for time in times[::50]], np.arange(len(times))[::50] / 100.0)
    pace = np.diff(times) * 100.0
    slowed = np.isclose(pace, slow * speed)
    whole = slowed | np.isclose(pace, speed)  # between two frames that the pace is the same at
    assert np.sum(~whole) <= 2 * 6
    assert slowed.any()
    inside = np.array([timeline.slows((number + 0.5) / 100.0) for number in range(len(pace))])
    np.testing.assert_array_equal(slowed[whole], inside[whole])
    turned = np.concatenate([flips(lane.trajectory, lane.world) for lane in lanes])
    distance = np.abs(times[:-1, None] - turned).min(axis=1)
    assert distance[slowed].max() <= 0.5 * speed + 0.01
    assert not slowed[distance > 0.5 * speed + 0.01].any()
    assert slowed[np.abs(times[:-1] - turned[turned > first].min()) < 0.4 * speed].all()
    assert np.sum(np.diff(times)[slowed]) <= SLOWED * speed + 0.01
    assert len(times) == pytest.approx(100.0 * timeline.length, abs=1)
    assert np.mean(inside) <= 1.0 / 3.0 + 0.01  # of the film


@pytest.mark.parametrize(("length", "film"), [(30.0, FILM), (7.77, {"slow": 0.1}), (5.0, {}), (600.0, FILM)])
def test_a_film_lasts_as_long_as_is_wanted_and_a_third_of_it_at_most_is_slower(flipping, length, film) -> None:
    cards = {"title_card": 1.0, "end_card": 2.5}
    world, lanes = explained(flipping, film, length=length, first=2.0, **cards)
    script, timeline = FilmScript.of(world, lanes), timeline_of(world.scenario, lanes)
    assert len(script.times) + script.held + 35 == round(10.0 * length)
    assert (script.times[0], script.times[-1]) == (2.0, 12.0)
    slowed = [timeline.slows(at) for at in np.linspace(0.0, timeline.length, 2000, endpoint=False)]
    assert np.mean(slowed) <= 1.0 / 3.0 + 1e-3
    assert any(slowed) == bool(film)
    same, _ = explained(flipping, film, speed=timeline.usual, first=2.0, **cards)  # a film of the pace that comes out
    np.testing.assert_allclose(timeline_of(same.scenario, lanes).bounds, timeline.bounds, rtol=1e-3)
    assert script.world.scenario.export.speed == timeline.usual  # the camera's orbit and the end card have it


def test_of_the_impacts_of_a_rock_only_the_first_are_slow(falling) -> None:
    world, lanes = explained(falling)
    timeline = timeline_of(world.scenario, lanes)
    found = [[at for at, _ in impacts(lane.trajectory, 9.81)] for lane in lanes]
    first = [times[0] for times in found]
    for at in first:
        assert timeline.slows(timeline.at(at))
    later = [
        at for lane in lanes for at, _ in impacts(lane.trajectory, 9.81) if min(abs(at - one) for one in first) > 0.6
    ]
    assert later
    assert not any(timeline.slows(timeline.at(at)) for at in later)


# ---- captions ------------------------------------------------------------------------------------------


def shown(run):
    """The headline of a film, and its timeline."""
    world, lanes = run
    found = FilmScript.of(world, lanes).headline
    assert found is not None
    return found, timeline_of(world.scenario, lanes)


def test_a_headline_says_what_the_scene_is_what_happens_and_who_was_right(flipping) -> None:
    world, lanes = explained(flipping)
    found, timeline = shown((world, lanes))
    assert found.said[0] == (0.0, found.title)
    left = departure(lanes[0])
    assert left is not None
    at = left.passages[10.0].left
    assert at is not None
    time, _ = next(one for one in found.said if f"leaves the true motion at {at:.1f} s" in one[1])
    assert time >= at - 1e-6  # nothing is said before it is seen
    assert not any("drifts" in text for _, text in found.said)  # by then it is off
    turned = [text for _, text in found.said if "Flip at" in text]
    assert any("Implicit, Exact; not Explicit" in text for text in turned)
    assert found.said[-1] == (12.0, ranking(lanes, 12.0))
    assert found.at(12.0) == ranking(lanes, 12.0) != found.at(11.99)
    film = np.arange(0.0, timeline.at(12.0), 0.1)
    for _, text in headline_of(world.scenario, lanes).said[:-1]:
        stands = sum(text in found.at(timeline.time(one)) for one in film)
        assert stands == 0 or 0.1 * stands >= READ[0] - 0.1  # long enough to be read


def test_a_length_that_leaves_no_frame_for_the_motion_is_refused(flipping) -> None:
    for length, film, said in (
        (5.0, FILM, r"more than the 11 s of cards .*, got 5"),
        (0.01, {}, "a frame, 0.1 s, got"),
    ):
        end = 8.0 if film else 0.0
        with pytest.raises(ScenarioError, match=rf"export\.length: expected .*{said}"):
            FilmScript.of(*explained(flipping, film, length=length, end_card=end))


@pytest.mark.parametrize("time", [0.0, 0.5, 3.0, 11.0, 12.0])
def test_a_headline_is_never_empty(flipping, falling, time: float) -> None:
    for run in (flipping, falling):
        assert shown(explained(run))[0].at(time)


def test_where_contact_hides_the_truth_the_headline_says_so(falling) -> None:
    world, lanes = explained(falling)
    found, _ = shown((world, lanes))
    (note,) = notes(lanes)
    assert lanes[0].truth is not None
    assert next(time for time, text in found.said if note in text) >= lanes[0].truth.valid_until - 1e-6
    until = seconds_in_words(lanes[0].truth.valid_until)
    assert found.at(4.0).startswith(f"No truth after {until}; run-out: ")  # how far the rocks ran out


def test_a_films_own_captions_stand_at_their_times(flipping) -> None:
    texts = [{"time": 1.0, "text": "One"}, {"time": 3.0, "text": "Two"}, {"time": 9.0, "text": "Three"}]
    found, _ = shown(explained(flipping, {"captions": texts}, speed=0.5))
    assert [found.at(time) for time in (0.5, 1.0, 2.9, 3.1, 12.0)] == [found.title, "One", "One", "Two", "Three"]


def test_the_picture_that_is_held_is_the_last_state_and_its_sentence_is_about_it(flipping) -> None:
    world, lanes = explained(flipping, speed=1.3, last=9.1)
    script = FilmScript.of(world, lanes)
    assert script.times[-1] == 9.1
    assert script.held == 30
    assert script.headline.at(9.1) == ranking(lanes, 9.1)
    assert script.headline.at(float(script.times[-2])) != ranking(lanes, 9.1)


@pytest.mark.parametrize("change", [{"film": {"captions": "none"}}, {"export.transparent": True}])
def test_a_film_without_captions_or_sky_has_no_headline(flipping, change) -> None:
    world, lanes = flipping
    assert FilmScript.of(replace(world, scenario=world.scenario.changed(**change)), lanes).headline is None


# ---- pictures ------------------------------------------------------------------------------------------


def test_a_film_with_a_headline_differs_there_and_shows_when_it_is_slow(flipping, tmp_path: Path) -> None:
    look = {"size": (320, 180), "fps": 2.0, "first": 0.0, "last": 4.0}
    pictures = {}
    for name, film in (("none", {"captions": "none"}), ("explained", FILM), ("slow", {"slow": 0.5})):
        world, lanes = explained(flipping, film, **look)
        write_video(world, lanes, tmp_path / name)
        pictures[name] = [np.asarray(Image.open(path)) for path in sorted((tmp_path / name).iterdir())]
        assert len(pictures[name]) == round(2.0 * timeline_of(world.scenario, lanes).length) + (
            6 if film == FILM else 0
        )
    assert len(pictures["none"]) == 8 < len(pictures["slow"]) < len(pictures["explained"])
    assert {picture.shape for film in pictures.values() for picture in film} == {(180, 320, 3)}
    *_, before, last = pictures["explained"]
    np.testing.assert_array_equal(before, last)  # the pause
    heads = {bytes(picture[:20, :200]) for picture in pictures["explained"]}
    assert len(heads) >= 3  # what the scene is, that a lane leaves, who was right
    paces = FilmScript.of(*explained(flipping, FILM, **look)).headline
    assert {paces.pace(time) for time in np.linspace(0.0, 4.0, 100)} == {1.0, 0.25}


def test_an_inset_says_why_a_body_flips_while_it_does_so_for_the_first_time(flipping) -> None:
    world, lanes = explained(flipping)
    headline, timeline = FilmScript.of(world, lanes).headline, timeline_of(world.scenario, lanes)
    first = min(flips(lane.trajectory, lane.world)[0] for lane in lanes)
    np.testing.assert_allclose(timeline.at(first) - np.array(list(map(timeline.at, headline.flip))), [2.0, -2.0])
    times = [headline.flip[0] - 0.1, first, headline.flip[1] + 0.1]

    def inset(world: World) -> list[np.ndarray]:
        """Places where pictures differ from those of a headline without inset."""
        with studio(world, lanes, headline=headline) as take:
            pictures = [take(time) for time in times]
        with studio(world, lanes, headline=replace(headline, flip=None)) as take:
            return [(one != take(time)).any(axis=2) for one, time in zip(pictures, times, strict=True)]

    before, now, after = inset(world)
    assert not before.any()
    assert not after.any()
    rows, columns = np.nonzero(now)
    assert all(0.2 * 360 < np.ptp(one) < 0.33 * 360 for one in (rows, columns))
    assert rows.max() < 360 - 25  # above the lines of lanes
    assert columns.min() < 640 / 3 < columns.max()  # between the first two of three
    clean = replace(world, scenario=world.scenario.changed(**{"export.captions": False}))
    assert not any(one.any() for one in inset(clean))
    own = {"captions": [{"time": 0.0, "text": "One"}]}
    assert FilmScript.of(*explained(flipping, own)).headline.flip is None


# ---- chapters, cards and the command ---------------------------------------------------------------------


def test_chapters_say_when_lanes_leave_and_where_the_verdict_is(flipping) -> None:
    world, lanes = explained(flipping, fps=10.0, end_card=8.0)
    timeline = timeline_of(world.scenario, lanes)
    frames = len(timeline.times(10.0)) + 30 + 80
    chapters = chapters_of(world.scenario, lanes, frames)
    left = departure(lanes[0])
    assert left is not None
    for bound, word in ((1.0, "drifts from"), (10.0, "leaves")):
        at = left.passages[bound].left
        assert at is not None
        (found,) = [one for one in chapters if f"{word} the true motion at {at:.1f} s" in one.name]
        assert found.start == pytest.approx(timeline.at(at))
    assert [one.name for one in chapters[-2:]] == ["Verdict", "What was shown"]
    assert [frames / 10.0 - one.start for one in chapters[-2:]] == pytest.approx([11.0, 8.0])
    assert len([one for one in chapters if "flip at" in one.name]) <= 8


def test_the_end_card_has_the_verdicts_and_the_sources(flipping) -> None:
    world, lanes = explained(flipping)
    last = words(end_card(world.scenario, lanes))
    for lane in lanes:
        assert verdict(lane) in last
        assert lane.scheme.short in last
    short, _ = explained(flipping, last=5.0)  # a film says nothing of what it does not show
    assert verdict(lanes[0], 5.0) in words(end_card(short.scenario, lanes))
    assert verdict(lanes[0], 5.0) != verdict(lanes[0])
    plain, lanes = explained(flipping, {"captions": "none"})
    assert verdict(lanes[0]) not in words(end_card(plain.scenario, lanes))


def test_a_film_of_a_wanted_length_replaces_the_speed_of_its_file_and_holds_the_length(tmp_path: Path) -> None:
    path, film, again = tmp_path / "scenario.toml", tmp_path / "film.mp4", tmp_path / "again.mp4"
    path.write_text(CUBOID + "[export]\nspeed = 0.5\nsize = [160, 90]\nfps = 5\n")
    assert polhode("video", path, "-o", film, "--length", "3.2", "--end-card", "1").status == 0
    assert imageio_ffmpeg.count_frames_and_secs(str(film))[0] == 16
    assert scenario_of(film).export.length == 3.2
    assert polhode("video", film, "-o", again, "--speed", "0.25", "--end-card", "0").status == 0
    assert imageio_ffmpeg.count_frames_and_secs(str(again))[0] == round(5.0 * scenario_of(film).duration / 0.25)
    assert "not allowed with" in complaint("video", path, "-o", film, "--length", "3", "--speed", "1")


def test_the_command_makes_a_film_that_can_be_made_again(tmp_path: Path) -> None:
    path, film = tmp_path / "scenario.toml", tmp_path / "film.mp4"
    path.write_text('title = "A turn"\nnote = "Look at it."\n' + CUBOID.replace("[1e-3, 1e-3, 10.0]", "[1, 10, 1]"))
    look = "--size", "160x90", "--fps", "5", "--duration", "4"
    assert polhode("video", path, "-o", film, "--explain", *look).status == 0
    scenario = scenario_of(film)
    assert scenario.film == EXPLAINED
    assert scenario.export.end_card == VERDICT
    run = finished(scenario)
    length = timeline_of(scenario, run.lanes).length + 3.0 + VERDICT
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(film))
    assert seconds == pytest.approx(length, abs=0.25)
    assert frames == pytest.approx(5.0 * length, abs=1)
    names = [name for _, _, name in listed(film)]
    assert names[0] == "A turn"
    assert names[-2:] == ["Verdict", "What was shown"]
    assert any("leaves the true motion" in name for name in names)
    again = tmp_path / "again.mp4"
    assert polhode("video", film, "-o", again).status == 0
    assert again.read_bytes() == film.read_bytes()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("slow = 0", r"film\.slow: expected a number above 0, got 0"),
        ("slow = 1.5", r"film\.slow: expected a number of at most 1, got 1\.5"),
        ("slow = 1e-9", r"film\.slow: .* frames in slow motion are more than .* got 1e-09"),
        ("pause = 90", r"film\.pause: .*60, got 90"),
        ('captions = "some"', r"film\.captions: expected 'auto' or 'none', got 'some'"),
        ("captions = 3", r"film\.captions: expected 'auto' or 'none', got 3"),
        ("captions = []", r"film\.captions: expected at least 1 value, got none"),
        ('captions = [{ time = 0.1, text = " " }]', r"film\.captions\.0\.text: expected a sentence, got an empty text"),
        ("captions = [{ time = 0.1 }]", r"film\.captions\.0\.text: missing|film\.captions.*: expected"),
        ('captions = [{ time = -1, text = "a" }]', r"film\.captions\.0\.time: expected a number of at least 0, got -1"),
        (
            'captions = [{ time = 0.2, text = "a" }, { time = 0.1, text = "b" }]',
            r"film\.captions: expected rising times, got \[0\.2, 0\.1\]",
        ),
        (
            'captions = [{ time = 0.1, text = "a" }, { time = 0.5, text = "b" }]',
            r"film\.captions\.1\.time: expected a time in the film, from 0 to less than 0\.5 s, got 0\.5",
        ),
        ("[export]\nlength = 0", r"export\.length: expected a number above 0, got 0"),
        ("[export]\nlength = nan", r"export\.length: .*nan"),
        ("[export]\nlength = 1e7", r"export\.length: 3e\+08 frames are more than .*; expected a shorter film"),
        ("pause = 3\n[export]\nlength = 3", r"export\.length: expected more than the 3 s of cards .*, got 3"),
        ("[export]\nlength = 9\nspeed = 1", r"export\.length: expected either length or speed"),
        ('caption = "auto"', r"film\.caption: unknown key; did you mean 'captions'\?"),
    ],
)
def test_a_wrong_film_table_is_one_sentence(tmp_path: Path, table: str, said: str) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(f"{CUBOID}[film]\n{table}\n")
    complained = complaint("video", path, "-o", tmp_path / "film.mp4", "--size", "96x64")
    assert re.search(rf"scenario\.toml: .*({said})", complained), complained
    assert not (tmp_path / "film.mp4").exists()


def test_captions_after_the_end_of_a_motion_that_ends_early_are_refused(falling) -> None:
    world, lanes = falling
    scenario = world.scenario.changed(duration=60.0, film={"captions": [{"time": 50.0, "text": "Late"}]})
    with pytest.raises(ScenarioError, match=r"film\.captions\.0\.time: .* less than 4 s, got 50"):
        FilmScript.of(replace(world, scenario=scenario), lanes)


def test_a_film_table_acts_on_no_run_and_stays_in_files(tmp_path: Path) -> None:
    scenario = Scenario(**(small.cuboid().to_plain() | {"film": FILM}))
    path = tmp_path / "again.toml"
    path.write_text(recipe(scenario))
    assert load_scenario(path).film == EXPLAINED
