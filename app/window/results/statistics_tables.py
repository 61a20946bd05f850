"""Tables of an ensemble's results, as rich text for labels: schemes beside each other, units beside the names."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

from app.ensemble.source import Summary
from app.ensemble.zone_titles import in_zone
from app.playback.lane_looks import lane_schemes
from app.system.language import tr
from app.theme import Theme, legible
from physics.ensembles.rock_rows import REASONS
from physics.ensembles.statistics import QUANTITIES

NAMES = {
    "kinetic_energy": "Kinetic energy",
    "velocity": "Velocity",
    "rotation": "Spin rate",
    "jump_height": "Height above ground",
    "runout": "Run-out",
}
UNITS = {**QUANTITIES, "runout": "m"}
STATISTICS = {"mean": "mean", "median": "median", "q95": "95 %", "max": "largest"}
_WIDE = 2  # schemes beside each other for whose numbers and shares there is room
STOPS = {"rest": "at rest", "left-map": "left the map", "end": "still moving", "failed-solve": "no solution"}
ROW = {  # what is told of one rock -> its name and unit
    "duration": ("Time", "s"),
    "runout": ("Run-out", "m"),
    "lateral": ("Off the fall line", "m"),
    "max_kinetic_energy": ("Largest energy", "J"),
    "max_velocity": ("Largest velocity", "m/s"),
    "max_rotation": ("Largest spin rate", "rad/s"),
    "max_jump_height": ("Largest height", "m"),
}


def measures_table(told: Mapping[str, Summary], theme: Theme) -> str:
    """Each quantity with its statistics, a line a scheme."""
    rows = [_row(["", *map(tr, STATISTICS.values())], theme, dim=True)]
    for quantity, name in NAMES.items():
        largest = max(one.measures[quantity]["max"] for one in told.values())
        factor, unit = scaled(largest, UNITS[quantity])
        if quantity == "runout" and any(one.censored for one in told.values()):
            unit += tr(", not all at rest: see below")
        rows.append(f"<tr><td colspan='5' style='padding-top:6px'><b>{tr(name)}</b> {_dim(unit, theme)}</td></tr>")
        for letter, one in zip(letters(told, theme), told.values(), strict=True):
            values = (number(one.measures[quantity][key] * factor) for key in STATISTICS)
            rows.append(_row([letter, *values], theme))
    return _table(rows)


def kaplan_meier(told: Summary) -> str:
    """The median run-out by Kaplan and Meier [m]; where it is not reached it is beyond all that is known."""
    return f"&gt; {number(told.measures['runout']['max'])}" if told.median is None else number(told.median)


def share(value: float) -> str:
    """A share in per cent; one that is neither none nor all is not rounded to that."""
    return f"{value:.0%}" if 0.01 <= value <= 0.99 or value in (0.0, 1.0) else f"{value:.2%}"


def reasons_table(told: Mapping[str, Summary], theme: Theme) -> str:
    """Why rocks stopped, and what it means for the run-out that some did not, a column a scheme."""
    found = [code for code in STOPS if any(one.reasons.get(code) for one in told.values())]
    rows = [_row(["", *letters(told, theme)], theme)]
    for code in found:
        counts = ((one.reasons.get(code, 0), max(one.rocks, 1)) for one in told.values())
        words = (f"{n / all_:.0%}" if len(told) > _WIDE else f"{n} ({n / all_:.0%})" for n, all_ in counts)
        rows.append(_row([tr(STOPS[code]), *words], theme))
    if any(one.censored for one in told.values()):
        rows.append(_row([f"<b>{tr('not at rest')}</b>", *(share(one.censored) for one in told.values())], theme))
        name = f"<b>{tr('median run-out')}</b> {_dim('m', theme)}<br>{_dim(tr('by Kaplan–Meier'), theme)}"
        rows.append(_row([name, *map(kaplan_meier, told.values())], theme))
    return _table(rows)


def barrier_table(told: Mapping[str, Summary], barrier: int, quantity: str, theme: Theme) -> str:
    """What one barrier met, a column a scheme."""
    found = {scheme: one.barriers[barrier] for scheme, one in told.items()}
    factor, unit = scaled(max(one[quantity]["max"] for one in found.values()), UNITS[quantity])
    rows = [_row(["", *letters(found, theme)], theme)]
    rows.append(
        _row([tr("rocks that cross"), *(f"{one['rocks']} ({one['share_crossing']:.0%})" for one in found.values())])
    )
    rows.append(_row([tr("of these lower than it"), *(f"{one['share_stopped']:.0%}" for one in found.values())]))
    name = tr(NAMES[quantity].lower())
    for key, word in STATISTICS.items():
        values = (number(one[quantity][key] * factor) for one in found.values())
        rows.append(_row([f"{name}, {tr(word)} {_dim(unit, theme)}", *values]))
    return _table(rows)


def validation_table(told: Mapping[str, Summary], theme: Theme) -> str:
    """Measured run-outs, those of each scheme, and those of a rule fitted to nothing, a column each."""
    one = next(iter(told.values())).validation
    computed = [found.validation["computed"] for found in told.values()]
    rule, drawn = one["baselines"]["reach_angle"], one["baselines"]["resampled"]
    columns = [*computed, rule]
    heads = (f"<b>{_dim(tr('field'), theme)}</b>", *letters(told, theme), _dim(f"{rule['angle']:g}°", theme))
    rows = [_row(["", *heads])]
    for name, key in ((tr("mean"), "mean"), (tr("spread"), "std")):
        values = (metres(each["computed"][key]) for each in columns)
        rows.append(_row([f"{name} {_dim('m', theme)}", metres(one["measured"][key]), *values]))
    for key in ("q05", "median", "q95"):
        name = tr("median") if key == "median" else f"{int(key[1:])} %"
        values = (metres(each["computed"]["quantiles"][key]) for each in columns)
        rows.append(_row([f"{name} {_dim('m', theme)}", metres(one["measured"]["quantiles"][key]), *values]))
    apart = (metres(each["wasserstein"]) for each in columns)
    rows.append(_row([f"<b>{tr('apart')}</b> {_dim('m', theme)}", f"({metres(drawn['median'])})", *apart]))
    chances = (f"{each['p_value']:.2f}" if each["p_value"] >= 0.005 else "&lt; 0.01" for each in columns)
    rows.append(_row([tr("by chance"), "", *chances]))
    for n, band in enumerate(rule["bands"]):
        inside = (share(each["bands"][n]["measured"]) for each in columns)
        rows.append(_row([tr("{share:.0%} band").format(share=band["share"]), share(band["share"]), *inside]))
    for zone, part in one["zones"].items():
        inside = (share(each["zones"].get(zone, 0.0)) for each in computed)
        rows.append(_row([html.escape(in_zone(zone)), share(part), *inside, ""]))
    return _table(rows)


def metres(value: float) -> str:
    """Whole metres from 100 m on, tenths below."""
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.1f}"


def rock_table(rows: Mapping[str, Any], theme: Theme) -> str:
    """What happened to one rock, a column a scheme; rows of type physics.ensembles.rock_rows.ROW."""
    lines = [_row(["", *letters(rows, theme)], theme)]
    lines.append(_row([tr("Stopped"), *(tr(STOPS[REASONS[int(row["stop_reason"])]]) for row in rows.values())]))
    for key, (name, unit) in ROW.items():
        factor, unit = scaled(max(abs(float(row[key])) for row in rows.values()), unit)
        values = (number(float(row[key]) * factor) for row in rows.values())
        lines.append(_row([f"{tr(name)} {_dim(unit, theme)}", *values]))
    return _table(lines)


def letters(lanes: Iterable[str], theme: Theme) -> list[str]:
    """The letter of each lane in its colour."""
    return [
        f"<b style='color:{legible(row.colour, theme, ratio=4.5)}'>{html.escape(row.letter)}</b>"
        for row in lane_schemes(tuple(lanes))
    ]


def scaled(largest: float, unit: str) -> tuple[float, str]:
    """The factor and the unit that keep energies short."""
    if unit == "J":
        return (1e-6, "MJ") if largest >= 2e6 else (1e-3, "kJ") if largest >= 2e3 else (1.0, "J")
    return 1.0, unit


def number(value: float) -> str:
    """Three digits, without powers of ten where they fit."""
    return f"{value:.0f}" if 100.0 <= abs(value) < 1e6 else f"{value:.3g}"


def _dim(text: str, theme: Theme) -> str:
    return f"<span style='color:{theme.text_dim}'>{html.escape(text)}</span>"


def _row(cells: Iterable[str], theme: Theme | None = None, dim: bool = False) -> str:
    first, *others = cells
    shown = [_dim(cell, theme) if dim and theme is not None else cell for cell in others]
    return f"<tr><td>{first}</td>" + "".join(f"<td align='right'>{cell}</td>" for cell in shown) + "</tr>"


def _table(rows: Iterable[str]) -> str:
    return f"<table width='100%' cellspacing='0' cellpadding='2'>{''.join(rows)}</table>"
