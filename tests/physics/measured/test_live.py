"""A sensor that is read while it measures: all samples once, through gaps, bursts and restarts; what is no sensor."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.server import HTTPServer, SimpleHTTPRequestHandler
from itertools import pairwise

import numpy as np
import pytest

from physics import ScenarioError
from physics.measured import live
from physics.measured.live import BEFORE, Burst, Lost, Missed, Phyphox, UdpLines, sensor_at
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import measured_motion
from physics.measured.tosses import KEPT, MOST_KEPT, TossFinder, log_text, next_log
from tests.phone import ACCELEROMETER, GYROSCOPE, Phone, reachable, sending, sensor_logger, sensor_server, tosses


def heard(sensor, reads: int) -> Burst:
    """All samples of some reads."""
    bursts = [burst for burst in (sensor.read() for _ in range(reads)) if len(burst.time)]
    acceleration = None
    if bursts[0].acceleration is not None:
        acceleration = np.concatenate([burst.acceleration for burst in bursts])
    time, rates = (np.concatenate([getattr(burst, name) for burst in bursts]) for name in ("time", "rates"))
    return Burst(time, rates, acceleration)


def test_samples_come_once_each_in_bursts_after_gaps_and_after_the_phone_was_lost():
    time, rates = tosses(2)
    with reachable(Phone(time, rates)) as phone:
        phone.advances = [0.1, 0.0, 0.0, 1.7, 0.01, 0.013, 0.3]
        sensor = sensor_at(phone.address)
        sensor.open()
        assert phone.measuring, "it is started"
        first = heard(sensor, 8)
        phone.away = True
        for _ in range(3):
            with pytest.raises(Lost, match="no answer from http://127"):
                sensor.read()
        phone.away = False
        rest = heard(sensor, 20)
    np.testing.assert_allclose(np.concatenate([first.time, rest.time]), time, rtol=1e-7)
    np.testing.assert_allclose(np.concatenate([first.rates, rest.rates]), rates, rtol=1e-6, atol=1e-9)


def test_the_acceleration_is_that_at_the_times_of_the_rates():
    time, rates = tosses(1)
    other = np.arange(0.0, 4.0, 0.007)
    acceleration = np.column_stack([other, 2.0 * other, 9.0 - other])
    with reachable(Phone(time, rates, (other, acceleration))) as phone:
        phone.advances = [0.05]
        sensor = sensor_at(phone.address)
        sensor.open()
        found = heard(sensor, 75)
    assert len(found.time) > 330
    expected = np.column_stack([found.time, 2.0 * found.time, 9.0 - found.time])
    np.testing.assert_allclose(found.acceleration, expected, atol=1e-5)


def test_an_experiment_that_is_cleared_or_opened_anew_begins_anew():
    time, rates = tosses(3)
    with reachable(Phone(time, rates)) as phone:
        phone.advances = [0.5]
        sensor = Phyphox("127.0.0.1", int(phone.address.rpartition(":")[2]))
        sensor.open()
        assert sensor.read().anew
        assert heard(sensor, 3).time[-1] == pytest.approx(2.0)
        phone.clear()
        again = next(burst for burst in (sensor.read() for _ in range(5)) if len(burst.time))
        assert again.anew
        assert again.time[0] < 0.02
        phone.clear()
        phone.columns = {name.replace("gyr", "rot"): values for name, values in phone.columns.items()}
        phone.inputs = [{"source": "gyroscope", "outputs": [{letter: f"rot{letter.upper()}"} for letter in "xyz"]}]
        phone.inputs[0]["outputs"].append({"t": "rot_time"})
        phone.session = "second"
        again = next(burst for burst in (sensor.read() for _ in range(5)) if len(burst.time))
        assert again.anew
        phone.measuring = False
        sensor.read()
        assert sensor.stopped


def test_hours_that_were_measured_before_are_not_read():
    time = np.arange(0.0, 3600.0, 0.01)
    with reachable(Phone(time, np.zeros((len(time), 3)))) as phone:
        phone.now = 3599.0
        sensor = sensor_at(phone.address)
        sensor.open()
        assert len(sensor.read().time) <= 501


def test_samples_that_are_too_many_for_an_answer_are_told_to_be_missing(monkeypatch):
    monkeypatch.setattr(live, "LARGEST_ANSWER", 60_000)
    with reachable(Phone(*tosses(10))) as phone:
        phone.advances = [1.0, 30.0, 0.1]
        sensor = sensor_at(phone.address)
        sensor.open()
        assert heard(sensor, 1).time[-1] == pytest.approx(1.0)
        with pytest.raises(Missed, match="Samples are missing"):
            sensor.read()
        found = sensor.read()
    assert found.anew
    assert (found.time[0], found.time[-1]) == pytest.approx((31.0 - BEFORE, 31.1), abs=0.02)


def test_a_clock_that_ran_back_is_asked_for_from_its_beginning_in_all_groups():
    time, rates = tosses(3)
    with reachable(Phone(time, rates, (time, rates))) as phone:
        phone.advances = [4.0]
        sensor = sensor_at(phone.address)
        sensor.open()
        heard(sensor, 1)
        phone.clear()
        phone.columns["acc_time"] = time + 6.0  # these come later
        phone.advances, whole = [1.0], phone.answer
        phone.answer = lambda path: whole(re.sub(r"=[\d.e-]+%7C", "=0.0%7C", path))
        sensor.read()
        phone.answer = whole
        found = heard(sensor, 2)
    assert not any("inf" in path for path in phone.asked)
    assert found.time[-1] < 4.0


def test_a_phone_without_a_gyroscope_is_named():
    with reachable(Phone(*tosses(1))) as phone:
        phone.inputs, phone.title = [ACCELEROMETER], "Acceleration"
        with pytest.raises(ScenarioError, match="'Acceleration' measures no gyroscope; open one"):
            sensor_at(phone.address).open()
        phone.inputs = [GYROSCOPE | {"outputs": [{"x": "gyrX"}]}]
        with pytest.raises(ScenarioError, match="measures no gyroscope"):
            sensor_at(phone.address).open()


def test_nobody_at_an_address_another_program_and_no_address_are_told():
    with closing(socket.socket()) as held:  # bound and not listening: nobody else gets this port
        held.bind(("127.0.0.1", 0))
        with pytest.raises(ScenarioError, match=r"no answer from .*expected the address that phyphox shows"):
            sensor_at(f"127.0.0.1:{held.getsockname()[1]}").open()

    class Other(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with pytest.raises(ScenarioError, match="answers, but not as the remote access of phyphox does"):
                sensor_at(f"http://127.0.0.1:{server.server_port}").open()
        finally:
            server.shutdown()
            thread.join()
    for wrong in (
        "",
        "ftp://host",
        "http://",
        "http://host:port",
        "udp://host",
        "https://host",
        "http://host:0",
        "ws://h/#x",
        "ws://me@h/",
    ):
        with pytest.raises(ScenarioError, match=r"expected http://HOST:PORT, ws://HOST:PORT/PATH or udp://HOST:PORT"):
            sensor_at(wrong)
    for host in ("my phone", "a..b", "a" * 64, "a\0b"):
        for wrong in (f"http://{host}:8080", f"udp://{host}:5555"):
            with pytest.raises(
                ScenarioError, match=r"expected http://HOST:PORT, ws://HOST:PORT/PATH or udp://HOST:PORT"
            ):
                sensor_at(wrong)
    with pytest.raises(ScenarioError, match="cannot be listened on"):
        UdpLines("a..b", 5555).open()


def test_a_number_that_is_too_large_for_one_is_left_out():
    with reachable(Phone(*tosses(1))) as phone:
        phone.advances = [1.0]
        sensor = sensor_at(phone.address)
        sensor.open()
        whole = phone.answer

        def huge(path: str) -> dict[str, object] | None:
            found = whole(path)
            if "%7C" in path:
                found["buffer"]["gyrX"]["buffer"][3] = 10**400
            return found

        phone.answer = huge
        found = sensor.read()
    assert len(found.time) == 100, "of 101"


@pytest.mark.parametrize(
    "answers",
    [{}, {"buffer": {}}, {"status": 3}, {"status": {}, "buffer": []}, {"status": {"session": 1}, "buffer": {"x": 0}}],
)
def test_answers_of_another_form_are_refused_in_a_sentence(answers):
    with reachable(Phone(*tosses(1))) as phone:
        sensor = sensor_at(phone.address)
        sensor.open()
        config = phone.answer("/config")
        phone.answer = lambda path: config if path == "/config" else answers
        assert not len(sensor.read().time), "another experiment may have other buffers"
        with pytest.raises(ScenarioError, match="answers, but not as the remote access of phyphox does"):
            sensor.read()


@pytest.fixture
def lines():
    sensor = UdpLines("127.0.0.1", 0)
    sensor.open()
    port = int(sensor.address.rpartition(":")[2])
    with closing(sensor), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sender:
        sender.connect(("127.0.0.1", port))
        yield sensor, sender


def until(sensor, count: int) -> list[Burst]:
    """Reads until so many samples have come; of silence no more than some."""
    found: list[Burst] = []
    for _ in range(200):
        found.append(sensor.read())
        if sum(len(burst.time) for burst in found) >= count:
            return found
    pytest.fail("datagrams are lost")


def test_lines_of_another_program_are_read_in_their_unit_of_time(lines):
    sensor, sender = lines
    sender.send(b"timestamp,gx,gy,gz\n")
    for i in range(40):
        sender.send(f"{1764400000000 + 10 * i}, {i}, -1.5, 2e-1\n".encode())
    found = until(sensor, 40)
    time = np.concatenate([burst.time for burst in found])
    np.testing.assert_allclose(time, 0.01 * np.arange(40), atol=1e-6)
    np.testing.assert_allclose(np.concatenate([burst.rates for burst in found])[-1], (39.0, -1.5, 0.2))
    sender.send("\n".join(f"{1764400000000 + 500 + 10 * i}; {i}; 0; 0; 0; 0; 9.8" for i in range(3)).encode())
    sender.send(b"nan,1,1,1\nx,y,z,w\n1764400000390,7,7,7\n\xff\n")
    sender.send(b"1764400001000 1 2 3")
    (last,) = [burst for burst in until(sensor, 1) if len(burst.time)]
    np.testing.assert_allclose(last.time, [1.0], atol=1e-6)


def test_lines_with_decimal_commas_or_a_separator_at_their_end_are_read(lines):
    sensor, sender = lines
    rows = [(f"{0.01 * i:.2f}", "-1.5", "2.25", "0.5") for i in range(25)]
    sender.send("\n".join(";".join(row).replace(".", ",") for row in rows[:20]).encode())
    sender.send("\n".join(", ".join(row) + "," for row in rows[20:]).encode())
    found = until(sensor, 25)
    np.testing.assert_allclose(np.concatenate([burst.time for burst in found]), 0.01 * np.arange(25), atol=1e-9)
    np.testing.assert_allclose(np.concatenate([burst.rates for burst in found]), [(-1.5, 2.25, 0.5)] * 25)


def test_lines_with_an_acceleration_and_times_that_begin_anew(lines):
    sensor, sender = lines
    for first in (100.0, 0.0):
        sender.send("\n".join(f"{first + 0.01 * i},1,2,3,0,0,9.8" for i in range(30)).encode())
        found = [burst for burst in until(sensor, 30) if len(burst.time)]
        assert found[0].anew
        np.testing.assert_allclose(found[0].acceleration[0], (0.0, 0.0, 9.8))


def test_a_sender_that_goes_over_to_other_columns_is_heard_again(lines):
    sensor, sender = lines
    sender.send(b"1,0,0,0\n")
    sender.send("\n".join(f"{0.01 * i},1,2,3,0,0,9.8" for i in range(30)).encode())
    found = [burst for burst in until(sensor, 30) if len(burst.time)]
    np.testing.assert_allclose(found[0].acceleration[-1], (0.0, 0.0, 9.8))
    sender.send("\n".join(f"{0.5 + 0.01 * i},1,2,3" for i in range(30)).encode())
    found = [burst for burst in until(sensor, 30) if len(burst.time)]
    assert found[0].anew
    assert found[0].acceleration is None


def test_a_second_sender_is_not_heard_beside_the_first(lines):
    sensor, sender = lines
    sender.send("\n".join(f"{0.01 * i},1,1,1" for i in range(25)).encode())
    until(sensor, 25)
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as other:
        other.sendto(b"0.5,9,9,9\n", ("127.0.0.1", int(sensor.address.rpartition(":")[2])))
        sender.send(b"0.6,1,1,1\n")
        (last,) = [burst for burst in until(sensor, 1) if len(burst.time)]
    assert (last.rates == 1.0).all()


def test_another_sender_does_not_hold_a_read_however_much_it_sends(lines, monkeypatch):
    monkeypatch.setattr(live, "DATAGRAMS", 5)
    sensor, sender = lines
    sender.send("\n".join(f"{0.01 * i},1,1,1" for i in range(25)).encode())
    until(sensor, 25)
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as other:
        for _ in range(12):
            other.sendto(b"0.5,9,9,9\n", ("127.0.0.1", int(sensor.address.rpartition(":")[2])))
        sender.send(b"0.6,1,1,1\n")
        assert not len(sensor.read().time)
        assert (until(sensor, 1)[-1].rates == 1.0).all()


def plain(time, rates) -> list[str]:
    """Lines of numbers, five a message."""
    lines = [f"{t:.3f},{w[0]},{w[1]},{w[2]}" for t, w in zip(time, rates, strict=True)]
    return ["\n".join(lines[first : first + 5]) for first in range(0, len(lines), 5)]


@pytest.mark.parametrize("form", [plain, sensor_server, sensor_logger])
def test_lines_and_messages_of_apps_come_by_a_websocket_through_a_lost_connection(form):
    time, rates = tosses(1)
    texts = form(time, rates)
    halves = [texts[: len(texts) // 2], texts[len(texts) // 2 :]]

    def send(connection):
        for text in halves.pop(0):
            connection.send(text)
        if not halves:
            connection.recv()  # until the other end closes it

    with sending(send) as address:
        sensor = sensor_at(f"{address}/sensor/connect?type=android.sensor.gyroscope")
        with closing(sensor):
            sensor.open()
            found = []
            for _ in range(400):
                with suppress(Lost):  # where nothing came before it was closed
                    found.append(sensor.read())
                if sum(len(burst.time) for burst in found) >= len(time):
                    break
    assert not halves, "it has connected again"
    assert [burst.anew for burst in found if len(burst.time)].count(True) == 1
    np.testing.assert_allclose(np.concatenate([burst.time for burst in found]), time, atol=1e-6)
    np.testing.assert_allclose(np.concatenate([burst.rates for burst in found]), rates, atol=1e-9)


def test_what_is_no_websocket_of_a_gyroscope_is_told():
    with (
        reachable(Phone(*tosses(1))) as phone,
        pytest.raises(ScenarioError, match=r"answers, but with no WebSocket at"),
    ):
        sensor_at(phone.address.replace("http", "ws")).open()
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))
        with pytest.raises(ScenarioError, match=r"no answer from ws://.*; expected the address that the app on the"):
            sensor_at(f"ws://127.0.0.1:{held.getsockname()[1]}").open()
    with pytest.raises(ScenarioError, match=r"asks for 'android\.sensor\.light'; expected a gyroscope"):
        sensor_at("ws://127.0.0.1:9/sensor/connect?type=android.sensor.light").open()

    def chatter(connection):
        for number in range(live.UNREAD):
            connection.send(f"hello {number}")
        connection.recv()

    with sending(chatter) as address, closing(sensor_at(address)) as sensor:
        sensor.open()
        with pytest.raises(ScenarioError, match=r"of a gyroscope, got 'hello"):
            until(sensor, 1)


def test_samples_among_much_else_and_messages_that_cannot_be_read_by_a_websocket(monkeypatch):
    monkeypatch.setattr(live, "LARGEST_ANSWER", 3000)
    time, rates = tosses(1)

    def mixed(connection):
        connection.send("\n".join(plain(time[:25], rates[:25])))
        for number in range(live.UNREAD):
            connection.send(f"light {number}")
        connection.recv()

    with sending(mixed) as address, closing(sensor_at(address)) as sensor:
        sensor.open()
        assert len(until(sensor, 25)[-1].time)
        with pytest.raises(Missed, match=r"of a gyroscope, got 'light"):
            until(sensor, 1)

    def long(connection):
        connection.send("0.1,1,1,1\n" * 400)
        connection.recv()

    with sending(long) as address, closing(sensor_at(address)) as sensor:
        sensor.open()
        with pytest.raises(ScenarioError, match="sends a message that cannot be read"):
            until(sensor, 1)


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """A server whose connections get these bytes, one each, and are closed; its address."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server, ThreadPoolExecutor(1) as pool:

        def serve() -> None:
            for answer in answers:
                connection, _ = server.accept()
                with closing(connection):
                    connection.recv(4096)
                    connection.sendall(answer)

        served = pool.submit(serve)
        yield f"ws://127.0.0.1:{server.getsockname()[1]}"
        served.result()


