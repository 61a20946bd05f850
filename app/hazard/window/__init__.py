"""Results of ensembles: run, shown while they fill in, opened again."""
