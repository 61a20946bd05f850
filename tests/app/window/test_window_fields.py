"""The fields of the panel: shapes, moments, soils, forests, degrees; what is left empty is left out."""

from __future__ import annotations

import json
import math

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtWidgets import QApplication

from app.document.session import load_session
from app.window.exports import form
from app.window.exports.dialog import ExportDialog
from app.window.guides.command_palette import CommandPalette
from app.window.panel.panel import PAUSE
from app.window.panel.rows import NumberField
from app.window.panel.typed import parsed, parted
from assets import SCENARIOS
from physics import ScenarioError, load_scenario
from tests.app.slopes import write_slope
from tests.app.windowing import asked_of_mesh, cuboid, edited, rock, show, wait
from tests.small import features

pytestmark = pytest.mark.picture


def write(qtbot, window, key: str, *texts: str) -> None:
    for number, text in zip(window.panel.entries[key].numbers, texts, strict=False):
        number.selectAll()
        qtbot.keyClicks(number, text)


def choose(window, key: str, word: str) -> None:
    box = window.panel.entries[key].box
    box.setCurrentIndex(box.findData(word))
    box.activated.emit(box.currentIndex())


def a_panel_that_nobody_touched_is_the_scenario(window) -> None:
    assert window.panel.scenario().to_plain() == window.session.run.scenario.to_plain()


def test_fields_of_a_free_body(check, qtbot, window, tmp_path) -> None:
    show(qtbot, window, cuboid())
    check(a_panel_that_nobody_touched_is_the_scenario, window)
    assert "62.8 steps a turn" in window.panel.advice.text()
    assert "intermediate" in window.panel.advice.text()
    assert "(59)" in window.panel.advice.text()
    check(an_attitude_is_given_by_angles_or_by_an_axis_too, qtbot, window)
    check(mass_follows_density_and_density_mass, qtbot, window)
    check(shapes_and_principal_moments, qtbot, window)
    check(a_body_from_a_file, qtbot, window, tmp_path)
    show(qtbot, window, cuboid(body={"inertia": (2.0, 3.0, 4.0), "mass": 1.0}))
    check(a_panel_that_nobody_touched_is_the_scenario, window)
    check(a_steady_spin_that_is_left_open_is_shown, qtbot, window)


def an_attitude_is_given_by_angles_or_by_an_axis_too(qtbot, window) -> None:
    entry, half = window.panel.entries["initial.orientation"], math.sqrt(0.5)

    def shown(part) -> list[float]:
        return [float(number.text()) for number in part.numbers]

    def put(part, *texts: str) -> None:
        for number, text in zip(part.numbers, texts, strict=True):
            number.selectAll()
            qtbot.keyClicks(number, text)

    assert (shown(entry.angles), shown(entry.axis), shown(entry.angle)) == ([0, 0, 0], [0, 0, 1], [0])
    scenario = edited(qtbot, window, lambda: put(entry.angles, "90", "0", "90"))
    assert scenario.initial.orientation == pytest.approx((0.5, 0.5, 0.5, 0.5))
    assert shown(entry.quaternion) == [0.5, 0.5, 0.5, 0.5]
    assert shown(entry.axis) == pytest.approx([3**-0.5] * 3, abs=1e-6)
    assert shown(entry.angle) == [120]
    scenario = edited(qtbot, window, lambda: (put(entry.axis, "0", "-2", "0"), put(entry.angle, "90")))
    assert scenario.initial.orientation == pytest.approx((half, 0.0, -half, 0.0))
    assert shown(entry.angles) == [0, -90, 0]
    assert [number.text() for number in entry.axis.numbers] == ["0", "-2", "0"]  # as it was typed
    scenario = edited(qtbot, window, lambda: put(entry.quaternion, "0", "0", "0", "1"))
    assert scenario.initial.orientation == (0.0, 0.0, 0.0, 1.0)
    assert (shown(entry.angles), shown(entry.axis), shown(entry.angle)) == ([180, 0, 0], [0, 0, 1], [180])
    window.actions_by_id["degrees"].setChecked(False)
    assert shown(entry.angles) == pytest.approx([math.pi, 0, 0], rel=1e-5)
    assert window.panel.scenario() == window.session.run.scenario
    put(entry.axis, "0", "0", "0")
    wait(qtbot, lambda: entry.error.text() != "")
    assert "axis other than 0, 0, 0" in entry.error.text()
    for number in entry.axis.numbers:
        assert number.property("error")
    scenario = edited(qtbot, window, lambda: window.actions_by_id["undo"].trigger())
    assert scenario.initial.orientation == pytest.approx((half, 0.0, -half, 0.0))
    assert shown(entry.angle) == pytest.approx([math.pi / 2], rel=1e-5)
    for _ in range(2):
        edited(qtbot, window, lambda: window.actions_by_id["undo"].trigger())
    assert not entry.error.text()
    window.actions_by_id["degrees"].setChecked(True)


