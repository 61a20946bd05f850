"""Fuzzing: what any file and any number may do: give a result, or one sentence. ``python -m tests.fuzz --help``."""
