"""Documents in files: sessions, settings, recipes, and opening files of all kinds."""
