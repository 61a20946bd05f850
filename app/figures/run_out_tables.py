"""The tables of ``polhode validate`` and ``polhode fit``, in English: on terminals, in files, on the page of a fit."""

from __future__ import annotations

from app.plots.print_style import Table
from physics.ensembles.fit_results import WORDS, Report
from physics.ensembles.fit_runs import Score
from physics.ensembles.validation import REACH_ANGLE, Comparison, Validation, distribution

RULE = f"reach {REACH_ANGLE:g}°"
NOTE = (
    "Run-out: horizontal distance from release to stop. W1: mean distance by which computed run-outs would have to be "
    "moved to be the measured ones. A right model would be off by the W1 of the measured drawn again from themselves: "
    "{median:.1f} m in the median, {q95:.1f} m at 95 %. KS: two samples, asymptotic p; rocks that did not come to rest "
    "count where they were last. "
    + RULE
    + ": each rock stops where the line of sight to its release dips by that angle "
    "(Evans & Hungr 1993), straight down the fall line; nothing is fitted."
)
NOTE_OF_A_FIT = (
    "Score: W1, by how many metres run-outs would have to be moved in the mean to be the measured ones, within each "
    "block. W1: of all blocks at once; of the measured: of these drawn again from themselves, the median. Start and "
    "fitted: other rocks than those of the trials. " + RULE + ": an angle of reach that is fitted to nothing (Evans & "
    "Hungr 1993)."
)


def table(found: Validation, title: str) -> Table:
    """Each statistic of what was measured, of each scheme and of the rule."""
    columns = {**found.schemes, RULE: found.measured.rule}
    headings = ("", "measured", *columns)
    rows = [
        ("rocks", f"{found.measured.distribution.rocks}", *(f"{one.computed.rocks}" for one in columns.values())),
        (
            "mean [m]",
            _metres(found.measured.distribution.mean),
            *(_metres(one.computed.mean) for one in columns.values()),
        ),
        (
            "spread [m]",
            _metres(found.measured.distribution.std),
            *(_metres(one.computed.std) for one in columns.values()),
        ),
    ]
    for key, value in found.measured.distribution.quantiles.items():
        others = (_metres(one.computed.quantiles[key]) for one in columns.values())
        rows.append(((f"{key} [m]" if key == "median" else f"{int(key[1:])} % [m]"), _metres(value), *others))
    rows += [
        ("W1 [m]", _metres(found.measured.resampled.median), *(_metres(one.wasserstein) for one in columns.values())),
        ("KS", "", *(f"{one.ks:.2f}" for one in columns.values())),
        ("p", "", *(f"{one.p_value:.2g}" for one in columns.values())),
        ("not at rest", "", *(_share(one.censored) for one in found.schemes.values()), ""),
        ("Kaplan-Meier [m]", "", *(_median(one) for one in found.schemes.values()), ""),
    ]
    for number, band in enumerate(found.measured.rule.bands):
        inside = (_share(one.bands[number].measured) for one in columns.values())
        rows.append((f"in the {band.share:.0%} band".replace("%", " %"), _share(band.share), *inside))
    for number, name in enumerate(found.measured.zone_names):
        inside = (_share(one.zones[number]) for one in found.schemes.values())
        rows.append((f"in {name}" if name != "elsewhere" else name, _share(found.measured.zones[number]), *inside, ""))
    drawn = {"median": found.measured.resampled.median, "q95": found.measured.resampled.q95}
    first = f"{found.measured.fitted}.\n" if found.measured.fitted else ""
    return Table(title, headings, tuple(rows), first + NOTE.format(**drawn))


def _metres(value: float) -> str:
    return f"{value:.1f}"


def _share(value: float) -> str:
    return f"{value:.2f}"


def _median(one: Comparison) -> str:
    return "beyond" if one.median is None else _metres(one.median)


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
        words, measured = f"{part.sum()} {WORDS[name]}", distribution(found.runs.runouts[part])
        chance = f"({found.chance[name]:.1f})"
        rows.append((words, "measured", "", chance, f"{measured.mean:.1f}", f"{measured.std:.1f}", ""))
        scores = {"start": found.outcome.start, "fitted": found.outcome.fitted, RULE: found.rule}
        rows += [(words, heading, *_words(score[name])) for heading, score in scores.items()]
    headings = ("runs", "", "score [m]", "W1 [m]", "mean [m]", "spread [m]", "not at rest")
    return Table("How far apart", headings, tuple(rows), NOTE_OF_A_FIT)


def parameter_table(found: Report) -> Table:
    """What was free, what was found, and which share of the score's variance goes with it."""
    told = found.outcome.sensitivities.get("score")
    rows = []
    for i, one in enumerate(found.parameters):
        numbers = (one.bounds.low, one.bounds.high, one.start, found.values[one.field])
        shares = ("", "") if told is None else (f"{told.first[i]:.2f}", f"{told.total[i]:.2f}")
        rows.append((one.field, *(f"{number:.5g}" for number in numbers), *shares))
    return Table("Parameters", ("field", "from", "to", "start", "fitted", "first", "total"), tuple(rows))


def _words(score: Score) -> tuple[str, ...]:
    metres = (score.score, score.wasserstein, score.mean, score.std)
    return (*(f"{value:.1f}" for value in metres), f"{score.censored:.2f}")
