"""The window: all that knows Qt."""