def mass_follows_density_and_density_mass(qtbot, window) -> None:
    mass, density = (window.panel.entries[key].numbers[0] for key in ("body.mass", "body.density"))
    assert (mass.text(), density.text(), float(density.placeholderText())) == ("1", "", pytest.approx(1 / 6, rel=1e-3))
    edited(qtbot, window, lambda: write(qtbot, window, "body.density", "2000"))
    assert window.session.run.world.body.mass == pytest.approx(12000.0)
    assert (mass.text(), float(mass.placeholderText())) == ("", 12000.0)
    edited(qtbot, window, lambda: write(qtbot, window, "body.size", "2", "2", "2"))  # the mass follows the size
    assert float(mass.placeholderText()) == 16000.0
    edited(qtbot, window, lambda: write(qtbot, window, "body.mass", "1"))
    assert (density.text(), window.session.run.scenario.body.density) == ("", None)
    edited(qtbot, window, lambda: write(qtbot, window, "body.size", "3", "2", "1"))


def shapes_and_principal_moments(qtbot, window) -> None:
    edited(qtbot, window, lambda: choose(window, "body.shape", "ellipsoid"))
    assert window.session.run.scenario.body.shape == "ellipsoid"
    assert window.session.run.world.body.inertia == pytest.approx([0.25, 0.5, 0.65])
    choose(window, "body.shape", "inertia")
    wait(qtbot, lambda: "missing" in window.panel.entries["body.inertia"].error.text().lower())
    edited(qtbot, window, lambda: write(qtbot, window, "body.inertia", "2", "3", "4"))
    assert window.session.run.world.moments == pytest.approx([2.0, 3.0, 4.0])
    assert window.session.run.scenario.body.size is None
    choose(window, "body.shape", "cuboid")
    entry, before = window.panel.entries["body.inertia"], window.session.run
    for number, text in zip(entry.numbers[:3], ("8", "3", "9"), strict=True):  # 8, 3, 4 is no body
        number.setFocus()
        number.selectAll()
        qtbot.keyClicks(number, text)
        qtbot.wait(2 * PAUSE)
        assert not entry.error.text()
    wait(qtbot, lambda: window.session.run is not before)
    entry.numbers[0].setFocus()
    entry.numbers[0].selectAll()
    qtbot.keyClicks(entry.numbers[0], "2")
    qtbot.wait(4 * PAUSE)
    assert not entry.error.text()
    window.setFocus()
    wait(qtbot, lambda: bool(entry.error.text()))


