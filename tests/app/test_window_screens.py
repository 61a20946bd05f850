"""Screens of all sizes: letters and lines that one can read, nothing cut off, no body behind its captions."""

from __future__ import annotations

import pytest
from windowing import cuboid, show

from app.colours import CONTRAST, DARK, LIGHT
from app.settings import Settings
from app.window.mainwindow import MainWindow

pytestmark = pytest.mark.picture


@pytest.mark.parametrize(("theme", "name"), [(LIGHT, "light"), (DARK, "dark"), (DARK, "system")])
def test_high_contrast_switched_off_is_the_look_that_was(qtbot, theme, name) -> None:
    window = MainWindow(theme, Settings(theme=name))
    qtbot.addWidget(window)
    switch = window.actions_by_id["contrast"].trigger
    switch()
    assert window.theme is CONTRAST
    again = Settings(**window.settings.model_dump())  # also in another window
    switch()
    assert (window.theme, window.settings.theme) == (theme, name)
    window.close()
    later = MainWindow(CONTRAST, again)
    qtbot.addWidget(later)
    later.actions_by_id["contrast"].trigger()
    assert later.theme is theme
    later.close()
