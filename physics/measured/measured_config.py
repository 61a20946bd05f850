"""The table of a scenario file that names a file of measured motion, and says what its columns are."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, from_matrix
from physics.core.wording import N_
from physics.scenario.common_config import Number, Positive, Table, Vector3
from physics.scenario.described import described

ColumnName = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Columns = tuple[ColumnName, ColumnName, ColumnName]
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
RATE_UNITS = {"rad/s": 1.0, "deg/s": math.pi / 180.0}
ACCELERATION_UNITS = {"m/s²": 1.0, "g": 9.80665}


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
    position: Columns | None = described(None, unit="m", about="columns of the place of the centre of mass in space")
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

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.begin is not None and self.end is not None and self.end <= self.begin:
            raise ScenarioError("end", N_("expected more than begin, {begin:g} s, got {end:g}", self.begin, self.end))
        self.turn()
        return self

    @property
    def lane(self) -> str:
        """The name of the lane that shows it."""
        return "measured" if self.name is None else f"measured:{self.name}"

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
    """ScenarioError where two lanes of what was measured would have one name."""
    names = [table.lane for table in tables]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ScenarioError("measured.name", N_("expected another name for each file, got {twice} twice", twice))
