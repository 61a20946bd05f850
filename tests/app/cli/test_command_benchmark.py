"""``polhode benchmark entries``: stops of other programs beside Polhode's and the ruler's."""

import csv
import json
import re
import subprocess
import sys

import pytest

from app.__main__ import main
from app.document.toml_writer import toml_text
from app.hazard.entrants import own_sites, site_of
from assets.make.help_tables import table_of
from physics.hazard.entries import read_entry, scores
from tests.small import rock


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The data of the sites as the command copies them, and what the example of an entry makes of them."""
    folder = tmp_path_factory.mktemp("entries")
    assert main(["benchmark", "entries", "--data", str(folder / "data")]) == 0
    example = str(folder / "data" / "lumped_mass.py")
    subprocess.run([sys.executable, example, str(folder / "lumped_mass.csv")], check=True, timeout=300)
    return folder


def test_an_example_is_scored_beside_polhode_and_the_ruler(data, capsys):
    theirs, stops, table = data / "lumped_mass.csv", data / "polhode-again.json", data / "scores.csv"
    options = ["--entry", str(theirs), "--rocks", "2", "--stops", str(stops), "-o", str(table), "--quiet"]
    assert main(["benchmark", "entries", *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["entries"].keys() == {"polhode", "polhode-preset", "ruler", "lumped_mass"}
    assert {name: len(site["runs"]) for name, site in told["sites"].items()} == {
        "tschamut": 62,
        "tschamut-18": 18,
        "chant-sura-2019": 6,
    }
    ruler = told["entries"]["ruler"]
    assert ruler["tschamut"]["runout"]["all"]["mean"] == pytest.approx(91.1, abs=0.1)
    assert "chant-sura-2019" not in ruler
    again = told["entries"]["polhode"]["tschamut"]["runout"]
    assert again.keys() == {"all", "1", "2", "4"}, "by block"
    assert again["all"]["rocks"] == 124
    _, *rows = csv.reader(table.read_text(encoding="utf-8").splitlines())
    in_help = table_of("benchmark", "Entries")
    assert [row[:3] for row in rows] == [row[:3] for row in in_help]
    same = {"measured", "reach 27.5°", "lumped_mass"}  # need no rocks of ours
    assert [row for row in rows if row[2] in same] == [row for row in in_help if row[2] in same]
    assert len(json.loads(stops.read_text(encoding="utf-8"))) == 2 * (62 + 18 + 6)


def test_written_stops_score_as_the_rocks_that_made_them(tmp_path, capsys):
    """A site of the user keeps its laws; its rocks start where the measured ones did."""
    (tmp_path / "release.csv").write_text("x,y\n10,0\n10,5\n")
    (tmp_path / "stops.csv").write_text("name,x,y,release_x,release_y\na,60,0,10,0\nb,80,5,10,5\n")
    scenario = rock(
        title="Mine",
        duration=20.0,
        step=0.01,
        schemes=["implicit"],
        body={"size": (1.0, 1.0, 1.0), "mass": 1000.0},
        initial={"orientation": "random"},
        terrain={"profile": "ramp"},
        soil={"mu_min": 0.6, "mu_max": 2.0, "kappa": 3.0, "beta": 100.0},
        release={"file": str(tmp_path / "release.csv"), "height": 1.0},
        observed={"stops": str(tmp_path / "stops.csv")},
        ensemble={"rocks": 2},
    )
    site = tmp_path / "mine.toml"
    site.write_text(toml_text(scenario.portable()))
    command = ["benchmark", "entries", str(site), "--rocks", "2", "--quiet", "--json"]
    assert main([*command, "--stops", str(tmp_path / "again.csv"), "-o", str(tmp_path / "drawn.svg")]) == 0
    first = json.loads(capsys.readouterr().out)["entries"]
    assert "mine" not in first["polhode-preset"], "its own laws"
    assert "Mine" in (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    sites = (*own_sites(), site_of(site))
    again = scores(sites[-1], read_entry(tmp_path / "again.csv", sites).sites["mine"])
    for what, parts in first["polhode"]["mine"].items():
        found = again[what]["all"].facts()
        assert all(found[key] == pytest.approx(parts["all"][key], abs=2e-3) for key in ("mean", "wasserstein", "crps"))


REFUSED = {
    ("--entry", "none.csv"): r"none\.csv: no such file; expected stops",
    ("--entry", "lumped_mass.csv", "--entry", "lumped_mass.csv"): r"another entry is named 'lumped_mass'; expected",
    ("--entry", "lumped_mass.csv", "-o", "scores.docx"): r"scores\.docx: expected a name that ends in",
    ("--stops", "stops.txt"): r"stops\.txt: expected a name that ends in \.csv or \.json",
    ("bare.toml",): r"bare\.toml: observed\.stops: missing; expected a file of measured stops",
    ("elsewhere.toml",): r"elsewhere\.toml: release: expected the places at which the measured rocks were let go",
}


@pytest.mark.parametrize("given", REFUSED, ids=" ".join)
def test_what_cannot_be_scored_is_refused_before_rocks_fall(data, capsys, monkeypatch, given):
    monkeypatch.chdir(data)
    slope = rock(title="Slope", schemes=["implicit"], terrain={"profile": "ramp"}, ensemble={"rocks": 2})
    (data / "bare.toml").write_text(toml_text(slope.portable()))
    (data / "stops.csv").write_text("x,y,runout\n60,0,50\n80,5,70\n")
    (data / "elsewhere.toml").write_text(toml_text(slope.changed(**{"observed.stops": "stops.csv"}).portable()))
    assert main(["benchmark", "entries", *given]) == 2
    assert re.search(REFUSED[given], capsys.readouterr().err)


def test_options_of_entries_are_refused_beside_sites(capsys):
    assert main(["benchmark", "field", "--entry", "theirs.csv"]) == 2
    assert "--entry: expected beside 'benchmark entries', not 'benchmark field'" in capsys.readouterr().err
