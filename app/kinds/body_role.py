"""The role of the body in a file: a free body, a rock on a slope, or a ship."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

import assets
from physics import Scenario, load_scenario
from physics.bodies.buoyancy import WATER, afloat
from physics.core.rotation import apply
from physics.systems.rockfall_scenario import RockfallScenario, of_rocks
from physics.systems.scenario_body import make_body

ROCK = 2700.0  # [kg/m³]
HEEL = math.radians(12.0)  # from which a ship is let go
ROLLS, STEPS = 10.0, 100.0  # shown at most of a ship's rolling, and steps of its shortest sway
UPRIGHT = 0.02  # metacentric height of a hull that would fall over, as a share of its breadth or length
_SHOWN = ("view", "export", "batch", "edit", "source", "initial")  # what another rock does not take over


def taken(file: Path, role: str = "body", ground: Scenario | None = None, scale: float = 1.0) -> Scenario:
    """The body in a file [m], times ``scale``, in one of ROLES; ScenarioError where it is none.

    ground : the rockfall scenario on whose slope a rock falls; None: the alpine slope that comes with the program
    """
    return ROLES[role](file, scale, ground)


def role_of(scenario: Scenario) -> str | None:
    """The role that the body of a file has in a scenario; None where the body is of no file, or is a top."""
    return _OF_KIND.get(scenario.kind) if scenario.body.file is not None else None


def _tumbling(file: Path, scale: float, _: Scenario | None) -> Scenario:
    """About its intermediate axis, of the density of rock."""
    table = _solid(file, scale) | {"density": ROCK}
    still = Scenario(
        kind="free",
        title=file.stem,
        note=f"{_named(table)} about its intermediate axis; taken to be given in metres, with the density of rock.",
        duration=20.0,
        step=0.01,
        schemes=("explicit", "implicit"),
        body=table,
    )
    made = make_body(still)
    about = np.full(3, 1e-3)
    about[np.argsort(made.inertia)[1]] = 10.0
    return still.changed(**{"initial.angular_velocity": tuple(map(float, apply(made.axes, about)))})


def _falling(file: Path, scale: float, ground: Scenario | None) -> Scenario:
    """The hull of its points, released on a slope, clear of the ground."""
    on = of_rocks(ground or load_scenario(assets.SCENARIOS / "rock-alpine.toml"))
    table = {"shape": "hull", "file": str(file), "density": ROCK} | _scaled(scale)
    body = make_body(Scenario(kind="free", duration=1.0, step=1.0, body=table))
    plain = {key: value for key, value in on.without_edits().to_plain().items() if key not in _SHOWN}
    release = plain.get("release", {})
    if on.initial.position is not None:
        release["position"] = on.initial.position[:2]
    release["height"] = max(on.release.height, round(2.0 * body.radius, 2))  # also on a wall of 60 degrees
    plain |= {
        "title": file.stem,
        "note": "The convex hull of the file's points, with the density of rock; taken to be given in metres. It falls "
        f"on {_slope(on)}.",
        "body": table,
        "initial": {"orientation": "random", "velocity": on.initial.velocity},
        "release": release,
        "ensemble": {"seed": on.ensemble.seed},
    }
    return Scenario(**plain, folder=on.folder)


def _slope(on: RockfallScenario) -> str:
    assert on.terrain is not None
    if on.terrain.file is not None:
        return f"the map {Path(on.terrain.file).name}"
    return f"the ramp of {on.terrain.angle:g}°" if on.terrain.profile == "ramp" else f"the {on.terrain.profile} slope"


def _swaying(file: Path, scale: float, _: Scenario | None) -> Scenario:
    """A ship that floats up to its centre of mass, is righted by its form, and is let go heeled."""
    table = _solid(file, scale)
    body = make_body(Scenario(kind="free", duration=1.0, step=1.0, body=table | {"density": WATER}))
    floats, (length, breadth, _) = afloat(body), body.extents
    across, along = (
        _rounded(max(height, UPRIGHT * size))
        for height, size in ((floats.transverse, breadth), (floats.longitudinal, length))
    )
    stiff = 9.81 * floats.mass * np.array([across, along])
    rolls, pitches = 2.0 * math.pi * np.sqrt(body.inertia[:2] * (floats.mass / body.mass) / stiff)
    step = _simple(min(rolls, pitches) / STEPS)
    return Scenario(
        kind="vessel",
        title=file.stem,
        note=f"{_named(table)}, bow along x and z up, taken to be given in metres. It floats up to its centre of mass, "
        f"and so displaces {_tonnes(floats.mass)}; {_righted(floats.transverse, floats.longitudinal)}. No damping.",
        duration=_simple(ROLLS * max(rolls, pitches)),
        step=step,
        body=table | {"mass": _rounded(floats.mass, 4)},
        vessel={"metacentric_height": {"transverse": across, "longitudinal": along}},
        initial={"orientation": (math.cos(HEEL / 2), math.sin(HEEL / 2), 0.0, 0.0)},
    )


def _righted(transverse: float, longitudinal: float) -> str:
    if min(transverse, longitudinal) > 0.0:
        return f"GM is that of its form, {transverse:.3g} m, lengthwise {longitudinal:.3g} m"
    return (
        f"its form would let it fall over (GM {transverse:.2g} m, lengthwise {longitudinal:.2g} m): 2 % of its size is "
        "taken"
    )


def _solid(file: Path, scale: float) -> dict[str, object]:
    """The body's table, without its mass."""
    shape = "hull" if file.suffix.lower() == ".pts" else "mesh"
    return {"shape": shape, "file": str(file)} | _scaled(scale)


def _scaled(scale: float) -> dict[str, object]:
    return {} if scale == 1.0 else {"scale": scale}


def _named(table: dict[str, object]) -> str:
    return "The hull of the points" if table["shape"] == "hull" else "The solid"


def _rounded(value: float, digits: int = 3) -> float:
    return float(f"{value:.{digits}g}")


def _simple(value: float) -> float:
    """The next number from below that is 1, 2 or 5 times a power of ten: durations are then whole steps."""
    power = math.floor(math.log10(value))
    return float(f"{max(d for d in (1, 2, 5) if d <= value / 10.0**power * (1 + 1e-12))}e{power}")


def _tonnes(mass: float) -> str:
    return f"{mass / 1000.0:.3g} t" if mass < 1e6 else f"{_rounded(mass / 1000.0):,.0f} t".replace(",", " ")


ROLES: dict[str, Callable[[Path, float, Scenario | None], Scenario]] = {
    "body": _tumbling,
    "rock": _falling,
    "ship": _swaying,
}
_OF_KIND = {"free": "body", "rockfall": "rock", "vessel": "ship"}
