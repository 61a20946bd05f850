"""Foundations: rotations, compiled loops, trajectories, errors, files."""
