"""Long runs at a size for every day (longer: python -m tests.soak)."""

from __future__ import annotations

import pytest

from physics.schemes import SCHEMES
from tests.soak.kernels import drifts


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_kernel_keeps_what_it_promises(scheme: str) -> None:
    (drift,) = drifts(300_000, [scheme])
    assert drift.kept, drift
    assert drift.steps == 300_000


@pytest.mark.picture
def test_scenes_open_and_close_without_leaving_anything(qapp) -> None:
    from tests.soak.windows import SCENES, rounds

    scenes = [path for path in SCENES if path.stem in ("cuboid-major", "top-steady", "rock-ramp")]
    first, second, third = rounds(3, shorter=0.2, scenes=scenes)
    assert third[1:3] == second[1:3] == first[1:3]
    assert third.memory - second.memory < 30.0


@pytest.mark.picture
def test_minutes_of_simulated_time_play_without_growth(qapp) -> None:
    from tests.soak.windows import played

    reached, looks, before, after = played(simulated=300.0, speed=100.0)
    assert reached == pytest.approx(300.0)
    assert looks > 10
    assert after.memory - before.memory < 100.0
    assert after.threads <= before.threads
