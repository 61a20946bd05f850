"""Seakeeping: the waves of the sea, and the pressure that a moving hull bears in them.

The incident wave alone acts (Froude-Krylov): what the hull scatters and radiates is left out.
"""
