"""Ensembles of starts: many runs of one scenario, how their starts differ, and what each becomes."""
