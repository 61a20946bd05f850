"""``polhode validate``: the table, the figure, one JSON document, and what is refused."""

import csv
import json

import pytest

from app.__main__ import main
from app.cli.parser import parse
from app.document.toml_writer import toml_text
from assets.make.help_numbers import SITES, differences
from assets.make.help_tables import table_of
from tests.small import features, rock

CUBE = {"size": (1.0, 1.0, 1.0), "mass": 1000.0}
TABLES = {"initial": {"orientation": "random"}, "terrain": {"profile": "ramp"}, "ensemble": {"rocks": 3}}
SLOPE = rock(title="Slope", duration=20.0, step=0.01, schemes=["implicit"], body=CUBE, **TABLES)
RING = {"type": "Polygon", "coordinates": [[[0, -90], [180, -90], [180, 90], [0, 90], [0, -90]]]}


@pytest.fixture
def slope(tmp_path):
    (tmp_path / "slope.toml").write_text(toml_text(SLOPE.portable()))
    (tmp_path / "stops.csv").write_text("x,y\n150,3\n210,-4\n260,8\n")
    (tmp_path / "zones.geojson").write_text(features(({"name": "slope"}, RING)))
    return tmp_path


def call(folder, *options):
    arguments = parse(["validate", str(folder / "slope.toml"), "--quiet", "--workers", "1", *map(str, options)])
    return arguments.command(arguments)


def test_table_figure_and_json_tell_the_same(slope, capsys):
    measured, table, drawn = slope / "stops.csv", slope / "out.csv", slope / "out.svg"
    options = ("--observed", measured, "--zones", slope / "zones.geojson")
    assert call(slope, *options, "--json", "-o", drawn) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["measured"]["rocks"] == 3
    assert facts["zones"] == {"slope": pytest.approx(1 / 3), "elsewhere": pytest.approx(2 / 3)}
    assert sum(facts["schemes"]["implicit"]["zones"].values()) == pytest.approx(1.0)
    assert facts["baselines"]["reach_angle"]["angle"] == 27.5
    text = drawn.read_text()
    assert "measured (3)" in text
    assert "run-out [m]" in text
    assert "rank among computed rocks" in text
    assert call(slope, *options, "-o", table) == 0
    rows = {row[0]: row[1:] for row in csv.reader(table.read_text(encoding="utf-8").splitlines())}
    assert rows[""] == ["measured", "implicit", "reach 27.5°"]
    assert float(rows["mean [m]"][1]) == pytest.approx(facts["schemes"]["implicit"]["computed"]["mean"], abs=0.05)
    assert rows["in slope"][0] == "33.3%"
    ranks = facts["schemes"]["implicit"]["ranks"]
    assert float(rows["mean rank"][1]) == pytest.approx(ranks["mean"], abs=0.005)
    assert [int(rows[f"ranks from {n / 10:.1f} to {(n + 1) / 10:.1f}"][1]) for n in range(10)] == ranks["counts"]
    assert rows["in the 90 % band"][1] == "{inside}/3 ({low:.1%} - {high:.1%})".format(**ranks["coverage"][2])
    assert "mean [m]" in capsys.readouterr().out


def test_a_step_in_which_rocks_move_farther_than_their_radius_is_told(slope, capsys):
    words = ["validate", str(slope / "slope.toml"), "--observed", str(slope / "stops.csv")]
    assert main([*words, "--scheme", "implicit@0.1"]) == 0
    assert "implicit@0.1: in a step of 0.1 s 3 of 3 rocks moved farther than their radius" in capsys.readouterr().err


