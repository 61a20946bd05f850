"""The search for the true motion: nothing that acts in time is stepped over, grids differ, costs are bounded."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import physics
from assets import SCENARIOS
from physics import PhysicsError, Scenario, World, load_scenario, simulate
from physics.analysis.comparison import compare
from physics.analysis.ranking import ranked
from physics.core.rotation import angle_between
from physics.schemes import SCHEMES
from physics.simulation import search
from physics.simulation.reference import Reference
from physics.systems.joints.world import JointsWorld
from tests.small import cuboid

BAR = {"shape": "cuboid", "size": [0.2, 0.2, 1.0], "mass": 1.0}
FINE = ("cayley-em@0.001", "dop853@0.003", "yoshida-4@0.001")


def stroke(path: list[list[float]], schemes: tuple[str, ...] = ("cayley-em",), **changes: Any) -> Scenario:
    """A motor turns a bar about a level axis through its middle, and a second bar hangs from its end."""
    given = {
        "kind": "joints",
        "duration": 3.0,
        "step": 0.03,
        "schemes": schemes,
        "body": [{"name": "car", **BAR}, {"name": "arm", **BAR, "position": [0.0, 0.0, -1.0]}],
        "joint": [
            {
                "name": "driven",
                "type": "hinge",
                "between": ["ground", "car"],
                "at": [0.0, 0.0, 0.0],
                "axis": [0.0, 1.0, 0.0],
                "motor": {"path": path},
            },
            {
                "name": "free",
                "type": "hinge",
                "between": ["car", "arm"],
                "at": [0.0, 0.0, -0.5],
                "axis": [0.0, 1.0, 0.0],
            },
        ],
    }
    return Scenario(**(given | changes))


MISSED = [[0.0, 0.0], [0.90, 0.0], [0.945, 1.5], [0.99, 0.0], [3.0, 0.0]]
LATE = [[0.0, 0.0], [2.98, 0.0], [2.985, 0.2], [3.0, 0.2]]


def truth_of(scenario: Scenario) -> Reference:
    """The true motion, which has to be known up to the end."""
    truth = physics.reference(scenario).reference
    assert (truth.valid_until, truth.reason) == (scenario.duration, "")
    return truth


@pytest.mark.parametrize(("path", "at", "angle"), [(MISSED, 0.945, 1.5), (LATE, 2.985, 0.2)])
def test_a_stroke_of_a_fraction_of_a_step_is_seen(path: list[list[float]], at: float, angle: float) -> None:
    scenario = stroke(path, FINE)
    truth = truth_of(scenario)
    state = truth.at(at)
    assert state is not None
    assert float(angle_between(state.orientation[0], np.array([1.0, 0.0, 0.0, 0.0]))) == pytest.approx(angle, abs=1e-6)
    for lane in compare(simulate(scenario)):
        assert lane.departure is not None
        assert lane.departure.largest < 1.0, lane.lane


def test_lanes_of_a_stroke_are_judged_as_they_are() -> None:
    scenario = stroke(MISSED, (*FINE, "cayley-em@0.3"))
    verdicts = {lane.lane: lane.departure for lane in compare(simulate(scenario))}
    assert all(departure is not None for departure in verdicts.values())
    assert {name: departure.verdict for name, departure in verdicts.items() if departure} == {
        **dict.fromkeys(FINE, "right"),
        "cayley-em@0.3": "off",
    }


def pulse(folder: Path, at: float, width: float, **changes: Any) -> Scenario:
    """A body at rest that a triangle of torque about its z axis pushes; in space and in the body it is the same."""
    rows = [(0.0, 0.0), (at, 0.0), (at + width / 2.0, 20.0), (at + width, 0.0), (3.0, 0.0)]
    text = "time [s],x [N m],y [N m],z [N m]\n" + "".join(f"{time!r},0,0,{torque}\n" for time, torque in rows)
    (folder / "pulse.csv").write_text(text)
    given = {
        "initial": {"angular_velocity": (0.0, 0.0, 0.0)},
        "torque": [{"axes": "body", "file": str(folder / "pulse.csv")}],
        "duration": 3.0,
        "step": 0.05,
        "schemes": ("verlet-exact",),
    }
    return cuboid(**(given | changes))


@pytest.mark.parametrize(("at", "width"), [(1.37, 0.003), (2.9, 1e-4)])
def test_a_narrow_pulse_of_torque_is_seen(tmp_path: Path, at: float, width: float) -> None:
    scenario = pulse(tmp_path, at, width)
    state = truth_of(scenario).at(3.0)
    assert state is not None
    speed = 0.5 * width * 20.0 / float(World.of(scenario).moments[2])
    assert state.angular_velocity == pytest.approx([0.0, 0.0, speed], rel=1e-9, abs=1e-15)
    turned = speed * (3.0 - at - width / 2.0)
    assert state.orientation[3] == pytest.approx(math.sin(0.5 * turned), rel=1e-9)


def test_schemes_are_not_ranked_by_an_end_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_EVALUATIONS", 100)
    with pytest.raises(PhysicsError, match="no truth known after"):
        ranked(pulse(tmp_path, 1.37, 0.003), ["rk4"])


def test_a_gust_between_two_steps_begins_when_it_does() -> None:
    given = {"duration": 12.0, "wind": {"lever": 0.05, "gust": 4.0, "gust_at": 7.123}}
    scenario = load_scenario(SCENARIOS / "ship-barge.toml").changed(schemes=("rkn-4@0.001",), record_every=20, **given)
    assert list(World.of(scenario).knots) == [7.123]
    truth, (run,) = truth_of(scenario), simulate(scenario).values()
    assert truth.degrees_off(run).max() < 0.01
    plain = truth_of(scenario.changed(wind={"lever": 0.05}))
    assert plain.degrees_off(run)[run.time <= 7.123].max() < 0.01
    assert plain.degrees_off(run).max() > 1.0


def integration(world: World, finer: float = 1.0) -> search.Integration:
    """An integration of a world to its end, with steps of a share of the roughest at most."""
    made = search.Integration(world, world.scenario.duration, search.ROUGH.finer(finer, 1e-10))
    while not made.over:
        made.extend(search.Budget(1e6))
    return made


def test_two_grids_share_the_knots_alone_and_no_step_spans_one() -> None:
    world = World.of(stroke(MISSED))
    coarse, fine = integration(world), integration(world, search.FINER)
    knots = [0.0, 0.9, 0.945, 0.99, 3.0]
    assert sorted({*coarse.solution.time.tolist()} & {*fine.solution.time.tolist()}) == knots
    for one in (coarse, fine):
        counts = [len(one.solution.between(begin, end).time) - 1 for begin, end in pairwise(knots)]
        assert min(counts) >= 4


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no knots of mechanisms be known, and the first steps be as long as anything allows."""
    monkeypatch.setattr(JointsWorld, "knots", property(lambda world: np.empty(0)))
    monkeypatch.setattr(search, "TOLERANCES", search.TOLERANCES[:1])


