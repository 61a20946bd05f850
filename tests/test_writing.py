"""Writes that fail, one after the other: nothing damaged has a name (all: python -m tests.faults --writes 100000)."""

from __future__ import annotations

import pytest

from tests.faults.layer import compiler
from tests.faults.writing import DEEDS, Attack, Deed

pytestmark = [
    pytest.mark.skipif(compiler() is None, reason="a faulty file layer is made by a C compiler, on Linux"),
    pytest.mark.xdist_group("writing"),
]
MOST = {"ensemble": 6, "autosave": 8, "run-npz": 4, "run-parquet": 3, "video-mp4": 4, "video-gif": 3, "plot-pdf": 3}


@pytest.fixture(scope="module")
def writes(tmp_path_factory):
    return Attack(tmp_path_factory.mktemp("writes"))


@pytest.mark.picture
@pytest.mark.parametrize("name", [*MOST, "session"])
def test_a_write_that_fails_damages_nothing_and_is_told(name, writes):
    tally = writes.fail(name, DEEDS[name], MOST.get(name, 4))
    assert tally.wrong == []
    assert tally.failed >= 2 * min(3, MOST.get(name, 4))


def test_a_program_that_looks_at_no_error_is_caught(writes):
    tally = writes.fail("careless", Deed("careless", "out.txt"), 20)
    assert any("status 0, and the output is missing or damaged" in told for told in tally.wrong)
    assert any("left behind" in told for told in tally.wrong)
