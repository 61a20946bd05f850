"""The audit of a run: what its scheme made of energy and spin, stored with every result; and where it was computed."""

from __future__ import annotations

import platform
from typing import Any

import numba
import numpy as np

from physics.trajectory import Trajectory


def audit(run: Trajectory) -> dict[str, float | None]:
    """What happened to the energy and the spin of a run, from its stored states.

    ``largest_energy_rise`` [J] from one stored state to the next; ``energy_drift`` [J] and ``spin_drift`` [kg m²/s],
    the largest distance from the first state; ``relative_...``, over the largest kinetic energy and size of spin, None
    for a body that never moves. Forces change the energy or spin of some kinds: that is no fault of the scheme.
    """
    energy, spin = run.total_energy, run.spin
    with np.errstate(over="ignore", invalid="ignore"):
        rise = float(np.diff(energy, prepend=energy[0]).max(initial=0.0))
        drift = float(np.abs(energy - energy[0]).max())
        turned = float(_length(spin - spin[0]).max())
        kinetic, size = float(run.kinetic_energy.max()), float(_length(spin).max())
    return {
        "largest_energy_rise": rise,
        "energy_drift": drift,
        "relative_energy_drift": drift / kinetic if kinetic > 0.0 else None,
        "spin_drift": turned,
        "relative_spin_drift": turned / size if size > 0.0 else None,
    }


def _length(vectors: np.ndarray) -> np.ndarray:
    """Of vectors (n, 3), whose squares may be more than a number holds."""
    largest = np.abs(vectors).max(axis=1)
    scale = np.where(largest > 0.0, largest, 1.0)
    return np.asarray(scale * np.linalg.norm(vectors / scale[:, None], axis=1))


def platform_facts() -> dict[str, Any]:
    """The system and the libraries that numbers depend on."""
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
