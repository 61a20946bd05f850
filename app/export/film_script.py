"""The script of a film, made before its frames are drawn: the time that each of them shows, and its headline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.document.recipe import span
from app.export.film_times import Timeline, card_frames, first_flip, timeline_of
from app.playback.headline import Headline, headline_of
from app.playback.run import Lane
from physics import Scenario, ScenarioError, World
from physics.core.wording import N_

LARGER = 1.2  # letters than in pictures: films are seen from afar


@dataclass(frozen=True)
class FilmScript:
    """Frames of a film's motion, numbered from the first one of the motion.

    Attributes
    ----------
    world : as it is drawn: the speed of its export table is that which a wanted length comes to
    times : (n,) simulated times [s] of the frames that are drawn
    held : for how many frames more the last of them is shown
    headline : None: none is shown
    """

    world: World
    times: np.ndarray
    held: int
    headline: Headline | None

    @classmethod
    def of(cls, world: World, lanes: Sequence[Lane]) -> FilmScript:
        """The script of a film of some lanes, as the scenario's film and export tables say.

        Raises ScenarioError where a caption is outside the film, or its length too short.
        """
        scenario, export, timeline = world.scenario, world.scenario.export, timeline_of(world.scenario, lanes)
        held = card_frames(export.fps, scenario.film.pause)
        if export.length is not None:
            world = replace(world, scenario=scenario.changed(**{"export.length": None, "export.speed": timeline.usual}))
        return cls(world, timeline.times(export.fps), held, _headline(scenario, lanes, timeline))

    def frames(self, drawn: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
        """All frames of the motion, from the pictures of its times: the last one held."""
        for picture in drawn:
            yield picture
        yield from (picture for _ in range(self.held))


def _headline(scenario: Scenario, lanes: Sequence[Lane], timeline: Timeline) -> Headline | None:
    """The headline of a film; the scenario's own captions stand in place of what happens."""
    chosen, (_, last) = scenario.film.captions, span(scenario, lanes)
    if not isinstance(chosen, str):
        check_captions(scenario, last)
    if chosen == "none" or scenario.export.transparent:
        return None
    found = headline_of(scenario, lanes, last, judged=scenario.film.pause > 0.0)
    if isinstance(chosen, str):
        found = replace(found.shown(timeline.at, timeline.time), flip=first_flip(lanes, timeline))
    else:
        found = replace(found, said=(found.said[0], *((one.time, one.text) for one in chosen)))
    paces = () if timeline.paces == (1.0,) else tuple(zip(timeline.bounds, timeline.paces, strict=False))
    return replace(found, paces=paces, larger=LARGER)


def check_captions(scenario: Scenario, last: float) -> None:
    """ScenarioError for a caption of the scenario's own that is outside a film which ends at a time [s]."""
    first, captions = scenario.export.first, scenario.film.captions
    for number, caption in enumerate(() if isinstance(captions, str) else captions):
        if not first <= caption.time < last:
            expected = N_("expected a time in the film, from {first:g} to less than {last:.4g} s", first, last)
            raise ScenarioError(f"film.captions.{number}.time", N_("{expected}, got {time:g}", expected, caption.time))
