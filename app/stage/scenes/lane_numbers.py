"""Numbers of a lane: what a caption says of one lane just now. Kinds of scenarios tell which, see app.kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from physics import Trajectory, World

WRONG = 1e-3  # relative error from which a number is marked
ERROR = "88.8 %"  # as wide as any relative error below ten


class Number(NamedTuple):
    """A number of a caption.

    Attributes
    ----------
    name, text : what stands there
    widest : the widest text that may stand there
    wrong : whether it is marked
    named : whether the name is seen
    seen : whether anything of it is; the room stays
    """

    name: str
    text: str
    widest: str = ""
    wrong: bool = False
    named: bool = True
    seen: bool = True


Caption = Callable[[Trajectory, World, float], Iterable[Number]]  # of a lane's run, its world, and a time [s]


def no_numbers(run: Trajectory, world: World, time: float) -> tuple[Number, ...]:
    """Of a kind that tells none."""
    return ()


def runs_of(numbers: Iterable[Number], look: StageColours) -> tuple[TextRun, ...]:
    """Numbers as a line of a card."""
    return tuple(run for number in numbers for run in _runs(number, look))


def _runs(number: Number, look: StageColours) -> tuple[TextRun, TextRun]:
    name, text = f"{number.name} ", f"{number.text}    "
    weight = "SemiBold" if number.wrong or not number.named else "Medium"
    return (
        TextRun(name if number.named and number.seen else "", look.dim, 12.5, room=name),
        TextRun(
            text if number.seen else "",
            look.alarm if number.wrong else look.ink,
            12.5,
            weight,
            room=f"{number.widest or number.text}    ",
        ),
    )
