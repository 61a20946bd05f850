"""The look: what scenario and session say of a picture is the same, and places of a camera are told in one way."""

from __future__ import annotations

import pytest

from app.document.look import CameraPlace, Look
from app.document.session import SavedSession, SessionView, from_toml, to_toml
from physics import Scenario, ScenarioError
from physics.simulation.schedule import Schedule
from tests import small

BESIDE = {"position": (3.0, -4.0, 2.0), "focus": (0.0, 0.0, 0.5)}
RESULTS = {"results": "/out", "map": "velocity_q95", "colour": "speed", "whose": "implicit"}
SWITCHES = {"compare": True, "logarithmic": True}
ALL = Look(layout="overlay", camera="top", viewpoint=BESIDE, overlays=("axes", "trails"), **SWITCHES, **RESULTS)


def test_what_a_look_says_is_found_in_the_scenario_that_it_is_put_into() -> None:
    assert set(ALL.said) == set(Look.places())
    assert Look.of(ALL.put_into(small.rock())) == ALL


def test_a_camera_that_was_moved_takes_the_place_of_a_list_of_cameras() -> None:
    listed = small.cuboid(view={"cameras": ({"time": 0.0, "mode": "top"},)})
    assert Look(camera="top").put_into(listed).view.cameras == listed.view.cameras
    assert Look(viewpoint=BESIDE).put_into(listed).view.cameras == ()


def test_of_results_only_those_that_are_drawn_are_put_into_a_scenario() -> None:
    scenario = small.rock(export={"results": "/before", "map": "velocity_max"})
    assert Look(results="/out", whose="implicit").put_into(scenario) == scenario
    drawn = Look(results="/out", colour="speed").put_into(scenario)  # paths, in place of the map
    assert (drawn.export.results, drawn.export.map, drawn.view.colour) == ("/out", None, "speed")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({}, "viewpoints.0.viewpoint: missing"),
        ({"viewpoint": BESIDE, "eye": (1.0,) * 9}, "viewpoints.0.eye: unknown key"),
        ({"viewpoint": BESIDE | {"focus": BESIDE["position"]}}, "viewpoints.0.viewpoint.focus: expected another point"),
    ],
)
def test_a_wrong_place_of_a_camera_is_named(place: dict, words: str) -> None:
    text = to_toml(SavedSession(Schedule((small.cuboid(),))))
    told = ", ".join(f"{key} = {value(inner)}" for key, inner in ({"name": "a"} | place).items())
    with pytest.raises(ScenarioError, match=f"session.{words}"):
        from_toml(text.replace("viewpoints = []", f"viewpoints = [{{ {told} }}]"))


def value(inner: object) -> str:
    """A value of a file."""
    if isinstance(inner, dict):
        return "{ " + ", ".join(f"{key} = {value(one)}" for key, one in inner.items()) + " }"
    return str(list(inner)) if isinstance(inner, tuple) else f'"{inner}"'


def test_a_saved_place_is_told_in_a_file_as_the_viewpoint_of_a_view_is() -> None:
    place = CameraPlace(name="here", camera="top", viewpoint=BESIDE)
    text = to_toml(SavedSession(Schedule((small.cuboid(),)), SessionView(viewpoint=BESIDE, viewpoints=[place])))
    found = from_toml(text).look
    assert found.viewpoints == [place]
    assert found.viewpoints[0].viewpoint == found.viewpoint
    assert isinstance(found.put_into(small.cuboid()), Scenario)
