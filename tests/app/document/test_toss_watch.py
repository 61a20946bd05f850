"""The watch of a sensor: logs of all that has landed stay, and its end is always told."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.document.live import ENDED, READING, Status, Toss, TossWatch
from physics import ScenarioError
from physics.measured.live import Missed
from tests.phone import Phone, reachable, tosses


def events(watch: TossWatch):
    """What comes of a watch."""
    while (event := watch.next(600.0)) is not None:
        yield event


def test_the_logs_of_tosses_that_have_landed_stay_however_soon_it_ends(tmp_path):
    time, rates = tosses(5)
    with reachable(Phone(time, rates)) as phone:
        phone.advances = [0.1, 20.0, 0.0]  # an outage, after which all comes at once
        watch = TossWatch(phone.address, tmp_path)
        watch.start()
        assert next(event for event in events(watch) if isinstance(event, Toss)).number == 1
        watch.end(600.0)
    logs = sorted(path.name for path in tmp_path.iterdir())
    assert logs == [f"toss-{number:03}.csv" for number in range(1, 6)]


class Broken:
    """A sensor with a fault of its own, after samples were missing once."""

    address, stopped, reads = "udp://nowhere", False, 0

    def open(self) -> None:
        """Do nothing."""

    def read(self):
        """Stumble."""
        self.reads += 1
        raise Missed("Samples are missing") if self.reads == 1 else ZeroDivisionError("fault")

    def close(self) -> None:
        """Do nothing."""


def test_a_fault_while_it_reads_is_told_and_ends_it(tmp_path):
    watch = TossWatch("udp://:0", tmp_path)
    watch.sensor = Broken()
    watch.start()
    told = []
    for event in events(watch):
        told.append(event)
        if event.state == ENDED:
            break
    watch.end(600.0)
    assert Status(READING, "Samples are missing") in told
    assert str(told[-1].error) == told[-1].text == "reading the sensor failed: ZeroDivisionError: fault"


def test_a_folder_that_cannot_be_is_told():
    with pytest.raises(ScenarioError, match="cannot be made"):
        TossWatch("udp://:0", Path("a\0b"))
