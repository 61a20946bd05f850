"""Ships: a hull in water, with waves, wind and damping."""
