"""Rocks on a terrain: scenario, ground, releases, blocks, barriers and observations."""
