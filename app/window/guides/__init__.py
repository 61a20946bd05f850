"""Guides: help, keys, palette, gallery and tour."""
