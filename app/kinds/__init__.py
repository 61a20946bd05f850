"""Kinds: what the program shows of each system: the fields of the panel, the charts, the scene, the role of a file."""
