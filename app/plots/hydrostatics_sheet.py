"""The hydrostatics sheet of a hull: its numbers and tables in words, and its files."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.plots.hydrostatics_words import four, given_words, heel_words, outside, outside_words
from app.system.language import speaking, tr
from physics.core.rotation import Array
from physics.hydrostatics.natural_periods import Periods
from physics.hydrostatics.stability_sheet import Curves, Sheet
from physics.hydrostatics.weather_criterion import Weather
from physics.io.trajectory_writers import check_output, replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# colours of the curves of a chart, distinct for all eyes
COLOURS = ("#D55E00", "#009E73", "#0072B2", "#CC79A7", "#E69F00")
LINES = ("solid", "dash", "dash-dot")  # another number: of fifteen curves none look alike
TONNE = 1000.0  # [kg]
BLANK = 16  # characters of a blank for one who signs
PER_CM = 100.0 * TONNE  # [kg/m] in a tonne per centimetre


class Chart(NamedTuple):
    """Curves over one abscissa; names of axes with their units, curves as (name, ordinates (n,))."""

    abscissa: str
    ordinate: str
    x: Array
    curves: tuple[tuple[str, Array], ...]


def numbers(sheet: Sheet) -> list[tuple[str, float, str]]:
    """Names, values and units of the hull where it floats, in the language in use."""
    return [row for _, rows in groups(sheet) for row in rows]


def groups(sheet: Sheet) -> list[tuple[str, list[tuple[str, float, str]]]]:
    """The same in groups, each with its heading."""
    at, form, levers = sheet.at, sheet.form, sheet.levers
    mass = levers.rest.load.mass
    bx, by, bz = at.centre_of_buoyancy
    fx, fy, _ = at.centroid
    gx, gy, gz = levers.rest.load.centre_of_gravity - (0.0, 0.0, sheet.raised)
    vanishing = (
        [] if levers.vanishing is None else [(tr("heel where GZ vanishes"), math.degrees(levers.vanishing), "°")]
    )
    surfaces = tr("GM transverse, with free surfaces") if sheet.inputs.tanks else tr("GM transverse")
    flooding = []
    for number, heel in enumerate(levers.openings, 1):
        name = tr("heel at which opening {number} floods").format(number=number)
        flooding.append((name, math.inf if heel is None else math.degrees(heel), "°"))
    found = [
        (
            tr("afloat"),
            [
                (tr("draught, to the deepest point"), at.draught, "m"),
                (tr("displacement"), mass / TONNE, "t"),
                (tr("displaced volume"), at.volume, "m³"),
                (tr("heel at rest (to starboard)"), math.degrees(levers.rest.heel), "°"),
                (tr("trim at rest (bow down)"), math.degrees(levers.rest.trim), "°"),
            ],
        ),
        (
            tr("form of {hulls} hulls together, without gaps").format(hulls=form.hulls)
            if form.hulls > 1
            else tr("form"),
            [
                (tr("length of the waterline"), form.length, "m"),
                (tr("breadth of the waterline"), form.breadth, "m"),
                (tr("draught amidships"), form.draught, "m"),
                (tr("waterplane"), at.area, "m²"),
                (tr("section amidships"), form.midship, "m²"),
                (tr("wetted surface"), form.wetted, "m²"),
                (tr("block coefficient CB"), form.block, ""),
                (tr("midship coefficient CM"), form.section, ""),
                (tr("prismatic coefficient CP"), form.prismatic, ""),
                (tr("waterplane coefficient CWP"), form.plane, ""),
            ],
        ),
        (
            tr("loading"),
            [
                (tr("immersion TPC"), at.area * levers.rest.load.density / PER_CM, tr("t/cm")),
                (tr("trimming moment MTC"), form.trimming(mass, at.gm_longitudinal) / PER_CM, "t m/cm"),
                (tr("centre of gravity, x (LCG)"), gx, "m"),
                (tr("centre of gravity, y"), gy, "m"),
                (tr("centre of gravity, z"), gz, "m"),
                (tr("centre of buoyancy, x (LCB)"), bx, "m"),
                (tr("centre of buoyancy, y"), by, "m"),
                (tr("centre of buoyancy, z"), bz, "m"),
                (tr("centroid of the waterplane, x (LCF)"), fx, "m"),
                (tr("centroid of the waterplane, y"), fy, "m"),
            ],
        ),
        (
            tr("stability"),
            [
                ("KB", at.kb, "m"),
                ("KG", at.kg, "m"),
                *([(tr("free surfaces raise G by"), sheet.raised, "m")] if sheet.inputs.tanks else []),
                (tr("BM transverse"), at.bm_transverse, "m"),
                (tr("BM longitudinal"), at.bm_longitudinal, "m"),
                (surfaces, at.gm_transverse, "m"),
                (tr("GM longitudinal"), at.gm_longitudinal, "m"),
                (tr("largest GZ"), levers.most, "m"),
                (tr("heel of the largest GZ"), math.degrees(levers.most_at), "°"),
                *vanishing,
                *flooding,
            ],
        ),
        (
            tr("natural periods, with added mass"),
            [
                (tr("roll"), sheet.periods.roll, "s"),
                (tr("heave"), sheet.periods.heave, "s"),
                (tr("pitch"), sheet.periods.pitch, "s"),
                (tr("roll, estimate of the IS Code"), sheet.periods.code, "s"),
                *_added_rows(sheet.periods),
            ],
        ),
        *([] if sheet.weather is None else [(tr("weather criterion"), _weather_rows(sheet.weather))]),
        *((words, []) for words in outside(sheet)),
        (
            tr("stiffness"),
            [
                (tr("C33 (heave)"), at.c33, "N/m"),
                (tr("C44 (roll)"), at.c44, "N m"),
                (tr("C55 (pitch)"), at.c55, "N m"),
                (tr("moment of the waterplane, transverse"), at.transverse, "m⁴"),
                (tr("moment of the waterplane, longitudinal"), at.longitudinal, "m⁴"),
            ],
        ),
    ]
    known = [(head, [row for row in rows if not math.isnan(row[1])]) for head, rows in found]
    return [(head, [(name, _without_noise(value, unit), unit) for name, value, unit in rows]) for head, rows in known]


def _without_noise(value: float, unit: str) -> float:
    """A value, of a length or an angle 0 where it is rounding alone; moments of a model's waterplane are that small."""
    return 0.0 if unit in ("m", "°") and abs(value) < 1e-8 else float(value)


