"""``polhode hydrostatics``: text, JSON with the names that scripts rely on, table, figure, and wrong input."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

import assets
from app.document.session import SavedSession, SessionView, save_session
from app.system.language import use
from physics import load_scenario
from physics.simulation.schedule import Schedule
from tests.app.commanding import complaint, polhode

BARGE = ("hydrostatics", "box", "--size", "20,8,4", "--mass", "328000", "--cog", "0,0,2.5")
TETRAHEDRON = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
CLOSED = TETRAHEDRON + "f 3 1 4\n"
LOAD = ("--mass", "100", "--cog", "0.5,0.5,0.2")


def test_the_document_holds_what_scripts_rely_on() -> None:
    done = polhode(*BARGE, "--json", "--heel", "0:20:10")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["volume"] == pytest.approx(320.0)
    assert (found["mass"], found["draught"], found["heel"], found["trim"]) == (328000.0, pytest.approx(2.0), 0.0, 0.0)
    assert found["centre_of_buoyancy"] == pytest.approx([0.0, 0.0, 1.0])
    plane = found["waterplane"]
    assert (plane["area"], plane["centroid"]) == (pytest.approx(160.0), pytest.approx([0.0, 0.0, 2.0]))
    assert (plane["I_transverse"], plane["I_longitudinal"]) == pytest.approx((2560 / 3, 16000 / 3))
    heights = [found[name] for name in ("KB", "BM_transverse", "BM_longitudinal", "GM_transverse", "GM_longitudinal")]
    assert heights == pytest.approx([1.0, 8 / 3, 50 / 3, 7 / 6, 91 / 6])
    form = found["form"]
    assert (form["hulls"], form["length"], form["breadth"], form["draught"]) == pytest.approx((1, 20.0, 8.0, 2.0))
    assert [form[name] for name in ("CB", "CM", "CP", "CWP", "wetted_surface")] == pytest.approx([1, 1, 1, 1, 272.0])
    assert (found["immersion"], found["trimming"]) == pytest.approx((164e3, 328000 * (91 / 6) / 20))  # [kg/m]
    assert found["coefficients"] == {name: form[name] for name in ("CB", "CM", "CP", "CWP")}
    assert [found[name] for name in ("TPC", "MTC", "LCF", "wetted_surface")] == pytest.approx(
        [1.64, 3.28 * (91 / 6) / 20, 0.0, 272.0]  # [t/cm, t m/cm, m, m²]
    )
    table = found["curves"]["form"]
    assert table["MTC [t m/cm]"] == pytest.approx([1.025 * 160 * d * 400 / 12 / d / 2000 for d in table["draught [m]"]])
    assert table["TPC [t/cm]"] == pytest.approx([1.64] * len(table["draught [m]"]))
    water = found["added_mass"]
    assert water["heave"] == {"value": pytest.approx(1.32 * 328000, rel=0.01), "estimated": True}
    assert water["roll"] == water["pitch"] == {"value": None, "estimated": True}
    heave = 2.0 * math.pi * math.sqrt((328000 + water["heave"]["value"]) / found["C33"])
    estimate = 2.0 * (0.373 + 0.023 * 4.0 - 0.043 * 0.2) * 8.0 / math.sqrt(7 / 6)
    assert found["periods"] == {
        "roll": None, "heave": pytest.approx(heave), "pitch": None, "roll_IS_Code": pytest.approx(estimate)
    }  # fmt: skip
    weight = 328000 * 9.81
    stiffness = [1025 * 9.81 * 160, weight * 7 / 6, weight * 91 / 6]
    assert [found[name] for name in ("C33", "C44", "C55")] == pytest.approx(stiffness)
    assert found["gz"] == [[0.0, 0.0], [10.0, pytest.approx(0.2097881152)], [20.0, pytest.approx(0.4594353536)]]
    assert found["vanishing_angle"] == pytest.approx(73.1549662370)
    assert len(found["criteria"]) == 6
    for one in found["criteria"]:
        assert one["passed"] == (one["value"] >= one["limit"])
    assert found["criteria"][0]["name"] == "area under GZ to 30°"


def test_what_is_printed_is_in_the_language_asked_for_and_in_line() -> None:
    try:
        for code, words in {"de": "Tiefgang [m]", "fr": "tirant d'eau [m]", "it": "immersione [m]"}.items():
            lines = polhode(*BARGE, "--heel", "0:20:10", "--language", code).out.splitlines()
            first = next(number for number, line in enumerate(lines) if line.endswith(words))
            assert lines[first].split("[")[0].strip() == {"de": "Krängung", "fr": "gîte", "it": "sbandamento"}[code]
            assert len({len(line) for line in lines[first : first + 4]}) == 1, lines
    finally:
        use("en")


def test_a_scenario_of_a_ship_is_a_loaded_hull(tmp_path: Path) -> None:
    file = tmp_path / "barge.toml"
    file.write_text(
        """kind = "ship"\nduration = 1.0\nstep = 0.1\n[hull]\nshape = "box"\nsize = [20.0, 8.0, 4.0]
