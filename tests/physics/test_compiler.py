"""What a kernel that is compiled does to the program around it."""

from __future__ import annotations

import gc

import pytest
from numba.core.caching import NullCache

from physics.core.jit import Kernel


@pytest.mark.parametrize("collected", [False, True])
def test_garbage_is_not_collected_meanwhile_and_afterwards_as_before(collected: bool) -> None:
    seen: list[str] = []
    before, thresholds = gc.isenabled(), gc.get_threshold()

    def watched(phase: str, _: dict[str, int]) -> None:
        seen.append(phase)

    def doubled(x: float) -> float:
        return 2.0 * x

    dispatcher = Kernel(doubled).dispatcher
    dispatcher._cache = NullCache()  # it is compiled in each run of the tests
    (gc.enable if collected else gc.disable)()
    gc.set_threshold(100)
    gc.callbacks.append(watched)
    try:
        assert dispatcher(1.5) == 3.0
        assert len(dispatcher.signatures) == 1
        assert seen.count("start") < 10  # 26 otherwise
        assert gc.isenabled() is collected
    finally:
        gc.callbacks.remove(watched)
        gc.set_threshold(*thresholds)
        (gc.enable if before else gc.disable)()
