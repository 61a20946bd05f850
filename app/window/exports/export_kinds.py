"""Kinds of exports: what one wants to have, the files that it comes in, and the fields that it heeds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    """A format of files: the ending of their names ("": a folder), and the command of ``polhode`` that writes them."""

    ending: str
    title: str
    command: str


@dataclass(frozen=True)
class Kind:
    """What one wants to have.

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
        told = tr("expected a name that ends in {endings}, got {got}")
        told = told.format(endings=self.endings, got=f"“{got}”" if got else tr("none"))
        return told + (tr(", which is for: {kind}").format(kind=other) if other else "")

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
        """For a dialog that asks for a file."""
        return ";;".join(f"{tr(one.title)} (*{one.ending})" for one in self.formats)


_SCREENS = {size: size for size in SCREENS}
KINDS = (
    Kind(
        "Film",
        "The motion, frame by frame",
        (
            Format(".mp4", "MP4, plays everywhere", "video"),
            Format(".webm", "WebM, for web pages", "video"),
            Format(".mov", "ProRes 422 HQ, for cutting", "video"),
            Format(".mkv", "FFV1, no loss", "video"),
            Format(".gif", "GIF, 256 colours", "video"),
            Format(".apng", "APNG, no loss", "video"),
            Format("", "Folder of numbered pictures", "video"),
        ),
        LOOK | {"range", "rate", "speed", "cards", "authors", "transparent"},
        _SCREENS,
    ),
    Kind(
        "Still",
        "One moment as a picture",
        (Format(".png", "PNG, opens again as a scenario", "image"),),
        LOOK - {"orbit"} | {"moment", "transparent"},
        _SCREENS,
    ),
    Kind(
        "Figure for print",
        "The plots, as papers want them",
        (
            Format(".pdf", "PDF, for print", "plot"),
            Format(".svg", "SVG, to be edited", "plot"),
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
        (Format(".html", "HTML, one file", "scene"),),
        frozenset({"speed", "layout", "compare"}),
        {},
    ),
    Kind(
        "Model",
        "Moves in Blender and viewers",
        (Format(".glb", "glTF 2.0, binary", "scene"),),
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
