"""The planes that codecs take: colours of BT.709, and what changed alone converted anew."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from app.system.ffmpeg import PlanarPicture, ffmpeg

SIZE = 64, 36  # width, height


def split(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Brightness (36, 64), and how blue and how red (18, 32) a picture is."""
    luma, blue, red = np.split(planes, [64 * 36, 64 * 36 + 32 * 18])
    return luma.reshape(36, 64), blue.reshape(18, 32), red.reshape(18, 32)


# Rec. ITU-R BT.709-6, colours of 100 % at 8 bits; Y', C'B and C'R
@pytest.mark.parametrize(
    ("colour", "told"),
    [
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
        ((255, 0, 0), (63, 102, 240)),
        ((0, 255, 0), (173, 42, 26)),
        ((0, 0, 255), (32, 240, 118)),
    ],
)
def test_colours_are_those_of_the_standard(colour: tuple[int, int, int], told: tuple[int, int, int]) -> None:
    picture = np.full((36, 64, 3), colour, np.uint8)
    for plane, value in zip(split(PlanarPicture(SIZE).planes(picture)), told, strict=True):
        assert (plane == value).all()


def test_they_are_those_of_ffmpeg() -> None:
    quarters = np.random.default_rng(1).integers(0, 256, (18, 32, 3), np.uint8)
    picture = quarters.repeat(2, axis=0).repeat(2, axis=1)
    scale = "scale=out_color_matrix=bt709:out_range=tv:flags=neighbor+accurate_rnd,format=yuv420p"
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x36", "-i", "-", "-vf", scale, "-f", "rawvideo", "-"]
    made = subprocess.run([*ffmpeg(), *raw], input=picture.tobytes(), capture_output=True, check=True).stdout
    apart = np.frombuffer(made, np.uint8).astype(int) - PlanarPicture(SIZE).planes(picture)
    assert np.abs(apart).max() <= 1


@pytest.mark.parametrize("rows", [(0, 1), (7, 9), (35, 36), (10, 10), (0, 36)])
def test_what_changed_alone_is_converted_to_what_the_whole_would_be(rows: tuple[int, int]) -> None:
    noise = np.random.default_rng(2)
    first = noise.integers(0, 256, (36, 64, 3), np.uint8)
    second = first.copy()
    second[slice(*rows), 5:60] = 255 - second[slice(*rows), 5:60]
    second[20, 3, 1] ^= 1  # one colour of one pixel
    one = PlanarPicture(SIZE)
    before = one.planes(first)
    kept = before.copy()
    np.testing.assert_array_equal(one.planes(second), PlanarPicture(SIZE).planes(second))
    np.testing.assert_array_equal(before, kept)  # it is the caller's own
