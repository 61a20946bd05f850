"""Exports: asked for in a dialog, made one after another."""
