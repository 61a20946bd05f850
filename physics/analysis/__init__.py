"""Analysis of motions and schemes: invariants, stability, polhodes, orders of convergence, fits."""
