"""Long runs: what grows, drifts or is lost in hours. ``python -m tests.soak --help``."""
