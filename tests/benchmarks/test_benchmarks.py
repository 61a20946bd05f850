"""The benchmarks run and tell what they should; what they measure never fails a test.

``polhode bench`` runs them at full length.
"""

from __future__ import annotations

import json

import pytest

from app.__main__ import main
from app.bench import (
    BENCHMARKS,
    c_program,
    cluster,
    ensembles,
    films,
    frames,
    hulls,
    kernels,
    maps,
    neighbours,
    painting,
    rockfall,
    stalls,
    start,
)
from physics.schemes import SCHEMES, serving


def test_kernels_measure_every_scheme(monkeypatch):
    monkeypatch.setattr(kernels, "STEPS", 200)
    monkeypatch.setattr(kernels, "REPEATS", 1)
    monkeypatch.setattr(kernels, "MANY_STEPS", 20)
    lines: list[str] = []
    found = kernels.run(lines.append)
    assert [row["scheme"] for row in found if row["bodies"] == 1] == list(SCHEMES)
    assert [row["scheme"] for row in found if row["bodies"] > 1] == ["explicit", "implicit"]
    assert all(row["nanoseconds"] > 0 for row in found)
    assert len(lines) >= len(found)


def test_rockfall_measures_every_scheme_on_both_soils(monkeypatch):
    monkeypatch.setattr(rockfall, "ROCKS", 1)
    monkeypatch.setattr(rockfall, "LONGEST", 0.5)
    monkeypatch.setattr(rockfall, "OF_ROUND", ("implicit",))  # whose loop other tests run too: each compiles for 12 s
    lines: list[str] = []
    found = rockfall.run(lines.append)
    engines = {one.name for one in neighbours.NEIGHBOURS}
    own = [row for row in found["rates"] if row["scheme"] not in engines]
    assert [row["scheme"] for row in own] == 2 * list(serving("rockfall")) + 2 * list(rockfall.OF_ROUND)
    assert all(row["rate"] > 0 and len(row["rates"]) == 5 for row in found["rates"])
    assert own[0]["ratio_to_explicit"] == 1.0
    assert len(lines) >= len(found["rates"])
    for row in found["energy"]:
        if row["scheme"] in engines:
            assert 1e-7 < abs(row["flight"]) < 0.1
        else:
            assert abs(row["flight"]) < 1e-12
            assert row["rise"] < 1e-12


def test_cluster_measures_parts_that_sleep(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "WORKERS", ())
    monkeypatch.setattr(cluster, "SIMULATED", ((1, 32),))
    monkeypatch.setattr(cluster, "SLEEP", 0.02)
    (found,) = cluster.run()["simulated"]
    assert found["threads"] == cluster.THREADS
    assert 0.0 < found["rate"] <= found["possible"]
    assert found["part"] > 0.0


def test_hulls_compare_with_c(monkeypatch):
    monkeypatch.setattr(hulls, "ROUNDS", 2)
    monkeypatch.setattr(hulls, "CALLS", 2)
    lines: list[str] = []
    found = hulls.run(lines.append)
    assert len(lines) > len(found)
    assert all(row["ours"] > 0 and row["theirs"] > 0 for row in found)
    monkeypatch.setattr(c_program.shutil, "which", lambda name: None)
    assert hulls.run(lines.append) == []
    assert "no C compiler" in lines[-1]


