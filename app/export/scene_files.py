"""A run as a scene that moves and can be turned: a .glb model, or one page (.html) that needs no network."""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import math
import re
import string
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import numpy as np

import assets
from app.document.export_kinds import SCENE, endings
from app.document.recipe import recipe, title
from app.export.gltf import glb
from app.export.offscreen_stage import check_extent
from app.export.scene_model import model_of
from app.export.scene_words import labels
from app.kinds import kind_of
from app.playback.run import Lane
from app.playback.verdicts import MARKS
from app.stage.bodies.true_motion import CLEAR, DOT, TURNED, WIDTHS
from app.stage.text.cards import HALF
from app.stage.theme_colours import look_of
from app.system.language import used
from app.theme import FONTS, THEMES, Theme, mark_colours
from physics import World
from physics.core.separation import NEAR
from physics.io.trajectory_writers import check_output, replacing

ENDINGS = endings(SCENE)
WEB = Path(assets.__file__).parent / "web"
SCRIPTS = ("algebra.js", "model.js", "drawing.js", "charts.js", "viewer.js")
SIGNS = "".join(MARKS.values()) + "°"  # signs of the captions' numbers
SIZES = {5126: 4, 5123: 2, 5125: 4}  # bytes of OpenGL's numbers, as a .glb names them
WEIGHTS = {400: "Regular", 600: "SemiBold"}


def font_rules(text: str) -> str:
    """Style rules with the typeface's letters for a text and for ASCII."""
    return _font_rules("".join(sorted({*text, *string.printable})))


@lru_cache(maxsize=4)  # it takes half a second, and most pages of a folder need the same letters
def _font_rules(letters: str) -> str:
    from fontTools import subset
    from fontTools.ttLib import TTFont

    made = []
    for weight, name in WEIGHTS.items():
        options = subset.Options(flavor="woff", layout_features=["kern", "tnum"], hinting=False)
        cutter = subset.Subsetter(options)
        cutter.populate(text=letters)
        file = io.BytesIO()
        with TTFont(FONTS[name], recalcTimestamp=False, lazy=True) as font:  # the same letters, the same bytes
            cutter.subset(font)
            font.flavor = "woff"
            font.save(file)
        source = f"url(data:font/woff;base64,{base64.b64encode(file.getvalue()).decode()})"
        made.append(f'@font-face {{ font-family: Inter; font-weight: {weight}; src: {source} format("woff"); }}')
    return "\n".join(made)


def write_scene(world: World, lanes: Sequence[Lane], path: str | Path) -> None:
    """Write the run to a .glb (glTF 2.0) or to an .html page that plays it in any current browser.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    check_extent(world, lanes)
    model, alone = model_of(world, lanes), path.suffix.lower() == ".glb"
    with replacing(path) as part:
        part.write_bytes(glb(model, tubes=True) if alone else page(world, glb(model)).encode())


def write_blender_script(model: str | Path) -> None:
    """Write a .py beside a .glb, which renders it in Blender's Cycles."""
    with replacing(Path(model).with_suffix(".py")) as part:
        part.write_bytes((WEB / "blender.py").read_bytes())


def _over(theme: Theme) -> dict[str, str]:
    """Colours of the stage, and of what lies over it, under the theme of its sky."""
    look = look_of(theme)
    off = mark_colours("off", look.panel, look.ink, look.dim)[1]
    marks = {"off": off, "alarm": look.alarm, "normal": look.axes[1], "slip": look.axes[2], "sticks": look.sticks}
    marks["half"] = f"{HALF / 255.0:.0%}"
    over = {"stage_top": look.sky, "stage_bottom": look.horizon, "overlay": look.panel, "overlay_text": look.ink}
    return {"omega": look.omega, "ink": look.ink, "dim": look.dim, "shadow": f"{look.shadow:g}"} | marks | over


def _words(model: bytes) -> str:
    """All that the head of a .glb says, for the letters in it."""
    return model[20 : 20 + int.from_bytes(model[12:16], "little")].decode()


def folded(model: bytes) -> bytes:
    """A .glb whose tables of numbers hold the differences of rows, in planes of bytes: so they pack to half."""
    found, start = bytearray(model), 28 + int.from_bytes(model[12:16], "little")
    document = json.loads(_words(model))
    for row in {one["bufferView"]: one for one in document["accessors"]}.values():
        view = document["bufferViews"][row["bufferView"]]
        here = slice(start + view["byteOffset"], start + view["byteOffset"] + view["byteLength"])
        size = SIZES[row["componentType"]]
        rows = np.frombuffer(model[here], f"<u{size}").reshape(row["count"], -1)
        steps = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1]))
        found[here] = steps.view(np.uint8).reshape(-1, size).T.tobytes()
    return bytes(found)


def page(world: World, model: bytes) -> str:
    """The page: the viewer's text, style and scripts with the model inside."""
    kind, words = kind_of(world.scenario).scene(), labels()
    about = {
        "recipe": recipe(world.scenario),
        "words": words,
        "clear": CLEAR,
        "arcs": {"least": math.radians(TURNED), "near": math.radians(NEAR), "dot": DOT, "widths": WIDTHS},
        "themes": {name: asdict(theme) | _over(kind.theme(theme, world)) for name, theme in THEMES.items()},
    }
    text = (WEB / "viewer.html").read_text(encoding="utf-8")
    scripts = "\n".join((WEB / name).read_text(encoding="utf-8") for name in SCRIPTS)
    style = font_rules(json.dumps(about, ensure_ascii=False) + SIGNS + _words(model)) + (WEB / "viewer.css").read_text(
        encoding="utf-8"
    )
    parts = {f"{{{{{name}}}}}": html.escape(word, quote=True) for name, word in words.items()} | {
        "{{language}}": used(),
        "{{title}}": html.escape(title(world.scenario)),
        "{{style}}": style,
        "{{about}}": json.dumps(about, ensure_ascii=False).replace("<", "\\u003c"),
        "{{scripts}}": scripts,
        "{{model}}": base64.b64encode(gzip.compress(folded(model), mtime=0)).decode(),
    }
    # in one pass: a title may hold text that looks like a place for a part
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], text)
