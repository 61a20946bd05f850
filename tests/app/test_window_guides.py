"""Palette, gallery, tour, order panel: found by keyboard alone, and they do what they say."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from windowing import cuboid, rock, settle, show, wait

from app.window.charts.order import OrderPanel
from app.window.guides.fuzzy import score
from app.window.guides.gallery import PICTURES, Gallery
from app.window.guides.palette import Palette
from physics import SCHEMES
from physics.papers import PAPERS, paper_of

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_letters_in_their_order_are_found_and_words_count_most() -> None:
    assert score("xyz", "play or pause") is None
    assert score("", "anything") is not None
    assert score("pop", "Play or pause") is not None
    assert score("pause", "Play or pause") > score("pause", "Place or used")  # type: ignore[operator]
    assert score("storm", "Störmer-Verlet") is not None
    assert score("exp vid", "Export video…") is not None


def test_every_scheme_and_every_example_has_its_paper() -> None:
    for scheme in SCHEMES.values():
        paper = PAPERS[scheme.short]
        assert scheme.doi in paper.bibtex
        assert scheme.short.split()[-1] in paper.bibtex
        assert paper.bibtex.count("{") == paper.bibtex.count("}")


def test_every_bundled_scenario_has_source_picture_and_note(window) -> None:
    window.panel.load_scenarios()
    for stem, scenario in window.panel.bundled.items():
        assert paper_of(scenario.source), stem
        assert scenario.note.count(". ") + 1 >= 2, stem
        assert (PICTURES / f"{stem}.png").is_file(), stem


def palette(qtbot, window, text: str) -> Palette:
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    found = window.findChildren(Palette)[-1]
    qtbot.keyClicks(found.line, text)
    return found


@pytest.mark.picture
def test_the_palette_does_what_one_types(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.panel.load_scenarios()
    found = palette(qtbot, window, "overlay sch")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    assert window.view.layout_mode == "overlay"
    found = palette(qtbot, window, "add scheme exact")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: len(window.session.run.lanes) == 3)
    found = palette(qtbot, window, "open steady")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.session.run.scenario.kind == "top")
    settle(qtbot, window)


@pytest.mark.picture
def test_the_palette_knows_effects_by_name_and_goes_to_fields(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.panel.load_scenarios()
    found = palette(qtbot, window, "dzhanibekov")
    assert found.list.count() == 1
    qtbot.keyClick(found.line, Qt.Key.Key_Escape)
    found = palette(qtbot, window, "go to mass")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.panel.entries["body.mass"].numbers[0].hasFocus())


@pytest.mark.picture
def test_the_palette_moves_with_the_arrows_and_closes_with_escape(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    found = palette(qtbot, window, "")
    qtbot.keyClick(found.line, Qt.Key.Key_Down)
    qtbot.keyClick(found.line, Qt.Key.Key_Down)
    assert found.list.currentRow() == 2
    qtbot.keyClick(found.line, Qt.Key.Key_Escape)
    assert not found.isVisible()
    qtbot.keyClicks(palette(qtbot, window, "zzqqxx").line, "y")
    assert window.findChildren(Palette)[-1].list.count() == 0


@pytest.mark.picture
def test_the_gallery_opens_an_example_and_copies_its_citation(qtbot, window) -> None:
    show(qtbot, window, rock())
    window.guides.show_gallery()
    (gallery,) = window.findChildren(Gallery)
    assert gallery.chosen is not None
    assert len(gallery.scenarios) == len(window.panel.bundled)
    gallery.cite_button.click()
    assert "leine2021" in QApplication.clipboard().text()
    assert gallery.cite_button.text() == "Copied"
    gallery.list.setCurrentRow(gallery.list.currentRow() + 1)
    assert gallery.cite_button.text() == "Copy BibTeX"
    title = gallery.chosen.title
    qtbot.keyClick(gallery.list, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.session.run.scenario.title == title)
    settle(qtbot, window)


@pytest.mark.picture
def test_the_sources_of_the_schemes_are_copied(qtbot, window) -> None:
    show(qtbot, window, cuboid(schemes=("implicit", "quat-em")))
    qtbot.keyClick(window, Qt.Key.Key_B, CONTROL)
    text = QApplication.clipboard().text()
    assert text.count("@article") == 2
    assert "Betsch" in text


@pytest.mark.picture
def test_the_tour_has_five_steps_and_can_be_left(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    qtbot.keyClick(window, Qt.Key.Key_F4)
    tour = window.guides.tour
    seen = []
    while window.guides.tour is not None:
        seen.append(tour.heading.text())
        assert window.rect().contains(tour.geometry())
        qtbot.keyClick(tour.next, Qt.Key.Key_Return)
    assert len(set(seen)) == len(seen) == 5
    assert window.settings.toured
    window.guides.take_tour()
    show(qtbot, window, cuboid(step=0.02))  # its panel has other controls
    qtbot.keyClick(window.guides.tour.next, Qt.Key.Key_Return)
    assert window.guides.tour.heading.text() == seen[1]
    window.guides.tour.leave()
    for elsewhere in (False, True):
        window.guides.take_tour()
        if elsewhere:
            window.panel.go_to("step")
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
        assert window.guides.tour is None


@pytest.mark.picture
def test_the_order_panel_shows_the_slope(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    qtbot.keyClick(window, Qt.Key.Key_H)
    (panel,) = window.findChildren(OrderPanel)
    wait(qtbot, lambda: panel.finished_computing)
    assert "slope 1.0" in panel.table.text()
    assert "slope 2.0" in panel.table.text()
    panel.close()


@pytest.mark.picture
def test_the_order_plot_is_saved_for_print_as_a_picture_and_as_numbers(qtbot, window, tmp_path, monkeypatch) -> None:
    show(qtbot, window, cuboid())
    window.guides.show_order()
    (panel,) = window.findChildren(OrderPanel)
    wait(qtbot, lambda: panel.finished_computing)

    def save(name: str, kind: str = "") -> None:
        monkeypatch.setattr(
            "app.window.charts.order.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / name), kind)
        )
        panel.save_button.click()

    for name, start in (("a.pdf", b"%PDF"), ("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        save(name)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert name in panel.note.text()
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for word in ("attitude error", "Explicit (RAMMS): slope 1.0", "Implicit (energy-spin): slope 2.0", "(order 2)"):
        assert word in text
    save("b", "Numbers (*.csv)")
    header, *rows = (tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()
    assert header == "scheme,step [s],attitude error [deg]"
    assert [row.split(",")[0] for row in rows] == [point.scheme for point in panel.points]
    save("a.docx")
    assert "a.docx" in panel.word.text()
    assert len(list(tmp_path.iterdir())) == 4
    panel.close()


@pytest.mark.picture
def test_a_rock_has_no_order_and_closing_ends_the_panel(qtbot, window) -> None:
    show(qtbot, window, rock())
    window.guides.show_order()
    assert "chaotic" in window.message.text.text()
    show(qtbot, window, cuboid(duration=20.0, step=1e-3, schemes=("quat-em", "dir-em")))
    window.guides.show_order()
    window.close()


@pytest.mark.picture
def test_an_order_panel_closes_at_once_and_the_window_waits_for_its_thread(qtbot, window, monkeypatch) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def long_study(scenario):
        begun.set()
        goes_on.wait(60.0)
        yield "a halving that takes long"

    monkeypatch.setattr("app.window.charts.order.study", long_study)
    show(qtbot, window, cuboid())
    window.guides.show_order()
    (panel,) = window.findChildren(OrderPanel)
    thread = panel.thread
    assert begun.wait(60.0)
    panel.close()
    assert thread.is_alive()
    goes_on.set()
    window.close()
    assert not thread.is_alive()
