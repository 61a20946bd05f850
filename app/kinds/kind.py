"""One row of the table of kinds: what the program shows of a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.kinds.body_role import BodyRole
from app.kinds.field import Field
from app.kinds.quantities import Quantity
from physics import World

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind


@dataclass(frozen=True)
class Kind:
    """What the panel, the charts and the stage show of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files, and in physics.systems
    cards : the fields of the panel, by the titles of their cards
    charts, more : what is drawn until one chooses, and what one can choose besides
    scene : how the stage draws it; a function, because PyVista takes a second to load
    facts : what the panel says of a world below the step, one fact a sentence; None: how far it turns in a step
    role : what the body of a file is taken for in it; None: a file alone makes no scenario of this kind
    """

    kind: str
    cards: Mapping[str, tuple[Field, ...]]
    charts: tuple[Quantity, ...]
    more: tuple[Quantity, ...]
    scene: Callable[[], SceneKind]
    facts: Callable[[World], str] | None = None
    role: BodyRole | None = None

    @property
    def choices(self) -> tuple[Quantity, ...]:
        """All charts that it can have."""
        return self.charts + self.more

    def chosen(self, titles: Sequence[str], world: World) -> tuple[Quantity, ...]:
        """The charts of these titles in their order, or those that are drawn of a world until one chooses."""
        choices = self.choices_in(world)
        usual = tuple(quantity for quantity in self.charts if quantity in choices)
        return tuple(quantity for quantity in choices if quantity.title in titles) or usual

    def choices_in(self, world: World) -> tuple[Quantity, ...]:
        """All charts that it can have of a world: where a law gives or takes energy, none of its error."""
        lossless = any(one.lossless for one in (world, *world.earlier, *world.variants.values()))
        return tuple(quantity for quantity in self.choices if lossless or not quantity.lossless)
