"""Batches: a file for each combination of listed values, and the lecture set of all examples."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import pytest

import assets
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.export import collection
from physics import Scenario, ScenarioError, load_scenario, parse_scenario
from physics.scenario.batch import combinations
from tests.app.commanding import CUBOID, complaint, polhode
from tests.app.staging import finished

LONG = "\N{LATIN SMALL LETTER A WITH DIAERESIS}" * 200
BATCH = CUBOID + '[batch]\nstep = [0.01, 0.005]\nschemes = ["explicit", ["implicit", "exact"]]\n'


def test_a_batch_holds_every_combination_of_the_lists() -> None:
    made = combinations(parse_scenario(BATCH, "x.toml"))
    assert [(one.step, one.schemes) for _, one in made] == [
        (0.01, ("explicit",)),
        (0.01, ("implicit", "exact")),
        (0.005, ("explicit",)),
        (0.005, ("implicit", "exact")),
    ]
    assert [name for name, _ in made][1] == "step 0.01, schemes implicit exact"
    assert all(not one.batch for _, one in made)
    text = CUBOID + "[batch.body]\nmass = [1.0, 2.0]\n[batch.initial]\nangular_velocity = [[1.0, 0.0, 0.0]]\n"
    made = combinations(parse_scenario(text, "x.toml"))
    assert [(one.body.mass, one.initial.angular_velocity) for _, one in made] == [
        (1.0, (1.0, 0.0, 0.0)),
        (2.0, (1.0, 0.0, 0.0)),
    ]
    scenario = parse_scenario(CUBOID, "x.toml")
    assert combinations(scenario) == [("", scenario.changed(batch={}))]


@pytest.mark.parametrize(
    ("table", "field"),
    [
        ("step = 0.01", "batch.step"),
        ("step = []", "batch.step"),
        ("step = [-1.0]", "batch.step"),
        ("stride = [1]", "batch.stride"),
        ("body.mas = [1.0]", "batch.body.mas"),
        ("step = [" + "0.1," * 40 + "]\nduration = [" + "1.0," * 40 + "]", "batch"),
    ],
)
def test_a_wrong_list_is_named(table: str, field: str) -> None:
    with pytest.raises(ScenarioError) as told:
        combinations(parse_scenario(f"{CUBOID}[batch]\n{table}\n", "x.toml"))
    assert told.value.field == field


def test_a_batch_says_which_of_its_files_have_numbers_that_cannot_be_right(tmp_path: Path) -> None:
    file = tmp_path / "batch.toml"
    file.write_text('title = "T"\n' + BATCH.replace("0.005", "0.4").replace("duration = 20.0", "duration = 2.0"))
    done = polhode("batch", file, "-o", tmp_path / "out", "--as", ".csv")
    told = done.err.splitlines()
    assert done.status == 0
    assert len(told) == len(set(told))
    doubts = [line for line in told if "a step of 0.4 s turns the body by 4 rad, more than half a turn" in line]
    assert [line.split(": ")[2] for line in doubts] == [
        "T, step 0.4, schemes explicit",
        "T, step 0.4, schemes implicit exact",
    ]
    assert not any("step 0.01" in line for line in told)
    assert polhode("batch", file, "-o", tmp_path / "again", "--as", ".csv", "--quiet").err == ""


def test_a_lane_without_a_solution_is_told_in_whatever_mode_and_after_an_interruption_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        (assets.SCENARIOS / "top-unsolved.toml").read_text(encoding="utf-8").replace("duration = 2.0", "duration = 0.1")
    )
    file = tmp_path / "top.toml"
    file.write_text(text.replace("0.0072", "0.02") + "[batch]\nstep = [0.02, 0.001]\n", encoding="utf-8")
    words = ["batch", file, "--as", ".csv", "-o"]
    states = polhode(*words, tmp_path / "states", "--quiet")
    lines = polhode(*words, tmp_path / "lines", "--progress", "lines")
    assert (lines.status, lines.err.replace("progress ", "").split("\n")[1]) == (1, states.err.strip())
    with monkeypatch.context() as interrupted:
        interrupted.setattr(Progress, "show", show_until_the_second_file)
        assert polhode(*words, tmp_path / "parts", "--quiet").status == 130
    assert polhode(*words, tmp_path / "parts", "--quiet") == states
    plot = polhode("plot", file, "-o", tmp_path / "plot.csv", "--quiet")
    assert [states.status, plot.status] == [1, 0]
    for done in (states, plot):
        assert done.is_told_in_one_line
        assert "no solution" in done.err
        assert "note:" not in done.err


def show_until_the_second_file(progress: Progress, task: str, done: float, total: float, counted: bool = False) -> None:
    """Interrupt, as Ctrl+C does."""
    if counted and done == 1:
        raise KeyboardInterrupt


@pytest.mark.picture
def test_a_batch_writes_a_folder_with_an_index(tmp_path: Path) -> None:
    file = tmp_path / "batch.toml"
    file.write_text(BATCH)
    words = ["--as", ".png", "--size", "160x90", "--duration", "0.1"]
    assert polhode("batch", file, "-o", tmp_path / "out", *words) == (0, "", "")
    pictures = sorted(path.name for path in (tmp_path / "out").glob("*.png"))
    assert len(pictures) == 4
    assert pictures[0] == "001-step-0.01-schemes-explicit.png"
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert all(f'src="{name}"' in page for name in pictures)
    assert scenario_for(tmp_path / "out" / pictures[3]).schemes == ("implicit", "exact")


def test_a_batch_that_is_ended_keeps_its_files_and_is_resumed(tmp_path: Path) -> None:
    items = [collection.CollectionItem(name, parse_scenario(CUBOID, "x.toml")) for name in ("a", "b", "c")]
    out, computed = tmp_path / "out", list[str]()

    def compute(until: int) -> Callable[[Scenario], collection.Computed]:
        def run(scenario: Scenario) -> collection.Computed:
            if len(computed) == until:
                raise KeyboardInterrupt
            computed.append(scenario.title)
            made = finished(scenario)
            assert made.world is not None
            return made.world, made.lanes

        return run

    with pytest.raises(KeyboardInterrupt):  # nothing is complete: nothing stays
        collection.write_collection(items, out, ".npz", "T", compute(0))
    assert list(tmp_path.iterdir()) == []
    for done in (1, 2):
        with pytest.raises(KeyboardInterrupt, match=f"holds {done} of 3 files"):
            collection.write_collection(items, out, ".npz", "T", compute(done))
        assert len(list(out.glob("*.npz"))) == done
    before = (out / "a.npz").stat().st_mtime_ns
    with pytest.raises(ScenarioError, match="not empty"):  # of another batch
        collection.write_collection(items[:2], out, ".npz", "T", compute(9))
    collection.write_collection(items, out, ".npz", "T", compute(9))
    assert len(computed) == 3
    assert sorted(path.name for path in out.iterdir()) == ["a.npz", "b.npz", "c.npz", "index.html"]
    assert (out / "a.npz").stat().st_mtime_ns == before


def test_a_batch_that_fails_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "batch.toml"
    file.write_text(BATCH.replace("0.005", "5.0"))
    assert "batch.step" in complaint("batch", file, "-o", tmp_path / "out", "--as", ".npz")
    assert list(tmp_path.iterdir()) == [file]
    assert polhode("batch", file, "-o", tmp_path / "out", "--as", ".avi").status == 2


def test_the_lecture_set_holds_every_example_as_a_short_film() -> None:
    items = collection.lecture(collection.examples(), load_scenario)
    assert {item.name for item in items} == {path.stem for path in Path("assets/scenarios").glob("*.toml")}
    films = {item.name: item.scenario for item in items}
    for scenario in films.values():
        shown = (scenario.export.last or scenario.duration) - scenario.export.first
        assert shown / scenario.export.speed <= collection.LONGEST + 1e-9
    for own in map(load_scenario, collection.examples()):
        assert own.duration / own.export.speed <= 120.0, own.title
    assert films["table-tippe-top"].export.speed == 0.1  # slow motion, of 2 s in LONGEST: its own is slower
    assert films["rock-alpine"].export.speed == films["rock-alpine"].duration / collection.LONGEST
    page = collection.index(items, ".mp4", "Films")
    assert page.count("<video") == len(items)
    assert all(html.escape(item.scenario.title) in page for item in items)


def test_long_values_make_names_that_files_can_have(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(f'{CUBOID}[batch]\nnote = ["{LONG}", "short"]\n', encoding="utf-8")
    assert polhode("batch", tmp_path / "x.toml", "-o", tmp_path / "out", "--as", ".csv").status == 0
    names = sorted(file.name for file in (tmp_path / "out").glob("*.csv"))
    assert names[0].startswith(f"001-note-{LONG[:50]}")
    assert names[1] == "002-note-short.csv"
