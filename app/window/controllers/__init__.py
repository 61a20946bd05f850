"""What the actions of the window do; each controller gets the workspace or the parts of it that it uses."""
