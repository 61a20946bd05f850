"""The rows of the table of schemes, a file for each source."""
