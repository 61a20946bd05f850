"""The export dialog fills a queue, which runs the command line in processes of their own, one after another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.document.export_kinds import KINDS, PRINTS, RUN
from app.document.open import scenario_for
from app.document.recipe import EXPLAINED, VERDICT
from app.document.settings import Settings
from app.export.preview import Estimate
from app.window.exports.dialog import ExportDialog, slug
from app.window.exports.queue import ExportNote, ExportQueue, ExportState, Row
from physics.scenario.view_config import FilmConfig
from tests.app.staging import FALL, example, finished
from tests.app.windowing import cuboid, wait

FILM, STILL, FIGURE, PLAN, *_, DATA = KINDS


@pytest.fixture
def dialog(qtbot, tmp_path):
    made_so_far = []  # a dialog that nobody holds dies with its processes

    def make(scenario, **more) -> ExportDialog:
        queue = ExportQueue()
        small = scenario.changed(export={"size": (160, 90), "fps": 24.0, "theme": "light"})
        made = ExportDialog(small, queue, **more)
        queue.setParent(made)
        qtbot.addWidget(made, before_close_func=lambda _: queue.stop())
        made.file.setText(str(tmp_path / "film.mp4"))
        made.show()
        made_so_far.append(made)
        return made

    yield make
    made_so_far.clear()


def written(dialog: ExportDialog) -> str:
    """What the dialog says that it writes."""
    return dialog.preview.written.text().replace("\u00a0", " ")


def _over(qtbot, dialog: ExportDialog) -> None:
    wait(qtbot, lambda: not dialog.queue.busy)


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
    assert second.state is ExportState.RUNNING
    second.cancel()
    _over(qtbot, made)
    assert list(tmp_path.iterdir()) == []


def test_states_of_a_lane_without_a_solution_are_written_and_that_is_told(qtbot, tmp_path) -> None:
    scenario = example("top-unsolved", duration=1.0)
    queue = ExportQueue()
    export = queue.add(scenario, tmp_path / "states.csv", RUN)
    wait(qtbot, lambda: export.over)
    assert export.output.exists()
    assert export.state is ExportState.DONE, export.word
    assert re.fullmatch(r"Written to .*states\.csv; .*no solution.*", export.word)


def test_the_same_file_is_not_written_twice_and_exports_outlive_the_dialog(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=60.0))
    made.start()
    made.start()
    assert len(made.queue.exports) == 1
    assert "film.mp4" in made.word.text()
    made.reject()
    assert made.queue.busy
    again = ExportDialog(made.scenario, made.queue)
    qtbot.addWidget(again)
    assert [row.export for row in again.findChildren(Row)] == made.queue.exports
    made.queue.stop()
    assert not made.queue.busy
    assert not list(Path(tmp_path).iterdir())


def test_what_the_scenario_reads_is_not_written_over(dialog, tmp_path) -> None:
    table = tmp_path / "torque.csv"
    table.write_text("t,x,y,z\n0,0,0,0\n9,0,0,1\n")
    made = dialog(cuboid(torque=[{"file": str(table)}]))
    made.choose_kind(DATA)
    made.file.setText(str(table))
    for _ in range(2):  # a second request does not replace it either
        made.start()
        assert "would write over 'torque.csv', which is read" in made.word.text()
    assert not made.queue.exports


def test_what_fails_is_said_in_one_sentence(qtbot, dialog, tmp_path) -> None:
    made = dialog(cuboid(duration=0.25))
    made.start()
    (tmp_path / "film.mp4").mkdir()  # meanwhile
    ((tmp_path / "film.mp4") / "mine.txt").write_text("mine")
    _over(qtbot, made)
    (row,) = made.findChildren(Row)
    assert "film.mp4" in row.word.text()
    assert "Traceback" not in row.word.text()


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        (
            FILM,
            "film.flv",
            "expected a name that ends in .mp4, .webm, .mov, .mkv, .gif or .apng, or has no ending (a folder), got",
        ),
        (FILM, "film.png", "got “.png”, which is for: Still"),
        (STILL, "still", "expected a name that ends in .png, got none"),
        (DATA, "data.npz.txt", "expected a name that ends in .npz, .parquet or .csv, got “.txt”"),
    ],
)
def test_a_wrong_ending_is_told_while_the_name_is_typed(qtbot, dialog, tmp_path, kind, name, told) -> None:
    made = dialog(cuboid())
    made.choose_kind(kind)
    assert not made.word.isVisible()
    made.file.setText(str(tmp_path))
    qtbot.keyClicks(made.file, f"/{name}")
    assert told.lower() in made.word.text().lower()
    assert made.word.isVisible()
    made.start()
    assert made.queue.exports == []
    made.file.setText(str(tmp_path / f"right{kind.formats[-1].ending}"))
    assert not made.word.isVisible()


def test_a_still_at_the_end_is_no_later_than_the_run(dialog) -> None:
    made = dialog(cuboid(duration=1.236, step=0.012, export={"time": 1.236}))  # the field shows 1.24
    made.choose_kind(STILL)
    assert made.asked().export.time == 1.236


def test_a_long_title_makes_a_name_that_a_file_can_have(dialog) -> None:
    title = "\N{HIRAGANA LETTER A}" * 100
    dialog(cuboid(title=title))  # opens
    assert 100 < len(slug(title).encode()) < 200


def test_the_kind_says_how_the_name_ends_and_which_fields_there_are(dialog, tmp_path) -> None:
    made = dialog(cuboid())
    made.file.setText(str(tmp_path / "mine.webm"))
    assert made.format.ending == ".webm"  # what is typed chooses the format
    for kind in KINDS:
        made.choose_kind(kind)
        assert Path(made.file.text()) == tmp_path / f"mine{kind.formats[0].ending}"
        fields = {"range": made.form.first, "moment": made.form.moment, "size": made.form.size_box}
        fields |= {"rate": made.form.rate, "transparent": made.form.transparent, "theme": made.form.theme}
        heeded = kind.heeded(made.format)
        assert {name for name, field in fields.items() if field.isVisible()} == heeded & fields.keys()
        assert made.form.transparent.isEnabled() == (kind.title == "Still")  # an .mp4 has none, and says which have
        assert (".webm" in made.form.transparent.text()) == (kind.title != "Still")
        assert not made.word.isVisible()
    made.choose_kind(FILM)
    made.format_box.setCurrentIndex([one.ending for one in FILM.formats].index(""))
    made.format_box.activated.emit(made.format_box.currentIndex())
    assert Path(made.file.text()) == tmp_path / "mine"
    assert made.form.transparent.isEnabled()


def test_one_box_makes_a_film_explain_itself_and_its_own_captions_stay(dialog) -> None:
    made = dialog(cuboid(duration=2.0))
    before = made.form.frames
    assert not made.form.explain.isChecked()
    assert made.asked().film == FilmConfig()
    made.form.explain.setChecked(True)
    assert made.asked().film == EXPLAINED
    assert made.asked().export.end_card == VERDICT
    assert made.form.frames == before + round(24.0 * (EXPLAINED.pause + VERDICT))
    assert f"film.mp4, at least {made.form.frames / 24.0:.1f} s, 160x90" in written(made)
    made.form.cards.setCurrentText("End, 6 s")
    assert made.asked().export.end_card == 6.0
    again = dialog(made.asked())
    assert again.form.explain.isChecked()
    again.form.explain.setChecked(False)
    assert again.asked().film == FilmConfig()
    own = {"captions": [{"time": 0.5, "text": "Look."}], "pause": 1.0}
    other = dialog(cuboid(duration=2.0, film=own))
    assert not other.form.explain.isChecked()
    assert other.asked().film == FilmConfig(**own)
    other.choose_kind(STILL)
    assert not other.form.explain.isVisible()


def test_the_next_dialog_begins_with_kind_format_and_size_of_the_last_export(qtbot, tmp_path) -> None:
    queue, settings = ExportQueue(), Settings(exports={"Film": ["gone", "12x9"], "Model": []}, exported="gone")
    scenario = cuboid(duration=60.0)

    def opened(of=scenario) -> ExportDialog:
        made = ExportDialog(of, queue, settings=settings)
        qtbot.addWidget(made, before_close_func=lambda _: queue.stop())
        return made

    made = opened()
    assert (made.kind, made.format.ending, made.form.size_box.currentData()) == (FILM, ".mp4", "1920x1080")
    for kind, at, size in ((STILL, 0, "3840x2160"), (FIGURE, 1, PRINTS["120 × 100 mm"]), (FILM, 4, "1280x720")):
        made.choose_kind(kind)
        made.format_box.setCurrentIndex(at)
        made.format_box.activated.emit(at)
        made.form.size_box.setCurrentIndex(made.form.size_box.findData(size))
        made.file.setText(str(tmp_path / f"a{made.format.ending}"))
        made.start()
    queue.stop()
    made = opened()
    assert made.kind is FILM
    for kind, at, size in ((FILM, 4, "1280x720"), (STILL, 0, "3840x2160"), (FIGURE, 1, "454x378")):
        made.choose_kind(kind)
        assert (made.format, made.form.size_box.currentData()) == (kind.formats[at], size)
    own = opened(scenario.changed(**{"export.size": (160, 90)}))  # a scenario's own stands before it
    assert own.form.size_box.currentData() == "160x90"


def test_what_is_written_is_named_with_its_length_and_size(qtbot, dialog, tmp_path) -> None:
    run = finished(cuboid(duration=2.0))
    made = dialog(run.scenario, run=run)
    assert written(made) == "film.mp4, 2.0 s, 160x90, 48 frames"
    made.form.length.setValue(3.5)
    made.file.setText(str(tmp_path / "tumble.mp4"))
    assert written(made) == "tumble.mp4, 3.5 s, 160x90, 84 frames"
    made.form.length.setValue(0.0)
    made.form.explain.setChecked(True)
    wait(qtbot, lambda: made.preview.estimate is not None)
    frames = made.preview.estimate.frames
    assert written(made) == f"tumble.mp4, {frames / 24.0:.1f} s, 160x90, {frames} frames"
    made.choose_kind(STILL)
    assert written(made) == "tumble.png, 160x90"
    made.choose_kind(DATA)
    assert written(made) == "tumble.npz, every stored state of 2 s"


def test_names_are_not_counted_after_files_that_were_not_written(qtbot, dialog, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.window.exports.dialog._home", lambda: tmp_path)
    made = dialog(cuboid(duration=60.0))
    made.file.setText("")
    made.choose_kind(FILM)
    name = Path(made.file.text())
    made.start()
    again = ExportDialog(made.scenario, made.queue)
    qtbot.addWidget(again)
    assert Path(again.file.text()) == name.with_stem(f"{name.stem}-2")  # the first is being written
    made.choose_kind(STILL)
    made.choose_kind(FILM)
    assert made.file.text() == again.file.text()
    made.queue.exports[0].cancel()
    _over(qtbot, made)
    assert Path(made.file.text()) == Path(again.file.text()) == name
    name.touch()
    assert Path(ExportDialog(made.scenario, made.queue, made).file.text()) == name.with_stem(f"{name.stem}-2")


def test_a_wanted_length_takes_the_place_of_the_speed_and_is_too_short_where_cards_fill_it(dialog) -> None:
    made = dialog(cuboid(duration=2.0))
    made.form.speed.setCurrentText("0.5×")
    made.form.length.setValue(6.0)
    assert not made.form.speed.isEnabled()
    assert made.form.frames == 144
    assert (made.asked().export.length, made.asked().export.model_fields_set & {"speed"}) == (6.0, set())
    made.form.explain.setChecked(True)
    assert "more than the 6.21 s of cards" in made.word.text()
    made.choose_kind(next(kind for kind in KINDS if kind.title == "Page"))
    assert made.form.speed.isEnabled()
    assert not made.form.length.isVisible()
    assert (made.asked().export.length, made.asked().export.speed) == (None, 0.5)


@pytest.mark.picture
def test_exports_of_each_kind_wait_for_one_another_and_are_written_as_told_and_as_the_fields_say(
    qtbot, dialog, tmp_path
) -> None:
    run = finished(cuboid(duration=1.0))
    made = dialog(run.scenario, run=run)
    made.form.captions.setChecked(False)
    made.form.layout_box.setCurrentText("Overlay")
    kinds = [kind for kind in KINDS if not kind.grounded]
    told = [begun(qtbot, made, FILM, tmp_path)]
    high = made.minimumSizeHint().height()
    told += [begun(qtbot, made, kind, tmp_path) for kind in kinds[1:]]
    assert not made.kinds.button(KINDS.index(PLAN)).isVisible()
    made.choose_kind(FILM)
    assert made.minimumSizeHint().height() == high < 700  # however many there are, the dialog fits a screen
    made.choose_kind(DATA)
    states = [export.state for export in made.queue.exports if not export.over]
    assert states == [ExportState.RUNNING] + [ExportState.WAITING] * (len(states) - 1)  # one after another
    _over(qtbot, made)
    for kind, export, estimate in zip(kinds, made.queue.exports, told, strict=True):
        check_written(kind, export, estimate)
    assert {path.name for path in tmp_path.iterdir()} == {export.output.name for export in made.queue.exports}
    assert [row.word.text().startswith("Written") for row in made.findChildren(Row)] == [True] * len(kinds)
    film = made.queue.exports[kinds.index(FILM)]
    again = scenario_for(film.output)
    assert (again.view.layout, again.export.captions, again.export.theme) == ("overlay", False, "light")
    assert again.export.size == (160, 90)
    assert again.export.first == pytest.approx(0.5)
    assert film.total == 12  # of 0.5 s
    still = made.queue.exports[kinds.index(STILL)]
    assert scenario_for(still.output).export.time == pytest.approx(0.2)


@pytest.mark.picture
def test_a_plan_is_offered_where_there_is_ground_and_written_as_told(qtbot, dialog, tmp_path) -> None:
    run = finished(FALL.changed(duration=0.2))
    made = dialog(run.scenario, run=run)
    estimate = begun(qtbot, made, PLAN, tmp_path)
    assert made.kinds.button(KINDS.index(PLAN)).isVisible()
    _over(qtbot, made)
    (export,) = made.queue.exports
    check_written(PLAN, export, estimate)
    assert list(tmp_path.iterdir()) == [export.output]


def begun(qtbot, made, kind, tmp_path) -> Estimate:
    """Ask for a part, or for a moment of it, and begin; what is told of it before."""
    made.choose_kind(kind)
    made.form.first.setValue(0.0)
    made.file.setText(str(tmp_path / f"{kind.title}{made.format.ending}"))
    wait(qtbot, lambda: made.preview.estimate is not None)
    assert made.preview.estimate.frames == (24 if kind is FILM else 0)
    made.form.first.setValue(0.5)
    made.form.moment.setValue(0.2)
    made.form.scale.setCurrentText("1:10000")
    wait(qtbot, lambda: made.preview.estimate is not None)
    assert (made.preview.picture.pixmap().isNull()) == (kind is DATA)
    assert "about" in made.preview.words.text()
    estimate = made.preview.estimate
    made.start()
    return estimate


def check_written(kind, export, estimate) -> None:
    """An export is over; its file is as large as was told."""
    assert export.state is ExportState.DONE, (kind.title, export.word)
    written = export.output.stat().st_size
    recipe = 3000  # bytes that a trial leaves out
    assert estimate.bytes / 3 - recipe < written < 3 * estimate.bytes + recipe, kind.title
    assert estimate.frames == (12 if kind is FILM else 0)
    assert estimate.seconds > 0.0


@pytest.mark.picture
def test_what_cannot_be_exported_is_told_where_the_estimate_stands(qtbot, dialog) -> None:
    run = finished(cuboid(duration=0.2))
    made = dialog(run.scenario.changed(view={"cameras": ({"time": 0.0, "mode": "fit"},)}), run=run)
    made.form.orbit.setCurrentIndex(1)
    wait(qtbot, lambda: "expected 0 where view.cameras" in made.preview.words.text())
    assert made.preview.estimate is None


def test_a_part_that_ends_before_it_begins_is_told(dialog) -> None:
    made = dialog(cuboid())
    made.form.first.setValue(1.5)
    made.form.last.setValue(1.0)
    assert "after it begins" in made.word.text()
    made.start()
    assert made.queue.exports == []


def test_a_folder_that_is_missing_and_a_file_that_exists_are_told_before_anything_is_computed(dialog, tmp_path) -> None:
    made = dialog(cuboid())
    made.file.setText(str(tmp_path / "nowhere" / "film.mp4"))
    made.start()
    assert "nowhere" in made.word.text()
    (tmp_path / "film.mp4").write_bytes(b"old")
    made.file.setText(str(tmp_path / "film.mp4"))
    made.start()
    assert "again" in made.word.text()
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
    third = ExportDialog(made.scenario, made.queue)
    qtbot.addWidget(third)
    assert Path(third.file.text()) == tmp_path / "test-cuboid.mp4"  # which was not written
