"""The choice among sets of laws, by some sites alone, and the table of the help that shows it."""

import pytest

from app.hazard.figures import field_sites
from assets.make.help_tables import page_of, table_of
from assets.make.law_sets import (
    BASE,
    HEADING,
    PAGE,
    PARTS,
    RULER,
    SETS,
    at_authume,
    authume,
    chosen,
    left_out,
    rewritten,
    trained,
)
from physics import ScenarioError
from physics.systems.rockfall.world import RockfallWorld


def test_the_set_of_the_lowest_mean_over_that_of_the_preset_alone_is_chosen():
    scores = {BASE: (100.0, 0.2), "far": (50.0, 0.2), "near": (60.0, 0.1), "both": (55.0, 0.12)}
    assert chosen(scores) == "near"  # 0.55, beside 0.75 and 0.575
    assert left_out(scores, 0) == "near"
    assert left_out(scores, 1) == "far"
    assert chosen(scores | {"both": (50.0, 0.11)}) == "both"
    assert chosen({BASE: (1.0, 1.0), "worse": (1.5, 1.0)}) == BASE


def test_the_share_of_energy_after_a_contact_is_that_of_translation_as_measured():
    """The means of Chant Sura are of half the mass times the speed squared; blocks left with up to 14 rad/s."""
    platy = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
    found = field_sites.attitudes(field_sites.contact({"preset": "hard"}, platy, 7.5, 35.0, 35.0), 3)
    assert found[:, 1] == pytest.approx((found[:, 0] / 7.5) ** 2)
    assert (found[:, 3] > 1.0).all()


def test_the_help_has_all_sets_and_recommends_the_chosen_one():
    table = table_of(PAGE, HEADING)
    assert [row[0] for row in table] == [*SETS, RULER]
    assert chosen(trained(table)) == "recommended"


def test_rows_of_the_page_are_replaced_each_by_its_own():
    page, told = page_of(PAGE), table_of(PAGE, HEADING)
    other = [[row[0], *(cell and f"{cell}, new" for cell in row[1:])] for row in told]
    made = rewritten(page, told, other)
    assert made.count(", new |") == sum(bool(cell) for row in told for cell in row[1:])
    assert rewritten(made, other, told) == page


def test_a_row_with_several_empty_cells_is_found_and_written_as_pages_have_it():
    page = "| a | | | b | |\n| c | d | | | |\n"
    told, made = [["a", "", "", "b", ""], ["c", "d", "", "", ""]], [["a", "1", "", "", ""], ["c", "", "", "", "2"]]
    assert rewritten(page, told, made) == "| a | 1 | | | |\n| c | | | | 2 |\n"
    assert rewritten(rewritten(page, told, made), made, told) == page


def test_the_table_of_sets_says_what_that_of_entries_says():
    entries = {tuple(row[:3]): row[4:] for row in table_of("benchmark", "Entries")}
    for name, entry in (("recommended", "Polhode"), (BASE, "Polhode, preset alone")):
        (row,) = [row for row in table_of(PAGE, HEADING) if row[0] == name]
        for cell, site in ((row[1], "tschamut-18"), (row[3], "tschamut")):
            w1, crps, rank, inside = entries[site, "run-out [m]", entry]
            assert cell == ", ".join((w1, crps, rank, inside.split(", ")[1]))


def test_a_copy_of_the_quarry_becomes_a_site(tmp_path):
    """Two walls of a made quarry, up along y: blocks of the table fall from the middle of the places of release."""
    folder = tmp_path / "data"
    for name in ("EXP_endpoints", "Drop_conditions", "Geometries/STL"):
        (folder / name).mkdir(parents=True)
    (folder / "Drop_conditions" / "positions_P1.xyz").write_text("2 14 -19\n2 14 -21\n")
    (folder / "EXP_endpoints" / "Endpoints_P1.txt").write_text("22 0 -20 1000 1 0.85 0.5\n32 0 -20 800 1 0.8 0.5\n")
    for number, zone in enumerate(("Blue", "Gray", "Red")):
        low, high = 20.0 * number, 20.0 * (number + 1)
        a, b, c, d = (low, 10 - 5 * number), (high, 5 - 5 * number), -40.0, 0.0
        corners = [(a, c), (b, c), (b, d)], [(a, c), (b, d), (a, d)]
        facets = "".join(
            "facet normal 0 1 0\nouter loop\n"
            + "".join(f"vertex {x} {y} {z}\n" for (x, y), z in corner)
            + "endloop\nendfacet\n"
            for corner in corners
        )
        (folder / "Geometries" / "STL" / f"DTM_{zone}_zone.stl").write_text(f"solid a\n{facets}endsolid a\n")
    scenario = authume(folder, PARTS[0], tmp_path)
    world = RockfallWorld.of(scenario)
    assert world.observed.stops.runouts == pytest.approx([20.0, 30.0])
    assert world.with_rock(0).body.mass == pytest.approx(1000.0)
    assert float(at_authume(scenario, None)) > 0.0
    with pytest.raises(ScenarioError, match="ramp"):
        at_authume(scenario, {"ramp": -1.0})
