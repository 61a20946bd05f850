"""Looks of bodies from files: the materials and the pictures of a .glb, a .gltf, or an .obj with its .mtl.

All of them become glTF materials: so one place draws them, and a .glb that leaves has them as they came.
"""

from __future__ import annotations

import io
import math
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from app.stage.bodies.body_mesh import distinct, smoothed
from physics import ScenarioError, World
from physics.bodies.body import Body, Origin
from physics.bodies.gltf import GLTF, MAX_BYTES, Gltf, Primitive, beside_gltf
from physics.bodies.obj import obj_file
from physics.core.cancellation import check_wanted
from physics.core.errors import naming
from physics.core.input_checks import as_float, check_bytes, check_file, file_beside, is_number
from physics.core.rotation import Array
from physics.core.wording import N_

MAX_MTL_BYTES = 10_000_000
MAX_PIXELS = 8192 * 8192  # of a picture
DRAWN = 2048  # largest side of a picture on the stage [pixels]; a file that leaves has all of it
KINDS = {"PNG": "image/png", "JPEG": "image/jpeg"}  # formats of glTF by Pillow's names


class Picture(NamedTuple):
    """A picture of a material.

    data : the bytes of its file; kind : "image/png" or "image/jpeg"; sampler : as glTF says how it is laid on
    """

    data: bytes
    kind: str
    sampler: tuple[tuple[str, int], ...] = ()


class Material(NamedTuple):
    """A material.

    row : as in glTF, whose indices of textures count ``pictures``
    """

    row: dict[str, Any]
    pictures: tuple[Picture, ...] = ()

    @property
    def base(self) -> dict[str, Any]:
        """The table of colour, metal and roughness."""
        found = self.row.get("pbrMetallicRoughness", {})
        return found if isinstance(found, dict) else {}

    @property
    def colour(self) -> tuple[float, ...]:
        """Base colour (4,), proportional to light, 0 to 1."""
        return _share(self.base, "baseColorFactor", (1.0, 1.0, 1.0, 1.0))


class Piece(NamedTuple):
    """A surface of one material, in body axes.

    Attributes
    ----------
    part : name of the part of the file
    points, normals : (n, 3) [m]
    triangles : (m, 3) of numbers of points
    places : by names of glTF, (n, 2) on pictures from the upper left
    colours : (n, 4) 0 to 1, proportional to light; None: white
    material : None: none is named
    """

    part: str
    points: Array
    normals: Array
    triangles: np.ndarray
    places: dict[str, Array]
    colours: Array | None
    material: Material | None


class ModelLook(NamedTuple):
    """Look of a body as a file gives it; notes: what of it cannot be shown, a sentence each."""

    pieces: tuple[Piece, ...] = ()
    notes: tuple[str, ...] = ()


@lru_cache(maxsize=8)  # lanes share bodies
def look_of_body(body: Body) -> ModelLook:
    """The look of a body as its files give it; no pieces where these name no material or colour."""
    pieces, notes = list[Piece](), list[str]()
    for origin in body.origins:
        try:
            found = _read(origin.file, _when_written(origin.file), origin.nodes)
        except (OSError, ScenarioError) as error:
            why = error.message if isinstance(error, ScenarioError) else str(error)
            field = f"{error.field}: " if isinstance(error, ScenarioError) and error.field else ""
            text = N_("{name}: drawn without its materials: {field}{why}", origin.file.name, field, why)
            return ModelLook((), (text,))
        pieces += [_placed(piece, origin) for piece in found.pieces]
        notes += found.notes
    return ModelLook(tuple(pieces), tuple(notes))


def look_notes(world: World) -> tuple[str, ...]:
    """Sentences on what the looks of the bodies of a world leave out."""
    return tuple(dict.fromkeys(note for body in world.bodies for note in look_of_body(body).notes))


def _placed(piece: Piece, origin: Origin) -> Piece:
    """A piece in body axes."""
    turn, shift = origin.place[:, :3], origin.place[:, 3]
    normals = piece.normals @ np.linalg.inv(turn)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    return piece._replace(points=piece.points @ turn.T + shift, normals=normals)


