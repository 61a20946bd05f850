"""Scenarios of kind ``rockfall``: a rock, or many, on a terrain."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.measured.measured_config import check_lanes
from physics.scenario.body_shapes import ROCKS
from physics.scenario.common_config import NotNegative, Number, PlainName, Positive, Table, Vector3
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.systems.measured import MeasuredScenario
from physics.systems.rockfall.ground_config import ZONES, ForestConfig, SoilConfig, TerrainConfig


class BarrierConfig(Table):
    """``[[barrier]]``: a line at which an ensemble is measured; with a capacity it stops rocks."""

    line: Annotated[tuple[tuple[Number, Number], ...], Field(min_length=2, max_length=1000)] | None = described(
        None, unit="m", about="x, y of its points"
    )
    file: str | None = described(None, about="lines (.geojson; .gpkg, .shp with the extra gis), a barrier each")
    height: Positive | None = described(
        None,
        unit="m",
        about="plumb above the ground; lower rocks count as stopped; of a file's lines without their own",
    )
    capacity: Positive | None = described(
        None,
        unit="kJ",
        about="kinetic energy of a rock that it stops; one of more energy loses as much and breaks it; none: it "
        "only measures; of a file's lines without their own",
    )
    name: PlainName = described("", about="of the barrier, in tables and on maps")

    @model_validator(mode="after")
    def _one(self) -> BarrierConfig:
        if self.line is None and self.file is None:
            raise ScenarioError("line", N_("missing; expected the points of a line, or a file"))
        if self.line is not None and self.file is not None:
            raise ScenarioError("file", N_("expected either line or file"))
        if self.line is not None and self.height is None:
            raise ScenarioError("height", N_("missing"))
        return self


class LineConfig(Table):
    """``[[line]]``: a line of interest, such as a road: what reaches it is measured, and nothing is stopped."""

    points: Annotated[tuple[tuple[Number, Number], ...], Field(min_length=2, max_length=1000)] | None = described(
        None, unit="m", about="x, y of its points"
    )
    file: str | None = described(None, about="lines (.geojson; .gpkg, .shp with the extra gis), each of its own")
    name: PlainName = described("", about="of the line, in tables and on maps")

    @model_validator(mode="after")
    def _one(self) -> LineConfig:
        if self.points is None and self.file is None:
            raise ScenarioError("points", N_("missing; expected the points of a line, or a file"))
        if self.points is not None and self.file is not None:
            raise ScenarioError("file", N_("expected either points or file"))
        return self


MapPlace = tuple[Number, Number]
RockSize = Annotated[Positive, Field(ge=1e-15, le=1e15)]  # [m], [m³], [kg]: of no rock, but its cube is a number


LOGNORMAL = ("distribution", ("lognormal",))


class DistributionConfig(Table):
    """A distribution of a positive quantity, cut at ``min`` and ``max`` (not heaped there).

    lognormal: the logarithm is normal with mean ln(median) and standard deviation sigma.
    uniform: between min and max.
    power: the share of values above v falls as v to the power -exponent, from min to max; volumes in rockfall
    inventories follow such a law (Dussauge et al. 2003, Journal of Geophysical Research 108, B6).
    """

    distribution: Literal["lognormal", "uniform", "power"] = described(..., about="what it is")
    median: RockSize | None = described(
        None, "Median", about="Half of the rocks are below it, before the distribution is cut", only=LOGNORMAL
    )
    sigma: Annotated[Positive, Field(le=5)] | None = described(
        None, "Sigma", about="Standard deviation of the natural logarithm", only=LOGNORMAL
    )
    exponent: Annotated[Positive, Field(le=50)] | None = described(
        None,
        "Exponent",
        about="The share of rocks above v falls as v to the power minus this; for volumes in rockfall inventories "
        "about 0.4 to 0.7 (Dussauge et al. 2003)",
        only=("distribution", ("power",)),
    )
    min: RockSize | None = described(None, "Min", about="None is below it")
    max: RockSize | None = described(None, "Max", about="None is above it; more than min")

    @model_validator(mode="after")
    def _complete(self) -> DistributionConfig:
        needs = {"lognormal": ("median", "sigma"), "uniform": ("min", "max"), "power": ("min", "max", "exponent")}
        for key in needs[self.distribution]:
            if getattr(self, key) is None:
                raise ScenarioError(key, N_("missing; the distribution '{distribution}' expects it", self.distribution))
        low, high = self.min or 0.0, self.max or math.inf
        if not low < high:
            raise ScenarioError("max", N_("expected more than min = {low:g}, got {high:g}", low, high))
        if self.distribution == "lognormal" and not self._share(high) - self._share(low) > 1e-6:
            raise ScenarioError("min", N_("next to nothing of the distribution lies between min and max"))
        return self

    def _share(self, value: float) -> float:
        """The share below a value of the whole lognormal distribution."""
        from scipy.special import ndtr  # here: it takes long to load, and a window waits for it

        assert self.median is not None
        assert self.sigma is not None
        return float(ndtr((math.log(value) - math.log(self.median)) / self.sigma)) if value > 0.0 else 0.0

    def at(self, share: float) -> float:
        """The value below which a share of all values lies, 0 <= share < 1."""
        low, high = self.min or 0.0, self.max or math.inf
        if self.distribution == "uniform":
            return low + share * (high - low)
        if self.distribution == "power":
            assert self.exponent is not None
            above = 1.0 - share * (1.0 - (low / high) ** self.exponent)
            with np.errstate(over="ignore"):
                return float(min(high, low * np.float64(above) ** (-1.0 / self.exponent)))
        from scipy.special import ndtri

        assert self.median is not None
        assert self.sigma is not None
        first, last = self._share(low), self._share(high)
        inner = np.clip(first + share * (last - first), 1e-300, 1.0 - 1e-16)
        return float(np.clip(self.median * math.exp(self.sigma * float(ndtri(inner))), low, high))


class ReleaseConfig(Table):
    """``[release]``: where rocks start; one of position, line, polygon, file, slope_above, or a steep, high cell."""

    position: MapPlace | None = described(
        None, "Position", "m", "On the map", parts=("x", "y"), empty="a steep, high cell"
    )
    line: Annotated[tuple[MapPlace, ...], Field(min_length=2)] | None = described(
        None, "Corners of the line", "m", "x, y; x, y; … Rocks start anywhere on it, evenly by length"
    )
    polygon: Annotated[tuple[MapPlace, ...], Field(min_length=3)] | None = described(
        None, "Corners of the polygon", "m", "x, y; x, y; x, y; … Rocks start anywhere in it, evenly by area of the map"
    )
    file: str | None = described(
        None,
        "Places",
        about="Points in turn, lines or polygons (.geojson), or columns x, y (.csv)",
        files=(*ZONES, ".csv"),
    )
    slope_above: Annotated[Positive, Field(lt=90)] | None = described(
        None, "Cells steeper than", "°", "Rocks start anywhere in such cells"
    )
    height: Number | Literal["clear"] = described(
        1.0, "Height", "m", "Of the centre of mass above the ground", empty="each rock just clear of its own ground"
    )
    velocity: Vector3 | None = described(None, "Velocity", "m/s", "Of the centre of mass at the start, z up")

    @property
    def lift(self) -> float:
        """The height [m]; NaN where it is that at which a rock is clear of the ground."""
        return math.nan if self.height == "clear" else self.height

    @property
    def place(self) -> str | None:
        """The key that says where, None where none is given."""
        return next((key for key in PLACES if getattr(self, key) is not None), None)

    @model_validator(mode="after")
    def _one(self) -> ReleaseConfig:
        given = [key for key in PLACES if getattr(self, key) is not None]
        if len(given) > 1:
            raise ScenarioError(
                given[1], N_("expected one of {places}; {given} is given too", ", ".join(PLACES), given[0])
            )
        return self


PLACES = ("position", "line", "polygon", "file", "slope_above")


class EnsembleConfig(Table):
    """``[ensemble]``: how many rocks fall, and what is drawn for each; see physics.systems.rockfall.sampling."""

    rocks: Annotated[int, Field(strict=True, ge=1)] = described(1, "Rocks", about="How many fall")
    seed: Annotated[int, Field(strict=True, ge=0)] = described(
        0, "Seed", about="Of the random numbers: another whole number gives other orientations, places and sizes"
    )
    rock: Annotated[int, Field(strict=True, ge=0)] = described(
        0, "Rock of the ensemble", about="Which rock falls alone"
    )
    volume: DistributionConfig | None = described(None, "Volume", "m³", "Of the rocks")
    mass: DistributionConfig | None = described(None, "Mass", "kg", "Of the rocks")
    extent: DistributionConfig | None = described(None, "Longest side", "m", "Of the rocks")
    shapes: Literal["one", "each"] = described(
        "one", "Shapes", about="One random shape for all rocks, or another one for each; of the shape Random rock"
    )
    posterior: str | None = described(
        None,
        about="sets of laws, of which each rock takes one (.csv): a column for each field of soil or forest, such "
        "as soil.mu_min, and a row for each set; with the model's error of polhode fit, which polhode validate adds",
    )

    @property
    def size(self) -> tuple[str, DistributionConfig] | None:
        """Random measure of a rock's size and its distribution; None if all have the body's own."""
        drawn = {"volume": self.volume, "mass": self.mass, "extent": self.extent}
        return next(((key, table) for key, table in drawn.items() if table is not None), None)

    @model_validator(mode="after")
    def _one(self) -> EnsembleConfig:
        given = [key for key in ("volume", "mass", "extent") if getattr(self, key) is not None]
        if len(given) > 1:
            raise ScenarioError(given[1], N_("expected one of volume, mass, extent; {given} is given too", given[0]))
        return self


class ScenarioClassConfig(Table):
    """``[[scenario_class]]``: rocks of one size and how often they start; each rock of an ensemble is of one class."""

    volume: RockSize | tuple[RockSize, RockSize] | DistributionConfig = described(
        ...,
        unit="m³",
        about=": one, the ends of a range in which all are as likely, or a distribution; shape, density stay",
    )
    frequency: Positive | None = described(None, unit="1/a", about="starts in a year, in the whole release")
    return_period: Positive | None = described(None, unit="a", about="from start to start, in place of frequency")
    share: Annotated[Positive, Field(le=1)] | None = described(
        None, about="of the ensemble's rocks; in all classes or in none, which makes them equal"
    )
    name: PlainName = described("", about="of the class, in tables and on maps")

    @model_validator(mode="after")
    def _one(self) -> ScenarioClassConfig:
        if self.frequency is None and self.return_period is None:
            raise ScenarioError("frequency", N_("missing; expected starts in a year, or return_period [a]"))
        if self.frequency is not None and self.return_period is not None:
            raise ScenarioError("return_period", N_("expected either frequency or return_period"))
        if isinstance(self.volume, tuple) and not self.volume[0] < self.volume[1]:
            raise ScenarioError("volume", N_("expected a range from less to more, got {volume}", list(self.volume)))
        return self

    @property
    def yearly(self) -> float:
        """Rocks of the class that start in a year [1/a]."""
        return self.frequency or 1.0 / (self.return_period or math.inf)

    def at(self, share: float) -> float:
        """The volume [m³] below which a share of the class lies, 0 <= share < 1."""
        if isinstance(self.volume, DistributionConfig):
            return self.volume.at(share)
        low, high = self.volume if isinstance(self.volume, tuple) else (self.volume, self.volume)
        return low + share * (high - low)


SHARES = {"q90": 0.90, "q95": 0.95, "q99": 0.99}  # quantiles of rocks -> share of them that is below


class HazardConfig(Table):
    """``[hazard]``: what is read off an ensemble of classes, and partial factors of barriers."""

    return_periods: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=10)] = described(
        (30.0, 100.0, 300.0),
        "Return periods",
        "a",
        "Of the maps of intensity",
        parts=("first", "second", "third"),
        empty="",
    )
    intensity: Literal["foen", "oerok"] = described(
        "foen", "Intensity", about="Where its classes meet", empty="Usual: Swiss"
    )
    height: Positive | None = described(
        None, "Count heights above", "m", "Of the centre of mass above the ground", empty="no such map"
    )
    cell: Annotated[Positive, Field(ge=0.5, le=1000)] = described(
        10.0,
        "Maps count rocks per square of",
        "m",
        "Side of the square around the middle of each cell; a rock counts that touches it with its path and half "
        "its width on both sides",
        empty="",
    )
    design: str = described(
        "q95",
        "Barriers are designed for",
        about="q90, q95 or q99: so much of each class's rocks; 100a: what is exceeded once in 100 years, of the return "
        "periods",
        empty="",
    )
    energy_factor: Annotated[Number, Field(ge=1)] = described(
        1.0, "Partial factor on energy", about="On the energy that a barrier is designed for", empty=""
    )
    height_factor: Annotated[Number, Field(ge=1)] = described(
        1.0, "Partial factor on height", about="On the height that a barrier is designed for", empty=""
    )

    @model_validator(mode="after")
    def _known(self) -> HazardConfig:
        known = (*SHARES, *(f"{period:g}a" for period in self.return_periods))
        if self.design not in known:
            raise ScenarioError(
                "design", N_("expected one of {known}, got '{design:.40}'", ", ".join(known), self.design)
            )
        return self

    @property
    def factors(self) -> tuple[float, float]:
        """Partial factors on energies and heights at barriers."""
        return self.energy_factor, self.height_factor


class ObservedConfig(Table):
    """``[observed]``: what was measured; it is drawn and compared with, and changes nothing of a run."""

    stops: str | None = described(
        None,
        "Stops",
        about="Where rocks were measured to stop: columns x, y, and runout or release_x, release_y (.csv)",
        empty="none",
        files=(".csv",),
    )
    tracks: str | None = described(
        None,
        "Tracks",
        about="Paths that were measured: columns track, x, y, perhaps z (.csv)",
        empty="none",
        files=(".csv",),
    )
    screens: str | None = described(
        None,
        "Passages",
        about="Through screens: columns screen, x, y, and velocity or height (.csv)",
        empty="none",
        files=(".csv",),
    )
    zones: str | None = described(
        None,
        "Count stops in",
        about="Polygons in which measured and computed stops are counted",
        empty="none",
        files=ZONES,
    )


class FittedConfig(Table):
    """``[fitted]``: which fields were fitted to which measured runs, by ``polhode fit``; it changes no run."""

    table: str = described("", about="the file of stops, for people")
    digest: str = described("", about="of that file, BLAKE2b")
    values: dict[str, Number] = described(..., about="what was fitted, by field")
    runs: tuple[str, ...] = described(
        ..., about="fingerprints of the runs that were fitted, see ensembles.fit_parameters"
    )
    held_out: tuple[str, ...] = described((), about="fingerprints of those that were not")


class StopConfig(Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = described(
        0.05,
        "Rest below",
        "J/kg",
        "A rock rests when its kinetic energy over its mass stays below this, in contact",
        empty="",
    )
    for_: Positive = described(1.0, "For", "s", "How long", empty="", alias="for")


class RockfallScenario(MeasuredScenario):
    """A scenario of kind ``rockfall``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    later: ClassVar[frozenset[str]] = Scenario.later | {"soil", "forest", "stop"}
    shapes: ClassVar[tuple[str, ...]] = ROCKS
    refused: ClassVar[tuple[str, ...]] = ("offset", "axes", "shell", "inertia_about", "inertia_axes")
    most_corners: ClassVar[int | None] = 500  # of a rock: each is tested against the ground in each step
    varied: ClassVar[frozenset[str]] = frozenset()  # starts are drawn, and ensembles run as lanes do

    kind: Literal["rockfall"]
    terrain: TerrainConfig | None = None
    soil: SoilConfig = SoilConfig()
    forest: ForestConfig = ForestConfig()
    release: ReleaseConfig = ReleaseConfig()
    ensemble: EnsembleConfig = EnsembleConfig()
    scenario_class: Annotated[tuple[ScenarioClassConfig, ...], Field(max_length=16)] = described(
        (),
        "Classes of rocks",
        about="Of one size each, with how often they start: maps of frequency and of intensity by return period, and a "
        "report",
        empty="",
    )
    hazard: HazardConfig = HazardConfig()
    barrier: Annotated[tuple[BarrierConfig, ...], Field(max_length=64)] = described(
        (),
        "Lines at which an ensemble is measured",
        about="Without a capacity they measure only: rocks go on behind them",
        empty="",
    )
    line: Annotated[tuple[LineConfig, ...], Field(max_length=64)] = described(
        (),
        "Roads, railways, rows of houses",
        about="What reaches them, how often and with how much, by class of rocks; nothing is stopped",
        empty="",
    )
    stop: StopConfig = StopConfig()
    observed: ObservedConfig = ObservedConfig()
    fitted: FittedConfig | None = None

    def check_kind(self) -> None:
        """Check that there is a terrain, one start, and one body or a random one for each rock."""
        check_lanes(self.measured)
        if any(table.identified for table in self.measured):
            raise ScenarioError("measured.identified", N_("applies to free bodies only"))
        if self.terrain is None:
            raise ScenarioError("terrain", N_("missing; expected a table with file or profile"))
        if self.initial.position is not None and self.release.place is not None:
            raise ScenarioError(
                f"release.{self.release.place}", N_("expected one start; initial.position is given too")
            )
        if self.initial.gives("velocity") and self.release.velocity is not None:
            raise ScenarioError("release.velocity", N_("expected one velocity; initial.velocity is given too"))
        self.refuse_initial("nutation", "precession", "spin")
        if self.body.blocks is not None and self.ensemble.size is not None:
            text = N_("expected none beside body.blocks, where masses and lengths stand")
            raise ScenarioError(f"ensemble.{self.ensemble.size[0]}", text)
        self._check_classes()
        if self.body.form == "disk" and self.body.thickness == 0.0:
            raise ScenarioError("body.thickness", N_("expected more than 0 m of a disk that falls"))
        if self.ensemble.shapes == "each" and self.body.form != "random" and self.body.blocks is None:
            raise ScenarioError(
                "ensemble.shapes", N_("'each' expects the shape 'random', got '{form}'", self.body.form)
            )
        if self.ensemble.shapes == "each" and self.body.inertia is not None:
            raise ScenarioError(
                "body.inertia", N_("expected none where each rock has a shape, and moments, of its own")
            )

    def _check_classes(self) -> None:
        """Classes are the only source of sizes, and their shares are those of all rocks."""
        shares = [one.share for one in self.scenario_class]
        if not shares:
            for key in ("return_periods", "intensity", "height"):
                if self.hazard.gives(key):
                    raise ScenarioError(
                        f"hazard.{key}", N_("needs [[scenario_class]], which says how often rocks start")
                    )
            if self.hazard.design not in SHARES:
                raise ScenarioError("hazard.design", N_("needs [[scenario_class]], which says how often rocks start"))
            return
        if self.body.blocks is not None or self.ensemble.size is not None:
            field = "body.blocks" if self.ensemble.size is None else f"ensemble.{self.ensemble.size[0]}"
            raise ScenarioError(field, N_("expected none beside scenario_class, where volumes stand"))
        if None in shares and shares.count(None) < len(shares):
            raise ScenarioError(f"scenario_class.{shares.index(None)}.share", N_("missing; expected in all or none"))
        if None not in shares and not abs((whole := sum(filter(None, shares))) - 1.0) < 0.01:
            raise ScenarioError("scenario_class.0.share", N_("expected shares that add up to 1, got {whole:g}", whole))

    @property
    def shares(self) -> Array:
        """The upper ends (n,) of the parts of 0 to 1 that the classes take of the rocks; the last is 1."""
        ends = np.cumsum([one.share or 1.0 for one in self.scenario_class])
        return np.asarray(ends / ends[-1])

    @property
    def alike(self) -> bool:
        """True if no size or shape is drawn: all rocks of an ensemble have that of the body, or of their block."""
        drawn = self.ensemble.size is not None or self.ensemble.shapes == "each"
        return not (drawn or self.scenario_class)

    @property
    def seed(self) -> int:
        """Seed of what is drawn for the rocks of its ensemble."""
        return self.ensemble.seed

    @property
    def ground(self) -> Table | None:
        """The terrain."""
        return self.terrain


def of_rocks(scenario: Scenario) -> RockfallScenario:
    """The same scenario where it is one of rockfall; else ScenarioError."""
    if not isinstance(scenario, RockfallScenario):
        raise ScenarioError("kind", N_("expected 'rockfall', got '{kind}'", scenario.kind))
    return scenario
