"""Ensembles of rocks over a terrain: what is counted while they fall, studies, fits, folders of results."""
