"""The panel for every file that opens: no field is missing, none changes what nobody touched, wrong values are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

import assets
from app.document.open import saved_for
from app.document.session import save_session
from app.kinds import KINDS, kind_of
from app.kinds.field import STEP
from app.theme import DARK
from app.window.panel.rows import Choice, Entry
from app.window.panel.typed import parsed, places
from physics import Scenario, ScenarioError, World, load_scenario
from physics.scenario.described import keys_in
from physics.systems import SYSTEMS
from tests.app.commanding import polhode
from tests.app.windowing import cuboid, rock
from tests.small import write_map

pytestmark = pytest.mark.picture
EXAMPLES = sorted((Path(assets.__file__).parent / "scenarios").glob("*.toml"))
EITHER = (  # of these fields a scenario has one or the other
    ({"initial.velocity"}, {"release.velocity"}),
    (
        {"initial.position"},
        {f"release.{key}" for key in ("place", "position", "line", "polygon", "file", "slope_above", "height")},
    ),
    ({"terrain.file"}, {"terrain.piece"}),
    ({"body.height", "body.radius"}, {"body.inertia", "top.placed", "top.distance", "top.centre"}),  # of a top
)
EDITED = """\
kind = "free"
duration = 2.0
step = 0.01
[body]
size = [3, 2, 1]
mass = 1
[initial]
angular_velocity = [0, 10, 0]
[[edit]]
time = 1.0
step = 0.02
"""
TOP = {
    "kind": "top",
    "duration": 1.0,
    "step": 0.01,
    "body": {"mass": 1.0, "inertia": (0.2, 0.2, 0.1)},
    "top": {"distance": 0.5},
    "initial": {"angular_velocity": (0.0, 0.0, 30.0), "orientation": (0.8, 0.6, 0.0, 0.0)},
}
OTHERS = {  # that no file of the program shows
    "top-of-moments": Scenario(**TOP),
    "start-in-space": rock(release={}, initial={"position": (5.0, 0.0, 30.0), "velocity": (1.0, 0.0, 0.0)}),
    "own-velocity": rock(release={"position": (1.0, 0.0), "velocity": (1.0, 0.0, 0.0)}),
    "of-steep-cells": rock(release={"slope_above": 20.0}, initial={"orientation": "random"}),
    "drawn-sizes": rock(
        ensemble={"rocks": 9, "volume": {"distribution": "power", "min": 0.1, "max": 2, "exponent": 1}}
    ),
    "own-shapes": rock(
        body={"shape": "random", "size": (1.0, 1.0, 1.0), "density": 2700.0},
        ensemble={"shapes": "each"},
        barrier=({"line": ((8.0, -10.0), (8.0, 10.0)), "height": 3.0},),
    ),
    "zones": rock(soil={"zone": ({"polygon": ((0, 0), (1, 0), (1, 1)), "preset": "soft"},), "preset": "hard"}),
    "acted": cuboid(
        torque={"axes": "space", "value": (0.1, 0.2, 0.3)},
        rotor={"axis": (0.0, 1.0, 0.0), "inertia": 0.1, "speed": 5.0, "torque": 0.2},
        spring={"axis": (0.0, 0.0, 1.0), "stiffness": 0.5, "damping": 0.1},
        gravity_gradient={"rate": 0.1},
        damping={"internal": 0.02, "quadratic": (0.01, 0.02, 0.03)},
    ),
    "cone": cuboid(body={"shape": "cone", "height": 2.0, "radius": 1.0, "mass": 3.0}),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of every kind that opens."""
    folder = tmp_path_factory.mktemp("files")
    heights = np.maximum(0.0, 20.0 - np.add.outer(np.zeros(12), 2.0 * np.arange(16)))
    write_map(folder / "land.asc", heights, 2.0)
    (folder / "land.xyz").write_text(
        "\n".join(f"{2 * i} {2 * j} {heights[j, i]}" for j in range(12) for i in range(16))
    )
    import rasterio

    how = {"driver": "GTiff", "width": 16, "height": 12, "count": 1, "dtype": "float32"}
    with rasterio.open(folder / "land.tif", "w", **how, transform=rasterio.Affine(2, 0, 0, 0, -2, 24)) as file:
        file.write(heights.astype(np.float32), 1)
    for suffix in (".stl", ".obj", ".ply"):
        pv.Box((0, 3, 0, 2, 0, 1)).triangulate().save(folder / f"box{suffix}")
    (folder / "box.pts").write_text("\n".join(f"{x} {y} {z}" for x in (0, 3) for y in (0, 2) for z in (0, 1)))
    x, y = np.random.default_rng(1).random((2, 200)) * 30.0
    np.savetxt(folder / "irregular.xyz", np.column_stack([x, y, 20.0 - x]))
    (folder / "edited.toml").write_text(EDITED)
    save_session(folder / "mine.polhode.toml", saved_for(EXAMPLES[0]))
    for name in ("run.npz", "run.parquet"):
        assert polhode("run", folder / "edited.toml", "-o", folder / name, "--quiet").status == 0
    return {path.name: path for path in (*sorted(folder.iterdir()), *EXAMPLES)}


