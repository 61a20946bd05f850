"""Bodies that turn about a fixed point, or about their centre of mass under torque: tops and vessels."""
