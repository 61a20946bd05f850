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


SUN, GLINT, ROUGH = (0.38, 0.30, -0.875), 0.6, 0.06  # of a sea: fixed to the camera, ahead; the tilt of its ripples
# at corners, as pixels of a whole sea take long in software: the water's colour, and by which shares of it long and
# short ripples change it, which fade where they are finer than pixels
_WATER = """
vec3 seen(vec3 sight, vec3 up, vec3 normal, vec3 colour, float ripple) {
  vec3 face = normalize(normal + 0.9 * ripple * (sight - dot(sight, up) * up));
  float grazing = 1.0 - max(dot(face, sight), 0.0);
  vec3 mirrored = reflect(-sight, face);
  vec3 sky = mix(HAZE, SKY, clamp(2.0 * dot(mirrored, up), 0.0, 1.0));
  sky += GLINT * pow(max(dot(mirrored, SUN), 0.0), 64.0);
  return mix((1.0 + 1.5 * ripple) * colour, sky, 0.03 + 0.6 * pow(grazing, 4.0));
}
uniform int cameraParallel;
out vec3 water;
out vec2 rough, place;
//VTK::Normal::Dec
"""
_LOOK = """
  //VTK::Normal::Impl
  vec3 away = -(MCVCMatrix * vertexMC).xyz, sight = cameraParallel == 1 ? vec3(0.0, 0.0, 1.0) : normalize(away);
  vec3 up = normalMatrix[2], normal = normalMatrix * normalMC;
  vec3 high = seen(sight, up, normal, scalarColor.rgb, ROUGH), low = seen(sight, up, normal, scalarColor.rgb, -ROUGH);
  water = 0.5 * (high + low);
  place = tcoord;
  float fine = cameraParallel == 1 ? 0.0 : PIXEL * length(away) / max(abs(dot(sight, up)), 0.01);
  rough = 4.5 * dot(high - low, vec3(1.0)) / dot(water, vec3(1.0)) * clamp(1.5 - fine * vec2(8.0, 16.0), 0.0, 1.0);
"""
_FARTHEST = "//VTK::PositionVC::Impl\n  gl_Position.z = 0.999999 * gl_Position.w;"
# a texture of ripples takes five times as long
_RIPPLES = """
float wave(float x) {
  x -= round(x);
  return x * (0.5 - abs(x));
}
in vec3 water;
in vec2 rough, place;
//VTK::Normal::Dec
"""
_PIXEL = """
  float swell = wave(dot(place, vec2(1.7, 5.9)));
  float other = wave(dot(place, vec2(-2.6, 8.3)) + 4.0 * swell);
  float ripple = wave(dot(place, vec2(4.1, 13.7)) + 5.0 * other) + wave(dot(place, vec2(-6.3, 16.9)) + 5.0 * swell);
  fragOutput0 = vec4(water * (1.0 + dot(rough, vec2(swell + other, ripple))), opacity);
"""


def gleam(actor: pv.Actor, look: StageColours, tile: float, *, behind: bool) -> None:
    """Let the water mirror the sky and a low sun in place of VTK's lights, and have ripples of about a tenth of a tile.

    tile : the distance in which texture coordinates grow by 1 [m]; behind : as far away as what is farthest
    """
    haze = np.array(pv.Color(look.haze).float_rgb)
    values = {"SUN": SUN, "SKY": pv.Color(look.sky).float_rgb, "HAZE": haze, "GLINT": GLINT * haze}
    code = _WATER
    for name, value in values.items():
        code = code.replace(name, _vector(value))
    look_code = _LOOK.replace("ROUGH", str(ROUGH)).replace("PIXEL", f"{0.005 / tile:.8f}")
    shader = actor.GetShaderProperty()
    shader.AddVertexShaderReplacement("//VTK::Normal::Dec", True, code, False)
    shader.AddVertexShaderReplacement("//VTK::Normal::Impl", True, look_code, False)
    if behind:
        shader.AddVertexShaderReplacement("//VTK::PositionVC::Impl", True, _FARTHEST, False)
    shader.AddFragmentShaderReplacement("//VTK::Normal::Dec", True, _RIPPLES, False)
    shader.AddFragmentShaderReplacement(_TAG, True, _PIXEL, False)
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
