"""Lights and sky of a viewport: the sun on a slope, and the studio around any other body, which the body mirrors.

VTK's highlights are images of point lamps. Here lamps are broad and the room is bright above and dark below, so that
flat metal and round edges show how they turn. The mirror image is a closed formula in the shader that draws the body:
a picture of the room, as VTK's physically based shader wants, takes 3 s at the first frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage.camera.rig import direction
from app.stage.ground.shaded_relief import LIGHTS
from app.stage.theme_colours import StageColours


class Lamp(NamedTuple):
    """A lamp fixed to the camera: where it stands (right, up, back), its colour, its light, and how bright it looks."""

    place: tuple[float, float, float]
    colour: str
    light: float
    bright: float


# A key light from above left, a cool fill from the right, a rim from behind, and light from below, which is no lamp.
# What faces all of them is lit by 0.96 of its colour, ambient light included: no face is drawn as plain white.
LAMPS = (
    Lamp((-0.55, 0.8, 1.0), "#fff6ea", 0.60, 1.1),
    Lamp((1.0, 0.1, 0.9), "#d5e4ff", 0.34, 0.6),
    Lamp((0.2, 0.8, -1.0), "#ffffff", 0.35, 0.5),
    Lamp((0.0, -0.6, 1.0), "#eef1ff", 0.18, 0.0),
)
ABOVE, BELOW = (0.50, 0.58, 0.70), (0.10, 0.09, 0.08)  # colours of the room
MIRRORED, GRAZING = 0.35, 0.28  # mirrored shares of the light: of the specular property, and at grazing sight


def _vector(values: object) -> str:
    return "vec3({:.4f}, {:.4f}, {:.4f})".format(*np.asarray(values, float).tolist())


def _lamp(lamp: Lamp) -> str:
    """Shader code for the image of a lamp: a disc whose edge is as blurred as the surface is rough."""
    ahead = np.array(lamp.place) / np.linalg.norm(lamp.place)
    colour = lamp.bright * np.array(pv.Color(lamp.colour).float_rgb)
    edge = f"smoothstep(0.9 - blur, 0.9 + 0.6 * blur, dot(mirrored, {_vector(ahead)}))"
    return f"  seen += {edge} * {_vector(colour)};\n"


# after VTK's own light, of which the diffuse part stays; Schlick's law, with the fourth power for the fifth
_TAG = "//VTK::Light::Impl"
_SHADER = f"""
  vec3 sight = cameraParallel == 1 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
  vec3 mirrored = reflect(-sight, normalVCVSOutput);
  float grazing = 1.0 - max(dot(normalVCVSOutput, sight), 0.0);
  grazing *= grazing;
  float blur = 0.12 * clamp(40.0 / specularPower, 0.4, 2.0);
  vec3 seen = mix({_vector(BELOW)}, {_vector(ABOVE)}, smoothstep(-0.35, 0.8, mirrored.y));
{"".join(_lamp(lamp) for lamp in LAMPS if lamp.bright)}
  float share = {MIRRORED} * specularColor.x + {GRAZING} * grazing * grazing;
  fragOutput0 = vec4(ambientColor + (1.0 - share) * diffuse + share * seen, opacity);
  {_TAG}
"""


def mirror(actor: pv.Actor) -> None:
    """Let an actor mirror the studio in place of VTK's highlights."""
    actor.GetShaderProperty().AddFragmentShaderReplacement(_TAG, False, _SHADER, False)


_SUN = (0.38, 0.30, -0.875)  # of a sea, fixed to the camera: ahead, to the right
_SEA = """
  vec3 up = normalMatrix[2];
  vec3 sight = cameraParallel == 1 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
  float ripple = texture(actortexture, tcoordVCVSOutput).r - 0.87;
  vec3 face = normalize(normalVCVSOutput + 0.9 * ripple * (sight - dot(sight, up) * up));
  float grazing = 1.0 - max(dot(face, sight), 0.0);
  float share = 0.03 + 0.6 * grazing * grazing * grazing * grazing;
  vec3 mirrored = reflect(-sight, face);
  float high = max(dot(mirrored, up), 0.0);
  float glint = max(dot(mirrored, SUN), 0.0);
  glint *= glint; glint *= glint; glint *= glint; glint *= glint; glint *= glint; glint *= glint;
  vec3 seen = mix(HAZE, SKY, min(2.0 * high, 1.0)) + GLINT * glint;
  fragOutput0 = vec4(mix((1.0 + 1.5 * ripple) * diffuseColor, seen, share), mix(opacity, max(opacity, 0.9), share));
"""


def gleam(actor: pv.Actor, look: StageColours) -> None:
    """Let the water mirror the sky and a low sun in place of VTK's lights; a texture roughens it."""
    sky, haze = (np.array(pv.Color(colour).float_rgb) for colour in (look.sky, look.haze))
    values = {"SUN": _SUN, "SKY": sky, "HAZE": haze, "GLINT": 0.6 * haze}
    code = _SEA
    for name, value in values.items():
        code = code.replace(name, _vector(value))
    shader = actor.GetShaderProperty()
    shader.AddFragmentShaderReplacement(_TAG, True, code, False)
    shader.AddFragmentShaderReplacement("//VTK::TCoord::Impl", True, "", False)


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
    """Lights on a rock, or on any other body."""
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
