"""What everything else stands on: rotations, compiled loops, trajectories, errors, files."""