def test_masses_and_positions_of_parts_are_edited(qtbot, window) -> None:
    bus = {"name": "Bus", "size": (2.0, 1.0, 1.0), "mass": 4.0}
    array = {"shape": "ellipsoid", "size": (1.0, 1.0, 0.5), "density": 2.0, "position": (3.0, 0.0, 0.0)}
    show(qtbot, window, cuboid(body={"part": (bus, array)}))
    entry = window.panel.entries["body.part"]
    (mass, *_), position = entry.at("0.mass"), entry.at("1.position")

    def typed(number, text):
        number.setFocus()
        number.selectAll()
        qtbot.keyClicks(number, text)
        qtbot.keyClick(number, Qt.Key.Key_Return)

    scenario = edited(qtbot, window, lambda: typed(mass, "6"))
    assert [part.mass for part in scenario.body.part] == [6.0, None]
    scenario = edited(qtbot, window, lambda: typed(position[1], "0.5"))
    assert (scenario.body.part[1].position, scenario.body.part[1].density) == ((3.0, 0.5, 0.0), 2.0)
    assert scenario.body.part[0].position == (0.0, 0.0, 0.0)
    light = 2.0 * math.pi / 6.0 * 0.5  # [kg] of the ellipsoid
    assert window.session.run.world.body.mass == pytest.approx(6.0 + light)
    typed(mass, "-1")
    wait(qtbot, lambda: "above 0" in entry.error.text())
    assert [line.property("error") for line in entry.at("")] == [True] + [False] * 13
    scenario = edited(qtbot, window, lambda: window.actions_by_id["undo"].trigger())
    assert scenario.body.part[1].position == (3.0, 0.0, 0.0)
    assert position[1].text() == "0"


def test_parts_are_named_and_kept_and_a_tensor_can_be_typed(check, qtbot, window, tmp_path) -> None:
    show(qtbot, window, load_scenario(SCENARIOS / "envisat.toml"))
    check(a_panel_that_nobody_touched_is_the_scenario, window)
    parts = window.session.run.scenario.body.part
    assert [entry.label for entry in window.panel.entries["body.part"].entries.values()][::3] == [
        "Bus: Cuboid",
        "Solar array: Cuboid",
        "Radar antenna: Cuboid",
    ]
    assert "Principal moments 16979.7, 124801, 129180 kg m²" in window.status.text()
    scenario = edited(qtbot, window, lambda: write(qtbot, window, "initial.angular_velocity", "0.01"))
    assert scenario.body.part == parts
    choose(window, "body.shape", "inertia")
    scenario = edited(qtbot, window, lambda: write(qtbot, window, "body.mass", "9"))
    assert (scenario.body.part, scenario.body.inertia) == ((), (17023.3, 124825.7, 129112.2, 397.1, -2171.4, 344.2))
    scenario = edited(qtbot, window, lambda: window.actions_by_id["undo"].trigger())
    assert scenario.body.part == parts
    window.files.path = tmp_path / "kept.polhode.toml"
    window.files.save()
    assert load_session(window.files.path).schedule.scenarios[0].body.part == parts
    show(qtbot, window, cuboid())
    entry = window.panel.entries["body.inertia"]
    assert [float(number.placeholderText()) for number in entry.numbers] == pytest.approx(
        [5 / 12, 10 / 12, 13 / 12, 0, 0, 0], abs=1e-3
    )
    scenario = edited(qtbot, window, lambda: write(qtbot, window, "body.inertia", "1", "2", "2.5", "0.1", "0", "-0.2"))
    assert scenario.body.inertia == (1.0, 2.0, 2.5, 0.1, 0.0, -0.2)
    write(qtbot, window, "body.inertia", "1", "2", "4")
    window.setFocus()
    wait(qtbot, lambda: "larger than the sum of the other two" in entry.error.text())


def a_body_from_a_file(qtbot, window, tmp_path) -> None:
    corners = [(x, y, z) for x in (0, 3) for y in (0, 2) for z in (0, 1)]
    (tmp_path / "box.pts").write_text("\n".join(f"{x} {y} {z}" for x, y, z in corners))
    show(qtbot, window, cuboid())
    choose(window, "body.shape", "hull")
    wait(qtbot, lambda: "missing" in window.panel.entries["body.file"].error.text().lower())
    window.panel.entries["body.file"].fill(str(tmp_path / "box.pts"))
    window.panel.entries["body.file"].edited.emit()
    edited(qtbot, window, asked_of_mesh(qtbot, window).open_button.click)
    assert window.session.run.scenario.body.size is None
    assert window.session.run.world.body.inertia == pytest.approx([5 / 12, 10 / 12, 13 / 12])
    edited(qtbot, window, lambda: write(qtbot, window, "body.size", "1", "2", "6"))  # stretched
    assert window.session.run.world.body.extents == pytest.approx([1.0, 2.0, 6.0])


