"""Leine et al. (2021), section 6, with fewer rocks than the figures take: signs, sizes, and what the step changes."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures import draw
from app.hazard.figures.leine_rockfall import changes_with_step
from app.hazard.figures.leine_tables import FITTED, PRINTED_2, PRINTED_3, SHOWN
from app.hazard.figures.rock_ensembles import CHANT_SURA, RAMP, SCHEMES, path, rock_ensemble, toe, typical
from physics.hazard.statistics import QUANTITIES

ROCKS = 200


@pytest.fixture(scope="module")
def ramp():
    return [rock_ensemble(RAMP, scheme, ROCKS, 0.002) for scheme in SCHEMES]


def test_means_on_the_ramp_are_those_of_table_2(ramp):
    """One of the pairs of modulus and coefficient that Lu et al. (2019) fit to single impacts is within 12 %."""
    for quantity, printed in PRINTED_2.items():
        for found, (mean, deviation) in zip(ramp, printed, strict=True):
            assert found.mean(quantity) / SHOWN[quantity][2] == pytest.approx(mean, rel=0.12)
            assert found.summary[quantity]["std"] / SHOWN[quantity][2] == pytest.approx(deviation, rel=0.15)


def test_the_fitted_scars_come_nearer_to_table_2_than_those_of_one_impact(ramp):
    """Within 10 %, of 200 rocks; with 1000 the largest deviations are 5.7 % and 8.1 %."""
    fitted = [rock_ensemble(RAMP, scheme, ROCKS, 0.002, FITTED) for scheme in SCHEMES]

    def deviations(falls):
        pairs = [
            (one.mean(q) / SHOWN[q][2], p[0])
            for q, told in PRINTED_2.items()
            for one, p in zip(falls, told, strict=True)
        ]
        return [abs(mean / paper - 1.0) for mean, paper in pairs]

    assert max(deviations(fitted)) < min(0.1, max(deviations(ramp)))


def test_signs_on_the_ramp_are_those_of_table_2(ramp):
    explicit, implicit = ramp
    for quantity in ("kinetic_energy", "rotation", "runout"):
        assert implicit.mean(quantity) > explicit.mean(quantity)
    assert implicit.mean("jump_height") < explicit.mean("jump_height")
    foot = toe(explicit)
    assert foot == pytest.approx(155.0 / np.tan(np.radians(40.0)), abs=2.0)
    assert implicit.spread(foot) < explicit.spread(foot)
    assert implicit.summary["lateral"]["std"] > explicit.summary["lateral"]["std"]  # at rest it is the other way round


def test_signs_on_the_likeness_of_chant_sura_are_those_of_table_3():
    explicit, implicit = (rock_ensemble(CHANT_SURA, scheme, 30) for scheme in SCHEMES)
    for quantity in ("kinetic_energy", "velocity", "rotation", "runout"):
        assert implicit.mean(quantity) > explicit.mean(quantity)
    for quantity, printed in PRINTED_3.items():  # a likeness of the site, and few rocks
        for found, (mean, _) in zip((explicit, implicit), printed, strict=True):
            assert found.mean(quantity) / SHOWN[quantity][2] == pytest.approx(mean, rel=0.3)


def test_the_step_changes_explicit_more_than_implicit(monkeypatch):
    monkeypatch.setattr("app.hazard.figures.leine_rockfall.STEPS", (0.008, 0.002))
    changes = {scheme: changes_with_step(scheme, ROCKS) for scheme in SCHEMES}
    assert changes["explicit"]["kinetic_energy"][0][0] < -15.0
    for change, width in changes["implicit"].values():
        assert abs(change[0]) < 4.0
        assert change[1] == width[1] == 0.0
        assert 0.1 < width[0] < 4.0


def test_the_error_of_a_mean_is_what_each_rock_left_out_makes_of_it(ramp):
    """The jackknife: n - 1 times the variance of the means without one rock."""
    for found in ramp:
        for k, quantity in enumerate(QUANTITIES):
            length, total = found.by_rock[:, k].T
            assert total.sum() / length.sum() == pytest.approx(found.mean(quantity))
            without = (total.sum() - total) / (length.sum() - length)
            assert found.error(quantity) == pytest.approx(np.sqrt((ROCKS - 1) * without.var()), rel=0.02)


def test_the_rock_that_is_shown_is_one_of_the_ensemble(ramp):
    rock = typical(ramp)
    for found, scheme in zip(ramp, SCHEMES, strict=True):
        run = path(RAMP, scheme, rock)
        runout = np.linalg.norm((run.position[-1] - run.position[0])[:2])
        assert runout == pytest.approx(found.runouts[rock], abs=1e-9)


def test_tables_hold_what_was_found():
    table = draw("leine-table-2", rocks=4)
    explicit = rock_ensemble(RAMP, "explicit", 4)
    assert table.rows[0][2].startswith(f"{explicit.mean('kinetic_energy') / 1e3:.4g}")
    assert [row[1] for row in table.rows[:4]] == ["168.61 ± 113.8", "17.88 ± 7.4", "4.12 ± 1.8", "1.93 ± 1.8"]
    fitted = [row for row in table.rows if row[0].endswith("fitted scars")]
    assert len(fitted) == 4
    assert fitted[1][4].startswith(f"{rock_ensemble(RAMP, 'implicit', 4, scar=FITTED).mean('velocity'):.4g}")
    assert "25 MN/m², coefficient 1.6, which no impact gave" in table.note
    assert "this pair is the one of their third impact" in table.note
    times = draw("leine-table-1", rocks=4)
    assert [row[2] for row in times.rows] == ["74.25", "161.5", "2.18", "91.6", "184.5", "2.01"]
    assert "4 rocks" in times.note
