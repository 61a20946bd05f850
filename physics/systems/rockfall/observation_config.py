"""The table of a scenario file that says what was measured on the slope: stops, tracks, passages, and zones."""

from __future__ import annotations

from pydantic import Field

from physics.scenario.common_config import Number, Table


class ObservedTable(Table):
    """``[observed]``: what was measured; it is drawn and compared with, and changes nothing of a run."""

    stops: str | None = Field(None, description="where rocks stopped (.csv): x, y; runout, or release_x and release_y")
    tracks: str | None = Field(None, description="the paths of rocks (.csv), point after point: track, x, y; z")
    screens: str | None = Field(None, description="passages of lines (.csv): screen, x, y; velocity, height")
    zones: str | None = Field(None, description="polygons in which stops are counted (.geojson; .gpkg, .shp with gis)")


class FittedTable(Table):
    """``[fitted]``: which fields were fitted to which measured runs, by ``polhode fit``; it changes no run."""

    table: str = Field("", description="the file of stops, for people")
    digest: str = Field("", description="of that file, BLAKE2b")
    values: dict[str, Number] = Field(description="what was fitted, by field")
    runs: tuple[str, ...] = Field(description="fingerprints of the runs that were fitted, see ensembles.fit_parameters")
    held_out: tuple[str, ...] = Field((), description="fingerprints of those that were not")
