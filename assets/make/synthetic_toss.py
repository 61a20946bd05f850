"""Synthetic sensor records of a tossed box, written by ``python -m assets.make.synthetic_toss``.

It was not measured. The truth is known, so that what the program finds in the file can be compared with it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from physics.core.rotation import Array
from physics.schemes.free_motion import free_motion

FILE = Path(__file__).parents[1] / "measured" / "synthetic-toss.csv"
EDGES = np.array([0.075, 0.155, 0.025])  # [m] of a homogeneous box
MOMENTS = (EDGES @ EDGES - EDGES**2) / (EDGES @ EDGES - EDGES.min() ** 2)  # over the largest
START = np.array([13.0, 0.9, 1.6])  # [rad/s] as it leaves the hand
BIAS = np.array([0.03, -0.05, 0.02])  # [rad/s]
NOISE, LOUDNESS = 0.03, 0.15  # [rad/s] of the gyroscope, [m/s²] of the accelerometer
STEP = np.radians(4000.0 / 256)  # [rad/s] between two numbers of 8 bits from -2000 to 2000 deg/s
RATE = 100.0  # [Hz]
REST, THROW, FLIGHT, CATCH = 1.0, 0.3, 1.5, 0.2  # [s], one after another
ARM = np.array([0.004, 0.006, 0.0])  # [m] from the centre of mass to the sensor
G = 9.81  # [m/s²]


def samples(seed: int = 1) -> Array:
    """Rows (n, 7): time [s], rates [rad/s], acceleration [m/s²]."""
    generator = np.random.default_rng(seed)
    time = np.arange(0.0, REST + THROW + FLIGHT + CATCH + 0.5, 1.0 / RATE)
    late = time - REST - THROW
    _, flown = free_motion(MOMENTS, np.array([1.0, 0.0, 0.0, 0.0]), START, np.clip(late, 0.0, FLIGHT))
    begun = np.clip((late + THROW) / THROW, 0.0, 1.0) * np.clip(1.0 - (late - FLIGHT) / CATCH, 0.0, 1.0)
    rates = flown * begun[:, None]
    held = (late < 0.0) | (late > FLIGHT)
    pushed = np.where((begun > 0.0) & (begun < 1.0), 3.0 * G, G)
    acceleration = np.cross(rates, np.cross(rates, ARM)) + np.where(held, pushed, 0.0)[:, None] * np.array([0, 0, 1])
    rates = rates + BIAS + NOISE * generator.standard_normal(rates.shape)
    acceleration = acceleration + LOUDNESS * generator.standard_normal(acceleration.shape)
    return np.column_stack([time, np.round(rates / STEP) * STEP, acceleration])


def write(path: Path = FILE) -> None:
    """The file, as phyphox would export it."""
    words = ["Time (s)", *(f"Gyroscope {axis} (rad/s)" for axis in "xyz")]
    words += [f"Acceleration {axis} (m/s^2)" for axis in "xyz"]
    lines = [",".join(f'"{word}"' for word in words), *(",".join(f"{v:.4f}" for v in row) for row in samples())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
