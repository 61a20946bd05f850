"""Scenario of a measured motion: a free body with the start of the record and the moments identified in flight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from app.kinds.kind import rounded, simple
from app.system.language import translated
from physics import PhysicsError, Scenario, ScenarioError
from physics.analysis.identification import SURE, Identification, free_flight, identify, whole_flight
from physics.bodies.body import IDENTITY
from physics.core.conf_files import is_conf
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.wording import N_, joined
from physics.measured.measured_config import RATE_UNITS, IdentifiedConfig, MeasuredConfig
from physics.measured.motion import MeasuredMotion, free_flights, measured_motion
from physics.measured.rockable import body_of

SCHEMES = ("implicit", "explicit")  # beside the exact motion, or the one that was identified
PHONE = (0.075, 0.155, 0.008)  # [m] extents of a body about which the motion gives nothing
MASS = 0.2  # [kg]
LENGTH = 0.15  # [m] longest edge of the drawn box
WIDE = 0.15  # standard deviation over a ratio from which on the interval is named by its ends
CLOSE = 0.05  # largest residual, as a share of the rates or in [rad], with which the nearest free motion gives the body
GUESSES = {"rate_unit": tuple(RATE_UNITS), "scalar": ("first", "last")}  # other values of settings that were guessed
TURN = 0.05  # [rad] in a step
QUICK = 1000  # samples used to open a file in a fraction of a second
BRIEF = 6.0  # [s] of the flight used to open a file


def opened(file: Path, table: MeasuredConfig | None = None) -> Scenario:
    """Scenario of the longest free flight in a file, with the identified body, else a phone's box.

    table : settings to read the file and the part of it; None: by its headings. Raises ScenarioError if it cannot be
        read.
    """
    table = MeasuredConfig(file=str(file.absolute())) if table is None else table
    motion = measured_motion(table, file.parent)
    chosen = table.begin is not None or table.end is not None
    if is_conf(file) and (known := body_of(file, int(motion.table.particle or 0))) is not None:
        return _given(motion, whole(motion) if chosen else flight(motion), *known)
    try:
        motion, found = body_in(motion, file.parent, whole if chosen else flight)
    except (PhysicsError, ScenarioError) as error:
        return unknown(motion, error.message if isinstance(error, ScenarioError) else str(error))
    return tossed(motion, found)


def body_in(
    motion: MeasuredMotion, folder: Path, span: Callable[[MeasuredMotion], tuple[float, float]]
) -> tuple[MeasuredMotion, Identification]:
    """A motion and the body that BRIEF seconds of a span [s] of it give; folder and errors as ``identified``."""

    def find(one: MeasuredMotion) -> Identification:
        begin, end = span(one)
        brief = min(end, begin + BRIEF)
        return replace(identify(thinned(one, begin, brief), begin, brief), end=end)

    return identified(motion, folder, find)


def identified(
    motion: MeasuredMotion, folder: Path, find: Callable[[MeasuredMotion], Identification]
) -> tuple[MeasuredMotion, Identification]:
    """A motion and the body identified from it; if no free motion fits, other guesses of unit and order are tried.

    folder : of the file of the motion. Only the right guess leaves no more than noise of a free flight. Raises the
    error of ``find`` for the motion itself if no other guess is better.
    """
    found: Identification | PhysicsError
    try:
        found = find(motion)
    except PhysicsError as error:
        found = error
    if isinstance(found, Identification) and found.fitted:
        return motion, found
    guessed = [(field, value) for field, values in GUESSES.items() if field in motion.guessed for value in values]
    for field, value in guessed:
        if value != getattr(motion.table, field):
            other = measured_motion(motion.table.model_copy(update={field: value}), folder)
            with suppress(PhysicsError):
                better = find(other)
                if better.fitted:
                    return replace(other, guessed=motion.guessed), better
    if isinstance(found, PhysicsError):
        raise found
    return motion, found


def tossed(motion: MeasuredMotion, found: Identification, mass: float = MASS, length: float = LENGTH) -> Scenario:
    """Scenario of a flight with the identified body, or with a phone's box if the nearest free motion is far."""
    if found.fitted or found.residual < CLOSE * _size(motion, found):
        return fitted(motion, found, mass, length)
    return unknown(motion, N_("{doubt}; {found}", found.doubt, _nearest(found)))