draught = 2.0\ncentre_of_gravity = [0.0, 0.0, 2.5]\nradii_of_gyration = [2.8, 5.5, 5.8]\n"""
    )
    radii = ("--radii", "2.8,5.5,5.8")
    assert polhode("hydrostatics", str(file), "--json").out == polhode(*BARGE, *radii, "--json").out
    roll, pitch = (2.0 * math.pi * math.sqrt((k**2 + 1.0) / 9.81 / gm) for k, gm in ((2.8, 7 / 6), (5.5, 91 / 6)))
    for ship in ((str(file),), (*BARGE[1:], *radii)):  # what is given wins over the estimate
        found = json.loads(polhode("hydrostatics", *ship, "--added-mass", "1,328e3,328e3", "--json").out)
        assert (found["periods"]["roll"], found["periods"]["pitch"]) == pytest.approx((roll, pitch))
        assert found["added_mass"]["roll"] == {"value": 328e3, "estimated": False}
    assert "expected three numbers above 0" in complaint(*BARGE, "--added-mass", "1,0,1")
    lighter = json.loads(polhode("hydrostatics", str(file), "--json", "--mass", "164000").out)
    assert lighter["draught"] == pytest.approx(1.0)
    told = polhode("hydrostatics", str(Path(assets.__file__).parent / "scenarios" / "top-steady.toml"))
    assert told.status == 2
    assert told.err.endswith("top-steady.toml: kind: expected 'ship', got 'top'\n")
    told = polhode(*BARGE[:4])
    assert told.err == "polhode: --mass: missing; a hull without a scenario expects it\n"


def test_people_are_told_the_same_in_words() -> None:
    done = polhode(*BARGE)
    assert re.search(r"^stability$.*^  GM transverse +1\.167 m$", done.out, flags=re.M | re.S)
    assert re.search(r"^form$.*^  wetted surface +272 m²$.*^  block coefficient CB +1$", done.out, flags=re.M | re.S)
    assert "To starboard: largest lever 0.8000 m at 35.10°; it vanishes at 73.15°." in done.out
    assert "a demonstration, not an approval" in done.out
    assert len(re.findall(r"at least .* passed$", done.out, flags=re.M)) == 6


def test_a_place_may_begin_with_a_minus_and_the_trim_may_be_kept(tmp_path: Path) -> None:
    table = tmp_path / "levers.csv"
    command = [*BARGE[:-1], "-1,0.1,2.5", "--heel", "-20:20:20", "-o", str(table)]
    for more in ((), ("--fixed-trim",)):
        done = polhode(*command, *more, "--json")
        found = json.loads(done.out)
        rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
        assert rows[0][:3] == ["heel [deg]", "GZ [m]", "trim [deg]"]
        assert [float(row[0]) for row in rows[1:]] == [-20.0, 0.0, 20.0]
        assert [float(row[1]) for row in rows[1:]] == pytest.approx([lever for _, lever in found["gz"]])
        assert (found["side"], found["heel"] < 0.0, found["trim"] < 0.0) == ("port", True, True)
        assert len({row[2] for row in rows[1:]}) == (1 if more else 3)


def test_a_hull_that_was_turned_is_told_aside(tmp_path: Path) -> None:
    path = tmp_path / "hull.obj"
    path.write_text(re.sub(r"f (\d) (\d) (\d)", r"f \3 \2 \1", CLOSED))
    done = polhode("hydrostatics", str(path), *LOAD, "--json")
    assert json.loads(done.out)["mass"] == 100.0
    turned, deck = sorted(done.err.splitlines(), reverse=True)
    assert turned == f"polhode: {path}: the mesh was inside out: all triangles turned to face outwards"
    assert "its waterplane is larger at the keel than at the deck" in deck  # a tetrahedron on its face


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_the_curve_is_drawn_for_print(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"levers.{ending}"
    assert polhode(*BARGE, "-o", str(path)).status == 0
    begins = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}
    assert path.read_bytes().startswith(begins[ending])
    if ending == "svg":
        drawn = path.read_text(encoding="utf-8")
        for words in ("Righting levers: box", "heel to starboard", "vanishes at 73.2°", "not an approval"):
            assert words in drawn


def test_the_sheet_is_written_with_all_its_tables_or_for_print(tmp_path: Path) -> None:
    for ending, begins in {"csv": b"quantity,value,unit\n", "pdf": b"%PDF"}.items():
        path = tmp_path / f"sheet.{ending}"
        assert polhode(*BARGE, "--displacements", "200:550:50", "--sheet", path).status == 0
        assert path.read_bytes().startswith(begins)
    named = PdfReader(tmp_path / "sheet.pdf").pages[-1].extract_text()
    assert all(f"{mass} t" in named for mass in range(200, 551, 50))  # each curve, however many there are
    assert "trimming moment MTC,2.48733333333,t m/cm" in (tmp_path / "sheet.csv").read_text(encoding="utf-8")
    assert "expected a name that ends in .csv or .pdf" in complaint(*BARGE, "--sheet", str(tmp_path / "sheet.txt"))


def test_curves_are_at_round_numbers_or_at_those_asked_for(tmp_path: Path) -> None:
    curves = json.loads(polhode(*BARGE, "--json").out)["curves"]
    assert curves["form"]["draught [m]"] == pytest.approx([0.4 + 0.2 * i for i in range(18)])
    assert [*curves["KN"]][1:] == [f"KN [m] at {mass} t" for mass in (200, 300, 400, 500)]
    file = tmp_path / "barge.toml"
    file.write_text(
        """kind = "ship"\nduration = 1.0\nstep = 0.1\n[hull]\nshape = "box"\nsize = [20.0, 8.0, 4.0]
