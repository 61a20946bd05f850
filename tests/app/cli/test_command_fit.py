"""``polhode fit``: the folder, the same bytes from any number of threads, Ctrl+C, and what is refused."""

import csv
import json
import signal
import subprocess
import sys
import tomllib

import pytest

from app.cli.parser import parse
from app.cli.progress import Progress
from app.document.toml_writer import toml_text
from app.hazard.commands import measurements
from assets.make.catalogues import HOUSE
from physics import ScenarioError, load_scenario
from tests.small import rock

SLAB = rock(
    title="Slide",
    note="A slab.",
    step=0.01,
    schemes=["implicit"],
    body={"size": (1.0, 0.8, 0.6), "density": 2700.0},
    initial={"orientation": "random"},
    terrain={"profile": "ramp", "angle": 35.0, "drop": 4.0},
    soil={"mu_min": 0.35, "mu_max": 0.55, "drag": 0.3},
    ensemble={"rocks": 1, "seed": 2},
)
FREE = ("--free", "soil.drag=0.1:2:log", "--free", "soil.mu_min=0.1:0.5")
NAMES = ["fitted.toml", "index.html", "posterior.csv", "ranks.csv", "summary.json", "trials.csv"]


@pytest.fixture(scope="module")
def slope(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slope")
    (folder / "slope.toml").write_text(toml_text(SLAB.portable()))
    (folder / "stops.csv").write_text("x,y\n8,0\n8.4,0.5\n9,-0.2\n10,0\n")
    return folder


def call(folder, output, *options, free=FREE, command="fit"):
    arguments = parse([command, str(folder / "slope.toml"), "--quiet", *free, "-o", str(folder / output), *options])
    return arguments.command(arguments)


def options(folder, *more):
    return ("--observed", str(folder / "stops.csv"), "--rocks", "4", "--trials", "64", "--draws", "20", *more)


@pytest.fixture(scope="module")
def drawn():
    """The endings of figures that were to be written; only .svg is, for they take most of the time."""
    endings, write = [], measurements.write

    def written(made, path):
        endings.append(path.suffix)
        if endings.count(".svg") == 1 and path.suffix == ".svg":
            write(made, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurements, "write", written)
        yield endings


@pytest.fixture(scope="module")
def made(slope, drawn):
    assert call(slope, "made", *options(slope, "--workers", "1")) == 0
    assert drawn == [".pdf", ".svg", ".png"]
    return slope / "made"


def test_the_folder_says_what_was_fitted_on_which_runs_and_that_it_is_no_prediction(slope, made):
    assert sorted(path.name for path in made.iterdir()) == ["fit.svg", *NAMES]
    facts = json.loads((made / "summary.json").read_text())
    drag, friction = facts["parameters"]
    assert (drag["field"], drag["start"], drag["logarithmic"]) == ("soil.drag", 0.3, True)
    assert 0.1 <= drag["fitted"] <= 2.0
    assert sorted(facts["runs"]["fitted"] + facts["runs"]["held_out"]) == [1, 2, 3, 4]
    assert facts["prediction"] is False
    assert drag["sensitivities"]["score"]["total"] > 5.0 * friction["sensitivities"]["score"]["total"]
    rows = list(csv.reader((made / "trials.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0][:5] == ["trial", "stage", "soil.drag", "soil.mu_min", "score [m]"]
    assert len(rows) == 1 + facts["trials"]
    assert rows[1][1:4] == ["start", "0.3", "0.35"]
    best = min(float(row[4]) for row in rows[1:])
    assert best == facts["best_of_trials"]["score"]
    sets = (made / "posterior.csv").read_text(encoding="utf-8").splitlines()
    assert sets[0] == "soil.drag,soil.mu_min"
    assert len(sets) == 21
    told = facts["posterior"]["ranks"]["held_out"]
    assert told.keys() == {"start", "fitted", "posterior"}  # two runs are too few for the model's error
    ranks = list(csv.reader((made / "ranks.csv").read_text(encoding="utf-8").splitlines()))
    assert ranks[0] == ["run", "part", "start", "fitted", "posterior"]
    assert [row[0] for row in ranks[1:]] == ["1", "2", "3", "4"]
    assert [float(row[4]) for row in ranks[1:] if row[1] == "held_out"] == told["posterior"]["values"]
    page = (made / "index.html").read_text(encoding="utf-8")
    for text in (
        "with 20 sets of the posterior",
        "Runs in the bands of the rocks",
        "not a prediction",
        "fitted runs: ",
        "held-out runs: ",
        facts["says"],
    ):
        assert text in page
    assert "not a prediction" in (made / "fit.svg").read_text(encoding="utf-8")


def test_the_fitted_scenario_opens_and_validates_as_fitted(slope, made, capsys):
    fitted = load_scenario(made / "fitted.toml")
    assert fitted.title == "Slide, fitted"
    assert fitted.note.startswith("Fitted on 2 of 4 measured runs of stops.csv, not a prediction: soil.drag = ")
    assert fitted.note.endswith(" A slab.")
    assert tomllib.loads((made / "fitted.toml").read_text())["fitted"]["values"] == {
        "soil.drag": fitted.soil.drag,
        "soil.mu_min": fitted.soil.mu_min,
    }
    arguments = parse(["validate", str(made / "fitted.toml"), "--rocks", "2", "--workers", "1"])
    assert arguments.command(arguments) == 0
    says = "Fitted on 2 of these 4 runs, not a prediction: soil.drag, soil.mu_min; 2 of these were held out"
    assert says in capsys.readouterr().out
    arguments = parse(["validate", str(made / "fitted.toml"), "--rocks", "2", "--workers", "1", "--quiet", "--json"])
    assert arguments.command(arguments) == 0
    assert json.loads(capsys.readouterr().out)["fitted"] == says


def test_any_number_of_threads_gives_the_same_bytes(slope, made, capsys):
    assert call(slope, "again", *options(slope, "--workers", "2", "--json")) == 0
    assert capsys.readouterr().out == (made / "summary.json").read_text(encoding="utf-8")
    for name in NAMES:
        assert (slope / "again" / name).read_bytes() == (made / name).read_bytes(), name


def test_an_ensemble_takes_the_posterior(slope, made):
    file = str(made / "posterior.csv")
    arguments = parse(
        [
            "ensemble",
            str(made / "fitted.toml"),
            "--posterior",
            file,
            "--rocks",
            "3",
            "--quiet",
            "-o",
            str(slope / "out"),
        ]
    )
    assert arguments.command(arguments) == 0
    assert file in json.loads((slope / "out" / "summary.json").read_text())["files"]


def test_ctrl_c_keeps_the_best_so_far(slope, drawn, monkeypatch):
    def show(self, task, done, total, counted=False):
        assert (task, total) == ("trials", 64)
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", show)
    assert call(slope, "ended", *options(slope, "--workers", "1")) == 130
    facts = json.loads((slope / "ended" / "summary.json").read_text())
    assert (facts["trials"], facts["interrupted"]) == (7, True)
    assert facts["says"].endswith("The search was stopped before all trials were made.")
    assert facts["parameters"][0]["sensitivities"] == "not computed: one field, or too few trials"
    assert load_scenario(slope / "ended" / "fitted.toml").fitted is not None


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_the_process_lives_until_the_best_so_far_is_written(slope):
    words = [sys.executable, "-m", "app", "fit", "slope.toml", *FREE, "-o", "signalled", *options(slope)]
    words += ["--workers", "1", "--progress", "lines", "--trials", "1000000"]
    code = f"import sys; sys.path.insert(0, {str(HOUSE)!r}); from app.__main__ import main; sys.exit(main())"
    words[1:3] = ["-c", code]
    with subprocess.Popen(words, cwd=slope, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        for line in child.stderr:
            if line.startswith("progress 3 "):
                break
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=600)[1]
    assert child.returncode == 130, said
    facts = json.loads((slope / "signalled" / "summary.json").read_text())
    assert facts["interrupted"]
    assert 3 <= facts["trials"] < 1_000_000
    assert (slope / "signalled" / "fit.png").is_file()


@pytest.mark.parametrize(
    ("free", "more", "told"),
    [
        (("--free", "soil.mu_mni=0.1:0.2"), (), r"slope\.toml: --free: soil\.mu_mni: unknown field; did you mean"),
        (("--free", "forest.drag=0.1:0.2"), (), r"forest\.drag = 0\.1: forest\.height: missing"),
        (FREE, ("--holdout", "0.9"), r"4 stops of which . would be held out; expected two or more in each part"),
        (FREE, ("--trials", "20"), r"--trials: expected at least 29 for 2 fields, got 20"),
        (FREE, ("--observed", "none.csv"), r"none\.csv: no such file"),
    ],
)
def test_what_cannot_be_fitted_is_one_sentence(slope, free, more, told):
    with pytest.raises(ScenarioError, match=told):
        call(slope, "refused", *options(slope, "--workers", "1", *more), free=free)
    assert not (slope / "refused").exists()


def test_without_stops_there_is_nothing_to_fit(slope, made):
    with pytest.raises(
        ScenarioError, match=r"slope\.toml: observed\.stops: missing; expected a file of measured stops"
    ):
        call(slope, "refused")
    with pytest.raises(ScenarioError, match="the folder is not empty"):
        call(slope, "made")


@pytest.mark.parametrize("free", ["soil.drag", "soil.drag=1", "soil.drag=2:1", "soil.drag=0:1:log", "=1:2", "a=1:2:3"])
def test_bounds_are_lower_and_upper(slope, free, capsys):
    with pytest.raises(SystemExit):
        call(slope, "refused", free=("--free", free))
    assert "expected" in capsys.readouterr().err


def test_rocks_that_are_too_fast_for_the_step_are_told(slope, tmp_path, drawn, capsys):
    """The slab comes to 6 m/s: in 0.3 s it is farther on than its radius of 0.7 m."""
    (tmp_path / "slope.toml").write_text(toml_text(SLAB.changed(step=0.3).portable()))
    words = ["fit", str(tmp_path / "slope.toml"), "--observed", str(slope / "stops.csv"), *FREE[:2], "--rocks", "4"]
    arguments = parse([*words, "--trials", "32", "--draws", "0", "-o", str(tmp_path / "coarse")])
    assert arguments.command(arguments) == 0
    assert "implicit: in a step of 0.3 s 4 of 4 rocks moved farther than their radius" in capsys.readouterr().err