def a_steady_spin_that_is_left_open_is_shown(qtbot, window) -> None:
    top = load_scenario(SCENARIOS / "top-steady.toml")
    show(qtbot, window, top.changed(duration=0.1))
    (spin,) = window.panel.entries["initial.spin"].numbers
    assert spin.text() == ""
    assert float(spin.placeholderText()) == pytest.approx(135.6, abs=0.1)
    degrees_change_what_is_shown_and_not_what_is_meant(qtbot, window)


def degrees_change_what_is_shown_and_not_what_is_meant(qtbot, window) -> None:
    """Degrees are for angles; rates stay in rad/s, as in charts and files."""
    run, (nutation,) = window.session.run, window.panel.entries["initial.nutation"].numbers
    assert float(nutation.text()) == pytest.approx(math.degrees(run.scenario.initial.nutation), rel=1e-4)
    assert "°" in nutation.accessibleName()
    assert "rad/s" in window.panel.entries["initial.spin"].numbers[0].accessibleName()
    assert window.panel.scenario() == run.scenario
    edited(qtbot, window, lambda: write(qtbot, window, "initial.nutation", "45"))
    assert window.session.run.scenario.initial.nutation == pytest.approx(math.pi / 4.0)
    window.actions_by_id["degrees"].setChecked(False)
    assert float(nutation.text()) == pytest.approx(math.pi / 4.0, rel=1e-4)


def test_fields_of_a_rock(check, qtbot, window) -> None:
    show(qtbot, window, rock())
    window.actions_by_id["branch"].setChecked(False)
    check(a_panel_that_nobody_touched_is_the_scenario, window)
    assert all(entry.toolTip() for entry in window.panel.entries.values())
    check(rocks_start_from_a_line_that_is_typed, qtbot, window)
    check(a_forest_needs_its_height, qtbot, window)
    check(a_scar_is_all_or_nothing, qtbot, window)
    check(the_ramp_of_a_terrain, qtbot, window)
    check(a_decimal_comma_is_typed_and_seen_as_it_was_read, qtbot, window)


def rocks_start_from_a_line_that_is_typed(qtbot, window) -> None:
    entries = window.panel.entries
    assert entries["release.line"].isHidden()
    choose(window, "release.place", "line")
    assert not entries["release.line"].isHidden()
    assert entries["release.position"].isHidden()
    wait(qtbot, lambda: entries["release.line"].error.text() == "Missing")
    type_text(qtbot, window, "release.line", "1 2; 3")
    wait(qtbot, lambda: "corners" in entries["release.line"].error.text())
    edited(qtbot, window, lambda: type_text(qtbot, window, "release.line", "1, -2; 1, 2"))
    release = window.session.run.scenario.release
    assert (release.place, release.line) == ("line", ((1.0, -2.0), (1.0, 2.0)))
    edited(qtbot, window, window.session.undo)
    assert entries["release.line"].isHidden()
    assert window.session.run.scenario.release.position == (1.0, 0.0)


def a_forest_needs_its_height(qtbot, window) -> None:
    write(qtbot, window, "forest.drag", "500")
    wait(qtbot, lambda: "expects its height" in window.panel.entries["forest.height"].error.text())
    edited(qtbot, window, lambda: write(qtbot, window, "forest.height", "12"))
    assert (window.session.run.scenario.forest.drag, window.session.run.scenario.forest.height) == (500.0, 12.0)


def a_scar_is_all_or_nothing(qtbot, window) -> None:
    write(qtbot, window, "soil.scar.modulus", "1e7")
    wait(qtbot, lambda: bool(window.panel.entries["soil.scar.coefficient"].error.text()))
    write(qtbot, window, "soil.scar.coefficient", "1")
    edited(qtbot, window, lambda: write(qtbot, window, "soil.scar.density", "1700"))
    assert window.session.run.scenario.soil.scar.modulus == 1e7


