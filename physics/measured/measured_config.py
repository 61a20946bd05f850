"""The table of a scenario file that names a file of measured motion, and says what its columns are."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, from_matrix
from physics.core.wording import N_
from physics.scenario.common_config import Number, Positive, Table, Vector3, check_unit
from physics.scenario.described import described

MOST = 7  # recordings and fits, beside a scheme: a view shows eight lanes
MOST_RATE = 1e6  # [rad/s], beyond any sensor
Ratio = Annotated[Number, Field(ge=1e-6, le=1.0)]
Rate = Annotated[Number, Field(gt=-MOST_RATE, lt=MOST_RATE)]
Share = Annotated[Number, Field(ge=0.0, le=100.0)]
ColumnName = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Columns = tuple[ColumnName, ColumnName, ColumnName]
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
RATE_UNITS = {"rad/s": 1.0, "deg/s": math.pi / 180.0}
ACCELERATION_UNITS = {"m/s²": 1.0, "g": 9.80665}
LENGTH_UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}


class IdentifiedConfig(Table):
    """``[measured.identified]``: the free motion that was fitted to the samples of a free body, a lane beside them.

    It is that of the data, whatever body the scenario has: a free motion tells no more than ratios of moments, and of
    the drag of the air no more than its ratios to them.
    """

    begin: Number = described(..., unit="s", about="the time of the file at which its flight begins")
    end: Number = described(..., unit="s", about="the time of the file at which it ends")
    ratios: tuple[Ratio, Ratio, Ratio] = described(..., about="of the principal moments, along the body's axes")
    angular_velocity: tuple[Rate, Rate, Rate] = described(
        ..., unit="rad/s", about="at its begin, about the body's axes"
    )
    orientation: tuple[Number, Number, Number, Number] | None = described(
        None, about="at its begin, body to space; without it that of the recording"
    )
    drag: tuple[Share, Share, Share] = described(
        (0.0, 0.0, 0.0), about="of the air over the moments: the rate ω about each axis falls by drag |ω| ω"
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.begin < self.end:
            raise ScenarioError("end", N_("expected more than begin, {begin:g} s, got {end:g}", self.begin, self.end))
        if self.orientation is not None:
            check_unit("orientation", self.orientation)
        return self


class MeasuredConfig(Table):
    """``[[measured]]``: what a sensor has recorded, and how its columns are read.

    Columns and units that are not given are guessed by the headings, see physics.measured.columns.
    """

    file: Annotated[str, Field(strict=True, min_length=1)] = described(
        ..., about="table of text (.csv, .txt, .tsv), .npz, .parquet, or conf0 of a run of Rockable"
    )
    particle: Annotated[int, Field(strict=True, ge=0)] | ColumnName | None = described(
        None, about="of a run of Rockable, its number from 0 on or its name; without it the first that moves"
    )
    name: Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$")] | None = described(
        None, about="of its lane, measured:NAME; without it the lane is called measured"
    )
    time: ColumnName | None = described(None, about="the column of times")
    time_unit: Literal["s", "ms", "us", "ns"] | None = described(None, about="of the times", empty="by the heading")
    sampling_rate: Positive | None = described(None, unit="Hz", about="of a file without times", only=("time", (None,)))
    angular_velocity: Columns | None = described(None, about="columns of the rates about the sensor's x, y, z")
    rate_unit: Literal["rad/s", "deg/s"] | None = described(None, about="of the rates", empty="by the heading")
    rate_frame: Literal["body", "space"] = described("body", about="the axes of the rates")
    orientation: tuple[ColumnName, ColumnName, ColumnName, ColumnName] | None = described(
        None, about="columns of a quaternion"
    )
    position: Columns | None = described(
        None, about="columns of the place of the centre of mass in space, in m, or in cm or mm where headings say so"
    )
    scalar: Literal["first", "last"] = described("first", about="which of these four columns is the scalar")
    attitude: Literal["body-to-space", "space-to-body"] = described("body-to-space", about="what the quaternion turns")
    acceleration: Columns | None = described(None, about="columns of what the accelerometer shows: 0 in free flight")
    acceleration_unit: Literal["m/s²", "g"] | None = described(
        None, about="of the acceleration", empty="by the heading"
    )
    magnetic_field: Columns | None = described(None, about="columns of the magnetometer, in any unit")
    fusion: bool = described(False, about="whether the attitude comes of rates, acceleration and magnetic field")
    axes: Columns | tuple[Number, Number, Number, Number] | None = described(
        None, about="the body's x, y, z as axes of the sensor: ['y', '-x', 'z']; or a quaternion, sensor to body"
    )
    begin: Number | None = described(None, unit="s", about="the time of the file that is shown first")
    end: Number | None = described(None, unit="s", about="the time of the file that is shown last")
    at: Number = described(0.0, unit="s", about="the time of the scenario at which it is shown")
    bias: Vector3 = described((0.0, 0.0, 0.0), unit="rad/s", about="of the gyroscope, in its axes, which is taken off")
    range: Positive | None = described(None, unit="rad/s", about="the largest rate that the gyroscope can measure")
    identified: IdentifiedConfig | None = described(
        None, about="the free motion that was fitted to it, a lane of its own: identified, or identified:NAME"
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.begin is not None and self.end is not None and self.end <= self.begin:
            raise ScenarioError("end", N_("expected more than begin, {begin:g} s, got {end:g}", self.begin, self.end))
        self.turn()
        return self

    @property
    def lane(self) -> str:
        """The name of the lane that shows it."""
        return self._lane("measured")

    @property
    def lanes(self) -> tuple[str, ...]:
        """The names of the lanes that show it, and the motion fitted to it."""
        return (self.lane,) if self.identified is None else (self.lane, self._lane("identified"))

    def _lane(self, of: str) -> str:
        return of if self.name is None else f"{of}:{self.name}"

    def turn(self) -> Array | None:
        """The rotation (4,) from the sensor's axes to the body's; None: they are the same. ValueError for none."""
        if self.axes is None:
            return None
        if len(self.axes) == 4:
            norm = math.hypot(*self.axes)
            if not abs(norm - 1.0) < 1e-3:
                raise ScenarioError("axes", N_("expected a unit quaternion, got one of length {norm:g}", norm))
            return np.array(self.axes) / norm
        rows = [_axis(word) for word in self.axes]
        volume = round(float(np.linalg.det(rows)))
        if volume != 1:
            found = N_("is a mirror image") if volume == -1 else N_("names an axis twice")
            raise ScenarioError(
                "axes", N_("{found}; expected three axes, each with a sign, such as ['y', '-x', 'z']", found)
            )
        return from_matrix(rows)


def _axis(word: str) -> list[float]:
    """The direction of an axis of the sensor, such as -x."""
    sign, letter = (-1.0, word[1:]) if word[:1] == "-" else (1.0, word.removeprefix("+"))
    if letter not in ("x", "y", "z"):
        raise ScenarioError("axes", N_("expected x, y or z with a sign, got '{word:.20}'", word))
    return [sign * (letter == one) for one in "xyz"]


def check_lanes(tables: tuple[MeasuredConfig, ...]) -> None:
    """ScenarioError where two lanes of what was measured would have one name, or none is left for a scheme."""
    names = [table.lane for table in tables]
    if (count := sum(len(table.lanes) for table in tables)) > MOST:
        text = N_("expected at most {most} recordings and motions fitted to them together, got {count}", MOST, count)
        raise ScenarioError("measured", text)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ScenarioError("measured.name", N_("expected another name for each file, got {twice} twice", twice))
