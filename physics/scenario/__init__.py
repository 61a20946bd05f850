"""Scenario files: their tables, their checks and the words for what is wrong with them."""
