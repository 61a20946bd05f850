"""Steps in which a rock moves farther than its radius are doubted, with the largest sound one."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

import physics
from app.hazard.saved import SavedEnsemble
from app.hazard.source import Query
from physics.core.rotation import apply
from physics.core.trajectory import DOUBT
from physics.ensembles.summary import scenario_of_results
from physics.hazard.ensemble import Ensemble, Results, coarse_of
from physics.systems.rockfall.world import RockfallWorld
from tests.app.commanding import polhode

RAMP = Path(__file__).parents[3] / "assets" / "scenarios" / "rock-ramp.toml"


def told(step: float) -> list[str]:
    scenario = physics.load_scenario(RAMP).changed(step=step, record_every=1, schemes=("implicit",), duration=40.0)
    return [event.text for event in physics.simulate(scenario)["implicit"].events if event.kind == DOUBT]


def test_a_step_beyond_the_radius_is_doubted_with_the_largest_sound_one() -> None:
    (found,) = told(0.5)  # the rock rests after 2 m, in place of 288 m
    assert "farther than its radius of 0.533 m" in found
    advised = float(re.search(r"at most ([\d.e-]+) s", found)[1])
    for _ in range(4):  # a smaller step may find a faster rock
        if not (found := [text for text in told(advised) if "radius" in text]):
            break
        advised = float(re.search(r"at most ([\d.e-]+) s", found[0])[1])
    assert not found
    assert advised > 0.01
    assert told(0.002) == []


@pytest.mark.parametrize("sizes", ["", 'volume = {distribution = "uniform", min = 0.1, max = 0.4}'])
def test_an_ensemble_tells_how_many_rocks_were_too_fast(sizes: str, tmp_path: Path) -> None:
    text = RAMP.read_text(encoding="utf-8").replace("seed = 1", f"seed = 1\n{sizes}")
    for step, coarse in ((0.5, True), (0.002, False)):
        text = re.sub(r"(?m)^step = .*", f"step = {step}", text)
        (tmp_path / "ramp.toml").write_text(text.replace("duration = 120.0", "duration = 6.0"), encoding="utf-8")
        folder = tmp_path / f"{coarse}"
        words = ("--rocks", "3", "--scheme", "implicit", "--counts", "--quiet")
        done = polhode("ensemble", tmp_path / "ramp.toml", "-o", folder, *words)
        assert done.status == 0
        found = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["coarse_steps"]["implicit"]
        assert found["looked_at"] == 3
        assert (found["rocks"] > 0) == coarse
        assert ("moved farther than their radius" in done.err) == coarse
        if coarse:
            assert found["largest_sound_step"] < 0.5
            assert f"at most {found['largest_sound_step']:.2g} s" in done.err
        told = done.err
        done = polhode("gather", folder, "-o", tmp_path / f"all-{coarse}")
        assert done.status == 0
        assert done.err == told
    gathered = json.loads((tmp_path / "all-True" / "summary.json").read_text(encoding="utf-8"))["coarse_steps"][
        "implicit"
    ]
    assert gathered["looked_at"] == 3


def test_each_block_of_a_table_has_its_own_radius(tmp_path: Path) -> None:
    (tmp_path / "blocks.csv").write_text("mass,L1,L2,L3\n20000,2,2,2\n20,0.2,0.2,0.2\n")
    body = {"shape": "cuboid", "blocks": str(tmp_path / "blocks.csv")}
    scenario = physics.load_scenario(RAMP).changed(body=body, step=0.1, duration=3.0, schemes=("implicit",))
    ensemble = Ensemble(RockfallWorld.of(scenario.changed(**{"ensemble.rocks": 2})))
    list(ensemble.march(1))
    rows = ensemble.results["implicit"].rows
    fast = 0.1 * rows.column("max_velocity")  # [m] in a step
    assert 0.1 * 3**0.5 < fast.min() < fast.max() < 3**0.5  # beyond the radius of the small block alone
    assert coarse_of(ensemble.world, rows)["rocks"] == 1


LONG = """kind = "rockfall"
duration = 0.2
step = 0.01
schemes = ["implicit", "explicit"]
body = { shape = "cuboid", size = [0.4, 0.4, 5.0], mass = 2000.0 }
initial = { orientation = "random" }
terrain = { profile = "ramp" }
release = { line = [[5.0, -40.0], [60.0, 40.0]], height = 1.2 }
ensemble = { rocks = 40, seed = 2 }
"""


def test_every_rock_that_starts_in_the_ground_is_counted_and_told(tmp_path: Path) -> None:
    """Rocks are judged by the distance of their corners from the plane of 40 degrees, whose edge they do not reach."""
    file = tmp_path / "long.toml"
    file.write_text(LONG, encoding="utf-8")
    world = RockfallWorld.of(physics.load_scenario(file))
    deep = []
    for rock in range(40):
        one = world.with_rock(rock)
        x, _, z = (one.position + apply(one.orientation, one.body.vertices)).T
        deep.append(float((155.0 - x * math.tan(math.radians(40.0)) - z).max()))
    expected = [depth for depth in deep if depth > 0.01]
    assert 5 < len(expected) < 40
    told = f"{len(expected)} of 40 rocks start in the ground, up to {max(expected):.2g} m deep; lift release.height, "
    told += 'or set it to "clear"'
    done = polhode("ensemble", file, "-o", tmp_path / "out", "--counts", "--quiet")
    assert done.err.count(told) == 1  # of both schemes
    for folder in ("out", "all"):
        summary = json.loads((tmp_path / folder / "summary.json").read_text(encoding="utf-8"))
        for found in summary["schemes"].values():
            assert found["starts_in_ground"]["rocks"] == len(expected)
            assert found["starts_in_ground"]["deepest"] == pytest.approx(max(expected), abs=1e-6)
        if folder == "out":
            assert told in polhode("gather", tmp_path / "out", "-o", tmp_path / "all").err
    saved = SavedEnsemble(tmp_path / "out", scenario_of_results(tmp_path / "out"))
    assert told in saved.see(Query()).summaries["implicit"].doubt.splitlines()
    saved.close()


def test_each_rock_starts_clear_of_its_own_ground() -> None:
    """The lowest of its corners is just above the plane of 40 degrees."""
    world = RockfallWorld.of(physics.parse_scenario(LONG.replace("height = 1.2", 'height = "clear"'), "long.toml"))
    heights = set()
    for rock in range(40):
        one = world.with_rock(rock)
        x, _, z = (one.position + apply(one.orientation, one.body.vertices)).T
        gap = float((z + x * math.tan(math.radians(40.0)) - 155.0).min())
        assert 0.0 < gap < 2e-3 * one.body.radius
        heights.add(round(one.position[2] - one.terrain.height(one.position[0], one.position[1]), 3))
    assert len(heights) > 30


def test_starts_in_the_ground_are_counted_across_a_break(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(LONG, encoding="utf-8")
    whole, first = (Ensemble(RockfallWorld.of(physics.load_scenario(file))) for _ in range(2))
    list(whole.march(1))
    march = first.march(1)
    while next(march) < 25:
        pass
    march.close()
    for name, found in first.results.items():
        again = Results(first.world.terrain, first.lines)
        again.restore(found.arrays(), found.rows.read(), found.crossings.read())
        first.results[name] = again
    list(first.march(1))
    for name, found in first.results.items():
        assert found.sunk() == whole.results[name].sunk() != []
