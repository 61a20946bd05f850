"""Scenes of the kinds of motion, and the numbers of their captions."""
