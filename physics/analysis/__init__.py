"""What a motion tells: invariants, stability, polhodes, the order of convergence."""
