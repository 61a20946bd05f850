"""``polhode hydrostatics``: equilibrium, righting levers and stability criteria of a hull."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from app.cli.options import reading_of
from app.cli.overrides import building
from app.document.session import load_session
from app.plots.hydrostatics_sheet import (
    PER_CM,
    TONNE,
    cross_columns,
    form_columns,
    groups,
    write_sheet,
)
from app.plots.hydrostatics_words import code_words, four, judged_value
from app.system.language import speaking, tr, translated, use
from app.system.terminal import one_line
from physics import ScenarioError
from physics.bodies.mesh_io import METRES, MeshReading
from physics.core.errors import naming
from physics.core.json_text import json_text
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import GRAVITY, FloatingPose
from physics.hydrostatics.hull import MAKERS, WATER, Hull, LoadedHull, loaded, make_hull, read_hull
from physics.hydrostatics.natural_periods import MODES
from physics.hydrostatics.righting_levers import LAST, Righting, curve
from physics.hydrostatics.stability_sheet import Curves, Sheet, SheetInputs, curves_of, sheet_of
from physics.hydrostatics.weather_criterion import Weather
from physics.io.trajectory_writers import check_output, replacing, write_csv
from physics.scenario.scenario import explained
from physics.systems.ship.scenario import StabilityConfig, of_a_ship
from physics.systems.ship.world import ShipWorld, sheet_inputs

FIGURES = (".pdf", ".svg", ".png")
FORM = {  # names in the document, of what is known of a form
    "length": "length",
    "breadth": "breadth",
    "draught": "draught",
    "midship_section": "midship",
    "wetted_surface": "wetted",
    "CB": "block",
    "CM": "section",
    "CP": "prismatic",
    "CWP": "plane",
}
PERIODS = {"roll": "roll", "heave": "heave", "pitch": "pitch", "roll_IS_Code": "code"}
WIDTHS = (8, 12, 12, 13)  # characters of the printed columns
COLUMNS = ("heel [deg]", "GZ [m]", "trim [deg]", "draught [m]", N_("height of G [m]"), "waterplane [m^2]")


def hydrostatics(arguments: Namespace) -> int:
    """``polhode hydrostatics``: equilibrium, waterplane, metacentric heights, levers, criteria; the exit status."""
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    book = check_output(arguments.sheet, (".csv", ".pdf")) if arguments.sheet else None
    with building():
        load, inputs, gravity = load_from(arguments)
        sheet = sheet_of(load, gravity, arguments.fixed_trim, inputs)
        trim = sheet.levers.rest.trim if arguments.fixed_trim else None
        poses = list(curve(sheet.levers.rest.load, np.radians(arguments.heel), trim))
        curves = curves_of(load.hull, load.density, gravity, inputs) if book is not None or arguments.json else None
    for note in (*load.hull.notes, *load.hull.repairs):
        print("polhode:", one_line(f"{arguments.hull}: {translated(note)}"), file=sys.stderr)
    if output is not None:
        _write(output, arguments.heel, poses, sheet)
    if book is not None and curves is not None:
        write_sheet(sheet, curves, book)
    if arguments.json and curves is not None:
        print(json_text(hydrostatic_facts(arguments.heel, poses, sheet, curves), 2))
    else:
        print(text(arguments.heel, poses, sheet))
    return 0


def load_from(arguments: Namespace) -> tuple[LoadedHull, SheetInputs, float]:
    """The loaded hull, inputs of its sheet, and gravity [m/s²]; from a scenario and options, or from options alone."""
    reading = reading_of(arguments)
    if arguments.hull.endswith(".toml"):
        if arguments.size is not None:
            raise ScenarioError("", N_("--size is for shapes; a scenario has its own"), arguments.hull)
        given = {
            "hull.mass": arguments.mass,
            "hull.centre_of_gravity": arguments.cog,
            "hull.radii_of_gyration": arguments.radii,
            "water.density": arguments.density,
        } | {f"hull.{key}": value for key, value in reading.given().items()}
        given |= {f"stability.{key}": value for key, value in _stability(arguments).items()}
        with naming(arguments.hull):
            scenario = of_a_ship(
                of_a_ship(load_session(arguments.hull).schedule.scenario).changed(
                    **{key: value for key, value in given.items() if value is not None},
                    **({} if arguments.mass is None else {"hull.draught": None}),
                    **({} if arguments.radii is None else {"hull.inertia": None}),
                )
            )
            use(arguments.language or scenario.export.language)
            load = ShipWorld.of(scenario).load
            return load, _with_added(sheet_inputs(scenario.stability, load, scenario.hull), arguments), scenario.g
    use(arguments.language or "en")
    for option in ("mass", "cog"):
        if getattr(arguments, option) is None:
            raise ScenarioError(f"--{option}", N_("missing; a hull without a scenario expects it"))
    hull = hull_from(arguments.hull, arguments.size, reading)
    load = loaded(hull, arguments.mass, arguments.cog, arguments.density or WATER)
    try:
        inputs = sheet_inputs(_stability_table(arguments), load)
    except ScenarioError as error:
        raise ScenarioError(_option(error.field), error.message) from None
    if arguments.radii is not None:
        roll, pitch, _ = (load.mass * radius**2 for radius in arguments.radii)
        inputs = replace(inputs, inertia=(roll, pitch))
    return load, _with_added(inputs, arguments), GRAVITY


def _with_added(inputs: SheetInputs, arguments: Namespace) -> SheetInputs:
    """The inputs with the added mass that an option gives."""
    return inputs if arguments.added_mass is None else replace(inputs, added=arguments.added_mass)


def _stability_table(arguments: Namespace) -> StabilityConfig:
    given = _stability(arguments)
    if "windage_area" not in given and given.keys() & {"deck_edge", "bilge_keels", "bilges"}:
        raise ScenarioError("windage_area", N_("missing; the weather criterion expects it"))
    try:
        return StabilityConfig(**given)
    except ValidationError as error:
        raise explained(error, StabilityConfig) from None


def _option(field: str) -> str:
    """The option of a key of the table ``[stability]``."""
    key = field.removeprefix("stability.").partition(".")[0]
    named = {"openings": "opening", "tanks": "tank", "bilges": "sharp-bilges"}
    return f"--{named.get(key, 'windage' if key.startswith('windage') else key.replace('_', '-'))}"


def _stability(arguments: Namespace) -> dict[str, Any]:
    """The keys of the table ``[stability]`` that options give."""
    masses = arguments.displacements
    given = {
        "draughts": arguments.draughts,
        "displacements": masses and tuple(TONNE * one for one in masses),
        "openings": arguments.opening and tuple(arguments.opening),
        "tanks": arguments.tank and tuple(arguments.tank),
        "windage_area": arguments.windage and arguments.windage[0],
        "windage_lever": arguments.windage and arguments.windage[1],
        "deck_edge": arguments.deck_edge,
        "bilge_keels": arguments.bilge_keels,
        "bilges": "sharp" if arguments.sharp_bilges else None,
    }
    return {key: value for key, value in given.items() if value is not None}


def hull_from(name: str, size: Sequence[float] | None, reading: MeshReading) -> Hull:
    """The hull of a shape's name and size, or in a file."""
    if name in MAKERS:
        if reading != METRES:
            raise ScenarioError(
                f"--{next(iter(reading.given()))}", N_("applies to a file; a {name} has its own size", name)
            )
        if size is None:
            raise ScenarioError("", N_("expected --size L,B,D for a {name}: length, breadth, depth [m]", name))
        return make_hull(name, size)
    if size is not None:
        raise ScenarioError("", N_("--size is for {makers}; a file has a size of its own", ", ".join(MAKERS)), name)
    if not Path(name).suffix:
        raise ScenarioError(
            "",
            N_(
                "'{name:.60}' is no hull; expected {makers}, or a .stl, .obj, .ply or .glb file",
                name,
                ", ".join(MAKERS),
            ),
        )
    return read_hull(name, reading)


