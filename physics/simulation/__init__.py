"""Simulation, from a model to its motion: blocks of states, edits at later times, energies, the audit of a run."""
