"""Files of trajectories."""