def hydrostatic_facts(
    heels: Sequence[float], poses: Sequence[FloatingPose], sheet: Sheet, curves: Curves
) -> dict[str, Any]:
    """The results as plain values: SI units; heel and trim at rest in radians, all other angles in degrees."""
    at, form, found, periods = sheet.at, sheet.form, sheet.levers, sheet.periods
    rest = found.rest
    shape = dict(zip(FORM, _known([getattr(form, name) for name in FORM.values()]), strict=True))
    (trimming,) = _known([form.trimming(rest.load.mass, at.gm_longitudinal)])
    with speaking("en"):  # names of columns
        tables = {"form": form_columns(curves), "KN": cross_columns(curves)}
    return {
        "volume": at.volume,
        "mass": rest.load.mass,
        "centre_of_gravity": [*rest.load.centre_of_gravity[:2], rest.load.centre_of_gravity[2] - sheet.raised],
        "density": rest.load.density,
        "notes": list(rest.load.hull.notes),
        "repairs": list(rest.load.hull.repairs),
        "draught": at.draught,
        "heel": rest.heel,
        "trim": rest.trim,
        "centre_of_buoyancy": at.centre_of_buoyancy.tolist(),
        "waterplane": {
            "area": at.area,
            "centroid": at.centroid.tolist(),
            "I_transverse": at.transverse,
            "I_longitudinal": at.longitudinal,
        },
        "form": {"hulls": form.hulls} | shape,
        "coefficients": {name: shape[name] for name in ("CB", "CM", "CP", "CWP")},
        "wetted_surface": shape["wetted_surface"],
        "immersion": rest.load.density * at.area,
        "TPC": rest.load.density * at.area / PER_CM,
        "MTC": None if trimming is None else trimming / PER_CM,
        "LCF": float(at.centroid[0]),
        "trimming": trimming,
        "KB": at.kb,
        "KG": at.kg,
        "BM_transverse": at.bm_transverse,
        "BM_longitudinal": at.bm_longitudinal,
        "GM_transverse": at.gm_transverse,
        "GM_longitudinal": at.gm_longitudinal,
        "C33": at.c33,
        "C44": at.c44,
        "C55": at.c55,
        "periods": dict(zip(PERIODS, _known([getattr(periods, name) for name in PERIODS.values()]), strict=True)),
        "added_mass": {
            mode: {"value": value, "estimated": estimated}
            for mode, value, estimated in zip(MODES, _known(periods.added), periods.estimated, strict=True)
        },
        "free_surfaces_raise_G": sheet.raised,
        "openings": [
            {"place": list(place), "heel": None if heel is None else math.degrees(heel)}
            for place, heel in zip(sheet.inputs.openings, found.openings, strict=True)
        ],
        "flooding_angle": _known([math.degrees(found.flooding)])[0],
        "weather": None if sheet.weather is None else _weather(sheet.weather),
        "gz": [[heel, pose.lever + 0.0] for heel, pose in zip(heels, poses, strict=True)],
        "gz_max": found.most,
        "gz_max_angle": math.degrees(found.most_at),
        "vanishing_angle": None if found.vanishing is None else math.degrees(found.vanishing),
        "area_to_vanishing": found.area,
        "side": "starboard" if found.side > 0 else "port",
        "criteria": [
            {"name": one.name, "value": value, "limit": one.limit, "passed": one.passed, "unit": one.unit}
            for one, value in zip(sheet.judged, _known([one.value for one in sheet.judged]), strict=True)
        ],
        "KN": [
            [mass / TONNE, heel, lever]
            for mass, levers in zip(curves.masses, curves.kn, strict=True)
            for heel, lever in zip(np.degrees(curves.heels).tolist(), _known(levers), strict=True)
        ],
        "curves": {table: {name: _known(one) for name, one in columns.items()} for table, columns in tables.items()},
    }


