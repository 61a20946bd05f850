"""Shapes of bodies: a row each, from which schema, panel, command line and tables of blocks take theirs.

A shape becomes a solid in ``physics.systems.scenario_body``, on a table in ``physics.systems.toys.world``.
"""

from __future__ import annotations

from typing import NamedTuple


class BodyShape(NamedTuple):
    """Shape of a body, and which keys of its table act.

    Attributes
    ----------
    keys : of its table that mean something for it, beside those of all shapes
    needs : keys that it cannot do without
    title : for people, where it is not its name
    solid : bodies of most kinds can have it
    rock : rocks can have it
    block : rows of a table of blocks can have it
    smooth : it has a smooth surface, on which a body rolls on a table
    """

    keys: tuple[str, ...]
    needs: tuple[str, ...] = ("size",)
    title: str = ""
    solid: bool = True
    rock: bool = True
    block: bool = True
    smooth: bool = False


_FILE = ("file", "scale", "up", "nodes")
_ON_TABLE = ("offset", "axes")

BODY_SHAPES = {
    "cuboid": BodyShape(("size", "shell")),
    "ellipsoid": BodyShape(("size", "shell", *_ON_TABLE), smooth=True),
    "cylinder": BodyShape(("size", "shell", "rim", *_ON_TABLE), smooth=True),
    "eota": BodyShape(("size", "shell"), title="EOTA block"),
    "random": BodyShape(("size", "shell", "seed", "points", "angularity"), title="Random rock"),
    "cone": BodyShape(("height", "radius", "shell"), ("height", "radius")),
    "sphere": BodyShape(("radius", "shell", "offset"), ("radius",), block=False, smooth=True),
    "mesh": BodyShape(("size", "shell", *_FILE, "repair"), ("file",)),
    "hull": BodyShape(("size", "shell", *_FILE, "points"), ("file",), title="Hull of points"),
    "inertia": BodyShape((), ("inertia", "mass"), title="Moments only", block=False),
    "parts": BodyShape(("part",), ("part",), title="Several parts", rock=False, block=False),
    "tippe-top": BodyShape(("radius", "offset"), ("radius",), solid=False, rock=False, block=False, smooth=True),
    "egg": BodyShape(("size", *_ON_TABLE), solid=False, rock=False, block=False, smooth=True),
    "disk": BodyShape(("radius", "thickness", "rim", *_ON_TABLE), ("radius",), solid=False, block=False, smooth=True),
    "hoop": BodyShape(
        ("radius", "thickness", "rim", *_ON_TABLE), ("radius",), solid=False, rock=False, block=False, smooth=True
    ),
}
SOLIDS = tuple(name for name, shape in BODY_SHAPES.items() if shape.solid)
ROCKS = tuple(name for name, shape in BODY_SHAPES.items() if shape.rock)
BLOCKS = tuple(name for name, shape in BODY_SHAPES.items() if shape.block)
SMOOTH = tuple(name for name, shape in BODY_SHAPES.items() if shape.smooth)


def shapes_with(key: str) -> tuple[str, ...]:
    """The shapes for which a key of the body's table means something, () for one of all shapes."""
    return tuple(name for name, shape in BODY_SHAPES.items() if key in shape.keys)
