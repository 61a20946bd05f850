"""The help: pages that say what the table of schemes says, links that lead somewhere, and the window."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtSvg import QSvgRenderer

import assets
from app.cli.parser import COMMANDS
from app.document.help_pages import INDEX, PAGES, contents, read
from app.plots.formula import BLOCK, FIGURE, WIDEST, drawing, rows
from app.plots.formula import without_latex as told
from app.theme import DARK
from app.window.guides.help_window import HelpWindow, hits_of
from physics import SCHEMES
from physics.scenario.scenario_file import load_scenario
from physics.systems.scheme_overview import kept
from tests.app.windowing import wait

STEMS = sorted(path.stem for path in PAGES.glob("*.md"))
SCENARIOS = [load_scenario(path) for path in (Path(assets.__file__).parent / "scenarios").glob("*.toml")]
TABLE = "schemes"  # the page of all schemes, whose tables come from their rows
METHODS = {scheme.page for scheme in SCHEMES.values()}


def text(stem: str) -> str:
    return read(stem)


def plain(stem: str) -> str:
    """Text of a page in one line, without links."""
    return re.sub(r"\[(.+?)\]\(\S+?\)", r"\1", " ".join(text(stem).split()))


def fact(scheme, name: str) -> str | None:
    """What the page says in the line "- name: fact." or, before that one, in a line for some of its schemes.

    Such a line is "- name, start of their names: fact." or "- name, scheme, scheme: fact.".
    """
    rows = re.findall(rf"^- {name}((?:, [\w-]+)*): (.*)\.$", text(scheme.page), flags=re.M)
    listed, started, common = [], [], []
    for names, value in rows:
        of = names.split(", ")[1:]
        if scheme.name in of:
            listed.append(value)
        elif not of:
            common.append(value)
        elif len(of) == 1 and scheme.name.startswith(of[0]):
            started.append(value)
    found = listed or started or common
    assert len(found) <= 1, (scheme.name, name, found)
    return found[0] if found else None


def test_every_command_is_explained() -> None:
    pages = "".join(map(text, STEMS))
    assert [name for name in COMMANDS if f"polhode {name}" not in pages] == []


def told_order(scheme) -> str:
    return "exact" if scheme.order is None else str(scheme.order)


# ---- what the pages say -------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=list(SCHEMES))
def test_every_scheme_has_a_page_that_names_and_cites_it(scheme):
    assert scheme.page in STEMS
    assert f"`{scheme.name}`" in text(scheme.page)
    assert scheme.citation in plain(scheme.page)
    assert f"https://doi.org/{scheme.doi}" in text(scheme.page) if scheme.doi else True
    for number in re.findall(r"\(\d+\)|appendix E|section 3", scheme.equations):
        assert number in plain(scheme.page)
    assert "## When it has no solution" in text(scheme.page)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=list(SCHEMES))
def test_the_page_says_what_the_row_says(scheme):
    order = fact(scheme, "Order").removesuffix(", as the name says").split(", ")
    assert told_order(scheme) in order
    family = {told_order(other) for other in SCHEMES.values() if other.page == scheme.page}
    assert set(order) == family
    free, attached = "free" in scheme.kinds, {"top", "vessel"} & set(scheme.kinds)
    assert fact(scheme, "Keeps" if free else "Keeps without torque") == kept(scheme, torque=False)
    assert fact(scheme, "Keeps under torque") == (kept(scheme, torque=True) if attached else None)
    assert fact(scheme, "Symplectic") == ("yes" if scheme.symplectic else "no")
    assert fact(scheme, "Reach") == ("any step" if scheme.reach is None else f"{scheme.reach:g} rad")
    assert fact(scheme, "Serves") == ", ".join(scheme.kinds)


@pytest.mark.parametrize("stem", sorted(METHODS | {"rockfall"}))
def test_a_page_names_a_scenario_to_look_at(stem):
    looks = plain(stem).split("## What to look for")[1]
    kinds = {kind for scheme in SCHEMES.values() if stem in (scheme.page, "rockfall") for kind in scheme.kinds}
    assert any(f"- {scenario.title}" in looks and scenario.kind in kinds for scenario in SCENARIOS)


def test_formulas_are_drawn_and_told():
    found = [(stem, source) for stem in STEMS for source in BLOCK.findall(text(stem))]
    assert len(found) == sum(text(stem).count("```math") for stem in STEMS) > 25
    for stem, source in found:
        assert 0 < drawing(source).width <= WIDEST, stem
        assert len(told(source).splitlines()) == len(rows(source)), stem
        assert not re.search(r"[\\{}&]", told(source)), (stem, told(source))


def test_the_figure_of_a_scheme_has_the_slope_of_its_order():
    for name in sorted(name for stem in STEMS for name in FIGURE.findall(text(stem))):
        drawn = (PAGES / name).read_text(encoding="utf-8")
        assert len(drawn) < 30_000, name
        assert QSvgRenderer(drawn.encode()).isValid()
        alone = [scheme for scheme in SCHEMES.values() if scheme.page == Path(name).stem]
        if len(alone) == 1 and alone[0].order is not None and not alone[0].adaptive:
            assert float(re.findall(r"slope ([\d.]+)", drawn)[0]) == pytest.approx(alone[0].order, rel=0.12), name


@pytest.mark.parametrize("stem", STEMS)
def test_links_lead_to_pages_that_exist(stem):
    for target in re.findall(r"(?<!!)\[[^\]]*\]\((\S+?)\)", text(stem)):
        assert target.startswith("https://doi.org/") or target.removesuffix(".md") in STEMS, target


def test_a_new_scheme_is_in_the_table_and_the_contents(monkeypatch):
    before = contents()
    monkeypatch.setitem(SCHEMES, "heun", replace(SCHEMES["rk4"], name="heun", title="Heun"))
    for name, scheme in SCHEMES.items():
        assert f"| [{name}]({scheme.page}.md) |" in text(TABLE)
    assert [pages for group in contents() for pages in group[1] if group not in before][-1] == ("heun", "Heun")
    assert "- [Heun](heun.md): " in text(INDEX)


def test_every_page_is_reachable_from_the_index():
    listed = {stem: title for _, pages in contents() for stem, title in pages}
    assert set(listed) == set(STEMS) - {INDEX}
    for stem, title in listed.items():
        assert text(stem).startswith(f"# {title}\n")


# ---- the window ---------------------------------------------------------------------------------------


@pytest.fixture
def help_window(qtbot):
    made = HelpWindow(DARK)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    wait(qtbot, made.isActiveWindow)
    return made


def test_it_opens_every_page(help_window):
    for stem in STEMS:
        help_window.show_page(stem)
        assert help_window.page == stem
        shown = help_window.browser.toPlainText()
        assert shown.startswith(text(stem).splitlines()[0].removeprefix("# "))
        for line in re.findall(r"^ {4,}(\S.*\S)$", text(stem), flags=re.M):
            assert line in shown.replace("\N{NO-BREAK SPACE}", " ")
        for source in BLOCK.findall(text(stem)):
            assert told(source) in shown  # told below its picture
        assert help_window.list.currentItem().data(Qt.ItemDataRole.UserRole) == stem
    assert not help_window.isModal()
    assert help_window.minimumSize().width() == 760
    room = help_window.screen().availableSize()
    assert help_window.height() < room.height()
    assert help_window.width() < room.width()


def test_links_and_the_way_back(qtbot, help_window):
    assert not help_window.back_button.isEnabled()
    help_window.browser.anchorClicked.emit(QUrl("papers.md"))
    bar = help_window.browser.verticalScrollBar()
    bar.setValue(120)
    help_window.browser.anchorClicked.emit(QUrl("dir-em.md"))
    assert (help_window.page, bar.value()) == ("dir-em", 0)
    help_window.back_button.click()
    assert (help_window.page, bar.value()) == ("papers", 120)
    qtbot.keyClick(help_window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert help_window.page == INDEX
    assert not help_window.back_button.isEnabled()


def test_links_to_papers_go_to_the_desktop(help_window, monkeypatch):
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", asked.append)
    help_window.browser.anchorClicked.emit(QUrl("https://doi.org/10.1002/nme.2586"))
    assert [url.host() for url in asked] == ["doi.org"]
    assert help_window.page == INDEX


def test_its_text_is_searched_on_this_page_and_on_the_others(qtbot, help_window):
    search, browser = help_window.search, help_window.browser
    assert not search.isVisible()
    help_window.show_page("reading")
    qtbot.keyClick(browser, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert search.line.hasFocus()
    qtbot.keyClicks(search.line, "quaternion")
    here = browser.toPlainText().lower().count("quaternion")
    pages = [stem for stem, hits in hits_of("quaternion").items() if hits]
    assert here > 1
    assert len(pages) > 2
    assert search.count.text() == f"1 of {here} on this page · found on {len(pages)} pages"
    marked = {mark.cursor.selectedText().lower() for mark in browser.extraSelections()}
    assert marked == {"quaternion", "\N{OBJECT REPLACEMENT CHARACTER}"}  # of which some are in formulas
    qtbot.keyClick(search.line, Qt.Key.Key_Return)
    assert search.count.text().startswith(f"2 of {here}")
    assert browser.viewport().rect().contains(browser.cursorRect())
    qtbot.keyClick(search.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(search.line, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)  # to the page before
    before = pages[pages.index("reading") - 1]
    assert help_window.page == before
    assert search.line.hasFocus()
    there = len(browser.extraSelections())
    assert search.count.text().startswith(f"{there} of {there}")
    qtbot.keyClick(search.line, Qt.Key.Key_F3)  # and back
    assert help_window.page == "reading"
    search.line.setText("zzqq")
    assert search.count.text() == "0 of 0 on this page · found on 0 pages"
    qtbot.keyClick(search.line, Qt.Key.Key_Return)
    assert help_window.page == "reading"
    qtbot.keyClick(search.line, Qt.Key.Key_Escape)
    assert not search.isVisible()
    assert browser.extraSelections() == []
    assert help_window.isVisible()