def test_the_error_of_the_model_in_a_posterior_has_a_column_of_its_own(slope, capsys):
    (slope / "sets.csv").write_text("soil.mu_min,error.bias,error.scale,error.spread\n0.4,30,0,0\n")
    options = ("--observed", slope / "stops.csv", "--posterior", slope / "sets.csv")
    assert call(slope, *options, "-o", slope / "out.csv") == 0
    rows = {row[0]: row[1:] for row in csv.reader((slope / "out.csv").read_text(encoding="utf-8").splitlines())}
    assert rows[""] == ["measured", "implicit", "implicit with error", "reach 27.5°"]
    assert float(rows["mean [m]"][2]) == pytest.approx(float(rows["mean [m]"][1]) + 30.0, abs=0.11)
    assert rows["spread [m]"][2] == "0.0"
    assert rows["not at rest"][2:] == ["", ""]
    assert "implicit with error" in capsys.readouterr().out
    assert call(slope, *options, "--json", "-o", slope / "out.svg") == 0
    told = json.loads(capsys.readouterr().out)["schemes"]["implicit"]
    assert told["with_error"]["computed"]["mean"] == pytest.approx(told["computed"]["mean"] + 30.0)
    assert "implicit with error" in (slope / "out.svg").read_text()


def test_without_stops_or_with_another_ending_nothing_falls(slope):
    from physics import ScenarioError

    with pytest.raises(ScenarioError, match=r"slope\.toml: observed\.stops: missing; expected a file"):
        call(slope)
    with pytest.raises(ScenarioError, match=r"expected"):
        call(slope, "--observed", slope / "stops.csv", "-o", slope / "out.docx")
    with pytest.raises(ScenarioError, match=r"none\.csv: no such file; expected stops"):
        call(slope, "--observed", slope / "none.csv")


def test_the_measured_blocks_of_tschamut_come_with_the_program():
    import assets
    from physics import load_scenario
    from physics.systems.world import World

    world = World.of(load_scenario(assets.SCENARIOS / "rock-tschamut.toml"))
    runouts = world.observed.stops.runouts
    assert len(runouts) == 18
    assert (round(runouts.mean(), 1), round(runouts.std(ddof=1), 1)) == (92.2, 22.1)
    licence = (assets.SCENARIOS.parent / "field" / "tschamut" / "README.md").read_text()
    assert "Open Database License (ODbL)" in licence
    assert "Volkwein" in licence


def test_sites_are_scored_as_the_help_prints_them(slope, capsys):
    """What the page has, to its digits, and a site of the user."""
    own, output = slope / "own.toml", slope / "sites.csv"
    soil = {"soil.preset": "hard", "observed.stops": str(slope / "stops.csv")}
    own.write_text(toml_text(SLOPE.changed(**soil).portable()))
    assert main(["benchmark", "field", str(own), "--quiet", "--json", "-o", str(output)]) == 0
    numbers = {(row["site"], row["quantity"]): row for row in json.loads(capsys.readouterr().out)}
    _, *rows = csv.reader(output.read_text(encoding="utf-8").splitlines())
    found = [row for row in rows if row[0] != "Slope"]
    assert [row[:3] for row in found] == [row[:3] for row in table_of("trust", "Sites")]
    for site, passage, cells in zip(
        ("Tschamut 2014", "Contacts as at Chant Sura"),
        SITES,
        (("measured", "laws", "alone", "rule"), ("measured", "laws", "alone")),
        strict=True,
    ):
        computed = [n for (name, _), row in numbers.items() if name == site for cell in cells for n in row[cell]]
        assert not differences(passage, computed)
    ours = {row[1]: row[2:] for row in rows if row[0] == "Slope"}
    assert ours["run-out [m]"][0] == "206 ± 55"
    assert numbers["Slope", "run-out [m]"]["measured"] == pytest.approx([206.0, 55.0], abs=0.5)
    assert numbers["Slope", "W1 [m]"]["alone"] == pytest.approx([float(ours["W1 [m]"][2])], abs=0.05)
    assert float(ours["W1 [m]"][1]) != float(ours["W1 [m]"][2]), "laws on and off"


def test_a_site_without_stops_or_preset_is_refused(slope, capsys):
    bare = str(slope / "slope.toml")
    assert main(["benchmark", "field", bare]) == 2
    assert "slope.toml: soil.laws: expected a preset beside it" in capsys.readouterr().err
