"""Faults: processes killed at random moments, and what is left of their work. ``python -m tests.faults --help``."""