def form_columns(curves: Curves) -> dict[str, Array]:
    """Columns of the curves of form, by names with units."""

    def each(name: str) -> Array:
        return np.array([getattr(one, name) for one in curves.form])

    def shape(name: str) -> Array:
        return np.array([getattr(one, name) for one in curves.shapes])

    mass = curves.density * each("volume")
    trimming = [one.trimming(*two) for one, *two in zip(curves.shapes, mass, each("bm_longitudinal"), strict=True)]
    return {
        tr("draught [m]"): each("draught"),
        tr("displacement [t]"): mass / TONNE,
        tr("waterplane [m²]"): each("area"),
        tr("wetted surface [m²]"): shape("wetted"),
        "CB": shape("block"),
        "CM": shape("section"),
        "CP": shape("prismatic"),
        "CWP": shape("plane"),
        tr("TPC [t/cm]"): curves.density * each("area") / PER_CM,
        "MTC [t m/cm]": np.array(trimming) / PER_CM,
        "KB [m]": each("kb"),
        "BM [m]": each("bm_transverse"),
        "KM [m]": each("gm_transverse"),
        tr("KM longitudinal [m]"): each("gm_longitudinal"),
        "LCB [m]": each("centre_of_buoyancy")[:, 0],
        "LCF [m]": each("centroid")[:, 0],
        "C33 [N/m]": each("c33"),
    }


