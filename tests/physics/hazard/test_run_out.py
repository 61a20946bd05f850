"""Run-outs of rocks that did not come to rest: their share, and the median as Kaplan and Meier estimate it."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from physics.contact import moreau
from physics.hazard import rock_rows
from physics.hazard.results_folder import save_results, summarised
from physics.hazard.rock_rows import ROW, RockTable
from physics.systems.world import World
from tests.physics.falling import ran, scenario


def rows_of(values, rested):
    rows = RockTable()
    for first in range(0, len(values), 100_000):
        part = values[first : first + 100_000]
        made = np.zeros(len(part), ROW)
        made["runout"] = part
        made["stop_reason"] = np.where(rested[first : first + 100_000], moreau.REST, moreau.LEFT_MAP)
        rows.append(made)
    return rows


def rested_then_censored(rested, censored):
    both = np.array([*rested, *censored], float)
    return rows_of(both, np.arange(len(both)) < len(rested))


def test_the_median_is_that_of_the_literature():
    """Weeks of remission under 6-MP: Freireich et al. (1963), Blood 21, 699; median 23 in every textbook."""
    relapsed = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    went_on = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    assert rock_rows.median_runout(rested_then_censored(relapsed, went_on)) == 23.0


@pytest.mark.parametrize("n", [1, 2, 3, 10, 999, 1000])
def test_without_censored_rocks_it_is_the_plain_median(n):
    values = np.random.default_rng(n).lognormal(5.0, 0.5, n)
    assert rock_rows.median_runout(rested_then_censored(values, [])) == pytest.approx(np.median(values), rel=1e-12)


@pytest.mark.parametrize(("rested", "censored"), [([], [3.0, 4.0]), ([1.0, 2.0], [3.0, 4.0, 5.0])])
def test_a_median_that_is_not_reached_is_none(rested, censored):
    assert rock_rows.median_runout(rested_then_censored(rested, censored)) is None


def test_it_finds_the_true_median_where_the_plain_one_is_too_small():
    """All would stop around 200 m, but the map ends: for most of them between 100 and 250 m."""
    rng = np.random.default_rng(1)
    true, edge = rng.normal(200.0, 40.0, 20_000), rng.uniform(100.0, 250.0, 20_000)
    rows = rows_of(np.minimum(true, edge), true <= edge)
    assert rock_rows.median_runout(rows) == pytest.approx(200.0, abs=2.0)
    assert np.median(rows.column("runout")) < 175.0


def test_the_share_counts_all_that_did_not_rest():
    reasons = Counter({"rest": 6, "left-map": 2, "end": 1, "failed-solve": 1})
    assert rock_rows.censored_share(reasons) == pytest.approx(0.4)
    assert rock_rows.censored_share(Counter()) == 0.0


def test_the_summary_tells_them_beside_its_statistics(tmp_path):
    ensemble = ran(World.of(scenario(duration=18.0, schemes=["implicit"])))
    save_results(tmp_path / "out", ensemble)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    found = summary["schemes"]["implicit"]
    rows = ensemble.results["implicit"].rows.read()
    rested = rows.stop_reason == moreau.REST
    assert 0 < rested.sum() < len(rows)
    assert found["censored"] == pytest.approx(1.0 - rested.mean())
    assert found["runout_kaplan_meier"] == {"median": rock_rows.median_runout(ensemble.results["implicit"].rows)}
    # what was told before means what it meant: where all rocks were last
    assert found["runout"]["mean"] == rows.runout.mean()
    assert found["runout"]["median"] == np.median(rows.runout)
    assert summarised(ensemble)["schemes"] == summary["schemes"]