def _size(motion: MeasuredMotion, found: Identification) -> float:
    """Scale of a residual: the root mean square of the rates [rad/s], or 1 rad."""
    here = (motion.time >= found.begin - 1e-9) & (motion.time <= found.end + 1e-9)
    return float(np.sqrt(np.mean(motion.angular_velocity[here] ** 2))) if found.unit == "rad/s" else 1.0


def _nearest(found: Identification) -> str:
    """The nearest free motion in words, whose numbers are not those of the body."""
    ratios, bias = (" ".join(f"{one:.3g}" for one in values) for values in (found.ratios, found.bias))
    of_bias = N_(", a bias of {bias} rad/s", bias) if found.bias.any() else ""
    return N_("the nearest one has moments over the largest of {ratios}{of_bias}", ratios, of_bias)


def flight(motion: MeasuredMotion) -> tuple[float, float]:
    """Begin and end [s] of the longest flight by the accelerometer, else by what a free motion leaves, else of all.

    What a free motion leaves says whether the accelerometer shows the whole of it.
    """
    if by_accelerometer := free_flights(motion):
        return whole_flight(motion, *by_accelerometer[0])
    return free_flight(motion) or whole(motion)


def is_by_residual(motion: MeasuredMotion, found: Identification) -> bool:
    """True if ``flight`` is found by what a free motion leaves, as no accelerometer shows it."""
    return found.fitted and not free_flights(motion) and (found.begin, found.end) != whole(motion)


def whole(motion: MeasuredMotion) -> tuple[float, float]:
    """Begin and end [s] of all samples."""
    return float(motion.time[0]), float(motion.time[-1])


