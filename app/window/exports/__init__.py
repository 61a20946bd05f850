"""Exports: requested in a dialog, made one after another."""
