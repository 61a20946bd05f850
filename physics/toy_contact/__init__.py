"""Smooth convex bodies on a plane: where they touch it, what acts there, and their time stepping."""
