"""``polhode identify``: moments, axes and start of a body from its measured flight; returns the exit status."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from app.cli.overrides import building
from app.document.open import scenario_for
from app.document.session import scenario_toml
from app.kinds.measured_body import flight, identified, tossed
from app.system.language import Code, tr, use
from app.system.sentences import told as said
from app.system.terminal import one_line
from physics import PhysicsError, ScenarioError
from physics.analysis.identification import SURE, Identification
from physics.analysis.identification import identify as found_in
from physics.core.conf_files import first_conf
from physics.core.rotation import matrix
from physics.io.trajectory_writers import check_output, replacing
from physics.measured.measured_config import MeasuredTable
from physics.measured.motion import MeasuredMotion, measured_motion
from physics.systems.measured import measured_tables


def identify(arguments: Namespace) -> int:
    """``polhode identify``: fit the exact motion to what a sensor has recorded in free flight."""
    file = Path(first_conf(arguments.file) or arguments.file)
    output = check_output(arguments.output, (".toml",)) if arguments.output else None
    with building():
        motion, folder = _motion(file, arguments.language)
        begin, end = flight(motion)
        zero = (motion.table.begin or 0.0) - motion.table.at
        begin = begin if arguments.begin is None else arguments.begin - zero
        end = end if arguments.end is None else arguments.end - zero
        find = partial(found_in, begin=begin, end=end, aligned=arguments.aligned, unbiased=arguments.no_bias)
        motion, found = identified(motion, folder, find)
    if output is not None:
        scenario = tossed(motion, found, arguments.mass, arguments.length)
        with replacing(output) as part:
            part.write_text(scenario_toml(scenario, output.parent), encoding="utf-8")
    shown = replace(found, begin=found.begin + zero, end=found.end + zero)
    if arguments.json:
        guessed = {field: getattr(motion.table, field) for field in motion.guessed}
        print(json.dumps({"file": str(file), "guessed": guessed} | shown.facts(), indent=2))
    else:
        print("\n".join(map(one_line, _lines(shown, motion))))
    if not found.fitted:
        raise PhysicsError(". ".join(filter(None, [shown.doubt, motion.guess()])))
    return 0


def _motion(file: Path, language: Code | None) -> tuple[MeasuredMotion, Path]:
    """What was measured, and its folder: the file itself, or the first of a scenario, whose language is used then."""
    if file.suffix.lower() != ".toml":
        return measured_motion(MeasuredTable(file=str(file.absolute())), file.parent), file.parent
    scenario = scenario_for(file)
    use(language or scenario.export.language)
    tables = measured_tables(scenario)
    if not tables:
        raise ScenarioError("measured", "missing; expected a table [[measured]] with a file", file)
    return measured_motion(tables[0], Path(scenario.folder)), Path(scenario.folder)


def _lines(found: Identification, motion: MeasuredMotion) -> list[str]:
    """The result for people: each number with the half of its interval of 95 %."""
    axes, spread = matrix(found.axes), math.degrees(SURE * found.axes_deviation)
    rates, bias = found.angular_velocity, found.bias
    told = [
        tr("{file}: {samples} samples from {begin:.4g} to {end:.4g} s").format(
            file=motion.table.file, samples=found.samples, begin=found.begin, end=found.end
        )
    ]
    if motion.guessed:
        told.append(said(motion.guess()))
    if not found.fitted:
        told.append(tr("no free motion fits; that which is nearest, and not the body's:"))
    if found.left_out:
        told.append(tr("{number} of them at the end of the gyroscope's range, left out").format(number=found.left_out))
    told.append(f"{tr('moments over the largest')}  {_pairs(found.ratios, found.ratio_deviations)}")
    principal = tr("principal axis {letter}, in the sensor's axes")
    told += [f"{principal.format(letter=letter)}  {_row(axes[:, i])}" for i, letter in enumerate("xyz")]
    told += [tr("their directions to ± {angle:.2g}°").format(angle=spread)] if spread > 0.0 else []
    told.append(f"{tr('angular velocity at the first [rad/s]')}  {_pairs(rates, found.velocity_deviations)}")
    if bias.any():
        told.append(f"{tr('bias of the gyroscope [rad/s]')}  {_pairs(bias, found.bias_deviations)}")
    told.append(f"{tr('left, root of the mean square')}  {found.residual:.3g} {found.unit}")
    mark_words = tr("at {time:.4g} s: {what}")
    return [*told, *(mark_words.format(time=mark.time, what=said(mark.text)) for mark in motion.marks[:5])]


def _pairs(values: np.ndarray, deviations: np.ndarray) -> str:
    """Values, each with the half of its interval."""
    told = zip(values, deviations, strict=True)
    return "  ".join(f"{value:.5g} ± {SURE * one:.2g}" if one > 0.0 else f"{value:.5g}" for value, one in told)


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:+.4f}" for value in values)
