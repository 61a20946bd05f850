"""What is kept in files: sessions, settings, recipes; and what a file that is opened becomes."""
