"""Yaw, pitch, roll and nutation of known attitudes."""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.rotation import multiply, nutation, yaw_pitch_roll


def about(axis: int, degrees: float) -> np.ndarray:
    half = np.radians(degrees) / 2
    return np.r_[np.cos(half), np.sin(half) * np.eye(3)[axis]]


@pytest.mark.parametrize(
    ("yaw", "pitch", "roll"), [(0, 0, 0), (16.135, 0, 0), (0, 20, 0), (0, 0, -30), (-120, 35, 170), (75, -89, 5)]
)
def test_yaw_pitch_roll_of_known_attitudes(yaw: float, pitch: float, roll: float) -> None:
    attitude = multiply(multiply(about(2, yaw), about(1, pitch)), about(0, roll))
    for sign in (1.0, -1.0):
        np.testing.assert_allclose(yaw_pitch_roll(sign * attitude), (yaw, pitch, roll), atol=1e-9)


@pytest.mark.parametrize("pitch", [90.0, -90.0])
def test_yaw_takes_all_when_the_bow_points_up_or_down(pitch: float) -> None:
    attitude = multiply(about(2, 40.0), about(1, pitch))
    np.testing.assert_allclose(yaw_pitch_roll(attitude), (40.0, pitch, 0.0), atol=1e-6)


def test_signs_of_roll_and_pitch_are_those_of_the_docstring() -> None:
    bow_down, starboard_down = about(1, 10.0), about(0, 10.0)
    assert yaw_pitch_roll(bow_down)[1] > 0 > float(2 * (bow_down[1] * bow_down[3] - bow_down[0] * bow_down[2]))
    assert yaw_pitch_roll(starboard_down)[2] > 0
    assert nutation(starboard_down) == pytest.approx(10.0)
