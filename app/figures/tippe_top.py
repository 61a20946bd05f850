"""Share of tippe tops that turn over, against friction: the example of the collection from drawn starts."""

from __future__ import annotations

from matplotlib.figure import Figure

import assets
import physics
from app.plots.result_figures import share_figure
from app.system.own_words import title_of
from physics.core.processors import processors
from physics.ensembles.start_ensemble import StartEnsemble

TOPS = 200  # a point: bars of 14 % at most
FRICTION = (0.01, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4)


def inversion(rocks: int = TOPS) -> Figure:
    """Tippe tops with drawn starts: the share that inverts within 4 s against the friction, by scheme."""
    scenario = physics.load_scenario(assets.SCENARIOS / "table-tippe-top.toml")
    ensemble = StartEnsemble(
        scenario.changed(**{scenario.ensemble_size: rocks, "batch": {"table": {"mu": list(FRICTION)}}})
    )
    ensemble.prepare()
    for _ in ensemble.march(processors()):
        pass
    return share_figure(ensemble.series, title_of(scenario))
