"""The tables of ``polhode validate`` and ``polhode fit``: on terminals, in files, on the page of a fit."""

from __future__ import annotations

from app.ensemble.layers import in_zone
from app.plots.print_style import Table
from app.system.language import tr
from app.system.sentences import told
from physics.ensembles.fit import Score
from physics.ensembles.fit_results import WORDS, Report
from physics.ensembles.validation import REACH_ANGLE, Comparison, Validation, distribution


def _rule() -> str:
    return tr("reach {angle:g}°").format(angle=REACH_ANGLE)


def _note(median: float, q95: float) -> str:
    return tr(
        "Run-out: horizontal distance from release to stop. W1: mean distance by which computed run-outs would have to "
        "be moved to be the measured ones. A right model would be off by the W1 of the measured drawn again from "
        "themselves: {median:.1f} m in the median, {q95:.1f} m at 95 %. KS: two samples, asymptotic p; rocks that did "
        "not come to rest count where they were last. {rule}: each rock stops where the line of sight to its release "
        "dips by that angle (Evans & Hungr 1993), straight down the fall line; nothing is fitted."
    ).format(median=median, q95=q95, rule=_rule())


def _note_of_a_fit() -> str:
    return tr(
        "Score: W1, by how many metres run-outs would have to be moved in the mean to be the measured ones, within "
        "each block. W1: of all blocks at once; of the measured: of these drawn again from themselves, the median. "
        "Start and fitted: other rocks than those of the trials. {rule}: an angle of reach that is fitted to nothing "
        "(Evans & Hungr 1993)."
    ).format(rule=_rule())


def table(found: Validation, title: str) -> Table:
    """Each statistic of what was measured, of each scheme and of the rule."""
    columns = {**found.schemes, _rule(): found.measured.rule}
    headings = ("", tr("measured"), *columns)
    rows = [
        (tr("rocks"), f"{found.measured.distribution.rocks}", *(f"{one.computed.rocks}" for one in columns.values())),
        (
            tr("mean [m]"),
            _metres(found.measured.distribution.mean),
            *(_metres(one.computed.mean) for one in columns.values()),
        ),
        (
            tr("spread [m]"),
            _metres(found.measured.distribution.std),
            *(_metres(one.computed.std) for one in columns.values()),
        ),
    ]
    for key, value in found.measured.distribution.quantiles.items():
        others = (_metres(one.computed.quantiles[key]) for one in columns.values())
        name = tr("median [m]") if key == "median" else f"{int(key[1:])} % [m]"
        rows.append((name, _metres(value), *others))
    rows += [
        ("W1 [m]", _metres(found.measured.resampled.median), *(_metres(one.wasserstein) for one in columns.values())),
        ("KS", "", *(f"{one.ks:.2f}" for one in columns.values())),
        ("p", "", *(f"{one.p_value:.2g}" for one in columns.values())),
        (tr("not at rest"), "", *(_share(one.censored) for one in found.schemes.values()), ""),
        ("Kaplan-Meier [m]", "", *(_median(one) for one in found.schemes.values()), ""),
    ]
    for number, band in enumerate(found.measured.rule.bands):
        inside = (_share(one.bands[number].measured) for one in columns.values())
        name = tr("in the {share:.0f} % band").format(share=100.0 * band.share)
        rows.append((name, _share(band.share), *inside))
    for number, name in enumerate(found.measured.zone_names):
        inside = (_share(one.zones[number]) for one in found.schemes.values())
        rows.append((in_zone(name), _share(found.measured.zones[number]), *inside, ""))
    drawn = {"median": found.measured.resampled.median, "q95": found.measured.resampled.q95}
    first = f"{told(found.measured.fitted)}.\n" if found.measured.fitted else ""
    return Table(title, headings, tuple(rows), first + _note(**drawn))


def _metres(value: float) -> str:
    return f"{value:.1f}"


def _share(value: float) -> str:
    return f"{value:.2f}"


def _median(one: Comparison) -> str:
    return tr("beyond") if one.median is None else _metres(one.median)


def plain(made: Table) -> str:
    """The table as lines of text."""
    lines = [made.headings, *made.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(made.headings))]
    return "\n".join(
        "  ".join(
            f"{word:<{w}}" if i == 0 else f"{word:>{w}}" for i, (word, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def score_table(found: Report) -> Table:
    """Both parts of the runs: what was measured, before, after, and by a rule."""
    rows: list[tuple[str, ...]] = []
    for name, part in found.runs.parts.items():
        words, measured = f"{part.sum()} {tr(WORDS[name])}", distribution(found.runs.runouts[part])
        chance = f"({found.chance[name]:.1f})"
        rows.append((words, tr("measured"), "", chance, f"{measured.mean:.1f}", f"{measured.std:.1f}", ""))
        scores = {tr("start"): found.outcome.start, tr("fitted"): found.outcome.fitted, _rule(): found.rule}
        rows += [(words, heading, *_words(score[name])) for heading, score in scores.items()]
    means = (tr("mean [m]"), tr("spread [m]"), tr("not at rest"))
    headings = (tr("runs"), "", tr("score [m]"), "W1 [m]", *means)
    return Table(tr("How far apart"), headings, tuple(rows), _note_of_a_fit())


def parameter_table(found: Report) -> Table:
    """What was free, what was found, and which share of the score's variance goes with it."""
    indices = found.outcome.sensitivities.get("score")
    rows = []
    for i, one in enumerate(found.parameters):
        numbers = (one.bounds.low, one.bounds.high, one.start, found.values[one.field])
        shares = ("", "") if indices is None else (f"{indices.first[i]:.2f}", f"{indices.total[i]:.2f}")
        rows.append((one.field, *(f"{number:.5g}" for number in numbers), *shares))
    headings = (tr("field"), tr("from"), tr("to"), tr("start"), tr("fitted"), tr("first index"), tr("total index"))
    return Table(tr("Parameters"), headings, tuple(rows))


def _words(score: Score) -> tuple[str, ...]:
    metres = (score.score, score.wasserstein, score.mean, score.std)
    return (*(f"{value:.1f}" for value in metres), f"{score.censored:.2f}")
