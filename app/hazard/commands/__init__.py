"""Commands of the hazard rooms; each takes the parsed arguments and returns the exit status."""
