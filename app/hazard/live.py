"""The live ensemble: it is computed in a process of its own, and a window shows its results meanwhile.

Rocks come back to Python after each few thousand steps, and the threads of one process share one interpreter. In the
window's own process they would make the event loop wait.
"""

from __future__ import annotations

import copy
import os
import signal
import sys
from collections import defaultdict
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np

from app.hazard.process import EnsembleProcess, UnfinishedEnsemble
from app.hazard.source import EnsembleSource, Query, SchemeResults, Snapshot, Summary
from app.system.language import used
from physics import PhysicsError, Scenario, ScenarioError
from physics.core.messages import Message
from physics.core.wording import N_
from physics.hazard.rock_record import RockPaths
from physics.hazard.rock_rows import ROW

PATIENCE = 30.0  # [s] for a process to keep its rocks
PATHS = ("rock", "offsets", "points", "values", "rested")  # the arrays of new paths sent by app.hazard.worker


class LiveEnsemble(EnsembleSource):
    """An ensemble of a scenario, to be started, paused and gone on with from a window.

    ``march`` lets the process compute rocks. One thread receives its messages. Another one reads the results about once
    a second, and as soon as something else is wanted.

    unfinished : where rocks are kept until all are saved or given up, and gone on from; None: they are not kept

    Attributes
    ----------
    done, time_left, kept, unkept : see EnsembleSource; as the last message had them
    """

    done, time_left = 0, np.inf
    kept, unkept = 0, ""

    def __init__(
        self, scenario: Scenario, child: EnsembleProcess, unfinished: UnfinishedEnsemble | None = None
    ) -> None:
        self.child, self._ended, self._aside = child, "", False
        self.unfinished = unfinished
        self._answers, self._asking = SimpleQueue[Message | None](), Lock()
        self._known: defaultdict[str, _ReceivedPaths] = defaultdict(_ReceivedPaths)
        plain = {"schemes": list(scenario.schemes)} | scenario.to_plain()
        kept = None if unfinished is None else str(unfinished.path)
        self.child.order("begin", scenario=plain, folder=os.path.abspath(scenario.folder), kept=kept)
        super().__init__(scenario)
        self._listening = Thread(target=self._listen, name="ensemble", daemon=True)
        self._listening.start()

    @property
    def complete(self) -> bool:
        """True if all rocks are counted."""
        return self.done == self.scenario.ensemble.rocks

    # ---- what a window orders ----------------------------------------------------------------------------

    def march(self, workers: int) -> None:
        """Begin, or go on, with so many threads."""
        if not (self.marching or self.saving or self.over):
            self.error = self.fault = self.saved = None
            self.marching = True
            self.child.order("march", workers=workers)
            self._news.set()

    def pause(self) -> None:
        """Stop soon; what is counted stays."""
        self.child.order("pause")

    def recall(self) -> None:
        """Show the rocks that are kept."""
        self.march(1)
        self.pause()

    def save(self, path: str | Path) -> None:
        """Write the folder of results in the background; only while no rocks are computed."""
        if self.done and not (self.marching or self.saving or self.lost):
            self.saving = True
            self.child.order("save", path=str(Path(path).absolute()), language=used())

    def stop(self) -> None:
        """End the process and all threads soon, and give up what is kept; what is being written is finished."""
        super().stop()
        if self.saving or self._aside:
            self.child.end()
        else:
            self.child.kill()
        if self.lost:
            self._give_up(keep=self._aside)

    def set_aside(self) -> None:
        """See EnsembleSource; rocks since the last checkpoint are kept too, which takes the process a moment."""
        self._aside = self.unfinished is not None
        self.stop()

    def leave(self) -> UnfinishedEnsemble | None:
        """Hand over the kept rocks to another ensemble of the same scenario."""
        unfinished, self.unfinished = self.unfinished, None
        return unfinished

    @property
    def alive(self) -> bool:
        """True if a thread is at work."""
        return self._listening.is_alive() or super().alive

    def close(self) -> None:
        """End the process and all threads, and wait for them; one that does not keep its rocks in time is killed."""
        self.stop()
        if self._aside and not self.saving:
            self._listening.join(PATIENCE)
            self.child.kill()
        self._listening.join()
        super().close()

    # ---- the threads -----------------------------------------------------------------------------------

    def row(self, rock: int) -> dict[str, Any]:
        """See EnsembleSource."""
        arrays = self._ask("row", rock=rock).arrays
        return {name: row.view(ROW)[0] for name, row in arrays.items()}

    def see(self, wanted: Query) -> Snapshot | None:
        known = {name: len(self._known[name].paths) for name in wanted.schemes}
        _, facts, arrays = self._ask("see", known=known, map=wanted.map, statistic=wanted.statistic)
        if not facts:
            return None
        summaries = {name: Summary(**one) for name, one in facts["summaries"].items()}
        left = {}
        for number, name in enumerate(facts["left"]):
            here = self._known[name]
            here.add({what: arrays[f"{what} {number}"] for what in PATHS})
            left[name] = SchemeResults(copy.copy(here.paths), here.rested, arrays.get(f"map {number}"))
        return Snapshot(facts["done"], wanted, summaries, left, facts["unit"])

    def _ask(self, what: str, **facts: Any) -> Message:
        """Order something, and wait for the answer."""
        with self._asking:
            self.child.order(what, **facts)
            answer = self._answers.get()
        if answer is None:
            self._answers.put(None)  # for all who ask later
            raise PhysicsError(self._ended)
        _raise(answer.facts)
        return answer

    def _listen(self) -> None:
        """Receive the messages of the process, until its end."""
        how = ""
        try:
            for message in self.child.messages():
                if message.what in ("seen", "row"):
                    self._answers.put(message)
                else:
                    self._hear(message.what, message.facts)
        except Exception:  # noqa: BLE001 - any message: the listener must not end silently
            self.child.kill()
            how = N_("sent an unknown message")
        status = self.child.wait()
        self._end(how or _ended(status))

    def _end(self, how: str) -> None:
        """The process has ended."""
        left = (
            N_("continue with the {kept} saved rocks", self.kept)
            if self.kept
            else N_("its rocks are lost: run it again")
        )
        self._ended = N_("the process of the ensemble {how}; {left}", how, left)
        if self._closed.is_set():
            self._give_up(keep=self._aside)
        else:
            self.lost = True
            self._blame(PhysicsError(self._ended))
        self.marching = self.saving = False
        self._answers.put(None)
        self._news.set()

    def _give_up(self, keep: bool = False) -> None:
        """Forget the rocks that are kept, or leave them to another ensemble."""
        if (unfinished := self.leave()) is not None:
            if keep and unfinished.kept:
                unfinished.leave()
            else:
                unfinished.remove()

    def _hear(self, what: str, facts: dict[str, Any]) -> None:
        """Receive the progress, or the notice that it has computed or saved."""
        if what == "progress":
            self.done, self.time_left = facts["done"], facts["left"]
            self.kept, self.unkept = facts["kept"], facts["unkept"]
            return
        try:
            _raise(facts)
        except (PhysicsError, ScenarioError) as error:
            self._blame(error)
        else:
            self.saved = Path(facts["path"]) if what == "saved" else None
            if self.saved and self.complete:
                self._give_up()
        self.marching = self.saving = False
        self._news.set()


class _ReceivedPaths:
    """The paths of one scheme received so far, and which of these rocks came to rest."""

    def __init__(self) -> None:
        self.paths, self.rested = RockPaths(), np.zeros(0, bool)

    def add(self, arrays: dict[str, np.ndarray]) -> None:
        """Those that are new."""
        places = arrays["offsets"].tolist()
        for rock, first, last in zip(arrays["rock"].tolist(), places[:-1], places[1:], strict=True):
            self.paths.add(rock, arrays["points"][first:last], arrays["values"][first:last])
        self.rested = np.concatenate([self.rested, arrays["rested"]])


def _raise(facts: dict[str, Any]) -> None:
    """Raise what went wrong in the process, if anything did."""
    if "fault" in facts:
        raise ScenarioError(*facts["fault"])
    if "error" in facts:
        raise PhysicsError(facts["error"])


def _ended(status: int | None) -> str:
    """Description of how the process ended."""
    if status is None:
        return N_("stopped responding")
    if sys.platform != "win32" and status == -signal.SIGKILL:
        return N_("was killed, perhaps for lack of memory")
    return N_("exited (status {status})", status)
