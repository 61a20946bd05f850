"""Bodies on the stage: meshes, arrows, trails and surroundings."""
