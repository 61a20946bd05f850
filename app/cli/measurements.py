"""Commands that read what was measured: ``identify``. Each takes the parsed arguments and returns the exit status."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.cli.overrides import building
from app.document.open import scenario_for
from app.document.session import scenario_toml
from app.kinds.measured_body import (
    drag_text,
    flight,
    half_told,
    identified,
    is_by_residual,
    ratio_texts,
    tossed,
    what_happened,
)
from app.system.language import Code, tr, translated, use
from app.system.terminal import one_line
from physics import PhysicsError, ScenarioError
from physics.analysis.identification import SURE, Identification
from physics.analysis.identification import identify as found_in
from physics.core.conf_files import first_conf
from physics.core.rotation import matrix
from physics.core.wording import N_, joined
from physics.io.trajectory_writers import check_output, replacing
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import MeasuredMotion, measured_motion
from physics.systems.measured import measured_tables


def identify(arguments: Namespace) -> int:
    """``polhode identify``: fit the exact motion to a sensor's record of free flight."""
    file = Path(first_conf(arguments.file) or arguments.file)
    output = check_output(arguments.output, (".toml",)) if arguments.output else None
    with building():
        found_anew = {"axes": not arguments.aligned, "bias": not arguments.no_bias}
        motion, folder = _motion(file, arguments.language, [name for name, anew in found_anew.items() if anew])
        zero = (motion.table.begin or 0.0) - motion.table.at
        given = [None if one is None else one - zero for one in (arguments.begin, arguments.end)]

        def find(one: MeasuredMotion) -> Identification:
            span = given if None not in given else flight(one)
            begin, end = (other if one is None else one for one, other in zip(given, span, strict=True))
            return found_in(one, begin, end, aligned=arguments.aligned, unbiased=arguments.no_bias)

        motion, found = identified(motion, folder, find)
    if output is not None:
        scenario = tossed(motion, found, arguments.mass, arguments.length)
        with replacing(output) as part:
            part.write_text(scenario_toml(scenario, output.parent), encoding="utf-8")
    by_residual = None in given and is_by_residual(motion, found)
    shown = replace(found, begin=found.begin + zero, end=found.end + zero)
    if arguments.json:
        guessed = {field: getattr(motion.table, field) for field in motion.guessed}
        facts: dict[str, object] = {
            "file": str(file),
            "time": motion.table.time,
            "guessed": guessed,
            "flight_by_residual": by_residual,
        }
        facts["sentence"] = what_happened(found)
        print(json.dumps(facts | shown.facts(), indent=2))
    else:
        print("\n".join(map(one_line, _lines(shown, motion, by_residual))))
    if not found.fitted:
        raise PhysicsError(joined(". ", [text for text in (shown.doubt, *motion.choices()) if text]))
    return 0


def _motion(file: Path, language: Code | None, anew: Sequence[str]) -> tuple[MeasuredMotion, Path]:
    """The measured motion in a file, or the first one of a scenario, whose language is used then; and its folder.

    anew : fields that are to be found: what a scenario has of them would mix the coarse steps of a sensor's axes
    """
    if file.suffix.lower() != ".toml":
        return measured_motion(MeasuredConfig(file=str(file.absolute())), file.parent), file.parent
    scenario = scenario_for(file)
    use(language or scenario.export.language)
    tables = measured_tables(scenario)
    if not tables:
        raise ScenarioError("measured", N_("missing; expected a table [[measured]] with a file"), file)
    table = tables[0].model_copy(update={name: MeasuredConfig.model_fields[name].default for name in anew})
    return measured_motion(table, Path(scenario.folder)), Path(scenario.folder)


def _lines(found: Identification, motion: MeasuredMotion, by_residual: bool) -> list[str]:
    """The result for people: each number with half of its 95 % interval."""
    axes, spread = matrix(found.axes), math.degrees(SURE * found.axes_deviation)
    rates, bias = found.angular_velocity, found.bias
    lines = [
        tr("{file}: {samples} samples from {begin:.4g} to {end:.4g} s").format(
            file=motion.table.file, samples=found.samples, begin=found.begin, end=found.end
        )
    ]
    if by_residual:
        lines.append(tr("The flight is where a free motion fits: no accelerometer shows it"))
    lines += [f"{translated(happened)}."] if (happened := what_happened(found)) else []
    lines += map(translated, motion.choices())
    if not found.fitted:
        lines.append(tr("no free motion fits; that which is nearest, and not the body's:"))
    if found.left_out:
        lines.append(tr("{number} of them at the end of the gyroscope's range, left out").format(number=found.left_out))
    lines.append(f"{tr('moments over the largest')}  {'  '.join(ratio_texts(found, '.5g'))}")
    principal = tr("principal axis {letter}, in the sensor's axes")
    lines += [f"{principal.format(letter=letter)}  {_row(axes[:, i])}" for i, letter in enumerate("xyz")]
    lines += [tr("their directions to ± {angle:.2g}°").format(angle=spread)] if spread > 0.0 else []
    lines.append(f"{tr('angular velocity at the first [rad/s]')}  {_pairs(rates, found.velocity_deviations)}")
    if bias.any():
        lines.append(f"{tr('bias of the gyroscope [rad/s]')}  {_pairs(bias, found.bias_deviations)}")
    if found.drag_factors:
        lines.append(f"{tr('drag of the air over the moments')}  {drag_text(found)}")
        lines.append(
            tr("drag itself [kg m²] and moments are known once a moment is: a flight tells no more than ratios")
        )
    lines.append(f"{tr('left, root of the mean square')}  {found.residual:.3g} {found.unit}")
    if found.drag_factors and found.residual_without_drag is not None:
        lines.append(f"{tr('the same without drag')}  {found.residual_without_drag:.3g} {found.unit}")
    mark_words = tr("at {time:.4g} s: {what}")
    return [*lines, *(mark_words.format(time=mark.time, what=translated(mark.text)) for mark in motion.marks[:5])]


def _pairs(values: np.ndarray, deviations: np.ndarray) -> str:
    """Values, each with half of its interval."""
    pairs = zip(values, deviations, strict=True)
    return "  ".join(half_told(value, one, ".5g") for value, one in pairs)


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:+.4f}" for value in values)
