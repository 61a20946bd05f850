"""The window, the only part that uses Qt."""
