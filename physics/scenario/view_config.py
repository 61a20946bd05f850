"""The tables of a scenario file that say how it is shown and exported: ``[view]``, ``[export]`` and ``[film]``."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from physics.scenario.common_config import NotNegative, Number, Positive, Table, Vector3

Camera = Literal["fit", "follow", "ride", "slope", "top", "front", "side", "back", "left"]

Layout = Literal["side-by-side", "overlay"]

Colour = Literal["energy", "speed", "rotation", "height"]


class ViewpointConfig(Table):
    """``viewpoint``: where the camera looks from, on the map, or beside what it goes with."""

    position: Vector3 = Field(description="[m] of the camera: as the body's is given, or from the body's")
    focus: Vector3 = Field(description="[m] what it looks at, likewise")
    up: Vector3 = Field((0.0, 0.0, 1.0), description="what is up in the picture")

    @model_validator(mode="after")
    def _complete(self) -> ViewpointConfig:
        _check_sight(self)
        return self


class KeyframeConfig(Table):
    """One of ``cameras``: where the camera is from a time on, as a mode or as a place on the map."""

    time: NotNegative = Field(description="[s] when the camera arrives there")
    seconds: NotNegative = Field(2.0, description="[s] that its move there takes; at most since the one before")
    mode: Camera | None = None
    position: Vector3 | None = Field(None, description="[m] of the camera, as the body's position is given")
    focus: Vector3 | None = Field(None, description="[m] what it looks at")
    up: Vector3 = Field((0.0, 0.0, 1.0), description="what is up in the picture")

    @model_validator(mode="after")
    def _complete(self) -> KeyframeConfig:
        if (self.mode is None) == (self.position is None):
            raise ValueError("expected either mode or position and focus")
        if (self.position is None) != (self.focus is None):
            raise ValueError("focus: expected together with position")
        _check_sight(self)
        return self


def _check_sight(table: ViewpointConfig | KeyframeConfig) -> None:
    if table.position is not None and table.position == table.focus:
        raise ValueError("focus: expected another point than position")
    if not any(table.up):
        raise ValueError("up: expected a direction, got (0, 0, 0)")


Overlay = Literal[
    "axes",
    "vectors",
    "trails",
    "truth",
    "ghosts",
    "grid",
    "labels",
    "poinsot",
    "momentum",
    "level",
    "inertial",
    "in-body",
    "points",
    "reference",
    "rocks",
    "zones",
    "barriers",
    "observed",
    "contacts",
    "close-up",
    "colours",
]


class ViewConfig(Table):
    """``[view]``: camera, layout, overlays and the look of the terrain; ignored by runs."""

    layout: Layout | None = None
    camera: Camera | None = None
    viewpoint: ViewpointConfig | None = Field(None, description="in place of the one that the camera begins with")
    cameras: Annotated[tuple[KeyframeConfig, ...], Field(max_length=1000)] = ()
    overlays: tuple[Overlay, ...] | None = None
    compare: bool = Field(False, description="draw the run without the last edit too, paler and dotted")
    points: Annotated[tuple[Vector3, ...], Field(min_length=1, max_length=8)] | None = None
    ground: Literal["natural", "shade", "slope", "aspect"] = Field("natural", description="how a terrain looks")
    drape: str | None = Field(None, description="a GeoTIFF that is laid over the terrain")
    exaggeration: Annotated[Positive, Field(ge=0.1, le=10)] = Field(1.0, description="of heights; 1: true to scale")
    occlusion: bool = Field(False, description="darken what the sky's light does not reach: on a graphics card")
    colour: Colour = Field("energy", description="what paths are coloured by")

    @model_validator(mode="after")
    def _ordered(self) -> ViewConfig:
        times = [keyframe.time for keyframe in self.cameras]
        if any(b <= a for a, b in itertools.pairwise(times)):
            raise ValueError(f"cameras: expected rising times, got {times}")
        if self.viewpoint is not None and self.cameras:
            raise ValueError("viewpoint: expected none where cameras say where the camera is")
        return self


Seconds = Annotated[Number, Field(ge=0, le=60)]  # of a card: who wants to read longer stops the film

Pixels = Annotated[int, Field(strict=True, ge=16, le=8192)]  # 8K, and what every OpenGL can draw


class ExportConfig(Table):
    """``[export]``: how pictures and films are made, beside ``[view]``; ignored by runs. A recipe holds all of it."""

    size: tuple[Pixels, Pixels] = Field((1920, 1080), description="width and height [pixels]")
    fps: Annotated[Number, Field(ge=1, le=240)] = Field(30.0, description="frames a second of a film")
    speed: Positive = Field(1.0, description="simulated seconds per second of a film; 0.1 is slow motion")
    theme: str = Field("dark", description="colours: dark, light")
    plots: Literal["none", "under", "beside"] = Field("none", description="the charts, in step with the view")
    captions: bool = Field(True, description="title, clock, legend, and each scheme with its source and numbers")
    orbit: Annotated[Number, Field(ge=-360, le=360)] = Field(
        0.0, description="how fast the camera goes around what it looks at [deg per second of a film]"
    )
    time: NotNegative | None = Field(None, description="of a picture [s]; the end without it")
    first: NotNegative = Field(0.0, description="where films and charts begin [s]")
    last: Positive | None = Field(None, description="where films and charts end [s]; with the run without it")
    charts: tuple[str, ...] = Field((), description="titles of the charts, in place of the usual ones")
    transparent: bool = Field(False, description="pictures without sky")
    quality: Literal["draft", "usual", "fine"] = Field(
        "usual", description="of edges: draft is not smooth and quick, fine is drawn twice as large and reduced"
    )
    title_card: Seconds = Field(0.0, description="how long a film shows title, note, authors and schemes first [s]")
    end_card: Seconds = Field(0.0, description="how long it ends with steps, sources, version and recipe [s]")
    authors: str = Field("", description="of the title card: names, institute")
    language: Literal["en", "de", "fr", "it"] = Field("en", description="of captions, charts, cards and plans")
    results: str | None = Field(None, description="a folder of polhode ensemble, whose rocks' paths are drawn")
    map: str | None = Field(None, description="of these results, in place of paths: kinetic_energy_q95, ...")
    whose: str | None = Field(None, description="the scheme whose results are drawn where lanes share a view")
    scale: Annotated[Number, Field(ge=1, le=10_000_000)] | None = Field(
        None, description="of a plan: 5000 for 1:5000; without it the largest usual one at which the terrain fits"
    )
    paper: Literal["a4", "a3"] = Field("a4", description="of a plan, upright or across")

    @model_validator(mode="after")
    def _ordered(self) -> ExportConfig:
        if self.last is not None and self.last <= self.first:
            raise ValueError(f"last: expected more than first, which is {self.first:g}, got {self.last:g}")
        return self


class CaptionConfig(Table):
    """One of ``captions``: a text from a time of the motion on."""

    time: NotNegative = Field(description="[s] of the motion from which it is shown")
    text: Annotated[str, Field(max_length=300)] = Field(description="one or two sentences")

    @field_validator("text")
    @classmethod
    def _written(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("expected a sentence, got an empty text")
        return value


def _captions_kind(value: Any) -> str:
    return "[list]" if isinstance(value, list | tuple) else "[word]"


# tags have brackets, so that messages leave them out of the field's name
Captions = Annotated[
    Annotated[Literal["auto", "none"], Tag("[word]")]
    | Annotated[Annotated[tuple[CaptionConfig, ...], Field(min_length=1, max_length=100)], Tag("[list]")],
    Discriminator(_captions_kind),
]


class FilmConfig(Table):
    """``[film]``: how a film explains what it shows; ignored by runs and pictures."""

    captions: Captions = Field(
        "none",
        description="below the motion: auto (what to look for, who leaves the true motion, verdict), none, or texts",
    )
    slow: Annotated[Number, Field(gt=0, le=1)] = Field(
        1.0, description="pace around flips and first impacts, of the film's speed; 0.25 is four times slower"
    )
    pause: Seconds = Field(0.0, description="how long the last picture is held [s]")

    @model_validator(mode="after")
    def _ordered(self) -> FilmConfig:
        times = [] if isinstance(self.captions, str) else [caption.time for caption in self.captions]
        if any(b <= a for a, b in itertools.pairwise(times)):
            raise ValueError(f"captions: expected rising times, got {times}")
        return self
