"""Measured motion: what is read from files of sensors, the attitude that rates give, marks, and the lane."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from pydantic import ValidationError

import physics
from physics import ScenarioError, World, simulate
from physics.core.rotation import angle_between, apply, conjugate, multiply, rotation_vector, unit_of
from physics.measured.measured_config import TIME_UNITS, MeasuredConfig
from physics.measured.motion import MISSING, SATURATION, free_flights, fused, integrated, measured_motion, rates_of
from physics.simulation.schedule import stream
from tests import small

TIME = np.arange(40) * 0.01
RATES = np.random.default_rng(0).normal(size=(40, 3))
ATTITUDES = unit_of(np.cumsum(0.05 * RATES, axis=0))
PHYPHOX = '"Time (s)";"Gyroscope x (rad/s)";"Gyroscope y (rad/s)";"Gyroscope z (rad/s)";"Absolute (rad/s)"'
STONE = "Time (ms)\tAccX (m/s2)\tAccY (m/s2)\tAccZ (m/s2)\tRotX (deg/s)\tRotY (deg/s)\tRotZ (deg/s)"


def table(head: str, separator: str, *columns, comma: bool = False) -> str:
    lines = [separator.join(f"{v:.9g}" for v in row) for row in np.column_stack(columns).tolist()]
    return "\n".join([head, *(line.replace(".", ",") if comma else line for line in lines)]) + "\n"


def read(folder, text: str, name: str = "motion.csv", **keys):
    (folder / name).write_text(text, encoding="utf-8")
    return measured_motion(MeasuredConfig(file=name, **keys), folder)


EUROC = "#timestamp [ns]," + ",".join(f"w_RS_S_{one} [rad s^-1]" for one in "xyz")
ROS = "%time,field.header.stamp," + ",".join(f"field.angular_velocity.{one}" for one in "xyz")
BLACKBOX = "loopIteration, time (us), gyroADC[0], gyroADC[1], gyroADC[2]"
BOTH = ("time_unit", "rate_unit")


@pytest.mark.parametrize(
    ("name", "text", "guessed"),
    [
        ("phyphox.csv", table(PHYPHOX, ";", TIME, RATES, TIME, comma=True), ()),
        ("Gyroscope.csv", table("time,seconds_elapsed,z,y,x", ",", 1e18 + 1e9 * TIME, TIME, RATES[:, ::-1]), BOTH[1:]),
        ("stone.csv", table(STONE, "\t", 1e3 * TIME, RATES, np.degrees(RATES)), ()),
        ("plain.txt", table("# t wx wy wz", " ", TIME, RATES), BOTH),
        ("remarks.txt", "# device: 7\n# made in May\n" + table("# t wx wy wz", " ", TIME, RATES), BOTH),
        ("above.csv", "# device: 7\n\n" + table("t,wx,wy,wz", ",", TIME, RATES).replace("\n", "\n# a mark\n", 9), BOTH),
        ("blanks.txt", table("t wx wy wz", "  ", TIME, RATES, comma=True), BOTH),
        ("decimal.txt", table("", " ", TIME, RATES, comma=True)[1:], BOTH),
        ("units.csv", table("t_us,gyro_x_dps,gyro_y_dps,gyro_z_dps", ",", 1e6 * TIME, np.degrees(RATES)), ()),
        ("guessed.csv", table("timestamp|gx|gy|gz", "|", 1e3 * TIME, np.degrees(3.0 * RATES) / 3.0), BOTH[:1]),
        ("bare.csv", "\n".join(table("", ",", TIME, RATES).splitlines()[1:]), BOTH),
        ("euroc.csv", table(EUROC, ",", 1e9 * TIME, RATES), ()),
        ("ros.csv", table(ROS, ",", 1e9 * TIME, TIME, RATES), BOTH),
        ("blackbox.csv", table(BLACKBOX, ", ", TIME, 1e6 * TIME, np.degrees(RATES)), BOTH[1:]),
        ("commented.csv", table("# a, note, of, four\n\n% t wx wy wz", " ", TIME, RATES), BOTH),
        ("note.csv", table("# a note", ",", TIME, RATES), BOTH),
        ("given.csv", table("seconds_elapsed,gx (rad/s),gy (rad/s),gz (rad/s)", ",", TIME, RATES), ()),
    ],
)
def test_rates_of_phones_robots_and_scripts_are_known_by_their_headings_and_what_is_guessed_is_named(
    tmp_path, name, text, guessed
):
    keys = {"rate_unit": "deg/s"} if name == "guessed.csv" else {}
    motion = read(tmp_path, text, name, **keys)
    np.testing.assert_allclose(motion.time, TIME, atol=1e-8)
    np.testing.assert_allclose(motion.angular_velocity, RATES, atol=1e-7)
    assert motion.relative
    assert (motion.acceleration is not None) == (name == "stone.csv")
    assert motion.guessed == guessed
    assert all(f"{field} = " in motion.guess() for field in guessed)


STAMP = 1672531200  # [s]: a date
SECONDS = [f"{STAMP + int(time)}" for time in TIME]
NANOSECONDS = [f"{round(1e9 * (time % 1.0))}" for time in TIME]
WHOLE = [f"{STAMP * 10**9 + round(1e9 * time)}" for time in TIME]
FRACTIONS = [f"{STAMP + time:.6f}" for time in TIME]
BURSTS = [0.05 * (i // 5 + 1) + 1e-4 * (i % 5) for i in range(len(TIME))]  # five messages arrive together
ARRIVED = {"s": [f"{STAMP + time:.6f}" for time in BURSTS], "ns": [f"{10**9 * STAMP + round(1e9 * t)}" for t in BURSTS]}


def logged(rates: str, columns: dict[str, list[str]]) -> str:
    """A table of texts, and the rates under headings such as angular_velocity.x."""
    head = ",".join([*columns, *(f"{rates}{axis}" for axis in "xyz")])
    return "\n".join(
        [
            head,
            *(",".join([*at, *(f"{w:.9g}" for w in row)]) for *at, row in zip(*columns.values(), RATES, strict=True)),
        ]
    )


@pytest.mark.parametrize(
    ("rates", "columns", "time", "other"),
    [
        (
            "field.angular_velocity.",
            {"%time": ARRIVED["ns"], "field.header.stamp": WHOLE},
            "field.header.stamp",
            "time",
        ),
        (
            "angular_velocity.",  # bagpy
            {"Time": ARRIVED["s"], "header.stamp.secs": SECONDS, "header.stamp.nsecs": NANOSECONDS},
            "header.stamp.secs + header.stamp.nsecs",
            "Time",
        ),
        (
            "/imu/data/angular_velocity/",  # PlotJuggler, of two topics
            {"__time": ARRIVED["s"], "/odom/header/stamp": ARRIVED["s"], "/imu/data/header/stamp": FRACTIONS},
            "/imu/data/header/stamp",
            "__time",
        ),
        (
            "/imu/angular_velocity/",
            {"__time": ARRIVED["s"], "/imu/header/stamp/sec": SECONDS, "/imu/header/stamp/nanosec": NANOSECONDS},
            "/imu/header/stamp/sec + /imu/header/stamp/nanosec",
            "__time",
        ),
        (
            "angular_velocity.",  # Foxglove
            {"timestamp": ARRIVED["ns"], "header.stamp.sec": SECONDS, "header.stamp.nsec": NANOSECONDS},
            "header.stamp.sec + header.stamp.nsec",
            "timestamp",
        ),
        (
            "data.angular_velocity.",  # MCAP
            {"time": ARRIVED["ns"], "data.header.stamp.sec": SECONDS, "data.header.stamp.nanosec": NANOSECONDS},
            "data.header.stamp.sec + data.header.stamp.nanosec",
            "time",
        ),
        ("msg.angular_velocity.", {"t": ARRIVED["s"], "msg.header.stamp": WHOLE}, "msg.header.stamp", "t"),
        ("gyro_", {"time": ARRIVED["s"], "header_stamp": FRACTIONS}, "header_stamp", "time"),
    ],
)
def test_the_stamp_of_a_measurement_counts_and_not_that_of_its_arrival(tmp_path, rates, columns, time, other):
    motion = read(tmp_path, logged(rates, columns))
    assert motion.table.time == time
    np.testing.assert_allclose(motion.time, TIME, atol=1e-6)
    assert motion.choices()[0] == f"The time is the column {time}, not {other}"
    assert not motion.marks


@pytest.mark.parametrize(("unit", "size"), [("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
@pytest.mark.parametrize("begin", [0.0, STAMP])
def test_the_unit_of_times_is_known_where_samples_arrive_in_bursts(tmp_path, begin, unit, size):
    columns = {"time": [f"{size * (begin + time):.15g}" for time in BURSTS]}
    motion = read(tmp_path, logged("angular_velocity.", columns))
    assert motion.table.time_unit == unit
    np.testing.assert_allclose(motion.time[-1] - motion.time[0], BURSTS[-1] - BURSTS[0], atol=1e-5)
    assert motion.choices() == (motion.guess(),)


@pytest.mark.parametrize(
    ("begin", "step", "rate", "unit"),
    [
        (1_700_000_000, 1, "0.1", "s"),
        (1_700_000_000_000, 1000, "0.1", "ms"),
        (1_700_000_000_000, 1, "0.1", "ms"),
        (1_700_000_000_000_000_000, 1_000_000, "0.1", "ns"),
        (0, 1, "9.5", "ms"),  # turns of 9.5 rad in a second
    ],
)
def test_samples_that_may_be_a_second_apart_have_a_unit_where_dates_or_rates_tell_it(tmp_path, begin, step, rate, unit):
    rows = "\n".join(f"{begin + step * i},{rate},0.2,{0.1 + 0.01 * i}" for i in range(9))
    motion = read(tmp_path, f"t,wx (rad/s),wy,wz\n{rows}\n")
    assert motion.table.time_unit == unit
    assert motion.time[-1] == pytest.approx(8 * step * TIME_UNITS[unit], abs=1e-6)


def test_stamps_that_a_driver_has_left_empty_do_not_count(tmp_path):
    text = logged(
        "angular_velocity.", {"Time": FRACTIONS, "header.stamp.secs": ["0"] * 40, "header.stamp.nsecs": ["0"] * 40}
    )
    motion = read(tmp_path, text)
    assert motion.table.time == "Time"
    np.testing.assert_allclose(motion.time, TIME, atol=1e-6)
    assert read(tmp_path, text, time="Time").other_clocks == ()


def test_a_file_may_lie_in_deep_folders(tmp_path):
    """The names of columns are short; that of a file was to be as short."""
    folder = tmp_path / ("a" * 120) / ("b" * 120)
    folder.mkdir(parents=True)
    (folder / "motion.csv").write_text(table("t,wx,wy,wz", ",", TIME, RATES))
    assert len(measured_motion(MeasuredConfig(file=str(folder / "motion.csv")), tmp_path)) == 40


@pytest.mark.parametrize("letter", ["_", " ", "/", ".", "(", "a"])
def test_headings_of_any_length_are_read_in_time(tmp_path, letter):
    """Each word took the square of its length: 0.5 s of 8000 letters, minutes of all that a line may hold."""
    with pytest.raises(ScenarioError, match="no columns of rates"):
        read(tmp_path, f"a{letter * 90_000}b,t,x1\n1,2,3\n2,3,4\n")


def heads(quantity: str, unit: str, *axes: str) -> str:
    return ";".join(f'"{quantity} {axis} ({unit})"' for axis in axes or "xyz")


@pytest.mark.parametrize(
    ("time", "rates", "acceleration"),
    [
        ("Zeit (s)", heads("Gyroskop", "rad/s"), heads("Beschleunigung", "m/s²")),
        ("Zeit in s", heads("Winkelgeschwindigkeit", "rad/s"), heads("Beschleunigungssensor", "m s⁻²")),
        ("Zeit/s", heads("Drehrate um", "°/s", "x-Achse", "y-Achse", "z-Achse"), heads("Beschleunigung", "m/s^2")),
        ("Temps (s)", heads("Vitesse angulaire selon", "rad/s"), heads("Accélération selon", "m/s²")),
        ("Temps [s]", heads("Gyroscope axe", "rad s^-1"), heads("Accéléromètre axe", "m/s²")),
        ("Tempo (s)", heads("Velocità angolare", "rad/s"), heads("Accelerazione", "m/s²")),
        ("Secondi", heads("Giroscopio asse", "gradi/s"), heads("Accelerometro asse", "m s-2")),
        ("Time (s)", "ω_x/(rad/s);ω_y/(rad/s);ω_z/(rad/s)", heads("Acceleration", "m·s⁻²")),
        ("time_s", "wx_rad_s;wy_rad_s;wz_rad_s", heads("Accelerometer", "m/s2", "X", "Y", "Z")),
    ],
)
def test_headings_of_four_languages_give_rates_accelerations_and_units(tmp_path, time, rates, acceleration):
    numbers = np.degrees(RATES) if "°" in rates or "gradi" in rates else RATES
    motion = read(tmp_path, table(f"{time};{rates};{acceleration}", ";", TIME, numbers, 3.0 * RATES, comma=True))
    np.testing.assert_allclose(motion.time, TIME, atol=1e-9)
    np.testing.assert_allclose(motion.angular_velocity, RATES, atol=1e-7)
    np.testing.assert_allclose(motion.acceleration, 3.0 * RATES, atol=1e-7)
    assert motion.guessed == ()


def test_labels_beside_the_numbers_of_a_robot_leave_the_headings_above_them(tmp_path):
    rows = "\n".join(f"{10**7 * i},{i},imu,{x:.9g},{y:.9g},{z:.9g}" for i, (x, y, z) in enumerate(RATES.tolist()))
    names = "%time,field.header.seq,field.header.frame_id," + ",".join(f"field.angular_velocity.{one}" for one in "xyz")
    motion = read(tmp_path, f"{names}\n{rows}\n", time_unit="ns")
    np.testing.assert_allclose(motion.time, TIME, atol=1e-9)
    np.testing.assert_allclose(motion.angular_velocity, RATES, atol=1e-7)


@pytest.mark.parametrize(
    ("head", "keys", "guessed"),
    [
        ("t,qw,qx,qy,qz", {}, False),
        ("t,q0,q1,q2,q3", {}, False),
        ("t,q1,q2,q3,q4", {}, True),
        ("t,q1,q2,q3,q4", {"scalar": "first"}, False),
        ("", {}, True),
    ],
)
def test_the_place_of_the_scalar_is_a_guess_where_nothing_says_it(tmp_path, head, keys, guessed):
    motion = read(tmp_path, table(head, ",", TIME, ATTITUDES).lstrip("\n"), **keys)
    assert ("scalar" in motion.guessed) == guessed
    assert ('scalar = "first"' in motion.guess()) == guessed


@pytest.mark.parametrize("largest", [90, 900])
def test_whole_numbers_of_a_blackbox_are_degrees(tmp_path, largest):
    rows = "".join(f"{i},{10_000 * i},{largest},0,{10 * i}\n" for i in range(6))
    motion = read(tmp_path, f"{BLACKBOX}\n{rows}")
    np.testing.assert_allclose(motion.angular_velocity[:, 0], np.radians(largest))
    assert 'rate_unit = "deg/s"' in motion.guess()


def test_large_numbers_without_a_unit_are_degrees(tmp_path):
    motion = read(tmp_path, table("t,wx,wy,wz", ",", TIME, 500.0 * RATES))
    assert motion.table.rate_unit == "deg/s"
    np.testing.assert_allclose(motion.angular_velocity, np.radians(500.0 * RATES), rtol=1e-7)


@pytest.mark.parametrize(
    ("head", "columns", "keys"),
    [
        ("t,qw,qx,qy,qz", ATTITUDES, {}),
        ("seconds_elapsed,qz,qy,qx,qw", ATTITUDES[:, ::-1], {}),
        ("t,a,b,c,d", np.roll(ATTITUDES, -1, axis=1), {"orientation": ("a", "b", "c", "d"), "scalar": "last"}),
        ("t,q0,q1,q2,q3", conjugate(ATTITUDES), {"attitude": "space-to-body"}),
        ("t,q1,q2,q3,q4", -ATTITUDES * np.where(np.arange(40) % 3, 1.0, -1.0)[:, None], {}),
    ],
)
def test_conventions_of_quaternions(tmp_path, head, columns, keys):
    motion = read(tmp_path, table(head, ",", TIME, columns), **keys)
    assert angle_between(motion.orientation, ATTITUDES).max() < 1e-7
    assert (np.sum(np.diff(motion.orientation, axis=0) ** 2, axis=1) < 0.1).all(), "no jumps of sign"
    assert not motion.relative


@pytest.mark.parametrize(
    ("head", "attitudes", "rates", "told"),
    [
        ("t,qw,qx,qy,qz,wx,wy,wz", lambda q: q, lambda q, w: w, {}),
        ("t,qw,qx,qy,qz,wx,wy,wz", conjugate, lambda q, w: w, {"attitude": "space-to-body"}),
        ("t,q1,q2,q3,q4,wx,wy,wz", lambda q: np.roll(q, -1, axis=1), lambda q, w: w, {"scalar": "last"}),
        ("t,qw,qx,qy,qz,wx,wy,wz", lambda q: q, lambda q, w: np.degrees(w), {"rate_unit": "deg/s"}),
        ("t,qw,qx,qy,qz,wx,wy,wz", lambda q: q, apply, {"rate_frame": "space"}),
    ],
)
def test_quaternions_turn_as_the_rates_beside_them_tell(tmp_path, head, attitudes, rates, told):
    time = np.arange(200) * 0.02
    w = np.column_stack([0.9 + np.sin(3.0 * time), -0.4 + np.cos(2.0 * time), 0.3 + 0.0 * time])
    q = integrated(time, w)
    motion = read(tmp_path, table(head, ",", time, attitudes(q), rates(q, w)))
    assert angle_between(motion.orientation, q).max() < 1e-6
    np.testing.assert_allclose(motion.angular_velocity, w, atol=1e-6)
    for field, value in told.items():
        assert f'{field} = "{value}"' in motion.guess()
    assert not motion.apart
    other = read(tmp_path, table(head, ",", time, attitudes(q), rates(q, w)[:, [1, 2, 0]]))
    assert other.apart
    assert "The quaternions of the file turn otherwise than its rates tell" in other.choices()


def test_a_filter_slower_than_the_gyroscope_turns_as_its_rates(tmp_path):
    """A logger writes each of its quaternions four times."""
    time = np.arange(400) * 0.005
    w = np.column_stack([0.9 + np.sin(3.0 * time), -0.4 + np.cos(2.0 * time), 0.3 + 0.0 * time])
    q = np.repeat(integrated(time, w)[::4], 4, axis=0)
    for attitudes, told in ((q, ""), (conjugate(q), 'attitude = "space-to-body"')):
        motion = read(tmp_path, table("t,qw,qx,qy,qz,wx_rad_s,wy_rad_s,wz_rad_s", ",", time, attitudes, w))
        assert not motion.apart
        assert ("attitude" in motion.guess()) == bool(told)
        assert told in motion.guess()


def test_units_and_axes_of_mujoco_are_known_and_no_guess(tmp_path):
    time, rate = np.arange(50) * 0.01, 150.0  # above what is taken for deg/s where nothing tells
    q = unit_of(np.outer(time, (0.0, 0.0, rate)))
    qpos, qvel = np.hstack([np.zeros((50, 3)), q]), np.tile([0.0, 0.0, 0.0, 0.0, 0.0, rate], (50, 1))
    np.savez(tmp_path / "mujoco.npz", time=time, qpos=qpos, qvel=qvel)
    motion = measured_motion(MeasuredConfig(file="mujoco.npz"), tmp_path)
    assert motion.angular_velocity[:, 2] == pytest.approx(rate)
    assert motion.guess() == ""


def test_archives_hold_arrays(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    np.savez(tmp_path / "a.npz", time=TIME, gyro=RATES, quat=ATTITUDES, label="a phone")
    flat = {"t": TIME, "gyr_x": RATES[:, 0], "gyr_y": RATES[:, 1], "gyr_z": RATES[:, 2]}
    parquet.write_table(pyarrow.table(flat), tmp_path / "b.parquet")
    for name in ("a.npz", "b.parquet"):
        motion = measured_motion(MeasuredConfig(file=name), tmp_path)
        np.testing.assert_array_equal(motion.angular_velocity, RATES)


def test_axes_of_the_sensor_become_those_of_the_body(tmp_path):
    text = table("t,wx,wy,wz,qw,qx,qy,qz", ",", TIME, RATES, ATTITUDES)
    motion, plain = read(tmp_path, text, axes=("y", "-x", "z")), read(tmp_path, text, "b.csv")
    np.testing.assert_allclose(motion.angular_velocity, plain.angular_velocity[:, [1, 0, 2]] * [1, -1, 1])
    same = rates_of(TIME, plain.orientation)[:, [1, 0, 2]] * [1, -1, 1]
    np.testing.assert_allclose(rates_of(TIME, motion.orientation), same, atol=1e-9)
    for axes, why in ((("y", "x", "z"), "mirror"), (("x", "x", "z"), "twice"), (("x", "y", "q"), "with a sign")):
        with pytest.raises(ValidationError, match=why):
            MeasuredConfig(file="a.csv", axes=axes)


@pytest.mark.parametrize(
    ("text", "keys", "told"),
    [
        ("t,wx,wy,wz\n0,1,2,3\n0.1,1,nan,3\n", {}, "line 3, wy: expected a number below 1e20, got 'nan'"),
        ("t,wx,wy,wz\n0,1,2,3\n\n0.1,1\n", {}, "line 4, wy: expected a number below 1e20, got ''"),
        ("t;wx;wy;wz\n0,0;1,5;2;3\n0,1;1;2;x\n", {}, "line 3, wz: expected a number below 1e20, got 'x'"),
        ("t,wx,wy,wz\n0,1,2,3\n0.1,1,2,3\n0.05,1,2,3\n", {}, "row 3, t: expected times that rise"),
        ("t,wx,wy,wz\n45413.4166667,1,2,3\n45413.4166668,1,2,3\n", {}, "time_unit: 45413.41667 looks like days"),
        ("t,wx,wx,wy,wz\n0,1,2,3,4\n1,1,2,3,4\n", {}, "line 1: expected one column 'wx', got 2"),
        ("t,wx,wy,wz\n1,0,1,2,3\n2,1,1,2,3\n", {}, "line 1: 5 words below 4 headings; expected a heading for each"),
        ("t,wx,wy,wz\n0,1,2,3,\n", {}, "one row of numbers; expected two or more"),  # that ends in a comma
        ("t,wx,wy,wz\n0,1,2,3\n", {}, "one row of numbers; expected two or more"),
        ("t,wx,wy,wz\n", {}, "no rows of numbers"),
        ("", {}, "the file is empty; expected a measured motion"),
        ("a,b\n1,2\n3,4\n", {}, "no columns of rates"),
        ("wx,wy,wz\n1,2,3\n3,4,5\n", {}, "measured.time: no column of times"),
        ("t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n", {"time": "clock"}, "there is no column 'clock'; the file has t, wx"),
        (
            "t,wx [mdps],wy,wz\n0,1,2,3\n1,1,2,3\n",
            {},
            "rate_unit: the heading gives 'mdps'; expected one of rad/s, deg/s",
        ),
        ("t,wx (m/s²),wy,wz\n0,1,2,3\n1,1,2,3\n", {}, "rate_unit: the heading gives 'm/s²'"),
        (
            "t (min),wx,wy,wz\n0,1,2,3\n1,1,2,3\n",
            {},
            "time_unit: the heading gives 'min'; expected one of s, ms, us, ns",
        ),
        (
            "t,wx (deg/s),wy (rad/s),wz\n0,1,2,3\n1,1,2,3\n",
            {},
            "rate_unit: the headings give deg/s, rad/s; expected one unit",
        ),
        (
            "t,wx,wy,wz\n0,.1,.2,.3\n1,.1,.2,.3\n",
            {},
            "time_unit: times 1 apart may be in s or ms, and nothing tells which",
        ),
        ("t,wx,wy,wz\n0,1,2,310\n0.1,1,2,300\n", {}, "rate_unit: rates up to 310 without a unit look like counts"),
        ("t,wx,wy,wz\n0,1,2,9.1e3\n0.1,1,2,9.1e3\n", {}, "rate_unit: rates up to 9100 without a unit look like counts"),
        (
            "t,wx,wy,wz,ax,ay,az\n0,1,2,3,9,9,2048\n0.1,1,2,3,9,9,2048\n",
            {},
            "acceleration_unit: accelerations of 2048 without a unit look like counts",
        ),
        ("t,X (mm),Y (mm),Z (mm)\n0,1,2,3\n1,1,2,3\n", {}, "no columns of rates"),
        ("t,wx,wy,wz,px (ft),py,pz\n0,1,2,3,1,2,3\n1,1,2,3,1,2,3\n", {}, "position: the heading gives 'ft'"),
        ("t,qw,qx,qy,qz\n0,1,0,0,0\n0.1,3,0,0,0\n", {}, "row 2, qw, qx, qy, qz: expected a unit quaternion"),
        ("t,wx,wy,wz\n0,1,2,3\n0.5,1,2,3\n", {"begin": 7.0}, "measured.begin: expected a time between 0 and 0.5 s"),
        ("t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n", {"fusion": True}, "measured.fusion: expected columns"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence_that_names_file_and_column(tmp_path, text, keys, told):
    with pytest.raises(ScenarioError, match=r"motion\.csv") as error:
        read(tmp_path, text, **keys)
    assert told in str(error.value)


@pytest.mark.parametrize("head", ["t,wx,wy,wz,pos_x [mm],pos_y [mm],pos_z [mm]", "t,wx,wy,wz,X (mm),Y (mm),Z (mm)"])
def test_places_in_the_unit_of_their_headings_are_metres(tmp_path, head):
    (tmp_path / "a.csv").write_text(f"{head}\n0,1,2,3,100,200,-300\n0.1,1,2,3,1100,200,-300\n", encoding="utf-8")
    motion = measured_motion(MeasuredConfig(file="a.csv"), tmp_path)
    np.testing.assert_allclose(motion.position, [(0.1, 0.2, -0.3), (1.1, 0.2, -0.3)])
    np.testing.assert_allclose(motion.angular_velocity[0], (1.0, 2.0, 3.0))


def test_units_and_bias_that_are_given_act(tmp_path):
    text = table("t,wx,wy,wz,ax,ay,az", ",", TIME, RATES, RATES)
    motion = read(tmp_path, text, time_unit="ms", bias=(0.1, 0.0, -0.2), acceleration_unit="g")
    np.testing.assert_allclose(motion.time, 1e-3 * TIME, atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity, RATES - (0.1, 0.0, -0.2), atol=1e-7)
    np.testing.assert_allclose(motion.acceleration, 9.80665 * RATES, atol=1e-7)


@pytest.mark.parametrize(
    ("head", "columns", "keys", "told"),
    [
        (
            "t,wx,wy,wz",
            RATES,
            {"scalar": "last"},
            "measured.scalar: needs the columns of a quaternion, and none is known",
        ),
        ("t,wx,wy,wz", RATES, {"attitude": "space-to-body"}, "measured.attitude: needs the columns of a quaternion"),
        ("t,qw,qx,qy,qz", ATTITUDES, {"bias": (0.1, 0.0, 0.0)}, "measured.bias: is taken off rates, and none are"),
    ],
)
def test_a_key_that_would_do_nothing_is_refused(tmp_path, head, columns, keys, told):
    with pytest.raises(ScenarioError, match=told):
        read(tmp_path, table(head, ",", TIME, columns), **keys)


def test_a_sampling_rate_stands_for_times(tmp_path):
    motion = read(tmp_path, table("wx,wy,wz", ",", RATES), sampling_rate=200.0, at=1.0)
    np.testing.assert_allclose(motion.time, 1.0 + np.arange(40) / 200.0)
    with pytest.raises(ValidationError, match="sampling_rate: expected none beside time"):
        MeasuredConfig(file="motion.csv", time="t", sampling_rate=200.0)


def test_the_attitude_of_rates_is_of_order_4_and_that_of_attitudes_of_order_2():
    errors = []
    for step in (0.02, 0.01):
        exact = physics.integrate("exact", [1.0, 2.2, 3.0], [1, 0, 0, 0], [1.0, 12.0, 2.0], step, 2.0)
        off = angle_between(integrated(exact.time, exact.angular_velocity), exact.orientation).max()
        errors.append((off, np.abs(rates_of(exact.time, exact.orientation) - exact.angular_velocity)[1:-1].max()))
    (coarse, rough), (fine, good) = errors
    assert np.log2(coarse / fine) == pytest.approx(4.0, abs=0.4)
    assert np.log2(rough / good) == pytest.approx(2.0, abs=0.2)


def test_rotation_vectors_are_what_unit_quaternions_come_of():
    turns = np.random.default_rng(1).uniform(-1.8, 1.8, size=(20, 3))  # of less than half a turn
    np.testing.assert_allclose(rotation_vector(-unit_of(turns)), turns, atol=1e-14)
    assert rotation_vector(np.array([1.0, 0, 0, 0])).tolist() == [0.0, 0.0, 0.0]


def test_gravity_tells_the_attitude_where_other_sensors_are_fused():
    pytest.importorskip("vqf")
    time = np.arange(400) * 0.01
    tilt = unit_of(np.array([0.4, 0.2, 0.0]))
    down = np.tile([0.0, 0.0, 9.81], (400, 1))
    seen = physics.core.rotation.apply(conjugate(tilt), down)
    found = fused(time, np.zeros((400, 3)), seen, None)
    up = physics.core.rotation.apply(found[-1], seen[-1])
    np.testing.assert_allclose(up / 9.81, [0.0, 0.0, 1.0], atol=1e-2)
    assert np.isfinite(multiply(found, found)).all()


def test_a_missing_library_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "vqf", None)
    with pytest.raises(ScenarioError, match="pip install 'polhode\\[sensors\\]'"):
        fused(TIME, RATES, RATES, None)


def test_saturation_and_gaps_are_marked(tmp_path):
    time = np.delete(np.arange(200) * 0.01, slice(120, 130))
    rates = np.column_stack([np.clip(40.0 * np.sin(3.0 * time), -34.9, 34.9), time, time])
    motion = read(tmp_path, table("t,wx,wy,wz", ",", time, rates))
    assert {mark.kind for mark in motion.marks} == {SATURATION, MISSING}
    gap = next(mark for mark in motion.marks if mark.kind == MISSING)
    assert gap.time == pytest.approx(1.19)
    assert "0.11 s" in gap.text
    calm = read(tmp_path, table("t,wx,wy,wz", ",", TIME, np.round(RATES)), "calm.csv")
    assert calm.marks == (), "steps of 8 bits are no saturation"
    told = read(tmp_path, table("t,wx,wy,wz", ",", TIME, np.clip(RATES, -1.0, 1.0)), "told.csv", range=1.0)
    assert any(mark.kind == SATURATION for mark in told.marks)


def test_samples_that_a_logger_repeated_are_a_gap(tmp_path):
    time = np.arange(200) * 0.01
    rates = np.column_stack([np.sin(5.0 * time), 4.0 + np.cos(3.0 * time), 0.5 * np.cos(5.0 * time)])
    held = rates.copy()
    held[80:110] = held[80]
    motion = read(tmp_path, table("t,wx,wy,wz", ",", time, held))
    assert len(motion) == 200 - 29
    assert [(mark.kind, round(mark.time, 6)) for mark in motion.marks] == [(MISSING, 0.8)]
    true = integrated(time, rates)[-1]
    off, trusted = (angle_between(q[-1], true) for q in (motion.orientation, integrated(time, held)))
    assert off < 0.5 * trusted, "rates that change evenly through the gap, beside rates that stay"
    coarse, noise = np.round(rates * 4.0) / 4.0, 1e-4 * np.random.default_rng(1).normal(size=(200, 3))
    for whole in (coarse, rates + noise, np.where(time[:, None] < 1.0, [1.0, 2.0, 3.0], [-1.0, 2.0, 3.0])):
        assert len(read(tmp_path, table("t,wx,wy,wz", ",", time, whole))) == 200, "steps, none, and a hit are no gap"


def test_free_flight_is_where_the_accelerometer_shows_nothing(tmp_path):
    loud = np.where((TIME > 0.1) & (TIME < 0.33), 0.3, 9.8)
    text = table("t,wx,wy,wz,ax,ay,az", ",", TIME, RATES, 0 * TIME, 0 * TIME, loud)
    ((begin, end),) = free_flights(read(tmp_path, text))
    assert 0.11 <= begin < end <= 0.32
    silent = table("t,wx,wy,wz,ax,ay,az", ",", TIME, RATES, 0 * TIME, 0 * TIME, 0 * TIME)
    assert free_flights(read(tmp_path, silent, "c.csv")) == ((TIME[0], TIME[-1]),), "nothing touches where it is cut"
    assert free_flights(read(tmp_path, table("t,wx,wy,wz", ",", TIME, RATES), "b.csv")) == ()


@pytest.fixture
def tossed(tmp_path):
    """A scenario beside a file of its own exact motion, from 0.5 s of the file's time on."""
    exact = simulate(small.cuboid(schemes=("exact",)))["exact"]
    text = table("t,wx,wy,wz", ",", 0.5 + exact.time, exact.angular_velocity)
    (tmp_path / "toss.csv").write_text(text, encoding="utf-8")
    tables = {"file": "toss.csv", "name": "phone"}
    return small.cuboid(schemes=("exact",), measured=(tables,), folder=str(tmp_path))


