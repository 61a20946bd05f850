"""Cameras: what they look at, how they fit it and how they move."""
