"""``polhode compare``: each lane beside the true motion, as a table, sentences and JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

from app.document.toml_writer import toml_text
from assets import SCENARIOS
from tests.app.commanding import complaint, cuboid_file, polhode
from tests.small import rock


def test_the_intermediate_axis_is_left_by_the_explicit_scheme_alone() -> None:
    done = polhode("compare", SCENARIOS / "cuboid-intermediate.toml")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"Explicit \(RAMMS\) +1\.6 s +2\.1 s +3\.2 s", done.out)
    assert "Explicit leaves the true motion at 2.1 s and is 82° off." in done.out
    assert "Implicit stays within 0.69° of the true motion." in done.out


def test_json_has_a_lane_each_with_its_reference_and_says_what_the_body_is() -> None:
    done = polhode("compare", SCENARIOS / "cuboid-intermediate.toml", "--scheme", "physx", "--duration", "5", "--json")
    lanes = json.loads(done.out)["lanes"]
    assert list(lanes) == ["physx"]
    assert lanes["physx"]["reference"]["valid_until"] == 5.0
    assert lanes["physx"]["time_to"]["1"] < lanes["physx"]["time_to"]["10"]
    assert abs(lanes["physx"]["energy_change"]) < 1e-6
    assert (lanes["physx"]["error_of"], lanes["physx"]["phase_error_end"]) == (None, None)
    assert lanes["physx"]["verdict"] == "off"
    assert re.fullmatch(
        rf"Rule of PhysX 5 leaves the true motion at {lanes['physx']['time_to']['10']:.1f} s and is "
        rf"{lanes['physx']['error_end']:.0f}° off\.",
        lanes["physx"]["sentence"],
    )
    done = polhode("compare", SCENARIOS / "envisat.toml", "--scheme", "implicit", "--duration", "1", "--json")
    body = json.loads(done.out)["body"]
    assert [round(moment, 2) for moment in body["moments"]] == [16979.74, 124801.21, 129180.25]
    assert [round(number, 1) for number in body["inertia"]] == [17023.3, 124825.7, 129112.2, 397.1, -2171.4, 344.2]
    assert round(body["mass"], 3) == 7827.867
    assert len(body["axes"]) == 4


def test_a_lane_without_a_solution_is_said_and_is_a_failure() -> None:
    done = polhode("compare", SCENARIOS / "top-unsolved.toml", "--scheme", "quat-vi")
    assert done.status == 1
    assert done.is_told_in_one_line
    assert "up to 0 s. It has no solution after that." in done.out


def test_numbers_that_cannot_be_right_are_told_as_by_run(tmp_path: Path) -> None:
    coarse = cuboid_file(tmp_path), "--step", "0.5"
    told = polhode("run", *coarse, "-o", tmp_path / "out.csv").err
    assert "more than half a turn" in told
    done = polhode("compare", *coarse)
    assert (done.status, done.err) == (0, told)


def test_a_place_off_by_rounding_is_none_and_a_list_of_names_has_no_other_commas() -> None:
    schemes = "--scheme", "cayley-em", "--scheme", "mujoco-euler"
    done = polhode("compare", SCENARIOS / "joints-hooke.toml", "--duration", "1", *schemes)
    assert len(re.findall(r"° off \(driv\w+\) +0  ", done.out)) == 2
    assert "Rule of MuJoCo (Euler) stays within" in done.out


def test_wrong_input_is_one_line(tmp_path: Path) -> None:
    assert "none.toml" in complaint("compare", tmp_path / "none.toml")
    assert "--scheme" in complaint("compare", cuboid_file(tmp_path), "--scheme", "nonsense")


def slope_file(folder: Path) -> Path:
    """A scenario file of rocks on a ramp."""
    slope = rock(step=0.004, duration=6.0, initial={"orientation": "random"}, ensemble={"rocks": 5})
    (folder / "ramp.toml").write_text(toml_text(slope.portable()))
    return folder / "ramp.toml"


def test_rocks_are_compared_by_distribution(tmp_path: Path) -> None:
    file, table = slope_file(tmp_path), tmp_path / "table.csv"
    done = polhode("compare", file, "--rocks", "40", "--seed", "3", "--json", "-o", table, "--quiet")
    assert (done.status, done.err) == (0, "")
    facts = json.loads(done.out)
    assert (facts["rocks"], facts["seed"], facts["reference"]) == (40, 3, "exact@0.001")
    assert list(facts["lanes"]) == ["explicit", "implicit"]
    for lane in facts["lanes"].values():
        for what in ("runout", "max_kinetic_energy", "deflection"):
            assert lane[what]["differs"] == (lane[what]["wasserstein"] > lane[what]["by_chance"])
    runout, said = facts["lanes"]["implicit"]["runout"], facts["lanes"]["implicit"]["sentence"]
    assert ("within the noise of 40 rocks" in said) == (not runout["differs"])
    assert len(table.read_text().splitlines()) == 1 + 2 * 3
    picture = tmp_path / "shares.png"
    again = polhode("compare", file, "--rocks", "40", "--seed", "3", "-o", picture)
    assert picture.stat().st_size > 10_000
    assert said in again.out


def test_what_cannot_be_compared_by_distribution_is_told(tmp_path: Path) -> None:
    ramp = slope_file(tmp_path)
    assert "--rocks: applies to rockfall, got 'free'" in complaint("compare", cuboid_file(tmp_path), "--rocks", "30")
    assert "expected 20 rocks or more to compare, got 3" in complaint("compare", ramp, "--rocks", "3")
    assert "--workers: applies beside --rocks" in complaint("compare", ramp, "--workers", "2")
    assert "x.docx" in complaint("compare", ramp, "--rocks", "30", "-o", tmp_path / "x.docx")
