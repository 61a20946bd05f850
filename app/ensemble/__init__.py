"""Ensembles of rocks as the window and the exports see them, alive or in a folder."""
