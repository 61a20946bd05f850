"""Rooms of the window that other packages build: one row each; no other module of the window imports them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.hazard.window.ensembles import EnsembleController
from app.theme import Theme
from physics import Scenario

if TYPE_CHECKING:
    from app.window.charts.measurement import Measurement

ENSEMBLES = EnsembleController  # see app.window.ensembles


def distributions() -> Callable[[Scenario, Theme, QWidget], Measurement]:
    """The dialog that compares lanes by distribution, which loads when it is first opened."""
    from app.hazard.window.distributions import DistributionPanel

    return DistributionPanel
