"""Bodies: shapes, meshes and what they weigh."""