def test_the_command_prints_one_json_document(monkeypatch, capsys):
    monkeypatch.setattr(kernels, "STEPS", 200)
    monkeypatch.setattr(kernels, "REPEATS", 1)
    assert main(["bench", "kernels", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"kernels"}


def test_an_unknown_benchmark_is_one_sentence(capsys):
    assert main(["bench", "nothing"]) == 2
    told = capsys.readouterr().err
    assert "expected one of " + ", ".join(BENCHMARKS) in told
    assert told.count("\n") == 1


def test_frames_compare_every_scene_with_its_bare_picture(monkeypatch):
    monkeypatch.setattr(frames, "FRAMES", 2)
    monkeypatch.setattr(frames, "SIZE", (320, 180))
    found = frames.run()
    assert [row["what"] for row in found["frames"]] == list(frames.scenarios())
    assert all(row["ratio"] >= 1.0 for row in found["frames"])


def test_frames_in_the_window_compare_with_a_bare_widget(monkeypatch):
    monkeypatch.setattr(painting, "FRAMES", 2)
    monkeypatch.setattr(painting, "SCENES", painting.SCENES[:1])
    found = painting.run()
    assert [row["what"] for row in found["frames"]] == ["cuboid, four lanes", "cuboid, four lanes, interactor"]
    assert found["longest"]["cuboid, four lanes"] > 0.0


def test_films_compare_with_bare_pictures_and_encoding(monkeypatch):
    monkeypatch.setattr(films, "SIZE", (160, 90))
    monkeypatch.setattr(films, "SECONDS", 0.1)
    monkeypatch.setattr(films, "ROUNDS", 1)
    scenes = {"cuboid-major": frames.scenarios()["cuboid-major"].changed(duration=0.5)}
    monkeypatch.setattr(frames, "scenarios", lambda: scenes)
    found = films.run()
    (row,) = found["films"]
    assert row["ours"] > 0
    assert row["theirs"] > 0
    assert found["first_frame_ms"]["cuboid-major"] > 0


def test_maps_are_opened_seen_and_weighed(monkeypatch):
    monkeypatch.setattr(maps, "SIDES", (80,))
    monkeypatch.setattr(maps, "SMALL", 60)
    monkeypatch.setattr(maps, "ROUNDS", 1)
    *times, memory = maps.run()
    assert [row["what"].split()[-1] for row in times] == ["opened", "picture", "picture"]
    assert all(row["ours"] > 0 and row["theirs"] > 0 for row in times)
    assert memory["peak_over_file"] > 0


def test_ensembles_tell_what_a_rock_costs(monkeypatch):
    monkeypatch.setattr(ensembles, "SIZES", (2, 4))
    monkeypatch.setattr(ensembles, "ROCKS", 2)
    monkeypatch.setattr(ensembles, "TURNS", 1)
    found = ensembles.run()
    assert [row["rocks"] for row in found["sizes"]] == [2, 4]
    assert all(row["cpu"] > 0 for row in found["sizes"])
    assert [row["what"].split()[-1] for row in found["threads"]] == ["threads", "processes", "threads", "rock"]
    assert all(row["ours"] > 0 and row["theirs"] > 0 for row in found["threads"])
    assert found["million"]["hours"] > 0


def test_starts_are_timed_in_processes_of_their_own(monkeypatch):
    monkeypatch.setattr(start, "ROUNDS", 1)
    monkeypatch.setattr(start, "WARM", False)
    measure, found = start.measure, []
    monkeypatch.setattr(start, "measure", lambda *which, **how: found.append(measure(*which, **how)) or found[-1])
    assert [row["what"] for row in start.run()] == [
        "window on the screen",
        "window with all controls",
        "first picture",
        "first motion",
        "first motion, nothing compiled",
        "polhode --help",
    ]
    ours = [one for one in found if "heavy" in one]
    assert len(ours) == 2
    for one in ours:
        assert one["heavy"] == []  # what the first picture does without
        assert one["window"] < one["controls"] < one["picture"] < one["motion"]


def test_stalls_are_counted_while_an_ensemble_runs(monkeypatch):
    monkeypatch.setattr(stalls, "SCENARIOS", ("rock-ramp",))
    monkeypatch.setattr(stalls, "WATCHED", 0.3)
    alone, busy = stalls.run()
    assert busy["scene"] == "rock-ramp, its ensemble runs"
    assert alone["turns"] >= 1
    assert busy["longest"] >= busy["q99"] >= busy["median"] >= 0
