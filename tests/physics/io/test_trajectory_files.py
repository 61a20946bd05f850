"""Trajectories in files: what is saved is loaded again, equal runs give equal bytes, wrong files are told."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import physics
from physics.core.json_text import json_text
from physics.core.rotation import matrix
from physics.core.trajectory import COLUMNS, STATE, Block, Recording
from physics.io import trajectory_readers, trajectory_writers
from physics.io.data_frames import to_pandas, to_xarray
from physics.scenario import fingerprints
from tests import small

FREE = {
    "kind": "free",
    "duration": 0.5,
    "step": 0.01,
    "record_every": 3,
    "body": {"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 2.0},
    "initial": {"angular_velocity": (0.1, 0.2, 10.0), "velocity": (1.0, 0.0, 4.0)},
}
Case = tuple[physics.Scenario, dict[str, physics.Trajectory]]


@pytest.fixture(scope="module")
def free() -> Case:
    scenario = physics.Scenario(**FREE, schemes=("explicit", "implicit", "exact"))
    return scenario, physics.simulate(scenario)


@pytest.fixture(scope="module")
def rock() -> Case:
    scenario = small.rock(duration=0.4, record_every=4, schemes=("implicit",))
    return scenario, physics.simulate(scenario)


@pytest.mark.parametrize("ending", trajectory_writers.ENDINGS)
@pytest.mark.parametrize("kind", ["free", "rock"])
def test_what_is_saved_is_loaded_again(kind: str, ending: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    scenario, runs = request.getfixturevalue(kind)
    path = tmp_path / f"run{ending}"
    trajectory_writers.save(path, runs, scenario)
    again = trajectory_readers.load(path)
    assert list(again) == list(runs)
    for name, run in runs.items():
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(again[name], column), getattr(run, column), strict=True)
        if ending != ".csv":
            assert again[name].events == run.events
            assert again[name].steps == run.steps
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_npz_holds_the_arrays_of_the_contract(free: Case, rock: Case, tmp_path: Path) -> None:
    for (scenario, runs), contact in ((free, False), (rock, True)):
        trajectory_writers.save(tmp_path / "run.npz", runs, scenario)
        with np.load(tmp_path / "run.npz", allow_pickle=False) as data:
            for name, run in runs.items():
                for column, (width, _) in COLUMNS.items():
                    if column != "contact":
                        shape = (len(run),) if width == 1 else (len(run), width)
                        assert data[f"{name}/{column}"].shape == shape
                assert (f"{name}/contact" in data.files) == contact
            meta = json.loads(str(data["meta"]))
        assert meta["scenario"]["kind"] == scenario.kind
        assert meta["scenario"]["step"] == scenario.step
        assert meta["version"] == trajectory_writers.polhode_version()
        for name, run in runs.items():
            facts = meta["schemes"][name]
            assert facts["citation"] == physics.SCHEMES[name].reference
            assert facts["steps"] == run.steps > 0
            assert facts["wall_time"] > 0
            assert facts["events"][-1]["text"] == run.events[-1].text


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_what_is_infinite_is_told_as_strict_json(ending: str, tmp_path: Path) -> None:
    """Depth and friction may be inf, which JSON does not know: it is the text "inf"; older files wrote Infinity."""
    body = {"shape": "sphere", "radius": 0.1, "mass": 1.0, "inertia": (4e-3, 4e-3, 4e-3)}
    scenario = physics.Scenario(
        kind="table", duration=0.02, step=0.01, schemes=("implicit",), body=body, table={"mu": math.inf}
    )
    path = tmp_path / f"run{ending}"
    trajectory_writers.save(path, physics.simulate(scenario), scenario)
    text = np.load(path)["meta"].item() if ending == ".npz" else pyarrow.parquet.read_schema(path).metadata[b"polhode"]

    def refused(constant: str) -> None:
        raise AssertionError(constant)

    told = json.loads(text, parse_constant=refused)
    assert told["scenario"]["table"]["mu"] == "inf"
    assert trajectory_readers.load_scenario_of(path).to_plain() == scenario.to_plain()
    assert trajectory_readers.load(path)["implicit"].steps == 2
    for mu in ("inf", json.loads("Infinity")):
        assert scenario.changed(table={"mu": mu}).to_plain() == scenario.to_plain()
    with pytest.raises(physics.ScenarioError, match=r"table\.mu: expected a number"):
        scenario.changed(table={"mu": "rough"})


def test_numbers_that_json_does_not_know_are_texts() -> None:
    found = json_text({"a": [math.inf, -math.inf, (math.nan, 1.5)], "b": np.float64(math.inf), "é": None})
    assert found == '{"a": ["inf", "-inf", ["nan", 1.5]], "b": "inf", "é": null}'


def test_csv_names_units_and_has_a_row_for_each_state(free: Case, rock: Case, tmp_path: Path) -> None:
    for scenario, runs in (free, rock):
        trajectory_writers.save(tmp_path / "run.csv", runs, scenario)
        header, *rows = csv.reader((tmp_path / "run.csv").read_text(encoding="utf-8").splitlines())
        assert header[:5] == ["scheme", "time [s]", "position_x [m]", "position_y [m]", "position_z [m]"]
        assert "orientation_w" in header
        assert "angular_velocity_z [rad/s]" in header
        assert "spin_x [kg m²/s]" in header
        assert ("contact" in header) == (scenario.kind == "rockfall")
        assert len(rows) == sum(len(run) for run in runs.values())
        assert {row[0] for row in rows} == set(runs)
        assert all(len(row) == len(header) for row in rows)


def test_files_of_bodies_on_a_table_tell_tilt_contact_and_jellett(tmp_path: Path) -> None:
    """Columns are those of the body as it is then: at 0.05 s it becomes a ball of half the radius."""
    body = {"shape": "sphere", "radius": 0.1, "mass": 1.0, "inertia": (4e-3, 4e-3, 4e-3)}
    start = {"orientation": (0.8, 0.6, 0.0, 0.0), "angular_velocity": (1.0, 2.0, 3.0)}
    edit = ({"time": 0.05, "body": body | {"radius": 0.05}},)
    scenario = physics.Scenario(kind="table", duration=0.1, step=0.01, schemes=("implicit",), body=body, initial=start)
    scenario = scenario.changed(edit=edit)
    runs = physics.simulate(scenario)
    (run,) = runs.values()
    trajectory_writers.save(tmp_path / "run.npz", runs, scenario)
    radius = np.where(run.time <= 0.05, 0.1, 0.05)
    up = matrix(run.orientation)[:, 2, :]  # the normal of the table in the body
    with np.load(tmp_path / "run.npz") as data:
        assert data["implicit/tilt"] == pytest.approx(np.arccos(up[:, 2]), abs=1e-12)
        assert data["implicit/tilt"][0] == pytest.approx(2.0 * math.acos(0.8))
        lowest = run.position - radius[:, None] * (0.0, 0.0, 1.0)
        np.testing.assert_allclose(data["implicit/contact_point"], lowest, atol=1e-15)
        jellett = radius * np.sum(4e-3 * run.angular_velocity * up, axis=1)
        np.testing.assert_allclose(data["implicit/jellett"], jellett, rtol=1e-12)
    trajectory_writers.save(tmp_path / "run.csv", runs, scenario)
    header, *rows = csv.reader((tmp_path / "run.csv").read_text(encoding="utf-8").splitlines())
    places = [f"contact_point_{axis} [m]" for axis in "xyz"]
    assert header[-5:] == ["tilt [rad]", *places, "jellett [kg m³/s]"]
    assert float(rows[3][header.index("contact_point_x [m]")]) == pytest.approx(lowest[3, 0], abs=1e-15)
    assert list(trajectory_readers.load(tmp_path / "run.csv")) == ["implicit"]


@pytest.mark.parametrize("ending", trajectory_writers.ENDINGS)
def test_the_same_run_gives_the_same_bytes(free: Case, ending: str, tmp_path: Path) -> None:
    scenario, runs = free
    written = []
    for name in "ab":
        path = tmp_path / f"{name}{ending}"
        trajectory_writers.save(path, runs, scenario)
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_two_runs_differ_in_the_wall_times_of_meta_alone(tmp_path: Path) -> None:
    """Members of the archive too have no time of their own."""
    scenario, archives = physics.Scenario(**FREE, schemes=("explicit", "implicit")), []
    for name in "ab":
        trajectory_writers.save(tmp_path / f"{name}.npz", physics.simulate(scenario), scenario)
        with zipfile.ZipFile(tmp_path / f"{name}.npz") as archive:
            assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            archives.append({member: archive.read(member) for member in archive.namelist()})
    metas = []
    for members in archives:
        meta = json.loads(str(np.load(io.BytesIO(members.pop("meta.npy")))))
        assert all(scheme.pop("wall_time") > 0.0 for scheme in meta["schemes"].values())
        metas.append(meta)
    assert len(archives[0]) > 8
    assert archives[0] == archives[1]
    assert metas[0] == metas[1]


CORNERS = "0 0 0\n3 0 0\n0 2 0\n0 0 1\n3 2 0\n"


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_a_trajectory_tells_whether_its_files_have_changed(ending: str, tmp_path: Path) -> None:
    (tmp_path / "rock.pts").write_text(CORNERS)
    body = {"shape": "hull", "file": "rock.pts", "mass": 2.0}
    scenario = physics.Scenario(**FREE | {"body": body}, schemes=("explicit",), folder=str(tmp_path))
    trajectory_writers.save(tmp_path / f"run{ending}", physics.simulate(scenario), scenario)
    named, known = str(tmp_path / "rock.pts"), fingerprints.digests(scenario)["rock.pts"]
    assert trajectory_readers.load(tmp_path / f"run{ending}")["explicit"].files == {named: known}
    assert trajectory_readers.load_scenario_of(tmp_path / f"run{ending}").body.file == named
    (tmp_path / "rock.pts").write_text(CORNERS.replace("3 2 0", "3 2.5 0"))
    with pytest.raises(physics.ScenarioError, match=rf"run\{ending}: .*rock\.pts, which it was made with, has changed"):
        trajectory_readers.load_scenario_of(tmp_path / f"run{ending}")


@pytest.mark.parametrize("name", ["map.tif", "map.asc", "rock.obj", "rock.stl", "rock.pts"])
def test_what_no_reader_takes_is_refused_before_it_is_hashed(name: str, tmp_path: Path) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(900 * 10**9)  # of nothing: to hash it would take an hour
    rock = {"shape": "hull", "file": name, "mass": 2.0} if name.startswith("rock") else {"mass": 2.0, "size": (1, 1, 1)}
    table = {"file": name} if name.startswith("map") else {"profile": "ramp"}
    scenario = physics.Scenario(
        kind="rockfall", body=rock, terrain=table, duration=1.0, step=0.01, folder=str(tmp_path)
    )
    with pytest.raises(physics.ScenarioError, match=name):
        physics.World.of(scenario)


def test_a_failure_leaves_the_old_file_and_nothing_else(
    free: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.npz"
    path.write_text("old")

    def full_disk(file: io.BufferedWriter, **_: object) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(physics.PhysicsError, match=r"run\.npz: cannot be written: No space left"):
        trajectory_writers.save(path, free[1], free[0])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_without_pyarrow_says_what_to_install(
    free: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(physics.ScenarioError, match="pip install"):
        trajectory_writers.save(tmp_path / "run.parquet", free[1], free[0])
    assert not list(tmp_path.iterdir())


def _zip_of(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _zip_of_text() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("meta.npy", "no array")
    return buffer.getvalue()


_META = json.dumps({"schemes": {"explicit": {}}})
WRONG = {
    "empty.npz": b"",
    "empty.csv": b"",
    "text.npz": b"hello",
    "junk.npz": bytes(range(256)) * 8,
    "junk.csv": bytes(range(256)) * 8,
    "junk.parquet": bytes(range(256)) * 8,
    "cut.npz": _zip_of(meta=np.array(_META), time=np.zeros(500))[:900],
    "no_array.npz": _zip_of_text(),
    "no_meta.npz": _zip_of(time=np.zeros(3)),
    "meta_is_no_json.npz": _zip_of(meta=np.array("{")),
    "meta_is_a_list.npz": _zip_of(meta=np.array("[]")),
    "pickle.npz": _zip_of(meta=np.array([{}], dtype=object)),
    "no_columns.npz": _zip_of(meta=np.array(_META)),
    "short.npz": _zip_of(meta=np.array(_META), **{"explicit/time": np.zeros(3), "explicit/spin": np.zeros((2, 3))}),
    "header_only.csv": b"scheme,time [s]\n",
    "word.csv": b"scheme,time [s]\nexplicit,now\n",
    "missing.csv": b"scheme,time [s]\nexplicit,0.0\n",
    "ragged.csv": b"scheme,time [s]\nexplicit,0.0,1.0\nexplicit\n",
    "other.xyz": b"1 2 3",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_told_in_one_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(WRONG[name])
    with pytest.raises(physics.ScenarioError) as caught:
        trajectory_readers.load(path)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    for name in ("none.npz", "none.csv", "none.parquet"):
        with pytest.raises(physics.ScenarioError, match="no such file"):
            trajectory_readers.load(tmp_path / name)


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(physics.PhysicsError, match=r"cannot be written: File name too long"),
        trajectory_writers.replacing(tmp_path / ("x" * 300)) as part,
    ):
        part.write_text("x")


def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "own.csv").touch()
    for name, whole in {"link.csv": "own.csv", "dangling.csv": "new.csv"}.items():
        (tmp_path / name).symlink_to(Path("far", whole))
        with trajectory_writers.replacing(tmp_path / name) as part:
            part.write_text("x")
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / "far" / whole).read_text() == "x"
    assert len(list(tmp_path.rglob("*"))) == 5
    (tmp_path / "lost.csv").symlink_to(Path("gone", "own.csv"))
    with pytest.raises(physics.ScenarioError, match=r"lost\.csv: cannot be written: there is no folder .*gone"):
        trajectory_writers.check_output(tmp_path / "lost.csv")  # before anything is computed


def test_a_folder_is_made_where_nothing_is_or_an_empty_one_and_else_refused_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("new", "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with trajectory_writers.replacing(trajectory_writers.check_new_folder(tmp_path / name)) as part:
            part.mkdir()
            (part / "file").touch()
        assert [file.name for file in (tmp_path / name).iterdir()] == ["file"]
    (tmp_path / "bare").mkdir()
    (tmp_path / "link").symlink_to("bare")
    (tmp_path / "dangling").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path / "bare")
    told = {
        "new": "the folder is not empty",
        "new/file": "it is a file; expected a new folder",
        "link": "it is a link; expected a new folder",
        "dangling": "it is a link; expected a new folder",
        "none/new": "there is no folder",
    }
    for place, sentence in told.items():
        with pytest.raises(physics.ScenarioError, match=f"cannot be written: {sentence}"):
            trajectory_writers.check_new_folder(tmp_path / place)
    for place in ("", ".", "..", "/"):  # of which there is no name beside them to write to
        with pytest.raises(physics.ScenarioError, match="expected the name of a new folder"):
            trajectory_writers.check_new_folder(place)


def _pair(runs: dict[str, physics.Trajectory]) -> physics.Trajectory:
    """The motion of two bodies, put together of those of one under two schemes."""
    one, other = runs["explicit"], runs["exact"]
    columns = {name: np.stack([getattr(one, name), getattr(other, name)], axis=1) for name in STATE}
    block = Block(one.time, **columns, contact=one.contact, events=one.events, steps=one.steps)
    measured = {name: getattr(one, name) for name in ("kinetic_energy", "potential_energy", "spin")}
    into = Recording("explicit", lambda block: measured, ("upper", "lower"))
    assert into.append(block)
    return into.trajectory()


@pytest.mark.parametrize("ending", trajectory_writers.ENDINGS)
def test_bodies_of_a_mechanism_are_saved_and_loaded_again(free: Case, ending: str, tmp_path: Path) -> None:
    scenario, runs = free
    pair, path = _pair(runs), tmp_path / f"pair{ending}"
    trajectory_writers.save(path, {"explicit": pair}, scenario)
    again = trajectory_readers.load(path)["explicit"]
    assert again.bodies == pair.bodies == ("upper", "lower")
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(again, column), getattr(pair, column), strict=True)
    if ending == ".csv":
        header = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
        assert header[:3] == ["scheme", "time [s]", "upper.position_x [m]"]
        assert {"lower.orientation_w", "lower.angular_velocity_z [rad/s]", "spin_x [kg m²/s]"} < set(header)


def test_each_body_of_a_mechanism_moves_as_a_single_one(free: Case) -> None:
    _, runs = free
    pair = _pair(runs)
    for number, run in enumerate((runs["explicit"], runs["exact"])):
        alone = pair.of_body(number)
        assert alone.bodies == ()
        for name in STATE:
            np.testing.assert_array_equal(getattr(alone, name), getattr(run, name), strict=True)
            between = getattr(pair.at(0.25), name)[number]
            np.testing.assert_array_equal(between, getattr(run.at(0.25), name), strict=True)
            np.testing.assert_array_equal(getattr(pair.at(0.25).of_body(number), name), between)
            np.testing.assert_array_equal(getattr(pair.start, name)[number], getattr(run.start, name))
    frame, arrays = to_pandas(pair), to_xarray(pair)
    np.testing.assert_array_equal(frame["lower.velocity_z"], runs["exact"].velocity[:, 2])
    np.testing.assert_array_equal(arrays.orientation.sel(body="lower", component="w"), runs["exact"].orientation[:, 0])
    assert frame.attrs["units"]["upper.position_x"] == "m"