def the_ramp_of_a_terrain(qtbot, window) -> None:
    assert window.panel.entries["terrain.file"].isHidden()
    edited(qtbot, window, lambda: write(qtbot, window, "terrain.angle", "35"))
    assert window.session.run.scenario.terrain.angle == 35.0
    assert window.session.run.scenario.terrain.drop == 12.0


def a_decimal_comma_is_typed_and_seen_as_it_was_read(qtbot, window) -> None:
    rocks = window.ensembles.rock
    edited(qtbot, window, lambda: write(qtbot, window, "body.size", "0,75"))
    assert window.session.run.scenario.body.size == (0.75, 0.93, 0.47)
    number = window.panel.entries["body.size"].numbers[0]
    assert number.text() == "0,75"  # while one types
    number.setFocus()
    qtbot.keyClick(number, Qt.Key.Key_Up)
    assert number.text() == "0.76"
    number.setText("1,5")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    assert number.text() == "1.5"
    return_keeps_the_focus_and_esc_gives_it_back(qtbot, window, number)
    menus_and_keys_with_ctrl_are_the_windows(qtbot, window, number)
    assert window.ensembles.rock == rocks  # a comma in a field is no shortcut
    number.setFocus()
    write(qtbot, window, "body.size", "1,000.5")
    window.setFocus()
    wait(qtbot, lambda: "without signs between thousands" in window.panel.entries["body.size"].error.text())


def return_keeps_the_focus_and_esc_gives_it_back(qtbot, window, number) -> None:
    """The field behaves like a spin box: what is typed next replaces the number, and is no key of the window."""
    clock = window.session.clock
    window.session.set_speed(0.5)
    assert number.hasFocus()
    qtbot.keyClicks(number, "1")
    assert number.text() == "1"
    assert clock.speed == 0.5
    qtbot.keyClick(number, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.session.run.scenario.body.size[0] == 1.0)
    qtbot.keyClick(number, Qt.Key.Key_Escape)
    assert not number.hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_1)
    assert clock.speed == 1.0
    assert number.text() == "1"


def menus_and_keys_with_ctrl_are_the_windows(qtbot, window, number) -> None:
    control, menus = Qt.KeyboardModifier.ControlModifier, window.window_layout.menus_by_name
    number.setFocus()
    for key, kind in ((Qt.Key.Key_E, ExportDialog), (Qt.Key.Key_K, CommandPalette)):
        qtbot.keyClick(number, key, control)
        (opened,) = window.findChildren(kind)
        opened.close()
        QApplication.sendPostedEvents(opened, QEvent.Type.DeferredDelete)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow, timeout=900_000)
        number.setFocus()
    number.selectAll()
    qtbot.keyClick(number, Qt.Key.Key_C, control)  # the clipboard's are the field's
    assert QApplication.clipboard().text() == number.text()
    for key, modifier in ((Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier), (Qt.Key.Key_F10, control & ~control)):
        qtbot.keyClick(number, key, modifier)
        assert QApplication.activePopupWidget() is menus["File"]
        qtbot.keyClick(menus["File"], Qt.Key.Key_Right)
        assert QApplication.activePopupWidget() is menus["Edit"]
        menus["Edit"].close()


