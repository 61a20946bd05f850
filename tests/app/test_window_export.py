"""The export dialog runs the command line in a process of its own, and can be stopped."""

from __future__ import annotations

import tomllib

import pytest
from windowing import cuboid, rock, wait

from app.window.export_dialog import ExportDialog, as_toml
from physics import parse_scenario


@pytest.fixture
def dialog(qtbot, tmp_path):
    def make(scenario) -> ExportDialog:
        made = ExportDialog(scenario, "side-by-side", "fit", "dark")
        qtbot.addWidget(made)
        made.file.setText(str(tmp_path / "film.mp4"))
        made.size_box.addItem("160x90")
        made.size_box.setCurrentText("160x90")
        made.rate.setCurrentText("24")
        made.show()
        return made

    return make


def test_a_small_video_is_written(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=0.25))
    made.start()
    wait(qtbot, lambda: not made.running)
    assert (tmp_path / "film.mp4").stat().st_size > 1000, made.word.text()
    assert made.word.text().startswith("Written")
    assert made.start_button.isEnabled()


def test_cancelling_stops_soon_and_leaves_no_file(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    wait(qtbot, lambda: made.bar.value() > 1)
    assert "left" in made.word.text()
    made.cancel()
    wait(qtbot, lambda: not made.running)
    assert made.word.text().startswith("Stopped")
    assert list(tmp_path.iterdir()) == []


def test_what_fails_is_said_in_one_sentence(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=0.25))
    made.file.setText(str(tmp_path / "nowhere" / "film.mp4"))
    made.start()
    wait(qtbot, lambda: not made.running)
    assert "nowhere" in made.word.text()
    assert "Traceback" not in made.word.text()


def test_closing_the_dialog_ends_the_process(qtbot, dialog) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    made.close()
    assert not made.running


def test_the_scenario_file_may_lie_anywhere(tmp_path) -> None:
    scenario = rock(terrain={"file": "../terrain/slope.asc"}, folder=str(tmp_path / "scenarios"))
    text = as_toml(scenario)
    assert (tmp_path / "scenarios").as_posix() in tomllib.loads(text)["terrain"]["file"]
    again = parse_scenario(text, "/elsewhere/scenario.toml")
    assert again.model_dump(exclude={"folder", "terrain"}) == scenario.model_dump(exclude={"folder", "terrain"})