draught = 2.0\ncentre_of_gravity = [0.0, 0.0, 2.5]\nradii_of_gyration = [2.8, 5.5, 5.8]
[stability]\ndraughts = [3.0, 1.5]\ndisplacements = [164e3]\n"""
    )
    for command in ((*BARGE, "--draughts", "1.5,3", "--displacements", "164"), ("hydrostatics", file)):
        found = json.loads(polhode(*command, "--json").out)
        curves = found["curves"]
        assert curves["form"]["draught [m]"] == pytest.approx([1.5, 3.0])
        assert [*curves["KN"]] == ["heel [°]", "KN [m] at 164 t"]
        rows = [[164.0, heel, lever] for heel, lever in zip(*curves["KN"].values(), strict=True)]
        assert found["KN"] == [pytest.approx(row) for row in rows]
    overridden = json.loads(polhode("hydrostatics", file, "--draughts", "1:2:0.5", "--json").out)["curves"]
    assert overridden["form"]["KB [m]"] == pytest.approx([0.5, 0.75, 1.0])
    told = complaint(*BARGE, "--draughts", "1:9:1")
    assert "--draughts: a draught of 4 m sinks it; expected less than its depth of 4 m" in told
    told = complaint("hydrostatics", file, "--displacements", "900")
    assert "stability.displacements: 900000 kg sink it: the whole hull displaces 656000 kg" in told
    for wrong in ("1:2", "0,1", "1:x:1", "3:1:1", ""):
        assert "expected numbers above 0 such as 2,3,5 or FIRST:LAST:STEP" in complaint(*BARGE, "--draughts", wrong)


def test_openings_and_tanks_are_options_and_keys(tmp_path: Path) -> None:
    file = tmp_path / "barge.toml"
    file.write_text(
        """kind = "ship"\nduration = 1.0\nstep = 0.1\n[hull]\nshape = "box"\nsize = [20.0, 8.0, 4.0]
