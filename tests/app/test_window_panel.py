"""The panel: every edit computes a new run; wrong values are explained where they stand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from windowing import cuboid, rock, settle, show, wait

import assets
from physics import load_scenario
from physics.schemes import serving

pytestmark = pytest.mark.picture


def type_in(qtbot, entry, text: str, part: int = 0) -> None:
    number = entry.numbers[part]
    number.selectAll()
    qtbot.keyClicks(number, text)


def edited(qtbot, window, action) -> None:
    """Do something, and wait until another run is shown."""
    before = window.session.run
    action()
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)


def test_a_scenario_that_is_opened_again_has_one_line_in_the_list(window) -> None:
    panel = window.panel
    for scenario in (cuboid(), rock(), cuboid(), rock()):
        panel.show_scenario(scenario)
    assert panel.choice.count() == 2
    assert panel.choice.currentIndex() == 1
    panel.show_scenario(cuboid(duration=7.0))
    assert panel.choice.count() == 3


def test_another_step_computes_another_run(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.session.reset()
    edited(qtbot, window, lambda: type_in(qtbot, window.panel.entries["step"], "0.02"))
    assert window.session.run.scenario.step == 0.02
    assert len(window.session.run.lanes[0].trajectory) == 101


def test_an_edit_keeps_the_playhead(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.session.clock.playing = False
    window.session.seek(1.0)
    edited(qtbot, window, lambda: type_in(qtbot, window.panel.entries["body.mass"], "2"))
    assert window.session.clock.time == pytest.approx(1.0)
    assert window.session.run.world.body.mass == 2.0


def test_schemes_can_be_chosen(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    edited(qtbot, window, window.panel.schemes.checks["exact"].toggle)
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["explicit", "implicit", "exact"]
    edited(
        qtbot,
        window,
        lambda: (window.panel.schemes.checks["explicit"].toggle(), window.panel.schemes.checks["exact"].toggle()),
    )
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["implicit"]
    assert not window.actions_by_id["overlay"].isEnabled()


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("body.mass", "-1", "above 0"),
        ("body.mass", "heavy", "a number"),
        ("step", "0", "above 0"),
        ("step", "5", "duration"),
        ("initial.angular_velocity", "nan", "finite"),
    ],
)
def test_a_wrong_value_is_explained_and_the_run_stays(qtbot, window, field, text, words) -> None:
    show(qtbot, window, cuboid())
    run, entry = window.session.run, window.panel.entries[field]
    type_in(qtbot, entry, text)
    wait(qtbot, lambda: bool(entry.error.text()))
    assert words in entry.error.text()
    assert entry.error.isVisibleTo(window)
    assert window.session.run is run
    assert not window.message.isVisible()
    window.panel.reset()
    assert not window.panel.entries[field].error.text()


def test_what_only_the_run_finds_is_explained_beside_its_field(qtbot, window) -> None:
    show(qtbot, window, rock())
    run, entry = window.session.run, window.panel.entries["release.position"]
    type_in(qtbot, entry, "9999")
    wait(qtbot, lambda: bool(entry.error.text()))
    assert "off the map" in entry.error.text()
    assert window.session.run is run


def test_no_scheme_at_all_is_explained(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    window.panel.schemes.checks["implicit"].toggle()
    wait(qtbot, lambda: window.panel.schemes.error.isVisibleTo(window))


def test_a_seldom_scheme_is_added_from_the_drop_down(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    more = window.panel.schemes.more
    index = more.findData("quat-em")
    edited(qtbot, window, lambda: more.activated.emit(index))
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["implicit", "quat-em"]
    assert more.findData("quat-em") < 0


def test_a_scheme_tells_of_which_motion_it_keeps_what(qtbot, window) -> None:
    show(qtbot, window, load_scenario(assets.SCENARIOS / "vessel-free.toml").changed(duration=0.5))
    told = window.panel.schemes.checks["verlet-exact"].toolTip().splitlines()
    assert "Keeps (free body): energy, spin, size of spin, unit length" in told
    assert "Keeps (top, vessel): vertical spin, unit length; energy swings" in told


def test_more_than_eight_schemes_are_too_many_to_see(qtbot, window) -> None:
    able = serving("free")
    show(qtbot, window, cuboid(schemes=able[:8], duration=0.2))
    more = window.panel.schemes.more
    more.activated.emit(more.findData(able[8]))
    wait(qtbot, lambda: "at most 8 schemes" in window.panel.schemes.error.text())


def test_reset_takes_the_scenario_as_opened(qtbot, window) -> None:
    scenario = cuboid()
    show(qtbot, window, scenario)
    edited(qtbot, window, lambda: type_in(qtbot, window.panel.entries["body.mass"], "2"))
    edited(qtbot, window, window.panel.reset)
    assert window.session.run.scenario == scenario


def test_the_space_bar_belongs_to_a_focused_box_and_else_plays(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    box, playing = window.panel.schemes.checks["exact"], window.session.clock.playing
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert window.session.clock.playing == playing


def test_letters_typed_in_a_field_are_no_shortcuts(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    number = window.panel.entries["body.mass"].numbers[0]
    number.setFocus()
    speed = window.session.clock.speed
    number.clear()
    qtbot.keyClicks(number, "1e-1")
    assert number.text() == "1e-1"
    assert window.session.clock.speed == speed


def test_arrows_nudge_a_number(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    number = window.panel.entries["step"].numbers[0]
    qtbot.keyClick(number, Qt.Key.Key_Up)
    assert float(number.text()) == pytest.approx(0.011)


def test_every_control_has_a_name_for_screen_readers(qtbot, window) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSlider

    show(qtbot, window, rock())
    for kind in (QAbstractButton, QComboBox, QLineEdit, QSlider):
        for control in window.findChildren(kind):
            named = control.accessibleName() or getattr(control, "text", str)()
            assert named or control.objectName().startswith("qt_"), control
    for control in window.findChildren(QWidget):
        if (
            control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is window
        ):  # the lists of drop-downs are not
            assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name), control


def test_the_wheel_changes_nothing_under_it_that_has_not_the_keyboard(qtbot, window) -> None:
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    show(qtbot, window, rock())
    box = window.panel.entries["body.shape"].box
    shape, at = box.currentData(), box.rect().center()
    assert not box.hasFocus()
    event = QWheelEvent(
        QPointF(at),
        QPointF(box.mapToGlobal(at)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert box.currentData() == shape
    assert not event.isAccepted()  # it goes on to the panel
