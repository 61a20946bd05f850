"""Runs in notebooks: as tables and arrays, as a page in a frame; and the example notebooks, cell by cell."""

from __future__ import annotations

import ast
import base64
import gzip
import html
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

import app
import assets
import physics
from physics import PhysicsError, ScenarioError
from tests.app.commanding import polhode
from tests.small import cuboid

NOTEBOOKS = Path(assets.__file__).parent / "notebooks"
HELP = Path(assets.__file__).parent / "help" / "notebooks.md"


def executed(name: str) -> tuple[dict[str, Any], list[object]]:
    """The names that a notebook has defined, and what its cells end with, as Jupyter runs them."""
    known: dict[str, Any] = {}
    shown = []
    for number, cell in enumerate(json.loads((NOTEBOOKS / f"{name}.ipynb").read_text())["cells"]):
        assert not cell.get("outputs")  # what is printed may differ between machines
        if cell["cell_type"] == "code":
            tree = ast.parse(source := "".join(cell["source"]))
            last = None
            if isinstance(tree.body[-1], ast.Expr) and not source.endswith(";"):
                last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
            place = f"{name}, cell {number}"
            exec(compile(tree, place, "exec"), known)
            if last is not None and (value := eval(compile(last, place, "eval"), known)) is not None:
                shown.append(value)
    return known, shown


@pytest.fixture(autouse=True)
def figures():
    mpl.use("agg")
    yield
    plt.close("all")


# ---- the examples -------------------------------------------------------------------------------------


def test_schemes_have_the_order_that_the_notebook_shows() -> None:
    known, _ = executed("order-of-a-scheme")
    for name in ("explicit", "implicit", "magnus-4", "magnus-6"):
        error = known["errors"][name]
        seen = error > 1e-11  # a plateau of rounding below
        slope = np.polyfit(np.log(known["steps"][seen]), np.log(error[seen]), 1)[0]
        assert slope == pytest.approx(physics.SCHEMES[name].order, abs=0.2), name
    assert len(plt.get_fignums()) == 1


@pytest.mark.picture
def test_the_intermediate_axis_is_shown_and_the_explicit_scheme_loses_spin() -> None:
    _, (view, table, change) = executed("intermediate-axis")
    assert "implicit, explicit" in repr(view)
    assert table.index.name == "time"
    assert len(table) == 11
    assert change["implicit"] < 1e-12
    assert change["explicit"] > 0.1


@pytest.mark.picture
def test_a_mechanism_of_ten_lines_is_shown_with_its_arrays_and_its_errors() -> None:
    _, (view, shape, (change, off)) = executed("mechanism")
    assert view.world.body_names == ("upper", "lower")
    assert "Double pendulum" in view.frame()
    assert shape == (501, 2, 3)
    assert abs(change["cayley-em"]) < 1e-12 < 1.0 < change["mujoco-euler"]
    assert 0.1 < off["cayley-em"] < off["mujoco-euler"]


def test_a_scheme_of_ones_own_has_order_2(capsys) -> None:
    known, (view,) = executed("own-scheme")
    assert np.log2(known["errors"][0] / known["errors"][1]) == pytest.approx(2.0, abs=0.1)
    assert repr(view).startswith("Free body, heun: heun")
    assert known["drift"]["heun"] > 1e-6
    assert known["drift"]["implicit"] < 1e-13


def test_the_curve_of_righting_levers_falls_as_the_centre_of_gravity_rises(capsys) -> None:
    known, _ = executed("righting-lever")
    assert known["found"].vanishing < 1.1
    assert capsys.readouterr().out.count("vanishes at") == 3
    assert len(plt.get_fignums()) == 1


@pytest.mark.picture
def test_a_toss_in_the_air_tells_its_moments_and_drag_and_loses_energy(capsys) -> None:
    known, (view,) = executed("toss-in-air")
    np.testing.assert_allclose(known["found"] / known["found"].max(), known["moments"], rtol=0.06)
    np.testing.assert_allclose(known["drag"] / known["found"], 0.03, rtol=0.1)
    assert "drag of the air over the moments 0.0" in capsys.readouterr().out
    assert "measured" in repr(view)
    assert all(0.5 < values[-1] < 0.9 for values in known["energy"].values())
    assert (np.diff(known["energy"]["identified"]) < 0.0).all()
    assert len(plt.get_fignums()) == 1


@pytest.mark.picture
def test_rocks_leave_a_map() -> None:
    known, (view,) = executed("rockfall-map")
    reach = known["layers"]["reach_probability"]
    assert reach.max() == 1.0
    assert (reach > 0).sum() > 100
    assert view.world.scenario.ensemble.rock == known["farthest"]
    assert len(plt.get_fignums()) == 1


def test_the_help_names_every_notebook() -> None:
    told = set(re.findall(r"`([a-z-]+)\.ipynb`", HELP.read_text()))
    assert told == {file.stem for file in NOTEBOOKS.glob("*.ipynb")}


def test_the_command_copies_the_examples_into_a_new_folder(tmp_path) -> None:
    done = polhode("notebooks", folder := tmp_path / "mine")
    assert (done.status, done.err) == (0, "")
    assert {file.name for file in folder.iterdir()} == {file.name for file in NOTEBOOKS.glob("*.ipynb")}
    done = polhode("notebooks", folder)
    assert (done.status, done.err) == (2, f"polhode: {folder}: cannot be written: the folder is not empty\n")


# ---- the frame ----------------------------------------------------------------------------------------


