"""The middle of the window: the stage in its 3D widget, and what is drawn or dragged on it."""
