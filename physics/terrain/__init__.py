"""The ground of rockfall: terrain and how it is read, soils and forests, and what lies where."""
