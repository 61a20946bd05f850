"""Kernels between processes: whatever filled the cache, in whatever order, each scheme runs its own kernels."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from physics.core import kernel_cache
from physics.schemes import SCHEMES, loop, serving
from physics.schemes.loop import CONTACT
from physics.systems.rockfall.system import march_of
from tests.physics.kernel_digests import ROOT, compiled_alone, digests, names


def test_every_scheme_of_every_kind_compiled_alone_gives_the_same_bytes_as_all_together(kernels_alone):
    cache, alone = compiled_alone(kernels_alone)
    together = digests(cache, *names())
    assert [name for name in names() if together[name] != alone[name]] == []
    ships = [name for name in alone if name.endswith("/vessel")]
    assert len(ships) > 10
    assert len({alone[name] for name in ships}) == len(ships), "schemes that differ give other bytes"


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """A cache with the kernels of one run, and the digest of that run."""
    cache = tmp_path_factory.mktemp("cache")
    return cache, digests(cache, "explicit/free")


def test_damaged_kernels_are_compiled_anew(filled, tmp_path):
    cache, right = filled
    shutil.copytree(cache, tmp_path / "a")
    files = sorted((tmp_path / "a").rglob("*.nb?"))
    assert files
    for i, file in enumerate(files):
        content = file.read_bytes()
        if i % 3 == 0:
            file.write_bytes(content[: len(content) // 2])
        elif i % 3 == 1:
            file.write_bytes(content[:-400] + bytes(400))
        else:
            file.write_bytes(b"")
    assert digests(tmp_path / "a", "explicit/free") == right


def test_a_change_of_constants_alone_is_another_version(filled, tmp_path):
    """Same size and same time of every file, as wheels that are built reproducibly have."""
    cache, right = filled
    for folder in ("physics", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "physics" / "schemes" / "explicit.py"
    facts, source = file.stat(), file.read_text()
    assert source.count("0.5 * h") >= 1
    file.write_text(source.replace("0.5 * h", "0.4 * h"))
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert file.stat().st_size == facts.st_size
    here = kernel_cache.sources_digest()
    assert kernel_cache.sources_digest(tmp_path / "physics") != here
    assert digests(cache, "explicit/free", root=tmp_path, PYTHONDONTWRITEBYTECODE="1") != right
    assert digests(cache, "explicit/free") == right


def test_without_any_place_to_write_kernels_run_all_the_same(filled, tmp_path):
    _, right = filled
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    assert digests(nowhere, "explicit/free", TMPDIR=str(nowhere), NUMBA_CACHE_DIR=str(nowhere)) == right


def test_a_scheme_of_a_user_that_is_compiled_first_takes_no_symbol_that_another_process_may_take():
    """The formulas that it calls keep their symbols, and stand in the kernels that are kept later."""
    first = "from physics.schemes.own_worker import OwnModule; OwnModule('a.py', 'def step(J, field, h, q, w): ...')"
    numbers = "from numba.core.bytecode import FunctionIdentity; print(next(FunctionIdentity._unique_ids))"
    told = subprocess.run([sys.executable, "-c", f"{first}; {numbers}"], cwd=ROOT, capture_output=True, text=True)
    assert int(told.stdout) > 2**32, told.stderr  # drawn, and not counted from 1


def test_functions_of_the_interface_serve_a_users_own_kernels():
    own = "from numba import njit; from physics import cross; f = njit(lambda a, b: cross(a, b))"
    told = subprocess.run(
        [sys.executable, "-c", f"{own}; print(*f((1.0, 0.0, 0.0), (0.0, 2.0, 0.0)))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert told.stdout.split() == ["0.0", "0.0", "2.0"], told.stderr


def test_the_key_of_a_kernel_tells_what_its_closure_holds_and_not_which_of_that_is_one_object(monkeypatch):
    """Whether a module's file and that of its code are one object is another thing in each way to start Python."""
    marches = [
        march_of(SCHEMES[name].solver(CONTACT), is_smooth=smooth) for name in serving("rockfall") for smooth in (0, 1)
    ]
    before = [repr(kernel_cache.identity(march.py_func)) for march in marches]
    assert len(set(before)) == len(set(map(id, marches))) > 12
    own = SCHEMES["quat-em"].solver(CONTACT).free_velocity.__code__.co_filename
    for file in (own, "".join(own)):
        monkeypatch.setattr(loop, "__file__", file)
        assert [repr(kernel_cache.identity(march.py_func)) for march in marches] == before


def test_the_key_of_a_kernel_tells_functions_of_one_line_apart():
    both = (lambda x: x + 1.0), (lambda x: x + 2.0)
    first, second = (kernel_cache.identity(function) for function in both)
    assert both[0].__code__.co_code == both[1].__code__.co_code
    assert first != second


def test_a_folder_that_others_can_write_or_have_laid_is_not_used(tmp_path, monkeypatch):
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    own.mkdir(mode=0o700)
    shared.chmod(0o777)
    places = [shared, own]
    if os.getuid() == 0:
        link = tmp_path / "link"
        link.symlink_to(own)
        os.chown(link, 1, 1, follow_symlinks=False)
        places.insert(0, link)
    monkeypatch.setattr(kernel_cache, "_bases", lambda: places)
    folder = kernel_cache.open_folder()
    assert folder is not None
    assert folder.parent == own
