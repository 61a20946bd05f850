"""The tables of a scenario file that say how the rocks of an ensemble differ: where they start, how large they are."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from physics.scenario.common_config import Number, Positive, Table, Vector3

Place = tuple[Number, Number]
Size = Annotated[Positive, Field(ge=1e-15, le=1e15)]  # [m], [m³], [kg]: of no rock, but its cube is a number


class DistributionTable(Table):
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
    def _complete(self) -> DistributionTable:
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


class ReleaseTable(Table):
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
    height: Number = Field(1.0, description="of the centre of mass above the terrain [m]")
    velocity: Vector3 | None = Field(None, description="[m/s] inertial; the initial table's without it")

    @property
    def place(self) -> str | None:
        """The key that says where, None where none is given."""
        return next((key for key in PLACES if getattr(self, key) is not None), None)

    @model_validator(mode="after")
    def _one(self) -> ReleaseTable:
        given = [key for key in PLACES if getattr(self, key) is not None]
        if len(given) > 1:
            raise ValueError(f"{given[1]}: expected one of {', '.join(PLACES)}; {given[0]} is given too")
        return self


PLACES = ("position", "line", "polygon", "file", "slope_above")


class EnsembleTable(Table):
    """``[ensemble]``: how many rocks fall, and what is drawn for each; see physics.systems.rockfall.sampling."""

    rocks: Annotated[int, Field(strict=True, ge=1)] = 1
    seed: Annotated[int, Field(strict=True, ge=0)] = 0
    rock: Annotated[int, Field(strict=True, ge=0)] = Field(0, description="the one that a single run shows")
    volume: DistributionTable | None = Field(None, description="of the rocks [m³]; their shape and density stay")
    mass: DistributionTable | None = Field(None, description="of the rocks [kg]; their shape and density stay")
    extent: DistributionTable | None = Field(None, description="the longest of a rock [m]; shape and density stay")
    shapes: Literal["one", "each"] = Field("one", description="each: every rock has a random shape of its own")

    @property
    def size(self) -> tuple[str, DistributionTable] | None:
        """What is drawn for the size of a rock and its distribution; None where all have the body's own."""
        drawn = {"volume": self.volume, "mass": self.mass, "extent": self.extent}
        return next(((key, table) for key, table in drawn.items() if table is not None), None)

    @model_validator(mode="after")
    def _one(self) -> EnsembleTable:
        given = [key for key in ("volume", "mass", "extent") if getattr(self, key) is not None]
        if len(given) > 1:
            raise ValueError(f"{given[1]}: expected one of volume, mass, extent; {given[0]} is given too")
        return self