def test_a_websocket_follows_no_redirect():
    with closing(socket.create_server(("127.0.0.1", 0))) as elsewhere:
        place = f"ws://127.0.0.1:{elsewhere.getsockname()[1]}/"
        answer = f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()
        with answering(answer) as address, pytest.raises(ScenarioError, match=r"no WebSocket at this path \(302\)"):
            sensor_at(address).open()
        elsewhere.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()


def test_a_websocket_that_was_open_is_tried_again_whatever_answers_meanwhile():
    """A phone whose app is begun anew answers so."""
    time, rates = tosses(1)
    text = "\n".join(plain(time[:25], rates[:25]))
    with sending(lambda connection: connection.send(text), most=1) as address, closing(sensor_at(address)) as sensor:
        sensor.open()
        until(sensor, 25)
        with pytest.raises(Lost, match="has closed the connection"):
            until(sensor, 1)
        for _ in range(2):
            with pytest.raises(Lost, match=r"no answer from .*503"):
                sensor.read()


def test_datagrams_without_numbers_are_told_and_lines_after_them_are_read(lines):
    sensor, sender = lines
    for _ in range(live.UNREAD):
        sender.send(b"temperature: 20")
    with pytest.raises(Missed, match="of a gyroscope, got 'temperature: 20'"):
        until(sensor, 1)
    sender.send("\n".join(f"{0.01 * i},1,1,1" for i in range(25)).encode())
    assert (until(sensor, 25)[-1].rates == 1.0).all()


