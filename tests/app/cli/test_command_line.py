"""The command line: what the commands write, exit status, nothing loaded in vain, nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_path

import app.cli.window
from app.cli.progress import Progress
from app.playback.run import MOST_LANES
from physics import SCHEMES
from physics.io import trajectory_readers
from physics.schemes import serving
from physics.schemes.scheme import FAMILIES
from tests.app.commanding import complaint, cuboid_file, polhode
from tests.faults.processes import ROOT, started


@pytest.fixture
def cuboid(tmp_path: Path) -> Path:
    return cuboid_file(tmp_path)


# ---- what works ---------------------------------------------------------------------------------------


def test_run_writes_the_states_and_says_how_each_scheme_ended(cuboid: Path, tmp_path: Path) -> None:
    done = polhode("run", cuboid, "-o", tmp_path / "out.npz")
    assert done.status == 0
    assert done.err == ""
    explicit, implicit = done.out.splitlines()
    assert explicit.startswith("explicit: the run ends at 0.5 s; largest relative error of energy ")
    assert implicit.startswith("implicit: ")
    assert list(trajectory_readers.load(tmp_path / "out.npz")) == ["explicit", "implicit"]


def test_options_take_the_place_of_the_scenario_s_values(cuboid: Path, tmp_path: Path) -> None:
    words = ["--scheme", "exact", "--scheme", "implicit", "--step", "0.02", "--duration", "0.1", "--quiet"]
    assert polhode("run", cuboid, "-o", tmp_path / "out.csv", *words) == (0, "", "")
    runs = trajectory_readers.load(tmp_path / "out.csv")
    assert list(runs) == ["exact", "implicit"]
    np.testing.assert_allclose(runs["exact"].time, [0.0, 0.02, 0.04, 0.06, 0.08, 0.1])


def test_as_many_schemes_as_there_are_may_be_named_but_a_picture_shows_eight(cuboid: Path, tmp_path: Path) -> None:
    able = serving("free")
    text = cuboid.read_text().replace('["explicit", "implicit"]', json.dumps(able))
    assert len(able) > MOST_LANES
    cuboid.write_text(text)
    assert polhode("run", cuboid, "-o", tmp_path / "out.npz", "--quiet") == (0, "", "")
    assert list(trajectory_readers.load(tmp_path / "out.npz")) == list(able)
    assert polhode("plot", cuboid, "-o", tmp_path / "plots.svg").status == 0
    for words in (["image", cuboid, "-o", tmp_path / "a.png"], ["video", cuboid, "-o", tmp_path / "a.mp4"]):
        said = complaint(*words)
        assert f"schemes: a picture shows at most 8 schemes, got {len(able)}; choose some with --scheme" in said
        assert not (tmp_path / words[3]).exists()


def test_a_terrain_serves_as_a_scenario(tmp_path: Path) -> None:
    (tmp_path / "map.asc").write_text("ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 2\n" + "9 8 7 6 " * 300)
    done = polhode("run", tmp_path / "map.asc", "-o", tmp_path / "out.npz", "--duration", "0.5")
    assert done.status == 0, done.err
    assert len(done.out.splitlines()) == 2
    assert "contact" in "".join(np.load(tmp_path / "out.npz").files)


def test_schemes_says_for_which_motion_each_claim_holds_with_its_source() -> None:
    lines = [line for line in polhode("schemes").out.split("\n\nKeeps:")[0].splitlines() if line and line[-1] != ":"]
    motion, keeps, serves = (lines[0].index(f"  {name}") + 2 for name in ("motion", "keeps", "serves"))
    told: dict[str, dict[str, str]] = {}
    for line in lines[1:]:
        if line[0] != " ":
            name = line.split()[0]
        told.setdefault(name, {})[line[motion:keeps].strip()] = line[keeps:serves].strip()
    assert list(told) == list(SCHEMES)
    assert told["verlet-exact"]["top, vessel"] == "vertical angular momentum, unit length; energy swings"
    assert list(told["implicit"]) == ["free body"]
    assert {"energy", "angular momentum"} <= set(told["implicit"]["free body"].split(", "))
    done = polhode("schemes")
    assert done.status == 0
    for name, scheme in SCHEMES.items():
        assert any(line.startswith(name + " ") for line in done.out.splitlines())
        assert scheme.reference in " ".join(done.out.split())
    done = polhode("schemes", "--json")
    rows = json.loads(done.out)
    assert [row["name"] for row in rows] == list(SCHEMES)
    for row in rows:
        assert row["keeps_energy"] == SCHEMES[row["name"]].keeps_energy  # of a free body, as ever
        assert next(iter(row["keeps"])) == "free body"
    assert done.err == ""


def test_schemes_of_one_family_or_for_one_kind() -> None:
    told = polhode("schemes", "--family", "Splitting", "--kind", "vessel").out
    assert told.split("\n\n")[1].startswith("Splitting:\nyoshida-4 ")
    assert "quat-em" not in told.split("\n\n")[1]
    rows = json.loads(polhode("schemes", "--kind", "rockfall", "--json").out)
    assert [row["name"] for row in rows] == list(serving("rockfall"))
    assert {row["family"] for row in rows} <= set(FAMILIES)
    for words, expected in (
        (["--family", "lie"], "--family: 'lie' is not a family; expected one of papers, splitting, Lie group, "),
        (["--kind", "plane"], "--kind: 'plane' is not a kind; expected one of free, top, vessel, ship, "),
        (
            ["--family", "Lie group", "--kind", "rockfall"],
            "--family: 'Lie group' has no scheme that serves kind 'rockfall'; ",
        ),
    ):
        assert expected in complaint("schemes", *words)


@pytest.mark.parametrize(
    ("words", "banned"),
    [
        (["--help"], ["numpy", "numba", "scipy", "physics", "PySide6", "vtkmodules", "pyvista"]),
        (["--version"], ["numpy", "numba", "scipy", "physics", "PySide6", "vtkmodules", "pyvista"]),
        (["schemes"], ["PySide6", "vtkmodules", "pyvista", "pyqtgraph", "imageio_ffmpeg"]),
    ],
)
def test_nothing_is_loaded_in_vain(words: list[str], banned: list[str]) -> None:
    code = (
        "import contextlib, sys\n"
        "from app.__main__ import main\n"
        f"with contextlib.suppress(SystemExit): main({words})\n"
        f"print('LOADED', sorted(set({banned}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


# ---- processes of their own ---------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_the_window_says_what_to_do(cuboid: Path) -> None:
    for words in ([], [cuboid]):
        child = started(*words)
        out, err = child.communicate()
        assert (child.returncode, out) == (1, "")
        assert err.count("\n") == 1, err
        assert "polhode video" in err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bring these libraries")
def test_missing_libraries_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.cli.window._LIBRARIES, "libnowhere.so.7", "libnowhere7")
    assert app.cli.window.obstacle() == "libnowhere.so.7 missing; on Debian and Ubuntu: apt install libnowhere7"


@pytest.mark.skipif(sys.platform != "linux", reason="X11")
def test_a_display_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    assert "display :987 does not answer" in str(app.cli.window.obstacle())


@pytest.mark.skipif(sys.platform != "linux", reason="the displays of Linux")
@pytest.mark.parametrize("platform", ["foo", "linuxfb:fb=/nowhere"])
def test_a_platform_that_qt_would_end_the_process_for_is_told_in_one_line(cuboid: Path, platform: str) -> None:
    child = started(cuboid, QT_QPA_PLATFORM=platform)
    out, err = child.communicate()
    assert (child.returncode, out, err.count("\n")) == (1, "", 1)
    assert f"Qt shows no window by QT_QPA_PLATFORM={platform.split(':')[0]}" in err


def test_what_a_name_or_a_file_holds_reaches_no_terminal_as_it_is(cuboid: Path, tmp_path: Path) -> None:
    title = "\x1b]0;owned\x07\x1b[31m\u202e"
    done = polhode("run", tmp_path / f"{title}.toml", "-o", tmp_path / "out.csv")
    assert (done.status, done.err[:-1].isprintable()) == (2, True)
    assert r"\x1b]0;owned\x07\x1b[31m\u202e.toml: no such file" in done.err
    cuboid.write_text(cuboid.read_text().replace('["explicit", "implicit"]', '["\\u001b[2J"]'))
    done = polhode("run", cuboid, "-o", tmp_path / "out.csv")
    assert (done.status, done.err[:-1].isprintable()) == (2, True)
    done = polhode("run", cuboid, "-o", tmp_path / "out.csv", "--\x1b[2J")
    assert (done.status, done.err[:-1].isprintable()) == (2, True)


def test_a_home_that_cannot_be_written_is_no_reason_to_complain(cuboid: Path, tmp_path: Path) -> None:
    (tmp_path / "full").write_text("where a folder should be")
    home = str(tmp_path / "full" / "home")
    words = [sys.executable, "-m", "app", "plot", cuboid, "-o", tmp_path / "plots.svg"]  # what is imported looks there
    homes = os.environ | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "MPLCONFIGDIR": home}
    done = subprocess.run(words, cwd=ROOT, env=homes, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_name_without_end_is_told_shortened(tmp_path: Path) -> None:
    done = polhode("run", tmp_path / f"{'a' * 5000}.toml", "-o", tmp_path / "out.csv")
    assert done.is_told_in_one_line
    assert len(done.err) < 600
    assert "…" in done.err
    assert ".toml: " in done.err
    assert len(polhode("run", "b " * 5000, "-o", tmp_path / "out.csv").err) < 2100


@pytest.mark.skipif(sys.platform != "linux", reason="Wayland")
def test_a_wayland_display_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    known = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7", "DISPLAY": "", "QT_QPA_PLATFORM": ""}
    child = started(**known)
    _, err = child.communicate(timeout=900)
    assert child.returncode == 1
    assert err.startswith("polhode: the Wayland display wayland-7 does not answer; ")
    assert err.count("\n") == 1


def test_the_bar_goes_away_and_lines_count_what_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Progress("bar") as bar:
        bar.show("drawing", 1, 4)
    assert "drawing" in (drawn := capsys.readouterr().err)
    assert " 25 %" in drawn
    assert drawn.endswith("\r\x1b[K")
    with monkeypatch.context() as terminal:
        terminal.setattr(sys.stderr, "isatty", lambda: True)
        Progress("none").note(["repaired"])  # of a part of what the bar counts
    assert capsys.readouterr().err == "\r\x1b[Kpolhode: note: repaired\n"
    for mode, quiet, expected in (("lines", False, "progress 3 4\n"), ("lines", True, ""), (None, False, "")):
        with Progress(mode, quiet) as progress:
            progress.show("computing", 2, 4)
            progress.show("drawing", 3, 4, counted=True)
        assert capsys.readouterr().err == expected


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_no_library_makes_a_folder_of_its_own_in_the_home(cuboid: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "app", "plot", cuboid, "-o", tmp_path / "plots.svg"]
    kept = {name: text for name, text in os.environ.items() if name not in ("MPLCONFIGDIR", "XDG_CONFIG_HOME")}
    (home := tmp_path / "home").mkdir()
    new = {"HOME": str(home), "XDG_CACHE_HOME": str(user_cache_path())}  # with the kernels that are compiled already
    subprocess.run(words, cwd=ROOT, env=kept | new, check=True)
    assert list(home.rglob("*")) == []
