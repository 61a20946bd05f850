"""Measured motion: rates and attitudes that a sensor on a body has recorded, read from tables."""
