"""Samples of a sensor while it measures: a phone with phyphox, or lines that arrive by UDP or a WebSocket."""

from __future__ import annotations

import json
import logging
import math
import re
import socket
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, quote, urlsplit

import numpy as np

from physics.core.errors import PhysicsError, ScenarioError
from physics.core.input_checks import as_float
from physics.core.rotation import Array
from physics.core.text_tables import marks_of
from physics.core.wording import N_
from physics.measured.measured_config import MOST_RATE, TIME_UNITS
from physics.measured.units import time_unit

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

PATIENCE = 3.0  # [s] for an answer of the phone
BEFORE = 5.0  # [s] of an experiment that runs already that are read
LATE = 1.0  # [s] after which samples no longer wait for those of the accelerometer
MOST_KNOWN = 20_000  # of these that wait for samples
LARGEST_ANSWER = 20_000_000  # bytes
LOOK = 0.1  # [s] in which datagrams are waited for
SILENT = 20  # reads in a row without a datagram after which another sender is heard
DATAGRAMS, LARGEST_DATAGRAM = 2000, 65_535  # or messages, in a read; bytes
FIRST = 20  # lines from which the unit of times is known
BACK = 1.0  # [s] by which times run back where a sender has begun anew
UNREADABLE = (1002, 1007, 1009)  # what this end says of messages: against the protocol, no UTF-8, too long
UNREAD = 50  # texts in a row that tell nothing, after which that is said
_QUIET = logging.Logger("unheard", logging.CRITICAL + 1)  # what goes wrong is said in a sentence
HTTP, UDP, WEB_SOCKET = "http", "udp", "ws"
GYROSCOPE, ACCELEROMETER = "gyroscope", "accelerometer"


class Burst(NamedTuple):
    """Samples that came together.

    time : (n,) [s], rising; rates : (n, 3) [rad/s]; acceleration : (n, 3) [m/s²], None where there is none
    anew : whether times have begun anew with these samples
    """

    time: Array
    rates: Array
    acceleration: Array | None
    anew: bool = False


class Lost(PhysicsError):
    """A sensor that was read before does not answer; it may come back."""


class Missed(PhysicsError):
    """Samples are left out, as more have come since the last call than are read at once; reading goes on."""


class LiveSensor(Protocol):
    """Sensor that is read while it measures.

    stopped : whether it answers, and its measurement is stopped
    """

    address: str
    stopped: bool

    def open(self) -> None:
        """Find the sensor; ScenarioError, naming the address, where none is there."""

    def read(self) -> Burst:
        """Samples since the last call; Lost if it does not answer, ScenarioError if they are none of a gyroscope.

        Missed where they are too many.
        """

    def close(self) -> None:
        """Let go of what is open."""


def sensor_at(address: str) -> LiveSensor:
    """The sensor at http://HOST:PORT, of phyphox, or lines: those sent by ws://HOST:PORT, or to udp://HOST:PORT.

    ScenarioError for another address. Without a scheme it is that of a phone; without a host lines are heard on this
    machine alone.
    """
    text = address.strip()
    try:
        parts = urlsplit(text if "://" in text else f"{HTTP}://{text}")
        host, port = parts.hostname or "", parts.port
        host.encode("idna")  # as looking it up will
    except ValueError:  # of a port that is no number, or a host that is no name
        parts, host, port = urlsplit(""), "", None
    blank = re.search(r"[\x00-\x20\x7f\s]", host)
    if parts.scheme == HTTP and host and not blank and port != 0:
        return Phyphox(host, 80 if port is None else port)
    if parts.scheme == UDP and port is not None and not blank:
        return UdpLines(host or "127.0.0.1", port)
    plain = not re.search(r"[\x00-\x20\x7f\s#]", text) and parts.username is None
    if parts.scheme == WEB_SOCKET and host and not blank and port != 0 and plain:
        return WebSocketLines(text)
    raise ScenarioError(
        "", N_("expected http://HOST:PORT, ws://HOST:PORT/PATH or udp://HOST:PORT, got '{text:.60}'", text)
    )


