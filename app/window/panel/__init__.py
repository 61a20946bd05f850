"""The panel at the left: every value of a scenario that can be edited, row by row."""
