"""Every single write fails in turn: what then has the name of an output is whole, or it is what was there before.

An error of status 0 with a damaged file, a lost checkpoint, a part that is left behind, more or less than one sentence.
"""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from app.document import autosave
from app.document.open import TRAJECTORIES
from app.export import scene_files, video
from app.plots import files
from physics.hazard.checkpoint import folder_of
from tests.faults.killing import same
from tests.faults.layer import Layer
from tests.faults.processes import CUBOID, ROCKS, layer_below, started

SHORT = CUBOID.replace("20.0", "0.4").replace("0.002", "0.01").replace("[160, 90]", "[64, 36]")
WAYS = {  # name of a way to fail -> error, and whether all later writes fail too
    "full": (errno.ENOSPC, True),
    "once": (errno.EIO, False),
}
OLD = b"of an earlier run"
_SENTENCE = re.compile(r"polhode: \S+: (cannot be written: \w.*|Input/output error|No space left on device)$")


@dataclass(frozen=True)
class Deed:
    """A command whose writes fail: its words before the scenario and after the output, and the output's name."""

    command: str  # of the command line, or of the programs of tests, see OWN
    out: str
    more: tuple[str, ...] = ()
    source: str = "cuboid.toml"


_ENDINGS = {
    "run": TRAJECTORIES,
    "image": (".png",),
    "video": video.ENDINGS,
    "plot": files.ENDINGS,
    "scene": scene_files.ENDINGS,
}
DEEDS = {f"{word}-{ending[1:]}": Deed(word, f"out{ending}") for word, endings in _ENDINGS.items() for ending in endings}
DEEDS |= {
    "video-folder": Deed("video", "frames"),
    "ensemble": Deed("ensemble", "results", ("--counts", "--paths", "--workers", "1"), "rocks.toml"),
    "ensemble-parquet": Deed("ensemble", "results", ("--parquet", "--workers", "1"), "rocks.toml"),
    "session": Deed("session", "out.polhode.toml"),
    "autosave": Deed("autosaved", "unfinished"),
}


OWN = ("autosaved", "session", "careless")  # of tests.faults.programs


@dataclass
class Tally:
    """How often writing failed, of how many calls; and what went wrong."""

    calls: int = 0
    failed: int = 0
    wrong: list[str] = field(default_factory=list)


