"""Tosses of a sensor that is read while it measures: each is found as it lands, saved as a log and fitted."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np

from app.kinds.measured_body import body_in, flight, tossed, unknown, what_happened
from app.system.errors import in_words
from app.system.language import tr, translated
from physics import PhysicsError, Scenario, ScenarioError
from physics.analysis.identification import Identification, free_flight
from physics.bodies.body import IDENTITY
from physics.core import cancellation
from physics.core.wording import N_
from physics.io.trajectory_writers import check_folder, replacing
from physics.measured.live import Burst, LiveSensor, Lost, Missed, sensor_at
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import MeasuredMotion, free_flights, measured_motion
from physics.measured.tosses import SLOWED, TossFinder, log_text, next_log
from physics.schemes.free_motion import free_motion, motion_in_air

PERIOD = 0.1  # [s] between two readings
PAUSE = 0.5  # [s] before a sensor that does not answer is tried again
WAITING, READING, STOPPED, LOST, ENDED = "waiting", "reading", "stopped", "lost", "ended"


@dataclass(frozen=True)
class Status:
    """State of the stream: one of WAITING, READING, STOPPED, LOST, ENDED, and in words.

    error : that ended it
    """

    state: str
    text: str
    error: PhysicsError | ScenarioError | None = None


@dataclass(frozen=True)
class Toss:
    """A toss that has landed.

    number : of its log; file : its log; found : the body of its flight, whose times are those of the log, that is of
    the sensor's clock; None where the flight does not tell one; sentence : what happened, or why there is no body
    scenario : that its log opens as
    """

    number: int
    file: Path
    found: Identification | None
    sentence: str
    scenario: Scenario

    @property
    def words(self) -> str:
        """Number and sentence, for people."""
        return f"{tr('Toss {number}').format(number=self.number)}: {translated(self.sentence)}."


class TossWatch:
    """Watch of a sensor: a thread reads it and saves what has landed, another one fits it.

    address : as ``sensor_at`` takes it; folder : of the logs, made if it is missing; ScenarioError where either cannot
    be. events : statuses and tosses, in their order
    """

    def __init__(self, address: str, folder: Path, period: float = PERIOD) -> None:
        self.sensor: LiveSensor = sensor_at(address)
        self._folder, self._period = folder, period
        self._make_folder()
        self.events: SimpleQueue[Status | Toss] = SimpleQueue()
        self._finder, self._landed = TossFinder(), SimpleQueue[tuple[int, Path] | None]()
        self._ending, self._state = threading.Event(), ""
        self._threads = [
            threading.Thread(target=work, name=f"live {name}", daemon=True)
            for name, work in (("reading", self._read), ("fitting", self._fit))
        ]

    def _make_folder(self) -> None:
        try:
            self._folder.mkdir(exist_ok=True)
        except (OSError, ValueError) as error:  # ValueError: of a name that no file has
            why = getattr(error, "strerror", None) or error
            raise ScenarioError("", N_("cannot be made: {error}", why), self._folder) from None
        check_folder(self._folder / "toss.csv")

    @property
    def kept(self) -> Burst:
        """The last seconds of the stream."""
        return self._finder.kept

    def start(self) -> None:
        """Begin to read."""
        for thread in self._threads:
            thread.start()

    def next(self, seconds: float) -> Status | Toss | None:
        """The next event; None if none comes within some seconds."""
        with suppress(Empty):
            return self.events.get(timeout=seconds)
        return None

    def end(self, seconds: float) -> None:
        """Stop reading, and wait some seconds at most for the threads; logs that are not fitted yet stay."""
        until = time.monotonic() + seconds
        self._ending.set()
        self._landed.put(None)
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    # ---- reading ----------------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            self.sensor.open()
            self._say(WAITING, N_("Waiting for samples from {address}", self.sensor.address))
            while not self._ending.wait(self._period):
                try:
                    self._hear(self.sensor.read())
                except (Lost, OSError) as error:
                    self._say(LOST, N_("The sensor is lost, and looked for: {error}", error))
                    self._ending.wait(PAUSE)
                except Missed as error:
                    self._state = READING  # nothing more is said of it, so that this stands
                    self.events.put(Status(READING, str(error)))
        except Exception as error:  # noqa: BLE001 - reported in a sentence
            fault = in_words(error, N_("reading the sensor failed"))
            self.events.put(Status(ENDED, str(fault), fault))
        finally:
            self.sensor.close()

    def _hear(self, burst: Burst) -> None:
        if self.sensor.stopped:
            self._say(STOPPED, N_("The measurement is stopped on the phone; start it there again"))
        elif len(burst.time):
            self._say(READING, N_("Reading {address}", self.sensor.address))
        elif self._state in (STOPPED, LOST):
            self._say(WAITING, N_("Waiting for samples from {address}", self.sensor.address))
        for stretch in self._finder.feed(burst):
            try:
                self._landed.put(self._saved(stretch))
            except (PhysicsError, OSError) as error:  # such as a full disk
                self.events.put(Status(self._state, str(error)))

    def _saved(self, stretch: Burst) -> tuple[int, Path]:
        """Save a stretch as a log; its number, and the file."""
        number, file = next_log(self._folder)
        try:
            with replacing(file) as part:
                part.write_text(log_text(stretch), encoding="utf-8")
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        return number, file

    def _say(self, state: str, text: str) -> None:
        if state != self._state or state == WAITING:
            self._state = state
            self.events.put(Status(state, text))

    # ---- fitting ----------------------------------------------------------------------------------------

    def _fit(self) -> None:
        start, times = np.array([1.0, 9.0, 2.0]), np.array([0.0, 0.01, 0.02])
        free_motion(start, IDENTITY, start, times)  # compiled before the first toss lands
        motion_in_air(start, start, IDENTITY, start, times, 10.0)
        while (landed := self._landed.get()) is not None and not self._ending.is_set():
            try:
                with cancellation.until(self._ending.is_set), suppress(cancellation.GivenUp):
                    if (toss := _toss(*landed)) is not None:
                        self.events.put(toss)
            except Exception as error:  # noqa: BLE001 - reported in a sentence; the next toss is fitted
                self.events.put(Status(self._state, str(in_words(error, N_("fitting a toss failed")))))


def _toss(number: int, file: Path) -> Toss | None:
    """The toss in the log of a stretch; None, and the log is removed, where nothing flew freely."""
    motion = measured_motion(MeasuredConfig(file=str(file.absolute())), file.parent)
    span = _flown(motion)
    if span is None:
        file.unlink(missing_ok=True)
        return None
    try:
        motion, found = body_in(motion, file.parent, lambda _: span)
    except PhysicsError as error:
        return Toss(number, file, None, str(error), unknown(motion, str(error)))
    scenario, zero = tossed(motion, found), (motion.table.begin or 0.0) - motion.table.at
    found = replace(found, begin=found.begin + zero, end=found.end + zero)
    return Toss(number, file, found, what_happened(found) or found.doubt, scenario)


def _flown(motion: MeasuredMotion) -> tuple[float, float] | None:
    """Begin and end [s] of the flight in the log of a stretch; None where nothing flew.

    It is not looked for in the slow beginning, in which a hand winds up: many motions would be tried there.
    """
    if free_flights(motion):
        return flight(motion)
    speeds = np.linalg.norm(motion.angular_velocity, axis=1)
    first = int(np.argmax(speeds > SLOWED * np.percentile(speeds, 90.0)))
    return free_flight(motion.taken(slice(first, None)))
