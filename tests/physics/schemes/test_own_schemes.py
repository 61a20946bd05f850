"""A user's own scheme from a file: the numbers of the program's own, compiled or not; what is wrong is one sentence."""

from __future__ import annotations

import hashlib
import math
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import assets
from physics import SCHEMES, Motion, Scenario, ScenarioError, integrate, load_scenario, scheme_from_file, simulate
from physics.analysis.convergence import slope, study
from physics.core import cancellation
from physics.core.messages import Message
from physics.core.trajectory import COLUMNS
from physics.schemes import own_process
from physics.schemes.own_process import OwnCode, SchemeFault
from physics.schemes.own_scheme import add, is_own, row_of
from physics.schemes.own_worker import Worker
from physics.schemes.scheme import Scheme
from tests import small

EXAMPLE = Path(assets.__file__).parent / "schemes" / "own_rk4.py"
EULER = """
def step(J, field, h, q, w):
    x, y, z = w
    w = (x + h*(J[1]-J[2])*y*z/J[0], y + h*(J[2]-J[0])*z*x/J[1], z + h*(J[0]-J[1])*x*y/J[2])
    {line}
    return q, w, 0.0
"""
REMEMBERS = """
def step(J, field, h, q, w, memory):
    return q, w, 0.0, (*memory, 1.0)
"""
pytestmark = pytest.mark.usefixtures("own_schemes")
MOMENTS, TURNING = [1.0, 2.0, 3.0], [0.1, 5.0, 0.1]


@pytest.fixture(scope="module")
def example() -> Scheme:
    return scheme_from_file(EXAMPLE)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a file."""

    def write(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step has two seconds."""
    monkeypatch.setattr(own_process, "PATIENCE", 2.0)


def moved(name: str, steps: int = 200) -> Motion:
    return integrate(name, MOMENTS, [1, 0, 0, 0], TURNING, step=0.01, duration=0.01 * steps)


# ---- what works ---------------------------------------------------------------------------------------


def test_the_example_is_short_and_gives_the_bits_of_runge_kutta(example: Scheme) -> None:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 25
    add(example)
    found, expected = moved("own-rk4"), moved("rk4")
    assert found.orientation.tobytes() == expected.orientation.tobytes()
    assert found.angular_velocity.tobytes() == expected.angular_velocity.tobytes()


def test_a_file_says_what_it_is(example: Scheme) -> None:
    assert (example.name, example.title, example.order) == ("own-rk4", "My Runge-Kutta 4", 4)
    assert example.kinds == ("free", "top", "vessel")
    assert example.advice == "Your own scheme, from own_rk4.py; compiled."
    assert example.torques == SCHEMES["rk4"].torques
    assert example.reference == f"own scheme, own_rk4.py, sha256 {digest(EXAMPLE)}"
    assert (example.page, is_own(example.name)) == ("own-scheme", False)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def test_it_is_a_lane_like_any_other(example: Scheme) -> None:
    add(example)
    scenario = small.cuboid(schemes=["own-rk4", "own-rk4@0.005", "implicit"], duration=1.0)
    runs = simulate(scenario)
    assert [len(run) for run in runs.values()] == [101, 201, 101]
    assert runs["own-rk4@0.005"].events[-1].text == "own-rk4@0.005: the run ends at 1 s"
    np.testing.assert_allclose(runs["own-rk4"].angular_velocity, runs["implicit"].angular_velocity, atol=0.02)
    edited = simulate(scenario.changed(edit=[{"time": 0.5, "step": 0.005}]))["own-rk4"]
    assert len(edited) == 151
    points = list(study(scenario.changed(schemes=["own-rk4"])))
    assert slope(points) == pytest.approx(4.0, abs=0.15)


def test_it_meets_the_torque(example: Scheme) -> None:
    add(example)
    scenario = load_scenario(EXAMPLE.parents[1] / "scenarios" / "top-steady.toml")
    scenario = scenario.changed(schemes=["own-rk4", "verlet-exact"], step=1e-4, duration=0.1)
    found, known = simulate(scenario).values()
    np.testing.assert_allclose(found.orientation[-1], known.orientation[-1], atol=2e-3)


