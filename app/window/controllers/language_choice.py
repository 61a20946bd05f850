"""The choice of the window's language, in the palette."""

from __future__ import annotations

from functools import partial

from app.document.settings import Language
from app.system.language import LANGUAGES, tr
from app.window.guides.command_palette import Entry
from app.window.workspace import Workspace


def language_entries(workspace: Workspace) -> list[Entry]:
    """What the palette lists; each language in its own words, for those who have landed in a foreign one."""
    chosen = workspace.settings.language
    names: list[tuple[Language, str]] = [("system", tr("As the system tells")), *LANGUAGES.items()]
    return [
        Entry(
            "Language", name, tr("chosen") if code == chosen else "", "", partial(choose, workspace, code), "language"
        )
        for code, name in names
    ]


def choose(workspace: Workspace, code: Language) -> None:
    """Have the window in a language from its next start on."""
    workspace.settings.language = code
    workspace.tell(tr("The language is taken at the next start of Polhode"))
