"""Trees and barriers that act: each law against its closed form, and what an ensemble counts of them."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import physics
from physics.contact.obstacles import BROKEN, HELD, OVER, capacity_at, hit, offset_share
from physics.hazard.merge import gather
from physics.hazard.results_folder import save_results, summarised
from physics.hazard.rock_rows import REASONS
from physics.systems.rockfall.trees import capacity
from physics.systems.world import World
from tests.physics.falling import ran, scenario
from tests.small import rock

MASS, SPEED = 1000.0, 15.0
FIT = {"height": 25.0, "species": "conifer"}


def thrown(folder, forest=None, **tables):
    """A cube thrown along x above a slope of one degree; forest: y [m] and diameter [cm] of trees at x = 6 m."""
    if forest is not None:
        lines = [f"6,{y},{dbh}" for y, dbh in forest]
        (folder / "trees.csv").write_text("\n".join(["x,y,dbh", *lines]))
        tables["forest"] = FIT | {"trees": "trees.csv"}
    return rock(
        folder=str(folder),
        duration=0.6,
        step=0.002,
        schemes=["implicit"],
        body={"shape": "cuboid", "size": [0.5, 0.5, 0.5], "mass": MASS},
        terrain={"profile": "ramp", "angle": 1.0, "drop": 1.0, "width": 40.0},
        release={"position": [1.0, 0.0], "height": 2.5, "velocity": [SPEED, 0.0, 0.0]},
        **tables,
    )


def test_capacity_is_that_of_the_published_power():
    np.testing.assert_allclose(capacity(np.array([10.0, 40.0]), 1.0), 38.7 * np.array([204.1738, 5020.634]), rtol=2e-5)
    # a cone from breast height to its tip: at half of what is left above, half the diameter
    assert capacity_at(100.0, 21.3, 11.3) == pytest.approx(100.0 * 0.5**2.31)
    assert [capacity_at(100.0, 21.3, z) for z in (0.0, 1.3, 21.3)] == [100.0, 100.0, 0.0]


@pytest.mark.parametrize(("offset", "share"), [(0.0, 0.98), (0.58, 0.467), (0.5, 0.789), (0.9, 0.0)])
def test_less_energy_is_taken_beside_the_axis(offset, share):
    assert offset_share(offset) == pytest.approx(share, abs=2e-3)


def test_a_stem_takes_what_its_laws_say_and_never_gives():
    random = np.random.default_rng(8)
    for _ in range(2000):
        mass, strength = 10.0 ** random.uniform(1, 4), 10.0 ** random.uniform(2, 6)
        v, angle = tuple(random.uniform(-20, 20, 3)), random.uniform(0, 2 * np.pi)
        n = np.array([np.cos(angle), np.sin(angle)])
        ahead, level = np.dot(v[:2], n), np.dot(v[:2], v[:2])
        if ahead <= 0.0:
            continue
        taken, after, fate, offset = hit(mass, v, *n, strength)
        assert offset == pytest.approx(np.sqrt(1 - ahead**2 / level), abs=1e-7)
        wanted = min(mass * ahead**2 / 2, offset_share(offset) * mass * level / 2)
        assert (fate, taken) == (BROKEN if wanted > strength else HELD, pytest.approx(min(wanted, strength)))
        assert mass / 2 * np.dot(after, after) == pytest.approx(mass / 2 * np.dot(v, v) - taken)
        assert (np.dot(after[:2], n) <= 1e-9) == (fate == HELD)
        assert after[2] == v[2]
        across = np.array([-n[1], n[0]])
        assert np.dot(after[:2], across) == pytest.approx(np.dot(v[:2], across))


@pytest.mark.parametrize(("dbh", "breaks"), [(40.0, False), (20.0, True)])
def test_a_rock_meets_a_stem_as_the_closed_form_says(tmp_path, dbh, breaks):
    given = thrown(tmp_path, [(0.0, dbh)], record_every=1)
    foot, run = World.of(given).cover.stems[0][0, 3], physics.simulate(given)["implicit"]
    [met] = [event for event in run.events if event.kind.startswith("tree")]
    assert met.kind == ("tree-broken" if breaks else "tree")
    after = int(np.searchsorted(run.time, met.time - 1e-9))
    # the cube's face touches the stem within the step
    assert run.position[after - 1, 0] < 6.0 - 0.25 - dbh / 200 <= run.position[after, 0] + 1e-9
    height = run.position[after, 2] - foot
    whole = 0.5 * MASS * SPEED**2
    taken = min(0.98 * whole, 0.93 * 38.7 * dbh**2.31 * ((25.0 - height) / 23.7) ** 2.31)
    left = np.sqrt(2.0 * (whole - taken) / MASS)
    np.testing.assert_allclose(run.velocity[after, :2], [left if breaks else -left, 0.0], rtol=2e-3, atol=1e-9)
    assert (np.diff(run.total_energy) <= 1e-9 * whole).all()


@pytest.mark.parametrize(("y", "meets"), [(0.5, False), (0.3, True)])
def test_a_stem_beside_the_way_of_a_rock_turns_it_aside(tmp_path, y, meets):
    alone = physics.simulate(thrown(tmp_path))["implicit"]
    run = physics.simulate(thrown(tmp_path, [(y, 40.0)]))["implicit"]
    assert np.array_equal(run.position, alone.position) != meets
    assert (run.velocity[200, 1] < -1.0) == meets


WALL = [[8.0, -5.0], [8.0, 5.0]]


@pytest.mark.parametrize(
    ("height", "kilojoules", "fate"), [(4.0, 200.0, HELD), (4.0, 50.0, BROKEN), (1.0, 200.0, OVER), (1.0, 50.0, OVER)]
)
def test_a_barrier_holds_breaks_or_is_overtopped(tmp_path, height, kilojoules, fate):
    barrier = {"line": WALL, "height": height, "capacity": kilojoules, "name": "net"}
    given = thrown(tmp_path, barrier=[barrier], record_every=1)
    run = physics.simulate(given)["implicit"]
    free = physics.simulate(thrown(tmp_path, record_every=1))["implicit"]
    at = int(np.flatnonzero(free.position[:, 0] >= 8.0)[0])
    [met] = [event for event in run.events if event.kind == "barrier"]
    assert met.time == pytest.approx(free.time[at])
    words = {HELD: "is held by net", BROKEN: "breaks net", OVER: "passes over net"}
    assert words[fate] in met.text
    assert ("kJ" in met.text) == (fate != OVER), "what it passes over takes nothing"
    if fate == HELD:
        assert len(run) == at + 1
        assert run.kinetic_energy[-1] == 0.0
        assert run.events[-1].kind == "rest"
    else:
        lost = 1e3 * kilojoules if fate == BROKEN else 0.0
        assert run.kinetic_energy[at] == pytest.approx(free.kinetic_energy[at] - lost, rel=1e-12)
    assert (np.diff(run.total_energy) <= 1e-9 * run.total_energy[0]).all()


WOOD = {"stems": 300.0, "dbh": 30.0, "dbh_deviation": 8.0, "height": 22.0}
NETS = [
    {"line": [[38.0, -60.0], [38.0, 60.0]], "height": 1.2, "capacity": 60.0, "name": "net"},
    {"line": [[60.0, 50.0], [60.0, -50.0]], "height": 1.0},
]


@pytest.fixture(scope="module")
def wooded():
    return ran(World.of(scenario(schemes=["implicit"], forest=WOOD, barrier=NETS)))


def test_an_ensemble_counts_what_its_barriers_do(wooded, tmp_path):
    found = wooded.results["implicit"]
    net, line = summarised(wooded)["schemes"]["implicit"]["barriers"]
    assert net["capacity"] == 60e3
    assert net["stopped"] + net["broken"] + net["overtopped"] == net["crossings"] == sum(net["places"])
    assert net["stopped"] + net["broken"] > 0
    assert net["share_stopped"] == net["stopped"] / net["rocks"]
    assert net["after"]["kinetic_energy"]["max"] <= net["kinetic_energy"]["max"]
    assert "capacity" not in line
    assert line["rocks"] <= net["rocks"] - net["stopped"]
    assert found.largest_relative_gain < 1e-9
    trees = summarised(wooded)["schemes"]["implicit"]["trees"]
    assert trees["hit"] >= max(trees["rocks"], trees["broken"]) > 0
    assert [type(one) for one in trees.values()] == [int, int, int, float]
    assert trees["energy_taken"] > 0.0
    save_results(tmp_path / "out", wooded)
    with (tmp_path / "out" / "barriers.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["capacity [J]"], row["broken"]) for row in rows] == [("60000.0", str(net["broken"])), ("", "")]


def test_a_rock_is_held_by_what_it_lies_at(wooded):
    rows, stems, radius = wooded.results["implicit"].rows, wooded.world.cover.stems[0], wooded.world.body.radius
    feet = stems[:, :2] + wooded.world.terrain.origin
    ends = [(REASONS[int(code)], x, y) for code, x, y in zip(*map(rows.column, ("stop_reason", "x", "y")), strict=True)]
    assert {reason for reason, *_ in ends} >= {"barrier", "tree"}
    for reason, x, y in ends:
        apart = (np.hypot(*(feet - (x, y)).T) - stems[:, 2]).min()
        assert reason != "barrier" or abs(x - 38.0) < 0.1  # the net that holds
        assert reason != "tree" or apart < radius + 0.1


def test_parts_with_acting_barriers_and_trees_add(wooded, tmp_path):
    more = World.of(scenario(schemes=["implicit"], forest=WOOD, barrier=NETS, ensemble={"rocks": 5, "seed": 9}))
    parts = [wooded, ran(more)]
    for name, part in zip("ab", parts, strict=True):
        save_results(tmp_path / name, part, counts=True)
    gather([tmp_path / "a", tmp_path / "b"], tmp_path / "whole")
    found = json.loads((tmp_path / "whole" / "summary.json").read_text())["schemes"]["implicit"]
    apart = [summarised(part)["schemes"]["implicit"] for part in parts]
    for key in ("stopped", "broken", "overtopped", "crossings"):
        assert found["barriers"][0][key] == sum(one["barriers"][0][key] for one in apart)
    most = max(one["barriers"][0]["after"]["kinetic_energy"]["max"] for one in apart)
    assert found["barriers"][0]["after"]["kinetic_energy"]["max"] == most
    assert found["trees"]["hit"] == sum(one["trees"]["hit"] for one in apart)


def test_rocks_are_the_same_on_two_workers(wooded):
    again = ran(World.of(scenario(schemes=["implicit"], forest=WOOD, barrier=NETS)), workers=2)
    first, second = (one.results["implicit"] for one in (wooded, again))
    assert first.rows.read().tobytes() == second.rows.read().tobytes()
    for (name, one), other in zip(first.arrays().items(), second.arrays().values(), strict=True):
        assert one.tobytes() == other.tobytes(), name


def test_trees_that_no_rock_meets_change_nothing(tmp_path):
    (tmp_path / "trees.csv").write_text("x,y,dbh\n20,55,30\n20,-55,40\n")
    far = scenario(schemes=["implicit"], folder=str(tmp_path), forest={"trees": "trees.csv", "height": 20.0})
    bare, wood = ran(World.of(scenario(schemes=["implicit"]))), ran(World.of(far))
    assert bare.results["implicit"].rows.read().tobytes() == wood.results["implicit"].rows.read().tobytes()


def test_stems_are_drawn_by_the_seed_in_their_forest():
    east = [[40.0, -60.0], [90.0, -60.0], [90.0, 60.0], [40.0, 60.0]]
    glade = [[60.0, -20.0], [80.0, -20.0], [80.0, 20.0], [60.0, 20.0]]
    zones = [{"polygon": east} | WOOD | {"stems": 1000.0}, {"polygon": glade, "preset": "clearing"}]
    one, same, other = (World.of(scenario(forest={"zone": zones, "seed": seed})) for seed in (4, 4, 5))
    rows = one.cover.stems[0]
    x, y = (rows[:, :2] + one.terrain.origin).T
    low, high = one.terrain.extent[2:]
    area = 50.0 * (min(high, 60.0) - max(low, -60.0)) - 800.0
    assert len(rows) == pytest.approx(0.1 * area, rel=0.1)
    assert ((x >= 40.0) & (x <= 90.0)).all()
    assert not ((x > 60.0) & (x < 80.0) & (abs(y) < 20.0)).any()
    dbh = 200.0 * rows[:, 2]
    assert (dbh.mean(), dbh.std()) == (pytest.approx(30.0, rel=0.05), pytest.approx(8.0, rel=0.15))
    np.testing.assert_allclose(rows[:, 3], one.terrain.heights_at(x, y))
    assert rows.tobytes() == same.cover.stems[0].tobytes() != other.cover.stems[0].tobytes()


def test_species_and_heights_of_a_table_win(tmp_path):
    (tmp_path / "trees.csv").write_text("x,y,dbh,height,species\n6,1,40,15,broadleaved\n6,2,40,,\n600,2,40,,\n")
    given = scenario(folder=str(tmp_path), forest={"trees": "trees.csv"} | FIT)
    world = World.of(given)
    found = sorted(world.cover.stems[0][:, 4:].tolist())
    assert found == [[15.0, pytest.approx(1.59 * 38.7 * 40**2.31)], [25.0, pytest.approx(0.93 * 38.7 * 40**2.31)]]
    assert "1 of 3 trees lie off the map in trees.csv" in world.notes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x,y,dbh\n6,0,0.4", "trees.csv: line 2, dbh: expected a diameter of 1 to 300 cm, got 0.4"),
        ("x,y,dbh,height\n6,0,40,-3", "trees.csv: line 2, height: expected a height above 0"),
        (
            "x,y,dbh,height,species\n6,0,40,9,fur",
            "trees.csv: line 2, species: 'fur' is not a species; did you mean 'fir'",
        ),
        ("x,y\n6,0", "trees.csv: line 1: no column 'dbh'"),
        ("x,y,dbh,height\n6000,0,40,9", "trees.csv: all 1 trees lie off the map; expected x"),
    ],
)
def test_wrong_tables_of_trees_are_refused(tmp_path, text, why):
    (tmp_path / "trees.csv").write_text(text)
    with pytest.raises(physics.ScenarioError, match=why):
        World.of(scenario(folder=str(tmp_path), forest={"trees": "trees.csv"}))


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ({"forest": {"dbh": 30.0}}, "forest.dbh: needs stems"),
        ({"forest": WOOD | {"dbh": 0.3}}, "forest.dbh: expected"),
        ({"forest": WOOD | {"species": "oaks"}}, "forest.species: 'oaks' is not a species"),
        ({"forest": WOOD | {"stems": 1e9}}, "forest.stems: 1e.09 a hectare with a dbh of 30 cm cover 757123.8% of the"),
        (
            {"forest": {"stems": 2e5, "dbh": 6.0, "height": 22.0}},
            "forest.stems: .* trees; expected at most 1000000",
        ),
        (
            {"barrier": [{"line": WALL, "height": 2.0, "capacity": 0.0}]},
            "barrier.0.capacity: expected a number above 0",
        ),
    ],
)
def test_wrong_values_are_refused(tables, why):
    with pytest.raises(physics.ScenarioError, match=why):
        World.of(scenario(**tables))