NARROW = [[0.0, 0.0], [1.2, 0.0], [1.2025, 0.1], [1.205, 0.0], [3.0, 0.0]]


def test_witnesses_overrule_a_reference_that_missed_what_they_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    blind(monkeypatch)
    scenario = stroke(NARROW, ("cayley-em@0.0003", "dop853@0.0011", "cayley-em@0.3"))
    runs = simulate(scenario)
    alone = physics.reference(scenario).reference
    assert alone.degrees_off(runs["dop853@0.0011"]).max() > 1.0
    verdicts = {lane.lane: lane.departure.verdict for lane in compare(runs) if lane.departure}
    assert verdicts == {"cayley-em@0.0003": "right", "dop853@0.0011": "right", "cayley-em@0.3": "near"}


def test_witnesses_of_distances_overrule_a_reference_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A motor moves a car along, and with it, on a spring, a second body that turns as little."""
    blind(monkeypatch)
    narrow = [[time, 10.0 * value] for time, value in NARROW]
    along: dict[str, Any] = {"type": "slider", "at": [0.0, 0.0, 0.0], "axis": [1.0, 0.0, 0.0]}
    joints = [
        {"name": "driven", "between": ["ground", "car"], "motor": {"path": narrow}, **along},
        {"name": "held", "between": ["car", "arm"], "stiffness": 4e4, **along},
    ]
    runs = simulate(stroke(narrow, ("cayley-em@0.0003", "dop853@0.0011", "cayley-em@0.3"), joint=joints))
    verdicts = {lane.lane: lane.departure.verdict for lane in compare(runs) if lane.departure}
    assert verdicts == {"cayley-em@0.0003": "right", "dop853@0.0011": "right", "cayley-em@0.3": "off"}


def test_a_reference_in_doubt_gives_no_verdict_from_there_on(monkeypatch: pytest.MonkeyPatch) -> None:
    blind(monkeypatch)
    scenario = stroke(NARROW, ("cayley-em@0.0003", "dop853@0.0011", "cayley-em@0.3"))
    runs = simulate(scenario)
    monkeypatch.setattr(search, "MAX_EVALUATIONS", 5000)  # enough to miss it, not for the steps of the witnesses
    for lane in compare(runs):
        assert lane.departure is not None
        assert lane.departure.verdict == "unknown"
        assert "reference in doubt from 1." in lane.reason
        assert lane.valid_until is not None
        assert 1.2 <= lane.valid_until < 1.3


def test_schemes_of_one_construction_are_one_witness() -> None:
    def built(*names: str) -> set[str]:
        return {SCHEMES[name].construction for name in names}

    assert len(built("verlet-exact", "verlet-magnus-4", "yoshida-4", "kahan-li-8")) == 1
    assert len(built("lgvi", "moser-veselov", "pdmv-4")) == 1
    assert len(built("bullet", "mujoco-euler", "ode")) == 1
    assert len(built("cayley-em", "dop853", "yoshida-4", "moser-veselov", "rk4-unit")) == 5


def stiff() -> Scenario:
    """A link that weighs nearly nothing on a spring with damping: no step of an explicit method is short enough."""
    return stroke(
        [[0.0, 0.0]],
        ("cayley-em", "moser-veselov"),
        duration=0.5,
        step=0.01,
        body=[{"name": "core", **BAR}, {"name": "whip", **BAR, "mass": 8e-13, "position": [0.0, 0.0, -1.0]}],
        joint=[
            {
                "name": "elastic",
                "type": "hinge",
                "between": ["core", "whip"],
                "at": [0.0, 0.0, -0.5],
                "axis": [0.0, 1.0, 0.0],
                "stiffness": 0.2,
                "damping": 0.2,
                "angle": 0.1,
            }
        ],
    )


def test_a_search_that_costs_too_much_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_EVALUATIONS", 50_000)
    for lane in compare(simulate(stiff())):
        assert lane.departure is None
        assert lane.valid_until is None
        assert "came to its limit" in lane.reason
        assert math.isfinite(lane.energy.end)


COUNT = """
from tests.physics.simulation.test_search import stiff
import physics
from physics.simulation import search
search.MAX_EVALUATIONS = 30_000
found = search.search(physics.World.of(stiff()).of_lane("cayley-em"), 0.5)
print(repr(found.valid_until), repr(found.step), len(found.solution.time))
"""


def test_the_same_search_takes_the_same_steps_in_every_process() -> None:
    command, root = [sys.executable, "-c", COUNT], Path(__file__).parents[3]
    runs = (subprocess.run(command, cwd=root, capture_output=True, text=True, check=True) for _ in range(2))
    first, second = (run.stdout for run in runs)
    assert first == second != ""


def test_a_reference_with_contact_takes_no_step_of_a_lane() -> None:
    scenario = load_scenario(SCENARIOS / "table-egg.toml").changed(duration=0.2, schemes=("implicit",))
    found = search.search(World.of(scenario).of_lane("implicit"), 0.2)
    again = search.search(World.of(scenario).of_lane("implicit"), 0.2, taken=(found.step,))
    assert not math.isclose(found.step, again.step, rel_tol=1e-6)
    assert (found.valid_until, again.valid_until) == (0.2, 0.2)


def test_a_damped_spring_ends_the_truth_where_its_torque_has_no_bounds_and_not_before() -> None:
    scenario = Scenario(
        kind="free",
        duration=32.4,
        step=0.15,
        schemes=["rk4-unit"],
        body={"shape": "inertia", "inertia": [0.28012, 0.384832, 0.269812], "mass": 1.0},
        spring={"axis": [0.4589, -0.6527, -0.95], "stiffness": 0.113373, "damping": 0.0664773},
        initial={
            "orientation": [0.9959951208013026, 0.057020720665874575, -0.026612989627810807, -0.06351460855349906],
            "angular_velocity": [0.07698, 0.06708, 0.07805],
        },
    )
    truth = physics.reference(scenario)
    w, *q = truth.reference.states(np.array([truth.valid_until]))[1][0]
    about = np.array(scenario.spring.axis) / np.linalg.norm(scenario.spring.axis)
    assert truth.valid_until == pytest.approx(27.044, abs=1e-3)
    assert math.hypot(w, float(about @ q)) < 0.01  # it has no twist there
    assert "came to its limit" in truth.reference.reason