def _weather(found: Weather) -> dict[str, Any]:
    """Levers, heels [°] and areas of the weather criterion."""
    heels = {"heel": found.heel, "limit": found.limit, "roll": found.roll, "area_b_ends": found.end}
    return {
        "lw1": found.steady,
        "lw2": found.gust,
        **dict(zip(heels, _known([math.degrees(one) for one in heels.values()]), strict=True)),
        "roll_period": _known([found.period])[0],
        "area_a": _known([found.windward])[0],
        "area_b": found.leeward,
        "outside": list(found.outside),
    }


def _known(values: Sequence[float] | Array) -> list[float | None]:
    """The numbers, None where there is none."""
    return [float(value) + 0.0 if math.isfinite(value) else None for value in values]


def text(heels: Sequence[float], poses: Sequence[FloatingPose], sheet: Sheet) -> str:
    """The results for people, in the language in use."""
    found = groups(sheet)
    width = 4 + max(len(name) for _, rows in found for name, *_ in rows)
    width = max(width, 2 + max(len(tr(one.name)) for one in sheet.judged))
    headings = (tr("heel [°]"), "GZ [m]", tr("trim [°]"), tr("draught [m]"))
    rooms = [max(room, len(word) + 1) for room, word in zip(WIDTHS, headings, strict=True)]
    least = tr("at least {limit:<7g}")
    lines = list[str]()
    for head, rows in found:
        lines += [head, *(f"  {name:{width - 2}}{four(value):>10} {unit}".rstrip() for name, value, unit in rows), ""]
    lines += [
        "".join(f"{word:>{room}}" for word, room in zip(headings, rooms, strict=True)),
        *(_line(heel, pose, rooms) for heel, pose in zip(heels, poses, strict=True)),
        "",
        _largest(sheet.levers),
        "",
        code_words(sheet),
        *(
            f"{tr(one.name):{width}}{judged_value(one):>10} {one.unit:6}"
            f"{least.format(limit=one.limit)}{tr(one.verdict)}"
            for one in sheet.judged
        ),
    ]
    return "\n".join(lines)


