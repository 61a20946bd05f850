"""A report card in a file: the table as text, in the language in use, or plain values as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from app.system.language import translated
from physics.analysis.card_items import agreement, card_facts, card_items, card_text
from physics.analysis.report_card import ReportCard
from physics.io.trajectory_writers import check_output, replacing
from physics.schemes.scheme import Scheme

ENDINGS = (".txt", ".json")


def write_card(card: ReportCard, row: Scheme | None, path: str | Path) -> None:
    """Write a card, and what its row claims, to a .txt or a .json.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    if path.suffix.lower() == ".json":
        text = json.dumps(card_facts(card, row), indent=2)
    else:
        text = f"{card_text(card, row, translated)}\n{translated(agreement(card_items(card, row)))}".rstrip()
    with replacing(path) as part:
        part.write_text(f"{text}\n", encoding="utf-8")
