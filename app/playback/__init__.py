"""A run in a thread of its own, the clock that plays it, and the markers on its timeline."""