def test_a_measured_motion_is_a_lane(tossed):
    assert tossed.shown == ("exact", "measured:phone")
    runs = simulate(tossed)
    lane, exact = runs["measured:phone"], runs["exact"]
    np.testing.assert_allclose(lane.time, exact.time, atol=1e-9)
    assert angle_between(lane.orientation, exact.orientation).max() < 1e-4
    np.testing.assert_allclose(lane.kinetic_energy, exact.kinetic_energy, rtol=1e-6)
    assert [event.kind for event in lane.events] == ["end"]
    assert lane.files.keys() == {"toss.csv"}


def test_an_edit_goes_on_with_what_was_measured(tossed):
    heavier = {"shape": "cuboid", "size": (3.0, 2.0, 1.5), "mass": 1.0}
    lane = simulate(tossed.changed(edit=({"time": 1.0, "body": heavier},)))["measured:phone"]
    whole = simulate(tossed)["measured:phone"]
    np.testing.assert_array_equal(lane.angular_velocity, whole.angular_velocity)
    assert angle_between(lane.orientation, whole.orientation).max() < 1e-7


def test_lanes_are_named_once_and_lie_in_the_run(tossed):
    one = tossed.measured[0].model_dump(exclude_none=True)
    with pytest.raises(ScenarioError, match="measured:phone twice"):
        tossed.changed(measured=(one, one))
    many = tuple({**one, "name": f"toss-{number}", "identified": fit()} for number in range(4))
    with pytest.raises(ScenarioError, match="measured: expected at most 7 recordings and motions fitted to them"):
        tossed.changed(measured=many)
    with pytest.raises(ScenarioError, match="expected a sample from 0 to 2 s, got some from 50"):
        World.of(tossed.changed(measured=({**one, "at": 50.0},)))
    with pytest.raises(ScenarioError, match="schemes: 'measured' is not a scheme for kind 'free'"):
        tossed.changed(schemes=("measured:phone",))