class Phyphox:
    """Remote access of phyphox, https://phyphox.org/wiki/index.php/Remote-interface_communication.

    Numbers come with eight digits; those of a buffer are those where the buffer of times is beyond a threshold.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.address = f"{HTTP}://{_bracketed(host)}:{port}"
        self.stopped = False
        self._groups: list[tuple[str, ...]] = []  # buffers of x, y, z and times: of rates, and of the acceleration
        self._session, self._doubted = "", False
        self._forget()

    def _forget(self) -> None:
        self._waiting = np.empty((0, 4))  # rows of time and rates, for those of the accelerometer
        self._known = np.empty((0, 4))  # rows of time and acceleration, about the waiting ones
        self._last: list[float] = []  # times of the groups; none before the first samples
        self._anew = True

    def open(self) -> None:
        """Read what the experiment measures, and start it; errors as ``LiveSensor``."""
        try:
            self._configure()
            status = self._status(self._asked(f"/get?{quote(self._groups[0][-1])}"))
            self._session = str(status.get("session"))
            if not status.get("measuring"):
                self._asked("/control?cmd=start")
        except Lost as error:
            shown = N_("the address that phyphox shows with 'Allow remote access', in the same network")
            raise ScenarioError("", N_("{error}; expected {shown}", error, shown)) from None

    def _configure(self) -> None:
        found = self._asked("/config")
        inputs, title = found.get("inputs"), found.get("localTitle") or found.get("title") or ""
        if not isinstance(inputs, list):
            raise self._other()
        rates, acceleration = _buffers(inputs, GYROSCOPE), _buffers(inputs, ACCELEROMETER)
        if not rates:
            text = N_("the experiment '{title:.60}' measures no gyroscope; open one that does on the phone", str(title))
            raise ScenarioError("", text, self.address)
        self._groups = [rates, acceleration] if acceleration else [rates]
        self._forget()

    def read(self) -> Burst:
        """Samples since the last call; of the first one those of the last BEFORE seconds."""
        try:
            found = self._read()
        except ScenarioError:
            if self._doubted:
                raise
            self._doubted = True  # another experiment may have been opened, whose buffers have other names
            self._configure()
            return nothing(len(self._groups) > 1)
        self._doubted = False
        return found

    def _read(self) -> Burst:
        last = self._last or [self._newest() - BEFORE] * len(self._groups)  # it may have run for hours
        wanted = [
            f"{quote(name)}={since!r}%7C{quote(group[-1])}"
            for group, since in zip(self._groups, last, strict=True)
            for name in group
        ]
        answer = self._asked(f"/get?{'&'.join(wanted)}")
        status = self._status(answer)
        self.stopped = not status.get("measuring")
        if (session := str(status.get("session"))) != self._session:  # another experiment, or phyphox begun again
            self._configure()
            self._session = session
            return nothing(len(self._groups) > 1)
        rows = [self._rows(answer, group) for group in self._groups]
        if not len(rows[0]) and self._newest() < last[0]:  # the experiment was cleared
            self._forget()
            return nothing(len(self._groups) > 1)
        if any(len(some) and some[-1, 0] < since for some, since in zip(rows, last, strict=True)):
            self._forget()  # the same: then all that there is comes
            last = [-BEFORE] * len(rows)  # times of an experiment begin at 0; an infinity cannot be asked for
        return self._taken([some[some[:, 0] > since] for some, since in zip(rows, last, strict=True)], last)

    def _taken(self, rows: list[Array], last: list[float]) -> Burst:
        """Samples that are complete; the acceleration at the times of the rates, which are others."""
        self._last = [float(some[-1, 0]) if len(some) else since for some, since in zip(rows, last, strict=True)]
        waiting, acceleration = np.concatenate([self._waiting, rows[0]]), None
        count = len(waiting)
        if len(rows) > 1:
            known = np.concatenate([self._known, rows[1]])
            until = max(known[-1, 0] if len(known) else -math.inf, self._last[0] - LATE)
            count = int(np.searchsorted(waiting[:, 0], until, side="right"))
            time, acceleration = waiting[:count, 0], np.zeros((count, 3))
            if len(known) and count:
                acceleration = np.column_stack([np.interp(time, known[:, 0], known[:, i]) for i in (1, 2, 3)])
                known = known[max(0, int(np.searchsorted(known[:, 0], time[-1])) - 1) :]
            self._known = known[-MOST_KNOWN:]
        self._waiting = waiting[count:]
        anew, self._anew = self._anew and count > 0, self._anew and not count
        return Burst(waiting[:count, 0], waiting[:count, 1:], acceleration, anew)

    def _newest(self) -> float:
        """The last time [s] of the rates; 0 before the first sample."""
        name = self._groups[0][-1]
        values = self._values(self._asked(f"/get?{quote(name)}"), name)
        return float(values[-1]) if len(values) and math.isfinite(values[-1]) else 0.0

    def _rows(self, answer: dict[str, Any], group: tuple[str, ...]) -> Array:
        """Times and three values (n, 4) of a group of buffers; rows that are not whole, or run back, are left out."""
        columns = [self._values(answer, name) for name in group]
        count = min(map(len, columns))
        rows = np.column_stack([columns[-1][:count], *(one[:count] for one in columns[:3])])
        rows = rows[np.isfinite(rows).all(axis=1) & (np.abs(rows) < MOST_RATE).all(axis=1)]
        return rising(rows)

    def _values(self, answer: dict[str, Any], name: str) -> Array:
        buffers = answer.get("buffer")
        found = buffers.get(name) if isinstance(buffers, dict) else None
        values = found.get("buffer") if isinstance(found, dict) else None
        if not isinstance(values, list):
            raise self._other()
        return np.array([as_float(one) for one in values], float)

    def _status(self, answer: dict[str, Any]) -> dict[str, Any]:
        status = answer.get("status")
        if not isinstance(status, dict):
            raise self._other()
        return status

    def _asked(self, path: str) -> dict[str, Any]:
        """The answer to a request; Lost where there is none, ScenarioError where it is not one of phyphox.

        Missed where it is too long, after which reading goes on from the last BEFORE seconds.
        """
        from http.client import HTTPConnection, HTTPException  # here: other commands need no network

        try:
            with closing(HTTPConnection(self._host, self._port, timeout=PATIENCE)) as connection:
                connection.request("GET", path, headers={"Connection": "close"})  # the phone keeps none open
                response = connection.getresponse()
                text, status = response.read(LARGEST_ANSWER + 1), response.status
        except (OSError, HTTPException, ValueError) as error:  # ValueError: of a host that is no name
            if isinstance(error, HTTPException) and not self._session:
                raise self._other() from None
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Lost(N_("no answer from {address}: {why}", self.address, why)) from None
        if len(text) > LARGEST_ANSWER:
            if not self._last:
                raise self._other()
            self._forget()
            raise Missed(N_("Samples are missing: more were measured since the last answer than are read at once"))
        try:
            found = json.loads(text) if status == 200 else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._other()
        return found

    def _other(self) -> ScenarioError:
        return ScenarioError("", N_("answers, but not as the remote access of phyphox does"), self.address)

    def close(self) -> None:
        """Do nothing: each request has a connection of its own."""


def _buffers(inputs: list[Any], source: str) -> tuple[str, ...]:
    """The buffers of x, y, z and times of a sensor; () where the experiment has not all of them."""
    for one in inputs:
        if isinstance(one, dict) and str(one.get("source")).lower() == source:
            parts = one.get("outputs")
            known: dict[str, Any] = {}
            for part in parts if isinstance(parts, list) else []:
                known |= part if isinstance(part, dict) else {}
            found = tuple(str(known[letter]) for letter in "xyzt" if letter in known)
            if len(found) == 4:
                return found
    return ()


class LineReader:
    """Reader of texts with lines ``t, wx, wy, wz``, or with ``ax, ay, az`` behind, in s, rad/s and m/s².

    Times may be in ms, μs or ns: their steps tell it. Other columns behind are left out. A line may also be a message
    of SensorServer or of Sensor Logger in JSON, of which the gyroscope counts.

    unread : texts that say nothing, since the last one that does; told : the last one of them
    """

    def __init__(self) -> None:
        self.unread, self.told = 0, ""
        self.begin()

    def begin(self) -> None:
        """Begin anew, as with another sender."""
        self._rows: list[list[float]] = []  # before the unit is known
        self._unit, self._first, self._last, self._anew = 0.0, 0.0, -math.inf, True
        self._width = 0  # numbers in a line
        self._others: list[list[float]] = []  # of another width, since the last one of this

    def samples(self, texts: list[str]) -> Burst:
        """Samples of texts that have come."""
        rows: list[list[float]] = []
        for text in texts:
            found = [row for line in text.splitlines() for row in _rows(line)]
            self.unread = 0 if found else self.unread + 1
            self.told = self.told if found else text
            for row in found:
                self._width = self._width or len(row)
                if len(row) == self._width:
                    rows.append(row)
                    self._others = []
                else:
                    self._others.append(row)
        if len(self._others) >= FIRST:  # it sends other columns now
            others = self._others
            self.begin()
            self._width = len(others[-1])
            rows = [row for row in others if len(row) == self._width]
        if self._last > -math.inf and rows and rows[0][0] * self._unit - self._first < self._last - BACK:
            self.begin()
            self._width = len(rows[0])
        self._rows += rows
        if not self._unit:
            if len(self._rows) < FIRST:
                return nothing(self._width > 4)
            times = np.array([row[0] for row in self._rows])
            self._unit = TIME_UNITS[time_unit(times)]
            self._first = float(times[0]) * self._unit
        found_rows = np.array(self._rows).reshape(-1, max(self._width, 4))
        self._rows = []
        found_rows[:, 0] = found_rows[:, 0] * self._unit - self._first
        found_rows = rising(found_rows)
        found_rows = found_rows[found_rows[:, 0] > self._last]
        if not len(found_rows):
            return nothing(self._width > 4)
        anew, self._anew, self._last = self._anew, False, float(found_rows[-1, 0])
        acceleration = found_rows[:, 4:7] if self._width > 4 else None
        return Burst(found_rows[:, 0], found_rows[:, 1:4], acceleration, anew)


class UdpLines:
    """Lines that come to a port by UDP, see ``LineReader``. One sender is heard."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.address = f"{UDP}://{_bracketed(host)}:{port}"
        self.stopped = False
        self._socket: socket.socket | None = None
        self._sender: object = None
        self._silent = 0
        self._lines = LineReader()

    def open(self) -> None:
        """Listen on the chosen interface; ScenarioError where that cannot be done."""
        try:
            family, kind, _, _, place = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(family, kind)
            self._socket.bind(place)
        except (OSError, UnicodeError) as error:  # UnicodeError: of a host that is no name
            self.close()
            why = getattr(error, "strerror", None) or str(error)
            raise ScenarioError("", N_("cannot be listened on: {why}", why), self.address) from None
        self._port = int(self._socket.getsockname()[1])
        self.address = f"{UDP}://{_bracketed(self._host)}:{self._port}"

    def read(self) -> Burst:
        """Samples of the datagrams that have come, for which it waits for LOOK; Missed where they tell nothing."""
        found = self._lines.samples(self._datagrams())
        if self._lines.unread >= UNREAD and not len(found.time):
            self._lines.unread = 0
            raise Missed(_other_lines(self._lines.told))
        return found

    def _datagrams(self) -> list[str]:
        """The texts that have come from one sender."""
        assert self._socket is not None, "it is open"
        found: list[str] = []
        self._socket.settimeout(LOOK)
        with suppress(TimeoutError, BlockingIOError, ConnectionError):
            for _ in range(DATAGRAMS):  # of all senders, or another one could hold it for ever
                text, sender = self._socket.recvfrom(LARGEST_DATAGRAM)
                self._socket.settimeout(0.0)
                if self._sender is None or self._silent > SILENT:
                    self._sender = sender
                    self._lines.begin()
                if sender == self._sender:
                    self._silent = 0
                    found.append(text.decode("ascii", "replace"))
        self._silent += not found
        return found

    def close(self) -> None:
        """Close the port."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class WebSocketLines:
    """Lines, or messages of an app, that a server sends by a WebSocket (RFC 6455), see ``LineReader``."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.stopped = False
        self._connection: ClientConnection | None = None
        self._open = ExitStack()
        self._lines = LineReader()
        self._known = self._heard = False  # whether it was connected before, and has told samples

    def open(self) -> None:
        """Connect; errors as ``LiveSensor``."""
        kinds = dict(parse_qsl(urlsplit(self.address).query)).get("type")
        if kinds is not None and GYROSCOPE not in kinds:
            raise ScenarioError("", N_("asks for '{kinds:.60}'; expected a gyroscope", kinds), self.address)
        try:
            self._connect()
        except Lost as error:
            shown = N_("the address that the app on the phone shows, in the same network")
            raise ScenarioError("", N_("{error}; expected {shown}", error, shown)) from None

    def _connect(self) -> None:
        from websockets.exceptions import InvalidStatus, WebSocketException  # here: as http.client
        from websockets.sync.client import connect

        parts = urlsplit(self.address)
        try:
            # one of its own, so that a redirect to another address is not followed
            opened = socket.create_connection((parts.hostname or "", parts.port or 80), PATIENCE)
            opened.settimeout(None)
            self._connection = self._open.enter_context(
                connect(
                    self.address,
                    sock=opened,
                    open_timeout=PATIENCE,
                    close_timeout=LOOK,
                    ping_interval=PATIENCE,
                    ping_timeout=PATIENCE,
                    max_size=LARGEST_ANSWER,
                    max_queue=DATAGRAMS,
                    logger=_QUIET,
                    proxy=None,  # a phone is in the same network
                )
            )
        except (
            OSError,
            ValueError,
            WebSocketException,
        ) as error:  # ValueError: of no name, a redirect
            refused = next((one for one in (error, error.__cause__) if isinstance(one, WebSocketException)), None)
            if refused is not None and not self._known:
                status = f" ({refused.response.status_code})" if isinstance(refused, InvalidStatus) else ""
                text = N_("answers, but with no WebSocket at this path{status}", status)
                raise ScenarioError("", text, self.address) from None
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Lost(N_("no answer from {address}: {why}", self.address, why)) from None
        self._known = True

    def read(self) -> Burst:
        """Samples of the messages that have come, for which it waits for LOOK; it connects again where it must."""
        if self._connection is None:
            self._connect()
        found = self._lines.samples(self._messages())
        self._heard = self._heard or len(found.time) > 0
        if self._lines.unread >= UNREAD and not len(found.time):
            self._lines.unread, text = 0, _other_lines(self._lines.told)
            raise Missed(text) if self._heard else ScenarioError("", text, self.address)
        return found

    def _messages(self) -> list[str]:
        from websockets.exceptions import ConnectionClosed

        assert self._connection is not None, "it is open"
        found: list[str] = []
        try:
            with suppress(TimeoutError):
                for _ in range(DATAGRAMS):
                    message = self._connection.recv(0.0 if found else LOOK)
                    found.append(message if isinstance(message, str) else message.decode("ascii", "replace"))
        except ConnectionClosed as error:
            if found:  # it is told by the next call, which finds the connection closed
                return found
            self.close()
            if error.sent is not None and not error.rcvd_then_sent and error.sent.code in UNREADABLE:
                text = N_("sends a message that cannot be read ({why})", error.sent.reason or str(error.sent.code))
                raise ScenarioError("", text, self.address) from None
            why = error.rcvd.reason if error.rcvd is not None else ""
            raise Lost(
                N_("{address} has closed the connection{why}", self.address, f": {why}" if why else "")
            ) from None
        return found

    def close(self) -> None:
        """Close the connection."""
        self._connection = None
        self._open.close()


