"""The source of the results that a window shows of an ensemble: live (app.hazard.live) or saved (app.hazard.saved).

A thread reads the results and prepares them for the stage, so that the window never waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.hazard.layers import title_of
from app.system.errors import in_words
from physics import PhysicsError, Scenario, ScenarioError
from physics.core import cancellation
from physics.core.wording import N_
from physics.hazard import rock_rows
from physics.hazard.statistics import QUANTITIES
from physics.systems.rockfall.scenario import of_rocks

if TYPE_CHECKING:
    from app.hazard.layers import PathFile
    from app.stage.ground.marks import Flags
    from physics.core.rotation import Array
    from physics.hazard.rock_record import RockPaths

PERIOD = 1.0  # [s] at least from one reading of the results to the next while rocks are computed
SHARE = 4.0  # times as long as a reading took is waited: readings take at most a fifth of the time


@dataclass(frozen=True)
class Query:
    """Request for results: schemes, and a map, one of MAPS ("" for none), with a statistic.

    colour : what the paths are coloured by; "": none are drawn
    scheme : the one to be shown where lanes share a view
    """

    schemes: tuple[str, ...] = ()
    map: str = ""
    statistic: str = "q95"
    colour: str = ""
    scheme: str = ""

    def among(self, results: Scenario, shown: Scenario | None) -> Query:
        """The same of the results' schemes that have a lane; which one of them is shown changes nothing of it."""
        lanes = () if shown is None else shown.schemes
        return replace(self, schemes=tuple(name for name in results.schemes if name in lanes), scheme="")

    @property
    def layer(self) -> str:
        """The name of the map in physics.hazard.maps."""
        return f"{self.map}_{self.statistic}" if self.map in QUANTITIES else self.map

    @property
    def title(self) -> str:
        """The map for people."""
        return title_of(self.layer)


@dataclass(frozen=True)
class Summary:
    """Statistics of the rocks of one scheme so far.

    Attributes
    ----------
    rocks : their number
    measures : quantity -> mean, std, median, q90, q95, q99, max, over the whole path, by distance; and of the run-out
    reasons : why rocks stopped -> how many
    barriers : as in physics.hazard.barriers
    median : of the run-out by Kaplan and Meier [m]; None: not reached, or not known
    doubt : steps that were too coarse, starts in the ground, a line each, see physics.hazard.ensemble
    validation : run-outs beside measured ones, see physics.hazard.validation; empty: none were measured
    """

    rocks: int
    measures: dict[str, dict[str, float]]
    reasons: dict[str, int]
    barriers: list[dict[str, Any]]
    median: float | None = None
    doubt: str = ""
    validation: dict[str, Any] = field(default_factory=dict)

    @property
    def censored(self) -> float:
        """The share of rocks that did not come to rest."""
        return rock_rows.censored_share(self.reasons)


@dataclass(frozen=True)
class SchemeResults:
    """Paths, deposits and maps of the rocks of one scheme.

    Attributes
    ----------
    paths, rested : thinned paths, and which of these rocks came to rest
    values : of the wanted map: (cells,); None where none is wanted
    """

    paths: RockPaths | PathFile
    rested: Flags
    values: Array | None = None


@dataclass(frozen=True)
class Snapshot:
    """The results of a moment, ready to be shown.

    Attributes
    ----------
    summaries : of the rocks of each scheme; empty before the first rock
    left : scheme -> what its rocks left, of the wanted ones that there are
    unit : of the wanted map
    painted : what ``paint`` made of all that
    """

    done: int
    wanted: Query
    summaries: dict[str, Summary]
    left: dict[str, SchemeResults]
    unit: str = ""
    painted: Any = None


Paint = Callable[[Snapshot], Any]  # what is seen, not painted -> what the stage shows