def cross_columns(curves: Curves) -> dict[str, Array]:
    """Columns of the cross curves, by names with units: a line a heel."""
    named = (tr("KN [m] at {mass:.6g} t").format(mass=mass / TONNE) for mass in curves.masses)
    return {tr("heel [°]"): np.degrees(curves.heels), **dict(zip(named, curves.kn, strict=True))}


def form_charts(curves: Curves) -> tuple[Chart, ...]:
    """Charts of the curves of form, over the draught."""
    (axis, draught), mass, *others = form_columns(curves).items()
    area, wetted, cb, cm, cp, cwp, _, trimming, kb, bm, km, _, buoyancy, flotation, _ = others

    def named(*columns: tuple[str, Array]) -> tuple[tuple[str, Array], ...]:
        return tuple((name.rpartition(" [")[0] or name, np.round(values, 9)) for name, values in columns)  # no noise

    return (
        Chart(axis, mass[0], draught, (("", mass[1]),)),
        Chart(axis, tr("areas [m²]"), draught, (("AWP", area[1]), ("S", wetted[1]))),
        Chart(axis, tr("from the keel [m]"), draught, named(kb, bm, km)),
        Chart(axis, tr("centres along x [m]"), draught, named(buoyancy, flotation)),
        Chart(axis, tr("coefficients of form"), draught, named(cb, cm, cp, cwp)),
        Chart(axis, trimming[0], draught, (("", trimming[1]),)),
    )


def weather_chart(sheet: Sheet, weather: Weather) -> Chart:
    """Chart of the levers of the weather criterion, from the end of the roll to windward on."""
    wind = (
        (name, np.full_like(weather.heels, lever)) for name, lever in (("lw1", weather.steady), ("lw2", weather.gust))
    )
    return Chart(heel_words(sheet), tr("lever [m]"), np.degrees(weather.heels), (("GZ", weather.levers), *wind))


def _added_rows(periods: Periods) -> list[tuple[str, float, str]]:
    """The added mass of the natural periods, each with where it comes from."""
    given = tr("added mass in heave, given"), tr("added inertia in roll, given"), tr("added inertia in pitch, given")
    found = (
        tr("added mass in heave, by strip theory"),
        tr("added inertia in roll, by strip theory"),
        tr("added inertia in pitch, by strip theory"),
    )
    rows = zip(given, found, periods.added, periods.estimated, ("t", "t m²", "t m²"), strict=True)
    return [(theirs if estimated else own, value / TONNE, unit) for own, theirs, value, estimated, unit in rows]


def _weather_rows(weather: Weather) -> list[tuple[str, float, str]]:
    return [
        (tr("lever of the steady wind lw1"), weather.steady, "m"),
        (tr("lever of the gust lw2"), weather.gust, "m"),
        (tr("heel under the steady wind"), math.degrees(weather.heel), "°"),
        (tr("its limit"), math.degrees(weather.limit), "°"),
        (tr("roll to windward"), math.degrees(weather.roll), "°"),
        (tr("heel at which area b ends"), math.degrees(weather.end), "°"),
        (tr("area a"), weather.windward, "m rad"),
        (tr("area b"), weather.leeward, "m rad"),
    ]


def cross_chart(curves: Curves) -> Chart:
    """Chart of the cross curves, over the heel."""
    named = (f"{float(f'{mass / TONNE:.4g}'):g} t" for mass in curves.masses)
    return Chart(tr("heel [°]"), "KN [m]", np.degrees(curves.heels), tuple(zip(named, curves.kn, strict=True)))


# ---- files --------------------------------------------------------------------------------------------


