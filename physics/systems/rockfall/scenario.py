"""Scenarios of kind ``rockfall``: a rock, or many, on a terrain."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.measured.measured_config import check_lanes
from physics.scenario.common_config import SOLIDS, NotNegative, Number, PlainName, Positive, Table, Vector3
from physics.scenario.scenario import Scenario
from physics.systems.measured import MeasuredScenario
from physics.systems.rockfall.ground_config import ForestConfig, SoilConfig, TerrainConfig


class BarrierConfig(Table):
    """``[[barrier]]``: a line at which an ensemble is measured; with a capacity it stops rocks."""

    line: Annotated[tuple[tuple[Number, Number], ...], Field(min_length=2, max_length=1000)] | None = Field(
        None, description="x, y of its points [m]"
    )
    file: str | None = Field(None, description="lines (.geojson; .gpkg, .shp with the extra gis), a barrier each")
    height: Positive | None = Field(
        None,
        description="[m] plumb above the ground; lower rocks count as stopped; of a file's lines without their own",
    )
    capacity: Positive | None = Field(
        None,
        description="kinetic energy of a rock that it stops [kJ]; a faster one loses as much and breaks it; none: it "
        "only measures; of a file's lines without their own",
    )
    name: PlainName = ""

    @model_validator(mode="after")
    def _one(self) -> BarrierConfig:
        if self.line is None and self.file is None:
            raise ValueError("line: missing; expected the points of a line, or a file")
        if self.line is not None and self.file is not None:
            raise ValueError("file: expected either line or file")
        if self.line is not None and self.height is None:
            raise ValueError("height: missing")
        return self


class LineConfig(Table):
    """``[[line]]``: a line of interest, such as a road: what reaches it is measured, and nothing is stopped."""

    points: Annotated[tuple[tuple[Number, Number], ...], Field(min_length=2, max_length=1000)] | None = Field(
        None, description="x, y of its points [m]"
    )
    file: str | None = Field(None, description="lines (.geojson; .gpkg, .shp with the extra gis), each of its own")
    name: PlainName = ""

    @model_validator(mode="after")
    def _one(self) -> LineConfig:
        if self.points is None and self.file is None:
            raise ValueError("points: missing; expected the points of a line, or a file")
        if self.points is not None and self.file is not None:
            raise ValueError("file: expected either points or file")
        return self


Place = tuple[Number, Number]
Size = Annotated[Positive, Field(ge=1e-15, le=1e15)]  # [m], [m³], [kg]: of no rock, but its cube is a number


class DistributionConfig(Table):
    """A distribution of a positive quantity, cut at ``min`` and ``max`` (not heaped there).

    lognormal: the logarithm is normal with mean ln(median) and standard deviation sigma.
    uniform: between min and max.
    power: the share of values above v falls as v to the power -exponent, from min to max; volumes in rockfall
    inventories follow such a law (Dussauge et al. 2003, Journal of Geophysical Research 108, B6).
    """

    distribution: Literal["lognormal", "uniform", "power"]
    median: Size | None = Field(None, description="of a lognormal distribution, before it is cut")
    sigma: Annotated[Positive, Field(le=5)] | None = Field(None, description="of a lognormal distribution [1]")
    exponent: Annotated[Positive, Field(le=50)] | None = Field(None, description="of a power law [1]")
    min: Size | None = None
    max: Size | None = None

    @model_validator(mode="after")
    def _complete(self) -> DistributionConfig:
        needs = {"lognormal": ("median", "sigma"), "uniform": ("min", "max"), "power": ("min", "max", "exponent")}
        for key in needs[self.distribution]:
            if getattr(self, key) is None:
                raise ValueError(f"{key}: missing; the distribution '{self.distribution}' expects it")
        for key in ("median", "sigma", "exponent"):
            if getattr(self, key) is not None and key not in needs[self.distribution]:
                raise ValueError(f"{key}: not a key of the distribution '{self.distribution}'")
        low, high = self.min or 0.0, self.max or math.inf
        if not low < high:
            raise ValueError(f"max: expected more than min = {low:g}, got {high:g}")
        if self.distribution == "lognormal" and not self._share(high) - self._share(low) > 1e-6:
            raise ValueError("min: next to nothing of the distribution lies between min and max")
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

    position: Place | None = Field(None, description="x, y [m]")
    line: Annotated[tuple[Place, ...], Field(min_length=2)] | None = Field(
        None, description="corners x, y [m]; rocks start anywhere on it, evenly by length"
    )
    polygon: Annotated[tuple[Place, ...], Field(min_length=3)] | None = Field(
        None, description="corners x, y [m]; rocks start anywhere in it, evenly by area of the map"
    )
    file: str | None = Field(None, description="points in turn, lines or polygons (.geojson), or columns x, y (.csv)")
    slope_above: Annotated[Positive, Field(lt=90)] | None = Field(
        None, description="rocks start anywhere in cells steeper than this [deg]"
    )
    height: Number | Literal["clear"] = Field(
        1.0, description="of the centre of mass above the terrain [m]; clear: each rock just above its own ground"
    )
    velocity: Vector3 | None = Field(None, description="[m/s] inertial; the initial table's without it")

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
            raise ValueError(f"{given[1]}: expected one of {', '.join(PLACES)}; {given[0]} is given too")
        return self


PLACES = ("position", "line", "polygon", "file", "slope_above")


class EnsembleConfig(Table):
    """``[ensemble]``: how many rocks fall, and what is drawn for each; see physics.systems.rockfall.sampling."""

    rocks: Annotated[int, Field(strict=True, ge=1)] = 1
    seed: Annotated[int, Field(strict=True, ge=0)] = 0
    rock: Annotated[int, Field(strict=True, ge=0)] = Field(0, description="the one that a single run shows")
    volume: DistributionConfig | None = Field(None, description="of the rocks [m³]; their shape and density stay")
    mass: DistributionConfig | None = Field(None, description="of the rocks [kg]; their shape and density stay")
    extent: DistributionConfig | None = Field(None, description="the longest of a rock [m]; shape and density stay")
    shapes: Literal["one", "each"] = Field("one", description="each: every rock has a random shape of its own")
    posterior: str | None = Field(
        None,
        description="sets of laws, of which each rock takes one (.csv): a column for each field of soil or forest, "
        "such as soil.mu_min, and a row for each set",
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
            raise ValueError(f"{given[1]}: expected one of volume, mass, extent; {given[0]} is given too")
        return self


class ScenarioClassConfig(Table):
    """``[[scenario_class]]``: rocks of one size and how often they start; each rock of an ensemble is of one class."""

    volume: Size | tuple[Size, Size] | DistributionConfig = Field(
        description="[m³]: one, the ends of a range in which all are as likely, or a distribution; shape, density stay"
    )
    frequency: Positive | None = Field(None, description="starts in a year [1/a], in the whole release")
    return_period: Positive | None = Field(None, description="[a] from start to start, in place of frequency")
    share: Annotated[Positive, Field(le=1)] | None = Field(
        None, description="of the ensemble's rocks; in all classes or in none, which makes them equal"
    )
    name: PlainName = ""

    @model_validator(mode="after")
    def _one(self) -> ScenarioClassConfig:
        if self.frequency is None and self.return_period is None:
            raise ValueError("frequency: missing; expected starts in a year, or return_period [a]")
        if self.frequency is not None and self.return_period is not None:
            raise ValueError("return_period: expected either frequency or return_period")
        if isinstance(self.volume, tuple) and not self.volume[0] < self.volume[1]:
            raise ValueError(f"volume: expected a range from less to more, got {list(self.volume)}")
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


QUANTILES = ("q90", "q95", "q99")  # of a class's rocks


class HazardConfig(Table):
    """``[hazard]``: what is read off an ensemble of classes, and partial factors of barriers."""

    return_periods: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=10)] = Field(
        (30.0, 100.0, 300.0), description="[a] of the maps of intensity"
    )
    intensity: Literal["foen", "oerok"] = Field(
        "foen", description="classes: foen, Swiss, meet at 30 and 300 kJ; oerok, Austrian, weak to 100 kJ, then strong"
    )
    height: Positive | None = Field(None, description="[m] of the centre of mass whose exceedance is mapped")
    cell: Annotated[Positive, Field(ge=0.5, le=1000)] = Field(
        10.0, description="side [m] of the square around each cell's middle in which the maps count rocks"
    )
    design: str = Field(
        "q95",
        description="what a barrier is designed for: q90, q95 or q99 of a class's rocks, or what is exceeded once in a "
        "return period, such as 100a",
    )
    energy_factor: Annotated[Number, Field(ge=1)] = Field(1.0, description="partial factor on the design energy")
    height_factor: Annotated[Number, Field(ge=1)] = Field(1.0, description="partial factor on the design height")

    @model_validator(mode="after")
    def _known(self) -> HazardConfig:
        known = (*QUANTILES, *(f"{period:g}a" for period in self.return_periods))
        if self.design not in known:
            raise ValueError(f"design: expected one of {', '.join(known)}, got '{self.design:.40}'")
        return self

    @property
    def factors(self) -> tuple[float, float]:
        """Partial factors on energies and heights at barriers."""
        return self.energy_factor, self.height_factor


class ObservedConfig(Table):
    """``[observed]``: what was measured; it is drawn and compared with, and changes nothing of a run."""

    stops: str | None = Field(None, description="where rocks stopped (.csv): x, y; runout, or release_x and release_y")
    tracks: str | None = Field(None, description="the paths of rocks (.csv), point after point: track, x, y; z")
    screens: str | None = Field(None, description="passages of lines (.csv): screen, x, y; velocity, height")
    zones: str | None = Field(None, description="polygons in which stops are counted (.geojson; .gpkg, .shp with gis)")


class FittedConfig(Table):
    """``[fitted]``: which fields were fitted to which measured runs, by ``polhode fit``; it changes no run."""

    table: str = Field("", description="the file of stops, for people")
    digest: str = Field("", description="of that file, BLAKE2b")
    values: dict[str, Number] = Field(description="what was fitted, by field")
    runs: tuple[str, ...] = Field(description="fingerprints of the runs that were fitted, see ensembles.fit_parameters")
    held_out: tuple[str, ...] = Field((), description="fingerprints of those that were not")


class StopConfig(Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(0.05, description="[J/kg]")
    for_: Positive = Field(1.0, alias="for", description="[s]")


class RockfallScenario(MeasuredScenario):
    """A scenario of kind ``rockfall``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    later: ClassVar[frozenset[str]] = Scenario.later | {"soil", "forest", "stop"}
    shapes: ClassVar[tuple[str, ...]] = (*SOLIDS, "sphere", "disk")
    refused: ClassVar[tuple[str, ...]] = ("offset", "axes", "shell", "inertia_about", "inertia_axes")
    most_corners: ClassVar[int | None] = 500  # of a rock: each is tested against the ground in each step
    varied: ClassVar[frozenset[str]] = frozenset()  # starts are drawn, and ensembles run as lanes do

    kind: Literal["rockfall"]
    terrain: TerrainConfig | None = None
    soil: SoilConfig = SoilConfig()
    forest: ForestConfig = ForestConfig()
    release: ReleaseConfig = ReleaseConfig()
    ensemble: EnsembleConfig = EnsembleConfig()
    scenario_class: Annotated[tuple[ScenarioClassConfig, ...], Field(max_length=16)] = ()
    hazard: HazardConfig = HazardConfig()
    barrier: Annotated[tuple[BarrierConfig, ...], Field(max_length=64)] = ()
    line: Annotated[tuple[LineConfig, ...], Field(max_length=64)] = ()
    stop: StopConfig = StopConfig()
    observed: ObservedConfig = ObservedConfig()
    fitted: FittedConfig | None = None

    def check_kind(self) -> None:
        """There is a terrain, one start, and one body or a random one for each rock."""
        check_lanes(self.measured)
        if self.terrain is None:
            raise ScenarioError("terrain", "missing; expected a table with file or profile")
        if self.initial.position is not None and self.release.place is not None:
            raise ScenarioError(f"release.{self.release.place}", "expected one start; initial.position is given too")
        if self.initial.gives("velocity") and self.release.velocity is not None:
            raise ScenarioError("release.velocity", "expected one velocity; initial.velocity is given too")
        self.refuse_initial("nutation", "precession", "spin")
        if self.body.blocks is not None and self.ensemble.size is not None:
            text = "expected none beside body.blocks, where masses and lengths stand"
            raise ScenarioError(f"ensemble.{self.ensemble.size[0]}", text)
        self._check_classes()
        if self.body.form == "disk" and self.body.thickness == 0.0:
            raise ScenarioError("body.thickness", "expected more than 0 m of a disk that falls")
        if self.ensemble.shapes == "each" and self.body.form != "random" and self.body.blocks is None:
            raise ScenarioError("ensemble.shapes", f"'each' expects the shape 'random', got '{self.body.form}'")
        if self.ensemble.shapes == "each" and self.body.inertia is not None:
            raise ScenarioError("body.inertia", "expected none where each rock has a shape, and moments, of its own")

    def _check_classes(self) -> None:
        """Classes are the only source of sizes, and their shares are those of all rocks."""
        shares = [one.share for one in self.scenario_class]
        if not shares:
            for key in ("return_periods", "intensity", "height"):
                if self.hazard.gives(key):
                    raise ScenarioError(f"hazard.{key}", "needs [[scenario_class]], which says how often rocks start")
            if self.hazard.design not in QUANTILES:
                raise ScenarioError("hazard.design", "needs [[scenario_class]], which says how often rocks start")
            return
        if self.body.blocks is not None or self.ensemble.size is not None:
            field = "body.blocks" if self.ensemble.size is None else f"ensemble.{self.ensemble.size[0]}"
            raise ScenarioError(field, "expected none beside scenario_class, where volumes stand")
        if None in shares and shares.count(None) < len(shares):
            raise ScenarioError(f"scenario_class.{shares.index(None)}.share", "missing; expected in all or none")
        if None not in shares and not abs((whole := sum(filter(None, shares))) - 1.0) < 0.01:
            raise ScenarioError("scenario_class.0.share", f"expected shares that add up to 1, got {whole:g}")

    @property
    def shares(self) -> Array:
        """The upper ends (n,) of the parts of 0 to 1 that the classes take of the rocks; the last is 1."""
        ends = np.cumsum([one.share or 1.0 for one in self.scenario_class])
        return np.asarray(ends / ends[-1])

    @property
    def alike(self) -> bool:
        """True if all rocks of an ensemble have one size and shape."""
        drawn = self.ensemble.size is not None or self.ensemble.shapes == "each"
        return not (drawn or self.scenario_class)

    @property
    def seed(self) -> int:
        """Of what is drawn for the rocks of its ensemble."""
        return self.ensemble.seed

    @property
    def ground(self) -> Table | None:
        """The terrain."""
        return self.terrain


def of_rocks(scenario: Scenario) -> RockfallScenario:
    """The same scenario where it is one of rockfall; else ScenarioError."""
    if not isinstance(scenario, RockfallScenario):
        raise ScenarioError("kind", f"expected 'rockfall', got '{scenario.kind}'")
    return scenario
