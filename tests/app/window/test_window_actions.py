"""The table of actions: complete, and no two share a key."""

from __future__ import annotations

import re
from operator import attrgetter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel

from app.system import language
from app.window.actions import ACTIONS, MENUS, with_mnemonics
from app.window.guides.key_sheet import KeySheet


def test_no_two_actions_share_a_key() -> None:
    keys = [QKeySequence(key).toString() for action in ACTIONS for key in action.keys.split()]
    assert len(keys) == len(set(keys))
    assert all(keys)


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_each_menu_opens_with_alt_and_a_letter_of_its_own(code) -> None:
    taken = {key[-1] for action in ACTIONS for key in action.keys.split() if re.fullmatch(r"Alt\+[A-Z]", key)}
    with language.speaking(code):
        titles = with_mnemonics([language.tr(name) for name in MENUS], "".join(taken))
        assert [title.replace("&", "") for title in titles] == [language.tr(name) for name in MENUS]
    letters = [title.partition("&")[2][0].upper() for title in titles]
    assert len(set(letters)) == len(letters)
    assert not taken & set(letters)
    if code == "en":
        assert (letters[0], letters[-1]) == ("F", "H")


@pytest.mark.picture
def test_every_action_calls_something_that_exists(window) -> None:
    for action in ACTIONS:
        assert callable(attrgetter(action.calls)(window))


@pytest.mark.picture
def test_every_action_is_in_a_menu_and_bears_its_tip(window) -> None:
    bar = [menu.menu() for menu in window.window_layout.menus.actions()]
    assert [menu.title().replace("&", "") for menu in bar] == list(MENUS)
    listed = {entry.text() for menu in bar for entry in menu.actions()}
    assert listed == {action.text for action in ACTIONS}
    assert all(window.actions_by_id[action.id].toolTip().startswith(action.tip) for action in ACTIONS)


def test_the_sheet_of_keys_lists_all(qtbot) -> None:
    from app.theme import DARK

    sheet = KeySheet(DARK)
    qtbot.addWidget(sheet)
    text = " ".join(label.text() for label in sheet.findChildren(QLabel))
    for action in ACTIONS:
        if action.keys:
            assert action.text.replace("'", "&#x27;") in text
