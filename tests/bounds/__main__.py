"""Run kernels under numba's check of bounds: ``python -m tests.bounds --seeds 0:200``; status 1 for what it finds.

Each scheme of each kind takes the random scenarios of tests.bounds.scenarios, and so do ensembles, the loads of joints,
the true motion and hydrostatics. At the end it names the kernels of all modules of physics that have not run: one that
others call counts when they run. numba's ``NUMBA_BOUNDSCHECK`` is set for a process of its own, whose kernels are kept
apart: physics.core.kernel_cache names its folder by this setting too.

With ``--plain`` kernels run as the Python that they are written in, whose arrays are always checked: a short run takes
a quarter of the time that it takes to compile them, one of many rocks far longer.
"""

from __future__ import annotations

import argparse
import gc
import os
import pkgutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import physics
from physics.core.jit import Kernel, kernel
from physics.ensembles.start_ensemble import StartEnsemble
from physics.hazard.ensemble import Ensemble
from physics.hazard.results_folder import save_results
from physics.hydrostatics.righting_levers import curve
from physics.schemes import SCHEMES, serving
from physics.schemes.loop import MANY, marched
from physics.systems import SYSTEMS, system_of
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.ship.world import ShipWorld
from tests.bounds.scenarios import KINDS, scenario

SMOOTH = [kind for kind in KINDS if SYSTEMS[kind].equations is not None]
ALL = (*KINDS, "alone", "many", "truth", "examples")
CHECK = "NUMBA_BOUNDSCHECK"
_plain: set[Kernel] = set()  # kernels that ran as Python


def kernels() -> list[Kernel]:
    """The kernels of all modules, and those that were made since."""
    for module in pkgutil.walk_packages(physics.__path__, "physics."):
        import_module(module.name)
    return [one for one in gc.get_objects() if isinstance(one, Kernel) and one is not _beyond]


def name_of(kernel: Kernel) -> str:
    """Its place, and the scheme whose loop it is."""
    of = [name for name, one in SCHEMES.items() if kernel in (one.march, *one.marches.values())]
    return f"{kernel.__module__}.{kernel.__qualname__}" + (f" of {of[0]}" if of else "")


@kernel
def _beyond(values: np.ndarray) -> float:
    return float(values[-1])


def is_checked() -> bool:
    """True if a kernel of this process that reads beside an array says so."""
    try:
        _beyond(np.zeros(0))
    except IndexError:
        return True
    return False


def has_run(kernel: Kernel) -> bool:
    """True if a kernel was compiled, or loaded, for some types of what it takes."""
    return kernel in _plain or ("dispatcher" in vars(kernel) and bool(kernel.dispatcher.overloads))


def _as_python(kernel: Kernel, *values: Any) -> Any:
    _plain.add(kernel)
    return kernel.py_func(*values)


def run(kind: str, scheme: str, seed: int) -> None:
    """March one scenario, and all that is computed of its run."""
    with tempfile.TemporaryDirectory() as folder:
        made = scenario(kind, scheme, seed, Path(folder))
        runs = physics.simulate(made)
        system = system_of(made)
        if system.derive is not None:
            system.derive(runs[scheme], made)
        world = physics.World.of(made)
        if isinstance(world, RockfallWorld):
            ensemble = Ensemble(world)
            list(ensemble.march(1))
            save_results(Path(folder) / "results", ensemble)
        elif isinstance(world, ShipWorld):
            list(curve(world.load, np.radians([0.0, 20.0])))
        elif kind == "table":
            list(StartEnsemble(made).march(1))


def alone(scheme: str, seed: int) -> None:
    """March a rotation alone, as a report card does also of what serves mechanisms."""
    J, (q, w) = np.array([0.4, 0.7, 1.0]), np.split(np.random.default_rng(seed).standard_normal(7), [4])
    one, out = SCHEMES[scheme], np.empty((3, 7))
    one.march(J, np.zeros(12), 0.01, 2, one.start(J, q / np.linalg.norm(q), w), out)


def many(scheme: str, seed: int) -> None:
    """March bodies together that fill no block, or several."""
    rng = np.random.default_rng(seed)
    states = rng.standard_normal((int(rng.integers(1, 40)), 7))
    marched(SCHEMES[scheme].solver(MANY), np.array([0.4, 0.7, 1.0]), 0.01, 1, states, 5)


def truth(kind: str, seed: int) -> None:
    """Search the true motion of a scenario of a kind."""
    with tempfile.TemporaryDirectory() as folder:
        physics.reference(scenario(kind, serving(kind)[0], seed, Path(folder)))


def chosen(kinds: Sequence[str], names: list[str]) -> Iterator[tuple[str, str]]:
    """Kinds, each with the schemes that serve it; "truth" with the kinds of smooth motions."""
    able = [name for name, one in SCHEMES.items() if MANY in one.marches]
    every: dict[str, Sequence[str]] = {kind: serving(kind) for kind in KINDS}
    every |= {"alone": list(SCHEMES), "many": able, "truth": SMOOTH, "examples": list(SCHEMES)}
    for kind in kinds:
        yield from ((kind, name) for name in every[kind] if not names or kind == "truth" or name in names)


RUN = {"alone": alone, "many": many, "truth": truth}


def main() -> int:
    """Run the scenarios of seeds, and print how many of which kernels ran and what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.bounds", description=__doc__)
    parser.add_argument("--seeds", default="0:20", metavar="FIRST:END")
    parser.add_argument("--kind", action="append", choices=ALL, help="only this one; may be given again")
    parser.add_argument("--scheme", action="append", default=[], help="only this one; may be given again")
    parser.add_argument("--plain", action="store_true", help="run kernels as Python")
    given = parser.parse_args()
    if given.plain:
        patch.object(Kernel, "__call__", _as_python).start()
    elif os.environ.get(CHECK) != "1":
        os.execve(sys.executable, [sys.executable, "-m", "tests.bounds", *sys.argv[1:]], os.environ | {CHECK: "1"})
    assert is_checked(), "numba does not check bounds here"
    seeds = range(*map(int, given.seeds.split(":")))
    refused: tuple[type[Exception], ...] = (physics.PhysicsError, physics.ScenarioError)  # it cannot be: one sentence
    if given.plain:
        refused += (ArithmeticError,)  # of Python's numbers: compiled ones are infinite, or NaN
    found, wrong = Counter[tuple[str, str]](), 0
    np.seterr(all="ignore")
    for kind, scheme in chosen(given.kind or ALL, given.scheme):
        for seed in seeds:
            try:
                RUN[kind](scheme, seed) if kind in RUN else run(kind, scheme, seed)
                found[kind, "ran"] += 1
            except refused:
                found[kind, "refused"] += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
                wrong += 1
                print(f"{kind} {scheme}, seed {seed}: {type(error).__name__}: {error}", flush=True)
    for kind in dict.fromkeys(kind for kind, _ in found):
        print(f"{kind:10} {found[kind, 'ran']:6} ran, {found[kind, 'refused']} refused")
    every = kernels()
    idle = [one for one in every if not has_run(one)]
    print(f"{len(every) - len(idle)} of {len(every)} kernels ran; {wrong} scenarios found something")
    for name, count in sorted(Counter(map(name_of, idle)).items()):
        print(f"  not run: {name}" + (f" ({count})" if count > 1 else ""))
    return int(wrong > 0)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