draught = 2.0\ncentre_of_gravity = [0.0, 0.0, 2.5]\nradii_of_gyration = [2.8, 5.5, 5.8]
[stability]\nopenings = [[0.0, 3.0, 4.0], [0.0, 0.0, 9.0]]\ntanks = [[5.0, 4.0, 1000.0]]\n"""
    )
    given = ("--opening", "0,-3,4", "--opening", "0,0,9", "--tank", "5,4,1000")
    for command in (("hydrostatics", file), (*BARGE, *given)):
        found = json.loads(polhode(*command, "--heel", "0:30:30", "--json").out)
        angle = pytest.approx(math.degrees(math.atan(2 / 3)))
        assert [one["heel"] for one in found["openings"]] == [angle, None]
        assert found["flooding_angle"] == angle
        rise = 1000 * 5 * 64 / 12 / 328000
        assert found["free_surfaces_raise_G"] == pytest.approx(rise)
        assert (found["GM_transverse"], found["KG"]) == pytest.approx((7 / 6 - rise, 2.5))
        assert found["gz"][1][1] == pytest.approx(0.7603629711 - rise / 2)
        assert found["criteria"][1]["name"] == "area under GZ to flooding"
        told = polhode(*command).out
        assert re.search(r"^  heel at which opening 1 floods +33.69 °\n.* 2 floods +– °$", told, flags=re.M)
    assert "expected three numbers above 0, got '5,0,1000'" in complaint(*BARGE, "--tank", "5,0,1000")
    file.write_text(file.read_text().replace("[5.0, 4.0, 1000.0]", "[5.0, 4.0]"))
    assert "stability.tanks" in complaint("hydrostatics", file)


def test_the_weather_criterion_asks_for_the_side_in_the_wind(tmp_path: Path) -> None:
    ship = ("hydrostatics", "box", "--size", "60,12,8", "--mass", "3.69e6", "--cog", "0,0,4.5")
    assert json.loads(polhode(*ship, "--json").out)["weather"] is None
    assert "--deck-edge: missing; the weather criterion expects it" in complaint(*ship, "--windage", "500,5")
    assert "--windage: missing; the weather criterion expects it" in complaint(*ship, "--bilge-keels", "5")
    assert "expected two numbers above 0, got '500'" in complaint(*ship, "--windage", "500")
    wind = ("--windage", "500,5", "--deck-edge", "0,6,8", "--bilge-keels", "20")
    found = json.loads(polhode(*ship, *wind, "--json").out)
    assert found["weather"]["lw1"] == pytest.approx(504 * 500 * 5 / 9.81 / 3.69e6)
    assert found["weather"]["lw2"] == pytest.approx(1.5 * found["weather"]["lw1"])
    assert len(found["criteria"]) == 8
    assert found["criteria"][6]["value"] == pytest.approx(found["weather"]["area_b"] / found["weather"]["area_a"])
    told = polhode(*ship, *wind, "--sheet", tmp_path / "sheet.pdf").out
    assert re.search(r"^weather criterion$\n^  lever of the steady wind lw1 +0.03481 m$", told, flags=re.M)
    assert re.search(r"^weather criterion: area b over area a .* passed$", told, flags=re.M)
    assert "\nCriteria of the 2008 IS Code, part A, 2.2 and 2.3: a demonstration, not an approval.\n" in told
    sheet, curve = tmp_path / "sheet.csv", tmp_path / "curve.svg"
    assert polhode(*BARGE, "--windage", "60,2.5", "--deck-edge", "0,4,4", "--sheet", sheet, "-o", curve).status == 0
    outside = "weather criterion: outside its range: length 20 m, below 24 m"
    assert f'\n"{outside}",,\n' in sheet.read_text(encoding="utf-8")
    assert outside in (drawn := curve.read_text(encoding="utf-8"))
    assert "part A, 2.2 and 2.3: a demonstration, not an approval." in drawn


def test_a_session_of_the_window_is_a_loaded_hull(tmp_path: Path) -> None:
    scenario = load_scenario(assets.SCENARIOS / "ship-tanker.toml")
    path = tmp_path / "tanker.polhode.toml"
    save_session(path, SavedSession(Schedule.of(scenario), SessionView(time=12.5)))
    done = polhode("hydrostatics", path, "--heel", "0:20:20", "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["mass"] == 9.46e7
    assert found["gz"][1][1] == pytest.approx(3.5527, abs=2e-3)
    assert found == json.loads(
        polhode("hydrostatics", assets.SCENARIOS / "ship-tanker.toml", "--heel", "0:20:20", "--json").out
    )


def test_of_a_session_edited_at_the_playhead_the_last_edit_counts(tmp_path: Path) -> None:
    scenario = load_scenario(assets.SCENARIOS / "ship-barge.toml")
    lighter = scenario.to_plain()["hull"] | {"mass": 164000.0}
    path = tmp_path / "barge.polhode.toml"
    save_session(path, SavedSession(Schedule.of(scenario.changed(edit=({"time": 1.0, "hull": lighter},)))))
    assert json.loads(polhode("hydrostatics", path, "--heel", "0:10:10", "--json").out)["draught"] == pytest.approx(1.0)


def test_a_hull_is_taken_in_its_unit_and_with_its_axis_up(tmp_path: Path) -> None:
    path = tmp_path / "hull.obj"
    corners = [(x, y, z) for x in (-1e4, 1e4) for y in (0.0, 4e3) for z in (-4e3, 4e3)]  # y up, in millimetres
    faces = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
    path.write_text("\n".join([*("v {} {} {}".format(*one) for one in corners), *(f"f {one}" for one in faces)]))
    load = ("--mass", "328000", "--cog", "0,0,2.5", "--heel", "0:10:10", "--json")
    found = json.loads(polhode("hydrostatics", path, *load, "--scale", "0.001", "--up", "y").out)
    assert found["draught"] == pytest.approx(2.0)
    assert found["GM_transverse"] == pytest.approx(7 / 6)
    assert found["gz"][1][1] == pytest.approx(0.2097881152)
    assert (found["notes"], found["repairs"]) == ([], [])
    vast = ("--mass", "3.28e14", "--cog", "0,2000,0", "--heel", "0:10:10", "--json")
    done = polhode("hydrostatics", path, *vast)
    assert "the hull is 20000 x 4000 x 8000 m, taken in metres: ships are up to 460 m long" in done.err
    assert json.loads(done.out)["notes"] == [done.err.removeprefix(f"polhode: {path}: ").rstrip("\n")]


def test_a_repair_says_what_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "hull.obj"  # a corner on an edge that its neighbour does not split
    path.write_text("v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nv 1 0 0\nf 1 3 2\nf 1 5 4\nf 5 2 4\nf 2 3 4\nf 3 1 4\n")
    told = "1 edge was split at corners of neighbours within 0.0002 m"
    assert "3 edges border one triangle only, the longest from (2, 0, 0)" in complaint("hydrostatics", path, *LOAD)
    done = polhode("hydrostatics", path, *LOAD, "--repair", "--json")
    repaired, deck = sorted(done.err.splitlines())
    assert (done.status, repaired) == (0, f"polhode: {path}: {told}")
    assert "its waterplane is larger at the keel than at the deck" in deck
    assert json.loads(done.out)["repairs"] == [told]
    scenario = tmp_path / "ship.toml"
    scenario.write_text(
        'kind = "ship"\nduration = 1.0\nstep = 0.1\n[hull]\nfile = "hull.obj"\nmass = 100.0\n'
        "centre_of_gravity = [0.5, 0.5, 0.2]\nradii_of_gyration = [0.5, 0.5, 0.5]\n"
    )
    assert "3 edges border one triangle only" in complaint("hydrostatics", scenario)
    assert json.loads(polhode("hydrostatics", scenario, "--repair", "--json").out)["repairs"] == [told]


def test_wrong_input_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "hull.obj"
    path.write_text(TETRAHEDRON)
    assert f"{path}: the mesh is open: 3 edges" in complaint("hydrostatics", str(path), *LOAD)
    path.write_text(CLOSED)
    ship = ("hydrostatics", str(path))
    assert "mass: 2000 kg sink it" in complaint(*ship, "--mass", "2000", "--cog", "0.5,0.5,0.2")
    assert "expected three numbers X,Y,Z" in complaint(*ship, "--mass", "100", "--cog", "0.5,0.5")
    assert "--mass: expected a number above 0" in complaint(*ship, "--mass", "-5", "--cog", "0,0,0")
    assert "--heel: expected FIRST:LAST:STEP in degrees" in complaint(*ship, *LOAD, "--heel", "0:90")
    assert "from -180 to 180 degrees" in complaint(*ship, *LOAD, "--heel", "0:400:5")
    assert "--size is for box, wigley, prism, cylinder" in complaint(*ship, *LOAD, "--size", "1,1,1")
    assert "out.txt" in complaint(*ship, *LOAD, "-o", str(tmp_path / "out.txt"))
    assert "expected --size L,B,D for a box" in complaint("hydrostatics", "box", *LOAD)
    assert "--scale: applies to a file; a box has its own size" in complaint(*BARGE, "--scale", "0.001")
    assert "'boat' is no hull; expected box" in complaint("hydrostatics", "boat", *LOAD)
    assert "none.stl" in complaint("hydrostatics", str(tmp_path / "none.stl"), *LOAD)


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (("box", "--size", "10,10,12", "--mass", "512500", "--cog", "0,0,3"), "not vanish up to 96°, beyond which no"),
        (("cylinder", "--size", "40,10,10", "--mass", "1610000", "--cog", "0,0,1"), "To port: no lever rights it."),
    ],
)
def test_a_curve_that_ends_early_or_rights_nothing_is_told_so(load: tuple[str, ...], said: str) -> None:
    text = polhode("hydrostatics", *load).out
    assert said in text
    (judged,) = (line for line in text.splitlines() if line.startswith("heel of the largest GZ"))
    assert judged.endswith("not passed") == ("no lever" in said)


def test_a_hull_that_no_trim_balances_is_one_line() -> None:
    done = polhode("hydrostatics", "box", "--size", "1,4,4", "--mass", "8200", "--cog", "0.3,0,2")
    assert (done.status, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "box: at a heel of 0° no trim balances it" in done.err