def test_a_port_is_opened_on_this_machine_alone_unless_an_interface_is_named():
    assert sensor_at("udp://:5555").address == "udp://127.0.0.1:5555"
    assert sensor_at("udp://0.0.0.0:5555").address == "udp://0.0.0.0:5555"
    with pytest.raises(ScenarioError, match=r"udp://192\.0\.2\.1:5555: cannot be listened on"):
        sensor_at("udp://192.0.2.1:5555").open()


def fed(time, rates, steps, finder=None):
    """The stretches of a stream that comes in bursts of so many samples."""
    finder, found = finder or TossFinder(), []
    for first, last in pairwise(np.cumsum([0, *steps])):
        found += finder.feed(Burst(time[first:last], rates[first:last], None))
    return found


def test_each_toss_is_handed_over_once_as_it_lands_however_samples_come():
    time, rates = tosses(5)
    for steps in ([1] * len(time), [7] * 250, [340] * 5, [3, 200] * 9):
        found = fed(time, rates, steps)
        assert len(found) == 5
        for number, stretch in enumerate(found):
            flight = 3.4 * number + 1.4, 3.4 * number + 2.1
            assert stretch.time[0] < flight[0] < flight[1] < stretch.time[-1] < flight[1] + 0.5


def test_no_toss_of_a_minute_that_comes_at_once_is_beyond_what_is_kept():
    time, rates = tosses(4)
    late = np.arange(time[-1] + 0.01, 60.0, 0.01)
    time, rates = np.concatenate([time, late]), np.concatenate([rates, np.zeros((len(late), 3))])
    assert len(fed(time, rates, [len(time)])) == 4


