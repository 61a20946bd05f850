"""Look: layout, camera and layers of a picture. One model for scenario, session, window, still and film.

It is in ``[view]`` and ``[export]`` of a scenario, and in ``[session]`` of a session; a window has the user's.
Places of cameras are in metres of the map, at true height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import Field

from physics import Scenario
from physics.scenario.common_config import Table
from physics.scenario.view_config import Camera, Colour, Layout, Overlay, ViewpointConfig


@dataclass(frozen=True)
class ScenarioField:
    """Mark of a field: the equal field of a scenario."""

    name: str


class Look(Table):
    """Layout, camera and layers of the picture of a run."""

    layout: Annotated[Layout, ScenarioField("view.layout")] = "side-by-side"
    camera: Annotated[Camera, ScenarioField("view.camera")] = "fit"
    compare: Annotated[bool, ScenarioField("view.compare")] = False
    logarithmic: Annotated[bool, ScenarioField("export.logarithmic")] = False
    linked: bool = Field(True, description="whether the cameras of all lanes move together: in a window")
    viewpoint: Annotated[ViewpointConfig | None, ScenarioField("view.viewpoint")] = Field(
        None, description="of a camera that was moved; without it: where the camera begins"
    )
    overlays: Annotated[tuple[Overlay, ...] | None, ScenarioField("view.overlays")] = Field(
        None, description="that are switched on; without it: those of the motion"
    )
    results: Annotated[str | None, ScenarioField("export.results")] = Field(
        None, description="a folder of polhode ensemble that is shown with it"
    )
    map: Annotated[str | None, ScenarioField("export.map")] = Field(
        None, description="of these results, that lies on the terrain: kinetic_energy_q95, ..."
    )
    colour: Annotated[Colour | None, ScenarioField("view.colour")] = Field(
        None, description="what their paths are coloured by, where they are drawn"
    )
    whose: Annotated[str | None, ScenarioField("export.whose")] = Field(
        None, description="the scheme whose results are drawn where lanes share a view"
    )

    @classmethod
    def of(cls, scenario: Scenario) -> Self:
        """The look given in the tables of a scenario."""
        given = {}
        for name, place in cls.places().items():
            table, key = place.split(".")
            if getattr(scenario, table).gives(key):
                given[name] = getattr(getattr(scenario, table), key)
        return cls(**given)

    @classmethod
    def places(cls) -> dict[str, str]:
        """Fields with an equal field of a scenario, and its name."""
        fields = cls.model_fields.items()
        return {name: mark.name for name, field in fields for mark in field.metadata if isinstance(mark, ScenarioField)}

    @property
    def said(self) -> dict[str, Any]:
        """The given fields with their values."""
        return {name: getattr(self, name) for name in type(self).model_fields if self.gives(name)}

    def changed(self, **values: Any) -> Self:
        """A copy with other values."""
        return self.model_copy(update=values)

    def in_scenario(self) -> dict[str, Any]:
        """Its fields as fields of a scenario, see Scenario.changed.

        A moved camera replaces a list of cameras. Results that are shown, but not drawn by a map or by paths, are left
        out.
        """
        places, given = self.places(), self.said
        drawn = self.results is not None and bool(self.map or self.colour)
        left_out = () if drawn else ("results", "map", "colour", "whose")
        fields = {places[name]: value for name, value in given.items() if name in places and name not in left_out}
        if drawn:  # in place of other results in the scenario
            fields = {"export.map": None, "export.whose": None} | fields
        if self.viewpoint is not None:
            fields["view.cameras"] = ()
        return fields

    def put_into(self, scenario: Scenario) -> Scenario:
        """A scenario with this look for its pictures and films."""
        fields = self.in_scenario()
        return scenario.changed(**fields) if fields else scenario


def from_mode(camera: str) -> dict[str, Any]:
    """Fields of a scenario seen by a camera mode from its usual place."""
    return {"view.camera": camera, "view.viewpoint": None, "view.cameras": ()}


class CameraPlace(Table):
    """A saved place of the camera."""

    name: Annotated[str, Field(max_length=60)]
    camera: Camera = "fit"
    viewpoint: ViewpointConfig = Field(description="on the map, or beside what the camera goes with")