def _other_lines(text: str) -> str:
    """Sentence on texts that tell nothing."""
    return N_("expected lines t, wx, wy, wz of a gyroscope, got '{text:.60}'", text.strip())


def _rows(line: str) -> list[list[float]]:
    """Times with three or six values of a line of numbers, or of a message in JSON; none where it tells nothing."""
    if not line.lstrip().startswith("{"):
        row = _numbers(line)
        return [] if row is None else [row]
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return []
    payload = message.get("payload") if isinstance(message, dict) else None  # of Sensor Logger
    found = []
    for one in payload if isinstance(payload, list) else [message]:
        row = _numbers(_line_of(one)) if isinstance(one, dict) else None
        found += [] if row is None else [row]
    return found


def _line_of(message: dict[str, Any]) -> str:
    """Line of a sample of a gyroscope: of SensorServer, or of Sensor Logger; "" of another sensor."""
    kind = str(message.get("type") or message.get("name") or GYROSCOPE).lower()
    values = message.get("values")
    if isinstance(values, dict):
        values = [values.get(letter) for letter in "xyz"]
    if kind.rpartition(".")[2] != GYROSCOPE or not isinstance(values, list):
        return ""
    return " ".join(map(str, [message.get("timestamp") or message.get("time"), *values[:3]]))


def _numbers(line: str) -> list[float] | None:
    """The time and three or six values of a line; None where they are none, as in headings."""
    line = line.strip().rstrip(",; ")  # some end with a separator
    marks = marks_of([line])
    words = re.split(r"[;\s]+" if marks.decimal_comma else r"[,;\s]+", line)
    try:
        found = [marks.number(word) for word in words[:7]]
    except ValueError:
        return None
    if len(found) < 4 or not all(map(math.isfinite, found)) or max(map(abs, found[1:])) >= MOST_RATE:
        return None
    return found if len(found) == 7 else found[:4]


def rising(rows: Array) -> Array:
    """Rows (n, k) whose time, the first column, is beyond those of all rows before."""
    before = np.maximum.accumulate(np.concatenate([[-math.inf], rows[:, 0]]))[:-1]
    return np.asarray(rows[rows[:, 0] > before])


def _bracketed(host: str) -> str:
    """A host as in an address."""
    return f"[{host}]" if ":" in host else host


def nothing(accelerated: bool) -> Burst:
    """No samples, with an accelerometer or without."""
    return Burst(np.empty(0), np.empty((0, 3)), np.empty((0, 3)) if accelerated else None)
