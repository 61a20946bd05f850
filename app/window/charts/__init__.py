"""Charts below the view, and the order of convergence beside it."""
