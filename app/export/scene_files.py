"""A run as a scene that moves and can be turned: a .glb model, or one page (.html) that needs no network."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import assets
from app.document.recipe import recipe, title
from app.export.gltf import glb
from app.export.offscreen_stage import check_extent
from app.export.page_font import rules
from app.export.scene_model import model_of
from app.playback.run import Lane
from app.stage.theme_colours import StageColours, look_of
from app.theme import THEMES
from physics import World
from physics.io.trajectory_writers import check_output, replacing

ENDINGS = (".html", ".glb")
WEB = Path(assets.__file__).parent / "web"
SCRIPTS = ("algebra.js", "model.js", "drawing.js", "viewer.js")


def write_scene(world: World, lanes: Sequence[Lane], path: str | Path) -> None:
    """Write the run to a .glb (glTF 2.0) or to an .html page that plays it in any browser of today.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    check_extent(world, lanes)
    model, alone = model_of(world, lanes), path.suffix.lower() == ".glb"
    with replacing(path) as part:
        part.write_bytes(glb(model, tubes=True) if alone else page(world, glb(model)).encode())


def _inks(look: StageColours) -> dict[str, str]:
    return {"omega": look.omega, "ink": look.ink, "shadow": f"{look.shadow:g}"}


def page(world: World, model: bytes) -> str:
    """The page: the viewer's text, style and scripts with the model inside."""
    about = {
        "recipe": recipe(world.scenario),
        "themes": {name: asdict(theme) | _inks(look_of(theme)) for name, theme in THEMES.items()},
    }
    text = (WEB / "viewer.html").read_text(encoding="utf-8")
    scripts = "\n".join((WEB / name).read_text(encoding="utf-8") for name in SCRIPTS)
    parts = {
        "{{title}}": html.escape(title(world.scenario)),
        "{{style}}": rules(json.dumps(about, ensure_ascii=False)) + (WEB / "viewer.css").read_text(encoding="utf-8"),
        "{{about}}": json.dumps(about, ensure_ascii=False).replace("<", "\\u003c"),
        "{{scripts}}": scripts,
        "{{model}}": base64.b64encode(model).decode(),
    }
    # in one go: a title, too, may hold what looks like a place for a part
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], text)
