"""Look: how a picture is looked at. One model for scenario, session, window, still and film.

A scenario tells it in ``[view]`` and ``[export]``, a session in ``[session]``; a window has the user's. Pictures, films
and the window's stage are set up from it. All places of a camera are in the metres of the map, at true height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, ValidationError, model_validator

from physics import Scenario, World
from physics.scenario.common_config import Number, Table
from physics.scenario.view_config import Camera, Colour, Layout, Overlay, ViewpointTable


@dataclass(frozen=True)
class ScenarioField:
    """Names, at a field of a look, the field of a scenario that says the same."""

    name: str


class Look(Table):
    """How a run is looked at; what is not said has the value that is told here."""

    layout: Annotated[Layout, ScenarioField("view.layout")] = "side-by-side"
    camera: Annotated[Camera, ScenarioField("view.camera")] = "fit"
    compare: Annotated[bool, ScenarioField("view.compare")] = False
    linked: bool = Field(True, description="whether the cameras of all lanes move together: in a window")
    viewpoint: Annotated[ViewpointTable | None, ScenarioField("view.viewpoint")] = Field(
        None, description="of a camera that was moved; without it: where the camera begins"
    )
    overlays: Annotated[tuple[Overlay, ...] | None, ScenarioField("view.overlays")] = Field(
        None, description="for films and pictures; a window has its own"
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
        """What the tables of a scenario say."""
        said = {}
        for name, place in cls.places().items():
            table, key = place.split(".")
            if getattr(scenario, table).gives(key):
                said[name] = getattr(getattr(scenario, table), key)
        return cls(**said)

    @classmethod
    def places(cls) -> dict[str, str]:
        """Field -> the field of a scenario that says the same, of those that have one."""
        fields = cls.model_fields.items()
        return {name: mark.name for name, field in fields for mark in field.metadata if isinstance(mark, ScenarioField)}

    @property
    def said(self) -> dict[str, Any]:
        """The fields that say something, with their values."""
        return {name: getattr(self, name) for name in type(self).model_fields if self.gives(name)}

    def changed(self, **values: Any) -> Self:
        """A copy with other values."""
        return self.model_copy(update=values)

    def in_scenario(self) -> dict[str, Any]:
        """What it says as the fields of a scenario, see Scenario.changed.

        A camera that was moved stays there, in place of a list of cameras. Of results that are shown but not drawn, by
        a map or by paths, a scenario says nothing.
        """
        places, said = self.places(), self.said
        drawn = self.results is not None and bool(self.map or self.colour)
        unsaid = () if drawn else ("results", "map", "colour", "whose")
        told = {places[name]: value for name, value in said.items() if name in places and name not in unsaid}
        if drawn:  # in place of what else the scenario draws
            told = {"export.map": None, "export.whose": None} | told
        if self.viewpoint is not None:
            told["view.cameras"] = ()
        return told

    def put_into(self, scenario: Scenario) -> Scenario:
        """A scenario whose pictures and films are looked at so."""
        told = self.in_scenario()
        return scenario.changed(**told) if told else scenario


def from_mode(camera: str) -> dict[str, Any]:
    """The fields of a scenario that is seen from where a mode of the camera begins, whatever else it says."""
    return {"view.camera": camera, "view.viewpoint": None, "view.cameras": ()}


class CameraPlace(Table):
    """A saved place of the camera.

    Files of version 0.1.0 tell it as ``eye``, in the coordinates of the stage, whose origin is in the middle of the
    terrain that the scenario reads: ``on_map`` tells it in the metres of the map, once the terrain is there.
    """

    name: Annotated[str, Field(max_length=60)]
    camera: Camera = "fit"
    viewpoint: ViewpointTable | None = Field(None, description="on the map, or beside what the camera goes with")
    eye: Annotated[tuple[Number, ...], Field(min_length=9, max_length=9)] | None = Field(
        None, description="position, focus, upward direction, in the coordinates of the stage"
    )

    @model_validator(mode="after")
    def _told_once(self) -> CameraPlace:
        if (self.viewpoint is None) == (self.eye is None):
            raise ValueError("expected a viewpoint")
        if self.eye is not None and (self.eye[:3] == self.eye[3:6] or not any(self.eye[6:])):
            raise ValueError("eye: expected a position apart from the focus, and a direction")
        return self


@np.errstate(over="ignore")
def on_map(place: CameraPlace, world: World) -> CameraPlace | None:
    """A saved place with its viewpoint in the metres of the map of the world that it was saved in.

    None where numbers of a file have no such place: too large ones, or nearer to each other than those of a map hold.
    """
    if place.eye is None:
        return place
    from app.stage.camera.keyframes import table_of
    from app.stage.camera.rig import Viewpoint  # here: what draws takes a second to load

    try:
        viewpoint = table_of(Viewpoint(*np.reshape(place.eye, (3, 3))), world, place.camera)
    except ValidationError:
        return None
    return CameraPlace(name=place.name, camera=place.camera, viewpoint=viewpoint)