FILES = ("land.asc", "land.tif", "land.xyz", "box.stl", "box.obj", "box.ply", "box.pts", "irregular.xyz", "edited.toml")
NAMES = (*FILES, "mine.polhode.toml", "run.npz", "run.parquet", *(path.name for path in EXAMPLES))


@pytest.fixture
def panel(qtbot):
    from app.window.panel.panel import Panel

    made = Panel(DARK)
    qtbot.addWidget(made)
    return made


def opened(files: dict[str, Path], name: str) -> Scenario:
    return OTHERS[name] if name in OTHERS else saved_for(files[name]).schedule.scenarios[0]


VECTORS = dict.fromkeys(("at", "axis", "axis2"), (0.0, 0.0, 1.0))


def refused(scenario: Scenario, key: str) -> bool:
    """Whether no table of a mechanism's lists takes a number for a key, or a vector."""
    name, _, value = key.partition(".")
    tables = scenario.to_plain().get(name, [])
    if not value:
        return not tables and bool(scenario.chain)
    if "." in value:  # of a table of its own, where one has it
        return not any(value.partition(".")[0] in table for table in tables)
    for i, table in enumerate(tables):
        tried = table.get(value, VECTORS[value]) if value in VECTORS else 1
        try:
            scenario.changed(**{name: [*tables[:i], table | {value: tried}, *tables[i + 1 :]]})
        except ScenarioError:
            continue
        return False
    return True


@pytest.mark.parametrize("name", [*NAMES, *OTHERS])
def test_no_field_is_missing_and_none_changes_what_nobody_touched(files, panel, name) -> None:
    scenario = opened(files, name)
    panel.show_scenario(scenario)
    expected = {field.key for fields in (STEP, *kind_of(scenario).cards.values()) for field in fields}
    for one, other in EITHER:
        if one | other <= expected and (one != EITHER[-1][0] or scenario.kind == "top"):
            shown = [keys for keys in (one, other) if keys <= set(panel.entries)]
            assert len(shown) == 1, (one, other)
            expected -= (one | other) - (shown[0] if shown else set())
    if scenario.kind == "joints":
        lists = {key for key in expected if key.split(".")[0] in ("body", "joint", "spring", "chain")}
        expected -= {key for key in lists if refused(scenario, key)}
    assert set(panel.entries) == expected
    assert panel.scenario().to_plain() == scenario.to_plain()


def test_a_key_that_has_a_label_stands_on_a_card() -> None:
    shown = {field.key for row in KINDS.values() for fields in (STEP, *row.cards.values()) for field in fields}
    labelled = set[str]()
    for system in SYSTEMS.values():
        for key in keys_in(system.scenario):
            if key.name not in ("view", "export", "film"):  # which the panel does not show
                inner = [one for table in key.tables for one in keys_in(table, f"{key.name}.")]
                labelled |= {one.name for one in (key, *inner) if one.label}
    links = {name for name in labelled if name.startswith("chain.")}  # of whose shapes the panel has the cuboid alone
    assert labelled - links - shown == {"ensemble.rocks"}  # which the panel of ensembles has


def retyped(entry) -> None:
    """Type what stands in a row once more by hand."""
    if isinstance(entry, Entry):
        texts = [number.text() for number in entry.numbers]
        entry.fill(None)
        for number, text in zip(entry.numbers, texts, strict=True):
            number.setText(text)


@pytest.mark.parametrize(
    "name", ["rock-alpine.toml", "top-steady.toml", "vessel-steered.toml", "drawn-sizes", "zones", "acted"]
)
def test_what_is_typed_by_hand_means_what_is_shown(files, panel, name) -> None:
    scenario = opened(files, name)
    panel.show_scenario(scenario)
    for entry in panel.entries.values():
        retyped(entry)
    again = panel.scenario()
    for key, entry in panel.entries.items():
        if isinstance(entry, Entry | Choice) and not entry.isHidden() and not entry.field.implied:
            was, now = entry.field.shown(scenario), entry.field.shown(again)
            assert now == (was if was is None or isinstance(was, str) else pytest.approx(was, rel=1e-4)), key


