"""What is shown of results in a folder as the fields of a scenario, so that an export shows it too."""

from __future__ import annotations

from pathlib import Path

from app.ensemble.source import EnsembleSource, Query
from physics import Scenario


def exported(scenario: Scenario | None, running: EnsembleSource | None, wanted: Query) -> dict[str, str]:
    """Fields of the view and export tables; none where nothing is shown that lies in a folder."""
    if scenario is None or running is None or running.saved is None:
        return {}
    folder = Path(running.saved)
    known = [name for name in scenario.schemes if name in running.scenario.schemes]
    drawn = wanted.map or (wanted.colour and (folder / "paths.geojson").is_file())
    if not known or not drawn:
        return {}
    told = {"export.results": str(folder)}
    told |= {"export.map": wanted.layer} if wanted.map else {"view.colour": wanted.colour}
    return told | ({"export.whose": wanted.scheme} if len(known) > 1 and wanted.scheme in known else {})
