"""Entries of a benchmark: scores that others have defined, files that come back as written, and what is refused."""

import math
import re

import numpy as np
import pytest
from scipy.stats import norm, wasserstein_distance

from physics import ScenarioError
from physics.hazard.entries import BenchmarkEntry, Computed, Contacts, Slope, crps, read_entry, scores, write_entry
from physics.systems.rockfall.world import RockfallWorld
from tests.small import rock

CONTACTS = (
    "run,class,soil,mass,L1,L2,L3,speed,into,energy\n"
    "a,cube,hard,780,1,1,1,20,30,60000\n"
    "b,wheel,hard,780,1,1,1,25,10,90000\n"
)


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Three runs on a ramp that falls to the east, and two contacts."""
    folder = tmp_path_factory.mktemp("sites")
    (folder / "release.csv").write_text("x,y\n10,0\n10,5\n10,10\n")
    stops = "name,block,x,y,release_x,release_y\na,1,60,0,10,0\nb,1,80,25,10,5\nc,2,110,10,10,10\n"
    (folder / "stops.csv").write_text(stops)
    (folder / "contacts.csv").write_text(CONTACTS)
    release = {"file": str(folder / "release.csv"), "height": 1.0}
    body = {"size": (1.0, 1.0, 1.0), "mass": 1000.0}
    observed = {"stops": str(folder / "stops.csv")}
    scenario = rock(
        schemes=["implicit"],
        body=body,
        initial={"orientation": "random"},
        terrain={"profile": "ramp"},
        release=release,
        observed=observed,
        ensemble={"rocks": 3},
    )
    return Slope.of(RockfallWorld.of(scenario), "ramp", "Ramp"), Contacts.read(folder / "contacts.csv")


def test_the_score_of_a_run_is_that_of_its_definition():
    values = np.random.default_rng(1).normal(3.0, 2.0, 25)
    apart = np.abs(values[:, None] - values).sum() / (25 * 24)
    assert crps(4.0, values) == pytest.approx(np.abs(values - 4.0).mean() - 0.5 * apart)
    assert crps(4.0, np.array([1.5])) == 2.5


def test_it_is_that_of_a_normal_distribution():
    """Gneiting & Raftery 2007, equation 21."""
    drawn, z = norm.ppf((np.arange(20_000) + 0.5) / 20_000), 0.7
    exact = z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / math.sqrt(math.pi)
    assert crps(z, drawn) == pytest.approx(exact, abs=1e-3)


def test_few_rocks_score_as_many_do_and_wrong_widths_score_worse():
    rng = np.random.default_rng(2)

    def mean(rocks, width=1.0):
        return np.mean([crps(rng.normal(), rng.normal(0.0, width, rocks)) for _ in range(6000)])

    assert mean(2) == pytest.approx(1 / math.sqrt(math.pi), abs=0.04)
    assert mean(40) == pytest.approx(1 / math.sqrt(math.pi), abs=0.02)
    assert min(mean(40, 0.4), mean(40, 2.0)) > 1 / math.sqrt(math.pi) + 0.04


def test_a_stop_is_compared_by_its_distance_and_by_the_angle_beside_the_fall_line(sites):
    slope, _ = sites
    measured = slope.values(slope.observed)
    assert measured["runout"] == pytest.approx([50.0, math.hypot(70.0, 20.0), 100.0])
    assert measured["deflection"] == pytest.approx([0.0, math.degrees(math.atan2(20.0, 70.0)), 0.0], abs=1e-6)


def test_each_run_counts_as_much_whatever_its_number_of_rocks(sites):
    slope, _ = sites
    once = Computed(np.arange(3), {"x": np.array([50.0, 90.0, 100.0]), "y": np.array([0.0, 5.0, 10.0])})
    often = np.array([0, 0, 0, 0, 1, 2])
    again = Computed(often, {name: values[often] for name, values in once.numbers.items()})
    one, other = (scores(slope, computed)["runout"] for computed in (once, again))
    assert one["all"].wasserstein == pytest.approx(other["all"].wasserstein)
    truth = slope.values(slope.observed)["runout"]
    assert one["all"].wasserstein == pytest.approx(wasserstein_distance(truth, [40.0, 80.0, 90.0]))
    assert one["all"].bias == pytest.approx(70.0 - truth.mean())
    assert one["all"].crps == pytest.approx(np.abs(truth - [40.0, 80.0, 90.0]).mean())
    assert one.keys() == {"all", "1", "2"}
    assert one["2"].crps == pytest.approx(10.0)
    assert one["all"].ranks is None, "a single rock has no bands"


def test_rocks_that_moved_on_count_as_at_least_so_far(sites):
    slope, _ = sites
    runs = np.repeat(np.arange(3), 19)
    places = {"x": np.full(57, 40.0), "y": np.repeat([0.0, 5.0, 10.0], 19)}
    short = scores(slope, Computed(runs, places))["runout"]["all"].ranks
    moving = scores(slope, Computed(runs, places | {"rested": np.zeros(57)}))["runout"]["all"].ranks
    assert short.mean > 0.9
    assert moving.mean < short.mean
    assert [band.inside for band in short.coverage] == [0, 0, 0], "beyond all rocks is outside of all bands"
    few = Computed(runs[1:], {name: values[1:] for name, values in places.items()})
    assert scores(slope, few)["runout"]["all"].ranks is None


def test_what_can_also_fall_counts_as_it_is_whether_rocks_moved_on_or_not(sites):
    slope, contacts = sites
    rng = np.random.default_rng(4)
    runs, moving = np.repeat(np.arange(3), 19), {"rested": np.zeros(57)}
    places = {"x": rng.uniform(40.0, 90.0, 57), "y": rng.uniform(-20.0, 30.0, 57)}
    for quantity, same in (("deflection", True), ("runout", False)):
        one, other = (scores(slope, Computed(runs, places | more))[quantity]["all"] for more in ({}, moving))
        assert (one == other) is same
    pairs, after = np.repeat(np.arange(2), 19), {"energy": rng.uniform(2e4, 1e5, 38)}
    still, turning = (Computed(pairs, after | {"rested": np.full(38, value)}) for value in (1.0, 0.0))
    assert scores(contacts, turning) == scores(contacts, still)


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_an_entry_is_read_as_it_was_written(tmp_path, sites, ending):
    slope, contacts = sites
    rng = np.random.default_rng(3)
    there = {"rock": np.tile([0.0, 1.0], 3), "x": rng.uniform(20, 90, 6).round(3), "y": rng.uniform(-9, 9, 6).round(3)}
    entry = BenchmarkEntry(
        "mine",
        {
            "ramp": Computed(np.repeat(np.arange(3), 2), there),
            "contacts": Computed(np.arange(2), {"energy": np.array([50e3, 80e3])}),
        },
    )
    path = tmp_path / f"mine{ending}"
    write_entry(path, ending, entry, sites)
    again = read_entry(path, sites)
    assert again.name == "mine"
    for name, site in {"ramp": slope, "contacts": contacts}.items():
        assert scores(site, again.sites[name]) == scores(site, entry.sites[name])


HEAD, ROWS = "site,run,rock,x,y\n", "ramp,a,0,60,0\nramp,b,0,70,0\nramp,c,0,70,9\n"
REFUSED = {
    "no column": ("site,x,y\nramp,1,2\n", r"line 1: no column 'run'"),
    "unknown column": ("site,run,x,y,speed\nramp,a,1,2,3\n", r"line 1: the column 'speed' would do nothing; expected"),
    "column twice": ("site,run,x,x\nramp,a,1,2\n", r"line 1: expected one column 'x'"),
    "blanks between": ("site run x y\nramp a 1 2\n", r"line 1: no column 'run'"),
    "decimal commas": ("site,run,x,y\nramp,a,1,5,2,5\n", r"line 2: expected 4 columns, got 6"),
    "two points": ("site;run;x;y\nramp;a;1,5;2.5.1\n", r"line 2, y: expected a number below 1e9, got '2\.5\.1'"),
    "site": (HEAD + "vaujany,a,0,1,2\n", r"line 2, site: expected one of ramp, contacts, got 'vaujany'"),
    "run": (HEAD + "ramp,z,0,1,2\n", r"line 2, run: the site ramp has no run 'z'; expected one such as a, b, c"),
    "a run without": (HEAD + "ramp,b,0,1,2\n", r"run: no row for 2 of the 3 runs of the site ramp, such as a, c"),
    "nan": (HEAD + "ramp,a,0,nan,2\n", r"line 2, x: expected a number below 1e9, got 'nan'"),
    "empty cell": (HEAD + "ramp,a,0,,2\n", r"line 2, x: missing; expected a number in each row of the site ramp"),
    "lacking column": ("site,run,x\nramp,a,1\n", r"line 2, y: missing; expected a number"),
    "national": (
        HEAD + "ramp,a,0,2600000,1200000\n",
        r"line 2, x: 2600000 lies far off the map of ramp; expected metres",
    ),
    "twice": (
        HEAD + ROWS + "ramp,c,0,70,9\n",
        r"line 5, rock: rock 0 of run c stands in line 4 too; expected each once",
    ),
    "energy": ("site,run,energy\ncontacts,a,-1\ncontacts,b,1\n", r"line 2, energy: expected 0 or more, got -1"),
    "no energy": ("site,run,x,y\ncontacts,a,1,2\n", r"line 2, energy: missing; expected a number"),
    "empty": ("", r"the file is empty; expected stops"),
    "no rows": (HEAD, r"no stops below the headings; expected lines with site, run"),
}


RECORDS = {
    "cut": ('[\n{"site": "ramp",\n', r"line 2: expected an array of stops, each an object"),
    "nested": ('[\n{"site": "ramp", "run": ["a"]}]', r"line 2: expected an array of stops, each an object"),
    "deep": ("[" * 100_000, r"no stops; expected"),
    "nan": ('[\n{"site": "ramp", "run": "a", "x": NaN, "y": 1}]', r"line 2, x: expected a number below 1e9, got 'nan'"),
    "no run": ('[\n{"site": "ramp", "x": 1, "y": 1}]', r"line 1: no column 'run'; expected site, run"),
}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        pytest.param(name, *given, id=f"{name} {fault}")
        for name, faults in (("theirs.csv", REFUSED), ("theirs.json", RECORDS))
        for fault, given in faults.items()
    ],
)
def test_an_entry_that_cannot_be_scored_is_refused_with_its_place(tmp_path, sites, name, text, sentence):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ScenarioError, match=re.escape(name) + ": " + sentence):
        read_entry(path, sites)


def test_stops_have_a_name_of_their_own(tmp_path, sites):
    slope, _ = sites
    stops = tmp_path / "stops.csv"
    stops.write_text("name,x,y,release_x,release_y\na,60,0,10,0\nb,80,25,10,5\na,110,10,10,10\n")
    world = RockfallWorld.of(slope.world.scenario.changed(**{"observed.stops": str(stops)}))
    with pytest.raises(ScenarioError, match=r"stops\.csv: name: 'a' twice; expected a name of its own for each run"):
        Slope.of(world, "ramp", "Ramp")


def test_contacts_are_read_with_their_names_once(tmp_path):
    path = tmp_path / "contacts.csv"
    path.write_text(CONTACTS.replace("\nb,", "\na,"))
    with pytest.raises(ScenarioError, match=r"contacts\.csv: line 3, run: 'a' twice; expected a name of its own"):
        Contacts.read(path)
    path.write_text(CONTACTS.replace(",25,", ",0,"))
    with pytest.raises(ScenarioError, match=r"contacts\.csv: line 3, speed: expected a number above 0, got 0"):
        Contacts.read(path)