class Attack:
    """A folder with scenarios, and the layer below the processes that do deeds in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._said = folder / "work", ""
        self.folder.mkdir()
        made = layer_below()
        assert made is not None
        self._layer = Layer(folder, made)
        (self.folder / "tmp").mkdir()
        (self.folder / "cuboid.toml").write_text(SHORT)
        (self.folder / "edited.toml").write_text(SHORT.replace("mass = 1.0", "mass = 2.0"))
        (self.folder / "rocks.toml").write_text(ROCKS.format(rocks=3).replace("drop = 20.0", "drop = 8.0"))
        self._given = self._names()
        self._variables = self._layer.variables | {"TMPDIR": str(self.folder / "tmp")}

    def fail(self, name: str, deed: Deed, most: int) -> Tally:
        """A deed, so often that each of its calls fails in each way; of many calls only ``most``, evenly chosen."""
        tally = Tally()
        whole = self.folder.parent / f"whole-{deed.out}"
        assert self._do(deed) == 0, self._said  # compiles, where nothing did before
        self._clear()
        self._layer.arm(self.folder)
        assert self._do(deed) == 0, self._said
        calls = self._layer.disarm()
        tally.calls = len(calls)
        (self.folder / deed.out).rename(whole)
        for number, (way, (error, lasting)) in enumerate(WAYS.items()):
            step = max(1.0, len(calls) / most)
            for at in np.unique(np.arange(1 + number * step / 2, len(calls) + 1, step).astype(int)):
                self._clear()
                self._before(deed)
                self._layer.arm(self.folder, int(at), error, lasting)
                status = self._do(deed)
                done = self._layer.disarm()
                hit = next((call for call in done if call.endswith(" FAILS")), None)
                tally.failed += hit is not None
                told = f"{name}, {way}, status {status}, call {hit or calls[at - 1]}"
                tally.wrong += [f"{told}: {what}" for what in self._wrong(deed, whole, status, done)]
        self._clear()
        shutil.rmtree(whole) if whole.is_dir() else whole.unlink()
        return tally

    # ---- one deed -------------------------------------------------------------------------------------

    def _do(self, deed: Deed, *more: str) -> int:
        source, out = str(self.folder / deed.source), str(self.folder / deed.out)
        if deed.command in OWN:
            words = [source, *([str(self.folder / "edited.toml")] if deed.command == "autosaved" else []), out]
        else:
            words = [deed.command, source, "-o", out, *deed.more, *more]
        program = deed.command if deed.command in OWN else "checkpointed"
        process = started(*words, program=f"tests.faults.programs:{program}", **self._variables)
        _, self._said = process.communicate()
        return process.returncode

    def _before(self, deed: Deed) -> None:
        """A file of an earlier run, where an output replaces one."""
        if Path(deed.out).suffix:
            (self.folder / deed.out).write_bytes(OLD)

    def _names(self) -> set[Path]:
        return set(self.folder.rglob("*"))

    def _clear(self) -> None:
        for path in sorted(self._names() - self._given, reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    # ---- what came of it ------------------------------------------------------------------------------

    def _wrong(self, deed: Deed, whole: Path, status: int, calls: list[str]) -> Iterator[str]:
        out, said = self.folder / deed.out, self._said.splitlines()
        if deed.command == "autosaved":
            yield from self._lost_session(out, status, calls)
            return
        is_whole = out.exists() and same(out, whole)
        before = out.exists() and Path(deed.out).suffix and out.read_bytes() == OLD
        if status == 0 and not is_whole:
            yield "status 0, and the output is missing or damaged"
        if status != 0 and out.exists() and not (is_whole or before):
            yield "the output is neither whole nor what was there before"
        if status != 0 and not out.exists() and Path(deed.out).suffix:
            yield "what was there before is lost"
        if status not in (0, 1) or (status == 1 and not (len(said) == 1 and _SENTENCE.match(said[0]))):
            yield f"no sentence: {said}"
        if status == 0 and said:
            yield f"done, and yet: {said}"
        kept = folder_of(out) if deed.command == "ensemble" and status != 0 else None
        left = self._names() - self._given - {out, kept}
        left = {path for path in left if not {out, kept} & set(path.parents)}
        if left:
            yield f"left behind: {sorted(path.name for path in left)}"
        if kept:
            yield from self._lost_rocks(deed, whole, calls)

    def _lost_rocks(self, deed: Deed, whole: Path, calls: list[str]) -> Iterator[str]:
        """What is kept of rocks after a failure, and whether they go on to the same end."""
        out = self.folder / deed.out
        kept = list(folder_of(out).glob("rocks-*.npz"))
        written = [call for call in calls if " rename " in call and "/rocks-" in call and not call.endswith(" FAILS")]
        whole_now = out.exists()  # only the folder around it could not be told
        if written and not kept and not whole_now:
            yield f"{len(written)} checkpoints were written, and none is left"
        if self._do(deed, "--resume", "--quiet") != 0:
            yield f"does not go on: {self._said}"
        elif not same(out, whole):
            yield "goes on to another end"
        elif "damaged" in self._said:
            yield f"a checkpoint was damaged: {self._said}"

    def _lost_session(self, place: Path, status: int, calls: list[str]) -> Iterator[str]:
        """What is recovered of a window that died."""
        first = next((i for i, call in enumerate(calls) if " rename " in call and call.endswith(".polhode.toml")), None)
        failed = next((i for i, call in enumerate(calls) if call.endswith(" FAILS")), len(calls))
        said = self._said
        if status != 0 or said:
            yield f"an edit is interrupted: {said}"
        try:
            found = autosave.recover(place)
        except Exception as error:  # noqa: BLE001 - a damaged session
            yield f"{error}"
            return
        if found is None and first is not None and first < failed:
            yield "the session is lost"
        if left := [path.name for path in place.glob("*") if path.name.endswith(".part")]:
            yield f"left behind: {left}"
