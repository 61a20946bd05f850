"""Benchmarks: ratios measured side by side in one run; they inform and never judge."""
