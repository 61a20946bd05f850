"""Ensembles: where rocks start, how they differ, what is counted while they run, and what is kept."""