def write_sheet(sheet: Sheet, curves: Curves, path: str | Path) -> None:
    """Write numbers, criteria, righting levers, curves of form and KN: tables to a .csv, charts to a .pdf.

    A blank line parts the tables. The file appears when it is complete; ScenarioError or PhysicsError, naming
    it, where it cannot.
    """
    path = check_output(path, (".csv", ".pdf"))
    with replacing(path) as part:
        if path.suffix.lower() == ".csv":
            with speaking("en"):
                _write_tables(sheet, curves, part)
        else:
            _write_pages(sheet, curves, part)


def _write_tables(sheet: Sheet, curves: Curves, part: Path) -> None:
    heels, levers = np.degrees(sheet.levers.heels), sheet.levers.levers
    judged = [(one.name, one.value, one.unit, one.limit, one.verdict) for one in sheet.judged]
    columns = form_columns(curves), cross_columns(curves)
    tables: tuple[tuple[Sequence[str], Sequence[Sequence[object]]], ...] = (
        (("quantity", "value", "unit"), [*numbers(sheet), *((words, "", "") for words in outside_words(sheet))]),
        (("criterion", "value", "unit", "limit", "verdict"), judged),
        ((heel_words(sheet), "GZ [m]"), np.column_stack([heels, levers]).tolist()),
        *((list(one), np.column_stack([*one.values()]).tolist()) for one in columns),
    )
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for number, (headings, rows) in enumerate(tables):
            writer.writerows([[]] if number else [])
            writer.writerow(headings)
            writer.writerows([f"{one + 0.0:.12g}" if isinstance(one, float) else one for one in row] for row in rows)


def _write_pages(sheet: Sheet, curves: Curves, part: Path) -> None:
    from matplotlib.backends.backend_pdf import PdfPages  # here: a window and a command start without it

    from app.plots.print_style import PrintTable, picture, style
    from app.plots.result_figures import righting_figure

    name = sheet.levers.rest.load.hull.name
    rows = tuple((head, quantity, four(value), unit) for head, some in groups(sheet) for quantity, value, unit in some)
    density = tr("in water of {density:g} kg/m³; axes x forward, y port, z up").format(density=curves.density)
    form, cross = tr("Curves of form, upright at even keel"), tr("Cross curves KN, free to trim")
    with style(), PdfPages(part, metadata={"CreationDate": None}) as pages:
        headings = ("", tr("quantity"), tr("value"), tr("unit"))
        title = tr("Hydrostatics: {hull}").format(hull=name)
        signed = (tr("name"), tr("date"), tr("signature"))
        blanks = " ".join(f"{word} {'_' * BLANK}" for word in signed)
        note = "\n".join([density, *given_words(sheet), *outside_words(sheet), "", blanks])
        pages.savefig(picture(PrintTable(title, headings, rows, note)))
        pages.savefig(righting_figure(sheet, tr("Righting levers: {hull}").format(hull=name)))
        if sheet.weather is not None:
            pages.savefig(_figure((weather_chart(sheet, sheet.weather),), tr("Weather criterion of the 2008 IS Code")))
        pages.savefig(_figure(form_charts(curves), form))
        pages.savefig(_figure((cross_chart(curves),), cross))


def _figure(charts: Sequence[Chart], title: str) -> Figure:
    """Charts of a hull's curves, two in a row."""
    from app.plots.print_style import DASHES, above, figure_page, label

    columns = min(2, len(charts))
    figure, grid = figure_page(math.ceil(len(charts) / columns), columns, height=2.6 if columns > 1 else 4.2)
    for axes, chart in zip(grid.ravel(), charts, strict=True):
        for (name, values), colour, dash in zip(chart.curves, cycle(COLOURS), cycle(LINES), strict=False):
            axes.plot(chart.x, values, color=colour, linestyle=DASHES[dash], label=name)
        label(axes, chart.abscissa, chart.ordinate)
        if len(chart.curves) > 1:
            above(axes)
    figure.suptitle(title, x=0.02, ha="left", parse_math=False)
    return figure