@pytest.mark.parametrize("language", [QLocale.Language.German, QLocale.Language.C, QLocale.Language.Hindi])
def test_a_point_and_a_comma_are_decimal_in_every_language(qtbot, language) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(language))
    try:
        box = form._seconds("Last", 3000.0, 0.0)
        qtbot.addWidget(box)
        for text, value in {"0.5": 0.5, "0,5": 0.5, "1.25": 1.25, "1,25": 1.25, "1250": 1250.0}.items():
            box.selectAll()
            qtbot.keyClicks(box, text)
            assert box.value() == value
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/3", 1 / 3), ("2*pi", 2 * math.pi), ("-sqrt(2)^2", -2.0), ("(1 + 2,0)", None), ("3e-2*10", 0.3), ("1/0", None)],
)
def test_a_calculation_is_a_number_too(text, value) -> None:
    if value is None:
        with pytest.raises(ScenarioError, match="expected a number"):
            parsed(text, "body.mass")
    else:
        assert parsed(text, "body.mass") == pytest.approx(value)


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "", "x"])
def test_a_number_that_cannot_be_nudged_stays(qtbot, text) -> None:
    number = NumberField("Mass")
    qtbot.addWidget(number)
    number.setText(text)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(number, key)  # what is raised in there ends the process: PySide takes it for another exception
    assert number.text() == text


def test_a_soil_brings_its_values_and_numbers_win_over_them(qtbot, window) -> None:
    show(qtbot, window, rock(soil={"mu_min": 0.4, "mu_max": 1.0}))
    names = window.panel.entries["soil.preset"].field.choices[1:]
    edited(qtbot, window, lambda: choose(window, "soil.preset", names[0]))
    soil = window.session.run.scenario.soil
    assert soil.preset == names[0]
    number = window.panel.entries["soil.mu_max"].numbers[0]
    assert number.text() == ""
    assert float(number.placeholderText()) == pytest.approx(soil.mu_max, rel=1e-3)
    edited(qtbot, window, lambda: write(qtbot, window, "soil.mu_max", "3"))
    assert window.session.run.scenario.soil.mu_max == 3.0
    assert window.session.run.scenario.soil.mu_min == soil.mu_min


def type_text(qtbot, window, key: str, text: str) -> None:
    type_into(qtbot, window.panel.entries[key].line, text)


def type_into(qtbot, line, text: str) -> None:
    line.selectAll()
    qtbot.keyClicks(line, text)


def test_a_coordinate_system_and_barriers_of_a_file_are_typed(qtbot, window, tmp_path) -> None:
    write_slope(tmp_path)
    line = {"type": "LineString", "coordinates": [[10.0, 1.0], [10.0, 19.0]]}
    crs = {"type": "name", "properties": {"name": "EPSG:31287"}}  # without it these would be degrees
    (tmp_path / "nets.geojson").write_text(json.dumps(line | {"crs": crs}))
    start = {"release": {"position": (2.0, 10.0)}, "folder": str(tmp_path)}
    show(qtbot, window, rock(terrain={"file": str(tmp_path / "slope.asc")}, **start))
    entries = window.panel.entries
    assert entries["terrain.crs"].line.placeholderText() == "none"
    type_text(qtbot, window, "terrain.crs", "https://epsg.io/31287")
    wait(qtbot, lambda: "no coordinate system" in entries["terrain.crs"].error.text().lower())
    edited(qtbot, window, lambda: type_text(qtbot, window, "terrain.crs", "EPSG:31287"))
    assert window.session.run.world.terrain.crs == "EPSG:31287"
    entries["barrier"].add()
    (fence,) = entries["barrier"].items
    qtbot.keyClicks(fence.height_line, "3")
    qtbot.keyClicks(fence.capacity, "250")
    wait(qtbot, lambda: "or a file of lines" in entries["barrier"].error.text())
    edited(qtbot, window, lambda: fence.line.insert(str(tmp_path / "nets.geojson")) or fence.line.textEdited.emit(""))
    (net,) = window.session.run.world.fences
    assert (net.name, net.height, net.capacity) == ("nets 1", 3.0, 250e3)
    assert window.panel.scenario() == window.session.run.scenario


