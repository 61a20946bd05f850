"""``python -m assets.make.website [FOLDER]`` builds the site from README, help, scenarios, notebooks, docstrings.

Its pages are written as Markdown into ``FOLDER/pages`` first, by this module alone. Then nbclient runs the notebooks,
for what their cells show, and MkDocs makes ``FOLDER/html`` of the pages (both: ``pip install -e ".[site]"``). It is
strict: a link that leads nowhere is an error. Without FOLDER it is build/site. ``--films DIR`` takes films from a
folder that ``polhode lecture -o DIR`` has written; each opens again in the program.

Material for MkDocs is mended until May 2027. Zensical, its successor, builds the same ``mkdocs.yml`` (0.0.73, tried).
"""

from __future__ import annotations

import argparse
import base64
import html
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import assets
import physics
from app.cli.notebooks import NOTEBOOKS
from app.document.help_pages import PAGES, contents, read
from app.document.session import SavedSession, looked_at, to_text
from app.plots.formula import BLOCK, FIGURE, svg
from physics.schemes import by_family
from physics.schemes.scheme import FAMILIES
from physics.simulation.schedule import Schedule
from physics.systems import SYSTEMS

ROOT = Path(__file__).parents[2]
HOUSE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
REFERENCE = {  # the public interface by what it is for; a test compares it with physics.__all__
    "Scenarios and runs": ("load_scenario", "parse_scenario", "Scenario", "simulate", "integrate", "reference"),
    "Results": ("Runs", "Trajectory", "Reference", "ReferenceTrajectory", "Motion", "to_pandas", "to_xarray"),
    "Worlds": ("World", "FreeWorld", "AttachedWorld", "RockfallWorld"),
    "Schemes": ("scheme_from_file", "SCHEMES"),
    "Errors": ("ScenarioError", "PhysicsError"),
    "Formulas": ("cross", "dot", "product", "rotate", "normalised", "exp_half", "vertical", "torque", "moment"),
}
# of Scenario, which has more for the rooms of the program than for scripts
MEMBERS = ("lanes", "steps", "path", "changed", "to_plain", "in_full", "portable")


