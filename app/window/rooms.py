"""Rooms of the window that other packages build: one row each, and nobody else of the window imports them."""

from __future__ import annotations

from app.hazard.window.ensembles import EnsembleController

ENSEMBLES = EnsembleController  # see app.window.ensembles
