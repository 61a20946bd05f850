"""The reference path: the path of a top's axis under the best scheme at a fine step, beside that of the lanes."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from app.playback.run import Lane
from app.stage.actor_group import fading, move, polyline
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.overlay import Overlay
from app.stage.recent_samples import RecentSamples
from app.stage.scenes.top import memory_of, reach
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.schemes import SCHEMES
from physics.simulation.schedule import record_schedule, recording
from physics.systems.free.rotating_world import AttachedWorld

SCHEME, FINER = "verlet-exact", 16  # of second order: its error is 1/256 of that at the scenario's own step
PATH = 1600  # points


class ReferencePath(Overlay):
    """A fine reference of the path of a top's axis, not an exact solution: computed in the background."""

    overlay = "reference"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        world = min((track.world for track in self.tracks), key=lambda world: world.scenario.step)
        assert isinstance(world, AttachedWorld)
        self._stretch = reach(world) / float(world.arm[2])
        self.line = polyline(PATH, fading(look.ink, PATH, 0.95, power=0.6))
        self.add(self.line, lit=False, width=1.5)
        self._recent: RecentSamples | None = None
        self._work = threading.Thread(target=self._compute, args=(world,), name="reference", daemon=True)
        self._work.start()

    def _compute(self, world: AttachedWorld) -> None:
        scenario = world.scenario
        fine = scenario.changed(
            schemes=[SCHEME], step=scenario.step / FINER, record_every=FINER * scenario.record_every
        )
        fine_world = AttachedWorld.of(fine)
        into = recording(fine_world, SCHEME)
        for _ in record_schedule([fine_world], SCHEME, into, rows=8192):
            if self.ended:
                return
        track = LaneTrack(Lane(SCHEMES[SCHEME], into, fine_world), np.zeros(3))
        self._recent = RecentSamples(track, memory_of(world), PATH, track.positions)

    def wait(self) -> None:
        """Wait until it is computed."""
        self._work.join()

    def show(self, poses: Sequence[Pose]) -> None:
        """Draw up to the poses; nothing before it is computed."""
        if self._recent is not None:
            move(self.line, self._recent.at(poses[0].time) * self._stretch)

    def signs(self) -> tuple[Sign, ...]:
        """What the line is."""
        return (
            (
                "reference",
                sign(tr("fine reference ({scheme}, step/{parts})").format(scheme=SCHEME, parts=FINER), self.look.ink),
            ),
        )