def fit(**changes):
    """The motion of ``tossed`` as one that was fitted; its file begins at 0.5 s."""
    body = World.of(small.cuboid())
    ratios = (body.moments / body.moments.max()).tolist()
    rates = body.angular_velocity.tolist()
    return {"begin": 0.5, "end": 2.5, "ratios": ratios, "angular_velocity": rates} | changes


def fitted(tossed, identified, **changes):
    """A scenario beside its recording, and the motion that was fitted to it."""
    named = tossed.measured[0].model_dump(exclude_none=True) | {"identified": identified} | changes
    return tossed.changed(measured=(named,))


def test_a_motion_that_was_fitted_is_a_lane_whatever_the_body_of_the_scenario(tossed):
    heavy = {"body": {"shape": "cuboid", "size": (3.0, 2.5, 2.0), "mass": 5.0}}
    for scenario in (fitted(tossed, fit()), fitted(tossed, fit()).changed(**heavy)):
        assert scenario.shown == ("exact", "measured:phone", "identified:phone")
        runs = simulate(scenario)
        lane, exact = runs["identified:phone"], simulate(tossed)["exact"]
        assert [event.text for event in lane.events] == ["identified:phone: the flight ends at 2 s"]
        states = [exact.at(time) for time in lane.time]
        assert angle_between(lane.orientation, np.array([one.orientation for one in states])).max() < 1e-3
        there = np.isin(lane.time, exact.time)
        assert there.sum() >= 2
        same = np.isin(exact.time, lane.time)
        np.testing.assert_allclose(lane.angular_velocity[there], exact.angular_velocity[same], atol=1e-9)


