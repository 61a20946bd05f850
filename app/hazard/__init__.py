"""Ensembles of rocks and what is made of them: studies, plans, fits; alive, or in a folder of results."""
