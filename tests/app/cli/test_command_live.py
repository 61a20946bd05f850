"""``polhode live`` prints and saves each toss as it lands, through a phone that is lost, cleared or stopped."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from contextlib import closing

import numpy as np
import pytest

import assets
from tests.app.commanding import complaint, polhode
from tests.phone import ACCELEROMETER, MOMENTS, Phone, reachable, tosses


@pytest.fixture
def phone():
    with reachable(Phone(*tosses(3, drag=0.03))) as found:
        found.advances = [0.25, 0.0, 0.8, 0.1, 0.4]
        yield found


def test_tosses_are_printed_and_saved_as_logs_that_identify_reads(phone, tmp_path):
    done = polhode("live", phone.address, "--tosses", "2", "-o", tmp_path / "tosses")
    assert done.status == 0, done.err
    first, *rest = done.out.splitlines()
    assert re.match(r"Toss 1: It flipped \w+, at 0\.\d\d", first)
    assert any("drag of the air over the moments 0.0" in line for line in rest)
    logs = {path.name for path in (tmp_path / "tosses").glob("*.csv")}
    assert {"toss-001.csv", "toss-002.csv"} <= logs <= {f"toss-00{number}.csv" for number in (1, 2, 3)}
    assert f"  saved: {tmp_path / 'tosses' / 'toss-001.csv'}" in rest
    told = json.loads(polhode("identify", tmp_path / "tosses" / "toss-001.csv", "--json").out)
    assert told["sentence"] in first
    phone.now = 3.4
    polhode("live", phone.address, "--tosses", "1", "-o", tmp_path / "tosses")
    assert logs < {path.name for path in (tmp_path / "tosses").glob("*.csv")}, "a history goes on"


def test_json_is_a_document_in_a_line_for_each_toss(phone):
    told = [json.loads(line) for line in polhode("live", phone.address, "--tosses", "2", "--json").out.splitlines()]
    assert [one["toss"] for one in told] == [1, 2]
    for number, one in enumerate(told):
        assert one["fitted"] is True
        assert one["file"] is None
        assert (one["begin"], one["end"]) == pytest.approx((1.4 + 3.4 * number, 2.1 + 3.4 * number), abs=0.1)
        assert (np.abs(one["ratios"] - MOMENTS) <= 3.5 * np.array(one["ratio_deviations"]) + 1e-9).all()


class Moody(Phone):
    """A phone that is away for some requests, then stopped for some, each once."""

    def answer(self, path: str) -> dict[str, object] | None:
        count = len(self.asked)
        self.away, self.measuring = 6 <= count < 9, self.measuring and not 14 <= count < 18
        found = super().answer(path)
        self.measuring = self.measuring or 14 <= count < 18
        return found


def test_a_phone_that_is_lost_or_stopped_for_some_time_is_told_and_read_on(tmp_path):
    phone = Moody(*tosses(2))
    phone.advances = [0.25]
    with reachable(phone):
        done = polhode("live", phone.address, "--tosses", "2", "-o", tmp_path)
    assert done.status == 0, done.err
    reading = f"polhode: Reading {phone.address}"
    lines = done.err.splitlines()
    lost = next(i for i, line in enumerate(lines) if "The sensor is lost, and looked for: no answer from" in line)
    stopped = lines.index("polhode: The measurement is stopped on the phone; start it there again")
    assert reading in lines[:lost]
    assert reading in lines[lost:stopped]
    assert reading in lines[stopped:]
    for number in (1, 2):
        log = np.loadtxt(tmp_path / f"toss-00{number}.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(np.diff(log[:, 0]), 0.01, atol=1e-6, err_msg="no sample is lost")


def test_a_flight_that_an_accelerometer_shows_is_a_toss(tmp_path):
    time, rates = tosses(1)
    flies = (time > 1.4) & (time < 2.1)
    acceleration = np.where(flies[:, None], 0.1, [0.0, 0.0, 9.81])
    with reachable(Phone(time, rates, (time + 0.003, acceleration))) as phone:
        phone.advances = [0.4]
        assert polhode("live", phone.address, "--tosses", "1", "-o", tmp_path).status == 0
    told = json.loads(polhode("identify", tmp_path / "toss-001.csv", "--json").out)
    assert told["flight_by_residual"] is False
    assert (told["begin"], told["end"]) == pytest.approx((1.4, 2.1), abs=0.06)


def test_lines_by_udp_are_tossed_as_well(tmp_path):
    """The lines of several tosses are sent to the port that the command names, until one has landed."""
    time, rates = tosses(1)
    ended = threading.Event()

    def send() -> None:
        while not (named := re.search(r"udp://127\.0\.0\.1:(\d+)", getattr(sys.stderr, "getvalue", str)())):
            if ended.wait(0.01):
                return
        port = int(named[1])
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sender:
            sender.bind(("127.0.0.1", 0))
            late = 0.0
            while not ended.is_set():
                for first in range(0, len(time), 20):
                    rows = zip(time[first : first + 20] + late, rates[first : first + 20], strict=True)
                    text = "\n".join(f"{t},{w[0]},{w[1]},{w[2]}" for t, w in rows)
                    sender.sendto(text.encode(), ("127.0.0.1", port))
                    if ended.wait(0.01):
                        return
                late += float(time[-1]) + 0.01

    thread = threading.Thread(target=send)
    thread.start()
    try:
        done = polhode("live", "udp://:0", "--tosses", "1", "--json")
    finally:
        ended.set()
        thread.join()
    (told,) = map(json.loads, done.out.splitlines())
    assert told["fitted"] is True
    np.testing.assert_allclose(told["ratios"], MOMENTS, rtol=0.05)


def test_what_is_no_sensor_is_told_in_one_line(phone, tmp_path):
    phone.inputs = [ACCELEROMETER]
    assert "the experiment 'Gyroscope' measures no gyroscope" in complaint("live", phone.address)
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{held.getsockname()[1]}"
        assert "Allow remote access" in complaint("live", nobody)
    for wrong in ("gopher://phone", "http://my phone:8080", "udp://a..b:5555"):
        assert "expected http://HOST:PORT, ws://HOST:PORT/PATH or udp://HOST:PORT" in complaint("live", wrong)
    (tmp_path / "file").touch()
    assert "cannot be made" in complaint("live", phone.address, "-o", tmp_path / "file")
    assert "cannot be made" in complaint("live", phone.address, "-o", tmp_path / "none" / "there")
    assert "expected a whole number of at least 1" in complaint("live", phone.address, "--tosses", "0")


def test_identify_finds_the_same_body_in_a_record_and_in_the_scenario_that_it_made_of_it():
    """What the scenario has of flight, axes and bias is found anew: the steps of a sensor are along its own axes."""
    files = assets.SCENARIOS.parent / "measured" / "synthetic-toss.csv", assets.SCENARIOS / "measured-toss.toml"
    first, again = (json.loads(polhode("identify", file, "--json").out) for file in files)
    for key in ("begin", "end", "ratios", "axes", "bias", "ratio_deviations"):
        assert again[key] == pytest.approx(first[key], rel=1e-6), key