def test_a_motion_that_was_fitted_in_the_air_loses_the_energy_that_its_drag_takes(tossed):
    """The drag is over the moments; with a body whose moments are stated, any scheme takes that of the scenario."""
    c, body = np.array([0.05, 0.02, 0.03]), World.of(tossed)
    scenario = fitted(tossed, fit(drag=c.tolist())).changed(
        schemes=("dop853",), damping={"quadratic": (c * body.moments).tolist()}
    )
    runs = simulate(scenario)
    lane, computed = runs["identified:phone"], runs["dop853"]
    assert (np.diff(lane.total_energy) < 0.0).all()
    np.testing.assert_allclose(lane.angular_velocity[-1], computed.angular_velocity[-1], atol=1e-6)
    assert angle_between(lane.orientation[-1], computed.orientation[-1]) < 1e-6
    for drag in (0.02, 100.0):  # the most that the table takes
        still = fit(ratios=(1.0, 1.0, 1.0), angular_velocity=(0.0, -3.0, 0.0), drag=(drag, drag, drag))
        lane = simulate(fitted(tossed, still))["identified:phone"]
        np.testing.assert_allclose(lane.angular_velocity[:, 1], -3.0 / (1.0 + drag * 3.0 * lane.time), rtol=1e-7)


def test_a_motion_that_was_fitted_is_as_fine_where_the_body_comes_to_turn_faster(tossed):
    """The rate about the middle axis goes over to that of the least moment, which is seven times as fast."""
    slow = fit(ratios=(0.01, 0.5, 1.0), angular_velocity=(0.01, 10.0, 0.01), drag=(0.02, 0.02, 0.02))
    lane = simulate(fitted(tossed, slow))["identified:phone"]
    speed = np.linalg.norm(lane.angular_velocity, axis=1)
    assert speed.max() > 30.0
    assert (speed[1:] * np.diff(lane.time)).max() < 0.06


