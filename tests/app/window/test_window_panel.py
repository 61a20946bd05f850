"""The panel: every edit computes a new run; wrong values are explained where they stand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

import assets
from app.window.guides.command_palette import CommandPalette
from app.window.style import badge, badge_size
from physics import load_scenario
from physics.schemes import by_family, serving
from physics.schemes.scheme import FAMILIES
from tests.app.windowing import cuboid, edited, rock, show, wait

pytestmark = pytest.mark.picture


def type_in(qtbot, entry, text: str, part: int = 0) -> None:
    number = entry.numbers[part]
    number.selectAll()
    qtbot.keyClicks(number, text)


def test_a_scenario_that_is_opened_again_has_one_line_in_the_list(window) -> None:
    panel = window.panel
    for scenario in (cuboid(), rock(), cuboid(), rock()):
        panel.show_scenario(scenario)
    assert panel.choice.box.count() == 2
    assert panel.choice.box.currentIndex() == 1
    panel.show_scenario(cuboid(duration=7.0))
    assert panel.choice.box.count() == 3


def test_edits_of_a_free_body(check, qtbot, window) -> None:
    scenario = cuboid()
    show(qtbot, window, scenario)
    for field, text, words in WRONG:
        check(a_wrong_value_is_explained_and_the_run_stays, qtbot, window, field, text, words)
    # an edit keeps the playhead
    window.session.clock.playing = False
    window.session.seek(1.0)
    edited(qtbot, window, lambda: type_in(qtbot, window.panel.entries["body.mass"], "2"))
    assert window.session.clock.time == pytest.approx(1.0)
    assert window.session.run.world.body.mass == 2.0
    # reset takes the scenario as opened
    edited(qtbot, window, window.panel.reset)
    assert window.session.run.scenario == scenario
    # another step computes another run
    window.session.reset()
    edited(qtbot, window, lambda: type_in(qtbot, window.panel.entries["step"], "0.02"))
    assert window.session.run.scenario.step == 0.02
    assert len(window.session.run.lanes[0].trajectory) == 101
    # schemes can be chosen
    edited(qtbot, window, window.panel.schemes.checks["exact"].toggle)
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["explicit", "implicit", "exact"]
    edited(
        qtbot,
        window,
        lambda: (window.panel.schemes.checks["explicit"].toggle(), window.panel.schemes.checks["exact"].toggle()),
    )
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["implicit"]
    assert not window.actions_by_id["overlay"].isEnabled()
    check(keys_belong_to_what_has_the_keyboard, qtbot, window)


WRONG = (
    ("body.mass", "-1", "above 0"),
    ("body.mass", "heavy", "a number"),
    ("step", "0", "above 0"),
    ("step", "5", "duration"),
    ("initial.angular_velocity", "nan", "finite"),
)


def a_wrong_value_is_explained_and_the_run_stays(qtbot, window, field, text, words) -> None:
    run, entry = window.session.run, window.panel.entries[field]
    type_in(qtbot, entry, text)
    wait(qtbot, lambda: bool(entry.error.text()))
    assert words in entry.error.text()
    assert entry.error.isVisibleTo(window)
    assert window.session.run is run
    assert not window.message.isVisible()
    edited(qtbot, window, window.panel.reset)
    assert not window.panel.entries[field].error.text()


def keys_belong_to_what_has_the_keyboard(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    # the space bar belongs to a focused box, and else plays
    box, playing = window.panel.schemes.checks["exact"], window.session.clock.playing
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert window.session.clock.playing == playing
    # letters typed in a field are no shortcuts
    number = window.panel.entries["body.mass"].numbers[0]
    number.setFocus()
    speed = window.session.clock.speed
    number.clear()
    qtbot.keyClicks(number, "1e-1")
    assert number.text() == "1e-1"
    assert window.session.clock.speed == speed
    # arrows nudge a number
    number = window.panel.entries["step"].numbers[0]
    qtbot.keyClick(number, Qt.Key.Key_Up)
    assert float(number.text()) == pytest.approx(0.011)


def test_the_panel_of_a_rock(check, qtbot, window) -> None:
    show(qtbot, window, rock())
    check(every_control_has_a_name_for_screen_readers, window)
    check(the_wheel_changes_nothing_under_it_that_has_not_the_keyboard, window)
    check(what_only_the_run_finds_is_explained_beside_its_field, qtbot, window)


def every_control_has_a_name_for_screen_readers(window) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSlider

    for kind in (QAbstractButton, QComboBox, QLineEdit, QSlider):
        for control in window.findChildren(kind):
            named = control.accessibleName() or getattr(control, "text", str)()
            assert named or control.objectName().startswith("qt_"), control
    for control in window.findChildren(QWidget):
        if (
            control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is window
        ):  # the lists of drop-downs are not
            assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name), control


def the_wheel_changes_nothing_under_it_that_has_not_the_keyboard(window) -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

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


def what_only_the_run_finds_is_explained_beside_its_field(qtbot, window) -> None:
    run, entry = window.session.run, window.panel.entries["release.position"]
    type_in(qtbot, entry, "9999")
    wait(qtbot, lambda: bool(entry.error.text()))
    assert "off the map" in entry.error.text()
    assert window.session.run is run


def opened(qtbot, window, schemes=None) -> CommandPalette:
    """The list of schemes below the button."""
    more = (schemes or window.panel.schemes).more
    more.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(more, Qt.Key.Key_Space)
    (found,) = window.findChildren(CommandPalette)
    return found


def rows(found: CommandPalette) -> list[str]:
    """The headings in capitals, and the names of the schemes under them."""
    items = [found.list.item(i) for i in range(found.list.count())]
    numbers = [item.data(Qt.ItemDataRole.UserRole) for item in items]
    told = [item.text().upper() if i is None else found.entries[i].hint for item, i in zip(items, numbers, strict=True)]
    return [text.split(",")[0] for text in told]


def test_the_list_of_schemes(check, qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.1))
    check(schemes_to_add_stand_under_the_headings_of_their_families, qtbot, window, "free")
    check(a_list_of_schemes_closes_when_another_kind_is_opened, qtbot, window)
    show(qtbot, window, load_scenario(assets.SCENARIOS / "top-steady.toml").changed(duration=0.1))
    check(schemes_to_add_stand_under_the_headings_of_their_families, qtbot, window, "top")
    check(a_scheme_tells_of_which_motion_it_keeps_what, qtbot, window)


def test_schemes_are_added_and_taken_away(check, qtbot, window) -> None:
    check(badges_in_the_panel_look_like_the_lanes, qtbot, window)
    check(a_seldom_scheme_is_added_from_the_list, qtbot, window)
    # no scheme at all is explained
    window.panel.schemes.checks["quat-em"].toggle()
    window.panel.schemes.checks["implicit"].toggle()
    wait(qtbot, lambda: window.panel.schemes.error.isVisibleTo(window))
    # more than eight are too many to see
    able = serving("free")
    show(qtbot, window, cuboid(schemes=able[:8], duration=0.2))
    window.panel.schemes.toggle(able[8])
    wait(qtbot, lambda: "at most 8 schemes" in window.panel.schemes.error.text())


def a_seldom_scheme_is_added_from_the_list(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit",)))
    found = opened(qtbot, window)
    qtbot.keyClicks(found.line, "quaternion energy")
    edited(qtbot, window, lambda: qtbot.keyClick(found.line, Qt.Key.Key_Return))
    assert [lane.scheme.name for lane in window.session.run.lanes] == ["implicit", "quat-em"]
    assert window.panel.schemes.more.hasFocus()
    wait(qtbot, lambda: not window.findChildren(CommandPalette))
    assert "quat-em" not in rows(opened(qtbot, window))
    window.findChildren(CommandPalette)[0].leave()


def a_list_of_schemes_closes_when_another_kind_is_opened(qtbot, window) -> None:
    for palette in (lambda: opened(qtbot, window), window.guides.show_palette):
        palette()
        assert window.findChildren(CommandPalette)
        show(qtbot, window, rock(duration=0.1) if window.session.run.scenario.kind == "free" else cuboid(duration=0.1))
        wait(qtbot, lambda: not window.findChildren(CommandPalette))


def badges_in_the_panel_look_like_the_lanes(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.1, schemes=("implicit", "exact")))
    schemes = window.panel.schemes
    edited(qtbot, window, lambda: schemes.toggle("quat-em"))
    for lane in window.session.run.lanes:
        shown = schemes.checks[lane.scheme.name].icon().pixmap(badge_size()).toImage()
        assert (
            shown == badge(lane.scheme, window.panel.theme, window.devicePixelRatioF()).pixmap(badge_size()).toImage()
        )


def schemes_to_add_stand_under_the_headings_of_their_families(qtbot, window, kind) -> None:
    found, listed = opened(qtbot, window), window.panel.schemes.checks
    wanted = []
    for family, schemes in by_family(kind).items():
        names = [scheme.name for scheme in schemes if scheme.name not in listed]
        wanted += [FAMILIES[family].upper(), *names] if names else []
    assert rows(found) == wanted
    heading, first = found.list.item(0), found.list.item(1)
    assert heading.flags() == Qt.ItemFlag.NoItemFlags
    assert found.list.currentRow() == 1
    assert FAMILIES["papers"] in first.data(Qt.ItemDataRole.AccessibleTextRole)
    numbers = set()  # by the keys to the end and back: never on a heading
    for key in [Qt.Key.Key_Down] * len(wanted) + [Qt.Key.Key_PageUp] * len(wanted):
        qtbot.keyClick(found.line, key)
        numbers.add(found.list.currentItem().data(Qt.ItemDataRole.UserRole))
    assert numbers == set(range(len(found.entries)))
    assert found.list.currentRow() == 1
    qtbot.mouseClick(found.list.viewport(), Qt.MouseButton.LeftButton, pos=found.list.visualItemRect(heading).center())
    assert found.isVisible()  # a heading is not chosen
    qtbot.keyClick(found.line, Qt.Key.Key_Escape)
    assert window.panel.schemes.more.hasFocus()
    assert window.panel.schemes.chosen() == window.session.run.scenario.schemes
    wait(qtbot, lambda: not window.findChildren(CommandPalette))


def a_scheme_tells_of_which_motion_it_keeps_what(qtbot, window) -> None:
    show(qtbot, window, load_scenario(assets.SCENARIOS / "vessel-free.toml").changed(duration=0.5))
    told = window.panel.schemes.checks["verlet-exact"].toolTip().splitlines()
    assert "Keeps (free body): energy, angular momentum, size of angular momentum, unit length" in told
    assert "Keeps (top, vessel): vertical angular momentum, unit length; energy swings" in told
