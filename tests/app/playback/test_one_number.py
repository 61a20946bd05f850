"""One number for one quantity: captions, charts, written curves and trajectory files agree, also after an edit."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

from app.kinds import kind_of
from app.kinds.quantities import Quantity
from app.playback.run import Run
from app.plots.chart_data import read_out, value_at
from app.plots.files import write_plots
from physics.analysis import invariants
from physics.core.rotation import ahead, matrix
from physics.io.trajectory_readers import load
from physics.io.trajectory_writers import save
from physics.simulation.audit import audit
from physics.simulation.schedule import simulate
from physics.systems.ship.world import ShipWorld
from tests.app.staging import FALL, example, finished, stage_of
from tests.small import cuboid

WAVES = {"wave": {"height": 1.0, "period": 6.0, "direction": 1.57}}
LYING = {"orientation": [math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0], "angular_velocity": [0.0, 0.0, 100.0]}
ANOTHER = ({"time": 1.0, "body": {"shape": "cuboid", "size": [3.0, 1.0, 2.0], "mass": 1.0}},)
SCENARIOS = {
    "free": lambda: example("cuboid-intermediate", duration=2.0, schemes=("exact", "explicit")),
    "edited": lambda: example("cuboid-intermediate", duration=2.0, schemes=("exact", "explicit"), edit=ANOTHER),
    "top": lambda: example("top-steady", duration=0.5),
    "top that can be solved": lambda: example("top-kovalevskaya", duration=0.5),
    "top without vertical spin": lambda: example("top-steady", duration=0.5, schemes=("physx",), initial=LYING),
    "vessel": lambda: example("vessel-restoring", duration=4.0),
    "rockfall": lambda: FALL.changed(duration=2.0),
    "ship": lambda: example("ship-barge", duration=2.0, schemes=("rkn-4",), **{"initial.heave": 0.5}),
    "ship in waves": lambda: example("ship-barge", duration=2.0, schemes=("rkn-4",), **WAVES),
    "ship that turns over": lambda: example("ship-capsize", duration=8.0, schemes=("rkn-4:above",)),
    "table": lambda: example("table-disk", duration=0.4, schemes=("implicit",)),
    "top that slips": lambda: example("table-tippe-top", duration=0.4, schemes=("implicit",)),
    "measured": lambda: example("measured-toss", duration=0.5),
}
TITLES = {  # of what captions name otherwise
    "|ω|": "Rotation",
    "GZ": "Righting lever",
    "spin": "Spin about the normal",
    "spin rate": "Rotation",
    "height": "Height above ground",
    "L error": "Angular momentum error",
    "vertical L error": "Vertical angular momentum error",
}
DIGITS = r"[<+−]?[\d.]+(?:e-?\d+)?"


def captioned(text: str) -> dict[str, tuple[float, float]]:
    """The numbers of a caption by the titles of their quantities, and half a unit of the last digit of each."""
    found = {}
    for part in re.split(r" {3,}", text.strip()):
        if part[0].isdigit() or part.startswith("no truth"):  # how far off the truth: held to it where it is drawn
            continue
        name, number, unit = re.fullmatch(rf"(.+?) ({DIGITS})(.*)", part).groups()
        title = TITLES.get(name, name.capitalize())
        if number.startswith("<"):  # rounding
            found[title] = 0.0, float(number[1:])
            continue
        scale, number = 0.01 if unit.strip() == "%" else 1.0, number.replace("−", "-")
        mantissa, _, power = number.partition("e")
        last = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        found[title] = scale * float(number), 0.5 * scale * last
    return found


def curves(run: Run, titles: tuple[str, ...], path: Path) -> dict[str, np.ndarray]:
    """The curves that a file of charts has of each lane: time and the quantities of these titles."""
    world = replace(run.world, scenario=run.scenario.changed(**{"export.charts": titles}))
    write_plots(world, run.lanes, path)
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    columns = [1, *(next(i for i, name in enumerate(header) if name.startswith(f"{title} [")) for title in titles)]
    lanes = {lane.scheme.name: [row for row in rows if row[0] == lane.scheme.name] for lane in run.lanes}
    return {name: np.array(lines)[:, columns].astype(float) for name, lines in lanes.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_captions_charts_and_files_tell_the_same_numbers(name: str, tmp_path: Path, plotter: pv.Plotter) -> None:
    run = finished(SCENARIOS[name]())
    choices = kind_of(run.scenario).choices_in(run.world)
    titles = tuple(quantity.title for quantity in choices)
    drawn = curves(run, titles, tmp_path / "curves.csv")
    save(tmp_path / "run.npz", {lane.scheme.name: lane.trajectory for lane in run.lanes}, run.schedule.whole)
    stage, loaded = stage_of(run, plotter), load(tmp_path / "run.npz")
    kept = {
        lane.scheme.name: replace(one, off=lane.truth.separation(one))
        for lane in run.lanes
        for one in [loaded[lane.scheme.name]]
    }
    for time in np.linspace(0.0, run.lanes[0].trajectory.time[-1], 5):
        stage.show(float(time))
        for lane in run.lanes:
            row = lane.trajectory.index(time)
            (line,) = drawn[lane.scheme.name][drawn[lane.scheme.name][:, 0] == lane.trajectory.time[row]]
            values = dict(zip(titles, line[1:], strict=True))
            for quantity in choices:
                told = pytest.approx(values[quantity.title], rel=1e-9, abs=1e-12, nan_ok=True)
                (plain,) = quantity.plain(np.array([values[quantity.title]]), lane.trajectory, lane.world)
                shown = pytest.approx(plain, rel=1e-9, abs=1e-12, nan_ok=True)  # files have what is rounding too
                assert value_at(quantity, lane.trajectory, lane.world, time) == shown
                assert quantity.values(kept[lane.scheme.name], lane.world)[row] == told
            for title, (number, half) in captioned(stage.describe().numbers[lane.scheme.name]).items():
                assert number == pytest.approx(values[title], abs=1.01 * half)


DAMPED = {"damping.linear": (0.0, 0.0, 0.0, 1e5, 0.0, 0.0)}


@pytest.mark.parametrize(
    ("name", "changes", "titles"),
    [
        ("top-steady", {}, {"Nutation", "Energy error", "Vertical angular momentum error"}),
        ("vessel-restoring", {}, {"Roll", "Pitch", "Yaw", "Energy error"}),
        ("vessel-damped", {}, {"Roll", "Pitch", "Yaw"}),
        ("vessel-steered", {"step": 0.1, "schemes": ("verlet-exact",)}, {"Roll", "Pitch", "Yaw"}),
        ("ship-barge", {}, {"Heel", "Trim", "Righting lever", "Energy error"}),
        ("ship-barge", DAMPED, {"Heel", "Trim", "Righting lever"}),
        ("table-disk", {}, {"Tilt", "Spin about the normal", "Energy error"}),
        ("table-tippe-top", {}, {"Tilt", "Spin about the normal", "Slip"}),
    ],
)
def test_captions_tell_what_matters_and_an_error_of_the_energy_where_nothing_takes_any(
    name: str, changes: dict[str, object], titles: set[str], plotter: pv.Plotter
) -> None:
    stage = stage_of(finished(example(name, duration=0.2, **changes)), plotter)
    stage.show(0.2)
    for text in stage.describe().numbers.values():
        assert set(captioned(text)) == titles


@pytest.mark.parametrize(
    ("name", "columns"), [("ship that turns over", {"heel": "Heel", "trim": "Trim"}), ("table", {"tilt": "Tilt"})]
)
def test_columns_of_files_are_the_angles_of_charts(name: str, columns: dict[str, str], tmp_path: Path) -> None:
    run = finished(SCENARIOS[name]())
    (lane,) = run.lanes
    save(tmp_path / "run.npz", {lane.scheme.name: lane.trajectory}, run.scenario)
    with np.load(tmp_path / "run.npz") as arrays:
        for column, title in columns.items():
            values = quantity_of(run, title).values(lane.trajectory, lane.world)
            np.testing.assert_allclose(np.degrees(arrays[f"{lane.scheme.name}/{column}"]), values, atol=1e-9)


def quantity_of(run: Run, title: str) -> Quantity:
    return next(one for one in kind_of(run.scenario).choices if one.title == title)


def test_after_an_edit_errors_count_from_the_edit(plotter: pv.Plotter) -> None:
    """Another body with the old attitude and rates has other energy and spin: that is no fault of the exact scheme."""
    run = finished(SCENARIOS["edited"]())
    exact, explicit = (lane.trajectory for lane in run.lanes)
    assert np.abs(np.ptp(exact.total_energy)) > 0.05 * exact.total_energy[0]
    for title, most in (("Energy error", 1e-14), ("Angular momentum error", 1e-14), ("Attitude error", 1e-9)):
        values = quantity_of(run, title).values(exact, run.lanes[0].world)
        assert np.abs(values).max() < most
    off = quantity_of(run, "Attitude error").values(explicit, run.lanes[1].world)
    assert off[explicit.time > 1.0][0] < 0.1 * off[explicit.time <= 1.0][-1]
    stage = stage_of(run, plotter)
    stage.show(2.0)
    told = stage.describe().numbers
    assert "%" not in told["exact"]
    later = explicit.time > 1.0
    moved = np.linalg.norm(explicit.spin[-1] - explicit.spin[later][0])
    assert invariants.spin_error(explicit)[-1] == pytest.approx(
        moved / np.linalg.norm(explicit.spin[later][0]), rel=0.1
    )
    found = audit(exact)
    assert found["energy_drift"] < 1e-13
    assert found["spin_drift"] < 1e-13


def test_the_vertical_spin_is_told_as_a_share_of_the_whole_spin(plotter: pv.Plotter) -> None:
    """A share of the vertical spin would be beyond all bounds: the top lies and has none."""
    run = finished(SCENARIOS["top without vertical spin"]())
    found = run.lanes[0].trajectory
    expected = abs(found.spin[-1, 2] - found.spin[0, 2]) / np.linalg.norm(found.spin[0])
    error = quantity_of(run, "Vertical angular momentum error")
    assert value_at(error, found, run.world, 0.5) == pytest.approx(expected, rel=1e-12)
    stage = stage_of(run, plotter)
    stage.show(0.5)
    assert stage.describe().numbers["physx"].strip().endswith(f"vertical L error {read_out(error, expected, 4)}")


def test_in_waves_the_lever_is_the_moment_over_the_weight(plotter: pv.Plotter) -> None:
    run = finished(SCENARIOS["ship in waves"]())
    world, found = run.world, run.lanes[0].trajectory
    assert isinstance(world, ShipWorld)
    _, moment = world.water(0.0, found.position[0], found.orientation[0])
    lever = -float(ahead(matrix(found.orientation[0])) @ moment) / (world.body.mass * world.scenario.g)
    assert value_at(quantity_of(run, "Righting lever"), found, world, 0.0) == pytest.approx(lever, rel=1e-12)
    stage = stage_of(run, plotter)
    stage.show(0.0)
    assert f"GZ {lever:.3g} m" in stage.describe().numbers["rkn-4"]
    assert "energy error" not in stage.describe().numbers["rkn-4"]
    assert "Energy error" not in [one.title for one in kind_of(run.scenario).chosen(("Energy error", "Heel"), world)]


def test_errors_of_a_body_let_go_at_rest_are_shares_of_the_energy_that_it_can_have() -> None:
    heeled = {"orientation": [math.cos(0.15), math.sin(0.15), 0.0, 0.0], "angular_velocity": [0.0, 0.0, 0.0]}
    scenario = example("vessel-restoring", duration=10.0, initial=heeled, schemes=("verlet-exact",))
    (found,) = simulate(scenario).values()
    weight = scenario.to_plain()["body"]["mass"] * scenario.g
    energy = 0.5 * weight * 2.1444 * math.sin(0.3) ** 2  # of the heel of 0.3 rad
    change = np.abs(found.total_energy - found.total_energy[0])
    np.testing.assert_allclose(np.abs(invariants.energy_error(found)), change / energy, rtol=1e-9)


@pytest.mark.parametrize(
    ("scenario", "titles"),
    [
        (
            example("rock-ramp", schemes=("explicit",)),
            ("Speed", "Rotation", "Kinetic energy", "ωx", "ωy", "ωz", "Lx", "Lz"),
        ),
        (
            example("ship-barge", duration=1.0, schemes=("rkn-4",), **{"initial.heel": 0.0}),
            ("Heel", "Yaw", "Righting lever", "Position x", "Position y", "ωx", "ωz"),
        ),
    ],
    ids=["rock", "ship"],
)
def test_what_is_at_rest_reads_0_and_not_its_rounding(scenario, titles) -> None:
    run = finished(scenario)
    (lane,), end = run.lanes, run.lanes[0].trajectory.time[-1]
    charts = {one.title: one for one in kind_of(scenario).choices}
    told = {
        title: read_out(charts[title], value_at(charts[title], lane.trajectory, run.world, end), 4) for title in titles
    }
    assert told == dict.fromkeys(titles, "0")


def test_a_small_number_that_is_no_rounding_is_read() -> None:
    given = (3e-14, 10.0, -2e-9)
    run = finished(cuboid(duration=0.1, schemes=("implicit",), initial={"angular_velocity": given}))
    (lane,) = run.lanes
    charts = {one.title: one for one in kind_of(run.scenario).choices}
    told = [read_out(charts[f"ω{x}"], value_at(charts[f"ω{x}"], lane.trajectory, run.world, 0.0), 4) for x in "xyz"]
    assert told == ["3.0e−14", "10", "−2.0e−9"]


def test_a_ship_at_rest_has_no_error_of_rounding() -> None:
    scenario = example("ship-barge", duration=1.0, schemes=("rkn-4",), **{"initial.heel": 0.0})
    (found,) = simulate(scenario).values()
    assert np.abs(invariants.energy_error(found)).max() < 1e-4