def write_pages(folder: Path, films: Path | None = None) -> None:
    """Write all pages and pictures into a new folder."""
    folder.mkdir(parents=True)
    for name in ("help", "gallery", "notebooks", "reference"):
        (folder / name).mkdir()
    shutil.copytree(ROOT / "assets" / "readme", folder / "readme")
    for file in PAGES.glob("*.md"):
        (folder / "help" / file.name).write_text(_drawn(read(file.stem)), encoding="utf-8")
    for name in HOUSE:
        (folder / name).write_text(_moved((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "index.md").write_text(_moved((ROOT / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
    for name in ("LICENSE", "CITATION.cff"):
        shutil.copy(ROOT / name, folder / f"{name}.txt")
    shutil.copy(ROOT / "assets" / "icons" / "polhode.svg", folder)
    _gallery(folder / "gallery", films)
    for file in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(file, folder / "notebooks")
        write_notebook(json.loads(file.read_text(encoding="utf-8")), folder / "notebooks" / f"{file.stem}.md")
    for title, names in REFERENCE.items():
        page = f"# {title}\n\n" + "\n".join(_explained(name) for name in names)
        (folder / "reference" / f"{_stem(title)}.md").write_text(page, encoding="utf-8")


def write_notebook(notebook: dict[str, Any], page: Path) -> None:
    """Write a notebook as a page that links the file beside it; what its cells show follows them, if it was run."""
    parts = []
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
        shown = [_shown(output, page.with_name(f"{page.stem}-{number}")) for output in cell.get("outputs", [])]
        parts += [f'<div class="output" markdown>\n{text}\n</div>' for text in shown]
    parts.append(f"The notebook: [{page.stem}.ipynb]({page.stem}.ipynb), or `polhode notebooks DIR`.")
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _shown(output: dict[str, Any], place: Path) -> str:
    """Output of a cell, as Markdown; a page in a frame and a picture become files at a place, without an ending."""
    data = output.get("data") or {"text/plain": output["text"]}  # else what it has printed
    text = {kind: "".join(lines) for kind, lines in data.items()}
    if "text/html" in text:
        frame = re.fullmatch(r'<iframe (.*) srcdoc="(.*)"></iframe>', text["text/html"], re.S)
        if frame is None:
            return re.sub(r"\n\s*\n", "\n", text["text/html"])
        place.with_suffix(".html").write_text(html.unescape(frame[2]), encoding="utf-8")
        return f'<iframe {frame[1]} src="{place.stem}.html"></iframe>'
    if "image/png" in text:
        place.with_suffix(".png").write_bytes(base64.b64decode(text["image/png"]))
        return f"![What the cell shows]({place.stem}.png)"
    lines = [line.rpartition("\r")[2] for line in text["text/plain"].rstrip().split("\n")]  # of a count the last one
    return "\n".join(["```text", *lines, "```"])


def run_notebooks(folder: Path) -> None:
    """Run the notebooks of a folder, and write their pages anew; nbclient's CellExecutionError where a cell fails."""
    import nbformat
    from nbclient import NotebookClient

    for file in folder.glob("*.ipynb"):
        client = NotebookClient(nbformat.read(file, as_version=4), timeout=600)
        manager = client.create_kernel_manager()
        manager.transport = "ipc"  # over TCP each kernel warns that all can be read
        with tempfile.TemporaryDirectory() as place:
            manager.ip = f"{place}/kernel"  # whole: by default each side looks in its own folder, and waits for ever
            write_notebook(client.execute(cwd=str(folder)), file.with_suffix(".md"))


def _drawn(text: str) -> str:
    """A page of the help with its formulas and figures in the page, in the ink of its text."""
    text = BLOCK.sub(lambda found: f'<div class="formula">{svg(found[1], "currentColor")}</div>', text)
    return FIGURE.sub(lambda found: f'<div class="figure">{(PAGES / found[1]).read_text(encoding="utf-8")}</div>', text)


def _moved(text: str) -> str:
    """A page of the root, with links to files as the site has them; those that it has not become plain words."""
    text = text.replace("](assets/help/", "](help/").replace("](assets/readme/", "](readme/")
    return text.replace("](CITATION.cff)", "](CITATION.cff.txt)").replace("](LICENSE)", "](LICENSE.txt)")


def _stem(title: str) -> str:
    return title.lower().replace(" ", "-")


# ---- gallery ------------------------------------------------------------------------------------------


def _gallery(folder: Path, films: Path | None) -> None:
    """A page of all examples, by kind, and one of each: picture or film, note, source, file, and the text to paste."""
    shown: dict[str, list[str]] = {kind: [] for kind in SYSTEMS}
    for file in sorted(assets.SCENARIOS.glob("*.toml")):
        scenario = physics.load_scenario(file)
        shutil.copy(ROOT / "assets" / "gallery" / f"{file.stem}.webp", folder)
        film = films / f"{file.stem}.mp4" if films is not None else None
        if film is not None and film.is_file():
            shutil.copy(film, folder)
            seen = f'<video src="{film.name}" poster="{file.stem}.webp" controls loop muted></video>'
            again = f"The [film]({film.name}) opens in Polhode as this scenario: drop it on the window."
        else:
            seen, again = f"![{scenario.title}]({file.stem}.webp)", ""
        text = to_text(SavedSession(Schedule.of(scenario), looked_at(scenario)))
        page = (
            f"# {scenario.title}\n\n{seen}\n\n{scenario.note}\n\nSource: {scenario.source}. {again}\n\n"
            f"## See it\n\n```sh\npolhode assets/scenarios/{file.name}\n```\n\n"
            f"or copy this text and press Ctrl+Shift+V in Polhode:\n\n```text\n{text}\n```\n\n"
            f"## The file\n\n```toml\n{file.read_text(encoding='utf-8').rstrip()}\n```\n"
        )
        (folder / f"{file.stem}.md").write_text(page, encoding="utf-8")
        shown[scenario.kind].append(f"[![]({file.stem}.webp)<br>{scenario.title}]({file.stem}.md)")
    parts = [
        f"## {kind.capitalize()}\n\n" + '<div class="gallery" markdown>\n\n' + "\n\n".join(pictures) + "\n\n</div>"
        for kind, pictures in shown.items()
        if pictures
    ]
    head = "# Gallery\n\nEach example comes with the program (F3), and opens again from the text on its page.\n\n"
    (folder / "index.md").write_text(head + "\n\n".join(parts) + "\n", encoding="utf-8")


# ---- reference ----------------------------------------------------------------------------------------


def _explained(name: str) -> str:
    """Public names, with their calls and their docstrings as they stand in the source."""
    what = getattr(physics, name)
    if isinstance(what, dict):
        families = [
            f"- {FAMILIES[family]}: {', '.join(row.name for row in rows)}" for family, rows in by_family().items()
        ]
        row = type(next(iter(what.values())))
        return f"## `physics.{name}`\n\nName of a scheme → its facts.\n\n{chr(10).join(families)}\n\n{_block(row)}"
    # the keys of a scenario are explained by the help
    told = not (inspect.isclass(what) and issubclass(what, physics.Scenario | Exception))
    text = f"## `physics.{name}`\n\n{_call(what) if told else ''}{_block(what)}"
    if inspect.isclass(what):
        for own, member in vars(what).items():
            made = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            wanted = own in MEMBERS if what is physics.Scenario else not own.startswith("_")
            if wanted and (inspect.isfunction(made) or isinstance(member, property)):
                text += f"### `{own}`\n\n{'' if isinstance(member, property) else _call(made, own)}{_block(member)}"
    return text


def _call(what: object, name: str = "") -> str:
    signature = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", str(inspect.signature(what)).replace("'", ""))  # type: ignore[arg-type]
    return f"```python\n{name or getattr(what, '__name__', '')}{signature}\n```\n\n"


def _block(what: object) -> str:
    return f"``` {{ .text .docstring }}\n{inspect.getdoc(what) or ''}\n```\n\n"


# ---- html ---------------------------------------------------------------------------------------------

STYLE = """\
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 1rem; }
.md-typeset video { width: 100%; }
.docstring code { white-space: pre-wrap; }
.output { overflow-x: auto; margin-left: 1.5rem; }
.formula { overflow-x: auto; margin: 1em 0; font-size: 1.1em; }
.figure { margin: 1em 0; }
.figure svg { max-width: 100%; height: auto; font-family: inherit; }
.md-grid { max-width: 76rem; }
"""


def configuration(folder: Path) -> dict[str, object]:
    """Configuration of MkDocs."""
    helps = [{"Contents": "help/index.md"}]
    helps += [{group: [{title: f"help/{stem}.md"} for stem, title in pages]} for group, pages in contents()]  # type: ignore[dict-item]
    titles = {path.stem: read_title(path) for path in (folder / "pages" / "gallery").glob("*.md")}
    titles.pop("index")
    notebooks = [f"notebooks/{file.stem}.md" for file in sorted(NOTEBOOKS.glob("*.ipynb"))]
    return {
        "site_name": "Polhode",
        "site_description": "See how rigid bodies really tumble, and which numerical scheme gets it right",
        "docs_dir": "pages",
        "site_dir": "html",
        "use_directory_urls": False,  # pages open from a disk too
        "strict": True,
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
        "theme": {
            "name": "material",
            "font": False,  # no page asks another machine
            "logo": "polhode.svg",
            "favicon": "polhode.svg",
            "features": ["navigation.tabs", "navigation.indexes", "content.code.copy", "search.highlight"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo"},
            ],
        },
        "extra_css": ["site.css"],
        "markdown_extensions": ["attr_list", "md_in_html", "pymdownx.superfences", "pymdownx.highlight", "tables"],
        "plugins": ["search"],
        "nav": [
            {"Polhode": "index.md"},
            {
                "Gallery": [
                    {"Gallery": "gallery/index.md"},
                    *({titles[stem]: f"gallery/{stem}.md"} for stem in sorted(titles)),
                ]
            },
            {"Help": helps},
            {"Notebooks": [{read_title(folder / "pages" / page): page} for page in notebooks]},
            {"Reference": [{title: f"reference/{_stem(title)}.md"} for title in REFERENCE]},
            {
                "Project": [
                    {"Changelog": HOUSE[0]},
                    {"Contributing": HOUSE[1]},
                    {"Security": HOUSE[2]},
                    {"Conduct": HOUSE[3]},
                ]
            },
        ],
    }


def read_title(page: Path) -> str:
    """The first line of a page, without its mark."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def build(folder: Path, films: Path | None = None) -> Path:
    """Write the pages anew, and make HTML of them; its folder. CalledProcessError where MkDocs warns."""
    shutil.rmtree(folder / "pages", ignore_errors=True)
    write_pages(folder / "pages", films)
    run_notebooks(folder / "pages" / "notebooks")
    (folder / "pages" / "site.css").write_text(STYLE, encoding="utf-8")
    told = folder / "mkdocs.yml"
    told.write_text(json.dumps(configuration(folder), indent=1), encoding="utf-8")  # JSON is YAML
    command = [sys.executable, "-m", "mkdocs", "build", "--clean", "--quiet", "-f", str(told)]
    subprocess.run(command, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    return folder / "html"


def main() -> int:
    """Build the site, and say where it is; the status."""
    parser = argparse.ArgumentParser(prog="python -m assets.make.website", description="Build the site.")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "site", metavar="FOLDER")
    parser.add_argument("--films", type=Path, metavar="DIR", help="of polhode lecture -o DIR")
    arguments = parser.parse_args()
    try:
        made = build(arguments.folder, arguments.films)
    except subprocess.CalledProcessError:
        return 1  # MkDocs has said why
    files = [path for path in made.rglob("*") if path.is_file()]
    pages, size = sum(path.suffix == ".html" for path in files), sum(path.stat().st_size for path in files) / 1e6
    print(f"{pages} pages, {size:.1f} MB: {made / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