@pytest.mark.picture
def test_a_notebook_gets_the_page_in_a_frame_of_its_own_and_a_picture() -> None:
    runs = physics.simulate(cuboid(title="A & <b>", duration=0.2))
    given = app.show(runs, height=300)._repr_mimebundle_()
    names, *sentences = given["text/plain"].splitlines()
    assert names == f"A & <b>: {', '.join(runs)}"
    assert len(sentences) == len(runs)
    assert "Implicit stays within 0.01° of the true motion." in sentences
    frame = given["text/html"]
    assert frame.startswith('<iframe sandbox="allow-scripts" style="width: 100%; height: 300px')
    page = html.unescape(re.search('srcdoc="([^"]*)"', frame)[1])
    assert page.startswith("<!doctype html>")
    assert "<title>A &amp; &lt;b&gt;" in page
    model = gzip.decompress(base64.b64decode(re.search('id="model">([^<]*)<', page)[1]))
    assert all(sentence.encode() in model for sentence in sentences)
    picture = Image.open(io.BytesIO(given["image/png"]))
    assert picture.size == (960, 540)
    assert np.asarray(picture).std() > 10


def test_runs_are_shown_with_the_body_and_the_ground_that_were_read(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    tetrahedron = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    (tmp_path / "body.pts").write_text("".join(f"{x} {y} {z}\n" for x, y, z in tetrahedron))
    scenario = cuboid(body={"shape": "hull", "file": "body.pts", "mass": 1.0}, duration=0.1).model_copy(
        update={"folder": "."}
    )
    runs = physics.simulate(scenario)
    (tmp_path / "body.pts").unlink()
    assert app.show(runs).world is runs.world
    assert len(runs.world.body.vertices) == 4


def test_a_motion_is_shown_as_a_free_body_with_its_moments() -> None:
    motion = physics.integrate("magnus-4", [1.0, 2.0, 2.5], [0.6, 0.8, 0, 0], [1, 2, 3], 0.01, 0.5)
    view = app.show(motion)
    np.testing.assert_array_equal(view.lanes[0].trajectory.orientation, motion.orientation)
    np.testing.assert_allclose(np.sort(view.world.moments), [1.0, 2.0, 2.5])
    assert view.lanes[0].scheme.name == "magnus-4"
    assert "magnus-4" in view.frame()


def test_what_cannot_be_shown_is_told() -> None:
    with pytest.raises(ScenarioError, match=r"run: expected what physics.simulate or .* returns, .* got dict"):
        app.show({})  # type: ignore[arg-type]
    motion = physics.integrate("implicit", [1, 2, 3], [1, 0, 0, 0], [1, 2, 3], 0.01, 0.01)
    one = type(motion)(motion.scheme, motion.moments, *(a[:1] for a in (motion.time, motion.orientation, motion.spin)))
    with pytest.raises(ScenarioError, match="at least one step"):
        app.show(one)


# ---- tables and arrays --------------------------------------------------------------------------------


def test_runs_become_tables_and_arrays_with_units() -> None:
    runs = physics.simulate(cuboid(duration=0.2))
    table, arrays = physics.to_pandas(runs), physics.to_xarray(runs)
    for name, run in runs.items():
        lane = table.loc[name]
        np.testing.assert_array_equal(lane.index, run.time)
        np.testing.assert_array_equal(lane[["orientation_w", "orientation_x"]], run.orientation[:, :2])
        np.testing.assert_array_equal(arrays["spin"].sel(scheme=name, axis="z"), run.spin[:, 2])
        np.testing.assert_array_equal(physics.to_pandas(run), lane)
    assert table.attrs["units"]["angular_velocity_y"] == arrays["angular_velocity"].attrs["units"] == "rad/s"
    assert arrays["time"].attrs["units"] == "s"


def test_a_motion_becomes_a_table() -> None:
    motion = physics.integrate("implicit", [1, 2, 3], [1, 0, 0, 0], [1, 2, 3], 0.01, 0.1)
    table = physics.to_pandas(motion)
    assert list(table.columns[:4]) == ["orientation_w", "orientation_x", "orientation_y", "orientation_z"]
    assert "velocity_x" not in table
    np.testing.assert_array_equal(physics.to_xarray(motion)["kinetic_energy"], table["kinetic_energy"])


def test_a_lane_that_ended_earlier_goes_on_as_nan_and_one_with_times_of_its_own_is_refused() -> None:
    runs = physics.simulate(cuboid(duration=0.2, schemes=("implicit", "explicit")))
    shorter = physics.Runs(runs.scenario, [("implicit", runs["implicit"]), ("other", runs["explicit"].rows(slice(5)))])
    energy = physics.to_xarray(shorter)["kinetic_energy"].sel(scheme="other")
    assert np.isfinite(energy).sum() == 5
    runs = physics.simulate(cuboid(duration=0.2, schemes=("implicit", "implicit@0.004")))
    with pytest.raises(ScenarioError, match=r"the times of '.*' are its own"):
        physics.to_xarray(runs)


@pytest.mark.parametrize("call", [physics.to_pandas, physics.to_xarray])
def test_what_is_no_run_becomes_no_table(call) -> None:
    for given, told in (({}, "no run"), ("implicit", "str"), ({"implicit": 1.0}, "float")):
        with pytest.raises(ScenarioError, match=f"runs: expected what physics.simulate or .* returns, got {told}"):
            call(given)


@pytest.mark.parametrize(("library", "call"), [("pandas", physics.to_pandas), ("xarray", physics.to_xarray)])
def test_a_library_that_is_missing_is_named(monkeypatch, library, call) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    motion = physics.integrate("implicit", [1, 2, 3], [1, 0, 0, 0], [1, 2, 3], 0.01, 0.1)
    with pytest.raises(PhysicsError, match=rf"{library} is not installed; .* pip install 'polhode\[notebook\]'"):
        call(motion)
