"""Flights that are made up, with what went in, and how often intervals hold it: ``python -m tests.flights``.

One interval a recording counts, that of the smallest ratio; seeds are the numbers from 0 on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import numpy as np

from physics import PhysicsError, simulate
from physics.analysis.identification import identify
from physics.core.rotation import Array, apply, unit_of
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import MeasuredMotion, integrated
from tests.small import tossed

RATES, QUATERNIONS = {"angular_velocity": ("x", "y", "z")}, {"orientation": ("w", "x", "y", "z")}
CASES = {  # factors of the drag, and the shortest and longest flight [s]
    "one factor of drag": (1, 1.0, 1.0),
    "three factors of drag": (3, 1.0, 1.0),
    "no drag": (0, 1.0, 1.0),
    "short, one factor of drag": (1, 0.5, 0.9),
    "short, no drag": (0, 0.5, 0.9),
}


def sampled(time: Array, rates: Array, attitudes: Array | None = None) -> MeasuredMotion:
    """A recording of rates, or of attitudes."""
    told = MeasuredConfig(file="toss.csv", **(RATES if attitudes is None else QUATERNIONS))
    attitudes = integrated(time, rates) if attitudes is None else attitudes
    return MeasuredMotion(told, time, rates, attitudes, None, True, ())


def thrown(seed: int, factors: int) -> tuple[MeasuredMotion, Array, Array, Array]:
    """A racquet at 100 Hz, turned about its intermediate axis in the air: motion, ratios, drag over the moments, start.

    Integrated by a scheme of the program; noise, a bias, a sensor set askew, and a gyroscope that ends at 1000 deg/s.
    """
    generator = np.random.default_rng(seed)
    thin = generator.uniform(0.06, 0.075)
    moments = np.array([1.0 - thin + generator.uniform(0.001, 0.02), thin, 1.0])
    drag = np.full(3, generator.uniform(0.01, 0.04)) if factors < 3 else generator.uniform(0.005, 0.05, 3)
    drag = drag if factors else np.zeros(3)
    size = generator.uniform(8.0, 17.0)
    scheme = "kahan-li-8" if factors else "exact"
    run = simulate(tossed(moments, drag, (size, 0.08 * size, 0.03 * size), scheme, 0.001))[scheme]
    assert not factors or (np.diff(run.total_energy) < 0.0).all()
    axes, end = unit_of(0.03 * generator.normal(size=3)), np.radians(1000.0)
    flown = apply(axes, run.angular_velocity[::10])
    seen = flown + 0.03 * generator.normal(size=3) + 0.03 * generator.normal(size=flown.shape)
    motion = sampled(run.time[::10], np.clip(seen, -end, end))
    return replace(motion, saturated=np.abs(seen) >= 0.98 * end), moments, drag, flown[0]


def held(seed: int, factors: int, shortest: float, longest: float) -> str:
    """Outcome of a flight: its interval of the smallest ratio holds the truth or misses it, or why there is none."""
    motion, ratios, _, _ = thrown(seed, factors)
    end = np.random.default_rng(seed).uniform(shortest, longest)
    try:
        found = identify(motion, 0.0, float(end))
    except PhysicsError:
        return "refused"
    least, most = found.ratio_intervals[1]
    if not found.fitted:
        return "no free motion fits"
    return "holds" if least < ratios[1] < most else "misses"


def main() -> None:
    """Print, for each case, how many of some recordings hold the truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--case", choices=CASES, action="append")
    chosen = parser.parse_args()
    for case in chosen.case or CASES:
        found = Counter(held(seed, *CASES[case]) for seed in range(chosen.draws))
        given = found["holds"] + found["misses"]
        print(f"{case}: {found['holds']} of {given} hold the truth; {dict(found)}", flush=True)


if __name__ == "__main__":
    main()
