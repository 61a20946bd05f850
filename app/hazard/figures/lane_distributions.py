"""Schemes by distribution: sentences, table and figure of ``polhode compare SLOPE --rocks N``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from matplotlib.figure import Figure

from app.hazard.figures.run_out import cumulate
from app.playback.verdicts import name_of
from app.plots.print_style import DASHES, INK, PrintTable, below_all, figure_page, label, lane_style, write_either
from app.system.language import tr
from physics.core.wording import in_digits, per_cent
from physics.hazard.lane_distributions import QUANTITIES, Difference, LaneComparison, LaneDistribution
from physics.schemes.lane import lane_of

LETTERS = 110  # letters in a line above the figure
SHOWN = {"runout": (1.0, "m"), "max_kinetic_energy": (1e-3, "kJ"), "deflection": (1.0, "°")}  # scale and unit


def titles() -> dict[str, str]:
    """Names of the quantities."""
    return {"runout": tr("run-out"), "max_kinetic_energy": tr("largest energy"), "deflection": tr("deflection")}


def sentence(lane: LaneDistribution, rocks: int) -> str:
    """Sentence on a lane's run-outs, for people."""
    found, title = lane.differences["runout"], name_of(lane_of(lane.lane).row)
    numbers = {
        "lane": title,
        "rocks": rocks,
        "far": in_digits(abs(found.shift), 2),
        "error": in_digits(found.shift_error, 2),
        "apart": in_digits(found.wasserstein, 2),
        "chance": in_digits(found.by_chance, 2),
    }
    if not found.differs:
        more, told = found.finer(rocks)
        text = tr(
            "{lane} is within the noise of {rocks} rocks: its run-outs are {apart} m off the reference, by chance "
            "up to {chance} m; {more} rocks would tell {told:g} m."
        )
        return text.format(**numbers, more=more, told=told)
    if not found.shifted:
        text = tr(
            "{lane} spreads its stops otherwise than the reference: run-outs are {apart} m off, by chance of "
            "{rocks} rocks up to {chance} m."
        )
    elif found.shift < 0.0:
        text = tr("{lane} stops {far} ± {error} m short of the reference, beyond the noise of {rocks} rocks.")
    else:
        text = tr("{lane} goes {far} ± {error} m farther than the reference, beyond the noise of {rocks} rocks.")
    return text.format(**numbers)


def reference_sentence(reference: str, coarser: LaneDistribution, rocks: int) -> str:
    """Sentence on whether the reference stays the same when its step is doubled."""
    if coarser.differences["runout"].differs:
        text = tr("The reference {name} is not settled: with twice its step run-outs differ; take a smaller --step.")
        return text.format(name=reference)
    text = tr("The reference {name} is settled: with twice its step it is within the noise of {rocks} rocks.")
    return text.format(name=reference, rocks=rocks)


def sentences(compared: LaneComparison) -> list[str]:
    """A sentence for each lane, and one for the reference."""
    lines = [sentence(one, compared.rocks) for one in compared.lanes]
    return [*lines, reference_sentence(compared.reference, compared.settled, compared.rocks)]


def write_comparison(path: Path, compared: LaneComparison, title: str) -> None:
    """Write the table (.csv, English) or the figure with its sentences (.pdf, .svg, .png)."""
    write_either(path, lambda: figure(compared, title, sentences(compared)), lambda: table(compared, title))


def table(compared: LaneComparison, title: str) -> PrintTable:
    """Each lane and quantity beside the reference."""
    headings = (
        tr("scheme"),
        tr("quantity"),
        tr("mean"),
        "±",
        tr("off in the mean"),
        "± 95 %",
        "W1",
        tr("by chance"),
        "KS",
        tr("by chance"),
        tr("differs"),
        tr("not at rest"),
    )
    rows = [
        (
            lane.lane,
            f"{word} [{SHOWN[name][1]}]",
            *_cells(lane.differences[name], SHOWN[name][0]),
            per_cent(lane.unfinished),
        )
        for lane in compared.lanes
        for name, word in titles().items()
    ]
    note = tr(
        "{rocks} rocks of each scheme, the same starts. W1: mean distance by which the values would have to be moved "
        "to be the reference's; KS: largest difference of the cumulated shares; by chance: 95 % of two samples of one "
        "distribution stay below. Rocks that are not at rest count as far as they got."
    ).format(rocks=compared.rocks)
    return PrintTable(title, headings, tuple(rows), note)


def _cells(found: Difference, scale: float) -> tuple[str, ...]:
    numbers = (found.mean, found.std, found.shift, found.shift_error, found.wasserstein, found.by_chance)
    shares = (f"{found.ks:.2f}", f"{found.ks_by_chance:.2f}", tr("yes") if found.differs else tr("no"))
    return (*(in_digits(scale * number, 3) for number in numbers), *shares)


def figure(compared: LaneComparison, title: str, lines: Sequence[str]) -> Figure:
    """Cumulated shares of each quantity, by lane and of the reference; title and lines above."""
    values, reference = compared.values, compared.reference
    made, (axes,) = figure_page(1, len(QUANTITIES), height=3.3)
    for part, (name, word) in zip(axes, titles().items(), strict=True):
        scale, unit = SHOWN[name]
        for lane, found in values.items():
            if lane != reference:
                cumulate(part, scale * found[name], **lane_style(lane_of(lane).row) | {"label": lane})
        cumulate(
            part, scale * values[reference][name], color=INK, linewidth=1.6, linestyle=DASHES["dot"], label=reference
        )
        part.set_xlim(left=0.0)
        part.set_ylim(0.0, 1.0)
        label(part, f"{word} [{unit}]", tr("share at most so far") if part is axes[0] else "", "")
    below_all(made, *axes, columns=4)
    wrapped = [part for line in filter(None, [title, *lines]) for part in wrap(line, LETTERS)]
    if wrapped:
        made.suptitle("\n".join(wrapped), fontsize=9.0, x=0.01, ha="left", parse_math=False)
    return made