def test_a_flight_later_than_its_recording_begins_with_the_attitude_that_this_has_then(tossed):
    whole = simulate(tossed)["exact"]
    start = whole.at(0.8)
    scenario = fitted(tossed, fit(begin=1.3, end=2.0, angular_velocity=start.angular_velocity.tolist()))
    edits = tuple({"time": time, "step": step} for time, step in ((0.9, 0.005), (1.1, 0.01), (1.3, 0.005)))
    for one in (scenario, scenario.changed(edit=edits[:1]), scenario.changed(edit=edits)):
        lane = simulate(one)["identified:phone"]
        assert (lane.time[0], lane.time[-1]) == pytest.approx((0.8, 1.5))
        for time in (0.8, 1.2, 1.5):
            assert angle_between(lane.at(time).orientation, whole.at(time).orientation) < 2e-3
    turned = fit(begin=1.3, end=2.0, orientation=(0.5, 0.5, 0.5, 0.5))
    np.testing.assert_allclose(simulate(fitted(tossed, turned))["identified:phone"].orientation[0], 0.5, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"end": 0.4}, r"measured\.0\.identified\.end: expected more than begin, 0\.5 s, got 0\.4"),
        ({"ratios": (0.5, 2.0, 1.0)}, r"measured\.0\.identified\.ratios\.1: expected"),
        ({"drag": (0.1, -0.1, 0.1)}, r"measured\.0\.identified\.drag\.1: expected"),
        ({"orientation": (1.0, 1.0, 0.0, 0.0)}, r"measured\.0\.identified\.orientation: expected a unit quaternion"),
        ({"begin": 7.0, "end": 8.0}, r"measured\.identified: expected a flight that is shown, .* from 0\.5 to 2\.5 s"),
        ({"angular_velocity": (9e5, 0.0, 0.0)}, r"identified\.angular_velocity: expected a flight in which the body"),
    ],
)
def test_a_fit_that_cannot_be_is_refused(tossed, change, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        World.of(fitted(tossed, fit(**change)))


def test_other_kinds_have_no_measured_lanes():
    with pytest.raises(ScenarioError, match="measured: not a table of kind 'top'"):
        small.top(measured=({"file": "toss.csv"},))


def test_a_rock_of_another_program_moves_on_the_terrain_where_its_file_says(tmp_path):
    path = np.column_stack([10.0 + 3.0 * TIME, -5.0 + TIME, 40.0 - 4.905 * TIME**2])
    read(tmp_path, table("t,x,y,z,qw,qx,qy,qz,px,py,pz", ",", TIME, RATES, ATTITUDES, path), "rock.csv")
    named = {
        "file": "rock.csv",
        "name": "other",
        "angular_velocity": ("x", "y", "z"),
        "orientation": ("qw", "qx", "qy", "qz"),
    }
    rock = small.rock(schemes=("explicit",), measured=(named,), folder=str(tmp_path))
    assert rock.shown == ("explicit", "measured:other")
    blocks = list(stream(World.of(rock), "measured:other", 16))
    time, position, velocity, rates = (
        np.concatenate([getattr(block, name) for block in blocks])
        for name in ("time", "position", "velocity", "angular_velocity")
    )
    np.testing.assert_allclose(time, TIME, atol=1e-9)
    np.testing.assert_allclose(position, path, atol=1e-7)
    np.testing.assert_allclose(rates, RATES, atol=1e-7)
    falling = np.column_stack([3.0 + 0.0 * TIME, 1.0 + 0.0 * TIME, -9.81 * TIME])
    np.testing.assert_allclose(velocity, falling, atol=1e-5)
    assert [event.kind for block in blocks for event in block.events] == ["end"], "no drift: the ground turns it"
    nowhere = {"file": "plain.csv"}
    read(tmp_path, table("t,wx,wy,wz", ",", TIME, RATES), "plain.csv")
    with pytest.raises(ScenarioError, match=r"measured\.position: expected columns of the position on the map"):
        World.of(rock.changed(measured=(nowhere,)))


def test_a_run_of_mujoco_is_a_lane_with_its_flight(tmp_path):
    """Its free joint has places and velocities in space, and rates in the body."""
    mujoco = pytest.importorskip("mujoco")
    world = """<mujoco><option timestep="0.001" integrator="RK4"/><worldbody><body><freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.2 0.25"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(world)
    data = mujoco.MjData(model)
    data.qvel[:] = (1.0, 2.0, 5.0, 0.3, 8.0, 0.2)
    rows = []
    for _ in range(500):
        rows.append((data.time, *data.qpos, *data.qvel))
        mujoco.mj_step(model, data)
    table = np.array(rows)
    np.savez(tmp_path / "mujoco.npz", time=table[:, 0], qpos=table[:, 1:8], qvel=table[:, 8:])
    body = {"shape": "inertia", "mass": 1.0, "inertia": (0.1, 0.2, 0.25)}
    start = {"angular_velocity": (0.3, 8.0, 0.2), "velocity": (1.0, 2.0, 5.0)}
    scenario = small.cuboid(body=body, initial=start, gravity={"g": 9.81}, duration=0.499, step=0.001)
    runs = simulate(
        scenario.changed(schemes=("exact",), measured=({"file": "mujoco.npz"},)).model_copy(
            update={"folder": str(tmp_path)}
        )
    )
    lane, exact = runs["measured"], runs["exact"]
    assert angle_between(lane.orientation, exact.orientation).max() < 1e-5
    np.testing.assert_allclose(lane.angular_velocity, exact.angular_velocity, atol=1e-6)
    np.testing.assert_allclose(lane.position, exact.position, atol=1e-6)
    np.testing.assert_allclose(lane.velocity, exact.velocity, atol=0.01)
    assert np.abs(np.diff(lane.total_energy[1:-1])).max() < 1e-3 * lane.kinetic_energy[0]


def test_rates_that_space_tells_are_turned_into_the_body(tmp_path):
    text = table("t,wx,wy,wz,qw,qx,qy,qz", ",", TIME, physics.core.rotation.apply(ATTITUDES, RATES), ATTITUDES)
    motion = read(tmp_path, text, rate_frame="space")
    biased = read(tmp_path, text, rate_frame="space", bias=(0.3, 0.0, -0.1))
    np.testing.assert_allclose(biased.angular_velocity, motion.angular_velocity - [0.3, 0.0, -0.1], atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity, RATES, atol=1e-6)
    with pytest.raises(ScenarioError, match=r"measured\.rate_frame: expected columns of a quaternion"):
        read(tmp_path, table("t,wx,wy,wz", ",", TIME, RATES), "b.csv", rate_frame="space")
