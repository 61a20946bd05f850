"""Toys on a table (``kind = "table"``): tops, rattlebacks, disks, coins and eggs."""
