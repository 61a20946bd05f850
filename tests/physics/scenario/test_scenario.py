"""Scenario files: every wrong value is one sentence that names the field."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

import physics
from physics import ScenarioError
from physics.scenario.file_references import check_names

FREE = {
    "kind": "free",
    "duration": 20.0,
    "step": 0.01,
    "body": {"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
    "initial": {"angular_velocity": [0, 0, 1]},
}
ROCK = {
    "kind": "rockfall",
    "duration": 20.0,
    "step": 0.002,
    "body": {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780},
    "terrain": {"profile": "ramp"},
}
NAN, INF = float("nan"), float("inf")
WRONG = [
    (FREE, "body.mass", -1, "body.mass: expected a number above 0"),
    (FREE, "body.mass", True, "body.mass: expected a number"),
    (FREE, "body.mass", "7", "body.mass: expected a number"),
    (FREE, "body.mas", 1, "body.mas: unknown key; did you mean 'mass'?"),
    (FREE, "body.density", 3.0, "expected mass or density, got both"),
    (FREE, "body.size", [1, 2], "body.size: expected more than 2 values"),
    (FREE, "body.size", [1, 2, "x"], "body.size.2: expected a number"),
    (FREE, "body.size", [1, 2, 0], "body.size.2: expected a number above 0"),
    (FREE, "body.inertia", [1, 1, 0], "body.inertia.2: expected a number above 0"),
    (FREE, "body.shape", "cubiod", "body.shape: expected 'cuboid'"),
    (FREE, "body", 3, "body: expected"),
    (FREE, "step", 0, "step: expected a number above 0"),
    (FREE, "step", NAN, "step: expected"),
    (FREE, "step", 30.0, "step: expected at most the duration"),
    (FREE, "step", 1e-12, "record_every"),
    (FREE, "duration", INF, "duration: expected a finite number"),
    (FREE, "duration", None, "duration: expected a number"),
    (FREE, "kind", "fre", "kind: expected 'free', 'top', 'vessel', "),
    (FREE, "initial.orientation", [1, 1, 0, 0], "initial.orientation: expected a unit quaternion"),
    (FREE, "initial.orientation", "random", "initial.orientation: 'random' applies to rockfall"),
    (FREE, "initial.angular_velocity", [1, 2, NAN], "initial.angular_velocity.2: expected a finite number"),
    (FREE, "schemes", ["expl"], "schemes: 'expl' is not a scheme"),
    (FREE, "schemes", [], "schemes: expected at least 1 value"),
    (FREE, "schemes", ["implicit", "implicit"], "schemes: expected each scheme once"),
    (FREE, "record_every", 0, "record_every: expected a number of at least 1"),
    (FREE, "record_every", 1.5, "record_every: expected"),
    (FREE, "stp", 1, "stp: unknown key; did you mean 'step'?"),
    (FREE, "soil", {}, "soil: not a table of kind 'free'"),
    (ROCK, "schemes", ["dir-em"], "schemes: 'dir-em' cannot serve kind 'rockfall'; expected one of explicit, implicit"),
    (ROCK, "terrain.file", "a.asc", "terrain.profile: expected one of file, piece, profile; file is given too"),
    (ROCK, "terrain.angle", 89, "terrain.angle: expected"),
    (ROCK, "soil", {"mu_min": 1.0, "mu_max": 0.5}, "soil.mu_max: expected at least mu_min"),
    (ROCK, "soil", {"restitution": 1.5}, "soil.restitution: expected"),
    (ROCK, "release", {"positon": [1, 2]}, "release.positon: unknown key; did you mean 'position'?"),
    (ROCK, "stop", {"for": 0}, "stop.for: expected a number above 0"),
]


@pytest.mark.parametrize(("base", "field", "value", "sentence"), WRONG, ids=[f"{w[1]}={w[2]}" for w in WRONG])
def test_wrong_values_are_one_sentence(base, field, value, sentence):
    data = copy.deepcopy(base)
    *tables, key = field.split(".")
    place = data
    for table in tables:
        place = place[table]
    place[key] = value
    with pytest.raises(physics.ScenarioError) as error:
        physics.Scenario(**data)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    listing = "expected one of" in str(error.value)  # the contract wants every scheme that serves
    assert len(str(error.value)) < (600 if listing else 200)


@pytest.mark.parametrize("missing", ["kind", "duration", "step", "body", "terrain"])
def test_missing_keys_are_named(missing):
    data = {key: value for key, value in (FREE if missing in FREE else ROCK).items() if key != missing}
    with pytest.raises(physics.ScenarioError, match=f"^{missing}: missing"):
        physics.Scenario(**data)


def test_impossible_inertia_is_refused_when_the_world_is_built():
    scenario = physics.Scenario(**FREE).changed(**{"body.inertia": [1.0, 1.0, 3.0]})
    with pytest.raises(physics.ScenarioError, match=r"body\.inertia: no body has these moments"):
        physics.World.of(scenario)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"kind = ", "not a scenario"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"kind = 'free'\nkind = 'free'", "not a scenario"),
        (b"a" * 2_000_000, "2 MB are more than the 1 MB that a scenario may have"),
    ],
)
def test_broken_files_are_one_sentence_that_names_the_file(tmp_path, content, sentence):
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(physics.ScenarioError, match=sentence) as error:
        physics.load_scenario(path)
    assert str(path) in str(error.value)


def test_a_byte_order_mark_and_lines_of_windows_are_read(tmp_path):
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BUNDLED[0].read_bytes().replace(b"\n", b"\r\n"))
    assert physics.load_scenario(path).changed(folder="") == physics.load_scenario(BUNDLED[0]).changed(folder="")


def test_a_missing_file_and_a_folder(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(physics.ScenarioError, match=r"no such file|a folder, not a file"):
            physics.load_scenario(path)


BUNDLED = sorted((Path(__file__).parents[3] / "assets" / "scenarios").glob("*.toml"))
FACTS = [  # what notes of examples may say: what was found, and how files that may be read in two ways are read
    r"principal moments .* about",
    r"found by closing loops: ",
    r"\d+ constraints, \d+ independent: forces of these joints are not unique: ",
    r"blocks\.csv: places, velocities and orientations have y up, as the terrain has$",
    r"scan-b\.xyz: x, y, z are its columns x, y, z; others are left out$",
    r"scar of \[soil\] also in zones and pieces with a preset, which gives friction and drag alone$",
    r"rigid = true keeps the scar of \[soil\] out of a zone or a piece$",
    r"cells of 5 m are more than ten times the rock of 0\.37 m",  # at Tschamut, where no finer map is published
]


@pytest.mark.parametrize("path", BUNDLED, ids=[path.stem for path in BUNDLED])
def test_bundled_scenarios_load_and_build(path):
    scenario = physics.load_scenario(path)
    assert scenario.title
    assert scenario.note
    assert not [note for note in physics.World.of(scenario).notes if not any(re.match(fact, note) for fact in FACTS)]


@pytest.mark.parametrize("path", BUNDLED, ids=[path.stem for path in BUNDLED])
def test_bundled_scenarios_begin_without_a_warning(path):
    scenario = physics.load_scenario(path)
    runs = physics.simulate(scenario.changed(duration=20 * max(scenario.steps)))
    told = {event.kind for run in runs.values() for event in run.events}
    assert told <= {"end", "impact", "lift-off", "saturation", "gap", "drift"} or path.stem == "top-unsolved"


def test_changed_checks_and_reaches_into_tables():
    scenario = physics.Scenario(**FREE)
    assert scenario.changed(**{"body.mass": 2.0}).body.mass == 2.0
    assert scenario.changed(step=0.02).step == 0.02
    assert scenario.body.mass == 1.0
    with pytest.raises(physics.ScenarioError, match=r"body\.mass"):
        scenario.changed(**{"body.mass": -2.0})


def test_plain_values_build_the_same_scenario():
    for base in (FREE, ROCK):
        scenario = physics.Scenario(**base)
        assert physics.Scenario(**scenario.to_plain()) == scenario


def test_plain_values_of_edits_variants_and_batches_keep_what_is_infinite():
    own = {"table": {"mu": INF}}
    tables = {"variants": {"rough": own}, "batch": {"table": {"mu": [0.1, INF]}}, "edit": [{"time": 0.5} | own]}
    body = {"shape": "sphere", "radius": 0.1, "mass": 1.0}
    scenario = physics.Scenario(kind="table", duration=1.0, step=0.01, schemes=["implicit"], body=body, **tables)
    assert {key: scenario.to_plain()[key] for key in tables} == tables
    assert physics.Scenario(**scenario.to_plain()) == scenario


@pytest.mark.parametrize(
    ("folder", "name", "taken"),
    [
        ("scenarios", "../hulls/tanker.ply", True),  # as in a checkout of this program
        ("scenarios", "../field/tschamut/terrain.asc", True),
        ("scenarios", "../secret.csv", False),
        ("scenarios", "../.config/secret.csv", False),
        ("scenarios", "../../elsewhere/secret.csv", False),
        ("Downloads", "../hulls/tanker.ply", False),
        ("Downloads", "scenarios/../../hulls/tanker.ply", False),
        ("Downloads", "a/../../map.asc", False),
        ("Downloads", "//host/share/map.asc", False),
        ("Downloads", "\\\\host\\share\\map.asc", False),
        ("Downloads", "map.asc", True),
        ("Downloads", "maps/../map.asc", True),
        ("Downloads", "{folder}/elsewhere/map.asc", True),  # a whole path
    ],
)
def test_a_name_leads_into_the_folder_of_its_file_and_those_beside_scenarios(tmp_path, folder, name, taken):
    tables = {"hull": {"file": name.format(folder=tmp_path)}}
    if taken:
        check_names(tables, tmp_path / "project" / folder)
    else:
        with pytest.raises(ScenarioError, match=r"^hull\.file: .* (leads out of the folder|lies on another machine)"):
            check_names(tables, tmp_path / "project" / folder)