def in_python(text: str) -> str:
    """The same text, but numba cannot compile its step: it prints nothing to nowhere."""
    return re.sub(r"(def step\(.*\):\n)", r"\1    print(end='', file=None)\n", text)


def test_compiled_and_in_python_the_numbers_are_the_same(example: Scheme, file: Callable[[str], Path]) -> None:
    slow = scheme_from_file(file(in_python(EXAMPLE.read_text().replace('"own-rk4"', '"slow"'))))
    assert "runs as Python, many times slower, as numba does not compile it" in slow.advice
    add(slow)
    add(example)
    assert moved("slow").orientation.tobytes() == moved("own-rk4").orientation.tobytes()


def test_a_scheme_may_remember(file: Callable[[str], Path]) -> None:
    """Adams and Bashforth 2, whose memory is the rate of the step before; None in Python and compiled the same."""
    rate = "((J[1]-J[2])*w[1]*w[2]/J[0], (J[2]-J[0])*w[2]*w[0]/J[1], (J[0]-J[1])*w[0]*w[1]/J[2])"
    text = f"""
from physics import exp_half, product
ORDER = 2
def start(J, field, h, q, w):
    return {rate}
def step(J, field, h, q, w, before):
    now = {rate}
    w = (w[0] + h*(1.5*now[0] - 0.5*before[0]), w[1] + h*(1.5*now[1] - 0.5*before[1]),
         w[2] + h*(1.5*now[2] - 0.5*before[2]))
    return product(q, exp_half((h*w[0], h*w[1], h*w[2]))), w, 0.0, now
"""
    made = scheme_from_file(file(text))
    assert made.name == "mine"
    assert made.advice.endswith("compiled.")
    add(made)
    found = moved("mine")
    w, before = np.array(TURNING), None
    J = np.array(MOMENTS)
    for _ in range(200):
        now = np.array([(J[1] - J[2]) * w[1] * w[2], (J[2] - J[0]) * w[2] * w[0], (J[0] - J[1]) * w[0] * w[1]]) / J
        w, before = w + 0.01 * (1.5 * now - 0.5 * (now if before is None else before)), now
    np.testing.assert_allclose(found.angular_velocity[-1], w, rtol=1e-12)
    add(scheme_from_file(file(in_python(text))))
    assert moved("mine").angular_velocity.tobytes() == found.angular_velocity.tobytes()


# ---- what is wrong with a file ------------------------------------------------------------------------


