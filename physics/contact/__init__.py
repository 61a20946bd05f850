"""Contact of a rock with the ground: the time stepping, percussions, friction and drag."""
