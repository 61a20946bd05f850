"""Groups of actors that move with a body: those that need to know where it is, and those that need its past too."""

from __future__ import annotations

from abc import ABC, abstractmethod

from app.stage.actor_group import ActorGroup
from app.stage.lane_track import LaneTrack, Pose


class PosedGroup(ActorGroup, ABC):
    """Actors that need to know where the body is."""

    @abstractmethod
    def show(self, pose: Pose) -> None:
        """Move to a pose."""


class TrackedGroup(ActorGroup, ABC):
    """Actors that need to know where the body has been too."""

    @abstractmethod
    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Move to a pose."""
