"""Published digests: where the elementary functions are known, three ensembles have these bytes on any machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.physics.published import ENSEMBLES

ROOT = Path(__file__).parents[2]
_PLAIN = {
    "ramp": "8ab9d54bcf736b2d5338afabcf9eb6db4409e0bda397d3c43baf04a79c0b23ae",
    "shapes": "319cbab997bf13363c161e73b054b8fa9d770d601b1fc8bca03b911e55c41f73",
}
# elementary_functions() -> name of the ensemble -> SHA-256 of rocks.csv
PUBLISHED = {
    "978ea0bd97ac90cf": {  # glibc with fused multiply-add: processors since 2013
        **_PLAIN,
        "soils": "4aabfb5885b64a45e55ff3ade78d838e4881ebd04425ba9fc0544794a9323b30",
    },
    "bc0e5b3e23c51408": {  # glibc without it: older ones
        **_PLAIN,
        "soils": "ba8c0d2e47f0c48df4c7e46f945cc2d674b280f868c2b561d6bd2c6b515e9f75",
    },
}
PROCESSORS = {
    "this one": {},
    "no fused multiply-add in glibc": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"},
    "an old one for OpenBLAS and numpy": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX X86_V3 X86_V4",
    },
}


@cache
def found(processor: str) -> dict[str, str]:
    """What a process finds that takes itself to run on such a processor."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.physics.published"],
        cwd=ROOT,
        env=os.environ | PROCESSORS[processor],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("processor", PROCESSORS)
def test_rocks_have_the_bytes_that_are_published_for_their_arithmetic(processor):
    digests = dict(found(processor))
    functions = digests.pop("elementary_functions")
    assert set(digests) == set(ENSEMBLES)
    if functions not in PUBLISHED:
        pytest.skip(f"no digests are published for elementary functions {functions}")
    assert digests == PUBLISHED[functions]


@pytest.mark.skipif(sys.platform != "linux", reason="names of OpenBLAS's kernels for x86-64")
def test_linear_algebra_for_another_processor_gives_the_same_bytes_of_rocks():
    assert found("an old one for OpenBLAS and numpy") == found("this one")