def thinned(motion: MeasuredMotion, begin: float, end: float) -> MeasuredMotion:
    """About QUICK samples of a part [s] of the motion at most, evenly spaced."""
    first, last = np.searchsorted(motion.time, [begin - 1e-9, end + 1e-9])
    here = slice(int(first), int(last), max(1, int(last - first) // QUICK))
    return motion.taken(here)


def fitted(motion: MeasuredMotion, found: Identification, mass: float = MASS, length: float = LENGTH) -> Scenario:
    """Scenario of a flight with the identified body, in its principal axes.

    mass [kg] and length [m] of the longest edge of a homogeneous box: no free motion determines them.
    """
    ratios, doubt = _of_a_body(found)
    moments = ratios * mass * length**2 / (6.0 * (ratios.sum() - 2.0 * ratios.min()))
    to_body = conjugate(found.axes)
    before = motion.table.turn()
    bias = found.bias if before is None else apply(conjugate(before), found.bias)
    air = np.maximum(found.drag, 0.0)
    attitude = multiply(found.orientation, found.axes)
    rates = apply(to_body, found.angular_velocity)
    zero = (motion.table.begin or 0.0) - motion.table.at
    changes: dict[str, object] = {
        "axes": _plain(to_body if before is None else multiply(to_body, before), 12),
        "bias": _plain(np.array(motion.table.bias) + bias, 6),
        "identified": IdentifiedConfig(
            begin=found.begin + zero,
            end=found.end + zero,
            ratios=_plain(found.ratios, 10),
            angular_velocity=_plain(rates, 10),
            orientation=None if motion.relative else _plain(attitude, 12),
            drag=_plain(air, 6),
        ),
    }
    shares = ratio_words(found)
    cut = (
        N_("; {left_out} samples at the end of the gyroscope's range are left out", found.left_out)
        if found.left_out
        else ""
    )
    bias_words = bias_text(found)
    off = N_(", the bias of the gyroscope {bias_words} rad/s", bias_words) if found.bias.any() else ""
    left = N_("{residual:.3g} {unit} are left{off}", found.residual, found.unit, off)
    if found.fitted:
        what = N_(
            "Moments of inertia over the largest: {shares} (95 %), from {samples} samples of free flight",
            shares,
            found.samples,
        )
    else:
        what = N_(
            "Moments of inertia over the largest of the nearest free motion: {shares}; {doubt}", shares, found.doubt
        )
    in_air = air_words(found)
    happened = what_happened(found)
    note = N_(
        "{what}{doubt}{cut}; {left}{air}{happened}. Mass and size cannot be found from free motion: they are assumed.",
        what,
        doubt,
        cut,
        left,
        N_("; {air}", in_air) if in_air else "",
        N_(". {happened}", happened) if happened else "",
    )
    body: dict[str, object] = {
        "shape": "inertia",
        "mass": mass,
        "inertia": tuple(rounded(float(one), 6) for one in moments),
    }
    acting = {"damping": {"quadratic": tuple(rounded(float(one), 4) for one in air * moments)}} if air.any() else {}
    start = IDENTITY if motion.relative else attitude, rates
    return _scenario(motion, (found.begin, found.end), changes, body, start, note, acting)


def half_told(value: float, deviation: float, form: str) -> str:
    """A value with half of its 95 % interval; alone where its deviation is 0."""
    return f"{value:{form}} ± {SURE * deviation:.2g}" if deviation > 0.0 else f"{value:{form}}"


def ratio_texts(found: Identification, form: str = ".4g") -> list[str]:
    """Ratios of the moments, each with half of its 95 % interval, or with its ends where it is wide and not even."""
    texts = []
    for ratio, deviation, (least, most) in zip(
        found.ratios, found.ratio_deviations, found.ratio_intervals, strict=True
    ):
        if deviation > WIDE * ratio:
            texts.append(f"{ratio:{form}} [{least:.2g}, {most:.2g}]")
        else:
            texts.append(half_told(ratio, deviation, form))
    return texts


def ratio_words(found: Identification) -> str:
    """Ratios of the moments with their intervals, as in a sentence."""
    return ", ".join(ratio_texts(found))


def drag_text(found: Identification) -> str:
    """Drag over the moments: a number, or one about each axis, each with half of its 95 % interval."""
    pairs = zip(found.drag, found.drag_deviations, strict=True)
    texts = [half_told(drag, deviation, ".3g") for drag, deviation in pairs]
    return ", ".join(texts[: found.drag_factors])


def air_words(found: Identification) -> str:
    """Sentence on what the air does, and how much less is left with its drag; "" without drag."""
    if not found.drag_factors:
        return ""
    if found.residual_without_drag is None:
        return N_("drag of the air over the moments {drag}", drag_text(found))
    return N_(
        "drag of the air over the moments {drag}: without it {without:.3g} {unit} would be left",
        drag_text(found),
        found.residual_without_drag,
        found.unit,
    )


def what_happened(found: Identification) -> str:
    """Sentence, without its full stop, on whether, when and about which axis it flipped; "" where no motion fits."""
    if not found.fitted:
        return ""
    flips, letter = found.flips, "xyz"[found.flips.axis]
    ratios = " : ".join(f"{ratio:.2g}" for ratio in sorted(found.ratios, reverse=True))
    if not found.tells_flips:
        return N_("Whether it flipped is not known: two of its moments are alike within their error ({ratios})", ratios)
    if flips.moment == 0:
        return N_(
            "It did not flip: it turned about {letter}, the axis of its smallest moment ({ratios})", letter, ratios
        )
    if flips.moment == 2:
        return N_(
            "It did not flip: it turned about {letter}, the axis of its largest moment ({ratios})", letter, ratios
        )
    theory = N_("; by theory a flip takes {takes:.2g} s", flips.takes) if flips.takes is not None else ""
    if not flips.times:
        return N_(
            "It did not flip in {time:.2g} s about {letter}, its intermediate axis (ratios {ratios}){theory}",
            found.end - found.begin,
            letter,
            ratios,
            theory,
        )
    times = [f"{time:.2f}" for time in flips.times]
    at = joined(" and ", [", ".join(times[:-1]), times[-1]] if len(times) > 1 else times)
    counts = {1: N_("once"), 2: N_("twice")}
    count = counts.get(len(times)) or N_("{count} times", len(times))
    return N_(
        "It flipped {count}, at {at} s of the flight, about {letter}, its intermediate axis (ratios {ratios}){theory}",
        count,
        at,
        letter,
        ratios,
        theory,
    )


def bias_text(found: Identification) -> str:
    """The bias of the gyroscope [rad/s]."""
    return ", ".join(f"{one:.3g}" for one in found.bias)


def _given(motion: MeasuredMotion, span: tuple[float, float], name: str, mass: float, moments: Array) -> Scenario:
    """Scenario of a span [s] of a run whose files give the body: name, mass [kg] and moments (3,) [kg m²]."""
    body = {"shape": "inertia", "mass": rounded(mass, 9), "inertia": tuple(rounded(float(one), 9) for one in moments)}
    part = N_("the longest part in flight") if flight(motion) == span else N_("the part that was chosen")
    note = N_(
        "Particle {particle}, {name}, of a run of Rockable: {part}; its shape gives the body.",
        motion.table.particle,
        name,
        part,
    )
    first = int(np.searchsorted(motion.time, span[0] - 1e-9))
    return _scenario(motion, (float(motion.time[first]), span[1]), {}, body, _state(motion, first), note)


def unknown(motion: MeasuredMotion, why: str) -> Scenario:
    """Scenario of all of a motion with a box like a phone's that starts as the first sample."""
    body = {"shape": "cuboid", "size": PHONE, "mass": MASS}
    note = N_("The body is assumed to be like a phone: {why}.", why)
    return _scenario(motion, whole(motion), {}, body, _state(motion, 0), note)


def _state(motion: MeasuredMotion, sample: int) -> tuple[Array, Array]:
    """Attitude and angular velocity of a sample."""
    return IDENTITY if motion.relative else motion.orientation[sample], motion.angular_velocity[sample]


def _scenario(
    motion: MeasuredMotion,
    span: tuple[float, float],
    changes: dict[str, object],
    body: dict[str, object],
    start: tuple[Array, Array],
    note: str,
    acting: Mapping[str, object] = MappingProxyType({}),
) -> Scenario:
    """Scenario whose time 0 is the begin of a span [s] of the motion; acting : tables of what acts on the body."""
    table, path = motion.table, Path(motion.table.file)
    shift = (table.begin or 0.0) - table.at
    duration = span[1] - span[0]
    speed = float(np.linalg.norm(motion.angular_velocity, axis=1).max()) or 1.0
    table = table.model_copy(
        update={"begin": span[0] + shift, "end": span[1] + shift, "at": 0.0, "identified": None} | changes
    )
    initial: dict[str, object] = {"orientation": _plain(start[0], 12), "angular_velocity": _plain(start[1], 8)}
    falls: dict[str, object] = {}
    here = (motion.time >= span[0] - 1e-9) & (motion.time <= span[1] + 1e-9)
    if motion.position is not None and here.sum() > 2:  # fit a parabola
        half, velocity, place = np.polyfit(motion.time[here] - span[0], motion.position[here], 2)
        initial |= {"position": _plain(place, 8), "velocity": _plain(velocity, 8)}
        falls = {"gravity": {"g": max(0.0, rounded(-2.0 * float(half[2]), 5))}}
    return Scenario(
        kind="free",
        title=path.parent.name if is_conf(path) else path.stem,
        note=" ".join([translated(note), *(f"{translated(choice)}." for choice in motion.choices())]),
        source=f"measured: {path.parent.name}/{path.name}" if is_conf(path) else f"measured: {path.name}",
        duration=duration,
        step=min(simple(TURN / speed), duration),
        schemes=SCHEMES if "identified" in changes else ("exact", *SCHEMES),
        body=body,
        initial=initial,
        **falls,
        **acting,
        measured=(table.model_dump(exclude_none=True, exclude_defaults=True),),
    )


def _of_a_body(found: Identification) -> tuple[Array, str]:
    """Ratios of moments of a real body, the largest at most the sum of the others, and a note if they are changed."""
    ratios = found.ratios.copy()
    largest = int(np.argmax(ratios))
    others = float(ratios.sum() - ratios[largest])
    if others >= ratios[largest]:
        return ratios, ""
    others_of = np.arange(3) != largest
    ratios[others_of] *= (1.0 + 1e-9) / others
    return ratios, N_(
        "; those of a flat body, the nearest that there is, are taken: they add up to {others:.4g}", others
    )


def _plain(values: Array, digits: int) -> tuple[float, ...]:
    return tuple(float(f"{value:.{digits}g}") + 0.0 for value in values)  # -0.0 becomes 0.0
