"""Bodies coupled by joints: mechanisms, their constraint rows, and the solution of their equations."""
