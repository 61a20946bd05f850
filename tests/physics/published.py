"""Three small ensembles, each as the digest of its ``rocks.csv``: a program, for processes of other arithmetic.

``python -m tests.physics.published`` prints one JSON object: ``elementary_functions``, and name -> SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from physics.core.arithmetic import elementary_functions
from physics.hazard.ensemble import Ensemble
from physics.hazard.results_folder import save_results
from physics.systems.world import World
from tests.physics.falling import scenario

BAND = [[10.0, -50.0], [25.0, -50.0], [25.0, 50.0], [10.0, 50.0]]
BODY = {"shape": "random", "size": [0.93, 0.8, 0.47], "mass": 780.0}
SCAR = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}
ENSEMBLES: dict[str, dict[str, Any]] = {
    "ramp": {"ensemble": {"rocks": 8, "seed": 4}},
    "shapes": {"body": BODY, "schemes": ["implicit"], "ensemble": {"rocks": 8, "seed": 5, "shapes": "each"}},
    "soils": {
        "schemes": ["implicit"],
        "soil": {"preset": "soft", "scar": SCAR, "zone": [{"polygon": BAND, "preset": "hard"}]},
        "forest": {"drag": 250.0, "height": 10.0},
        "ensemble": {"rocks": 8, "seed": 6},
    },
}


def digests() -> dict[str, str]:
    """Digests by the names of the ensembles."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, changes in ENSEMBLES.items():
            ensemble = Ensemble(World.of(scenario(**changes)))
            list(ensemble.march(1))
            save_results(Path(folder, name), ensemble)
            found[name] = hashlib.sha256(Path(folder, name, "rocks.csv").read_bytes()).hexdigest()
    return found


if __name__ == "__main__":
    json.dump({"elementary_functions": elementary_functions()} | digests(), sys.stdout)
