"""Guides: help, keys, palette and gallery."""
