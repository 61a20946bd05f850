"""Every kernel under numba's check of bounds, over random scenarios of all kinds."""
