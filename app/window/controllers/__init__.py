"""Controllers of the window's actions; each gets the workspace or the parts of it that it uses."""
