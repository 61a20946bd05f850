"""The window opens, plays, obeys keys, rests when nothing moves, and closes at any moment."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolButton

import assets
from app.theme import DARK, LIGHT
from assets import SCENARIOS
from physics import load_scenario
from tests.app.windowing import cuboid, drop, edited, quiet, rock, settle, show, wait
from tests.small import write_map

pytestmark = pytest.mark.picture


def workers() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name in ("physics", "view")]


def test_it_opens_with_a_scenario_that_plays(qtbot, window) -> None:
    window.session.calm = False  # what is opened plays, as in the program
    window.begin()
    wait(qtbot, lambda: window.staged and window.session.clock.time > 0.2)
    assert window.session.clock.playing
    choice = window.panel.choice
    first = choice.box.currentText()
    wait(qtbot, lambda: choice.box.count() > 1)  # the others are listed after the first picture
    assert list(choice.bundled) == list(assets.examples())
    assert choice.scenarios == list(choice.bundled.values())
    assert [choice.box.itemText(i) for i in range(choice.box.count())] == [one.title for one in choice.scenarios]
    assert choice.box.currentText() == first == choice.bundled[assets.FIRST].title
    assert window.view.viewport.pictures > 0
    assert "Polhode" in window.windowTitle()


def test_what_is_being_prepared_is_named(qtbot, window) -> None:
    scenario = load_scenario(SCENARIOS / "cuboid-major.toml").changed(duration=0.1)
    window.begin(scenario)
    assert window.session.run is None  # kernels may compile for long
    assert window.panel.choice.box.currentText() == scenario.title
    wait(qtbot, lambda: window.staged)
    assert window.panel.choice.box.currentText() == scenario.title


def test_a_cuboid_is_steered_by_keys_and_mouse_and_drawn_only_when_it_moves(check, qtbot, window, tmp_path) -> None:
    window.session.calm = False  # what is opened plays, as in the program
    show(qtbot, window, cuboid())
    check(keys_steer_the_clock, qtbot, window)
    check(a_moment_is_drawn_once, window)
    check(nothing_is_drawn_when_nothing_moves, qtbot, window)
    for name, content in WRONG:
        check(a_wrong_file_is_explained_and_the_window_stays_as_it_was, qtbot, window, tmp_path / name, content)
    check(dragging_turns_the_view_and_keeps_z_up, qtbot, window)
    check(dark_and_light_switch_live, qtbot, window)
    show(qtbot, window, cuboid())
    check(scrubbing_moves_the_playhead_also_while_it_plays, qtbot, window)


def keys_steer_the_clock(qtbot, window) -> None:
    clock = window.session.clock
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert not clock.playing
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert clock.time == 0.0
    qtbot.keyClick(window, Qt.Key.Key_Right)
    qtbot.keyClick(window, Qt.Key.Key_Right)
    assert clock.time == pytest.approx(0.02)
    qtbot.keyClick(window, Qt.Key.Key_Left)
    assert clock.time == pytest.approx(0.01)
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert clock.time == pytest.approx(1.01)
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert clock.time == pytest.approx(1.11)
    window.transport.refresh()
    qtbot.keyClick(window.transport.timeline, Qt.Key.Key_PageUp)
    assert clock.time == pytest.approx(1.21)
    window.transport.refresh()
    assert window.transport.timeline.accessibleDescription() == "1.21 s of 2.00 s"
    qtbot.keyClick(window, Qt.Key.Key_End)
    assert clock.time == pytest.approx(2.0)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert clock.playing
    assert clock.time < 1.0
    assert clock.speed == pytest.approx(0.2)  # two seconds would be over before one can act
    qtbot.keyClick(window, Qt.Key.Key_1)
    qtbot.keyClick(window, Qt.Key.Key_Minus)
    assert clock.speed == 0.5
    qtbot.keyClick(window, Qt.Key.Key_Equal)
    qtbot.keyClick(window, Qt.Key.Key_Equal)
    assert clock.speed == 2.0
    qtbot.keyClick(window, Qt.Key.Key_1)
    assert clock.speed == 1.0
    qtbot.keyClick(window, Qt.Key.Key_L)
    assert clock.loop == "loop"
    qtbot.keyClick(window, Qt.Key.Key_R)
    assert (clock.time, clock.playing) == (0.0, False)


def scrubbing_moves_the_playhead_also_while_it_plays(qtbot, window) -> None:
    timeline, clock = window.transport.timeline, window.session.clock
    middle = QPoint(timeline.width() // 2, timeline.height() // 2)
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=middle)
    assert clock.time == pytest.approx(1.0, abs=0.02)
    qtbot.wait(150)
    assert clock.time == pytest.approx(1.0, abs=0.02)  # held
    qtbot.mouseMove(timeline, QPoint(timeline.width() // 4, 10))
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=QPoint(timeline.width() // 4, 10))
    wait(qtbot, lambda: 0.4 < clock.time < 0.9 and clock.playing)


def a_moment_is_drawn_once(window) -> None:
    window.session.reset()
    quiet(window)
    before = window.view.viewport.pictures
    window.session.step(1)
    quiet(window)
    assert window.view.viewport.pictures == before + 1


class PaintCounter(QObject):
    """Lists the widgets that are painted, by their types."""

    def __init__(self) -> None:
        super().__init__()
        self.widgets: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.widgets.append(type(watched).__name__)
        return False


def nothing_is_drawn_when_nothing_moves(qtbot, window) -> None:
    quiet(window)
    before, painted = window.view.viewport.pictures, PaintCounter()
    QApplication.instance().installEventFilter(painted)
    qtbot.wait(1000)
    QApplication.instance().removeEventFilter(painted)
    assert window.view.viewport.pictures == before
    assert painted.widgets == []


WRONG = (
    ("empty.asc", ""),
    ("words.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 x\n"),
    ("wrong.toml", "kind = 'free'\ncolour = 'red'\n"),
    ("picture.png", ""),
)


def a_wrong_file_is_explained_and_the_window_stays_as_it_was(qtbot, window, file, content) -> None:
    window.message.hide()
    run = window.session.run
    file.write_text(content)
    drop(window, file)
    wait(qtbot, window.message.isVisible)
    assert file.name in window.message.text.text()
    assert window.session.run is run
    assert window.windowTitle().startswith("Test cuboid")


def dragging_turns_the_view_and_keeps_z_up(qtbot, window) -> None:
    view = window.view.viewport
    camera = view.plotter.renderers[0].camera
    for keys in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        before = np.array([*camera.position, *camera.focal_point])
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, keys, QPoint(150, 150))
        for i in range(1, 8):
            qtbot.mouseMove(view, QPoint(150 + 9 * i, 150 + 5 * i))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, keys, QPoint(213, 185))
        after = np.array([*camera.position, *camera.focal_point])
        assert np.abs(after - before).max() > 1e-3
        assert camera.up == (0.0, 0.0, 1.0)
        moved = np.abs(after[3:] - before[3:]).max() > 1e-3
        assert moved == (keys == Qt.KeyboardModifier.ShiftModifier)  # turning keeps the centre, moving does not


def dark_and_light_switch_live(qtbot, window) -> None:
    dark = window.grab().toImage().pixelColor(5, window.height() - 5)
    qtbot.keyClick(window, Qt.Key.Key_D)
    assert window.workspace.theme is LIGHT
    assert window.grab().toImage().pixelColor(5, window.height() - 5).lightness() > dark.lightness() + 50
    qtbot.keyClick(window, Qt.Key.Key_D)
    assert window.workspace.theme is DARK


def test_the_speed_of_one_scenario_is_not_that_of_the_next(qtbot, window) -> None:
    clock = window.session.clock
    show(qtbot, window, cuboid(duration=20.0))
    assert clock.speed == 1.0
    window.session.set_speed(0.01)
    window.workspace.take(cuboid(duration=20.0, step=0.02))  # an edit is another matter
    wait(qtbot, lambda: window.session.run.scenario.step == 0.02)
    assert clock.speed == 0.01
    show(qtbot, window, cuboid(duration=30.0))
    assert clock.speed == 1.0
    show(qtbot, window, cuboid(duration=30.0, export={"speed": 0.5}))  # that of its films
    assert clock.speed == 0.5


def test_in_a_narrow_window_all_menus_stay_and_the_tools_can_be_unfolded(qtbot, window) -> None:
    window.resize(window.minimumSizeHint())
    (more,) = (button for button in window.findChildren(QToolButton) if button.accessibleName() == "More tools")
    wait(qtbot, more.isVisible)
    assert window.window_layout.menus.width() >= window.window_layout.menus.sizeHint().width()
    theme = next(button for button in window.findChildren(QToolButton) if button.accessibleName() == "Dark or light")
    assert theme.visibleRegion().isEmpty()
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: not theme.visibleRegion().isEmpty())


def test_switches_reach_the_stage(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    for key, name in ((Qt.Key.Key_T, "trails"), (Qt.Key.Key_A, "axes"), (Qt.Key.Key_V, "vectors")):
        before = window.view.stage.overlays[name]
        qtbot.keyClick(window, key)
        assert window.view.stage.overlays[name] is not before
    qtbot.keyClick(window, Qt.Key.Key_O)
    assert window.view.stage.layout == "overlay"
    qtbot.keyClick(window, Qt.Key.Key_F)
    assert window.view.stage.camera == "follow"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.view.stage.camera == "fit"
    show(qtbot, window, rock())  # what was switched stays from run to run
    assert not window.view.stage.overlays["trails"]
    assert window.view.stage.layout == "overlay"


def test_a_dropped_terrain_opens_and_the_window_says_how_it_ended(qtbot, window, tmp_path) -> None:
    write_map(tmp_path / "slope.asc", 100.0 - 2.5 * np.arange(24) * np.ones((24, 1)), 5.0)
    edited(qtbot, window, lambda: drop(window, tmp_path / "slope.asc"))
    assert window.windowTitle().startswith("slope")
    assert "map" in window.status.text() or "rests" in window.status.text() or "ends" in window.status.text()
    assert not window.message.isVisible()


def test_computing_is_stopped_and_what_is_recorded_stays(qtbot, window) -> None:
    scenario = cuboid(duration=1e6, record_every=1000)
    window.open(scenario)
    wait(qtbot, lambda: window.session.run is not None and window.staged and window.session.run.reached > 0.0)
    window.actions_by_id["stop"].trigger()
    settle(qtbot, window)
    run = window.session.run
    assert run is not None
    assert 0.0 < run.reached < 1e6
    assert window.status.text().startswith(f"Computing was stopped at {run.reached:.4g} s")  # its truth may be searched
    wait(qtbot, lambda: not window.actions_by_id["stop"].isEnabled())


def test_closing_while_it_computes_ends_all_threads(qtbot, window) -> None:
    window.open(cuboid(duration=20_000.0, schemes=("explicit", "implicit", "exact")))
    wait(qtbot, lambda: window.session.run is not None)
    assert not window.session.run.finished
    window.close()
    assert workers() == []


def test_closing_at_once_ends_all_threads(window) -> None:
    window.begin()
    window.close()
    assert workers() == []
