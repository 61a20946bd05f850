"""Phones that replay on 127.0.0.1: by phyphox's remote interface, whose clock a test moves; and by a WebSocket."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from physics.core.rotation import Array
from physics.schemes.free_motion import free_motion, motion_in_air

MOMENTS = np.array([0.345, 0.72, 1.0])
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
REST, WOUND, FLIGHT, SLOWED = 1.0, 0.4, 0.7, 1.3  # [s]
GYROSCOPE = {"source": "gyroscope", "outputs": [{"x": "gyrX"}, {"y": "gyrY"}, {"z": "gyrZ"}, {"t": "gyr_time"}]}
ACCELEROMETER = {"source": "accelerometer", "outputs": [{"x": "accX"}, {"y": "accY"}, {"z": "accZ"}, {"t": "acc_time"}]}


def tosses(count: int, drag: float = 0.0, seed: int = 0) -> tuple[Array, Array]:
    """Times (n,) [s] and rates (n, 3) [rad/s] at 100 Hz: rest, a wind-up, a flight and a landing, several times."""
    whole = []
    for number in range(count):
        generator = np.random.default_rng(seed + number)
        time = np.arange(0.0, REST + WOUND + FLIGHT + SLOWED, 0.01)
        flown_for = np.clip(time - REST - WOUND, 0.0, FLIGHT)
        start = np.array([2.0, 11.0, 4.0]) * (1.0 + 0.2 * generator.normal(size=3))
        if drag:
            _, flown = motion_in_air(MOMENTS, np.full(3, drag), IDENTITY, start, flown_for, 20.0)
        else:
            _, flown = free_motion(MOMENTS, IDENTITY, start, flown_for)
        wound = np.clip((time - REST) / WOUND, 0.0, 1.0)
        landed = np.clip((time - REST - WOUND - FLIGHT) / 0.3, 0.0, 1.0)
        hand = (wound**2 * (3.0 - 2.0 * wound))[:, None] * flown
        hand += (np.sin(np.pi * wound) ** 2 * (wound < 1.0))[:, None] * np.cross([0.0, 0.3, 1.0], start)
        knocks = (np.exp(-6.0 * landed) * np.cos(20.0 * landed) * (1.0 - landed))[:, None] * flown
        rates = np.where(landed[:, None] > 0.0, knocks, hand)
        whole.append(rates + 0.02 * generator.normal(size=rates.shape))
    rates = np.concatenate(whole)
    return np.arange(len(rates)) * 0.01, rates


class Phone:
    """Phone with an experiment that replays a recording up to ``now``.

    advances : seconds by which each request for samples moves the clock on, the last one for ever
    away : whether it closes connections without an answer; measuring, session, title, inputs : of its answers
    """

    def __init__(self, time: Array, rates: Array, acceleration: tuple[Array, Array] | None = None) -> None:
        self.columns = dict(zip(("gyr_time", "gyrX", "gyrY", "gyrZ"), (time, *rates.T), strict=True))
        self.inputs = [GYROSCOPE]
        if acceleration is not None:
            self.columns |= dict(
                zip(("acc_time", "accX", "accY", "accZ"), (acceleration[0], *acceleration[1].T), strict=True)
            )
            self.inputs = [GYROSCOPE, ACCELEROMETER]
        self.now, self.advances, self.shift = 0.0, [0.0], 0.0
        self.away, self.measuring, self.session, self.title = False, False, "first", "Gyroscope"
        self.address = ""
        self.asked: list[str] = []

    def clear(self) -> None:
        """Forget what was measured: times begin at 0 again, with what the recording has from here on."""
        self.shift, self.now = self.shift + self.now, 0.0

    def answer(self, path: str) -> dict[str, object] | None:
        """The answer to a request; None: the connection is closed."""
        self.asked.append(path)
        parts = urlsplit(path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        if parts.path == "/get" and any(query.values()):
            self.now += self.advances.pop(0) if len(self.advances) > 1 else self.advances[0]
        if self.away:
            return None
        if parts.path == "/config":
            return {"title": self.title, "localTitle": self.title, "inputs": self.inputs, "buffers": []}
        if parts.path == "/control":
            self.measuring = query["cmd"] == "start"
            return {"result": True}
        if parts.path == "/get" and not query:
            return {"error": "an iPhone answers so where no buffer is named"}
        buffers = {name: self._buffer(name, value) for name, value in query.items() if name in self.columns}
        return {"buffer": buffers, "status": {"session": self.session, "measuring": self.measuring}}

    def _buffer(self, name: str, value: str) -> dict[str, object]:
        reference = value.partition("|")[2] or name
        clock = next(one for one in self.columns if one.endswith("time") and one[:3] == reference[:3])
        time = self.columns[clock] - self.shift
        here = (time >= -1e-9) & (time <= self.now)
        values = self.columns[name][here] - (self.shift if name.endswith("time") else 0.0)
        if not value:
            return {"updateMode": "single", "buffer": [_eight(values[-1]) if len(values) else None]}
        threshold = float(value.partition("|")[0])
        if threshold:
            threshold += 10.0 ** math.floor(math.log10(abs(threshold) / 1e7))
        return {"updateMode": "partial", "buffer": [_eight(one) for one in values[time[here] > threshold]]}


def _eight(value: float) -> float:
    """A number with eight digits, as phyphox writes it."""
    return float(f"{value:.7e}")


@contextmanager
def reachable(phone: Phone, port: int = 0) -> Iterator[Phone]:
    """Context in which a phone answers at its address, a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = phone.answer(self.path)
            if found is None:
                self.close_connection = True
                return
            text = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        phone.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield phone
        finally:
            server.shutdown()
            thread.join()


def sensor_server(time: Array, rates: Array) -> list[str]:
    """Messages of the app SensorServer (github.com/umer0586/SensorServer), whose times are ns since the phone began."""
    rows = zip((1e9 * (time + 3925.0)).astype(int).tolist(), rates.tolist(), strict=True)
    return [json.dumps({"accuracy": 3, "timestamp": stamp, "values": values}) for stamp, values in rows]


def sensor_logger(time: Array, rates: Array) -> list[str]:
    """Messages of the app Sensor Logger (its PUSHING.md), a fifth of a second each, beside another sensor's."""
    parts = []
    for t, w in zip(time.tolist(), rates.tolist(), strict=True):
        stamp = 1698501144000000000 + round(1e9 * t)
        parts.append({"name": "gyroscope", "time": stamp, "values": dict(zip("xyz", w, strict=True))})
        parts.append({"name": "accelerometer", "time": stamp, "values": {"x": 0.0, "y": 0.0, "z": 9.8}})
    return [
        json.dumps({"messageId": first, "sessionId": "one", "deviceId": "phone", "payload": parts[first : first + 40]})
        for first in range(0, len(parts), 40)
    ]


@contextmanager
def sending(send: Callable[[ServerConnection], None], most: int | None = None) -> Iterator[str]:
    """Context with the address of a WebSocket server, which gives each connection to a function and then closes it.

    most : connections after which it is out of service
    """
    served: list[ServerConnection] = []

    def gate(connection: ServerConnection, request: Request) -> Response | None:
        served.append(connection)
        return connection.respond(503, "out of service") if most is not None and len(served) > most else None

    def told(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):  # who listened is gone
            send(connection)

    with serve(told, "127.0.0.1", 0, close_timeout=0.1, process_request=gate) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            thread.join()
