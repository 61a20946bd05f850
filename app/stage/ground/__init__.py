"""Ground: terrain, relief, maps, paths and deposits on it."""
