"""Seakeeping: a hull that moves with six degrees of freedom in calm water and in waves."""
