"""The skin of bodies from files: their materials in the studio of the stage.

Base colour, picture, roughness and metal are drawn, in the stage's own light; what else a material has travels with a
.glb that leaves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.stage import textures
from app.stage.actor_group import polygons
from app.stage.bodies.body_mesh import Skin
from app.stage.bodies.model_look import Material, Piece, look_of_body, pixels, share, to_screen
from physics.bodies.body import Body
from physics.core.input_checks import as_float
from physics.core.rotation import Array

CLAMPED = 33071  # OpenGL's number of a picture that does not repeat


def skin_of(body: Body) -> tuple[Skin, ...]:
    """Surfaces of a body with the materials of its file; () where it has none."""
    return tuple(map(skin_of_piece, look_of_body(body).pieces))


def skin_of_piece(piece: Piece) -> Skin:
    """A surface of one material, as the stage draws it."""
    material = piece.material or Material({})
    base, row = material.base, material.row
    mode = row.get("alphaMode", "OPAQUE")
    given = base.get("baseColorTexture")
    info: dict[str, Any] = given if isinstance(given, dict) else {}
    picture = material.pictures[info["index"]] if info else None
    places = piece.places.get(f"TEXCOORD_{_channel(info)}")
    texture = None
    if picture is not None and places is not None:
        cut = share(row, "alphaCutoff", 0.5) if mode == "MASK" else None
        repeat = CLAMPED not in (dict(picture.sampler).get("wrapS"), dict(picture.sampler).get("wrapT"))
        texture = textures.laid_on(pixels(picture, opaque=mode == "OPAQUE", cut=cut), repeat=repeat)
    light = np.tile(material.colour, (len(piece.points), 1))
    if piece.colours is not None:
        light = light * piece.colours
    opacity = np.ones(len(light)) if mode != "BLEND" else np.clip(light[:, 3], 0.0, 1.0)
    rgba = np.column_stack([to_screen(light[:, :3]), opacity])
    mesh = polygons(piece.points.astype(np.float32), piece.triangles, piece.normals.astype(np.float32))
    mesh.point_data["rgba"] = np.round(255.0 * rgba).astype(np.uint8)
    if texture is not None and places is not None:
        u, v = _transformed(places, info).T
        mesh.active_texture_coordinates = np.column_stack([u, 1.0 - v])  # VTK counts from below
    rough, metal = share(base, "roughnessFactor", 1.0), share(base, "metallicFactor", 1.0)
    specular = 0.1 + 0.4 * (1.0 - rough) + 0.3 * metal * (1.0 - rough)
    clear = mode == "BLEND" and bool(opacity.min() < 1.0 or (texture is not None and pixels_clear(texture)))
    return Skin(mesh, texture, specular, 10.0 + 90.0 * (1.0 - rough) ** 2, not row.get("doubleSided", False), clear)


def pixels_clear(texture: Any) -> bool:
    """Return True if one sees through some pixels of a texture."""
    found = texture.to_array()
    return found.shape[-1] == 4 and bool(found[..., 3].min() < 255)


def _channel(info: dict[str, Any]) -> int:
    """The number of the places by which a picture is laid on."""
    found = _transform(info).get("texCoord", info.get("texCoord", 0))
    return found if isinstance(found, int) else 0


def _transform(info: dict[str, Any]) -> dict[str, Any]:
    extensions = info.get("extensions")
    found = extensions.get("KHR_texture_transform") if isinstance(extensions, dict) else None
    return found if isinstance(found, dict) else {}


def _transformed(places: Array, info: dict[str, Any]) -> Array:
    """Places (n, 2) on a picture that is shifted, turned and scaled (KHR_texture_transform)."""
    row = _transform(info)
    scale, offset = (_pair(row.get(key), usual) for key, usual in (("scale", 1.0), ("offset", 0.0)))
    angle = as_float(row.get("rotation", 0.0))
    angle = angle if math.isfinite(angle) else 0.0
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(places * scale @ np.array([[c, -s], [s, c]]) + offset)


def _pair(found: Any, usual: float) -> Array:
    values = np.array([as_float(one) for one in found] if isinstance(found, list) else [])
    return values if len(values) == 2 and np.isfinite(values).all() else np.full(2, usual)
