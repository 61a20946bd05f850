"""Ensembles as the window knows them: what the hazard room, which has them, registers in app.window.rooms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.document.look import Look
from app.document.session import SavedSession, SessionView
from app.theme import Theme
from app.window.guides.command_palette import Entry
from physics import Scenario

if TYPE_CHECKING:
    from app.stage import Stage


class Ensembles(QObject):
    """Ensembles of the scenario that is shown, and their panel; the table of actions names what else they do."""

    begun = Signal()  # computation of rocks starts

    @property
    @abstractmethod
    def panel(self) -> QWidget:
        """The panel beside the view."""

    @abstractmethod
    def set_theme(self, theme: Theme) -> None:
        """Recolour the panel."""

    @property
    @abstractmethod
    def marching(self) -> bool:
        """True while rocks are computed."""

    @property
    @abstractmethod
    def unsaved(self) -> bool:
        """True if rocks would be lost that are in no folder."""

    @property
    @abstractmethod
    def unfinished(self) -> str | None:
        """Name of the ensemble that a session goes on with; None if there is none."""

    @property
    @abstractmethod
    def look(self) -> Look:
        """Choice of the results that are shown."""

    @abstractmethod
    def expect(self, look: SessionView) -> None:
        """Restore results with the run that comes next."""

    @abstractmethod
    def show_run(self, scenario: Scenario, opened: bool) -> None:
        """Take the scenario of a run that the window shows."""

    @abstractmethod
    def dress(self, stage: Stage) -> None:
        """Lay the results on a stage."""

    @abstractmethod
    def show_layout(self) -> None:
        """Follow the view's layout."""

    @abstractmethod
    def left(self, chosen: Callable[[SavedSession], object]) -> list[Entry]:
        """Entries of the palette to continue or discard ensembles that are incomplete or not saved, and not shown."""

    @abstractmethod
    def fields(self) -> list[Entry]:
        """Entries of the palette that go to a field of the panel."""

    @abstractmethod
    def close(self) -> None:
        """End all processes."""
