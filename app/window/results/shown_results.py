"""What is shown of results in a folder, so that an export and a session show it too."""

from __future__ import annotations

from pathlib import Path

from app.document.look import Look
from app.ensemble.source import EnsembleSource, Query
from physics import Scenario


def shown_results(scenario: Scenario | None, running: EnsembleSource | None, wanted: Query) -> Look:
    """The look with the folder, if the results lie in one, and with what is drawn of them."""
    if running is None or running.saved is None:
        return Look()
    folder = Path(running.saved)
    look = Look(results=str(folder))
    known = [name for name in running.scenario.schemes if scenario is not None and name in scenario.schemes]
    paths = wanted.colour and (folder / "paths.geojson").is_file()
    if not known or not (wanted.map or paths):
        return look
    look = look.changed(map=wanted.layer) if wanted.map else look.changed(colour=wanted.colour)
    return look.changed(whose=wanted.scheme) if len(known) > 1 and wanted.scheme in known else look
