"""Backdrop: sky and lights of a viewport."""

from __future__ import annotations

import pyvista as pv

from app.stage.camera.rig import direction
from app.stage.ground.shaded_relief import LIGHTS
from app.stage.studio import LAMPS
from app.stage.theme_colours import StageColours


def dress(renderer: pv.Renderer, look: StageColours, *, rock: bool) -> None:
    """Give a viewport its sky and its lights: a rock has the sun that shades its terrain, a free body a studio."""
    renderer.SetBackground(*pv.Color(look.horizon).float_rgb)
    renderer.SetBackground2(*pv.Color(look.sky).float_rgb)
    renderer.SetGradientBackground(True)
    renderer.SetUseOIT(False)  # VTK blends without samples else: jagged trails, and 45 ms of a picture of 1920 x 1080
    renderer.remove_all_lights()
    for light in lights(rock=rock):
        renderer.AddLight(light)
    renderer.camera_set = True  # else pyvista moves the camera before the first picture


def undress(renderer: pv.Renderer) -> None:
    """Take the lights away again."""
    renderer.remove_all_lights()
    renderer.SetGradientBackground(False)


def lights(*, rock: bool) -> list[pv.Light]:
    """Those of a rock, or of any other body."""
    return _sun() if rock else studio()


def studio() -> list[pv.Light]:
    """The lamps of the studio, fixed to the camera."""
    return [_light("camera light", lamp.place, lamp.colour, lamp.light) for lamp in LAMPS]


def _sun() -> list[pv.Light]:
    azimuth, altitude, _ = LIGHTS[0]
    sun = direction(90.0 - azimuth, altitude)
    return [
        _light("scene light", tuple(sun), "#fff3e0", 0.66),
        _light("scene light", (-sun[0], -sun[1], 0.7), "#c8d8f0", 0.25),
        _light("headlight", (0, 0, 1), "#ffffff", 0.48),
    ]


def _light(kind: str, position: tuple[float, float, float], colour: str, intensity: float) -> pv.Light:
    light = pv.Light(light_type=kind, color=colour, intensity=intensity)
    if kind != "headlight":
        light.position = position
        light.focal_point = (0.0, 0.0, 0.0)
    light.positional = False
    return light
