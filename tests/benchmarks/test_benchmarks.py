"""The benchmarks run and tell what they should; what they measure never fails a test.

``polhode bench`` runs those of the integration at full length, ``python -m tests.benchmarks.NAME`` those of the window.
"""

from __future__ import annotations

import json

import pytest

from app.__main__ import main
from app.bench import BENCHMARKS, joints, kernels, neighbours, rockfall
from physics.schemes import SCHEMES, serving
from tests.benchmarks import frames, stalls, start


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
    monkeypatch.setattr(rockfall, "LONGEST_FALL", 0.5)
    monkeypatch.setattr(rockfall, "OF_OTHERS", ("implicit",))  # whose loop other tests run too: each compiles for 12 s
    lines: list[str] = []
    found = rockfall.run(lines.append)
    engines = {one.name for one in neighbours.NEIGHBOURS}
    own = [row for row in found["rates"] if row["scheme"] not in engines]
    assert [row["scheme"] for row in own] == 2 * list(serving("rockfall")) + 3 * list(rockfall.OF_OTHERS)
    assert all(row["rate"] > 0 and len(row["rates"]) == 5 for row in found["rates"])
    assert own[0]["ratio_to_explicit"] == 1.0
    assert len(lines) >= len(found["rates"])
    for row in found["energy"]:
        if row["scheme"] in engines:
            assert 1e-7 < abs(row["flight"]) < 0.1
        else:
            assert abs(row["flight"]) < 1e-12
            assert row["rise"] < 1e-12


def test_mechanisms_are_measured_beside_engines_whose_rule_they_have(monkeypatch):
    monkeypatch.setattr(joints, "CASES", {"joints-pendulum": 0.5, "joints-four-bar": 0.5})
    monkeypatch.setattr(joints, "STEPS", (0.01,))
    monkeypatch.setattr(joints, "SCHEMES", ("cayley-em", "mujoco-euler"))
    monkeypatch.setattr(joints, "TURNS", 1)
    lines: list[str] = []
    found = {(row["case"], row["scheme"]): row for row in joints.run(lines.append)}
    assert len(lines) > len(found)
    for case in joints.CASES:
        assert abs(found[case, "cayley-em"]["energy"]) < 1e-12
        assert found[case, "cayley-em"]["place"] < 0.01
    ours = found["joints-pendulum", "mujoco-euler"]
    for name, share in (("MuJoCo Euler", 1e-6), ("MuJoCo RK4", None), ("Bullet", None)):
        if ("joints-pendulum", name) not in found:
            assert any("is not installed" in line for line in lines)
        elif share is not None:
            theirs = found["joints-pendulum", name]
            assert (theirs["place"], theirs["energy"]) == pytest.approx((ours["place"], ours["energy"]), rel=share)
        else:
            assert found["joints-pendulum", name]["place"] < 0.1


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
