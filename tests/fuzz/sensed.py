"""The reader of measured motion that is fuzzed: the lane that a file of a sensor becomes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from physics import Scenario
from physics.measured.motion import free_flights
from physics.simulation.schedule import stream
from physics.systems.free.rotating_world import FreeWorld

_TIME = np.arange(24) * 0.01
_RATES = np.column_stack([np.cos(9.0 * _TIME), np.sin(7.0 * _TIME), 3.0 + 0.0 * _TIME])


def _table(head: str, separator: str, *columns: np.ndarray) -> bytes:
    rows = [separator.join(f"{v:.4f}" for v in row) for row in np.column_stack(columns).tolist()]
    return "\n".join([head, *rows]).encode()


def texts() -> list[bytes]:
    """Good files of text."""
    phone = _table('"Time (s)";"Gyroscope x (rad/s)";"Gyroscope y (rad/s)";"Gyroscope z (rad/s)"', ";", _TIME, _RATES)
    heads = "t_ms\tgx\tgy\tgz\tax\tay\taz"
    logger = _table(heads, "\t", 1000.0 * _TIME, 50.0 * _RATES, 0.1 * _RATES)
    quaternions = np.column_stack([np.cos(_TIME), np.sin(_TIME), 0.0 * _TIME, 0.0 * _TIME])
    return [phone.replace(b".", b","), logger, _table("t qw qx qy qz", " ", _TIME, quaternions)]


def archives() -> list[bytes]:
    """A good .npz."""
    file = io.BytesIO()
    np.savez(file, time=_TIME, gyro=_RATES)
    return [file.getvalue()]


def lane(path: Path) -> Iterator[np.ndarray]:
    """The states of the lane that a file becomes beside a cuboid."""
    cuboid = {"size": (3.0, 2.0, 1.0), "mass": 1.0}
    measured = ({"file": path.name},)
    scenario = Scenario(kind="free", duration=0.2, step=0.1, body=cuboid, measured=measured, folder=str(path.parent))
    world = FreeWorld.of(scenario)
    ((name, motion),) = world.measured.items()
    yield np.array(free_flights(motion))
    for block in stream(world, name, 8):
        yield from (block.time, block.orientation, block.angular_velocity)
