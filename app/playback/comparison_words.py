"""Words for lanes beside the true motion: a line of the table, and one sentence."""

from __future__ import annotations

from app.kinds.quantities import MINUS, share
from app.system.language import tr
from app.system.sentences import told
from physics.analysis.comparison import Change, LaneComparison

NONE = "–"


def headings() -> tuple[str, ...]:
    """The columns of the table."""
    return (
        tr("lane"),
        tr("leaves 1°"),
        tr("10°"),
        tr("90°"),
        tr("off at the end"),
        tr("position off"),
        tr("energy"),
        tr("angular momentum"),
        tr("computing a second"),
        tr("truth until"),
    )


def cells(lane: LaneComparison) -> tuple[str, ...]:
    """A lane's line under the headings."""
    return (
        lane.lane,
        *(_left(lane, time) for time in lane.left.values()),
        NONE if lane.degrees_off is None else _degrees(lane.degrees_off),
        NONE if lane.metres_off is None else f"{lane.metres_off:.2g} m",
        _change(lane.energy),
        NONE if lane.momentum is None else _change(lane.momentum),
        NONE if lane.cost is None else f"{1e3 * lane.cost:.2g} ms",
        NONE if lane.valid_until is None else f"{lane.valid_until:.4g} s",
    )


def sentence(lane: LaneComparison) -> str:
    """When a lane leaves the true motion, and up to when that is known."""
    if lane.valid_until is None:
        text = tr("{lane}: no true motion is known.").format(lane=lane.lane)
        return f"{text} {told(lane.reason)}".rstrip()
    one, ten, ninety = (None if time is None else f"{time:.3g}" for time in lane.left.values())
    if one is None:
        text = tr("{lane} stays within 1° of the true motion.")
    elif ten is None:
        text = tr("{lane} leaves the true motion at {one} s and stays within 10° of it.")
    elif ninety is None:
        text = tr("{lane} leaves the true motion at {one} s and is 10° off at {ten} s.")
    else:
        text = tr("{lane} leaves the true motion at {one} s, is 10° off at {ten} s and 90° off at {ninety} s.")
    text = text.format(lane=lane.lane, one=one, ten=ten, ninety=ninety)
    if lane.failed:
        return f"{text} {tr('It has no solution after {time} s.').format(time=f'{lane.end:.3g}')}"
    if not lane.reason:
        return text
    after = tr("After {time} s the true motion is not known.").format(time=f"{lane.valid_until:.3g}")
    return f"{text} {after}"


def _left(lane: LaneComparison, time: float | None) -> str:
    """When a lane is farther off; where it never is, the time up to which that is known."""
    if time is not None:
        return f"{time:.3g} s"
    if lane.valid_until is None:
        return NONE
    return f"> {lane.compared_at:.3g} s" if lane.reason or lane.failed else tr("never")


def _degrees(degrees: float) -> str:
    return f"{degrees:.0f}°" if degrees >= 10.0 else f"{degrees:.2g}°"


def _change(change: Change) -> str:
    """At the end, with its sign."""
    text = share(abs(change.end))
    return text if text == "0" else f"{MINUS if change.end < 0.0 else '+'}{text}"