def _line(heel: float, pose: FloatingPose, rooms: Sequence[int]) -> str:
    """A line of the table of levers; rooms: widths of its columns."""
    values = zip((pose.lever, math.degrees(pose.trim), pose.draught), rooms[1:], strict=True)
    return f"{heel:{rooms[0]}.4g}" + "".join(f"{_tidy(one):{room}.5f}" for one, room in values)


def _largest(found: Righting) -> str:
    """The side of the heel, the largest lever there, and where it vanishes."""
    starboard = found.side > 0
    values = {"lever": found.most, "angle": math.degrees(found.most_at)}
    if found.vanishing is None and not found.most:
        return tr("To starboard: no lever rights it.") if starboard else tr("To port: no lever rights it.")
    if found.vanishing is None and (last := math.degrees(found.heels[-1])) < LAST - 0.5:
        text = (
            tr(
                "To starboard: largest lever {lever:.4f} m at {angle:.2f}°; it does not vanish up to {last:.0f}°, "
                "beyond which no trim balances the ship."
            )
            if starboard
            else tr(
                "To port: largest lever {lever:.4f} m at {angle:.2f}°; it does not vanish up to {last:.0f}°, "
                "beyond which no trim balances the ship."
            )
        )
        return text.format(**values, last=last)
    if found.vanishing is None:
        text = (
            tr("To starboard: largest lever {lever:.4f} m at {angle:.2f}°; it does not vanish before 180°.")
            if starboard
            else tr("To port: largest lever {lever:.4f} m at {angle:.2f}°; it does not vanish before 180°.")
        )
        return text.format(**values)
    text = (
        tr("To starboard: largest lever {lever:.4f} m at {angle:.2f}°; it vanishes at {vanishing:.2f}°.")
        if starboard
        else tr("To port: largest lever {lever:.4f} m at {angle:.2f}°; it vanishes at {vanishing:.2f}°.")
    )
    return text.format(**values, vanishing=math.degrees(found.vanishing))


def _tidy(value: float) -> float:
    """A value rounded for printing, without negative zeros."""
    return round(value, 5) + 0.0


def _write(path: Path, heels: Sequence[float], poses: Sequence[FloatingPose], sheet: Sheet) -> None:
    """Write the levers as a table, or their curve as a figure."""
    if path.suffix.lower() in FIGURES:
        from app.plots.print_style import style, write
        from app.plots.result_figures import righting_figure

        with style():
            title = tr("Righting levers: {hull}").format(hull=sheet.levers.rest.load.hull.name)
            write(righting_figure(sheet, title), path)
        return
    rows = (
        (heel, pose.lever, math.degrees(pose.trim), pose.draught, pose.height, pose.integrals.area)
        for heel, pose in zip(heels, poses, strict=True)
    )
    with replacing(path) as part:
        write_csv(part, COLUMNS, ([f"{value + 0.0:.12g}" for value in row] for row in rows))
