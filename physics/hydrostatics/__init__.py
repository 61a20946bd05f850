"""Hydrostatics of a closed mesh: what it displaces, how it floats, and what rights it.

Axes of the hull: x forward, y port, z up. Inertial z up, calm water at z = 0. Right-handed turns: heel about x,
positive to starboard; trim about y, positive bow down; the attitude is R = Ry(trim) Rx(heel).
"""
