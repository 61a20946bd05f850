"""Numbers of a lane: the current values in its caption, chosen by the kind of scenario, see app.kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from physics import Trajectory, World

WRONG = 1e-3  # smallest relative error that is marked
ERROR = "88.8 %"  # as wide as any relative error below ten


class Number(NamedTuple):
    """A number of a caption.

    Attributes
    ----------
    name, text : name and value
    widest : widest text of the value
    wrong : marked as an error
    named : name is visible
    seen : visible at all; the room stays
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False
    named: bool = True
    seen: bool = True


Caption = Callable[[Trajectory, World, float], Iterable[Number]]  # by the run, the world and a time [s]


def no_numbers(run: Trajectory, world: World, time: float) -> tuple[Number, ...]:
    """Caption without numbers."""
    return ()


def runs_of(numbers: Iterable[Number], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    runs: list[TextRun] = []
    for number in numbers:
        name, text, widest = f"{number.name} ", f"{number.text}    ", f"{number.widest or number.text}    "
        weight = "SemiBold" if number.wrong or not number.named else "Medium"
        colour = look.alarm if number.wrong else look.ink
        runs.append(TextRun(name if number.named and number.seen else "", look.dim, 12.5, room=name))
        runs.append(TextRun(text if number.seen else "", colour, 12.5, weight, room=widest))
    return tuple(runs)
