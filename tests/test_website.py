"""The pages of the site, before MkDocs makes HTML of them: complete, and no link leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import physics
from app.document.session import from_text
from assets import SCENARIOS
from assets.make import website


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "films").mkdir()
    (folder / "films" / "cuboid-major.mp4").write_bytes(b"a film")
    website.write_pages(folder / "pages", folder / "films")
    return folder / "pages"


def test_every_link_and_picture_of_the_site_is_there(pages):
    missing = []
    for page in pages.rglob("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|poster)="([^"]+)"', text):
            if not target.startswith("https://") and not (page.parent / target.partition("#")[0]).is_file():
                missing.append((page.name, target))
    assert not missing
    assert 'poster="cuboid-major.webp"' in (pages / "gallery" / "cuboid-major.md").read_text(encoding="utf-8")


def test_each_example_opens_again_from_the_text_on_its_page(pages):
    for stem in ("cuboid-major", "rock-tschamut"):
        page = (pages / "gallery" / f"{stem}.md").read_text(encoding="utf-8")
        (text,) = re.findall(r"```text\n(polhode1:\S+)\n```", page)
        told = physics.load_scenario(SCENARIOS / f"{stem}.toml")
        assert from_text(text).schedule.scenario.title == told.title
        assert f"# {told.title}\n" in page
    assert len(list((pages / "gallery").glob("*.md"))) == len(list(SCENARIOS.glob("*.toml"))) + 1


def test_the_reference_holds_all_that_is_public(pages):
    assert sorted(name for names in website.REFERENCE.values() for name in names) == sorted(physics.__all__)
    text = "".join(page.read_text(encoding="utf-8") for page in (pages / "reference").glob("*.md"))
    assert "angular_velocity: ArrayLike" in text
    assert "moments : array_like, (3,)" in text


def test_the_contents_list_every_page_of_help(pages):
    listed = set(re.findall(r"'(help/[\w-]+\.md)'", str(website.configuration(pages.parent)["nav"])))
    assert listed == {f"help/{page.name}" for page in (pages / "help").glob("*.md")}


def test_formulas_are_pictures_that_tell_what_they_say(pages):
    text = (pages / "help" / "implicit.md").read_text(encoding="utf-8")
    assert "```math" not in text
    assert "<title>J (ω' − ω) + h m × J m = 0".replace("'", "&#x27;") in text
    assert '<path fill="currentColor"' in text


def test_a_notebook_that_was_run_shows_what_its_cells_show(tmp_path):
    def cell(**output):
        return {"cell_type": "code", "source": ["1 + 1"], "outputs": [output]}

    frame = '<iframe sandbox="allow-scripts" srcdoc="&lt;p&gt;It tumbles&lt;/p&gt;"></iframe>'
    cells = [
        cell(output_type="stream", text=["1 rock\r2 rocks\n"]),
        cell(output_type="execute_result", data={"text/plain": "a view", "text/html": frame}),
        cell(output_type="display_data", data={"text/plain": "a figure", "image/png": "UE5H\n"}),
        cell(output_type="execute_result", data={"text/plain": "a table", "text/html": "<table>\n\n</table>"}),
    ]
    website.write_notebook({"cells": cells}, tmp_path / "turns.md")
    text = (tmp_path / "turns.md").read_text()
    assert "```text\n2 rocks\n```" in text
    assert '<iframe sandbox="allow-scripts" src="turns-1.html"></iframe>' in text
    assert (tmp_path / "turns-1.html").read_text() == "<p>It tumbles</p>"
    assert (tmp_path / "turns-2.png").read_bytes() == b"PNG"
    assert "<table>\n</table>" in text
