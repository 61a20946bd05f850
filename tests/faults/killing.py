"""Killing: commands and windows are killed at random moments; what they leave is compared with what was not killed."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.document import autosave
from physics.core.trajectory import COLUMNS
from physics.io.trajectory_readers import load
from tests.faults.processes import CHECKPOINTED, CUBOID, ROCKS, duration, killed, moment, started

SUFFIXES = {"run": ".npz", "image": ".png", "video": ".mp4"}


@dataclass
class Tally:
    """What was done, and what was lost."""

    kills: int = 0
    lost: int = 0
    worst: float = 0.0  # [s] of edits lost, of sessions


def ensembles(folder: Path, kills: int, seed: int, rocks: int = 40) -> Tally:
    """Ensembles killed until there were so many kills; each is resumed until it ends, and ends with the same bytes."""
    rng, tally, number = random.Random(seed), Tally(), 0
    scenario = folder / "rocks.toml"
    scenario.write_text(ROCKS.format(rocks=rocks))
    whole = folder / "whole"
    duration("ensemble", scenario, "-o", whole, "--workers", "2", "--quiet")  # compiles, where nothing did before
    takes = duration("ensemble", scenario, "-o", folder / "again", "--workers", "2")
    while tally.kills < kills:
        number += 1
        out = folder / f"out{number}"
        while not out.exists():
            process = started("ensemble", scenario, "-o", out, "--workers", "2", "--resume", program=CHECKPOINTED)
            if tally.kills < kills:
                tally.kills += killed(process, moment(rng, takes))
            else:
                _, err = process.communicate()
                assert process.returncode == 0, err
        tally.lost += not same(out, whole)
    return tally


def same(one: Path, other: Path) -> bool:
    """Whether two outputs hold the same bytes, but for times, workers and the scenario's folder that they name."""
    if one.is_dir():
        names, others = ({p.relative_to(folder) for p in folder.rglob("*") if p.is_file()} for folder in (one, other))
        return names == others and all(same(one / name, other / name) for name in names)
    if one.name == "summary.json":
        return _facts(one) == _facts(other)
    if one.suffix != ".npz" and (one.suffix != ".parquet" or one.stem == "rocks"):
        return one.read_bytes() == other.read_bytes()
    try:
        arrays, others = _arrays(one), _arrays(other)
    except Exception:  # noqa: BLE001 - damaged
        return False
    return arrays.keys() == others.keys() and all(np.array_equal(arrays[name], others[name]) for name in arrays)


def _facts(summary: Path) -> dict[str, object]:
    told = ("wall_seconds", "cpu_seconds", "workers", "folder")
    return {key: value for key, value in json.loads(summary.read_text()).items() if key not in told}


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """All columns; not what stands beside them, with wall times."""
    if path.name == "counts.npz":
        with np.load(path) as data:
            return {name: data[name] for name in data.files if name != "facts"}
    return {f"{name}/{column}": getattr(run, column) for name, run in load(path).items() for column in COLUMNS}


def outputs(command: str, folder: Path, kills: int, seed: int) -> Tally:
    """``run``, ``image`` or ``video`` killed: a file of the final name is whole or not there, an old one stays."""
    rng, tally = random.Random(seed), Tally()
    scenario, old = folder / "cuboid.toml", b"of an earlier run"
    scenario.write_text(CUBOID)
    duration(command, scenario, "-o", folder / f"first{SUFFIXES[command]}")  # compiles, where nothing did before
    takes = duration(command, scenario, "-o", folder / f"whole{SUFFIXES[command]}")
    while tally.kills < kills:
        out = folder / f"out{SUFFIXES[command]}"
        out.write_bytes(old)
        if killed(started(command, scenario, "-o", out), moment(rng, takes)):
            tally.kills += 1
            tally.lost += out.read_bytes() != old and not _is_whole(out)
        for part in folder.glob("out*"):
            part.unlink()
    return tally


def _is_whole(path: Path) -> bool:
    """Whether a file that was just renamed can be read to its end."""
    from app.document.open import scenario_for

    scenario_for(path)
    return path.suffix != ".npz" or bool(load(path))


def sessions(folder: Path, kills: int, seed: int) -> Tally:
    """Windows in which somebody edits twice a second, killed; ``worst`` is the age of the newest edit not recovered."""
    rng, tally = random.Random(seed), Tally()
    while tally.kills < kills:
        log, place = folder / "edits", folder / "unfinished"
        log.write_text("")
        process = started(place, log, program="tests.faults.driven:edited", **os.environ)
        while log.stat().st_size == 0:  # nothing is edited before the window stands
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.1)
        killed(process, rng.uniform(0.0, 12.0))
        ended = time.monotonic()
        tally.kills += 1
        edits = [line.split() for line in log.read_text().splitlines()]
        saved = autosave.recover(place)
        found = None if saved is None else saved.schedule.scenario.step
        missed = [float(at) for at, step in edits if found is None or float(step) > found]
        lost = ended - min(missed) if missed else 0.0
        tally.worst = max(tally.worst, lost)
        tally.lost += lost > 10.0
    return tally