def fault(panel) -> ScenarioError | None:
    """What is wrong with what stands in the panel."""
    try:
        panel.scenario()
    except ScenarioError as error:
        return error
    return None


WRONG = ("", "rubbish", "inf", "nan", "1e999", "-1", "1e300", "5 m", "0x10", "1,000.5")


@pytest.mark.parametrize(
    "name", ["rock-alpine.toml", "land.asc", "top-steady.toml", "vessel-steered.toml", "box.stl", "cone", "acted"]
)
def test_a_wrong_value_in_any_field_is_told_beside_it(files, panel, name) -> None:
    scenario = opened(files, name)
    panel.show_scenario(scenario)
    told = 0
    for key, entry in panel.entries.items():
        if not isinstance(entry, Entry) or entry.isHidden():
            continue
        either = {"body.mass": "body.density", "body.density": "body.mass"}.get(key, "")  # of the two one is given
        for text in WRONG:
            if either in panel.entries:
                panel.entries[either].fill(None)
            for number in entry.numbers:
                number.setText(text)
            if (error := fault(panel)) is None:
                assert text in ("", "-1", "1e300"), (key, text)  # for some fields this is a value
                continue
            told += 1
            assert panel.explain(error), (key, text, error)
            where = next(other for other in panel.entries.values() if other.error.text())
            assert where is entry or not error.field.startswith(key), (key, text, error)
            assert any(number.property("error") for number in where.numbers), (key, text)
            assert len(str(error)) < 200
            for filled in (entry, panel.entries.get(either, entry)):
                filled.fill(filled.field.shown(scenario))
            panel.put({})  # which takes the explanations away
    assert told > 50
    assert panel.scenario().to_plain() == scenario.to_plain()


@pytest.mark.parametrize(
    ("values", "key", "words"),
    [
        ({"ensemble.drawn": "mass"}, "ensemble.mass", "missing"),
        ({"ensemble.mass": {"distribution": "uniform", "min": 5.0, "max": 2.0}}, "ensemble.mass", "more than min"),
        ({"ensemble.mass": {"distribution": "lognormal", "median": 5.0}}, "ensemble.mass", "sigma: missing"),
        ({"barrier": ({"line": ((0.0, 0.0),), "height": 2.0},)}, "barrier", "barrier 1, line: expected at least 2"),
        ({"barrier": ({"line": ((0.0, 0.0), (1.0, 1.0)), "height": -2.0},)}, "barrier", "barrier 1, height: expected"),
        ({"release.place": "polygon", "release.polygon": ((0, 0), (1, 1))}, "release.polygon", "at least 3 corners"),
        ({"release.place": "file"}, "release.file", "missing"),
        ({"terrain.profile": None}, "terrain.file", "missing"),
        ({"terrain.profile": "ramp", "terrain.angle": 90.0}, "terrain.angle", "a number below 85"),
    ],
)
def test_what_has_parts_is_told_by_part(panel, values, key, words) -> None:
    panel.show_scenario(rock())
    panel.put(({"ensemble.drawn": "mass"} if "ensemble.mass" in values else {}) | values)
    with pytest.raises(ScenarioError) as caught:
        panel.scenario()
    assert panel.explain(caught.value)
    assert words.lower() in panel.entries[key].error.text().lower()


def test_distributions_and_barriers_make_the_ensemble(panel) -> None:
    panel.show_scenario(rock())
    lognormal = {"distribution": "lognormal", "median": 700.0, "sigma": 0.4, "max": 2000.0}
    fence = {"line": ((8.0, -10.0), (8.0, 10.0)), "height": 3.0, "name": "Net"}
    panel.put({"ensemble.drawn": "mass", "ensemble.mass": lognormal, "barrier": (fence,)})
    scenario = panel.scenario()
    assert scenario.ensemble.size is not None
    assert scenario.ensemble.size[0] == "mass"
    assert scenario.ensemble.mass.model_dump(exclude_none=True) == lognormal
    assert scenario.barrier[0].name == "Net"
    panel.show_values(panel.opened, scenario)
    assert panel.scenario() == scenario
    panel.entries["barrier"].items[0].gone.click()
    panel.put({"ensemble.drawn": ""})
    bare = panel.scenario()
    assert (bare.barrier, bare.ensemble.size) == ((), None)


def test_another_terrain_takes_the_keys_of_the_former_away(files, panel) -> None:
    panel.show_scenario(opened(files, "land.asc"))
    panel.entries["terrain.resolution"].fill(4.0)
    assert panel.scenario().terrain.resolution == 4.0
    panel.put({"terrain.profile": "ramp"})
    terrain = panel.scenario().terrain
    assert (terrain.profile, terrain.file, terrain.resolution) == ("ramp", None, None)