def test_a_study_is_set_up_in_the_panel(check, qtbot, window) -> None:
    drawn = {"volume": {"distribution": "power", "min": 1.0, "max": 4.0, "exponent": 1.0}, "frequency": 0.01}
    show(qtbot, window, rock(ensemble={"rocks": 9, "seed": 3}, scenario_class=(drawn,)))
    check(a_panel_that_nobody_touched_is_the_scenario, window)
    entry, periods = window.panel.entries["scenario_class"], window.panel.entries["hazard.return_periods"]
    entry.add_button.click()
    first, second = entry.items
    assert first.volume.text() == "Volume: Power law"
    qtbot.keyClicks(second.line, "0.2")
    wait(qtbot, lambda: "Class 2, frequency" in entry.error.text())
    second.unit.setCurrentIndex(second.unit.findData("return_period"))
    qtbot.keyClicks(second.often, "20")
    qtbot.keyClicks(second.most, "0.1")
    wait(qtbot, lambda: "Class 2, volume: expected a range from less to more" in entry.error.text())
    edited(qtbot, window, lambda: type_into(qtbot, second.most, "0.5"))
    edited(qtbot, window, lambda: type_into(qtbot, first.share, "0.3") or type_into(qtbot, second.share, "0.7"))
    edited(qtbot, window, lambda: write(qtbot, window, "hazard.return_periods", "50", "500"))
    scenario = edited(qtbot, window, lambda: choose(window, "hazard.intensity", "oerok"))
    assert scenario.to_plain()["scenario_class"] == [
        drawn | {"share": 0.3},
        {"volume": [0.2, 0.5], "return_period": 20.0, "share": 0.7},
    ]
    assert (scenario.hazard.return_periods, scenario.hazard.intensity) == ((50.0, 500.0), "oerok")
    assert not periods.isHidden()
    second.gone.click()
    wait(qtbot, lambda: "add up to 1, got 0.3" in entry.error.text())
    edited(qtbot, window, first.gone.click)
    assert periods.isHidden()
    assert not window.session.run.scenario.hazard.model_fields_set


def test_a_rock_may_be_round_and_what_touches_with_rims_says_so(qtbot, window) -> None:
    show(qtbot, window, rock(schemes=("implicit",)))
    shape, disk = (
        window.panel.entries["body.shape"],
        {"shape": "disk", "radius": 0.5, "thickness": 0.2, "density": 2700.0},
    )
    assert shape.note.isHidden()
    choose(window, "body.shape", "cylinder")
    assert "with its rims" in shape.note.text()
    assert not shape.note.isHidden()
    edited(qtbot, window, lambda: choose(window, "body.shape", "ellipsoid"))
    assert shape.note.isHidden()
    assert window.session.run.world.body.surface is not None
    show(qtbot, window, rock(body=disk, schemes=("implicit",)))
    edited(qtbot, window, lambda: write(qtbot, window, "body.rim", "0.05"))
    assert window.session.run.world.body.surface.rounding == 0.05
    assert window.panel.entries["body.height"].isHidden()


def test_the_attribute_of_zones_goes_with_their_file(qtbot, window, tmp_path) -> None:
    ring = [[0, -5], [9, -5], [9, 5], [0, 5], [0, -5]]
    (tmp_path / "a.geojson").write_text(features(({"ground": "snow"}, {"type": "Polygon", "coordinates": [ring]})))
    show(qtbot, window, rock(soil={"zones": str(tmp_path / "a.geojson"), "soil_key": "ground"}))
    entries = window.panel.entries
    assert entries["soil.soil_key"].value() == "ground"
    entries["soil.zones"].fill(None)
    edited(qtbot, window, entries["soil.zones"].edited.emit)
    assert entries["soil.soil_key"].isHidden()
    assert window.session.run.scenario.soil.model_fields_set == set()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0, 0.5, 1", ["0", "0.5", "1"]),
        ("0,0.5,1", ["0", "0.5", "1"]),
        ("0 0.5 1", ["0", "0.5", "1"]),
        ("0 ,5 , 1", ["0", "5", "1"]),
        ("0,5 1", ["0,5", "1"]),
    ],
)
def test_a_comma_between_numbers_that_spaces_part_is_a_decimal_one(text: str, numbers: list[str]) -> None:
    assert parted(text) == numbers
    assert [parsed(one, "x") for one in numbers] == [float(one.replace(",", ".")) for one in numbers]
