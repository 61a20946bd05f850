"""Bodies: meshes, actors, arrows, trails, and what they stand or float on."""
