"""What was measured on a slope: files of stops, tracks and passages, and what is wrong with bad ones."""

import numpy as np
import pytest

import physics
from physics.systems.rockfall import observations
from physics.systems.world import World
from tests import small
from tests.small import features


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_run_out_is_told_or_follows_from_the_release(tmp_path):
    text = "name,X [m],y [m],release_x,release_y,runout [m]\na,3,4,0,0,\nb,3,4,,,7.5\nc,3,4,,,\n"
    stops = observations.read_stops(written(tmp_path, "stops.csv", text))
    assert stops.runouts[:2].tolist() == [5.0, 7.5]
    assert np.isnan(stops.runouts[2])
    assert stops.places.tolist() == [[3.0, 4.0]] * 3


def test_tracks_are_told_apart_by_their_names_in_the_order_of_their_points(tmp_path):
    text = "track,x,y,z\nb,0,0,5\na,1,1,\nb,2,0,4\na,3,1,2\n"
    b, a = observations.read_tracks(written(tmp_path, "tracks.csv", text))
    assert (b.name, a.name) == ("b", "a")
    assert b.points.tolist() == [[0, 0, 5], [2, 0, 4]]
    assert np.isnan(a.points[0, 2])


def test_passages_have_a_velocity_or_a_height(tmp_path):
    found = observations.read_passages(written(tmp_path, "p.csv", "screen,x,y,velocity\nroad,1,2,12.5\nroad,2,2,\n"))
    assert found.screens == ("road", "road")
    assert found.velocities[0] == 12.5
    assert np.isnan(found.velocities[1])
    assert np.isnan(found.heights).all()


WRONG = {
    "stops": {
        "x,y\n1,2\n3,four\n": r"line 3, y: expected a number below 1e9, got 'four'",
        "x,y\n1,\n": r"line 2, y: expected a number below 1e9, got ''",
        "x,y\n1,nan\n": r"line 2, y: expected a number",
        "x,y,runout\n1,2,-3\n": r"line 2, runout: expected 0 or more, got -3",
        "x,y,release_x,release_y\n1,2,3,\n": r"line 2, release_y: missing beside release_x",
        "x,y,release_x\n1,2,3\n": r"line 2, release_y: missing beside release_x",
        "x,runout\n1,2\n": r"line 1: no column 'y'; expected x, y",
        "x,y,speed\n1,2,3\n": r"line 1: the column 'speed' would do nothing; expected x, y; also runout",
        "x,y,x\n1,2,3\n": r"line 1: expected one column 'x'",
        "x,y\n": r"no stops below the headings",
        "x,y\n1,2,3\n": r"line 2: expected 2 columns, got 3",
    },
    "tracks": {
        "x,y\n1,2\n": r"line 1: no column 'track'",
        "track,x,y\na,1,2\nb,1,2\nb,3,4\n": r"line 2, track: 'a' has one point; expected two or more",
    },
    "passages": {"screen,x,y\na,1,2\n": r"line 1: expected a column velocity \[m/s\] or height \[m\]"},
}


@pytest.mark.parametrize(("what", "text"), [(what, text) for what, cases in WRONG.items() for text in cases])
def test_bad_files_are_refused_by_line_and_column(tmp_path, what, text):
    path = written(tmp_path, "bad.csv", text)
    with pytest.raises(physics.ScenarioError, match=rf"bad\.csv: {WRONG[what][text]}"):
        getattr(observations, f"read_{what}")(path)


def test_a_world_knows_what_was_measured_on_it_and_tells_what_lies_elsewhere(tmp_path):
    written(tmp_path, "stops.csv", "x,y,runout\n10,0,10\n1e6,0,20\n")
    scenario = small.rock(duration=1.0, observed={"stops": "stops.csv"}, folder=str(tmp_path))
    world = World.of(scenario)
    assert world.observed.stops.runouts.tolist() == [10.0, 20.0]
    assert "1 of 2 stops in stops.csv lie off the map" in world.notes
    assert world.files == {}  # what was measured changes nothing of a motion, nor whether an ensemble may go on


def test_a_file_that_is_missing_is_named(tmp_path):
    scenario = small.rock(duration=1.0, observed={"tracks": "tracks.csv"}, folder=str(tmp_path))
    with pytest.raises(physics.ScenarioError, match=r"tracks\.csv: no such file; expected tracks"):
        World.of(scenario)


def test_stops_are_counted_in_the_later_of_two_zones(tmp_path):
    rings = {name: [[a, -5], [b, -5], [b, 5], [a, 5], [a, -5]] for name, a, b in (("slope", 0, 20), ("bench", 10, 30))}
    squares = [({"name": name}, {"type": "Polygon", "coordinates": [ring]}) for name, ring in rings.items()]
    path = written(tmp_path, "z.geojson", features(*squares))
    scenario = small.rock(duration=1.0, observed={"zones": path.name}, folder=str(tmp_path))
    zones = World.of(scenario).observed.zones
    assert observations.zone_names(zones) == ["slope", "bench", "elsewhere"]
    places = np.array([[5.0, 0.0], [15.0, 0.0], [25.0, 0.0], [90.0, 0.0]])
    assert observations.shares(places, zones).tolist() == [0.25, 0.5, 0.25]
