"""What ensembles tell: run, shown while they fill in, opened again."""
