"""Damage: what a disk, or a copy that broke off, may make of a file."""

from __future__ import annotations

import random
from pathlib import Path

HOW = ("bit", "bytes", "zeros", "cut", "longer", "lost")


def damage(path: Path, rng: random.Random) -> str:
    """Damage a file in a random way, which is told."""
    data, how = bytearray(path.read_bytes()), rng.choice(HOW)
    place = rng.randrange(len(data))
    if how == "bit":
        data[place] ^= 1 << rng.randrange(8)
    elif how == "bytes":
        for _ in range(16):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif how == "zeros":  # a block that was never written
        data[place : place + 512] = bytes(len(data[place : place + 512]))
    elif how == "cut":
        del data[place:]
    elif how == "longer":
        data += bytes(rng.randrange(1, 600))
    path.write_bytes(data)
    if how == "lost":
        path.unlink()
    return how
