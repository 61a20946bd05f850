"""A kind of system that is no part of the program: one row in either table of systems, as a real one would have."""