class EnsembleSource:
    """The rocks of an ensemble as a window shows them: a thread puts the newest results into ``seen``.

    Nothing here waits but ``close``. Subclasses say what there is to see.

    Attributes
    ----------
    seen : the newest results; each is a new object
    chosen : the rock that was chosen last, and its ``row``; None: none yet
    error, fault : what went wrong, as a sentence, and the ScenarioError behind it
    saved : the folder in which the results are; None: in none yet
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = of_rocks(scenario)
        self.seen: Snapshot | None = None
        self.chosen: tuple[int, dict[str, Any]] | None = None
        self.error: str | None = None
        self.fault: ScenarioError | None = None
        self.saved: Path | None = None
        self._wanted = Query(scenario.schemes)
        self._paint: Paint = unpainted
        self._rock: int | None = None
        self._last: tuple[int, Query, Paint] | None = None  # that was looked at
        self._last_rock: int | None = None
        self._closed, self._news = threading.Event(), threading.Event()
        self._looking = threading.Thread(target=self._look, name="results", daemon=True)
        self._looking.start()

    # ---- what there is, see subclasses ------------------------------------------------------------------

    marching = False  # whether rocks are being computed
    saving = False  # whether results are being written
    lost = False  # whether the process that computed them has ended, and all rocks with it that are not kept
    kept = 0  # rocks that are on the disk
    unkept = ""  # why no others are; "": nothing hinders
    time_left = 0.0  # about how long the march will take [s]; infinite until each worker has done a rock

    @property
    def done(self) -> int:
        """Rocks that are counted."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """True if all rocks are counted."""
        return True

    @property
    def over(self) -> bool:
        """True if no more rocks will be counted."""
        return self.complete or self.lost

    def row(self, rock: int) -> dict[str, Any]:
        """Scheme -> the row (physics.hazard.rock_rows.ROW) of a rock that is counted; {} of one that is not.

        This may wait, for a file or a process: a window chooses the rock.
        """
        raise NotImplementedError

    def see(self, wanted: Query) -> Snapshot | None:
        """The results of this moment, not painted; None: there are none yet. Called in the thread that reads."""
        raise NotImplementedError

    # ---- what a window orders ---------------------------------------------------------------------------

    def want(self, wanted: Query, paint: Paint | None = None) -> None:
        """Ask for other results; paint is called in the thread that reads."""
        self._wanted, self._paint = wanted, paint or unpainted
        self._news.set()

    def choose(self, rock: int | None) -> None:
        """Look at the row of a rock too; None: at none."""
        self._rock = rock
        self._news.set()

    def stop(self) -> None:
        """End all threads soon."""
        self._closed.set()
        self._news.set()

    def set_aside(self) -> None:
        """End all threads soon; what is computed stays on the disk, to be shown again."""
        self.stop()

    @property
    def alive(self) -> bool:
        """True if a thread is at work."""
        return self._looking.is_alive()

    def close(self) -> None:
        """End all threads, and wait for them."""
        self.stop()
        self._looking.join()

    # ---- the thread that reads --------------------------------------------------------------------------

    def _look(self) -> None:
        """Leave the newest results, again and again."""
        took = 0.0
        while not self._closed.is_set():
            self._news.wait(max(PERIOD, SHARE * took) if self.marching else None)
            self._news.clear()
            began = time.perf_counter()
            for look in (self._look_at_rock, self._look_at_all):
                try:
                    if not self._closed.is_set():
                        with cancellation.until(self._closed.is_set):
                            look()
                except cancellation.GivenUp:  # a large map was being read
                    return
                except Exception as error:  # noqa: BLE001 - reported in a sentence
                    self._blame(in_words(error, N_("the results cannot be shown")))
            took = time.perf_counter() - began

    def _look_at_rock(self) -> None:
        rock = self._rock
        if rock is not None and rock != self._last_rock:
            self._last_rock = rock  # also where it fails
            self.chosen = rock, self.row(rock)

    def _look_at_all(self) -> None:
        now = (self.done, self._wanted, self._paint)
        if now != self._last:
            self._last = now
            seen = self.see(self._wanted)
            if seen is not None:
                self.seen = replace(seen, painted=self._paint(seen))

    def _blame(self, error: ScenarioError | PhysicsError) -> None:
        self.fault = error if isinstance(error, ScenarioError) else None
        self.error = str(error)


def unpainted(seen: Snapshot) -> None:
    """Without a stage there is nothing to paint on."""
