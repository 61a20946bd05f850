"""Files of an earlier version (2026-11, before modules moved into rooms) open and give the same numbers.

``tests/earlier`` holds a scenario with its trajectory and picture, a session with an edit, one with saved viewpoints in
the coordinates of the stage, and results of an ensemble.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import physics
from app.__main__ import main
from app.document.look import on_map
from app.document.open import saved_for, scenario_for
from app.document.results_folder import scenario_of_results
from app.document.session import load_session, to_toml
from app.hazard.saved import SavedEnsemble
from app.hazard.source import Query
from physics.core.arithmetic import elementary_functions

HERE = Path(__file__).with_name("earlier")
COLUMNS = (
    "time",
    "position",
    "orientation",
    "velocity",
    "angular_velocity",
    "kinetic_energy",
    "potential_energy",
    "spin",
)


def written_with_this_arithmetic(facts: dict) -> bool:
    return facts["elementary_functions"] == elementary_functions()


def rocks_of(file: Path) -> dict[str, np.ndarray]:
    """The columns of a table of rocks."""
    table = np.genfromtxt(
        file, delimiter=",", names=True, dtype=None, encoding="ascii", deletechars="", replace_space=" "
    )
    return {name: table[name] for name in table.dtype.names}


def test_a_scenario_gives_the_trajectories_that_it_gave():
    runs = physics.simulate(physics.load_scenario(HERE / "cuboid.toml"))
    with np.load(HERE / "cuboid.npz", allow_pickle=False) as file:
        same = written_with_this_arithmetic(json.loads(str(file["meta"]))["platform"])
        assert {name.split("/")[0] for name in file.files} - {"meta"} == set(runs)
        for name, run in runs.items():
            for column in COLUMNS:
                found, known = getattr(run, column), file[f"{name}/{column}"]
                assert found.shape == known.shape
                assert same <= (found.tobytes() == known.tobytes()), (name, column)
                np.testing.assert_allclose(found, known, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["cuboid.npz", "cuboid.png"])
def test_a_trajectory_and_a_picture_open_as_the_scenario_that_they_were_made_from(name):
    scenario, found = physics.load_scenario(HERE / "cuboid.toml"), scenario_for(HERE / name)
    plain = {key: value for key, value in found.to_plain().items() if key not in ("view", "export")}
    assert plain == scenario.to_plain()


def test_a_session_opens_with_its_edit_and_its_playhead_and_is_saved_as_it_was():
    found = load_session(HERE / "cuboid.polhode.toml")
    assert found.schedule.times == (0.0, 1.0)
    assert [scenario.body.mass for scenario in found.schedule.scenarios] == [1.0, 3.0]
    assert (found.look.time, found.look.speed, found.look.loop) == (1.25, 0.5, "ping-pong")
    assert to_toml(found, HERE) == (HERE / "cuboid.polhode.toml").read_text()


def test_a_folder_of_results_opens_with_its_scenario_its_rocks_and_its_maps():
    scenario = scenario_of_results(HERE / "results")
    assert scenario.to_plain() == physics.load_scenario(HERE / "slope.toml").to_plain()
    assert saved_for(HERE / "results").look.results == str(HERE / "results")
    results = SavedEnsemble(HERE / "results", scenario)
    try:
        assert results.done == 4
        assert set(results.row(3)) == {"explicit", "implicit"}
        snapshot = results.see(Query(("explicit", "implicit"), "passages"))
        assert {name: int(np.nansum(left.values) > 0) for name, left in snapshot.left.items()} == {
            "explicit": 1,
            "implicit": 1,
        }
    finally:
        results.close()


def test_an_ensemble_gives_the_rocks_that_it_gave(tmp_path):
    """To 1e-7: since contacts that stick are solved to rounding, rocks differ by what their sweeps left, 1e-8 m/s."""
    known = json.loads((HERE / "results" / "summary.json").read_text())
    assert main(["ensemble", str(HERE / "slope.toml"), "-o", str(tmp_path / "out"), "--quiet"]) == 0
    if written_with_this_arithmetic(known["platform"]):
        found, before = (rocks_of(folder / "rocks.csv") for folder in (tmp_path / "out", HERE / "results"))
        assert found.keys() >= before.keys()  # later columns stand behind
        gained = found.pop("energy_gain [J]"), before.pop("energy_gain [J]")
        assert np.all(np.abs(gained) < 1e-7)
        for name, values in before.items():
            if values.dtype.kind == "f":
                np.testing.assert_allclose(found[name], values, rtol=1e-7, err_msg=name)
            else:
                assert found[name].tolist() == values.tolist(), name
    told = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert told["scenario"] == known["scenario"]
    assert told.keys() == known.keys() | {"counting", "lines", "maps"}  # which it has since


def test_saved_viewpoints_in_the_coordinates_of_the_stage_become_places_on_the_map():
    saved = load_session(HERE / "places.polhode.toml")
    world = physics.World.of(saved.schedule.scenario)
    middle, higher = np.array([223.0, 0.0, 0.0]), (1.0, 1.0, 2.0)  # of the ramp, whose heights are drawn twice as high
    still, above, beside = (on_map(place, world) for place in saved.look.viewpoints)
    for place, position, focus in (
        (still, (12.0, -30.0, 40.0), (1.0, 2.0, 10.0)),
        (above, (1.0, 2.0, 60.0), (1.0, 2.0, 0.0)),
    ):
        np.testing.assert_allclose(place.viewpoint.position, position / np.array(higher) + middle)
        np.testing.assert_allclose(place.viewpoint.focus, focus / np.array(higher) + middle)
    assert above.viewpoint.up == (0.0, 1.0, 0.0)
    assert (beside.viewpoint.position, beside.viewpoint.focus) == ((3.0, -4.0, 2.0), (0.0, 0.0, 0.5))
    assert [place.camera for place in (still, above, beside)] == ["fit", "top", "follow"]


def test_a_session_with_places_in_the_coordinates_of_the_stage_is_saved_as_it_was():
    assert to_toml(load_session(HERE / "places.polhode.toml"), HERE) == (HERE / "places.polhode.toml").read_text()
