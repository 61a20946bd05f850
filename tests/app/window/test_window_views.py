"""The view as an interactor of pyvistaqt and as a picture: which is chosen, and that both look and behave alike."""

from __future__ import annotations

import numpy as np
import pytest
import tomlkit
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication
from scipy.ndimage import maximum_filter, minimum_filter

from app.cli.parser import parse
from app.window.view import view_choice
from app.window.view.view_choice import NO_INTERACTOR, QUICK, chosen
from tests.app.windowing import answer, close, cuboid, edited, question, quiet, rock, show, wait

pytestmark = pytest.mark.picture
LEFT = Qt.MouseButton.LeftButton
CARD = "NVIDIA H100/PCIe/SSE2"
KINDS = ("picture", "interactor")
FOUR = ("explicit", "implicit", "quat-em", "exact")


# ---- which one ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seconds", "kind"),
    [
        (CARD, 0.001, "interactor"),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", QUICK, "interactor"),
        ("Apple M2", 0.002, "interactor"),
        ("SVGA3D; build: RELEASE;  LLVM;", 0.003, "interactor"),  # a virtual machine with its host's card
        (CARD, 0.05, "picture"),  # as over a network
        ("", 0.001, "picture"),
        ("llvmpipe (LLVM 15.0.6, 256 bits)", 0.001, "picture"),
        ("virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))", 0.001, "picture"),
        ("D3D12 (Microsoft Basic Render Driver)", 0.001, "picture"),
        ("Apple Software Renderer", 0.001, "picture"),
        ("Google SwiftShader", 0.001, "picture"),
    ],
)
def test_a_view_is_an_interactor_where_a_card_draws_quickly(name, seconds, kind) -> None:
    assert chosen(name, seconds) == kind


def test_the_command_line_asks_for_a_view(capsys) -> None:
    assert [parse(["--view", kind]).view for kind in KINDS] == list(KINDS)
    assert parse(["map.tif"]).view is None
    with pytest.raises(SystemExit):
        parse(["--view", "film"])
    assert "'film'" in capsys.readouterr().err


# ---- alike ----------------------------------------------------------------------------------------------


def pixels(image: QImage) -> np.ndarray:
    """Those of an image (height, width, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), :3].astype(float)


def drag(qtbot, window, start: QPoint, by: QPoint) -> None:
    """Press, move and release by what Qt gets from the system: it looks for the widget below the pointer."""
    handle, origin = window.windowHandle(), window.view.viewport.mapTo(window, QPoint(0, 0))
    qtbot.mousePress(handle, LEFT, pos=origin + start)
    qtbot.mouseMove(handle, origin + start + by / 2)
    qtbot.mouseMove(handle, origin + start + by)
    qtbot.mouseRelease(handle, LEFT, pos=origin + start + by)


def drop(window, file) -> bool:
    """Drag a file over the middle of the view and drop it, as Qt does where the system tells of it; whether taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    viewport = window.view.viewport
    at = QPointF(viewport.mapTo(window, viewport.rect().center()))
    told = at.toPoint(), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier
    enter, end = QDragEnterEvent(*told), QDropEvent(at, *told[1:])
    for event in (enter, end):
        QApplication.sendEvent(window.windowHandle(), event)
    return enter.isAccepted() and end.isAccepted()


def handled(qtbot, kind: str, tmp_path) -> dict[str, np.ndarray]:
    """What is seen, and what becomes of a drag, a handle, a dropped file and a click on the ground."""
    from app.window.main_window import MainWindow

    window = MainWindow()
    qtbot.addWidget(window)
    window.view.asked = kind
    window.view.setFixedSize(640, 400)
    window.resize(1280, 800)
    window.show()
    window.activateWindow()
    wait(qtbot, window.isActiveWindow)  # only an active window is made so again by what follows
    show(qtbot, window, cuboid(schemes=FOUR, duration=0.5))
    viewport = window.view.viewport
    assert viewport.kind == kind
    seen = {}

    def see(name: str) -> None:
        window.session.seek(0.3)
        quiet(window)
        seen[name] = pixels(window.view.grab().toImage())

    see("four lanes")
    wait(qtbot, window.isActiveWindow)  # Qt has opened it anew for the interactor
    drag(qtbot, window, QPoint(150, 150), QPoint(60, -40))
    assert viewport.touched
    seen["camera"] = window.view.stage.viewpoint.position
    see("turned")
    qtbot.keyClick(window, Qt.Key.Key_I)
    tip, _ = window.start_handles.pixels(np.array([window.start_handles.shown().tip] * 2))
    start = edited(qtbot, window, lambda: drag(qtbot, window, tip.toPoint(), QPoint(25, -30)))
    seen["rate"] = np.array(start.initial.angular_velocity)
    qtbot.keyClick(window, Qt.Key.Key_I)
    file = tmp_path / "dropped.toml"
    file.write_text(tomlkit.dumps(rock(duration=0.5, schemes=("implicit",)).to_plain()), encoding="utf-8")

    def dropped() -> None:
        seen["taken"] = np.array([drop(window, file)])
        wait(qtbot, lambda: question(window) is not None)
        answer(window, "Don't save")

    edited(qtbot, window, dropped)
    wait(qtbot, lambda: all(lane.truth is not None for lane in window.session.run.lanes))
    see("terrain")
    assert window.view.picture().shape == seen["terrain"].shape
    quiet(window)
    assert np.array_equal(pixels(window.view.grab().toImage()), seen["terrain"])  # as it was before
    qtbot.keyClick(window, Qt.Key.Key_W)
    aim = viewport.aim.toPoint() + QPoint(0, 9)
    see("cross")
    placed = edited(qtbot, window, lambda: drag(qtbot, window, aim, QPoint(0, 0)))
    close(window)
    return seen | {"place": np.array(placed.release.position)}


def test_interactor_and_picture_look_and_behave_alike(qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.window.view.view.PICTURE", 1)  # no larger than the view: for speed
    picture, interactor = (handled(qtbot, kind, tmp_path) for kind in KINDS)
    assert len(picture) == len(interactor) == 8
    for name, seen in picture.items():
        if seen.ndim == 3:
            other, around = interactor[name], (3, 3, 1)  # edges of lines VTK draws otherwise in Qt's OpenGL
            apart = np.maximum(minimum_filter(other, around) - seen, seen - maximum_filter(other, around))
            assert np.mean(apart > 30.0) < 2e-4, name
        else:
            np.testing.assert_allclose(interactor[name], seen, rtol=1e-6, err_msg=name)
    assert picture["taken"].all()
    assert np.linalg.norm(picture["rate"] - cuboid().initial.angular_velocity) > 1.0


def test_an_interactor_that_was_asked_for_in_vain_is_told(qtbot, window, monkeypatch) -> None:
    monkeypatch.setattr(view_choice, "renderer", lambda: "")
    window.view.asked = "interactor"
    show(qtbot, window, cuboid(duration=0.1))
    assert window.view.viewport.kind == "picture"
    assert window.message.text.text() == NO_INTERACTOR
