"""Scenes: what a lane of each kind is made of."""