def test_a_top_told_by_its_axis_goes_on_from_attitude_and_rate(files, panel) -> None:
    scenario = load_scenario(files["top-steady.toml"])
    panel.show_scenario(scenario)
    panel.show_world(World.of(scenario))
    box = panel.entries["initial.given"].box
    box.setCurrentIndex(box.findData("state"))
    box.activated.emit(box.currentIndex())
    again = World.of(panel.scenario())
    assert again.scenario.initial.nutation is None
    np.testing.assert_allclose(again.orientation, World.of(scenario).orientation, atol=1e-12)
    np.testing.assert_allclose(again.angular_velocity, World.of(scenario).angular_velocity, rtol=1e-12)


def test_a_long_number_keeps_its_digits_and_a_seed_is_shown_whole(panel) -> None:
    third, seed = 1.0 / 3.0, 98765432109876
    panel.show_scenario(cuboid(body={"shape": "random", "size": (third, 2.0, 1.0), "mass": 1.0, "seed": seed}))
    assert panel.entries["body.seed"].numbers[0].text() == str(seed)
    panel.entries["body.size"].numbers[1].setText("2.5")
    assert panel.scenario().body.size == (third, 2.5, 1.0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0,5", 0.5),
        (",5", 0.5),
        ("5,", 5.0),
        ("-1,25e-3", -1.25e-3),
        (" 2,5 ", 2.5),
        ("1,000", 1.0),
        ("0.5", 0.5),
        ("7", 7),
    ],
)
def test_a_decimal_comma_is_one(text: str, value: float) -> None:
    assert parsed(text, "body.mass") == value


@pytest.mark.parametrize("text", ["1,000.5", "1.000,5", "1,000,000", "1 000,5", "1'000", ",", "1,5,", "a,5"])
def test_signs_between_thousands_are_not_guessed(text: str) -> None:
    with pytest.raises(ScenarioError, match="expected a number") as told:
        parsed(text, "body.mass")
    assert told.value.field == "body.mass"


@pytest.mark.parametrize("text", ["0,5", "1,000", "2,"])
def test_a_whole_number_has_no_comma(text: str) -> None:
    with pytest.raises(ScenarioError, match="whole number"):
        parsed(text, "ensemble.rocks", whole=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10, 20; 30, 25", ((10, 20), (30, 25))),
        ("10,20;30 ,25", ((10, 20), (30, 25))),
        ("10 20; 30 25", ((10, 20), (30, 25))),
        ("10,5 20,25; 30 25,5", ((10.5, 20.25), (30, 25.5))),
        ("10,5, 20,25; 30, 25,5", ((10.5, 20.25), (30, 25.5))),
    ],
)
def test_corners_may_have_decimal_commas_where_spaces_part_them(text: str, found: tuple) -> None:
    assert places(text, "release.line", 2) == found


def test_a_word_that_was_chosen_stays_when_another_is_chosen(panel) -> None:
    panel.show_scenario(OTHERS["acted"])
    box = panel.entries["rotor.given"].box
    box.setCurrentIndex(box.findData("speed"))
    box.activated.emit(box.currentIndex())
    assert panel.scenario().torque[0].axes == "space"


def test_a_field_that_means_nothing_beside_another_is_hidden(files, panel) -> None:
    egg = saved_for(next(path for path in EXAMPLES if path.stem == "table-egg")).schedule.scenarios[0]
    coulomb = {"table.mu", "table.spin_radius", "table.regularisation"}
    for viscous, hidden in ((0.3, coulomb), (None, set())):
        panel.show_scenario(egg.changed(table={"viscous": viscous} if viscous else {}))
        assert {key for key in coulomb if panel.entries[key].isHidden()} == hidden
    panel.put({"body.shape": "tippe-top"})
    assert panel.entries["body.axes"].isHidden()  # of a body of revolution
    assert not panel.entries["body.offset"].isHidden()


@pytest.mark.parametrize(("kind", "more"), [("ball", set()), ("hinge", {"angle", "rate", "stiffness"})])
def test_a_chain_has_the_fields_of_its_joints(panel, kind, more) -> None:
    links = {"type": kind, "links": 2, "length": 1.0, "shape": "sphere", "radius": 0.1, "mass": 1.0}
    axis = {"axis": (0.0, 1.0, 0.0)} if kind == "hinge" else {}
    panel.show_scenario(Scenario(kind="joints", duration=1.0, step=0.1, chain=(links | axis,)))
    shown = {key.partition(".")[2] for key in panel.entries if key.startswith("chain.")}
    assert shown == {"links", "length", "mass", "damping"} | more