def _when_written(path: Path) -> tuple[int, ...]:
    """Times at which a file and those that its look is in were written [ns]; 0 where one is missing."""
    files = [path, *(_beside_obj(path) if path.suffix.lower() == ".obj" else beside_gltf(path, pictures=True))]
    return tuple(file.stat().st_mtime_ns if os.path.isfile(file) else 0 for file in files)


@lru_cache(maxsize=4)
def _read(path: Path, written: tuple[int, ...], nodes: tuple[str, ...]) -> ModelLook:
    """The look in a file, in its own coordinates; written: when it and what it names were, in ns."""
    suffix = path.suffix.lower()
    if suffix not in (*GLTF, ".obj"):
        return ModelLook()
    with naming(path):
        data = path.read_bytes()
        pieces, notes = list[Piece](), list[str]()
        pieces += _of_gltf(Gltf(path, data), nodes, notes) if suffix in GLTF else _of_obj(path, data, nodes, notes)
    if all(piece.material is None and piece.colours is None for piece in pieces):
        return ModelLook()
    return ModelLook(tuple(pieces), tuple(N_("{name}: {note}", path.name, note) for note in dict.fromkeys(notes)))


# ---- pictures -----------------------------------------------------------------------------------------


def decoded(data: bytes) -> Image.Image:
    """A picture; ScenarioError where it is damaged or too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # pictures that claim a huge size
            picture = Image.open(io.BytesIO(data), formats=["PNG", "JPEG", "WEBP", "BMP", "TGA"])
            if picture.width * picture.height > MAX_PIXELS:
                raise ScenarioError("", N_("a picture of {size} x {size2} pixels is too large", *picture.size))
            picture.load()
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, Warning) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError("", N_("a picture is damaged, or is no PNG or JPEG")) from None
    return picture


def _picture(data: bytes, sampler: dict[str, Any]) -> Picture:
    """A picture as glTF takes it."""
    found = decoded(data)
    kind = KINDS.get(found.format or "")
    if kind is None:
        file = io.BytesIO()
        found.convert("RGBA" if "A" in found.getbands() else "RGB").save(file, "png")
        data, kind = file.getvalue(), "image/png"
    known = ("magFilter", "minFilter", "wrapS", "wrapT")
    given = tuple((key, sampler[key]) for key in known if isinstance(sampler.get(key), int))
    return Picture(data, kind, given)


@lru_cache(maxsize=16)  # lanes share pictures
def pixels(picture: Picture, *, opaque: bool, cut: float | None) -> NDArray[np.uint8]:
    """The picture (h, w, 3 or 4) as it is drawn, at most DRAWN wide and high.

    opaque : without its opacity; cut : opacity from which it is drawn, where it is drawn or not
    """
    image = decoded(picture.data)
    image.thumbnail((DRAWN, DRAWN))
    clear = not opaque and ("A" in image.getbands() or "transparency" in image.info)
    found = np.asarray(image.convert("RGBA" if clear else "RGB"))
    if clear and cut is not None:
        found = found.copy()
        found[..., 3] = np.where(found[..., 3] >= 255.0 * cut, 255, 0)
    return found


# ---- glTF ---------------------------------------------------------------------------------------------


def _of_gltf(file: Gltf, nodes: tuple[str, ...], notes: list[str]) -> Iterator[Piece]:
    """The pieces of the parts with some names, () of all."""
    materials = dict[int, Material]()
    for one in file.primitives:
        if not len(one.triangles) or (nodes and one.name not in nodes):
            continue
        check_wanted()
        number, material = one.row.get("material"), None
        if number is not None:
            row = file.row("materials", number, f"{one.field}.material")
            if number not in materials:
                materials[number] = _gltf_material(file, row, f"materials[{number}]", notes)
            material = materials[number]
        yield _gltf_piece(file, one, material)


def _gltf_piece(file: Gltf, one: Primitive, material: Material | None) -> Piece:
    attributes = one.row["attributes"]
    rows = dict[str, np.ndarray]()
    for name in ("NORMAL", "COLOR_0", *(f"TEXCOORD_{k}" for k in range(4))):
        if name in attributes:
            wide = (3,) if name == "NORMAL" else (3, 4) if name == "COLOR_0" else (2,)
            found = file.array(attributes[name], f"{one.field}.attributes.{name}", wide).astype(float)
            if len(found) != len(one.points) or not np.isfinite(found).all():
                text = N_("expected {count} rows of finite numbers", len(one.points))
                raise ScenarioError(f"{one.field}.attributes.{name}", text)
            rows[name] = found
    places = {name: found for name, found in rows.items() if name.startswith("TEXCOORD")}
    colours = rows.get("COLOR_0")
    if colours is not None and colours.shape[1] == 3:
        colours = np.column_stack([colours, np.ones(len(colours))])
    if "NORMAL" in rows:
        normals = rows["NORMAL"] @ np.linalg.pinv(one.place[:3, :3])
        return Piece(one.name, one.points, normals, one.triangles, places, colours, material)
    return _with_normals(Piece(one.name, one.points, one.points, one.triangles, places, colours, material))


def _with_normals(piece: Piece) -> Piece:
    """A piece with normals of its own, smooth where it bends little; its corners are points of their own there."""
    corners = piece.triangles.reshape(-1)
    triangles, normals = smoothed(piece.points, piece.triangles)
    columns = [triangles.reshape(-1, 3), normals.reshape(-1, 3), *(one[corners] for one in piece.places.values())]
    columns += [] if piece.colours is None else [piece.colours[corners]]
    kept, numbers = distinct(*(column.astype(np.float32) for column in columns))
    return piece._replace(
        points=columns[0][kept],
        normals=columns[1][kept],
        triangles=numbers.reshape(-1, 3),
        places={name: one[corners][kept] for name, one in piece.places.items()},
        colours=None if piece.colours is None else piece.colours[corners][kept],
    )


def _gltf_material(file: Gltf, row: dict[str, Any], field: str, notes: list[str]) -> Material:
    """A material with its pictures; those that cannot be read are left out, with a note."""
    pictures = list[Picture]()

    def taken(value: Any, place: str) -> Any:
        """A table of the material with the numbers of its own pictures."""
        if isinstance(value, list):
            return [taken(one, place) for one in value]
        if not isinstance(value, dict):
            return value
        found = {}
        for key, one in value.items():
            spot = f"{place}.{key}"
            if is_texture(key) and isinstance(one, dict):
                try:
                    pictures.append(_gltf_picture(file, one.get("index"), spot))
                except ScenarioError as error:
                    notes.append(N_("{field}: drawn without this picture: {why}", error.field or spot, error.message))
                    continue
                found[key] = taken(one, spot) | {"index": len(pictures) - 1}
            else:
                found[key] = taken(one, spot)
        return found

    made = taken(row, field)
    return Material(made, tuple(pictures))


def is_texture(key: str) -> bool:
    """True for the key of a table that says which picture is laid on, as glTF names all of them."""
    return key.lower().endswith("texture")


def _gltf_picture(file: Gltf, number: Any, field: str) -> Picture:
    texture = file.row("textures", number, f"{field}.index")
    source = texture.get("source")
    extensions = texture.get("extensions")
    if isinstance(extensions, dict) and isinstance(webp := extensions.get("EXT_texture_webp"), dict):
        source = webp.get("source", source)
    image, place = file.row("images", source, f"textures[{number}].source"), f"images[{source}]"
    if "uri" in image:
        data = file.outside(image["uri"], f"{place}.uri")
    else:
        data = file.view(image.get("bufferView"), f"{place}.bufferView")
    sampler = file.row("samplers", texture["sampler"], f"textures[{number}].sampler") if "sampler" in texture else {}
    try:
        return _picture(data, sampler)
    except ScenarioError as error:
        raise ScenarioError(place, error.message) from None


# ---- .obj and .mtl ------------------------------------------------------------------------------------


def _of_obj(path: Path, data: bytes, nodes: tuple[str, ...], notes: list[str]) -> Iterator[Piece]:
    """A piece for each object and material of an .obj."""
    file = obj_file(data, looks=True)
    materials = dict[str, Material]()
    for library in _libraries(path, file.libraries, notes):
        materials |= {name: _mtl_material(library, name, row, notes) for name, row in _mtl_rows(library, notes).items()}
    count = len(file.triangles)
    objects, surfaces = (
        np.repeat([name for name, _ in runs] or [""], [n for _, n in runs] or [count])
        for runs in (file.objects, file.materials)
    )
    for part, name in dict.fromkeys(zip(objects.tolist(), surfaces.tolist(), strict=True)):
        if nodes and part not in nodes:
            continue
        check_wanted()
        if name and name not in materials:
            notes.append(N_("the material '{name:.60}' is not described in a file of mtllib", name))
        yield _obj_piece(file, (objects == part) & (surfaces == name), part, materials.get(name))


def _obj_piece(file: Any, which: NDArray[np.bool_], part: str, material: Material | None) -> Piece:
    corners = file.triangles[which].reshape(-1)
    columns = [file.points[corners]]
    placed = file.places is not None and len(file.places[0])
    if placed:  # v counts upwards here
        at = file.places[1][which].reshape(-1)
        columns.append(np.where((at >= 0)[:, None], file.places[0][at] * (1.0, -1.0) + (0.0, 1.0), 0.0))
    normals = None
    if file.normals is not None and len(file.normals[0]):
        at = file.normals[1][which].reshape(-1)
        normals = file.normals[0][at] if (at >= 0).all() else None
    if normals is not None:
        columns.append(normals)
    kept, numbers = distinct(*(column.astype(np.float32) for column in columns))
    points, triangles = columns[0][kept], numbers.reshape(-1, 3)
    places = {"TEXCOORD_0": columns[1][kept]} if placed else {}
    if normals is not None:
        return Piece(part, points, normals[kept], triangles, places, None, material)
    return _with_normals(Piece(part, points, points, triangles, places, None, material))


def _beside_obj(path: Path) -> list[Path]:
    """The .mtl files of an .obj, and the pictures that these name."""
    found = list[Path]()
    lines = re.findall(rb"^[ \t]*mtllib[ \t]+([^\r\n]*)", path.read_bytes(), re.MULTILINE)
    names = [" ".join(line.decode("utf-8", errors="replace").split()) for line in lines]
    for library in _libraries(path, names, []):
        found.append(library)
        for row in _mtl_rows(library, []).values():
            if words := row.get("map_Kd"):
                with suppress(ScenarioError):
                    found.append(file_beside(library, _named(words), "map_Kd"))
    return found


def _libraries(path: Path, lines: Iterable[str], notes: list[str]) -> list[Path]:
    """The .mtl files that lines of an .obj name: several, or one whose name has spaces."""
    found = list[Path]()
    for line in lines:
        whole = line.replace("\\", "/")
        try:
            one = file_beside(path, whole, "mtllib")
            several = [file_beside(path, name, "mtllib") for name in whole.split()]
        except ScenarioError as error:
            notes.append(N_("drawn without its materials: {why}", error.message))
            continue
        found += [one] if os.path.exists(one) else several
    return found


def _mtl_rows(path: Path, notes: list[str]) -> dict[str, dict[str, list[str]]]:
    """The materials of an .mtl: words by keyword; a note where it cannot be read."""
    try:
        check_file(path, N_("materials"), ".mtl")
        check_bytes(path, N_("materials"), MAX_MTL_BYTES)
        text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ScenarioError) as error:
        why = (
            f"{path.name}: {error.message}"
            if isinstance(error, ScenarioError)
            else N_("{name:.60} cannot be read", path.name)
        )
        notes.append(N_("drawn without its materials: {why}", why))
        return {}
    rows = dict[str, dict[str, list[str]]]()
    for line in text.splitlines():
        keyword, *words = line.split() or [""]
        if keyword == "newmtl":
            rows[" ".join(words)] = now = dict[str, list[str]]()
        elif rows:
            now[keyword] = words
    return rows


def _mtl_material(path: Path, name: str, row: dict[str, list[str]], notes: list[str]) -> Material:
    """An .mtl's diffuse colour, picture, shine and opacity as a glTF material."""

    def numbers(key: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        try:
            found = tuple(float(word) for word in row.get(key, ())[: len(usual)])
        except ValueError:
            return usual
        return found if len(found) == len(usual) and all(map(math.isfinite, found)) else usual

    red, green, blue = (min(max(c, 0.0), 1.0) for c in numbers("Kd", (0.8, 0.8, 0.8)))
    opacity = min(max(1.0 - numbers("Tr", (0.0,))[0] if "Tr" in row else numbers("d", (1.0,))[0], 0.0), 1.0)
    shine = max(numbers("Ns", (10.0,))[0], 0.0)
    rough = numbers("Pr", (math.sqrt(2.0 / (shine + 2.0)),))[0]  # as the exponent of Blinn and Phong
    base: dict[str, Any] = {"metallicFactor": min(max(numbers("Pm", (0.0,))[0], 0.0), 1.0)}
    base["roughnessFactor"] = min(max(rough, 0.0), 1.0)
    pictures = list[Picture]()
    if words := row.get("map_Kd"):
        try:
            file = file_beside(path, _named(words), "map_Kd")
            check_file(file, N_("a picture"), ".png, .jpg", "map_Kd")
            check_bytes(file, N_("a picture"), MAX_BYTES)
            pictures.append(_picture(file.read_bytes(), {}))
            base["baseColorTexture"] = {"index": 0}
            if red == green == blue == 0.0:  # some programs write none beside a picture
                red = green = blue = 1.0
        except (OSError, ScenarioError) as error:
            why = error.message if isinstance(error, ScenarioError) else N_("{name:.60} cannot be read", _named(words))
            notes.append(N_("{field}: drawn without this picture: {why}", f"{path.name}: {name}: map_Kd", why))
    base["baseColorFactor"] = [*(to_light(np.array([red, green, blue])).round(6).tolist()), opacity]
    made = {"name": name, "pbrMetallicRoughness": base, "doubleSided": True}
    return Material(made | ({"alphaMode": "BLEND"} if opacity < 1.0 else {}), tuple(pictures))


def _named(words: list[str]) -> str:
    """The name of a picture after its options, such as ``-s 1 1 1``."""
    start = 0
    while start < len(words) and words[start].startswith("-"):
        start += 1
        while start < len(words) - 1 and (is_number(words[start]) or words[start] in ("on", "off")):
            start += 1
    return " ".join(words[start:]).replace("\\", "/")


# ---- colours ------------------------------------------------------------------------------------------


def to_light(colours: Array) -> Array:
    """Colours of 0 to 1 as screens have them (IEC 61966-2-1), proportional to light."""
    return np.asarray(np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4))


def to_screen(light: Array) -> Array:
    """Colours of 0 to 1 that are proportional to light, as screens have them."""
    light = np.clip(light, 0.0, 1.0)
    return np.asarray(np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))


def _share(row: dict[str, Any], key: str, usual: tuple[float, ...]) -> tuple[float, ...]:
    """Numbers of 0 to 1 of a table."""
    found = row.get(key, usual)
    numbers = [as_float(one) for one in (found if isinstance(found, list | tuple) else [found])]
    if len(numbers) != len(usual) or not all(map(math.isfinite, numbers)):
        return usual
    return tuple(min(max(x, 0.0), 1.0) for x in numbers)


def share(row: dict[str, Any], key: str, usual: float) -> float:
    """A number of 0 to 1 of a table."""
    return _share(row, key, (usual,))[0]
