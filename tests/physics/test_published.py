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
_SHAPES = "4bab63f886153cede6ef3e77c33e4ee5db535a1a71bcf2eee32c8e3425b70cf2"
# elementary_functions() -> name of the ensemble -> SHA-256 of rocks.csv
PUBLISHED = {
    "978ea0bd97ac90cf": {  # glibc with fused multiply-add: processors since 2013
        "ramp": "0b5801d0adb81d32d53823a7b9ba1caabebff07e24767cd4aac73957f149f8af",
        "shapes": _SHAPES,
        "soils": "0edbac8cfd334ccebac5fd854e03536b676bef6faea60394de0739c93ca0ba19",
    },
    "bc0e5b3e23c51408": {  # glibc without it: older ones
        "ramp": "556ec86531d50178379a37c12a60bc579b189f6af402d0aa5612f1da27621420",
        "shapes": _SHAPES,
        "soils": "90b5e44fcd291ab3b0737f4dc5ac86764a9a5103ce8b6904ce920ee4d5d722bc",
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
