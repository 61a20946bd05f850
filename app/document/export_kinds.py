"""Kinds of exports and their file formats: a row each, from which dialog, command line and readers are made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.system.language import tr

Fields = frozenset[str]
LOOK: Fields = frozenset({"size", "layout", "camera", "plots", "orbit", "quality", "captions", "compare"})
SCREENS = ("1280x720", "1920x1080", "2560x1440", "3840x2160", "1080x1080", "1080x1920")
PRINTS = {  # pixels of 1/96 inch: letters of six to eight points
    "180 × 120 mm, across a page": "680x454",
    "180 × 90 mm, across a page": "680x340",
    "180 × 230 mm, a whole page": "680x869",
    "120 × 100 mm": "454x378",
}


@dataclass(frozen=True)
class Format:
    """Format of exported files.

    Attributes
    ----------
    ending : of their names; "" for a folder
    title : for a list of formats
    command : of ``polhode`` that writes them
    recipe : where they hold their scenario, see ``app.document.recipe``; "" if they have none to be opened by
    element : HTML element by which a page of many files shows one; "a" is a link
    clear : whether its pixels may be transparent
    """

    ending: str
    title: str
    command: str
    recipe: Literal["", "picture", "film", "end", "page"] = ""
    element: Literal["a", "img", "video"] = "a"
    clear: bool = False


@dataclass(frozen=True)
class Kind:
    """Kind of an export.

    fields : the names of the dialog's fields that act on it; sizes : text and value of those that are offered
    """

    title: str
    hint: str
    formats: tuple[Format, ...]
    fields: Fields
    sizes: dict[str, str]
    grounded: bool = False  # whether it serves scenarios with a terrain alone

    def format(self, output: Path) -> Format | None:
        """The first format of that kind whose files are named so."""
        return next((one for one in self.formats if one.ending == output.suffix.lower()), None)

    def heeded(self, one: Format) -> Fields:
        """The fields that act on a format of that kind; states are written whole, and as they are."""
        return frozenset() if one.command == "run" else self.fields

    def objection(self, output: Path) -> str:
        """Why no file of this kind is named so; "" where it may be."""
        if self.format(output) is not None:
            return ""
        got = output.suffix.lower()
        other = next((tr(kind.title) for kind in KINDS if kind is not self and kind.format(output) and got), None)
        text = tr("expected a name that ends in {endings}, got {got}")
        text = text.format(endings=self.endings, got=f"“{got}”" if got else tr("none"))
        return text + (tr(", which is for: {kind}").format(kind=other) if other else "")

    @property
    def endings(self) -> str:
        """The endings, in words."""
        known = list(dict.fromkeys(one.ending for one in self.formats if one.ending))
        words = known[0]
        if len(known) > 1:
            words = tr("{several} or {last}").format(several=", ".join(known[:-1]), last=known[-1])
        return words + (tr(", or has no ending (a folder)") if any(not one.ending for one in self.formats) else "")

    @property
    def filter(self) -> str:
        """Filter of a dialog that asks for a file."""
        return ";;".join(f"{tr(one.title)} (*{one.ending})" for one in self.formats)


_SCREENS = {size: size for size in SCREENS}
KINDS = (
    Kind(
        "Film",
        "The motion, frame by frame",
        (
            Format(".mp4", "MP4, plays everywhere", "video", "film", "video"),
            Format(".webm", "WebM, for web pages", "video", "film", "video", clear=True),
            Format(".mov", "ProRes 422 HQ, for cutting", "video", "film", clear=True),
            Format(".mkv", "FFV1, no loss", "video", "film"),
            Format(".gif", "GIF, 256 colours", "video", "end", "img"),
            Format(".apng", "APNG, no loss", "video", "end", "img", clear=True),
            Format("", "Folder of numbered pictures", "video", clear=True),
        ),
        LOOK | {"range", "rate", "speed", "length", "explain", "cards", "authors", "transparent"},
        _SCREENS,
    ),
    Kind(
        "Still",
        "One moment as a picture",
        (Format(".png", "PNG, opens again as a scenario", "image", "picture", "img", clear=True),),
        LOOK - {"orbit"} | {"moment", "transparent"},
        _SCREENS,
    ),
    Kind(
        "Figure for print",
        "The plots, formatted for papers",
        (
            Format(".pdf", "PDF, for print", "plot"),
            Format(".svg", "SVG, to be edited", "plot", element="img"),
            Format(".png", "PNG, 288 dots an inch", "plot"),
        ),
        frozenset({"range", "size", "paper", "compare"}),
        PRINTS,
    ),
    Kind(
        "Plan",
        "A map to scale, with the rocks of saved results",
        (
            Format(".pdf", "PDF, for print", "plan"),
            Format(".svg", "SVG, to be edited", "plan"),
            Format(".png", "PNG, 254 dots an inch", "plan"),
        ),
        frozenset({"scale", "sheet", "map"}),
        {},
        grounded=True,
    ),
    Kind(
        "Page",
        "Plays in a browser, without network",
        (Format(".html", "HTML, one file", "scene", "page"),),
        frozenset({"speed", "layout", "compare"}),
        {},
    ),
    Kind(
        "Model",
        "Moves in Blender and viewers",
        (Format(".glb", "glTF 2.0, binary", "scene", "page"),),
        frozenset({"layout", "compare"}),
        {},
    ),
    Kind(
        "Data",
        "The numbers",
        (
            Format(".npz", "States, for NumPy", "run"),
            Format(".parquet", "States, Parquet", "run"),
            Format(".csv", "States, a table", "run"),
            Format(".csv", "Curves of the plots, a table", "plot"),
        ),
        frozenset({"range", "compare"}),
        {},
    ),
)
FORMATS = tuple(one for kind in KINDS for one in kind.formats)
CLEAR = tuple(one.ending for one in KINDS[0].formats if one.clear and one.ending)  # of films that may be transparent
OPENED = {one.ending: one for one in FORMATS if one.recipe}  # formats that open again, by ending


def endings(*commands: str) -> tuple[str, ...]:
    """Endings of the files that commands of ``polhode`` write, without that of a folder."""
    return tuple(dict.fromkeys(one.ending for one in FORMATS if one.ending and one.command in commands))
