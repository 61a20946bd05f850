"""Overlays: constructions that may be shown over a scene."""
