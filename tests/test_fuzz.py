"""Any file and any number gives a result or one sentence: kept inputs, and a short run of the fuzzer (tests/fuzz)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.cases import case, corpus, judge
from tests.fuzz.readers import READERS

CASES = 40  # of each reader
KEPT = [pytest.param(name, path, id=f"{name}/{path.name}") for name in READERS for path in corpus(name)]


@pytest.mark.parametrize("name", READERS)
def test_good_files_are_read(name: str, tmp_path: Path) -> None:
    found = [judge(name, data, tmp_path) for data in READERS[name].seeds()]
    assert all(verdict.allowed for verdict in found), found
    assert "result" in [verdict.kind for verdict in found], found


@pytest.mark.parametrize(("name", "path"), KEPT)
def test_what_once_failed_does_no_more(name: str, path: Path, tmp_path: Path) -> None:
    verdict = judge(name, path.read_bytes(), tmp_path)
    assert verdict.allowed, verdict


@pytest.mark.parametrize("name", READERS)
def test_damaged_files_give_a_result_or_one_sentence(name: str, tmp_path: Path) -> None:
    for number in range(CASES // READERS[name].every):
        verdict = judge(name, case(name, seed=8, number=number), tmp_path)
        assert verdict.allowed, (number, verdict)
