"""The dialog that asks for the name of a file to be saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def save_dialog(parent: QWidget, title: str, proposed: str, kinds: str) -> Path | None:
    """The file that the user names; a name without an ending gets that of the chosen kind. None: the user cancelled.

    kinds : as Qt has them, "Picture (*.png);;Table (*.csv)"; the first one where the system does not tell which
    """
    name, kind = QFileDialog.getSaveFileName(parent, title, proposed, kinds)
    if not name:
        return None
    ending = (kind or kinds.split(";;")[0]).partition("*")[2].removesuffix(")")
    return Path(name) if Path(name).suffix else Path(name + ending)
