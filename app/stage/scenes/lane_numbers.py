"""Numbers of a lane: what a caption says of one lane just now, for each kind of motion."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.stage.bodies.stability_marks import levers
from app.stage.lane_track import LaneTrack, Pose
from app.stage.text.cards import TextRun
from app.stage.text.glyphs import BLANK
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis import ship_stability
from physics.analysis.invariants import energy_error
from physics.core.euler_angles import nutation, yaw_pitch_roll
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.ship.world import ShipWorld
from physics.systems.toys import columns as toy_columns
from physics.systems.toys.world import NO_SLIP, TableWorld

WRONG = 1e-3  # relative error from which a number is marked
RIM = 45.0  # [m/s] at the rim of a rock: 44 is the fastest of the examples
ERROR = "88.8 %"  # as wide as any relative error below ten


def flight(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a free body: how fast it turns, and what a scheme has lost of energy and spin, which should both stay."""
    run, i = track.run, track.run.index(pose.time)
    first = float(np.linalg.norm(run.spin[0]))
    spin = float(np.linalg.norm(run.spin[i] - run.spin[0])) / max(first, 1e-300)
    return (
        *_number(
            "|ω|", f"{np.linalg.norm(pose.omega):.2f} rad/s", look, f"{first / track.world.moments.min():.2f} rad/s"
        ),
        *_error(tr("energy error"), _energy(track, i), look),
        *_error(tr("spin error"), spin, look),
    )


def top(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a top: its lean, and the errors of what should stay: energy and the vertical part of the spin."""
    run, i = track.run, track.run.index(pose.time)
    upright = run.spin[:, 2]
    scale = abs(float(upright[0])) or float(np.linalg.norm(run.spin[0])) or 1e-300
    return (
        *_number(tr("nutation"), f"{nutation(run.orientation[i]):.2f}°", look, "188.88°"),
        *_error(tr("energy error"), _energy(track, i), look),
        *_error(tr("vertical spin error"), abs(float(upright[i] - upright[0])) / scale, look),
    )


def vessel(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a vessel: roll, pitch and yaw, see angles.yaw_pitch_roll; the energy's error where nothing damps."""
    i = track.run.index(pose.time)
    yaw, pitch, roll = yaw_pitch_roll(track.run.orientation[i])
    angles = [
        _number(name, _degrees(angle), look)
        for name, angle in ((tr("roll"), roll), (tr("pitch"), pitch), (tr("yaw"), yaw))
    ]
    energy = _error(tr("energy error"), _energy(track, i), look) if track.world.lossless else ()
    return (*angles[0], *angles[1], *angles[2], *energy)


def ship(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a ship: heel, trim and the righting lever; the energy's error where nothing damps or drives."""
    world = track.world
    assert isinstance(world, ShipWorld)
    i, run = track.run.index(pose.time), track.run
    rows = replace(run, kinetic_energy=run.kinetic_energy[[0, i]], potential_energy=run.potential_energy[[0, i]])
    _, trim, heel = yaw_pitch_roll(run.orientation[i])
    found = levers(world, pose)
    lever = "–" if found is None else f"{round(found.lever, 6) + 0.0:.3g} m".replace("-", "−")
    energy = (
        _error(tr("energy error"), abs(float(ship_stability.energy_error(rows, world)[-1])), look)
        if world.lossless
        else ()
    )
    return (
        *_number(tr("heel"), _degrees(heel), look),
        *_number(tr("trim"), _degrees(trim), look),
        *_number("GZ", lever, look, "−0.000888 m"),
        *energy,
    )


def on_table(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a body on a table: tilt, spin about the normal and slip; the energy's error where no law takes energy."""
    world = track.world
    assert isinstance(world, TableWorld)
    i, run, now = track.run.index(pose.time), track.run, track.run.at(pose.time)
    tilt = math.degrees(float(toy_columns.tilt(now.orientation)))
    slip = toy_columns.slip(world.surface, now.orientation, now.velocity, now.angular_velocity)
    struck = any(event.kind == "impact" and event.time <= pose.time for event in run.events)
    energy = _error(tr("energy error"), _energy(track, i), look) if world.lossless else ()
    turning = float(np.linalg.norm(world.angular_velocity))
    fastest = float(np.linalg.norm(world.velocity)) + turning * world.body.radius
    return (
        *_number(tr("tilt"), f"{tilt:.1f}°", look, "188.8°"),
        *_number(
            tr("spin", "about its axis"),
            f"{round(float(pose.omega[2]), 1) + 0.0:.1f} rad/s".replace("-", "−"),
            look,
            f"−{max(turning, 10.0):.1f} rad/s",
        ),
        *(
            ()
            if world.scenario.table.mu >= NO_SLIP
            else _number(tr("slip"), f"{np.linalg.norm(slip[:2]):.3f} m/s", look, f"{fastest:.3f} m/s")
        ),
        *(tuple(_unseen(run) for run in energy) if struck else energy),
    )


def fall(track: LaneTrack, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
    """Of a rock: speed, rotation, height above the ground, and whether it has stopped."""
    assert isinstance(track.world, RockfallWorld)
    x, y, z = track.run.at(pose.time).position
    over = z - track.world.terrain.height(x, y)  # of the run above the map: what is drawn may be coarser
    ended = {event.kind for event in track.run.events if event.time <= pose.time}
    rest, left = tr("at rest"), tr("left the map")
    state = rest if "rest" in ended else left if "left-map" in ended else ""
    height = _number(tr("height"), f"{round(over, 1) + 0.0:4.1f} m", look, max("88.8 m", rest, left, key=len))
    told = TextRun(state, look.ink, 12.5, "SemiBold", room=height[1].room)
    return (
        *_number(tr("speed"), f"{np.linalg.norm(pose.velocity):4.1f} m/s", look, "88.8 m/s"),
        *_number(
            tr("spin rate"),
            f"{np.linalg.norm(pose.omega):4.1f} rad/s",
            look,
            f"{max(10.0, RIM / track.body.radius):.1f} rad/s",
        ),
        *((_unseen(height[0]), told) if state else height),  # one that is no longer on its way has no height to tell
    )


def _energy(track: LaneTrack, i: int) -> float:
    """The relative change of the energy up to stored state i."""
    return abs(float(energy_error(track.run, i)))


def _error(name: str, error: float, look: StageColours) -> tuple[TextRun, ...]:
    return _number(name, _relative(error), look, ERROR, wrong=error > WRONG)


def _number(name: str, value: str, look: StageColours, widest: str = "", *, wrong: bool = False) -> tuple[TextRun, ...]:
    colour, weight = (look.alarm, "SemiBold") if wrong else (look.ink, "Medium")
    return (
        TextRun(f"{name} ", look.dim, 12.5),
        TextRun(f"{value}    ", colour, 12.5, weight, room=f"{widest or value}    "),
    )


def _unseen(run: TextRun) -> TextRun:
    return run._replace(text="", room=run.room or run.text)


def _degrees(angle: float) -> str:
    """An angle, always as wide."""
    return f"{round(angle, 1) + 0.0:.1f}°".replace("-", "−").ljust(7, BLANK)


def _relative(error: float) -> str:
    """A relative error: in per cent when one sees it, as a power of ten when one does not."""
    if error >= 1e-3:
        return f"{100 * error:.1f} %" if error < 0.9995 else f"{100 * error:.0f} %"
    if error < 1e-16:
        return "0"
    digit, power = f"{error:.0e}".split("e")
    return f"{digit}e{int(power)}"
