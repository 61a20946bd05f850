"""The export dialog fills a queue, which runs the command line in processes of their own, one after another."""

from __future__ import annotations

from pathlib import Path

import pytest
from windowing import cuboid, wait

from app.opening import scenario_for
from app.window.exports.dialog import ExportDialog, Row
from app.window.exports.note import ExportNote
from app.window.exports.queue import ExportQueue, State


@pytest.fixture
def dialog(qtbot, tmp_path):
    made_so_far = []  # a dialog that nobody holds dies with its processes

    def make(scenario) -> ExportDialog:
        queue = ExportQueue()
        small = scenario.changed(export={"size": (160, 90), "fps": 24.0, "theme": "light"})
        made = ExportDialog(small, queue)
        queue.setParent(made)
        qtbot.addWidget(made, before_close_func=lambda _: queue.stop())
        made.file.setText(str(tmp_path / "film.mp4"))
        made.show()
        made_so_far.append(made)
        return made

    yield make
    made_so_far.clear()


def _over(qtbot, dialog: ExportDialog) -> None:
    wait(qtbot, lambda: not dialog.queue.busy)


def test_a_small_video_is_written_as_the_fields_say(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=0.25))
    made.layout_box.setCurrentText("Overlay")
    made.captions.setChecked(False)
    made.start()
    _over(qtbot, made)
    (export,) = made.queue.exports
    assert export.state is State.DONE, export.word
    again = scenario_for(tmp_path / "film.mp4")
    assert (again.view.layout, again.export.captions, again.export.theme) == ("overlay", False, "light")
    assert again.export.size == (160, 90)


def test_several_exports_wait_for_one_another(qtbot, dialog, tmp_path) -> None:
    made, heights = dialog(cuboid(duration=0.25)), []
    for name in ("one.mp4", "two.html"):
        made.file.setText(str(tmp_path / name))
        made.start()
        heights.append(made.minimumSizeHint().height())
    assert heights[0] == heights[1] < 700  # however many there are, the dialog fits a screen
    assert [export.state for export in made.queue.exports] == [State.RUNNING, State.WAITING]
    _over(qtbot, made)
    assert [export.state for export in made.queue.exports] == [State.DONE] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.mp4", "two.html"]
    assert [row.word.text().startswith("Written") for row in made.findChildren(Row)] == [True] * 2


def test_cancelling_stops_soon_leaves_no_file_and_the_next_begins(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    made.file.setText(str(tmp_path / "next.mp4"))
    made.start()
    first, second = made.queue.exports
    row, _ = made.findChildren(Row)
    wait(qtbot, lambda: row.bar.value() > 1)
    assert "left" in row.word.text()
    row.cancel_button.click()
    wait(qtbot, lambda: first.over)
    assert first.word.startswith("Stopped")
    assert second.state is State.RUNNING
    second.cancel()
    _over(qtbot, made)
    assert list(tmp_path.iterdir()) == []


def test_the_same_file_is_not_written_twice_at_once(qtbot, dialog) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    made.start()
    assert len(made.queue.exports) == 1
    assert "film.mp4" in made.word.text()


def test_what_fails_is_said_in_one_sentence(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=0.25))
    made.file.setText(str(tmp_path / "film.flv"))
    made.start()
    _over(qtbot, made)
    (row,) = made.findChildren(Row)
    assert ".flv" in row.word.text()
    assert "Traceback" not in row.word.text()


def test_a_folder_that_is_missing_and_a_file_that_exists_are_told_before_anything_is_computed(dialog, tmp_path) -> None:
    made = dialog(cuboid())
    made.file.setText(str(tmp_path / "nowhere" / "film.mp4"))
    made.start()
    assert "nowhere" in made.word.text()
    (tmp_path / "film.mp4").write_bytes(b"old")
    made.file.setText(str(tmp_path / "film.mp4"))
    made.start()
    assert "once more" in made.word.text()
    assert made.queue.exports == []
    made.start()
    assert len(made.queue.exports) == 1
    made.queue.stop()
    assert (tmp_path / "film.mp4").read_bytes() == b"old"


@pytest.mark.parametrize("name", ["x" * 300 + ".mp4", "~nobody-knows/film.mp4", "", "/", "full"])
def test_a_name_that_cannot_be_is_explained_and_nothing_is_replaced(dialog, tmp_path, monkeypatch, name) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    made = dialog(cuboid())
    made.file.setText(name)
    for _ in range(2):  # what exists is replaced when one asks again; a folder with files never is
        made.start()
        assert made.word.text().startswith("Expected")
    assert made.queue.exports == []


def test_the_status_line_tells_of_exports_and_the_next_gets_another_name(qtbot, dialog, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.window.exports.dialog._home", lambda: tmp_path)
    made = dialog(cuboid(duration=60.0))
    note = ExportNote(made.queue)
    qtbot.addWidget(note)
    made.file.setText(str(tmp_path / "test-cuboid.mp4"))
    made.start()
    assert note.text() == "Exporting test-cuboid.mp4"
    again = ExportDialog(made.scenario, made.queue)
    qtbot.addWidget(again)
    assert Path(again.file.text()) == tmp_path / "test-cuboid-2.mp4"
    made.queue.stop()
    assert note.text() == "test-cuboid.mp4 was stopped"


def test_exports_live_on_when_the_dialog_is_closed_and_end_with_the_queue(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    made.reject()
    assert made.queue.busy
    again = ExportDialog(made.scenario, made.queue)
    qtbot.addWidget(again)
    assert [row.export for row in again.findChildren(Row)] == made.queue.exports
    made.queue.stop()
    assert not made.queue.busy
    assert not list(Path(tmp_path).iterdir())
