"""Binary glTF 2.0 (.glb): the model with its motion in one file that Blender, browsers and viewers read."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.document.look import Look
from app.document.recipe import recipe, title
from app.export.model_parts import Actor, Arrow, Curve, Light, Mesh, Model, Part, SpinMark, TrueBody, joined, tube
from app.playback.clock import decimals
from app.playback.verdicts import name_of
from app.stage.bodies.model_look import Material, Picture, Piece, is_texture, to_light
from app.stage.bodies.true_motion import Tip
from app.stage.camera.rig import ANGLE, HALF
from app.stage.ground.scene import middle
from app.stage.text.caption_text import source
from app.system.own_words import note_of
from app.theme import THEMES, legible
from physics.core.rotation import Array, from_matrix
from physics.io.trajectory_writers import polhode_version

_FLOAT, _SHORT, _INT = 5126, 5123, 5125  # OpenGL's names of numbers
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_UPRIGHT = [-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]  # our z axis is glTF's y axis
BROAD = 1.6  # times as wide as high are pictures that the camera is for, with some room
FINE = 1.0 / 512.0  # share of the body's radius to which positions are rounded in a page
PACKED, EXACT = 2.0**-17, 2.0**-24  # steps of quaternions in a page; steps of all numbers in a file that leaves
NOTHING = 1e-6  # the scale of hidden nodes: some programs reject 0
APART = 3.2  # distance between lanes that stand side by side, in radii of the body


def glb(model: Model, *, tubes: bool = False) -> bytes:
    """The model as the bytes of a .glb file; tubes: trails are solid, as renderers draw no lines."""
    return _Writer(model, tubes=tubes).file()


class _Writer:
    """The tables of a glTF document, and the one buffer that they refer to."""

    def __init__(self, model: Model, *, tubes: bool) -> None:
        self._model, self._data, self._tubes = model, bytearray(), tubes
        # what leaves holds the motion as it is; a page rounds it, so that it packs well
        self._fine, self._turn = (EXACT, EXACT) if tubes else (FINE, PACKED)
        self._dressed: dict[int, int] = {}  # numbers of the materials of files, by their identities
        self._extensions = {"KHR_materials_unlit", "KHR_lights_punctual"}
        self._tables: dict[str, list[Any]] = {
            name: []
            for name in (
                *("accessors", "bufferViews", "meshes", "nodes", "materials"),
                *("textures", "images", "samplers", "cameras"),
            )
        }
        self._views: dict[bytes, int] = {}
        self._channels: list[Any] = []
        self._samplers: list[Any] = []
        solid = self._add("materials", {"name": "solid", "pbrMetallicRoughness": _matt(0.75), "doubleSided": True})
        self._below = [self._ground(mesh) for mesh in model.ground]  # numbers of meshes
        lanes = [self._lane(actor, number, solid) for number, actor in enumerate(model.actors)]
        children = [lane["node"] for lane in lanes] + self._ground_nodes(common=True)
        children += [self._camera(), *(self._light(n) for n, one in enumerate(model.lights) if not one.fixed)]
        self._root = self._add("nodes", {"name": "world", "rotation": _UPRIGHT, "children": children})
        self._about = self._facts(lanes)

    def file(self) -> bytes:
        """Header, JSON and buffer."""
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"Polhode {polhode_version()}", "extras": self._about},
            "scene": 0,
            "scenes": [{"name": title(self._model.world.scenario), "nodes": [self._root]}],
            "animations": [{"name": "motion", "channels": self._channels, "samplers": self._samplers}],
            "buffers": [{"byteLength": len(self._data)}],
            "extensionsUsed": sorted(self._extensions),
            "extensions": {"KHR_lights_punctual": {"lights": [_lamp(one) for one in self._model.lights]}},
            **{name: table for name, table in self._tables.items() if table},
        }
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        body = b"".join(
            len(part).to_bytes(4, "little") + name + part for name, part in ((b"JSON", text), (b"BIN\0", self._data))
        )
        return b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body

    # ---- what is in the scene --------------------------------------------------------------------------

    @property
    def _apart(self) -> float:
        """Distance of lanes from one another [m]; 0: all in one place."""
        world = self._model.world
        alone = world.terrain is not None or Look.of(world.scenario).layout == "overlay"
        return 0.0 if alone else APART * self._model.radius

    @property
    def _right(self) -> Array:
        """Direction (3,) to the right in the camera's picture, in which lanes stand side by side."""
        across = np.cross([0.0, 0.0, 1.0], self._model.eye - self._model.focus)
        return np.asarray(across / np.linalg.norm(across))

    def _ground_nodes(self, *, common: bool) -> list[int]:
        """Ground below all lanes, or below each: a table that would reach below the next one is widened to one."""
        nodes, aside = [], 0.5 * self._apart * (len(self._model.actors) - 1)
        for number, mesh in zip(self._below, self._model.ground, strict=True):
            half = 0.5 * float(np.ptp(mesh.points[:, 0]))
            table = self._model.floor is not None and mesh.faces.shape[1] == 3 and 2.0 * half > self._apart
            if common == (table or not self._apart):
                wider = 1.0 + aside / half
                place = {"translation": (aside * self._right).tolist(), "scale": [wider, wider, 1.0]} if aside else {}
                nodes.append(self._add("nodes", {"name": "ground", "mesh": number} | (place if common else {})))
        return nodes

    def _camera(self) -> int:
        """A camera that sees the whole motion, and the lights that go with it."""
        lens = {"yfov": math.radians(ANGLE), "znear": 0.01 * self._model.radius}
        held = [self._light(n) for n, one in enumerate(self._model.lights) if one.fixed]
        eye, focus = self._sight()
        node = {"name": "camera", "camera": self._add("cameras", {"type": "perspective", "perspective": lens})}
        node |= {"translation": eye.tolist(), "rotation": _turned(eye - focus)}
        return self._add("nodes", node | ({"children": held} if held else {}))

    def _sight(self) -> tuple[Array, Array]:
        """Place from which the camera sees all lanes in a broad picture, and the point that it looks at."""
        eye, focus = self._model.eye, self._model.focus
        aside = 0.5 * self._apart * (len(self._model.actors) - 1)
        seen = HALF * float(np.linalg.norm(eye - focus))
        further = max(1.0, (seen + aside) / (BROAD * seen))
        middle = focus + aside * self._right
        return middle + further * (eye - focus), middle

    def _light(self, number: int) -> int:
        """A light in its place: it shines along its node's -z."""
        node = {"name": "light", "rotation": _turned(self._model.lights[number].way)}
        return self._add("nodes", node | {"extensions": {"KHR_lights_punctual": {"light": number}}})

    def _lane(self, actor: Actor, number: int, solid: int) -> dict[str, Any]:
        name = f"{actor.scheme.letter} {actor.scheme.title}"
        polish = min(1.0, 0.95 - 0.5 * actor.shine[1])  # of 0.04 to 0.8, what the stage reflects
        own = {"name": f"{name}, {actor.name}", "pbrMetallicRoughness": _matt(polish), "doubleSided": True}
        mesh, body = self._body(actor, name, own)
        time = self._accessor(actor.times[:, None], limits=True)
        actor = replace(actor, positions=_to_a_step(actor.positions, self._fine * self._model.radius))
        positions = self._animate(body, time, "translation", actor.positions)
        rotations = self._animate(body, time, "rotation", _to_a_step(actor.orientations[:, [1, 2, 3, 0]], self._turn))
        drawn = (*actor.arrows, *(actor.tracers if self._tubes else ()))
        arrows = [self._arrow(arrow, actor, name, time, solid) for arrow in drawn]
        parts = [self._part(part, actor, name, time) for part in actor.parts]
        line = self._add("materials", _unlit(f"{name}, curve", actor.scheme.colour))
        spins = [] if actor.spin is None else [self._spin(actor.spin, actor, name, time, line)]
        true_bodies = () if actor.truth is None else (actor.truth, *actor.true_others)
        truths = [self._truth(one, actor, name, time, solid) for one in true_bodies]
        curves = [self._curve(curve, line) for curve in actor.curves]
        meshes = [self._add("meshes", {"primitives": [curve["drawn"]]}) for curve in curves]
        nodes = [self._add("nodes", {"name": f"{name}, curve", "mesh": number}) for number in meshes]
        below = self._ground_nodes(common=False)
        children = [body, *nodes, *below, *(arrow["node"] for arrow in (*arrows, *parts, *spins, *truths))]
        node = {"name": name, "translation": (self._apart * number * self._right).tolist(), "children": children}
        facts = {"mesh": mesh, "times": time, "curves": [curve["facts"] for curve in curves]}
        facts |= {"spin": spins[0]["facts"] if spins else None, "truth": truths[0]["facts"] if truths else None}
        facts |= {"true_others": [one["facts"] for one in truths[1:]]}
        facts |= {"positions": positions, "rotations": rotations, "arrows": [arrow["facts"] for arrow in arrows]}
        facts |= {"parts": [part["facts"] for part in parts]}
        facts |= {"shine": actor.shine} | _words(actor)
        if not self._tubes:
            facts |= {"numbers": actor.numbers, "tips": [_tip(tip) for tip in actor.tips], "inks": _inks(actor)}
        return {"node": self._add("nodes", node), "facts": facts}

    def _body(self, actor: Actor, name: str, own: dict[str, Any]) -> tuple[int, int]:
        """The mesh and the node of a body; in a file that leaves with a node for each part, its axle and its axes."""
        if not self._tubes:
            whole = actor.mesh if actor.axes is None else joined(actor.mesh, actor.axes)
            drawn = self._primitive(whole, self._add("materials", own))
            mesh = self._add("meshes", {"name": name, "primitives": [drawn]})
            return mesh, self._add("nodes", {"name": f"{name}, {actor.name}", "mesh": mesh})
        parts = dict[str, list[dict[str, Any]]]()
        for piece in actor.skin:
            parts.setdefault(piece.part, []).append(self._piece(piece))
        plain = {"solid": None if parts else actor.mesh, "axle": actor.axle, "axes": actor.axes}
        for part, solid in plain.items():
            if solid is not None:
                parts[f"{name}, {part}"] = [self._primitive(solid, self._once("materials", own))]
        meshes = [self._add("meshes", {"name": part, "primitives": drawn}) for part, drawn in parts.items()]
        nodes = [self._add("nodes", {"name": part, "mesh": mesh}) for part, mesh in zip(parts, meshes, strict=True)]
        return meshes[0], self._add("nodes", {"name": f"{name}, {actor.name}", "children": nodes})

    def _piece(self, piece: Piece) -> dict[str, Any]:
        """A surface with the material of the body's file."""
        attributes = {"POSITION": self._accessor(piece.points, limits=True), "NORMAL": self._accessor(piece.normals)}
        attributes |= {name: self._accessor(places) for name, places in piece.places.items()}
        if piece.colours is not None:
            attributes["COLOR_0"] = self._accessor(np.clip(np.round(65535.0 * piece.colours), 0, 65535), _SHORT)
        row = {"attributes": attributes, "indices": self._accessor(piece.triangles.reshape(-1, 1), _INT)}
        return row if piece.material is None else row | {"material": self._material(piece.material)}

    def _material(self, material: Material) -> int:
        """A material of a file as it came, with its pictures."""
        if (known := self._dressed.get(id(material))) is not None:
            return known
        numbers = [self._laid(picture) for picture in material.pictures]
        row = self._numbered(material.row, numbers)
        self._dressed[id(material)] = self._add("materials", row)
        return self._dressed[id(material)]

    def _numbered(self, value: Any, numbers: list[int]) -> Any:
        """A table of a material with the numbers that its textures have in this file."""
        if isinstance(value, list):
            return [self._numbered(one, numbers) for one in value]
        if not isinstance(value, dict):
            return value
        found = {key: self._numbered(one, numbers) for key, one in value.items()}
        for key, one in found.items():
            if is_texture(key) and isinstance(one, dict):
                one["index"] = numbers[one["index"]]
            if key == "extensions" and isinstance(one, dict):
                self._extensions |= set(one)
        return found

    def _laid(self, picture: Picture) -> int:
        """A texture of a picture of a file."""
        row = {"bufferView": self._view(picture.data), "mimeType": picture.kind}
        texture = {"source": self._once("images", row)}
        if picture.sampler:
            texture["sampler"] = self._once("samplers", dict(picture.sampler))
        return self._once("textures", texture)

    def _once(self, table: str, row: Any) -> int:
        """The number of a row, which is there once."""
        return self._tables[table].index(row) if row in self._tables[table] else self._add(table, row)

    def _arrow(self, arrow: Arrow, actor: Actor, name: str, time: int, solid: int) -> dict[str, Any]:
        title = f"{name}, {arrow.name}"
        mesh = self._add("meshes", {"name": title, "primitives": [self._primitive(arrow.mesh, solid)]})
        node = self._add("nodes", {"name": title, "mesh": mesh})
        facts = {"ink": arrow.ink, "mesh": mesh}
        turns = _to_a_step(arrow.orientations[:, [1, 2, 3, 0]], self._turn)
        facts |= {"rotations": self._animate(node, time, "rotation", turns)}
        scales = np.repeat(_to_a_step(arrow.scales, self._turn)[:, None], 3, axis=1)
        facts["scales"] = self._animate(node, time, "scale", scales)
        if arrow.feet is not None:
            facts["feet"] = self._animate(node, time, "translation", arrow.feet)
        elif self._model.world.arm is None:
            self._animate(node, time, "translation", actor.positions)
        return {"node": node, "facts": facts}

    def _part(self, part: Part, actor: Actor, name: str, time: int) -> dict[str, Any]:
        """A part of an overlay, which goes with a body."""
        mesh = self._ground(part.mesh) if part.mesh.normals is None else self._glass(part, name)
        node = self._add("nodes", {"name": f"{name}, construction", "mesh": mesh})
        self._animate(node, time, "translation", actor.positions)
        if part.turning:
            self._animate(node, time, "rotation", actor.orientations[:, [1, 2, 3, 0]])
        facts = {"mesh": mesh, "turning": part.turning, "ink": part.ink, "opacity": part.opacity}
        return {"node": node, "facts": facts}

    def _glass(self, part: Part, name: str) -> int:
        """A solid that one sees through."""
        look = _matt(0.75) | {"baseColorFactor": [1.0, 1.0, 1.0, part.opacity]}
        material = {"name": name, "pbrMetallicRoughness": look, "alphaMode": "BLEND", "doubleSided": True}
        return self._add("meshes", {"primitives": [self._primitive(part.mesh, self._add("materials", material))]})

    def _spin(self, spin: SpinMark, actor: Actor, name: str, time: int, material: int) -> dict[str, Any]:
        """Arrows below a body; hidden ones have a size of NOTHING."""
        drawn = {"indices": self._accessor(spin.faces.reshape(-1, 1), _INT), "material": material}
        places = [{"POSITION": self._accessor(points, limits=True)} for points in spin.points]
        meshes = [self._add("meshes", {"primitives": [drawn | {"attributes": place}]}) for place in places]
        arrows = [
            self._shown(spin.seen == number, actor.times, {"name": f"{name}, spin {number}", "mesh": mesh})
            for number, mesh in enumerate(meshes)
        ]
        node = self._add("nodes", {"name": f"{name}, spin"} | ({"children": arrows} if arrows else {}))
        self._animate(node, time, "translation", actor.positions * (1.0, 1.0, 0.0))
        return {"node": node, "facts": {"meshes": meshes, "seen": self._accessor(spin.seen[:, None])}}

    def _truth(self, truth: TrueBody, actor: Actor, name: str, time: int, solid: int) -> dict[str, Any]:
        mesh = self._add("meshes", {"primitives": [self._primitive(truth.mesh, solid)]})
        node = self._shown(truth.seen, actor.times, {"name": f"{name}, true motion", "mesh": mesh})
        positions = self._animate(node, time, "translation", truth.positions)
        rotations = self._animate(node, time, "rotation", truth.orientations[:, [1, 2, 3, 0]])
        facts = {"mesh": mesh, "positions": positions, "rotations": rotations}
        facts |= {"degrees": self._accessor(truth.degrees[:, None])}
        facts |= {"seen": self._accessor(truth.seen[:, None])}
        return {"node": node, "facts": facts}

    def _shown(self, seen: NDArray[np.bool_], times: Array, row: dict[str, Any]) -> int:
        """A node that is visible at some of the times (n,) [s] only."""
        sizes = np.where(seen, 1.0, NOTHING)
        changes = np.flatnonzero(np.diff(sizes, prepend=-1.0))
        node = self._add("nodes", row | {"scale": [sizes[0]] * 3})
        at = self._accessor(times[changes][:, None], limits=True)
        self._animate(node, at, "scale", np.repeat(sizes[changes][:, None], 3, axis=1), "STEP")
        return node

    def _curve(self, curve: Curve, material: int) -> dict[str, Any]:
        points = self._accessor(curve.points, limits=True)
        if self._tubes:
            drawn = self._primitive(tube(curve, self._model.radius), material)
        else:
            drawn = {"attributes": {"POSITION": points}, "mode": 3, "material": material}
        memory = None if math.isinf(curve.memory) else curve.memory
        facts = {"points": points, "memory": memory, "around": curve.around, "turning": curve.turning}
        return {"drawn": drawn, "facts": facts}

    def _ground(self, mesh: Mesh) -> int:
        if mesh.normals is not None:
            drawn = self._primitive(
                mesh, self._add("materials", {"name": "mounts", "pbrMetallicRoughness": _matt(0.75)})
            )
            return self._add("meshes", {"primitives": [drawn]})
        material = _unlit("ground", "#ffffff")
        if mesh.picture is not None:
            material["pbrMetallicRoughness"]["baseColorTexture"] = {"index": self._texture(mesh.picture)}
        opacity = mesh.picture if mesh.colours is None else mesh.colours
        if opacity is not None and opacity.shape[-1] == 4 and opacity[..., 3].min() < 255:
            material["alphaMode"] = "BLEND"
        drawn = self._primitive(mesh, self._add("materials", material))
        return self._add("meshes", {"primitives": [drawn]})

    def _primitive(self, mesh: Mesh, material: int) -> dict[str, Any]:
        attributes = {"POSITION": self._accessor(mesh.points, limits=True)}
        if mesh.normals is not None:
            normals = mesh.normals / np.maximum(np.linalg.norm(mesh.normals, axis=1, keepdims=True), 1e-12)
            attributes["NORMAL"] = self._accessor(normals)
        if mesh.colours is not None:
            attributes["COLOR_0"] = self._accessor(_linear(mesh.colours), _SHORT)
        if mesh.places is not None:
            attributes["TEXCOORD_0"] = self._accessor(mesh.places)
        indices = self._accessor(mesh.faces.reshape(-1, 1), _INT)
        lines = {"mode": 1} if mesh.faces.shape[1] == 2 else {}
        return {"attributes": attributes, "indices": indices, "material": material} | lines

    def _animate(self, node: int, time: int, path: str, values: Array, between: str = "LINEAR") -> int:
        """Move a node; the number of the table of values."""
        output = self._accessor(values)
        self._samplers.append({"input": time, "output": output, "interpolation": between})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})
        return output

    def _facts(self, lanes: list[dict[str, Any]]) -> dict[str, Any]:
        """Facts that a page needs to draw the model; and the recipe."""
        model = self._model
        scenario = model.world.scenario
        look = Look.of(scenario)
        heights = list(zip(model.heights[0], model.heights[1].tolist(), strict=True))
        shown = {
            "said": model.said,
            "signs": model.signs,
            "charts": model.charts,
            "grid": model.grid,
            "heights": heights,
        }
        return ({} if self._tubes else shown | {"nearRocks": model.near_rocks}) | {
            "recipe": recipe(scenario),
            "title": title(scenario),
            "note": note_of(scenario),
            "kind": scenario.kind,
            "attached": model.world.arm is not None,
            "overlay": look.layout == "overlay",
            "follow": look.camera == "follow",
            "theme": scenario.export.theme,
            "speed": scenario.export.speed,
            "end": model.end,
            "decimals": decimals(model.end),
            "radius": model.radius,
            "origin": [0.0] * 3 if model.world.terrain is None else middle(model.world.terrain).tolist(),
            "eye": model.eye.tolist(),
            "focus": model.focus.tolist(),
            "near": [place.tolist() for place in model.near],
            "lights": [{"way": one.way.tolist(), "ink": one.ink.tolist(), "fixed": one.fixed} for one in model.lights],
            "floor": model.floor,
            "bored": model.bored,
            "spread": np.cov(model.world.body.vertices.T, bias=True).tolist(),
            "ground": self._below,
            "lanes": [lane["facts"] for lane in lanes],
        }

    # ---- tables ----------------------------------------------------------------------------------------

    def _add(self, table: str, row: Any) -> int:
        self._tables[table].append(row)
        return len(self._tables[table]) - 1

    def _accessor(self, values: np.ndarray, kind: int = _FLOAT, *, limits: bool = False) -> int:
        """Rows of numbers in the buffer."""
        data = np.ascontiguousarray(values, {_FLOAT: "<f4", _SHORT: "<u2", _INT: "<u4"}[kind])
        row: dict[str, Any] = {"bufferView": self._view(data.tobytes()), "componentType": kind}
        row |= {"count": len(data), "type": _KINDS[data.shape[1]]}
        if kind == _SHORT:
            row["normalized"] = True
        if limits:
            row |= {"min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist()}
        return self._add("accessors", row)

    def _view(self, data: bytes) -> int:
        """Bytes in the buffer; the same ones are there once."""
        if (known := self._views.get(data)) is not None:
            return known
        start = len(self._data)
        self._data += data + b"\0" * (-len(data) % 4)
        view = {"buffer": 0, "byteOffset": start, "byteLength": len(data)}
        self._views[data] = self._add("bufferViews", view)
        return self._views[data]

    def _texture(self, picture: np.ndarray) -> int:
        file, kind = io.BytesIO(), "jpeg" if picture.shape[2] == 3 else "png"
        Image.fromarray(np.ascontiguousarray(picture)).save(file, kind, quality=80)
        image = {"bufferView": self._view(file.getvalue()), "mimeType": f"image/{kind}"}
        return self._add("textures", {"source": self._add("images", image)})


def _to_a_step(values: Array, largest: float) -> Array:
    """Values rounded to the power of two at or below a step."""
    step = 2.0 ** math.floor(math.log2(largest))
    return np.asarray(np.round(values / step) * step)


def _tip(tip: Tip) -> dict[str, Any]:
    about = None if tip.about is None else tip.about.tolist()
    return {"body": tip.body, "hub": tip.hub.tolist(), "arm": tip.arm.tolist(), "hand": tip.hand, "about": about}


def _words(actor: Actor) -> dict[str, Any]:
    scheme = actor.scheme
    words = {
        "letter": scheme.letter,
        "title": scheme.title,
        "name": name_of(scheme),
        "source": source(scheme),
        "colour": scheme.colour,
    }
    words["dash"] = scheme.dash
    return words | {"verdict": actor.verdict}


def _inks(actor: Actor) -> dict[str, list[str]]:
    """Colours of a lane's curve and of its numbers in charts, by the names of themes."""
    colour = actor.scheme.colour
    return {name: [legible(colour, theme), legible(colour, theme, ratio=4.5)] for name, theme in THEMES.items()}


def _lamp(light: Light) -> dict[str, Any]:
    """A light in glTF: in lux, of which a white surface reflects 1/pi."""
    strength = float(light.ink.max())
    ink = _linear(np.array([[*(255.0 * light.ink / strength), 255.0]]))[0, :3] / 65535.0
    return {"type": "directional", "color": ink.round(5).tolist(), "intensity": round(math.pi * strength, 5)}


def _turned(back: Array) -> list[float]:
    """The quaternion, scalar last, of a camera that looks away from a direction (3,), with z up in its picture."""
    z = back / np.linalg.norm(back)
    aside = np.cross([0.0, 0.0, 1.0], z)
    x = aside / np.linalg.norm(aside) if np.linalg.norm(aside) > 1e-9 else np.array([1.0, 0.0, 0.0])
    w, *vector = from_matrix(np.column_stack([x, np.cross(z, x), z])).tolist()
    return [*vector, w]


def _matt(roughness: float) -> dict[str, Any]:
    return {"metallicFactor": 0.0, "roughnessFactor": roughness}


def _unlit(name: str, colour: str) -> dict[str, Any]:
    parts = np.array([[*bytes.fromhex(colour[1:]), 255]])
    look = _matt(1.0) | {"baseColorFactor": (_linear(parts)[0] / 65535.0).round(5).tolist()}
    return {"name": name, "pbrMetallicRoughness": look, "extensions": {"KHR_materials_unlit": {}}, "doubleSided": True}


def _linear(colours: np.ndarray) -> Array:
    """Colours (n, 4) of 0 to 255 in glTF: proportional to light, 0 to 65535."""
    c = np.asarray(colours, float) / 255.0
    light = to_light(c)
    light[:, 3] = c[:, 3]
    return np.round(65535.0 * light)