def test_a_wrong_file_is_refused_in_one_sentence(file: Callable[[str], Path]) -> None:
    for text, words in {
        "def step(J, field, h, q, w)\n    return q": "line 1: SyntaxError: expected ':'",
        "import os\nos._exit(3)": "its process exited (status 3)",
        "NAME = 'implicit'\n" + EULER.format(line=""): "'implicit' is a scheme of the program; expected another name",
        "NAME = 'measured'\n" + EULER.format(line=""): "'measured' is a scheme of the program; expected another name",
    }.items():
        path = file(text)
        with pytest.raises(ScenarioError, match=re.escape(words)) as told:
            scheme_from_file(path)
        assert told.value.file == path
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nowhere", "line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("x = 1", "expected a function step(J, field, h, q, w)"),
        ("step = 3", "expected a function step(J, field, h, q, w)"),
        ("def step(J, h):\n    pass", "line 1: expected step(J, field, h, q, w)"),
        (EULER.format(line="return q, w"), "line 2: expected (q, w, residual) of step, got ("),
        (EULER.format(line="return q, w, 0.0, 1"), "line 2: expected (q, w, residual) of step, got 4 values"),
        (EULER.format(line="return q, w[:2], 0.0"), "line 2: expected q of 4 and w of 3 numbers of step, got 4 and 2"),
        (EULER.format(line="return q, 1.0, 0.0"), "line 2: expected w, three numbers, of step, got 1.0"),
        (EULER.format(line="return None"), "line 2: expected (q, w, residual) of step, got None"),
        (EULER.format(line="return q, w, 'x'"), "line 2: expected residual, a number, of step, got ('x',)"),
        (EULER.format(line="1 / 0"), "line 5: ZeroDivisionError: division by zero"),
        (EULER.format(line="raise SystemExit"), "line 5: SystemExit"),
        ("def start(J, field, h, q, w):\n    return ()\n" + REMEMBERS, "expected 1 to 1000 numbers of start, got 0"),
        ("def start(J, field, h, q, w):\n    return 1.0\n" + REMEMBERS, "expected a tuple of numbers, its memory, of"),
        ("def start(J, field, h, q, w):\n    return 1.0,\n" + REMEMBERS, "expected 1 numbers of memory of step, got 2"),
        ("def start(J, field, h, q, w):\n    return 1.0,\n" + EULER.format(line=""), "(J, field, h, q, w, memory)"),
    ],
)
def test_a_worker_tells_what_is_wrong_and_where(text: str, words: str) -> None:
    told: list[tuple] = []
    Worker(lambda what, facts, arrays=None: told.append((what, facts))).answer(
        Message("take", {"path": "mine.py", "text": text}, {})
    )
    ((what, facts),) = told
    assert what == "fault"
    assert words in facts["text"]
    assert "\n" not in facts["text"]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"NAME": "a b"}, "NAME: expected up to 40 letters, digits, '-', '_' and '.', got 'a b'"),
        ({"NAME": "a@0.1"}, "NAME: expected up to 40 letters"),
        ({"NAME": "../a"}, "NAME: expected up to 40 letters"),
        ({"NAME": "a."}, "NAME: expected up to 40 letters"),
        ({"TITLE": 7}, "TITLE: expected a line of text of at most 40 letters, got 7"),
        ({"TITLE": "a\nb"}, "TITLE: expected a line of text"),
        ({"CITATION": "x" * 301}, "CITATION: expected a line of text of at most 300 letters"),
        ({"ORDER": 2.5}, "ORDER: expected a whole number of 1 to 20, got 2.5"),
        ({"ORDER": True}, "ORDER: expected a whole number"),
        ({"TORQUES": 0}, "TORQUES: expected a whole number of 1 to 1000, got 0"),
        ({"KINDS": ["rockfall"]}, "KINDS: expected some of free, top, vessel, got ['rockfall']"),
        ({"KINDS": []}, "KINDS: expected some of"),
        ({"KINDS": [["free"]]}, "KINDS: expected some of"),
    ],
)
def test_a_file_that_says_nonsense_of_itself_is_refused(facts: dict, words: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(words)):
        row_of(Path("mine.py"), OwnCode(Path("mine.py"), "", facts | {"memory": 0}))


def test_a_file_without_a_name_has_its_own() -> None:
    found = row_of(Path("my scheme (2).py"), OwnCode(Path("mine.py"), "", {"memory": 0, "KINDS": "top"}))
    assert (found.name, found.title, found.letter, found.kinds) == ("my-scheme-2", "my-scheme-2", "M*", ("top",))
    assert (found.order, found.torques) == (0, None)


def test_what_is_no_python_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "b.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "c.py").write_bytes(b"x = '\0'")
    (tmp_path / "d.py").write_text("#" * 1_000_001)
    for name, words in {"a.txt": "expected a Python file", "b.py": "not a text file", "c.py": "NUL byte",
                        "d.py": "more than the 1 MB", "e.py": "no such file"}.items():  # fmt: skip
        with pytest.raises(ScenarioError, match=words):
            scheme_from_file(tmp_path / name)


@pytest.mark.parametrize("line", ["while True:\n    pass", "import time\ntime.sleep(1000)"])
def test_an_endless_file_is_given_up(file: Callable[[str], Path], hasty: None, line: str) -> None:
    with pytest.raises(ScenarioError, match=r"not return within 2 s: an endless loop\?"):
        scheme_from_file(file(line))


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process by a signal")
def test_time_that_other_programs_take_does_not_count(file: Callable[[str], Path], hasty: None) -> None:
    """The file stands still for longer than a step may take, as on a machine that is busy with other things."""
    held = """
import os, signal, subprocess
subprocess.Popen(["sh", "-c", f"sleep 4; kill -CONT {os.getpid()}"])
os.kill(os.getpid(), signal.SIGSTOP)
"""
    assert scheme_from_file(file(held + EULER.format(line=""))).name == "mine"


