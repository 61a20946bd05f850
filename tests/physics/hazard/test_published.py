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

ROOT = Path(__file__).parents[3]
_SHAPES = "13b4ba858fb1e5420b0b3becbc776ad7a1e6bec2439f47af1a6a355464acb9ac"
# elementary_functions() -> name of the ensemble -> SHA-256 of rocks.csv
PUBLISHED = {
    "978ea0bd97ac90cf": {  # glibc with fused multiply-add: processors since 2013
        "ramp": "b9ef645980e3bfa120ed68d5037f5770366a5016f43803acce6077ed96f28365",
        "shapes": _SHAPES,
        "soils": "80636175c6003b53a67ca8b9a4ac3762e87e059eebebcbc00cc5ac430eed17ec",
    },
    "bc0e5b3e23c51408": {  # glibc without it: older ones
        "ramp": "37eeb95f1107827830b8a26b9d2b819a52870a0989d73defe03450d74c60a5d1",
        "shapes": _SHAPES,
        "soils": "5c7266d72739b006698a098d6b6974020ba027e7b681165d0a20cde9483c597b",
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
