"""Ensembles of drawn and swept starts: who turns over, and that a run depends on nothing but seed and number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import assets
from physics import Scenario, ScenarioError, load_scenario, simulate
from physics.ensembles.start_ensemble import Share, StartEnsemble
from physics.schemes.lane import lane_of
from physics.schemes.loop import MANY
from physics.simulation.schedule import stream
from physics.systems import system_of
from physics.systems.free import system as free_starts
from physics.systems.toys import world as toy_columns
from physics.systems.toys.system import COLUMNS
from tests.small import pendulum

TOP = load_scenario(assets.SCENARIOS / "table-tippe-top.toml").changed(schemes=["implicit"])
FEW = {"ensemble.runs": 12}
MAJOR = load_scenario(assets.SCENARIOS / "cuboid-major.toml").changed(
    ensemble={"runs": 40, "seed": 5, "spread": {"spin": 0.5, "direction": 0.1}}
)


def made(scenario, workers=1):
    """The ensemble of a scenario, run to its end."""
    ensemble = StartEnsemble(scenario)
    *_, done = ensemble.march(workers)
    assert done == ensemble.runs
    return ensemble


def column(series, name, columns=COLUMNS):
    """One column (runs,) of a series."""
    return series.rows[:, list(columns).index(name)]


def starts(**spread):
    """Starts of 400 runs with this spread: the rows, after one step."""
    short = TOP.changed(duration=TOP.step, ensemble={"runs": 400, "seed": 5, "spread": spread})
    return made(short).series[0]


def test_tippe_tops_turn_over_by_friction_alone() -> None:
    (series,) = made(TOP.changed(**FEW)).series
    assert series.shares["inverts"] == Share(12, 12, 0)
    when = column(series, "inverts_at")
    assert 0.8 < when.min() < when.max() < 3.0  # the start as it is given: at 1.47 s
    assert column(series, "energy_gain").max() < 1e-15  # [J] of 0.05
    assert np.all(column(series, "final_energy") < 0.5 * column(series, "start_energy"))
    free = {key: value for key, value in TOP.to_plain().items() if key != "table"} | {"table": {"mu": 0.0}}
    (series,) = made(type(TOP)(**free).changed(**FEW)).series
    assert series.shares["inverts"] == Share(0, 12, 0)
    assert np.isnan(column(series, "inverts_at")).all()
    assert column(series, "largest_tilt").max() < 0.6
    assert np.ptp(column(series, "final_energy") / column(series, "start_energy")) < 1e-12


def test_any_number_of_threads_and_a_part_give_the_same_bytes() -> None:
    short = TOP.changed(duration=0.1, **{"ensemble.runs": 40})
    one, three = made(short, 1), made(short, 3)
    assert one.series[0].rows.tobytes() == three.series[0].rows.tobytes()
    assert one.run(one.series[0], 17).tobytes() == one.series[0].rows[17].tobytes()
    part = made(short.changed(**{"ensemble.runs": 18}))
    assert part.series[0].rows.tobytes() == one.series[0].rows[:18].tobytes()
    other = made(short.changed(**{"ensemble.seed": 2}))
    assert not np.any(column(other.series[0], "start_tilt") == column(one.series[0], "start_tilt"))


def test_a_row_tells_the_start_from_which_the_same_run_follows() -> None:
    ensemble = StartEnsemble(TOP)
    row = dict(zip(COLUMNS, ensemble.run(ensemble.series[0], 3).tolist(), strict=True))
    orientation, w = [row[key] for key in ("qw", "qx", "qy", "qz")], [row[key] for key in ("wx", "wy", "wz")]
    alone = simulate(TOP.changed(**{"initial.orientation": orientation, "initial.angular_velocity": w}))["implicit"]
    assert toy_columns.tilt(alone.orientation[-1]) == pytest.approx(row["final_tilt"], abs=1e-6)
    assert alone.total_energy[-1] == pytest.approx(row["final_energy"], rel=1e-9)


def test_starts_scatter_as_the_spread_says_and_one_by_one() -> None:
    spin = starts(spin=30.0)
    rates = np.linalg.norm([column(spin, key) for key in ("wx", "wy", "wz")], axis=0)
    assert rates.std() == pytest.approx(30.0, rel=0.1)
    assert rates.mean() == pytest.approx(155.0, abs=5.0)
    assert np.ptp(column(spin, "start_tilt")) < 1e-12
    both = starts(spin=30.0, tilt=0.05, direction=0.1)
    assert np.linalg.norm([column(both, key) for key in ("wx", "wy", "wz")], axis=0) == pytest.approx(rates, rel=1e-12)
    lean = np.arccos(column(both, "wz") / rates)
    assert math.sqrt(np.mean(lean**2)) == pytest.approx(0.1, rel=0.1)
    even = starts(distribution="uniform", tilt=0.05)
    tilts = column(even, "start_tilt") - 0.1  # about a level axis of any direction: 0.1 is changed by 0.05 at most
    assert -0.05 < tilts.min() < -0.045
    assert 0.045 < tilts.max() < 0.05


def test_free_bodies_about_the_major_axis_flip_by_the_explicit_scheme_alone() -> None:
    explicit, implicit, exact = made(MAJOR.changed(schemes=["explicit", "implicit", "exact"])).series
    assert [one.shares["flips"] for one in (explicit, implicit, exact)] == [
        Share(40, 40, 0),
        Share(0, 40, 0),
        Share(0, 40, 0),
    ]
    assert column(explicit, "flip_count", free_starts.COLUMNS).min() > 10
    assert column(explicit, "flips_at", free_starts.COLUMNS).min() > 1.0
    assert column(explicit, "spin_change", free_starts.COLUMNS).min() > 0.1
    for one in (explicit, implicit):
        assert column(one, "energy_change", free_starts.COLUMNS).max() < 1e-13
    assert column(implicit, "spin_change", free_starts.COLUMNS).max() < 1e-13
    assert implicit.rows[:, :7].tobytes() == exact.rows[:, :7].tobytes()  # the same starts


def test_free_bodies_have_the_rows_that_they_have_alone() -> None:
    ensemble = made(MAJOR.changed(duration=3.0, record_every=7), workers=2)  # the last row falls between
    for series in ensemble.series:
        assert ensemble.run(series, 33).tobytes() == series.rows[33].tobytes()
        world = free_starts.drawn(series.world, 33)
        alone = free_starts.outcome(world, stream(world, series.lane, 50))
        assert alone[-4] == 3.0
        np.testing.assert_allclose(alone, series.rows[33], rtol=1e-12, atol=1e-14)


def test_a_free_body_without_a_solution_is_told_and_its_neighbours_go_on() -> None:
    fast = MAJOR.changed(
        schemes=["implicit"], **{"initial.angular_velocity": [700, 600, 5], "ensemble.spread.spin": 600}
    )
    (series,) = made(fast.changed(duration=0.5)).series
    failed = column(series, "failed", free_starts.COLUMNS) == 1.0
    assert 0 < failed.sum() < 40
    assert series.shares["flips"].failed == failed.sum()
    assert (column(series, "duration", free_starts.COLUMNS) == 0.5).tolist() == (~failed).tolist()
    number = int(np.flatnonzero(failed)[0])
    world = free_starts.drawn(series.world, number)
    alone = free_starts.outcome(world, stream(world, "implicit", 50))
    np.testing.assert_allclose(alone, series.rows[number], rtol=1e-12, atol=1e-14)
    assert MANY in lane_of("implicit").scheme.marches


def test_a_batch_is_swept_by_the_same_starts() -> None:
    ensemble = made(TOP.changed(duration=0.01, batch={"table": {"mu": [0.1, 0.2]}}, **FEW))
    assert [one.values for one in ensemble.series] == [{"table.mu": 0.1}, {"table.mu": 0.2}]
    first, second = ensemble.series
    assert column(first, "start_tilt").tobytes() == column(second, "start_tilt").tobytes()
    assert not np.any(column(first, "final_tilt") == column(second, "final_tilt"))


@pytest.mark.parametrize(
    ("count", "runs", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_bounds_of_a_share_are_wilson_s(count: int, runs: int, low: float, high: float) -> None:
    # examples of Newcombe 1998, Statistics in Medicine 17, 857-872
    assert Share(count, runs, 0).bounds == pytest.approx((low, high), abs=5e-5)


def test_runs_without_a_solution_are_told_and_not_counted() -> None:
    (series,) = made(TOP.changed(**{"initial.angular_velocity": [0.0, 0.0, 1e100], "ensemble.runs": 3})).series
    assert series.shares["inverts"] == Share(0, 0, 3)
    assert series.shares["inverts"].bounds == (0.0, 1.0)
    assert np.isnan(column(series, "inverts")).all()


SWEEP = [{"joint": joint, "from": -3.0, "to": 3.0, "points": 9} for joint in ("shoulder", "elbow")]
PENDULUM = pendulum(duration=4.0, ensemble={"sweep": SWEEP})
FIRST = ("upper.first", "lower.first")


def test_a_sweep_of_two_angles_says_which_end_of_a_double_pendulum_goes_over_first() -> None:
    ensemble = made(PENDULUM)
    (series,) = ensemble.series
    shoulder, elbow = series.column("shoulder.angle").reshape(9, 9), series.column("elbow.angle").reshape(9, 9)
    assert np.all(shoulder == np.linspace(-3.0, 3.0, 9))
    assert np.all(elbow == np.linspace(-3.0, 3.0, 9)[:, None])
    upper, lower = (series.column(name).reshape(9, 9) for name in FIRST)
    energy = -1.5 * np.cos(shoulder) - 0.5 * np.cos(shoulder + elbow)  # over m g l
    assert not np.any((upper + lower)[energy < -1.0])  # the lower rod upright, the upper one hanging
    assert not np.any(upper[energy < 1.0])  # the upper rod upright, the lower one hanging from it
    assert upper.sum() > 5
    assert lower.sum() > 5
    assert not np.any(upper * lower)
    assert series.shares["lower.first"] == Share(int(lower.sum()), 81, 0)
    assert ensemble.run(series, 17).tobytes() == series.rows[17].tobytes()


def test_the_example_starts_where_schemes_disagree_which_rod_goes_over_first() -> None:
    example = load_scenario(assets.SCENARIOS / "joints-first-over.toml")
    starts = [
        {"joint": joint.name, "from": joint.angle, "to": joint.angle + 0.1, "points": 2} for joint in example.joint
    ]
    schemes = ["mujoco-euler", "moser-veselov"]
    ensemble = made(example.changed(schemes=schemes, record_every=50, **{"ensemble.sweep": starts}))
    for series, first, at in zip(ensemble.series, FIRST, (1.85, 2.17), strict=True):
        assert series.column(first)[0] == 1.0
        assert series.column("over_at")[0] == pytest.approx(at, abs=0.01)


@pytest.mark.parametrize("first", [0, 1])
def test_a_body_goes_over_where_its_counted_angle_passes_half_a_turn(first: int) -> None:
    series = made(PENDULUM).series[0]
    number = int(np.flatnonzero(series.column(FIRST[first]))[0])
    angles = {
        f"joint.{i}.angle": float(series.column(f"{name}.angle")[number])
        for i, name in enumerate(("shoulder", "elbow"))
    }
    plain = PENDULUM.to_plain()
    plain["joint"] = [joint | {"angle": angle} for joint, angle in zip(plain["joint"], angles.values(), strict=True)]
    run = simulate(Scenario(**{key: value for key, value in plain.items() if key != "ensemble"}))["moser-veselov"]
    counted = system_of(PENDULUM).derive(run, Scenario(**plain))["joint_coordinates"]
    turned = np.cumsum(counted, axis=1)  # the angles of both rods against the drawing
    turned = np.abs(turned - 2.0 * math.pi * np.round(turned[0] / (2.0 * math.pi)))  # from within half a turn on
    over = int(np.argmax(turned.max(axis=1) > math.pi))
    assert (turned[over] > math.pi).tolist() == [first == 0, first == 1]
    assert run.time[over - 1] <= series.column("over_at")[number] <= run.time[over] == series.column("duration")[number]


def test_what_joints_give_of_their_start_scatters() -> None:
    spread = {"angle": 0.2, "rate": 0.5}
    turns = {"orientation": [0.8, 0.6, 0.0, 0.0], "angular_velocity": [1.0, 0.0, 0.0]}
    ball = {"name": "ball", "type": "ball", "between": ["ground", "upper"]} | turns
    plain = PENDULUM.to_plain() | {"duration": 0.01, "ensemble": {"runs": 300, "seed": 4, "spread": spread}}
    hinged = made(Scenario(**plain)).series[0]
    assert hinged.column("elbow.angle").std() == pytest.approx(0.2, rel=0.1)
    assert hinged.column("elbow.rate").std() == pytest.approx(0.5, rel=0.1)
    assert abs(np.corrcoef(hinged.column("shoulder.angle"), hinged.column("elbow.angle"))[0, 1]) < 0.2
    series = made(Scenario(**plain | {"joint": [ball, plain["joint"][1]]})).series[0]
    scalar = np.array([series.column(f"ball.orientation-{i}") for i in range(1, 5)]).T @ turns["orientation"]
    assert np.sqrt(np.mean((2.0 * np.arccos(scalar)) ** 2)) == pytest.approx(0.2 * math.sqrt(3.0), rel=0.1)
    assert series.column("ball.angular_velocity-1").mean() == pytest.approx(1.0, abs=0.1)
    assert series.column("elbow.angle").tobytes() == hinged.column("elbow.angle").tobytes()
    link = {"links": 3, "length": 0.2, "shape": "cuboid", "size": [0.2, 0.02, 0.02], "mass": 0.1}
    linked = {key: plain[key] for key in ("kind", "duration", "step", "schemes", "ensemble")}
    linked["ensemble"] = {"runs": 2, "spread": {"angle": 0.1}}
    links = made(Scenario(**linked, chain=[link | {"type": "hinge", "axis": [0, 1, 0], "angle": 0.3}])).series[0]
    assert len({links.column(f"link-{i}.angle")[0] for i in (1, 2, 3)}) == 3


@pytest.mark.parametrize(
    ("ensemble", "field", "why"),
    [
        ({"sweep": SWEEP[:1]}, "ensemble.sweep", "expected two tables"),
        ({"sweep.0.joint": "sholder"}, "ensemble.sweep.0.joint", "did you mean 'shoulder'"),
        ({"sweep.0.key": "travel"}, "ensemble.sweep.0.key", "it applies to slider, cylindrical"),
        ({"sweep.1.points": 100_000}, "ensemble.sweep", "at most 100000 points in all, got 900000"),
        ({"runs": 5}, "ensemble.runs", "beside sweep"),
        ({"spread": {"angle": 0.1}}, "ensemble.spread", "beside sweep"),
        ({"over": ["uper"]}, "ensemble.over.0", "did you mean 'upper'"),
        ({"sweep": [], "spread": {"speed": 0.1}}, "ensemble.spread.speed", "no joint gives speed"),
        ({"sweep": [], "runs": 3}, "ensemble.spread", "all runs would be the same"),
    ],
)
def test_wrong_ensembles_of_mechanisms_are_refused_by_name(ensemble: dict[str, Any], field: str, why: str) -> None:
    plain = PENDULUM.to_plain()
    for key, value in ensemble.items():
        *tables, last = key.split(".")
        place = plain["ensemble"]
        for table in tables:
            place = place[int(table) if table.isdigit() else table]
        place[last] = value
    with pytest.raises(ScenarioError, match=why) as refused:
        StartEnsemble(Scenario(**plain))
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("changes", "field", "why"),
    [
        ({"ensemble.spread": {}}, "ensemble.spread", "all runs would be the same"),
        ({"ensemble.spread": {"distribution": "uniform"}}, "ensemble.spread.distribution", "tilt, spin and direction"),
        ({"ensemble.spread": {"tilt": -0.1}}, "ensemble.spread.tilt", "at least 0"),
        ({"ensemble.runs": 0}, "ensemble.runs", "at least 1"),
        ({"initial.angular_velocity": [0, 0, 0]}, "ensemble.spread.spin", "it has no axis"),
        ({"batch": {"table": {"mu": [0.1] * 6}}, "ensemble.runs": 100_000}, "ensemble.runs", "at most 1000000 runs"),
        ({"edit": [{"time": 1.0, "table": {"mu": 0.1}}]}, "edit", "without edits"),
    ],
)
def test_wrong_input_is_refused_by_name(changes: dict[str, object], field: str, why: str) -> None:
    with pytest.raises(ScenarioError, match=why) as refused:
        StartEnsemble(TOP.changed(schemes=["explicit", "implicit"]).changed(**changes))
    assert refused.value.field == field
