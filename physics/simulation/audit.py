"""Audit of a run: changes of energy and spin, stored with every result, and warnings about absurd numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from physics.core.trajectory import DOUBT, Event, Trajectory
from physics.core.wording import N_, per_cent
from physics.schemes.lane import lane_of
from physics.systems import system_of
from physics.systems.world import World

TURN = math.pi  # [rad] a step: what turns farther looks as if it turned less, or backwards
# share of the largest energy above the lowest potential one: total energy that nothing gave; on the papers' motions it
# is below 0.001
RISE = 0.1
ROUNDING = 1e-6  # likewise, where the steps themselves let energy only fall, but for what rounding adds up
NOTHING = 1e-20  # share of the energy or spin that errors are shares of: less is rounding of something at rest
NOISE = 1e-14  # share of a potential energy that is rounding
_SMALLER = N_("take a smaller step")
LOSS = 0.5  # likewise, where nothing takes energy: a coarse scheme may lose some, and says so in its charts


def audit(run: Trajectory) -> dict[str, float | None]:
    """Changes of energy and spin over a run, from its stored states.

    ``largest_energy_rise`` [J] from one stored state to the next; ``energy_drift`` [J] and ``spin_drift`` [kg m²/s],
    the largest distance from the first state, or after an edit from where it began; ``relative_...``, over the largest
    kinetic energy and size of spin, None for a body that does not move, but for rounding, and where the scale of errors
    is 0. Forces change the energy or spin of some kinds: that is no fault of the scheme.
    """
    energy, spin = run.total_energy, run.spin
    with np.errstate(over="ignore", invalid="ignore"):
        rise = float(np.diff(energy, prepend=energy[0]).max(initial=0.0))
        drift = float(np.abs(energy - run.since("energy")).max())
        turned = float(_length(spin - run.since("spin")).max())
        kinetic, size = (
            _largest(values, run.since(f"{name}_scale"))
            for name, values in (("energy", run.kinetic_energy), ("spin", _length(spin)))
        )
    return {
        "largest_energy_rise": rise,
        "energy_drift": drift,
        "relative_energy_drift": drift / kinetic if kinetic > 0.0 and run.since("energy_scale").any() else None,
        "spin_drift": turned,
        "relative_spin_drift": turned / size if size > 0.0 and run.since("spin_scale").any() else None,
    }


def doubts(run: Trajectory, worlds: Sequence[World]) -> tuple[Event, ...]:
    """Warnings about numbers of a run through these worlds that cannot be right; each names a remedy."""
    if run.events[-1:] and run.events[-1].failed:  # which says it already
        return ()
    scheme, system = lane_of(run.scheme).scheme, system_of(worlds[0].scenario)
    if not scheme.kinds:  # what was measured took no step
        return ()
    found: list[str] = []
    last = float(run.time[-1])
    steps = [w.scenario.step_of(run.scheme) for w in worlds]
    turn, step = max((step * rate, step) for step, rate in zip(steps, _fastest(run, "angular_velocity"), strict=False))
    if scheme.order is not None and not scheme.adaptive and turn > TURN:
        found.append(
            N_(
                "a step of {step:g} s turns the body by {turn:.3g} rad, more than half a turn; {smaller}",
                step,
                turn,
                _SMALLER,
            )
        )
    if system.contacts and not system.falling:  # where impacts are not found in the step
        moves = zip(steps, _fastest(run, "velocity"), (w.body.radius for w in worlds), strict=False)
        _, step, speed, radius = max((step * speed / radius, step, speed, radius) for step, speed, radius in moves)
        found += [_passed_over(step, radius, speed)] if step * speed > radius else []
    with np.errstate(over="ignore", invalid="ignore"):
        change, kinetic = (
            run.total_energy - run.total_energy[0],
            _largest(run.kinetic_energy, run.since("energy_scale")),
        )
        free = float((run.total_energy - run.potential_energy.min()).max())  # no loss is larger
    if len(worlds) == 1 and kinetic > 0.0:  # an edit may change the energy
        noise = NOISE * float(np.abs(run.potential_energy).max())  # as of one that hardly moves, high up
        rise, loss = (float(change.max()) - noise) / free, -float(change.min()) / free
        if rise > (ROUNDING if system.falling else RISE) and not worlds[0].driven:
            found.append(
                N_(
                    "total energy rises by {rise} of what can turn into motion, and nothing gives it; {smaller}",
                    per_cent(rise),
                    _SMALLER,
                )
            )
        elif loss > LOSS and system.passive and worlds[0].lossless:
            found.append(
                N_(
                    "total energy falls by {loss} of what can turn into motion, and nothing takes it; {smaller}",
                    per_cent(loss),
                    _SMALLER,
                )
            )
    return tuple(Event(DOUBT, last, N_("{scheme}: {text}", run.scheme, text)) for text in found)


def sparse(run: Trajectory) -> tuple[str, ...]:
    """Sentence on a run whose body turns by more than half a turn between two stored states; () where none does.

    The states are right, but what interpolates between them turns the body the shorter way round.
    """
    doubted = any(event.doubtful or event.failed for event in run.events)  # which says as much
    if len(run) < 2 or doubted or not lane_of(run.scheme).scheme.kinds:
        return ()
    speeds, spans = _length(run.angular_velocity).reshape(len(run), -1).max(axis=1), np.diff(run.time)
    turns = 0.5 * (speeds[1:] + speeds[:-1]) * spans
    turn, span = float(turns.max()), float(spans[np.argmax(turns)])
    if turn <= TURN:
        return ()
    text = N_(
        "between states stored {span:g} s apart the body turns by {turn:.3g} rad, more than half a turn: pictures "
        "between them show another motion; store more states (record_every, step)",
        span,
        turn,
    )
    return (N_("{scheme}: {text}", run.scheme, text),)


def _fastest(run: Trajectory, column: str) -> list[float]:
    """The largest size of a vector column in each stretch between edits, up to the last that the run came to."""
    sizes = _length(getattr(run, column)).reshape(len(run), -1).max(axis=1)
    stretches = run.stretches
    return [float(sizes[stretches == k].max(initial=0.0)) for k in range(int(stretches[-1]) + 1)]


def _largest(values: np.ndarray, scale: np.ndarray) -> float:
    """The largest of some values; 0 where it is rounding beside the scale of their errors, as of what cannot move."""
    largest = float(values.max())
    return largest if largest > NOTHING * (float(scale.max()) or 1.0) else 0.0


def sound_step(radius: float, speed: float) -> float:
    """The largest step [s], cut to two digits, in which a rock of this radius [m] passes no ground unseen."""
    step = radius / speed
    digit = 10.0 ** (math.floor(math.log10(step)) - 1)
    return math.floor(step / digit * (1.0 + 1e-9)) * digit


def _passed_over(step: float, radius: float, speed: float) -> str:
    """Sentence on a rock that moves farther in a step than its radius: contact is sought at the step's middle only."""
    return N_(
        "a step of {step:g} s takes the rock {speed:.3g} m on, farther than its radius of "
        "{radius:.3g} m: it meets little of the ground; take a step of at most {speed2:.2g} s, a "
        "smaller one where it then gets faster",
        step,
        step * speed,
        radius,
        sound_step(radius, speed),
    )


def _length(vectors: np.ndarray) -> np.ndarray:
    """Lengths of vectors (..., 3), in one row, whose squares may be more than a number holds."""
    vectors = vectors.reshape(-1, 3)
    largest = np.abs(vectors).max(axis=1)
    scale = np.where(largest > 0.0, largest, 1.0)
    return np.asarray(scale * np.linalg.norm(vectors / scale[:, None], axis=1))
