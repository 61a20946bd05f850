"""The tables of a scenario file that say how it is shown and exported: ``[view]``, ``[export]`` and ``[film]``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.scenario.camera_modes import CAMERA_MODES
from physics.scenario.common_config import NotNegative, Number, Positive, Table, Vector3
from physics.scenario.described import described

if TYPE_CHECKING:
    Camera = str
else:
    Camera = Literal[tuple(CAMERA_MODES)]

Layout = Literal["side-by-side", "overlay"]

Colour = Literal["energy", "speed", "rotation", "height"]


class ViewpointConfig(Table):
    """``viewpoint``: where the camera looks from, on the map, or beside what it goes with."""

    position: Vector3 = described(..., unit="m", about="of the camera: as the body's is given, or from the body's")
    focus: Vector3 = described(..., unit="m", about="what it looks at, likewise")
    up: Vector3 = described((0.0, 0.0, 1.0), about="what is up in the picture")

    @model_validator(mode="after")
    def _complete(self) -> ViewpointConfig:
        _check_sight(self)
        return self


class KeyframeConfig(Table):
    """One of ``cameras``: where the camera is from a time on, as a mode or as a place on the map."""

    time: NotNegative = described(..., unit="s", about="when the camera arrives there")
    seconds: NotNegative = described(2.0, unit="s", about="that its move there takes; at most since the one before")
    mode: Camera | None = described(None, about="of the camera, in place of position and focus")
    position: Vector3 | None = described(None, unit="m", about="of the camera, as the body's position is given")
    focus: Vector3 | None = described(None, unit="m", about="what it looks at")
    up: Vector3 = described((0.0, 0.0, 1.0), about="what is up in the picture")

    @model_validator(mode="after")
    def _complete(self) -> KeyframeConfig:
        if (self.mode is None) == (self.position is None):
            raise ValueError(N_("expected either mode or position and focus"))
        if (self.position is None) != (self.focus is None):
            raise ScenarioError("focus", N_("expected together with position"))
        _check_sight(self)
        return self


def _check_sight(table: ViewpointConfig | KeyframeConfig) -> None:
    if table.position is not None and table.position == table.focus:
        raise ScenarioError("focus", N_("expected another point than position"))
    if not any(table.up):
        raise ScenarioError("up", N_("expected a direction, got (0, 0, 0)"))


Overlay = Literal[
    "axes",
    "vectors",
    "trails",
    "truth",
    "ghosts",
    "grid",
    "labels",
    "numbers",
    "whole",
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

    layout: Layout | None = described(None, about="of the lanes: a view each, or all in one", empty="by the kind")
    camera: Camera | None = described(None, about="where it looks from, and what it goes with", empty="by the kind")
    viewpoint: ViewpointConfig | None = described(None, about="in place of the one that the camera begins with")
    cameras: Annotated[tuple[KeyframeConfig, ...], Field(max_length=1000)] = ()
    overlays: tuple[Overlay, ...] | None = described(None, about="what is drawn besides", empty="by the kind")
    compare: bool = described(False, about="draw the run without the last edit too, paler and dotted")
    points: Annotated[tuple[Vector3, ...], Field(min_length=1, max_length=8)] | None = described(
        None, unit="m", about="points of the body whose paths the overlay points draws, in its axes"
    )
    ground: Literal["natural", "shade", "slope", "aspect"] = described("natural", about="how a terrain looks")
    drape: str | None = described(None, about="a GeoTIFF that is laid over the terrain")
    exaggeration: Annotated[Positive, Field(ge=0.1, le=10)] = described(1.0, about="of heights; 1: true to scale")
    occlusion: bool = described(False, about="darken what the sky's light does not reach: on a graphics card")
    colour: Colour = described("energy", about="what paths are coloured by")

    @model_validator(mode="after")
    def _ordered(self) -> ViewConfig:
        times = [keyframe.time for keyframe in self.cameras]
        if any(b <= a for a, b in itertools.pairwise(times)):
            raise ScenarioError("cameras", N_("expected rising times, got {times}", times))
        if self.viewpoint is not None and self.cameras:
            raise ScenarioError("viewpoint", N_("expected none where cameras say where the camera is"))
        return self


Seconds = Annotated[Number, Field(ge=0, le=60)]  # of a card; a film can be stopped to read longer

Pixels = Annotated[int, Field(strict=True, ge=16, le=8192)]  # 8K, and what every OpenGL can draw


class ExportConfig(Table):
    """``[export]``: how pictures and films are made, beside ``[view]``; ignored by runs. A recipe holds all of it."""

    size: tuple[Pixels, Pixels] = described((1920, 1080), unit="pixels", about="width and height")
    fps: Annotated[Number, Field(ge=1, le=240)] = described(30.0, about="frames a second of a film")
    speed: Positive = described(1.0, about="simulated seconds per second of a film; 0.1 is slow motion")
    length: Positive | None = described(
        None, unit="s", about="of a film, with cards, slow motion and pause; in place of speed", empty="by the speed"
    )
    theme: str = described("dark", about="colours: dark, light")
    plots: Literal["none", "under", "beside"] = described("none", "Plots", about="the charts, in step with the view")
    content: Literal["all", "lines", "bodies"] = described(
        "all",
        "Shows",
        about="all that the view shows; bodies with lines and arrows, without floor and words; or bodies alone",
    )
    captions: bool = described(True, about="headline, clock, and a line for each scheme")
    orbit: Annotated[Number, Field(ge=-360, le=360)] = described(
        0.0, unit="°/s", about="how fast the camera goes around what it looks at, by the time of a film"
    )
    time: NotNegative | None = described(None, unit="s", about="of a picture; the end without it")
    first: NotNegative = described(0.0, unit="s", about="where films and charts begin")
    last: Positive | None = described(None, unit="s", about="where films and charts end; with the run without it")
    charts: tuple[str, ...] = described((), about="titles of the charts, in place of the usual ones")
    logarithmic: bool = described(False, about="charts of errors against the true motion: by powers of ten")
    transparent: bool = described(False, about="pictures without sky")
    quality: Literal["usual", "draft", "fine"] = described(
        "usual", "Quality", about="of edges: draft is not smooth and quick, fine is drawn twice as large and reduced"
    )
    title_card: Seconds = described(0.0, unit="s", about="how long a film shows title, note, authors and schemes first")
    end_card: Seconds = described(0.0, unit="s", about="how long it ends with steps, sources, version and recipe")
    authors: str = described("", "Authors", about="of the title card: names, institute")
    language: Literal["en", "de", "fr", "it"] = described("en", about="of captions, charts, cards and plans")
    results: str | None = described(None, about="a folder of polhode ensemble, whose rocks' paths are drawn")
    map: str | None = described(None, about="of these results, in place of paths: kinetic_energy_q95, ...")
    whose: str | None = described(None, about="the scheme whose results are drawn where lanes share a view")
    scale: Annotated[Number, Field(ge=1, le=10_000_000)] | None = described(
        None, about="of a plan: 5000 for 1:5000; without it the largest usual one at which the terrain fits"
    )
    paper: Literal["a4", "a3"] = described("a4", "Paper", about="of a plan, upright or across")

    @property
    def worded(self) -> bool:
        """True if pictures, pages and models have words."""
        return self.captions and self.content == "all"

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        """Drop a speed of None, by which a change of a scenario takes it back."""
        if isinstance(given, dict) and given.get("speed", 0.0) is None:
            return {key: value for key, value in given.items() if key != "speed"}
        return given

    @model_validator(mode="after")
    def _ordered(self) -> ExportConfig:
        if self.length is not None and "speed" in self.model_fields_set:
            raise ScenarioError("length", N_("expected either length or speed: each decides the other"))
        if self.last is not None and self.last <= self.first:
            raise ScenarioError(
                "last", N_("expected more than first, which is {first:g}, got {last:g}", self.first, self.last)
            )
        return self


class CaptionConfig(Table):
    """One of ``captions``: a text from a time of the motion on."""

    time: NotNegative = described(..., unit="s", about="of the motion from which it is shown")
    text: Annotated[str, Field(max_length=300)] = described(..., about="one or two sentences")

    @field_validator("text")
    @classmethod
    def _written(cls, value: str) -> str:
        if not value.strip():
            raise ValueError(N_("expected a sentence, got an empty text"))
        return value


def _captions_kind(value: Any) -> str:
    return "[list]" if isinstance(value, list | tuple) else "[word]"


# tags have brackets, so that messages leave them out of the field's name
FilmCaptions = Annotated[
    Annotated[Literal["auto", "none"], Tag("[word]")]
    | Annotated[Annotated[tuple[CaptionConfig, ...], Field(min_length=1, max_length=100)], Tag("[list]")],
    Discriminator(_captions_kind),
]


class FilmConfig(Table):
    """``[film]``: how a film explains what it shows; ignored by runs and pictures."""

    captions: FilmCaptions = described(
        "auto", about="the headline: auto (what the scene is, what happens, who was right), none, or texts"
    )
    slow: Annotated[Number, Field(gt=0, le=1)] = described(
        1.0, about="pace around flips and first impacts, of the film's speed; 0.25 is four times slower"
    )
    pause: Seconds = described(0.0, unit="s", about="how long the last picture is held")

    @model_validator(mode="after")
    def _ordered(self) -> FilmConfig:
        times = [] if isinstance(self.captions, str) else [caption.time for caption in self.captions]
        if any(b <= a for a, b in itertools.pairwise(times)):
            raise ScenarioError("captions", N_("expected rising times, got {times}", times))
        return self
