"""The middle of the window: the stage in its 3D widget."""