def test_a_stream_that_breaks_off_hands_over_what_has_flown_and_begins_anew():
    time, rates = tosses(1)
    flown = time < 2.15
    finder = TossFinder()
    assert not finder.feed(Burst(time[flown], rates[flown], None))
    (stretch,) = finder.feed(Burst(time[:5], rates[:5], None, anew=True))
    assert stretch.time[-1] > 2.1
    assert len(finder.kept.time) == 5


def test_an_hour_is_kept_for_seconds():
    finder, time = TossFinder(), np.arange(0.0, 3600.0, 0.01)
    rates, kept = np.tile([3.0, 4.0, 5.0], (len(time), 1)), []
    for first in range(0, len(time), 500):
        here = slice(first, first + 500)
        for stretch in finder.feed(Burst(time[here], rates[here], None)):
            kept.append(len(stretch.time))
        kept.append(len(finder.kept.time))
    assert max(kept) <= 100 * KEPT + 2
    dense = np.arange(300_000) * 1e-5
    finder.feed(Burst(dense, np.zeros((len(dense), 3)), None, anew=True))
    assert len(finder.kept.time) == MOST_KEPT


def test_a_log_opens_like_any_other_and_goes_on_in_number(tmp_path):
    time, rates = tosses(1)
    number, file = next_log(tmp_path)
    assert (number, file.name) == (1, "toss-001.csv")
    file.write_text(log_text(Burst(time, rates, np.zeros((len(time), 3)))))
    motion = measured_motion(MeasuredConfig(file=str(file)), tmp_path)
    np.testing.assert_allclose(motion.angular_velocity, rates, rtol=1e-8, atol=1e-9)
    assert motion.acceleration is not None
    assert not motion.guessed, "headings say what it holds"
    (tmp_path / "toss-041.csv").touch()
    (tmp_path / "toss-x.csv").touch()
    assert next_log(tmp_path)[1].name == "toss-042.csv"


def test_two_programs_in_one_folder_take_files_of_their_own(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: next_log(tmp_path), range(40)))
    assert sorted(number for number, _ in taken) == list(range(1, 41))
    assert len(list(tmp_path.iterdir())) == 40
