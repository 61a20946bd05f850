"""Palette, gallery, rail, order panel: found by keyboard alone, and they do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app.export.offscreen_stage import overlays
from app.window.charts.order_panel import OrderPanel
from app.window.guides.about import AUTHORS, TITLE, YEAR, About
from app.window.guides.command_palette import CommandPalette
from app.window.guides.example_groups import GROUPS
from app.window.guides.fuzzy_search import words
from app.window.guides.gallery import PICTURES, Gallery
from app.window.guides.help_window import HelpWindow
from assets import examples
from physics import SCHEMES
from physics.io.trajectory_writers import polhode_version
from physics.schemes import PAPERS, paper_of
from tests.app.windowing import answer, cuboid, rock, settle, show, wait

ROOT = Path(__file__).parents[3]
CONTROL = Qt.KeyboardModifier.ControlModifier


MEANT = {  # what must come first -> what people type who mean it, in an example of rockfall
    "Export…": "movie, video, film, mp4, gif, animation, record a video, how do I make a movie, render, glb, csv, fps",
    "Save picture…": "screenshot, png, image, scrennshot, print screen",
    "Dark or light": "theme, dark mode, light mode, color scheme, night",
    "Open…": "import, load, geotiff, dem, stl, open",
    "Edit from the playhead (off)": "fork, what if",
    "Keys": "shortcuts, hotkeys",
    "Methods": "manual, help, documentation",
    "Copy BibTeX": "cite, citation, bibtex",
    "Examples…": "demo",
    "Copy as text": "share",
    "Save results…": "gis, shapefile, qgis",
    "Next map": "heatmap",
    "Draw a barrier": "fence",
    "Slower": "slow motion",
    "Speed": "speed",
    "Quit": "exit",
    "Plots (on)": "graph",
    "Angles in degrees (on)": "degrees, units",
    "High contrast": "accessibility",
    "Save viewpoint": "bookmark",
    "Numbers (off)": "legend",
    "Vectors (on)": "arrows",
    "Rocks of the ensemble (on)": "trajectories",
    "Loop": "repeat",
    "Play or pause": "pop",
    "Step": "step size, time step, dt",
    "Mass": "weight",
    "Friction μ min": "friction",
    "Restitution": "bounciness",
    "Next event": "bounce",
    "Gravity": "gravity",
    "Ground: Trees": "forest stems",
    "Cuboid flips about its intermediate axis": "racket, dzhanibekov",
    "Gyroscope whose heavy gimbals drift": "gyroscope",
    "Ship tumbles free": "boat",
    "Implicit (energy-momentum)": "implicit",
    "Cancel the ensemble": "cancel",
    "Explicit (RAMMS)": "delete, remove",
    "Files and versions": "checkpoints",
    "From above": "birds eye view",
    "Fit": "zoom extents",
    "Ensemble (off)": "monte carlo simulation",
    "Follow the body (off)": "track",
}
TYPED = {query: title for title, queries in MEANT.items() for query in queries.split(", ")}


@pytest.fixture
def listed(qtbot, window) -> CommandPalette:
    """The palette of a rock that has fallen."""
    window.panel.choice.load_all()
    show(qtbot, window, rock())
    return palette(qtbot, window, "")


@pytest.mark.picture
def test_what_people_type_finds_what_they_mean_and_no_weak_likeness_ranks_what_removes(
    check, qtbot, window, listed: CommandPalette
) -> None:
    removing = [entry for entry in listed.entries if entry.removes]
    assert {entry.kind for entry in removing} == {"", "Remove scheme"}
    wrong = {}
    for query, title in TYPED.items():
        listed.line.setText(query)
        first = listed.list.currentItem()  # the best one
        found = "" if first is None else listed.entries[first.data(Qt.ItemDataRole.UserRole)].text
        if found != title:
            wrong[query] = found
        for row in range(listed.list.count()):
            entry = listed.entries[listed.list.item(row).data(Qt.ItemDataRole.UserRole)]
            assert not entry.removes or set(words(query)) & set(words(entry.removes)), (query, entry.text)
    assert wrong == {}
    for entry in listed.entries:
        if not entry.kind:  # a command is the best answer to its own title
            listed.line.setText(entry.text.removesuffix(entry.state))
            first = listed.list.currentItem()
            best = listed.entries[first.data(Qt.ItemDataRole.UserRole)]
            assert (best.kind, best.text) == ("", entry.text)
    check(the_text_of_the_help_is_found_and_shown_where_it_stands, qtbot, window, listed)
    check(the_gallery_opens_an_example_and_copies_its_citation, qtbot, window)
    check(about_tells_what_the_program_is_and_how_to_cite_it, qtbot, window)


def about_tells_what_the_program_is_and_how_to_cite_it(qtbot, window) -> None:
    window.actions_by_id["about"].trigger()
    (about,) = window.findChildren(About)
    words = " ".join(label.text() for label in about.findChildren(QLabel))
    assert f"Polhode {polhode_version()}" in words
    assert "MIT licence" in words
    assert f"Copyright {YEAR} {AUTHORS}." in words
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{TITLE}"' in citation
    assert f"Copyright (c) {YEAR} {AUTHORS}" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    dois = re.findall(r"doi: (\S+)", citation)
    assert len(dois) == 2
    for doi in dois:
        assert f"https://doi.org/{doi}" in words
        assert doi in about.citation.toPlainText()
    assert "accurate discretizations" in words.lower()
    buttons = {button.text(): button for button in about.findChildren(QPushButton)}
    buttons["Copy citation"].click()
    copied = QApplication.clipboard().text()
    assert copied.startswith("@misc{polhode,\n")
    assert f"version   = {{{polhode_version()}}}" in copied
    assert copied.count("@") == 4
    buttons["Licences"].click()
    assert window.findChild(HelpWindow).page == "licences"
    buttons["Close"].click()
    assert not about.isVisible()


def the_text_of_the_help_is_found_and_shown_where_it_stands(qtbot, window, listed: CommandPalette) -> None:
    listed.line.setText("checkpoint")
    row = listed.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "heckpoint" in row
    qtbot.keyClick(listed.line, Qt.Key.Key_Return)
    shown = window.findChild(HelpWindow)
    assert shown.page == "files"
    assert shown.browser.textCursor().selectedText().lower() == "checkpoint"
    assert shown.browser.viewport().rect().contains(shown.browser.cursorRect())


def the_gallery_opens_an_example_and_copies_its_citation(qtbot, window) -> None:
    window.guides.show_gallery()
    (gallery,) = window.findChildren(Gallery)
    assert gallery.chosen is not None
    assert len(gallery.scenarios) == len(window.panel.choice.bundled)
    rows = [gallery.list.item(row) for row in range(gallery.list.count())]
    assert sum(row.flags() != Qt.ItemFlag.NoItemFlags for row in rows) == len(gallery.scenarios)
    gallery.line.setText("platy")
    gallery.cite_button.click()
    assert "leine2021" in QApplication.clipboard().text()
    assert gallery.cite_button.text() == "Copied"
    gallery.list.setCurrentRow(gallery.list.currentRow() + 1)
    assert gallery.cite_button.text() == "Copy BibTeX"
    gallery.line.setText("")
    qtbot.keyClicks(gallery.line, "moffatt")  # a paper's author
    assert gallery.chosen.title == "Egg that stands up"
    qtbot.keyClick(gallery.line, Qt.Key.Key_A, CONTROL)
    qtbot.keyClicks(gallery.line, "satellites")  # a group
    first = gallery.chosen.title
    qtbot.keyClick(gallery.line, Qt.Key.Key_Down)
    title = gallery.chosen.title
    assert title != first
    gallery.order.setCurrentIndex(1)
    qtbot.keyClick(gallery.line, Qt.Key.Key_A, CONTROL)
    qtbot.keyClicks(gallery.line, "qqqq")
    assert gallery.chosen is None
    assert not gallery.open_button.isEnabled()
    gallery.line.setText(title)
    assert gallery.chosen.title == title
    qtbot.keyClick(gallery.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.session.run.scenario.title == title)
    settle(qtbot, window)


def test_every_scheme_and_every_example_has_its_paper() -> None:
    for scheme in SCHEMES.values():
        paper = PAPERS[scheme.short]
        assert scheme.doi in paper.bibtex
        assert scheme.short.split()[-1] in paper.bibtex
        assert paper.bibtex.count("{") == paper.bibtex.count("}")


def test_every_bundled_scenario_has_source_picture_and_note(window) -> None:
    window.panel.choice.load_all()
    for stem, scenario in window.panel.choice.bundled.items():
        assert paper_of(scenario.source), stem
        assert scenario.note.count(". ") + 1 >= 2, stem
        assert (PICTURES / f"{stem}.webp").is_file(), stem
        assert {"truth", "labels"} <= {*overlays(scenario)}, stem  # one sees which lane is right


def test_every_bundled_scenario_stands_in_one_group() -> None:
    assert sorted(stem for stems in GROUPS.values() for stem in stems) == sorted(examples())


def palette(qtbot, window, text: str) -> CommandPalette:
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    found = window.findChildren(CommandPalette)[-1]
    qtbot.keyClicks(found.line, text)
    return found


@pytest.mark.picture
def test_the_palette_of_a_cuboid_the_rail_and_the_hint(check, qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.panel.choice.load_all()
    check(the_keys_that_matter_are_named_until_one_is_used, qtbot, window)
    check(the_palette_gathers_many_schemes_under_the_headings_of_their_families, qtbot, window)
    check(the_palette_moves_with_the_arrows_and_closes_with_escape, qtbot, window)
    check(the_palette_knows_effects_by_name_and_goes_to_fields, qtbot, window)
    check(the_panel_folds_to_a_rail_with_a_button_for_each_card, qtbot, window)
    check(the_palette_does_what_one_types, qtbot, window)


def the_palette_gathers_many_schemes_under_the_headings_of_their_families(qtbot, window) -> None:
    found = palette(qtbot, window, "add scheme")
    first = found.list.item(0)
    assert (first.text(), first.flags()) == ("The three papers", Qt.ItemFlag.NoItemFlags)
    assert found.list.currentRow() == 1
    found.line.setText("add scheme quat-vi")  # a few stay as they are found
    assert found.list.currentItem().data(Qt.ItemDataRole.AccessibleTextRole).startswith("Add scheme Quaternion var")
    found.line.setText("gustafsson")  # found by what else is told of it, and by its family
    assert found.list.count() > 6
    found.line.setText("the three papers")
    assert found.list.item(0).text() == "The three papers"
    found.leave()


def the_palette_moves_with_the_arrows_and_closes_with_escape(qtbot, window) -> None:
    found = palette(qtbot, window, "")
    qtbot.keyClick(found.line, Qt.Key.Key_Down)
    qtbot.keyClick(found.line, Qt.Key.Key_Down)
    assert found.list.currentRow() == 2
    found.list.scrollToBottom()
    QApplication.processEvents()
    assert found.list.count() > 100
    for row in range(found.list.count()):
        seen = found.list.visualItemRect(found.list.item(row)).intersects(found.list.viewport().rect())
        assert not seen or found.list.itemWidget(found.list.item(row)) is not None
    qtbot.keyClick(found.line, Qt.Key.Key_Escape)
    assert not found.isVisible()
    qtbot.keyClicks(palette(qtbot, window, "zzqqxx").line, "y")
    assert window.findChildren(CommandPalette)[-1].list.count() == 0
    window.findChildren(CommandPalette)[-1].leave()


def the_palette_knows_effects_by_name_and_goes_to_fields(qtbot, window) -> None:
    found = palette(qtbot, window, "dzhanibekov")
    assert found.list.count() == 1
    qtbot.keyClick(found.line, Qt.Key.Key_Escape)
    found = palette(qtbot, window, "go to mass")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.panel.entries["body.mass"].numbers[0].hasFocus())


def the_keys_that_matter_are_named_until_one_is_used(qtbot, window) -> None:
    assert window.hint.isVisible()
    assert not window.settings.hinted
    window.actions_by_id["play"].trigger()
    wait(qtbot, lambda: not window.hint.isVisible())
    assert window.settings.hinted


def the_panel_folds_to_a_rail_with_a_button_for_each_card(qtbot, window) -> None:
    layout, panel = window.window_layout, window.panel
    window.actions_by_id["panel"].setChecked(False)
    assert (panel.isVisible(), layout.rail.isVisible(), layout.rail.width()) == (False, True, 44)
    assert [one.toolTip() for one in layout.rail.buttons[1:]] == [box.title() for box in panel.cards]
    qtbot.mouseClick(layout.rail.buttons[-1], Qt.MouseButton.LeftButton)  # a click opens it there
    assert (panel.isVisible(), layout.rail.isVisible(), layout.paneled) == (True, False, True)
    window.actions_by_id["panel"].setChecked(False)
    panel.go_to("step")  # and so does an edit
    assert panel.isVisible()


def the_palette_does_what_one_types(qtbot, window) -> None:
    found = palette(qtbot, window, "overlay sch")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    assert window.view.look.layout == "overlay"
    found = palette(qtbot, window, "add scheme exact")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: len(window.session.run.lanes) == 3)
    found = palette(qtbot, window, "open steady")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    answer(window, "Don't save")  # the scheme
    wait(qtbot, lambda: window.session.run.scenario.kind == "top")
    settle(qtbot, window)


@pytest.mark.picture
def test_the_sources_of_the_schemes_are_copied(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit", "quat-em")))
    qtbot.keyClick(window, Qt.Key.Key_B, CONTROL)
    text = QApplication.clipboard().text()
    assert text.count("@article") == 2
    assert "Betsch" in text


@pytest.mark.picture
def test_the_order_panel_shows_the_slope_and_saves_its_plot_and_its_numbers(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    show(qtbot, window, cuboid())
    qtbot.keyClick(window, Qt.Key.Key_H)
    (panel,) = window.findChildren(OrderPanel)
    wait(qtbot, lambda: not panel.measuring)
    assert "slope 1.0" in panel.table.text()
    assert "slope 2.0" in panel.table.text()

    def save(name: str, kind: str = "") -> None:
        monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / name), kind))
        panel.save_button.click()

    for name, start in (("a.pdf", b"%PDF"), ("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        save(name)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert name in panel.note.text()
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for word in ("attitude error", "Explicit (RAMMS): slope 1.0", "Implicit (energy-momentum): slope 2.0", "(order 2)"):
        assert word in text
    save("b", "Numbers (*.csv)")
    header, *rows = (tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()
    assert header == "scheme,step [s],attitude error [deg],computing time [s]"
    assert [row.split(",")[0] for row in rows] == [point.scheme for point in panel.points]
    save("a.docx")
    assert "a.docx" in panel.word.text()
    assert len(list(tmp_path.iterdir())) == 4
    panel.close()


@pytest.mark.picture
def test_a_rock_has_no_order_and_closing_ends_the_panel(qtbot, window) -> None:
    show(qtbot, window, rock())
    window.guides.show_order()
    assert "'rockfall' chaotic" in window.message.text.text()
    window.guides.show_ranking()
    assert "'rockfall' chaotic: there is no ranking" in window.message.text.text()
    show(qtbot, window, cuboid(duration=20.0, step=1e-3, schemes=("quat-em", "dir-em")))
    window.guides.show_order()
    window.close()
