"""Kinds of exports and their file formats: a row each, from which dialog, command line and readers are made."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.system.language import tr

Fields = frozenset[str]
LOOK: Fields = frozenset({"size", "layout", "camera", "plots", "orbit", "quality", "content", "captions", "compare"})
SCREENS = ("1280x720", "1920x1080", "2560x1440", "3840x2160", "1080x1080", "1080x1920")
PRINTS = {  # pixels of 1/96 inch: letters of six to eight points
    "180 × 120 mm, across a page": "680x454",
    "180 × 90 mm, across a page": "680x340",
    "180 × 230 mm, a whole page": "680x869",
    "120 × 100 mm": "454x378",
}


@dataclass(frozen=True)
class Loaded:
    """Function that is imported when it is called: what draws takes long to load, and stands above this room."""

    module: str
    name: str

    def __call__(self, *values: Any) -> Any:
        """Call it."""
        return getattr(importlib.import_module(self.module), self.name)(*values)


@dataclass(frozen=True)
class Writer:
    """Writer of files: a command of ``polhode``, and the functions behind it.

    Attributes
    ----------
    command : its name
    write : of (world, lanes, path)
    check : of (scenario); ScenarioError where it names what cannot be written
    check_file : of (path, scenario), where a format bounds more than its ending does
    draw : of (world, lanes), the picture of its preview, if the usual trial is to have one
    trial : of (world, lanes, ending, begin), a generator that tries a part of what is written, see
        ``app.export.preview``; None: all of it is written
    raw : whether it writes states alone: all of them, as they are, without look and words
    computed : whether it needs the run
    """

    command: str
    write: Loaded
    check: Loaded
    check_file: Loaded | None = None
    draw: Loaded | None = None
    trial: Loaded | None = None
    raw: bool = False
    computed: bool = True


_CHECKS, _PREVIEW = "app.export.checks", "app.export.preview"
VIDEO = Writer(
    "video",
    Loaded("app.export.video", "write_video"),
    Loaded(_CHECKS, "check_looks"),
    check_file=Loaded("app.export.video", "check_video"),
    trial=Loaded(_PREVIEW, "film_trial"),
)
IMAGE = Writer(
    "image",
    Loaded("app.export.offscreen_stage", "write_image"),
    Loaded(_CHECKS, "check_moment"),
    trial=Loaded(_PREVIEW, "still_trial"),
)
PLOT = Writer(
    "plot",
    Loaded("app.plots.files", "write_plots"),
    Loaded(_CHECKS, "check_plots"),
    draw=Loaded("app.plots.files", "draw_sheet"),
)
PLAN = Writer(
    "plan",
    Loaded("app.hazard.plan", "write_plan"),
    Loaded("app.hazard.plan", "check_plan"),
    draw=Loaded("app.hazard.plan", "draw_plan"),
    computed=False,
)
SCENE = Writer(
    "scene",
    Loaded("app.export.scene_files", "write_scene"),
    Loaded(_CHECKS, "check_looks"),
    trial=Loaded(_PREVIEW, "scene_trial"),
)
RUN = Writer(
    "run",
    Loaded("app.export.collection", "write_states"),
    Loaded(_CHECKS, "check_nothing"),
    trial=Loaded(_PREVIEW, "states_trial"),
    raw=True,
)


@dataclass(frozen=True)
class ExportFormat:
    """Format of exported files.

    Attributes
    ----------
    ending : of their names; "" for a folder
    title : for a list of formats
    writer : what writes them
    recipe : where they hold their scenario, see ``app.document.recipe``; "" if they have none to be opened by
    element : HTML element by which a page of many files shows one; "a" is a link
    clear : whether its pixels may be transparent
    """

    ending: str
    title: str
    writer: Writer
    recipe: Literal["", "picture", "film", "end", "page"] = ""
    element: Literal["a", "img", "video"] = "a"
    clear: bool = False


@dataclass(frozen=True)
class ExportKind:
    """Kind of an export.

    fields : the names of the dialog's fields that act on it; sizes : text and value of those that are offered
    """

    title: str
    hint: str
    formats: tuple[ExportFormat, ...]
    fields: Fields
    sizes: dict[str, str]
    grounded: bool = False  # whether it serves scenarios with a terrain alone

    def format(self, output: Path) -> ExportFormat | None:
        """The first format of that kind whose files are named so."""
        return next((one for one in self.formats if one.ending == output.suffix.lower()), None)

    def heeded(self, one: ExportFormat) -> Fields:
        """The fields that act on a format of that kind."""
        return frozenset() if one.writer.raw else self.fields

    def objection(self, output: Path) -> str:
        """Reason why no file of this kind is named so; "" where it may be."""
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
    ExportKind(
        "Film",
        "The motion, frame by frame",
        (
            ExportFormat(".mp4", "MP4, plays everywhere", VIDEO, "film", "video"),
            ExportFormat(".webm", "WebM, for web pages", VIDEO, "film", "video", clear=True),
            ExportFormat(".mov", "ProRes 422 HQ, for cutting", VIDEO, "film", clear=True),
            ExportFormat(".mkv", "FFV1, no loss", VIDEO, "film"),
            ExportFormat(".gif", "GIF, 256 colours", VIDEO, "end", "img"),
            ExportFormat(".apng", "APNG, no loss", VIDEO, "end", "img", clear=True),
            ExportFormat("", "Folder of numbered pictures", VIDEO, clear=True),
        ),
        LOOK | {"range", "rate", "speed", "length", "explain", "cards", "authors", "transparent"},
        _SCREENS,
    ),
    ExportKind(
        "Still",
        "One moment as a picture",
        (ExportFormat(".png", "PNG, opens again as a scenario", IMAGE, "picture", "img", clear=True),),
        LOOK - {"orbit"} | {"moment", "transparent"},
        _SCREENS,
    ),
    ExportKind(
        "Figure for print",
        "The plots, formatted for papers",
        (
            ExportFormat(".pdf", "PDF, for print", PLOT),
            ExportFormat(".svg", "SVG, to be edited", PLOT, element="img"),
            ExportFormat(".png", "PNG, 288 dots an inch", PLOT),
        ),
        frozenset({"range", "size", "theme", "compare"}),
        PRINTS,
    ),
    ExportKind(
        "Plan",
        "A map to scale, with the rocks of saved results",
        (
            ExportFormat(".pdf", "PDF, for print", PLAN),
            ExportFormat(".svg", "SVG, to be edited", PLAN),
            ExportFormat(".png", "PNG, 254 dots an inch", PLAN),
        ),
        frozenset({"scale", "paper", "map"}),
        {},
        grounded=True,
    ),
    ExportKind(
        "Page",
        "Plays in a browser, without network",
        (ExportFormat(".html", "HTML, one file", SCENE, "page"),),
        frozenset({"speed", "layout", "content", "compare"}),
        {},
    ),
    ExportKind(
        "Model",
        "Moves in Blender and viewers",
        (ExportFormat(".glb", "glTF 2.0, binary", SCENE, "page"),),
        frozenset({"layout", "content", "compare"}),
        {},
    ),
    ExportKind(
        "Data",
        "The numbers",
        (
            ExportFormat(".npz", "States, for NumPy", RUN),
            ExportFormat(".parquet", "States, Parquet", RUN),
            ExportFormat(".csv", "States, a table", RUN),
            ExportFormat(".csv", "Curves of the plots, a table", PLOT),
        ),
        frozenset({"range", "compare"}),
        {},
    ),
)
FORMATS = tuple(one for kind in KINDS for one in kind.formats)
# endings of films that may be transparent
CLEAR = tuple(one.ending for one in KINDS[0].formats if one.clear and one.ending)
OPENED = {one.ending: one for one in FORMATS if one.recipe}  # formats that open again, by ending


def endings(*writers: Writer) -> tuple[str, ...]:
    """Endings of the files that are written, without that of a folder; of all formats where no writer is named."""
    return tuple(dict.fromkeys(one.ending for one in FORMATS if one.ending and (not writers or one.writer in writers)))


LONGEST_NAME = 160  # bytes of a file's name, of the 255 that there may be with number, ending and mark of a part


def file_name(words: str) -> str:
    """Words as the name of a file: with - between them, and cut where they are too many."""
    return "-".join(words.split()).encode()[:LONGEST_NAME].decode(errors="ignore").strip("-")