# ---- what goes wrong under way ------------------------------------------------------------------------


def failed(scenario: Scenario) -> str:
    """How ``mine`` ended, on the way and alone."""
    runs = simulate(scenario)
    assert [event.kind for event in runs["implicit"].events] == ["end"]
    assert 2 < len(runs["mine"]) < len(runs["implicit"])
    for column in COLUMNS:
        assert np.isfinite(getattr(runs["mine"], column)).all()
    event = runs["mine"].events[-1]
    assert event.kind == "failed-solve"
    return event.text


@pytest.mark.parametrize("change", [str, in_python], ids=["compiled", "python"])
def test_a_fault_ends_its_lane_alone(file: Callable[[str], Path], hasty: None, change: Callable[[str], str]) -> None:
    scenario = small.cuboid(schemes=["implicit"], initial={"angular_velocity": (0.1, 5.0, 0.1)})
    at = change is in_python  # a line more
    for line, words in {
        "while w[0] < 0.0:\n        x += 1.0": "mine: ends before 0.46 s: mine.py: a step does not return within 2 s",
        "x = 1.0 / (0.0 if w[0] < 0.0 else 1.0)": f"mine: ends before 0.46 s: mine.py: line {5 + at}: Zero",
    }.items():
        add(scheme_from_file(file(change(EULER.format(line=line)))))
        assert ("runs as Python" in SCHEMES["mine"].advice) is (change is in_python)
        assert failed(scenario.changed(schemes=["mine", "implicit"])).startswith(words)


def test_a_residual_that_is_infinite_is_no_solution(file: Callable[[str], Path]) -> None:
    add(scheme_from_file(file("import math\n" + EULER.format(line="if h > 0.005:\n        return q, w, math.inf"))))
    run = simulate(small.cuboid(schemes=["mine"]))["mine"]
    assert len(run) == 1
    assert "no solution of the step before 0.01 s" in run.events[-1].text


def test_nan_is_no_solution(file: Callable[[str], Path]) -> None:
    add(scheme_from_file(file(EULER.format(line="w = (w[0], w[1], w[2] * float('nan'))"))))
    run = simulate(small.cuboid(schemes=["mine"]))["mine"]
    assert len(run) == 1
    assert "no solution of the step" in run.events[-1].text
    assert "mine.py" in run.events[-1].text


def test_who_waits_no_longer_ends_an_endless_step(file: Callable[[str], Path]) -> None:
    made = scheme_from_file(file(EULER.format(line="while h > 0.005:\n        x += 1.0")))
    J, q = np.array(MOMENTS), np.array([1.0, 0.0, 0.0, 0.0])
    state, asked = made.start(J, q, np.array(TURNING)), iter([False, True])
    with cancellation.until(lambda: next(asked)), pytest.raises(cancellation.GivenUp):
        made.march(J, np.zeros(12), 0.01, 1, state, np.empty((1, 7)))
    assert made.march(J, np.zeros(12), 0.001, 1, state, np.empty((1, 7))) == (1, 0.0)  # in another process


def test_a_scheme_called_on_arrays_raises(file: Callable[[str], Path]) -> None:
    add(scheme_from_file(file(EULER.format(line="w = w if h < 0.005 else w[7]"))))
    with pytest.raises(SchemeFault, match=r"mine.py: line 5: (Index|Type)Error"):
        moved("mine")


def test_an_own_scheme_serves_no_rockfall(example: Scheme) -> None:
    add(example)
    with pytest.raises(ScenarioError, match="'own-rk4' cannot serve kind 'rockfall'"):
        small.rock(schemes=["own-rk4"])
    assert math.isfinite(example.cost)


def test_what_a_file_prints_is_told_from_sentences_of_the_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = EXAMPLE.read_text() + "\nimport sys\nprint('polhode: a sentence')\nprint('\\x1b[2Jred', file=sys.stderr)\n"
    (tmp_path / "mine.py").write_text(text)
    scheme_from_file(tmp_path / "mine.py")
    told = ""
    while told.count("\n") < 2:  # a thread tells it
        told += capfd.readouterr().err
        time.sleep(0.01)
    assert told == "mine.py prints: polhode: a sentence\nmine.py prints:  [2Jred\n"
